package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// loaded is the last machine of a text, with its first set-up.
type loaded struct {
	t       testing.TB
	machine *model.Machine
	in      *explore.Instance
	bank    *logic.Bank
	env     check.Env
}

func load(t testing.TB, text string) *loaded {
	t.Helper()
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse("m.eventb", []byte(text), &problems)}, &problems)
	if problems.HasErrors() {
		t.Fatalf("%v\n%s", problems.Sorted(), text)
	}
	m := dev.Machines[len(dev.Machines)-1]
	x := &loaded{t: t, machine: m, bank: dev.Bank.Extend(), env: check.Env{}}
	for _, v := range m.Variables {
		x.env[v.Name] = dev.Bank.Type(v.Term)
	}
	for _, c := range m.Contexts {
		for _, k := range c.Constants {
			x.env[k.Name] = dev.Bank.Type(k.Term)
		}
	}
	ins, _, err := explore.Solve(context.Background(), dev, m, explore.Setup{Bank: x.bank}, 1)
	if err != nil {
		t.Fatal(err)
	}
	x.in = ins[0]
	return x
}

func (x *loaded) predicate(text string) logic.Term  { return x.term(text, lang.ParsePredicate) }
func (x *loaded) expression(text string) logic.Term { return x.term(text, lang.ParseExpression) }

func (x *loaded) term(text string, parse func(string, lang.Dialect) (*lang.Formula, []lang.Problem)) logic.Term {
	x.t.Helper()
	f, wrong := parse(text, lang.Text)
	if len(wrong) > 0 {
		x.t.Fatal(text, wrong)
	}
	term, _, found := check.Formula(x.bank, x.env, f)
	if len(found) > 0 {
		x.t.Fatal(text, found)
	}
	return term
}

// blocks is the text of a machine whose runs end where n = 0: blocks 0‥3 are given
// slots, run, and are done; what that costs, and whether a slot is looked at
// again later, is random.
func blocks(w *rand.Rand) string {
	one := func(xs ...string) string { return xs[w.IntN(len(xs))] }
	out := fmt.Sprintf(`
machine blocks
variables n T next log run done home begun
invariants
    @n n ∈ ℤ
    @T T ∈ ℤ
    @next next ∈ ℤ
    @log log ∈ ℤ
    @run run ⊆ ℤ
    @done done ⊆ ℤ
    @home home ∈ ℤ ⇸ ℤ
    @begun begun ∈ ℤ ⇸ ℤ
events
    event INITIALISATION
    then
        @n n ≔ %d
        @T T ≔ 0
        @next next ≔ 0
        @log log ≔ 0
        @run run ≔ ∅
        @done done ≔ ∅
        @home home ≔ (0‥3)×{0}
        @begun begun ≔ (0‥3)×{0}
    end`, 5+w.IntN(4))
	event := func(label, parameter, guards, actions string) {
		out += "\n    event " + label
		if parameter != "" {
			out += "\n    any " + parameter
		}
		out += "\n    where\n        @more n > 0\n" + guards + "    then\n" + actions + "    end"
	}
	event("dispatch", "m", "        @free next < 4\n        @m m ∈ 0‥1\n        @some "+one("m = m", "∀b· b ∈ run ⇒ home(b) ≠ m", "n > 2")+"\n",
		"        @n n ≔ n − 1\n        @home home(next) ≔ m\n        @begun begun(next) ≔ T\n        @run run ≔ run ∪ {next}\n        @next next ≔ next + 1\n")
	event("work", "b", "        @b b ∈ run\n        @some "+one("n > 1", "home(b) = 1", "T < 5")+"\n",
		"        @n n ≔ n − 1\n        @T T ≔ T + "+one("1", "home(b)", "home(b) + 1")+"\n        @log log ≔ log + b\n")
	event("complete", "b", "        @b b ∈ run\n",
		"        @n n ≔ n − 1\n        @run run ≔ run ∖ {b}\n        @done done ≔ done ∪ {b}\n        @mark "+one("T ≔ max({T, home(b) + 2})", "log ≔ begun(b)", "T ≔ T + begun(b)")+"\n")
	if w.IntN(3) == 0 {
		event("again", "b", "        @b b ∈ done\n        @some "+one("home(b) = 1", "begun(b) = 1", "T > 2")+"\n", "        @n n ≔ n − 1\n        @mark "+one("T ≔ T + home(b)", "T ≔ T + 3", "log ≔ home(b)")+"\n")
	}
	if w.IntN(3) > 0 {
		event("idle", "", "", "        @n "+one("n ≔ n − 1", "n :∈ 0‥n − 1", "n :∣ n' ∈ 0‥n−1 ∧ n' ≠ 1")+"\n")
	}
	return out + "\nend"
}

// A search of what matters to the end finds the ends of all schedules, and its
// runs are runs of the machine.
func TestViewFindsAllEnds(t *testing.T) {
	n := corpus.Effort(30, 30, 150)
	smaller, forgets, misses, stuck := 0, 0, 0, 0
	for seed := range n {
		x := load(t, blocks(rand.New(rand.NewPCG(uint64(seed), 5))))
		final := "n = 0 ∧ done ⊆ 0‥3"
		if seed%4 == 0 {
			final = "n = 0 ∧ done ⊆ 0‥3 ∧ run = ∅"
		}
		goal := Goal{Final: x.predicate(final), Objectives: []logic.Term{x.expression("T")}, Record: true}
		all, err := AllEnds(context.Background(), x.machine, x.in, goal, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		opt := explore.Options{NoInvariants: true, NoDeadlock: true, Symmetry: true}
		cone := program.ConeOf(x.in.Set.Bank, x.machine, goal.terms())
		some, err := finalStatesProjected(context.Background(), x.machine, x.in, cone, goal, opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(all.Findings)+len(some.Findings) > 0 {
			t.Fatalf("seed %d: %+v %+v", seed, all.Findings, some.Findings)
		}
		if fmt.Sprint(all.Least, all.Greatest, all.Stop == nil) != fmt.Sprint(some.Least, some.Greatest, some.Stop == nil) {
			t.Fatalf("seed %d: %v‥%v stuck %t, by the view %v‥%v stuck %t", seed, all.Least, all.Greatest, all.Stop != nil, some.Least, some.Greatest, some.Stop != nil)
		}
		traces := []*explore.Trace{some.LeastTrace, some.GreatestTrace}
		if some.Stop != nil {
			traces = append(traces, some.Stop.Trace)
		}
		for _, trace := range traces {
			if trace == nil {
				continue
			}
			data, err := trace.ITF()
			if err != nil {
				t.Fatal(err)
			}
			r, err := explore.Replay(context.Background(), x.machine, x.in, data, 0)
			if err != nil || r.Steps != r.Of || r.Of != len(trace.Steps) {
				t.Fatalf("seed %d: the run does not replay: %+v %v", seed, r, err)
			}
		}
		if g := some.GreatestTrace; g != nil {
			if last := g.Steps[len(g.Steps)-1]; shown(last, "T") != some.Greatest[0].String() || shown(last, "n") != "0" {
				t.Fatalf("seed %d: the run ends with %v, not with %s", seed, last.State, some.Greatest)
			}
		}
		if some.States > all.States {
			t.Errorf("seed %d: %d states, by the view %d", seed, all.States, some.States)
		}
		w := forgetful(context.Background(), x.machine, x.in, cone, goal, opt)
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

// shown is the value of a variable, printed.
func shown(s explore.Step, name string) string {
	for _, b := range s.State {
		if b.Name == name {
			return b.Value
		}
	}
	return ""
}
