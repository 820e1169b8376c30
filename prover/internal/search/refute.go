package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/form"
	"github.com/gradine/gradine/prover/internal/sat"
)

// Refute tries to derive a contradiction from the chosen hypotheses and the
// negated goal of the bare sequent s, whose bank grows.
func Refute(sequent logic.Sequent, opts Options) Outcome {
	e := newEngine(sequent, opts)
	e.g.Propagate()
	e.state()
	e.instances.addRules()
	out := Outcome{}
	switch e.sat.Solve() {
	case sat.Unsat:
		out.Proof = e.proof()
	case sat.Unknown:
		out.Saturated, out.Stopped = e.resorts.stage == saturated, e.budget.stopped
		for _, literal := range e.sat.Trail() {
			if !form.IsConnective(e.b.Op(e.atoms[literal.Var()])) {
				out.Model = append(out.Model, e.kernelLit(literal))
			}
		}
	}
	out.Counters = Counters{e.work(), e.sat.Conflicts, e.sat.Decisions, e.instances.made, e.sat.Clauses(), len(e.atoms)}
	return out
}
