package kernel

import (
	"errors"
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

var errPoly = errors.New("polynomial too large")

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
func (ps *Polys) Of(t logic.Term) (Poly, error) {
	if p, ok := ps.memo[t]; ok {
		return p, nil
	}
	p, err := ps.compute(t)
	if err == nil {
		ps.memo[t] = p
	}
	return p, err
}

func (ps *Polys) compute(t logic.Term) (Poly, error) {
	b := ps.bank
	var args []Poly
	switch op := b.Op(t); op {
	case logic.Int:
		return constant(b.Value(t)), nil
	case logic.Plus, logic.Minus, logic.Neg, logic.Times, logic.Div, logic.Mod, logic.Exp:
		for _, a := range b.Args(t) {
			p, err := ps.Of(a)
			if err != nil {
				return nil, err
			}
			args = append(args, p)
		}
	}
	self := Poly{{Factors: []logic.Term{t}, Coef: big.NewInt(1)}}
	switch b.Op(t) {
	case logic.Plus:
		return fold(args, func(p, q Poly) (Poly, error) { return p.addMul(big.NewInt(1), q) })
	case logic.Times:
		return fold(args, Poly.mul)
	case logic.Minus:
		return args[0].addMul(big.NewInt(-1), args[1])
	case logic.Neg:
		return Poly(nil).addMul(big.NewInt(-1), args[0])
	case logic.Div:
		if d := args[1].Const(); args[0].IsConst() && args[1].IsConst() && d.Sign() != 0 {
			return constant(new(big.Int).Quo(args[0].Const(), d)), nil
		}
	case logic.Mod:
		if m, d := args[0].Const(), args[1].Const(); args[0].IsConst() && args[1].IsConst() && m.Sign() >= 0 && d.Sign() > 0 {
			return constant(new(big.Int).Rem(m, d)), nil
		}
	case logic.Exp:
		if n := args[1].Const(); args[1].IsConst() && n.Sign() >= 0 && n.IsInt64() {
			if k := n.Int64(); k <= maxPower || args[0].IsConst() && k <= maxBits {
				return args[0].power(k)
			}
		}
	}
	return self, nil
}

func fold(ps []Poly, f func(Poly, Poly) (Poly, error)) (p Poly, err error) {
	p = ps[0]
	for _, q := range ps[1:] {
		if p, err = f(p, q); err != nil {
			break
		}
	}
	return p, err
}

// addMul returns p + c·q.
func (p Poly) addMul(c *big.Int, q Poly) (Poly, error) {
	if c.Sign() == 0 {
		return p, nil
	}
	out := make(Poly, 0, len(p)+len(q))
	for len(p) > 0 || len(q) > 0 {
		order := 0
		switch {
		case len(p) == 0:
			order = 1
		case len(q) == 0:
			order = -1
		default:
			order = slices.Compare(p[0].Factors, q[0].Factors)
		}
		if order < 0 {
			out, p = append(out, p[0]), p[1:]
			continue
		}
		m := Monomial{q[0].Factors, new(big.Int).Mul(c, q[0].Coef)}
		if order == 0 {
			m.Coef.Add(m.Coef, p[0].Coef)
			p = p[1:]
		}
		q = q[1:]
		if m.Coef.BitLen() > maxBits {
			return nil, errPoly
		}
		if m.Coef.Sign() != 0 {
			out = append(out, m)
		}
	}
	if len(out) > maxMonomials {
		return nil, errPoly
	}
	return out, nil
}

// mul returns p · q.
func (p Poly) mul(q Poly) (Poly, error) {
	if len(p) > len(q) {
		p, q = q, p
	}
	if len(p)*len(q) > maxMonomials {
		return nil, errPoly
	}
	var out Poly
	for _, m := range p {
		part := make(Poly, 0, len(q))
		for _, n := range q {
			f := slices.Concat(m.Factors, n.Factors)
			slices.Sort(f)
			part = append(part, Monomial{f, n.Coef})
		}
		slices.SortFunc(part, func(a, b Monomial) int { return slices.Compare(a.Factors, b.Factors) })
		var err error
		if out, err = out.addMul(m.Coef, part); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p Poly) power(k int64) (out Poly, err error) {
	out = constant(big.NewInt(1))
	if p.IsConst() {
		if int64(p.Const().BitLen())*k > maxBits {
			return nil, errPoly
		}
		return constant(new(big.Int).Exp(p.Const(), big.NewInt(k), nil)), nil
	}
	for ; k > 0 && err == nil; k-- {
		out, err = out.mul(p)
	}
	return out, err
}

// Bound returns what the negation of l says of integers, as a polynomial p: p ≤ 0,
// or p = 0 if equal. A strict bound is sharpened: ¬(x ≤ y) is y−x+1 ≤ 0. For an
// equation l that is not negated, whose negation is x≠y, p is x−y and equal holds
// as well (see Lin). It fails for other literals.
func (ps *Polys) Bound(l Lit) (p Poly, equal bool, err error) {
	b := ps.bank
	l = plain(b, l.Atom()) ^ l&1
	t := l.Atom()
	if op := b.Op(t); op != logic.Le && op != logic.Eq || b.Type(b.Arg(t, 0)) != logic.IntType {
		return nil, false, errors.New("no literal of integer arithmetic")
	}
	x, err := ps.Of(b.Arg(t, 0))
	if err != nil {
		return nil, false, err
	}
	y, err := ps.Of(b.Arg(t, 1))
	if err != nil {
		return nil, false, err
	}
	if b.Op(t) == logic.Eq || l.Negated() {
		p, err = x.addMul(big.NewInt(-1), y)
		return p, b.Op(t) == logic.Eq, err
	}
	if p, err = y.addMul(big.NewInt(-1), x); err != nil {
		return nil, false, err
	}
	// negation of x ≤ y: x ≥ y+1
	p, err = p.addMul(big.NewInt(1), constant(big.NewInt(1)))
	return p, false, err
}

// linear checks a Lin step. Let p_i ≤ 0, or p_i = 0, be what the negation of
// literal i says (Bound), and λ_i its multiplier. The clause is valid if
//
//	Σ λ_i·p_i is a constant > 0, λ_i ≥ 0 for inequalities, and 0 for equations
//	that are not negated (Farkas; it covers integer rounding, as bounds are sharp), or
//	Σ λ_i·p_i = 0, λ_i ≠ 0 for one equation that is not negated, and 0 for all
//	others of these and for inequalities: the equation follows from the others.
func (ps *Polys) linear(c Clause, coef []*big.Int) error {
	if len(coef) != len(c) {
		return errors.New("not one multiplier for each literal")
	}
	var sum Poly
	targets, bounds := 0, 0
	for i, l := range c {
		if coef[i].Sign() == 0 {
			continue
		}
		if coef[i].BitLen() > maxBits {
			return errPoly
		}
		p, equal, err := ps.Bound(l)
		if err != nil {
			return err
		}
		switch negated := (plain(ps.bank, l.Atom()) ^ l&1).Negated(); {
		case equal && !negated:
			targets++
		case !equal && coef[i].Sign() < 0:
			return errors.New("negative multiplier of an inequality")
		case !equal:
			bounds++
		}
		if sum, err = sum.addMul(coef[i], p); err != nil {
			return err
		}
	}
	switch {
	case targets == 0 && sum.IsConst() && sum.Const().Sign() > 0:
		return nil
	case targets == 1 && bounds == 0 && len(sum) == 0:
		return nil
	}
	return errors.New("the combination is no contradiction")
}
