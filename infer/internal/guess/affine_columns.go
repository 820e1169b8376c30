package guess

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/infer/internal/karr"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
)

// What the analysis of rule affine speaks of: products of atoms, and the facts about them.

// polynomial is what an expression is a sum of; ok is false if its type has no numbers.
func (a *analysis) polynomial(t logic.Term) (sum []product, ok bool) {
	b := a.v.b
	switch typ := b.Type(t); {
	case typ == logic.IntType:
		return a.v.sum(t), true
	case b.Op(t) == logic.TrueE:
		return []product{{big.NewInt(1), nil}}, true
	case b.Op(t) == logic.FalseE:
		return nil, true
	case typ == logic.BoolType:
		return []product{{big.NewInt(1), []logic.Term{t}}}, true
	default:
		if n, ranked := a.v.rank[t]; ranked {
			return []product{{big.NewInt(n), nil}}, true
		}
		return []product{{big.NewInt(1), []logic.Term{t}}}, a.ranked(typ)
	}
}

func (a *analysis) ranked(typ logic.Type) bool {
	for k := range a.v.rank {
		if a.v.b.Type(k) == typ {
			return true
		}
	}
	return false
}

// numeric reports whether values of a type are numbers here.
func (a *analysis) numeric(typ logic.Type) bool {
	return typ == logic.IntType || typ == logic.BoolType || a.ranked(typ)
}

// difference is that of two sides of a comparison.
func (a *analysis) difference(p logic.Term) (zero []product, ok bool) {
	args := a.v.b.Args(p)
	left, ok1 := a.polynomial(args[0])
	right, ok2 := a.polynomial(args[1])
	return collected(slices.Concat(left, negated(right))), ok1 && ok2
}

// equal returns the polynomial that is 0 where p holds, if p is an equation.
func (a *analysis) equal(p logic.Term) (zero []product, ok bool) {
	if truth, holds := a.claim(p); truth != 0 {
		zero, ok = a.polynomial(truth)
		if holds {
			zero = collected(append(zero, product{big.NewInt(-1), nil}))
		}
		return zero, ok
	}
	if a.v.b.Op(p) != logic.Eq {
		return nil, false
	}
	return a.difference(p)
}

// apart returns the polynomial that is not 0 where p holds, if p is a disequality or a
// strict order.
func (a *analysis) apart(p logic.Term) (notZero []product, ok bool) {
	switch a.v.b.Op(p) {
	case logic.Neq, logic.Lt, logic.Gt:
		return a.difference(p)
	}
	return nil, false
}

func keyOf(factors []logic.Term) string {
	var key strings.Builder
	for _, x := range factors {
		fmt.Fprintf(&key, "%d ", x)
	}
	return key.String()
}

// column takes a product of factors among the columns.
func (a *analysis) column(factors ...logic.Term) {
	factors = slices.Sorted(slices.Values(factors))
	if key := keyOf(factors); len(a.columns) < mostAffine {
		if _, ok := a.number[key]; !ok {
			a.number[key] = len(a.columns)
			a.columns = append(a.columns, factors)
		}
	}
}

// choose takes the columns. Their order says what equations are solved for: truth values
// first, then what has disappeared, values of functions, variables, products, and what
// never changes last.
func (a *analysis) choose() {
	v := a.v
	kinds := [...]func(logic.Type) bool{
		func(t logic.Type) bool { return t == logic.BoolType },
		func(t logic.Type) bool { return t != logic.BoolType && a.numeric(t) },
	}
	for _, p := range a.memberships() {
		if truth := a.truth(p); truth != 0 {
			a.column(truth)
		}
	}
	for _, kind := range kinds {
		for _, x := range slices.Concat(v.vars[v.concrete:], a.applications(), v.vars[:v.concrete]) {
			if kind(v.b.Type(x)) {
				a.column(x)
			}
		}
	}
	if a.is != 0 && a.numeric(v.b.Type(a.is)) {
		a.column(a.is)
	}
	var constants [][]logic.Term
	for _, factors := range a.products() {
		if slices.ContainsFunc(factors, v.mentions) {
			a.column(factors...)
		} else {
			constants = append(constants, factors)
		}
	}
	for _, k := range slices.Backward(v.consts) { // what comes later is defined by what comes before it
		if _, ranked := a.v.rank[k]; !ranked && a.numeric(v.b.Type(k)) {
			constants = append(constants, []logic.Term{k})
		}
	}
	// A context may have more constants than there are columns: what events and invariants
	// speak of comes before what axioms alone do.
	spoken := a.spoken()
	silent := func(factors []logic.Term) bool {
		return slices.ContainsFunc(factors, func(k logic.Term) bool { return !spoken[k] })
	}
	needed := slices.DeleteFunc(slices.Clone(constants), silent)
	room := mostAffine - len(a.columns) - len(needed)
	for _, factors := range constants {
		if silent(factors) {
			room--
		}
		if !silent(factors) || room >= 0 {
			a.column(factors...)
		}
	}
	a.number[""] = len(a.columns)
	a.columns = append(a.columns, nil)
	a.describeColumns()
	a.relations()
}

// spoken are the constants in events, those of the refined machine included, and in facts
// about variables.
func (a *analysis) spoken() map[logic.Term]bool {
	out := map[logic.Term]bool{}
	note := func(t logic.Term) { out[t] = out[t] || a.v.constant[t] }
	a.v.throughEvents(note)
	for _, p := range a.v.facts {
		if a.v.mentions(p) {
			a.v.walk(p, note)
		}
	}
	return out
}

// applications returns the values of functions at the places where the text reads or
// changes one, or where a witness stands for a parameter of the refined event.
func (a *analysis) applications() (out []logic.Term) {
	v := a.v
	var places []logic.Term
	add := func(t logic.Term) {
		if t = a.normal(t); v.state(t) && !slices.Contains(places, t) {
			places = append(places, t)
		}
	}
	// A witness says where the refined event reads what has disappeared.
	for _, e := range v.m.Events {
		for _, w := range e.Witnesses {
			if args := v.b.Args(w.Term); v.b.Op(w.Term) == logic.Eq {
				add(args[0])
				add(args[1])
			}
		}
		for _, x := range e.Actions {
			for _, t := range x.Right {
				v.walk(t, func(t logic.Term) {
					if k, _, ok := v.single(t); ok {
						add(k)
						if v.b.Type(k) == logic.IntType {
							// Events that move a counter on leave the place before it behind.
							add(v.b.App(logic.Minus, k, v.int(1)))
						}
					}
				})
			}
		}
	}
	for _, t := range v.terms {
		if v.b.Op(t) == logic.Apply {
			add(v.b.Arg(t, 1))
		}
	}
	for _, f := range v.vars {
		from, to := v.b.RelPair(v.b.Type(f))
		if from == logic.NoType || !a.numeric(to) || !v.isFunction(f) {
			continue
		}
		if a.is != 0 && v.functions[f] == a.domain {
			out = append(out, v.b.App(logic.Apply, f, a.is))
		}
		for _, t := range places {
			if v.b.Type(t) == from {
				out = append(out, v.b.App(logic.Apply, f, t))
			}
		}
	}
	return out
}

// products returns products that equations may need: those of the text; there, a counter
// in the place of its bound; and a counter times what something else changes by when the
// counter goes on.
func (a *analysis) products() (out [][]logic.Term) {
	v := a.v
	add := func(factors []logic.Term) {
		factors = slices.Sorted(slices.Values(factors))
		atoms := !slices.ContainsFunc(factors, func(x logic.Term) bool {
			return !v.state(x) || v.b.Op(x) != logic.Free && v.b.Op(x) != logic.Apply
		})
		// Longer products are rare in models, and each one is a column in every matrix.
		if atoms && len(factors) > 1 && len(factors) <= 3 && !slices.ContainsFunc(out, func(old []logic.Term) bool { return slices.Equal(old, factors) }) {
			out = append(out, factors)
		}
	}
	v.everywhere(func(t logic.Term) {
		if v.b.Type(t) == logic.IntType && v.b.Depth(t) == 0 {
			for _, p := range v.sum(t) {
				add(p.factors)
			}
		}
	})
	// An equation that holds at the end with the bound n holds before it with the counter in n's place.
	for _, c := range v.compared() {
		for _, factors := range slices.Clone(out) {
			if i := slices.Index(factors, c.with); i >= 0 {
				other := slices.Clone(factors)
				other[i] = c.counter
				add(other)
			}
		}
	}
	for _, s := range v.steps {
		counters, rates := a.rates(s)
		for _, x := range counters {
			for _, factors := range rates {
				add(append(slices.Clone(factors), x))
			}
		}
	}
	return out
}

// rates returns the integers that a step moves on by a literal, and the products of
// constants in what others are moved on by, or compared with.
func (a *analysis) rates(s step) (counters []logic.Term, rates [][]logic.Term) {
	v := a.v
	rate := func(ps []product) {
		for _, p := range ps {
			if len(p.factors) > 0 && !slices.ContainsFunc(p.factors, func(x logic.Term) bool { return !v.constant[x] }) {
				rates = append(rates, p.factors)
			}
		}
	}
	for _, x := range a.atElement(s.sets) {
		if x.value == 0 || v.b.Type(x.to) != logic.IntType {
			continue
		}
		by := collected(append(v.sum(x.value), negated(v.sum(x.to))...))
		if len(by) == 1 && len(by[0].factors) == 0 {
			counters = append(counters, x.to)
		} else if !slices.ContainsFunc(by, func(p product) bool { return slices.Contains(p.factors, x.to) }) {
			rate(by)
		}
	}
	for _, g := range slices.Concat(s.guards, a.witnesses(s.event)) {
		if zero, ok := a.equal(g); ok {
			rate(zero)
		}
	}
	return counters, rates
}

// atElement adds to assignments of functions that change at one place what they are if
// that is the element.
func (a *analysis) atElement(sets []assignment) []assignment {
	v := a.v
	out := slices.Clone(sets)
	for _, x := range sets {
		if a.is == 0 || x.value == 0 || v.b.Op(x.value) != logic.Ovr || v.functions[x.to] != a.domain {
			continue
		}
		args := v.b.Args(x.value)
		if at, value, ok := v.single(args[len(args)-1]); ok && v.b.Op(at) == logic.Free {
			with := map[logic.Term]logic.Term{at: a.is}
			out = append(out, assignment{v.b.App(logic.Apply, x.to, a.is), v.b.Subst(value, with)})
		}
	}
	return out
}

func (a *analysis) witnesses(e *model.Event) (out []logic.Term) {
	for _, w := range e.Witnesses {
		out = append(out, formula.Conjuncts(a.v.b, w.Term)...)
	}
	return out
}

// normal writes an integer as sums are written here, so that equal ones are the same.
func (a *analysis) normal(t logic.Term) logic.Term {
	v := a.v
	if v.b.Type(t) != logic.IntType {
		return t
	}
	added, taken := sides(collected(v.sum(t)))
	switch {
	case len(taken) == 0:
		return v.total(added)
	case len(added) == 0:
		return t
	}
	return v.b.App(logic.Minus, v.total(added), v.total(taken))
}

// describeColumns finds what the analysis knows of each column: whether it is natural or positive, whether events change
// it, and whether it needs a function to be defined. Signs decide later which equations show that a control is false.
func (a *analysis) describeColumns() {
	v := a.v
	// Only facts of the forms x ∈ S and n ≤ x count: authors state the type of a counter so.
	least := map[logic.Term]int{} // 1: natural, 2: positive
	for _, p := range v.facts {
		args := v.b.Args(p)
		if len(args) != 2 {
			continue
		}
		switch v.b.Op(p) {
		case logic.In:
			switch set := args[1]; v.b.Op(set) {
			case logic.Natural:
				least[args[0]] = max(least[args[0]], 1)
			case logic.Natural1:
				least[args[0]] = 2
			case logic.UpTo:
				if low := v.b.Arg(set, 0); v.b.Op(low) == logic.Int && v.b.Value(low).Sign() >= 0 {
					least[args[0]] = max(least[args[0]], 1+v.b.Value(low).Sign())
				}
			}
		case logic.Le:
			if v.b.Op(args[0]) == logic.Int && v.b.Value(args[0]).Sign() >= 0 {
				least[args[1]] = max(least[args[1]], 1+v.b.Value(args[0]).Sign())
			}
		}
	}
	for _, factors := range a.columns {
		// A product is natural if all its factors are, and positive if all are.
		sign := 2
		for _, x := range factors {
			sign = min(sign, least[x])
		}
		a.signs = append(a.signs, karr.Column{
			Natural: sign >= 1, Positive: sign == 2,
			Rigid: !slices.ContainsFunc(factors, v.mentions),
			Partial: slices.ContainsFunc(factors, func(x logic.Term) bool {
				return v.b.Op(x) == logic.Apply && (a.is == 0 || v.b.Arg(x, 1) != a.is)
			}),
		})
	}
}

func (a *analysis) inColumns(all [][]product) bool {
	for _, ps := range all {
		for _, p := range ps {
			if _, ok := a.number[keyOf(p.factors)]; !ok {
				return false
			}
		}
	}
	return true
}
