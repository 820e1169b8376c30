package kernel

import (
	"math/big"

	"github.com/gradine/gradine/logic"
)

// Kind says what a step asserts.
type Kind uint8

// The kinds of step. Formulas and terms of a step are closed and bare.
const (
	// Hyp: {h}, h hypothesis number Index.
	Hyp Kind = iota
	// NegGoal: {¬g}, g the goal.
	NegGoal
	// WD: {D(h)}, h hypothesis number Index.
	WD
	// WDGoal: {D(g)}, g the goal.
	WDGoal
	// Axiom: clause number Index of the instance of schema Name with Terms (Schema.Clauses).
	Axiom
	// Lemma: clause number Index of the instance of the certified lemma Name with Terms.
	Lemma
	// Prop: clause number Index of those that define formula Terms[0] (PropClauses).
	Prop
	// Inst: quantifier Terms[0] instantiated with Terms[1:] (InstClause).
	Inst
	// Choose: quantifier Terms[0] instantiated with its choice terms (EpsClause).
	Choose
	// Subst: context Terms[0], Terms[1] replaced by Terms[2] (SubstClause).
	Subst
	// Euf: Clause, valid by equality alone. Its negated literals contradict each
	// other by congruence closure, where ↦ and bool are injective, different
	// integer literals and TRUE and FALSE are different, and bool(p) is TRUE if p.
	Euf
	// Lin: Clause, valid by linear integer arithmetic over polynomials; Coef has
	// a multiplier for each literal (see linear.go).
	Lin
	// Rup: Clause, which follows by unit propagation from the earlier steps From,
	// taken in this order: each must become unit or false under the negation of
	// Clause; one that does not is passed over.
	Rup

	numKinds
)

// Step is one step of a proof; Kind says which fields count.
type Step struct {
	Kind   Kind
	Name   string
	Index  int
	Terms  []logic.Term
	Clause Clause
	Coef   []*big.Int
	From   []int
}

// Proof is a list of steps that ends with the empty clause. Its terms belong to
// the bank of the sequent that it refutes.
type Proof struct {
	Steps []Step
}

// Add appends a step and returns its number.
func (p *Proof) Add(s Step) int {
	p.Steps = append(p.Steps, s)
	return len(p.Steps) - 1
}

// Result says what an accepted proof rests on: the steps from which the empty
// clause is reached, others do not count.
type Result struct {
	Steps  int      // how many
	Hyps   []int    // hypotheses used, ascending
	WDs    []int    // hypotheses whose D is used, ascending
	Goal   bool     // whether the negated goal is used
	WDGoal bool     // whether D of the goal is used
	Lemmas []string // names of the lemmas used, sorted
}

// Vacuous reports whether the proof does not need the goal: the hypotheses
// contradict each other.
func (r Result) Vacuous() bool { return !r.Goal && !r.WDGoal }

// kindNames are the names of the kinds of step in certificates.
var kindNames = [numKinds]string{"hyp", "goal", "wd", "wdgoal", "axiom", "lemma", "prop", "inst", "choose", "subst", "euf", "lin", "rup"}

// String returns the name of k in certificates.
func (k Kind) String() string { return kindNames[k] }

// operands are the numbers of terms that steps take; -1 where that depends on the first of these.
var operands = [numKinds]int{Axiom: -1, Lemma: -1, Prop: 1, Inst: -1, Choose: 1, Subst: 3}
