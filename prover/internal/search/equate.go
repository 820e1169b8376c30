package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
)

// Bounds of one round of equateArguments.
const (
	equateTerms = 40 // terms of one operator looked at
	equatePairs = 24 // equations asked for
)

// equateArguments asks whether sets are equal on which something depends: s and
// t, if h(s) and h(t) are different terms, or atoms of different truth values, and
// h is finite, card, min, max, or any operator that is applied to sets. If s≠t is
// chosen, an element that distinguishes them is given.
func (e *engine) equateArguments() bool {
	before := len(e.asked)
	asked := 0
	for _, op := range []logic.Op{logic.Finite, logic.Card, logic.Min, logic.Max, logic.Apply, logic.In, logic.Image, logic.GUnion, logic.GInter} {
		nodes := e.byOp[op]
		if len(nodes) > equateTerms {
			nodes = nodes[:equateTerms]
		}
		for i, m := range nodes {
			if op == logic.Finite && e.truth(m) < 0 || op == logic.Card {
				e.orEmpty(m)
			}
			for _, n := range nodes[:i] {
				e.steps++
				if asked < equatePairs && e.mayEquate(m, n) && e.equate(m, n) {
					asked++
				}
			}
		}
	}
	return len(e.asked) > before
}

// orEmpty asks whether the argument of node n is empty.
func (e *engine) orEmpty(n euf.Node) {
	s := e.g.Term(e.g.Args(n)[0])
	key := askKey{askEqual, s, 0}
	if e.asked[key] || e.nodeGen[n] > e.limit {
		return
	}
	e.asked[key] = true
	e.ctx = e.nodeGen[n]
	if empty := e.b.Atom(logic.Empty, e.b.Type(s)); empty != s {
		e.split(e.litOf(e.b.App(logic.Eq, s, empty)).Var())
	}
}

// mayEquate reports whether it matters that nodes m and n of one operator have
// equal arguments.
func (e *engine) mayEquate(m, n euf.Node) bool {
	if e.nodeGen[m] > e.limit || e.nodeGen[n] > e.limit || e.g.Equal(m, n) {
		return false
	}
	if e.g.Op(m).IsPredicate() {
		return e.truth(m)*e.truth(n) < 0
	}
	return e.b.Type(e.g.Term(m)) == e.b.Type(e.g.Term(n))
}

// equate asks for the equality of the one pair of arguments of m and n that are
// not known to be equal, if these are sets.
func (e *engine) equate(m, n euf.Node) bool {
	x, y := e.g.Args(m), e.g.Args(n)
	at := -1
	for i := range x {
		if e.g.Equal(x[i], y[i]) {
			continue
		}
		if at >= 0 {
			return false
		}
		at = i
	}
	if at < 0 || at == 1 && e.g.Op(m) == logic.In {
		return false
	}
	s, t := e.g.Term(x[at]), e.g.Term(y[at])
	switch e.b.Op(s) {
	case logic.Prj1, logic.Prj2, logic.Id, logic.Succ, logic.Pred:
		return false
	case logic.Free:
		if e.g.Op(m) == logic.Apply && at == 0 && e.b.Op(t) == logic.Free {
			return false
		}
	}
	if e.b.Type(s) != e.b.Type(t) || e.b.Elem(e.b.Type(s)) == logic.NoType {
		return false
	}
	key := askKey{askEqual, min(s, t), max(s, t)}
	if e.asked[key] {
		return false
	}
	e.asked[key] = true
	e.ctx = max(e.nodeGen[m], e.nodeGen[n])
	e.split(e.litOf(e.b.App(logic.Eq, s, t)).Var())
	return true
}
