package tune_test

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/tune"
	"github.com/gradine/gradine/tune/baselines"
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
	out := &tune.Entry{Name: "e", Dev: dev, Machine: m, Bank: r.bank, Setup: explore.Setup{Sizes: map[string]int{"S": e.size}}}
	out.Given = []simulate.Definition{{Name: "n", Term: r.expression(fmt.Sprint(e.given))}}
	r.env["n"] = logic.IntType
	mentioned := false
	for _, c := range e.choices {
		out.Shown = append(out.Shown, tune.Parameter{Name: c.name, Term: r.expression(c.name)})
		if c.axiom {
			continue
		}
		set := r.expression(c.set())
		mentioned = mentioned || strings.Contains(c.set(), "n")
		out.Choices = append(out.Choices, simulate.Choice{Name: c.name, Type: r.bank.Elem(r.bank.Type(set)), Set: set})
	}
	if !mentioned {
		out.Given = nil
	}
	out.Final = r.formula(e.inlined(e.final), lang.ParsePredicate)
	for _, o := range e.objectives {
		text := e.inlined(o.value)
		out.Objectives = append(out.Objectives, tune.Objective{Text: text, Term: r.expression(text), Maximise: o.maximise})
	}
	if e.pareto {
		out.Order = tune.Pareto
	}
	if e.constraint.op != "" {
		out.Constraints = []logic.Term{r.formula(e.inlined(e.constraint), lang.ParsePredicate)}
	}
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
			best, legal := model.judged(want, criterion)
			compareAnswer(fail, a, want, best, legal, true)
			if len(e.Objectives) == 1 {
				asked, _, err := baselines.Bisect(context.Background(), e, tune.Options{})
				if err != nil || !asked.Complete {
					fail("bisection: %v, complete %t", err, asked.Complete)
				}
				compareAnswer(fail, asked, want, best, legal, true)
				swarm, err := baselines.Swarm(context.Background(), e, uint64(seed), tune.Options{MaxSteps: 2000})
				if err != nil || swarm.Complete {
					fail("swarm: %v, complete %t", err, swarm.Complete)
				}
				compareSwarm(fail, swarm, want)
			}
			if seed%2 == 0 {
				all, err := tune.Search(context.Background(), e, tune.Options{All: true})
				if err != nil || !all.Complete {
					fail("all schedules: %v, complete %t", err, all.Complete)
				}
				compareAnswer(fail, all, want, best, legal, true)
			}
			bounded, err := tune.Search(context.Background(), e, tune.Options{MaxSteps: 1 + w.IntN(40)})
			if err != nil {
				fail("bounded: %v", err)
			}
			compareAnswer(fail, bounded, want, best, legal, bounded.Complete)
			if len(e.Objectives) == 1 && !e.Objectives[0].Maximise {
				compareMeasured(fail, w, e, a)
			}
			compareUnshown(fail, w, e, want, best, count)
			tally(count, a, want)
			if bounded.Complete {
				count["within bounds"]++
			}
		}
	}
	t.Logf("%d entries: %v", n, count)
	for _, kind := range []string{"run", "exhaustive", "ranges", "endless", "stuck", "undefined", "illegal by axioms", "negative", "no legal point", "same machine", "within bounds", "best where worst is none", "maximise", "lexicographic", "front", "violated", "unshown"} {
		if count[kind] < n/20 {
			t.Errorf("only %d of %s", count[kind], kind)
		}
	}
}

// judged says which points are best, and which are legal.
func (e *entry) judged(points []point, criterion tune.Criterion) (best, legal map[string]bool) {
	best, legal = map[string]bool{}, map[string]bool{}
	// What counts of objective k, such that less is better.
	cost := func(p point, k int) int {
		switch maximise := e.objectives[k].maximise; {
		case maximise && criterion == tune.Worst:
			return -p.low[k]
		case maximise:
			return -p.high[k]
		case criterion == tune.Worst:
			return p.high[k]
		}
		return p.low[k]
	}
	beats := func(p, q point) bool {
		less, greater := 0, 0
		for k := range e.objectives {
			switch a, b := cost(p, k), cost(q, k); {
			case a < b && !e.pareto && less+greater == 0:
				return true
			case a < b:
				less++
			case a > b:
				greater++
			}
		}
		return e.pareto && less > 0 && greater == 0
	}
	for _, p := range points {
		legal[p.shown] = criterion == tune.Worst && p.worst || criterion == tune.Best && p.best
	}
	for _, p := range points {
		best[p.shown] = legal[p.shown] && !slices.ContainsFunc(points, func(q point) bool { return legal[q.shown] && beats(q, p) })
	}
	return best, legal
}

// compareAnswer checks points with a value against the reference; whole says that
// every legal point must have one.
func compareAnswer(fail func(string, ...any), a *tune.Answer, want []point, best, legal map[string]bool, whole bool) {
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
		case q.Illegal == "" && q.Known():
			for k, r := range q.Ranges {
				if r.Low.Cmp(big.NewInt(int64(p.low[k]))) != 0 || r.High.Cmp(big.NewInt(int64(p.high[k]))) != 0 {
					fail("point %s: %v, by the reference %d‥%d", p.shown, q.Ranges, p.low, p.high)
				}
			}
		case q.Illegal == "" && q.Above == nil:
			fail("point %s has no value", p.shown)
		}
	}
	if !whole {
		return
	}
	for _, p := range want {
		q := ours[p.shown]
		isBest := slices.ContainsFunc(a.Best, func(i int) bool { b := &a.Points[i]; return b == q || q.SameAs >= 0 && b == &a.Points[q.SameAs] })
		if isBest != best[p.shown] {
			fail("point %s: best %t, by the reference %t", p.shown, isBest, best[p.shown])
		}
	}
}

// compareSwarm checks that what a swarm found lies between what the schedules give.
func compareSwarm(fail func(string, ...any), a *tune.Answer, want []point) {
	for i := range a.Points {
		q := &a.Points[i]
		k := slices.IndexFunc(want, func(p point) bool { return p.shown == pointName(q) })
		if !q.Known() || !want[k].best && want[k].low == nil {
			continue
		}
		low, high := big.NewInt(int64(want[k].low[0])), big.NewInt(int64(want[k].high[0]))
		if found := q.Ranges[0].Low; found.Cmp(low) < 0 || found.Cmp(high) > 0 {
			fail("a swarm found %s at %s, by the reference it is in %s‥%s", found, q.Values, low, high)
		}
	}
}

// compareMeasured gives some points times that no run has, and lets some fail: what is best
// then follows from the values of all points, which a holds.
func compareMeasured(fail func(string, ...any), w *rand.Rand, e *tune.Entry, a *tune.Answer) {
	cost := map[string]int64{} // of the legal points
	for i := range a.Points {
		if p := &a.Points[i]; p.Illegal == "" && p.Known() {
			cost[pointName(p)] = a.Cost(p, 0).Int64()
		} else if p.Illegal == "" {
			return // cut short: it was only shown to be worse
		}
	}
	axioms, err := tune.Points(context.Background(), e, tune.Options{})
	if err != nil {
		fail("points: %v", err)
	}
	var rows []tune.Measurement
	for i := range a.Points {
		p := &axioms.Points[i]
		row := tune.Measurement{Time: float64(1 + w.IntN(30))}
		if w.IntN(3) > 0 {
			continue
		}
		if w.IntN(4) == 0 {
			row.Failed = "out of resources"
		}
		for _, v := range p.Values {
			row.At = append(row.At, v.Text)
		}
		rows = append(rows, row)
		if p.Illegal != "" {
			continue // a time at a point that the axioms forbid changes nothing
		}
		if cost[pointName(p)] = int64(row.Time); row.Failed != "" {
			delete(cost, pointName(p))
		}
	}
	got, err := tune.Search(context.Background(), e, tune.Options{Measured: rows, Unit: 1})
	if err != nil || !got.Complete {
		fail("measured: %v, complete %t", err, got.Complete)
	}
	if (len(got.Best) == 0) != (len(cost) == 0) {
		fail("measured: %d best points of %v", len(got.Best), cost)
	}
	for _, i := range got.Best {
		best := cost[pointName(&got.Points[i])]
		if least := slices.Min(slices.Collect(maps.Values(cost))); best != least || got.Cost(&got.Points[i], 0).Int64() != least {
			fail("measured: %s costs %d, but %d is possible, of %v with %v", pointName(&got.Points[i]), best, least, cost, rows)
		}
	}
}

// compareUnshown shows all parameters but one: the answer names it if what is left of a best point is
// that of one that is not best, too.
func compareUnshown(fail func(string, ...any), w *rand.Rand, e *tune.Entry, want []point, best map[string]bool, count map[string]int) {
	k := w.IntN(len(e.Shown))
	hidden := e.Shown[k].Name
	reduced := *e
	reduced.Shown = slices.Delete(slices.Clone(e.Shown), k, k+1)
	got, err := tune.Search(context.Background(), &reduced, tune.Options{})
	if err != nil {
		fail("without %s: %v", hidden, err)
	}
	left := func(p point) string {
		return strings.Join(slices.Delete(strings.Split(p.shown, " "), k, k+1), " ")
	}
	ambiguous := slices.ContainsFunc(want, func(p point) bool {
		return best[p.shown] && slices.ContainsFunc(want, func(q point) bool { return q.allowed && left(p) == left(q) && !best[q.shown] })
	})
	if ambiguous != (len(got.Unshown) > 0) || ambiguous && !slices.Equal(got.Unshown, []string{hidden}) {
		fail("without %s: %q are named as not shown, by the reference %t", hidden, got.Unshown, ambiguous)
	}
	if ambiguous {
		count["unshown"]++
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
	several := len(a.Best) > 0 && len(a.Objectives) > 1
	add("maximise", len(a.Best) > 0 && a.Objectives[0].Maximise)
	add("lexicographic", several && a.Order == tune.Lexicographic)
	add("front", several && a.Order == tune.Pareto)
	for i := range a.Points {
		p := &a.Points[i]
		add("ranges", p.Known() && p.Ranges[0].Low.Cmp(p.Ranges[0].High) != 0)
		add("negative", p.Known() && p.Ranges[0].Low.Sign() < 0)
		add("illegal by axioms", strings.HasPrefix(p.Illegal, "violates"))
		add("same machine", p.SameAs >= 0)
		add("endless", strings.Contains(p.Illegal, "may run in a circle"))
		add("stuck", strings.Contains(p.Illegal, "stop"))
		add("violated", strings.Contains(p.Illegal, "violates the constraint"))
		add("undefined", strings.Contains(p.Illegal, "no value"))
	}
	for _, p := range want {
		add("best where worst is none", p.best && !p.worst)
	}
}
