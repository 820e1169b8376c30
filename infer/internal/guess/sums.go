package guess

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
)

// product is a coefficient times some factors.
type product struct {
	coefficient *big.Int
	factors     []logic.Term // sorted
}

// sum takes integer expression t apart: products are distributed over sums.
func (v *view) sum(t logic.Term) []product {
	args := v.b.Args(t)
	switch v.b.Op(t) {
	case logic.Int:
		return []product{{v.b.Value(t), nil}}
	case logic.Plus:
		var out []product
		for _, a := range args {
			out = append(out, v.sum(a)...)
		}
		return out
	case logic.Minus:
		return append(v.sum(args[0]), negated(v.sum(args[1]))...)
	case logic.Neg:
		return negated(v.sum(args[0]))
	case logic.Times:
		// Factors are sorted, so that equal products are the same whatever order they had.
		out := []product{{big.NewInt(1), nil}}
		for _, a := range args {
			var next []product
			for _, p := range out {
				for _, q := range v.sum(a) {
					next = append(next, product{new(big.Int).Mul(p.coefficient, q.coefficient), slices.Sorted(slices.Values(slices.Concat(p.factors, q.factors)))})
				}
			}
			out = next
		}
		return out
	}
	return []product{{big.NewInt(1), []logic.Term{t}}}
}

func negated(ps []product) []product {
	out := slices.Clone(ps)
	for i, p := range out {
		out[i].coefficient = new(big.Int).Neg(p.coefficient)
	}
	return out
}

// term is p as an expression.
func (v *view) term(p product) logic.Term {
	factors := slices.Clone(p.factors)
	if p.coefficient.Cmp(big.NewInt(1)) != 0 || len(factors) == 0 {
		factors = append([]logic.Term{v.b.Int(p.coefficient)}, factors...)
	}
	if len(factors) == 1 {
		return factors[0]
	}
	return v.b.App(logic.Times, factors...)
}

// total is the sum of ps as an expression.
func (v *view) total(ps []product) logic.Term {
	switch len(ps) {
	case 0:
		return v.int(0)
	case 1:
		return v.term(ps[0])
	}
	var args []logic.Term
	for _, p := range ps {
		args = append(args, v.term(p))
	}
	return v.b.App(logic.Plus, args...)
}

// without returns p divided by one factor x.
func (p product) without(x logic.Term) product {
	i := slices.Index(p.factors, x)
	return product{p.coefficient, slices.Delete(slices.Clone(p.factors), i, i+1)}
}

// parts returns p and q without the factors that they share.
func parts(p, q product) (product, product) {
	shared := new(big.Int).GCD(nil, nil, new(big.Int).Abs(p.coefficient), new(big.Int).Abs(q.coefficient))
	p = product{new(big.Int).Quo(p.coefficient, shared), slices.Clone(p.factors)}
	q = product{new(big.Int).Quo(q.coefficient, shared), slices.Clone(q.factors)}
	for i := 0; i < len(p.factors); {
		if j := slices.Index(q.factors, p.factors[i]); j >= 0 {
			p.factors, q.factors = slices.Delete(p.factors, i, i+1), slices.Delete(q.factors, j, j+1)
		} else {
			i++
		}
	}
	return p, q
}

func (p product) isOne() bool { return len(p.factors) == 0 && p.coefficient.Cmp(big.NewInt(1)) == 0 }

// collected returns ps with equal factors taken together, sorted, without zeros.
func collected(ps []product) []product {
	var out []product
	for _, p := range ps {
		if i := slices.IndexFunc(out, func(q product) bool { return slices.Equal(p.factors, q.factors) }); i >= 0 {
			out[i].coefficient = new(big.Int).Add(out[i].coefficient, p.coefficient)
		} else {
			out = append(out, p)
		}
	}
	out = slices.DeleteFunc(out, func(p product) bool { return p.coefficient.Sign() == 0 })
	slices.SortFunc(out, func(p, q product) int { return slices.Compare(p.factors, q.factors) })
	return out
}

// sides splits a sum into what is added and what is taken away.
func sides(ps []product) (added, taken []product) {
	for _, p := range ps {
		if p.coefficient.Sign() > 0 {
			added = append(added, p)
		} else {
			taken = append(taken, negated([]product{p})...)
		}
	}
	// A constant reads best at the end.
	for _, side := range [][]product{added, taken} {
		slices.SortStableFunc(side, func(p, q product) int { return boolCompare(len(p.factors) == 0, len(q.factors) == 0) })
	}
	return added, taken
}

func boolCompare(p, q bool) int {
	switch {
	case p == q:
		return 0
	case q:
		return -1
	}
	return 1
}

// equation is the predicate that the sum ps is 0; ⊤ if it says nothing about variables.
func (v *view) equation(ps []product) logic.Term {
	ps = collected(ps)
	if len(ps) == 0 {
		return v.b.App(logic.True)
	}
	added, taken := sides(ps)
	// Both signs say the same: people write what is one variable on the left, and else the
	// one whose first product is added is taken.
	one := func(side []product) bool {
		return len(side) == 1 && len(side[0].factors) == 1 && side[0].coefficient.Cmp(big.NewInt(1)) == 0 && v.mentions(side[0].factors[0])
	}
	if one(taken) && !one(added) || one(added) == one(taken) && ps[len(ps)-1].coefficient.Sign() < 0 {
		added, taken = taken, added
	}
	return v.eq(v.total(added), v.total(taken))
}

// order is the predicate that the sum ps is at most 0; ⊤ if it says nothing about
// variables.
func (v *view) order(ps []product) logic.Term {
	ps = collected(ps)
	if len(ps) == 0 || len(ps) == 1 && len(ps[0].factors) == 0 {
		return v.b.App(logic.True)
	}
	added, taken := sides(ps)
	return v.le(v.total(added), v.total(taken))
}
