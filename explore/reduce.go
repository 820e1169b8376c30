package explore

import (
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/explore/internal/stubborn"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// partialOrder prepares the search to follow some transitions only, if that is
// asked for.
func (s *search) partialOrder() {
	if s.opt.Independence == nil || s.opt.Order == RandomWalks {
		return
	}
	if s.stubborn = stubborn.New(s.ctx, s.p, s.opt.Independence); s.stubborn == nil {
		return
	}
	s.result.Independence = s.opt.Independence
	// Invariants that are not proved, and that guards and actions have values, are
	// properties to keep.
	if !s.opt.NoInvariants {
		for _, k := range s.p.Invariants {
			if !s.stubborn.Verified || slices.Contains(s.opt.Independence.Unproved, k.Of) {
				s.preserve(k.Term)
			}
		}
	}
	if s.stubborn.Verified {
		return
	}
	for _, event := range s.p.Events {
		ts := program.Terms(event.Model.Guards)
		for _, action := range event.Model.Actions {
			ts = append(ts, action.Right...)
		}
		claims := s.p.Theorems && slices.ContainsFunc(event.Model.Guards, func(predicate *model.Predicate) bool { return predicate.Theorem })
		if claims || slices.ContainsFunc(ts, func(term logic.Term) bool { return !s.p.Compiler.Total(term) }) {
			s.preserve(ts...)
		}
	}
}

// preserve lets a reduced search keep whether a state with given values of the
// variables of ts is reached.
func (s *search) preserve(ts ...logic.Term) {
	if s.stubborn != nil {
		s.stubborn.Preserve(s.p, ts...)
		s.steps = &stepGraph{}
		s.reduced = &reducedGraph{partial: map[states.ID]bool{}, whole: map[states.ID]bool{}}
	}
}

// expandSome computes those successors of a state that are to be followed: at
// first those chosen; the others, if all is to be followed after all.
func (w *worker) expandSome(id states.ID) {
	s, compiled, frame, o, c := w.s, w.s.p, w.f, w.o, w.chooser
	c.Begin()
	w.leaf = w.gather
	w.fire(compiled.Events, 1, id)
	chosen := c.Choose(frame)
	// The second visit of a state, which the cycle proviso asks for, follows what the first left out.
	again := s.reduced != nil && s.reduced.whole[id]
	if chosen != nil && !again {
		o.partial = append(o.partial, id)
	}
	o.enabled += len(c.Moves)
	width := s.width()
	for k, m := range c.Moves {
		switch {
		case chosen != nil && c.Follows(chosen, k) == again:
		case m.Beyond >= 0:
			o.cut |= 1 << m.Beyond
		default:
			o.transitions++
			o.fired[m.Event]++
			packed := o.add(head{m.Hash, origin{id, uint16(m.Event)}, false, m.Changed})
			*packed = append(*packed, c.After[k*width:(k+1)*width]...)
		}
	}
}

// gather takes note of the after-state in the frame as a transition of the
// present state.
func (w *worker) gather(frame *formula.Frame) bool {
	compiled, c := w.s.p, w.chooser
	number := int(w.from.event)
	m := stubborn.Transition{Event: number, Beyond: compiled.Beyond(frame), Node: c.Node(number-1, compiled.Events[number-1], frame)}
	var was []value.Value
	if w.sym != nil {
		was = w.sym.Reduce(frame)
	}
	m.Hash, m.Changed = compiled.HashAfter(frame, &w.hash)
	c.After = w.pack(c.After)
	c.Moves = append(c.Moves, m)
	if was != nil {
		compiled.SetAfter(frame, was)
	}
	return true
}
