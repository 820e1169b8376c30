package refute

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

func (c *encoder) key(term logic.Term, pol polarity) (k memoKey, ok bool) {
	k = memoKey{t: term, pol: pol}
	switch n := len(c.env); c.b.Depth(term) {
	case 0:
	case 1:
		k.a = c.env[n-1]
	case 2:
		k.a, k.b = c.env[n-1], c.env[n-2]
	default:
		return k, false
	}
	return k, true
}

// pred returns the condition of predicate t.
func (c *encoder) pred(term logic.Term, pol polarity) lit {
	k, ok := c.key(term, pol)
	if ok {
		if l, found := c.preds[k]; found {
			return l
		}
	}
	if c.over {
		return no
	}
	l := c.condition(term, pol)
	if ok && !c.over {
		c.preds[k] = l
	}
	return l
}

// condition is the condition of the circuit under which a predicate holds. It must be right where its polarity needs it.
func (c *encoder) condition(t logic.Term, pol polarity) lit {
	args := c.b.Args(t)
	switch op := c.b.Op(t); op {
	case logic.True:
		return yes
	case logic.False:
		return no
	case logic.Not:
		return c.pred(args[0], -pol).Not()
	case logic.And, logic.Or:
		zero := no // the condition that decides
		if op == logic.Or {
			zero = yes
		}
		ls := make([]lit, len(args))
		for i, a := range args {
			// One part that decides ends it: what follows may be ill-defined under it, or large.
			if ls[i] = c.pred(a, pol); ls[i] == zero {
				return zero
			}
		}
		if op == logic.Or {
			return c.or(ls...)
		}
		return c.and(ls...)
	case logic.Implies:
		literal := c.pred(args[0], -pol)
		if literal == no {
			return yes
		}
		return c.implies(literal, c.pred(args[1], pol))
	case logic.Iff:
		return c.iff(c.pred(args[0], both), c.pred(args[1], both))
	case logic.Exists:
		return c.exists(t, pol)
	case logic.Forall:
		return c.exists(t, -pol).Not()
	case logic.In:
		return c.in(args[0], args[1])
	case logic.NotIn:
		return c.in(args[0], args[1]).Not()
	case logic.Eq:
		return c.same(args[0], args[1])
	case logic.Neq:
		return c.same(args[0], args[1]).Not()
	case logic.Lt, logic.Gt, logic.Le, logic.Ge:
		x, y := c.expr(args[0]), c.expr(args[1])
		if op == logic.Gt || op == logic.Ge {
			x, y = y, x
		}
		if op == logic.Lt || op == logic.Gt {
			return c.atMost(y, x).Not()
		}
		return c.atMost(x, y)
	case logic.SubsetEq:
		return c.subset(c.expr(args[0]), args[1])
	case logic.NotSubsetEq:
		return c.subset(c.expr(args[0]), args[1]).Not()
	case logic.Subset, logic.NotSubset:
		literal := c.and(c.subset(c.expr(args[0]), args[1]), c.equal(c.expr(args[0]), c.expr(args[1])).Not())
		if op == logic.NotSubset {
			return literal.Not()
		}
		return literal
	case logic.Finite:
		return c.finite(args[0])
	case logic.Partition:
		return c.partition(args)
	}
	c.over = true // an operator of predicates without code: nothing is found
	return no
}

// in returns the condition of s ∈ t.
func (c *encoder) in(s, t logic.Term) lit {
	if a, ok := c.array(s); ok {
		if l, ok := c.inArrow(a, t); ok {
			return l
		}
	}
	if a, ok := c.array(t); ok && c.b.Op(s) == logic.Maplet {
		return c.hasPair(a, c.expr(c.b.Arg(s, 0)), c.expr(c.b.Arg(s, 1)))
	}
	return c.member(c.expr(s), t)
}

// same returns the condition of s = t.
func (c *encoder) same(s, t logic.Term) lit {
	if x, ok := c.array(s); ok {
		if y, ok := c.array(t); ok {
			return c.equalArrays(x, y)
		}
	}
	return c.equal(c.expr(s), c.expr(t))
}

// atMost returns the condition of x ≤ y.
func (c *encoder) atMost(x, y *symbol) lit {
	xs, ys := c.ordered(x), c.ordered(y)
	var above []lit // x is one of its larger values
	var on []lit
	i := len(xs) - 1
	for j := len(ys) - 1; j >= 0; j-- {
		for ; i >= 0 && c.space.Compare(xs[i].v, ys[j].v) > 0; i-- {
			above = append(above, xs[i].on)
		}
		on = append(on, c.implies(ys[j].on, c.or(above...).Not()))
	}
	return c.and(on...)
}

// ordered returns the choices of an integer from the least to the greatest.
func (c *encoder) ordered(x *symbol) []choice {
	out := slices.Clone(x.choices)
	slices.SortFunc(out, func(k, l choice) int { return c.space.Compare(k.v, l.v) })
	return out
}

// subset returns the condition of x ⊆ t.
func (c *encoder) subset(x *symbol, t logic.Term) lit {
	var on []lit
	for _, k := range x.choices {
		if l := c.implies(k.on, c.member(c.constant(k.v), t)); l == no {
			return no
		} else {
			on = append(on, l)
		}
	}
	return c.and(on...)
}

// finite is the condition under which a set is finite.
func (c *encoder) finite(t logic.Term) lit {
	args := c.b.Args(t)
	switch c.b.Op(t) {
	case logic.Integer, logic.Natural, logic.Natural1, logic.Succ, logic.Pred:
		return no
	case logic.Given:
		if c.endless[c.b.Name(t)] {
			return no
		}
	case logic.Pow, logic.Pow1:
		return c.finite(args[0])
	case logic.Union:
		on := make([]lit, len(args))
		for i, a := range args {
			on[i] = c.finite(a)
		}
		return c.and(on...)
	case logic.Diff:
		return c.or(c.finite(args[0]), c.finite(args[1]).Not())
	case logic.CProd:
		return c.or(c.and(c.finite(args[0]), c.finite(args[1])), c.empty(c.expr(args[0])), c.empty(c.expr(args[1])))
	}
	return yes
}

func (c *encoder) empty(x *symbol) lit {
	on := make([]lit, len(x.choices))
	for i, k := range x.choices {
		on[i] = k.on.Not()
	}
	return c.and(on...)
}

func (c *encoder) partition(args []logic.Term) lit {
	var members []choice
	var on []lit
	for i, a := range args[1:] {
		x := c.expr(a)
		members = append(members, x.choices...)
		for _, b := range args[1 : i+1] {
			y := c.expr(b)
			for _, k := range x.choices {
				on = append(on, c.and(k.on, find(y.choices, k.v)).Not())
			}
		}
	}
	on = append(on, c.equal(c.expr(args[0]), c.collect(set, members)))
	return c.and(on...)
}

// member returns the condition of x ∈ t.
func (c *encoder) member(x *symbol, t logic.Term) lit {
	if c.over {
		return no
	}
	op, args := c.b.Op(t), c.b.Args(t)
	if want, arrow := op.Arrow(); arrow {
		return c.arrow(want, x, args[0], args[1])
	}
	// These need no list of the members, and so are exact where the scope has not all of them.
	switch op {
	case logic.Integer, logic.Given, logic.Bool:
		return yes
	case logic.Natural:
		return c.atMost(c.constant(c.space.Int64(0)), x)
	case logic.Natural1:
		return c.atMost(c.constant(c.space.Int64(1)), x)
	case logic.UpTo:
		return c.and(c.atMost(c.expr(args[0]), x), c.atMost(x, c.expr(args[1])))
	case logic.Pow:
		return c.subset(x, args[0])
	case logic.Pow1:
		return c.and(c.subset(x, args[0]), c.empty(x).Not())
	case logic.Union, logic.Inter:
		ls := make([]lit, len(args))
		for i, a := range args {
			ls[i] = c.member(x, a)
		}
		if op == logic.Union {
			return c.or(ls...)
		}
		return c.and(ls...)
	case logic.Diff:
		return c.and(c.member(x, args[0]), c.member(x, args[1]).Not())
	case logic.CProd:
		p := c.split(x)
		return c.and(c.member(p.l, args[0]), c.member(p.r, args[1]))
	case logic.SetExt:
		ls := make([]lit, len(args))
		for i, a := range args {
			ls[i] = c.equal(x, c.expr(a))
		}
		return c.or(ls...)
	case logic.Dom:
		if literal, ok := c.inLambda(x, args[0]); ok {
			return literal
		}
	case logic.Compr, logic.QUnion, logic.QInter:
		return c.inComprehension(x, t)
	}
	// All others are listed, with the condition of each member.
	s := c.expr(t)
	var on []lit
	for _, choice := range s.choices {
		if literal := c.is(x, choice.v); literal != no {
			on = append(on, c.and(choice.on, literal))
		}
	}
	return c.or(on...)
}

// arrow returns the condition that x is a relation of the given kind between a and b.
func (c *encoder) arrow(want logic.Arrow, x *symbol, a, b logic.Term) lit {
	dom, ran := c.side(x, 0), c.side(x, 1)
	on := []lit{c.subset(dom, a), c.subset(ran, b)}
	if want.Functional {
		on = append(on, c.unique(x, 0))
	}
	if want.Injective {
		on = append(on, c.unique(x, 1))
	}
	covers := func(whole logic.Term, part *symbol) {
		for _, choice := range c.expr(whole).choices {
			on = append(on, c.implies(choice.on, find(part.choices, choice.v)))
		}
	}
	if want.Total {
		covers(a, dom)
	}
	if want.Surjective {
		covers(b, ran)
	}
	return c.and(on...)
}

// unique returns the condition that no two pairs of relation x agree in part i.
func (c *encoder) unique(x *symbol, i int) lit {
	groups := map[eval.Value][]lit{}
	var on []lit
	for _, choice := range x.choices {
		value := c.space.Parts(choice.v)[i]
		for _, literal := range groups[value] {
			on = append(on, c.and(choice.on, literal).Not())
		}
		groups[value] = append(groups[value], choice.on)
	}
	return c.and(on...)
}

// side returns the domain (0) or range (1) of relation x.
func (c *encoder) side(x *symbol, i int) *symbol {
	out := make([]choice, len(x.choices))
	for j, k := range x.choices {
		out[j] = choice{c.space.Parts(k.v)[i], k.on}
	}
	return c.collect(set, out)
}
