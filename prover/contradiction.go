package prover

// mostFacts bounds the facts near which a contradiction is searched for.
const mostFacts = 24

// contradictionNearFacts searches for a contradiction among the hypotheses that the strategy selects for each fact in turn.
// Inconsistencies involve few hypotheses, often a simple recent one, and are not reachable from the goal.
func (r *Result) contradictionNearFacts(strategy strategy, opts Options, steps int64) (won bool) {
	near := strategy.hyps
	strategy.by = aimless
	starts := facts(mostFacts)(r.trail.hyps)
	for _, i := range starts {
		strategy.hyps = func(n *neighbourhood) []int { return near(n.around(i)) }
		if won = r.try(strategy, max(1, steps/int64(len(starts))), opts); won || r.Stopped {
			break
		}
	}
	return won
}
