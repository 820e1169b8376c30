package discharge

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// Reach says whether a machine gets into the state of a counterexample, with the
// carrier sets and constants that the counterexample has.
type Reach struct {
	Verdict string   `json:"verdict"`         // see the constants
	States  int      `json:"states"`          // how many states were seen
	Trace   []string `json:"trace,omitempty"` // the events that lead to the state, or to what fails
	Fails   string   `json:"fails,omitempty"` // what fails elsewhere
	Why     string   `json:"why,omitempty"`   // the state was not looked for
}

// The verdicts of Reach.
const (
	Reached     = "reached"
	Elsewhere   = "elsewhere"   // the machine fails in a state that it gets into, but not in this one
	Unreachable = "unreachable" // the machine does not get there, and never fails
	NotFound    = "not found"   // not among the states that were seen
	Untried     = "untried"     // not looked for
)

// reachStates bounds the search for one state, and choiceBits the choices of one
// event: no clock ends the search, so that it says the same on every machine.
const (
	reachStates = 5_000
	choiceBits  = 24
)

// FindReach looks for the state before the event of refuted obligation r in the
// states that the machine can get into. It is nil where there is no such state.
func FindReach(ctx context.Context, dev *model.Development, result Result) *Reach {
	if result.Counterexample == nil || result.Machine == nil || result.Event == nil || result.Event.IsInit() {
		return nil
	}
	for _, event := range result.Machine.Events {
		if choices(dev.Bank, result.Counterexample.Model, event) > choiceBits {
			// A single state may have more successors than anybody can wait for.
			return &Reach{Verdict: Untried, Why: fmt.Sprintf("event %s has more than 2^%d choices in a state", event.Label, choiceBits)}
		}
	}
	found, err := explore.Reaches(ctx, dev, result.Machine, result.Counterexample.Model, reachStates)
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil: // the counterexample is not a set-up for the machine
		return &Reach{Verdict: Untried, Why: err.Error()}
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

// choices is the logarithm of how many ways there are, at most, to choose the
// parameters of e and the values that it assigns freely. Integers count as if they
// were among 64: guards say more, but not in a way that is quickly counted.
func choices(bank *logic.Bank, m *eval.Model, event *model.Event) float64 {
	var bits func(typ logic.Type) float64
	bits = func(typ logic.Type) float64 {
		switch bank.TypeKind(typ) {
		case logic.KindBool:
			return 1
		case logic.KindGiven:
			return math.Log2(float64(max(1, m.Carriers[bank.GivenName(typ)])))
		case logic.KindProd:
			left, right := bank.Pair(typ)
			return bits(left) + bits(right)
		case logic.KindPow:
			return math.Exp2(min(bits(bank.Elem(typ)), 60))
		}
		return 6
	}
	sum := 0.0
	for _, ident := range event.Parameters {
		sum += max(bits(bank.Type(ident.Term)), rangeBits(bank, ident.Term, event.Guards))
	}
	for _, action := range event.Actions {
		if action.Kind != model.BecomesEqual {
			for _, term := range action.Left {
				sum += bits(bank.Type(term))
			}
		}
	}
	return sum
}

// rangeBits is the logarithm of how many integers guards leave to x that bound it by
// numbers on both sides; 0 if they do not.
func rangeBits(bank *logic.Bank, x logic.Term, guards []*model.Predicate) float64 {
	var low, high *big.Int
	for _, guard := range guards {
		if op := bank.Op(guard.Term); op != logic.Le && op != logic.Lt {
			continue
		}
		switch left, right := bank.Arg(guard.Term, 0), bank.Arg(guard.Term, 1); {
		case x == right && bank.Op(left) == logic.Int:
			low = bank.Value(left)
		case x == left && bank.Op(right) == logic.Int:
			high = bank.Value(right)
		}
	}
	if low == nil || high == nil {
		return 0
	}
	return float64(new(big.Int).Sub(high, low).BitLen())
}

func eventsOf(t *explore.Trace) (events []string) {
	if t != nil {
		for _, s := range t.Steps {
			events = append(events, s.Event)
		}
	}
	return events
}
