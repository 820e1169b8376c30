package smtlib_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/refute"
)

var (
	answers = flag.Int("answers", 60, "answers that say sat or unsat wanted of each solver")
	seed    = flag.Uint64("seed", 1, "seed of what is drawn")
	timeout = flag.Int("timeout", 1000, "milliseconds that a solver may take for one")
)

// solver is an SMT solver that may be installed.
type solver struct {
	name string
	args func(milliseconds int) []string
}

var solvers = []solver{
	{"z3", func(ms int) []string {
		return []string{"-in", fmt.Sprintf("-t:%d", ms), fmt.Sprintf("-T:%d", 1+ms/500)}
	}},
	{"cvc5", func(ms int) []string {
		return []string{"--lang=smt2", fmt.Sprintf("--tlimit=%d", ms), "--finite-model-find", "-"}
	}},
}

func (v solver) installed() bool {
	_, err := exec.LookPath(v.name)
	return err == nil
}

// need skips the test if the solver is not installed.
func (v solver) need(t *testing.T) {
	if !v.installed() {
		t.Skip("no " + v.name)
	}
}

// ask returns the solver's answer to text: sat, unsat or unknown, the last also where it gives up for whatever
// reason. What it does not understand is an error, but for what it is known not to support.
func (v solver) ask(t *testing.T, text []byte) string {
	t.Helper()
	cmd := exec.Command(v.name, v.args(*timeout)...)
	cmd.Stdin = bytes.NewReader(text)
	out, _ := cmd.CombinedOutput()
	answer, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	switch {
	case answer == "sat" || answer == "unsat":
		return answer
	case strings.HasPrefix(answer, "(error") && !strings.Contains(answer, "Arrays cannot be indexed by array types"):
		t.Errorf("%s: %s\n%s", v.name, answer, text)
	}
	return "unknown"
}

// family makes sequents of one kind, one for each number; not ok where none comes of it.
type family struct {
	name string
	next func(r *rand.Rand) (s logic.Sequent, ok bool)
}

// made lists families that need no reference data. Around models, all are false; theorems
// are true; of the others, some are.
var made = []family{
	{"small, around a model", func(r *rand.Rand) (logic.Sequent, bool) { s, _ := random.Refuted(r, 1); return s, true }},
	{"around a model", func(r *rand.Rand) (logic.Sequent, bool) { s, _ := random.Refuted(r, 2); return s, true }},
	{"of chance", func(r *rand.Rand) (logic.Sequent, bool) {
		f := random.NewFormulas(logic.NewBank(), r)
		return f.Sequent(2, 2), true
	}},
	{"theorems", func(r *rand.Rand) (logic.Sequent, bool) {
		return random.Filled(random.Theorem(logic.NewBank(), r), r), true
	}},
	{"changed theorems", func(r *rand.Rand) (logic.Sequent, bool) {
		s, kind := random.Change(r, random.Theorem(logic.NewBank(), r))
		return s, kind != ""
	}},
}

// record is one sequent of the reference data.
type record struct {
	Project  string            `json:"project"`
	Types    map[string]string `json:"types"`
	Hyps     []string          `json:"hyps"`
	Selected []int             `json:"selected"`
	Goal     string            `json:"goal"`
}

// given draws from a file of the reference data: a project, then a sequent of it, so that
// small projects have as much to say as large ones.
func given(t *testing.T, file string) family {
	projects := map[string][]record{}
	for _, r := range corpus.All[record](t, file) {
		projects[r.Project] = append(projects[r.Project], r)
	}
	names := slices.Sorted(maps.Keys(projects))
	return family{file, func(r *rand.Rand) (logic.Sequent, bool) {
		from := projects[names[r.IntN(len(names))]]
		d := from[r.IntN(len(from))]
		s, err := (&check.Reader{}).Sequent(d.Types, d.Hyps, d.Selected, d.Goal)
		return s, err == nil
	}}
}

// ours draws from the obligations of this repository's own projects.
func ours(t *testing.T) (obligations, changed family) {
	t.Helper()
	projects, err := project.Open("../..")
	if err != nil {
		t.Fatal(err)
	}
	var all []*po.Obligation
	for _, p := range projects {
		os, err := po.All(p.Dev, nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, os...)
	}
	draw := func(r *rand.Rand) logic.Sequent {
		s := all[r.IntN(len(all))].Sequent()
		s.Bank = s.Bank.Extend() // that of a component is frozen
		return s
	}
	return family{"own development", func(r *rand.Rand) (logic.Sequent, bool) { return draw(r), true }},
		family{"own development, changed", func(r *rand.Rand) (logic.Sequent, bool) {
			s, kind := random.Change(r, draw(r).Bare())
			return s, kind != ""
		}}
}

// verdict returns what is known of s without other solvers: proved, refuted or open.
func verdict(s logic.Sequent) string {
	if prover.Prove(s, prover.Options{Steps: 500_000}).Verdict != prover.Open {
		return "proved"
	}
	if x, _ := refute.Find(s, 100_000); x != nil {
		return "refuted"
	}
	return "open"
}

// comparison counts answers.
type comparison struct {
	said     map[string]int // by family, verdict, solver and answer
	definite map[string]int // sat or unsat, by solver, where there is a verdict to compare
}

// ask asks all solvers about s, the i-th sequent of family f. What is proved has no countermodel; what has one is
// not refuted; and no solver contradicts another.
func (c comparison) ask(t *testing.T, f family, i int, s logic.Sequent) {
	known, text := verdict(s), write(t, s)
	before, by := known, "gradine"
	for _, v := range solvers {
		if !v.installed() {
			continue
		}
		answer := v.ask(t, text)
		c.said[fmt.Sprintf("%s: %s, %s %s", f.name, known, v.name, answer)]++
		if answer == "unknown" {
			continue
		}
		if known != "open" {
			c.definite[v.name]++
		}
		meant := map[string]string{"sat": "refuted", "unsat": "proved"}[answer]
		if before != "open" && before != meant {
			t.Errorf("%s, seed %d, number %d: %s says %s, %s %s\n%s", f.name, *seed, i, v.name, answer, by, before, text)
		}
		before, by = meant, v.name
	}
}

// fewest returns how many answers the solver has given that gave the fewest.
func (c comparison) fewest() int {
	least := math.MaxInt
	for _, v := range solvers {
		if v.installed() {
			least = min(least, c.definite[v.name])
		}
	}
	return least
}

// TestDifferential compares answers, of z3 and of cvc5, as far as they are installed, with ours, until each of
// them has given so many that say something:
//
//	GRADINE_SOLVERS=1 go test ./prover/smtlib -run Differential -v -timeout 1h -answers=1000 -seed=7
//
// A run that is cut off has shown every conflict that it found.
func TestDifferential(t *testing.T) {
	if os.Getenv("GRADINE_SOLVERS") == "" {
		t.Skip("GRADINE_SOLVERS=1 asks the solvers, which takes minutes")
	}
	if !slices.ContainsFunc(solvers, solver.installed) {
		t.Skip("no solver")
	}
	families := slices.Clone(made)
	own, changed := ours(t)
	families = append(families, own, changed)
	t.Run("reference data", func(t *testing.T) {
		// The corpus stands twice: it is what people wrote.
		for _, file := range []string{"rodin-dev.sequents", "conformance/sequents", "mutants/dev-mutants", "rodin-dev.sequents", "mutants/generated", "mutants/valid"} {
			families = append(families, given(t, file+".jsonl.gz"))
		}
	})
	c := comparison{map[string]int{}, map[string]int{}}
	for i := 0; c.fewest() < *answers && i < 20**answers; i++ {
		f := families[i%len(families)]
		if s, ok := f.next(rand.New(rand.NewPCG(*seed, uint64(i)))); ok {
			c.ask(t, f, i, s)
		}
		if i%100 == 99 {
			t.Logf("%d sequents, answers %v", i+1, c.definite)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(c.said)) {
		t.Logf("%s %d", k, c.said[k])
	}
	t.Logf("answers %v", c.definite)
	if c.fewest() < *answers {
		t.Errorf("%d answers wanted of each solver", *answers)
	}
}
