package form

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// TestPositive takes the negation out of the sign of an atom, and leaves all else alone.
func TestPositive(t *testing.T) {
	types := map[string]string{"S": "ℙ(S)", "A": "ℙ(S)", "B": "ℙ(S)", "a": "S"}
	for formula, want := range map[string]string{
		"a ∉ A": "a∈A", "A ≠ B": "A=B", "A ⊄ B": "A⊂B", "A ⊈ B": "A⊆B",
		"a ∈ A": "a∈A", "A = B": "A=B", "¬ a ∈ A": "¬a∈A",
	} {
		q, err := check.ReadSequent(types, nil, nil, formula)
		if err != nil {
			t.Fatal(err)
		}
		if got := text.Term(q.Bank, Positive(q.Bank, q.Goal)); got != want {
			t.Errorf("%s: %s, want %s", formula, got, want)
		}
	}
}

// TestComponent takes pairs apart: those that are written out, and others by projection.
func TestComponent(t *testing.T) {
	types := map[string]string{"a": "ℤ", "b": "BOOL", "p": "ℤ×BOOL"}
	for formula, want := range map[string][2]string{
		"a ↦ b = p": {"a", "b"},
		"p = a ↦ b": {"(prj1 ⦂ ℙ(ℤ×BOOL×ℤ))(p)", "(prj2 ⦂ ℙ(ℤ×BOOL×BOOL))(p)"},
	} {
		q, err := check.ReadSequent(types, nil, nil, formula)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			x := Component(q.Bank, q.Bank.Arg(q.Goal, 0), i)
			if got := text.Term(q.Bank, x); got != want[i] {
				t.Errorf("component %d of the left side of %s: %s, want %s", i, formula, got, want[i])
			}
		}
	}
}

// TestIsConnective tells the operators that a search takes apart from atoms.
func TestIsConnective(t *testing.T) {
	for op, want := range map[logic.Op]bool{
		logic.True: true, logic.False: true, logic.Not: true, logic.And: true, logic.Or: true, logic.Implies: true, logic.Iff: true, logic.Forall: true, logic.Exists: true,
		logic.In: false, logic.Eq: false, logic.Free: false, logic.Bool: false, logic.Compr: false, logic.Finite: false,
	} {
		if IsConnective(op) != want {
			t.Errorf("operator %d: %v", op, !want)
		}
	}
}
