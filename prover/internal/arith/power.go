package arith

import (
	"math/big"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// powers proposes lemmas about powers: their growth, what a constant exponent
// makes of them, and how powers of a common base are multiples of each other.
func (n *nonlinear) powers() {
	n.opaque(logic.Exp, func(t, a, k logic.Term) {
		n.fixedExponent(t, a, k)
		n.propose("power.above", a, k)
		if n.b.Op(a) == logic.Int && n.b.Value(a).Cmp(bigOne) == 0 {
			n.propose("power.one", k)
		} else if n.b.Op(a) == logic.Int && n.b.Value(a).Sign() == 0 {
			n.propose("power.none", k)
		}
		n.propose("power.grows", a, k)
		below := n.below(a, k)
		n.opaque(logic.Exp, func(u, b, w logic.Term) {
			if a != b || t == u {
				return
			}
			switch d, known := n.difference(k, w); {
			case known && d.Cmp(bigOne) == 0:
				below = w
			// The pair is met again the other way round.
			case known && d.Sign() < 0:
			default:
				n.propose("power.increases", a, w, k)
				n.propose("power.increases.strictly", a, w, k)
				n.multiple(t, a, k, w)
			}
		})
		if below != 0 {
			n.successor(t, a, k, below)
		}
	})
}

// below returns k−1 if k has a positive constant part.
func (n *nonlinear) below(a, k logic.Term) logic.Term {
	if p, err := n.polys.Of(k); err != nil || p.IsConst() || p.Const().Sign() <= 0 {
		return 0
	}
	p, err := n.polys.Of(n.b.App(logic.Minus, k, n.b.Int64(1)))
	if err != nil {
		return 0
	}
	return n.whole(p)
}

// whole returns the integer term of p.
func (s *Solver) whole(p kernel.Poly) logic.Term {
	switch {
	case p.IsConst():
		return s.table.Int(p.Const())
	case p.Const().Sign() == 0:
		return s.term(p)
	}
	return s.b.App(logic.Plus, s.term(p), s.table.Int(p.Const()))
}

// difference returns t−u if that is a constant.
func (n *nonlinear) difference(t, u logic.Term) (d *big.Int, known bool) {
	p, err := n.polys.Of(n.b.App(logic.Minus, t, u))
	if err != nil || !p.IsConst() {
		return nil, false
	}
	return p.Const(), true
}

// successor proposes 0≤w ⇒ a^k = a∗a^w for k = w+1.
func (n *nonlinear) successor(t, a, k, w logic.Term) {
	next := n.b.App(logic.Plus, w, n.b.Int64(1))
	pow := func(e logic.Term) logic.Term { return n.b.App(logic.Exp, a, e) }
	right := n.b.App(logic.Times, a, pow(w))
	n.transfer("power.next", []logic.Term{a, w}, n.equal(pow(next), right), n.equal(t, right), next, k)
}

// multiple proposes 0≤w, w≤k ⇒ a^k = a^w∗a^l for l = k−w.
func (n *nonlinear) multiple(t, a, k, w logic.Term) {
	minus := n.b.App(logic.Minus, k, w)
	left := minus
	if poly, err := n.polys.Of(minus); err == nil {
		left = n.whole(poly)
	}
	n.opaque(logic.Exp, func(u, b, expr logic.Term) {
		if d, known := n.difference(expr, minus); a == b && known && d.Sign() == 0 {
			left = expr
		}
	})
	pow := func(expr logic.Term) logic.Term { return n.b.App(logic.Exp, a, expr) }
	right := func(expr logic.Term) logic.Term { return n.b.App(logic.Times, pow(w), pow(expr)) }
	n.transfer("power.divides", []logic.Term{w, k, a}, n.equal(t, right(minus)), n.equal(t, right(left)), minus, left)
}

func (n *nonlinear) equal(t, u logic.Term) kernel.Lit {
	return kernel.LitOf(n.b, n.b.App(logic.Eq, t, u))
}

// transfer proposes the clause of an instance with the literal from replaced by
// to, which says the same if u = v, terms that are equal as polynomials.
func (n *nonlinear) transfer(name string, args []logic.Term, from, to kernel.Lit, term, variable logic.Term) {
	clauses, step := n.instance(name, args)
	if len(clauses) != 1 {
		return
	}
	lemma := &Lemma{Steps: []kernel.Step{step}}
	for _, literal := range clauses[0] {
		if literal == from {
			literal = to
		}
		lemma.Clause = append(lemma.Clause, literal)
	}
	if from != to {
		same := n.equal(term, variable)
		clause := kernel.Clause{same.Not(), from.Not(), to}
		lemma.Steps = append(lemma.Steps,
			kernel.Step{Kind: kernel.Lin, Clause: kernel.Clause{same}, Coef: []*big.Int{bigOne}},
			kernel.Step{Kind: kernel.Euf, Clause: clause},
			kernel.Step{Kind: kernel.Rup, Clause: lemma.Clause, From: []int{1, 0, 2}})
	}
	n.offer(offer{name: name, args: [3]logic.Term{term, variable, to.Atom()}}, lemma)
}

// fixedExponent proposes k = c ⇒ a^k = a^c if the bounds of k are c.
func (n *nonlinear) fixedExponent(t, a, k logic.Term) {
	poly, err := n.polys.Of(k)
	if err != nil || poly.IsConst() {
		return
	}
	v, _ := n.variable(poly)
	variable := &n.vars[v]
	if !variable.fixed() {
		return
	}
	c, known := n.evalTerm(k)
	if !known || !c.isInt() || c.sign() < 0 {
		return
	}
	expr := n.table.Int(c.num())
	clause := kernel.Clause{n.equal(k, expr).Not(), n.equal(t, n.b.App(logic.Exp, a, expr))}
	n.offer(offer{name: "=", args: [3]logic.Term{t, expr}}, &Lemma{clause, []kernel.Step{{Kind: kernel.Euf, Clause: clause}}})
}
