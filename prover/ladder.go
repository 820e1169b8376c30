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
	applying  = search.Direction{Start: 1, Gens: 6, Enumerate: true, Compute: true} // likewise
)

// ladder lists the rungs. What proves most in few steps comes first: nine of ten
// obligations need less than a thousandth of the budget. The second round tries few hypotheses,
// as one that is not needed costs more than a hundred attempts; the third one gives each selection
// a fair try, and the last one spends what is left. Between these stand attempts with the definitions of
// functions, which compute, and one for axioms that contradict each other.
var ladder = []rung{
	{"selected", selected, 0.002, directly, matching},
	{"lasso", lasso(1), 0.004, directly, instances},
	{"triggered", triggered(1.2, 2), 0.003, directly, instances},
	{"relevant 16", relevant(16), 0.003, directly, cautious},
	{"instance", relevant(16), 0.003, byInstance, instances},
	{"enclosed", enclosed, 0.002, directly, instances},
	{"relevant 28", relevant(28), 0.004, directly, cautious},
	{"plain", plain(2), 0.003, directly, instances},
	{"all", everything, 0.001, directly, cautious},

	{"recent 3", recent(3), 0.004, directly, instances},
	{"typed", typed(selected, subject), 0.008, directly, instances},
	{"typed", typed(recent(3), subject), 0.004, directly, instances},
	{"recent 6", typed(recent(6), about), 0.008, directly, cautious},
	{"relevant 4", relevant(4), 0.007, directly, instances},
	{"induction", relevant(4), 0.008, stepwise, inductive},
	{"recent 12", typed(recent(12), about), 0.012, directly, instances},
	{"part 1", part(relevant(32), 0, 4), 0.005, directly, instances},
	{"part 2", part(relevant(32), 1, 4), 0.005, directly, instances},
	{"part 3", part(relevant(32), 2, 4), 0.005, directly, instances},
	{"part 4", part(relevant(32), 3, 4), 0.005, directly, instances},

	{"triggered", triggered(1.2, 2), 0.02, directly, instances},
	{"relevant 28", relevant(28), 0.02, directly, cautious},
	{"relevant 16", relevant(16), 0.02, directly, cautious},
	{"selected", selected, 0.01, directly, matching},
	{"lasso", lasso(1), 0.015, directly, instances},
	{"relevant 8", relevant(8), 0.015, directly, instances},
	{"instance", relevant(28), 0.01, byInstance, instances},
	{"enclosed", enclosed, 0.01, directly, instances},
	{"plain", plain(2), 0.02, directly, instances},
	{"solve", lasso(1), 0.027, directly, solving},
	{"goal", near(1), 0.02, directly, short},
	{"all", everything, 0.01, directly, cautious},
	{"induction", lasso(1), 0.02, stepwise, inductive},

	{"induction", relevant(4), 0.025, stepwise, inductive},
	{"conjuncts", nil, 0.09, apart, search.Direction{}},

	{"typed", typed(relevant(2), subject), 0.009, directly, instances},
	{"typed", typed(typed(none, subject), subject), 0.01, directly, instances},
	{"recent 12", typed(recent(12), about), 0.005, directly, applying},
	{"defined", typed(defined(relevant(4), 3), about), 0.012, directly, computing},
	{"defined", defined(selected, 2), 0.02, directly, computing},
	{"defined", described(latest(4), 2), 0.026, directly, instances},
	{"defined", described(latest(4), 3), 0.02, directly, instances},
	{"contradiction", relevant(28), 0.03, aimless, solving},

	{"goal", near(1), 0.09, directly, cautious},
	{"selected", selected, 0.035, directly, matching},
	{"relevant 16", relevant(16), 0.042, directly, instances},
	{"lasso", lasso(1), 0.074, directly, instances},
	{"plain", plain(2), 0.025, directly, instances},
	{"solve", lasso(1), 0.04, directly, solving},
	{"lasso", lasso(1), 0.045, directly, short},
	{"relevant 28", relevant(28), 0.025, directly, short},
	{"triggered", triggered(1.2, 2), 0.025, directly, instances},
	{"contradiction", enclosed, 0.085, aimless, instances},
	{"all", everything, 0.01, directly, cautious},
	{"complete induction", lasso(1), 0.02, complete, inductive},
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
