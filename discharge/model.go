package discharge

import (
	"context"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// modelSteps bounds the search for one model.
const modelSteps = 1_000_000

// Model looks for a model of predicates of bank: a state that the evaluator confirms, with certificates for
// what it does not decide. It is nil if none is found in which carrier sets have elements of their own within a fixed number of steps.
func Model(ctx context.Context, bank *logic.Bank, predicates []logic.Term) (found *eval.Model) {
	absurd := logic.Sequent{Bank: bank, Hyps: predicates, Goal: bank.App(logic.False)}
	opts := Options{OnlyRefute: true, RefuteSteps: modelSteps, Workers: 1}
	Run(ctx, 1, func(int) logic.Sequent { return absurd }, opts, func(_ int, o verdict.Outcome) {
		if o.Counterexample != nil && len(o.Counterexample.Integers) == 0 {
			found = o.Counterexample.Model
		}
	})
	return found
}
