package discharge_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
)

// TestChosenValues solves random axioms about a function that no search lists. What they say of single arguments is
// repeated as theorems, which the exploration evaluates: none may fail, and axioms without a solution must have none.
func TestChosenValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(20261128, 1))
	ground := []func() string{
		func() string { return fmt.Sprintf("f(%d) = %d", rng.IntN(3), rng.IntN(3)) },
		func() string { return fmt.Sprintf("f(%d) ≠ %d", rng.IntN(3), rng.IntN(3)) },
		func() string { return fmt.Sprintf("f(%d) < f(%d)", rng.IntN(3), rng.IntN(3)) },
		func() string { return fmt.Sprintf("n = f(%d)", rng.IntN(3)) },
		func() string { return fmt.Sprintf("n ≠ f(%d)", rng.IntN(3)) },
	}
	laws := []string{"", "∀k·k ∈ ℕ ⇒ f(k) ≥ k", "∀k·k ∈ ℕ ⇒ f(k) = f(k + 1)", "∀k·k ∈ ℕ ⇒ f(k + 1) = f(k) + 1", "f ∈ ℕ ↣ ℕ"}
	solved, chosen, unsolved := 0, 0, 0
	for range corpus.Effort(600, 120, 40) {
		var axioms strings.Builder
		fmt.Fprintf(&axioms, "@f f ∈ ℕ → ℕ\n@n n ∈ 0 ‥ 3\n")
		if law := laws[rng.IntN(len(laws))]; law != "" {
			fmt.Fprintf(&axioms, "@law %s\n", law)
		}
		for i := range 1 + rng.IntN(3) {
			atom := ground[rng.IntN(len(ground))]()
			fmt.Fprintf(&axioms, "@a%d %s\ntheorem @t%d %s\n", i, atom, i, atom)
		}
		text := "context c\nconstants f n\naxioms\n" + axioms.String() + "end\nmachine m sees c\nevents event INITIALISATION end\nend\n"
		var problems diag.List
		dev := check.Development("p", []*lang.File{lang.Parse("p.eventb", []byte(text), &problems)}, &problems)
		if problems.HasErrors() {
			t.Fatal(problems, text)
		}
		found, others, err := explore.Solve(t.Context(), dev, dev.Machine("m"), explore.Setup{Choose: discharge.Model}, 0)
		if err != nil {
			unsolved++
			continue
		}
		for _, in := range found {
			solved++
			if len(in.Chosen) > 0 {
				chosen++
			}
			if (len(in.Chosen) > 0) != strings.Contains(others, "was chosen") {
				t.Errorf("chosen %s, but others: %q\n%s", in.Chosen, others, text)
			}
			r, err := explore.Run(t.Context(), dev.Machine("m"), in, explore.Options{NoDeadlock: true})
			if err != nil || len(r.Findings) > 0 || len(r.Unchecked) > 0 {
				t.Errorf("%v %+v in %v\n%s", err, r, in.Bindings(dev.Machine("m")), text)
			}
		}
	}
	t.Logf("%d instances, %d with chosen values; %d sets of axioms without", solved, chosen, unsolved)
	if solved == 0 || chosen == 0 || unsolved == 0 {
		t.Error("not all outcomes were seen")
	}
}
