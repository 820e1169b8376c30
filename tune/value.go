package tune

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/gradine/gradine/explore"
)

// stops says where the machine stops at a point.
func stops(how string, steps int, state []explore.Binding) string {
	var at []string
	for _, b := range state {
		at = append(at, b.Name+"="+b.Value)
	}
	unit := "steps"
	if steps == 1 {
		unit = "step"
	}
	return fmt.Sprintf("the machine %s, after %d %s, at %s", how, steps, unit, strings.Join(at, " "))
}

// Run finds the value of one legal point by running the machine. A long run may be
// left when its objective is greater than least, if there is one.
func (e *Entry) Run(ctx context.Context, point *Point, least *big.Int, opt Options) error {
	goal := explore.Goal{Final: e.Final, Objective: e.Objective, Steps: opt.MaxSteps, Memory: opt.MaxMemory}
	var above *big.Int // at which the run was left
	var failed error
	if !opt.NoPruning && least != nil {
		goal.Leave = func() *big.Int {
			if known, err := opt.proved(); err != nil {
				failed = err
			} else if known.NeverDecreases {
				above = least
			}
			return above
		}
	}
	in := point.Instance()
	s, err := explore.Follow(ctx, e.Machine, in, goal)
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	point.By, point.Steps = Run, s.Steps
	switch s.End {
	case explore.Final:
		point.Low, point.High = s.Value, s.Value
	case explore.Exceeded:
		point.Above = above
	case explore.Stuck:
		point.Illegal = stops("stops before the end", s.Steps, s.State)
	case explore.Cycle:
		point.Illegal = "the machine runs in a circle"
	case explore.NoValue:
		point.Illegal = "a guard or an action has no value: " + s.Why
	case explore.LongRun:
		point.Bounded = s.Why
	case explore.Forked:
		return e.exhaust(ctx, point, in, opt)
	}
	return nil
}

// exhaust explores all schedules at a point, as far as they differ.
func (e *Entry) exhaust(ctx context.Context, point *Point, in *explore.Instance, opt Options) error {
	known, err := opt.proved()
	if err != nil {
		return err
	}
	ends, err := e.ends(ctx, in, known, opt, false)
	if err != nil {
		return err
	}
	point.By, point.Steps = Exhaustive, ends.States
	if ends.States == ends.Depth+1 {
		point.By = Run // each level has one state
	}
	// What was found counts, whatever bound was reached afterwards.
	switch stop := ends.Stop; {
	case len(ends.Findings) > 0:
		point.Illegal = "a guard or an action has no value: " + ends.Findings[0].Why
	case stop != nil && e.Criterion != Best && stop.How == explore.Stuck:
		point.Illegal = stops("may stop before the end", stop.Steps, stop.State)
	case stop != nil && e.Criterion != Best:
		point.Illegal = stops("may run in a circle", stop.Steps, stop.State)
	case ends.Why != "" && known.Why != "":
		point.Bounded = ends.Why + ", and schedules could not be left out: " + known.Why
	case ends.Why != "":
		point.Bounded = ends.Why
	case ends.Least == nil:
		point.Illegal = "the machine never ends"
	default:
		point.Low, point.High = ends.Least, ends.Greatest
	}
	return nil
}

func (e *Entry) ends(ctx context.Context, in *explore.Instance, known Proved, opt Options, record bool) (*explore.Ends, error) {
	goal := explore.Goal{Final: e.Final, Objective: e.Objective, Ends: known.Ends, Record: record}
	search := explore.Options{MaxStates: opt.MaxSteps, MaxMemory: opt.MaxMemory, Threads: e.Threads, Independence: known.Independence}
	return explore.AllEnds(ctx, e.Machine, in, goal, search)
}
