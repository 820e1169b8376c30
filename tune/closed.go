package tune

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Closed is a closed form of the objective: an expression over the constants
// that it has when the final predicate holds.
type Closed struct {
	Label       string
	Term        logic.Term
	Certificate string // of the theorem
}

// ClosedForm reads theorem label of the entry's machine, of the form
// final ⇒ objective = E with E over the constants. It is an error if there is no
// such theorem.
func (e *Entry) ClosedForm(label string) (*Closed, error) {
	i := slices.IndexFunc(e.Machine.Invariants, func(predicate *model.Predicate) bool { return predicate.Label == label })
	if i < 0 {
		return nil, fmt.Errorf("machine %s has no invariant or theorem %s of its own", e.Machine.Name, label)
	}
	bank, term := e.Bank, e.Machine.Invariants[i].Term
	wrong := fmt.Errorf("theorem %s is not of the form: %s; it must say final ⇒ %s = expression over the constants, with the final predicate of the entry", label, "P ⇒ x = E", e.Objective)
	if bank.Op(term) != logic.Implies || bank.Bare(bank.Arg(term, 0)) != bank.Bare(e.Final) || bank.Op(bank.Arg(term, 1)) != logic.Eq {
		return nil, wrong
	}
	left, right := bank.Arg(bank.Arg(term, 1), 0), bank.Arg(bank.Arg(term, 1), 1)
	if bank.Op(left) != logic.Free || bank.Name(left) != e.Objective {
		return nil, wrong
	}
	for _, id := range bank.FreeIdents(right) {
		if !e.isConstant(id) {
			return nil, fmt.Errorf("theorem %s: %s is not a constant", label, bank.Name(id))
		}
	}
	return &Closed{Label: label, Term: right}, nil
}

// Again is the same closed form for another instance of its entry, in whose bank its term
// is.
func (c *Closed) Again(entry *Entry) (*Closed, error) {
	again, err := entry.ClosedForm(c.Label)
	if err == nil {
		again.Certificate = c.Certificate
	}
	return again, err
}

func (e *Entry) isConstant(id logic.Term) bool {
	for _, c := range e.Machine.Contexts {
		for _, k := range c.Constants {
			if k.Term == id {
				return true
			}
		}
	}
	return false
}
