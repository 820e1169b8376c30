package prover

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// inductions returns instances of induction on ℕ that may prove the goal of s:
// one for each integer identifier that stands in an exponent of the goal, with
// the goal as the property; hypotheses that mention the identifier become premises
// of the property. Each is followed by the instance of its conclusion for the
// identifier.
func inductions(s logic.Sequent) []kernel.Step {
	b := s.Bank
	var out []kernel.Step
	for _, x := range exponents(b, s.Goal) {
		prop := s.Goal
		var premises []logic.Term
		for _, h := range s.Hyps {
			if b.Occurs(x, h) {
				premises = append(premises, h)
			}
		}
		if len(premises) > 0 {
			prop = b.App(logic.Implies, b.And(premises...), prop)
		}
		p := b.Quant(logic.Forall, []logic.Type{logic.IntType}, nil, b.Abstract(prop, []logic.Term{x}))
		step := kernel.Step{Kind: kernel.Axiom, Name: "induction", Terms: []logic.Term{p}}
		c, err := kernel.ClauseOf(s, step)
		if err != nil {
			continue
		}
		all := c[len(c)-1].Atom()
		out = append(out, step, kernel.Step{Kind: kernel.Inst, Terms: []logic.Term{all, x}})
	}
	return out
}

// exponents returns the integer identifiers in exponents of t, in order of occurrence.
func exponents(b *logic.Bank, t logic.Term) []logic.Term {
	var powers []logic.Term
	seen := map[logic.Term]bool{}
	var visit func(logic.Term)
	visit = func(t logic.Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		if b.Op(t) == logic.Exp {
			powers = append(powers, b.Arg(t, 1))
		}
		for _, a := range b.Args(t) {
			visit(a)
		}
	}
	visit(t)
	return slices.DeleteFunc(b.FreeIdents(powers...), func(x logic.Term) bool { return b.Type(x) != logic.IntType })
}
