package arith

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// quotients compares a÷b with what it is close to: first with what the form of a says.
func (n *nonlinear) quotients() {
	if n.shifts(); len(n.lemmas) == 0 {
		n.nearby()
	}
}

// nearby compares a÷b with z where b∗z is an active product and the values
// say that it lies where a÷b = z.
func (n *nonlinear) nearby() {
	n.opaque(logic.Div, func(q, a, b logic.Term) {
		poly, err := n.polys.Of(b)
		av, ok1 := n.evalTerm(a)
		bv, ok2 := n.evalTerm(b)
		if err != nil || len(poly) != 1 || len(poly[0].Factors) == 0 || poly[0].Coef.Cmp(bigOne) != 0 || !ok1 || !ok2 {
			return
		}
		for _, v := range n.active {
			terms := quotient(n.forms[v].poly[0].Factors, poly[0].Factors)
			if len(terms) == 0 {
				continue
			}
			if rest := av.sub(n.vars[v].value); rest.sign() < 0 || rest.cmp(bv) >= 0 {
				continue
			}
			t := terms[0]
			if len(terms) > 1 {
				t = n.b.App(logic.Times, terms...)
			}
			n.apart(q, t, b)
		}
	})
}

// apart proposes that b∗|q−z| ≥ b if q ≠ z, and b∗q = b∗z if q = z, for q = a÷b.
func (n *nonlinear) apart(q, z, b logic.Term) {
	for _, d := range [2]logic.Term{n.b.App(logic.Minus, q, z), n.b.App(logic.Minus, z, q)} {
		n.propose("times.sign", n.b.App(logic.Minus, d, n.b.Int64(1)), b)
	}
	n.multiply(n.b.App(logic.Eq, q, z), q, z, []logic.Term{b}, true)
}

// part is a dividend as whole∗b + rest, where b divides no monomial of rest.
type part struct {
	quotient    logic.Term // a÷b
	divisor     logic.Term
	whole, rest kernel.Poly
}

// shifts proposes that a÷b = whole for a = whole∗b + rest and rest from 0 to b−1, as the values say, and that two quotients by
// b whose dividends have one rest differ as their wholes do: (i + b)÷b is i÷b + 1.
func (n *nonlinear) shifts() {
	var parts []part
	n.opaque(logic.Div, func(quotient, a, b logic.Term) {
		divisor, err := n.polys.Of(b)
		if err != nil || len(divisor) != 1 || len(divisor[0].Factors) == 0 || divisor[0].Coef.Cmp(bigOne) != 0 {
			return
		}
		if p, err := n.polys.Of(n.unreduced(a)); err == nil {
			whole, rest := divided(p, divisor[0].Factors)
			parts = append(parts, part{quotient, b, whole, rest})
		}
	})
	for i, p := range parts {
		if rest, known := n.eval(p.rest); known && len(p.whole) > 0 && rest.sign() >= 0 {
			if divisor, known := n.evalTerm(p.divisor); known && rest.cmp(divisor) < 0 {
				n.apart(p.quotient, n.whole(p.whole), p.divisor)
			}
		}
		for _, q := range parts[:i] {
			if p.divisor != q.divisor || n.whole(p.rest) != n.whole(q.rest) {
				continue
			}
			sum := n.b.App(logic.Plus, q.quotient, n.b.App(logic.Minus, n.whole(p.whole), n.whole(q.whole)))
			n.apart(p.quotient, sum, p.divisor)
		}
	}
}

// unreduced returns t with x − d∗(x÷d) for each x mod d in it.
func (n *nonlinear) unreduced(t logic.Term) logic.Term {
	switch args := n.b.Args(t); n.b.Op(t) {
	case logic.Mod:
		return n.b.App(logic.Minus, n.unreduced(args[0]), n.b.App(logic.Times, args[1], n.b.App(logic.Div, args...)))
	case logic.Plus, logic.Minus, logic.Neg, logic.Times:
		out := make([]logic.Term, len(args))
		for i, arg := range args {
			out[i] = n.unreduced(arg)
		}
		return n.b.App(n.b.Op(t), out...)
	}
	return t
}

// divided returns the polynomials whole and rest with p = whole∗d + rest for the product d of the given factors, which divides
// no monomial of rest.
func divided(p kernel.Poly, factors []logic.Term) (whole, rest kernel.Poly) {
	for _, m := range p {
		if remaining := quotient(m.Factors, factors); remaining != nil {
			whole = append(whole, kernel.Monomial{Factors: remaining, Coef: m.Coef})
		} else {
			rest = append(rest, m)
		}
	}
	return whole, rest
}
