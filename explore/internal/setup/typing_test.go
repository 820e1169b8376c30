package setup

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
)

// What the form of a function decides is decided rightly: what is left is true in the same cases.
func TestByForm(t *testing.T) {
	for _, c := range []struct {
		typing string
		ok     bool
		left   int
	}{
		{"(λn·n∈ℕ∣n+1)∈ℕ→ℕ", true, 0},
		{"(λn·n∈ℕ∣n+1)∈ℕ→ℕ1", true, 0},
		{"(λn·n∈ℕ∣n∗n)∈ℕ⇸ℕ", true, 0},
		{"(λn·n∈ℕ∣n∗n)∈ℕ→ℕ1", false, 0},
		{"(λn·n∈ℕ∣n−1)∈ℕ→ℕ", false, 0},
		{"(λn·n∈ℤ∣n+1)∈ℤ→ℕ", false, 0},
		{"(λn·n∈ℤ∣n+1)∈ℤ→ℤ", true, 0},
		{"(λn·n∈ℕ1∣n)∈ℕ→ℕ", false, 0},
		{"(λn·n∈ℕ∣n)∈ℕ⤖ℕ", true, 0},
		{"(λn·n∈ℕ∣n+1)∈ℕ⤖ℕ", false, 0},
		{"(λn·n∈ℕ∣0)∈ℕ↣ℕ", false, 0},
		{"(λn·n∈ℕ∣−1)∈ℕ→ℕ", true, 1},
		{"(λn·n∈ℕ∧n>3∣0)∈ℕ→ℕ", false, 0},
		{"((λn·n∈ℕ∣0)\ue103{3↦1})∈ℕ→ℕ", true, 3},
		{"((λn·n∈ℕ∣0)\ue103{3↦1,3↦2})∈ℕ→ℕ", false, 0},
		{"(λs·s∈ℙ(ℕ)∣2)∈ℙ(ℕ)→ℕ", true, 1},
		{"(λs·s∈{1,2,3}→ℕ∣2)∈(1‥3→ℕ)→ℕ", true, 1},
		{"(λs·s∈{1,3}→ℕ∣2)∈(1‥3→ℕ)→ℕ", false, 0},
		{"(λs·s∈1‥3→1‥0∣2)∈(1‥3→1‥0)→ℕ", false, 0},
	} {
		s, err := check.ReadSequent(nil, nil, nil, c.typing)
		if err != nil {
			t.Fatal(c.typing, err)
		}
		left, ok := byForm(s.Bank, s.Goal)
		if ok != c.ok || ok && len(left) != c.left {
			t.Errorf("%s: %t, %d left", c.typing, ok, len(left))
		}
	}
}
