package refute_test

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
	"github.com/gradine/gradine/prover/refute"
)

// sequents calls f with every nth sequent of a file of the reference data, and
// skips the test if that data is absent.
func sequents(t *testing.T, name string, n int, f func(id string, s logic.Sequent)) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var file *os.File
	for ; file == nil; dir = filepath.Dir(dir) {
		if file, err = os.Open(filepath.Join(dir, "shared", "corpus", name)); err != nil && filepath.Dir(dir) == dir {
			t.Skip("no reference data")
		}
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
			ID, Name, Goal string
			Types          map[string]string
			Hyps           []string
		}
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		s, err := r.Sequent(d.Types, d.Hyps, nil, d.Goal)
		if err != nil {
			t.Fatal(d.ID, err)
		}
		f(d.ID+d.Name, s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

const budget = 1_000_000

func TestRefutes(t *testing.T) {
	for _, test := range []struct {
		file    string
		every   int
		percent int
	}{{"dev-mutants", 40, 70}, {"dev-refuted", 3, 70}, {"generated", 50, 60}} {
		t.Run(test.file, func(t *testing.T) {
			n, found := 0, 0
			var slowest time.Duration
			every := test.every
			if os.Getenv("REFUTE_ALL") != "" {
				every = 1
			}
			sequents(t, "mutants/"+test.file+".jsonl.gz", every, func(id string, s logic.Sequent) {
				start := time.Now()
				x, steps := refute.Find(s, budget)
				took := time.Since(start)
				slowest = max(slowest, took)
				n++
				if x != nil {
					found++
				}
				if os.Getenv("REFUTE_LOG") != "" {
					println(id, x != nil, steps, took.Milliseconds(), len(s.Hyps))
				}
			})
			t.Logf("%d of %d refuted, at most %v", found, n, slowest)
			if found*100 < n*test.percent {
				t.Errorf("%d of %d refuted", found, n)
			}
		})
	}
}

func TestProvable(t *testing.T) {
	for _, file := range []string{"conformance/sequents.jsonl.gz"} {
		sequents(t, file, 20, func(id string, s logic.Sequent) {
			_ = id
		})
	}
}
