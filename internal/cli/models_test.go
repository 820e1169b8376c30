package cli

import (
	"context"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/prover/refute"
	"github.com/gradine/gradine/tune"
)

// TestAxiomsHaveModels finds a finite model for the axioms of each context of
// the GPU development: none of them is contradictory. Where the search finds none, a
// legal point of what is tuned is one.
func TestAxiomsHaveModels(t *testing.T) {
	r := &run{ctx: context.Background(), out: io.Discard, err: io.Discard, dir: "../.."}
	projects, _, err := r.projects(nil)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, p := range projects {
		for _, x := range judgement.Assumptions(judgement.Premises{Dev: p.Dev}) {
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
			if m, steps := refute.Find(s, 20_000_000); m == nil && !hasLegalPoint(t, projects, p, c) {
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

// hasLegalPoint reports whether the axioms of a context hold at some point of an entry
// whose machine sees it.
func hasLegalPoint(t *testing.T, projects []*project.Project, of *project.Project, context *model.Context) bool {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(of.Config.Tune)) {
		conf := of.Config.Tune[name]
		opened, err := project.Tuned(projects, conf)
		if err != nil {
			t.Fatal(err)
		}
		if opened != of || !slices.Contains(of.Dev.Machine(conf.Machine).Contexts, context) {
			continue
		}
		instances, err := project.Instances(conf)
		if err != nil {
			t.Fatal(err)
		}
		entry, err := of.Entry(name, conf, instances[0].Given)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := tune.Points(t.Context(), entry, tune.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if legal, _ := answer.Legal(); legal > 0 {
			return true
		}
	}
	return false
}
