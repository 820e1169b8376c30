package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// Assign implements sat.Theory.
func (e *engine) Assign(l sat.Lit) {
	v := l.Var()
	n := e.nodes[v]
	truth := e.g.True
	if l.IsNeg() {
		truth = e.g.False
	}
	if n != truth {
		e.g.Merge(n, truth, euf.Reason(l))
	}
	if t := e.atoms[v]; e.b.Op(t) == logic.Eq && !l.IsNeg() {
		a := e.g.Args(n)
		e.g.Merge(a[0], a[1], euf.Reason(l))
	} else if e.b.Op(t) == logic.In || e.b.Op(t) == logic.Finite {
		e.recent = append(e.recent, l)
	}
	e.ar.assign(l)
	if !e.done[l] {
		e.postpone(l)
	}
	e.frontier = append(e.frontier, e.defs[l]...)
}

// postpone puts l among the literals to unfold.
func (e *engine) postpone(l sat.Lit) {
	g := int(e.gens[l.Var()])
	for len(e.pending) <= g {
		e.pending = append(e.pending, nil)
	}
	e.pending[g] = append(e.pending[g], l)
}

// Propagate implements sat.Theory.
func (e *engine) Propagate() sat.ID {
	if !e.g.Propagate() {
		return e.reason(e.entailment(e.g.Conflict(), sat.NoLit))
	}
	implied := false
	for _, ev := range e.g.Events {
		l := sat.Pos(e.vars[e.g.Term(ev.Node)] - 1)
		if !ev.True {
			l = l.Not()
		}
		if e.sat.Value(l) == 0 {
			e.ar.by[l.Var()] = false
			e.sat.Imply(l)
			implied = true
		}
	}
	e.g.Events = e.g.Events[:0]
	if implied {
		return sat.NoID
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
	e.marks = append(e.marks, frontMark{len(e.frontier), e.head})
}

// Pop implements sat.Theory.
func (e *engine) Pop(n int) {
	e.g.Pop(n)
	e.ar.pop(n)
	e.frontier = e.frontier[:e.marks[n].frontier]
	e.head = e.marks[n].head
	e.marks = e.marks[:n]
	out := e.late[:0]
	for _, x := range e.late {
		if x.level <= n {
			e.frontier = append(e.frontier, x.id)
			if x.level < n {
				out = append(out, x)
			}
		}
	}
	e.late = out
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
	if e.unfoldPending() || e.sets() || e.matchFresh() {
		return sat.Continue, sat.NoLit
	}
	if l := e.decision(); l != sat.NoLit {
		return sat.Decide, l
	}
	return e.final()
}

// decision returns a literal of the first guarded clause that nothing satisfies.
func (e *engine) decision() sat.Lit {
	for ; e.head < len(e.frontier); e.head++ {
		best := sat.NoLit
		var score float64
		satisfied := false
		for _, l := range e.sat.Lits(e.frontier[e.head]) {
			e.steps++
			switch e.sat.Value(l) {
			case 1:
				satisfied = true
			case 0:
				if a := e.sat.Activity(l.Var()) + e.cost(l); best == sat.NoLit || a > score {
					best, score = l, a
				}
			}
		}
		if !satisfied && best != sat.NoLit {
			return best
		}
	}
	return sat.NoLit
}

// cost orders the literals of a clause: the ones that are cheap to make true first.
func (e *engine) cost(l sat.Lit) float64 {
	switch e.b.Op(e.atoms[l.Var()]) {
	case logic.Forall, logic.Exists, logic.And, logic.Or, logic.Implies, logic.Iff:
		return 0
	}
	if l.IsNeg() {
		return 2e-3
	}
	return 1e-3
}

// unfoldPending adds the definitions of literals that became true, up to the
// generation limit, and reports whether there were any.
func (e *engine) unfoldPending() bool {
	before := e.sat.Clauses()
	for g := 0; g <= int(e.limit) && g < len(e.pending); g++ {
		todo := e.pending[g]
		e.pending[g] = nil
		for _, l := range todo {
			if e.sat.Value(l) <= 0 || e.done[l] {
				continue
			}
			e.done[l] = true
			e.ctx = e.gens[l.Var()]
			e.steps += 4
			e.unfold(l)
			e.touch(e.nodes[l.Var()])
		}
		if e.sat.Clauses() > before {
			return true
		}
	}
	return false
}

// touch makes n and its arguments relevant.
func (e *engine) touch(n euf.Node) {
	if e.relevant[n] {
		return
	}
	e.relevant[n] = true
	op := e.g.Op(n)
	e.byOp[op] = append(e.byOp[op], n)
	e.fresh = append(e.fresh, n)
	if args := e.g.Args(n); len(args) == 1 {
		e.uses[args[0]] = append(e.uses[args[0]], op)
	}
	for _, a := range e.g.Args(n) {
		e.touch(a)
		if e.b.Type(e.g.Term(a)) == logic.IntType && !arithmetical(op) {
			e.ar.use(a)
		}
	}
}

func arithmetical(op logic.Op) bool {
	switch op {
	case logic.Eq, logic.Le, logic.Plus, logic.Minus, logic.Neg, logic.Times:
		return true
	}
	return false
}
