package project

import (
	"testing"
	"testing/fstest"

	"github.com/gradine/gradine/prover"
)

// TestStepsOfRevision: a review has the budget of the longest search that gradine.toml allows, and never less than the default.
func TestStepsOfRevision(t *testing.T) {
	for text, want := range map[string]int64{
		"[project.a]\nsources = [\"a\"]\n":                                                                  prover.DefaultSteps,
		"[project.a]\nsources = [\"a\"]\nsteps = 1_000\n":                                                   prover.DefaultSteps,
		"[project.a]\nsources = [\"a\"]\nsteps = 1_000\n[project.b]\nsources = [\"b\"]\nsteps = 20_000_000": 20_000_000,
	} {
		tree := fstest.MapFS{"gradine.toml": {Data: []byte(text)}, "a/m.eventb": {Data: []byte("context m\nend\n")}, "b/n.eventb": {Data: []byte("context n\nend\n")}}
		revision, err := ReadRevision(tree, ".")
		if err != nil {
			t.Fatal(err)
		}
		if got := revision.steps(); got != want {
			t.Errorf("%q: %d steps, want %d", text, got, want)
		}
	}
}
