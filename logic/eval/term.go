package eval

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// maxTermMembers bounds the listed sets that Term writes: a longer list says more than anybody reads.
const maxTermMembers = 64

// Term returns a closed term of b that denotes v, of the given type, in every model in which element
// i of carrier set S is denoted by element(S, i). It is false if there is no such term, or only a
// long one.
func (m *Model) Term(b *logic.Bank, typ logic.Type, v Value, element func(carrier string, i int) logic.Term) (logic.Term, bool) {
	terms := func(vs []Value, types ...logic.Type) ([]logic.Term, bool) {
		out := make([]logic.Term, len(vs))
		for i, x := range vs {
			t, ok := m.Term(b, types[min(i, len(types)-1)], x, element)
			if !ok {
				return nil, false
			}
			out[i] = t
		}
		return out, true
	}
	n, parts := &m.Space.nodes[v], m.Space.Parts(v)
	switch n.kind {
	case Integer:
		return b.Int(m.Space.Big(v)), true
	case Boolean:
		if m.Space.IsTrue(v) {
			return b.App(logic.TrueE), true
		}
		return b.App(logic.FalseE), true
	case Element:
		carrier, i := m.Space.Number(v)
		return element(carrier, i), true
	case Pair:
		left, right := b.Pair(typ)
		args, ok := terms(parts, left, right)
		if !ok {
			return 0, false
		}
		return b.App(logic.Maplet, args...), true
	case Set:
		if len(parts) == 0 {
			return b.Atom(logic.Empty, typ), true
		}
		// A carrier set has its name, even where it is too large to be listed.
		if elem := b.Elem(typ); b.TypeKind(elem) == logic.KindGiven && len(parts) == m.Carriers[b.GivenName(elem)] {
			return b.Given(b.GivenName(elem)), true
		}
		if len(parts) > maxTermMembers {
			return 0, false
		}
		args, ok := terms(m.Space.Members(v), b.Elem(typ))
		if !ok {
			return 0, false
		}
		return b.App(logic.SetExt, args...), true
	case Symbolic:
		if t, ok := m.rule(v); ok {
			return t, m.bank == b
		}
		switch n.op {
		case logic.UpTo:
			return m.intervalTerm(b, parts)
		case logic.SetExt:
			args, ok := terms(m.Space.Members(v), b.Elem(typ))
			if !ok || len(args) > maxTermMembers {
				return 0, false
			}
			return b.App(logic.SetExt, args...), true
		}
		if n.op != logic.CProd && !slices.Contains(writtenOps, n.op) {
			return 0, false
		}
		types := operandTypes(b, n.op, b.Elem(typ))
		if types == nil {
			return 0, false
		}
		if n.op == logic.Id {
			return b.Atom(n.op, typ), true
		}
		args, ok := terms(parts, types...)
		if !ok {
			return 0, false
		}
		// Three values are written as people write them: S ◁ id, a restricted list, and a constant function.
		if n.op == logic.DomRes && b.Op(args[1]) == logic.Id {
			return lambda(b, args[0], func(x logic.Term) logic.Term { return x }), true
		}
		if n.op == logic.DomRes {
			if t, ok := restricted(b, args[0], args[1]); ok {
				return t, true
			}
		}
		if n.op == logic.CProd && m.Space.Kind(parts[0]) == Symbolic && b.Op(args[1]) == logic.SetExt && len(b.Args(args[1])) == 1 {
			return lambda(b, args[0], func(logic.Term) logic.Term { return b.Arg(args[1], 0) }), true
		}
		return b.App(n.op, args...), true
	}
	return 0, false
}

// lambda returns λx·x∈dom∣value(x), which says more readily than dom◁id or dom×{v} that it is a function, and where.
func lambda(b *logic.Bank, dom logic.Term, value func(x logic.Term) logic.Term) logic.Term {
	elem := b.Elem(b.Type(dom))
	x := b.Bound(0, elem)
	return b.Quant(logic.Compr, []logic.Type{elem}, nil, b.App(logic.In, x, dom), b.App(logic.Maplet, x, value(x)))
}

// intervalTerm is Term of an interval with the given ends and origin.
func (m *Model) intervalTerm(b *logic.Bank, ends []Value) (logic.Term, bool) {
	lo, hi, origin := ends[0], ends[1], ends[2]
	if m.Space.Kind(origin) != Integer {
		// All elements of an infinite carrier set.
		carrier, _ := m.Space.Number(origin)
		return b.Given(carrier), lo == 0 && hi == 0
	}
	switch {
	case lo == 0 && hi == 0:
		return b.App(logic.Integer), true
	case lo != 0 && hi != 0:
		return b.App(logic.UpTo, b.Int(m.Space.Big(lo)), b.Int(m.Space.Big(hi))), true
	case lo == m.Space.Int64(0):
		return b.App(logic.Natural), true
	case lo == m.Space.Int64(1):
		return b.App(logic.Natural1), true
	}
	// A half line.
	x := b.Bound(0, logic.IntType)
	bound := func(z Value) logic.Term { return b.Int(m.Space.Big(z)) }
	where := b.App(logic.Le, x, bound(max(lo, hi)))
	if hi == 0 {
		where = b.App(logic.Le, bound(lo), x)
	}
	return b.Quant(logic.Compr, []logic.Type{logic.IntType}, nil, where, x), true
}

// restricted returns dom◁{x·⊤∣x↦E} as λx·x∈dom∣E.
func restricted(b *logic.Bank, dom, function logic.Term) (logic.Term, bool) {
	if b.Op(function) != logic.Compr || b.Op(b.Arg(function, 0)) != logic.True || b.Op(b.Arg(function, 1)) != logic.Maplet {
		return 0, false
	}
	args := b.Arg(function, 1)
	return b.Quant(logic.Compr, slices.Clone(b.Decls(function)), nil, b.App(logic.In, b.Arg(args, 0), dom), args), true
}
