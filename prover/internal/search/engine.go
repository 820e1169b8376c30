package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/instance"
	"github.com/gradine/gradine/prover/internal/reuse"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/internal/solve"
	"github.com/gradine/gradine/prover/kernel"
)

// Direction says how an attempt looks for a contradiction.
type Direction struct {
	Start     int  // generation that is let in first
	Gens      int  // greatest generation
	Enumerate bool // instantiate by enumeration when all else is done
	Solve     bool // find instances by solving for bound variables when little else is left
	Compute   bool // compute f(x) where f equals a λ-term; else only where it is one
	Precede   bool // unfold f(n) by what quantifiers say of f(x+1)
	Broad     bool // match patterns without a request before little else is left
	Given     bool // of formulas with instances among the axioms, make no others
	Uncounted bool // card(s) is a number of which nothing is known
}

// Within reports whether an attempt in direction e, to its end, makes all instances that one in direction d makes.
func (d Direction) Within(e Direction) bool {
	implies := func(x, y bool) bool { return !x || y }
	return d.Gens <= e.Gens && implies(d.Enumerate, e.Enumerate) && implies(d.Solve, e.Solve) && implies(d.Compute, e.Compute) &&
		implies(d.Broad, e.Broad) && d.Precede == e.Precede && d.Given == e.Given && implies(e.Uncounted, d.Uncounted)
}

// Options bound and direct one attempt.
type Options struct {
	Hyps   []int // hypotheses to use, by index, the most relevant first
	WDs    bool  // use D of these hypotheses and of the goal
	Follow bool  // instantiate D(∀x·P) where ∀x·P is, and elsewhere only when nothing else is left
	// Undefined, if not nil, reports the hypotheses of which D is not known, and -1 of the
	// goal: those of a part of a sequent.
	Undefined func(i int) bool
	NoGoal    bool  // leave the goal out
	Steps     int64 // of work
	Direction
	Table  *instance.Table // of the bank; one for all attempts at a sequent saves time; nil for a new one
	Axioms []kernel.Step   // instances of axioms and lemmas to start with
	Only   map[string]bool // lemmas of the library that a lemma's proof may use; nil for all
	Stop   func() bool     // ends the attempt when it reports true; nil to run to the end
}

// Outcome is the end of an attempt.
type Outcome struct {
	Proof     *kernel.Proof // nil if none was found
	Saturated bool          // nothing was left to try
	Stopped   bool          // Options.Stop ended the attempt
	Model     []kernel.Lit  // if no proof was found: the literals that were true at the end
	Counters
}

// Counters measure the work of an attempt.
type Counters struct {
	Steps, Conflicts, Decisions int64
	Instances, Clauses, Atoms   int
}

// engine is one attempt: the sequent, the theories, the table of atoms, and the rooms that
// bring in clauses. Each room owns its state; what they share stands here.
type engine struct {
	b      *logic.Bank
	table  *instance.Table
	seq    logic.Sequent
	opts   Options
	budget budget
	steps  int64
	ctx    int16 // generation of what is being worked on
	limit  int16 // generation up to which there is work

	sat *sat.Solver
	g   *euf.Graph
	ar  *arithmetic

	vars   []sat.Var // by term: variable + 1 of an atom
	atoms  []logic.Term
	nodes  []euf.Node      // by variable
	gens   []int16         // by variable
	origin [][]kernel.Step // by clause; nil for learned ones
	room   reuse.Slab[kernel.Step]
	asked  applications // rules that were applied
	stack  []sat.Lit    // of the clauses that are being made

	known solve.Known // for searches for solutions

	frontier  frontier
	terms     terms
	unfolding unfolding
	members   memberships
	instances instances
	resorts   resorts
}

// budget says when an attempt has to end.
type budget struct {
	steps   int64 // 0 for no bound
	stop    func() bool
	ask     int64 // work at which stop is called again
	stopped bool  // it reported true
}

// work returns the steps spent so far.
func (e *engine) work() int64 { return e.steps + e.sat.Steps + e.g.Steps + e.ar.s.Work }

// stopEvery is the number of steps between two calls of Options.Stop: a fraction of a
// millisecond.
const stopEvery = 1000

// spent reports whether the budget is used up, or the caller wants no more.
func (e *engine) spent() bool { return e.budget.spent(e.work()) }

func (b *budget) spent(work int64) bool {
	if b.stop != nil && work >= b.ask && !b.stopped {
		b.ask = work + stopEvery
		b.stopped = b.stop()
	}
	return b.stopped || b.steps > 0 && work > b.steps
}
