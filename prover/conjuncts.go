package prover

import "github.com/gradine/gradine/prover/derive"

// conjuncts proves the conjuncts of the goal, below its ∀ and ⇒, one by one within the given steps, each
// with those before it as hypotheses: what one of them needs is in the way of the others. The first one
// without proof ends it.
func (r *Result) conjuncts(rung rung, opts Options, steps int64) (won bool) {
	plan := derive.New(r.Sequent, make([]string, len(r.Sequent.Hyps)))
	if opts.Undefined == nil || !opts.Undefined(-1) {
		plan.GrantGoal()
	}
	// Each part is stated before the next one, so that it is a hypothesis there.
	last := plan.Root.Intro()
	parts := derive.Conjuncts(plan.Bank, last.Goal)
	if len(parts) < 2 {
		return false
	}
	for _, part := range parts {
		_, _, last = last.Have(part)
	}
	return r.join(plan, rung, opts, steps)
}
