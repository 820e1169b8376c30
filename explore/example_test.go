package explore_test

import (
	"context"
	"fmt"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
)

// A counter that overruns its bound: the trace is the shortest run that shows it.
func ExampleRun() {
	const source = `
machine counter
variables n
invariants
  @small n ≤ 3
events
  event INITIALISATION then n ≔ 0 end
  event step any d where d ∈ 1‥3 then n ≔ n + d end
end
`
	var problems diag.List
	file := lang.Parse("counter.eventb", []byte(source), &problems)
	dev := check.Development("example", []*lang.File{file}, &problems)
	if problems.HasErrors() {
		fmt.Println(problems)
		return
	}
	ctx := context.Background()
	m := dev.Machine("counter")
	setups, _, err := explore.Solve(ctx, dev, m, explore.Setup{}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := explore.Run(ctx, m, setups[0], explore.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Verdict)
	for _, finding := range result.Findings {
		fmt.Println(finding.Kind, finding.Label)
		for _, step := range finding.Trace.Steps {
			fmt.Println(step.Event, step.Params, step.State)
		}
	}
	// Output:
	// counterexample
	// invariant small
	// INITIALISATION [] [{n 0}]
	// step [{d 3}] [{n 3}]
	// step [{d 3}] [{n 6}]
}
