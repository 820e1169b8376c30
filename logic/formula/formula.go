// Package formula provides access to the parts of formulas. It is not trusted; the proof kernel
// does not import it.
package formula

import "github.com/gradine/gradine/logic"

// Conjuncts returns the predicates of which p is the conjunction, from left to right
// and at any depth; p itself if it is no conjunction.
func Conjuncts(b *logic.Bank, p logic.Term) []logic.Term {
	return conjuncts(b, p, nil)
}

func conjuncts(b *logic.Bank, p logic.Term, out []logic.Term) []logic.Term {
	if b.Op(p) != logic.And {
		return append(out, p)
	}
	for _, part := range b.Args(p) {
		out = conjuncts(b, part, out)
	}
	return out
}

// Implications splits p₁ ⇒ (p₂ ⇒ … ⇒ q) into the conjuncts of the premises and q. A
// formula that is no implication has no premises.
func Implications(b *logic.Bank, p logic.Term) (premises []logic.Term, conclusion logic.Term) {
	for b.Op(p) == logic.Implies {
		premises = conjuncts(b, b.Arg(p, 0), premises)
		p = b.Arg(p, 1)
	}
	return premises, p
}
