package prover

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// maxCalculations bounds the values that are calculated one after the other.
const maxCalculations = 6

// calculated proves the goal after it has shown what definitions say of terms in it, within the given steps in all: the values f(x) of
// λ-terms and lists f, and the domains and ranges of listed relations, of these also in what is selected. A value may be a function
// again, to be applied next. Each step is a small question; all definitions together are a large one.
func (r *Result) calculated(strategy strategy, opts Options, steps int64) bool {
	plan := r.plan(opts)
	last := plan.Root.Intro()
	bank := last.Bank()
	sequent := logic.Sequent{Bank: bank}
	var sources []logic.Term
	for i, h := range last.Hyps {
		sequent.Hyps = append(sequent.Hyps, h.Term)
		if last.Selected(i) {
			sources = append(sources, h.Term)
		}
	}
	c := calculator{bank, definitions(sequent)}
	facts := c.sides(append(sources, last.Goal))
	for _, x := range bank.FreeIdents(last.Goal) {
		if fact := c.bounds(x); fact != 0 {
			facts = append(facts, fact)
		}
	}
	facts = facts[:min(len(facts), maxCalculations)]
	goal := last.Goal
	// Each round replaces one value in the goal. The values of functions are functions again at most a few times.
	for len(facts) < maxCalculations {
		t, value := c.value(goal)
		if t == 0 {
			break
		}
		facts = append(facts, bank.App(logic.Eq, t, value))
		goal = replaced(bank, goal, t, value)
	}
	if len(facts) == 0 {
		return false
	}
	if goal != last.Goal {
		facts = append(facts, goal)
	}
	for _, fact := range facts {
		_, _, last = last.Have(fact)
	}
	return r.join(plan, strategy, opts, steps)
}

// calculator knows what identifiers are defined to be.
type calculator struct {
	bank  *logic.Bank
	means map[logic.Term]logic.Term
}

// meaning returns what f is defined to be, or f itself.
func (c calculator) meaning(f logic.Term) logic.Term {
	if value := c.means[f]; value != 0 {
		return value
	}
	return f
}

// value returns a closed term f(x) in t, the outermost first, and what it is by the definition of f; 0 if there is none. It looks
// into functions that are applied, but not into the sets that others are made from.
func (c calculator) value(t logic.Term) (applied, value logic.Term) {
	bank := c.bank
	args := bank.Args(t)
	switch op := bank.Op(t); {
	case op.IsBinder():
		return 0, 0
	case op == logic.Apply:
		if value := c.apply(c.meaning(args[0]), args[1]); value != 0 && bank.Depth(t) == 0 {
			return t, value
		}
		args = args[:1]
	case bank.Elem(bank.Type(t)) != logic.NoType:
		return 0, 0
	}
	for _, arg := range args {
		if applied, value := c.value(arg); applied != 0 {
			return applied, value
		}
	}
	return 0, 0
}

// apply returns the value of function f, a λ-term or a list, for x; 0 if it is neither.
func (c calculator) apply(f, x logic.Term) logic.Term {
	bank := c.bank
	switch bank.Op(f) {
	case logic.SetExt:
		for _, pair := range bank.Args(f) {
			if bank.Op(pair) == logic.Maplet && bank.Arg(pair, 0) == x {
				return bank.Arg(pair, 1)
			}
		}
	case logic.Compr:
		vals := make([]logic.Term, len(bank.Decls(f)))
		if pair := bank.Arg(f, 1); bank.Op(pair) == logic.Maplet && Matches(bank, bank.Arg(pair, 0), x, vals) && !slices.Contains(vals, 0) {
			return bank.Instantiate(bank.Arg(pair, 1), vals)
		}
	}
	return 0
}

// bounds says that x is within all E, if it is ⋂z·P∣E or inter({z·P∣E}), or that all are within it, if it is such a union; 0
// if it is neither.
func (c calculator) bounds(x logic.Term) logic.Term {
	bank := c.bank
	family := c.meaning(x)
	op := bank.Op(family)
	if op == logic.GInter || op == logic.GUnion {
		family = bank.Arg(family, 0)
		if bank.Op(family) != logic.Compr {
			return 0
		}
	} else if op != logic.QInter && op != logic.QUnion {
		return 0
	}
	args := bank.Args(family)
	parts := []logic.Term{bank.Shift(x, len(bank.Decls(family)), 0), args[1]}
	if op == logic.GUnion || op == logic.QUnion {
		parts[0], parts[1] = parts[1], parts[0]
	}
	return bank.Quant(logic.Forall, bank.Decls(family), nil, bank.App(logic.Implies, args[0], bank.App(logic.SubsetEq, parts...)))
}

// sides returns equations for the domains and ranges of listed relations in ts.
func (c calculator) sides(ts []logic.Term) (facts []logic.Term) {
	bank := c.bank
	for _, t := range ts {
		found := c.sides(bank.Args(t))
		if parts := c.components(t); parts != nil {
			found = append(found, bank.App(logic.Eq, t, bank.App(logic.SetExt, parts...)))
		}
		for _, fact := range found {
			if !slices.Contains(facts, fact) {
				facts = append(facts, fact)
			}
		}
	}
	return facts
}

// components returns the elements of t, if it is the domain or the range of a relation that is listed.
func (c calculator) components(t logic.Term) (parts []logic.Term) {
	bank := c.bank
	op := bank.Op(t)
	if op != logic.Dom && op != logic.Ran || bank.Depth(t) > 0 {
		return nil
	}
	list := c.meaning(bank.Arg(t, 0))
	if bank.Op(list) != logic.SetExt {
		return nil
	}
	for _, pair := range bank.Args(list) {
		if bank.Op(pair) != logic.Maplet {
			return nil
		}
		part := bank.Arg(pair, 0)
		if op == logic.Ran {
			part = bank.Arg(pair, 1)
		}
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return parts
}
