package notation

import (
	"slices"
	"testing"

	"github.com/gradine/gradine/logic"
)

func TestEveryOperatorHasAnEntry(t *testing.T) {
	for op := logic.Op(1); op < logic.NumOps; op++ {
		if op != logic.Eps && table[op].Group == Loosest {
			t.Errorf("operator %d has no entry", op)
		}
	}
	for _, e := range entries {
		if e.ASCII != nil && e.Unicode == "" {
			t.Errorf("operator %d has an ASCII spelling only", e.Op)
		}
		for _, f := range e.Before {
			if table[f].Group != e.Group {
				t.Errorf("%s and %s are compatible, but of different groups", e.Unicode, table[f].Unicode)
			}
		}
	}
}

func TestSpellingsAreUnambiguous(t *testing.T) {
	seen := map[string]logic.Op{}
	for _, e := range All() {
		for _, s := range append([]string{e.Unicode}, e.ASCII...) {
			if s == "" {
				continue
			}
			if op, ok := seen[s]; ok && op != e.Op && !(op == logic.Minus && e.Op == logic.Neg) {
				t.Errorf("%q is operator %d and %d", s, op, e.Op)
			}
			seen[s] = e.Op
		}
	}
	for _, w := range append(slices.Clone(Reserved), ReservedASCII...) {
		if _, ok := seen[w]; !ok {
			t.Errorf("reserved word %s is not a spelling", w)
		}
	}
}

func TestGroupsAreAStrictOrder(t *testing.T) {
	for g := Loosest; g <= AtomExpr; g++ {
		for h := Loosest; h <= AtomExpr; h++ {
			if g.Tighter(h) && h.Tighter(g) {
				t.Errorf("groups %d and %d both bind tighter", g, h)
			}
			for k := Loosest; k <= AtomExpr; k++ {
				if g.Tighter(h) && h.Tighter(k) && !g.Tighter(k) {
					t.Errorf("Tighter is not transitive at %d %d %d", g, h, k)
				}
			}
		}
	}
}

func TestRelate(t *testing.T) {
	for _, c := range []struct {
		l, r logic.Op
		want Relation
	}{
		{logic.And, logic.And, Compatible},
		{logic.And, logic.Or, Incompatible},
		{logic.Implies, logic.Implies, Incompatible},
		{logic.Implies, logic.And, RightFirst},
		{logic.Eq, logic.Not, LeftFirst},
		{logic.Eq, logic.Eq, Incompatible},
		{logic.Union, logic.Inter, Incompatible},
		{logic.Inter, logic.Diff, Compatible},
		{logic.Diff, logic.Inter, Incompatible},
		{logic.DomRes, logic.FComp, Compatible},
		{logic.FComp, logic.DomRes, Incompatible},
		{logic.CProd, logic.CProd, Compatible},
		{logic.Plus, logic.Times, RightFirst},
		{logic.Exp, logic.Exp, Incompatible},
		{logic.Maplet, logic.Eq, LeftFirst},
		{logic.And, Lambda, Incompatible},
		{logic.Eq, Lambda, LeftFirst},
	} {
		if got := Relate(c.l, c.r); got != c.want {
			t.Errorf("Relate(%s, %s) = %d, want %d", Of(c.l).Unicode, Of(c.r).Unicode, got, c.want)
		}
	}
}

func TestChildNeedsParens(t *testing.T) {
	for _, c := range []struct {
		child, parent logic.Op
		i             int
		want          bool
	}{
		{logic.And, logic.And, 0, true},
		{logic.Minus, logic.Minus, 0, false},
		{logic.Minus, logic.Minus, 1, true},
		{logic.Plus, logic.Minus, 0, false},
		{logic.Minus, logic.Plus, 2, true},
		{logic.Not, logic.Not, 0, false},
		{logic.Neg, logic.Neg, 0, true},
		{logic.Int, logic.Neg, 0, true},
		{NegLit, logic.Plus, 0, false},
		{NegLit, logic.Plus, 1, true},
		{NegLit, logic.Times, 0, true},
		{NegLit, logic.UpTo, 0, false},
		{logic.Forall, logic.And, 1, true},
		{logic.Forall, logic.Exists, 0, false},
		{Lambda, logic.Apply, 0, true},
		{Lambda, logic.Apply, 1, false},
		{logic.Compr, logic.Apply, 0, false},
		{logic.Apply, logic.Image, 0, true},
		{logic.Apply, logic.Apply, 0, false},
		{logic.Apply, logic.Converse, 0, true},
		{logic.Converse, logic.Apply, 0, false},
		{logic.Union, logic.Card, 0, false},
		{logic.Inter, logic.Union, 1, true},
		{logic.DomRes, logic.RanRes, 0, false},
		{logic.DomRes, logic.RanRes, 1, true},
	} {
		if got := ChildNeedsParens(c.child, c.parent, c.i); got != c.want {
			t.Errorf("ChildNeedsParens(%s, %s, %d) = %v", Of(c.child).Unicode, Of(c.parent).Unicode, c.i, got)
		}
	}
}
