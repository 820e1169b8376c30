package smtlib_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/refute"
)

var compared = flag.Int("differential.n", 60, "number of made sequents of each kind to compare")

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

// family makes sequents of one kind.
type family struct {
	name string
	next func(r *rand.Rand) (logic.Sequent, bool)
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

// given returns the sequents of a file of the reference data.
func given(t *testing.T, file string) family {
	rs := records(t, file)
	reader := &check.Reader{}
	return family{file, func(*rand.Rand) (logic.Sequent, bool) {
		if len(rs) == 0 {
			return logic.Sequent{}, false
		}
		d := rs[0]
		rs = rs[1:]
		s, err := reader.Sequent(d.Types, d.Hyps, d.Selected, d.Goal)
		return s, err == nil
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

// compare asks the solvers about n sequents of family f. What is proved has no countermodel; what has one is not
// refuted.
func (f family) compare(t *testing.T, n int) (answers int) {
	count := map[string]int{}
	for i := range n {
		s, ok := f.next(rand.New(rand.NewPCG(uint64(*seed), uint64(i))))
		if !ok {
			continue
		}
		known := verdict(s)
		for _, v := range solvers {
			if !v.installed() {
				continue
			}
			text := write(t, s)
			answer := v.ask(t, text)
			count[fmt.Sprintf("%s %s: %s", known, v.name, answer)]++
			if answer != "unknown" {
				answers++
			}
			if known == "proved" && answer == "sat" || known == "refuted" && answer == "unsat" {
				t.Errorf("%s %d is %s, but %s says %s\n%s", f.name, i, known, v.name, answer, text)
			}
		}
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(count)) {
		out = append(out, fmt.Sprintf("%s %d", k, count[k]))
	}
	t.Logf("%s: %s", f.name, strings.Join(out, ", "))
	return answers
}

// TestDifferential compares answers, of z3 and of cvc5, as far as they are installed, with ours:
//
//	GRADINE_SOLVERS=1 go test ./prover/smtlib -run Differential -v -timeout 1h -differential.n=500 -sample=300
func TestDifferential(t *testing.T) {
	if os.Getenv("GRADINE_SOLVERS") == "" {
		t.Skip("GRADINE_SOLVERS=1 asks the solvers, which takes minutes")
	}
	if !slices.ContainsFunc(solvers, solver.installed) {
		t.Skip("no solver")
	}
	n := *compared
	if testing.Short() {
		n = min(n, 8)
	}
	answers := 0
	for _, f := range made {
		answers += f.compare(t, n)
	}
	if !testing.Short() {
		t.Run("reference data", func(t *testing.T) {
			for _, file := range []string{"rodin-dev.sequents", "conformance/sequents", "mutants/dev-mutants", "mutants/generated", "mutants/valid"} {
				answers += given(t, file+".jsonl.gz").compare(t, *sample)
			}
		})
	}
	t.Logf("%d answers", answers)
	if answers == 0 {
		t.Error("nothing was compared")
	}
}
