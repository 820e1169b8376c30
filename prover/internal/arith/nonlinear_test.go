package arith

import (
	"testing"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// expr builds terms over integer identifiers named by letters.
type expr struct{ *logic.Bank }

func (e expr) id(name string) logic.Term               { return e.Free(name, logic.IntType) }
func (e expr) n(v int64) logic.Term                    { return e.Int64(v) }
func (e expr) add(ts ...logic.Term) logic.Term         { return e.App(logic.Plus, ts...) }
func (e expr) mul(ts ...logic.Term) logic.Term         { return e.App(logic.Times, ts...) }
func (e expr) sub(t, u logic.Term) logic.Term          { return e.App(logic.Minus, t, u) }
func (e expr) div(t, u logic.Term) logic.Term          { return e.App(logic.Div, t, u) }
func (e expr) mod(t, u logic.Term) logic.Term          { return e.App(logic.Mod, t, u) }
func (e expr) le(t, u logic.Term) logic.Term           { return e.App(logic.Le, t, u) }
func (e expr) lt(t, u logic.Term) logic.Term           { return e.App(logic.Lt, t, u) }
func (e expr) eq(t, u logic.Term) logic.Term           { return e.App(logic.Eq, t, u) }
func (e expr) between(a, t, b logic.Term) []logic.Term { return []logic.Term{e.le(a, t), e.lt(t, b)} }

// fact is a sequent of literals: the last one follows from the others.
type fact struct {
	name string
	lits func(e expr) []logic.Term
}

var facts = []fact{
	{"product of positives", func(e expr) []logic.Term {
		x, y := e.id("x"), e.id("y")
		return []logic.Term{e.lt(e.n(0), x), e.lt(e.n(0), y), e.lt(e.n(0), e.mul(x, y))}
	}},
	{"product is monotone", func(e expr) []logic.Term {
		x, y, z := e.id("x"), e.id("y"), e.id("z")
		return []logic.Term{e.le(x, y), e.le(e.n(0), z), e.le(e.mul(x, z), e.mul(y, z))}
	}},
	{"square", func(e expr) []logic.Term {
		x := e.id("x")
		return []logic.Term{e.le(e.n(0), e.mul(x, x))}
	}},
	{"factor of a positive product", func(e expr) []logic.Term {
		x, y := e.id("x"), e.id("y")
		return []logic.Term{e.lt(e.n(0), e.mul(x, y)), e.le(e.n(0), x), e.lt(e.n(0), y)}
	}},
	{"tile bound", func(e expr) []logic.Term {
		i, j, m, n := e.id("i"), e.id("j"), e.id("m"), e.id("n")
		return append(append(e.between(e.n(0), j, n), e.between(e.n(0), i, m)...), e.lt(e.add(e.mul(i, n), j), e.mul(m, n)))
	}},
	{"tile quotient", func(e expr) []logic.Term {
		i, j, n := e.id("i"), e.id("j"), e.id("n")
		return append(e.between(e.n(0), j, n), e.le(e.n(0), i), e.eq(e.div(e.add(e.mul(i, n), j), n), i))
	}},
	{"tile remainder", func(e expr) []logic.Term {
		i, j, n := e.id("i"), e.id("j"), e.id("n")
		return append(e.between(e.n(0), j, n), e.le(e.n(0), i), e.eq(e.mod(e.add(e.mul(i, n), j), n), j))
	}},
	{"tile index is injective", func(e expr) []logic.Term {
		i, j, k, l, n := e.id("i"), e.id("j"), e.id("k"), e.id("l"), e.id("n")
		return append(append(e.between(e.n(0), j, n), e.between(e.n(0), l, n)...),
			e.eq(e.add(e.mul(i, n), j), e.add(e.mul(k, n), l)), e.eq(i, k))
	}},
	{"remainder of a shifted number", func(e expr) []logic.Term {
		i, b := e.id("i"), e.id("b")
		return []logic.Term{e.le(e.n(0), i), e.lt(e.n(0), b), e.eq(e.mod(e.add(i, b), b), e.mod(i, b))}
	}},
	{"remainder of a sum with a multiple", func(e expr) []logic.Term {
		a, b, k := e.id("a"), e.id("b"), e.id("k")
		return []logic.Term{e.le(e.n(0), a), e.lt(e.n(0), b), e.le(e.n(0), k), e.eq(e.mod(e.add(a, e.mul(k, b)), b), e.mod(a, b))}
	}},
	{"remainder of a sum of remainders", func(e expr) []logic.Term {
		a, b, c := e.id("a"), e.id("b"), e.id("c")
		return []logic.Term{e.le(e.n(0), a), e.lt(e.n(0), b), e.le(e.n(0), c), e.eq(e.mod(e.add(e.mod(a, b), e.mod(c, b)), b), e.mod(e.add(a, c), b))}
	}},
	{"remainder of a remainder by a multiple", func(e expr) []logic.Term {
		a, b, c := e.id("a"), e.id("b"), e.id("c")
		return []logic.Term{e.le(e.n(0), a), e.lt(e.n(0), b), e.lt(e.n(0), c), e.eq(e.mod(e.mod(a, e.mul(b, c)), b), e.mod(a, b))}
	}},
	{"product divided by a factor", func(e expr) []logic.Term {
		a, b := e.id("a"), e.id("b")
		return []logic.Term{e.le(e.n(0), a), e.lt(e.n(0), b), e.eq(e.div(e.mul(a, b), b), a)}
	}},
	{"exact division", func(e expr) []logic.Term {
		a, b := e.id("a"), e.id("b")
		return []logic.Term{e.le(e.n(0), a), e.lt(e.n(0), b), e.eq(e.mod(a, b), e.n(0)), e.eq(e.mul(b, e.div(a, b)), a)}
	}},
	{"quotient and product", func(e expr) []logic.Term {
		a, b, c := e.id("a"), e.id("b"), e.id("c")
		return []logic.Term{e.le(e.n(0), c), e.lt(e.n(0), b), e.le(e.mul(b, c), a), e.le(c, e.div(a, b))}
	}},
	{"quotient is monotone", func(e expr) []logic.Term {
		a, b, c := e.id("a"), e.id("b"), e.id("c")
		return []logic.Term{e.le(e.n(0), a), e.le(a, b), e.lt(e.n(0), c), e.le(e.div(a, c), e.div(b, c))}
	}},
	{"quotient of a quotient", func(e expr) []logic.Term {
		a, b, c := e.id("a"), e.id("b"), e.id("c")
		return []logic.Term{e.le(e.n(0), a), e.lt(e.n(0), b), e.lt(e.n(0), c), e.eq(e.div(e.div(a, b), c), e.div(a, e.mul(b, c)))}
	}},
	{"ceiling", func(e expr) []logic.Term {
		n, w := e.id("n"), e.id("w")
		return []logic.Term{e.le(e.n(0), n), e.lt(e.n(0), w), e.le(n, e.mul(e.div(e.sub(e.add(n, w), e.n(1)), w), w))}
	}},
	{"groups of tiles", func(e expr) []logic.Term {
		size, wg, ts := e.id("size"), e.id("wg"), e.id("ts")
		return []logic.Term{e.le(e.n(0), size), e.lt(e.n(0), wg), e.lt(e.n(0), ts),
			e.eq(e.mod(size, e.mul(wg, ts)), e.n(0)), e.eq(e.mod(size, wg), e.n(0))}
	}},
	{"at least one group", func(e expr) []logic.Term {
		size, wg, ts := e.id("size"), e.id("wg"), e.id("ts")
		return []logic.Term{e.lt(e.n(0), wg), e.lt(e.n(0), ts), e.le(e.mul(wg, ts), size), e.le(e.n(1), e.div(size, e.mul(wg, ts)))}
	}},
	{"remainder of a multiple", func(e expr) []logic.Term {
		k, n := e.id("k"), e.id("n")
		return []logic.Term{e.le(e.n(0), k), e.lt(e.n(0), n), e.eq(e.mod(e.mul(k, n), n), e.n(0))}
	}},
	{"negative dividend", func(e expr) []logic.Term {
		a := e.id("a")
		return []logic.Term{e.lt(a, e.n(0)), e.le(e.mul(e.n(3), e.div(a, e.n(3))), e.n(0))}
	}},
	{"sum divided by itself", func(e expr) []logic.Term {
		a := e.add(e.id("x"), e.mul(e.n(2), e.id("y")))
		return []logic.Term{e.Not(e.eq(a, e.n(0))), e.eq(e.div(a, a), e.n(1))}
	}},
	{"remainder by itself", func(e expr) []logic.Term {
		x := e.id("x")
		return []logic.Term{e.lt(e.n(0), x), e.eq(e.mod(x, x), e.n(0))}
	}},
	{"constant tile", func(e expr) []logic.Term {
		a, b := e.id("a"), e.id("b")
		return []logic.Term{e.eq(b, e.n(4)), e.le(e.n(0), a), e.le(e.mul(b, e.div(a, b)), a)}
	}},
}

// TestFacts proves the facts by the solver and splits alone.
func TestFacts(t *testing.T) {
	for _, f := range facts {
		t.Run(f.name, func(t *testing.T) {
			b := logic.NewBank()
			lits := f.lits(expr{b})
			d := newSearch(t, b, 8)
			last := len(lits) - 1
			lits[last] = b.Not(lits[last])
			for _, p := range lits {
				if !d.assert(kernel.LitOf(b, p)) {
					return
				}
			}
			if d.sat() {
				t.Errorf("not proved: %d nodes, %d lemmas", d.nodes, len(d.lemmas))
			}
			t.Logf("%d nodes, %d lemmas, %d pivots", d.nodes, len(d.lemmas), d.s.pivots)
		})
	}
}
