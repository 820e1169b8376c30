package cli

import (
	"context"
	"io"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/prover/refute"
)

// TestAxiomsHaveModels finds a finite model for the axioms of each context of
// the GPU development: none of them is contradictory.
func TestAxiomsHaveModels(t *testing.T) {
	r := &run{ctx: context.Background(), out: io.Discard, err: io.Discard, dir: "../.."}
	projects, _, err := r.projects(nil)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, p := range projects {
		for _, x := range discharge.Assumptions(p.Dev) {
			c := x.Of.Context
			if c == nil {
				continue
			}
			s := x.Sequent
			s.Hyps = nil
			for _, owner := range append(c.Ancestors[:len(c.Ancestors):len(c.Ancestors)], c) {
				for _, a := range owner.Axioms {
					if !a.Theorem { // theorems follow from the others
						s.Hyps = append(s.Hyps, a.Term)
					}
				}
			}
			if m, steps := refute.Find(s, 20_000_000); m == nil {
				t.Errorf("%s/%s: no model of the axioms within %d steps", p.Name, x.Of.Name(), steps)
				continue
			}
			found++
		}
	}
	if found < 10 {
		t.Errorf("only %d contexts were looked at", found)
	}
}
