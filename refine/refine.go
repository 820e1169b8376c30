// Package refine owns refinement steps: how a machine and its events relate to
// the machine and the events they refine. It adds nothing to the checked model;
// it says what of it corresponds, what is new and what is gone. It knows nothing
// of obligations or proofs.
package refine

import (
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Step is one refinement step. A machine that refines none has a step too,
// without Abstract, in which all is new.
type Step struct {
	Concrete *model.Machine
	Abstract *model.Machine // nil for a machine that refines none

	Kept     []model.Variable // in both machines
	New      []model.Variable // in Concrete alone
	Vanished []model.Variable // in Abstract alone

	Pairs   []*Pair        // one for each event of Concrete, in its order
	Dropped []*model.Event // events of Abstract that none of Concrete refines
}

// Pair is an event of the concrete machine with the events it refines: none if
// it is new, several if it merges them.
type Pair struct {
	Concrete *model.Event
	Abstract []*model.Event

	Gone      []model.Ident // parameters of abstract events that Concrete lacks, each once
	Witnesses []Witness     // in the order of Concrete.Witnesses
}

// IsNew reports whether the event refines none.
func (p *Pair) IsNew() bool { return len(p.Abstract) == 0 }

// IsMerge reports whether the event refines several.
func (p *Pair) IsMerge() bool { return len(p.Abstract) > 1 }

// First is the abstract event whose actions count (those of merged events are
// the same), or nil.
func (p *Pair) First() *model.Event {
	if p.IsNew() {
		return nil
	}
	return p.Abstract[0]
}

// Witness is a witness with its classification. A witness is deterministic if it
// is Ident = Value, in this order, and Ident does not occur in Value; it then
// stands for a substitution, and has Value.
type Witness struct {
	*model.Witness
	Primed bool       // for the after-value w' of vanished variable w, not for a parameter
	Value  logic.Term // 0 if not deterministic
}

// Deterministic reports whether w gives the value of its identifier.
func (w Witness) Deterministic() bool { return w.Value != 0 }

// Of returns the step by which m refines its abstract machine. Terms are of bank b.
func Of(b *logic.Bank, m *model.Machine) *Step {
	s := &Step{Concrete: m, Abstract: m.Refines}
	for _, v := range m.Variables {
		switch {
		case v.Abstract && v.Concrete:
			s.Kept = append(s.Kept, v)
		case v.Concrete:
			s.New = append(s.New, v)
		case v.Abstract:
			s.Vanished = append(s.Vanished, v)
		}
	}
	refined := map[*model.Event]bool{}
	for _, e := range m.Events {
		s.Pairs = append(s.Pairs, pair(b, e))
		for _, a := range e.Refines {
			refined[a] = true
		}
	}
	if m.Refines != nil {
		for _, a := range m.Refines.Events {
			if !refined[a] {
				s.Dropped = append(s.Dropped, a)
			}
		}
	}
	return s
}

// Steps returns the steps of all machines of d, abstract ones first.
func Steps(d *model.Development) []*Step {
	var out []*Step
	for _, m := range d.Machines {
		out = append(out, Of(d.Bank, m))
	}
	return out
}

func pair(b *logic.Bank, e *model.Event) *Pair {
	p := &Pair{Concrete: e, Abstract: e.Refines}
	gone := map[string]bool{}
	for _, x := range e.Parameters {
		gone[x.Name] = true
	}
	for _, a := range e.Refines {
		for _, x := range a.Parameters {
			if !gone[x.Name] {
				gone[x.Name] = true
				p.Gone = append(p.Gone, x)
			}
		}
	}
	for _, w := range e.Witnesses {
		isParameter := slices.ContainsFunc(p.Gone, func(x model.Ident) bool { return x.Name == w.Label })
		p.Witnesses = append(p.Witnesses, Witness{Witness: w, Primed: !isParameter, Value: value(b, w)})
	}
	return p
}

// value returns E of a witness that is its identifier = E, if E is free of it.
func value(b *logic.Bank, w *model.Witness) logic.Term {
	if b.Op(w.Term) != logic.Eq || b.Arg(w.Term, 0) != w.Ident || b.Occurs(w.Ident, b.Arg(w.Term, 1)) {
		return 0
	}
	return b.Arg(w.Term, 1)
}
