package judgement

import (
	"context"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover/refute"
)

// TestCutRunsStartAgain: a run that ends with the search that asked for it leaves later searches a run of their own.
func TestCutRunsStartAgain(t *testing.T) {
	const source = `machine counter
variables n
invariants
  @n n ∈ ℕ
events
  event INITIALISATION
  then
    @n n ≔ 0
  end
  event up
  where
    @more n < 9
  then
    @n n ≔ n + 1
  end
end
`
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse("p.eventb", []byte(source), &problems)}, &problems)
	if problems.HasErrors() {
		t.Fatal(problems.Sorted())
	}
	machine := dev.Machines[0]
	runs, of := walks{}, model.Component{Machine: machine}
	runs.add(Assumption{Of: of}, dev, &refute.Counterexample{Model: eval.NewModel()})
	up := runs.guesses(Assumption{Of: of, Event: machine.Event("up")})
	cut, stop := context.WithCancel(t.Context())
	stop()
	if got := up.Models(cut); len(got) != 0 {
		t.Errorf("a run that was cut short has %d guesses", len(got))
	}
	if got := up.Models(t.Context()); len(got) != 1 {
		t.Errorf("the search after it has %d guesses, want 1", len(got))
	}
}
