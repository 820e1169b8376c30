package discharge

import (
	"context"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/refute"
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

// modelSteps bounds the search for a model of an assumption. Where there is one there is
// no contradiction, and models are found sooner than a search for a proof gives up.
const modelSteps = 30_000

// Contradictions tries to prove ⊥ from the assumptions of the components that asked
// accepts, and returns those where it succeeds, in the order of Assumptions. Where
// the assumption of a component is contradictory, those of its events are as well,
// and are not listed.
func Contradictions(ctx context.Context, dev *model.Development, asked func(model.Component) bool, opts Options) []Contradiction {
	return ContradictionsOf(ctx, []*model.Development{dev}, asked, opts)[0]
}

// ContradictionsOf is Contradictions of several developments, as of two revisions: what
// they assume alike is searched once.
func ContradictionsOf(ctx context.Context, devs []*model.Development, asked func(model.Component) bool, opts Options) [][]Contradiction {
	opts.Steps, opts.RefuteSteps = contradictionSteps, modelSteps
	var all assumptions
	for at, dev := range devs {
		for _, a := range Assumptions(dev) {
			if asked(a.Of) {
				all = append(all, &assumed{Assumption: a, dev: at})
			}
		}
	}
	// A model of the last machine of a refinement is one of all above it, and often one of
	// other events: these need no search.
	var last, rest assumptions
	first := map[text.Fingerprint]*assumed{}
	for _, a := range all {
		print := text.SequentFingerprint(a.Sequent)
		if first[print] != nil {
			a.like = first[print]
			continue
		}
		first[print] = a
		if m := a.Of.Machine; m != nil && !slices.ContainsFunc(devs[a.dev].Machines, func(x *model.Machine) bool { return x.Refines == m }) {
			last = append(last, a)
		} else {
			rest = append(rest, a)
		}
	}
	models := make([][]*eval.Model, len(devs))
	last.search(ctx, models, opts)
	rest = slices.DeleteFunc(rest, func(a *assumed) bool {
		return slices.ContainsFunc(models[a.dev], func(m *eval.Model) bool { return refute.Confirm(a.Sequent, m) != nil })
	})
	rest.search(ctx, models, opts)
	return all.contradictory(devs)
}

// assumed is an assumption and what was found of it.
type assumed struct {
	Assumption
	dev    int      // the development that assumes it
	like   *assumed // one before that is the same; nil if there is none
	absurd bool     // ⊥ follows
}

type assumptions []*assumed

// search asks for a contradiction in each, and keeps the models that show that there is none.
func (list assumptions) search(ctx context.Context, models [][]*eval.Model, opts Options) {
	Run(ctx, len(list), func(i int) logic.Sequent { return list[i].Sequent }, opts, func(i int, outcome Outcome) {
		list[i].absurd = outcome.Verdict.Holds()
		if outcome.Counterexample != nil {
			models[list[i].dev] = append(models[list[i].dev], outcome.Counterexample.Model)
		}
	})
}

// contradictory lists those from which ⊥ follows, by development.
func (list assumptions) contradictory(devs []*model.Development) [][]Contradiction {
	out := make([][]Contradiction, len(devs))
	type whole struct { // a component whose own assumption is contradictory
		dev int
		of  model.Component
	}
	all := map[whole]bool{}
	for _, a := range list {
		found := a.absurd || a.like != nil && a.like.absurd
		if of := (whole{a.dev, a.Of}); found && !all[of] {
			all[of] = a.Event == nil
			out[a.dev] = append(out[a.dev], Contradiction{devs[a.dev].Project, a.Assumption})
		}
	}
	return out
}
