// Package form analyses the structure of formulas for the search and its subpackages.
package form

import "github.com/gradine/gradine/logic"

// IsConnective reports whether op makes a predicate of predicates, quantifiers among them.
func IsConnective(op logic.Op) bool {
	switch op {
	case logic.True, logic.False, logic.Not, logic.And, logic.Or, logic.Implies, logic.Iff, logic.Forall, logic.Exists:
		return true
	}
	return false
}

// Positive returns ∈, = for ∉, ≠.
func Positive(b *logic.Bank, term logic.Term) logic.Term {
	switch b.Op(term) {
	case logic.Neq:
		return b.App(logic.Eq, b.Args(term)...)
	case logic.NotIn:
		return b.App(logic.In, b.Args(term)...)
	case logic.NotSubset:
		return b.App(logic.Subset, b.Args(term)...)
	case logic.NotSubsetEq:
		return b.App(logic.SubsetEq, b.Args(term)...)
	}
	return term
}

// Component returns component i of the pair x.
func Component(b *logic.Bank, x logic.Term, i int) logic.Term {
	if b.Op(x) == logic.Maplet {
		return b.Arg(x, i)
	}
	op := [...]logic.Op{logic.Prj1, logic.Prj2}[i]
	l, r := b.Pair(b.Type(x))
	return b.App(logic.Apply, b.Atom(op, b.RelType(b.Type(x), [...]logic.Type{l, r}[i])), x)
}
