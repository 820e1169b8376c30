package tune

import (
	"context"
	"fmt"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/simulate"
)

// witnessSteps bounds the length of a witness if no other bound is given.
const witnessSteps = 100_000

// Witness runs the machine at a point of an answer and returns the trace: to the
// end, with the objective that counts if it depends on the schedule; or to where
// the machine stops before the end. An error
// says why there is no such run, or that it is too long.
func (e *Entry) Witness(ctx context.Context, point *Point, opt Options) (*explore.Trace, error) {
	if point.broken > 0 {
		return nil, fmt.Errorf("no trace: %s", point.Illegal)
	}
	in := point.Instance()
	goal := e.Goal()
	goal.Steps, goal.Record = opt.MaxSteps, true
	if goal.Steps == 0 {
		goal.Steps = witnessSteps
	}
	s, err := simulate.Follow(ctx, e.Machine, in, goal)
	if err != nil {
		return nil, err
	}
	// The value is found a second time here, by a run that is kept: if it is not that
	// of the answer, one of the two is wrong, and the reader must know.
	trace, values := s.Trace, s.Values
	// One schedule, if it is the only one, is the witness; where schedules fork, the
	// worst or the best of all is.
	switch s.End {
	case simulate.Final:
	case simulate.Stuck, simulate.Violated:
		return trace, nil
	case simulate.LongRun:
		return nil, fmt.Errorf("no trace: a run at this point takes more than %d steps", goal.Steps)
	case simulate.Forked:
		known, err := opt.Proved.schedules()
		if err != nil {
			return nil, err
		}
		ends, err := e.ends(ctx, in, known, opt, true)
		switch {
		case err != nil:
			return nil, err
		case ends.Stop != nil && e.Criterion != Best:
			return ends.Stop.Trace, nil
		case ends.GreatestTrace == nil || ends.Why != "":
			return nil, fmt.Errorf("no trace: %s", ends.Why)
		case e.Criterion == Best:
			trace, values = ends.LeastTrace, ends.Least
		default:
			trace, values = ends.GreatestTrace, ends.Greatest
		}
	default:
		return nil, fmt.Errorf("no trace: %s", point.Illegal)
	}
	// What the device took is nothing that a run of the machine must end with.
	if point.Known() && point.By != Device {
		answer := Answer{Objectives: e.Objectives, Criterion: e.Criterion}
		if expected := answer.Cost(point, 0); values[0].Cmp(expected) != 0 {
			return nil, fmt.Errorf("the run ends with a cost %s of %s, where %s by %s was expected", values[0], e.Objectives[0].Text, expected, point.By)
		}
	}
	return trace, nil
}
