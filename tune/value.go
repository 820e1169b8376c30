package tune

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
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
	if opt.All {
		opt.Proved = Proved{}
		err := e.exhaust(ctx, point, point.Instance(), opt)
		point.By = Exhaustive
		return err
	}
	goal := e.Goal()
	goal.Steps, goal.Memory = opt.MaxSteps, opt.MaxMemory
	var above *big.Int // at which the run was left
	var failed error
	if !opt.NoPruning && least != nil && e.ordered() {
		goal.Leave = func() *big.Int {
			if rises, err := opt.Proved.neverDecreases(); err != nil {
				failed = err
			} else if rises {
				above = least
			}
			return above
		}
	}
	in := point.Instance()
	s, err := simulate.Follow(ctx, e.Machine, in, goal)
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	point.By, point.Steps = Run, s.Steps
	switch s.End {
	case simulate.Final:
		point.Ranges = e.ranges(s.Values, s.Values)
	case simulate.Violated:
		point.Illegal = e.violates(s.Broken)
	case simulate.Exceeded:
		point.Above = above
	case simulate.Stuck:
		point.Illegal = stops("stops before the end", s.Steps, s.State)
	case simulate.Cycle:
		point.Illegal = "the machine runs in a circle"
	case simulate.NoValue:
		point.Illegal = noValue(s.Why)
	case simulate.LongRun:
		point.Bounded = s.Why
	case simulate.Forked:
		return e.exhaust(ctx, point, in, opt)
	}
	return nil
}

// Take gives a point the value of a run to its end, in the place of another one.
func (p *Point) Take(entry *Entry, s *simulate.Schedule) {
	p.Ranges, p.By, p.Steps, p.Found = entry.ranges(s.Values, s.Values), Run, s.Steps, -1
}

// exhaust explores all schedules at a point, as far as they differ.
func (e *Entry) exhaust(ctx context.Context, point *Point, in *explore.Instance, opt Options) error {
	known, err := opt.Proved.schedules()
	if err != nil {
		return err
	}
	ends, err := e.ends(ctx, in, known, opt, false)
	if err != nil {
		return err
	}
	point.By, point.Steps = Exhaustive, ends.States
	if ends.States == ends.Depth+1 {
		point.By, point.Steps = Run, ends.Depth // each level has one state
	}
	// What was found counts, whatever bound was reached afterwards.
	switch stop := ends.Stop; {
	case len(ends.Findings) > 0:
		point.Illegal = noValue(ends.Findings[0].Why)
	case stop != nil && e.Criterion != Best && stop.How == simulate.Stuck:
		point.Illegal = stops("may stop before the end", stop.Steps, stop.State)
	case stop != nil && e.Criterion != Best && stop.How == simulate.Violated:
		point.Illegal = "some schedule " + e.violates(stop.Broken)
	case stop != nil && e.Criterion != Best:
		point.Illegal = stops("may run in a circle", stop.Steps, stop.State)
	case ends.Why != "" && known.Why != "":
		point.Bounded = ends.Why + ", and no schedule could be skipped: " + known.Why
	case ends.Why != "":
		point.Bounded = ends.Why
	case ends.Least == nil && stop != nil && stop.How == simulate.Violated:
		point.Illegal = e.violates(stop.Broken)
	case ends.Least == nil:
		point.Illegal = "the machine never ends"
	default:
		point.Ranges = e.ranges(ends.Least, ends.Greatest)
	}
	return nil
}

// noValue says that something lacks a value that a run needs.
func noValue(why string) string {
	return "a guard, an action, an objective or a constraint has no value: " + why
}

// violates says which constraint does not hold.
func (e *Entry) violates(k int) string {
	return fmt.Sprintf("violates the constraint %s", text.Readable(e.Bank, e.Constraints[k]))
}

// Goal is where runs of the entry end, and what is read there: the objectives such that
// less is better.
func (e *Entry) Goal() simulate.Goal {
	out := simulate.Goal{Final: e.Final, Constraints: e.Constraints}
	for _, objective := range e.Objectives {
		term := objective.Term
		if objective.Maximise {
			term = e.Bank.App(logic.Neg, term)
		}
		out.Objectives = append(out.Objectives, term)
	}
	return out
}

// ranges are those of the objectives, from the least and the greatest of what is read.
func (e *Entry) ranges(least, greatest []*big.Int) []Range {
	var out []Range
	for k, objective := range e.Objectives {
		low, high := least[k], greatest[k]
		if objective.Maximise {
			low, high = new(big.Int).Neg(high), new(big.Int).Neg(low)
		}
		out = append(out, Range{low, high})
	}
	return out
}

// ordered reports whether a point is no better than another whose first objective is less.
func (e *Entry) ordered() bool { return e.Order != Pareto || len(e.Objectives) == 1 }

func (e *Entry) ends(ctx context.Context, in *explore.Instance, known Schedules, opt Options, record bool) (*simulate.Ends, error) {
	goal := e.Goal()
	goal.Ends, goal.Record = known.Ends, record
	search := explore.Options{MaxStates: opt.MaxSteps, MaxMemory: opt.MaxMemory, Threads: e.Threads, Independence: known.Independence}
	return simulate.AllEnds(ctx, e.Machine, in, goal, search)
}
