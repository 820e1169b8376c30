package explore

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/stubborn"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/order"
)

// oracle finds by brute force what is true of the order of events in all states
// that a machine reaches.
type oracle struct {
	t      testing.TB
	p      *program.Program
	b      *logic.Bank
	states map[string][]instance
	order  []string
}

// instance is an event with values of its parameters, and the states after it.
type instance struct {
	event int
	args  string
	vals  []value.Value
	after []string
}

// small5 is where integer parameters of random machines lie.
func small5(b *logic.Bank) logic.Term { return b.App(logic.UpTo, b.Int64(0), b.Int64(5)) }

func newOracle(t testing.TB, m *model.Machine, in *Instance) *oracle {
	p, err := program.Compile(in.Set, m, false)
	if err != nil {
		t.Fatal(err)
	}
	o := &oracle{t: t, p: p, b: in.Set.Bank, states: map[string][]instance{}}
	f := p.Frame(context.Background())
	f.Visit(p.Init.Fire, func(f *formula.Frame) bool {
		o.add(string(p.Pack(nil, f)))
		return true
	})
	for i := 0; i < len(o.order); i++ {
		s := o.order[i]
		p.Unpack(f, []byte(s))
		var all []instance
		for k, e := range p.Events {

			f.Visit(e.Fire, func(f *formula.Frame) bool {
				x := instance{event: k}
				for _, a := range e.Params {
					x.vals = append(x.vals, f.Slots[a.Slot])
				}
				x.args = fmt.Sprint(x.vals)
				at := slices.IndexFunc(all, func(y instance) bool { return y.event == k && y.args == x.args })
				if at < 0 {
					at, all = len(all), append(all, x)
				}
				after := string(p.Pack(nil, f))
				all[at].after = append(all[at].after, after)
				o.add(after)
				return true
			})
		}
		o.states[s] = all
	}
	return o
}

func (o *oracle) add(s string) {
	if _, ok := o.states[s]; !ok {
		o.states[s] = nil
		o.order = append(o.order, s)
	}
}

// in returns the states after x in s, nil if it cannot happen there.
func (o *oracle) in(s string, x instance) []string {
	for _, y := range o.states[s] {
		if y.event == x.event && y.args == x.args {
			return y.after
		}
	}
	return nil
}

// commute reports whether x and y do in s: every choice of one can follow every
// choice of the other, and either order gives the same states.
func (o *oracle) commute(s string, x, y instance) bool {
	both := func(x, y instance) map[string]bool {
		out := map[string]bool{}
		for _, u := range x.after {
			next := o.in(u, y)
			if next == nil {
				return nil
			}
			for _, v := range next {
				out[v] = true
			}
		}
		return out
	}
	xy, yx := both(x, y), both(y, x)
	if xy == nil || yx == nil || !maps.Equal(xy, yx) {
		return false
	}
	for _, u := range x.after {
		for _, v := range y.after {
			after := o.in(v, x)
			if !slices.ContainsFunc(o.in(u, y), func(w string) bool { return slices.Contains(after, w) }) {
				return false
			}
		}
	}
	return true
}

// conditions returns the differences that are tried for a pair of events.
func (o *oracle) conditions(e, f *model.Event) [][]order.Different {
	out := [][]order.Different{nil}
	for _, x := range e.Parameters {
		for _, y := range f.Parameters {
			if o.b.Type(x.Term) == o.b.Type(y.Term) {
				out = append(out, []order.Different{{First: x.Term, Second: y.Term}})
			}
		}
	}
	return out
}

// differ reports whether instances with these parameters differ in all of where.
func differ(e, f *model.Event, xs, ys []value.Value, where []order.Different) bool {
	val := func(e *model.Event, vs []value.Value, t logic.Term) value.Value {
		return vs[slices.IndexFunc(e.Parameters, func(x model.Ident) bool { return x.Term == t })]
	}
	for _, d := range where {
		if val(e, xs, d.First) == val(f, ys, d.Second) {
			return false
		}
	}
	return true
}

// independence collects all facts.
func (o *oracle) independence() *order.Independence {
	out := &order.Independence{}
	for i, x := range o.p.Events {
		e := x.Model
		for _, a := range e.Parameters {
			if o.b.Type(a.Term) == logic.IntType {
				out.Within = append(out.Within, order.Within{Event: e, Param: a.Term, Set: small5(o.b)})
			}
		}
		for j := i; j < len(o.p.Events); j++ {
			f := o.p.Events[j].Model
			if !o.ever(i, j, nil, func(string, instance, instance) bool { return false }) {
				out.Exclusive = append(out.Exclusive, order.Exclusive{First: e, Second: f})
			}
			for _, where := range o.conditions(e, f) {
				if !o.ever(i, j, where, o.commute) {
					out.Commuting = append(out.Commuting, order.Commuting{First: e, Second: f, Where: where})
					break
				}
			}
		}
		for j := range o.p.Events {
			out.Harmless = append(out.Harmless, o.harmless(i, j)...)
		}
	}
	return out
}

// ever reports whether instances of events i and j that differ can both happen in
// some state where they are not fine.
func (o *oracle) ever(i, j int, where []order.Different, fine func(s string, x, y instance) bool) bool {
	for _, s := range o.order {
		for _, x := range o.states[s] {
			for _, y := range o.states[s] {
				if x.event != i || y.event != j || i == j && x.args == y.args {
					continue
				}
				if differ(o.p.Events[i].Model, o.p.Events[j].Model, x.vals, y.vals, where) && !fine(s, x, y) {
					return true
				}
			}
		}
	}
	return false
}

// harmless finds the guards of event j that event i leaves false.
func (o *oracle) harmless(i, j int) []order.Harmless {
	e, f := o.p.Events[i].Model, o.p.Events[j].Model
	c := o.p.Compiler
	tuples := [][]value.Value{nil}
	var slots []int
	for _, x := range f.Parameters {
		c.Slots[x.Name] = c.NewSlot()
		slots = append(slots, c.Slots[x.Name])
		size := 6
		if o.b.Type(x.Term) != logic.IntType {
			size = int(o.p.Space.Shape(o.b.Type(x.Term)).Size)
		}
		var next [][]value.Value
		for _, t := range tuples {
			for v := range size {
				next = append(next, append(slices.Clone(t), value.Value(v)))
			}
		}
		tuples = next
	}
	var out []order.Harmless
	for _, g := range f.Guards {
		for _, t := range c.Conjuncts(g.Term) {
			holds := c.Pred(t)
			fr := o.p.Frame(context.Background())
			isFalse := func(s string, vs []value.Value) bool {
				o.p.Unpack(fr, []byte(s))
				for k, v := range vs {
					fr.Slots[slots[k]] = v
				}
				ok, why := fr.Try(holds)
				return !ok && why == ""
			}
			falses := map[string][]bool{}
			for _, s := range o.order {
				for _, vs := range tuples {
					falses[s] = append(falses[s], isFalse(s, vs))
				}
			}
			for _, where := range o.conditions(e, f) {
				if o.leavesFalse(i, j, where, tuples, falses) {
					out = append(out, order.Harmless{Event: e, Other: f, Guard: t, Where: where})
					break
				}
			}
		}
	}
	for _, x := range f.Parameters {
		delete(c.Slots, x.Name)
	}
	return out
}

func (o *oracle) leavesFalse(i, j int, where []order.Different, tuples [][]value.Value, falses map[string][]bool) bool {
	for _, s := range o.order {
		for _, x := range o.states[s] {
			if x.event != i {
				continue
			}
			for k, vs := range tuples {
				if !falses[s][k] || !differ(o.p.Events[i].Model, o.p.Events[j].Model, x.vals, vs, where) {
					continue
				}
				if slices.ContainsFunc(x.after, func(u string) bool { return !falses[u][k] }) {
					return false
				}
			}
		}
	}
	return true
}

// threads makes a random machine of threads that share a set, a counter, and a
// table of what each has done.
func threads(t testing.TB, w *rand.Rand) *builder {
	one := func(xs ...string) string { return xs[w.IntN(len(xs))] }
	x := newBuilder(t, "threads")
	x.set("S")
	x.constant("next", "ℙ(S×S)")
	x.axiom("next ∈ S ⤖ S")
	for _, v := range []string{"pc:ℙ(S×ℤ)", "held:ℙ(S)", "n:ℤ", "seen:ℙ(S×ℤ)", "clock:ℤ"} {
		name, typ, _ := strings.Cut(v, ":")
		x.variable(name, typ)
	}
	x.event("INITIALISATION", "", "", "pc ≔ S × {0};;held ≔ ∅;;n ≔ "+one("0", "1", "2")+";;seen ≔ S × {0};;clock ≔ 0")
	for i := range 2 + w.IntN(4) {
		at := w.IntN(3)
		guards := []string{"p ∈ S", fmt.Sprintf("pc(p) = %d", at)}
		actions := []string{fmt.Sprintf("pc(p) ≔ %d", (at+1)%(3+w.IntN(2)))}
		params := "p:S"
		switch w.IntN(11) {
		case 8:
			params, guards, actions = params+" q:S", append(guards, "q ∉ held", "q ≠ p"), append(actions, "held ≔ held ∪ {q}")
		case 9:
			params, guards, actions = params+" q:S", append(guards, "seen(q) = 0"), append(actions, "seen(q) ≔ 1")
		case 0:
			guards, actions = append(guards, "n > 0"), append(actions, "n ≔ n − 1")
		case 1:
			guards, actions = append(guards, "n < 2"), append(actions, "n ≔ n + 1")
		case 2:
			guards, actions = append(guards, "p ∉ held"), append(actions, "held ≔ held ∪ {p}")
		case 3:
			guards, actions = append(guards, "next(p) ∉ held"), append(actions, "held ≔ held ∪ {next(p)}")
		case 4:
			actions = append(actions, one("held ≔ held ∖ {p, next(p)}", "held ≔ held ∖ {p}", "held ≔ ∅"))
		case 5:
			actions = append(actions, "seen(p) ≔ n")
		case 6:
			params, guards, actions = params+" i:ℤ", append(guards, "i ∈ 0‥1"), append(actions, "seen(p) ≔ i")
		case 7:
			actions = append(actions, "seen :∈ {seen <+ {p ↦ 1}, seen <+ {p ↦ 0}}")
		}
		if w.IntN(4) == 0 {
			guards = append(guards, one("pc(next(p)) ≠ 1", "held ≠ S", "seen(p) = 0", "seen(next(p)) ≤ n"))
		}
		x.event(fmt.Sprintf("e%d", i), params, strings.Join(guards, ";;"), strings.Join(actions, ";;"))
	}
	if w.IntN(3) == 0 {
		x.event("tick", "", "", "clock ≔ 1 − clock")
	}
	x.invariant(one("n ≤ 1", "held ≠ S", "∀p·p ∈ S ⇒ pc(p) < 3", "∀p·p ∈ S ∧ pc(p) = 2 ⇒ p ∈ held"))
	return x
}

// Partial-order reduction by all facts that are true changes no verdict: on
// random machines the same properties fail, as many states are deadlocks, and
// the same goals and least objectives are found.
func TestPartialOrderChangesNoVerdict(t *testing.T) {
	n := corpus.Effort(90, 90, 1500)
	tried, reduced, saved, terminating := 0, 0, 0, 0
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		var x *builder
		objective := "x"
		if seed%3 == 0 {
			x = randomMachineOn(t, &writer{Rand: r, quantify: true}, true)
		} else {
			x, objective = threads(t, r), "n"
		}
		goal := x.someGoal(r)
		ins, _, err := Solve(context.Background(), x.development(), x.m, Setup{Default: 2 + seed%2}, 1)
		if err != nil {
			t.Fatal(err)
		}
		run := func(opt Options) *Result {
			opt.KeepGoing = true
			res, err := Run(context.Background(), x.m, ins[0], opt)
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		plain := run(Options{MaxStates: 500})
		if plain.States >= 500 {
			continue
		}
		tried++
		o := newOracle(t, x.m, ins[0])
		known := o.independence()
		failing := func(r *Result) string {
			var out []string
			for _, f := range r.Findings {
				out = append(out, f.Kind+" "+f.Label)
			}
			slices.Sort(out)
			return fmt.Sprint(out, r.Deadlocks)
		}
		compare := func(what string, opt Options) *Result {
			opt.Independence = nil
			want := run(opt)
			opt.Independence = known
			got := run(opt)
			if failing(want) != failing(got) || got.States > want.States {
				t.Fatalf("seed %d, %s: %d states, %s; reduced %d, %s", seed, what, want.States, failing(want), got.States, failing(got))
			}
			return got
		}
		checked := []string{"invariants", "depth-first", "symmetry"}
		for i, opt := range []Options{{}, {Order: DepthFirst}, {Symmetry: true}} {
			compare(checked[i], opt)
		}
		known.Verified = len(plain.Findings) == 0 || len(plain.Findings) == 1 && plain.Findings[0].Kind == Deadlock
		opt := Options{NoInvariants: true}
		if known.Verified {
			if got := compare("deadlocks", opt); got.States < plain.States {
				reduced++
				saved += plain.States - got.States
			}
		}
		opt.Goal = goal
		compare("goal", opt)
		ends := func(final, read logic.Term) {
			var got [2]string
			for i, k := range []*order.Independence{nil, known} {
				e, err := SearchEnds(context.Background(), x.m, ins[0], nil, Options{NoInvariants: true, NoDeadlock: true, Symmetry: true, Independence: k})
				if err != nil {
					t.Fatal(err)
				}
				got[i] = fmt.Sprint(valuesAtEnds(t, e, final, read))
			}
			if got[0] != got[1] {
				t.Fatalf("seed %d: ends %s, reduced %s", seed, got[0], got[1])
			}
		}
		if known.Verified && !o.cyclic() {
			terminating++
			ends(x.nothing(ins[0].Set.Bank), x.b.Free(objective, logic.IntType))
		}
	}
	t.Logf("%d machines, %d of %d with fewer states, %d saved; %d without cycles", tried, reduced, n, saved, terminating)
	if reduced < n/10 || terminating < n/10 {
		t.Errorf("only %d of %d machines have fewer states", reduced, n)
	}
}

// valuesAtEnds are the values of an expression where final holds, and whether runs end elsewhere.
func valuesAtEnds(t *testing.T, e *EndSearch, final, read logic.Term) (values []string, stuck bool) {
	p := e.Program()
	end, err := p.Goal(final)
	if err != nil {
		t.Fatal(err)
	}
	expr, err := p.Value(read)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(&end, []logic.Term{final, read}, true); err != nil {
		t.Fatal(err)
	}
	f := p.Frame(context.Background())
	for _, at := range e.Ends() {
		if !at.Final {
			stuck = true
			continue
		}
		e.Load(f, at)
		values = append(values, p.Space.ToBig(expr(f)).String())
	}
	slices.Sort(values)
	return slices.Compact(values), stuck
}

// nothing says that no event is enabled.
func (x *builder) nothing(b *logic.Bank) logic.Term {
	var out []logic.Term
	for _, e := range x.m.Events {
		if e.IsInit() {
			continue
		}
		p := b.And(program.Terms(e.Guards)...)
		if len(e.Parameters) > 0 {
			var ids []logic.Term
			var types []logic.Type
			for _, a := range e.Parameters {
				ids, types = append(ids, a.Term), append(types, b.Type(a.Term))
			}
			p = b.Quant(logic.Exists, types, nil, b.Abstract(p, ids))
		}
		out = append(out, b.Not(p))
	}
	return b.And(out...)
}

// cyclic reports whether some state can come again.
func (o *oracle) cyclic() bool {
	left := map[string]int{} // 1: on the path, 2: done
	var visit func(s string) bool
	visit = func(s string) bool {
		left[s] = 1
		for _, x := range o.states[s] {
			for _, u := range x.after {
				if left[u] == 1 || left[u] == 0 && visit(u) {
					return true
				}
			}
		}
		left[s] = 2
		return false
	}
	return slices.ContainsFunc(o.order, func(s string) bool { return left[s] == 0 && visit(s) })
}

// someGoal returns a predicate to look for.
func (x *builder) someGoal(r *rand.Rand) logic.Term {
	if x.m.Name == "threads" {
		return x.predicate([]string{"n = 2", "held = S", "∃p·p ∈ S ∧ pc(p) = 3", "seen = S × {1}"}[r.IntN(4)]).Term
	}
	return x.predicate((&writer{Rand: r}).pred(1)).Term
}

// reducedBy runs a machine without reduction, and with reduction by all true facts.
func reducedBy(t *testing.T, x *builder, opt Options) (plain, got *Result) {
	t.Helper()
	ins, _, err := Solve(context.Background(), x.development(), x.m, Setup{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	run := func(opt Options) *Result {
		r, err := Run(context.Background(), x.m, ins[0], opt)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	opt.KeepGoing = true
	plain = run(opt)
	opt.Independence = newOracle(t, x.m, ins[0]).independence()
	return plain, run(opt)
}

// An instance that is enabled stands for others of its event, which something
// else may enable first.
func TestOtherInstancesOfANode(t *testing.T) {
	x := newBuilder(t, "m")
	x.variable("x", "ℤ")
	x.variable("n", "ℤ")
	x.event("INITIALISATION", "", "", "x ≔ 0;;n ≔ 1")
	x.event("take", "i:ℤ", "i ∈ 1‥2;;i ≤ n;;x = 0", "x ≔ i")
	x.event("grow", "", "n = 1", "n ≔ 2")
	plain, got := reducedBy(t, x, Options{})
	if plain.Deadlocks != 2 || got.Deadlocks != 2 {
		t.Errorf("%d deadlocks, reduced %d, want 2", plain.Deadlocks, got.Deadlocks)
	}
}

// That a guard has no value in some state is not lost by following one order.
func TestReductionKeepsUndefined(t *testing.T) {
	x := newBuilder(t, "m")
	for _, v := range []string{"y", "w", "v"} {
		x.variable(v, "ℤ")
	}
	x.event("INITIALISATION", "", "", "y ≔ 0;;w ≔ 0;;v ≔ 0")
	x.event("first", "", "y = 0", "y ≔ 1")
	x.event("second", "", "w = 0", "w ≔ 1")
	x.event("divide", "", "w = 1;;1 ÷ y = 1;;v = 0", "v ≔ 1")
	plain, got := reducedBy(t, x, Options{NoDeadlock: true})
	if len(plain.Findings) != 1 || len(got.Findings) != 1 {
		t.Errorf("%d findings, reduced %d, want 1", len(plain.Findings), len(got.Findings))
	}
}

// Two independent threads of k steps take 2k+1 states instead of (k+1)².
func TestReductionOfThreads(t *testing.T) {
	x := newBuilder(t, "m")
	x.variable("a", "ℤ")
	x.variable("b", "ℤ")
	x.event("INITIALISATION", "", "", "a ≔ 0;;b ≔ 0")
	x.event("left", "", "a < 9", "a ≔ a + 1")
	x.event("right", "", "b < 9", "b ≔ b + 1")
	plain, got := reducedBy(t, x, Options{})
	if plain.States != 100 || got.States != 19 || got.Deadlocks != 1 {
		t.Errorf("%d states, reduced %d with %d deadlocks; want 100, 19, 1", plain.States, got.States, got.Deadlocks)
	}
}

// The components that cannot be left are those sets of states that reach each
// other, and nothing else.
func TestClosedComponents(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		n := 1 + r.IntN(8)
		reach := make([]map[int]bool, n)
		from, to := []int{0}, []int(nil)
		for v := range n {
			reach[v] = map[int]bool{v: true}
			for range r.IntN(3) {
				w := r.IntN(n)
				to = append(to, w)
				reach[v][w] = true
			}
			from = append(from, len(to))
		}
		for range n {
			for v := range n {
				for w := range maps.Clone(reach[v]) {
					maps.Copy(reach[v], reach[w])
				}
			}
		}
		want := map[string]bool{}
		for v := range n {
			closed := true
			for w := range reach[v] {
				closed = closed && reach[w][v]
			}
			if closed {
				want[fmt.Sprint(slices.Sorted(maps.Keys(reach[v])))] = true
			}
		}
		got := map[string]bool{}
		closedComponents(from, to, func(c []int) { got[fmt.Sprint(slices.Sorted(slices.Values(c)))] = true })
		if !maps.Equal(want, got) {
			t.Fatalf("edges %v of %v: closed are %v, want %v", to, from, got, want)
		}
	}
}

// Contradicts looks for a reachable state of m in which a fact in known, as a
// search uses it, is false, and describes what is wrong; "" if there is none. It
// is for tests that ask the prover. Machines of more than 2,000 states are not
// looked at.
func Contradicts(t testing.TB, m *model.Machine, in *Instance, known *order.Independence) string {
	r, err := Run(context.Background(), m, in, Options{MaxStates: 2000, NoInvariants: true, NoDeadlock: true})
	if err != nil || r.Verdict == Bounded {
		return ""
	}
	o := newOracle(t, m, in)
	y := stubborn.New(context.Background(), o.p, known)
	f := o.p.Frame(context.Background())
	node := func(x instance) int {
		e := o.p.Events[x.event]
		for k, a := range e.Params {
			f.Slots[a.Slot] = x.vals[k]
		}
		return y.Chooser().Node(x.event, e, f)
	}
	describe := func(what string, xs ...instance) string {
		for _, x := range xs {
			what += fmt.Sprintf(" %s%s", o.p.Events[x.event].Model.Label, x.args)
		}
		return what
	}
	isFalse := func(s string, k *stubborn.Conjunct, n int) bool {
		o.p.Unpack(f, []byte(s))
		for i, v := range y.Values[n] {
			f.Slots[k.Slots[i]] = v
		}
		ok, why := f.Try(k.Holds)
		return !ok && why == ""
	}
	for _, s := range o.order {
		nodes := make([]int, len(o.states[s]))
		for i, a := range o.states[s] {
			if nodes[i] = node(a); nodes[i] < 0 {
				return describe("no node for", a)
			}
		}
		for i, a := range o.states[s] {
			for j, b := range o.states[s] {
				switch {
				case nodes[i] == nodes[j]:
					if i != j && y.One[nodes[i]] && !o.commute(s, a, b) {
						return describe("of one node, do not commute:", a, b)
					}
				case y.Exclusive[nodes[i]].Has(nodes[j]):
					return describe("both happen:", a, b)
				case !y.Dependent[nodes[i]].Has(nodes[j]) && !o.commute(s, a, b):
					return describe("do not commute:", a, b)
				}
			}
			for n := range y.N {
				for c, k := range y.Guards[y.Event[n]] {
					if k.Holds == nil || k.Enablers[n].Has(nodes[i]) || !isFalse(s, k, n) {
						continue
					}
					for _, u := range a.after {
						if !isFalse(u, k, n) {
							return describe(fmt.Sprintf("guard %d of %s%v is enabled by", c+1, o.p.Events[y.Event[n]].Model.Label, y.Values[n]), a)
						}
					}
				}
			}
		}
	}
	return ""
}
