package prover

import (
	"github.com/gradine/gradine/prover/derive"
)

// conjuncts proves the conjuncts of the goal, below its ∀ and ⇒, one by one within the given steps, each
// with those before it as hypotheses: what one of them needs is in the way of the others. The first one
// without proof ends it.
func (r *Result) conjuncts(opts Options, steps int64) (won bool) {
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
	defer r.contain(&won)
	before := r.Steps
	failed, saturated := false, true
	joined, proof, ok := plan.Root.Proved(derive.Prover{
		Stopped: func() bool { return r.Stopped },
		Prove: func(q derive.Question) *derive.Proof {
			// The goal needs all parts: after one has failed, others would only spend the budget.
			if failed {
				return nil
			}
			// What the parts before have left of the budget is for this one. D is known of the hypotheses
			// that were granted it, not of the parts.
			res := Prove(q.Sequent, Options{Steps: max(1, steps-(r.Steps-before)), Stop: opts.Stop, Undefined: func(i int) bool {
				return i < 0 || i >= q.Granted || opts.Undefined != nil && opts.Undefined(q.Hyps[i])
			}})
			r.Steps += res.Steps
			r.Stopped = r.Stopped || res.Stopped
			r.Uncertified += res.Uncertified
			for _, attempt := range res.Tried {
				saturated = saturated && attempt.Saturated
			}
			if failed = res.Proof == nil; failed {
				return nil
			}
			return &derive.Proof{Bank: res.Sequent.Bank, Hyps: q.Hyps, Steps: res.Proof, Cost: res.Steps}
		},
	})
	attempt := Attempt{Rung: "conjuncts", Saturated: saturated}
	attempt.Counters.Steps = r.Steps - before
	r.Tried = append(r.Tried, attempt)
	return ok && r.accept(joined, proof)
}
