package cli

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// workers writes a random machine of workers, each with a counter of its own,
// that share a few variables. It is verified whatever its events do to them.
func workers(w *rand.Rand) string {
	one := func(xs ...string) string { return xs[w.IntN(len(xs))] }
	var m strings.Builder
	m.WriteString(`machine workers sees w
variables T_ev c x seen
invariants
    @T T_ev ∈ ℤ
    @x x ∈ ℤ
    @seen seen ∈ 0‥n−1 → ℤ
    @c c ∈ 0‥n−1 → 0‥WG
variant {w, k· w ∈ 0‥n−1 ∧ k ∈ c(w)‥WG−1 ∣ w ↦ k}
events
    event INITIALISATION
    then
        @a T_ev ≔ 0
        @b c ≔ (0‥n−1) × {0}
        @c x ≔ 0
        @d seen ≔ (0‥n−1) × {0}
    end
`)
	for i := range 1 + w.IntN(3) {
		guard := one("⊤", "⊤", "c(w) = 0", "c(w) > 0", "x ≤ 1", "w > 0", "seen(w) ≤ 1", "c(0) > 0 ∨ w = 0")
		fmt.Fprintf(&m, "    convergent event e%d\n    any w\n    where\n        @w w ∈ 0‥n−1\n        @more c(w) < WG\n        @g %s\n    then\n        @c c(w) ≔ c(w) + 1\n", i, guard)
		if w.IntN(4) > 0 {
			fmt.Fprintf(&m, "        @a T_ev ≔ %s\n", one("T_ev + 2", "T_ev + w", "T_ev + c(w)", "2∗T_ev + w", "max({T_ev, 3 + w})", "T_ev + seen(w)", "T_ev + x"))
		}
		if w.IntN(2) == 0 {
			fmt.Fprintf(&m, "        @b %s\n", one("x ≔ x + 1", "x ≔ w", "x ≔ x + c(w)", "seen(w) ≔ seen(w) + 2", "seen(w) ≔ x", "seen(0) ≔ seen(0) + 1"))
		}
		m.WriteString("    end\n")
	}
	m.WriteString("end\n")
	return m.String()
}

// TestSchedulesLeftOut compares what is found with proofs, on random machines,
// with what all schedules of the whole machine give.
func TestSchedulesLeftOut(t *testing.T) {
	n := corpus.Effort(2, 3, 30)
	count := map[tune.By]int{}
	ranges, illegal := 0, 0
	for seed := range n {
		random := rand.New(rand.NewPCG(uint64(seed), 9))
		dir, text := t.TempDir(), workers(random)
		for name, data := range map[string]string{
			"workers.eventb": text,
			"w.eventb":       "context w\nconstants n WG\naxioms\n    @n n ∈ ℕ1\n    @WG WG ∈ ℕ1\nend\n",
			"gradine.toml": `[project.p]
sources = ["."]
[tune.workers]
machine = "workers"
parameters = { WG = "WG" }
objective = "T_ev"
final = "∀w· w ∈ 0‥n−1 ⇒ c(w) = WG"
search = { WG = "1‥2" }
`,
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		r := &run{ctx: context.Background(), out: io.Discard, err: io.Discard, dir: dir}
		projects, _, err := r.projects(nil)
		if err != nil {
			t.Fatal(err)
		}
		given := []project.Assignment{{Name: "n", Value: fmt.Sprint(2 + seed%2)}}
		e, err := projects[0].Entry("workers", projects[0].Config.Tune["workers"], given)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		proofs, err := r.proofs(projects[0], e.Machine, flags.Prove{NoStore: true})
		if err != nil {
			t.Fatal(err)
		}
		proved := proofs.Runs(r.ctx, e)
		if known, err := proved.Schedules(); err != nil || !known.Ends {
			t.Fatalf("seed %d: %+v %v\n%s", seed, known, err, text)
		}
		all, err := tune.Search(r.ctx, e, tune.Options{})
		if err != nil {
			t.Fatal(err)
		}
		some, err := tune.Search(r.ctx, e, tune.Options{Proved: proved})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range all.Points {
			q := some.Points[i]
			if (p.Illegal == "") != (q.Illegal == "") || fmt.Sprint(p.Ranges) != fmt.Sprint(q.Ranges) {
				t.Errorf("seed %d, WG=%v: %v %q; with proofs %v %q\n%s", seed, p.Values[0], p.Ranges, p.Illegal, q.Ranges, q.Illegal, text)
			}
			if q.By == tune.Run && p.By == tune.Run {
				continue
			}
			count[q.By]++
			if q.Illegal != "" {
				illegal++
			} else if q.Ranges[0].Low.Cmp(q.Ranges[0].High) != 0 {
				ranges++
			}
			if q.By == tune.Run && q.Illegal == "" && q.Ranges[0].Low.Cmp(q.Ranges[0].High) != 0 {
				t.Errorf("seed %d: one schedule with two ends", seed)
			}
		}
	}
	t.Logf("%d points by run, %d exhaustive, %d ranges, %d stuck", count[tune.Run], count[tune.Exhaustive], ranges, illegal)
	if min(count[tune.Run], count[tune.Exhaustive], ranges, illegal) < n/10 {
		t.Error("too few of one kind")
	}
}
