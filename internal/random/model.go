package random

import (
	"math/rand/v2"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// Model returns a model for formulas of b: carrier sets of up to 3 elements, small numbers
// and, now and then, great ones; small sets, and infinite ones of integers; relations that are
// functions more often than not.
func Model(b *logic.Bank, r *rand.Rand, formulas ...logic.Term) *eval.Model {
	m := eval.NewModel()
	complete(m, b, r, formulas)
	return m
}

// complete gives values to what m leaves open of the formulas.
func complete(m *eval.Model, b *logic.Bank, r *rand.Rand, formulas []logic.Term) {
	v := values{m, b, r}
	for _, c := range Carriers(b, formulas...) {
		if m.Carriers[c] == 0 {
			m.Carriers[c] = 1 + r.IntN(3)
		}
	}
	for _, id := range b.FreeIdents(formulas...) {
		if m.Values[b.Name(id)] == 0 {
			m.Values[b.Name(id)] = v.value(b.Type(id), true)
		}
	}
}

type values struct {
	*eval.Model
	b *logic.Bank
	r *rand.Rand
}

// value returns a value of type t; one that is no member of a set may be infinite.
func (m values) value(t logic.Type, outer bool) eval.Value {
	sp := m.Space
	switch m.b.TypeKind(t) {
	case logic.KindInt:
		if m.r.IntN(20) == 0 {
			return sp.Int(one(m.r, numbers...))
		}
		return sp.Int64(int64(m.r.IntN(9) - 3))
	case logic.KindBool:
		return sp.Bool(m.r.IntN(2) == 0)
	case logic.KindGiven:
		name := m.b.GivenName(t)
		return sp.Element(name, m.r.IntN(m.Carriers[name]))
	case logic.KindProd:
		l, r := m.b.Pair(t)
		return sp.Pair(m.value(l, false), m.value(r, false))
	}
	// Most relations of models are functions; a sixth of the sets of integers is infinite.
	elem := m.b.Elem(t)
	if elem == logic.IntType && outer && m.r.IntN(6) == 0 {
		return sp.Interval(one(m.r, 0, sp.Int64(0), sp.Int64(-2)), 0, sp.Int64(0))
	}
	// Most relations are functions, as in models: half of all axioms are about these.
	var members, firsts []eval.Value
	function := m.r.IntN(3) > 0
	for range m.r.IntN(5) {
		v := m.value(elem, false)
		if m.b.TypeKind(elem) == logic.KindProd && function {
			if first := sp.Parts(v)[0]; slices.Contains(firsts, first) {
				continue
			} else {
				firsts = append(firsts, first)
			}
		}
		members = append(members, v)
	}
	return sp.Set(members...)
}

// Carriers returns the names of the carrier sets in ts and in the types of their parts.
func Carriers(b *logic.Bank, ts ...logic.Term) (names []string) {
	var ofType func(t logic.Type)
	ofType = func(t logic.Type) {
		switch b.TypeKind(t) {
		case logic.KindGiven:
			names = append(names, b.GivenName(t))
		case logic.KindPow:
			ofType(b.Elem(t))
		case logic.KindProd:
			l, r := b.Pair(t)
			ofType(l)
			ofType(r)
		}
	}
	// Terms are shared, so each is visited once.
	seen := map[logic.Term]bool{}
	var visit func(t logic.Term)
	visit = func(t logic.Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		ofType(b.Type(t))
		// A variable may be declared and not occur.
		if b.Op(t).IsBinder() {
			for _, d := range b.Decls(t) {
				ofType(d)
			}
		}
		for _, a := range b.Args(t) {
			visit(a)
		}
	}
	for _, t := range ts {
		visit(t)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// steps bounds the evaluation of one formula or sequent.
const steps = 20_000

// Refuted returns a sequent with a model that refutes it: predicates of one bank, of which
// those that the model makes true are hypotheses and one that it makes false is the goal.
func Refuted(r *rand.Rand, depth int) (logic.Sequent, *eval.Model) {
	for {
		b := logic.NewBank()
		f := NewFormulas(b, r)
		var ps []logic.Term
		for range 3 + r.IntN(8) {
			ps = append(ps, f.Pred(depth))
		}
		m := Model(b, r, ps...)
		s := logic.Sequent{Bank: b, Hyps: defined(b, m, ps, eval.True)}
		if goals := defined(b, m, ps, eval.False); len(goals) > 0 {
			s.Goal = one(r, goals...)
			if Refutes(s, m) {
				return s, m
			}
		}
	}
}

// Beside returns s with a few random hypotheses more that hold in a model of it, which is
// completed. They speak of the identifiers of s, and of others.
func Beside(r *rand.Rand, s logic.Sequent, m *eval.Model, depth int) logic.Sequent {
	f := NewFormulas(s.Bank, r, s.Bank.FreeIdents(append(slices.Clone(s.Hyps), s.Goal)...)...)
	var ps []logic.Term
	for range 8 {
		ps = append(ps, f.Pred(depth))
	}
	complete(m, s.Bank, r, ps)
	s.Hyps = append(slices.Clone(s.Hyps), defined(s.Bank, m, ps, eval.True)...)
	return s
}

// defined returns those of ps that are well-defined in m and have the given truth.
func defined(b *logic.Bank, m *eval.Model, ps []logic.Term, want eval.Truth) (out []logic.Term) {
	e := eval.New(b, m, steps)
	for _, p := range ps {
		if e.Pred(p) == want && e.Pred(b.D(p)) == eval.True {
			out = append(out, p)
		}
	}
	return out
}

// Refutes reports whether m is a counterexample to the bare sequent s, as far as few steps tell.
func Refutes(s logic.Sequent, m *eval.Model) bool {
	return eval.New(s.Bank, m, steps).Refutes(s) == eval.True
}
