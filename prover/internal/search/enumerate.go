package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
)

// Bounds of one round of enumeration: a round is to bring a few new instances of each quantifier,
// after which all that is cheaper has its turn again.
const (
	enumCandidates = 12 // values for a variable
	enumTuples     = 60 // tried for a quantifier
	enumInstances  = 12 // made for a quantifier
	enumRounds     = 12
)

// enumerate instantiates the active quantifiers with relevant terms of the right
// types, by increasing generation, where the present assignment does not
// already make the instance true.
func (rs *resorts) enumerate() bool {
	if !rs.opts.Enumerate || rs.rounds >= enumRounds {
		return false
	}
	rs.rounds++
	values := map[logic.Type][]euf.Node{}
	before := rs.instances.made
	for i := 0; i < len(rs.instances.quants); i++ {
		q := rs.instances.quants[i]
		if q.rule != nil || rs.sat.Value(q.lit) <= 0 {
			continue
		}
		made := 0
		rs.tuples(q, values, func(vals []logic.Term, gen int16) bool {
			if rs.instantiateIfUseful(q, vals, gen) {
				made++
			}
			return made < enumInstances
		})
	}
	return rs.instances.made > before
}

// instantiateIfUseful makes an instance unless it is true already.
func (rs *resorts) instantiateIfUseful(q *quant, vals []logic.Term, gen int16) bool {
	rs.steps += 5
	body := rs.b.Instantiate(rs.b.Arg(q.f, 0), vals)
	truth := rs.eval(body)
	if q.lit.IsNeg() {
		truth = -truth
	}
	return truth <= 0 && rs.instances.instantiate(q, vals, min(gen, rs.limit))
}

// tuples calls f for tuples of values for the variables of q, the sum of ranks
// increasing, until f reports false.
func (rs *resorts) tuples(q *quant, values map[logic.Type][]euf.Node, f func([]logic.Term, int16) bool) {
	k := len(q.decls)
	lists := make([][]euf.Node, k)
	for i, t := range q.decls {
		if _, ok := values[t]; !ok {
			values[t] = rs.valuesOf(t)
		}
		if lists[i] = values[t]; len(lists[i]) == 0 {
			return
		}
	}
	vals := make([]logic.Term, k)
	tried, more := 0, true
	var fill func(i, sum int, gen int16)
	fill = func(i, sum int, gen int16) {
		if i == k-1 {
			if sum >= len(lists[i]) {
				return
			}
			n := lists[i][sum]
			vals[i] = rs.g.Term(n)
			tried++
			more = f(slices.Clone(vals), max(gen, rs.terms.gen[n])) && tried < enumTuples
			return
		}
		// Ranks add up to sum, so that tuples of low ranks come first and no variable waits for another
		// to go through all its values.
		for j := 0; j <= sum && j < len(lists[i]) && more; j++ {
			n := lists[i][j]
			vals[i] = rs.g.Term(n)
			fill(i+1, sum-j, max(gen, rs.terms.gen[n]))
		}
	}
	for sum := 0; sum <= k*enumCandidates && more; sum++ {
		fill(0, sum, 0)
	}
}

// valuesOf returns relevant terms of type t, different as far as is known, those of
// low generation first.
func (rs *resorts) valuesOf(t logic.Type) []euf.Node {
	var out []euf.Node
	taken := map[euf.Node]bool{}
	for gen := int16(0); gen <= rs.limit; gen++ {
		for n := euf.Node(1); int(n) < len(rs.terms.relevant) && len(out) < enumCandidates; n++ {
			if rs.terms.relevant[n] && rs.terms.gen[n] == gen && rs.b.Type(rs.g.Term(n)) == t && !taken[rs.g.Find(n)] {
				taken[rs.g.Find(n)] = true
				out = append(out, n)
			}
		}
	}
	return out
}
