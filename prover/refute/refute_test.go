package refute_test

import (
	"slices"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/refute"
)

func TestFind(t *testing.T) {
	types := map[string]string{
		"S": "ℙ(S)", "C": "ℙ(C)", "red": "C", "blue": "C", "A": "ℙ(S)", "B": "ℙ(S)", "x": "S", "n": "ℤ", "m": "ℤ",
		"f": "ℙ(S×ℤ)", "g": "ℙ(ℤ×ℤ)", "U": "ℙ(ℤ)", "c": "C", "d": "ℙ(C)",
		"h": "ℙ(C×ℙ(ℤ×ℤ))",
	}
	for _, test := range []struct {
		hyps  []string
		goal  string
		part  string // "" if there is no counterexample, "*" for any
		shown []string
	}{
		{[]string{"A⊆S", "n>3"}, "n>2∧A⊆B", "A⊆B", []string{"A", "B", "n"}},
		{[]string{"A⊆B"}, "∀y⦂S·y∈B⇒y∈A", "y∈A", []string{"A", "B"}},
		{[]string{"f∈S → ℕ", "x∈S"}, "f(x)>0", "f(x)>0", []string{"f", "x"}},
		{[]string{"f∈S → ℕ", "x∈S"}, "f(x)≥0", "", nil},
		{[]string{"partition(C,{red},{blue})", "d⊆C"}, "card(d)≠2", "card(d)≠2", []string{"d"}},
		{[]string{"partition(C,{red},{blue})"}, "c=red∨c=blue", "", nil},
		{[]string{"g=(λk⦂ℤ·k∈ℕ ∣ k∗k)", "n∈ℕ"}, "g(n)≠9", "g(n)≠9", []string{"g", "n"}},
		{[]string{"n=100000000000000000000"}, "n+m<n", "n+m<n", []string{"m", "n"}},
		{[]string{"U⊆ℕ"}, "finite(U)", "finite(U)", []string{"U"}},
		{[]string{"finite(U)", "U≠(∅ ⦂ ℙ(ℤ))"}, "max(U)∈U", "", nil},
		// Functions to sets that have more values than pairs can list.
		{[]string{"partition(C,{red},{blue})", "h∈C → (1 ‥ 9 ⇸ 1 ‥ 9)", "∀k⦂C·7∈dom(h(k))∧5∈dom(h(k))"}, "h(blue)=(h\ue103{red ↦ h(red)\ue103{5 ↦ 5}})(red)", "*", []string{"blue", "h", "red"}},
		{[]string{"partition(C,{red},{blue})", "h∈C ⇸ ℙ(1 ‥ 9 × 1 ‥ 9)", "h(red)={8 ↦ 9,3 ↦ 4}"}, "dom(h)≠C", "dom(h)≠C", []string{"h", "red"}},
		{[]string{"partition(C,{red},{blue})", "h∈C → ℙ(1 ‥ 9 × 1 ‥ 9)", "union(ran(h))={8 ↦ 9,3 ↦ 4,5 ↦ 6}"}, "{3 ↦ 4,5 ↦ 6}=h(blue)", "*", []string{"blue", "h", "red"}},
		// Where the goal is ill-defined, it is not false.
		{[]string{"n=0"}, "m ÷ n=m ÷ n", "", nil},
		{nil, "m ÷ n=1", "m ÷ n=1", []string{"m", "n"}},
	} {
		s, err := check.ReadSequent(types, test.hyps, nil, test.goal)
		if err != nil {
			t.Fatal(err)
		}
		x, steps := refute.Find(s, budget)
		if steps <= 0 || steps > budget {
			t.Errorf("%s: %d steps", test.goal, steps)
		}
		if x == nil || test.part == "" {
			if (x == nil) != (test.part == "") {
				t.Errorf("%s: counterexample %v", test.goal, x)
			}
			continue
		}
		// Names stand for themselves where nothing binds them.
		if got := (text.Options{Untyped: true}).Term(s.Bank, x.Part); test.part != "*" && len(x.Values) == 0 && got != test.part {
			t.Errorf("%s fails in %s, want %s", test.goal, got, test.part)
		}
		if !slices.Equal(x.Shown, test.shown) {
			t.Errorf("%s: shown %v, want %v", test.goal, x.Shown, test.shown)
		}
		data, err := x.Model.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		m, err := eval.ReadModel(s.Bank, s.Bank.FreeIdents(append(s.Hyps, s.Goal)...), data)
		if err != nil {
			t.Fatal(err)
		}
		if again := refute.Confirm(s, m); again == nil || again.Part != x.Part {
			t.Errorf("%s: written and read, %s is not a counterexample", test.goal, data)
		}
	}
}

func TestFindIsDeterministic(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "r": "ℙ(S×S)", "A": "ℙ(S)"}
	first := ""
	for range 3 {
		s, err := check.ReadSequent(types, []string{"r∈S ↔ S", "A≠(∅ ⦂ ℙ(S))"}, nil, "r[A]⊆A")
		if err != nil {
			t.Fatal(err)
		}
		x, _ := refute.Find(s, budget)
		data, err := x.Model.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(data)
		}
		if string(data) != first {
			t.Errorf("%s, then %s", first, data)
		}
	}
}

// TestSizes finds counterexamples in which a carrier set has as many elements as a number says that the hypotheses name.
func TestSizes(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "P": "ℙ(P)", "N": "ℤ", "A": "ℙ(S)", "p": "ℙ(S×S)", "q": "ℙ(S×ℤ)", "k": "ℙ(P×S)"}
	for _, c := range []struct {
		hyps []string
		goal string
		size int64 // of S; 0 if there is no counterexample
	}{
		{[]string{"N=9", "finite(S)", "card(S)=N", "A⊆S"}, "card(A)≠8", 9},
		{[]string{"finite(S)", "card(S)=8", "p∈S⤖S"}, "p∩id≠∅", 8},
		{[]string{"N=6", "q∈S⤖1‥N", "A⊆S", "card(A)=5"}, "1∈q[A]", 6},
		{[]string{"finite(S)", "card(S)=N", "N=7", "finite(P)", "k∈P↠S"}, "card(P)=N", 7},
		{[]string{"finite(S)", "card(S)=7", "A⊆S"}, "card(A)≤7", 0},
		// Scopes have no thousand elements: a model with few is stretched.
		{[]string{"finite(S)", "card(S)=1000", "q∈S→0‥1", "A⊆S", "k∈P⇸S"}, "A=∅", 1000},
		{[]string{"N=700", "finite(S)", "N<card(S)", "q∈S→ℕ", "∀x·x∈S⇒x∈A"}, "q[A]={0}", 701},
		{[]string{"finite(S)", "card(S)≥300", "p∈S⇸S", "p∩id=∅"}, "p=∅", 300},
		{[]string{"finite(S)", "card(S)=1000", "q∈S→0‥1"}, "q≠∅", 0},
		{[]string{"finite(S)", "card(S)=1000", "A⊆S"}, "card(A)≤1000", 0},
		{[]string{"finite(S)", "card(S)=1000", "card(S)≤999"}, "A=∅", 0},
	} {
		s, err := check.ReadSequent(types, c.hyps, nil, c.goal)
		if err != nil {
			t.Fatal(err)
		}
		switch x, _ := refute.Find(s, budget); {
		case (x != nil) != (c.size > 0):
			t.Errorf("%v ⊢ %s: counterexample %v", c.hyps, c.goal, x)
		case x != nil && (int64(x.Model.Carriers["S"]) != c.size || refute.Confirm(s, x.Model) == nil):
			t.Errorf("%v ⊢ %s: a counterexample with %v elements", c.hyps, c.goal, x.Model.Carriers["S"])
		}
	}
}
