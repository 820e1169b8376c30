package refute_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/refute"
)

// Of random sequents about finite and infinite sets of sets, relations and pairs,
// none makes the search fail, and what it finds is a counterexample when it is
// evaluated again.
func TestFindOnSetsOfSets(t *testing.T) {
	n := 400
	if os.Getenv("GRADINE_SWEEP") != "" {
		n = 40_000
	}
	found := 0
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 41))
		b := logic.NewBank()
		f := random.NewFormulas(b, r)
		s := logic.Sequent{Bank: b, Goal: b.App(logic.Finite, f.Expr(b.PowType(f.Type(2)), 3))}
		for range r.IntN(3) {
			s.Hyps = append(s.Hyps, f.Pred(2))
		}
		if r.IntN(4) == 0 {
			s.Hyps, s.Goal = append(s.Hyps, s.Goal), f.Pred(2)
		}
		x, _ := refute.Find(s, 20_000)
		if x == nil {
			continue
		}
		found++
		if refute.Confirm(s, x.Model) == nil {
			t.Errorf("seed %d: what was found refutes nothing", seed)
		}
	}
	if found < n/20 {
		t.Errorf("of %d sequents, %d refuted", n, found)
	}
}
