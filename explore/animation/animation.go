// Package animation implements interactive runs: the enabled steps of a state, violated invariants,
// and values of expressions.
package animation

import (
	"context"
	"errors"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/picture"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/trace"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Session is a run of a machine that somebody leads, one step after the other.
type Session struct {
	ctx      context.Context
	compiled *program.Program
	path     []trace.Visited
}

// Move is a step that is possible.
type Move struct {
	explore.Step
	to trace.Visited
}

// Begin begins a run of m, before its initialisation.
func Begin(ctx context.Context, m *model.Machine, in *explore.Instance) (a *Session, err error) {
	defer abort.Contain(m.Name, &err)
	compiled, err := program.CompileInto(in.Set, m, &program.Program{Theorems: true})
	if err != nil {
		return nil, err
	}
	return &Session{ctx: ctx, compiled: compiled}, nil
}

// Length is the number of steps that were taken.
func (a *Session) Length() int { return len(a.path) }

// Trace is the run so far.
func (a *Session) Trace() *explore.Trace { return trace.Of(a.compiled, a.ctx, a.path) }

// State returns the values of the variables, nil before the initialisation.
func (a *Session) State() []explore.Binding { return picture.Values(a.compiled, a.state()) }

func (a *Session) state() []byte {
	if len(a.path) == 0 {
		return nil
	}
	return a.path[len(a.path)-1].State
}

// Moves lists what can happen next, in the order of the events, at most so many steps. why
// names what ends the list before it is whole: the number, a limit, or a guard or an action
// without a value.
func (a *Session) Moves(most int) (moves []Move, why []string, err error) {
	defer abort.Contain(a.compiled.Machine.Name, &err)
	before, first, last := a.state(), 0, 0
	if before != nil {
		first, last = 1, len(a.compiled.Events)
	}
	old := picture.Values(a.compiled, before)
	for number := first; number <= last; number++ {
		event := a.compiled.EventOf(number)
		label := event.Model.Label
		frame := a.compiled.Frame(a.ctx)
		if before != nil {
			a.compiled.Unpack(frame, before)
		}
		// Packed, a step is known again: one that leads nowhere else under the same
		// parameters is listed once.
		seen := map[string]bool{}
		undefined, others := "", len(moves)
		limit := abort.Bounded(func() {
			_, undefined = frame.Visit(event.Fire, func(frame *formula.Frame) bool {
				if len(moves) == most {
					why = append(why, "not all steps are listed")
					return false
				}
				step, after := trace.Describe(a.compiled, event, frame, old)
				key := string(after)
				for _, x := range step.Params {
					key += "\x00" + x.Value
				}
				if !seen[key] {
					seen[key] = true
					moves = append(moves, Move{step, trace.Visited{State: after, Event: number}})
				}
				return true
			})
		})
		switch {
		case a.ctx.Err() != nil:
			return nil, nil, a.ctx.Err()
		case limit != "":
			why = append(why, label+": "+limit+" ended the search for steps")
		case undefined != "":
			// As in a search, an event without a value does not happen.
			moves, why = moves[:others], append(why, label+": "+undefined)
		case len(moves) == most && len(why) > 0:
			return moves, why, nil
		}
	}
	return moves, why, nil
}

// Take takes a step that is possible now.
func (a *Session) Take(m Move) { a.path = append(a.path, m.to) }

// Back takes the last n steps back, as far as there are any.
func (a *Session) Back(n int) { a.path = a.path[:max(0, len(a.path)-n)] }

// Broken names the invariants that the state violates, or in which they have no value.
func (a *Session) Broken() (labels []string, err error) {
	defer abort.Contain(a.compiled.Machine.Name, &err)
	if a.state() == nil {
		return nil, nil
	}
	for _, invariant := range a.compiled.Invariants {
		holds, why, err := a.holds(invariant.Holds)
		switch {
		case err != nil:
			return nil, err
		case why != "":
			labels = append(labels, invariant.Label+" has no value: "+why)
		case !holds:
			labels = append(labels, invariant.Label)
		}
	}
	return labels, nil
}

func (a *Session) holds(p formula.Pred) (holds bool, why string, err error) {
	frame := a.compiled.Frame(a.ctx)
	if state := a.state(); state != nil {
		a.compiled.Unpack(frame, state)
	}
	if limit := abort.Bounded(func() { holds, why = frame.Try(p) }); limit != "" {
		return false, "", errors.New(limit + " ended the evaluation")
	}
	return holds, why, a.ctx.Err()
}

// errForeign refuses a term of a bank that the instance was not solved in: the same number is another formula there.
var errForeign = errors.New("the formula was not parsed for this instance of the machine")

// Value evaluates an expression, or a predicate, in the state: there must be one where
// variables occur. The term is of a bank, which must be that of the instance; another is an error.
func (a *Session) Value(bank *logic.Bank, t logic.Term) (printed string, err error) {
	defer abort.Contain(a.compiled.Machine.Name, &err)
	if bank != a.compiled.Setting.Bank {
		return "", errForeign
	}
	if bank.Op(t).IsPredicate() {
		property, err := a.compiled.Goal(t)
		if err != nil {
			return "", err
		}
		holds, why, err := a.holds(property.Holds)
		switch {
		case err != nil:
			return "", err
		case why != "":
			return "", errors.New("no value: " + why)
		case holds:
			return "true", nil
		}
		return "false", nil
	}
	expr, err := a.compiled.Value(t)
	if err != nil {
		return "", err
	}
	frame := a.compiled.Frame(a.ctx)
	// Before the initialisation there is no state: then only constants have values.
	if state := a.state(); state != nil {
		a.compiled.Unpack(frame, state)
	}
	limit := abort.Bounded(func() {
		value, why := frame.Value(expr)
		if why != "" {
			err = errors.New("no value: " + why)
			return
		}
		printed = a.compiled.Space.String(a.compiled.Space.Shape(bank.Type(t)), value)
	})
	if limit != "" {
		return "", errors.New(limit + " ended the evaluation")
	}
	return printed, err
}
