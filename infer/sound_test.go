package infer_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/infer"
)

// No run in any set-up meets a state in which a kept candidate is false: set-ups that the
// engines do not see are among them, and no engine runs at all.
func TestKeptIsTrue(t *testing.T) {
	for i, src := range small {
		dev, m, _ := guessed(t, src)
		r, err := infer.Infer(context.Background(), dev, m, infer.Options{All: true, Only: []string{"r8", "r9", "disjoint", "affine", "glue", "nonempty"}, Engines: []string{}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Kept) == 0 {
			t.Errorf("machine %d: nothing is kept", i)
		}
		var kept []infer.Candidate
		for _, k := range r.Kept {
			kept = append(kept, infer.Candidate{Rule: k.Rule, Term: k.Term})
		}
		wider, with := infer.With(r.Development, r.Machine, kept)
		instances, _, err := explore.Solve(context.Background(), wider, with, explore.Setup{Default: 3}, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range instances {
			found, err := explore.Run(context.Background(), with, in, explore.Options{NoDeadlock: true, KeepGoing: true, MaxStates: 2000, Refinement: with.Refines != nil})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found.Findings {
				if strings.HasPrefix(f.Label, "?") {
					t.Errorf("machine %d: kept candidate %s fails: %s", i, f.Label, f.Kind)
				}
			}
		}
	}
}

// wide is a machine with n counters, an event for each, and k candidates about each, of
// which two are invariants.
func wide(n, k int) string {
	var b strings.Builder
	names := func(format string) {
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
	}
	b.WriteString("machine wide variables ")
	names(" x%d")
	b.WriteString("\ninvariants\n")
	names("  @t%[1]d x%[1]d ∈ ℤ\n")
	for j := range k {
		names(fmt.Sprintf("  @C%[1]d_%%[1]d x%%[1]d %[2]s\n", j, []string{"≥ 0", "≤ 3", "≤ 2", "≠ 2", "= 0"}[j]))
	}
	b.WriteString("events\n  event INITIALISATION then ")
	names(" @x%[1]d x%[1]d ≔ 0")
	b.WriteString(" end\n")
	names("  event e%[1]d where @g x%[1]d < 3 then @x x%[1]d ≔ x%[1]d + 1 end\n")
	b.WriteString("end\n")
	return b.String()
}

// A machine with many events and candidates ends; GRADINE_SWEEP makes them 200 and 600.
func TestManyCandidates(t *testing.T) {
	n, k := 8, 4
	if os.Getenv("GRADINE_SWEEP") != "" {
		n, k = 200, 3
	}
	dev, m, candidates := guessed(t, wide(n, k))
	r, err := infer.Check(context.Background(), dev, m, candidates, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Kept) != 2*n || len(r.Kept)+len(r.Killed) != n*k {
		t.Errorf("%d are kept and %d fell, of %d", len(r.Kept), len(r.Killed), n*k)
	}
}

// With no budget nothing is kept, and an interrupt ends the work.
func TestBounds(t *testing.T) {
	dev, m, candidates := guessed(t, wide(4, 2))
	r, err := infer.Check(context.Background(), dev, m, candidates, infer.Options{Attempts: 3})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Bounded {
		t.Error("a bound that was reached is not told")
	}
	for _, k := range r.Kept {
		if len(k.Certificates) == 0 {
			t.Errorf("%s is kept without certificates", k.Rule)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := infer.Check(ctx, dev, m, candidates, infer.Options{}); err == nil {
		t.Error("an interrupted search has a result")
	}
}
