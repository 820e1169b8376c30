package prover

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
)

// TestCalculated proves goals by what definitions say of their terms, one term after the other, and not if there is nothing to
// calculate or the value is another.
func TestCalculated(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "T": "ℙ(T)", "a": "S", "b": "S", "c": "S", "f": "ℙ(S×ℤ×ℙ(ℤ×ℤ))", "g": "ℙ(ℤ×ℙ(ℤ×ℤ))", "l": "ℙ(S×ℤ)", "h": "ℙ(ℤ×T)"}
	hyps := []string{
		"partition(S,{a},{b},{c})",
		"g=(λn·n∈1‥9∣(λm·m∈ℕ∣n+m))",
		"f=(λs↦n·s∈S∧n∈1‥9∣{a↦g(n),b↦ℕ×{7},c↦ℕ×{8}}(s))",
		"l={a↦1,b↦4,c↦1}",
		"h∈ran(l)⤖T",
	}
	for _, c := range []struct {
		goal string
		want bool
	}{
		{"f(a↦3)(4)=7", true},
		{"f(b↦3)(4)=7", true},
		{"f(c↦3)(4)=7", false},
		{"card(T)=2", true},
		{"card(T)=3", false},
		{"1≤9", false},
	} {
		s, err := check.ReadSequent(types, hyps, []int{4}, c.goal)
		if err != nil {
			t.Fatalf("%s: %v", c.goal, err)
		}
		r := begin(s)
		if c.goal == "1≤9" {
			r.Sequent.Selected = nil
		}
		if got := r.calculated(strategy{name: "calculated", by: calculating, parts: stepped}, Options{}, 400_000); got != c.want || r.Uncertified > 0 || (r.Verdict == Proved) != c.want {
			t.Errorf("%s: %v, %v after %d steps: %v", c.goal, got, r.Verdict, r.Steps, r.Refusal)
		}
	}
}
