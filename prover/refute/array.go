package refute

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// An entry of an array is an argument of a function, the condition that the function has a value
// for it, and the symbol of that value.
type entry struct {
	key   eval.Value
	on    lit
	value *symbol
}

// An array is a function to sets, by its arguments, each of which stands in one entry. As a set of
// pairs, it would need one possible member for each set that may be a value.
type array []entry

// maxKeys bounds the arguments of an array.
const maxKeys = 60

// arrayOf returns the set of functions to sets that the hypotheses put identifier t in, or 0.
func (k *known) arrayOf(bank *logic.Bank, t logic.Term) logic.Term {
	for _, set := range k.typing[t] {
		if want, arrow := bank.Op(set).Arrow(); arrow && want.Functional && bank.Elem(bank.Elem(bank.Type(bank.Arg(set, 1)))) != logic.NoType {
			return set
		}
	}
	return 0
}

func (f *finder) arrayOf(t logic.Term) logic.Term { return f.known.arrayOf(f.s.Bank, t) }

// array returns the function to sets t as an array, where it is one of the forms that have their
// arguments listed.
func (c *encoder) array(t logic.Term) (array, bool) {
	if c.arrayOf == nil || c.over {
		return nil, false
	}
	if _, ran := c.b.RelPair(c.b.Type(t)); ran == logic.NoType || c.b.Elem(ran) == logic.NoType {
		return nil, false
	}
	// Only forms that list their arguments one by one can be entries with a condition each.
	args := c.b.Args(t)
	switch c.b.Op(t) {
	case logic.Free:
		if a, ok := c.arrays[t]; ok {
			return a, true
		}
		set := c.arrayOf(t)
		if _, listed := c.free[t]; listed || set == 0 {
			return nil, false
		}
		return c.newArray(t, set)
	case logic.SetExt:
		return c.listedArray(args)
	case logic.Ovr:
		out, ok := c.array(args[0])
		for _, t := range args[1:] {
			a, more := c.array(t)
			if ok = ok && more; !ok {
				return nil, false
			}
			out = c.override(out, a)
		}
		return out, ok
	// An entry stays where its key is in the set, or for domain subtraction where it is not.
	case logic.DomRes, logic.DomSub:
		a, ok := c.array(args[1])
		out := slices.Clone(a)
		for i, e := range out {
			in := c.member(c.constant(e.key), args[0])
			if c.b.Op(t) == logic.DomSub {
				in = in.Not()
			}
			out[i].on = c.and(e.on, in)
		}
		return out, ok
	case logic.CProd:
		if c.b.Op(args[1]) != logic.SetExt || len(c.b.Args(args[1])) != 1 || !c.listable(args[0]) {
			return nil, false
		}
		value := c.expr(c.b.Arg(args[1], 0))
		var out array
		for _, k := range c.expr(args[0]).choices {
			out = append(out, entry{k.v, k.on, value})
		}
		return out, true
	}
	return nil, false
}

// newArray makes identifier t, which is in the given set of functions, an array.
func (c *encoder) newArray(t, set logic.Term) (array, bool) {
	keys := c.sideMembers(c.b.Arg(set, 0))
	if len(keys) == 0 || len(keys) > maxKeys {
		return nil, false
	}
	ran := c.b.Arg(set, 1)
	members := c.possibleMembers(ran)
	out := make(array, len(keys))
	for i, k := range keys {
		on := c.fresh()
		c.require(on.Not(), k.on)
		out[i] = entry{k.v, on, nil}
		if members != nil {
			out[i].value = c.subsetOf(members)
		} else {
			out[i].value = c.variable(c.b.Elem(c.b.Type(ran)))
		}
	}
	if c.over {
		return nil, false
	}
	c.arrays[t] = out
	c.idents = append(c.idents, t)
	return out, true
}

// listedArray returns {k1 ↦ v1, …} as an array.
func (c *encoder) listedArray(pairs []logic.Term) (array, bool) {
	cases := map[eval.Value]array{}
	var keys []eval.Value
	for _, t := range pairs {
		if c.b.Op(t) != logic.Maplet {
			return nil, false
		}
		value := c.expr(c.b.Arg(t, 1))
		for _, k := range c.values(c.expr(c.b.Arg(t, 0))) {
			if cases[k.v] == nil {
				keys = append(keys, k.v)
			}
			cases[k.v] = append(cases[k.v], entry{k.v, k.on, value})
		}
	}
	var out array
	for _, k := range keys {
		out = append(out, c.join(cases[k]))
	}
	return out, true
}

// join makes one entry of entries of one key, of which one at most is on.
func (c *encoder) join(cases array) entry {
	if len(cases) == 1 {
		return cases[0]
	}
	on := make([]lit, len(cases))
	for i, e := range cases {
		on[i] = e.on
	}
	return entry{cases[0].key, c.or(on...), c.mergeShape(cases)}
}

// override returns a with the entries of b in place of its own.
func (c *encoder) override(a, b array) array {
	out := slices.Clone(a)
	for _, e := range b {
		i := slices.IndexFunc(out, func(old entry) bool { return old.key == e.key })
		if i < 0 {
			out = append(out, e)
			continue
		}
		old := out[i]
		old.on = c.and(old.on, e.on.Not())
		out[i] = c.join(array{old, e})
	}
	return out
}

// merge returns the value of the entries that are on: of one, or the union of those of several.
func (c *encoder) merge(a array, t logic.Term) *symbol {
	if len(a) == 0 {
		return c.blank(t)
	}
	return c.mergeShape(a)
}

// mergeShape is the value that an array has at a key, as choices with their conditions.
func (c *encoder) mergeShape(a array) *symbol {
	if a[0].value.shape == pair {
		left, right := slices.Clone(a), slices.Clone(a)
		for i, e := range a {
			left[i].value, right[i].value = e.value.l, e.value.r
		}
		return &symbol{shape: pair, l: c.mergeShape(left), r: c.mergeShape(right)}
	}
	var out []choice
	for _, e := range a {
		for _, k := range e.value.choices {
			if on := c.and(e.on, k.on); on != no {
				out = append(out, choice{k.v, on})
			}
		}
	}
	return c.collect(a[0].value.shape, out)
}

// at returns the value of a for an argument, which is what term t says.
func (c *encoder) at(a array, arg *symbol, t logic.Term) *symbol {
	var cases array
	for _, e := range a {
		if on := c.and(c.is(arg, e.key), e.on); on != no {
			cases = append(cases, entry{e.key, on, e.value})
		}
	}
	return c.merge(cases, t)
}

// keys returns the domain of a.
func (c *encoder) keys(a array) *symbol {
	out := make([]choice, len(a))
	for i, e := range a {
		out[i] = choice{e.key, e.on}
	}
	return c.collect(set, out)
}

// pairs returns a as a set of pairs, if these are few.
func (c *encoder) pairs(a array) *symbol {
	var out []choice
	for _, e := range a {
		for _, k := range c.values(e.value) {
			out = append(out, choice{c.space.Pair(e.key, k.v), c.and(e.on, k.on)})
		}
		if len(out) > maxChoices {
			c.over = true
			return &symbol{shape: set}
		}
	}
	return c.collect(set, out)
}

// arrayOfRange returns f of ran(f).
func (c *encoder) arrayOfRange(t logic.Term) (array, bool) {
	if c.b.Op(t) != logic.Ran {
		return nil, false
	}
	return c.array(c.b.Arg(t, 0))
}

// inArrow returns the condition that a is in t, a set of functions.
func (c *encoder) inArrow(a array, t logic.Term) (lit, bool) {
	want, arrow := c.b.Op(t).Arrow()
	if !arrow || want.Surjective {
		return no, false
	}
	dom, ran := c.b.Arg(t, 0), c.b.Arg(t, 1)
	var on []lit
	for i, e := range a {
		on = append(on, c.implies(e.on, c.member(c.constant(e.key), dom)), c.implies(e.on, c.member(e.value, ran)))
		if !want.Injective {
			continue
		}
		for _, other := range a[:i] {
			on = append(on, c.and(e.on, other.on, c.equal(e.value, other.value)).Not())
		}
	}
	if want.Total {
		keys := c.keys(a)
		for _, k := range c.expr(dom).choices {
			on = append(on, c.implies(k.on, find(keys.choices, k.v)))
		}
	}
	return c.and(on...), true
}

// hasPair returns the condition of x ↦ y ∈ a.
func (c *encoder) hasPair(a array, x, y *symbol) lit {
	var on []lit
	for _, e := range a {
		if in := c.and(c.is(x, e.key), e.on); in != no {
			on = append(on, c.and(in, c.equal(e.value, y)))
		}
	}
	return c.or(on...)
}

// equalArrays returns the condition that a and b have the same entries.
func (c *encoder) equalArrays(a, b array) lit {
	var on []lit
	for _, e := range a {
		i := slices.IndexFunc(b, func(other entry) bool { return other.key == e.key })
		if i < 0 {
			on = append(on, e.on.Not())
			continue
		}
		on = append(on, c.iff(e.on, b[i].on), c.implies(e.on, c.equal(e.value, b[i].value)))
	}
	for _, e := range b {
		if !slices.ContainsFunc(a, func(other entry) bool { return other.key == e.key }) {
			on = append(on, e.on.Not())
		}
	}
	return c.and(on...)
}

// readArray returns the value of a that the solver found.
func (c *encoder) readArray(a array) eval.Value {
	var out []eval.Value
	for _, e := range a {
		if c.solver.Value(e.on) > 0 {
			out = append(out, c.space.Pair(e.key, c.read(e.value)))
		}
	}
	return c.space.Set(out...)
}
