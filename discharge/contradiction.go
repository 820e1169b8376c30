package discharge

import (
	"context"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Contradiction is an assumption that contradicts itself: what rests on it is
// proved for nothing.
type Contradiction struct {
	Project string
	Assumption
}

// Path names what contradicts itself: component, or component/event.
func (c Contradiction) Path() string {
	if c.Event != nil {
		return c.Of.Name() + "/" + c.Event.Label
	}
	return c.Of.Name()
}

// contradictionSteps bounds the search for a contradiction in one assumption: each
// is tried once, shortly, for most hold none and would use up any budget.
const contradictionSteps = 200_000

// Contradictions tries to prove ⊥ from the assumptions of the components that asked
// accepts, and returns those where it succeeds, in the order of Assumptions. Where
// the assumption of a component is contradictory, those of its events are as well,
// and are not listed.
func Contradictions(ctx context.Context, dev *model.Development, asked func(model.Component) bool, opts Options) []Contradiction {
	var all []Assumption
	for _, a := range Assumptions(dev) {
		if asked(a.Of) {
			all = append(all, a)
		}
	}
	opts.Steps, opts.RefuteSteps = contradictionSteps, 0
	var out []Contradiction
	whole := map[model.Component]bool{} // the assumption of the component itself is contradictory
	Run(ctx, len(all), func(i int) logic.Sequent { return all[i].Sequent }, opts, func(i int, outcome Outcome) {
		a := all[i]
		if !outcome.Verdict.Holds() || whole[a.Of] {
			return
		}
		whole[a.Of] = a.Event == nil
		out = append(out, Contradiction{dev.Project, a})
	})
	return out
}
