package search

import (
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// proof returns the kernel proof that ends with the empty clause; only steps
// that it rests on are part of it.
func (e *engine) proof() *kernel.Proof {
	end := e.sat.Empty()
	needed := make([]bool, end+1)
	needed[end] = true
	// Hints are older than what they derive: one pass from the end finds all that is needed.
	for id := end; id >= 0; id-- {
		if hints, learned := e.sat.Hints(id); needed[id] && learned {
			for _, h := range hints {
				needed[h] = true
			}
		}
	}
	p := &kernel.Proof{}
	at := make([]int, end+1)
	for id := sat.ID(0); id <= end; id++ {
		if !needed[id] {
			continue
		}
		if hints, learned := e.sat.Hints(id); learned {
			step := kernel.Step{Kind: kernel.Rup, Clause: e.kernelClause(e.sat.Lits(id))}
			for _, h := range hints {
				step.From = append(step.From, at[h])
			}
			at[id] = p.Add(step)
			continue
		}
		// Steps of one clause refer to each other by their place among themselves.
		base := len(p.Steps)
		for _, s := range e.origin[id] {
			from := make([]int, len(s.From))
			for i, f := range s.From {
				from[i] = f + base
			}
			s.From = from
			at[id] = p.Add(s)
		}
	}
	return p
}
