package prover

import "github.com/gradine/gradine/logic"

// Rungs returns the names of the rungs, in their order.
func Rungs() (names []string) {
	for _, r := range ladder {
		names = append(names, r.name)
	}
	return names
}

// ProveBy has one rung try s, by itself and with the steps that it has in the first round, or with fewer.
func ProveBy(i int, s logic.Sequent, most int64) Result {
	r := begin(s)
	steps := min(ladder[i].steps, most)
	r.try(ladder[i], steps, Options{Steps: steps})
	r.trail = nil
	return r
}
