package simulate

import (
	"bytes"
	"context"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/picture"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/trace"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Goal says when a run has ended, and what is read there.
type Goal struct {
	Final       logic.Term   // predicate over the variables
	Objectives  []logic.Term // integer expressions
	Constraints []logic.Term // predicates that are to hold where Final does
	// AtMost ends a run as soon as the first objective exceeds it; nil: no bound. It
	// makes sense only for an objective that never decreases.
	AtMost *big.Int
	// Leave is asked once, when a run has become long, for the AtMost of the rest;
	// nil if it is not to be left.
	Leave  func() *big.Int
	Steps  int // bound on the length of a run; 0: none
	Memory int // bound on the room of the values of a run, in bytes; 0: none
	// Random chooses where there are several successors; nil: such a run is forked.
	Random *rand.Rand
	Record bool // keep the trace; of all schedules, one with the greatest first objective
	// Ends says that this is proved: guards and actions have values in all states
	// that are reached; no run goes on for ever but by events without actions; and
	// where Final holds, no other event is enabled.
	Ends bool
}

// RunEnd says how a run along the only schedule ended.
type RunEnd string

// The ends of a run.
const (
	Final    RunEnd = "final"    // the final predicate holds, and the constraints do
	Violated RunEnd = "violated" // the final predicate holds, but not all constraints
	Exceeded RunEnd = "exceeded" // the objective passed AtMost
	Stuck    RunEnd = "stuck"    // no event is enabled, or only such as change nothing
	Forked   RunEnd = "forked"   // several different successors: there is more than one schedule
	Cycle    RunEnd = "cycle"    // a state came again
	LongRun  RunEnd = "bounded"  // the bound on the length was reached
	NoValue  RunEnd = "undefined"
)

// Schedule is a run along the only schedule there is.
type Schedule struct {
	End    RunEnd
	Why    string     // of an end that is undefined or bounded
	Broken int        // the constraint that is violated
	Values []*big.Int // of the objectives, where the final predicate and the constraints hold
	Steps  int
	State  []explore.Binding // at the end
	Trace  *explore.Trace    // if it was to be recorded
}

// Follow runs machine m at set-up in for as long as every state has exactly one
// successor, which is checked on the way.
func Follow(ctx context.Context, machine *model.Machine, in *explore.Instance, g Goal) (s *Schedule, err error) {
	defer abort.Contain(machine.Name, &err)
	compiled, err := program.Compile(in.Set, machine, false)
	if err != nil {
		return nil, err
	}
	aim, err := aimOf(compiled, g)
	if err != nil {
		return nil, err
	}
	w := &walk{p: compiled, f: compiled.Frame(ctx), aim: aim, goal: g, clean: compiled.Space.Now()}
	w.leaf = w.take
	end := LongRun
	if limit := abort.Bounded(func() {
		if why := abort.Try(func() { end = w.run(ctx) }); why != "" {
			end, w.end.Why = NoValue, why
		}
	}); limit != "" {
		w.end.Why = limit
	}
	stop := w.stop(end)
	// Values made on the way are given back at once, since the states are not asked for.
	if !g.Record {
		compiled.Space.Release(w.clean)
	}
	return stop, nil
}

// aim is a goal, compiled.
type aim struct {
	final       program.Property
	constraints []program.Property
	objectives  []formula.Expr
}

// aimOf compiles what a goal wants to know of ends.
func aimOf(compiled *program.Program, g Goal) (*aim, error) {
	out := &aim{}
	var err error
	if out.final, err = compiled.Goal(g.Final); err != nil {
		return nil, err
	}
	for _, term := range g.Constraints {
		constraint, err := compiled.Goal(term)
		if err != nil {
			return nil, err
		}
		out.constraints = append(out.constraints, constraint)
	}
	for _, term := range g.Objectives {
		objective, err := compiled.Value(term)
		if err != nil {
			return nil, err
		}
		out.objectives = append(out.objectives, objective)
	}
	return out, nil
}

// read returns the first constraint that does not hold; or −1 and the objectives.
func (a *aim) read(compiled *program.Program, frame *formula.Frame) (broken int, values []*big.Int) {
	for i, constraint := range a.constraints {
		if !constraint.Holds(frame) {
			return i, nil
		}
	}
	for _, objective := range a.objectives {
		values = append(values, new(big.Int).Set(compiled.Space.ToBig(objective(frame))))
	}
	return -1, values
}

// terms are all that a goal says of a state.
func (g Goal) terms() []logic.Term {
	return slices.Concat([]logic.Term{g.Final}, g.Constraints, g.Objectives)
}

// long is the length from which on it is worth the trouble to find out whether a
// run can be left.
const long = 1 << 18

// litter is the room of interned values, in bytes, from which on a run sweeps.
const litter = 16 << 20

// sweep forgets the interned values that neither the present state nor the one
// that is held against it needs.
func (w *walk) sweep(ctx context.Context) {
	states := [][]byte{w.state}
	if w.mark != nil {
		states = append(states, w.mark)
	}
	var kept [][]value.Loose
	for _, data := range states {
		kept = append(kept, w.p.LiftState(data))
	}
	w.p.Space.Release(w.clean)
	w.state = w.p.LowerState(kept[0])
	if w.mark != nil {
		w.mark = w.p.LowerState(kept[1])
	}
	w.f = w.p.Frame(ctx) // what an old frame remembers of values is void
	w.p.Unpack(w.f, w.state)
	w.swept = w.p.Space.Room
}

type walk struct {
	p      *program.Program
	f      *formula.Frame
	aim    *aim
	goal   Goal
	state  []byte // the present state
	next   []byte
	other  []byte
	n      int                       // different successors found, up to 2
	firing int                       // number of the event that fires, counted from 1
	event  int                       // that of the event that led to next
	leaf   func(*formula.Frame) bool // take, as a value made once
	mark   []byte                    // an earlier state, to find cycles
	path   []trace.Visited           // if it is recorded
	clean  value.Mark                // the values before the run
	swept  int                       // room that the last sweep left
	end    Schedule
}

// run takes the only step of each state, and says how the run ended.
func (w *walk) run(ctx context.Context) RunEnd {
	events := []*program.Event{w.p.Init}
	for power := 1; ; {
		switch n := w.successors(events); {
		case n == 0:
			return Stuck
		case n > 1 && w.goal.Random == nil:
			return Forked
		}
		if w.state != nil {
			w.end.Steps++
		}
		events = w.p.Events
		w.state, w.next = w.next, w.state
		if w.goal.Record {
			w.path = append(w.path, trace.Visited{State: bytes.Clone(w.state), Event: w.event})
		}
		w.p.Unpack(w.f, w.state)
		switch final := w.aim.final.Holds(w.f); {
		case final:
			return w.finish()
		case w.end.Steps == long && w.goal.Leave != nil:
			w.goal.AtMost = w.goal.Leave()
		}
		switch {
		case w.goal.AtMost != nil && w.p.Space.ToBig(w.aim.objectives[0](w.f)).Cmp(w.goal.AtMost) > 0:
			return Exceeded
		case bytes.Equal(w.state, w.mark) && w.goal.Random == nil:
			return Cycle
		case w.goal.Steps > 0 && w.end.Steps >= w.goal.Steps:
			panic(abort.Limit{What: "length of the run"})
		case w.end.Steps%4096 == 0 && ctx.Err() != nil:
			panic(abort.Limit{What: abort.Ended(ctx)})
		}
		if w.end.Steps == power {
			power *= 2
			w.mark = append(w.mark[:0], w.state...)
		}
		// Twice what was left, so that a state that is large itself is not lifted at
		// every step.
		if w.p.Space.Room > 2*max(w.swept, w.clean.Room)+litter && !w.goal.Record {
			w.sweep(ctx)
		}
		if w.goal.Memory > 0 && w.p.Space.Room > w.goal.Memory {
			panic(abort.Limit{What: "memory"})
		}
	}
}

// successors puts a successor other than the present state into next, and counts
// the different ones, up to 2.
func (w *walk) successors(events []*program.Event) int {
	w.n = 0
	w.next = w.next[:0]
	for i, event := range events {
		w.firing = i + 1
		if event.Model.IsInit() {
			w.firing = 0
		}
		event.Fire(w.f, w.leaf)
	}
	return w.n
}

// take takes note of one successor.
func (w *walk) take(frame *formula.Frame) bool {
	if w.goal.Random != nil {
		w.draw(frame)
		return true
	}
	if w.n == 0 {
		w.next = w.p.Pack(w.next[:0], frame)
		if !bytes.Equal(w.next, w.state) {
			w.n, w.event = 1, w.firing
		}
		return true
	}
	w.other = w.p.Pack(w.other[:0], frame)
	if !bytes.Equal(w.other, w.next) && !bytes.Equal(w.other, w.state) {
		w.n = 2
	}
	return w.n < 2
}

// draw takes the n-th successor for the one to follow with probability 1 ÷ n, so that in
// the end each had the same.
func (w *walk) draw(frame *formula.Frame) {
	w.other = w.p.Pack(w.other[:0], frame)
	if bytes.Equal(w.other, w.state) {
		return
	}
	if w.n++; w.goal.Random.IntN(w.n) == 0 {
		w.next, w.other, w.event = w.other, w.next, w.firing
	}
}

// finish reads constraints and objectives where the final predicate holds.
func (w *walk) finish() RunEnd {
	if w.end.Broken, w.end.Values = w.aim.read(w.p, w.f); w.end.Broken >= 0 {
		return Violated
	}
	return Final
}

// stop describes the end of the run.
func (w *walk) stop(end RunEnd) *Schedule {
	w.end.End = end
	if w.state != nil {
		w.end.State = picture.Values(w.p, w.state)
	}
	if w.goal.Record {
		w.end.Trace = trace.Of(w.p, w.f.Context, w.path)
	}
	return &w.end
}
