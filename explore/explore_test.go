package explore

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// builder makes small machines from the text of their parts.
type builder struct {
	t   testing.TB
	b   *logic.Bank
	env check.Env
	c   *model.Context
	m   *model.Machine
}

func newBuilder(t testing.TB, name string) *builder {
	c := &model.Context{Name: "c", Accurate: true, Whole: true}
	return &builder{t, logic.NewBank(), check.Env{}, c, &model.Machine{Name: name, Accurate: true, Whole: true, Contexts: []*model.Context{c}}}
}

func (x *builder) set(name string) {
	x.env[name] = x.b.PowType(x.b.GivenType(name))
	x.c.Sets = append(x.c.Sets, model.Ident{Name: name, Term: x.b.Given(name)})
}

func (x *builder) typ(text string) logic.Type {
	typ, err := new(check.Reader).Type(x.b, text)
	if err != nil {
		x.t.Fatal(err)
	}
	return typ
}

func (x *builder) constant(name, typ string) {
	x.env[name] = x.typ(typ)
	x.c.Constants = append(x.c.Constants, model.Ident{Name: name, Term: x.b.Free(name, x.env[name])})
}

func (x *builder) variable(name, typ string) {
	x.env[name] = x.typ(typ)
	x.m.Variables = append(x.m.Variables, model.Variable{Ident: model.Ident{Name: name, Term: x.b.Free(name, x.env[name])}, Concrete: true})
}

func (x *builder) predicate(text string) *model.Predicate {
	f, problems := lang.ParsePredicate(text, lang.Text)
	if len(problems) > 0 {
		x.t.Fatal(text, problems)
	}
	u, _, found := check.Formula(x.b, x.env, f)
	if len(found) > 0 {
		x.t.Fatal(text, found)
	}
	return &model.Predicate{Label: text, Term: u}
}

func (x *builder) axiom(text string)     { x.c.Axioms = append(x.c.Axioms, x.predicate(text)) }
func (x *builder) invariant(text string) { x.m.Invariants = append(x.m.Invariants, x.predicate(text)) }

// event adds an event: params "p:TYPE q:TYPE", guards and actions separated by ;;.
func (x *builder) event(label, params, guards, actions string) {
	e := &model.Event{Label: label, Accurate: true}
	outer := check.Env{}
	for k, v := range x.env {
		outer[k] = v
	}
	for _, p := range strings.Fields(params) {
		name, typ, _ := strings.Cut(p, ":")
		x.env[name] = x.typ(typ)
		e.Parameters = append(e.Parameters, model.Ident{Name: name, Term: x.b.Free(name, x.env[name])})
	}
	for g := range strings.SplitSeq(guards, ";;") {
		if g = strings.TrimSpace(g); g != "" {
			e.Guards = append(e.Guards, x.predicate(g))
		}
	}
	for a := range strings.SplitSeq(actions, ";;") {
		parsed, problems := lang.ParseAssignment(strings.TrimSpace(a), lang.Text)
		if len(problems) > 0 {
			x.t.Fatal(a, problems)
		}
		act, _, found := check.Assignment(x.b, x.env, parsed)
		if len(found) > 0 {
			x.t.Fatal(a, found)
		}
		e.Actions = append(e.Actions, act)
	}
	x.env = outer
	x.m.Events = append(x.m.Events, e)
}

func (x *builder) development() *model.Development {
	x.b.Freeze()
	return &model.Development{Project: "p", Bank: x.b, Contexts: []*model.Context{x.c}, Machines: []*model.Machine{x.m}}
}

func (x *builder) run(s Setup, opt Options) *Result {
	x.t.Helper()
	ins, _, err := Solve(context.Background(), x.development(), x.m, s, 1)
	if err != nil {
		x.t.Fatal(err)
	}
	r, err := Run(context.Background(), x.m, ins[0], opt)
	if err != nil {
		x.t.Fatal(err)
	}
	return r
}

// philosophers is the table of n philosophers who take both forks one by one.
func philosophers(t testing.TB) *builder {
	x := newBuilder(t, "philosophers")
	x.constant("n", "ℤ")
	x.axiom("n ∈ ℕ1")
	x.variable("thinking", "ℙ(ℤ)")
	x.variable("left", "ℙ(ℤ)")
	x.variable("eating", "ℙ(ℤ)")
	x.variable("forks", "ℙ(ℤ)")
	x.invariant("eating ⊆ 0‥n−1")
	x.event("INITIALISATION", "", "", "thinking ≔ 0‥n−1;;left ≔ ∅;;eating ≔ ∅;;forks ≔ 0‥n−1")
	x.event("take_left", "p:ℤ", "p ∈ thinking;;p ∈ forks", "thinking ≔ thinking∖{p};;left ≔ left∪{p};;forks ≔ forks∖{p}")
	x.event("take_right", "p:ℤ", "p ∈ left;;(p+1) mod n ∈ forks", "left ≔ left∖{p};;eating ≔ eating∪{p};;forks ≔ forks∖{(p+1) mod n}")
	x.event("put", "p:ℤ", "p ∈ eating", "eating ≔ eating∖{p};;thinking ≔ thinking∪{p};;forks ≔ forks∪{p,(p+1) mod n}")
	return x
}

func TestPhilosophersDeadlock(t *testing.T) {
	x := philosophers(t)
	n := x.predicate("n = 4").Term
	r := x.run(Setup{Given: []logic.Term{n}}, Options{})
	if r.Verdict != Counterexample || len(r.Findings) != 1 || r.Findings[0].Kind != "deadlock" {
		t.Fatalf("want a deadlock, got %+v", r)
	}
	if got := len(r.Findings[0].Trace.Steps); got != 5 {
		t.Errorf("the shortest trace has 4 steps behind the initialisation, got %d", got-1)
	}
}

func TestCounter(t *testing.T) {
	x := newBuilder(t, "counter")
	x.variable("c", "ℤ")
	x.invariant("c ≤ 3")
	x.event("INITIALISATION", "", "", "c ≔ 0")
	x.event("inc", "d:ℤ", "d ∈ 1‥2;;c + d < 6", "c ≔ c + d")
	x.event("any", "", "c = 5", "c :∣ c' ∈ 0‥1 ∧ c' ≠ c")
	x.event("pick", "", "c = 5", "c :∈ {0,2}")
	r := x.run(Setup{}, Options{KeepGoing: true})
	if r.States != 6 || len(r.Findings) != 1 || r.Findings[0].Label != "c ≤ 3" || len(r.Findings[0].Trace.Steps) != 3 {
		t.Fatalf("got %+v", r)
	}
	if r.Transitions != 1+9+4 {
		t.Errorf("the initialisation, 9 increments and 4 choices, got %d transitions", r.Transitions)
	}
}

func TestUndefined(t *testing.T) {
	x := newBuilder(t, "m")
	x.variable("f", "ℙ(ℤ×ℤ)")
	x.variable("i", "ℤ")
	x.event("INITIALISATION", "", "", "f ≔ {0↦1};;i ≔ 0")
	x.event("guarded", "", "i ∈ dom(f);;f(i) = 1", "i ≔ i + 1")
	x.event("wrong", "", "f(i) = 7", "i ≔ 0")
	r := x.run(Setup{}, Options{})
	if len(r.Findings) == 0 || r.Findings[0].Kind != "undefined" || r.Findings[0].Label != "wrong" {
		t.Fatalf("got %+v", r)
	}
}

func TestUnboundedIsNamed(t *testing.T) {
	x := newBuilder(t, "m")
	x.variable("i", "ℤ")
	x.event("INITIALISATION", "", "", "i ≔ 0")
	x.event("e", "p:ℤ", "p > i", "i ≔ p")
	ins, _, err := Solve(context.Background(), x.development(), x.m, Setup{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = Run(context.Background(), x.m, ins[0], Options{}); err == nil || !strings.Contains(err.Error(), "no bound for p in p > i; an upper bound such as p ≤ 9") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkPhilosophers(b *testing.B) {
	for range b.N {
		x := philosophers(b)
		n := x.predicate("n = 10").Term
		r := x.run(Setup{Given: []logic.Term{n}}, Options{NoDeadlock: true})
		b.ReportMetric(float64(r.States)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
		b.ReportMetric(float64(r.Memory)/float64(r.States)-float64(r.Width), "extra-B/state")
	}
}

// BenchmarkCores explores more than a million states with more and more workers. outside-% is the part of the processor time
// that is spent in neither of the phases that all workers share.
func BenchmarkCores(b *testing.B) {
	processor := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	for workers := 1; workers <= max(16, runtime.GOMAXPROCS(0)); workers *= 2 {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			var within time.Duration
			shared := func() func() {
				began := processor()
				return func() { within += processor() - began }
			}
			states, began := 0, processor()
			for range b.N {
				x := philosophers(b)
				r := x.run(Setup{Given: []logic.Term{x.predicate(many).Term}}, Options{NoDeadlock: true, Workers: workers, shared: shared})
				states += r.States
			}
			spent := processor() - began
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
			b.ReportMetric(float64(states)/spent.Seconds(), "states/cpu-s")
			b.ReportMetric(100*(spent-within).Seconds()/spent.Seconds(), "outside-%")
		})
	}
}

// many makes the philosophers have more than a million states.
const many = "n = 16"

// TestMillion: a search of more than a million states, and one that a limit ends, see the same on any number of cores, and find the
// same traces.
func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("it explores several million states")
	}
	x := philosophers(t)
	n := x.predicate(many).Term
	show := func(workers int, opt Options) string {
		opt.Workers, opt.KeepGoing = workers, true
		r := x.run(Setup{Given: []logic.Term{n}}, opt)
		text := fmt.Sprintf("%s %s %d %d %d %d %v\n", r.Verdict, r.Why, r.States, r.Transitions, r.Depth, r.Deadlocks, r.Fired)
		for _, f := range r.Findings {
			for _, step := range f.Trace.Steps {
				text += fmt.Sprintln(f.Kind, f.Label, step.Event, step.Params, step.State)
			}
		}
		if opt.MaxStates == 0 && r.States < 1_000_000 {
			t.Errorf("%d states: too few", r.States)
		}
		return text
	}
	for _, opt := range []Options{{}, {MaxStates: 30_000}} {
		want := show(1, opt)
		t.Log(want)
		for _, workers := range []int{2, 4, 16} {
			if got := show(workers, opt); got != want {
				t.Errorf("on %d cores\n%s\non one\n%s", workers, got, want)
			}
		}
	}
}

// The number of cores has no influence on what is found.
func TestSameOnAllCores(t *testing.T) {
	x := philosophers(t)
	n := x.predicate("n = 8").Term
	dir := t.TempDir()
	show := func(workers int) string {
		text := ""
		for _, opt := range []Options{{}, {Disk: dir, room: 9999}} {
			opt.Workers, opt.KeepGoing = workers, true
			r := x.run(Setup{Given: []logic.Term{n}}, opt)
			text += fmt.Sprintf("%d %d %d %d %v\n", r.States, r.Transitions, r.Depth, r.Deadlocks, r.Fired)
			for _, f := range r.Findings {
				for _, step := range f.Trace.Steps {
					text += fmt.Sprintln(f.Kind, f.Label, step.Event, step.Params, step.State)
				}
			}
		}
		return text
	}
	want := show(1)
	for _, workers := range []int{2, 3, 4, 16} {
		if got := show(workers); got != want {
			t.Errorf("on %d cores\n%s\non one\n%s", workers, got, want)
		}
	}
}

// A limit on memory ends the search.
func TestMemoryLimit(t *testing.T) {
	x := newBuilder(t, "endless")
	x.variable("i", "ℤ")
	x.event("INITIALISATION", "", "", "i ≔ 0")
	x.event("inc", "d:ℤ", "d ∈ 1‥9", "i ≔ i ∗ 10 + d")
	r := x.run(Setup{}, Options{MaxMemory: 1 << 20})
	if r.Verdict != Bounded || r.Why != "memory" {
		t.Errorf("got %+v", r)
	}
}
