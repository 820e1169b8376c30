package review

import (
	"slices"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/model"
)

// debts counts the debt of both revisions.
func (r *Review) debts(old, now *Side) {
	for _, o := range r.Obligations {
		// A removed obligation that was not searched is no paid debt.
		if o.Old != nil && (o.Was.Verdict != "" || o.New != nil) {
			r.Before.Add(o.Was.Verdict, false)
		}
		if o.New != nil {
			r.After.Add(o.Is.Verdict, o.Expected != nil)
		}
	}
	r.Before.Axioms, r.After.Axioms = Axioms(old.Dev), Axioms(now.Dev)
}

// Add counts one obligation; meant says that its verdict is what gradine.toml expects.
func (d *Debt) Add(v verdict.Verdict, meant bool) {
	switch v {
	case verdict.Open:
		d.Open++
	case verdict.Refuted:
		d.Refuted++
	case verdict.Vacuous:
		d.Vacuous++
	case "":
		d.Unknown++
	}
	if meant && v != "" && v != verdict.Proved {
		d.Expected++
	}
}

// Axioms counts what a development assumes.
func Axioms(dev *model.Development) int {
	n := 0
	for _, c := range dev.Contexts {
		for _, a := range c.Axioms {
			if !a.Theorem {
				n++
			}
		}
	}
	return n
}

// causes finds, for each obligation that has another sequent or is new, the change
// that it is most likely due to: of an element that it is about; else of one of its
// event; else of a component that it builds on, the nearest first.
func (r *Review) causes(dev *model.Development) {
	visible := map[model.Component]map[string]bool{}
	for _, obligation := range r.Obligations {
		if obligation.New == nil || obligation.Fate == Same {
			continue
		}
		of := obligation.New.Of()
		if visible[of] == nil {
			visible[of] = visibleFrom(dev, &Element{Component: obligation.New.Component})
		}
		best := -1
		for _, change := range r.Changes {
			if near := obligation.nearness(change, dev, visible[of]); near > best {
				obligation.Cause, best = change, near
			}
		}
	}
}

// nearness says how close a change is to an obligation; -1 if it does not bear on it.
// visible are the components whose predicates the obligation may assume.
func (o *ObligationChange) nearness(change *Change, dev *model.Development, visible map[string]bool) int {
	element := change.Element()
	if change.What.unsaid() || change.What == Renamed || change.What == Moved {
		return -1
	}
	for _, source := range o.New.Sources {
		if source.Origin.Component == element.Component && source.Origin.Event == element.Event && source.Label == element.Label {
			return 1 << 20
		}
	}
	if o.New.Event != nil && element.Component == o.New.Component && (element.Event == o.New.Event.Label || element.Kind == "event" && element.Label == o.New.Event.Label) {
		return 1 << 19
	}
	// A guard or an action of another event bears on no obligation of this one,
	// unless this one refines it.
	if element.Event != "" && !slices.ContainsFunc(o.New.Abstract, func(event *model.Event) bool { return event.Label == element.Event }) {
		return -1
	}
	if !visible[element.Component] {
		return -1
	}
	return depth(dev, element.Component)
}

// depth is how far down the refinement a component stands; contexts stand above
// all machines.
func depth(dev *model.Development, component string) int {
	n := 0
	for m := dev.Machine(component); m != nil; m = m.Refines {
		n++
	}
	return n
}
