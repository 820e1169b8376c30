package tune

import (
	"context"
	"fmt"

	"github.com/gradine/gradine/explore"
)

// witnessSteps bounds the length of a witness if no other bound is given.
const witnessSteps = 100_000

// Witness runs the machine at a point of an answer and returns the trace: to the
// end, with the objective that the answer gives, or with the greatest one if that
// depends on the schedule; or to where the machine stops before the end. An error
// says why there is no such run, or that it is too long.
func (e *Entry) Witness(ctx context.Context, p *Point, opt Options) (*explore.Trace, error) {
	if p.broken > 0 {
		return nil, fmt.Errorf("no trace: %s", p.Illegal)
	}
	goal := explore.Goal{Final: e.Final, Objective: e.Objective, Steps: opt.MaxSteps, Record: true}
	if goal.Steps == 0 {
		goal.Steps = witnessSteps
	}
	s, err := explore.Follow(ctx, e.Machine, p.instance, goal)
	if err != nil {
		return nil, err
	}
	trace, value := s.Trace, s.Value
	switch s.End {
	case explore.Final:
	case explore.Stuck:
		return trace, nil
	case explore.LongRun:
		return nil, fmt.Errorf("no trace: a run at this point takes more than %d steps", goal.Steps)
	case explore.Forked:
		known, err := opt.proved()
		if err != nil {
			return nil, err
		}
		ends, err := e.ends(ctx, p, known, opt, true)
		switch {
		case err != nil:
			return nil, err
		case ends.Stuck != nil:
			return ends.Stuck, nil
		case ends.GreatestTrace == nil || ends.Why != "":
			return nil, fmt.Errorf("no trace: %s", ends.Why)
		}
		trace, value = ends.GreatestTrace, ends.Greatest
	default:
		return nil, fmt.Errorf("no trace: %s", p.Illegal)
	}
	if p.Known() && value.Cmp(p.High) != 0 {
		return nil, fmt.Errorf("the run ends with %s %s, where %s by %s was expected", e.Objective, value, p.High, p.By)
	}
	return trace, nil
}
