package prover

import (
	"encoding/binary"
	"slices"

	"github.com/gradine/gradine/prover/internal/search"
)

// rung is one attempt: which hypotheses it gets, how much of the budget, and how it searches.
type rung struct {
	name   string
	hyps   selection
	share  float64
	induct scheme // skipped if the goal asks for none
	search.Direction
}

// The directions of the rungs.
var (
	matching  = search.Direction{Start: 1, Gens: 6}                               // by patterns alone
	instances = search.Direction{Start: 1, Gens: 6, Enumerate: true}              // and by enumeration
	cautious  = search.Direction{Start: 0, Gens: 6, Enumerate: true}              // the sequent's own terms first
	short     = search.Direction{Start: 0, Gens: 4, Enumerate: true}              // and few steps away from them
	solving   = search.Direction{Start: 1, Gens: 4, Enumerate: true, Solve: true} // by values that solve
	inductive = search.Direction{Start: 1, Gens: 4, Enumerate: true}
)

// ladder lists the rungs. What proves most in few steps comes first: nine of ten
// obligations need less than a thousandth of the budget. The second round gives each
// selection of hypotheses a fair try, and the third one spends what is left.
var ladder = []rung{
	{"selected", selected, 0.002, noInduction, matching},
	{"lasso", lasso(1), 0.004, noInduction, instances},
	{"triggered", triggered(1.2, 2), 0.003, noInduction, instances},
	{"relevant 16", relevant(16), 0.003, noInduction, cautious},
	{"enclosed", enclosed, 0.002, noInduction, instances},
	{"relevant 28", relevant(28), 0.004, noInduction, cautious},
	{"plain", plain(2), 0.003, noInduction, instances},
	{"all", everything, 0.001, noInduction, cautious},

	{"triggered", triggered(1.2, 2), 0.01, noInduction, instances},
	{"relevant 28", relevant(28), 0.02, noInduction, cautious},
	{"relevant 16", relevant(16), 0.02, noInduction, cautious},
	{"selected", selected, 0.01, noInduction, matching},
	{"lasso", lasso(1), 0.015, noInduction, instances},
	{"relevant 8", relevant(8), 0.015, noInduction, instances},
	{"enclosed", enclosed, 0.01, noInduction, instances},
	{"plain", plain(2), 0.01, noInduction, instances},
	{"solve", lasso(1), 0.027, noInduction, solving},
	{"goal", near(1), 0.02, noInduction, short},
	{"all", everything, 0.01, noInduction, cautious},
	{"induction", lasso(1), 0.02, stepwise, inductive},

	{"goal", near(1), 0.15, noInduction, cautious},
	{"selected", selected, 0.09, noInduction, matching},
	{"relevant 16", relevant(16), 0.08, noInduction, instances},
	{"lasso", lasso(1), 0.19, noInduction, instances},
	{"solve", lasso(1), 0.08, noInduction, solving},
	{"lasso", lasso(1), 0.075, noInduction, short},
	{"relevant 28", relevant(28), 0.05, noInduction, short},
	{"triggered", triggered(1.2, 2), 0.02, noInduction, instances},
	{"all", everything, 0.055, noInduction, cautious},
	{"complete induction", lasso(1), 0.03, complete, inductive},
	{"plain", plain(2), 0.03, noInduction, instances},
}

// effort is what an attempt was given: hypotheses and directions. Less of the budget
// with the same is of no use.
type effort struct {
	hyps   string
	induct scheme
	search.Direction
}

func effortOf(r rung, hyps []int) effort {
	var key []byte
	for _, i := range slices.Sorted(slices.Values(hyps)) {
		key = binary.AppendUvarint(key, uint64(i))
	}
	return effort{string(key), r.induct, r.Direction}
}
