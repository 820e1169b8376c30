package explore

import (
	"bytes"
	"context"
	"math/big"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/unwind"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Goal says when a run has ended, and what is read there.
type Goal struct {
	Final     logic.Term // predicate over the variables
	Objective string     // an integer variable
	// AtMost ends a run as soon as the objective exceeds it; nil: no bound. It
	// makes sense only for an objective that never decreases.
	AtMost *big.Int
	// Leave is asked once, when a run has become long, for the AtMost of the rest;
	// nil if it is not to be left.
	Leave  func() *big.Int
	Steps  int  // bound on the length of a run; 0: none
	Memory int  // bound on the room of the values of a run, in bytes; 0: none
	Record bool // keep the trace; of all schedules, one with the greatest objective
	// Ends says that this is proved: guards and actions have values in all states
	// that are reached; no run goes on for ever but by events without actions; and
	// where Final holds, no other event is enabled.
	Ends bool
}

// RunEnd says how a run along the only schedule ended.
type RunEnd string

// The ends of a run.
const (
	Final    RunEnd = "final"    // the final predicate holds
	Exceeded RunEnd = "exceeded" // the objective passed AtMost
	Stuck    RunEnd = "stuck"    // no event is enabled, or only such as change nothing
	Forked   RunEnd = "forked"   // several different successors: there is more than one schedule
	Cycle    RunEnd = "cycle"    // a state came again
	LongRun  RunEnd = "bounded"  // the bound on the length was reached
	NoValue  RunEnd = "undefined"
)

// Schedule is a run along the only schedule there is.
type Schedule struct {
	End   RunEnd
	Why   string // of an end that is undefined or bounded
	Value *big.Int
	Steps int
	State []Binding // at the end
	Trace *Trace    // if it was to be recorded
}

// Follow runs machine m at set-up in for as long as every state has exactly one
// successor, which is checked on the way.
func Follow(ctx context.Context, machine *model.Machine, in *Instance, g Goal) (s *Schedule, err error) {
	defer contain(machine.Name, &err)
	compiled, err := program.Compile(in.set, machine, false)
	if err != nil {
		return nil, err
	}
	final, err := compiled.Goal(g.Final)
	if err != nil {
		return nil, err
	}
	objective, err := compiled.Objective(g.Objective)
	if err != nil {
		return nil, err
	}
	w := &walk{p: compiled, f: compiled.Frame(ctx), final: final, objective: objective, goal: g, clean: compiled.Space.Now()}
	w.leaf = w.take
	end := LongRun
	if limit := unwind.Bounded(func() {
		if why := unwind.Try(func() { end = w.run(ctx) }); why != "" {
			end, w.end.Why = NoValue, why
		}
	}); limit != "" {
		w.end.Why = limit
	}
	stop := w.stop(end)
	// Values made on the way are given back at once, since nobody asks for the states.
	if !g.Record {
		compiled.Space.Release(w.clean)
	}
	return stop, nil
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
	p         *program.Program
	f         *formula.Frame
	final     program.Property
	objective int
	goal      Goal
	state     []byte // the present state
	next      []byte
	other     []byte
	n         int                       // different successors found, up to 2
	firing    int                       // number of the event that fires, counted from 1
	event     int                       // that of the event that led to next
	leaf      func(*formula.Frame) bool // take, as a value made once
	mark      []byte                    // an earlier state, to find cycles
	path      []passed                  // if it is recorded
	clean     value.Mark                // the values before the run
	swept     int                       // room that the last sweep left
	end       Schedule
}

func (w *walk) run(ctx context.Context) RunEnd {
	events := []*program.Event{w.p.Init}
	for power := 1; ; {
		switch n := w.successors(events); {
		case n == 0:
			return Stuck
		case n > 1:
			return Forked
		}
		if w.state != nil {
			w.end.Steps++
		}
		events = w.p.Events
		w.state, w.next = w.next, w.state
		if w.goal.Record {
			w.path = append(w.path, passed{bytes.Clone(w.state), w.event})
		}
		w.p.Unpack(w.f, w.state)
		switch final := w.final.Holds(w.f); {
		case final:
			return Final
		case w.end.Steps == long && w.goal.Leave != nil:
			w.goal.AtMost = w.goal.Leave()
		}
		switch {
		case w.goal.AtMost != nil && w.p.Space.ToBig(w.f.Slots[w.objective]).Cmp(w.goal.AtMost) > 0:
			return Exceeded
		case bytes.Equal(w.state, w.mark):
			return Cycle
		case w.goal.Steps > 0 && w.end.Steps >= w.goal.Steps:
			panic(unwind.Limit{What: "length of the run"})
		case w.end.Steps%4096 == 0 && ctx.Err() != nil:
			panic(unwind.Limit{What: unwind.Ended(ctx)})
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
			panic(unwind.Limit{What: "memory"})
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

// stop describes the end of the run.
func (w *walk) stop(end RunEnd) *Schedule {
	w.end.End = end
	if w.state != nil {
		w.p.Unpack(w.f, w.state)
		w.end.Value = new(big.Int).Set(w.p.Space.ToBig(w.f.Slots[w.objective]))
		w.end.State = valuesOf(w.p, w.state)
	}
	if w.goal.Record {
		w.end.Trace = passing(w.p, w.f.Context, w.path)
	}
	return &w.end
}
