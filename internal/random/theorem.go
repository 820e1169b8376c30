package random

import (
	"math/rand/v2"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/kernel"
)

// Theorem returns what an axiom schema or a lemma of the library says, as a sequent over
// identifiers; if it is an implication, now and then with its premise as hypothesis.
func Theorem(b *logic.Bank, r *rand.Rand) logic.Sequent {
	s := logic.Sequent{Bank: b, Goal: statement(b, r)}
	if b.Op(s.Goal) == logic.Implies && r.IntN(2) == 0 {
		s.Hyps, s.Goal = []logic.Term{b.Arg(s.Goal, 0)}, b.Arg(s.Goal, 1)
	}
	return s
}

func statement(bank *logic.Bank, r *rand.Rand) logic.Term {
	axioms, lemmas := kernel.Axioms(), kernel.Lemmas()
	i := r.IntN(len(axioms) + len(lemmas))
	if i >= len(axioms) {
		l, err := kernel.FindLemma(lemmas[i-len(axioms)])
		if err != nil {
			panic("random: " + err.Error())
		}
		return logic.NewImporter(bank, l.Bank, true).Term(l.Statement)
	}
	term, err := axioms[i].Formula(bank, cert.Sample(bank, axioms[i])...)
	if err != nil {
		panic("random: " + err.Error())
	}
	return term
}

// Filled returns s with random terms in place of some of its identifiers.
func Filled(sequent logic.Sequent, r *rand.Rand) logic.Sequent {
	bank := sequent.Bank
	by := map[logic.Term]logic.Term{}
	for _, id := range bank.FreeIdents(append(append([]logic.Term{}, sequent.Hyps...), sequent.Goal)...) {
		if r.IntN(3) == 0 {
			by[id] = NewFormulas(bank, r).Expr(bank.Type(id), 1)
		}
	}
	out := logic.Sequent{Bank: bank, Goal: bank.Subst(sequent.Goal, by)}
	for _, hypothesis := range sequent.Hyps {
		out.Hyps = append(out.Hyps, bank.Subst(hypothesis, by))
	}
	return out
}
