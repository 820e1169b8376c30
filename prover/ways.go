package prover

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// scheme says what an attempt starts with in addition to hypotheses, as the goal suggests it.
type scheme uint8

const (
	directly    scheme = iota
	aimless            // without the goal: do the hypotheses contradict each other?
	factwise           // likewise, those around one fact at a time
	apart              // the conjuncts of the goal one by one
	unfolding          // what definitions of relations say in place of the goal
	calculating        // after what definitions say of terms in it
	casewise           // in the cases of a definition that it asks for
	within             // likewise, in a case of another definition
	partwise           // what the sides of an equation do not have in common
	partsWithin        // likewise, in a case of a definition
	addendwise         // what two sums in the goal do not have in common one by one
	shaping            // after what is known of the functions in it by their kind
	fixing             // with identifiers for what it quantifies
	inOrder            // that neither of two numbers is smaller
	byInstance         // instances of hypotheses that conclude the goal
	stepwise           // induction from n to n+1, from a finite set to one with one more element
	granted            // likewise, where it is known that the goal is well-defined
	complete           // induction from all up to n to n+1
	dividing           // likewise, on numbers of whose quotients functions are recursive
	digitwise          // likewise, in the cases of the definition
	backwards          // for functions that hypotheses define by recursion
	byName             // instances of existential statements in the goal
	bySets             // instances of hypotheses over sets, for those that the goal comprehends
	bySet              // likewise, one of them at a time
)

// ways returns the lists of steps that attempts at s may start with, one for each; none if
// the goal does not ask for the scheme.
func ways(sequent logic.Sequent, by scheme) [][]kernel.Step {
	switch by {
	case directly, aimless:
		return [][]kernel.Step{nil}
	case byInstance:
		if steps := backward(sequent); len(steps) > 0 {
			return [][]kernel.Step{steps}
		}
		return nil
	case backwards:
		if len(recursion(sequent, logic.Plus).places) > 0 {
			return [][]kernel.Step{nil}
		}
		return nil
	case byName:
		if steps := exhibited(sequent); len(steps) > 0 {
			return [][]kernel.Step{steps}
		}
		return nil
	case bySets:
		if each := comprehended(sequent); len(each) > 0 {
			return [][]kernel.Step{slices.Concat(each...)}
		}
		return nil
	case bySet:
		return comprehended(sequent)
	}
	return nil
}
