package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/form"
	"github.com/gradine/gradine/prover/internal/reuse"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// atom returns the variable of predicate t, which is canonical (kernel.LitOf).
func (e *engine) atom(term logic.Term) sat.Var {
	if int(term) < len(e.vars) && e.vars[term] != 0 {
		return e.vars[term] - 1
	}
	e.vars = reuse.Reach(e.vars, int(term))
	variable := e.sat.NewVar()
	e.vars[term] = variable + 1
	n := e.node(term)
	e.atoms = append(e.atoms, term)
	e.nodes = append(e.nodes, n)
	// A connective is as far away as what brought it in, an atom as far as its furthest term.
	gen := max(e.ctx, 0)
	if !form.IsConnective(e.b.Op(term)) {
		gen = 0
		for _, a := range e.g.Args(n) {
			gen = max(gen, e.terms.gen[a])
		}
	}
	e.gens = append(e.gens, gen)
	e.unfolding.done = append(e.unfolding.done, false, false)
	e.frontier.isSplit = append(e.frontier.isSplit, false)
	e.frontier.guards = reuse.Extend(reuse.Extend(e.frontier.guards))
	e.g.Watch(n)
	e.ar.register(variable, term)
	if e.b.Op(term) == logic.In {
		e.members.typed(n)
	}
	return variable
}

// node returns the node of t and gives new nodes the generation after the present one.
func (e *engine) node(t logic.Term) euf.Node {
	n := e.g.Node(t)
	for len(e.terms.gen) < e.g.Len() {
		e.terms.noteFlat(euf.Node(len(e.terms.gen)))
		e.terms.gen = append(e.terms.gen, e.ctx+1)
		e.terms.relevant = append(e.terms.relevant, false)
		e.members.wanted = append(e.members.wanted, false)
		e.terms.uses, e.instances.byElement = reuse.Extend(e.terms.uses), reuse.Extend(e.instances.byElement)
	}
	return n
}

// lit returns the literal of a canonical kernel literal.
func (e *engine) lit(l kernel.Lit) sat.Lit {
	v := e.atom(l.Atom())
	if l.Negated() {
		return sat.Neg(v)
	}
	return sat.Pos(v)
}

func (e *engine) litOf(t logic.Term) sat.Lit { return e.lit(kernel.LitOf(e.b, t)) }

// kernelLit is the inverse of lit.
func (e *engine) kernelLit(l sat.Lit) kernel.Lit {
	t := e.atoms[l.Var()]
	if l.IsNeg() {
		return kernel.Neg(t)
	}
	return kernel.Pos(t)
}

func (e *engine) kernelClause(lits []sat.Lit) kernel.Clause {
	c := make(kernel.Clause, len(lits))
	for i, l := range lits {
		c[i] = e.kernelLit(l)
	}
	return c
}

// member returns the variable of x∈s.
func (e *engine) member(x, s logic.Term) sat.Var { return e.atom(e.b.App(logic.In, x, s)) }

// takesPairs reports whether the schema of op looks at the components of an
// element.
func (e *engine) takesPairs(s logic.Term) bool {
	switch e.b.Op(s) {
	case logic.CProd, logic.Converse, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub, logic.FComp, logic.BComp,
		logic.Ovr, logic.DProd, logic.PProd, logic.Id, logic.Prj1, logic.Prj2, logic.Succ, logic.Pred:
		return true
	case logic.Compr:
		return e.b.Op(e.b.Arg(s, 1)) == logic.Maplet
	}
	return false
}
