package eval_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
)

// corpus calls f with each line of a compressed file of the reference data, and
// skips the test if that data is absent.
func corpus(t *testing.T, name string, f func(i int, line []byte)) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		path := filepath.Join(dir, "shared", "corpus", name)
		if file, err := os.Open(path); err == nil {
			defer file.Close()
			z, err := gzip.NewReader(file)
			if err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(z)
			lines.Buffer(nil, 1<<26)
			for i := 0; lines.Scan(); i++ {
				f(i, lines.Bytes())
			}
			if err := lines.Err(); err != nil {
				t.Fatal(err)
			}
			return
		}
		if filepath.Dir(dir) == dir {
			t.Skip("no reference data")
		}
		dir = filepath.Dir(dir)
	}
}

// every returns n in a long test run and m in a short one.
func every(n, m int) int {
	if testing.Short() {
		return m
	}
	return n
}

// TestCountermodels evaluates the countermodels of sequents that are no theorems.
func TestCountermodels(t *testing.T) {
	for _, file := range []string{"dev-mutants", "generated", "dev-refuted"} {
		t.Run(file, func(t *testing.T) {
			r := new(check.Reader)
			counts := map[eval.Truth]int{}
			corpus(t, "mutants/"+file+".jsonl.gz", func(i int, line []byte) {
				if i%every(1, 40) != 0 {
					return
				}
				var d struct {
					ID           string
					Types        map[string]string
					Hyps         []string
					Goal         string
					Countermodel json.RawMessage
				}
				if err := json.Unmarshal(line, &d); err != nil {
					t.Fatal(err)
				}
				s, err := r.Sequent(d.Types, d.Hyps, nil, d.Goal)
				if err != nil {
					t.Fatal(d.ID, err)
				}
				s = s.Bare()
				m, err := eval.ReadModel(s.Bank, s.Bank.FreeIdents(append(s.Hyps, s.Goal)...), d.Countermodel)
				if err != nil {
					t.Fatal(d.ID, err)
				}
				e := eval.New(s.Bank, m, 1<<21)
				start := time.Now()
				res := e.Refutes(s)
				if time.Since(start) > time.Second {
					println("SLOW", d.ID, time.Since(start).String(), e.Steps())
				}
				counts[res]++
				if res != eval.True {
					t.Errorf("%s: %v", d.ID, res)
					explain(t, e, s)
				}
			})
			t.Log(counts)
		})
	}
}

// explain logs the parts of s that do not evaluate as in a counterexample.
func explain(t *testing.T, e *eval.Evaluator, s logic.Sequent) {
	for _, h := range s.Hyps {
		if res := e.Pred(h); res != eval.True {
			t.Logf("  hypothesis %v: %s", res, text.Term(s.Bank, h))
		}
		if res := e.Pred(s.Bank.D(h)); res != eval.True {
			t.Logf("  well-definedness %v: %s", res, text.Term(s.Bank, s.Bank.D(h)))
		}
	}
	if res := e.Pred(s.Goal); res != eval.False {
		t.Logf("  goal %v: %s", res, text.Term(s.Bank, s.Goal))
	}
	if res := e.Pred(s.Bank.D(s.Goal)); res != eval.True {
		t.Logf("  well-definedness of goal %v: %s", res, text.Term(s.Bank, s.Bank.D(s.Goal)))
	}
}
