package explain

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// reachStates bounds the search for one state, and choiceBits the choices of one
// event: no clock ends the search, so that it says the same on every machine.
const (
	reachStates = 5_000
	choiceBits  = 24
)

// FindReach looks for the state before the event of refuted obligation r in the
// states that the machine can get into. It is nil where there is no such state. A fault costs
// this answer, and not the verdict.
func FindReach(ctx context.Context, dev *model.Development, result verdict.Result) (found *verdict.Reach) {
	fault := seam.Contain(ctx, seam.Reachability, "", func(ctx context.Context) { found = findReach(ctx, dev, result) })
	if fault != nil {
		return &verdict.Reach{Verdict: verdict.Untried, Why: "internal error: " + fault.Error(), Fault: fault.Error()}
	}
	return found
}

// State is the counterexample of a refuted obligation, with the members of its sets listed; its terms are of bank.
func State(bank *logic.Bank, result verdict.Result) *eval.Model {
	return result.Counterexample.Model.Listed(bank, listSteps)
}

// FindRun searches, within the bounds of FindReach, for a run to the state before the event of a refuted obligation.
// It may find a run to another state that violates the invariant, which is returned second. What is not found is nil.
func FindRun(ctx context.Context, dev *model.Development, result verdict.Result) (to, elsewhere *explore.Trace) {
	reach := FindReach(ctx, dev, result)
	if reach == nil || reach.Verdict != verdict.Reached && reach.Verdict != verdict.Elsewhere {
		return nil, nil
	}
	found, err := explore.Reaches(ctx, dev, result.Machine, State(dev.Bank.Extend(), result), reachStates)
	switch {
	case err != nil:
		return nil, nil
	case found.Reached && !found.Ghosts:
		return found.Trace, nil
	case found.Fails != nil && found.Fails.Kind == explore.InvariantFails && result.Predicate != nil && found.Fails.Label == result.Predicate.Label:
		return nil, found.Fails.Trace
	}
	return nil, nil
}

// findReach finds out whether the machine can get into the state of a counterexample; nil if the question has no sense.
func findReach(ctx context.Context, dev *model.Development, result verdict.Result) *verdict.Reach {
	if result.Counterexample == nil || result.Machine == nil || result.Event == nil || result.Event.IsInit() {
		return nil
	}
	bank := dev.Bank.Extend() // the values of a model may speak of terms that the development does not have
	at := State(bank, result)
	wide := newBreadth(bank, at, result.Machine)
	for _, event := range result.Machine.Events {
		if wide.choices(event) > choiceBits {
			// A single state may have more successors than anybody can wait for.
			return &verdict.Reach{Verdict: verdict.Untried, Why: fmt.Sprintf("event %s has more than 2^%d choices in a state", event.Label, choiceBits)}
		}
	}
	found, err := explore.Reaches(ctx, dev, result.Machine, at, reachStates)
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.As(err, new(*explore.Fault)):
		return &verdict.Reach{Verdict: verdict.Untried, Why: err.Error(), Fault: err.Error()}
	case err != nil: // the counterexample is not a set-up for the machine
		return &verdict.Reach{Verdict: verdict.Untried, Why: err.Error()}
	}
	out := &verdict.Reach{Verdict: verdict.NotFound, States: found.States}
	switch {
	case found.Reached && !found.Ghosts:
		out.Verdict, out.Trace = verdict.Reached, eventsOf(found.Trace)
	case found.Fails != nil:
		out.Verdict, out.Trace = verdict.Elsewhere, eventsOf(found.Fails.Trace)
		out.Fails = strings.TrimSpace(found.Fails.Kind + " " + found.Fails.Label)
	case found.Safe:
		out.Verdict = verdict.Unreachable
	}
	return out
}

func eventsOf(t *explore.Trace) (events []string) {
	if t != nil {
		for _, s := range t.Steps {
			events = append(events, s.Event)
		}
	}
	return events
}
