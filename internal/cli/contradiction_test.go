package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
)

// Prover and explorer never contradict each other: no invariant of a verified
// machine of the corpus is violated, and nothing in it lacks a value. With
// GRADINE_SWEEP set the whole corpus is looked at, otherwise a part.
func TestNoContradiction(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := corpus.Path(t, "rodin-dev")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	every, few := 32, 2
	if os.Getenv("GRADINE_SWEEP") != "" {
		every, few = 1, 20
	}
	verified, outcomes := 0, map[string]int{}
	for i, e := range entries {
		if i%every != 0 {
			continue
		}
		var problems diag.List
		projects, err := rodin.Read(filepath.Join(dir, e.Name()), &problems)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range projects {
			dev := check.Development(p.Name, p.Files, &problems)
			for _, m := range verifiedMachines(t, dev) {
				verified++
				outcomes[contradict(t, e.Name(), dev, m)]++
			}
		}
	}
	t.Logf("%d verified machines: %v", verified, outcomes)
	if verified < few || 2*(outcomes[string(explore.Complete)]+outcomes[string(explore.Bounded)]) < verified {
		t.Error("few machines are verified and explored")
	}
}

func verifiedMachines(t *testing.T, dev *model.Development) []*model.Machine {
	obligations, err := po.All(dev, nil)
	if err != nil {
		t.Fatal(err)
	}
	results := make([]verdict.Result, len(obligations))
	discharge.Run(context.Background(), len(obligations), func(i int) logic.Sequent { return obligations[i].Sequent() }, discharge.Options{Steps: 1_000_000}, func(i int, o verdict.Outcome) {
		results[i] = verdict.Result{Obligation: obligations[i], Outcome: o}
	})
	var out []*model.Machine
	for _, s := range judgement.Components(dev, results) {
		if m := s.Of.Machine; m != nil && s.Verified {
			out = append(out, m)
		}
	}
	return out
}

// contradict explores a verified machine briefly. It returns the verdict, or why
// the machine cannot be explored.
func contradict(t *testing.T, project string, dev *model.Development, m *model.Machine) string {
	states := 1_000
	if os.Getenv("GRADINE_SWEEP") != "" {
		states = 100_000
	}
	ctx := corpus.Granted(int64(corpus.Effort(8_000, 8_000, 100_000))) // one state may take much
	var r *explore.Result
	ins, _, err := explore.Solve(ctx, dev, m, explore.Setup{Bounds: map[string]explore.Bounds{"": {Low: 0, High: 2}}}, 1)
	if err == nil {
		r, err = explore.Run(ctx, m, ins[0], explore.Options{NoDeadlock: true, KeepGoing: true, MaxStates: states, MaxMemory: 1 << 30})
	}
	if err != nil {
		t.Logf("%s/%s is not explored: %v", project, m.Name, err)
		return notExplored(err)
	}
	for _, f := range r.Findings {
		t.Errorf("%s/%s is verified, but: %s %s %s", project, m.Name, f.Kind, f.Label, f.Why)
	}
	return string(r.Verdict)
}

// notExplored is the kind of reason that err is.
func notExplored(err error) string {
	if _, ok := errors.AsType[explore.Unbounded](err); ok {
		return "something has no bound"
	}
	for _, kind := range []string{"have no solution", "an axiom has no value", "ended the search for values"} {
		if strings.Contains(err.Error(), kind) {
			return "constants: " + kind
		}
	}
	return "other"
}
