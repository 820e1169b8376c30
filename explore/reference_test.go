package explore

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// reference explores a machine as naively as can be: states are maps, parameters
// and after-values run through all combinations, and logic/eval decides. Integer
// parameters and choices are tried in 0‥5 only.
type reference struct {
	t      testing.TB
	b      *logic.Bank
	m      *model.Machine
	base   *eval.Model
	states map[string]state
	queue  []state

	transitions, deadlocks int
	violated, undefined    map[string]bool
}

type state = map[string]eval.Value

func explored(t testing.TB, x *builder, carriers map[string]int, consts func(*eval.Space) state) *reference {
	r := &reference{t: t, b: x.b.Extend(), m: x.m, base: eval.NewModel(), states: map[string]state{}, violated: map[string]bool{}, undefined: map[string]bool{}}
	r.base.Carriers = carriers
	maps.Copy(r.base.Values, consts(r.base.Space))
	r.fire(x.m.Events[0], state{})
	for len(r.queue) > 0 {
		s := r.queue[0]
		r.queue = r.queue[1:]
		for _, inv := range x.m.Invariants {
			if !r.holds(r.b.D(inv.Term), s) {
				r.undefined[inv.Label] = true
			} else if !r.holds(inv.Term, s) {
				r.violated[inv.Label] = true
			}
		}
		before := r.transitions
		for _, e := range x.m.Events[1:] {
			r.fire(e, s)
		}
		if r.transitions == before {
			r.deadlocks++
		}
	}
	return r
}

func (r *reference) eval(s state) *eval.Evaluator {
	m := &eval.Model{Space: r.base.Space, Carriers: r.base.Carriers, Values: maps.Clone(r.base.Values)}
	maps.Copy(m.Values, s)
	return eval.New(r.b, m, 1<<24)
}

func (r *reference) holds(p logic.Term, s state) bool {
	truth := r.eval(s).Pred(p)
	if truth == eval.Unknown {
		r.t.Fatalf("the reference cannot decide")
	}
	return truth == eval.True
}

// all returns the values tried for an identifier of type typ.
func (r *reference) all(typ logic.Type) []eval.Value {
	if typ == logic.IntType {
		var out []eval.Value
		for i := range int64(6) {
			out = append(out, r.base.Space.Int64(i))
		}
		return out
	}
	vs, ok := r.base.All(r.b, typ, 1<<12)
	if !ok {
		r.t.Fatal("a type has too many values for the reference")
	}
	return vs
}

// each visits all extensions of s by values of ids.
func (r *reference) each(ids []logic.Term, s state, visit func(state)) {
	if len(ids) == 0 {
		visit(s)
		return
	}
	for _, v := range r.all(r.b.Type(ids[0])) {
		next := maps.Clone(s)
		next[r.b.Name(ids[0])] = v
		r.each(ids[1:], next, visit)
	}
}

// fire adds the successors of s by e.
func (r *reference) fire(e *model.Event, s state) {
	var ids []logic.Term
	for _, p := range e.Parameters {
		ids = append(ids, p.Term)
	}
	r.each(ids, s, func(s state) {
		for _, g := range e.Guards {
			if !r.holds(r.b.D(g.Term), s) {
				r.undefined[e.Label] = true
				return
			}
			if !r.holds(g.Term, s) {
				return
			}
		}
		r.act(e, s)
	})
}

func (r *reference) act(e *model.Event, s state) {
	fixed := state{}
	var conds, choices []logic.Term
	prime := func(v logic.Term) logic.Term { return r.b.Free(r.b.Name(v)+"'", r.b.Type(v)) }
	for _, a := range e.Actions {
		for i, v := range a.Left {
			switch a.Kind {
			case model.BecomesEqual:
				if !r.holds(r.b.D(a.Right[i]), s) {
					r.undefined[e.Label] = true
					return
				}
				x, ok := r.eval(s).Expr(a.Right[i])
				if !ok {
					r.t.Fatal("the reference has no value")
				}
				fixed[r.b.Name(v)] = x
				continue
			case model.BecomesIn:
				conds = append(conds, r.b.App(logic.In, prime(v), a.Right[0]))
			case model.BecomesSuch:
				if i == 0 {
					conds = append(conds, a.Right[0])
				}
			}
			choices = append(choices, prime(v))
		}
	}
	r.each(choices, s, func(s state) {
		for _, c := range conds {
			if !r.holds(r.b.D(c), s) {
				r.undefined[e.Label] = true
				return
			}
			if !r.holds(c, s) {
				return
			}
		}
		after := state{}
		for _, v := range r.m.Variables {
			after[v.Name] = s[v.Name]
			if x, ok := s[v.Name+"'"]; ok {
				after[v.Name] = x
			}
			if x, ok := fixed[v.Name]; ok {
				after[v.Name] = x
			}
		}
		r.transitions++
		r.add(after)
	})
}

func (r *reference) add(s state) {
	var key strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(&key, "%s=%d;", name, s[name])
	}
	if _, ok := r.states[key.String()]; !ok {
		r.states[key.String()] = s
		r.queue = append(r.queue, s)
	}
}

// writer writes random formulas over x, y (integers), e, p (elements of S), s, u
// (subsets of S), f (a relation from S to integers) and g (from S to S).
type writer struct {
	*rand.Rand
	quantify bool
	ints     []string
	elems    []string
}

func (w *writer) one(xs ...string) string { return xs[w.IntN(len(xs))] }

func (w *writer) int(n int) string {
	if n <= 0 {
		return w.one(append([]string{"x", "y", "0", "1", "2", "3"}, w.ints...)...)
	}
	switch w.IntN(8) {
	case 0:
		return "(" + w.int(n-1) + w.one(" + ", " − ", "∗", " ÷ ", " mod ") + w.int(n-1) + ")"
	case 1:
		return "card(" + w.set(n-1) + ")"
	case 2, 3:
		return "f(" + w.elem(n-1) + ")"
	case 4:
		return w.one("min", "max") + "({" + w.int(n-1) + ", " + w.int(n-1) + "})"
	}
	return w.int(0)
}

func (w *writer) elem(n int) string {
	if n <= 0 || w.IntN(3) > 0 {
		return w.one(append([]string{"e", "c"}, w.elems...)...)
	}
	return "g(" + w.elem(n-1) + ")"
}

func (w *writer) set(n int) string {
	if n <= 0 {
		return w.one("s", "u", "S", "(∅⦂ℙ(S))")
	}
	switch w.IntN(8) {
	case 0, 1:
		return "(" + w.set(n-1) + w.one(" ∪ ", " ∩ ", " ∖ ") + w.set(n-1) + ")"
	case 2:
		return "{" + w.elem(n-1) + "}"
	case 3:
		return "dom(" + w.one("f", "g", "g∼", "f ▷ {0,1}", "s ◁ g") + ")"
	case 4:
		return w.one("g", "g∼", "(g;g)", "(s ⩤ g)") + "[" + w.set(n-1) + "]"
	case 5:
		if w.quantify {
			return "{z· z∈" + w.set(n-1) + " ∧ " + w.with("z").pred(n-1) + " ∣ z}"
		}
	}
	return w.set(0)
}

func (w *writer) with(elem string) *writer {
	inner := *w
	inner.elems = append(slices.Clone(w.elems), elem)
	return &inner
}

func (w *writer) pred(n int) string {
	if n <= 0 {
		switch w.IntN(4) {
		case 0:
			return w.int(0) + w.one(" < ", " ≤ ", " = ", " ≠ ", " > ") + w.int(0)
		case 1:
			return w.elem(0) + w.one(" ∈ ", " ∉ ") + w.set(0)
		case 2:
			return w.set(0) + w.one(" ⊆ ", " ⊂ ", " = ", " ≠ ") + w.set(0)
		}
		return w.one("f ∈ S ⇸ 0‥5", "g ∈ S ↣ S", "g ∈ s ⤖ s", "partition(S,s,u)", "finite(s)", "dom(f) = S", "g ∈ S → s")
	}
	switch w.IntN(9) {
	case 0, 1:
		return "(" + w.pred(n-1) + w.one(" ∧ ", " ∨ ") + w.pred(n-1) + ")"
	case 2:
		return "(" + w.pred(n-1) + w.one(" ⇒ ", " ⇔ ") + w.pred(n-1) + ")"
	case 3:
		return "¬(" + w.pred(n-1) + ")"
	case 4:
		return w.int(n-1) + w.one(" < ", " ≤ ", " = ", " ≠ ", " ≥ ") + w.int(n-1)
	case 5:
		return w.set(n-1) + w.one(" ⊆ ", " = ", " ⊂ ") + w.set(n-1)
	case 6:
		return w.elem(n-1) + " ∈ " + w.set(n-1)
	case 7:
		if w.quantify {
			if w.IntN(2) == 0 {
				return "(∀z· z∈" + w.set(n-1) + " ⇒ " + w.with("z").pred(n-1) + ")"
			}
			return "(∃z· z∈" + w.set(n-1) + " ∧ " + w.with("z").pred(n-1) + ")"
		}
	}
	return w.pred(0)
}

func (w *writer) event(x *builder, i int) {
	inner := *w
	params, guards := "", []string{}
	if w.IntN(2) == 0 {
		params += "p:S "
		inner.elems = append(inner.elems, "p")
		guards = append(guards, w.one("p ∈ "+w.set(1), "p ≠ c", "g(e) = p"))
	}
	if w.IntN(2) == 0 {
		params += "i:ℤ"
		inner.ints = append(inner.ints, "i")
		guards = append(guards, w.one("i ∈ 0‥2", "i ∈ ran(f) ∩ 0‥5", "1 ≤ i ∧ i < 4", "e ↦ i ∈ f ∩ (S×0‥5)"))
	}
	guards = append(guards, inner.pred(2))
	if w.IntN(2) == 0 {
		guards = append(guards, inner.pred(1))
	}
	clamped := func() string { return "min({5, max({0, " + inner.int(2) + "})})" }
	all := []string{
		"x ≔ " + clamped(), w.one("y ≔ "+clamped(), "y :∈ 0‥x mod 4", "y :∣ y' ∈ 0‥3 ∧ y' ≠ y"), "e ≔ " + inner.elem(2),
		"s ≔ " + inner.set(2), w.one("u :∈ {s, "+inner.set(1)+"}", "u :∣ u' ⊆ s ∧ "+inner.pred(1)),
		w.one("f ≔ f <+ {"+inner.elem(1)+" ↦ "+clamped()+"}", "f ≔ "+inner.set(1)+" ⩤ f", "f ≔ "+inner.set(1)+" × {1}"),
		w.one("g ≔ g ∪ {"+inner.elem(1)+" ↦ "+inner.elem(1)+"}", "g ≔ "+inner.set(1)+" ◁ g", "g ≔ (g;g)", "g ≔ g∼"),
	}
	w.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	x.event(fmt.Sprintf("e%d", i), params, strings.Join(guards, ";;"), strings.Join(all[:1+w.IntN(2)], ";;"))
}

func randomMachine(t testing.TB, w *writer) *builder { return randomMachineOn(t, w, true) }

// randomMachineOn makes a machine; with named, c is a constant that stands for an
// element of S, otherwise it is a variable, and all elements are alike.
func randomMachineOn(t testing.TB, w *writer, named bool) *builder {
	x := newBuilder(t, "random")
	x.set("S")
	first := "c :∈ S"
	if named {
		x.constant("c", "S")
		first = "x :∈ 0‥2"
	}
	for _, v := range []string{"x:ℤ", "y:ℤ", "e:S", "s:ℙ(S)", "u:ℙ(S)", "f:ℙ(S×ℤ)", "g:ℙ(S×S)"} {
		name, typ, _ := strings.Cut(v, ":")
		x.variable(name, typ)
	}
	rest := ";;y :∈ 0‥1;;s :∈ ℙ(S);;u ≔ ∅;;f ≔ S×{2}"
	if named {
		rest += ";;e ≔ c;;g ≔ S×{c}"
	} else {
		x.variable("c", "S")
		rest += ";;x ≔ 1;;e :∈ S;;g ≔ S ◁ id"
	}
	x.event("INITIALISATION", "", "", first+rest)
	for i := range 2 + w.IntN(3) {
		w.event(x, i)
	}
	for range 2 {
		x.invariant(w.pred(2))
	}
	return x
}

// The compiled search agrees with the reference on random machines: on what has
// no value, and where all has one, on everything.
func TestAgreesWithReference(t *testing.T) {
	n := corpus.Effort(60, 100, 1000)
	compared := 0
	for seed := range n {
		w := &writer{Rand: rand.New(rand.NewPCG(uint64(seed), 1)), quantify: seed%3 == 0}
		x := randomMachine(t, w)
		size := 1 + seed%2
		r := x.run(Setup{Default: size}, Options{KeepGoing: true})
		if r.States > 3000 {
			continue
		}
		want := explored(t, x, map[string]int{"S": size}, func(s *eval.Space) state { return state{"c": s.Element("S", 0)} })
		violated, undefined := map[string]bool{}, map[string]bool{}
		for _, f := range r.Findings {
			switch f.Kind {
			case InvariantFails:
				violated[f.Label] = true
			case NoValueOf:
				undefined[f.Label] = true
			}
		}
		describe := func() string {
			var w strings.Builder
			for _, e := range x.m.Events {
				fmt.Fprintln(&w, e.Label)
				for _, g := range e.Guards {
					fmt.Fprintln(&w, "  when", g.Label)
				}
			}
			for _, i := range x.m.Invariants {
				fmt.Fprintln(&w, "inv", i.Label)
			}
			return w.String()
		}
		if (len(undefined) == 0) != (len(want.undefined) == 0) {
			t.Fatalf("seed %d: without value are %v, want %v\n%s", seed, undefined, want.undefined, describe())
		}
		if len(want.undefined) > 0 {
			continue
		}
		compared++
		if r.States != len(want.states) || r.Transitions != want.transitions || r.Deadlocks != want.deadlocks || !maps.Equal(violated, want.violated) {
			t.Fatalf("seed %d: %d states, %d transitions, %d deadlocks, violated %v; want %d, %d, %d, %v\n%s", seed,
				r.States, r.Transitions, r.Deadlocks, violated, len(want.states), want.transitions, want.deadlocks, want.violated, describe())
		}
	}
	if compared < n/10 {
		t.Errorf("only %d of %d machines have values everywhere", compared, n)
	}
	t.Logf("%d machines, %d of them have values everywhere", n, compared)
}

func TestTimeout(t *testing.T) {
	x := newBuilder(t, "endless")
	x.variable("i", "ℤ")
	x.event("INITIALISATION", "", "", "i ≔ 0")
	x.event("inc", "", "", "i ≔ i + 1")
	ins, _, err := Solve(context.Background(), x.development(), x.m, Setup{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Run(ctx, x.m, ins[0], Options{})
	if err != nil || r.Verdict != Bounded || r.Why != "interrupted" {
		t.Errorf("got %+v, %v", r, err)
	}
}
