package prover

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/derive"
)

// digits declares d(b↦n), the digits of n in base b from left to right as a list that grows, and their sum.
var (
	digitTypes = map[string]string{"L": "ℙ(L)", "nil": "L", "one": "ℙ(ℤ×L)", "add": "ℙ(L×ℤ×L)", "d": "ℙ(ℤ×ℤ×L)", "v": "ℙ(ℤ×L×ℤ)", "g": "ℙ(ℤ×ℤ)"}
	digitHyps  = []string{
		"one∈ℕ→L", "add∈L×ℕ→L", "d∈{x∣x≥2}×ℕ→L", "v∈{x∣x≥2}×L→ℕ",
		"∀b·b≥2⇒d(b↦0)=nil",
		"∀b,n·b≥2∧n∈1‥b−1⇒d(b↦n)=one(n)",
		"∀b,n·b≥2∧n≥b⇒d(b↦n)=add(d(b↦n÷b)↦n mod b)",
		"∀b·b≥2⇒v(b↦nil)=0",
		"∀b,n·b≥2∧n>0⇒v(b↦one(n))=n",
		"∀b,l,n·b≥2∧n≥0⇒v(b↦add(l↦n))=b∗v(b↦l)+n",
		"g∈ℤ→ℤ",
		"∀n·n<0⇒g(n)=−n",
		"∀n·n∈0‥9⇒g(n)=7",
		"∀n·n≥10⇒g(n)=n",
	}
)

// TestCasewise proves goals in the cases of what they ask for, also by complete induction, and not where one case fails.
func TestCasewise(t *testing.T) {
	for _, c := range []struct {
		goal string
		by   scheme
		want bool
	}{
		{"∀n·g(n)≥0", casewise, true},
		{"∀n·g(n)>0", casewise, true},
		{"∀n·g(n)≥7", casewise, false}, // g(−1)
		{"∀n,b·b≥2∧n≥1∧d(b↦n−1)≠one(0)⇒v(b↦d(b↦n−1))≥0", casewise, true},
		{"∀n,b·b≥2∧n≥0⇒v(b↦d(b↦n))=n", digitwise, true},
		{"∀n,b·b≥2∧n≥0⇒v(b↦d(b↦n))=n+1", digitwise, false},
		{"∀n·n≥0⇒g(0)=7", digitwise, false}, // no quotients
		{"1≤2", casewise, false},
	} {
		s, err := check.ReadSequent(digitTypes, digitHyps, nil, c.goal)
		if err != nil {
			t.Fatalf("%s: %v", c.goal, err)
		}
		r := begin(s)
		strategy := strategy{name: "cases", by: c.by, parts: valued}
		got := r.byParts(c.by)(strategy, Options{Steps: 4_000_000}, 2_000_000)
		if got != c.want || r.Uncertified > 0 || (r.Verdict == Proved) != c.want {
			t.Errorf("%s: %v, %v after %d steps: %v", c.goal, got, r.Verdict, r.Steps, r.Refusal)
		}
	}
}

// TestCasesOfOtherTypes looks for cases of non-numbers next to an equation of a number: the search goes on.
func TestCasesOfOtherTypes(t *testing.T) {
	s, err := check.ReadSequent(map[string]string{"f": "ℙ(S×BOOL)", "a": "S", "i": "ℤ"}, []string{"∀x·x∈S⇒1=i"}, nil, "f(a)=TRUE")
	if err != nil {
		t.Fatal(err)
	}
	if r := Prove(s, Options{}); r.Verdict != Open || r.Uncertified > 0 {
		t.Errorf("%v: %v", r.Verdict, r.Refusal)
	}
}

// TestDefinition finds the cases of a term, without those that plainly do not hold, and with no condition where it plainly holds.
func TestDefinition(t *testing.T) {
	for _, c := range []struct {
		goal       string
		conditions int // −1 if one is not needed
	}{
		{"∀n·n≥0⇒g(n)=0", 3},
		{"∀n·n≥10⇒g(n)=0", -1},
		{"∀n·n≥0⇒d(2↦n+1)=nil", 2}, // not 0
		{"∀n·n≥0⇒v(2↦nil)=0", -1},
		{"∀n·n≥0⇒add(nil↦n)=nil", 0},
	} {
		s, err := check.ReadSequent(digitTypes, digitHyps, nil, c.goal)
		if err != nil {
			t.Fatalf("%s: %v", c.goal, err)
		}
		n := derive.New(s, make([]string, len(s.Hyps))).Root.Intro()
		found := newEquations(n).of(n.Bank().Arg(n.Goal, 0))
		if c.conditions < 0 {
			if len(found) == 0 || found[len(found)-1].condition != 0 {
				t.Errorf("%s: %v", c.goal, found)
			}
			continue
		}
		count := 0
		for _, f := range found {
			if f.condition != 0 {
				count++
			}
		}
		if count != c.conditions {
			t.Errorf("%s: %d conditions, want %d", c.goal, count, c.conditions)
		}
	}
}

// TestAlike proves equations by what their sides do not have in common, and not where that differs.
func TestAlike(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "f": "ℙ(S×ℤ×S)", "s": "S", "a": "ℤ", "b": "ℤ", "c": "ℤ", "x": "ℤ"}
	hyps := []string{"a mod 3=1", "a≥0", "b=a−1", "c=b÷3"}
	for _, c := range []struct {
		goal string
		want bool
	}{
		{"f(s↦a−1)=f(s↦b)", true},
		{"f(s↦a÷3)=f(s↦c+1)", false},
		{"f(f(s↦a mod 3)↦1)=f(f(s↦1)↦b mod 3+1)", true},
		{"c∗(3∗x)+x=a∗x", true},
		{"x∗c∗3−(−x)∗1=x∗a+x", false},
		{"x=x∗c", false}, // another goal is no factor of it
		{"s=f(s↦1)", false},
	} {
		s, err := check.ReadSequent(types, hyps, []int{0, 1, 2, 3}, c.goal)
		if err != nil {
			t.Fatalf("%s: %v", c.goal, err)
		}
		r := begin(s)
		got := r.alike(strategy{name: "alike", by: partwise, parts: settled}, Options{Steps: 1_000_000}, 1_000_000)
		if got != c.want || r.Uncertified > 0 {
			t.Errorf("%s: %v, %v after %d steps: %v", c.goal, got, r.Verdict, r.Steps, r.Refusal)
		}
	}
}

// TestRenamed proves what a hypothesis says of a set that the goal comprehends otherwise, and not of another set.
func TestRenamed(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "h": "ℙ(ℙ(ℤ×S)×ℤ)", "f": "ℙ(ℤ×S)", "n": "ℤ"}
	hyps := []string{"f∈1‥n→S", "∀g,m·g∈1‥m→S⇒h({j·j∈2‥m∣j−1↦g(j)})=m−1"}
	for _, c := range []struct {
		goal string
		want bool
	}{
		{"h({j,x·j∈2‥n∧j↦x∈f∣j−1↦x})=n−1", true},
		{"h({j,x·j∈1‥n∧j↦x∈f∣j−1↦x})=n−1", false},
	} {
		s, err := check.ReadSequent(types, hyps, nil, c.goal)
		if err != nil {
			t.Fatalf("%s: %v", c.goal, err)
		}
		r := begin(s)
		got := r.alike(strategy{name: "alike", by: partwise}, Options{Steps: 1_000_000}, 400_000)
		if got != c.want || r.Uncertified > 0 {
			t.Errorf("%s: %v, %v after %d steps: %v", c.goal, got, r.Verdict, r.Steps, r.Refusal)
		}
	}
}

// TestEnumerated lists what a comprehension over a listed set has, and leaves others as they are.
func TestEnumerated(t *testing.T) {
	types := map[string]string{"a": "ℤ", "b": "ℤ", "s": "ℙ(ℤ×ℤ)"}
	for given, want := range map[string]string{
		"s={x,y·x↦y∈{1↦a,b↦2}∣y↦x+a}": "s={a↦1+a,2↦b+a}",
		"s={x·x↦a∈{1↦a}∣x↦x}":         "s={1↦1}",
		"s={x,y·x+y∈{1}∣x↦y}":         "s={x,y·x+y∈{1}∣x↦y}",
		"s={x,y·x∈{1}∣x↦y}":           "s={x,y·x∈{1}∣x↦y}",
	} {
		s, err := check.ReadSequent(types, []string{want}, nil, given)
		if err != nil {
			t.Fatalf("%s: %v", given, err)
		}
		s = s.Bare()
		if got := enumerated(s.Bank, s.Goal); got != s.Hyps[0] {
			t.Errorf("%s is not listed as %s", given, want)
		}
	}
}

// TestFactored takes factors out of both sides of an equation.
func TestFactored(t *testing.T) {
	types := map[string]string{"a": "ℤ", "b": "ℤ", "x": "ℤ"}
	for goal, want := range map[string]bool{"a∗x+x=b∗(x∗2)−x": true, "a∗x+b=x": false, "a+3=b": false, "3=3∗a": false} {
		s, err := check.ReadSequent(types, nil, nil, goal)
		if err != nil {
			t.Fatal(err)
		}
		b := s.Bank
		f := factored(b, b.Arg(s.Goal, 0), b.Arg(s.Goal, 1))
		if (f.factor != 0) != want {
			t.Errorf("%s: %v", goal, f.factor != 0)
		} else if want && (b.Op(f.factor) != logic.Free || b.Name(f.factor) != "x") {
			t.Errorf("%s: another factor", goal)
		}
	}
}

// TestRewriteEnds follows equations that lead from one term to another and back: the term that they began with does not come again.
func TestRewriteEnds(t *testing.T) {
	types := map[string]string{"g": "ℙ(ℤ×ℤ)", "h": "ℙ(ℤ×ℤ×ℤ)", "a": "ℤ", "b": "ℤ"}
	for _, c := range []struct {
		back, last string // what h is, and the last goal
	}{
		{"∀i,n·i≥0∧n≥0⇒h(i↦n)=i+g(n)", "h(0 ↦ a)=b"},
		{"∀i,n·i≥0∧n≥0⇒h(i↦n)=i+n", "0+a=b"},
	} {
		s, err := check.ReadSequent(types, []string{"a∈ℕ", "∀n·n≥0⇒g(n)=h(0↦n)", c.back}, nil, "g(a)=b")
		if err != nil {
			t.Fatal(err)
		}
		r := begin(s)
		n := r.plan(Options{}).Root
		rewrite(n)
		last := ""
		var walk func(n *derive.Node)
		walk = func(n *derive.Node) {
			if b := n.Bank(); b.Op(n.Goal) == logic.Eq && b.Arg(n.Goal, 1) == b.Free("b", logic.IntType) {
				last = text.Term(b, n.Goal)
			}
			if len(n.Parts) > 0 {
				walk(n.Parts[len(n.Parts)-1])
				walk(n.Parts[0])
			}
		}
		walk(n)
		if last != c.last {
			t.Errorf("%s: %s, want %s", c.back, last, c.last)
		}
	}
}
