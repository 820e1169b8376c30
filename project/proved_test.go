package project_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/reduction"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/project"
)

// TestProvedInvariants explores random machines with invariants of which some are proved, some
// are true all the same, and some are false. What is left out because it is proved changes
// no verdict, and what is proved without the rest holds in every state that is reached.
func TestProvedInvariants(t *testing.T) {
	count := map[string]int{}
	for seed := range corpus.Seeds(30, 100, 3_000) {
		r := rand.New(rand.NewPCG(uint64(seed), 43))
		steps := randomSteps(r)
		text := claimed(steps, nil)
		var invariants strings.Builder
		for i := range 1 + r.IntN(4) {
			theorem := ""
			if r.IntN(4) == 0 {
				theorem = "theorem "
			}
			of := condition(r, "", false).text
			if r.IntN(3) == 0 {
				of = "(" + of + ") ∨ " + condition(r, "", false).text
			}
			fmt.Fprintf(&invariants, "    %s@i%d %s\n", theorem, i, of)
		}
		begins := "machine m\n" + strings.SplitN(text, "machine m\n", 2)[1]
		at := strings.Index(begins, "events\n")
		now := begins[:at] + invariants.String() + begins[at:]
		now = strings.Replace(now, "@x x :∈ 0‥2", fmt.Sprintf("@x x ≔ %d", r.IntN(modulus)), 1)
		now = strings.Replace(now, "@y y :∈ 0‥2", fmt.Sprintf("@y y :∈ {%d, %d}", r.IntN(modulus), r.IntN(modulus)), 1)
		text = strings.Replace(text, begins, now, 1)
		p := hintedProject(t, text)
		machine := p.Dev.Machine("m")
		if !machine.Whole {
			t.Fatalf("%v\n%s", p.Problems.Sorted(), text)
		}
		all, err := p.Obligations()
		if err != nil {
			t.Fatal(err)
		}
		results, err := p.Prove(context.Background(), all, discharge.Options{Steps: 50_000, RefuteSteps: 1, Workers: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		in := firstInstance(t, p, machine)
		run := func(opt explore.Options) *explore.Result {
			opt.NoDeadlock = true
			found, err := explore.Run(context.Background(), machine, in, opt)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			return found
		}
		everything := run(explore.Options{KeepGoing: true})
		violated := func(label string) bool {
			return slices.ContainsFunc(everything.Findings, func(x explore.Finding) bool { return x.Kind == explore.InvariantFails && x.Label == label })
		}
		inductive := reduction.InductiveOf(p.Dev, machine, results)
		if inductive.Why == "" {
			for _, inv := range machine.Invariants {
				if !slices.Contains(inductive.Unproved, inv) && violated(inv.Label) {
					t.Fatalf("seed %d: %s is proved, and violated\n%s", seed, inv.Label, text)
				}
			}
		}
		for _, s := range []reduction.Search{{}, {KeepGoing: true}} {
			preserved, _ := reduction.Preserved(p.Dev, machine, results, s)
			some := run(explore.Options{Proved: preserved, KeepGoing: s.KeepGoing})
			if (some.Verdict == explore.Complete) != (everything.Verdict == explore.Complete) {
				t.Fatalf("seed %d: %s, and %s without %d invariants that are preserved\n%s", seed, everything.Verdict, some.Verdict, len(preserved), text)
			}
			if len(preserved) > 0 && some.Verdict == explore.Complete {
				count["left out, and complete"]++
			} else if len(preserved) > 0 {
				count["left out, and violated"]++
			}
		}
		if inductive.Why == "" && len(inductive.Unproved) > 0 && everything.Verdict != explore.Complete {
			count["some proved, some false"]++
		}
	}
	t.Logf("%v", count)
	for _, kind := range []string{"left out, and complete", "left out, and violated", "some proved, some false"} {
		if count[kind] == 0 {
			t.Errorf("none of: %s", kind)
		}
	}
}

// firstInstance is the first set-up of a machine of p.
func firstInstance(t *testing.T, p *project.Project, machine *model.Machine) *explore.Instance {
	t.Helper()
	setup, err := p.Setup(machine, p.Scope(machine), project.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	instances, _, err := explore.Solve(context.Background(), p.Dev, machine, setup, 1)
	if err != nil {
		t.Fatal(err)
	}
	return instances[0]
}
