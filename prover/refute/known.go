package refute

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// known is what hypotheses say of identifiers in so many words.
type known struct {
	defined []logic.Term                // identifiers equal to an expression of others
	unfold  map[logic.Term]logic.Term   // their expressions, without defined identifiers
	listed  map[string][]logic.Term     // carrier sets all of whose elements have a name
	typing  map[logic.Term][]logic.Term // sets that an identifier is in
}

// learn reads hypotheses: v = E defines v, and partition(S, {a}, {b}, …) names
// the elements of carrier set S.
func learn(b *logic.Bank, hyps []logic.Term) known {
	k := known{unfold: map[logic.Term]logic.Term{}, listed: map[string][]logic.Term{}, typing: map[logic.Term][]logic.Term{}}
	named := map[logic.Term]bool{}
	var visit func(t logic.Term, f func(op logic.Op, args []logic.Term))
	visit = func(t logic.Term, f func(op logic.Op, args []logic.Term)) {
		if b.Op(t) != logic.And {
			f(b.Op(t), b.Args(t))
			return
		}
		for _, a := range b.Args(t) {
			visit(a, f)
		}
	}
	// Partitions first: the elements they name must not be defined by equations besides.
	for _, h := range hyps {
		visit(h, func(op logic.Op, args []logic.Term) {
			if op == logic.Partition && b.Op(args[0]) == logic.Given && k.listed[b.Name(args[0])] == nil {
				if elems := singletons(b, args[1:]); elems != nil && !slices.ContainsFunc(elems, func(t logic.Term) bool { return named[t] }) {
					k.listed[b.Name(args[0])] = elems
					for _, t := range elems {
						named[t] = true
					}
				}
			}
		})
	}
	for _, h := range hyps {
		visit(h, func(op logic.Op, args []logic.Term) {
			if op != logic.Eq {
				return
			}
			for i, v := range args {
				if b.Op(v) == logic.Free && !named[v] && k.unfold[v] == 0 && k.define(b, v, args[1-i]) {
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
func (k *known) define(b *logic.Bank, v, e logic.Term) bool {
	e = b.Subst(e, k.unfold)
	if b.Occurs(v, e) {
		return false
	}
	for _, w := range k.defined {
		k.unfold[w] = b.Subst(k.unfold[w], map[logic.Term]logic.Term{v: e})
	}
	k.unfold[v] = e
	k.defined = append(k.defined, v)
	return true
}

// restrict records the sets that asserted predicates put identifiers in. The
// sets mention earlier identifiers only.
func (k *known) restrict(b *logic.Bank, asserted []logic.Term) {
	place := map[logic.Term]int{}
	for i, t := range b.FreeIdents(asserted...) {
		place[t] = i
	}
	var visit func(t logic.Term)
	visit = func(t logic.Term) {
		args := b.Args(t)
		set := logic.Term(0)
		switch b.Op(t) {
		case logic.And:
			for _, a := range args {
				visit(a)
			}
			return
		case logic.In:
			set = args[1]
		case logic.SubsetEq:
			set = b.App(logic.Pow, args[1])
		default:
			return
		}
		if v := args[0]; b.Op(v) == logic.Free && !slices.ContainsFunc(b.FreeIdents(set), func(w logic.Term) bool { return place[w] >= place[v] }) {
			k.typing[v] = append(k.typing[v], set)
		}
	}
	for _, t := range asserted {
		visit(t)
	}
}

// complete gives the defined identifiers that m lacks their values in m.
func (f *finder) complete(m *eval.Model) *eval.Model {
	e := eval.New(f.s.Bank, m, min(max(f.steps, 0), 1<<17))
	values := map[string]eval.Value{}
	for _, v := range f.defined {
		if _, given := m.Values[f.s.Bank.Name(v)]; given {
			continue
		}
		if x, ok := e.Value(f.unfold[v]); ok {
			values[f.s.Bank.Name(v)] = x
		}
	}
	for name, x := range values {
		m.Values[name] = x
	}
	return m
}

// maxMembers bounds the possible members of a set variable whose type is given
// by a hypothesis.
const maxMembers = 1500

// maxSide bounds the possible values of a relation for one argument.
const maxSide = 40

// typed returns a symbol for identifier t that ranges over the members of a set
// it is in, where the hypotheses tell one.
func (c *encoder) typed(t logic.Term) *symbol {
	typ := c.b.Type(t)
	for _, set := range c.typing[t] {
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

// possibleMembers lists what can be in a member of t, a set of sets, or nil.
func (c *encoder) possibleMembers(t logic.Term) []choice {
	args := c.b.Args(t)
	_, arrow := c.b.Op(t).Arrow()
	switch op := c.b.Op(t); {
	case op == logic.Pow || op == logic.Pow1:
		if c.listable(args[0]) {
			if x := c.expr(args[0]); len(x.choices) > 0 && len(x.choices) <= maxMembers {
				return x.choices
			}
		}
	case arrow:
		xs, ys := c.sideMembers(args[0]), c.sideMembers(args[1])
		if len(xs) == 0 || len(ys) == 0 || len(xs) > maxMembers {
			return nil
		}
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
func (c *encoder) sideMembers(t logic.Term) []choice {
	if c.listable(t) {
		if x := c.expr(t); len(x.choices) > 0 {
			return x.choices
		}
	}
	elem := c.b.Elem(c.b.Type(t))
	domain := c.domain(elem, c.width)
	if op := c.b.Op(t); op == logic.Integer || op == logic.Given || elem != logic.IntType {
		return domain
	}
	return c.where(domain, func(v eval.Value) lit { return c.member(c.constant(v), t) }).choices
}
