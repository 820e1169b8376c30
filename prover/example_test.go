package prover_test

import (
	"fmt"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
)

// A sequent is proved from the hypotheses that matter; the proof was checked by the kernel. What
// is not proved is open, which says nothing about its truth.
func ExampleProve() {
	types := map[string]string{"f": "ℙ(S×ℤ)", "x": "S", "S": "ℙ(S)"}
	hyps := []string{"x ∈ S", "f ∈ S → ℕ", "∀y·y∈S ⇒ f(y)≤9"}
	for _, goal := range []string{"f[S] ⊆ 0‥9", "f(x)≤8"} {
		s, err := check.ReadSequent(types, hyps, nil, goal)
		if err != nil {
			fmt.Println(err)
			return
		}
		result := prover.Prove(s, prover.Options{Steps: 1_000_000})
		fmt.Println(goal, result.Verdict, result.Checked.Hyps)
	}
	// Output:
	// f[S] ⊆ 0‥9 proved [1 2]
	// f(x)≤8 open []
}
