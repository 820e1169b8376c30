package prover

import (
	"encoding/binary"
	"slices"

	"github.com/gradine/gradine/prover/internal/search"
)

// rung is one attempt: which hypotheses it gets, how much of the budget, and how it searches.
type rung struct {
	name  string
	hyps  selection
	share float64
	by    scheme // the rung is skipped if the goal does not ask for it
	search.Direction
}

// The directions of the rungs.
var (
	matching  = search.Direction{Start: 1, Gens: 6}                               // by patterns alone
	instances = search.Direction{Start: 1, Gens: 6, Enumerate: true}              // and by enumeration
	cautious  = search.Direction{Start: 0, Gens: 6, Enumerate: true}              // the sequent's own terms first
	short     = search.Direction{Start: 0, Gens: 4, Enumerate: true}              // and what is few steps away from them
	solving   = search.Direction{Start: 1, Gens: 4, Enumerate: true, Solve: true} // and by values that solve
	inductive = search.Direction{Start: 1, Gens: 4, Enumerate: true}
	computing = search.Direction{Start: 0, Gens: 6, Enumerate: true, Compute: true} // and by λ-terms applied
	preceding = search.Direction{Start: 1, Gens: 4, Enumerate: true, Precede: true} // and by recursion from n to n−1
	applying  = search.Direction{Start: 1, Gens: 6, Enumerate: true, Compute: true} // likewise
)

// ladder lists the rungs, what proves most for its steps first: nine of ten obligations need less
// than a thousandth of the budget. The order is that of a table, made by letting every rung try
// what is hard: of what a rung alone proves, divided by what it spends on all that is left. So few
// hypotheses, with types or definitions of what they mention, stand before many, as one that is not
// needed costs more than a hundred attempts; axioms that contradict each other stand in the middle; and the
// last round gives each selection a fair try. A still larger share of any of them proved nothing more.
var ladder = []rung{
	{"selected", selected, 0.003, directly, matching},
	{"typed", typed(recent(3), subject), 0.006, directly, instances},
	{"typed", typed(selected, subject), 0.012, directly, instances},
	{"lasso", lasso(1), 0.006, directly, instances},
	{"triggered", triggered(1.2, 2), 0.0045, directly, instances},
	{"relevant 16", relevant(16), 0.0045, directly, cautious},
	{"recent 12", typed(recent(12), about), 0.0075, directly, applying},
	{"enclosed", enclosed, 0.003, directly, instances},
	{"relevant 28", relevant(28), 0.006, directly, cautious},
	{"plain", plain(2), 0.0045, directly, instances},
	{"instance", relevant(16), 0.0045, byInstance, instances},
	{"comprehension", relevant(8), 0.006, bySets, instances},
	{"witness", lasso(1), 0.006, byName, instances},
	{"all", everything, 0.0015, directly, cautious},
	{"recent 3", recent(3), 0.006, directly, instances},

	{"defined", typed(defined(relevant(4), 3), about), 0.018, directly, computing},
	{"typed", typed(typed(none, subject), subject), 0.015, directly, instances},
	{"conjuncts", nil, 0.135, apart, search.Direction{}},
	{"defined", described(latest(4), 3), 0.03, directly, instances},
	{"typed", typed(relevant(2), subject), 0.0135, directly, instances},
	{"part 3", part(relevant(32), 2, 4), 0.0075, directly, instances},
	{"recent 6", typed(recent(6), about), 0.012, directly, cautious},
	{"enclosed", enclosed, 0.015, directly, instances},
	{"relevant 28", relevant(28), 0.03, directly, cautious},
	{"defined", described(latest(4), 2), 0.039, directly, instances},
	{"contradiction", relevant(28), 0.045, aimless, solving},
	{"contradiction", enclosed, 0.1275, aimless, instances},
	{"part 1", part(relevant(32), 0, 4), 0.0075, directly, instances},
	{"part 2", part(relevant(32), 1, 4), 0.0075, directly, instances},
	{"part 4", part(relevant(32), 3, 4), 0.0075, directly, instances},
	{"relevant 4", relevant(4), 0.0105, directly, instances},
	{"recursion", relevant(4), 0.0075, backwards, preceding},
	{"induction", relevant(4), 0.012, stepwise, inductive},
	{"recent 12", typed(recent(12), about), 0.018, directly, instances},

	{"lasso", lasso(1), 0.0225, directly, instances},
	{"triggered", triggered(1.2, 2), 0.03, directly, instances},
	{"relevant 16", relevant(16), 0.03, directly, cautious},
	{"selected", selected, 0.015, directly, matching},
	{"relevant 8", relevant(8), 0.0225, directly, instances},
	{"instance", relevant(28), 0.015, byInstance, instances},
	{"comprehension", relevant(16), 0.015, bySets, cautious},
	{"witness", relevant(16), 0.015, byName, cautious},
	{"recursion", relevant(8), 0.015, backwards, preceding},
	{"goal", near(1), 0.03, directly, short},
	{"plain", plain(2), 0.03, directly, instances},
	{"solve", lasso(1), 0.0405, directly, solving},
	{"all", everything, 0.015, directly, cautious},
	{"induction", lasso(1), 0.03, stepwise, inductive},
	{"induction", relevant(4), 0.06, stepwise, inductive},
	{"defined", defined(selected, 2), 0.03, directly, computing},
	{"relevant 28", relevant(28), 0.0375, directly, short},
	{"goal", near(1), 0.1, directly, cautious},
	{"complete induction", lasso(1), 0.03, complete, inductive},
}

// effort identifies an attempt by its hypotheses and by how it searches. Repeating it with no larger
// budget is pointless.
type effort struct {
	hyps string
	by   scheme
	search.Direction
}

func effortOf(r rung, hyps []int) effort {
	var key []byte
	for _, i := range slices.Sorted(slices.Values(hyps)) {
		key = binary.AppendUvarint(key, uint64(i))
	}
	return effort{string(key), r.by, r.Direction}
}
