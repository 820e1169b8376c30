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
func complete(model *eval.Model, bank *logic.Bank, r *rand.Rand, formulas []logic.Term) {
	v := values{model, bank, r}
	for _, c := range Carriers(bank, formulas...) {
		if model.Carriers[c] == 0 {
			model.Carriers[c] = 1 + r.IntN(3)
		}
	}
	for _, id := range bank.FreeIdents(formulas...) {
		if model.Values[bank.Name(id)] == 0 {
			model.Values[bank.Name(id)] = v.value(bank.Type(id), true)
		}
	}
}

type values struct {
	*eval.Model
	b *logic.Bank
	r *rand.Rand
}

// value returns a value of type t; one that is not a member of a set may be infinite.
func (m values) value(typ logic.Type, outer bool) eval.Value {
	sp := m.Space
	switch m.b.TypeKind(typ) {
	case logic.KindInt:
		if m.r.IntN(20) == 0 {
			return sp.Int(one(m.r, numbers...))
		}
		return sp.Int64(int64(m.r.IntN(9) - 3))
	case logic.KindBool:
		return sp.Bool(m.r.IntN(2) == 0)
	case logic.KindGiven:
		name := m.b.GivenName(typ)
		return sp.Element(name, m.r.IntN(m.Carriers[name]))
	case logic.KindProd:
		left, right := m.b.Pair(typ)
		return sp.Pair(m.value(left, false), m.value(right, false))
	}
	// Most relations of models are functions; a sixth of the sets of integers is infinite.
	elem := m.b.Elem(typ)
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
func Carriers(bank *logic.Bank, ts ...logic.Term) (names []string) {
	var ofType func(typ logic.Type)
	ofType = func(typ logic.Type) {
		switch bank.TypeKind(typ) {
		case logic.KindGiven:
			names = append(names, bank.GivenName(typ))
		case logic.KindPow:
			ofType(bank.Elem(typ))
		case logic.KindProd:
			left, right := bank.Pair(typ)
			ofType(left)
			ofType(right)
		}
	}
	// Terms are shared, so each is visited once.
	seen := map[logic.Term]bool{}
	var visit func(term logic.Term)
	visit = func(t logic.Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		ofType(bank.Type(t))
		// A variable may be declared and not occur.
		if bank.Op(t).IsBinder() {
			for _, typ := range bank.Decls(t) {
				ofType(typ)
			}
		}
		for _, a := range bank.Args(t) {
			visit(a)
		}
	}
	for _, term := range ts {
		visit(term)
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
		bank := logic.NewBank()
		f := NewFormulas(bank, r)
		var ps []logic.Term
		for range 3 + r.IntN(8) {
			ps = append(ps, f.Pred(depth))
		}
		model := Model(bank, r, ps...)
		sequent := logic.Sequent{Bank: bank, Hyps: defined(bank, model, ps, eval.True)}
		if goals := defined(bank, model, ps, eval.False); len(goals) > 0 {
			sequent.Goal = one(r, goals...)
			if Refutes(sequent, model) {
				return sequent, model
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
