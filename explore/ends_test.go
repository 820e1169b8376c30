package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/logic"
)

// blocksMachine makes a machine whose runs end where n = 0: blocks 0‥3 are given
// slots, run, and are done; what that costs, and whether a slot is looked at
// again later, is random.
func blocksMachine(t testing.TB, w *rand.Rand) *builder {
	one := func(xs ...string) string { return xs[w.IntN(len(xs))] }
	x := newBuilder(t, "blocks")
	for _, v := range []string{"n:ℤ", "T:ℤ", "next:ℤ", "log:ℤ"} {
		x.variable(v[:len(v)-len(":ℤ")], "ℤ")
	}
	x.variable("run", "ℙ(ℤ)")
	x.variable("done", "ℙ(ℤ)")
	x.variable("home", "ℙ(ℤ×ℤ)")
	x.variable("begun", "ℙ(ℤ×ℤ)")
	x.event("INITIALISATION", "", "", fmt.Sprintf("n ≔ %d;;T ≔ 0;;next ≔ 0;;log ≔ 0;;run ≔ ∅;;done ≔ ∅;;home ≔ (0‥3)×{0};;begun ≔ (0‥3)×{0}", 5+w.IntN(4)))
	less := "n > 0"
	x.event("dispatch", "m:ℤ", less+";;next < 4;;m ∈ 0‥1;;"+one("m = m", "∀b· b ∈ run ⇒ home(b) ≠ m", "n > 2"),
		"n ≔ n − 1;;home(next) ≔ m;;begun(next) ≔ T;;run ≔ run ∪ {next};;next ≔ next + 1")
	x.event("work", "b:ℤ", less+";;b ∈ run;;"+one("n > 1", "home(b) = 1", "T < 5"),
		"n ≔ n − 1;;T ≔ T + "+one("1", "home(b)", "home(b) + 1")+";;log ≔ log + b")
	x.event("complete", "b:ℤ", less+";;b ∈ run", "n ≔ n − 1;;run ≔ run ∖ {b};;done ≔ done ∪ {b};;"+one("T ≔ max({T, home(b) + 2})", "log ≔ begun(b)", "T ≔ T + begun(b)"))
	if w.IntN(3) == 0 {
		x.event("again", "b:ℤ", less+";;b ∈ done;;"+one("home(b) = 1", "begun(b) = 1", "T > 2"), "n ≔ n − 1;;"+one("T ≔ T + home(b)", "T ≔ T + 3", "log ≔ home(b)"))
	}
	if w.IntN(3) > 0 {
		x.event("idle", "", less, one("n ≔ n − 1", "n :∈ 0‥n − 1", "n :∣ n' ∈ 0‥n−1 ∧ n' ≠ 1"))
	}
	return x
}

// A search of what matters to the end finds the ends of all schedules, and its
// runs are runs of the machine.
func TestViewFindsAllEnds(t *testing.T) {
	n := corpus.Effort(30, 30, 150)
	smaller, forgets, misses, stuck := 0, 0, 0, 0
	for seed := range n {
		x := blocksMachine(t, rand.New(rand.NewPCG(uint64(seed), 5)))
		final := "n = 0 ∧ done ⊆ 0‥3"
		if seed%4 == 0 {
			final = "n = 0 ∧ done ⊆ 0‥3 ∧ run = ∅"
		}
		goal := Goal{Final: x.predicate(final).Term, Objectives: []logic.Term{x.b.Free("T", logic.IntType)}, Record: true}
		ins, _, err := Solve(context.Background(), x.development(), x.m, Setup{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		all, err := AllEnds(context.Background(), x.m, ins[0], goal, Options{})
		if err != nil {
			t.Fatal(err)
		}
		opt := Options{NoInvariants: true, NoDeadlock: true, Symmetry: true, view: program.ConeOf(ins[0].set.Bank, x.m, goal.terms())}
		some, err := forgetfulEnds(context.Background(), x.m, ins[0], goal, opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(all.Findings)+len(some.Findings) > 0 {
			t.Fatalf("seed %d: %+v %+v", seed, all.Findings, some.Findings)
		}
		if fmt.Sprint(all.Least, all.Greatest, all.Stop == nil) != fmt.Sprint(some.Least, some.Greatest, some.Stop == nil) {
			t.Fatalf("seed %d: %v‥%v stuck %t, by the view %v‥%v stuck %t", seed, all.Least, all.Greatest, all.Stop != nil, some.Least, some.Greatest, some.Stop != nil)
		}
		for _, trace := range []*Trace{some.LeastTrace, some.GreatestTrace, some.stopTrace()} {
			if trace == nil {
				continue
			}
			data, err := trace.ITF()
			if err != nil {
				t.Fatal(err)
			}
			r, err := Replay(context.Background(), x.m, ins[0], data, 0)
			if err != nil || r.Steps != r.Of || r.Of != len(trace.Steps) {
				t.Fatalf("seed %d: the run does not replay: %+v %v", seed, r, err)
			}
		}
		if g := some.GreatestTrace; g != nil {
			if last := g.Steps[len(g.Steps)-1]; last.value("T") != some.Greatest[0].String() || last.value("n") != "0" {
				t.Fatalf("seed %d: the run ends with %v, not with %s", seed, last.State, some.Greatest)
			}
		}
		if some.States > all.States {
			t.Errorf("seed %d: %d states, by the view %d", seed, all.States, some.States)
		}
		w := forgetful(context.Background(), x.m, ins[0], goal, opt)
		for what, yes := range map[*int]bool{&smaller: some.States < all.States, &forgets: len(w.Forget) > 0, &misses: len(w.Forget) == 0, &stuck: all.Stop != nil} {
			if yes {
				*what++
			}
		}
	}
	t.Logf("%d machines: %d with fewer states, %d forget something, %d nothing, %d may get stuck", n, smaller, forgets, misses, stuck)
	if min(smaller, forgets, misses, stuck) < n/10 {
		t.Error("too few of one kind")
	}
}

func (e *Ends) stopTrace() *Trace {
	if e.Stop == nil {
		return nil
	}
	return e.Stop.Trace
}

// value is the value of a variable, printed.
func (s *Step) value(name string) string {
	for _, b := range s.State {
		if b.Name == name {
			return b.Value
		}
	}
	return ""
}
