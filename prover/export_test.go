package prover

import "github.com/gradine/gradine/logic"

// Strategies returns the names of the strategies, in their order.
func Strategies() (names []string) {
	for _, r := range schedule {
		names = append(names, r.name)
	}
	return names
}

// ProveBy has one strategy try s, by itself and with the steps that it has in the first round, or with fewer.
func ProveBy(i int, s logic.Sequent, most int64) Result {
	r := begin(s)
	steps := min(schedule[i].steps, most)
	r.try(schedule[i], steps, Options{Steps: steps})
	r.trail = nil
	return r
}
