package refute_test

import (
	"fmt"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/refute"
)

// sequent is a line of the reference data.
type sequent struct {
	ID           any
	Goal, Expect string
	Types        map[string]string
	Hyps         []string
}

// sequents calls f with every step-th sequent of a file of the reference data, and
// skips the test if that data is absent.
func sequents(t *testing.T, name string, step int, f func(id string, theorem bool, s logic.Sequent)) {
	t.Helper()
	r := new(check.Reader)
	for _, d := range corpus.Lines[sequent](t, name, step) {
		s, err := r.Sequent(d.Types, d.Hyps, nil, d.Goal)
		if err != nil {
			t.Fatal(d.ID, err)
		}
		f(fmt.Sprint(d.ID), d.Expect != "not-theorem", s)
	}
}

// budget is the number of steps for one sequent.
const budget = 1_000_000

func TestRefutes(t *testing.T) {
	for _, test := range []struct {
		file        string
		long, short int
		percent     int
	}{{"dev-mutants", 10, 80, 95}, {"dev-refuted", 1, 6, 90}, {"generated", 10, 80, 97}} {
		t.Run(test.file, func(t *testing.T) {
			n, found := 0, 0
			sequents(t, "mutants/"+test.file+".jsonl.gz", corpus.Effort(test.short, 2*test.long, test.long), func(id string, _ bool, s logic.Sequent) {
				n++
				if x, _ := refute.Find(s, budget); x != nil {
					found++
				}
			})
			t.Logf("%d of %d refuted", found, n)
			if found*100 < n*test.percent {
				t.Errorf("%d of %d refuted", found, n)
			}
		})
	}
}

// TestProvable looks for counterexamples to theorems.
func TestProvable(t *testing.T) {
	for _, file := range []string{"conformance/sequents.jsonl.gz", "mutants/valid.jsonl.gz"} {
		sequents(t, file, corpus.Effort(60, 15, 5), func(id string, theorem bool, s logic.Sequent) {
			if x, _ := refute.Find(s, budget); x != nil && theorem {
				data, _ := x.Model.MarshalJSON()
				t.Errorf("%s: refuted by %s", id, data)
			}
		})
	}
}
