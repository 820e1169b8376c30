package explore

import "bytes"

// Binding is a name and its value, printed.
type Binding struct{ Name, Value string }

// Step is one event of a trace.
type Step struct {
	Event   string
	Params  []Binding
	Changed []Binding // variables whose value changed
	State   []Binding // all variables
}

// Trace is a run from the initialisation.
type Trace struct {
	Machine string
	Steps   []Step

	states [][]byte
}

// trace rebuilds the shortest run to a state from the parents. Parameters are
// found again by firing the event.
func (s *search) trace(id stateID) *Trace {
	type move struct {
		state stateID
		event int
	}
	var moves []move
	for id != noState {
		parent, event := s.st.parentOf(id)
		moves = append(moves, move{id, event})
		id = parent
	}
	t := &Trace{Machine: s.p.m.Name}
	var before []byte
	for i := len(moves) - 1; i >= 0; i-- {
		after := s.st.at(moves[i].state)
		t.Steps = append(t.Steps, s.p.step(moves[i].event, before, after))
		t.states = append(t.states, after)
		before = after
	}
	return t
}

// step describes the move from before (nil at the initialisation) to after.
func (p *program) step(event int, before, after []byte) Step {
	f := p.frame()
	e := p.init
	if event > 0 {
		e = p.events[event-1]
		p.unpack(f, before)
	}
	step := Step{Event: e.model.Label}
	e.fire(f, func(f *frame) bool {
		if !bytes.Equal(p.pack(nil, f), after) {
			return true
		}
		for _, x := range e.params {
			step.Params = append(step.Params, Binding{x.name, p.u.String(x.shape, f.slots[x.slot])})
		}
		return false
	})
	old := p.values(before)
	step.State = p.values(after)
	for i, b := range step.State {
		if old == nil || old[i] != b {
			step.Changed = append(step.Changed, b)
		}
	}
	return step
}

// values prints a packed state.
func (p *program) values(state []byte) []Binding {
	if state == nil {
		return nil
	}
	f := p.frame()
	p.unpack(f, state)
	var out []Binding
	for i, v := range p.vars {
		out = append(out, Binding{v.name, p.u.String(v.shape, f.slots[i])})
	}
	return out
}
