package search

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// This file instantiates quantifiers over integers with values next to the
// ground terms that their bodies compare: a bound that holds of all x fails at its
// neighbour, and a witness of an inequality is next to its bound.

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
		key := askKey{askBounds, quantifier.f, logic.Term(quantifier.lit & 1)}
		if quantifier.rule != nil || rs.asked.has(key) || rs.sat.Value(quantifier.lit) <= 0 || !overIntegers(quantifier.decls) {
			continue
		}
		if rs.tryLast(quantifier) {
			continue
		}
		rs.asked.add(key)
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

// tryLast tries a quantifier with the last arguments of the sequences in its body alone: where a sequence says where it ends,
// other values have to wait. It reports whether it made instances.
func (rs *resorts) tryLast(quantifier *quant) bool {
	before := rs.instances.made
	if len(quantifier.decls) == 1 {
		for _, last := range rs.lastArguments(rs.b.Arg(quantifier.f, 0)) {
			rs.instantiateIfUseful(quantifier, []logic.Term{last}, quantifier.gen)
		}
	}
	return rs.instances.made > before
}

func overIntegers(decls []logic.Type) bool {
	return len(decls) <= maxBoundVars && !slices.ContainsFunc(decls, func(t logic.Type) bool { return t != logic.IntType })
}

// neighbours returns t+1, t and t−1 for the ground integer terms t of comparisons
// and intervals in body, the outermost ones, and 0; nothing if there is no
// comparison. If the body has an interval that depends on its variables, the upper bounds of known
// intervals are such terms, too: sequences without their last element end next to them.
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

// lastArguments returns the last arguments of the sequences in t.
func (rs *resorts) lastArguments(t logic.Term) []logic.Term {
	if last := rs.lastArgument(t); last != 0 {
		return []logic.Term{last}
	}
	var out []logic.Term
	for _, part := range rs.b.Args(t) {
		out = append(out, rs.lastArguments(part)...)
	}
	return out
}

// lastArgument returns E for the last x, where t is {x·x∈a‥b∧P∣E↦F}, perhaps with further variables, which E does not mention:
// a sequence that is made of part of another one ends there. It returns 0 for other terms.
func (rs *resorts) lastArgument(t logic.Term) logic.Term {
	bank := rs.b
	if bank.Op(t) != logic.Compr || bank.Depth(t) > 0 || bank.Op(bank.Arg(t, 1)) != logic.Maplet {
		return 0
	}
	argument := bank.Arg(bank.Arg(t, 1), 0)
	if bank.Type(argument) != logic.IntType || bank.Op(argument) == logic.Bound {
		return 0
	}
	predicates := []logic.Term{bank.Arg(t, 0)}
	if bank.Op(predicates[0]) == logic.And {
		predicates = bank.Args(predicates[0])
	}
	decls := bank.Decls(t)
	for _, in := range predicates {
		if bank.Op(in) != logic.In || bank.Op(bank.Arg(in, 0)) != logic.Bound || bank.Op(bank.Arg(in, 1)) != logic.UpTo || bank.Depth(bank.Arg(in, 1)) > 0 {
			continue
		}
		// Whatever stands for the other variables must not show.
		values := kernel.Witnesses(bank, bank.Quant(logic.Exists, decls, nil, bank.App(logic.True)))
		others := slices.Clone(values)
		values[len(decls)-1-bank.Index(bank.Arg(in, 0))] = bank.Arg(bank.Arg(in, 1), 1)
		last := bank.Instantiate(argument, values)
		if !slices.ContainsFunc(others, func(other logic.Term) bool { return bank.Occurs(other, last) }) {
			return last
		}
	}
	return 0
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
