package formula

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/meaning"
)

// Compiled are the operators that make sets and that the compiler has code for, in addition to
// the arrows. All others mean what their membership axioms say.
var Compiled = []logic.Op{
	logic.Free, logic.Bound, logic.Given, logic.Integer, logic.Natural, logic.Natural1, logic.Bool, logic.Empty,
	logic.Id, logic.Prj1, logic.Prj2, logic.Pred, logic.Succ, logic.Union, logic.Inter, logic.Diff, logic.CProd,
	logic.DProd, logic.PProd, logic.BComp, logic.FComp, logic.Ovr, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub,
	logic.Converse, logic.Image, logic.Apply, logic.UpTo, logic.Pow, logic.Pow1, logic.GUnion, logic.GInter, logic.Dom,
	logic.Ran, logic.SetExt, logic.Compr, logic.QUnion, logic.QInter,
}

// known returns set expression t, or a comprehension with the same elements if the
// compiler has no code for its operator.
func (c *Compiler) known(t logic.Term) logic.Term {
	op := c.Bank.Op(t)
	if _, arrow := op.Arrow(); arrow || slices.Contains(Compiled, op) {
		return t
	}
	u, ok := meaning.Comprehension(c.Bank, t)
	if !ok {
		c.failf("operator %s is not supported", op)
	}
	return u
}
