package refute

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover/meaning"
)

// expr returns the symbol of expression t.
func (c *encoder) expr(term logic.Term) *symbol {
	k, ok := c.key(term, both)
	if ok {
		if s, found := c.exprs[k]; found {
			return s
		}
	}
	if c.over {
		return c.blank(term)
	}
	s := c.build(term)
	if s == nil {
		c.over = true
		s = c.blank(term)
	}
	if ok && !c.over {
		c.exprs[k] = s
	}
	return s
}

// blank returns a symbol of the type of t without choices.
func (c *encoder) blank(t logic.Term) *symbol { return c.blankOf(c.b.Type(t)) }

func (c *encoder) blankOf(typ logic.Type) *symbol {
	if l, r := c.b.Pair(typ); l != logic.NoType {
		return &symbol{shape: pair, l: c.blankOf(l), r: c.blankOf(r)}
	}
	if c.b.Elem(typ) != logic.NoType {
		return &symbol{shape: set}
	}
	return &symbol{}
}

// build returns the symbol of t, or nil if it is too large.
func (c *encoder) build(term logic.Term) *symbol {
	args := c.b.Args(term)
	switch op := c.b.Op(term); op {
	case logic.Int:
		return c.constant(c.space.Int(c.b.Value(term)))
	case logic.Free:
		return c.identifier(term)
	case logic.Bound:
		return c.env[len(c.env)-1-c.b.Index(term)]
	case logic.TrueE, logic.FalseE:
		return c.constant(c.space.Bool(op == logic.TrueE))
	case logic.BoolOf:
		literal := c.pred(args[0], both)
		return c.collect(scalar, []choice{{c.space.Bool(true), literal}, {c.space.Bool(false), literal.Not()}})
	case logic.Maplet:
		return &symbol{shape: pair, l: c.expr(args[0]), r: c.expr(args[1])}
	case logic.Plus, logic.Minus, logic.Neg, logic.Times, logic.Div, logic.Mod, logic.Exp:
		return c.arithmetic(op, args)
	case logic.Card:
		return c.card(c.expr(args[0]))
	case logic.Min, logic.Max:
		return c.extremum(op, c.expr(args[0]))
	case logic.Apply:
		return c.apply(term)
	}
	return c.set(term)
}

// set is build for sets.
func (c *encoder) set(t logic.Term) *symbol {
	op, args := c.b.Op(t), c.b.Args(t)
	if _, arrow := op.Arrow(); arrow {
		return c.members(t)
	}
	switch op {
	case logic.Given, logic.Bool, logic.Integer:
		return c.collect(set, slices.Clone(c.domain(c.b.Elem(c.b.Type(t)), maxChoices)))
	case logic.Natural, logic.Natural1, logic.Pow, logic.Pow1:
		return c.members(t)
	case logic.Empty:
		return c.constant(c.space.Set())
	case logic.SetExt:
		var out []choice
		for _, a := range args {
			out = append(out, c.values(c.expr(a))...)
		}
		return c.collect(set, c.limited(out))
	case logic.UpTo:
		return c.interval(c.expr(args[0]), c.expr(args[1]))
	case logic.Union, logic.Inter, logic.Diff:
		return c.combine(op, args)
	case logic.CProd:
		return c.product(c.expr(args[0]), c.expr(args[1]))
	case logic.GUnion, logic.GInter:
		// The union of listed sets needs no sets as values.
		if c.b.Op(args[0]) == logic.SetExt {
			return c.combine(map[logic.Op]logic.Op{logic.GUnion: logic.Union, logic.GInter: logic.Inter}[op], c.b.Args(args[0]))
		}
		if a, ok := c.arrayOfRange(args[0]); ok && op == logic.GUnion {
			return c.merge(a, t)
		}
		if op == logic.GInter {
			return c.common(c.expr(args[0]).choices)
		}
		return c.ofValues(slices.Clone(c.expr(args[0]).choices)).asSet()
	case logic.Compr, logic.QUnion, logic.QInter:
		return c.comprehension(t)
	}
	return c.relation(t)
}

// members returns set t as those values of the scope that are in it.
func (c *encoder) members(t logic.Term) *symbol {
	return c.where(c.domain(c.b.Elem(c.b.Type(t)), maxChoices), func(v eval.Value) lit { return c.member(c.constant(v), t) })
}

// relation is set for operators on relations. For any other operator, t is what the
// membership axiom says.
func (c *encoder) relation(t logic.Term) *symbol {
	args := c.b.Args(t)
	switch op := c.b.Op(t); op {
	case logic.Id, logic.Prj1, logic.Prj2, logic.Succ, logic.Pred:
		return c.atom(op, c.b.Type(t))
	case logic.Dom:
		if a, ok := c.array(args[0]); ok {
			return c.keys(a)
		}
		return c.side(c.expr(args[0]), 0)
	case logic.Ran:
		return c.side(c.expr(args[0]), 1)
	case logic.DomRes, logic.DomSub:
		return c.restrict(args[1], 0, args[0], op == logic.DomSub)
	case logic.RanRes, logic.RanSub:
		return c.restrict(args[0], 1, args[1], op == logic.RanSub)
	case logic.Image:
		return c.side(c.restrict(args[0], 0, args[1], false), 1)
	case logic.Converse:
		return c.mapPairs(c.expr(args[0]), func(x, y eval.Value) eval.Value { return c.space.Pair(y, x) })
	case logic.FComp, logic.BComp:
		s := c.expr(args[0])
		// From left to right; the argument applied first stands on the left of s;r and on the right
		// of r∘s.
		for _, a := range args[1:] {
			r := c.expr(a)
			if op == logic.BComp {
				s, r = r, s
			}
			if s = c.compose(s, r); s == nil {
				return nil
			}
		}
		return s
	case logic.Ovr:
		s := c.expr(args[0])
		for _, a := range args[1:] {
			r := c.expr(a)
			dom := c.side(r, 0)
			s = c.where(s.choices, func(value eval.Value) lit { return find(dom.choices, c.space.Parts(value)[0]).Not() })
			s = c.collect(set, slices.Concat(s.choices, r.choices))
		}
		return s
	case logic.DProd, logic.PProd:
		return c.pairwise(op, c.expr(args[0]), c.expr(args[1]))
	}
	// Operators without code of their own: none today, new ones at first.
	if u, ok := meaning.Comprehension(c.b, t); ok {
		return c.expr(u)
	}
	return nil
}

// restrict returns the pairs of relation r whose part i is in t, or is not.
func (c *encoder) restrict(r logic.Term, i int, t logic.Term, out bool) *symbol {
	return c.where(c.expr(r).choices, func(v eval.Value) lit {
		l := c.member(c.constant(c.space.Parts(v)[i]), t)
		if out {
			return l.Not()
		}
		return l
	})
}

func (c *encoder) product(x, y *symbol) *symbol {
	if len(x.choices)*len(y.choices) > maxChoices {
		return nil
	}
	var out []choice
	for _, k := range x.choices {
		for _, l := range y.choices {
			out = append(out, choice{c.space.Pair(k.v, l.v), c.and(k.on, l.on)})
		}
	}
	return c.collect(set, out)
}

// combine returns the union, intersection or difference of args.
func (c *encoder) combine(op logic.Op, args []logic.Term) *symbol {
	if op == logic.Union {
		var out []choice
		for _, term := range args {
			out = append(out, c.expr(term).choices...)
		}
		return c.collect(set, out)
	}
	return c.where(c.expr(args[0]).choices, func(value eval.Value) lit {
		var on []lit
		for _, term := range args[1:] {
			literal := c.member(c.constant(value), term)
			if op == logic.Diff {
				literal = literal.Not()
			}
			on = append(on, literal)
		}
		return c.and(on...)
	})
}

// asSet returns s, or the empty set if s has no choices at all.
func (s *symbol) asSet() *symbol {
	if len(s.choices) == 0 {
		return &symbol{shape: set}
	}
	return s
}

func (c *encoder) identifier(t logic.Term) *symbol {
	s, ok := c.free[t]
	if !ok {
		if a, ok := c.array(t); ok {
			return c.pairs(a)
		}
		if s = c.typed(t); c.over {
			return s
		}
		c.free[t] = s
		c.idents = append(c.idents, t)
	}
	return s
}

// where returns the set of the choices that satisfy p.
func (c *encoder) where(choices []choice, p func(eval.Value) lit) *symbol {
	out := make([]choice, 0, len(choices))
	for _, k := range choices {
		out = append(out, choice{k.v, c.and(k.on, p(k.v))})
	}
	return c.collect(set, out)
}

func (c *encoder) mapPairs(x *symbol, f func(x, y eval.Value) eval.Value) *symbol {
	out := make([]choice, len(x.choices))
	for i, k := range x.choices {
		p := c.space.Parts(k.v)
		out[i] = choice{f(p[0], p[1]), k.on}
	}
	return c.collect(set, out)
}

// atom returns a generic relation on the values of the scope.
func (c *encoder) atom(op logic.Op, typ logic.Type) *symbol {
	dom, _ := c.b.RelPair(typ)
	var out []choice
	for _, k := range c.domain(dom, maxChoices) {
		value := k.v
		switch op {
		case logic.Prj1:
			value = c.space.Parts(k.v)[0]
		case logic.Prj2:
			value = c.space.Parts(k.v)[1]
		case logic.Succ, logic.Pred:
			d := big.NewInt(1)
			if op == logic.Pred {
				d.SetInt64(-1)
			}
			value = c.space.Int(d.Add(d, c.space.Big(k.v)))
		}
		out = append(out, choice{c.space.Pair(k.v, value), k.on})
	}
	return c.collect(set, out)
}

// arithmetic combines the values of integers, with their conditions; nil if there are too many.
func (c *encoder) arithmetic(op logic.Op, args []logic.Term) *symbol {
	s := c.expr(args[0])
	if op == logic.Neg {
		s, args = c.constant(c.space.Int64(0)), []logic.Term{0, args[0]}
		op = logic.Minus
	}
	for _, term := range args[1:] {
		r := c.expr(term)
		if len(s.choices)*len(r.choices) > 40*maxChoices {
			return nil
		}
		var out []choice
		for _, k := range s.choices {
			for _, l := range r.choices {
				if v, ok := c.calculate(op, c.space.Big(k.v), c.space.Big(l.v)); ok {
					out = append(out, choice{c.space.Int(v), c.and(k.on, l.on)})
				}
			}
		}
		if s = c.collect(scalar, out); len(s.choices) > maxChoices {
			return nil
		}
	}
	return s
}

// calculate applies op, and answers false where that is ill-defined or too large.
func (c *encoder) calculate(op logic.Op, x, y *big.Int) (*big.Int, bool) {
	z := new(big.Int)
	switch op {
	case logic.Plus:
		return z.Add(x, y), true
	case logic.Minus:
		return z.Sub(x, y), true
	case logic.Times:
		return z.Mul(x, y), x.BitLen()+y.BitLen() < 512
	case logic.Div:
		if y.Sign() == 0 {
			return nil, false
		}
		return z.Quo(x, y), true
	case logic.Mod:
		if x.Sign() < 0 || y.Sign() <= 0 {
			return nil, false
		}
		return z.Rem(x, y), true
	}
	if x.Sign() < 0 || y.Sign() < 0 || y.BitLen() > 8 || x.BitLen() > 64 {
		return nil, false
	}
	return z.Exp(x, y, nil), true
}

// maxInterval bounds the intervals whose members are all listed.
const maxInterval = 260

// interval returns lo‥hi. Bounds that make it long are left out of the models;
// if there are no others, only the integers of the scope are listed.
func (c *encoder) interval(lo, hi *symbol) *symbol {
	var members []eval.Value
	var long [][2]lit
	// All pairs of bounds: each choice may be taken.
	for _, k := range lo.choices {
		from := c.space.Big(k.v)
		for _, l := range hi.choices {
			n := new(big.Int).Sub(c.space.Big(l.v), from)
			if n.Sign() < 0 {
				continue
			}
			if n.Cmp(big.NewInt(maxInterval)) > 0 {
				long = append(long, [2]lit{k.on, l.on})
				continue
			}
			for i := range n.Int64() + 1 {
				members = append(members, c.space.Int(new(big.Int).Add(from, big.NewInt(i))))
			}
		}
	}
	// All intervals are long: then the integers of the scope must do, and models are confirmed
	// exactly anyway.
	if len(long) > 0 && len(members) == 0 {
		members, long = c.ints, nil
	}
	for _, ends := range long {
		c.require(ends[0].Not(), ends[1].Not())
	}
	members = slices.Clone(members)
	slices.Sort(members)
	var out []choice
	for _, value := range slices.Compact(members) {
		s := c.constant(value)
		out = append(out, choice{value, c.and(c.atMost(lo, s), c.atMost(s, hi))})
	}
	return c.collect(set, out)
}

// card returns the number of members of x.
func (c *encoder) card(x *symbol) *symbol {
	if len(x.choices) > 80 {
		return nil
	}
	counts := []lit{yes} // counts[n]: n members so far
	for _, k := range x.choices {
		next := make([]lit, len(counts)+1)
		for n := range next {
			var stay, step lit = no, no
			if n < len(counts) {
				stay = c.and(counts[n], k.on.Not())
			}
			if n > 0 {
				step = c.and(counts[n-1], k.on)
			}
			next[n] = c.or(stay, step)
		}
		counts = next
	}
	var out []choice
	for n, on := range counts {
		out = append(out, choice{c.space.Int64(int64(n)), on})
	}
	return c.collect(scalar, out)
}

func (c *encoder) extremum(op logic.Op, x *symbol) *symbol {
	choices := c.ordered(x)
	if op == logic.Max {
		slices.Reverse(choices)
	}
	var before []lit
	var out []choice
	for _, k := range choices {
		out = append(out, choice{k.v, c.and(append([]lit{k.on}, before...)...)})
		before = append(before, k.on.Not())
	}
	return c.collect(scalar, out)
}

// compose is the composition of two relations with listed pairs; nil if there are too many.
func (c *encoder) compose(p, q *symbol) *symbol {
	images := map[eval.Value][]choice{}
	for _, k := range q.choices {
		xy := c.space.Parts(k.v)
		images[xy[0]] = append(images[xy[0]], choice{xy[1], k.on})
	}
	var out []choice
	for _, k := range p.choices {
		xy := c.space.Parts(k.v)
		for _, l := range images[xy[1]] {
			out = append(out, choice{c.space.Pair(xy[0], l.v), c.and(k.on, l.on)})
		}
		if len(out) > 10*maxChoices {
			return nil
		}
	}
	return c.collect(set, out)
}

// pairwise is the direct or parallel product of two relations; nil if it has too many pairs.
func (c *encoder) pairwise(op logic.Op, p, q *symbol) *symbol {
	if op == logic.PProd && len(p.choices)*len(q.choices) > maxChoices {
		return nil
	}
	var out []choice
	for _, k := range p.choices {
		for _, l := range q.choices {
			x, y := c.space.Parts(k.v), c.space.Parts(l.v)
			switch {
			case op == logic.PProd:
				value := c.space.Pair(c.space.Pair(x[0], y[0]), c.space.Pair(x[1], y[1]))
				out = append(out, choice{value, c.and(k.on, l.on)})
			case x[0] == y[0]:
				value := c.space.Pair(x[0], c.space.Pair(x[1], y[1]))
				out = append(out, choice{value, c.and(k.on, l.on)})
			}
		}
	}
	return c.collect(set, out)
}

// common returns the intersection of the sets that are on.
func (c *encoder) common(sets []choice) *symbol {
	all := c.ofValues(slices.Clone(sets)).asSet()
	return c.where(all.choices, func(value eval.Value) lit {
		var on []lit
		for _, k := range sets {
			if !slices.Contains(c.space.Parts(k.v), value) {
				on = append(on, k.on.Not())
			}
		}
		return c.and(on...)
	})
}

// apply returns f(x).
func (c *encoder) apply(t logic.Term) *symbol {
	f, arg := c.b.Arg(t, 0), c.expr(c.b.Arg(t, 1))
	switch c.b.Op(f) {
	case logic.Id:
		return arg
	case logic.Prj1:
		return c.split(arg).l
	case logic.Prj2:
		return c.split(arg).r
	case logic.Succ, logic.Pred:
		var out []choice
		d := big.NewInt(1)
		if c.b.Op(f) == logic.Pred {
			d.SetInt64(-1)
		}
		for _, k := range arg.choices {
			out = append(out, choice{c.space.Int(new(big.Int).Add(d, c.space.Big(k.v))), k.on})
		}
		return c.collect(scalar, out)
	case logic.Compr:
		if s, ok := c.applyLambda(f, arg); ok {
			return s
		}
	}
	if a, ok := c.array(f); ok {
		return c.at(a, arg, t)
	}
	// In general: the values that f has for arguments equal to arg. Where f has none the term
	// is ill-defined, and has no choice.
	var out []choice
	for _, k := range c.expr(f).choices {
		p := c.space.Parts(k.v)
		if literal := c.is(arg, p[0]); literal != no {
			out = append(out, choice{p[1], c.and(k.on, literal)})
		}
	}
	if len(out) == 0 {
		return c.blank(t)
	}
	s := c.ofValues(out)
	if left, _ := c.b.Pair(c.b.Type(t)); left != logic.NoType {
		return c.split(s)
	}
	return s
}
