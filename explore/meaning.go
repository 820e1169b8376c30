package explore

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/meaning"
)

// compiled are the operators that make sets and that the compiler has code for, besides
// the arrows. All others mean what their membership axioms say.
var compiled = []logic.Op{
	logic.Free, logic.Bound, logic.Given, logic.Integer, logic.Natural, logic.Natural1, logic.Bool, logic.Empty,
	logic.Id, logic.Prj1, logic.Prj2, logic.Pred, logic.Succ, logic.Union, logic.Inter, logic.Diff, logic.CProd,
	logic.DProd, logic.PProd, logic.BComp, logic.FComp, logic.Ovr, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub,
	logic.Converse, logic.Image, logic.Apply, logic.UpTo, logic.Pow, logic.Pow1, logic.GUnion, logic.GInter, logic.Dom,
	logic.Ran, logic.SetExt, logic.Compr, logic.QUnion, logic.QInter,
}

// known returns set expression t, or a comprehension with the same elements if the
// compiler has no code for its operator.
func (c *compiler) known(t logic.Term) logic.Term {
	op := c.b.Op(t)
	if _, arrow := op.Arrow(); arrow || slices.Contains(compiled, op) {
		return t
	}
	u, ok := meaning.Comprehension(c.b, t)
	if !ok {
		c.failf("operator %s is not supported", op)
	}
	return u
}
