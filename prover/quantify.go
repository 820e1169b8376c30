package prover

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// forAll returns ∀xs·p for free identifiers xs.
func forAll(b *logic.Bank, xs []logic.Term, p logic.Term) logic.Term {
	return quantified(b, logic.Forall, xs, p)
}

// quantified returns ∀xs·p or ∃xs·p for free identifiers xs.
func quantified(b *logic.Bank, quantifier logic.Op, xs []logic.Term, p logic.Term) logic.Term {
	if len(xs) == 0 {
		return p
	}
	var types []logic.Type
	for _, x := range xs {
		types = append(types, b.Type(x))
	}
	return b.Quant(quantifier, types, nil, b.Abstract(p, xs))
}

// says reports whether a conjunct of p says what test tells of x.
func says(b *logic.Bank, p, x logic.Term, test func(b *logic.Bank, p, x logic.Term) bool) bool {
	if b.Op(p) == logic.And {
		return slices.ContainsFunc(b.Args(p), func(q logic.Term) bool { return says(b, q, x, test) })
	}
	return test(b, p, x)
}
