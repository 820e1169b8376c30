package refute

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// typed returns a symbol for identifier t that ranges over the members of a set
// it is in, where the hypotheses tell one.
func (c *encoder) typed(term logic.Term) *symbol {
	typ := c.b.Type(term)
	sets := c.typing[term]
	// A set that lists all that can be in t has room for every counterexample; of ℕ ⇸ ℕ, only a part fits.
	if i := slices.IndexFunc(sets, c.listsMembers); i > 0 {
		sets = append([]logic.Term{sets[i]}, sets...)
	}
	for _, set := range sets {
		if c.b.Elem(typ) != logic.NoType {
			if members := c.possibleMembers(set); members != nil {
				return c.subsetOf(members)
			}
		} else if c.listable(set) && typ == logic.IntType {
			if x := c.expr(set); len(x.choices) > 0 && len(x.choices) <= 200 {
				return c.oneOf(x.choices)
			}
		}
	}
	return c.variable(typ)
}

// listsMembers reports whether what can be in a member of t, a set of sets, is listed without a scope.
func (c *encoder) listsMembers(t logic.Term) bool {
	args := c.b.Args(t)
	op := c.b.Op(t)
	if _, arrow := op.Arrow(); arrow {
		return c.listable(args[0]) && c.listable(args[1])
	}
	return (op == logic.Pow || op == logic.Pow1) && c.listable(args[0])
}

// possibleMembers lists what can be in a member of t, a set of sets, or nil.
func (c *encoder) possibleMembers(term logic.Term) []choice {
	args := c.b.Args(term)
	_, arrow := c.b.Op(term).Arrow()
	switch op := c.b.Op(term); {
	case op == logic.Pow || op == logic.Pow1:
		if c.listable(args[0]) {
			if symbol := c.expr(args[0]); len(symbol.choices) > 0 && len(symbol.choices) <= maxMembers {
				return symbol.choices
			}
		}
	case arrow:
		xs, ys := c.sideMembers(args[0]), c.sideMembers(args[1])
		if len(xs) == 0 || len(ys) == 0 || len(xs) > maxMembers {
			return nil
		}
		// A part of the right side is enough for a counterexample; all of it may be too large.
		ys = first(ys, max(1, min(maxSide, maxMembers/len(xs))))
		var out []choice
		for _, k := range xs {
			for _, l := range ys {
				out = append(out, choice{c.space.Pair(k.v, l.v), c.and(k.on, l.on)})
			}
		}
		return out
	}
	return nil
}

// sideMembers lists what can be in t, or in the domain or range of a relation:
// all where that is possible, and values of the type otherwise.
func (c *encoder) sideMembers(term logic.Term) []choice {
	if c.listable(term) {
		if symbol := c.expr(term); len(symbol.choices) > 0 {
			return symbol.choices
		}
	}
	elem := c.b.Elem(c.b.Type(term))
	domain := c.domain(elem, c.width)
	if op := c.b.Op(term); op == logic.Integer || op == logic.Given || elem != logic.IntType {
		return domain
	}
	return c.where(domain, func(value eval.Value) lit { return c.member(c.constant(value), term) }).choices
}

// maxMembers bounds the possible members of a set variable whose type is given
// by a hypothesis.
const maxMembers = 1500

// maxSide bounds the possible values of a relation for one argument.
const maxSide = 40
