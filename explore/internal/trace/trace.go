package trace

import (
	"bytes"
	"context"
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/picture"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
)

// Step is one event of a trace.
type Step struct {
	Event   string
	Params  []picture.Binding
	Changed []picture.Binding // variables whose value changed
	State   []picture.Binding // all variables

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

// Empty is the run of a machine before its initialisation.
func Empty(p *program.Program) *Trace { return &Trace{Machine: p.Machine.Name, program: p} }

// Append adds a step and the state that it leads to.
func (t *Trace) Append(step Step, state []byte) {
	t.Steps, t.states = append(t.Steps, step), append(t.states, state)
}

// Visited is a state of a run, and the number of the event that led to it.
type Visited struct {
	State []byte
	Event int
}

// Of shows a run, in which no state is merged with others.
func Of(p *program.Program, ctx context.Context, path []Visited) *Trace {
	t := Empty(p)
	var before []byte
	for _, x := range path {
		step, _ := find(p, ctx, x.Event, before, func(f *formula.Frame) bool { return bytes.Equal(p.Pack(nil, f), x.State) }, true)
		t.Append(step, x.State)
		before = x.State
	}
	return t
}

// Find describes the first move by an event from before (nil at the
// initialisation) to a state that is wanted, and returns that state; nil if there is none.
func Find(compiled *program.Program, ctx context.Context, event int, before []byte, wanted func(*formula.Frame) bool) (Step, []byte) {
	return find(compiled, ctx, event, before, wanted, false)
}

// find is Find; known: there is such a move, so that the search ends with it.
func find(compiled *program.Program, ctx context.Context, event int, before []byte, wanted func(*formula.Frame) bool, known bool) (Step, []byte) {
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
			step, after = Describe(compiled, e, f, old)
		}
		return after == nil || !known
	}); why != "" {
		return step, nil
	}
	return step, after
}

// Describe describes the move by event e whose after-values are in f, and packs the state
// that it leads to; old are the values before it.
func Describe(compiled *program.Program, e *program.Event, f *formula.Frame, old []picture.Binding) (Step, []byte) {
	step := Step{Event: e.Model.Label}
	for _, x := range e.Params {
		step.args = append(step.args, argument{x, f.Slots[x.Slot]})
		step.Params = append(step.Params, picture.Binding{Name: x.Name, Value: compiled.Space.String(x.Shape, f.Slots[x.Slot])})
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

// Whole returns the run of the machine that a run of a view of it shows.
func (t *Trace) Whole(ctx context.Context) (*Trace, error) {
	part := t.program
	compiled, err := program.Compile(part.Setting, part.Machine, false)
	if err != nil {
		return nil, err
	}
	forgotten := func(variable program.Variable) bool {
		return slices.ContainsFunc(part.Cone.Forget, func(x program.Forgotten) bool { return x.Function == variable.Term })
	}
	f := part.Frame(ctx)
	out := Empty(compiled)
	var before []byte
	for i, s := range t.Steps {
		part.Unpack(f, t.states[i])
		event := 0
		for k, e := range compiled.Events {
			if e.Model.Label == s.Event {
				event = k + 1
			}
		}
		// The view leaves variables out; of the steps of the whole machine any one will do that agrees
		// with the view in all that it kept.
		step, after := Find(compiled, ctx, event, before, func(g *formula.Frame) bool {
			for k, x := range compiled.EventOf(event).Params {
				if g.Slots[x.Slot] != s.args[k].value {
					return false
				}
			}
			for k, variable := range part.Variables {
				if !forgotten(variable) && g.Slots[compiled.Variable(variable.Term).Primed] != f.Slots[k] {
					return false
				}
			}
			return true
		})
		out.Append(step, after)
		before = after
	}
	return out, nil
}
