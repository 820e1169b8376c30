// Package instance makes instances of axioms and lemmas. It knows nothing of when they
// are wanted.
package instance

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// Of returns the clauses of an instance of an axiom or a lemma, and the step that
// states the first of them: that of another differs in its index. Terms that the schema
// does not fit have none.
func Of(b *logic.Bank, s *kernel.Schema, args ...logic.Term) (clauses []kernel.Clause, step kernel.Step, ok bool) {
	clauses, err := s.Clauses(b, args...)
	if err != nil {
		return nil, step, false
	}
	step = kernel.Step{Kind: kernel.Axiom, Name: s.Name, Terms: args}
	if s.Lemma() {
		step.Kind = kernel.Lemma
	}
	return clauses, step, true
}
