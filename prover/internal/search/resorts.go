package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// lastResorts are what to try, in this order, when nothing is left to propagate, unfold,
// match or decide. Each reports whether it added anything. What repairs the present assignment
// comes first, then case distinctions, then what brings in new terms, the surest first.
var lastResorts = []struct {
	name string
	try  func(rs *resorts) bool
}{
	{"unfold recursive functions", (*resorts).precede},
	{"equate parts of relations", (*resorts).equateParts},
	{"nonlinear arithmetic", func(rs *resorts) bool { return rs.ar.nonlinear() }},
	{"match modulo equality", func(rs *resorts) bool { return rs.instances.matchEverything() }},
	{"choose", func(rs *resorts) bool { return rs.unfolding.chooseAgain() }},
	{"compare counts", func(rs *resorts) bool { return rs.instances.compare() }},
	{"split truth values", (*resorts).splitBooleans},
	{"split carrier sets", (*resorts).splitCarriers},
	{"solve", (*resorts).solveQuantifiers},
	{"raise the generation limit", (*resorts).raise},
	{"more nonlinear arithmetic", func(rs *resorts) bool { return rs.ar.insist() }},
	{"equate arguments", (*resorts).equateArguments},
	{"neighbours of bounds", (*resorts).tryBounds},
	{"instances of D", func(rs *resorts) bool { return rs.instances.release() }},
	{"match patterns without a request", func(rs *resorts) bool { return rs.instances.matchLate() }},
	{"enumerate", (*resorts).enumerate},
	{"cut and branch on", func(rs *resorts) bool { return rs.ar.resume() }},
}

// final makes the last decisions, then runs the first resort that has something to offer.
func (rs *resorts) final() (sat.Step, sat.Lit) {
	if literal := rs.frontier.lastDecision(); literal != sat.NoLit {
		return sat.Decide, literal
	}
	if step, literal := rs.ar.final(); step != sat.Accept {
		return step, literal
	}
	for _, r := range lastResorts {
		clauses, atoms := rs.sat.Clauses(), len(rs.atoms)
		if r.try(rs) || rs.sat.Clauses() > clauses || len(rs.atoms) > atoms {
			rs.ar.splits = 0
			return sat.Continue, sat.NoLit
		}
	}
	rs.stage = saturated
	return sat.GiveUp, sat.NoLit
}

// raise lets the next generation in.
func (rs *resorts) raise() bool {
	for int(rs.limit) < rs.opts.Gens {
		rs.limit++
		waiting := rs.unfolding.waits(rs.limit)
		if rs.instances.resume() || waiting {
			return true
		}
	}
	return false
}

// splitBooleans asks for the value of each relevant term of type BOOL.
func (rs *resorts) splitBooleans() bool {
	before := rs.sat.Clauses()
	for node := euf.Node(1); int(node) < len(rs.terms.relevant); node++ {
		term := rs.g.Term(node)
		key := askKey{askBool, term, 0}
		if !rs.terms.relevant[node] || rs.b.Type(term) != logic.BoolType || rs.g.Value(node) != 0 || rs.asked.has(key) {
			continue
		}
		rs.asked.add(key)
		cs, step, ok := rs.table.Of(kernel.Lookup("bool"), term)
		if !ok {
			continue
		}
		rs.ctx = rs.terms.gen[node]
		rs.frontier.await(rs.add(cs[0], step))
	}
	return rs.sat.Clauses() > before
}

// splitCarriers asks, for each set operation that equals a whole carrier set,
// that it be unfolded for the relevant elements of that set.
func (rs *resorts) splitCarriers() bool {
	before := rs.sat.Clauses()
	for n := euf.Node(1); int(n) < len(rs.terms.relevant); n++ {
		if rs.terms.relevant[n] && rs.terms.gen[n] <= rs.limit {
			rs.terms.splitCarrier(n)
		}
	}
	return rs.sat.Clauses() > before
}
