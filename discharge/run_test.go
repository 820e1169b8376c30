package discharge_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
)

func read(t *testing.T, types map[string]string, goal string, hyps ...string) logic.Sequent {
	t.Helper()
	s, err := check.ReadSequent(types, hyps, nil, goal)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var integers = map[string]string{"x": "ℤ", "y": "ℤ", "z": "ℤ", "s": "ℙ(ℤ)"}

// sequents are a few, one of each verdict but open.
func sequents(t *testing.T) []logic.Sequent {
	return []logic.Sequent{
		read(t, integers, "x < z", "x < y", "y < z", "z ∈ s"),
		read(t, integers, "x = 5", "x < y", "y < x"),
		read(t, integers, "x ∈ s", "x > 0", "s ⊆ ℕ"),
	}
}

func run(t *testing.T, list []logic.Sequent, opts discharge.Options) []discharge.Outcome {
	t.Helper()
	out := make([]discharge.Outcome, len(list))
	opts.RefuteSteps = 100_000
	if n := discharge.Run(context.Background(), len(list), func(i int) logic.Sequent { return list[i] }, opts, func(i int, o discharge.Outcome) {
		o.Elapsed = 0
		out[i] = o
	}); n != len(list) {
		t.Fatalf("%d of %d done", n, len(list))
	}
	return out
}

func verdicts(list []discharge.Outcome) (out []discharge.Verdict) {
	for _, o := range list {
		out = append(out, o.Verdict)
	}
	return out
}

// TestStore proves, and finds everything in the store again, in a folder whose
// name is no pattern.
func TestStore(t *testing.T) {
	store := discharge.OpenStore(filepath.Join(t.TempDir(), "[a-b]*"))
	first := run(t, sequents(t), discharge.Options{Store: store})
	if d := cmp.Diff([]discharge.Verdict{discharge.Proved, discharge.Vacuous, discharge.Refuted}, verdicts(first)); d != "" {
		t.Fatal(d)
	}
	for i, o := range run(t, sequents(t), discharge.Options{Store: store}) {
		if o.Verdict != first[i].Verdict || o.Certificate != first[i].Certificate || !cmp.Equal(o.Used, first[i].Used) {
			t.Errorf("%d: %v, then %v", i, first[i], o)
		}
		if first[i].Stored || !o.Stored {
			t.Errorf("%d: from the store %v, then %v", i, first[i].Stored, o.Stored)
		}
	}
	for i, o := range run(t, sequents(t)[:2], discharge.Options{Store: store, Replay: true}) {
		if o.Verdict != first[i].Verdict {
			t.Errorf("%d: replayed as %v", i, o.Verdict)
		}
	}
}

// TestCore finds a stored proof for any sequent that has the hypotheses of its
// core, whatever else it has, and for no other.
func TestCore(t *testing.T) {
	store := discharge.OpenStore(t.TempDir())
	run(t, sequents(t)[:1], discharge.Options{Store: store})
	replay := discharge.Options{Store: store, Replay: true}
	more := read(t, integers, "x < z", "x ∈ s", "y < z", "x < y")
	less := read(t, integers, "x < z", "y < z", "z ∈ s")
	other := read(t, integers, "x < y", "x < y", "y < z")
	if d := cmp.Diff([]discharge.Verdict{discharge.Proved, discharge.Open, discharge.Open}, verdicts(run(t, []logic.Sequent{more, less, other}, replay))); d != "" {
		t.Error(d)
	}
	if used := run(t, []logic.Sequent{more}, replay)[0].Used; !cmp.Equal(used, []int{1, 2}) {
		t.Errorf("uses %v", used)
	}
}

// TestBrokenStore spoils every file of a store in several ways. The verdicts
// stay; nothing false is believed.
func TestBrokenStore(t *testing.T) {
	dir := t.TempDir()
	store := discharge.OpenStore(dir)
	first := run(t, sequents(t), discharge.Options{Store: store})
	kept := files(t, dir)
	if len(kept) < 3 {
		t.Fatalf("%d files stored", len(kept))
	}
	for name, spoil := range map[string]func([]byte) []byte{
		"empty":   func([]byte) []byte { return nil },
		"cut":     func(b []byte) []byte { return b[:len(b)/2] },
		"changed": func(b []byte) []byte { b[len(b)-2] ^= 1; return b },
		"noise":   func(b []byte) []byte { return []byte(strings.Repeat("\xff\n", len(b))) },
	} {
		for file, data := range kept {
			if err := os.WriteFile(file, spoil([]byte(data)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(verdicts(first), verdicts(run(t, sequents(t), discharge.Options{Store: store}))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if d := cmp.Diff(kept, files(t, dir)); d != "" {
			t.Errorf("%s: the store is not mended: %s", name, d)
		}
	}
}

// TestSharedStore proves the same sequents in several runs at once.
func TestSharedStore(t *testing.T) {
	dir := t.TempDir()
	want := verdicts(run(t, sequents(t), discharge.Options{}))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			got := verdicts(run(t, sequents(t), discharge.Options{Store: discharge.OpenStore(dir)}))
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
	all.Wait()
	for name := range files(t, dir) {
		if ext := filepath.Ext(name); ext != ".cert" && ext != ".note" {
			t.Errorf("%s is left behind", name)
		}
	}
}

// TestUnwritableStore proves without a store that can be written.
func TestUnwritableStore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got := verdicts(run(t, sequents(t), discharge.Options{Store: discharge.OpenStore(filepath.Join(file, "store"))}))
	if d := cmp.Diff(verdicts(run(t, sequents(t), discharge.Options{})), got); d != "" {
		t.Error(d)
	}
}

// TestInterrupt ends a run early: what was done is whole, the rest is not touched.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	one := sequents(t)[0]
	n := discharge.Run(ctx, 1000, func(int) logic.Sequent { return one }, discharge.Options{Workers: 1}, func(i int, o discharge.Outcome) {
		if o.Verdict != discharge.Proved {
			t.Errorf("%d: %v", i, o.Verdict)
		}
		if i == 3 {
			cancel()
		}
	})
	if n < 4 || n == 1000 {
		t.Errorf("%d done", n)
	}
}

// TestWorkers compares runs with different numbers of workers, byte by byte.
func TestWorkers(t *testing.T) {
	one := run(t, sequents(t), discharge.Options{Workers: 1})
	for _, workers := range []int{2, 7} {
		for i, o := range run(t, sequents(t), discharge.Options{Workers: workers}) {
			if o.Verdict != one[i].Verdict || o.Steps != one[i].Steps || o.Certificate != one[i].Certificate {
				t.Errorf("%d workers, %d: %v instead of %v", workers, i, o, one[i])
			}
		}
	}
}

// files reads every file below dir.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		out[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
