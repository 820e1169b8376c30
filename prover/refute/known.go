package refute

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// known is what hypotheses say of identifiers in so many words.
type known struct {
	defined []logic.Term                // identifiers equal to an expression of others
	unfold  map[logic.Term]logic.Term   // their expressions, without defined identifiers
	endless map[string]bool             // carrier sets that are infinite
	listed  map[string][]logic.Term     // carrier sets all of whose elements have a name
	typing  map[logic.Term][]logic.Term // sets that an identifier is in
}

// learn reads hypotheses: v = E defines v, partition(S, {a}, {b}, …) names
// the elements of carrier set S, and ¬finite(S) makes it infinite.
func learn(bank *logic.Bank, hyps []logic.Term) known {
	k := known{endless: map[string]bool{}, unfold: map[logic.Term]logic.Term{}, listed: map[string][]logic.Term{}, typing: map[logic.Term][]logic.Term{}}
	named := map[logic.Term]bool{}
	var visit func(term logic.Term, f func(op logic.Op, args []logic.Term))
	visit = func(t logic.Term, f func(op logic.Op, args []logic.Term)) {
		if bank.Op(t) != logic.And {
			f(bank.Op(t), bank.Args(t))
			return
		}
		for _, a := range bank.Args(t) {
			visit(a, f)
		}
	}
	// Partitions first: the elements they name must not also be defined by equations.
	for _, hypothesis := range hyps {
		visit(hypothesis, func(op logic.Op, args []logic.Term) {
			if op == logic.Partition && bank.Op(args[0]) == logic.Given && k.listed[bank.Name(args[0])] == nil {
				if elems := singletons(bank, args[1:]); elems != nil && !slices.ContainsFunc(elems, func(term logic.Term) bool { return named[term] }) {
					k.listed[bank.Name(args[0])] = elems
					for _, term := range elems {
						named[term] = true
					}
				}
			}
		})
	}
	for _, hypothesis := range hyps {
		visit(hypothesis, func(op logic.Op, args []logic.Term) {
			if op == logic.Not && bank.Op(args[0]) == logic.Finite && bank.Op(bank.Arg(args[0], 0)) == logic.Given {
				if name := bank.Name(bank.Arg(args[0], 0)); k.listed[name] == nil {
					k.endless[name] = true
				}
			}
			if op != logic.Eq {
				return
			}
			for i, variable := range args {
				if bank.Op(variable) == logic.Free && !named[variable] && k.unfold[variable] == 0 && k.define(bank, variable, args[1-i]) {
					return
				}
			}
		})
	}
	return k
}

// singletons returns the identifiers of sets {a}, {b}, …, or nil if the sets are
// of another form.
func singletons(b *logic.Bank, sets []logic.Term) []logic.Term {
	var out []logic.Term
	for _, t := range sets {
		if b.Op(t) != logic.SetExt || len(b.Args(t)) != 1 || b.Op(b.Arg(t, 0)) != logic.Free || slices.Contains(out, b.Arg(t, 0)) {
			return nil
		}
		out = append(out, b.Arg(t, 0))
	}
	return out
}

// define makes e the definition of v, unless v depends on itself then.
func (k *known) define(bank *logic.Bank, variable, expr logic.Term) bool {
	expr = bank.Subst(expr, k.unfold)
	if bank.Occurs(variable, expr) {
		return false
	}
	for _, term := range k.defined {
		k.unfold[term] = bank.Subst(k.unfold[term], map[logic.Term]logic.Term{variable: expr})
	}
	k.unfold[variable] = expr
	k.defined = append(k.defined, variable)
	return true
}

// restrict records the sets that asserted predicates put identifiers in. The
// sets mention earlier identifiers only.
func (k *known) restrict(bank *logic.Bank, asserted []logic.Term) {
	place := map[logic.Term]int{}
	for i, term := range bank.FreeIdents(asserted...) {
		place[term] = i
	}
	var visit func(term logic.Term)
	visit = func(t logic.Term) {
		args := bank.Args(t)
		set := logic.Term(0)
		switch bank.Op(t) {
		case logic.And:
			for _, a := range args {
				visit(a)
			}
			return
		case logic.In:
			set = args[1]
		case logic.SubsetEq:
			set = bank.App(logic.Pow, args[1])
		default:
			return
		}
		// Only earlier identifiers, or two sets could be given by each other.
		if variable := args[0]; bank.Op(variable) == logic.Free && !slices.ContainsFunc(bank.FreeIdents(set), func(w logic.Term) bool { return place[w] >= place[variable] }) {
			k.typing[variable] = append(k.typing[variable], set)
		}
	}
	for _, term := range asserted {
		visit(term)
	}
}
