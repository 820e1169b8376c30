package refute_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/refute"
)

// sequents calls f with every nth sequent of a file of the reference data, and
// skips the test if that data is absent.
func sequents(t *testing.T, name string, n int, f func(id string, theorem bool, s logic.Sequent)) {
	t.Helper()
	file, err := os.Open(corpus.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<26)
	r := new(check.Reader)
	for i := 0; lines.Scan(); i++ {
		if i%n != 0 {
			continue
		}
		var d struct {
			ID           any
			Goal, Expect string
			Types        map[string]string
			Hyps         []string
		}
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		s, err := r.Sequent(d.Types, d.Hyps, nil, d.Goal)
		if err != nil {
			t.Fatal(d.ID, err)
		}
		f(fmt.Sprint(d.ID), d.Expect != "not-theorem", s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// budget is the number of steps for one sequent.
const budget = 1_000_000

// every returns how many sequents to skip: fewer in a long test run.
func every(long, short int) int {
	if testing.Short() {
		return short
	}
	return long
}

func TestRefutes(t *testing.T) {
	for _, test := range []struct {
		file        string
		long, short int
		percent     int
	}{{"dev-mutants", 10, 80, 95}, {"dev-refuted", 1, 6, 90}, {"generated", 10, 80, 97}} {
		t.Run(test.file, func(t *testing.T) {
			n, found := 0, 0
			sequents(t, "mutants/"+test.file+".jsonl.gz", every(test.long, test.short), func(id string, _ bool, s logic.Sequent) {
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
		sequents(t, file, every(5, 60), func(id string, theorem bool, s logic.Sequent) {
			if x, _ := refute.Find(s, budget); x != nil && theorem {
				data, _ := x.Model.MarshalJSON()
				t.Errorf("%s: refuted by %s", id, data)
			}
		})
	}
}
