package prover

// mostFacts bounds the facts around which a contradiction is sought.
const mostFacts = 24

// aroundFacts asks whether the hypotheses that the rung selects for a fact contradict each other, one fact after the other: what
// contradicts itself is few hypotheses, of which one is often as plain as it is recent, and nothing leads there from the goal.
func (r *Result) aroundFacts(rung rung, opts Options, steps int64) (won bool) {
	near := rung.hyps
	rung.by = aimless
	starts := facts(mostFacts)(r.trail.hyps)
	for _, i := range starts {
		rung.hyps = func(n *neighbourhood) []int { return near(n.around(i)) }
		if won = r.try(rung, max(1, steps/int64(len(starts))), opts); won || r.Stopped {
			break
		}
	}
	return won
}
