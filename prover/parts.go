package prover

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/derive"
)

// plan begins a plan for the sequent, which may take for granted that the goal is well-defined, if that is known.
func (r *Result) plan(opts Options) *derive.Plan {
	plan := derive.New(r.Sequent, make([]string, len(r.Sequent.Hyps)))
	if opts.Undefined == nil || !opts.Undefined(-1) {
		plan.GrantGoal()
	}
	return plan
}

// join proves the parts of a plan for the sequent with the strategies that there are for them, within the given steps in all. The
// first part without proof ends it.
func (r *Result) join(plan *derive.Plan, strategy strategy, opts Options, steps int64) (won bool) {
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
			// Where a part has strategies of its own, what the scheme has brought in is to be tried first, unless that is next to the goal.
			if strategy.parts != nil && strategy.by != calculating && strategy.by != fixing && strategy.by != shaping && strategy.by != within && strategy.by != partsWithin {
				q.Selected = slices.DeleteFunc(q.Selected, func(i int) bool { return i < q.Granted })
			}
			// A term is replaced by equations: that these are well-defined has served to state them.
			if (strategy.by == casewise || strategy.by == digitwise) && q.Bank.Op(q.Goal) == logic.Eq {
				q.Selected = slices.DeleteFunc(q.Selected, func(i int) bool { return slices.Contains(q.Defined, i) })
			}
			if strategy.by == apart {
				q.Selected = slices.DeleteFunc(q.Selected, func(i int) bool { return slices.Contains(q.Aside, i) })
			}
			// What the parts before have left of the budget is for this one. D is known of the hypotheses
			// that were granted it, not of the parts.
			left := max(1, steps-(r.Steps-before))
			strategies := schedule
			if strategy.parts != nil {
				strategies = strategy.parts(left)
			}
			res := begin(q.Sequent)
			res.climb(strategies, 1, &Options{Steps: left, Stop: opts.Stop, Undefined: func(i int) bool {
				return i < 0 || i >= q.Granted || opts.Undefined != nil && opts.Undefined(q.Hyps[i])
			}})
			r.Steps += res.Steps
			r.Stopped = r.Stopped || res.Stopped
			if r.Uncertified += res.Uncertified; res.Refusal != nil {
				r.Refusal = res.Refusal
			}
			for _, attempt := range res.Tried {
				saturated = saturated && attempt.Saturated
			}
			if failed = res.Proof == nil; failed {
				return nil
			}
			return &derive.Proof{Bank: res.Sequent.Bank, Hyps: q.Hyps, Steps: res.Proof, Cost: res.Steps}
		},
	})
	attempt := Attempt{Strategy: strategy.name, Saturated: saturated}
	attempt.Counters.Steps = r.Steps - before
	r.Tried = append(r.Tried, attempt)
	return ok && r.accept(joined, proof)
}

// fixed proves the goal for identifiers in place of what it quantifies, within the given steps: these are the values to instantiate
// hypotheses with, where otherwise all terms of the sequent come before them.
func (r *Result) fixed(strategy strategy, opts Options, steps int64) bool {
	plan := r.plan(opts)
	return plan.Root.Intro() != plan.Root && r.join(plan, strategy, opts, steps)
}
