package wd_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/logic/wd"
)

// world gives meaning to predicates of ∧, ∨, ⇒, ∀, ∃, BOOL and sets of BOOL:
// sets are bit masks, and a bound variable is 0 or 1.
type world map[string]int

func (w world) holds(b *logic.Bank, t logic.Term, vars []int) bool {
	args := b.Args(t)
	switch b.Op(t) {
	case logic.True:
		return true
	case logic.And, logic.Or:
		for _, a := range args {
			if w.holds(b, a, vars) == (b.Op(t) == logic.Or) {
				return b.Op(t) == logic.Or
			}
		}
		return b.Op(t) == logic.And
	case logic.Implies:
		return !w.holds(b, args[0], vars) || w.holds(b, args[1], vars)
	case logic.Forall, logic.Exists:
		k := len(b.Decls(t))
		for m := range 1 << k {
			inner := append([]int(nil), vars...)
			for i := range k {
				inner = append(inner, m>>i&1)
			}
			if w.holds(b, args[0], inner) == (b.Op(t) == logic.Exists) {
				return b.Op(t) == logic.Exists
			}
		}
		return b.Op(t) == logic.Forall
	case logic.In:
		return w[b.Name(args[1])]>>vars[len(vars)-1-b.Index(args[0])]&1 == 1
	case logic.Eq: // p = TRUE
		return w[b.Name(args[0])] == 1
	}
	panic("no such predicate")
}

// predicate draws a predicate under depth bound variables.
func predicate(r *rapid.T, b *logic.Bank, depth, size int) logic.Term {
	if size == 0 {
		if depth == 0 || rapid.IntRange(0, 3).Draw(r, "leaf") == 0 {
			p := rapid.SampledFrom([]string{"p", "q"}).Draw(r, "p")
			return b.App(logic.Eq, b.Free(p, logic.BoolType), b.App(logic.TrueE))
		}
		set := b.Free(rapid.SampledFrom([]string{"S", "T"}).Draw(r, "set"), b.PowType(logic.BoolType))
		return b.App(logic.In, b.Bound(rapid.IntRange(0, depth-1).Draw(r, "var"), logic.BoolType), set)
	}
	sub := func(d int) logic.Term {
		return predicate(r, b, d, rapid.IntRange(0, size-1).Draw(r, "size"))
	}
	switch rapid.IntRange(0, 7).Draw(r, "op") {
	case 0, 1, 2:
		return b.App(logic.And, sub(depth), sub(depth))
	case 3, 4, 5:
		return b.App(logic.Implies, sub(depth), sub(depth))
	case 6:
		return b.App(logic.Or, sub(depth), sub(depth))
	}
	k := rapid.IntRange(1, 2).Draw(r, "decls")
	op := rapid.SampledFrom([]logic.Op{logic.Forall, logic.Forall, logic.Exists}).Draw(r, "binder")
	decls := []logic.Type{logic.BoolType, logic.BoolType}[:k]
	return b.Quant(op, decls, &logic.Hint{Names: []string{"x", "y"}[:k]}, sub(depth+k))
}

func TestImproveIsEquivalent(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		b := logic.NewBank()
		p := predicate(r, b, 0, 5)
		flat := wd.Flatten(b, p)
		better := wd.Improve(b, flat)
		for m := range 64 {
			w := world{"p": m & 1, "q": m >> 1 & 1, "S": m >> 2 & 3, "T": m >> 4}
			if want := w.holds(b, p, nil); w.holds(b, flat, nil) != want || w.holds(b, better, nil) != want {
				r.Fatalf("in %v:\n%s\nflattened %s\nimproved %s", w, text.Term(b, p), text.Term(b, flat), text.Term(b, better))
			}
		}
		if again := wd.Improve(b, better); b.Bare(again) != b.Bare(wd.Flatten(b, again)) {
			r.Fatalf("not flat: %s", text.Term(b, again))
		}
	})
}

func TestImprove(t *testing.T) {
	b := logic.NewBank()
	atom := func(name string) logic.Term {
		return b.App(logic.Eq, b.Free(name, logic.BoolType), b.App(logic.TrueE))
	}
	p, q, r := atom("p"), atom("q"), atom("r")
	and := func(ps ...logic.Term) logic.Term { return b.App(logic.And, ps...) }
	imp := func(l, r logic.Term) logic.Term { return b.App(logic.Implies, l, r) }
	all := func(p logic.Term) logic.Term { return b.Quant(logic.Forall, []logic.Type{logic.BoolType}, nil, p) }
	inS := b.App(logic.In, b.Bound(0, logic.BoolType), b.Free("S", b.PowType(logic.BoolType)))
	for _, test := range []struct{ in, want logic.Term }{
		{and(p, p), p},
		{and(p, imp(q, p)), p},
		{and(imp(q, p), p), p},
		{imp(p, imp(q, p)), b.App(logic.True)},
		{and(imp(q, p), imp(p, p)), imp(q, p)}, // not ⊤
		{imp(p, imp(q, r)), imp(and(p, q), r)},
		{imp(p, imp(and(q, p), r)), imp(and(p, q), r)},
		{and(p, imp(and(p, q), r)), and(p, imp(q, r))},
		{and(imp(p, q), imp(q, r)), and(imp(p, q), imp(q, r))}, // q is only assumed
		{and(all(inS), imp(p, all(inS))), all(inS)},
		{imp(all(inS), all(inS)), b.App(logic.True)},
		{and(imp(all(inS), p), all(imp(inS, p))), all(imp(inS, p))}, // the second is the stronger
		{and(all(imp(inS, p)), imp(all(inS), p)), all(imp(inS, p))},
	} {
		if got := wd.Improve(b, test.in); got != test.want {
			t.Errorf("%s improves to %s, want %s", text.Term(b, test.in), text.Term(b, got), text.Term(b, test.want))
		}
	}
}
