package tune

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// What the ways to find values rest on, as sequents to be proved of a machine
// that is verified.

// Terminates says why the machine need not reach a state where the final
// predicate holds, as far as the form of its events tells: every event must be
// convergent, or be an environment event that changes nothing. What remains to be
// proved is in Rests.
func (e *Entry) Terminates(environment []string) error {
	for _, ev := range e.Machine.Events {
		switch {
		case ev.IsInit():
		case slices.Contains(environment, ev.Label):
			if len(ev.Actions) > 0 {
				return fmt.Errorf("environment event %s has actions, so the machine may run forever", ev.Label)
			}
		case ev.Convergence != model.Convergent:
			return fmt.Errorf("event %s is not convergent, so the machine may run forever", ev.Label)
		}
	}
	return nil
}

// Rests returns, for each environment event, the sequent that it is enabled only
// where the final predicate holds. With these, deadlock freedom and convergence,
// every run reaches such a state.
func (e *Entry) Rests(environment []string) []logic.Sequent {
	var out []logic.Sequent
	for _, ev := range e.Machine.Events {
		if slices.Contains(environment, ev.Label) {
			out = append(out, e.sequent(ev, nil, e.Final))
		}
	}
	return out
}

// Ends returns, for each event with actions, the sequent that it is not enabled
// where the final predicate holds.
func (e *Entry) Ends() []logic.Sequent {
	var out []logic.Sequent
	for _, ev := range e.Machine.Events {
		if !ev.IsInit() && len(ev.Actions) > 0 {
			out = append(out, e.sequent(ev, nil, e.Bank.Not(e.Final)))
		}
	}
	return out
}

// NeverDecreases returns, for each assignment to the first objective, which must be a
// variable to minimise, the sequent that it does not become less. ok is false for others.
func (e *Entry) NeverDecreases() (sequents []logic.Sequent, ok bool) {
	bank, first := e.Bank, e.Objectives[0]
	if first.Maximise || !slices.ContainsFunc(e.Machine.Variables, func(v model.Variable) bool { return v.Term == first.Term }) {
		return nil, false
	}
	before, after := first.Term, bank.Free(bank.Name(first.Term)+"'", logic.IntType)
	var out []logic.Sequent
	for _, ev := range e.Machine.Events {
		for _, action := range ev.Actions {
			i := slices.Index(action.Left, before)
			switch {
			case i < 0 || ev.IsInit():
			case action.Kind == model.BecomesEqual:
				out = append(out, e.sequent(ev, nil, bank.App(logic.Le, before, action.Right[i])))
			case action.Kind == model.BecomesIn:
				out = append(out, e.sequent(ev, []logic.Term{bank.App(logic.In, after, action.Right[0])}, bank.App(logic.Le, before, after)))
			default:
				out = append(out, e.sequent(ev, action.Right, bank.App(logic.Le, before, after)))
			}
		}
	}
	return out, true
}

// sequent says that goal holds where an event is enabled. What it rests on, but
// for more, is proved of a verified machine.
func (e *Entry) sequent(ev *model.Event, more []logic.Term, goal logic.Term) logic.Sequent {
	facts := model.Terms(e.Machine.Facts())
	local := append(model.Terms(ev.Guards), more...)
	s := logic.Sequent{Bank: e.Bank, Hyps: slices.Concat(facts, local), Goal: goal}
	for i := range local {
		s.Selected = append(s.Selected, len(facts)+i)
	}
	return s
}
