package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
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
	case logic.Card, logic.Min, logic.Max:
		e.wantElements(e.g.Args(n)[0])
	case logic.Empty:
		e.axiom(sat.NoLit, "finite.empty", t)
		e.axiom(sat.NoLit, "card.empty", t)
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

// onFinite asks, of a relation that is said not to be finite, whether it is a
// function with finite domain.
func (e *engine) onFinite(l sat.Lit, r logic.Term) {
	s, t := e.b.RelPair(e.b.Type(r))
	lemma := "finite.function"
	key := askKey{askFinite, r, 0}
	if s == logic.NoType || !l.IsNeg() || e.asked[key] || e.opts.Only != nil && !e.opts.Only[lemma] {
		return
	}
	e.asked[key] = true
	th, err := kernel.FindLemma(lemma)
	if err != nil {
		return
	}
	args := []logic.Term{r, e.b.TypeExpr(s), e.b.TypeExpr(t)}
	cs, err := th.Clauses(e.b, args...)
	if err != nil {
		return
	}
	for i, c := range cs {
		e.decideLater(e.add(c, kernel.Step{Kind: kernel.Lemma, Name: lemma, Index: i, Terms: args}))
	}
}
