package prover

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
)

// TestAddends compares sums by what they do not have in common, whichever of it is strictly smaller, and not if something
// is larger.
func TestAddends(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "T": "ℙ(T)", "f": "ℙ(S×T)", "g": "ℙ(S×ℤ)", "s": "ℙ(S)", "u": "ℙ(T)", "x": "S", "y": "T", "m": "ℤ", "n": "ℤ"}
	hyps := []string{"finite(s)", "finite(u)", "f∈s⇸u", "x∈s∖dom(f)", "y∈u∖ran(f)", "m≤n", "g∈s→ℕ1"}
	const counts = "card(s∖dom(f))+m∗card(u)+card(u∖ran(f))+n"
	for _, c := range []struct {
		name, goal string
		want       bool
	}{
		{"the first", "card(s∖dom(f∪{x↦y}))+m∗card(u)+card(u∖ran(f))+n<" + counts, true},
		{"the second", "card(s∖dom(f))+m∗card(u)+card(u∖ran(f\ue103{x↦y}))+n<" + counts, true},
		{"one of both", "card(s∖dom(f∪{x↦y}))+m∗card(u)+card(u∖ran(f\ue103{x↦y}))+n<" + counts, true},
		{"not strictly", "card(s∖{x})+m∗card(u)+card(u∖ran(f))+m≤card(s)+m∗card(u)+card(u∖ran(f))+n", true},
		{"a number", "card(s∖dom(f∪{x↦y}))+m∗card(u)+m+1≤card(s∖dom(f))+m∗card(u)+n", true},
		{"a number more", "card(s∖{x})+m∗card(u)−1<card(s)+m∗card(u)", true},
		{"the other way round", counts + ">card(s∖dom(f∪{x↦y}))+m∗card(u)+card(u∖ran(f))+n", true},
		{"under ∀", "∀z·z∈s∖dom(f)⇒n+card(s∖dom(f∪{z↦y}))<n+card(s∖dom(f))", true},
		{"none", counts + "<" + counts, false},
		{"larger", "card(s∖dom(f∪{x↦y}))+m∗card(u)+card(u∪{y})+n<card(s∖dom(f))+m∗card(u)+card(u∖ran(f))+n", false},
		{"two numbers", "card(s∖dom(f∪{x↦y}))+m∗card(u)+m+2≤card(s∖dom(f))+m∗card(u)+n", false},
		{"no partner", "card(s∖dom(f∪{x↦y}))<card(s∖dom(f))+m", false},
	} {
		s, err := check.ReadSequent(types, hyps, nil, c.goal)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		r := Result{Sequent: s.Bare()}
		if got := r.addends(strategy{name: "addends", by: addendwise}, Options{}, 400_000); got != c.want || r.Uncertified > 0 || (r.Verdict == Proved) != c.want {
			t.Errorf("%s: %v, %v after %d steps: %v", c.name, got, r.Verdict, r.Steps, r.Refusal)
		}
	}
}
