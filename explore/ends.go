package explore

import (
	"bytes"
	"context"
	"math/big"
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/explore/internal/unwind"
	"github.com/gradine/gradine/lang/model"
)

// Ends is what all schedules of a machine end with.
type Ends struct {
	*Result
	Least, Greatest           []*big.Int // each objective over the final states; nil if there are none
	LeastTrace, GreatestTrace *Trace     // runs to final states with these of the first, if they were to be recorded
	Stop                      *Stop      // a run that does not get to a final state; nil if all do

	least, greatest, stuck, violated *end
	broken                           int       // the constraint that is violated there
	endless                          states.ID // a state that comes again
}

// Stop is where a run stops that does not get to a final state in which the constraints
// hold.
type Stop struct {
	How    RunEnd // Stuck; Violated; or Cycle: the state can come again for ever
	Broken int    // the constraint that is violated
	Steps  int
	State  []Binding
	Trace  *Trace // if it was to be recorded
}

// AllEnds explores all schedules of m up to their final states. If g.Ends, it
// leaves out of the machine what has no influence on that (see view), and follows
// of events that commute one order only, as far as opt.Independence says that
// they do: that keeps all states in which nothing is enabled, which are the ends
// of all schedules. If not, it looks for schedules that never end.
func AllEnds(ctx context.Context, machine *model.Machine, in *Instance, g Goal, opt Options) (all *Ends, err error) {
	defer contain(machine.Name, &err)
	clean := in.set.Space.Now()
	e, err := endsInView(ctx, machine, in, g, opt)
	if err == nil && !g.Record {
		for i := range e.Findings {
			e.Findings[i].Trace = nil // it would hold values
		}
		in.set.Space.Release(clean)
	}
	return e, err
}

func endsInView(ctx context.Context, machine *model.Machine, in *Instance, g Goal, opt Options) (*Ends, error) {
	opt.NoInvariants, opt.NoDeadlock, opt.Symmetry = true, true, true
	if !g.Ends {
		opt.Independence = nil // a reduced search may miss a cycle
		return allEnds(ctx, machine, in, g, opt)
	}
	opt.view = program.ConeOf(in.set.Bank, machine, g.terms())
	short := opt
	if short.MaxStates == 0 || short.MaxStates > fewStates {
		short.MaxStates = fewStates
	}
	e, err := allEnds(ctx, machine, in, g, short)
	if err != nil || e.Why == "" || short.MaxStates == opt.MaxStates {
		return e, err
	}
	return forgetfulEnds(ctx, machine, in, g, opt)
}

// forgetfulEnds is AllEnds in a view that forgets what is not missed.
func forgetfulEnds(ctx context.Context, m *model.Machine, in *Instance, g Goal, opt Options) (*Ends, error) {
	all := opt.view
	opt.view = forgetful(ctx, m, in, g, opt)
	e, err := allEnds(ctx, m, in, g, opt)
	if err != nil || len(e.Findings) == 0 || opt.view == all {
		return e, err
	}
	opt.view = all // some value is missed
	return allEnds(ctx, m, in, g, opt)
}

// A search of few states is not worth the trouble to forget values; trialStates
// is how many states decide whether one can.
const (
	fewStates   = 1 << 10
	trialStates = 500
)

// forgetful returns the view of opt without the values that are not missed in a
// short search.
func forgetful(ctx context.Context, machine *model.Machine, in *Instance, g Goal, opt Options) *program.Cone {
	w := opt.view
	opt.MaxStates, opt.Order = trialStates, DepthFirst
	for _, x := range w.Forgettable(in.set.Bank, machine, g.terms()) {
		trial := *w
		trial.Forget = append(slices.Clone(w.Forget), x)
		opt.view = &trial
		if e, _, err := endsOf(ctx, machine, in, g, opt); err == nil && len(e.Findings) == 0 {
			w = &trial
		}
	}
	return w
}

func allEnds(ctx context.Context, machine *model.Machine, in *Instance, g Goal, opt Options) (*Ends, error) {
	e, s, err := endsOf(ctx, machine, in, g, opt)
	if err != nil {
		return nil, err
	}
	if g.Record {
		if e.LeastTrace, err = s.runTo(e.least); err != nil {
			return nil, err
		}
		if e.GreatestTrace, err = s.runTo(e.greatest); err != nil {
			return nil, err
		}
	}
	switch {
	case e.stuck != nil:
		e.Stop, err = s.stop(Stuck, e.stuck.state, g.Record)
	case e.violated != nil:
		if e.Stop, err = s.stop(Violated, e.violated.state, g.Record); err == nil {
			e.Stop.Broken = e.broken
		}
	case e.endless != states.None:
		e.Stop, err = s.stop(Cycle, e.endless, g.Record)
	}
	return e, err
}

// stop describes a run that stops in a state.
func (s *search) stop(how RunEnd, state states.ID, record bool) (*Stop, error) {
	trace, err := s.runTo(&end{state: state})
	if err != nil {
		return nil, err
	}
	last := len(trace.Steps) - 1
	out := &Stop{How: how, Steps: last, State: trace.Steps[last].State}
	if record {
		out.Trace = trace
	}
	return out, nil
}

// endsOf is allEnds without traces.
func endsOf(ctx context.Context, machine *model.Machine, in *Instance, g Goal, opt Options) (*Ends, *search, error) {
	s, err := newSearch(ctx, machine, in, opt)
	if err != nil {
		return nil, nil, err
	}
	aim, err := aimOf(s.p, g)
	if err != nil {
		return nil, nil, err
	}
	s.final = &aim.final
	// Unless every run is known to end, the graph of steps is kept, to look for a cycle in it.
	if !g.Ends {
		s.steps = &stepGraph{}
	}
	if err := s.reduce(machine, in, g.terms()...); err != nil {
		return nil, nil, err
	}
	e := &Ends{Result: s.run(ctx), endless: states.None}
	s.bound(unwind.Bounded(func() { s.judgeEnds(e, aim) }))
	if !g.Ends && e.Why == "" {
		e.endless = s.cycle()
	}
	return e, s, nil
}

// judgeEnds reads constraints and objectives at the ends.
func (s *search) judgeEnds(e *Ends, aim *aim) {
	frame := s.p.Frame(s.ctx)
	for i := range s.ends {
		x := &s.ends[i]
		if !x.final {
			// One is enough to show.
			if e.stuck == nil {
				e.stuck = x
			}
			continue
		}
		s.p.Unpack(frame, s.st.At(x.state))
		broken, values := -1, []*big.Int(nil)
		if why := unwind.Try(func() { broken, values = aim.read(s.p, frame) }); why != "" {
			e.Findings = append(e.Findings, Finding{Kind: NoValueOf, Label: "objective", Why: why, Trace: s.trace(s.parents(x.state))})
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
func (e *Ends) widen(values []*big.Int, x *end) {
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

// runTo returns the run to an end, nil if there is none.
func (s *search) runTo(x *end) (*Trace, error) {
	if x == nil {
		return nil, nil
	}
	t := s.trace(s.parents(x.state))
	if s.p.Cone == nil {
		return t, nil
	}
	return t.whole(s.ctx)
}

// ended records the state of f if runs end there. What has no value is left to
// the expansion of the state.
func (s *search) ended(f *formula.Frame, o *out, id states.ID) bool {
	final, why := f.Try(s.final.Holds)
	if why != "" {
		o.found = append(o.found, found{NoValueOf, "final", why, id})
		return false
	}
	if !final {
		state := s.load(id, nil)
		var after []byte
		for _, event := range s.p.Events {
			stays, _ := f.Visit(event.Fire, func(f *formula.Frame) bool {
				after = s.p.Pack(after[:0], f)
				return bytes.Equal(after, state)
			})
			if !stays {
				return false
			}
		}
	}
	o.ends = append(o.ends, end{id, final})
	return true
}

// whole returns the run of the machine that a run of a view of it shows.
func (t *Trace) whole(ctx context.Context) (*Trace, error) {
	part := t.program
	compiled, err := program.Compile(part.Setting, part.Machine, false)
	if err != nil {
		return nil, err
	}
	forgotten := func(variable program.Variable) bool {
		return slices.ContainsFunc(part.Cone.Forget, func(x program.Forgotten) bool { return x.Function == variable.Term })
	}
	f := part.Frame(ctx)
	out := &Trace{Machine: t.Machine, program: compiled}
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
		step, after := stepOf(compiled, ctx, event, before, func(g *formula.Frame) bool {
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
		out.Steps = append(out.Steps, step)
		out.states = append(out.states, after)
		before = after
	}
	return out, nil
}
