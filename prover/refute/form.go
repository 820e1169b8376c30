package refute

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// candidates returns values that identifier id may have: those of the forms that models of infinite sets
// mostly need, and typical ones of its type.
func (g *guesser) candidates(id logic.Term) []eval.Value {
	bank := g.s.Bank
	typical := g.typical(bank.Type(id))
	if !g.alone {
		return typical
	}
	var out []eval.Value
	for _, set := range g.typing[id] {
		if want, arrow := bank.Op(set).Arrow(); arrow && want.Total {
			e := eval.New(bank, g.m, guessSteps)
			if dom, ok := e.Value(bank.Arg(set, 0)); ok {
				out = append(out, g.functions(dom, bank.Type(id), bank.Op(bank.Arg(set, 0)) == logic.Integer)...)
				out = append(out, g.tables(id, dom)...)
			}
		}
	}
	return append(append(out, typical...), g.relations(bank.Type(id))...)
}

// functions returns functions of the given type that are defined on dom: constant ones, and those that
// calculate with integers. With everywhere, dom is ℤ.
func (g *guesser) functions(dom eval.Value, typ logic.Type, everywhere bool) (out []eval.Value) {
	bank := g.s.Bank
	left, right := bank.RelPair(typ)
	for _, v := range first(g.typical(right), maxConstants) {
		out = append(out, g.m.Space.Product(dom, g.m.Space.Set(v)))
	}
	if left == right {
		out = append(out, g.m.Space.Restricted(dom, g.m.Space.Identity()))
	}
	n := integersIn(bank, left)
	for _, t := range g.calculated(n, left, right) {
		v, ok := g.m.Rule(bank, t)
		switch {
		case !ok:
		case everywhere:
			out = append(out, v)
		default:
			out = append(out, g.m.Space.Restricted(dom, v))
		}
	}
	return out
}

// tables returns functions on dom that have one value, but for an argument to which the hypotheses apply id: there they have
// another one, perhaps the argument.
func (g *guesser) tables(id logic.Term, dom eval.Value) (out []eval.Value) {
	bank, space := g.s.Bank, g.m.Space
	left, right := bank.RelPair(bank.Type(id))
	values := first(g.typical(right), maxTabled)
	for _, other := range first(values, 2) {
		base := space.Product(dom, space.Set(other))
		for _, at := range g.appliedTo(id) {
			if left == right {
				out = append(out, space.Overridden(base, space.Set(space.Pair(at, at))))
			}
			for _, v := range values {
				if v != other && v != at {
					out = append(out, space.Overridden(base, space.Set(space.Pair(at, v))))
				}
			}
		}
	}
	return out
}

// appliedTo returns values of the first arguments to which the hypotheses apply id.
func (g *guesser) appliedTo(id logic.Term) (out []eval.Value) {
	bank := g.s.Bank
	seen := map[logic.Term]bool{}
	var visit func(t logic.Term)
	visit = func(t logic.Term) {
		if seen[t] || len(out) == maxTabled {
			return
		}
		seen[t] = true
		if bank.Op(t) == logic.Apply && bank.Arg(t, 0) == id && bank.Depth(bank.Arg(t, 1)) == 0 {
			if v, ok := eval.New(bank, g.m, guessSteps).Value(bank.Arg(t, 1)); ok && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
		for _, a := range bank.Args(t) {
			visit(a)
		}
	}
	for _, h := range g.core {
		visit(h)
	}
	return out
}

// maxTabled bounds the arguments of tables, and their values.
const maxTabled = 4

// maxConstants bounds the constant functions that are tried.
const maxConstants = 5

// integersIn returns how many integers a value of type t is made of, 0 if of anything else.
func integersIn(bank *logic.Bank, t logic.Type) int {
	switch bank.TypeKind(t) {
	case logic.KindInt:
		return 1
	case logic.KindProd:
		left, right := bank.Pair(t)
		if i, j := integersIn(bank, left), integersIn(bank, right); i > 0 && j > 0 {
			return i + j
		}
	}
	return 0
}

// calculated returns rules for functions of n integers.
func (g *guesser) calculated(n int, left, right logic.Type) (out []logic.Term) {
	if n == 0 || n > 3 {
		return nil
	}
	bank := g.s.Bank
	x := func(i int) logic.Term { return bank.Bound(n-1-i, logic.IntType) }
	var results []logic.Term
	number := bank.Int64
	switch {
	case right == logic.IntType:
		if n > 1 {
			for i := range n {
				results = append(results, x(i))
			}
			results = append(results, bank.App(logic.Plus, x(0), x(1)), bank.App(logic.Minus, x(0), x(1)), bank.App(logic.Times, x(0), x(1)))
			break
		}
		// a∗x+b for small numbers and those that the hypotheses mention.
		results = append(results, bank.App(logic.Neg, x(0)))
		offsets := []logic.Term{number(0)}
		for _, v := range g.integers(g.m.Space, 12) {
			if b := bank.Int(g.m.Space.Big(v)); !slices.Contains(offsets, b) {
				offsets = append(offsets, b)
			}
		}
		for _, a := range []int64{1, 2, 3, -1, 5, 10} {
			for _, b := range offsets {
				t := x(0)
				if a == 1 && b == offsets[0] {
					continue // the identity
				}
				if a != 1 {
					t = bank.App(logic.Times, number(a), t)
				}
				if b != offsets[0] {
					t = bank.App(logic.Plus, t, b)
				}
				results = append(results, t)
			}
		}
		results = append(results, bank.App(logic.Times, x(0), x(0)))
	case right == bank.PowType(logic.IntType):
		results = append(results, bank.App(logic.UpTo, number(0), x(0)), bank.App(logic.SetExt, x(0)), bank.App(logic.UpTo, number(1), x(0)))
	}
	decls := slices.Repeat([]logic.Type{logic.IntType}, n)
	var arg func(typ logic.Type, i *int) logic.Term
	arg = func(typ logic.Type, i *int) logic.Term {
		if bank.TypeKind(typ) == logic.KindInt {
			*i++
			return x(*i - 1)
		}
		l, r := bank.Pair(typ)
		a := arg(l, i)
		return bank.App(logic.Maplet, a, arg(r, i))
	}
	for _, result := range results {
		i := 0
		out = append(out, bank.Quant(logic.Compr, slices.Clone(decls), nil, bank.App(logic.True), bank.App(logic.Maplet, arg(left, &i), result)))
	}
	return out
}

// relations returns rules for sets of integers and relations between two.
func (g *guesser) relations(typ logic.Type) (out []eval.Value) {
	bank := g.s.Bank
	n := integersIn(bank, bank.Elem(typ))
	x := func(i int) logic.Term { return bank.Bound(n-1-i, logic.IntType) }
	rule := func(where, each logic.Term) {
		if v, ok := g.m.Rule(bank, bank.Quant(logic.Compr, slices.Repeat([]logic.Type{logic.IntType}, n), nil, where, each)); ok {
			out = append(out, v)
		}
	}
	zero, space := bank.Int64(0), g.m.Space
	switch n {
	case 1:
		minus := space.Int64(-1)
		out = append(out, space.Interval(0, minus, minus))
		rule(bank.App(logic.True), bank.App(logic.Times, bank.Int64(2), x(0)))
		rule(bank.App(logic.True), bank.App(logic.Plus, bank.App(logic.Times, bank.Int64(2), x(0)), bank.Int64(1)))
		rule(bank.App(logic.Le, zero, x(0)), bank.App(logic.Times, bank.Int64(2), x(0)))
	case 2:
		pair := bank.App(logic.Maplet, x(0), x(1))
		for _, op := range []logic.Op{logic.Lt, logic.Le, logic.Eq, logic.Neq} {
			order := bank.App(op, x(0), x(1))
			rule(order, pair)
			rule(bank.App(logic.And, bank.App(logic.Le, zero, x(0)), bank.App(logic.Le, zero, x(1)), order), pair)
		}
	}
	return out
}
