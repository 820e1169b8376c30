package explore

import (
	"bytes"
	"context"
	"slices"
)

// Binding is a name and its value, printed.
type Binding struct{ Name, Value string }

// Step is one event of a trace.
type Step struct {
	Event   string
	Params  []Binding
	Changed []Binding // variables whose value changed
	State   []Binding // all variables

	args []argument
}

// argument is a parameter and its value.
type argument struct {
	param
	value Value
}

// Trace is a run from the initialisation.
type Trace struct {
	Machine string
	Steps   []Step

	program *program
	states  [][]byte
}

// move is an event and the state after it.
type move struct {
	state stateID
	event int
}

// pathTo rebuilds the first run to a state from the parents.
func (s *search) pathTo(id stateID) []move {
	var path []move
	for id != noState {
		parent, event := s.st.parentOf(id)
		path = append(path, move{id, event})
		id = parent
	}
	slices.Reverse(path)
	return path
}

// trace shows a run. Parameters are found again by firing the events.
func (s *search) trace(path []move) *Trace {
	t := &Trace{Machine: s.p.m.Name, program: s.p}
	pack := func(f *frame) []byte { return s.p.pack(nil, f) }
	if s.sym != nil {
		r := s.sym.reducer(s.p)
		pack = func(f *frame) []byte {
			was := r.reduce(f)
			defer s.p.setAfter(f, was)
			return s.p.pack(nil, f)
		}
	}
	var before []byte
	for _, m := range path {
		after := s.st.at(m.state)
		step, reached := s.p.step(s.ctx, m.event, before, func(f *frame) bool { return bytes.Equal(pack(f), after) })
		t.Steps = append(t.Steps, step)
		after = reached
		t.states = append(t.states, after)
		before = after
	}
	return t
}

// passed is a state of a run, and the number of the event that led to it.
type passed struct {
	state []byte
	event int
}

// passing shows a run, in which no state is merged with others.
func (p *program) passing(ctx context.Context, path []passed) *Trace {
	t := &Trace{Machine: p.m.Name, program: p}
	var before []byte
	for _, x := range path {
		step, _ := p.step(ctx, x.event, before, func(f *frame) bool { return bytes.Equal(p.pack(nil, f), x.state) })
		t.Steps = append(t.Steps, step)
		t.states = append(t.states, x.state)
		before = x.state
	}
	return t
}

// step describes the first move by an event from before (nil at the
// initialisation) to a state that is wanted, and returns that state.
func (p *program) step(ctx context.Context, event int, before []byte, wanted func(*frame) bool) (Step, []byte) {
	var after []byte
	f := p.frame(ctx)
	e := p.eventOf(event)
	if event > 0 {
		p.unpack(f, before)
	}
	step := Step{Event: e.model.Label}
	f.visit(e.fire, func(f *frame) bool {
		if !wanted(f) {
			return true
		}
		after = p.pack(nil, f)
		for _, x := range e.params {
			step.args = append(step.args, argument{x, f.slots[x.slot]})
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
	return step, after
}

// eventOf returns the event of a number; 0 is the initialisation.
func (p *program) eventOf(number int) *event {
	if number == 0 {
		return p.init
	}
	return p.events[number-1]
}

// values prints a packed state.
func (p *program) values(state []byte) []Binding {
	if state == nil {
		return nil
	}
	f := p.frame(context.Background())
	p.unpack(f, state)
	var out []Binding
	for i, v := range p.vars {
		out = append(out, Binding{v.name, p.u.String(v.shape, f.slots[i])})
	}
	return out
}
