// Package sample provides a small project for tests of reports. Only tests import it.
package sample

import (
	"context"
	_ "embed"
	"os"
	"path/filepath"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/project"
)

//go:embed sample.eventb
var text []byte

// Steps is the budget of its proofs.
const Steps = 20_000

// Proved opens the project sample, whose one file has a blank in its name, and proves it:
// one of its obligations is false, and one stays open. The results come from a store, as
// those of reports do. The test runs in another folder from then on.
func Proved(t *testing.T) (*project.Project, []verdict.Result) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.Mkdir("sample", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("sample", "a b.eventb"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	projects, err := project.Open("sample")
	if err != nil {
		t.Fatal(err)
	}
	sample := projects[0]
	obligations, err := sample.Obligations()
	if err != nil {
		t.Fatal(err)
	}
	opts := discharge.Options{Steps: Steps, RefuteSteps: 1_000_000, Store: proofstore.OpenStore(t.TempDir())}
	var results []verdict.Result
	for range 2 {
		if results, err = sample.Prove(context.Background(), obligations, opts, nil); err != nil {
			t.Fatal(err)
		}
	}
	return sample, results
}
