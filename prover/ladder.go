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
	parts []rung // of a rung that takes the goal apart: those for the parts; nil for the ladder
}

// The directions of the rungs.
var (
	matching  = search.Direction{Start: 1, Gens: 6}                                 // by patterns alone
	instances = search.Direction{Start: 1, Gens: 6, Enumerate: true}                // and by enumeration
	cautious  = search.Direction{Start: 0, Gens: 6, Enumerate: true}                // the sequent's own terms first
	short     = search.Direction{Start: 0, Gens: 4, Enumerate: true}                // and what is few steps away from them
	solving   = search.Direction{Start: 1, Gens: 4, Enumerate: true, Solve: true}   // and by values that solve
	computing = search.Direction{Start: 0, Gens: 6, Enumerate: true, Compute: true} // and by λ-terms applied
	preceding = search.Direction{Start: 1, Gens: 4, Enumerate: true, Precede: true} // and by recursion from n to n−1
	inducing  = search.Direction{Start: 1, Gens: 6, Enumerate: true, Given: true}   // by the given instances of a principle alone
	applying  = search.Direction{Start: 1, Gens: 6, Enumerate: true, Compute: true} // likewise
)

// ladder lists the rungs, what proves most for its steps first: nine of ten obligations need less
// than a thousandth of the budget. The order is that of a table, made by letting every rung try
// what is hard: of what a rung alone proves, divided by what it spends on all that is left. So few
// hypotheses, with types or definitions of what they mention, stand before many, as one that is not
// needed costs more than a hundred attempts; axioms that contradict each other stand in the middle; and the
// last round gives each selection a fair try. A still larger share of any of them proved nothing more.
var ladder = []rung{
	{"selected", selected, 0.003, directly, matching, nil},
	{"typed", typed(recent(3), subject), 0.006, directly, instances, nil},
	{"typed", typed(selected, subject), 0.012, directly, instances, nil},
	{"founded", founded(2, 2), 0.003, directly, instances, nil},
	{"lasso", lasso(1), 0.006, directly, instances, nil},
	{"triggered", triggered(1.2, 2), 0.0045, directly, instances, nil},
	{"relevant 16", relevant(16), 0.0045, directly, cautious, nil},
	{"recent 12", typed(recent(12), about), 0.0075, directly, applying, nil},
	{"enclosed", enclosed, 0.003, directly, instances, nil},
	{"relevant 28", relevant(28), 0.006, directly, cautious, nil},
	{"plain", plain(2), 0.0045, directly, instances, nil},
	{"instance", relevant(16), 0.0045, byInstance, instances, nil},
	{"instance", typed(supporting, about), 0.012, byInstance, instances, nil},
	{"comprehension", relevant(8), 0.006, bySets, instances, nil},
	{"witness", lasso(1), 0.006, byName, instances, nil},
	{"all", everything, 0.0015, directly, cautious, nil},
	{"recent 3", recent(3), 0.006, directly, instances, nil},

	{"defined", typed(defined(relevant(4), 3), about), 0.018, directly, computing, nil},
	{"typed", typed(typed(none, subject), subject), 0.015, directly, instances, nil},
	{"conjuncts", nil, 0.135, apart, search.Direction{}, nil},
	{"founded", founded(2, 2), 0.018, directly, instances, nil},
	{"defined", described(latest(4), 3), 0.03, directly, instances, nil},
	{"comprehension", relevant(8), 0.024, bySet, inducing, nil},
	{"typed", typed(relevant(2), subject), 0.0135, directly, instances, nil},
	{"part 3", part(relevant(32), 2, 4), 0.0075, directly, instances, nil},
	{"recent 6", typed(recent(6), about), 0.012, directly, cautious, nil},
	{"enclosed", enclosed, 0.015, directly, instances, nil},
	{"relevant 28", relevant(28), 0.03, directly, cautious, nil},
	{"defined", described(latest(4), 2), 0.039, directly, instances, nil},
	{"contradiction", relevant(28), 0.045, aimless, solving, nil},
	{"contradiction", enclosed, 0.1275, aimless, instances, nil},
	{"part 1", part(relevant(32), 0, 4), 0.0075, directly, instances, nil},
	{"part 2", part(relevant(32), 1, 4), 0.0075, directly, instances, nil},
	{"part 4", part(relevant(32), 3, 4), 0.0075, directly, instances, nil},
	{"relevant 4", relevant(4), 0.0105, directly, instances, nil},
	{"recursion", relevant(4), 0.0075, backwards, preceding, nil},
	{"induction", nil, 0.03, stepwise, search.Direction{}, shares},
	{"recent 12", typed(recent(12), about), 0.018, directly, instances, nil},

	{"lasso", lasso(1), 0.0225, directly, instances, nil},
	{"triggered", triggered(1.2, 2), 0.036, directly, instances, nil},
	{"relevant 16", relevant(16), 0.03, directly, cautious, nil},
	{"selected", selected, 0.015, directly, matching, nil},
	{"relevant 8", relevant(8), 0.0225, directly, instances, nil},
	{"instance", relevant(28), 0.015, byInstance, instances, nil},
	{"comprehension", relevant(16), 0.015, bySets, cautious, nil},
	{"witness", relevant(16), 0.015, byName, cautious, nil},
	{"recursion", relevant(8), 0.015, backwards, preceding, nil},
	{"goal", near(1), 0.03, directly, short, nil},
	{"plain", plain(2), 0.03, directly, instances, nil},
	{"solve", lasso(1), 0.0405, directly, solving, nil},
	{"all", everything, 0.015, directly, cautious, nil},
	{"induction", nil, 0.04, granted, search.Direction{}, shares},
	{"induction", nil, 0.06, stepwise, search.Direction{}, shares},
	{"defined", defined(selected, 2), 0.03, directly, computing, nil},
	{"relevant 28", relevant(28), 0.0375, directly, short, nil},
	{"goal", near(1), 0.1, directly, cautious, nil},
	{"complete induction", nil, 0.03, complete, search.Direction{}, shares},
}

// shares are the rungs for base and step of an induction, in which those hypotheses count as selected that the
// induction has brought in.
var shares = []rung{
	{"founding 3", joint(founded(3, 1)), 0.06, directly, preceding, nil},
	{"founding 6", joint(founded(6, 1)), 0.06, directly, preceding, nil},
	{"relevant 8", joint(relevant(4)), 0.08, directly, preceding, nil},
	{"typed", joint(typed(recent(12), subject)), 0.1, directly, preceding, nil},
	{"relevant 8", joint(relevant(8)), 0.1, directly, instances, nil},
	{"founding 6", joint(founded(6, 1)), 0.15, directly, preceding, nil},
	{"relevant 16", joint(relevant(16)), 0.2, directly, preceding, nil},
	{"lasso", lasso(1), 0.25, directly, preceding, nil},
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
