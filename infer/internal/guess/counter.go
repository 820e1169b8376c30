package guess

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// The rules about counters: variables that guards compare and events step.

// compared returns the integer variables that a guard compares, and what with.
func (v *view) compared() (out []comparison) {
	for _, s := range v.steps {
		for _, g := range s.guards {
			args := v.b.Args(g)
			switch v.b.Op(g) {
			case logic.Lt, logic.Le, logic.Gt, logic.Ge, logic.Neq, logic.Eq:
				for i := range 2 {
					if x := args[i]; v.b.Type(x) == logic.IntType && v.isVariable(x) {
						c := comparison{x, args[1-i]}
						if !slices.Contains(out, c) {
							out = append(out, c)
						}
					}
				}
			}
		}
	}
	return out
}

type comparison struct{ counter, with logic.Term }

func (v *view) isVariable(x logic.Term) bool { return slices.Contains(v.vars[:v.concrete], x) }

// stepped returns the integers that steps of counter x add to it, and false if an
// assignment does anything else.
func (v *view) stepped(x logic.Term) (by []logic.Term, only bool) {
	only = true
	for _, s := range v.steps {
		for _, a := range s.sets {
			if a.to != x {
				continue
			}
			k := logic.Term(0)
			if a.value != 0 {
				k = v.added(x, a.value)
			}
			switch {
			case k != 0 && v.rigid(k):
				by = append(by, k)
			case a.value != 0 && a.value == v.initial[x]: // it begins again
			default:
				only = false
			}
		}
	}
	return by, only
}

// added returns k of x + k, k + x or x − k; 0 if e is of another form.
func (v *view) added(x, e logic.Term) logic.Term {
	args := v.b.Args(e)
	switch v.b.Op(e) {
	case logic.Plus:
		i := slices.Index(args, x)
		if i < 0 {
			return 0
		}
		rest := slices.Delete(slices.Clone(args), i, i+1)
		if len(rest) == 1 {
			return rest[0]
		}
		return v.b.App(logic.Plus, rest...)
	case logic.Minus:
		if args[0] != x {
			return 0
		}
		if v.b.Op(args[1]) == logic.Int {
			return v.b.Int(new(big.Int).Neg(v.b.Value(args[1])))
		}
		return v.b.App(logic.Neg, args[1])
	}
	return 0
}

// guardNonNeg is r8.
func guardNonNeg(v *view) {
	for _, x := range v.of(logic.IntType) {
		if slices.ContainsFunc(v.compared(), func(c comparison) bool { return c.counter == x }) {
			v.add(v.le(v.int(0), x))
		}
	}
	for _, l := range v.threads.Loops {
		for _, c := range l.Counters {
			v.add(v.implies(l.Head, v.le(v.int(0), c.Term)))
		}
	}
}

// loopBound is r9: the initial value bounds the counter, and so does what guards
// compare it with.
func loopBound(v *view) {
	for _, x := range v.of(logic.IntType) {
		if e := v.initial[x]; e != 0 && v.rigid(e) {
			v.add(v.le(e, x))
			v.add(v.le(x, e))
		}
	}
	// A guard bounds the counter from one side only, but which one depends on the direction
	// in which the counter goes.
	for _, c := range v.compared() {
		if v.state(c.with) {
			v.add(v.le(c.counter, c.with))
			v.add(v.le(c.with, c.counter))
		}
	}
	for _, l := range v.threads.Loops {
		for _, c := range l.Counters {
			v.add(v.implies(l.Head, v.le(c.Before, c.Term)))
			v.add(v.implies(l.Head, v.le(c.Term, c.Before)))
		}
	}
}

// strided is r10: a counter that goes in steps of k keeps its remainder.
func strided(v *view) {
	for _, x := range v.of(logic.IntType) {
		e := v.initial[x]
		by, only := v.stepped(x)
		if e == 0 || !v.rigid(e) || !only || len(by) == 0 {
			continue
		}
		for _, k := range v.commonStep(by) {
			v.add(v.eq(v.mod(x, k), v.remainder(e, k)))
		}
	}
}

// commonStep returns what divides all steps: the greatest divisor of literals; of
// others one that all are equal to.
func (v *view) commonStep(by []logic.Term) []logic.Term {
	gcd := new(big.Int)
	for _, k := range by {
		// Of what is not a literal no divisor is known, but itself.
		if v.b.Op(k) != logic.Int {
			if slices.ContainsFunc(by, func(other logic.Term) bool { return other != k }) {
				return nil
			}
			return []logic.Term{k}
		}
		gcd.GCD(nil, nil, gcd, new(big.Int).Abs(v.b.Value(k)))
	}
	if gcd.Cmp(big.NewInt(2)) < 0 {
		return nil
	}
	return []logic.Term{v.b.Int(gcd)}
}

// remainder returns e mod k, worked out for literals.
func (v *view) remainder(e, k logic.Term) logic.Term {
	switch {
	case v.b.Op(e) != logic.Int:
		return v.mod(e, k)
	case v.b.Value(e).Sign() == 0:
		return e
	case v.b.Op(k) == logic.Int:
		return v.b.Int(new(big.Int).Mod(v.b.Value(e), v.b.Value(k)))
	}
	return v.mod(e, k)
}

// scaled returns the variables that some event doubles, and those that some halves.
func (v *view) scaled() (doubled, halved []logic.Term) {
	two := v.int(2)
	for _, s := range v.steps {
		for _, a := range s.sets {
			if a.value == 0 {
				continue
			}
			args := v.b.Args(a.value)
			switch v.b.Op(a.value) {
			case logic.Times:
				if len(args) == 2 && slices.Contains(args, a.to) && slices.Contains(args, two) && !slices.Contains(doubled, a.to) {
					doubled = append(doubled, a.to)
				}
			case logic.Plus:
				if len(args) == 2 && args[0] == a.to && args[1] == a.to && !slices.Contains(doubled, a.to) {
					doubled = append(doubled, a.to)
				}
			case logic.Div:
				if args[0] == a.to && args[1] == two && !slices.Contains(halved, a.to) {
					halved = append(halved, a.to)
				}
			}
		}
	}
	return doubled, halved
}

// mostPower is the largest power of two that is guessed, as in the paper.
const mostPower = 15

// powers is r14: as mathematical integers have no bits, a power of two is one of the
// first that there are.
func powers(v *view) {
	doubled, halved := v.scaled()
	values := []logic.Term{v.int(0)}
	for i := range mostPower + 1 {
		values = append(values, v.int(1<<i))
	}
	for _, x := range slices.Concat(doubled, halved) {
		v.add(v.in(x, v.b.App(logic.SetExt, values...)))
		v.add(v.in(x, v.b.App(logic.SetExt, values[1:]...)))
	}
}

// notZero is r15.
func notZero(v *view) {
	doubled, halved := v.scaled()
	for _, x := range slices.Concat(doubled, halved) {
		v.add(v.b.App(logic.Neq, x, v.int(0)))
	}
}

// lockStep is r17: as one doubles, the other halves.
func lockStep(v *view) {
	doubled, halved := v.scaled()
	if len(doubled) != 1 || len(halved) != 1 || doubled[0] == halved[0] {
		return
	}
	up, down := doubled[0], halved[0]
	product := v.b.App(logic.Times, up, down)
	both := func(c logic.Term) {
		v.add(v.eq(product, c))
		v.add(v.b.Or(v.b.And(v.eq(down, v.int(0)), v.eq(up, v.b.App(logic.Times, v.int(2), c))), v.eq(product, c)))
	}
	for i := mostPower; i >= 0; i-- {
		both(v.int(1 << i))
	}
	if e, f := v.initial[up], v.initial[down]; e != 0 && f != 0 && v.rigid(e) && v.rigid(f) {
		both(v.b.App(logic.Times, e, f))
	}
}

// onlyWhereGuarded is r4: an element is in a set only if what the guards ask of it when
// it comes in still holds.
func onlyWhereGuarded(v *view) {
	for _, s := range v.steps {
		for _, a := range s.sets {
			p := v.entering(a)
			if p == 0 || !slices.Contains(s.params, p) {
				continue
			}
			for _, g := range s.guards {
				free := v.b.FreeIdents(g)
				others := slices.ContainsFunc(free, func(x logic.Term) bool { return x != p && !v.variable[x] && !v.constant[x] })
				if others || !slices.Contains(free, p) || slices.Contains(free, a.to) {
					continue
				}
				v.add(v.forall([]logic.Term{p}, v.implies(v.in(p, a.to), g)))
			}
		}
	}
}

// entering returns e of S ≔ S ∪ {e}; 0 if a is of another form.
func (v *view) entering(a assignment) logic.Term {
	if a.value == 0 || v.b.Op(a.value) != logic.Union {
		return 0
	}
	args := v.b.Args(a.value)
	if len(args) != 2 || args[0] != a.to || v.b.Op(args[1]) != logic.SetExt || len(v.b.Args(args[1])) != 1 {
		return 0
	}
	return v.b.Arg(args[1], 0)
}

// enabledness is r5: a variable has the value that an event gives it only where the
// guards of the event held, and the other way round.
func enabledness(v *view) {
	for _, s := range v.steps {
		for _, a := range s.sets {
			if a.value == 0 || !v.rigid(a.value) {
				continue
			}
			now := v.eq(a.to, a.value)
			for _, g := range s.guards {
				if v.state(g) && v.mentions(g) && !v.b.Occurs(a.to, g) {
					v.add(v.implies(now, g))
					v.add(v.implies(g, now))
				}
			}
		}
	}
	for _, l := range v.threads.Loops {
		for i := range 2 {
			if l.Enabled[i] == 0 {
				continue
			}
			for _, p := range append(slices.Clone(l.Under[i]), l.Guard[i]) {
				if p != 0 {
					v.add(v.implies(l.Head, v.implies(p, l.Enabled[i])))
					v.add(v.implies(l.Head, v.implies(l.Enabled[i], p)))
				}
			}
		}
	}
}

// uniform is r7: what is counted for several goes up together. Of two threads these are
// their counters; of a machine, counters that the same events step alike.
func uniform(v *view) {
	for _, l := range v.threads.Loops {
		for i, c := range l.Counters {
			for _, d := range l.Counters[i+1:] {
				if !l.Barrier || c.Thread == d.Thread || !v.paired(c.Term, d.Term) {
					continue
				}
				same := v.eq(v.b.App(logic.Minus, c.Term, c.Before), v.b.App(logic.Minus, d.Term, d.Before))
				v.add(v.implies(l.Head, same))
				v.grouped(l.Head, same)
			}
		}
	}
	ints := v.of(logic.IntType)
	for i, x := range ints {
		for _, y := range ints[i+1:] {
			e, f := v.initial[x], v.initial[y]
			if e != 0 && f != 0 && v.rigid(e) && v.rigid(f) && v.together(x, y) {
				if e == f {
					v.add(v.eq(x, y))
				} else {
					v.add(v.eq(v.b.App(logic.Minus, x, e), v.b.App(logic.Minus, y, f)))
				}
			}
		}
	}
}

// together reports whether each event that steps x steps y by as much.
func (v *view) together(x, y logic.Term) bool {
	some := false
	for _, s := range v.steps {
		var by [2]logic.Term
		for _, a := range s.sets {
			if a.value == 0 && (a.to == x || a.to == y) {
				return false
			}
			for i, z := range []logic.Term{x, y} {
				if a.to == z {
					by[i] = v.added(z, a.value)
					if by[i] == 0 {
						return false
					}
				}
			}
		}
		if by[0] != by[1] {
			return false
		}
		some = some || by[0] != 0
	}
	return some
}

func (v *view) paired(x, y logic.Term) bool {
	return slices.ContainsFunc(v.threads.Pairs, func(p model.Pair) bool {
		return p == model.Pair{First: x, Second: y} || p == model.Pair{First: y, Second: x}
	})
}

// grouped adds that p holds of two threads of one group.
func (v *view) grouped(head, p logic.Term) {
	if v.threads.SameGroup != 0 {
		v.add(v.implies(head, v.implies(v.threads.SameGroup, p)))
	}
}
