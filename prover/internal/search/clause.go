package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// lits returns the literals of c without repetitions, and false if c is a tautology. They are
// good until the next call.
func (e *engine) lits(clause kernel.Clause) ([]sat.Lit, bool) {
	// A literal that is new may bring in clauses of its own: the list is on a stack.
	at := len(e.stack)
	for _, k := range clause {
		l := e.lit(k)
		if slices.Contains(e.stack[at:], l.Not()) {
			e.stack = e.stack[:at]
			return nil, false
		}
		if !slices.Contains(e.stack[at:], l) {
			e.stack = append(e.stack, l)
		}
	}
	out := e.stack[at:]
	e.stack = e.stack[:at]
	return out, true
}

// add adds clause c, which the last of the steps states.
func (e *engine) add(c kernel.Clause, steps ...kernel.Step) sat.ID {
	lits, ok := e.lits(c)
	if !ok {
		return sat.NoID
	}
	return e.addLits(lits, steps...)
}

func (e *engine) addLits(lits []sat.Lit, steps ...kernel.Step) sat.ID {
	id := e.sat.Add(lits...)
	e.record(id, steps)
	return id
}

// reason adds a clause that only explains a propagation or conflict.
func (e *engine) reason(lits []sat.Lit, steps ...kernel.Step) sat.ID {
	id := e.sat.AddReason(lits...)
	e.record(id, steps)
	return id
}

func (e *engine) record(id sat.ID, steps []kernel.Step) {
	for len(e.origin) <= int(id) {
		e.origin = append(e.origin, nil)
	}
	own := e.room.Take(len(steps))
	copy(own, steps)
	e.origin[id] = own
}

// guarded adds clause c, which matters when guard is true: then one of its
// other literals has to be made true.
func (e *engine) guarded(guard sat.Lit, c kernel.Clause, step kernel.Step) {
	lits, ok := e.lits(c)
	if !ok {
		return
	}
	id := e.addLits(lits, step)
	if len(lits) > 2 || len(lits) == 2 && !slices.Contains(lits, guard.Not()) {
		e.frontier.guard(guard, id)
	}
}

// axiom adds the clauses of an instance of the named schema; if a guard is given
// (not NoLit), only those that contain its complement.
func (e *engine) axiom(guard sat.Lit, name string, args ...logic.Term) bool {
	return e.schema(guard, kernel.Lookup(name), args...)
}

// schema adds the clauses of a schema for some arguments, under a guard if there is one.
func (e *engine) schema(guard sat.Lit, s *kernel.Schema, args ...logic.Term) bool {
	cs, step, ok := e.table.Of(s, args...)
	if !ok {
		return false
	}
	e.steps += int64(len(cs))
	for i, clause := range cs {
		step.Index = i
		switch {
		case guard == sat.NoLit:
			e.add(clause, step)
		case slices.Contains(clause, e.kernelLit(guard).Not()):
			e.guarded(guard, clause, step)
		}
	}
	return true
}

// lemma adds the clauses of an instance of a lemma of the library, and has their
// literals decided in the end.
func (e *engine) lemma(name string, args ...logic.Term) {
	l, err := kernel.FindLemma(name)
	if err != nil || e.opts.Only != nil && !e.opts.Only[name] {
		return
	}
	cs, step, _ := e.table.Of(&l.Schema, args...)
	for i, clause := range cs {
		step.Index = i
		e.frontier.await(e.add(clause, step))
	}
}

// pairOf returns x if it is a maplet, and otherwise prj1(x)↦prj2(x), after
// adding that they are equal.
func (e *engine) pairOf(term logic.Term) logic.Term {
	if e.b.Op(term) == logic.Maplet {
		return term
	}
	cs, step, ok := e.table.Of(kernel.Lookup("pair"), term)
	if !ok {
		panic("search: a pair was expected")
	}
	eq := cs[0][0].Atom()
	if key := (askKey{askPair, term, 0}); !e.asked.has(key) {
		e.asked.add(key)
		ctx := e.ctx
		e.ctx = e.terms.gen[e.node(term)] - 1
		e.add(cs[0], step)
		e.ctx = ctx
	}
	if predicate := e.b.Arg(eq, 0); e.b.Op(predicate) == logic.Maplet {
		return predicate
	}
	return e.b.Arg(eq, 1)
}

// connective adds the clauses by which l determines the parts of t.
func (e *engine) connective(l sat.Lit, t logic.Term) {
	not, terms := e.kernelLit(l).Not(), []logic.Term{t}
	for i, c := range e.table.Parts(t) {
		if slices.Contains(c, not) {
			e.guarded(l, c, kernel.Step{Kind: kernel.Prop, Index: i, Terms: terms})
		}
	}
}
