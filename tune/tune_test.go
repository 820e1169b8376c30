package tune_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/tune"
	"github.com/gradine/gradine/tune/published"
)

// reader reads the formulas of an entry.
type reader struct {
	t    testing.TB
	bank *logic.Bank
	env  check.Env
}

func (r reader) formula(text string, parse func(string, lang.Dialect) (*lang.Formula, []lang.Problem)) logic.Term {
	r.t.Helper()
	f, problems := parse(text, lang.Text)
	if len(problems) > 0 {
		r.t.Fatal(text, problems)
	}
	u, _, found := check.Formula(r.bank, r.env, f)
	if len(found) > 0 {
		r.t.Fatal(text, found)
	}
	return u
}

func (r reader) expression(text string) logic.Term { return r.formula(text, lang.ParseExpression) }

// machineOf checks a text and returns machine M of it.
func machineOf(t testing.TB, text string) (*model.Development, *model.Machine, reader) {
	t.Helper()
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse("m.eventb", []byte(text), &problems)}, &problems)
	m := dev.Machine("M")
	if m == nil {
		t.Fatalf("no machine M: %v\n%s", problems.Sorted(), text)
	}
	r := reader{t, dev.Bank.Extend(), check.Env{}}
	for _, c := range m.Contexts {
		for _, x := range c.Sets {
			r.env[x.Name] = r.bank.Type(x.Term)
		}
		for _, x := range c.Constants {
			r.env[x.Name] = r.bank.Type(x.Term)
		}
	}
	for _, v := range m.Variables {
		r.env[v.Name] = r.bank.Type(v.Term)
	}
	return dev, m, r
}

// entry makes the entry of a random model.
func (e *entry) entry(t testing.TB) *tune.Entry {
	dev, m, r := machineOf(t, e.text())
	if !m.Whole {
		t.Fatalf("the machine is not whole: %s\n%s", m.Lost, e.text())
	}
	out := &tune.Entry{Name: "e", Dev: dev, Machine: m, Bank: r.bank, Objective: "t", Setup: explore.Setup{Sizes: map[string]int{"S": e.size}}}
	out.Given = []explore.Definition{{Name: "n", Term: r.expression(fmt.Sprint(e.given))}}
	r.env["n"] = logic.IntType
	mentioned := false
	for _, c := range e.choices {
		out.Shown = append(out.Shown, tune.Parameter{Name: c.name, Term: r.expression(c.name)})
		if c.axiom {
			continue
		}
		set := r.expression(c.set())
		mentioned = mentioned || strings.Contains(c.set(), "n")
		out.Choices = append(out.Choices, explore.Choice{Name: c.name, Type: r.bank.Elem(r.bank.Type(set)), Set: set})
	}
	if !mentioned {
		out.Given = nil
	}
	out.Final = r.formula(e.inlined(e.final), lang.ParsePredicate)
	return out
}

func pointName(p *tune.Point) string {
	var out []string
	for _, v := range p.Values {
		out = append(out, v.Text)
	}
	return strings.Join(out, " ")
}

// TestRandomEntries holds answers for random entries against the reference: which
// points are legal, the range of the objective over all schedules, and what is best
// by either criterion, by search, by bisection and under bounds.
func TestRandomEntries(t *testing.T) {
	n := 100
	if os.Getenv("GRADINE_SWEEP") != "" {
		n = 2_000
	}
	count := map[string]int{}
	for seed := range n {
		w := rand.New(rand.NewPCG(uint64(seed), 3))
		model := made(w)
		want, ok := model.points()
		if !ok {
			count["too large"]++
			continue
		}
		for _, criterion := range []tune.Criterion{tune.Worst, tune.Best} {
			e := model.entry(t)
			e.Criterion = criterion
			fail := func(format string, args ...any) {
				t.Helper()
				t.Fatalf("seed %d, %s: %s\nn=%d search %v final %s\n%s", seed, criterion, fmt.Sprintf(format, args...), model.given, model.choices, model.final, model.text())
			}
			a, err := tune.Search(context.Background(), e, tune.Options{})
			if err != nil {
				fail("%v", err)
			}
			if !a.Complete || a.Criterion != criterion {
				fail("complete %t, %s", a.Complete, a.Criterion)
			}
			best, legal := judged(want, criterion)
			compareAnswer(fail, a, want, criterion, best, legal, true)
			asked, _, err := published.Bisect(context.Background(), e, tune.Options{})
			if err != nil || !asked.Complete {
				fail("bisection: %v, complete %t", err, asked.Complete)
			}
			compareAnswer(fail, asked, want, criterion, best, legal, true)
			bounded, err := tune.Search(context.Background(), e, tune.Options{MaxSteps: 1 + w.IntN(40)})
			if err != nil {
				fail("bounded: %v", err)
			}
			compareAnswer(fail, bounded, want, criterion, best, legal, bounded.Complete)
			tally(count, a, want)
			if bounded.Complete {
				count["within bounds"]++
			}
		}
	}
	t.Logf("%d entries: %v", n, count)
	for _, kind := range []string{"run", "exhaustive", "ranges", "endless", "stuck", "undefined", "illegal by axioms", "negative", "no legal point", "same machine", "within bounds", "best where worst is none"} {
		if count[kind] < n/20 {
			t.Errorf("only %d of %s", count[kind], kind)
		}
	}
}

// judged returns the best value, and which points are legal.
func judged(points []point, criterion tune.Criterion) (best *int, legal map[string]bool) {
	legal = map[string]bool{}
	for _, p := range points {
		worth, is := p.high, p.worst
		if criterion == tune.Best {
			worth, is = p.low, p.best
		}
		legal[p.shown] = is
		if is && (best == nil || worth < *best) {
			best = &worth
		}
	}
	return best, legal
}

// compareAnswer checks points with a value against the reference; whole says that
// every legal point must have one.
func compareAnswer(fail func(string, ...any), a *tune.Answer, want []point, criterion tune.Criterion, best *int, legal map[string]bool, whole bool) {
	ours := map[string]*tune.Point{}
	for i := range a.Points {
		ours[pointName(&a.Points[i])] = &a.Points[i]
	}
	if len(ours) != len(want) {
		fail("%d points, want %d", len(ours), len(want))
	}
	for _, p := range want {
		q := ours[p.shown]
		switch {
		case q == nil:
			fail("point %s is missing", p.shown)
		case q.Bounded != "" && whole:
			fail("point %s is bounded in a complete answer: %s", p.shown, q.Bounded)
		case q.Bounded != "":
		case (q.Illegal == "") != legal[p.shown]:
			fail("point %s: %q, legal by the reference %t", p.shown, q.Illegal, legal[p.shown])
		case q.Illegal == "" && (q.Low.Cmp(big.NewInt(int64(p.low))) != 0 || q.High.Cmp(big.NewInt(int64(p.high))) != 0):
			fail("point %s: %s‥%s, by the reference %d‥%d", p.shown, q.Low, q.High, p.low, p.high)
		}
	}
	if !whole {
		return
	}
	for _, p := range want {
		worth := p.high
		if criterion == tune.Best {
			worth = p.low
		}
		q := ours[p.shown]
		isBest := slices.ContainsFunc(a.Best, func(i int) bool { b := &a.Points[i]; return b == q || q.SameAs >= 0 && b == &a.Points[q.SameAs] })
		if wantBest := legal[p.shown] && worth == *best; isBest != wantBest {
			fail("point %s: best %t, by the reference %t", p.shown, isBest, wantBest)
		}
	}
	if (best == nil) != (len(a.Best) == 0) {
		fail("%d best points, by the reference there is one: %t", len(a.Best), best != nil)
	}
}

// tally counts what was met, for a test that meets too little tests nothing.
func tally(count map[string]int, a *tune.Answer, want []point) {
	count[string(a.By)]++
	add := func(kind string, is bool) {
		if is {
			count[kind]++
		}
	}
	add("no legal point", len(a.Best) == 0)
	for i := range a.Points {
		p := &a.Points[i]
		add("ranges", p.Known() && p.Low.Cmp(p.High) != 0)
		add("negative", p.Known() && p.Low.Sign() < 0)
		add("illegal by axioms", strings.HasPrefix(p.Illegal, "violates"))
		add("same machine", p.SameAs >= 0)
		add("endless", strings.Contains(p.Illegal, "may run in a circle"))
		add("stuck", strings.Contains(p.Illegal, "stop"))
		add("undefined", strings.Contains(p.Illegal, "no value"))
	}
	for _, p := range want {
		add("best where worst is none", p.best && !p.worst)
	}
}
