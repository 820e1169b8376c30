// Package refine pairs each event with the abstract events that it refines, and interprets its
// witnesses. It adds nothing to the checked model.
package refine

import (
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Pair is an event of the concrete machine with the events that it refines: none if
// it is new, several if it merges them.
type Pair struct {
	Concrete  *model.Event
	Abstract  []*model.Event
	Witnesses []Witness // in the order of Concrete.Witnesses
}

// IsMerge reports whether the event refines several.
func (p *Pair) IsMerge() bool { return len(p.Abstract) > 1 }

// First is the abstract event whose actions count (those of merged events are
// the same), or nil.
func (p *Pair) First() *model.Event {
	if len(p.Abstract) == 0 {
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

// Pairs returns the pairs of m, one for each of its events, in their order. A machine
// that refines none has pairs too: all its events are new. Terms are of bank b.
func Pairs(b *logic.Bank, m *model.Machine) []*Pair {
	var out []*Pair
	for _, e := range m.Events {
		p := &Pair{Concrete: e, Abstract: e.Refines}
		for _, w := range e.Witnesses {
			p.Witnesses = append(p.Witnesses, Witness{Witness: w, Primed: !isParameter(e, w.Label), Value: value(b, w)})
		}
		out = append(out, p)
	}
	return out
}

// isParameter reports whether name is a parameter of an event that e refines.
func isParameter(e *model.Event, name string) bool {
	return slices.ContainsFunc(e.Refines, func(a *model.Event) bool {
		return slices.ContainsFunc(a.Parameters, func(x model.Ident) bool { return x.Name == name })
	})
}

// value returns E of a witness that is its identifier = E, if E is free of it.
func value(b *logic.Bank, w *model.Witness) logic.Term {
	if b.Op(w.Term) != logic.Eq || b.Arg(w.Term, 0) != w.Ident || b.Occurs(w.Ident, b.Arg(w.Term, 1)) {
		return 0
	}
	return b.Arg(w.Term, 1)
}
