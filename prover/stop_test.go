package prover_test

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
)

// kept reports whether a search stayed within a large budget, but for the last round of its work.
func kept(steps, budget int64) bool { return steps <= budget+budget/40 }

// TestStop asks searches to stop at different calls: they end soon after, without a
// verdict of their own, and a function that never stops them changes nothing.
func TestStop(t *testing.T) {
	r := traps[len(traps)-1]
	s, err := (&check.Reader{}).Sequent(r.Types, r.Hyps, r.Selected, r.Goal)
	if err != nil {
		t.Fatal(err)
	}
	const budget = 1_000_000
	whole := prover.Prove(s, prover.Options{Steps: budget})
	if whole.Verdict != prover.Open || !kept(whole.Steps, budget) {
		t.Errorf("%s after %d steps with a budget of %d", whole.Verdict, whole.Steps, budget)
	}
	calls := 0
	asked := prover.Prove(s, prover.Options{Steps: budget, Stop: func() bool { calls++; return false }})
	if asked.Steps != whole.Steps || asked.Stopped || len(asked.Tried) != len(whole.Tried) {
		t.Errorf("asked %d times: %d steps in %d attempts, stopped: %v; not asked: %d in %d", calls, asked.Steps, len(asked.Tried), asked.Stopped, whole.Steps, len(whole.Tried))
	}
	for _, last := range []int{1, 2, calls / 2, calls} {
		n := 0
		res := prover.Prove(s, prover.Options{Steps: budget, Stop: func() bool { n++; return n >= last }})
		if !res.Stopped || res.Verdict != prover.Open || n != last || last < calls && res.Steps == whole.Steps {
			t.Errorf("stopped at call %d of %d: %s after %d of %d steps and %d calls, stopped: %v", last, calls, res.Verdict, res.Steps, whole.Steps, n, res.Stopped)
		}
	}
}
