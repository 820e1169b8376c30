package refute

import (
	"math/bits"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// conjunct is a part of what restricts the variables of a binder.
type conjunct struct {
	t    logic.Term
	neg  bool
	mask uint64 // of the variables in it, by place of declaration
}

// A search goes through the values of a binder's variables.
type search struct {
	*encoder
	decls []logic.Type
	base  int
	pol   polarity
	yield func(on lit)
}

// mask returns which of the k innermost variables occur in t.
func (c *encoder) mask(term logic.Term, k int) uint64 {
	if m, ok := c.masks[maskKey{term, k}]; ok {
		return m
	}
	var m uint64
	for i := range eval.BoundIn(c.b, term) {
		if i < k {
			m |= 1 << (k - 1 - i)
		}
	}
	c.masks[maskKey{term, k}] = m
	return m
}

// conjuncts splits t, or ¬t, into its parts.
func (c *encoder) conjuncts(t logic.Term, neg bool, k int, out []conjunct) []conjunct {
	args := c.b.Args(t)
	switch op := c.b.Op(t); {
	case op == logic.And && !neg || op == logic.Or && neg:
		for _, a := range args {
			out = c.conjuncts(a, neg, k, out)
		}
		return out
	case op == logic.Not:
		return c.conjuncts(args[0], !neg, k, out)
	case op == logic.Implies && neg:
		return c.conjuncts(args[1], true, k, c.conjuncts(args[0], false, k, out))
	}
	return append(out, conjunct{t, neg, c.mask(t, k)})
}

// exists returns the condition of an Exists term, and of the negation of a
// Forall term.
func (c *encoder) exists(t logic.Term, pol polarity) lit {
	var on []lit
	c.solutions(t, pol, func(l lit) { on = append(on, l) })
	return c.or(on...)
}

// solutions calls yield with the condition of each solution of binder t, whose
// variables are set in the environment. For an asserted condition, variables may
// be left open.
func (c *encoder) solutions(term logic.Term, pol polarity, yield func(on lit)) {
	decls := c.b.Decls(term)
	if len(decls) > 60 {
		c.over = true
		return
	}
	s := &search{c, decls, len(c.env), pol, yield}
	lits := c.conjuncts(c.b.Arg(term, 0), c.b.Op(term) == logic.Forall, len(decls), nil)
	outer := c.env
	c.env = append(slices.Clip(c.env), make([]*symbol, len(decls))...)
	s.step(lits, 0, yes)
	c.env = outer
}

// step decides the next conjuncts of a quantified formula, and then tries values for the next variable.
func (s *search) step(lits []conjunct, set uint64, on lit) {
	if s.work -= 4; s.over {
		return
	}
	// Conjuncts whose variables all have values come first: one that is false cuts the branch
	// before anything is enumerated.
	rest := make([]conjunct, 0, len(lits))
	all := []lit{on}
	for _, l := range lits {
		if l.mask&^set != 0 {
			rest = append(rest, l)
			continue
		}
		var literal lit
		if l.neg {
			literal = s.pred(l.t, -s.pol).Not()
		} else {
			literal = s.pred(l.t, s.pol)
		}
		if literal == no {
			return
		}
		all = append(all, literal)
	}
	if on = s.and(all...); on == no {
		return
	}
	if bits.OnesCount64(set) == len(s.decls) {
		s.yield(on)
		return
	}
	g := s.choose(rest, set)
	if g.used >= 0 {
		rest = slices.Delete(rest, g.used, g.used+1)
	}
	// A symbol stands for all values at once; otherwise each choice is a branch.
	if g.symbol != nil {
		s.env[s.base+g.index] = g.symbol
		s.step(rest, set|1<<g.index, on)
		s.env[s.base+g.index] = nil
		return
	}
	for _, choice := range g.choices {
		next, literal := set, s.and(on, choice.on)
		if g.pattern == 0 {
			s.env[s.base+g.index] = s.constant(choice.v)
			next |= 1 << g.index
		} else {
			literal = s.and(literal, s.match(g.pattern, choice.v, &next))
		}
		if literal != no {
			s.step(rest, next, literal)
		}
		for m := next &^ set; m != 0; m &= m - 1 {
			s.env[s.base+bits.TrailingZeros64(m)] = nil
		}
	}
}

// generator gives a variable a symbol, or goes through choices for a variable or
// for a pattern of variables.
type generator struct {
	pattern logic.Term
	index   int
	symbol  *symbol
	choices []choice
	used    int // the conjunct that it makes true, or -1
}

func (s *search) variable(t logic.Term) (int, bool) {
	if s.b.Op(t) != logic.Bound || s.b.Index(t) >= len(s.decls) {
		return 0, false
	}
	return len(s.decls) - 1 - s.b.Index(t), true
}

func (s *search) match(term logic.Term, value eval.Value, set *uint64) lit {
	if j, ok := s.variable(term); ok && *set>>j&1 == 0 {
		s.env[s.base+j] = s.constant(value)
		*set |= 1 << j
		return yes
	}
	if s.b.Op(term) == logic.Maplet {
		p := s.space.Parts(value)
		literal := s.match(s.b.Arg(term, 0), p[0], set)
		return s.and(literal, s.match(s.b.Arg(term, 1), p[1], set))
	}
	return s.is(s.expr(term), value)
}

func (s *search) fits(t logic.Term, set uint64) bool {
	free := false
	var walk func(t logic.Term) bool
	walk = func(t logic.Term) bool {
		if j, ok := s.variable(t); ok {
			free = free || set>>j&1 == 0
			return true
		}
		if s.b.Op(t) == logic.Maplet {
			return walk(s.b.Arg(t, 0)) && walk(s.b.Arg(t, 1))
		}
		return s.mask(t, len(s.decls))&^set == 0
	}
	return walk(t) && free
}

// choose returns the generator with the fewest choices.
func (s *search) choose(lits []conjunct, set uint64) generator {
	k := len(s.decls)
	best := generator{index: -1}
	size := 1 << 30
	offer := func(n int, g generator) {
		if n < size {
			size, best = n, g
		}
	}
	// An equation determines its variable, so nothing can be better. A subset of more than
	// eight members has more than 256 values, which no list is worth.
	for i, l := range lits {
		op, args := s.b.Op(l.t), s.b.Args(l.t)
		switch {
		case op == logic.Eq && !l.neg || op == logic.Neq && l.neg:
			for a := range args {
				if j, ok := s.variable(args[a]); ok && set>>j&1 == 0 && s.mask(args[1-a], k)&^set == 0 {
					return generator{index: j, symbol: s.expr(args[1-a]), used: i}
				}
			}
		case op == logic.In && !l.neg || op == logic.NotIn && l.neg:
			if s.fits(args[0], set) && s.mask(args[1], k)&^set == 0 && s.listable(args[1]) {
				x := s.expr(args[1])
				offer(len(x.choices), generator{pattern: args[0], choices: x.choices, used: i})
			}
		case op == logic.SubsetEq && !l.neg || op == logic.NotSubsetEq && l.neg:
			if j, ok := s.variable(args[0]); ok && set>>j&1 == 0 && s.mask(args[1], k)&^set == 0 && s.listable(args[1]) {
				if x := s.expr(args[1]); len(x.choices) <= 8 {
					offer(1<<len(x.choices), generator{index: j, choices: s.subsets(x.choices), used: i})
				}
			}
		}
	}
	// Variables without a conjunct that lists them: a witness of what is asserted is left to the
	// solver; then bounds; last the whole domain, which is avoided (+4) where it is about as large.
	for j, typ := range s.decls {
		if set>>j&1 == 1 {
			continue
		}
		if s.pol == asserted && size > 1 {
			return generator{index: j, symbol: s.encoder.variable(typ), used: -1}
		}
		if typ == logic.IntType {
			if x := s.bounded(j, lits, set); x != nil {
				offer(len(x), generator{index: j, choices: x, used: -1})
				continue
			}
		}
		if size > 8 {
			x := s.domain(typ, maxChoices)
			offer(len(x)+4, generator{index: j, choices: x, used: -1})
		}
	}
	return best
}

// listable reports whether the choices of t are all its possible members, and
// not just those in the scope's integers.
func (c *encoder) listable(t logic.Term) bool {
	op := c.b.Op(t)
	if _, arrow := op.Arrow(); arrow {
		return false
	}
	switch op {
	case logic.Integer, logic.Natural, logic.Natural1, logic.Pow, logic.Pow1, logic.Id, logic.Succ, logic.Pred:
		return false
	case logic.CProd, logic.Inter:
		for _, a := range c.b.Args(t) {
			if !c.listable(a) {
				return false
			}
		}
	case logic.Diff:
		return c.listable(c.b.Arg(t, 0))
	}
	return true
}

// bounded lists the values between bounds that conjuncts give variable j.
func (s *search) bounded(j int, lits []conjunct, set uint64) []choice {
	var lo, hi []choice
	for _, l := range lits {
		op, args := s.b.Op(l.t), s.b.Args(l.t)
		if len(args) != 2 || l.mask&^set != 1<<j {
			continue
		}
		// ¬(a < b) bounds as a ≥ b does.
		if l.neg {
			op = map[logic.Op]logic.Op{logic.Lt: logic.Ge, logic.Le: logic.Gt, logic.Gt: logic.Le, logic.Ge: logic.Lt}[op]
		}
		for a := range args {
			if i, ok := s.variable(args[a]); !ok || i != j || s.mask(args[1-a], len(s.decls))>>j&1 == 1 {
				continue
			}
			switch below := op == logic.Lt || op == logic.Le; {
			case op != logic.Lt && op != logic.Le && op != logic.Gt && op != logic.Ge:
			case below == (a == 0):
				hi = s.ordered(s.expr(args[1-a]))
			default:
				lo = s.ordered(s.expr(args[1-a]))
			}
		}
		if i, ok := s.variable(args[0]); ok && i == j && op == logic.In {
			switch s.b.Op(args[1]) {
			case logic.Natural:
				lo = []choice{{s.space.Int64(0), yes}}
			case logic.Natural1:
				lo = []choice{{s.space.Int64(1), yes}}
			}
		}
	}
	if len(lo) == 0 || len(hi) == 0 {
		return nil
	}
	x := s.interval(&symbol{choices: lo[:1]}, &symbol{choices: hi[len(hi)-1:]})
	for i := range x.choices {
		x.choices[i].on = yes
	}
	return x.choices
}

// comprehension returns {x·P∣E}, ⋃x·P∣E or ⋂x·P∣E.
func (c *encoder) comprehension(term logic.Term) *symbol {
	body := c.b.Arg(term, 1)
	var out []choice
	c.solutions(term, both, func(on lit) {
		x := c.expr(body)
		choices := x.choices
		if c.b.Op(term) != logic.QUnion {
			choices = c.values(x)
		}
		for _, k := range choices {
			if literal := c.and(on, k.on); literal != no {
				out = append(out, choice{k.v, literal})
			}
		}
		if len(out) > 20*maxChoices {
			c.over = true
		}
	})
	if c.b.Op(term) == logic.QInter {
		return c.common(out)
	}
	return c.collect(set, out)
}

// binding sets the variables of comprehension t, whose expression or left side
// of it is the pattern e, to the parts of x, and runs f. It answers false if e is
// no pattern of all the variables.
func (c *encoder) binding(term, e logic.Term, x *symbol, f func()) bool {
	k := len(c.b.Decls(term))
	vars := make([]*symbol, k)
	var walk func(e logic.Term, x *symbol) bool
	walk = func(e logic.Term, x *symbol) bool {
		switch c.b.Op(e) {
		case logic.Maplet:
			p := c.split(x)
			return walk(c.b.Arg(e, 0), p.l) && walk(c.b.Arg(e, 1), p.r)
		case logic.Bound:
			if i := c.b.Index(e); i < k && vars[k-1-i] == nil {
				vars[k-1-i] = x
				return true
			}
		}
		return false
	}
	if !walk(e, x) || slices.Contains(vars, nil) {
		return false
	}
	// Clipped, so that an append below cannot write into what an outer binder sees.
	outer := c.env
	c.env = append(slices.Clip(c.env), vars...)
	f()
	c.env = outer
	return true
}

// inComprehension returns the condition of x ∈ t.
func (c *encoder) inComprehension(x *symbol, term logic.Term) (l lit) {
	body := c.b.Arg(term, 1)
	op := c.b.Op(term)
	if op == logic.Compr && c.binding(term, body, x, func() { l = c.pred(c.b.Arg(term, 0), both) }) {
		return l
	}
	var on []lit
	c.solutions(term, both, func(l lit) {
		switch op {
		case logic.Compr:
			on = append(on, c.and(l, c.equal(c.expr(body), x)))
		case logic.QUnion:
			on = append(on, c.and(l, c.member(x, body)))
		default:
			on = append(on, c.and(l, c.member(x, body).Not()))
		}
	})
	if op == logic.QInter {
		return c.or(on...).Not()
	}
	return c.or(on...)
}

// lambda returns pattern and value of comprehension t, if it has the form.
func (c *encoder) lambda(t logic.Term) (pattern, value logic.Term, ok bool) {
	if c.b.Op(t) != logic.Compr || c.b.Op(c.b.Arg(t, 1)) != logic.Maplet {
		return 0, 0, false
	}
	e := c.b.Arg(t, 1)
	return c.b.Arg(e, 0), c.b.Arg(e, 1), true
}

// inLambda returns the condition of x ∈ dom(t) for λ t.
func (c *encoder) inLambda(x *symbol, t logic.Term) (l lit, ok bool) {
	pattern, _, ok := c.lambda(t)
	if !ok {
		return no, false
	}
	ok = c.binding(t, pattern, x, func() { l = c.pred(c.b.Arg(t, 0), both) })
	return l, ok
}

func (c *encoder) applyLambda(t logic.Term, x *symbol) (s *symbol, ok bool) {
	pattern, value, ok := c.lambda(t)
	if !ok {
		return nil, false
	}
	ok = c.binding(t, pattern, x, func() { s = c.expr(value) })
	return s, ok
}
