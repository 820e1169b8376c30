package discharge

import (
	"context"
	"strings"
	"time"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang/model"
)

// Reach says whether a machine gets into the state of a counterexample, with the
// carrier sets and constants that the counterexample has.
type Reach struct {
	Verdict string   `json:"verdict"`         // see the constants
	States  int      `json:"states"`          // how many states were seen
	Trace   []string `json:"trace,omitempty"` // the events that lead to the state, or to what fails
	Fails   string   `json:"fails,omitempty"` // what fails elsewhere
}

// The verdicts of Reach.
const (
	Reached     = "reached"
	Elsewhere   = "elsewhere"   // the machine fails in a state that it gets into, but not in this one
	Unreachable = "unreachable" // the machine does not get there, and never fails
	NotFound    = "not found"   // not among the states that were seen
)

// reachStates bounds the search for one state: what is said is the same on slow
// machines, for it takes a second at most. reachTime is a fuse only, for machines
// of which a single state has more successors than anybody can wait for.
const (
	reachStates = 5_000
	reachTime   = 20 * time.Second
)

// FindReach looks for the state before the event of refuted obligation r in the
// states that the machine can get into. It is nil where there is no such state,
// or where the counterexample is no set-up for the machine.
func FindReach(ctx context.Context, dev *model.Development, r Result) *Reach {
	if r.Counterexample == nil || r.Machine == nil || r.Event == nil || r.Event.IsInit() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	found, err := explore.Reaches(ctx, dev, r.Machine, r.Counterexample.Model, reachStates)
	if err != nil || ctx.Err() != nil {
		return nil
	}
	out := &Reach{Verdict: NotFound, States: found.States}
	switch {
	case found.Reached && !found.Ghosts:
		out.Verdict, out.Trace = Reached, eventsOf(found.Trace)
	case found.Fails != nil:
		out.Verdict, out.Trace = Elsewhere, eventsOf(found.Fails.Trace)
		out.Fails = strings.TrimSpace(found.Fails.Kind + " " + found.Fails.Label)
	case found.Safe:
		out.Verdict = Unreachable
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
