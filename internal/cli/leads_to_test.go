package cli

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/project"
)

// counters writes a random machine of two counters, and a claim of what leads to what.
func counters(w *rand.Rand) (machine, claim string, fair []string, from, to string) {
	one := func(xs ...string) string { return xs[w.IntN(len(xs))] }
	var m strings.Builder
	m.WriteString("machine m\nvariables x y\ninvariants\n    @x x ∈ 0‥3\n    @y y ∈ 0‥2\nevents\n    event INITIALISATION\n    then\n        @a x ≔ 0\n        @b y ≔ 0\n    end\n")
	events := []string{"up"}
	m.WriteString("    event up\n    where\n        @more x < 3\n        @g " + one("⊤", "⊤", "y = 0", "y < 2", "x < 2 ∨ y = 1") + "\n    then\n        @a x ≔ x + 1\n    end\n")
	for i := range 1 + w.IntN(2) {
		name := fmt.Sprintf("e%d", i)
		events = append(events, name)
		guard, action := one("⊤", "x < 3", "y = 1", "x > 0 ∧ x < 3"), one("y ≔ 0", "y ≔ 1", "y ≔ 2 − y", "x ≔ 3", "x ≔ 0", "y :∈ 0‥2", "y ≔ y")
		fmt.Fprintf(&m, "    event %s\n    where\n        @g %s\n    then\n        @a %s\n    end\n", name, guard, action)
	}
	m.WriteString("end\n")
	from, to = one("⊤", "x > 0", "y = 0"), one("x = 3", "x ≥ 2", "y = 1 ∨ x = 3")
	claim = fmt.Sprintf("name = \"goes\"\nfrom = %q\nto = %q\n", from, to)
	if w.IntN(6) > 0 {
		claim += fmt.Sprintf("by = %q\n", one("3 − x", "3 − x", "x‥2", "2∗(3 − x) + y"))
	}
	if w.IntN(4) > 0 {
		fair = []string{"up"}
		if w.IntN(3) == 0 {
			fair = events
		}
		claim += fmt.Sprintf("helpful = [\"up\"]\nfair = [\"%s\"]\n", strings.Join(fair, `", "`))
	}
	return m.String(), claim, fair, from, to
}

// TestLeadsToHolds proves random claims, and looks for fair runs of their machines that
// violate what was proved.
func TestLeadsToHolds(t *testing.T) {
	proved, violated := 0, 0
	n := corpus.Effort(40, 60, 1500)
	for seed := range n {
		machine, claim, fair, from, to := counters(rand.New(rand.NewPCG(uint64(seed), 4)))
		dir := t.TempDir()
		for name, data := range map[string]string{"m.eventb": machine, "gradine.toml": "[project.p]\nsources = [\".\"]\n[[machine.m.leads_to]]\n" + claim} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		r := &run{ctx: context.Background(), out: io.Discard, err: io.Discard, dir: dir}
		projects, _, err := r.projects(nil)
		if err != nil {
			t.Fatal(err)
		}
		p := projects[0]
		obligations, err := p.Obligations()
		if err != nil {
			t.Fatalf("%v\n%s", err, claim)
		}
		results, err := p.Prove(r.ctx, obligations, discharge.Options{Steps: 200_000, Workers: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := p.Dev.Machine("m")
		scope := p.Scope(m)
		question, err := explore.ParseTemporal(fmt.Sprintf("G ({%s} ⇒ F {%s})", from, to), func(text string) (logic.Term, error) { return scope.Formula(text, lang.ParsePredicate) })
		if err != nil {
			t.Fatal(err)
		}
		question.Weak = fair
		setup, err := p.Setup(m, scope, project.Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		instances, err := explore.Solve(r.ctx, p.Dev, m, setup, 1)
		if err != nil {
			t.Fatal(err)
		}
		found, err := explore.Run(r.ctx, m, instances[0], explore.Options{NoDeadlock: true, NoInvariants: true, Temporal: question, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		holds := !slices.ContainsFunc(results, func(x discharge.Result) bool { return x.Verdict == discharge.Open || x.Verdict == discharge.Refuted })
		if holds {
			proved++
		}
		if len(found.Findings) > 0 {
			violated++
		}
		if holds && len(found.Findings) > 0 {
			t.Errorf("seed %d: proved, and violated by %v\n%s\n%s", seed, found.Findings[0].Trace.Steps, claim, machine)
		}
	}
	t.Logf("%d claims: %d proved, %d violated by a fair run", n, proved, violated)
	if proved < n/20 || violated < n/5 {
		t.Error("too few of one kind")
	}
}
