package animation

import (
	"context"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/setup"
	"github.com/gradine/gradine/logic/eval"
)

// enabledTried bounds the values that are tried for the steps of one event, and enabledSteps those of them that are kept.
const (
	enabledTried = 1 << 12
	enabledSteps = 4
)

// Enabled takes a run in which events come first that it has taken least often. It ends when all events were possible on it,
// or none was possible for the first time in so many steps. Enabled returns, by event, the first step that was possible: the
// values of the variables of all machines in step, and of the parameters. They are values of u.
func (a *Animation) Enabled(ctx context.Context, steps int, u *eval.Space) (out map[string]map[string]eval.Value, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	a.tried = enabledTried
	defer func() { a.tried = mostTried }()
	out = map[string]map[string]eval.Value{}
	taken := map[string]int{}
	for at, last := Before, 0; last <= steps && len(out) < len(a.Levels[0].p.Events); last++ {
		all, _, err := a.Successors(ctx, at, enabledSteps)
		if err != nil {
			return out, err
		}
		if len(all) == 0 {
			break
		}
		next := all[0]
		for _, s := range all {
			if at != Before && out[s.Event] == nil {
				out[s.Event], last = a.valuesOf(at, s, u), 0
			}
			if taken[s.Event] < taken[next.Event] {
				next = s
			}
		}
		taken[next.Event]++
		if at, err = a.Fire(ctx, at, next); err != nil {
			return out, err
		}
	}
	return out, nil
}

// valuesOf are the values of the variables in a state, and of the parameters of a step from there.
func (a *Animation) valuesOf(number int, step Successor, u *eval.Space) map[string]eval.Value {
	out := map[string]eval.Value{}
	for level, packed := range a.states[number].packed {
		p := a.Levels[level].p
		f := p.Frame(context.Background())
		p.Unpack(f, packed)
		for i, v := range p.Variables {
			out[v.Name] = setup.ValueIn(u, p.Space, v.Shape, f.Slots[i])
		}
	}
	p := a.Levels[0].p
	for i, x := range p.EventOf(step.event).Params {
		out[x.Name] = setup.ValueIn(u, p.Space, x.Shape, step.args[i])
	}
	return out
}
