package discharge_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
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

func run(t *testing.T, list []logic.Sequent, opts discharge.Options) []verdict.Outcome {
	t.Helper()
	out := make([]verdict.Outcome, len(list))
	opts.RefuteSteps = 100_000
	if n := discharge.Run(context.Background(), len(list), func(i int) logic.Sequent { return list[i] }, opts, func(i int, o verdict.Outcome) {
		o.Elapsed = 0
		out[i] = o
	}); n != len(list) {
		t.Fatalf("%d of %d done", n, len(list))
	}
	return out
}

func verdicts(list []verdict.Outcome) (out []verdict.Verdict) {
	for _, o := range list {
		out = append(out, o.Verdict)
	}
	return out
}

// outcomes runs list and describes what was found, to the last detail.
func outcomes(t *testing.T, list []logic.Sequent, opts discharge.Options) (out []string) {
	for _, o := range run(t, list, opts) {
		text := fmt.Sprint(o.Verdict, o.End, o.Steps, o.Certificate, o.Used, o.UsedWD, o.Rests, o.Committed)
		if o.Counterexample != nil {
			model, err := o.Counterexample.Model.MarshalJSON()
			text += fmt.Sprintf("%s %v", model, err)
		}
		out = append(out, text)
	}
	return out
}

// TestStore finds everything in the store again, in a folder whose name is not a pattern.
func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[a-b]*")
	want := outcomes(t, sequents(t), discharge.Options{})
	for range 2 {
		if d := cmp.Diff(want, outcomes(t, sequents(t), discharge.Options{Store: proofstore.OpenStore(dir)})); d != "" {
			t.Error(d)
		}
		if n := len(files(t, dir)); n != len(want) {
			t.Errorf("%d files for %d questions", n, len(want))
		}
	}
}

// TestStoreChangesNothing gives runs stores of all kinds: with the answers to other
// questions and of other settings in place of the right ones, cut, changed, empty.
// What is found is always what is found without a store, and spoilt answers are mended.
func TestStoreChangesNothing(t *testing.T) {
	list := noise(t)
	for i := range 12 {
		list = append(list, random.NewFormulas(logic.NewBank(), rand.New(rand.NewPCG(uint64(i), 1))).Sequent(3, 2))
	}
	opts := discharge.Options{Steps: 3000, RefuteSteps: 3000}
	want := outcomes(t, list, opts)
	dir := t.TempDir()
	withStore := opts
	withStore.Store = proofstore.OpenStore(dir)
	outcomes(t, list, withStore)
	good := files(t, dir)
	for _, steps := range []int64{300, 3001} {
		other := withStore
		other.Steps = steps
		outcomes(t, list, other)
	}
	all := files(t, dir)
	names := slices.Sorted(maps.Keys(all))
	rng := rand.New(rand.NewPCG(7, 7))
	for round := range 4 {
		for name, data := range all {
			switch rng.IntN(7) {
			case 0:
				data = all[names[rng.IntN(len(names))]] // the answer to another question
			case 1:
				data = data[:rng.IntN(len(data)+1)]
			case 2:
				b := []byte(data)
				b[rng.IntN(len(b))] ^= byte(1 + rng.IntN(255))
				data = string(b)
			case 3:
				data = ""
			case 4:
				if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
				continue
			}
			if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(want, outcomes(t, list, withStore)); d != "" {
			t.Errorf("round %d: %s", round, d)
		}
		left := files(t, dir)
		for name, data := range good {
			if left[name] != data {
				t.Errorf("round %d: %s is not mended", round, name)
			}
		}
	}
}

// obligation returns the one obligation of a model.
func obligation(t *testing.T, text string) *po.Obligation {
	t.Helper()
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse("m.eventb", []byte(text), &problems)}, &problems)
	all, err := po.All(dev, nil)
	if problems.HasErrors() || err != nil || len(all) != 1 {
		t.Fatal(problems.Sorted(), err, len(all))
	}
	return all[0]
}

// noise is a goal from few hypotheses and from many: the certificate of the one is one
// of the other, and must not be found in the store.
func noise(t *testing.T) []logic.Sequent {
	few := read(t, integers, "x < z", "x < y", "y < z")
	more := []string{"x < y", "y < z"}
	for i := range 40 {
		more = append(more, fmt.Sprintf("∀a·a ∈ s ⇒ (∃b·b ∈ s ∧ b > a + %d)", i))
	}
	return []logic.Sequent{few, read(t, integers, "x < z", more...)}
}

// TestStoreSize keeps a store to its size: the oldest answers go, folder by folder.
func TestStoreSize(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GRADINE_CACHE", dir)
	t.Setenv("GRADINE_CACHE_MB", "0")
	store, err := proofstore.DefaultStore()
	if err != nil {
		t.Fatal(err)
	}
	stay := filepath.Join(dir, "ab", "other")
	if err := os.MkdirAll(filepath.Dir(stay), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(stay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var list []logic.Sequent
	for i := range 200 {
		list = append(list, read(t, integers, fmt.Sprintf("x < y + %d", i+1), "x < y"))
	}
	run(t, list, discharge.Options{Store: store})
	folders := map[string]int{}
	for name := range files(t, dir) {
		folders[filepath.Dir(name)]++
	}
	if folders[filepath.Dir(stay)]--; len(folders) < 100 {
		t.Errorf("%d folders", len(folders))
	}
	for name, n := range folders {
		if n > 1 {
			t.Errorf("%s: %d answers", name, n)
		}
	}
	if _, err := os.Stat(stay); err != nil {
		t.Errorf("what is not of the store is gone: %v", err)
	}
}

// TestCertificates proves by certificates that are committed, and by nothing else,
// what has their goal and their core.
func TestCertificates(t *testing.T) {
	theorem := obligation(t, "context c constants s axioms @zero 0 ∈ s @next ∀n· n ∈ s ⇒ n + 1 ∈ s theorem @`a b` 5 ∈ s end")
	few := theorem.Sequent()
	next := "∀n· n ∈ s ⇒ n + 1 ∈ s"
	more := read(t, integers, "5 ∈ s", "x ∈ s", next, "0 ∈ s")
	less := read(t, integers, "5 ∈ s", next, "x ∈ s")
	other := read(t, integers, "6 ∈ s", "0 ∈ s", next)
	var found []verdict.Result
	n := discharge.RunToCommit(context.Background(), 1, func(int) logic.Sequent { return few }, discharge.Options{Steps: 50}, 1_000_000, func(_ int, o verdict.Outcome) {
		found = append(found, verdict.Result{Obligation: theorem, Outcome: o})
	})
	if n != 1 || !found[0].Committed || found[0].Verdict != verdict.Proved {
		t.Fatalf("%v", found)
	}
	text := proofstore.NewCertificates(found).Encode()
	for name, data := range map[string]string{
		"as it is": string(text),
		"twice":    string(text) + strings.SplitAfterN(string(text), "\n", 2)[1],
	} {
		committed, err := proofstore.DecodeCertificates([]byte(data))
		if err != nil || committed.Len() != 1 || string(committed.Encode()) != string(text) {
			t.Fatalf("%s: %v\n%s", name, err, committed.Encode())
		}
		list := []logic.Sequent{few, more, less, other}
		got := run(t, list, discharge.Options{Committed: committed, Replay: true})
		if d := cmp.Diff([]verdict.Verdict{verdict.Proved, verdict.Proved, verdict.Open, verdict.Open}, verdicts(got)); d != "" {
			t.Error(d)
		}
		if got[0].Certificate != found[0].Certificate || !cmp.Equal(got[1].Used, []int{1, 2}) {
			t.Errorf("%v instead of %v, used %v", got[0].Certificate, found[0].Certificate, got[1].Used)
		}
	}
	// What a search finds needs no certificate, also if there is one.
	discharge.RunToCommit(context.Background(), 1, func(int) logic.Sequent { return few }, discharge.Options{Committed: proofstore.NewCertificates(found)}, 0, func(_ int, o verdict.Outcome) {
		if o.Committed || o.Verdict != verdict.Proved {
			t.Errorf("%v", o)
		}
	})
	conflict := strings.Replace(string(text), "\n", "\n<<<<<<< HEAD\n", 1)
	if c, err := proofstore.DecodeCertificates([]byte(conflict)); err == nil || !strings.Contains(err.Error(), "line 2: it contains merge conflict markers") || c.Len() != 1 {
		t.Errorf("%d certificates, %v", c.Len(), err)
	}
	// A spoilt certificate proves nothing.
	for i := 30; i < len(text); i += 17 {
		spoilt := slices.Clone(text)
		spoilt[i] ^= 2
		c, _ := proofstore.DecodeCertificates(spoilt)
		for j, o := range run(t, []logic.Sequent{less, other}, discharge.Options{Committed: c, Replay: true}) {
			if o.Verdict != verdict.Open {
				t.Errorf("byte %d spoilt: sequent %d is %s", i, j, o.Verdict)
			}
		}
	}
}

// TestSharedStore proves the same sequents in several runs at once.
// TestKnown proves with what is known: a proof is one of any sequent with its goal that has the
// hypotheses it uses, and of no other.
func TestKnown(t *testing.T) {
	known := &proofstore.Certificates{}
	for _, o := range run(t, sequents(t), discharge.Options{}) {
		known.Remember(o)
		known.Remember(o)
	}
	if known.Len() != 2 {
		t.Errorf("%d certificates are known, not those of the two that are proved", known.Len())
	}
	out := run(t, []logic.Sequent{
		read(t, integers, "x < z", "z ∈ s", "y < z", "s ⊆ ℕ", "x < y"),
		read(t, integers, "x < z", "x < y", "z ∈ s"),
		read(t, integers, "x = 6", "x < y", "y < x"),
	}, discharge.Options{Known: known})
	if !out[0].Committed || out[0].Verdict != verdict.Proved {
		t.Errorf("with more hypotheses in another order: %s, known %t", out[0].Verdict, out[0].Committed)
	}
	if out[1].Verdict != verdict.Refuted {
		t.Errorf("without a hypothesis that the proof uses: %s", out[1].Verdict)
	}
	if out[2].Verdict != verdict.Vacuous || out[2].Committed {
		t.Errorf("another goal from hypotheses that contradict each other: %s, known %t", out[2].Verdict, out[2].Committed)
	}
}

func TestSharedStore(t *testing.T) {
	dir := t.TempDir()
	want := verdicts(run(t, sequents(t), discharge.Options{}))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			got := verdicts(run(t, sequents(t), discharge.Options{Store: proofstore.OpenStore(dir)}))
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
	all.Wait()
	for name := range files(t, dir) {
		if filepath.Ext(name) != ".answer" {
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
	got := verdicts(run(t, sequents(t), discharge.Options{Store: proofstore.OpenStore(filepath.Join(file, "store"))}))
	if d := cmp.Diff(verdicts(run(t, sequents(t), discharge.Options{})), got); d != "" {
		t.Error(d)
	}
}

// TestInterrupt ends a run early: what was done is whole, the rest is not touched.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	one := sequents(t)[0]
	n := discharge.Run(ctx, 1000, func(int) logic.Sequent { return one }, discharge.Options{Workers: 1}, func(i int, o verdict.Outcome) {
		if o.Verdict != verdict.Proved {
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
