package project_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

// sampledSteps bounds the searches that TestLocks repeats: nine lines of ten took less, and all of
// these together a second.
const sampledSteps = 20_000

// TestLocks compares the committed locks of this repository with what is found now: the obligations and their
// fingerprints, and what the shorter searches answer. A change of the search shows in most of them.
func TestLocks(t *testing.T) {
	root := filepath.Join("..")
	projects, err := project.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range projects {
		data, err := os.ReadFile(filepath.Join(root, p.Name+"."+proofstore.LockName))
		if err != nil {
			t.Errorf("%s has no lock: %v", p.Name, err)
			continue
		}
		lock, err := proofstore.DecodeLock(data)
		if err != nil {
			t.Fatal(err)
		}
		obligations, err := p.Obligations()
		if err != nil {
			t.Fatal(err)
		}
		outdated := outdatedLines(t, p, lock, obligations)
		if n := len(outdated); n > 0 {
			t.Errorf("%s.proofs.lock is outdated in at least %d of %d lines, such as %q; `gradine prove --lock` writes it again", p.Name, n, len(lock.Lines), outdated[:min(3, n)])
		}
	}
}

// outdatedLines names the obligations of which the lock does not say what is so.
func outdatedLines(t *testing.T, p *project.Project, lock *proofstore.Lock, obligations []*po.Obligation) (out []string) {
	at := map[string]verdict.LockLine{}
	for _, line := range lock.Lines {
		at[line.Obligation+" "+line.Fingerprint] = line
	}
	keyOf := func(line verdict.LockLine) string { return line.Obligation + " " + line.Fingerprint }
	var all, short []verdict.Result
	var again []*po.Obligation
	for _, o := range obligations {
		all = append(all, verdict.Result{Obligation: o})
	}
	asked := map[string]bool{}
	for _, line := range proofstore.NewLock(all).Lines {
		asked[keyOf(line)] = true
		if _, ok := at[keyOf(line)]; !ok {
			out = append(out, line.Obligation)
		}
	}
	for _, line := range lock.Lines {
		if !asked[keyOf(line)] {
			out = append(out, line.Obligation)
		}
	}
	for _, o := range obligations {
		line := proofstore.NewLock([]verdict.Result{{Obligation: o}}).Lines[0]
		if was, ok := at[keyOf(line)]; ok && was.Steps <= sampledSteps && was.Verdict.Holds() {
			again = append(again, o)
		}
	}
	if len(again) == 0 {
		t.Fatalf("%s: no line is looked at", p.Name)
	}
	short, err := p.Prove(context.Background(), again, discharge.Options{RefuteSteps: flags.RefuteSteps}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range proofstore.NewLock(short).Lines {
		was := at[keyOf(line)]
		if was.Verdict != line.Verdict || was.Steps != line.Steps || !slices.Equal(was.Used, line.Used) {
			out = append(out, line.Obligation)
		}
	}
	return out
}
