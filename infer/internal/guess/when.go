package guess

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// conditions returns predicates that tell states apart: what guards ask of the state,
// the values of what has few, and the opposites of both. The first is 0, for all states.
func (v *view) conditions() []logic.Term {
	out := []logic.Term{0}
	add := func(p logic.Term) {
		if !slices.Contains(out, p) && len(out) < mostConditions {
			out = append(out, p)
		}
	}
	for _, x := range v.of(logic.BoolType) {
		add(v.eq(x, v.b.App(logic.TrueE)))
		add(v.eq(x, v.b.App(logic.FalseE)))
	}
	for _, x := range v.vars[:v.concrete] {
		if v.b.TypeKind(v.b.Type(x)) == logic.KindGiven {
			for _, k := range v.consts {
				if v.b.Type(k) == v.b.Type(x) {
					add(v.eq(x, k))
				}
			}
		}
	}
	for _, p := range v.literals {
		if v.seen[v.b.Bare(p)] {
			continue // it always holds
		}
		switch v.b.Op(p) {
		case logic.Eq, logic.Neq, logic.Lt, logic.Le, logic.Gt, logic.Ge, logic.In, logic.NotIn:
			add(p)
		}
	}
	for _, p := range slices.Clone(out[1:]) {
		add(v.opposite(p))
	}
	return out
}

// mostConditions bounds the conditions under which relations are looked for.
const mostConditions = 24

// opposite returns the negation of a comparison as a comparison, not as ¬: candidates are compared by their form, and people
// read n ≥ m more easily.
func (v *view) opposite(p logic.Term) logic.Term {
	args := v.b.Args(p)
	if v.b.Op(p) == logic.Eq {
		switch v.b.Op(args[1]) {
		case logic.TrueE:
			return v.eq(args[0], v.b.App(logic.FalseE))
		case logic.FalseE:
			return v.eq(args[0], v.b.App(logic.TrueE))
		}
	}
	for _, pair := range [][2]logic.Op{{logic.Eq, logic.Neq}, {logic.Lt, logic.Ge}, {logic.Le, logic.Gt}, {logic.In, logic.NotIn}} {
		for i := range 2 {
			if v.b.Op(p) == pair[i] {
				return v.b.App(pair[1-i], args...)
			}
		}
	}
	return v.b.Not(p)
}

// when guesses what holds under a condition: equalities of variables with expressions,
// orders of variables, and which sets are empty.
func when(v *view) {
	// The first condition is that for all states, under which other rules guess.
	for _, c := range v.conditions()[1:] {
		if v.constantly(c) {
			continue
		}
		for _, x := range v.vars {
			if v.b.Occurs(x, c) && v.b.Op(c) == logic.Eq {
				continue // the condition says what x is
			}
			typ := v.b.Type(x)
			if v.b.TypeKind(typ) == logic.KindPow {
				v.under(c, v.eq(x, v.empties(x)))
				if v.b.Elem(typ) == logic.IntType {
					v.singletons(c, x)
				}
			}
			if typ == logic.BoolType {
				v.under(c, v.eq(x, v.b.App(logic.TrueE)))
				v.under(c, v.eq(x, v.b.App(logic.FalseE)))
			}
			for _, t := range v.terms {
				if v.b.Type(t) != typ || t == x {
					continue
				}
				if typ != logic.IntType {
					v.under(c, v.eq(x, t))
					continue
				}
				difference := append(v.sum(x), negated(v.sum(t))...)
				v.under(c, v.equation(difference))
				v.under(c, v.order(difference))
				v.under(c, v.order(negated(difference)))
			}
		}
	}
}

// singletons adds that set x of integers has one element under c, and which.
func (v *view) singletons(c, x logic.Term) {
	for _, y := range v.of(logic.IntType) {
		v.under(c, v.eq(x, v.b.App(logic.SetExt, y)))
		v.under(c, v.eq(x, v.b.App(logic.SetExt, v.b.App(logic.Minus, y, v.int(1)))))
	}
}

// under adds c ⇒ p, which p alone implies.
func (v *view) under(c, p logic.Term) {
	if !v.empty(p) && !v.fails(v.implies(c, p)) {
		v.weaker(v.implies(c, p), p)
	}
}

// each guesses what holds of all values of a function at the elements of a set.
func each(v *view) {
	for _, f := range v.vars[:v.concrete] {
		domain := v.functions[f]
		if domain == 0 {
			continue
		}
		// One name serves for all that is said of f, for it is bound each time.
		from, to := v.b.RelPair(v.b.Type(f))
		at := v.fresh("k", from)
		value := v.b.App(logic.Apply, f, at)
		for _, s := range slices.Concat([]logic.Term{domain}, v.setsOf(v.b.PowType(from)), v.prefixes(domain)) {
			v.eachOf(at, v.in(at, s), value, to)
			if s != domain && v.mentions(s) {
				v.eachOf(at, v.b.And(v.in(at, domain), v.b.App(logic.NotIn, at, s)), value, to)
			}
		}
		other := v.fresh("l", from)
		same := v.eq(value, v.b.App(logic.Apply, f, other))
		for _, s := range v.setsOf(v.b.PowType(from)) {
			v.add(v.forall([]logic.Term{at, other}, v.implies(v.b.And(v.in(at, s), v.in(other, s), same), v.eq(at, other))))
		}
	}
}

// prefixes returns the parts of a range of integers before a variable, and from it on.
func (v *view) prefixes(domain logic.Term) (out []logic.Term) {
	if v.b.Op(domain) != logic.UpTo {
		return nil
	}
	ends := v.b.Args(domain)
	for _, x := range v.of(logic.IntType) {
		out = append(out, v.b.App(logic.UpTo, ends[0], v.b.App(logic.Minus, x, v.int(1))), v.b.App(logic.UpTo, x, ends[1]))
	}
	return out
}

// eachOf adds ∀at·where ⇒ value = t, and likewise with the orders, for what t may be.
func (v *view) eachOf(at, where, value logic.Term, typ logic.Type) {
	var others []logic.Term
	for _, t := range v.terms {
		if v.b.Type(t) == typ {
			others = append(others, t)
		}
	}
	for _, g := range v.vars {
		if from, to := v.b.RelPair(v.b.Type(g)); v.functions[g] != 0 && to == typ && from == v.b.Type(at) {
			others = append(others, v.b.App(logic.Apply, g, at))
		}
	}
	add := func(p logic.Term) { v.add(v.forall([]logic.Term{at}, v.implies(where, p))) }
	for _, t := range others {
		if t == value {
			continue
		}
		add(v.eq(value, t))
		if typ == logic.IntType {
			add(v.le(value, t))
			add(v.le(t, value))
		}
	}
}
