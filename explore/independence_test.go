package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/reduction"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/order"
	"github.com/gradine/gradine/po"
)

// proofSteps is the budget of one proof in these tests.
const proofSteps = 100_000

// randomThreads is the text of a machine of threads that share sets, a counter and
// tables. Its typing invariants are inductive more often than not.
func randomThreads(r *rand.Rand) string {
	one := func(xs ...string) string { return xs[r.IntN(len(xs))] }
	var w strings.Builder
	ring := r.IntN(2) == 0
	ids, next := "S", "next(p)"
	if ring {
		ids, next = "0‥N−1", "(p+1) mod N"
		w.WriteString("context c\nconstants N\naxioms\n@N N ∈ 2‥9\nend\n")
	} else {
		w.WriteString("context c\nsets S\nconstants next\naxioms\n@next next ∈ S ⤖ S\nend\n")
	}
	fmt.Fprintf(&w, `machine m sees c
variables pc held n seen
invariants
@pc pc ∈ %[1]s → 0‥3
@held held ⊆ %[1]s
@n n ∈ 0‥2
@seen seen ∈ %[1]s → 0‥2
`, ids)
	if r.IntN(2) == 0 {
		fmt.Fprintf(&w, "@more %s\n", one("n ≤ 1", "held ≠ "+ids, "∀p·p ∈ held ⇒ pc(p) > 0", "∀p·p ∈ dom(seen) ∧ pc(p) = 0 ⇒ seen(p) = 0"))
	}
	fmt.Fprintf(&w, "events\nevent INITIALISATION then\n@pc pc ≔ (%[1]s) × {0}\n@held held ≔ ∅\n@n n ≔ %[2]s\n@seen seen ≔ (%[1]s) × {0}\nend\n", ids, one("0", "1", "2"))
	for i := range 2 + r.IntN(3) {
		at := r.IntN(3)
		guards := []string{"p ∈ " + ids, fmt.Sprintf("pc(p) = %d", at)}
		actions := []string{fmt.Sprintf("pc(p) ≔ %d", (at+1)%(3+r.IntN(2)))}
		params := "p"
		switch r.IntN(10) {
		case 0:
			guards, actions = append(guards, "n > 0"), append(actions, "n ≔ n − 1")
		case 1:
			guards, actions = append(guards, "n < 2"), append(actions, "n ≔ n + 1")
		case 2:
			guards, actions = append(guards, "p ∉ held"), append(actions, "held ≔ held ∪ {p}")
		case 3:
			guards, actions = append(guards, next+" ∉ held"), append(actions, "held ≔ held ∪ {"+next+"}")
		case 4:
			actions = append(actions, one("held ≔ held ∖ {p, "+next+"}", "held ≔ held ∖ {p}", "held ≔ ∅"))
		case 5:
			actions = append(actions, "seen(p) ≔ "+one("n", "seen("+next+")", "pc("+next+") mod 3"))
		case 6:
			params, guards, actions = "p i", append(guards, "i ∈ 0‥1"), append(actions, "seen(p) ≔ i")
		case 7:
			actions = append(actions, "seen :∈ {seen, (%[1]s) × {0}}")
		case 8:
			params, guards, actions = "p q", append(guards, "q ∈ "+ids, "q ∉ held"), append(actions, "held ≔ held ∪ {q}")
		}
		if r.IntN(4) == 0 {
			guards = append(guards, one("pc("+next+") ≠ 1", "held ≠ "+ids, "seen(p) = 0", "seen("+next+") ≤ n"))
		}
		fmt.Fprintf(&w, "event e%d any %s where\n", i, params)
		for k, g := range guards {
			fmt.Fprintf(&w, "@g%d %s\n", k, g)
		}
		w.WriteString("then\n")
		for k, a := range actions {
			fmt.Fprintf(&w, "@a%d %s\n", k, strings.ReplaceAll(a, "%[1]s", ids))
		}
		w.WriteString("end\n")
	}
	w.WriteString("end\n")
	return w.String()
}

func development(t testing.TB, text string) *model.Development {
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse("p.eventb", []byte(text), &problems)}, &problems)
	if problems.HasErrors() {
		t.Fatal(text, problems)
	}
	return dev
}

// proved proves all obligations of dev, and says which invariants of m are inductive.
func proved(t testing.TB, dev *model.Development, m *model.Machine) reduction.Inductive {
	obligations, err := po.All(dev, nil)
	if err != nil {
		t.Fatal(err)
	}
	var results []verdict.Result
	discharge.Run(context.Background(), len(obligations), func(i int) logic.Sequent { return obligations[i].Sequent() },
		discharge.Options{Steps: proofSteps}, func(i int, o verdict.Outcome) {
			results = append(results, verdict.Result{Obligation: obligations[i], Outcome: o})
		})
	return reduction.InductiveOf(dev, m, results)
}

// What the prover shows of random machines is true in all states that they reach,
// and reduction by it changes no verdict.
func TestProvedIndependence(t *testing.T) {
	// Of the first machines this one is the cheapest that shows all of it: conditions, invariants that are not proved,
	// and searches with fewer states.
	first, n := corpus.Effort(6, 6, 0), corpus.Effort(1, 1, 250)
	verified, partly, conditions, reduced := 0, 0, 0, 0
	for seed := first; seed < first+n; seed++ {
		text := randomThreads(rand.New(rand.NewPCG(uint64(seed), 4)))
		dev := development(t, text)
		m := dev.Machine("m")
		inductive := proved(t, dev, m)
		known := reduction.Independence(context.Background(), dev, m, inductive, false, discharge.Options{Steps: proofSteps})
		if inductive.Why == "" {
			verified++
		}
		if len(inductive.Unproved) > 0 {
			partly++
		}
		for _, c := range known.Commuting {
			if len(c.Where) > 0 {
				conditions++
			}
		}
		setup := explore.Setup{Default: 3}
		ins, _, err := explore.Solve(context.Background(), dev, m, setup, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range ins {
			if wrong := explore.Contradicts(t, m, in, known); wrong != "" {
				t.Fatalf("seed %d: %s\n%s", seed, wrong, text)
			}
			run := func(x *order.Independence) (*explore.Result, string) {
				r, err := explore.Run(context.Background(), m, in, explore.Options{KeepGoing: true, Independence: x})
				if err != nil {
					t.Fatal(err)
				}
				var found []string
				for _, f := range r.Findings {
					found = append(found, f.Kind+" "+f.Label)
				}
				slices.Sort(found)
				return r, fmt.Sprint(found, r.Deadlocks)
			}
			plain, want := run(nil)
			for _, invariant := range m.Invariants {
				fails := slices.ContainsFunc(plain.Findings, func(f explore.Finding) bool { return f.Label == invariant.Label })
				if fails && inductive.Why == "" && !slices.Contains(inductive.Unproved, invariant) {
					t.Fatalf("seed %d: %s is violated\n%s", seed, invariant.Label, text)
				}
			}
			less, got := run(known)
			if got != want || less.States > plain.States {
				t.Fatalf("seed %d: %s, %d states; reduced %s, %d\n%s", seed, want, plain.States, got, less.States, text)
			}
			if less.States < plain.States {
				reduced++
			}
		}
	}
	t.Logf("%d machines, %d verified, %d of these but for some invariants; %d pairs commute under conditions; %d searches with fewer states", n, verified, partly, conditions, reduced)
	if least := max(1, n/5); reduced < least || verified < least || partly == 0 || conditions == 0 {
		t.Errorf("too few of %d machines are verified, all or in part, or searches reduced", n)
	}
}
