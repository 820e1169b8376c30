package prover_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/refute"
)

var (
	mutants      = flag.Int("mutants.n", 150, "number of false sequents to try")
	mutantsSeed  = flag.Uint64("mutants.seed", 1, "seed of what is made")
	mutantsSteps = flag.Int64("mutants.steps", 200_000, "budget of one false sequent; every twentieth gets ten times as much")
	mutantsFrom  = flag.String("mutants.from", "", "use sources only whose name contains this")
)

// falsehood is a sequent that a model refutes, as the exact evaluator confirms.
type falsehood struct {
	logic.Sequent
	model   *eval.Model
	changes []string // what was done to make it
}

// source makes false sequents; none if it is out of luck.
type source struct {
	name string
	next func(r *rand.Rand) []falsehood
}

// changed returns s after one or two changes.
func changed(r *rand.Rand, s logic.Sequent) (f falsehood) {
	f.Sequent = s
	for range 1 + r.IntN(5)/4 {
		t, kind := random.Change(r, f.Sequent)
		if kind == "" {
			break
		}
		f.Sequent, f.changes = t, append(f.changes, kind)
	}
	return f
}

// searched looks for a counterexample to a changed sequent. More changes that the same
// model refutes come with it.
func searched(r *rand.Rand, s logic.Sequent, more, steps int) []falsehood {
	f := changed(r, s.Bare())
	if f.changes == nil {
		return nil
	}
	x, _ := refute.Find(f.Sequent, steps)
	if x == nil {
		return nil
	}
	data, err := x.Model.MarshalJSON()
	if err != nil {
		return nil
	}
	m, err := eval.ReadModel(f.Bank, f.Bank.FreeIdents(append(slices.Clone(f.Hyps), f.Goal)...), data)
	if err != nil {
		return nil
	}
	f.model = m
	out := []falsehood{f}
	for range more {
		g := changed(r, f.Sequent)
		if g.changes != nil && random.Refutes(g.Sequent, m) {
			out = append(out, falsehood{g.Sequent, m, append(g.changes, f.changes...)})
		}
	}
	return out
}

// fromRecords changes sequents of the reference data.
func fromRecords(name string, rs []record) source {
	reader := &check.Reader{}
	return source{name, func(r *rand.Rand) []falsehood {
		d := rs[r.IntN(len(rs))]
		s, err := reader.Sequent(d.Types, d.Hyps, d.Selected, d.Goal)
		if err != nil {
			return nil
		}
		return searched(r, s, 8, 200_000)
	}}
}

// fromRewrites changes the rewrites of Rodin's simplifiers.
func fromRewrites(rs []rewriting) source {
	reader := &check.Reader{}
	return source{"rewrites", func(r *rand.Rand) []falsehood {
		s, _, err := rs[r.IntN(len(rs))].statement(reader)
		if err != nil {
			return nil
		}
		return searched(r, s, 1, 100_000)
	}}
}

// fromSchemata changes instances of axiom schemata and lemmas, with random terms for some of their
// parameters, so that one of some random models refutes them. If asked for, there are further
// hypotheses that hold in it.
func fromSchemata(name string, context bool) source {
	return source{name, func(r *rand.Rand) []falsehood {
		b := logic.NewBank()
		s := random.Filled(random.Theorem(b, r), r)
		out := changed(r, s)
		for range 40 {
			m := random.Model(b, r, append(slices.Clone(out.Hyps), out.Goal)...)
			if !random.Refutes(out.Sequent, m) {
				continue
			}
			if context {
				out.Sequent = random.Beside(r, out.Sequent, m, 2)
			}
			out.model = m
			return []falsehood{out}
		}
		return nil
	}}
}

// fromNothing makes sequents around a model.
func fromNothing(name string, depth int) source {
	return source{name, func(r *rand.Rand) []falsehood {
		s, m := random.Refuted(r, depth)
		return []falsehood{{s, m, []string{fmt.Sprintf("made with %d hypotheses", len(s.Hyps))}}}
	}}
}

// TestMutants makes false sequents, and wants none of them proved, nor their hypotheses said to be
// contradictory:
//
//	go test ./prover -run TestMutants -v -timeout 3h -mutants.n=100000 -mutants.seed=7
func TestMutants(t *testing.T) {
	count, kinds := map[string]int{}, map[string]int{}
	var names []string
	sources := falseSequents(t)
	for _, s := range sources {
		names = append(names, s.name)
	}
	start := time.Now()
	tried, done, wanted := uint64(0), 0, *mutants
	if testing.Short() {
		wanted = min(wanted, 150)
	}
	for i := 0; done < wanted; i++ {
		src := sources[i%len(sources)]
		var fs []falsehood
		for fs == nil {
			tried++
			fs = src.next(rand.New(rand.NewPCG(*mutantsSeed, tried)))
		}
		for _, f := range fs {
			steps := *mutantsSteps
			if done%20 == 19 {
				steps *= 10
			}
			f.try(t, fmt.Sprintf("seed %d, number %d, %s", *mutantsSeed, tried, src.name), steps)
			count[src.name]++
			for _, kind := range f.changes {
				kinds[kind]++
			}
			if done++; done%1000 == 0 {
				t.Logf("%d of %d in %v: %v", done, tried, time.Since(start).Round(time.Second), inOrder(names, count))
			}
		}
	}
	t.Logf("%d of %d: %v", done, tried, inOrder(names, count))
	t.Logf("changes: %v", inOrder(slices.Sorted(maps.Keys(kinds)), kinds))
}

// try wants f not to be proved.
func (f falsehood) try(t *testing.T, name string, steps int64) {
	if !random.Refutes(f.Sequent, f.model) && refute.Confirm(f.Sequent, f.model) == nil {
		t.Errorf("%s: the model is not a counterexample", name)
	}
	res := prover.Prove(f.Sequent, prover.Options{Steps: steps})
	if res.Verdict != prover.Open {
		model, _ := f.model.MarshalJSON()
		t.Errorf("%s, %v: %v, but refuted by %s\n%s", name, f.changes, res.Verdict, model, print(f.Sequent))
	}
	if res.Uncertified > 0 {
		t.Errorf("%s: the kernel refused a proof: %v\n%s", name, res.Refusal, print(f.Sequent))
	}
}

// TestStoredMutants wants none of the false sequents of the reference data proved. With GRADINE_SWEEP set, all
// of them are tried.
func TestStoredMutants(t *testing.T) {
	stride := 60
	switch {
	case os.Getenv("GRADINE_SWEEP") != "":
		stride = 1
	case testing.Short():
		stride = 200
	}
	reader := &check.Reader{}
	for _, file := range []string{"dev-mutants", "generated", "dev-refuted"} {
		tried := 0
		for i, d := range readRecords(t, "mutants/"+file+".jsonl.gz") {
			if i%stride != 0 {
				continue
			}
			s, ok := read(t, reader, d)
			if !ok {
				continue
			}
			tried++
			if v := prover.Prove(s, prover.Options{Steps: 1_000_000}).Verdict; v != prover.Open {
				t.Errorf("%s: %v, but no theorem", d.name(), v)
			}
		}
		t.Logf("%s: %d tried", file, tried)
	}
}

func inOrder(names []string, count map[string]int) string {
	var out []string
	for _, n := range names {
		out = append(out, fmt.Sprintf("%s %d", n, count[n]))
	}
	return strings.Join(out, ", ")
}

// falseSequents lists the sources; those that need the reference data are left out where it is absent.
func falseSequents(t *testing.T) (out []source) {
	all := []source{fromNothing("small", 2), fromNothing("large", 3), fromSchemata("schemata", false), fromSchemata("schemata in context", true)}
	t.Run("reference data", func(t *testing.T) {
		for _, file := range []string{"rodin-dev.sequents", "conformance/sequents", "mutants/valid"} {
			all = append(all, fromRecords(file, readRecords(t, file+".jsonl.gz")))
		}
		all = append(all, fromRewrites(corpus.All[rewriting](t, rewrites)))
	})
	for _, s := range all {
		if strings.Contains(s.name, *mutantsFrom) {
			out = append(out, s)
		}
	}
	return out
}

// print returns s as text.
func print(s logic.Sequent) string {
	var out strings.Builder
	for _, h := range s.Hyps {
		fmt.Fprintf(&out, "    %s\n", text.Options{}.Term(s.Bank, h))
	}
	fmt.Fprintf(&out, "  ⊢ %s", text.Options{}.Term(s.Bank, s.Goal))
	return out.String()
}
