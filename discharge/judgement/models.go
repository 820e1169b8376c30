package judgement

import (
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover/refute"
)

// models are the models of assumptions, by what else they are likely to be a model of. There are
// few for each, so that an assumption is compared with few, however many components there are.
type models map[assumes][]candidate

// candidate is a model of an assumption.
type candidate struct {
	model  *eval.Model
	of     Assumption
	claims []refute.Claim
}

// claimsFor returns the claims of the candidate as ones about a, which may assume more, or less.
func (c candidate) claimsFor(a Assumption) (out []refute.Claim) {
	for _, claim := range c.claims {
		if claim.Hyp >= len(c.of.Parts) {
			continue // of a leads-to property, or about the goal
		}
		if at := slices.Index(a.Parts, c.of.Parts[claim.Hyp]); at >= 0 {
			claim.Hyp = at
			out = append(out, claim)
		}
	}
	return out
}

// assumes is what makes an assumption: a component, or one of its events.
type assumes struct {
	of    model.Component
	event *model.Event
}

// candidates is how many models are tried of one component, or of one event.
const candidates = 4

// offer makes a counterexample to assumption a, a model of it, a candidate for all that the component of a builds on,
// and for the events that its event refines.
func (x models) offer(a Assumption, found *refute.Counterexample) {
	add := func(to assumes) {
		if len(x[to]) < candidates {
			x[to] = append(x[to], candidate{found.Model, a, found.Claims})
		}
	}
	// BuildsOn names all contexts, and the next machine.
	for machine := a.Of; ; machine = (model.Component{Machine: machine.Machine.Refines}) {
		add(assumes{of: machine})
		if machine.Machine == nil || machine.Machine.Refines == nil {
			break
		}
	}
	for _, context := range a.Of.BuildsOn() {
		if context.Context != nil {
			add(assumes{of: context})
		}
	}
	if a.Event == nil {
		return
	}
	refined := slices.Clone(a.Event.Refines)
	for i := 0; i < len(refined); i++ {
		add(assumes{event: refined[i]})
		for _, e := range refined[i].Refines {
			if !slices.Contains(refined, e) {
				refined = append(refined, e)
			}
		}
	}
}

// confirm reports whether one of the candidates is a model of a.
func (x models) confirm(a Assumption) bool {
	tried := x[assumes{of: a.Of}]
	if a.Event != nil {
		tried = slices.Concat(x[assumes{event: a.Event}], tried)
	}
	return slices.ContainsFunc(tried, func(c candidate) bool { return refute.Confirm(a.Sequent, c.model, c.claimsFor(a)...) != nil })
}
