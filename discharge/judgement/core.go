package judgement

import (
	"context"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// coreAttempts bounds how many predicates are left out on trial, each with contradictionSteps.
const coreAttempts = 80

// core reduces what contradicts itself: parts that a certificate of ⊥ needs, from which each one
// is left out that the others do without. What is left is enough for a contradiction, by a
// certificate that the kernel accepted. A smaller set may exist that the searches do not find.
func (a *assumed) core(ctx context.Context, opts discharge.Options) []*model.Predicate {
	if len(a.Parts) != len(a.Sequent.Hyps) {
		return nil // of a leads-to property, where not every hypothesis is a predicate of the model
	}
	keep := slices.Clone(a.used)
	tries := 0
	for _, i := range a.used {
		at := slices.Index(keep, i)
		if at < 0 || len(keep) == 1 || tries == coreAttempts {
			continue // another one was left out with it
		}
		tries++
		if used, ok := absurd(ctx, a.Sequent, slices.Delete(slices.Clone(keep), at, at+1), opts); ok {
			keep = used
		}
	}
	var out []*model.Predicate
	for _, i := range keep {
		out = append(out, a.Parts[i])
	}
	return out
}

// absurd reports whether ⊥ follows from some hypotheses of a sequent, and which of them it needs.
func absurd(ctx context.Context, s logic.Sequent, some []int, opts discharge.Options) (used []int, ok bool) {
	part := logic.Sequent{Bank: s.Bank, Goal: s.Goal}
	for _, i := range some {
		part.Hyps = append(part.Hyps, s.Hyps[i])
	}
	opts.Hints = nil
	discharge.Run(ctx, 1, func(int) logic.Sequent { return part }, opts, func(_ int, outcome verdict.Outcome) {
		ok = outcome.Verdict.Holds()
		for _, i := range needed(outcome) {
			used = append(used, some[i])
		}
	})
	return used, ok
}

// needed are the hypotheses that a proof needs, themselves or that they are well-defined.
func needed(x verdict.Outcome) (out []int) {
	all := map[int]bool{}
	most := 0
	for _, list := range [][]int{x.Used, x.UsedWD} {
		for _, i := range list {
			all[i] = true
			most = max(most, i+1)
		}
	}
	for i := range most {
		if all[i] {
			out = append(out, i)
		}
	}
	return out
}
