package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
)

// Bounds of one round of enumeration: a round is to bring a few new instances of each quantifier,
// after which everything that costs less has its turn again.
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
	values := map[logic.Type][]candidate{}
	before := rs.instances.made
	for i := 0; i < len(rs.instances.quants); i++ { // instances may add quantifiers, whose turn comes in this round
		quantifier := rs.instances.quants[i]
		if quantifier.rule != nil || rs.sat.Value(quantifier.lit) <= 0 {
			continue
		}
		made := 0
		rs.tuples(quantifier, values, func(vals []logic.Term, gen int16) bool {
			if rs.instantiateIfUseful(quantifier, vals, gen) {
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
	body := rs.table.Body(q.f, vals)
	if body == nil {
		return false
	}
	truth := rs.eval(body.Term)
	if q.lit.IsNeg() {
		truth = -truth
	}
	return truth <= 0 && rs.instances.instantiate(q, vals, min(gen, rs.limit))
}

// tuples calls f for tuples of values for the variables of q, the sum of ranks
// increasing, until f reports false.
func (rs *resorts) tuples(quantifier *quant, values map[logic.Type][]candidate, f func([]logic.Term, int16) bool) {
	k := len(quantifier.decls)
	lists := make([][]candidate, k)
	for i, typ := range quantifier.decls {
		if _, ok := values[typ]; !ok {
			values[typ] = rs.valuesOf(typ)
		}
		if lists[i] = values[typ]; len(lists[i]) == 0 {
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
			last := lists[i][sum]
			vals[i] = last.term
			tried++
			more = f(slices.Clone(vals), max(gen, last.gen)) && tried < enumTuples
			return
		}
		// Ranks add up to sum, so that tuples of low ranks come first and no variable waits for another
		// to go through all its values.
		for j := 0; j <= sum && j < len(lists[i]) && more; j++ {
			next := lists[i][j]
			vals[i] = next.term
			fill(i+1, sum-j, max(gen, next.gen))
		}
	}
	for sum := 0; sum <= k*enumCandidates && more; sum++ {
		fill(0, sum, 0)
	}
}

// candidate is a value for a variable.
type candidate struct {
	term logic.Term
	gen  int16
}

// valuesOf returns relevant terms of type t, different as far as is known, those of
// low generation first; if there are none, values that every such type has.
func (rs *resorts) valuesOf(typ logic.Type) []candidate {
	var all []euf.Node
	var out []candidate
	for node := euf.Node(1); int(node) < len(rs.terms.relevant); node++ {
		if rs.terms.relevant[node] && rs.b.Type(rs.g.Term(node)) == typ {
			all = append(all, node)
		}
	}
	taken := map[euf.Node]bool{}
	for gen := int16(0); gen <= rs.limit; gen++ {
		for _, node := range all {
			if rs.terms.gen[node] == gen && len(out) < enumCandidates && !taken[rs.g.Find(node)] {
				taken[rs.g.Find(node)] = true
				out = append(out, candidate{rs.g.Term(node), gen})
			}
		}
	}
	if len(all) == 0 {
		return rs.anyValues(typ)
	}
	return out
}

// anyValues returns values of type t of which nothing in the sequent speaks.
func (rs *resorts) anyValues(typ logic.Type) []candidate {
	switch rs.b.TypeKind(typ) {
	case logic.KindInt:
		return []candidate{{rs.b.Int64(0), 0}, {rs.b.Int64(1), 0}}
	case logic.KindBool:
		return []candidate{{rs.b.App(logic.TrueE), 0}, {rs.b.App(logic.FalseE), 0}}
	case logic.KindPow:
		return []candidate{{rs.b.Atom(logic.Empty, typ), 0}}
	}
	return nil
}
