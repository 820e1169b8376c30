package arith

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/reuse"
	"github.com/gradine/gradine/prover/kernel"
)

var bigOne = big.NewInt(1)

// at returns the place of t in a table by terms, growing it as needed.
func at(table *[]int32, t logic.Term) *int32 {
	*table = reuse.Reach(*table, int(t))
	return &(*table)[t]
}

// Atom registers p and reports whether it is an arithmetic atom: t ≤ u, or
// t = u between integers, of manageable size.
func (s *Solver) Atom(predicate logic.Term) bool {
	i := s.hidden(predicate)
	if i < 0 {
		return false
	}
	if atom := &s.atoms[i]; !atom.listed {
		atom.listed = true
		if atom.v >= 0 {
			s.forms[atom.v].atoms = append(s.forms[atom.v].atoms, i)
			s.fresh = append(s.fresh, atom.v)
		}
	}
	return true
}

// hidden returns the atom of p, of which Propagate says nothing unless it is
// registered; -1 if p is not an arithmetic atom.
func (s *Solver) hidden(predicate logic.Term) int32 {
	if op := s.b.Op(predicate); op != logic.Le && (op != logic.Eq || s.b.Type(s.b.Arg(predicate, 0)) != logic.IntType) {
		return -1
	}
	if slot := at(&s.atomOf, predicate); *slot != 0 {
		return *slot - 1
	}
	poly, equal, ok := s.table.Bound(kernel.Neg(predicate))
	if !ok {
		return -1
	}
	a := s.bound(poly, equal)
	a.p = predicate
	s.atoms = append(s.atoms, a)
	*at(&s.atomOf, predicate) = int32(len(s.atoms))
	return int32(len(s.atoms)) - 1
}

// bound turns d ≤ 0 or d = 0 into a bound on the variable of d's form.
func (s *Solver) bound(poly kernel.Poly, equal bool) atom {
	a := atom{v: -1, rel: le, raw: rbigint(poly.Const()).neg(), scale: one}
	if equal {
		a.rel = eq
	}
	a.k = a.raw
	if poly.IsConst() {
		return a
	}
	a.v, a.scale = s.variable(poly)
	k := a.raw.mul(a.scale.inv())
	switch {
	case equal && !k.isInt():
		a.rel, a.k = never, k
	case equal:
		a.k = k
	case a.scale.sign() > 0:
		a.k = k.floor()
	default:
		a.rel, a.k = ge, k.ceil()
	}
	return a
}

// variable returns v and scale such that d = scale∗v plus its constant. The form
// of v gets a row of its own if it has several monomials.
func (s *Solver) variable(d kernel.Poly) (v int32, scale rat) {
	if len(d[0].Factors) == 0 {
		d = d[1:]
	}
	// Forms that differ by a factor share a variable: divided by the greatest common divisor, and
	// with a positive first coefficient, they are one.
	g := new(big.Int)
	for _, m := range d {
		if g.GCD(nil, nil, g, new(big.Int).Abs(m.Coef)).Cmp(bigOne) == 0 {
			break
		}
	}
	if d[0].Coef.Sign() < 0 {
		g.Neg(g)
	}
	scale = rbigint(g)
	if len(d) == 1 {
		return s.monomial(d[0].Factors), scale
	}
	prim := make(kernel.Poly, len(d))
	entries := make([]entry, len(d))
	s.key = s.key[:0]
	for i, m := range d {
		if g.Cmp(bigOne) != 0 {
			m.Coef = new(big.Int).Quo(m.Coef, g)
		}
		prim[i] = m
		x := s.monomial(m.Factors)
		entries[i] = entry{x, rbigint(prim[i].Coef)}
		s.key = append(s.key, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
		s.key = append(prim[i].Coef.Append(s.key, 36), ' ')
	}
	if v, ok := s.formOf[string(s.key)]; ok {
		return v, scale
	}
	slices.SortFunc(entries, func(a, b entry) int { return int(a.v - b.v) })
	v = s.newRow(entries)
	s.forms = append(s.forms, form{poly: prim})
	s.formOf[string(s.key)] = v
	return v, scale
}

// monomial returns the variable of a product of opaque terms.
func (s *Solver) monomial(factors []logic.Term) int32 {
	term := factors[0]
	if len(factors) > 1 {
		term = s.b.App(logic.Times, factors...)
	}
	slot := at(&s.varOf, term)
	if *slot == 0 {
		v := s.newVar()
		s.forms = append(s.forms, form{poly: kernel.Poly{{Factors: factors, Coef: bigOne}}})
		*slot = v + 1
	}
	return *slot - 1
}

// formTerm returns the integer term of variable v.
func (s *Solver) formTerm(v int32) logic.Term {
	f := &s.forms[v]
	if f.term == 0 {
		f.term = s.term(f.poly)
	}
	return f.term
}

// term returns the integer term of p, its constant left out.
func (s *Solver) term(poly kernel.Poly) logic.Term {
	var sum []logic.Term
	for _, m := range poly {
		switch fs := m.Factors; {
		case len(fs) == 0:
		case m.Coef.Cmp(bigOne) != 0:
			sum = append(sum, s.b.App(logic.Times, append([]logic.Term{s.table.Int(m.Coef)}, fs...)...))
		case len(fs) == 1:
			sum = append(sum, fs[0])
		default:
			sum = append(sum, s.b.App(logic.Times, fs...))
		}
	}
	return s.sum(sum)
}

// Normal returns the sum that t comes to: each term once, and then a number. It returns t if t is too large for that.
func (s *Solver) Normal(t logic.Term) logic.Term {
	poly, err := s.polys.Of(t)
	if err != nil {
		return t
	}
	constant := poly.Const()
	if len(poly) == 0 || len(poly) == 1 && constant.Sign() != 0 {
		return s.table.Int(constant)
	}
	value := s.term(poly)
	switch constant.Sign() {
	case 1:
		return s.b.App(logic.Plus, value, s.table.Int(constant))
	case -1:
		return s.b.App(logic.Minus, value, s.table.Int(new(big.Int).Neg(constant)))
	}
	return value
}

func (s *Solver) sum(ts []logic.Term) logic.Term {
	if len(ts) == 1 {
		return ts[0]
	}
	return s.b.App(logic.Plus, ts...)
}
