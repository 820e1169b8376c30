package explore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rodin"
)

// Every machine of the corpus is set up, explored for a while, and never crashes
// the search. With GRADINE_SWEEP set the whole corpus is looked at, otherwise a part.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	every := 12
	if os.Getenv("GRADINE_SWEEP") != "" {
		every = 1
	}
	dir := corpus.Path(t, "rodin-dev")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for i, e := range entries {
		if i%every != 0 {
			continue
		}
		var problems diag.List
		found, err := rodin.Read(filepath.Join(dir, e.Name()), &problems)
		if err != nil {
			t.Fatal(e.Name(), err)
		}
		for _, p := range found {
			dev := check.Development(p.Name, p.Files, &problems)
			for _, m := range dev.Machines {
				outcome := exploreBriefly(t, e.Name(), dev, m)
				counts[outcome]++
			}
		}
	}
	t.Log(counts)
	if counts["complete"]+counts["counterexample"] < 60/every {
		t.Error("few machines are explored to the end")
	}
}

func exploreBriefly(t *testing.T, project string, dev *model.Development, m *model.Machine) string {
	// A project has up to twenty machines of which each may use up what is granted.
	ctx := corpus.Granted(int64(corpus.Effort(4_000, 4_000, 20_000)))
	setup := Setup{Bounds: map[string]formula.Bounds{"": {Low: 0, High: 2}}}
	ins, _, err := Solve(ctx, dev, m, setup, 1)
	if err != nil {
		t.Logf("%s/%s: %v", project, m.Name, err)
		return "no set-up: " + reasonOf(err)
	}
	r, err := Run(ctx, m, ins[0], Options{NoDeadlock: true, KeepGoing: true, MaxMemory: 1 << 30})
	if unbounded := (formula.Unbounded{}); err != nil {
		if !errors.As(err, &unbounded) {
			t.Logf("%s/%s: %v", project, m.Name, err)
			return "refused"
		}
		t.Logf("%s/%s: %v", project, m.Name, err)
		return "unbounded"
	}
	for _, f := range r.Findings {
		t.Logf("%s/%s: %s %s %s", project, m.Name, f.Kind, f.Label, f.Why)
	}
	if len(r.Unchecked) > 0 {
		t.Logf("%s/%s: unchecked %v", project, m.Name, r.Unchecked)
	}
	if r.Verdict == Bounded {
		t.Logf("%s/%s: bounded: %s", project, m.Name, r.Why)
	}
	return string(r.Verdict)
}

// reasonOf is the kind of reason for which constants have no values.
func reasonOf(err error) string {
	if _, ok := errors.AsType[formula.Unbounded](err); ok {
		return "no bound"
	}
	for _, kind := range []string{"have no solution", "an axiom has no value", "time ended", "24 elements ended"} {
		if strings.Contains(err.Error(), kind) {
			return kind
		}
	}
	return "other"
}
