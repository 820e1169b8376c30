package discharge

import (
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Assumption is a set of hypotheses that obligations share: the axioms of a
// context, the axioms and invariants of a machine, or these and the guards of an
// event. If it is contradictory, all that rests on it is proved for nothing.
type Assumption struct {
	Of      model.Component
	Event   *model.Event  // nil for a component's own
	Sequent logic.Sequent // with the goal ⊥
}

// Assumptions returns the assumptions of dev, each once, those of a component
// before those of its events.
func Assumptions(dev *model.Development) []Assumption {
	b := dev.Bank.Extend()
	bottom := b.App(logic.False)
	b.Freeze()
	var out []Assumption
	add := func(of model.Component, event *model.Event, facts, guards []*model.Predicate) {
		s := logic.Sequent{Bank: b, Goal: bottom}
		for _, p := range slices.Concat(facts, guards) {
			s.Hyps = append(s.Hyps, p.Term)
		}
		for i := range guards {
			s.Selected = append(s.Selected, len(facts)+i)
		}
		out = append(out, Assumption{of, event, s})
	}
	// The axioms of a component come before its events: where they contradict each other,
	// all guards do, and Contradictions says it once.
	for _, c := range dev.Contexts {
		if axioms := c.Facts(); len(axioms) > 0 {
			add(model.Component{Context: c}, nil, axioms, nil)
		}
	}
	for _, m := range dev.Machines {
		facts := m.Facts()
		if len(facts) > 0 {
			add(model.Component{Machine: m}, nil, facts, nil)
		}
		for _, e := range m.Events {
			if len(e.Guards) > 0 {
				add(model.Component{Machine: m}, e, facts, e.Guards)
			}
		}
	}
	return out
}
