package explore

import (
	"bytes"
	"context"
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/picture"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/explore/internal/value"
)

// Binding is a name and its value, printed.
type Binding = picture.Binding

// Graph, Edge, Drawing and Shown are of graphs of states.
type (
	Graph   = picture.Graph
	Edge    = picture.Edge
	Drawing = picture.Wanted
	Shown   = picture.Shown
)

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

// parents is the first run to a stored state.
func (s *search) parents(id states.ID) [][]byte {
	var path [][]byte
	for ; id != states.None; id = s.st.Parent(id) {
		path = append(path, s.st.At(id))
	}
	slices.Reverse(path)
	return path
}

// trace shows a run through states. Events and parameters are found again by firing the events: each step
// is one of the machine, however its states came to be known.
func (s *search) trace(path [][]byte) *Trace {
	t := &Trace{Machine: s.p.Machine.Name, program: s.p}
	var before []byte
	for _, after := range path {
		step, reached := s.stepTo(before, after)
		if reached == nil {
			panic("no event leads from a state of a run to the next one")
		}
		t.Steps, t.states = append(t.Steps, step), append(t.states, reached)
		before = reached
	}
	return t
}

// stepTo is the first step from before (nil at the initialisation) to a state, or to one that a search takes
// for it, which is returned as well; nil if none is there.
func (s *search) stepTo(before, after []byte) (step Step, reached []byte) {
	pack := func(frame *formula.Frame) []byte { return s.p.Pack(nil, frame) }
	if s.sym != nil {
		r := s.sym.Reducer(s.p)
		pack = func(frame *formula.Frame) []byte {
			was := r.Reduce(frame)
			defer s.p.SetAfter(frame, was)
			return s.p.Pack(nil, frame)
		}
	}
	first, last := 0, 0
	if before != nil {
		first, last = 1, len(s.p.Events)
	}
	for event := first; event <= last && reached == nil; event++ {
		step, reached = stepOf(s.p, s.ctx, event, before, func(frame *formula.Frame) bool { return bytes.Equal(pack(frame), after) })
	}
	return step, reached
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
// initialisation) to a state that is wanted, and returns that state; nil if there is none.
func stepOf(compiled *program.Program, ctx context.Context, event int, before []byte, wanted func(*formula.Frame) bool) (Step, []byte) {
	var after []byte
	f := compiled.Frame(ctx)
	e := compiled.EventOf(event)
	if event > 0 {
		compiled.Unpack(f, before)
	}
	step := Step{Event: e.Model.Label}
	old := picture.Values(compiled, before)
	// To the end: an event that has no value for one of its instances has no steps.
	if _, why := f.Visit(e.Fire, func(f *formula.Frame) bool {
		if after == nil && wanted(f) {
			step, after = describe(compiled, e, f, old)
		}
		return true
	}); why != "" {
		return step, nil
	}
	return step, after
}

// describe describes the move by event e whose after-values are in f, and packs the state
// that it leads to; old are the values before it.
func describe(compiled *program.Program, e *program.Event, f *formula.Frame, old []Binding) (Step, []byte) {
	step := Step{Event: e.Model.Label}
	for _, x := range e.Params {
		step.args = append(step.args, argument{x, f.Slots[x.Slot]})
		step.Params = append(step.Params, Binding{Name: x.Name, Value: compiled.Space.String(x.Shape, f.Slots[x.Slot])})
	}
	after := compiled.Pack(nil, f)
	step.State = picture.Values(compiled, after)
	for i, b := range step.State {
		if old == nil || old[i] != b {
			step.Changed = append(step.Changed, b)
		}
	}
	return step, after
}
