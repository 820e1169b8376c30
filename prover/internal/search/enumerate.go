package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/kernel"
)

// Bounds of one round of enumeration.
const (
	enumCandidates = 12 // values for a variable
	enumTuples     = 60 // tried for a quantifier
	enumInstances  = 12 // made for a quantifier
	enumRounds     = 12
)

// enumerate instantiates the active quantifiers with relevant terms of the right
// types, by increasing generation, where the present assignment does not
// already make the instance true.
func (e *engine) enumerate() bool {
	if !e.opts.Enumerate || e.rounds >= enumRounds {
		return false
	}
	e.rounds++
	values := map[logic.Type][]euf.Node{}
	before := e.made
	for i := 0; i < len(e.quants); i++ {
		q := e.quants[i]
		if q.rule != nil || e.sat.Value(q.lit) <= 0 {
			continue
		}
		made := 0
		e.tuples(q, values, func(vals []logic.Term, gen int16) bool {
			if e.instantiateIfUseful(q, vals, gen) {
				made++
			}
			return made < enumInstances
		})
	}
	return e.made > before
}

// instantiateIfUseful makes an instance unless it is true already.
func (e *engine) instantiateIfUseful(q *quant, vals []logic.Term, gen int16) bool {
	e.steps += 5
	body := e.b.Instantiate(e.b.Arg(q.f, 0), vals)
	truth := e.eval(body)
	if q.lit.IsNeg() {
		truth = -truth
	}
	return truth <= 0 && e.instantiate(q, vals, min(gen, e.limit))
}

// tuples calls f for tuples of values for the variables of q, the sum of ranks
// increasing, until f reports false.
func (e *engine) tuples(q *quant, values map[logic.Type][]euf.Node, f func([]logic.Term, int16) bool) {
	k := len(q.decls)
	lists := make([][]euf.Node, k)
	for i, t := range q.decls {
		if _, ok := values[t]; !ok {
			values[t] = e.valuesOf(t)
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
			vals[i] = e.g.Term(n)
			tried++
			more = f(slices.Clone(vals), max(gen, e.nodeGen[n])) && tried < enumTuples
			return
		}
		for j := 0; j <= sum && j < len(lists[i]) && more; j++ {
			n := lists[i][j]
			vals[i] = e.g.Term(n)
			fill(i+1, sum-j, max(gen, e.nodeGen[n]))
		}
	}
	for sum := 0; sum <= k*enumCandidates && more; sum++ {
		fill(0, sum, 0)
	}
}

// valuesOf returns relevant terms of type t, different as far as is known, those of
// low generation first.
func (e *engine) valuesOf(t logic.Type) []euf.Node {
	var out []euf.Node
	taken := map[euf.Node]bool{}
	for gen := int16(0); gen <= e.limit; gen++ {
		for n := euf.Node(1); int(n) < len(e.relevant) && len(out) < enumCandidates; n++ {
			if e.relevant[n] && e.nodeGen[n] == gen && e.b.Type(e.g.Term(n)) == t && !taken[e.g.Find(n)] {
				taken[e.g.Find(n)] = true
				out = append(out, n)
			}
		}
	}
	return out
}

// eval returns 1 or -1 if predicate t is true or false under the present
// assignment, and 0 if that is not known without new terms.
func (e *engine) eval(t logic.Term) int {
	args := e.b.Args(t)
	switch e.b.Op(t) {
	case logic.True:
		return 1
	case logic.False:
		return -1
	case logic.Not:
		return -e.eval(args[0])
	case logic.And:
		res := 1
		for _, a := range args {
			res = min(res, e.eval(a))
		}
		return res
	case logic.Or:
		res := -1
		for _, a := range args {
			res = max(res, e.eval(a))
		}
		return res
	case logic.Implies:
		return max(-e.eval(args[0]), e.eval(args[1]))
	case logic.Iff:
		return e.eval(args[0]) * e.eval(args[1])
	}
	l := kernel.LitOf(e.b, t)
	sign := 1
	if l.Negated() {
		sign = -1
	}
	a := l.Atom()
	if int(a) < len(e.vars) && e.vars[a] != 0 {
		if v := e.sat.Value(e.lit(kernel.Pos(a))); v != 0 {
			return sign * v
		}
	}
	switch op := e.b.Op(a); op {
	case logic.Eq, logic.In:
		x, y := e.g.Lookup(e.b.Arg(a, 0)), e.g.Lookup(e.b.Arg(a, 1))
		if op == logic.In && e.b.IsTypeExpr(e.b.Arg(a, 1)) || op == logic.Eq && x != 0 && e.b.Arg(a, 0) == e.b.Arg(a, 1) {
			return sign
		}
		if x == 0 || y == 0 {
			return 0
		}
		if op == logic.Eq {
			if e.g.Equal(x, y) {
				return sign
			}
			return 0
		}
		res := 0
		e.eachElement(y, func(n euf.Node) {
			if e.g.Equal(e.g.Args(n)[0], x) {
				res = e.truth(n)
			}
		})
		return sign * res
	}
	return 0
}
