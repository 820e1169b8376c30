package refute_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover/refute"
)

// Of random sequents about finite and infinite sets of sets, relations and pairs,
// none makes the search fail, and what it finds is a counterexample when it is
// evaluated again: with the same false part for the same values once it has been written and read.
func TestFindOnSetsOfSets(t *testing.T) {
	n := 400
	if os.Getenv("GRADINE_SWEEP") != "" {
		n = 40_000
	}
	found := 0
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 41))
		b := logic.NewBank()
		f := random.NewFormulas(b, r)
		s := logic.Sequent{Bank: b, Goal: b.App(logic.Finite, f.Expr(b.PowType(f.Type(2)), 3))}
		for range r.IntN(3) {
			s.Hyps = append(s.Hyps, f.Pred(2))
		}
		if r.IntN(4) == 0 {
			s.Hyps, s.Goal = append(s.Hyps, s.Goal), f.Pred(2)
		}
		if r.IntN(4) == 0 {
			// Many members make it false: which one is named must not depend on how they were found.
			typ := f.Type(1)
			member := b.Free("member", typ)
			in := func() logic.Term { return b.App(logic.In, member, f.Expr(b.PowType(typ), 1)) }
			s.Goal = b.Quant(logic.Forall, []logic.Type{typ}, nil, b.Abstract(b.App(logic.Implies, in(), in()), []logic.Term{member}))
		}
		x, _ := refute.Find(s, 20_000)
		if x == nil {
			continue
		}
		found++
		if refute.Confirm(s, x.Model) == nil {
			t.Errorf("seed %d: what was found refutes nothing", seed)
		}
		data, err := x.Model.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		m, err := eval.ReadModel(b, b.FreeIdents(append(slices.Clone(s.Hyps), s.Goal)...), data)
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, data, err)
		}
		if again := refute.Confirm(s, m); again != nil && said(again) != said(x) {
			t.Errorf("seed %d: found, it says %s, and once written and read, %s", seed, said(x), said(again))
		}
	}
	if found < n/20 {
		t.Errorf("of %d sequents, %d refuted", n, found)
	}
}

// said is what a reader sees of a counterexample in addition to its model.
func said(x *refute.Counterexample) string {
	out := fmt.Sprint(x.Shown, x.Part)
	for _, value := range x.Values {
		out += " " + x.Model.Space.String(value)
	}
	return out
}
