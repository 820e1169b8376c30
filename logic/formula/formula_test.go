package formula_test

import (
	"slices"
	"testing"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
)

// TestTakenApart takes apart what is nested on both sides.
func TestTakenApart(t *testing.T) {
	b := logic.NewBank()
	p := func(name string) logic.Term {
		return b.App(logic.Eq, b.Free(name, b.Type(b.Int64(0))), b.Int64(0))
	}
	and := func(ps ...logic.Term) logic.Term { return b.App(logic.And, ps...) }
	x, y, z, q := p("x"), p("y"), p("z"), p("q")
	or := b.App(logic.Or, x, and(y, z))
	for _, c := range []struct {
		of   logic.Term
		want []logic.Term
	}{
		{x, []logic.Term{x}},
		{and(x, y, z), []logic.Term{x, y, z}},
		{and(and(x, y), and(z, or)), []logic.Term{x, y, z, or}},
		{or, []logic.Term{or}},
	} {
		if got := formula.Conjuncts(b, c.of); !slices.Equal(got, c.want) {
			t.Errorf("conjuncts %v, want %v", got, c.want)
		}
	}
	premises, conclusion := formula.Implications(b, b.App(logic.Implies, and(x, y), b.App(logic.Implies, z, q)))
	if !slices.Equal(premises, []logic.Term{x, y, z}) || conclusion != q {
		t.Errorf("premises %v, conclusion %v", premises, conclusion)
	}
	if premises, conclusion := formula.Implications(b, q); premises != nil || conclusion != q {
		t.Errorf("premises %v, conclusion %v of what is no implication", premises, conclusion)
	}
}
