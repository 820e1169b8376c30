package eval

import (
	"github.com/gradine/gradine/logic"
)

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
