// Package order represents facts about the order of events: which instances of events commute,
// exclude each other, or leave each other disabled. An instance is an event with parameter
// values. Package po generates the obligations for these facts, package discharge proves them,
// and package explore uses proved facts to skip orders.
package order

import (
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Independence is what is known about the order of events of a machine. What is not
// listed is not known. Terms are those of the development's bank.
type Independence struct {
	// Verified says that in every state that the machine reaches its guards and actions
	// have values, and all its invariants hold but for those of Unproved.
	Verified  bool
	Unproved  []*model.Predicate
	Commuting []Commuting
	Exclusive []Exclusive
	Harmless  []Harmless
	Within    []Within

	Proved, Assumed, Unknown int // pairs of events, by what is known of their commuting
	Guards                   int // entries of Harmless that are assumed
}

// Different says that an expression over constants and parameters of one instance
// is not equal to one of another.
type Different struct{ First, Second logic.Term }

// Commuting says that an instance of First and another instance, of Second, commute
// in every reachable state in which both can happen: each leaves the other enabled,
// and either order gives the same state. This holds of instances that differ in all
// of Where, or of all if it is empty.
type Commuting struct {
	First, Second *model.Event
	Where         []Different
}

// Exclusive says that no two instances, of First and of Second, can both happen in a
// reachable state.
type Exclusive struct{ First, Second *model.Event }

// Harmless says that an instance of Event that happens leaves Guard false, a conjunct
// of the guards of an instance of Other, if they differ in all of Where.
type Harmless struct {
	Event, Other *model.Event
	Guard        logic.Term
	Where        []Different
}

// Within says that the values of parameter Param of Event lie in Set, an expression
// over the constants.
type Within struct {
	Event *model.Event
	Param logic.Term
	Set   logic.Term
}

// Among returns what is known of some events.
func (x *Independence) Among(has map[*model.Event]bool) *Independence {
	out := &Independence{Verified: x.Verified, Unproved: x.Unproved}
	for _, c := range x.Commuting {
		if has[c.First] && has[c.Second] {
			out.Commuting = append(out.Commuting, c)
		}
	}
	for _, c := range x.Exclusive {
		if has[c.First] && has[c.Second] {
			out.Exclusive = append(out.Exclusive, c)
		}
	}
	for _, h := range x.Harmless {
		if has[h.Event] && has[h.Other] {
			out.Harmless = append(out.Harmless, h)
		}
	}
	for _, w := range x.Within {
		if has[w.Event] {
			out.Within = append(out.Within, w)
		}
	}
	return out
}
