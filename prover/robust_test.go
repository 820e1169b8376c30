package prover_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
)

var (
	robust    = flag.Int("robust.n", 12, "number of proved sequents to prove again in other forms")
	robustMin = flag.Int64("robust.min", 0, "take only sequents whose proof takes at least so many steps")
)

// TestRobust proves sequents of the reference data again with hypotheses of their
// component added, in another order, with other names, without selection, and with the
// goal in other words, and counts what gets lost:
//
//	go test ./prover -run TestRobust -v -robust.n=500 -corpus.seed=7
func TestRobust(t *testing.T) {
	all := readRecords(t, "rodin-dev.sequents.jsonl.gz")
	others := map[string][]record{}
	for _, r := range all {
		others[r.Project+"/"+r.Component] = append(others[r.Project+"/"+r.Component], r)
	}
	tried, lost, open := map[string]int{}, map[string]int{}, 0
	for _, r := range sample(all, 0) {
		if open == *robust {
			break
		}
		s, ok := read(t, &check.Reader{}, r)
		if !ok {
			continue
		}
		if res := prover.Prove(s, prover.Options{Steps: 10_000_000}); res.Verdict == prover.Open || res.Steps < *robustMin {
			continue
		}
		if open++; open%100 == 0 {
			t.Logf("%d sequents, %v lost of %v", open, lost, tried)
		}
		for form, again := range formsOf(t, r, s, others[r.Project+"/"+r.Component]) {
			tried[form]++
			if prover.Prove(again, prover.Options{}).Verdict == prover.Open {
				lost[form]++
				t.Logf("%s: open, %s", r.name(), form)
			}
		}
	}
	sum, gone := 0, 0
	for _, form := range slices.Sorted(maps.Keys(tried)) {
		t.Logf("%s: %d of %d lost", form, lost[form], tried[form])
		sum, gone = sum+tried[form], gone+lost[form]
	}
	if gone > 1+sum/200 {
		t.Errorf("%d of %d lost", gone, sum)
	}
}

// formsOf returns other forms of s, which is what r says, by what was changed.
func formsOf(t *testing.T, r record, s logic.Sequent, others []record) map[string]logic.Sequent {
	rnd := rand.New(rand.NewPCG(uint64(*corpusSeed), uint64(len(r.name()))))
	out := map[string]logic.Sequent{}
	for _, more := range []int{1, 5, 20} {
		if again, ok := noisy(r, others, rnd, more); ok {
			out[fmt.Sprintf("%d more", more)] = again
		}
	}
	if again, ok := counted(s); ok {
		out["counts"] = again
	}
	mixed := s
	mixed.Hyps = slices.Clone(s.Hyps)
	at := rnd.Perm(len(s.Hyps))
	for i, j := range at {
		mixed.Hyps[j] = s.Hyps[i]
	}
	mixed.Selected = nil
	for _, i := range s.Selected {
		mixed.Selected = append(mixed.Selected, at[i])
	}
	out["shuffled"] = mixed
	bare := s.Bare()
	b := bare.Bank
	names := map[logic.Term]logic.Term{}
	for i, x := range b.FreeIdents(append(slices.Clone(bare.Hyps), bare.Goal)...) {
		names[x] = b.Free(fmt.Sprintf("n%d", 997*i%1000), b.Type(x))
	}
	renamed := bare
	renamed.Hyps = nil
	for _, h := range bare.Hyps {
		renamed.Hyps = append(renamed.Hyps, b.Subst(h, names))
	}
	renamed.Goal = b.Subst(bare.Goal, names)
	out["renamed"] = renamed
	unselected := s
	unselected.Selected = nil
	out["none selected"] = unselected
	if goal := restated(b, bare.Goal); goal != bare.Goal {
		again := bare
		again.Goal = goal
		out["restated"] = again
	}
	return out
}

// noisy returns r with hypotheses of others added at random places.
func noisy(r record, others []record, rnd *rand.Rand, more int) (logic.Sequent, bool) {
	again := r
	again.Types = maps.Clone(r.Types)
	again.Hyps, again.Selected = slices.Clone(r.Hyps), slices.Clone(r.Selected)
	for tries := 0; more > 0 && tries < 200; tries++ {
		o := others[rnd.IntN(len(others))]
		if len(o.Hyps) == 0 {
			continue
		}
		h := o.Hyps[rnd.IntN(len(o.Hyps))]
		clash := slices.Contains(again.Hyps, h)
		for x, typ := range o.Types {
			clash = clash || again.Types[x] != "" && again.Types[x] != typ
		}
		if clash {
			continue
		}
		maps.Copy(again.Types, o.Types)
		at := rnd.IntN(len(again.Hyps) + 1)
		again.Hyps = slices.Insert(again.Hyps, at, h)
		for i, k := range again.Selected {
			if k >= at {
				again.Selected[i]++
			}
		}
		more--
	}
	s, err := (&check.Reader{}).Sequent(again.Types, again.Hyps, again.Selected, again.Goal)
	return s, err == nil && len(again.Hyps) > len(r.Hyps)
}

// counted returns s with two more hypotheses, which are true of its sets and irrelevant: that the numbers of elements of two of
// them add up to a new one, and that this is not less than the first. They have an effect on finite sets alone, and are
// selected, as what a machine says of its variables is.
func counted(s logic.Sequent) (logic.Sequent, bool) {
	bare := s.Bare()
	b := bare.Bank
	var sets []logic.Term
	for _, x := range b.FreeIdents(append(slices.Clone(bare.Hyps), bare.Goal)...) {
		if b.Elem(b.Type(x)) != logic.NoType && b.Op(x) == logic.Free {
			sets = append(sets, x)
		}
	}
	if len(sets) < 2 {
		return s, false
	}
	card := func(x logic.Term) logic.Term { return b.App(logic.Card, x) }
	total := b.Free("total_of_two", logic.IntType)
	bare.Selected = slices.Clone(s.Selected)
	for _, h := range []logic.Term{
		b.App(logic.Eq, total, b.App(logic.Plus, card(sets[0]), card(sets[1]))),
		b.App(logic.Ge, total, card(sets[0])),
	} {
		bare.Selected = append(bare.Selected, len(bare.Hyps))
		bare.Hyps = append(slices.Clone(bare.Hyps), h)
	}
	return bare, true
}

// restated returns goal in other words: ⊆ by elements, ⇔ as two implications, the variables of quantifiers and what ∃
// wants of them in another order.
func restated(b *logic.Bank, goal logic.Term) logic.Term {
	args := b.Args(goal)
	switch op := b.Op(goal); op {
	case logic.SubsetEq:
		typ := b.Elem(b.Type(args[0]))
		x := b.Bound(0, typ)
		in := func(s logic.Term) logic.Term { return b.App(logic.In, x, b.Shift(s, 1, 0)) }
		return b.Quant(logic.Forall, []logic.Type{typ}, nil, b.App(logic.Implies, in(args[0]), in(args[1])))
	case logic.Iff:
		return b.And(b.App(logic.Implies, args[0], args[1]), b.App(logic.Implies, args[1], args[0]))
	case logic.Implies:
		return b.App(logic.Implies, args[0], restated(b, args[1]))
	case logic.And:
		return b.And(reversed(args)...)
	case logic.Forall, logic.Exists:
		decls := b.Decls(goal)
		vars := make([]logic.Term, len(decls))
		for i, typ := range decls {
			vars[i] = b.Free(fmt.Sprintf("v%d_%d", b.Depth(goal), i), typ)
		}
		body := restated(b, b.Instantiate(args[0], vars))
		return b.Quant(op, reversed(decls), nil, b.Abstract(body, reversed(vars)))
	}
	return goal
}

func reversed[T any](xs []T) []T {
	out := slices.Clone(xs)
	slices.Reverse(out)
	return out
}

// TestNoise proves a theorem that two hypotheses give among others that only look as if they
// mattered: an equation between sets that are values of functions makes many memberships
// say the same.
func TestNoise(t *testing.T) {
	types := map[string]string{"N": "ℙ(ℤ)", "n": "ℙ(ℤ×ℤ)", "itv": "ℙ(ℤ×ℙ(ℤ×ℙ(ℤ)))", "f": "ℙ(ℤ×ℤ)"}
	needed := []string{"n∈N⤖N", "∀x,y·x∈N∧y∈N∧x∈itv(x)(y)⇒x∈itv(x)(n(y))"}
	for i, noise := range [][]string{
		nil,
		{"N⊆ℕ", "itv∈N→(N→ℙ(N))"},
		{"∀x,y·x∈N∧y∈N∧n(y)=x⇒itv(x)(y)=N"},
		{"N⊆ℕ", "itv∈N→(N→ℙ(N))", "∀x,y·x∈N∧y∈N∧n(y)=x⇒itv(x)(y)=N"},
		{"N⊆ℕ", "itv∈N→(N→ℙ(N))", "∀x,y·x∈N∧y∈N∧n(y)=x⇒itv(x)(y)=N", "f∈N→N", "∀x·x∈N⇒itv(f(x))(x)=itv(x)(f(x))"},
	} {
		hyps := slices.Concat(noise, needed)
		s, err := check.ReadSequent(types, hyps, nil, "∀x·x∈N⇒n[{y∣y∈N∧x∈itv(x)(y)}]⊆{y∣y∈N∧x∈itv(x)(y)}")
		if err != nil {
			t.Fatal(err)
		}
		if r := prover.Prove(s, prover.Options{}); r.Verdict != prover.Proved {
			t.Errorf("noise %d: %v after %d steps", i, r.Verdict, r.Steps)
		} else {
			t.Logf("noise %d: %d steps", i, r.Steps)
		}
	}
}

// TestChain proves what takes more instances in a row than generations are let in: the last
// ones come by enumeration.
func TestChain(t *testing.T) {
	for _, far := range []string{"3", "9"} {
		s, err := check.ReadSequent(map[string]string{"s": "ℙ(ℤ)", "f": "ℙ(ℤ×ℤ)"}, []string{"s⊆ℤ", "f∈ℤ→ℤ", "0∈s", "∀n·n∈s⇒n+1∈s"}, nil, far+"∈s")
		if err != nil {
			t.Fatal(err)
		}
		if r := prover.Prove(s, prover.Options{}); r.Verdict != prover.Proved {
			t.Errorf("%s∈s: %v after %d steps", far, r.Verdict, r.Steps)
		} else {
			t.Logf("%s∈s: %d steps", far, r.Steps)
		}
	}
}
