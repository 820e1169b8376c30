package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// Assign implements sat.Theory.
func (e *engine) Assign(literal sat.Lit) {
	variable := literal.Var()
	node := e.nodes[variable]
	truth := e.g.True
	if literal.IsNeg() {
		truth = e.g.False
	}
	if node != truth {
		e.g.Merge(node, truth, euf.Reason(literal))
	}
	if term := e.atoms[variable]; e.b.Op(term) == logic.Eq && !literal.IsNeg() {
		a := e.g.Args(node)
		e.g.Merge(a[0], a[1], euf.Reason(literal))
	} else if e.b.Op(term) == logic.In || e.b.Op(term) == logic.Finite {
		e.members.assign(literal)
	}
	e.ar.assign(literal)
	e.unfolding.postpone(literal)
	e.frontier.assign(literal)
}

// Propagate implements sat.Theory.
func (e *engine) Propagate() sat.ID {
	if !e.g.Propagate() {
		return e.reason(e.entailment(e.g.Conflict(), sat.NoLit))
	}
	implied := false
	for _, ev := range e.g.Events {
		literal := sat.Pos(e.vars[e.g.Term(ev.Node)] - 1)
		if !ev.True {
			literal = literal.Not()
		}
		if e.sat.Value(literal) == 0 {
			e.ar.by[literal.Var()] = false
			e.sat.Imply(literal)
			implied = true
		}
	}
	e.g.Events = e.g.Events[:0]
	if implied {
		return sat.NoID
	}
	// Equalities first: as atoms they reach the simplex by congruence, like any other literal.
	if e.ar.equate() {
		return e.Propagate()
	}
	return e.ar.propagate()
}

// entailment returns the clause that the reasons imply l (or ⊥, for NoLit), and
// its step.
func (e *engine) entailment(reasons []euf.Reason, l sat.Lit) ([]sat.Lit, kernel.Step) {
	var lits []sat.Lit
	if l != sat.NoLit {
		lits = append(lits, l)
	}
	for _, r := range reasons {
		lits = append(lits, sat.Lit(r).Not())
	}
	return lits, kernel.Step{Kind: kernel.Euf, Clause: e.kernelClause(lits)}
}

// Explain implements sat.Theory.
func (e *engine) Explain(l sat.Lit) sat.ID {
	if e.ar.by[l.Var()] {
		return e.ar.explain(l)
	}
	truth := e.g.True
	if l.IsNeg() {
		truth = e.g.False
	}
	return e.reason(e.entailment(e.g.Explain(e.nodes[l.Var()], truth), l))
}

// Push implements sat.Theory.
func (e *engine) Push() {
	e.g.Push()
	e.ar.push()
	e.frontier.push()
}

// Pop implements sat.Theory.
func (e *engine) Pop(n int) {
	e.g.Pop(n)
	e.ar.pop(n)
	e.frontier.pop(n)
}

// Next implements sat.Theory.
func (e *engine) Next() (sat.Step, sat.Lit) {
	step, l := e.next()
	if step == sat.Decide && e.g.Pending() {
		return sat.Continue, sat.NoLit
	}
	return step, l
}

func (e *engine) next() (sat.Step, sat.Lit) {
	if e.spent() {
		return sat.GiveUp, sat.NoLit
	}
	if e.terms.nest() || e.unfolding.unfoldPending() || e.members.settle() || e.terms.settle() || e.unfolding.unfoldStructured() {
		return sat.Continue, sat.NoLit
	}
	if literal := e.frontier.decision(); literal != sat.NoLit {
		return sat.Decide, literal
	}
	return e.resorts.final()
}
