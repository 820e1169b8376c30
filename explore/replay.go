package explore

import (
	"context"
	"fmt"
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/trace"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
)

// Replayed is how far a trace could be followed.
type Replayed struct {
	Trace   *Trace // the longest run that follows it
	Steps   int    // states of the trace that were met
	Of      int    // states of the trace
	Bounded bool   // the limit on states was reached first

	Unchecked []string  // invariants that cannot be evaluated, with the reason
	Violated  []Finding // invariants that fail in states of Trace, each with the run to the first of them
}

// Replay follows a trace, written by Trace.ITF, on machine m: the machine it was
// made on, or one that refines it, directly or not. There, events that refine the
// recorded ones take their steps, and new events may come between; what the
// states have in common agrees. The invariants are checked in the states of the run.
func Replay(ctx context.Context, m *model.Machine, in *Instance, data []byte, maxStates int) (done *Replayed, err error) {
	defer abort.Contain(m.Name, &err)
	machine, states, err := trace.ReadITF(data)
	if err != nil {
		return nil, err
	}
	levels := 0
	for a := m; machine != "" && a.Name != machine; a = a.Refines {
		if levels++; a.Refines == nil {
			return nil, fmt.Errorf("the trace is of machine %s, which %s does not refine", machine, m.Name)
		}
	}
	compiled, err := program.Compile(in.Set, m, false)
	if err != nil {
		return nil, err
	}
	r := &replay{p: compiled, levels: levels, seen: map[string]bool{}}
	for i, s := range states {
		// Variables that vanished on the way are not looked for, new ones may have any value.
		want := map[int]value.Value{}
		for j, variable := range compiled.Variables {
			if x, ok := s.Values[variable.Name]; ok {
				if want[j], err = compiled.Space.Read(variable.Shape, x); err != nil {
					return nil, fmt.Errorf("state %d of the trace, %s: %w", i, variable.Name, err)
				}
			}
		}
		r.want = append(r.want, want)
		r.record = append(r.record, s)
	}
	return r.run(ctx, maxStates)
}

type replay struct {
	p      *program.Program
	levels int // refinement steps between the trace and the machine
	record []trace.Recorded
	want   []map[int]value.Value // values by number of the variable
	seen   map[string]bool
	nodes  []node
}

// node is a state of the machine and the number of states of the trace met.
type node struct {
	state         []byte
	met           int
	parent, event int
}

// run searches for a run that follows the trace, and keeps the one that follows it furthest.
func (r *replay) run(ctx context.Context, maxStates int) (*Replayed, error) {
	frame := r.p.Frame(ctx)
	out := &Replayed{Of: len(r.record), Unchecked: r.p.Unchecked}
	r.try(frame, r.p.Init, 0, node{parent: -1})
	best := -1
	for i := 0; i < len(r.nodes); i++ {
		n := r.nodes[i]
		if best < 0 || n.met > r.nodes[best].met {
			best = i
		}
		if n.met == len(r.record) {
			break
		}
		if maxStates > 0 && len(r.nodes) > maxStates || ctx.Err() != nil {
			out.Bounded = true
			break
		}
		for k, event := range r.p.Events {
			r.p.Unpack(frame, n.state)
			r.try(frame, event, k+1, node{met: n.met, parent: i})
		}
	}
	// If no run agrees to the end, the one that gets furthest shows where they part.
	var path []trace.Visited
	for i := best; i >= 0; i = r.nodes[i].parent {
		path = append(path, trace.Visited{State: r.nodes[i].state, Event: r.nodes[i].event})
		out.Steps = max(out.Steps, r.nodes[i].met)
	}
	slices.Reverse(path)
	out.Trace = trace.Of(r.p, ctx, path)
	out.Violated = r.violated(ctx, path)
	return out, nil
}

// violated checks the invariants in the states of a run.
func (r *replay) violated(ctx context.Context, path []trace.Visited) []Finding {
	frame := r.p.Frame(ctx)
	var out []Finding
	for i := range r.p.Invariants {
		k := &r.p.Invariants[i]
		for n, at := range path {
			r.p.Unpack(frame, at.State)
			holds, why := frame.Try(k.Holds)
			if holds && why == "" {
				continue
			}
			kind := InvariantFails
			if why != "" {
				kind = NoValueOf
			}
			out = append(out, Finding{kind, k.Label, why, trace.Of(r.p, ctx, path[:n+1])})
			break
		}
	}
	return out
}

// try adds the steps of e from n that follow the trace.
func (r *replay) try(f *formula.Frame, e *program.Event, number int, n node) {
	names := []string{e.Model.Label}
	if !e.Model.IsInit() {
		names = nil
		for _, a := range e.Model.Ancestors(r.levels) {
			names = append(names, a.Label)
		}
	}
	f.Visit(e.Fire, func(f *formula.Frame) bool {
		next := n
		next.event = number
		switch {
		case len(names) > 0 && n.met < len(r.record) && r.agrees(f, e, names, n.met):
			next.met++
		case len(names) == 0 && n.met > 0 && r.same(f, n.met-1):
		default:
			return true
		}
		next.state = r.p.Pack(nil, f)
		// Two ways to one state with as much of the trace done need not both be followed.
		if key := fmt.Sprint(next.met, ":", string(next.state)); !r.seen[key] {
			r.seen[key] = true
			r.nodes = append(r.nodes, next)
		}
		return true
	})
}

// agrees reports whether e, with its parameters and after-values in f, is state i
// of the trace.
func (r *replay) agrees(frame *formula.Frame, event *program.Event, names []string, i int) bool {
	rec := r.record[i]
	named := false
	for _, n := range names {
		named = named || n == rec.Event
	}
	if !named {
		return false
	}
	for _, x := range event.Params {
		if data, ok := rec.Params[x.Name]; ok {
			if v, err := r.p.Space.Read(x.Shape, data); err != nil || v != frame.Slots[x.Slot] {
				return false
			}
		}
	}
	return r.same(frame, i)
}

// same reports whether the after-values in f agree with state i of the trace.
func (r *replay) same(f *formula.Frame, i int) bool {
	for j, v := range r.want[i] {
		if f.Slots[r.p.Variables[j].Primed] != v {
			return false
		}
	}
	return true
}
