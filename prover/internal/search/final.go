package search

import (
	"github.com/gradine/gradine/prover/internal/sat"
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
	{"match modulo equality", (*engine).matchEverything},
	{"raise the generation limit", (*engine).raise},
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
