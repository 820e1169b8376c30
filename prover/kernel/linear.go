package kernel

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
)

// Monomial is a product of integer terms with a coefficient that is not zero.
// Factors are in the order of their indices; none for a constant.
type Monomial struct {
	Factors []logic.Term
	Coef    *big.Int
}

// Poly is the polynomial normal form of an integer term: monomials of different
// factors, in lexicographic order of these, the constant first. Factors are
// terms whose operator is none of literal, +, −, ∗. A Poly is read-only.
type Poly []Monomial

// Bounds on polynomials, so that a hostile proof cannot exhaust the checker.
const (
	maxMonomials = 1 << 12
	maxBits      = 1 << 14
	maxPower     = 16
)

// Polys computes polynomial normal forms of terms of one bank and keeps them.
type Polys struct {
	bank *logic.Bank
	memo map[logic.Term]Poly
}

// NewPolys returns an empty store for terms of b.
func NewPolys(b *logic.Bank) *Polys { return &Polys{b, map[logic.Term]Poly{}} }

// Const returns the constant of p.
func (p Poly) Const() *big.Int {
	if len(p) > 0 && len(p[0].Factors) == 0 {
		return p[0].Coef
	}
	return new(big.Int)
}

// IsConst reports whether p has no monomial but a constant.
func (p Poly) IsConst() bool { return len(p) == 0 || len(p) == 1 && len(p[0].Factors) == 0 }

func constant(v *big.Int) Poly {
	if v.Sign() == 0 {
		return nil
	}
	return Poly{{Coef: v}}
}

// Of returns the normal form of integer term t. It distributes ∗ over + and −,
// and computes with literals: ÷ and mod of literals where they are defined, and
// powers with small literal exponents. It fails when the result is too large.
func (ps *Polys) Of(t logic.Term) (p Poly, err error) {
	defer catch(&err)
	return ps.of(t), nil
}

func (ps *Polys) of(t logic.Term) Poly {
	p, ok := ps.memo[t]
	if !ok {
		p = ps.compute(t)
		ps.memo[t] = p
	}
	return p
}

// compute is a term as a polynomial over what is not arithmetic in it.
func (ps *Polys) compute(t logic.Term) Poly {
	bank := ps.bank
	var args []Poly
	op := bank.Op(t)
	switch op {
	case logic.Int:
		return constant(bank.Value(t))
	case logic.Plus, logic.Minus, logic.Neg, logic.Times, logic.Div, logic.Mod, logic.Exp:
		for _, a := range bank.Args(t) {
			args = append(args, ps.of(a))
		}
	}
	// ÷, mod and ^ are computed where the second operand is a number; elsewhere the whole term
	// is one unknown, as is all that is not arithmetic.
	switch op {
	case logic.Plus, logic.Times:
		p := args[0]
		for _, q := range args[1:] {
			if op == logic.Plus {
				p = p.addMul(one, q)
			} else {
				p = p.mul(q)
			}
		}
		return p
	case logic.Minus:
		return args[0].addMul(minusOne, args[1])
	case logic.Neg:
		return Poly(nil).addMul(minusOne, args[0])
	case logic.Div, logic.Mod, logic.Exp:
		if args[1].IsConst() {
			if poly, ok := compute(op, args[0], args[1].Const()); ok {
				return poly
			}
		}
	}
	return Poly{{Factors: []logic.Term{t}, Coef: one}}
}

var one, minusOne = big.NewInt(1), big.NewInt(-1)

// compute evaluates p÷n and p mod n of a constant p, where they are defined, and p^n
// of small n.
func compute(op logic.Op, poly Poly, n *big.Int) (Poly, bool) {
	c, known := poly.Const(), poly.IsConst()
	switch {
	case op == logic.Div && known && n.Sign() != 0:
		return constant(new(big.Int).Quo(c, n)), true
	case op == logic.Mod && known && c.Sign() >= 0 && n.Sign() > 0:
		return constant(new(big.Int).Rem(c, n)), true
	case op == logic.Exp && known && n.Sign() >= 0 && n.IsInt64() && n.Int64() <= maxBits && int64(c.BitLen())*n.Int64() <= maxBits:
		return constant(new(big.Int).Exp(c, n, nil)), true
	case op == logic.Exp && n.Sign() >= 0 && n.IsInt64() && n.Int64() <= maxPower:
		out := constant(one)
		for range n.Int64() {
			out = out.mul(poly)
		}
		return out, true
	}
	return nil, false
}

// addMul returns p + c·q.
func (p Poly) addMul(c *big.Int, poly Poly) Poly {
	if c.Sign() == 0 || len(poly) == 0 {
		return p
	}
	out := make(Poly, 0, len(p)+len(poly))
	for len(p) > 0 || len(poly) > 0 {
		order := len(poly) - len(p) // sign: which side is next; 0 if both
		if len(p) > 0 && len(poly) > 0 {
			order = slices.Compare(p[0].Factors, poly[0].Factors)
		}
		if order < 0 {
			out, p = append(out, p[0]), p[1:]
			continue
		}
		m := Monomial{poly[0].Factors, new(big.Int).Mul(c, poly[0].Coef)}
		if order == 0 {
			m.Coef.Add(m.Coef, p[0].Coef)
			p = p[1:]
		}
		need(m.Coef.BitLen() <= maxBits, "number too large")
		if poly = poly[1:]; m.Coef.Sign() != 0 {
			out = append(out, m)
		}
	}
	need(len(out) <= maxMonomials, "polynomial too large")
	return out
}

// mul returns p · q.
func (p Poly) mul(poly Poly) (out Poly) {
	need(len(p)*len(poly) <= maxMonomials, "polynomial too large")
	for _, m := range p {
		part := make(Poly, 0, len(poly))
		for _, n := range poly {
			terms := slices.Concat(m.Factors, n.Factors)
			slices.Sort(terms)
			part = append(part, Monomial{terms, n.Coef})
		}
		slices.SortFunc(part, func(a, b Monomial) int { return slices.Compare(a.Factors, b.Factors) })
		out = out.addMul(m.Coef, part)
	}
	return out
}

// Bound returns what the negation of l says of integers, as a polynomial p: p ≤ 0,
// or p = 0 if equal. A strict bound is sharpened: ¬(x ≤ y) is y−x+1 ≤ 0. For an
// equation l that is not negated, whose negation is x≠y, p is x−y and equal holds
// as well (see Lin). It fails for other literals.
func (ps *Polys) Bound(l Lit) (p Poly, equal bool, err error) {
	defer catch(&err)
	p, equal, _ = ps.bound(l)
	return p, equal, nil
}

func (ps *Polys) bound(literal Lit) (p Poly, equal, negated bool) {
	bank := ps.bank
	literal = plain(bank, literal.Atom()) ^ literal&1
	term := literal.Atom()
	op := bank.Op(term)
	need((op == logic.Le || op == logic.Eq) && bank.Type(bank.Arg(term, 0)) == logic.IntType, "no literal of integer arithmetic")
	x, y := ps.of(bank.Arg(term, 0)), ps.of(bank.Arg(term, 1))
	if op == logic.Eq || literal.Negated() {
		return x.addMul(minusOne, y), op == logic.Eq, literal.Negated()
	}
	return y.addMul(minusOne, x).addMul(one, constant(one)), false, false
}

// linear checks a Lin step. Let p_i ≤ 0, or p_i = 0, be what the negation of
// literal i says (Bound), and λ_i its multiplier. The clause is valid if
//
//	Σ λ_i·p_i is a constant > 0, λ_i ≥ 0 for inequalities, and 0 for equations
//	that are not negated (Farkas; it covers integer rounding, as bounds are sharp), or
//	Σ λ_i·p_i = 0, λ_i ≠ 0 for one equation that is not negated, and 0 for all
//	others of these and for inequalities: the equation follows from the others.
func (ps *Polys) linear(clause Clause, coef []*big.Int) {
	need(len(coef) == len(clause), "not one multiplier for each literal")
	var sum Poly
	targets, bounds := 0, 0
	for i, literal := range clause {
		if coef[i].Sign() == 0 {
			continue
		}
		poly, equal, negated := ps.bound(literal)
		switch {
		case equal && !negated:
			targets++
		case !equal:
			need(coef[i].Sign() > 0, "negative multiplier of an inequality")
			bounds++
		}
		sum = sum.addMul(coef[i], poly)
	}
	need(targets == 0 && sum.IsConst() && sum.Const().Sign() > 0 || targets == 1 && bounds == 0 && len(sum) == 0,
		"the combination is not a contradiction")
}
