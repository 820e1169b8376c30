package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/sat"
)

// onFinite asks, of a relation that is said not to be finite, whether it is a
// function with finite domain.
func (ts *terms) onFinite(literal sat.Lit, right logic.Term) {
	s, t := ts.b.RelPair(ts.b.Type(right))
	lemma := "finite.function"
	key := askKey{askFinite, right, 0}
	if !literal.IsNeg() {
		key.b = 1
	}
	ts.aboutEmpty(ts.b.Type(right))
	if literal.IsNeg() {
		ts.asRange(right)
	}
	if s == logic.NoType || !literal.IsNeg() && !ts.isGraph(right) || ts.asked[key] {
		return
	}
	ts.asked[key] = true
	if !literal.IsNeg() {
		ts.lemma("finite.dom", right)
		return
	}
	ts.lemma(lemma, right, ts.b.TypeExpr(s), ts.b.TypeExpr(t))
}

// asRange asks, of a set {z·P∣E} that is said not to be finite, whether it is the range of {z·P∣z↦E}:
// it has no more elements than there are values of z. Where E is z, that says nothing new.
func (ts *terms) asRange(set logic.Term) {
	bank := ts.b
	if bank.Op(set) != logic.Compr {
		return
	}
	decls, predicate, value := bank.Decls(set), bank.Arg(set, 0), bank.Arg(set, 1)
	var tuple logic.Term
	for i, typ := range decls {
		variable := bank.Bound(len(decls)-1-i, typ)
		if i == 0 {
			tuple = variable
		} else {
			tuple = bank.App(logic.Maplet, tuple, variable)
		}
	}
	key := askKey{askRange, set, 0}
	if value == tuple || ts.asked[key] {
		return
	}
	ts.asked[key] = true
	ran := bank.App(logic.Ran, bank.Quant(logic.Compr, decls, nil, predicate, bank.App(logic.Maplet, tuple, value)))
	ts.frontier.split(ts.litOf(bank.App(logic.Eq, set, ran)).Var())
	ts.frontier.split(ts.litOf(bank.App(logic.Finite, ran)).Var())
}

// fewElements is the number of elements up to which lemmas say that a set that is
// listed is finite.
const fewElements = 4

// takeApart asks whether t, the union of many sets or of many elements, is equal to
// a union of two, and whether that is finite.
func (ts *terms) takeApart(t logic.Term) {
	bank := ts.b
	args := bank.Args(t)
	var parts []logic.Term
	switch {
	case bank.Op(t) == logic.Union && len(args) > 2:
		parts = args
	case bank.Op(t) == logic.SetExt && len(args) > fewElements:
		for few := range slices.Chunk(args, fewElements) {
			parts = append(parts, bank.App(logic.SetExt, few...))
		}
	default:
		return
	}
	u := parts[0]
	for _, predicate := range parts[1:] {
		u = bank.App(logic.Union, u, predicate)
	}
	ts.frontier.split(ts.litOf(bank.App(logic.Eq, t, u)).Var())
	ts.frontier.split(ts.litOf(bank.App(logic.Finite, u)).Var())
}

// onCard compares set r with others whose elements are counted, as functions with
// their domains.
func (ts *terms) onCard(r logic.Term) {
	for _, n := range ts.byOp[logic.Card] {
		s := ts.b.Arg(ts.g.Term(n), 0)
		ts.asGraph(r, s)
		ts.asGraph(s, r)
	}
}

// asGraph adds that the set f of pairs has as many elements as s if f is a function and
// s its domain.
func (ts *terms) asGraph(f, s logic.Term) {
	x, y := ts.b.RelPair(ts.b.Type(f))
	key := askKey{askGraph, f, s}
	if x != ts.b.Elem(ts.b.Type(s)) || !ts.isGraph(f) || ts.asked[key] {
		return
	}
	ts.asked[key] = true
	ts.lemma("card.graph", f, ts.b.TypeExpr(x), ts.b.TypeExpr(y), s)
}

// isGraph reports whether r is a function of the language, a comprehension of
// pairs, or a restriction of such a set.
func (ts *terms) isGraph(right logic.Term) bool {
	switch ts.b.Op(right) {
	case logic.Id, logic.Prj1, logic.Prj2, logic.Succ, logic.Pred:
		return true
	case logic.Compr:
		return ts.b.Op(ts.b.Arg(right, 1)) == logic.Maplet
	case logic.DomRes, logic.DomSub:
		return ts.isGraph(ts.b.Arg(right, 1))
	case logic.RanRes, logic.RanSub:
		return ts.isGraph(ts.b.Arg(right, 0))
	}
	return false
}

// aboutEmpty adds that ∅ of type t is finite and has 0 elements.
func (ts *terms) aboutEmpty(t logic.Type) {
	empty := ts.b.Atom(logic.Empty, t)
	if key := (askKey{askEmpty, empty, 0}); !ts.asked[key] {
		ts.asked[key] = true
		ts.axiom(sat.NoLit, "finite.empty", empty)
		ts.axiom(sat.NoLit, "card.empty", empty)
	}
}
