package refute

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// A choice is a constant together with the condition on which it is meant.
type choice struct {
	v  eval.Value
	on lit
}

// shape tells how a symbol stands for a value.
type shape uint8

const (
	scalar shape = iota // the one choice that is on
	pair                // l ↦ r
	set                 // the set of the choices that are on
)

// symbol is an expression whose value depends on propositional variables.
type symbol struct {
	shape   shape
	choices []choice // ordered by value
	l, r    *symbol
}

// collect orders choices by value and joins those of the same value.
func (c *encoder) collect(shape shape, choices []choice) *symbol {
	slices.SortStableFunc(choices, func(x, y choice) int { return int(x.v) - int(y.v) })
	out := choices[:0]
	for i := 0; i < len(choices); {
		j := i
		var on []lit
		for ; j < len(choices) && choices[j].v == choices[i].v; j++ {
			on = append(on, choices[j].on)
		}
		if literal := c.or(on...); literal != no {
			out = append(out, choice{choices[i].v, literal})
		}
		i = j
	}
	return &symbol{shape: shape, choices: out}
}

// constant returns the symbol of v.
func (c *encoder) constant(v eval.Value) *symbol {
	if s, ok := c.constants[v]; ok {
		return s
	}
	s := &symbol{}
	switch c.space.Kind(v) {
	case eval.Pair:
		p := c.space.Parts(v)
		s = &symbol{shape: pair, l: c.constant(p[0]), r: c.constant(p[1])}
	case eval.Set:
		s.shape = set
		for _, x := range c.space.Parts(v) {
			s.choices = append(s.choices, choice{x, yes})
		}
	default:
		s.choices = []choice{{v, yes}}
	}
	c.constants[v] = s
	return s
}

func find(choices []choice, v eval.Value) lit {
	i, ok := slices.BinarySearchFunc(choices, v, func(x choice, v eval.Value) int { return int(x.v) - int(v) })
	if !ok {
		return no
	}
	return choices[i].on
}

// is returns the condition that x has value v.
func (c *encoder) is(x *symbol, v eval.Value) lit {
	switch x.shape {
	case scalar:
		return find(x.choices, v)
	case pair:
		p := c.space.Parts(v)
		literal := c.is(x.l, p[0])
		if literal == no {
			return no
		}
		return c.and(literal, c.is(x.r, p[1]))
	}
	// Choices and members are both ordered by value.
	members := c.space.Parts(v)
	var buf [64]lit
	on := buf[:0]
	for _, choice := range x.choices {
		switch {
		case len(members) == 0 || choice.v < members[0]:
			on = append(on, choice.on.Not())
		case choice.v > members[0] || choice.on == no:
			return no
		default:
			on, members = append(on, choice.on), members[1:]
		}
	}
	if len(members) > 0 {
		return no
	}
	return c.and(on...)
}

// equal returns the condition that x and y have the same value.
func (c *encoder) equal(x, y *symbol) lit {
	if x == y {
		return yes
	}
	if x.shape == scalar && y.shape == pair {
		x = c.split(x)
	}
	if x.shape == pair && y.shape == scalar {
		y = c.split(y)
	}
	// Both have the same shape now. Members that only one of the sets can have must be off.
	switch x.shape {
	case pair:
		literal := c.equal(x.l, y.l)
		if literal == no {
			return no
		}
		return c.and(literal, c.equal(x.r, y.r))
	case scalar:
		var on []lit
		for _, choice := range x.choices {
			if literal := find(y.choices, choice.v); literal != no {
				on = append(on, c.and(choice.on, literal))
			}
		}
		return c.or(on...)
	}
	var on []lit
	for _, choice := range x.choices {
		on = append(on, c.iff(choice.on, find(y.choices, choice.v)))
	}
	for _, choice := range y.choices {
		if find(x.choices, choice.v) == no {
			on = append(on, choice.on.Not())
		}
	}
	return c.and(on...)
}

// split returns x, of a product type, as a pair.
func (c *encoder) split(x *symbol) *symbol {
	if x.shape == pair {
		return x
	}
	var l, r []choice
	for _, k := range x.choices {
		p := c.space.Parts(k.v)
		l, r = append(l, choice{p[0], k.on}), append(r, choice{p[1], k.on})
	}
	return &symbol{shape: pair, l: c.ofValues(l), r: c.ofValues(r)}
}

// ofValues returns the symbol of the value whose choice is on.
func (c *encoder) ofValues(choices []choice) *symbol {
	if len(choices) == 0 {
		return &symbol{}
	}
	if c.space.Kind(choices[0].v) != eval.Set {
		return c.collect(scalar, choices)
	}
	var members []choice
	for _, k := range choices {
		for _, value := range c.space.Parts(k.v) {
			members = append(members, choice{value, k.on})
		}
	}
	return c.collect(set, members)
}

// maxChoices bounds the choices of one symbol.
const maxChoices = 700

// values lists the possible values of x.
func (c *encoder) values(x *symbol) []choice {
	switch x.shape {
	case scalar:
		return x.choices
	case pair:
		var out []choice
		rs := c.values(x.r)
		for _, l := range c.values(x.l) {
			for _, r := range rs {
				if on := c.and(l.on, r.on); on != no {
					out = append(out, choice{c.space.Pair(l.v, r.v), on})
				}
			}
		}
		return c.limited(out)
	}
	// A set has a value for each choice of its uncertain members: 2⁹ = 512 is the last power
	// below maxChoices.
	free := 0
	for _, k := range x.choices {
		if k.on != yes {
			free++
		}
	}
	if free > 9 {
		c.over = true
		return nil
	}
	out := []choice{{0, yes}}
	sets := [][]eval.Value{nil}
	for _, k := range x.choices {
		n := len(out)
		for i := range n {
			with := append(slices.Clone(sets[i]), k.v)
			if k.on == yes {
				sets[i] = with
				continue
			}
			out = append(out, choice{0, c.and(out[i].on, k.on)})
			sets = append(sets, with)
			out[i].on = c.and(out[i].on, k.on.Not())
		}
	}
	for i := range out {
		out[i].v = c.space.Set(sets[i]...)
	}
	return out
}

func (c *encoder) limited(choices []choice) []choice {
	if len(choices) > maxChoices {
		c.over = true
		return nil
	}
	return choices
}

// domain lists the values of type t in the scope, each with the condition that
// it exists: at most limit of them, so perhaps not all.
func (c *encoder) domain(typ logic.Type, limit int) []choice {
	if d, ok := c.domains[domainKey{typ, limit}]; ok {
		return d
	}
	var out []choice
	switch c.b.TypeKind(typ) {
	case logic.KindInt:
		for _, value := range c.ints[:min(limit, len(c.ints))] {
			out = append(out, choice{value, yes})
		}
	case logic.KindBool:
		out = []choice{{c.space.Bool(false), yes}, {c.space.Bool(true), yes}}
	case logic.KindGiven:
		for i, on := range c.exist[c.b.GivenName(typ)] {
			out = append(out, choice{c.space.Element(c.b.GivenName(typ), i), on})
		}
	case logic.KindProd:
		left, right := c.b.Pair(typ)
		l, r := c.sides(left, right, limit)
		ls, rs := c.domain(left, l.limit)[:l.n], c.domain(right, r.limit)[:r.n]
		for _, x := range ls {
			for _, y := range rs {
				out = append(out, choice{c.space.Pair(x.v, y.v), c.and(x.on, y.on)})
			}
		}
	case logic.KindPow:
		n := 0
		// As many elements as have no more than limit subsets.
		for 2<<n <= limit && n < 12 {
			n++
		}
		elems := c.domain(c.b.Elem(typ), max(n, 1))
		out = c.subsets(elems[:min(len(elems), max(n, 1))])
	}
	if !c.over {
		c.domains[domainKey{typ, limit}] = out
	}
	return out
}

// side is the first n values of domain under a limit.
type side struct{ limit, n int }

// sides are the values of two types whose pairs are at most limit. The longer side is shortened first, one at a time,
// so that both keep some variety.
func (c *encoder) sides(left, right logic.Type, limit int) (l, r side) {
	l, r = side{limit, c.size(left, limit)}, side{limit, c.size(right, limit)}
	shorter := func(typ logic.Type, s side) side { return side{s.n - 1, min(c.size(typ, s.n-1), s.n-1)} }
	for l.n*r.n > limit && (l.n > 1 || r.n > 1) {
		if l.n > 1 && l.n*2 >= r.n {
			l = shorter(left, l)
		} else {
			r = shorter(right, r)
		}
	}
	return l, r
}

// size is how many values domain lists. Those of a product need not be listed for it: for most limits they are not needed.
func (c *encoder) size(typ logic.Type, limit int) int {
	key := domainKey{typ, limit}
	if n, ok := c.sizes[key]; ok {
		return n
	}
	n := 0
	if c.b.TypeKind(typ) == logic.KindProd {
		left, right := c.b.Pair(typ)
		l, r := c.sides(left, right, limit)
		n = l.n * r.n
	} else {
		n = len(c.domain(typ, limit))
	}
	c.sizes[key] = n
	return n
}

func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }

type domainKey struct {
	t     logic.Type
	limit int
}

// subsets lists the sets of some of the elements, the smaller first.
func (c *encoder) subsets(elems []choice) []choice {
	var out []choice
	for mask := range 1 << len(elems) {
		var vs []eval.Value
		var on []lit
		for i, x := range elems {
			if mask>>i&1 == 1 {
				vs = append(vs, x.v)
				on = append(on, x.on)
			}
		}
		out = append(out, choice{c.space.Set(vs...), c.and(on...)})
	}
	return out
}

// variable returns a symbol of type t with fresh propositional variables.
func (c *encoder) variable(typ logic.Type) *symbol {
	switch c.b.TypeKind(typ) {
	case logic.KindProd:
		left, right := c.b.Pair(typ)
		return &symbol{shape: pair, l: c.variable(left), r: c.variable(right)}
	case logic.KindPow:
		return c.subsetOf(c.domain(c.b.Elem(typ), c.width))
	case logic.KindBool:
		literal := c.fresh()
		return c.collect(scalar, []choice{{c.space.Bool(true), literal}, {c.space.Bool(false), literal.Not()}})
	}
	return c.oneOf(c.domain(typ, maxChoices))
}

// subsetOf returns a symbol for any set of the given members.
func (c *encoder) subsetOf(members []choice) *symbol {
	var out []choice
	for _, x := range members {
		l := c.fresh()
		c.require(l.Not(), x.on)
		out = append(out, choice{x.v, l})
	}
	return c.collect(set, out)
}

// oneOf returns a symbol for any of the given scalars.
func (c *encoder) oneOf(values []choice) *symbol {
	var out []choice
	var all []lit
	for _, x := range values {
		l := c.fresh()
		c.require(l.Not(), x.on)
		for _, m := range all {
			// There are many of these, and new variables need none of what require does.
			if !c.over {
				c.solver.Add(m.Not(), l.Not())
			}
		}
		all = append(all, l)
		out = append(out, choice{x.v, l})
	}
	c.require(all...)
	return c.collect(scalar, out)
}

// polarity tells how the condition of a predicate is used: asserted, denied, or
// both. A witness of an asserted ∃ may be left to the solver.
type polarity int32 // as wide as a term, so that a memoKey has no gaps and a map finds it fast

const (
	denied   polarity = -1
	both     polarity = 0
	asserted polarity = 1
)

// encoder turns formulas into conditions on propositional variables. It stands
// for the formulas in models of a scope; where that has no exact form, as with
// quantifiers over ℤ, it approximates: models are confirmed elsewhere.
type encoder struct {
	*circuit
	b       *logic.Bank
	space   *eval.Space
	ints    []eval.Value     // the integers of the scope, the simplest first
	exist   map[string][]lit // of each carrier set: which elements there are
	endless map[string]bool  // carrier sets that are infinite: a scope has some of their elements, as of the integers
	width   int              // bound of the possible members of a set variable

	typing map[logic.Term][]logic.Term // sets that identifiers are in

	constants map[eval.Value]*symbol
	domains   map[domainKey][]choice
	sizes     map[domainKey]int // of domains
	free      map[logic.Term]*symbol
	arrays    map[logic.Term]array          // identifiers that are such
	arrayOf   func(t logic.Term) logic.Term // the set of functions to sets that an identifier is in; nil without arrays
	idents    []logic.Term                  // the keys of free, in order of appearance
	env       []*symbol
	preds     map[memoKey]lit
	exprs     map[memoKey]*symbol
	masks     map[maskKey]uint64
}

// memoKey is a term with the symbols of its dangling variables, of two at most.
type memoKey struct {
	t    logic.Term
	pol  polarity
	a, b *symbol
}

type maskKey struct {
	t logic.Term
	k int
}
