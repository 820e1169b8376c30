package judgement

import (
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
)

// Premises are a development and what is also claimed of it, by po.Ways.
type Premises struct {
	Dev  *model.Development
	Ways []*po.Obligation
}

// Assumption is a set of hypotheses that obligations share: the axioms of a
// context, the axioms and invariants of a machine, or these and the guards of an
// event, or what is known of a state on the way of a claim. If it is contradictory,
// all that rests on it is proved for nothing.
type Assumption struct {
	Of      model.Component
	Event   *model.Event       // nil for a component's own
	Way     string             // name of a claim, as an obligation of it; "" for none
	Sequent logic.Sequent      // with the goal ⊥
	Parts   []*model.Predicate // of the model, one for each hypothesis; nil of a claim
}

// own reports whether it is what a component assumes by itself.
func (a Assumption) own() bool { return a.Event == nil && a.Way == "" }

// Assumptions returns the assumptions of x, each once, those of a component
// before those of its events and claims. A path of a program may contradict them: it is not possible.
func Assumptions(x Premises) []Assumption {
	dev := x.Dev
	bank := dev.Bank.Extend()
	bottom := bank.App(logic.False)
	bank.Freeze()
	var out []Assumption
	add := func(of model.Component, event *model.Event, facts, guards []*model.Predicate) {
		sequent := logic.Sequent{Bank: bank, Goal: bottom}
		for _, predicate := range slices.Concat(facts, guards) {
			sequent.Hyps = append(sequent.Hyps, predicate.Term)
		}
		for i := range guards {
			sequent.Selected = append(sequent.Selected, len(facts)+i)
		}
		out = append(out, Assumption{Of: of, Event: event, Sequent: sequent, Parts: slices.Concat(facts, guards)})
	}
	// The axioms of a component come before its events: where they contradict each other,
	// all guards do, and Contradictions says it once.
	for _, context := range dev.Contexts {
		if axioms := context.Facts(); len(axioms) > 0 {
			add(model.Component{Context: context}, nil, axioms, nil)
		}
	}
	for _, machine := range dev.Machines {
		facts := machine.Facts()
		if len(facts) > 0 {
			add(model.Component{Machine: machine}, nil, facts, nil)
		}
		for _, e := range machine.Events {
			if len(e.Guards) > 0 && !e.Path {
				add(model.Component{Machine: machine}, e, facts, e.Guards)
			}
		}
	}
	for _, way := range x.Ways {
		out = append(out, Assumption{Of: way.Of(), Way: way.Name, Sequent: way.Sequent()})
	}
	return out
}
