package prover_test

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
)

// TestBudgets proves with several budgets: what one proves, a larger one proves by the same attempts.
func TestBudgets(t *testing.T) {
	reader := &check.Reader{}
	const most = 400_000
	for _, record := range sample(readRecords(t, *corpusFile), *corpusSample) {
		s, ok := read(t, reader, record)
		if !ok {
			continue
		}
		whole := prover.Prove(s, prover.Options{Steps: most})
		for _, budget := range []int64{300, 3_000, 30_000, whole.Steps, 5 * most} {
			r := prover.Prove(s, prover.Options{Steps: budget})
			// The last attempt may spend a little more than it has, and end with that.
			if proved := whole.Verdict != prover.Open && whole.Steps <= budget; proved || r.Verdict != prover.Open && budget < most {
				if r.Verdict != whole.Verdict || r.Steps != whole.Steps && (proved || r.Steps <= budget) {
					t.Errorf("%s: %v after %d steps of %d, but %v after %d of %d", record.name(), r.Verdict, r.Steps, budget, whole.Verdict, whole.Steps, most)
				}
			}
		}
	}
}

// TestAside interrupts a search once, between two attempts: as soon as it has spent so much, and never if it ends before. It
// goes on as if nothing had been, or ends there.
func TestAside(t *testing.T) {
	r := traps[len(traps)-1]
	s, err := (&check.Reader{}).Sequent(r.Types, r.Hyps, r.Selected, r.Goal)
	if err != nil {
		t.Fatal(err)
	}
	const budget = 300_000
	whole := prover.Prove(s, prover.Options{Steps: budget})
	for _, after := range []int64{0, 1, 1_000, 10 * budget} {
		for _, end := range []bool{false, true} {
			calls := 0
			r := prover.Prove(s, prover.Options{Steps: budget, After: after, Aside: func() bool { calls++; return end }})
			switch ended := after < budget; {
			case calls > 1 || (calls == 1) != ended:
				t.Errorf("after %d steps: called %d times", after, calls)
			case ended && end && (r.Verdict != prover.Open || r.Steps < after || r.Steps >= whole.Steps):
				t.Errorf("ended after %d steps: %v after %d of %d", after, r.Verdict, r.Steps, whole.Steps)
			case !(ended && end) && (r.Verdict != whole.Verdict || r.Steps != whole.Steps || len(r.Tried) != len(whole.Tried)):
				t.Errorf("after %d steps: %v after %d in %d attempts, undisturbed %v after %d in %d", after, r.Verdict, r.Steps, len(r.Tried), whole.Verdict, whole.Steps, len(whole.Tried))
			}
		}
	}
}
