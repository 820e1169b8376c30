package prover_test

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
)

// TestSets proves facts about set operators that ask for elements, witnesses or
// counts which the sequent does not mention, and none of their false neighbours.
func TestSets(t *testing.T) {
	types := map[string]string{"s": "ℙ(S)", "t": "ℙ(S)", "u": "ℙ(S)", "v": "ℙ(T)", "p": "ℙ(S×T)", "q": "ℙ(T×U)", "m": "ℤ", "n": "ℤ", "x": "S",
		"f": "ℙ(ℤ×T)", "h": "ℙ(S×ℤ)", "w": "ℙ(ℤ)", "a": "T", "e": "ℙ(ℤ×T)", "g": "ℙ(S×S)", "r": "ℙ(S×T)"}
	for _, c := range []struct {
		goal    string
		theorem bool
	}{
		// Witnesses by solving.
		{"ran(prj1⦂ℙ(S×T×S))=S", true},
		{"dom(succ)=ℤ", true},
		{"∃i,j·i+j=m∧i<n", true},
		{"∃y⦂ℙ(S)·∀z·z∈s⇒z∈y", true},
		{"{x⦂ℙ(S),y⦂T·x⊆s∣x}=ℙ(s)", true},
		{"∃y⦂ℙ(S)·y⊆s∧y≠s", false},
		// Elements that tell sets apart.
		{"s ↔ v≠(∅⦂ℙ(ℙ(S×T)))", true},
		{"m‥n≠ℤ", true},
		{"s×v=S×T⇔s=S∧v=T", true},
		{"p;q=(∅⦂ℙ(S×U))⇔ran(p)∩dom(q)=(∅⦂ℙ(T))", true},
		{"s→v≠(∅⦂ℙ(ℙ(S×T)))", false},
		{"s∪t=S⇔s=S∨t=S", false},
		// Pairs that a set of one element makes.
		{"∀a⦂T,b⦂T·x∈s∧((s×{a})∪(t×{b}))(x)=b⇒a=b", true},
		{"∀a⦂T,b⦂T·x∈s∧((s×{a})\ue103(t×{b}))(x)=b⇒a=b", false},
		// Sequences: what is left without the last element, and where it ends.
		{"f∈1‥n→v∧m∈1‥n−1⇒m∈dom({n}⩤f)", true},
		{"f∈1‥n→v∧n≥1⇒{n}⩤f∈1‥n−1→v", true},
		{"f∈1‥n→v∧n≥1⇒(∃k⦂ℤ·k≥0∧{n}⩤f∈1‥k→v)", true},
		{"f∈1‥n→v∧n≥1⇒(∃k⦂ℤ·k≥0∧{m}⩤f∈1‥k→v)", false},
		// Sets of values are no larger than what they are values of, and the least natural number.
		{"finite(s)∧h∈S→ℤ⇒finite({y·y∈s∣h(y)})", true},
		{"finite(s)∧h∈S→ℤ⇒finite({y,k·y∈s∧k∈ℤ∣h(y)+k})", false},
		{"w⊆ℕ∧w≠(∅⦂ℙ(ℤ))⇒(∃j·j∈w∧(∀k·k∈w⇒j≤k))", true},
		{"w≠(∅⦂ℙ(ℤ))⇒(∃j·j∈w∧(∀k·k∈w⇒j≤k))", false},
		// Extreme elements and values, by what they have in common.
		{"(∃i·i∈1‥n∧f(i)=a)⇒(∃i·i∈1‥n∧f(i)=a∧(∀j·j∈1‥i−1⇒f(j)≠a))", true},
		{"(∃i·f(i)=a)⇒(∃i·f(i)=a∧(∀j·f(j)=a⇒i≤j))", false},
		{"s≠(∅⦂ℙ(S))∧h∈s→ℕ⇒(∃x·x∈s∧(∀y·y∈s⇒h(x)≤h(y)))", true},
		{"s≠(∅⦂ℙ(S))∧h∈s→ℕ⇒(∃x·x∈s∧(∀y·y∈s⇒h(y)≤h(x)))", false},
		{"h∈S→ℕ∧(∀x,y·x↦y∈g⇒h(x)<h(y))⇒(∀s·s≠(∅⦂ℙ(S))⇒(∃x·x∈s∧(∀y·y∈s⇒y↦x∉g)))", true},
		{"h∈S→ℤ∧(∀x,y·x↦y∈g⇒h(x)<h(y))⇒(∀s·s≠(∅⦂ℙ(S))⇒(∃x·x∈s∧(∀y·y∈s⇒y↦x∉g)))", false},
		{"f∈1‥n→v∧e∈1‥n→v∧f≠e⇒(∃i·i∈1‥n∧f(i)≠e(i)∧(∀j·j∈1‥i−1⇒f(j)=e(j)))", true},
		// Sets that are no larger than others, by their form.
		{"finite(s)∧finite(v)⇒finite(s→v)", true},
		{"finite(s)⇒finite({y,b·y∈s∧b∈v∣y↦b})", false},
		{"finite(s)∧finite(v)⇒finite({y,b·y∈s∧b∈v∣y↦b})", true},
		{"finite({i·m≤i∧i<n∣i})", true},
		{"finite({i·m≤i∣i})", false},
		{"w⊆ℕ∧(∀k·k∈w⇒k≤n)⇒finite(w)", true},
		{"w⊆ℕ∧(∀k·k∈w⇒n≤k)⇒finite(w)", false},
		{"finite(v)∧r∈s↣v⇒finite(s)∧card(s)≤card(v)", true},
		{"finite(v)∧r∈s→v⇒finite(s)", false},
		// Counting by functions.
		{"finite(s)∧r∈s↣v∧t⊆s⇒card(r[t])=card(t)", true},
		{"finite(s)∧r∈s→v∧t⊆s⇒card(r[t])=card(t)", false},
		{"finite(s)∧finite(v)∧r∈s→v∧card(v)<card(s)⇒(∃y,z·y∈s∧z∈s∧y≠z∧r(y)=r(z))", true},
		{"f∈1‥n⤖v∧n≥0⇒card(v)=n", true},
		{"finite(w)⇒card({i·i∈w∣i+n})=card(w)", true},
		{"finite(w)⇒card({i·i∈w∣i∗n})=card(w)", false},
		{"finite(r)∧r∈s⇸v∧x∈dom(r)⇒card({x}⩤r)=card(r)−1∧card(r\ue103{x↦a})=card(r)", true},
		// Functions by their form.
		{"∀k·k≥m⇒(λi·i≥m∣i+n)(k)=k+n", true},
		{"finite(s◁(id⦂ℙ(S×S)))⇔finite(s)", true},
		{"finite(s)⇒card(s◁(id⦂ℙ(S×S)))=card(s)", true},
		{"finite(s)⇒card(s×v)=card(s)", false},
		// Composition.
		{"p∈s→v∧q∈v→U⇒p;q∈s→U", true},
		{"p∈s⤖v∧q∈v⤖U⇒p;q∈s⤖U", true},
		{"p∈s→v∧q∈v⇸U⇒p;q∈s→U", false},
		// Counting.
		{"finite(s)∧finite(t)∧finite(u)⇒card(s∪t∪u)≤card(s)+card(t)+card(u)", true},
		{"finite(s)∧s≠(∅⦂ℙ(S))⇒2≤card(ℙ(s))", true},
		{"finite(s)⇒card(ℙ(s))=2^card(s)", true},
		{"finite(s×v)⇒finite(s)", false},
		{"finite(s×v)∧v≠(∅⦂ℙ(T))⇒finite(s)", true},
		{"finite(s)∧finite(t)⇒card(s∪t)=card(s)+card(t)", false},
	} {
		s, err := check.ReadSequent(types, nil, nil, c.goal)
		if err != nil {
			t.Errorf("%s: %v", c.goal, err)
			continue
		}
		steps := int64(0)
		if !c.theorem {
			steps = 1_000_000
		}
		r := prover.Prove(s, prover.Options{Steps: steps})
		if r.Uncertified > 0 || (r.Verdict == prover.Proved) != c.theorem || r.Verdict == prover.Vacuous {
			t.Errorf("%s: %v after %d steps, %d refused", c.goal, r.Verdict, r.Steps, r.Uncertified)
		}
	}
}

// TestLargeNumbers: multipliers beyond 64 bits are what they are, and the kernel takes them.
func TestLargeNumbers(t *testing.T) {
	for _, n := range []string{"4294967296", "9223372036854775808", "18446744073709551616", "18446744073709551617"} {
		s, err := check.ReadSequent(map[string]string{"a": "ℤ", "b": "ℤ"}, []string{"a∈0 ‥ 2", "b∈1 ‥ 3"}, nil, "(a÷b∗b)∗"+n+"≤a")
		if err != nil {
			t.Fatal(err)
		}
		if r := prover.Prove(s, prover.Options{Steps: 400_000}); r.Uncertified > 0 || r.Verdict != prover.Open {
			t.Errorf("%s: %v, %d refused: %v", n, r.Verdict, r.Uncertified, r.Refusal)
		}
	}
}
