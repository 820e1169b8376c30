package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// finalStage says how far the last resorts have got.
type finalStage uint8

const (
	working finalStage = iota
	saturated
)

// resort is something to try when nothing is left to propagate, unfold, match
// or decide. It reports whether it added anything.
type resort struct {
	name string
	try  func(e *engine) bool
}

var resorts = []resort{
	{"nonlinear arithmetic", func(e *engine) bool { return e.ar.nonlinear() }},
	{"match modulo equality", (*engine).matchEverything},
	{"choose", (*engine).chooseAgain},
	{"split truth values", (*engine).splitBooleans},
	{"split carrier sets", (*engine).splitCarriers},
	{"solve", (*engine).solveQuantifiers},
	{"raise the generation limit", (*engine).raise},
	{"equate arguments", (*engine).equateArguments},
	{"neighbours of bounds", (*engine).tryBounds},
	{"enumerate", (*engine).enumerate},
}

// final runs the first resort that has something to offer.
func (e *engine) final() (sat.Step, sat.Lit) {
	for len(e.splits) > 0 {
		v := e.splits[0]
		if e.sat.Value(sat.Pos(v)) == 0 {
			return sat.Decide, sat.Neg(v)
		}
		if !e.sat.Fixed(sat.Pos(v)) {
			break
		}
		e.splits = e.splits[1:]
	}
	for _, v := range e.splits {
		if e.sat.Value(sat.Pos(v)) == 0 {
			return sat.Decide, sat.Neg(v)
		}
	}
	if step, l := e.ar.final(); step != sat.Accept {
		return step, l
	}
	for _, r := range resorts {
		clauses, atoms := e.sat.Clauses(), len(e.atoms)
		if r.try(e) || e.sat.Clauses() > clauses || len(e.atoms) > atoms {
			return sat.Continue, sat.NoLit
		}
	}
	e.stage = saturated
	return sat.GiveUp, sat.NoLit
}

// matchEverything repeats all matches, for equalities that came after the terms.
func (e *engine) matchEverything() bool {
	before := e.made
	for i := 0; i < len(e.quants); i++ {
		for j := range e.quants[i].triggers {
			e.matchAll(e.quants[i], &e.quants[i].triggers[j])
		}
	}
	return e.made > before
}

// raise lets the next generation in.
func (e *engine) raise() bool {
	for int(e.limit) < e.opts.Gens {
		e.limit++
		waiting := int(e.limit) < len(e.pending) && len(e.pending[e.limit]) > 0
		todo := e.deferred
		e.deferred = nil
		before := e.made
		for _, d := range todo {
			if e.sat.Value(d.q.lit) > 0 {
				e.instantiate(d.q, d.vals, d.gen)
			}
		}
		if waiting || e.made > before {
			return true
		}
	}
	return false
}

// splitBooleans asks for the value of each relevant term of type BOOL.
func (e *engine) splitBooleans() bool {
	before := e.sat.Clauses()
	for n := euf.Node(1); int(n) < len(e.relevant); n++ {
		t := e.g.Term(n)
		key := askKey{askBool, t, 0}
		if !e.relevant[n] || e.b.Type(t) != logic.BoolType || e.g.Value(n) != 0 || e.asked[key] {
			continue
		}
		e.asked[key] = true
		cs, err := kernel.Lookup("bool").Clauses(e.b, t)
		if err != nil {
			continue
		}
		e.ctx = e.nodeGen[n]
		e.decideLater(e.add(cs[0], kernel.Step{Kind: kernel.Axiom, Name: "bool", Terms: []logic.Term{t}}))
	}
	return e.sat.Clauses() > before
}

// splitCarriers asks, for each set operation that equals a whole carrier set,
// that it be unfolded for the relevant elements of that set.
func (e *engine) splitCarriers() bool {
	before := e.sat.Clauses()
	for n := euf.Node(1); int(n) < len(e.relevant); n++ {
		if e.relevant[n] && e.nodeGen[n] <= e.limit {
			e.splitCarrier(n)
		}
	}
	return e.sat.Clauses() > before
}

// splitCarrier does that for element n.
func (e *engine) splitCarrier(n euf.Node) {
	t := e.g.Term(n)
	if e.b.TypeKind(e.b.Type(t)) != logic.KindGiven {
		return
	}
	set := e.g.Lookup(e.b.TypeExpr(e.b.Type(t)))
	if set == 0 {
		return
	}
	e.each(set, func(m euf.Node) {
		s := e.g.Term(m)
		if kernel.Membership(e.g.Op(m)) == nil || e.b.IsTypeExpr(s) || e.hasElement(n, m) {
			return
		}
		e.ctx = e.nodeGen[n]
		e.member(t, s)
		e.axiom(sat.NoLit, "type", t)
	})
}

// chooseAgain gives witnesses to existential statements whose known witness is
// gone.
func (e *engine) chooseAgain() bool {
	before := e.sat.Clauses()
	todo := e.unchosen
	e.unchosen = nil
	for _, l := range todo {
		if e.sat.Value(l) > 0 && !e.done[l] {
			e.done[l] = true
			e.ctx = e.gens[l.Var()]
			e.choose(l, e.atoms[l.Var()])
		} else if !e.done[l] {
			e.unchosen = append(e.unchosen, l)
		}
	}
	return e.sat.Clauses() > before
}
