package explore

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/symmetry"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/logic"
)

// Symmetry changes no verdict: on random machines whose constants leave elements
// indistinct, the same properties fail, by traces of the same length, and one
// state is kept for each orbit.
func TestSymmetryChangesNoVerdict(t *testing.T) {
	n := 200
	if testing.Short() {
		n = 40
	}
	reduced := 0
	for seed := range n {
		w := &writer{Rand: rand.New(rand.NewPCG(uint64(seed), 2)), quantify: true}
		x := randomMachineOn(t, w, seed%2 == 0)
		if compareOrbits(t, seed, x, Setup{Sizes: map[string]int{"S": 3}}, nil) {
			reduced++
		}
	}
	if reduced < n/10 {
		t.Errorf("only %d of %d machines have fewer states", reduced, n)
	}
}

// The same for integers that are declared to be threads, unless the machine tells
// them apart, which is refused.
func TestThreadsChangeNoVerdict(t *testing.T) {
	n := corpus.Effort(60, 250, 1200)
	reduced, refused := 0, 0
	for seed := range n {
		x := threadMachine(t, &writer{Rand: rand.New(rand.NewPCG(uint64(seed), 3)), quantify: true})
		threads := []symmetry.Threads{{Name: "1‥n", Set: x.expression("1‥n")}}
		given := x.predicate("n = " + []string{"3", "4"}[seed%2]).Term
		if y, err := x.symmetryOf(Setup{Given: []logic.Term{given}}, threads); err != nil || len(y.Blocks) == 0 {
			refused++
			continue
		}
		if compareOrbits(t, seed, x, Setup{Given: []logic.Term{given}}, threads) {
			reduced++
		}
	}
	t.Logf("%d machines, %d refused, %d reduced", n, refused, reduced)
	if reduced < n/5 || refused < n/20 {
		t.Errorf("of %d machines %d are refused, %d have fewer states", n, refused, reduced)
	}
}

// symmetryOf returns the group of a search of x.
func (x *builder) symmetryOf(s Setup, threads []symmetry.Threads) (*symmetry.Group, error) {
	x.t.Helper()
	ins, _, err := Solve(context.Background(), x.development(), x.m, s, 1)
	if err != nil {
		x.t.Fatal(err)
	}
	p, err := program.Compile(ins[0].Set, x.m, false)
	if err != nil {
		x.t.Fatal(err)
	}
	return symmetry.Of(context.Background(), p, x.m, symmetry.Question{Threads: threads, Invariants: true})
}

// compareOrbits explores x with and without symmetry, and reports whether that has
// fewer states.
func compareOrbits(t *testing.T, seed int, x *builder, setup Setup, threads []symmetry.Threads) bool {
	t.Helper()
	ins, _, err := Solve(context.Background(), x.development(), x.m, setup, 1)
	if err != nil {
		t.Fatal(err)
	}
	searched := func(opt Options) *search {
		s, err := newSearch(context.Background(), x.m, ins[0], opt)
		if err == nil {
			err = s.reduce(x.m, ins[0])
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		s.run(context.Background())
		return s
	}
	opt := Options{KeepGoing: true, MaxStates: 20_000}
	a := searched(opt)
	plain := a.result
	if plain.Why != "" {
		return false
	}
	opt.Symmetry, opt.Threads = true, threads
	b := searched(opt)
	got := b.result
	failing := func(r *Result) map[string]int {
		out := map[string]int{}
		for _, f := range r.Findings {
			out[f.Kind+" "+f.Label] = len(f.Trace.Steps)
		}
		return out
	}
	want := plain.States
	if b.sym != nil {
		want = a.orbits(t, seed, b.sym)
	}
	if got.Verdict != plain.Verdict || got.States != want || got.Depth != plain.Depth || !maps.Equal(failing(got), failing(plain)) {
		t.Fatalf("seed %d: %d states in %d orbits, %s, depth %d, %v; with symmetry %d, %s, depth %d, %v", seed,
			plain.States, want, plain.Verdict, plain.Depth, failing(plain), got.States, got.Verdict, got.Depth, failing(got))
	}
	return got.States < plain.States
}

// orbits counts the orbits of the states of s, which must be closed under the
// permutations of a group.
func (s *search) orbits(t *testing.T, seed int, y *symmetry.Group) int {
	number, up := map[string]int{}, []int{}
	var states []string
	s.st.Each(func(state []byte) {
		number[string(state)] = len(up)
		up, states = append(up, len(up)), append(states, string(state))
	})
	find := func(i int) int {
		for up[i] != i {
			i = up[i]
		}
		return i
	}
	f := s.p.Frame(context.Background())
	for _, b := range y.Blocks {
		for i := range b.Elems[1:] {
			by := y.Reducer(s.p).By
			g := &by[b.Group]
			g.To[b.Elems[i]-g.Low], g.To[b.Elems[i+1]-g.Low] = b.Elems[i+1], b.Elems[i]
			for k, state := range states {
				s.p.Unpack(f, []byte(state))
				for j, v := range s.p.Variables {
					f.Slots[v.Primed] = symmetry.Permute(s.p.Space, y.Parts[j], v.Shape, f.Slots[j], by)
				}
				l, ok := number[string(s.p.Pack(nil, f))]
				if !ok {
					t.Fatalf("seed %d: the reachable states are not closed under the permutations", seed)
				}
				up[find(k)] = find(l)
			}
		}
	}
	n := 0
	for i := range up {
		if up[i] == i {
			n++
		}
	}
	return n
}

// threadMachine makes a random machine of threads 1‥n. Now and then it tells them
// apart.
func threadMachine(t testing.TB, w *writer) *builder {
	x := newBuilder(t, "threads")
	x.constant("n", "ℤ")
	x.axiom("n ∈ 1‥4")
	x.variable("pc", "ℙ(ℤ×ℤ)")
	x.variable("owner", "ℤ")
	x.variable("w", "ℙ(ℤ)")
	x.variable("after", "ℙ(ℤ×ℤ)")
	x.variable("k", "ℤ")
	x.event("INITIALISATION", "", "", "pc ≔ (1‥n)×{0};;owner ≔ 0;;k ≔ 0"+
		w.one(";;w ≔ ∅", ";;w ≔ 1‥n", ";;w :∈ ℙ(1‥n)")+w.one(";;after ≔ ∅", ";;after ≔ (1‥n) × {0}", ";;after ≔ (1‥n) ◁ id"))
	rare := func(often, seldom string) string {
		if w.IntN(25) == 0 {
			return seldom
		}
		return often
	}
	thread := func(own ...string) string { return w.one(append(own, own[0], rare("owner", "1"))...) }
	var pred func(depth int, own ...string) string
	pred = func(depth int, own ...string) string {
		e := thread(own...)
		if depth > 0 {
			switch w.IntN(3) {
			case 0:
				return "(∀q· q ∈ " + w.one("1‥n", "w", "dom(after)") + " ⇒ " + pred(depth-1, append(own, "q")...) + ")"
			case 1:
				return "(" + pred(depth-1, own...) + w.one(" ∧ ", " ∨ ", " ⇒ ") + pred(depth-1, own...) + ")"
			}
			return "¬(" + pred(depth-1, own...) + ")"
		}
		switch w.IntN(7) {
		case 0:
			return e + w.one(" ∈ ", " ∉ ") + w.one("w", "1‥n", "ran(after)", "{owner}", "dom(pc ▷ {k})")
		case 1:
			return e + rare(w.one(" = ", " ≠ "), w.one(" < ", " ≤ ")) + thread(own...)
		case 2:
			return "pc[{" + e + "}] ⊆ {" + w.one("0", "1", "k") + "}"
		case 3:
			return "card(w) " + w.one("<", "≤", "=") + w.one(" k", " n", " 2")
		case 4:
			return e + w.one(" ↦ ", " ↦ ") + thread(own...) + " ∉ after"
		case 5:
			return "owner " + w.one("=", "≠") + " " + rare("0", "2")
		}
		return "k < " + rare("2", e)
	}
	for i := range 2 + w.IntN(3) {
		all := []string{
			"pc ≔ pc <+ {p ↦ " + w.one("k", "1", "2") + "}", "owner ≔ " + w.one("p", "0", thread("p")),
			"w ≔ " + w.one("w ∪ {p}", "w ∖ {p}", "(1‥n) ∖ w", "dom(pc ▷ {0})"),
			"after ≔ " + w.one("after <+ {p ↦ owner}", "{p} ⩤ after", "(after;after)", "after∼", "after ∪ {owner ↦ p}"),
			"k ≔ " + w.one("card(w) mod 3", "(k + 1) mod 3", rare("0", "p mod 3")),
		}
		w.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		x.event("e"+string(rune('0'+i)), "p:ℤ", w.one("p ∈ 1‥n", "p ∈ w", "p ∈ 1‥n ∧ p ∉ dom(after)")+";;"+pred(w.IntN(2), "p"), strings.Join(all[:1+w.IntN(2)], ";;"))
	}
	x.invariant(pred(2, "owner"))
	return x
}

func (x *builder) expression(text string) logic.Term {
	return x.b.Arg(x.predicate(text+" = ∅").Term, 0)
}

// What tells threads apart is named, with its place.
func TestThreadsToldApart(t *testing.T) {
	for _, c := range []struct{ guard, action, want string }{
		{"p < owner", "owner ≔ p", "< compares them in p < owner, guard p < owner of event take"},
		{"p ∈ 1‥k", "owner ≔ p", "‥ compares them in p ∈ 1 ‥ k, guard p ∈ 1‥k of event take"},
		{"p = min(w)", "owner ≔ p", "min compares them in p = min(w), guard p = min(w) of event take"},
		{"p ∈ w", "owner ≔ p mod n + 1", "mod computes with them in p mod n + 1, action  of event take"},
		{"p = card(w)", "owner ≔ p", "card gives a number that is used as one of them in p = card(w), guard p = card(w) of event take"},
		{"p ↦ 1 ∈ succ", "owner ≔ p", "succ computes with them in p ↦ 1 ∈ succ, guard p ↦ 1 ∈ succ of event take"},
		{"p ∈ {1,2} ∧ owner ≠ 1", "owner ≔ p", "constants or literals in the formulas of the machine tell each of them apart"},
		{"k ∈ {1,2}", "k ≔ k", "no formula says that a variable of machine m holds elements of this set"},
		{"p ∈ w", "owner ≔ p", ""},
		{"p ∈ {1,2}", "owner ≔ p", ""},
		{"p ∈ ℕ1 ∧ cost(p) = k", "owner ≔ p", ""},
	} {
		x := newBuilder(t, "m")
		x.constant("n", "ℤ")
		x.constant("cost", "ℙ(ℤ×ℤ)")
		x.axiom("n = 3")
		x.axiom("cost = {1 ↦ 7, 2 ↦ 7, 3 ↦ 5}")
		x.variable("owner", "ℤ")
		x.variable("w", "ℙ(ℤ)")
		x.variable("k", "ℤ")
		first := "owner ≔ 0;;w ≔ 1‥n;;k ≔ 0"
		if strings.HasPrefix(c.guard, "k") {
			first = "owner ≔ 0;;w ≔ ∅;;k ≔ 0"
		}
		x.event("INITIALISATION", "", "", first)
		x.event("take", "p:ℤ", "p ∈ w;;"+c.guard, c.action)
		y, err := x.symmetryOf(Setup{}, []symmetry.Threads{{Name: "1‥n", Set: x.expression("1‥n")}})
		if err == nil && len(y.Notes) > 0 {
			err = errors.New(y.Notes[0])
		}
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.guard, err)
		case c.want == "":
			if c.guard != "p ∈ w" && !slices.Equal(y.Names, []string{"{1, 2}"}) {
				t.Errorf("%s: interchangeable are %v, want 1 and 2", c.guard, y.Names)
			}
		case err == nil || err.Error() != "threads 1‥n: "+c.want:
			t.Errorf("%s: got %v, want %s", c.guard, err, c.want)
		}
	}
}

// A permutation may take a function that is held in slots to one that is not.
func TestSymmetryOfSparseFunctions(t *testing.T) {
	x := newBuilder(t, "sparse")
	x.variable("home", "ℙ(ℤ×ℤ)")
	x.variable("n", "ℤ")
	x.invariant("n < 24")
	x.event("INITIALISATION", "", "", "home ≔ ∅;;n ≔ 20")
	x.event("put", "m:ℤ", "m ∈ 1‥4", "home ≔ home ∪ {n ↦ m};;n ≔ n + 1")
	threads := []symmetry.Threads{{Name: "1‥4", Set: x.expression("1‥4")}}
	r := x.run(Setup{}, Options{Symmetry: true, Threads: threads})
	// As many as there are partitions of up to five things into at most four parts.
	if len(r.Findings) != 1 || len(r.Findings[0].Trace.Steps) != 5 || r.States != 1+1+2+5+15+51 {
		t.Errorf("got %+v", r)
	}
}
