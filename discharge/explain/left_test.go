package explain_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic/text"
)

// TestParts: a goal falls into the conjuncts that a reader sees, under the
// premises and with the names that the author wrote.
func TestParts(t *testing.T) {
	var reader check.Reader
	s, err := reader.Sequent(map[string]string{"x": "ℤ", "y": "ℤ", "b": "BOOL"}, []string{"x ∈ ℕ", "b = TRUE ∨ x > 3"}, nil,
		"x ≥ 0 ∧ (∀y·y ∈ ℕ ⇒ x + y ≥ 0 ∧ (∃z·z ∈ ℕ ∧ (y = 2∗z ∨ y = 2∗z+1))) ∧ (b = TRUE ⇔ b ≠ FALSE) ∧ y > 1")
	if err != nil {
		t.Fatal(err)
	}
	s.Bank.Freeze()
	var got []string
	for _, p := range explain.Parts(s, 400_000, func() bool { return false }) {
		line := text.Options{Untyped: true, Spaced: true}.Term(p.Bank, p.Goal)
		if p.Proved {
			line += ": proved"
		}
		got = append(got, line)
	}
	want := []string{"x ≥ 0: proved", "x + y1 ≥ 0: proved", "∃z·z ∈ ℕ ∧ (y1 = 2 ∗ z ∨ y1 = 2 ∗ z + 1)", "b ≠ FALSE: proved", "b = TRUE: proved", "y > 1"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, p := range explain.Parts(s, 400_000, func() bool { return true }) {
		if p.Proved {
			t.Error("proved after the end")
		}
	}
}
