package simulate

import (
	"context"
	"math/big"
	"slices"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/lang/model"
)

// Ends is what all schedules of a machine end with.
type Ends struct {
	*explore.Result
	Least, Greatest           []*big.Int     // each objective over the final states; nil if there are none
	LeastTrace, GreatestTrace *explore.Trace // runs to final states with these of the first, if they were to be recorded
	Stop                      *Stop          // a run that does not get to a final state; nil if all do

	least, greatest, stuck, violated, endless *explore.End // endless: a state that comes again
	broken                                    int          // the constraint that is violated there
}

// Stop is where a run stops that does not get to a final state in which the constraints
// hold.
type Stop struct {
	How    RunEnd // Stuck; Violated; or Cycle: the state can come again for ever
	Broken int    // the constraint that is violated
	Steps  int
	State  []explore.Binding
	Trace  *explore.Trace // if it was to be recorded
}

// AllEnds explores all schedules of m up to their final states. If g.Ends, it
// leaves out of the machine what has no influence on that (see view), and follows
// of events that commute one order only, as far as opt.Independence says that
// they do: that keeps all states in which nothing is enabled, which are the ends
// of all schedules. If not, it looks for schedules that never end.
func AllEnds(ctx context.Context, machine *model.Machine, in *explore.Instance, g Goal, opt explore.Options) (all *Ends, err error) {
	defer abort.Contain(machine.Name, &err)
	clean := in.Set.Space.Now()
	e, err := endsInView(ctx, machine, in, g, opt)
	if err == nil && !g.Record {
		for i := range e.Findings {
			e.Findings[i].Trace = nil // it would hold values
		}
		in.Set.Space.Release(clean)
	}
	return e, err
}

// endsInView is AllEnds of a machine without the variables that the ends do not depend on.
func endsInView(ctx context.Context, machine *model.Machine, in *explore.Instance, g Goal, opt explore.Options) (*Ends, error) {
	opt.NoInvariants, opt.NoDeadlock, opt.Symmetry = true, true, true
	if !g.Ends {
		opt.Independence = nil // a reduced search may miss a cycle
		return allEnds(ctx, machine, in, nil, g, opt)
	}
	cone := program.ConeOf(in.Set.Bank, machine, g.terms())
	short := opt
	if short.MaxStates == 0 || short.MaxStates > fewStates {
		short.MaxStates = fewStates
	}
	e, err := allEnds(ctx, machine, in, cone, g, short)
	if err != nil || e.Why == "" || short.MaxStates == opt.MaxStates {
		return e, err
	}
	return finalStatesProjected(ctx, machine, in, cone, g, opt)
}

// finalStatesProjected runs AllEnds on projected states, and again on full states if a value is missing.
func finalStatesProjected(ctx context.Context, m *model.Machine, in *explore.Instance, all *program.Cone, g Goal, opt explore.Options) (*Ends, error) {
	cone := forgetful(ctx, m, in, all, g, opt)
	e, err := allEnds(ctx, m, in, cone, g, opt)
	if err != nil || len(e.Findings) == 0 || cone == all {
		return e, err
	}
	return allEnds(ctx, m, in, all, g, opt) // some value is missed
}

// A search of few states is not worth the trouble to forget values; trialStates
// is how many states decide whether one can.
const (
	fewStates   = 1 << 10
	trialStates = 500
)

// forgetful returns the view without the values that are not missed in a short search.
func forgetful(ctx context.Context, machine *model.Machine, in *explore.Instance, cone *program.Cone, g Goal, opt explore.Options) *program.Cone {
	opt.MaxStates, opt.Order = trialStates, explore.DepthFirst
	for _, x := range cone.Forgettable(in.Set.Bank, machine, g.terms()) {
		trial := *cone
		trial.Forget = append(slices.Clone(cone.Forget), x)
		if e, _, err := endsOf(ctx, machine, in, &trial, g, opt); err == nil && len(e.Findings) == 0 {
			cone = &trial
		}
	}
	return cone
}

// allEnds explores all runs to their ends, with a trace of each kind of end that is asked for.
func allEnds(ctx context.Context, machine *model.Machine, in *explore.Instance, cone *program.Cone, g Goal, opt explore.Options) (*Ends, error) {
	e, s, err := endsOf(ctx, machine, in, cone, g, opt)
	if err != nil {
		return nil, err
	}
	if g.Record {
		if e.LeastTrace, err = runTo(ctx, s, e.least); err != nil {
			return nil, err
		}
		if e.GreatestTrace, err = runTo(ctx, s, e.greatest); err != nil {
			return nil, err
		}
	}
	// A run that is stuck comes before one that violates an invariant, and both before an endless one.
	how, at := Cycle, e.endless
	switch {
	case e.stuck != nil:
		how, at = Stuck, e.stuck
	case e.violated != nil:
		how, at = Violated, e.violated
	case at == nil:
		return e, nil
	}
	t, err := runTo(ctx, s, at)
	if err != nil {
		return nil, err
	}
	last := len(t.Steps) - 1
	e.Stop = &Stop{How: how, Broken: e.broken, Steps: last, State: t.Steps[last].State}
	if g.Record {
		e.Stop.Trace = t
	}
	return e, nil
}

// endsOf is allEnds without traces.
func endsOf(ctx context.Context, machine *model.Machine, in *explore.Instance, cone *program.Cone, g Goal, opt explore.Options) (*Ends, *explore.EndSearch, error) {
	s, err := explore.SearchEnds(ctx, machine, in, cone, opt)
	if err != nil {
		return nil, nil, err
	}
	aim, err := aimOf(s.Program(), g)
	if err != nil {
		return nil, nil, err
	}
	result, err := s.Run(&aim.final, g.terms(), g.Ends)
	if err != nil {
		return nil, nil, err
	}
	e := &Ends{Result: result}
	s.Bound(abort.Bounded(func() { e.judge(ctx, s, aim) }))
	if !g.Ends && e.Why == "" {
		if at, found := s.Cycle(); found {
			e.endless = &at
		}
	}
	return e, s, nil
}

// judge reads constraints and objectives at the ends.
func (e *Ends) judge(ctx context.Context, s *explore.EndSearch, aim *aim) {
	frame := s.Program().Frame(ctx)
	ends := s.Ends()
	for i := range ends {
		x := &ends[i]
		if !x.Final {
			// One is enough to show.
			if e.stuck == nil {
				e.stuck = x
			}
			continue
		}
		s.Load(frame, *x)
		broken, values := -1, []*big.Int(nil)
		if why := abort.Try(func() { broken, values = aim.read(s.Program(), frame) }); why != "" {
			e.Findings = append(e.Findings, explore.Finding{Kind: explore.NoValueOf, Label: "objective", Why: why, Trace: s.Trace(*x)})
			return
		}
		switch {
		case broken >= 0 && e.violated == nil:
			e.violated, e.broken = x, broken
		case broken < 0:
			e.widen(values, x)
		}
	}
}

// widen takes the values at an end into the ranges.
func (e *Ends) widen(values []*big.Int, x *explore.End) {
	if e.Least == nil {
		e.Least, e.Greatest = slices.Clone(values), slices.Clone(values)
		e.least, e.greatest = x, x
	}
	for k, v := range values {
		if v.Cmp(e.Least[k]) < 0 {
			if e.Least[k] = v; k == 0 {
				e.least = x
			}
		}
		if v.Cmp(e.Greatest[k]) > 0 {
			if e.Greatest[k] = v; k == 0 {
				e.greatest = x
			}
		}
	}
}

// runTo returns the run of the whole machine to an end, nil if there is none.
func runTo(ctx context.Context, s *explore.EndSearch, x *explore.End) (*explore.Trace, error) {
	if x == nil {
		return nil, nil
	}
	t := s.Trace(*x)
	if s.Program().Cone == nil {
		return t, nil
	}
	return t.Whole(ctx)
}
