package explore

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// Guards that are never false are found, with parameters and without.
func TestGuardsNeverFalse(t *testing.T) {
	x := newBuilder(t, "m")
	x.variable("n", "ℤ")
	x.variable("s", "ℙ(ℤ)")
	x.event("INITIALISATION", "", "", "n ≔ 0;;s ≔ {1,2}")
	x.event("e", "p:ℤ", "p ∈ s;;p > 0;;p > 1;;n < 9", "n ≔ (n+1) mod 3")
	x.event("safe", "p:ℤ", "p ∈ 0‥2;;p ≠ 0;;6 ÷ p > 2;;n ÷ p < 3", "n ≔ 0")
	r := x.run(Setup{}, Options{Coverage: true})
	want := map[string][]string{"e": {"p > 0", "n < 9"}, "safe": {"6 ÷ p > 2", "n ÷ p < 3"}}
	for _, e := range r.Coverage.Events {
		if !slices.Equal(e.NeverFalse, want[e.Label]) {
			t.Errorf("event %s: never false are %v, want %v", e.Label, e.NeverFalse, want[e.Label])
		}
	}
}

// The reference agrees, on random machines in which everything has a value.
func TestGuardsNeverFalseAgree(t *testing.T) {
	n := corpus.Effort(30, 70, 400)
	found, compared := 0, 0
	for seed := range n {
		w := &writer{Rand: rand.New(rand.NewPCG(uint64(seed), 4))}
		x := randomMachine(t, w)
		r := x.run(Setup{Default: 2}, Options{KeepGoing: true, Coverage: true, MaxStates: 3000})
		if r.Why != "" {
			continue
		}
		ref := explored(t, x, map[string]int{"S": 2}, func(s *eval.Space) state { return state{"c": s.Element("S", 0)} })
		if len(ref.undefined) > 0 {
			continue
		}
		for k, e := range x.m.Events[1:] {
			var ids []logic.Term
			for _, p := range e.Parameters {
				ids = append(ids, p.Term)
			}
			if slices.ContainsFunc(ids, func(id logic.Term) bool { return x.b.Type(id) == logic.IntType }) {
				continue // the reference tries some integers only
			}
			for i, g := range e.Guards {
				compared++
				needless, defined := true, true
				for _, s := range ref.states {
					ref.each(ids, s, func(s state) {
						rest := true
						for j, other := range e.Guards {
							defined = defined && ref.holds(ref.b.D(other.Term), s)
							rest = rest && (i == j || len(ids) == 0 || !mentions(x.b, g.Term, e.Parameters) || ref.holds(ref.b.D(other.Term), s) && ref.holds(other.Term, s))
						}
						if rest && !ref.holds(ref.b.And(ref.b.D(g.Term), g.Term), s) {
							needless = false
						}
					})
				}
				got := slices.Contains(r.Coverage.Events[k].NeverFalse, g.Label)
				if got && !needless || !got && needless && defined {
					t.Fatalf("seed %d: that guard %s of %s is never false is said to be %t", seed, g.Label, e.Label, got)
				}
				if got {
					found++
				}
			}
		}
	}
	t.Logf("%d guards compared, %d never false", compared, found)
	if found == 0 {
		t.Error("no guard is never false")
	}
}
