package search

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
)

// This file instantiates quantifiers over integers with values next to the
// ground terms that their bodies compare: a bound that holds of all x fails at its
// neighbour, and a witness of an inequality lies beside its bound.

// Bounds of the values that a quantifier is tried with.
const (
	maxBoundVars   = 2
	maxBoundTerms  = 6
	maxBoundTuples = 40
)

// tryBounds tries each active quantifier over integers once with the neighbours of
// the ground terms of its body. It reports whether it made instances.
func (rs *resorts) tryBounds() bool {
	before := rs.instances.made
	for i := 0; i < len(rs.instances.quants); i++ {
		quantifier := rs.instances.quants[i]
		if quantifier.rule != nil || rs.asked[askKey{askBounds, quantifier.f, logic.Term(quantifier.lit & 1)}] || rs.sat.Value(quantifier.lit) <= 0 || !overIntegers(quantifier.decls) {
			continue
		}
		rs.asked[askKey{askBounds, quantifier.f, logic.Term(quantifier.lit & 1)}] = true
		values := rs.neighbours(rs.b.Arg(quantifier.f, 0))
		vals := make([]logic.Term, len(quantifier.decls))
		// Tuples grow as a power of the variables; beyond a few hundred they drown the search.
		tried := 0
		var fill func(i int)
		fill = func(i int) {
			if i == len(vals) {
				if tried++; tried <= maxBoundTuples {
					rs.instantiateIfUseful(quantifier, slices.Clone(vals), quantifier.gen+1)
				}
				return
			}
			for _, variable := range values {
				vals[i] = variable
				fill(i + 1)
			}
		}
		fill(0)
	}
	return rs.instances.made > before
}

func overIntegers(decls []logic.Type) bool {
	return len(decls) <= maxBoundVars && !slices.ContainsFunc(decls, func(t logic.Type) bool { return t != logic.IntType })
}

// neighbours returns t+1, t and t−1 for the ground integer terms t of comparisons
// and intervals in body, the outermost ones, and 0; nothing if there is no
// comparison. If the body has an interval that depends on its variables, the upper bounds of known
// intervals are such terms, too: sequences without their last element end beside them.
func (rs *resorts) neighbours(body logic.Term) []logic.Term {
	var found []logic.Term
	compared, open := false, false
	seen := map[logic.Term]bool{}
	var visit func(term logic.Term, comparison bool)
	visit = func(t logic.Term, comparison bool) {
		if seen[t] || len(found) >= maxBoundTerms {
			return
		}
		seen[t] = true
		if rs.b.Type(t) == logic.IntType && rs.b.Depth(t) == 0 {
			if comparison {
				found = append(found, t)
			}
			return
		}
		open = open || rs.b.Op(t) == logic.UpTo
		switch rs.b.Op(t) {
		case logic.Le, logic.Lt, logic.Ge, logic.Gt, logic.UpTo, logic.Natural, logic.Natural1:
			comparison, compared = true, true
		case logic.Plus, logic.Minus, logic.Neg, logic.Times:
		default:
			comparison = false
		}
		for _, a := range rs.b.Args(t) {
			visit(a, comparison)
		}
	}
	visit(body, false)
	// Without a comparison the neighbours of a number are as good as any other number.
	if !compared {
		return nil
	}
	if open {
		found = append(found, rs.lastOnes(found)...)
	}
	one := rs.b.Int64(1)
	out := []logic.Term{rs.b.Int64(0)}
	add := func(term logic.Term) {
		if !slices.Contains(out, term) {
			out = append(out, term)
		}
	}
	for _, term := range found {
		if rs.b.Op(term) == logic.Int {
			for _, d := range [3]int64{1, 0, -1} {
				add(rs.b.Int(new(big.Int).Add(rs.b.Value(term), big.NewInt(d))))
			}
			continue
		}
		add(rs.b.App(logic.Plus, term, one))
		add(term)
		add(rs.b.App(logic.Minus, term, one))
	}
	return out
}

// maxLast bounds the upper bounds of known intervals that are tried for one quantifier.
const maxLast = 3

// lastOnes returns upper bounds of relevant intervals that are not numbers and not in found.
func (rs *resorts) lastOnes(found []logic.Term) []logic.Term {
	var out []logic.Term
	for _, node := range rs.terms.byOp[logic.UpTo] {
		last := rs.b.Arg(rs.g.Term(node), 1)
		if len(out) < maxLast && rs.terms.gen[node] <= 1 && rs.b.Op(last) != logic.Int && !slices.Contains(found, last) && !slices.Contains(out, last) {
			out = append(out, last)
		}
	}
	return out
}
