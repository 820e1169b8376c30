package judgement

import (
	"context"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic/eval"
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
	of := model.Component{Machine: machine}
	runs := &walks{
		premises: []Premises{{Dev: dev}}, of: map[*model.Machine]*walk{},
		models: models{assumes{of: of}: {{model: eval.NewModel()}}},
	}
	var up *assumed
	for _, e := range machine.Events {
		if e.Label == "up" {
			up = &assumed{Assumption: Assumption{Of: of, Event: e}}
		}
	}
	cut, stop := context.WithCancel(t.Context())
	stop()
	if got := runs.guess(cut, up); len(got) != 0 {
		t.Errorf("a run that was cut short has %d guesses", len(got))
	}
	if got := runs.guess(t.Context(), up); len(got) != 1 {
		t.Errorf("the search after it has %d guesses, want 1", len(got))
	}
}
