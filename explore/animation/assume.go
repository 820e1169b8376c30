package animation

import (
	"context"
	"errors"
	"fmt"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
)

// Assumed names the step from before the initialisation to a state that is assumed. No machine takes it.
const Assumed = "counterexample"

// ErrAssumed says that a run begins in an assumed state, so that it is no run of the machine.
var ErrAssumed = errors.New("the run starts in the state of a counterexample, which is not known to be reachable")

// Assume lets runs begin in a state that somebody gives, by names of variables, as ITF writes values. A variable without
// one gets any value. Machines of the chain whose variables have values are in step. The step to the state is returned.
func (a *Animation) Assume(values map[string]any) (step Named, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	var s state
	for _, l := range a.Levels {
		if l.p == nil {
			break
		}
		read := make([]value.Value, len(l.p.Variables))
		missing := ""
		for i, v := range l.p.Variables {
			data, ok := values[v.Name]
			if !ok {
				missing = v.Name
				read[i] = v.Shape.First(l.p.Space)
				continue
			}
			if read[i], err = l.p.Space.Read(v.Shape, data); err != nil {
				return step, fmt.Errorf("variable %s: %w", v.Name, err)
			}
		}
		if missing != "" && len(s.packed) > 0 {
			s.lost = cannot(l, "the counterexample has no value for "+missing)
			break
		}
		f := l.p.Frame(context.Background())
		l.p.SetAfter(f, read)
		s.packed, s.taken = append(s.packed, l.p.Pack(nil, f)), append(s.taken, Assumed)
	}
	a.assumed = append(a.assumed, s)
	return Named{Event: Assumed, Choice: len(a.assumed) - 1}, nil
}

// begins lists the steps to states that are assumed.
func (a *Animation) begins() (out []Successor) {
	for i, s := range a.assumed {
		out = append(out, Successor{Event: Assumed, Choice: i, after: s.packed[0], event: -1})
	}
	return out
}

// StepOf finds a step of an event from a state with the parameters and the after-values that are given by names, x' of
// variable x, as ITF writes values. A name without a value may have any. The error is ErrNoStep if there is no such step,
// or names the value that does not belong to its type in this instance.
func (a *Animation) StepOf(ctx context.Context, from int, event *model.Event, values map[string]any) (step Named, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	p := a.Levels[0].p
	// A value that is not given may be any: the first matching step in the order of the search is taken.
	for _, number := range a.eventsAt(from) {
		if p.EventOf(number).Model.Label != event.Label {
			continue
		}
		wanted := map[int]value.Value{}
		want := func(name string, slot int, shape *value.Shape) {
			data, given := values[name]
			if !given {
				return
			}
			v, wrong := p.Space.Read(shape, data)
			if wrong != nil && err == nil {
				err = fmt.Errorf("the value of %s: %w", name, wrong)
			}
			wanted[slot] = v
		}
		for _, x := range p.EventOf(number).Params {
			want(x.Name, x.Slot, x.Shape)
		}
		for _, v := range p.Variables {
			want(v.Name+"'", v.Primed, v.Shape)
		}
		if err != nil {
			return Named{}, err
		}
		steps, _, err := a.steps(ctx, a.packed(from), number, 1, func(_ *program.Event, f *formula.Frame) bool {
			for slot, v := range wanted {
				if f.Slots[slot] != v {
					return false
				}
			}
			return true
		})
		if err != nil {
			return Named{}, err
		}
		if len(steps) > 0 {
			return steps[0].Named(), nil
		}
	}
	return Named{}, ErrNoStep
}

// Walk takes named steps from before the initialisation, and returns the state that they lead to.
func (a *Animation) Walk(ctx context.Context, steps []Named) (at int, err error) {
	at = Before
	for _, step := range steps {
		found, err := a.Find(ctx, at, step)
		if err != nil {
			return at, err
		}
		if at, err = a.Fire(ctx, at, found); err != nil {
			return at, err
		}
	}
	return at, nil
}
