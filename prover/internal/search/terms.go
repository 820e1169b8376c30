package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
)

// onTerm adds what is known of a term by its operator, once it is relevant.
func (e *engine) onTerm(n euf.Node) {
	t := e.g.Term(n)
	e.ctx = e.nodeGen[n]
	switch e.g.Op(n) {
	case logic.BoolOf:
		e.axiom(sat.NoLit, "bool.of", t)
		e.axiom(sat.NoLit, "bool", t)
	case logic.Apply:
		e.onApply(t)
	}
}

// onApply adds the meaning of f(x): by definition for the functions of the
// language, otherwise x↦f(x)∈f if x∈dom(f).
func (e *engine) onApply(t logic.Term) {
	f, x := e.b.Arg(t, 0), e.b.Arg(t, 1)
	switch e.b.Op(f) {
	case logic.Id:
		e.axiom(sat.NoLit, "apply.id", x)
	case logic.Succ:
		e.axiom(sat.NoLit, "apply.succ", x)
	case logic.Pred:
		e.axiom(sat.NoLit, "apply.pred", x)
	case logic.Prj1, logic.Prj2:
		if p := e.pairOf(x); p == x {
			name := "apply.prj1"
			if e.b.Op(f) == logic.Prj2 {
				name = "apply.prj2"
			}
			e.axiom(sat.NoLit, name, e.b.Arg(p, 0), e.b.Arg(p, 1))
		}
	default:
		e.axiom(sat.NoLit, "apply.dom", f, x)
	}
}
