package guess

import (
	"maps"
	"math/big"
	"slices"

	"github.com/gradine/gradine/infer/internal/karr"
	"github.com/gradine/gradine/infer/internal/linear"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
)

// Events as the analysis of rule affine goes along them.

// vector writes ps as a row of the columns, and of more that number has.
func vector(ps []product, number map[string]int) linear.Vector {
	out := make(linear.Vector, len(number))
	for _, p := range ps {
		unit := make(linear.Vector, len(number))
		unit[number[keyOf(p.factors)]] = 1
		out = out.Plus(linear.Of(p.coefficient), unit)
	}
	return out
}

func vectors(all [][]product, number map[string]int) (out []linear.Vector) {
	for _, ps := range all {
		out = append(out, vector(ps, number))
	}
	return out
}

// move is what an event says, before it is known how long its vectors are.
type move struct {
	equal, apart, after [][]product // as in karr.Move
}

// move reads event e in one of its cases, and the event that it refines alongside.
func (a *analysis) move(e *model.Event, in places) karr.Move {
	v := a.v
	a.places = in
	m := &move{equal: a.settled(in.same)}
	by := map[logic.Term]logic.Term{} // variables: their values behind the event
	names := map[logic.Term]logic.Term{}
	for _, p := range in.same {
		if !v.state(p) {
			names[p] = a.is // a parameter: what guards say of it, they say of the element
		}
	}
	var predicates []logic.Term
	take := func(x *model.Event, all bool) {
		for _, g := range x.Guards {
			predicates = append(predicates, formula.Conjuncts(v.b, v.b.Subst(g.Term, names))...)
		}
		for _, act := range x.Actions {
			for i, left := range act.Left {
				if _, done := by[left]; done || !all && slices.Contains(v.vars[:v.concrete], left) {
					continue
				}
				by[left] = v.b.Free(v.b.Name(left)+"?", v.b.Type(left))
				if act.Kind == model.BecomesEqual {
					by[left] = v.b.Subst(act.Right[i], names)
				}
			}
		}
	}
	// Its own actions come first: of a variable that both machines have, the refined event
	// says nothing more.
	take(e, true)
	for _, w := range a.witnesses(e) {
		predicates = append(predicates, v.b.Subst(w, names))
	}
	maps.Copy(names, a.witnessed(e)) // so that it is known where functions change
	switch {
	case e.IsInit() && v.m.Refines != nil:
		if first := v.m.Refines.Event(model.InitLabel); first != nil {
			take(first, false)
		}
	case len(e.Refines) == 1:
		take(e.Refines[0], false)
	}
	for _, p := range predicates {
		if zero, ok := a.equal(p); ok {
			m.equal = append(m.equal, zero)
		}
		if notZero, ok := a.apart(p); ok {
			m.apart = append(m.apart, notZero)
		}
	}
	m.equal = append(m.equal, a.atEnd(m.equal, in.apart)...)
	for _, p := range in.apart {
		if v.b.Type(p) == logic.IntType {
			m.apart = append(m.apart, collected(append(v.sum(v.b.Subst(p, names)), negated(v.sum(a.is))...)))
		}
	}
	for _, factors := range a.columns {
		m.after = append(m.after, a.behind(factors, by))
	}
	a.instances(m, predicates)
	out := a.rows(m)
	out.Start = e.IsInit()
	return out
}

// instances takes what facts about all arguments of functions say of those that m reads,
// where its guards are enough to tell.
func (a *analysis) instances(m *move, guards []logic.Term) {
	v := a.v
	var arguments []logic.Term
	for _, ps := range m.after {
		for _, p := range ps {
			for _, x := range p.factors {
				if v.b.Op(x) == logic.Apply && v.b.Op(v.b.Arg(x, 0)) == logic.Free && !slices.Contains(arguments, v.b.Arg(x, 1)) {
					arguments = append(arguments, v.b.Arg(x, 1))
				}
			}
		}
	}
	for _, p := range v.facts {
		if v.b.Op(p) != logic.Forall || len(v.b.Decls(p)) != 1 || v.b.Op(v.b.Arg(p, 0)) != logic.Implies {
			continue
		}
		for _, t := range arguments {
			if v.b.Type(t) != v.b.Decls(p)[0] {
				continue
			}
			args := v.b.Args(v.b.Instantiate(v.b.Arg(p, 0), []logic.Term{t}))
			// The fact says something of this argument only if the guards imply all its conditions.
			if slices.ContainsFunc(formula.Conjuncts(v.b, args[0]), func(c logic.Term) bool { return !a.follows(c, guards) }) {
				continue
			}
			for _, c := range formula.Conjuncts(v.b, args[1]) {
				if zero, ok := a.equal(c); ok {
					m.equal = append(m.equal, zero)
				}
			}
		}
	}
}

// follows reports whether p is one of the guards, or an order that follows from one.
func (a *analysis) follows(p logic.Term, guards []logic.Term) bool {
	v := a.v
	if slices.Contains(guards, p) {
		return true
	}
	if v.b.Op(p) == logic.In && v.b.Op(v.b.Arg(p, 1)) == logic.UpTo {
		x, ends := v.b.Arg(p, 0), v.b.Args(v.b.Arg(p, 1))
		return a.follows(v.le(ends[0], x), guards) && a.follows(v.le(x, ends[1]), guards)
	}
	least, ok := a.notNegative(p)
	if !ok {
		return false
	}
	// least is at least 0 if it is so far, or what a guard says it of and some more.
	return a.isNatural(least) || slices.ContainsFunc(guards, func(g logic.Term) bool {
		given, ok := a.notNegative(g)
		return ok && a.isNatural(collected(slices.Concat(least, negated(given))))
	})
}

// notNegative returns what is 0 or more where p, an order, holds.
func (a *analysis) notNegative(p logic.Term) (sum []product, ok bool) {
	args := a.v.b.Args(p)
	strict := []product{{big.NewInt(-1), nil}}
	switch a.v.b.Op(p) {
	case logic.Le:
		return collected(slices.Concat(a.v.sum(args[1]), negated(a.v.sum(args[0])))), true
	case logic.Lt:
		return collected(slices.Concat(a.v.sum(args[1]), negated(a.v.sum(args[0])), strict)), true
	case logic.Ge:
		return collected(slices.Concat(a.v.sum(args[0]), negated(a.v.sum(args[1])))), true
	case logic.Gt:
		return collected(slices.Concat(a.v.sum(args[0]), negated(a.v.sum(args[1])), strict)), true
	}
	return nil, false
}

// isNatural reports whether no part of a sum is negative.
func (a *analysis) isNatural(sum []product) bool {
	return !slices.ContainsFunc(sum, func(p product) bool {
		i, ok := a.number[keyOf(p.factors)]
		return p.coefficient.Sign() < 0 || !ok || len(p.factors) > 0 && !a.signs[i].Natural
	})
}

// behind is the value of a product behind an event that gives variables new values.
func (a *analysis) behind(factors []logic.Term, by map[logic.Term]logic.Term) []product {
	out := []product{{big.NewInt(1), nil}}
	for _, x := range factors {
		value, ok := a.polynomial(a.lookUp(a.v.b.Subst(x, by)))
		if !ok {
			value = []product{{big.NewInt(1), []logic.Term{x}}}
		}
		var next []product
		for _, p := range out {
			for _, q := range value {
				next = append(next, product{new(big.Int).Mul(p.coefficient, q.coefficient), slices.Sorted(slices.Values(slices.Concat(p.factors, q.factors)))})
			}
		}
		out = collected(next)
	}
	return out
}

// lookUp looks up the value of a function that was changed at one place, if it is known
// whether it is that place.
func (a *analysis) lookUp(t logic.Term) logic.Term {
	v := a.v
	if v.b.Op(t) == logic.BoolOf {
		if truth, holds := a.claim(v.b.Arg(t, 0)); truth != 0 && holds {
			return truth
		}
	}
	if v.b.Op(t) != logic.Apply {
		return t
	}
	f, at := v.b.Arg(t, 0), a.normal(v.b.Arg(t, 1))
	switch args := v.b.Args(f); v.b.Op(f) {
	case logic.Ovr:
		k, e, ok := v.single(args[len(args)-1])
		if !ok || len(args) != 2 {
			break
		}
		switch a.distance(at, k) {
		case same:
			return e
		case different:
			return a.lookUp(v.b.App(logic.Apply, args[0], at))
		}
	case logic.CProd:
		if v.b.Op(args[1]) == logic.SetExt && len(v.b.Args(args[1])) == 1 {
			return v.b.Arg(args[1], 0)
		}
	}
	return v.b.App(logic.Apply, f, at)
}

type distance uint8

const (
	unknown distance = iota
	same
	different
)

// distance says whether two arguments are the same, differ, or may do either.
func (a *analysis) distance(s, t logic.Term) distance {
	if a.is != 0 && (s == a.is || t == a.is) {
		other := a.other([]logic.Term{s, t})
		switch {
		case slices.Contains(a.places.same, other):
			return same
		case slices.Contains(a.places.apart, other):
			return different
		}
	}
	if a.v.b.Type(s) != logic.IntType {
		if s == t {
			return same
		}
		return unknown
	}
	apart := collected(append(a.v.sum(s), negated(a.v.sum(t))...))
	switch {
	case len(apart) == 0:
		return same
	case len(apart) == 1 && len(apart[0].factors) == 0:
		return different
	}
	return unknown
}

// rows writes what m says as vectors.
func (a *analysis) rows(m *move) karr.Move {
	number := maps.Clone(a.number)
	for _, ps := range slices.Concat(m.equal, m.apart, m.after) {
		for _, p := range ps {
			if key := keyOf(p.factors); key != "" {
				if _, ok := number[key]; !ok {
					number[key] = len(number)
				}
			}
		}
	}
	return karr.Move{Equal: vectors(m.equal, number), Apart: vectors(m.apart, number), After: vectors(m.after, number)}
}
