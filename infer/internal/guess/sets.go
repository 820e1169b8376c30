package guess

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// The rules about sets, functions and sums: what invariants of Event-B machines say.

// types guesses types that are narrower than those of declarations.
func types(v *view) {
	for _, x := range v.of(logic.IntType) {
		v.add(v.in(x, v.b.App(logic.Natural)))
		v.add(v.in(x, v.b.App(logic.Natural1)))
	}
	for _, x := range v.ofKind(logic.KindPow) {
		from, to := v.b.RelPair(v.b.Type(x))
		if from == logic.NoType {
			continue
		}
		// A function that begins as D × {e} is total on D as long as it is only overridden.
		var domains, ranges []logic.Term
		if e := v.initial[x]; e != 0 && v.b.Op(e) == logic.CProd {
			domains, ranges = append(domains, v.b.Arg(e, 0)), append(ranges, v.rangesOf(x)...)
		}
		v.add(v.in(x, v.b.App(logic.PFun, v.b.TypeExpr(from), v.b.TypeExpr(to))))
		v.add(v.in(x, v.b.App(logic.PInj, v.b.TypeExpr(from), v.b.TypeExpr(to))))
		if to == logic.IntType {
			ranges = append(ranges, v.b.App(logic.Natural))
		}
		for _, d := range append(domains, v.setsOf(v.b.PowType(from))...) {
			for _, r := range append(ranges, v.b.TypeExpr(to)) {
				v.add(v.in(x, v.b.App(logic.TFun, d, r)))
			}
		}
	}
}

// rangesOf returns the sets that guards give for what events put into function f.
func (v *view) rangesOf(f logic.Term) (out []logic.Term) {
	_, to := v.b.RelPair(v.b.Type(f))
	for _, s := range v.steps {
		for _, g := range s.guards {
			if v.b.Op(g) == logic.In && v.b.Type(v.b.Arg(g, 0)) == to && v.state(v.b.Arg(g, 1)) && !slices.Contains(out, v.b.Arg(g, 1)) {
				out = append(out, v.b.Arg(g, 1))
			}
		}
	}
	return out
}

// setsOf returns the expressions of the vocabulary that are sets of a type.
func (v *view) setsOf(typ logic.Type) (out []logic.Term) {
	for _, t := range v.terms {
		if v.b.Type(t) == typ {
			out = append(out, t)
		}
	}
	return out
}

// rangeOf guesses that what is assigned stays in the set that a guard has it from.
func rangeOf(v *view) {
	for _, s := range v.steps {
		for _, a := range s.sets {
			for _, g := range s.guards {
				if a.value == 0 || v.b.Op(g) != logic.In || !v.state(v.b.Arg(g, 1)) {
					continue
				}
				element, set := v.b.Arg(g, 0), v.b.Arg(g, 1)
				switch {
				case a.value == element:
					v.add(v.in(a.to, set))
				case v.entering(a) == element && element != 0:
					v.add(v.b.App(logic.SubsetEq, a.to, set))
				}
			}
		}
	}
	// Where no guard says so, a set may still lie in any that the text names.
	for _, x := range v.ofKind(logic.KindPow) {
		for _, s := range v.setsOf(v.b.Type(x)) {
			if s != x {
				v.add(v.b.App(logic.SubsetEq, x, s))
			}
		}
	}
}

func nonEmpty(v *view) {
	for _, x := range v.ofKind(logic.KindPow) {
		v.add(v.b.App(logic.Neq, x, v.empties(x)))
	}
}

func finite(v *view) {
	for _, x := range v.ofKind(logic.KindPow) {
		v.add(v.b.App(logic.Finite, x))
	}
}

// domains guesses which domains and ranges are equal, or lie in one another.
func domains(v *view) {
	relations := slices.DeleteFunc(v.ofKind(logic.KindPow), func(x logic.Term) bool { return !v.isRelation(v.b.Type(x)) })
	for i, f := range relations {
		dom, ran := v.b.App(logic.Dom, f), v.b.App(logic.Ran, f)
		for _, side := range []logic.Term{dom, ran} {
			for _, s := range v.setsOf(v.b.Type(side)) {
				v.add(v.eq(side, s))
				v.add(v.b.App(logic.SubsetEq, side, s))
				// A constant set is rarely covered before the end of a run.
				if v.mentions(s) {
					v.add(v.b.App(logic.SubsetEq, s, side))
				}
			}
		}
		for _, g := range relations[i+1:] {
			if v.b.Type(v.b.App(logic.Dom, g)) == v.b.Type(dom) {
				v.add(v.eq(dom, v.b.App(logic.Dom, g)))
			}
		}
	}
}

// disjoint guesses how pairs of sets of one type are related: disjoint, one within the other, or equal. Domains and ranges
// count as sets, since authors rarely name them.
func disjoint(v *view) {
	sets := v.ofKind(logic.KindPow)
	for _, r := range slices.Clone(sets) {
		if v.isRelation(v.b.Type(r)) {
			sets = append(sets, v.b.App(logic.Dom, r), v.b.App(logic.Ran, r))
		}
	}
	for i, s := range sets {
		for _, t := range sets[i+1:] {
			if v.b.Type(s) == v.b.Type(t) {
				v.add(v.eq(v.b.App(logic.Inter, s, t), v.empties(s)))
				v.add(v.b.App(logic.SubsetEq, s, t))
				v.add(v.b.App(logic.SubsetEq, t, s))
				v.add(v.eq(s, t))
			}
		}
	}
}

// intervals guesses that a set of integers, or the domain of a function of them, is what
// lies between the counters at which events put something in and take something out.
func intervals(v *view) {
	for _, x := range v.ofKind(logic.KindPow) {
		side := x
		if v.isRelation(v.b.Type(x)) {
			side = v.b.App(logic.Dom, x)
		}
		ends := v.ends(x)
		if v.b.Elem(v.b.Type(side)) != logic.IntType || len(ends) > mostEnds {
			continue
		}
		for _, low := range ends {
			for _, high := range ends {
				if low == high || !v.mentions(low) && !v.mentions(high) {
					continue
				}
				between := v.b.App(logic.UpTo, low, v.b.App(logic.Minus, high, v.int(1)))
				v.add(v.eq(side, between))
				v.weaker(v.b.App(logic.SubsetEq, side, between), v.eq(side, between))
				v.add(v.eq(side, v.b.App(logic.UpTo, low, high)))
			}
		}
	}
}

// mostEnds bounds the ends of intervals.
const mostEnds = 6

// ends returns the variables at which steps change x, and what these begin with.
func (v *view) ends(x logic.Term) (out []logic.Term) {
	add := func(t logic.Term) {
		if v.isVariable(t) && v.b.Type(t) == logic.IntType && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	for _, s := range v.steps {
		for _, a := range s.sets {
			if a.to != x || a.value == 0 {
				continue
			}
			v.walk(a.value, func(t logic.Term) {
				if v.b.Op(t) != logic.SetExt {
					return
				}
				for _, member := range v.b.Args(t) {
					if v.b.Op(member) == logic.Maplet {
						member = v.b.Arg(member, 0)
					}
					add(member)
				}
			})
		}
	}
	for _, t := range slices.Clone(out) {
		if e := v.initial[t]; e != 0 && v.rigid(e) && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// partitions guesses that two or three sets make up another.
func partitions(v *view) {
	sets := v.ofKind(logic.KindPow)
	for i, s := range sets {
		wholes := v.setsOf(v.b.Type(s))
		// A carrier set need not stand in the text to be what sets make up.
		if elem := v.b.Elem(v.b.Type(s)); v.b.TypeKind(elem) == logic.KindGiven {
			wholes = append(wholes, v.b.TypeExpr(elem))
		}
		for j, t := range sets {
			if j <= i || v.b.Type(s) != v.b.Type(t) {
				continue
			}
			v.unions(wholes, s, t)
			for _, u := range sets[j+1:] {
				if v.b.Type(u) == v.b.Type(s) {
					v.unions(wholes, s, t, u)
				}
			}
		}
	}
}

// unions adds that parts make up one of wholes, and that they partition it.
func (v *view) unions(wholes []logic.Term, parts ...logic.Term) {
	for _, w := range wholes {
		if slices.Contains(parts, w) {
			continue
		}
		v.add(v.eq(v.b.App(logic.Union, parts...), w))
		v.add(v.b.App(logic.Partition, append([]logic.Term{w}, parts...)...))
	}
}

// grows guesses that what only grows keeps what it began with, and that a copy of what
// grows stays behind it.
func grows(v *view) {
	for _, x := range v.ofKind(logic.KindPow) {
		if e := v.initial[x]; e != 0 && v.rigid(e) && v.b.Op(e) != logic.Empty {
			v.add(v.b.App(logic.SubsetEq, e, x))
		}
	}
	for _, s := range v.steps {
		for _, a := range s.sets {
			if a.value == 0 || !v.isVariable(a.value) {
				continue
			}
			// Whether the copied variable grows or shrinks is not asked: one of the two falls.
			switch v.b.TypeKind(v.b.Type(a.to)) {
			case logic.KindInt:
				v.add(v.le(a.to, a.value))
				v.add(v.le(a.value, a.to))
			case logic.KindPow:
				v.add(v.b.App(logic.SubsetEq, a.to, a.value))
				v.add(v.b.App(logic.SubsetEq, a.value, a.to))
			}
		}
	}
}

// glue guesses what the variables that have disappeared stand for.
func glue(v *view) {
	for _, a := range v.vars[v.concrete:] {
		typ := v.b.Type(a)
		for _, c := range v.terms {
			if v.b.Type(c) == typ {
				v.add(v.eq(a, c))
			}
		}
		switch {
		case typ == logic.IntType:
			v.glueSums(a)
			for _, s := range v.ofKind(logic.KindPow) {
				v.add(v.eq(a, v.b.App(logic.Card, s)))
			}
		case typ == logic.BoolType:
			// A truth value is mostly refined by what guards ask instead of it.
			yes := v.eq(a, v.b.App(logic.TrueE))
			for _, p := range v.literals {
				v.add(v.b.App(logic.Iff, yes, p))
			}
		case v.b.TypeKind(typ) == logic.KindPow:
			for _, s := range v.ofKind(logic.KindPow) {
				if v.isRelation(v.b.Type(s)) {
					for _, op := range []logic.Op{logic.Dom, logic.Ran} {
						if side := v.b.App(op, s); v.b.Type(side) == typ {
							v.add(v.eq(a, side))
						}
					}
				}
			}
		}
	}
}

// glueSums adds that a is a sum of two or three concrete integers.
func (v *view) glueSums(a logic.Term) {
	ints := v.of(logic.IntType)
	for i, x := range ints {
		for j := i + 1; j < len(ints); j++ {
			v.add(v.eq(a, v.b.App(logic.Plus, x, ints[j])))
			for _, z := range ints[j+1:] {
				v.add(v.eq(a, v.b.App(logic.Plus, x, ints[j], z)))
			}
		}
	}
}

// compare guesses orders and equalities between expressions of one type.
func compare(v *view) {
	for i, s := range v.terms {
		typ := v.b.Type(s)
		for _, t := range v.terms[i+1:] {
			if v.b.Type(t) != typ || !v.mentions(s) && !v.mentions(t) {
				continue
			}
			if typ == logic.IntType {
				v.compareIntegers(s, t)
				continue
			}
			v.add(v.eq(s, t))
			// Sets that differ always are more than different: rule disjoint says how.
			if v.b.TypeKind(typ) != logic.KindPow {
				v.add(v.b.App(logic.Neq, s, t))
			}
		}
	}
}

// compareIntegers adds s = t, s ≤ t and t ≤ s, each in one form of the many that say it.
func (v *view) compareIntegers(s, t logic.Term) {
	left, right := v.sum(s), v.sum(t)
	v.add(v.equation(append(left, negated(right)...)))
	v.add(v.order(append(left, negated(right)...)))
	v.add(v.order(append(right, negated(left)...)))
}
