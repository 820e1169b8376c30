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
	ranges, illegal, refused := 0, 0, 0
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
[machine.workers]
threads = ["0‥n−1"]
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
		told := *e
		told.Threads = nil
		all, err := tune.Search(r.ctx, &told, tune.Options{All: seed%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		some, err := tune.Search(r.ctx, e, tune.Options{Proved: proved})
		if err != nil && strings.HasPrefix(err.Error(), "threads ") {
			refused++ // the machine tells them apart
			some, err = tune.Search(r.ctx, &told, tune.Options{Proved: proved})
		}
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
	t.Logf("%d points by run, %d exhaustive, %d ranges, %d stuck; threads that are told apart in %d of %d", count[tune.Run], count[tune.Exhaustive], ranges, illegal, refused, n)
	if min(count[tune.Run], count[tune.Exhaustive], ranges, illegal) < n/10 {
		t.Error("too few of one kind")
	}
}

// ending writes a random machine with a theorem that says what t is in the end, if there is one: events
// may not converge, stop too early, or go on where the theorem is about the end.
func ending(w *rand.Rand) (machine, environment, final string) {
	one := func(good string, others ...string) string { // the good one, mostly
		if w.IntN(6) > 0 {
			return good
		}
		return others[w.IntN(len(others))]
	}
	final = one("x = 3", "x ≥ 3", "x = 3 ∧ on = FALSE", "x = 2")
	var m strings.Builder
	m.WriteString("context C\nconstants n\naxioms\n    @n n ∈ 1‥3\nend\n")
	refined := w.IntN(3) == 0
	if refined {
		fmt.Fprintf(&m, "machine A sees C\nvariables x\ninvariants\n    @x x ∈ 0‥3\nvariant 3 − x\nevents\n    event INITIALISATION\n    then\n        @x x ≔ 0\n    end\n    %s event go\n    where\n        @g x < 3\n    then\n        @x x ≔ %s\n    end\n    event rest\n    end\nend\n",
			one("convergent", "anticipated"), one("x + 1", "3", "x"))
	}
	m.WriteString("machine M")
	if refined {
		m.WriteString(" refines A")
	}
	m.WriteString(" sees C\nvariables x t on\ninvariants\n")
	if !refined {
		m.WriteString("    @x x ∈ 0‥3\n")
	}
	fmt.Fprintf(&m, "    @on on ∈ BOOL\n    @t t = %s\n    theorem @closed %s ⇒ t = %s\n", one("x∗n", "n"), final, one("3∗n", "n + 2∗n", "2∗n"))
	m.WriteString(one("variant 3 − x\n", "variant (3 − x) + card({on} ∩ {TRUE})\n", "variant 6 − 2∗x − card({on} ∩ {FALSE})\n", ""))
	fmt.Fprintf(&m, "events\n    event INITIALISATION\n    then\n        @x x ≔ 0\n        @t t ≔ 0\n        @on on ≔ %s\n    end\n", one("FALSE", "TRUE"))
	status := one("convergent event", "event")
	fmt.Fprintf(&m, "    %s go\n", status)
	if refined {
		m.WriteString("    refines go\n")
	}
	fmt.Fprintf(&m, "    where\n        @g %s\n        @h %s\n    then\n        @x x ≔ x + 1\n        @t t ≔ t + %s\n        @on on ≔ %s\n    end\n", one("x < 3", "x < 2"), one("⊤", "on = TRUE", "n > 1"), one("n", "1"), one("on", "FALSE"))
	if w.IntN(2) == 0 {
		fmt.Fprintf(&m, "    %s flip\n    where\n        @g %s\n    then\n        @on on ≔ %s\n    end\n", one("convergent event", "event"), one("on = TRUE", "on = TRUE ∧ x < 3", "x < 3", "⊤"), one("FALSE", "bool(on = FALSE)"))
	}
	m.WriteString("    event rest\n")
	if refined {
		m.WriteString("    refines rest\n")
	}
	fmt.Fprintf(&m, "    where\n        @g %s\n    end\nend\n", one(final, "x = 3", "x = 3 ∨ on = TRUE", "⊤", "x > 3"))
	return m.String(), one(`["rest"]`, `["rest", "flip"]`, "[]"), final
}

// TestTheoremsOfRandomMachines: where values by theorem are allowed, all schedules end, and end with them.
func TestTheoremsOfRandomMachines(t *testing.T) {
	n := corpus.Effort(20, 60, 1_500)
	allowed, why := 0, map[string]int{}
	for seed := range n {
		machine, environment, final := ending(rand.New(rand.NewPCG(uint64(seed), 17)))
		dir := t.TempDir()
		if !strings.Contains(machine, "flip") {
			environment = strings.Replace(environment, `, "flip"`, "", 1)
		}
		for name, data := range map[string]string{
			"m.eventb":     machine,
			"gradine.toml": "[project.p]\nsources = [\".\"]\n[machine.M]\nenvironment = " + environment + "\n[tune.e]\nmachine = \"M\"\nparameters = { n = \"n\" }\nobjective = \"t\"\nfinal = \"" + final + "\"\ntheorem = \"closed\"\nsearch = { n = \"1‥3\" }\n",
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
		e, err := projects[0].Entry("e", projects[0].Config.Tune["e"], nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, machine)
		}
		proofs, err := r.proofs(projects[0], e.Machine, flags.Prove{NoStore: true, Steps: 300_000})
		if err != nil {
			t.Fatal(err)
		}
		closed, not, err := proofs.ClosedForm(r.ctx, e, "closed")
		if err != nil {
			t.Fatalf("%v\n%s", err, machine)
		}
		if closed == nil || not != "" {
			why[not]++
			continue
		}
		allowed++
		all, err := tune.Search(r.ctx, e, tune.Options{All: true})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, machine)
		}
		by, err := tune.Search(r.ctx, e, tune.Options{Closed: closed})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range all.Points {
			if q := by.Points[i]; p.Illegal != q.Illegal || fmt.Sprint(p.Ranges) != fmt.Sprint(q.Ranges) || q.By != tune.Theorem {
				t.Errorf("seed %d, n=%v: by theorem %v %q, of all schedules %v %q\n%s%s", seed, p.Values[0], q.Ranges, q.Illegal, p.Ranges, p.Illegal, environment, machine)
			}
		}
	}
	t.Logf("%d of %d by theorem; %d reasons why not", allowed, n, len(why))
	if allowed < n/20 || len(why) < 5 {
		t.Errorf("%d by theorem; why not: %v", allowed, why)
	}
}
