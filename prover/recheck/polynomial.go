package recheck

import (
	"encoding/binary"
	"math/big"
	"slices"
)

// A polynomial has its monomials by their factors.
type polynomial map[string]monomial

type monomial struct {
	factors []*Term // in the order of their numbers
	coef    *big.Int
}

// Bounds that keep hostile certificates harmless.
const (
	maxMonomials = 1 << 12
	maxBits      = 1 << 14
	maxExponent  = 16 // of powers of polynomials that are not constants
)

func constant(v *big.Int) polynomial { return polynomial{}.plus(monomial{coef: v}) }

// plus adds a monomial to p in place and returns it.
func (p polynomial) plus(m monomial) polynomial {
	var key []byte
	// Terms are interned, so that their numbers say which product it is.
	for _, f := range m.factors {
		key = binary.AppendUvarint(key, f.id)
	}
	sum := new(big.Int).Set(m.coef)
	if old, ok := p[string(key)]; ok {
		sum.Add(sum, old.coef)
	}
	need(sum.BitLen() <= maxBits, "number of more than %d bits", maxBits)
	if sum.Sign() == 0 {
		// No monomial has coefficient 0: equal polynomials are equal maps.
		delete(p, string(key))
		return p
	}
	p[string(key)] = monomial{m.factors, sum}
	return p
}

// combine returns p + c·q.
func (p polynomial) combine(c *big.Int, q polynomial) polynomial {
	out := polynomial{}
	for key, m := range p {
		out[key] = m
	}
	if c.Sign() != 0 {
		for _, m := range q {
			out.plus(monomial{m.factors, new(big.Int).Mul(c, m.coef)})
		}
	}
	need(len(out) <= maxMonomials, "polynomial of more than %d monomials", maxMonomials)
	return out
}

func (p polynomial) times(q polynomial) polynomial {
	// Before anything is multiplied: the product of two large ones would not fit.
	need(len(p)*len(q) <= maxMonomials, "polynomial of more than %d monomials", maxMonomials)
	out := polynomial{}
	for _, m := range p {
		for _, n := range q {
			factors := slices.Concat(m.factors, n.factors)
			slices.SortFunc(factors, func(a, b *Term) int { return int(int64(a.id) - int64(b.id)) })
			out.plus(monomial{factors, new(big.Int).Mul(m.coef, n.coef)})
		}
	}
	return out
}

// value returns the number that p is, if it is one.
func (p polynomial) value() (*big.Int, bool) {
	if len(p) == 0 {
		return new(big.Int), true
	}
	m, ok := p[""]
	return m.coef, ok && len(p) == 1
}

// normal returns the normal form of an integer term.
func (c *checker) normal(t *Term) polynomial {
	p, ok := c.normals[t]
	if !ok {
		p = c.compute(t)
		c.normals[t] = p
	}
	return p
}

// computed are the operators of polynomials, and those that are evaluated.
var computed = words("plus minus times neg div mod power")

// compute is a term as a polynomial over what is not arithmetic in it.
func (c *checker) compute(t *Term) polynomial {
	var parts []polynomial
	if computed[t.op] {
		for _, a := range t.args {
			parts = append(parts, c.normal(a))
		}
	}
	switch t.op {
	case "int":
		return constant(t.value)
	case "plus", "times":
		out := parts[0]
		for _, p := range parts[1:] {
			if t.op == "plus" {
				out = out.combine(big.NewInt(1), p)
			} else {
				out = out.times(p)
			}
		}
		return out
	case "minus":
		return parts[0].combine(big.NewInt(-1), parts[1])
	case "neg":
		return polynomial{}.combine(big.NewInt(-1), parts[0])
	case "div", "mod", "power":
		if n, ok := parts[1].value(); ok {
			if p := evaluate(t.op, parts[0], n); p != nil {
				return p
			}
		}
	}
	// Everything else is an indeterminate of its own.
	return polynomial{}.plus(monomial{[]*Term{t}, big.NewInt(1)})
}

// evaluate returns p÷n, p mod n or p^n, nil if it is not computed.
func evaluate(op string, p polynomial, n *big.Int) polynomial {
	v, number := p.value()
	small := n.Sign() >= 0 && n.IsInt64() && n.Int64() <= maxBits
	switch {
	case op == "div" && number && n.Sign() != 0:
		return constant(new(big.Int).Quo(v, n))
		// Where it has no value, or one that D excludes, it stays a term.
	case op == "mod" && number && v.Sign() >= 0 && n.Sign() > 0:
		return constant(new(big.Int).Rem(v, n))
	case op == "power" && number && small && int64(v.BitLen())*n.Int64() <= maxBits:
		return constant(new(big.Int).Exp(v, n, nil))
	case op == "power" && small && n.Int64() <= maxExponent:
		out := constant(big.NewInt(1))
		for range n.Int64() {
			out = out.times(p)
		}
		return out
	}
	return nil
}

// linear refuses unless the multipliers show that the negations of the literals, taken as
// they are written, contradict each other.
func (c *checker) linear(written clause, multipliers []*big.Int) {
	need(len(written) == len(multipliers), "not one multiplier for each literal")
	sum := polynomial{}
	targets, bounds := 0, 0
	for i, l := range written {
		k := multipliers[i]
		if k.Sign() == 0 {
			continue
		}
		plain := c.unordered(l.t)
		plain.not = plain.not != l.not
		op := plain.t.op
		need((op == "eq" || op == "le") && plain.t.args[0].typ == c.integer, "no literal of integer arithmetic")
		x, y := c.normal(plain.t.args[0]), c.normal(plain.t.args[1])
		p := x.combine(big.NewInt(-1), y)
		switch {
		case op == "eq" && !plain.not:
			targets++
		case op == "le":
			bounds++
			need(k.Sign() > 0, "negative multiplier of an inequality")
			if !plain.not { // the negation of x≤y is y+1≤x
				p = y.combine(big.NewInt(-1), x).combine(big.NewInt(1), constant(big.NewInt(1)))
			}
		}
		sum = sum.combine(k, p)
	}
	v, number := sum.value()
	// Either the sum of what is not positive is positive, or the sides of one equation differ
	// by a combination of equations, which is 0.
	need(targets == 0 && number && v.Sign() > 0 || targets == 1 && bounds == 0 && len(sum) == 0, "the combination is not a contradiction")
}
