package explore

import (
	"bytes"
	"context"
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
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
	program.Param
	value value.Value
}

// Trace is a run from the initialisation.
type Trace struct {
	Machine string
	Steps   []Step
	Loop    *int // of a run that goes on for ever: the step whose state it goes on from when it is through; nil: it ends

	program *program.Program
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
	t := &Trace{Machine: s.p.Machine.Name, program: s.p}
	pack := func(frame *formula.Frame) []byte { return s.p.Pack(nil, frame) }
	if s.sym != nil {
		r := s.sym.Reducer(s.p)
		pack = func(frame *formula.Frame) []byte {
			was := r.Reduce(frame)
			defer s.p.SetAfter(frame, was)
			return s.p.Pack(nil, frame)
		}
	}
	var before []byte
	for _, m := range path {
		after := s.st.at(m.state)
		step, reached := stepOf(s.p, s.ctx, m.event, before, func(frame *formula.Frame) bool { return bytes.Equal(pack(frame), after) })
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
func passing(p *program.Program, ctx context.Context, path []passed) *Trace {
	t := &Trace{Machine: p.Machine.Name, program: p}
	var before []byte
	for _, x := range path {
		step, _ := stepOf(p, ctx, x.event, before, func(f *formula.Frame) bool { return bytes.Equal(p.Pack(nil, f), x.state) })
		t.Steps = append(t.Steps, step)
		t.states = append(t.states, x.state)
		before = x.state
	}
	return t
}

// step describes the first move by an event from before (nil at the
// initialisation) to a state that is wanted, and returns that state.
func stepOf(compiled *program.Program, ctx context.Context, event int, before []byte, wanted func(*formula.Frame) bool) (Step, []byte) {
	var after []byte
	f := compiled.Frame(ctx)
	e := compiled.EventOf(event)
	if event > 0 {
		compiled.Unpack(f, before)
	}
	step := Step{Event: e.Model.Label}
	old := valuesOf(compiled, before)
	f.Visit(e.Fire, func(f *formula.Frame) bool {
		if !wanted(f) {
			return true
		}
		step, after = describe(compiled, e, f, old)
		return false
	})
	return step, after
}

// describe describes the move by event e whose after-values are in f, and packs the state
// that it leads to; old are the values before it.
func describe(compiled *program.Program, e *program.Event, f *formula.Frame, old []Binding) (Step, []byte) {
	step := Step{Event: e.Model.Label}
	for _, x := range e.Params {
		step.args = append(step.args, argument{x, f.Slots[x.Slot]})
		step.Params = append(step.Params, Binding{x.Name, compiled.Space.String(x.Shape, f.Slots[x.Slot])})
	}
	after := compiled.Pack(nil, f)
	step.State = valuesOf(compiled, after)
	for i, b := range step.State {
		if old == nil || old[i] != b {
			step.Changed = append(step.Changed, b)
		}
	}
	return step, after
}

// values prints a packed state.
func valuesOf(compiled *program.Program, state []byte) []Binding {
	if state == nil {
		return nil
	}
	frame := compiled.Frame(context.Background())
	compiled.Unpack(frame, state)
	var out []Binding
	for i, variable := range compiled.Variables {
		out = append(out, Binding{variable.Name, compiled.Space.String(variable.Shape, frame.Slots[i])})
	}
	return out
}
