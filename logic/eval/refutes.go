package eval

import (
	"github.com/gradine/gradine/logic"
)

// Condition is what a counterexample must satisfy in addition to the goal: hypothesis Hyp of a
// sequent, or its well-definedness condition.
type Condition struct {
	Hyp int
	D   bool
}

// Of returns the formula of c, a condition of s, whose bank may grow.
func (c Condition) Of(s logic.Sequent) logic.Term {
	if c.D {
		return s.Bank.D(s.Hyps[c.Hyp])
	}
	return s.Hyps[c.Hyp]
}

// Refutes decides whether the model is a counterexample to s: hypotheses are
// well-defined and true, the goal is well-defined and false, all elements of carrier sets
// are such. Bank of s is the evaluator's, and not frozen.
func (e *Evaluator) Refutes(sequent logic.Sequent) Truth {
	res := -e.pred(sequent.Goal)
	for i := 0; i < len(sequent.Hyps) && res != False; i++ {
		res = min(res, e.pred(sequent.Hyps[i]))
	}
	for i := 0; i < len(sequent.Hyps) && res != False; i++ {
		res = min(res, e.pred(e.b.D(sequent.Hyps[i])))
	}
	if res == False {
		return False
	}
	if !e.m.elementsExist() {
		return Unknown
	}
	return min(res, e.pred(e.b.D(sequent.Goal)))
}

// formulaShare is the part of what is left that one formula may take of several that are looked at
// although others are undecided.
const formulaShare = 4

// Undecided lists the conditions that keep Refutes from being True: in the model, the goal of s is
// well-defined and false, and all other conditions hold. It is false if one does not hold, or if more
// than limit are undecided. No formula keeps the steps from the others.
func (e *Evaluator) Undecided(s logic.Sequent, limit int) (out []Condition, ok bool) {
	decide := func(t logic.Term) Truth {
		left := e.steps
		share := left / formulaShare
		e.steps = share
		res := e.pred(t)
		e.steps = left - (share - max(e.steps, 0))
		return res
	}
	if decide(s.Goal) != False || decide(e.b.D(s.Goal)) != True || !e.m.elementsExist() {
		return nil, false
	}
	for i := range s.Hyps {
		for _, c := range []Condition{{i, true}, {i, false}} {
			switch decide(c.Of(s)) {
			case False:
				return nil, false
			case Unknown:
				if out = append(out, c); len(out) > limit {
					return nil, false
				}
			}
		}
	}
	return out, true
}
