package tune

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
	"github.com/gradine/gradine/logic/text"
)

// Closed is a closed form: what objectives and constraints are over the constants alone,
// where the final predicate holds.
type Closed struct {
	Label       string
	Objectives  []logic.Term
	Constraints []logic.Term
	Certificate string // of the theorem
}

// ClosedForm reads theorem label of the entry's machine, of the form
// final ⇒ v = E ∧ …: it says what variables are where final holds. Objectives and
// constraints must mention no others. It is an error if there is no such theorem.
func (e *Entry) ClosedForm(label string) (*Closed, error) {
	i := slices.IndexFunc(e.Machine.Invariants, func(predicate *model.Predicate) bool { return predicate.Label == label })
	if i < 0 {
		return nil, fmt.Errorf("machine %s has no invariant or theorem %s of its own", e.Machine.Name, label)
	}
	bank, term := e.Bank, e.Machine.Invariants[i].Term
	wrong := fmt.Errorf("theorem %s must have the form P ⇒ x = E: the final predicate of the entry implies variable = expression over constants, or several such equations", label)
	if bank.Op(term) != logic.Implies || bank.Bare(bank.Arg(term, 0)) != bank.Bare(e.Final) {
		return nil, wrong
	}
	ends := map[logic.Term]logic.Term{} // variables, to what they are
	for _, equation := range formula.Conjuncts(bank, bank.Arg(term, 1)) {
		if bank.Op(equation) != logic.Eq || bank.Op(bank.Arg(equation, 0)) != logic.Free {
			return nil, wrong
		}
		ends[bank.Arg(equation, 0)] = bank.Arg(equation, 1)
	}
	out := &Closed{Label: label}
	over := func(what string, term logic.Term) (logic.Term, error) {
		term = bank.Subst(term, ends)
		for _, id := range bank.FreeIdents(term) {
			if !e.isConstant(id) {
				return 0, fmt.Errorf("theorem %s does not express the final value of %s by constants only: it contains %s", label, what, bank.Name(id))
			}
		}
		return term, nil
	}
	for _, objective := range e.Objectives {
		term, err := over("objective "+objective.Text, objective.Term)
		if err != nil {
			return nil, err
		}
		out.Objectives = append(out.Objectives, term)
	}
	for _, constraint := range e.Constraints {
		term, err := over("constraint "+text.Readable(bank, constraint), constraint)
		if err != nil {
			return nil, err
		}
		out.Constraints = append(out.Constraints, term)
	}
	return out, nil
}

// evaluated is a closed form that can be evaluated at points.
type evaluated struct {
	objectives, constraints []func(simulate.Point) (simulate.Constant, error)
}

// over compiles the closed formulas over the points of a grid.
func (c *Closed) over(grid *simulate.Grid) (*evaluated, error) {
	out := &evaluated{}
	for _, term := range c.Objectives {
		value, err := grid.Expression(term)
		if err != nil {
			return nil, err
		}
		out.objectives = append(out.objectives, value)
	}
	for _, term := range c.Constraints {
		value, err := grid.Truth(term)
		if err != nil {
			return nil, err
		}
		out.constraints = append(out.constraints, value)
	}
	return out, nil
}

// value gives a point its value.
func (c *evaluated) value(entry *Entry, point *Point) {
	point.By = Theorem
	for i, constraint := range c.constraints {
		switch holds, err := constraint(point.at); {
		case err != nil:
			point.Illegal = noValue(err.Error())
			return
		case holds.Text != "TRUE":
			point.Illegal = entry.violates(i)
			return
		}
	}
	var ranges []Range
	for _, objective := range c.objectives {
		constant, err := objective(point.at)
		if err != nil {
			point.Illegal = noValue(err.Error())
			return
		}
		ranges = append(ranges, Range{constant.Int, constant.Int})
	}
	point.Ranges = ranges
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
