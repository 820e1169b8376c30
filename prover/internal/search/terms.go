package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// onTerm adds what is known of a term by its operator, once it is relevant.
func (e *engine) onTerm(n euf.Node) {
	t := e.g.Term(n)
	e.ctx = e.nodeGen[n]
	switch e.g.Op(n) {
	case logic.BoolOf:
		e.axiom(sat.NoLit, "bool.of", t)
		e.axiom(sat.NoLit, "bool", t)
	case logic.Eps, logic.Free:
		e.splitCarrier(n)
	case logic.Apply:
		e.onApply(t)
	case logic.Union, logic.SetExt:
		if e.sized {
			e.takeApart(t)
		}
	case logic.Card, logic.Min, logic.Max:
		e.finiteness()
		e.wantElements(e.g.Args(n)[0])
		if e.g.Op(n) == logic.Card {
			e.aboutEmpty(e.b.Type(e.b.Arg(t, 0)))
			e.onCard(e.b.Arg(t, 0))
		}
	}
}

// onApply adds the meaning of f(x): by definition for the functions of the
// language, otherwise x↦f(x)∈f if x∈dom(f).
func (e *engine) onApply(t logic.Term) {
	f, x := e.b.Arg(t, 0), e.b.Arg(t, 1)
	switch e.b.Op(f) {
	case logic.Id:
		e.axiom(sat.NoLit, "apply.id", x)
	case logic.Succ:
		e.axiom(sat.NoLit, "apply.succ", x)
	case logic.Pred:
		e.axiom(sat.NoLit, "apply.pred", x)
	case logic.Prj1, logic.Prj2:
		if p := e.pairOf(x); p == x {
			name := "apply.prj1"
			if e.b.Op(f) == logic.Prj2 {
				name = "apply.prj2"
			}
			e.axiom(sat.NoLit, name, e.b.Arg(p, 0), e.b.Arg(p, 1))
		}
	case logic.Compr:
		e.beta(f, x)
		fallthrough
	default:
		e.axiom(sat.NoLit, "apply.dom", f, x)
	}
}

// beta adds that f(x) = E[x] for f = {z·P∣z↦E}, if f is functional and x↦E[x]∈f,
// and has that decided.
func (e *engine) beta(f, x logic.Term) {
	b := e.b
	body := b.Arg(f, 1)
	if b.Op(body) != logic.Maplet {
		return
	}
	n := len(b.Decls(f))
	vals := make([]logic.Term, n)
	if !e.matchPattern(x, b.Arg(body, 0), vals) || slices.Contains(vals, 0) {
		return
	}
	s, t := b.RelPair(b.Type(f))
	y := b.Instantiate(b.Arg(body, 1), vals)
	e.entailed(b.App(logic.Maplet, x, y), f)
	e.member(f, b.App(logic.PFun, b.TypeExpr(s), b.TypeExpr(t)))
	args := []logic.Term{f, b.TypeExpr(s), b.TypeExpr(t), x, y}
	cs, err := kernel.Lookup("apply.unique").Clauses(b, args...)
	if err != nil {
		return
	}
	e.decideLater(e.add(cs[0], kernel.Step{Kind: kernel.Axiom, Name: "apply.unique", Terms: args}))
}

// matchPattern sets the variables in pattern p to the components of x, and reports
// whether p consists of different variables only.
func (e *engine) matchPattern(x, p logic.Term, vals []logic.Term) bool {
	switch e.b.Op(p) {
	case logic.Maplet:
		x = e.pairOf(x)
		return e.matchPattern(e.b.Arg(x, 0), e.b.Arg(p, 0), vals) && e.matchPattern(e.b.Arg(x, 1), e.b.Arg(p, 1), vals)
	case logic.Bound:
		i := len(vals) - 1 - e.b.Index(p)
		if i >= 0 && vals[i] == 0 {
			vals[i] = x
			return true
		}
	}
	return false
}

// onFinite asks, of a relation that is said not to be finite, whether it is a
// function with finite domain.
func (e *engine) onFinite(l sat.Lit, r logic.Term) {
	s, t := e.b.RelPair(e.b.Type(r))
	lemma := "finite.function"
	key := askKey{askFinite, r, 0}
	if !l.IsNeg() {
		key.b = 1
	}
	e.aboutEmpty(e.b.Type(r))
	if s == logic.NoType || !l.IsNeg() && !e.isGraph(r) || e.asked[key] {
		return
	}
	e.asked[key] = true
	if !l.IsNeg() {
		e.lemma("finite.dom", r)
		return
	}
	e.lemma(lemma, r, e.b.TypeExpr(s), e.b.TypeExpr(t))
}

// fewElements is the number of elements up to which lemmas say that a set that is
// listed is finite.
const fewElements = 4

// takeApart asks whether t, the union of many sets or of many elements, is equal to
// a union of two, and whether that is finite.
func (e *engine) takeApart(t logic.Term) {
	b := e.b
	args := b.Args(t)
	var parts []logic.Term
	switch {
	case b.Op(t) == logic.Union && len(args) > 2:
		parts = args
	case b.Op(t) == logic.SetExt && len(args) > fewElements:
		for few := range slices.Chunk(args, fewElements) {
			parts = append(parts, b.App(logic.SetExt, few...))
		}
	default:
		return
	}
	u := parts[0]
	for _, p := range parts[1:] {
		u = b.App(logic.Union, u, p)
	}
	e.split(e.litOf(b.App(logic.Eq, t, u)).Var())
	e.split(e.litOf(b.App(logic.Finite, u)).Var())
}

// onCard compares set r with others whose elements are counted, as functions with
// their domains.
func (e *engine) onCard(r logic.Term) {
	for _, n := range e.byOp[logic.Card] {
		s := e.b.Arg(e.g.Term(n), 0)
		e.asGraph(r, s)
		e.asGraph(s, r)
	}
}

// asGraph adds that the set f of pairs has as many elements as s if f is a function and
// s its domain.
func (e *engine) asGraph(f, s logic.Term) {
	x, y := e.b.RelPair(e.b.Type(f))
	key := askKey{askGraph, f, s}
	if x != e.b.Elem(e.b.Type(s)) || !e.isGraph(f) || e.asked[key] {
		return
	}
	e.asked[key] = true
	e.lemma("card.graph", f, e.b.TypeExpr(x), e.b.TypeExpr(y), s)
}

// isGraph reports whether r is a function of the language, a comprehension of
// pairs, or a restriction of such a set.
func (e *engine) isGraph(r logic.Term) bool {
	switch e.b.Op(r) {
	case logic.Id, logic.Prj1, logic.Prj2, logic.Succ, logic.Pred:
		return true
	case logic.Compr:
		return e.b.Op(e.b.Arg(r, 1)) == logic.Maplet
	case logic.DomRes, logic.DomSub:
		return e.isGraph(e.b.Arg(r, 1))
	case logic.RanRes, logic.RanSub:
		return e.isGraph(e.b.Arg(r, 0))
	}
	return false
}

// onUnbounded asks, of a set of integers that is said to have no bound, whether it
// is finite: t is ∃b·∀x·x∈s ⇒ b≥x, or with another order.
func (e *engine) onUnbounded(t logic.Term) {
	b := e.b
	all := b.Arg(t, 0)
	if len(b.Decls(t)) != 1 || b.Op(all) != logic.Forall || len(b.Decls(all)) != 1 || b.Op(b.Arg(all, 0)) != logic.Implies {
		return
	}
	in, rel := b.Arg(b.Arg(all, 0), 0), b.Arg(b.Arg(all, 0), 1)
	bound, x := b.Bound(1, logic.IntType), b.Bound(0, logic.IntType)
	if b.Op(in) != logic.In || b.Arg(in, 0) != x || b.Depth(b.Arg(in, 1)) > 0 || e.asked[askKey{askFinite, t, 0}] {
		return
	}
	greater := b.Op(rel) == logic.Ge || b.Op(rel) == logic.Gt
	if !greater && b.Op(rel) != logic.Le && b.Op(rel) != logic.Lt {
		return
	}
	e.asked[askKey{askFinite, t, 0}] = true
	switch args := b.Args(rel); {
	case args[0] == bound && args[1] == x && greater, args[0] == x && args[1] == bound && !greater:
		e.lemma("finite.above", b.Arg(in, 1))
	case args[0] == bound && args[1] == x, args[0] == x && args[1] == bound:
		e.lemma("finite.below", b.Arg(in, 1))
	}
}

// onExtreme adds, of a statement that denies some x an f(x) that is least or greatest over
// a set s, that there is one if s is finite: t is ∃x·…∧(∀y·y∈s ⇒ f(x)≤f(y))∧…, or with
// another order.
func (e *engine) onExtreme(t logic.Term) {
	parts := []logic.Term{e.b.Arg(t, 0)}
	if e.b.Op(parts[0]) == logic.And {
		parts = e.b.Args(parts[0])
	}
	for _, p := range parts {
		if name, s, f := e.extreme(p); name != "" && !e.asked[askKey{askExtreme, p, 0}] {
			e.asked[askKey{askExtreme, p, 0}] = true
			e.lemma(name, s, f)
		}
	}
}

// extreme takes t apart if it is ∀y·y∈s ⇒ f(x)≤f(y) for a variable x, or with another
// order, and names the lemma that says that there is such an x.
func (e *engine) extreme(t logic.Term) (lemma string, s, f logic.Term) {
	b := e.b
	if b.Op(t) != logic.Forall || len(b.Decls(t)) != 1 || b.Op(b.Arg(t, 0)) != logic.Implies {
		return "", 0, 0
	}
	y := b.Bound(0, b.Decls(t)[0])
	in, rel := b.Arg(b.Arg(t, 0), 0), b.Arg(b.Arg(t, 0), 1)
	op := b.Op(rel)
	if b.Op(in) != logic.In || b.Arg(in, 0) != y || op != logic.Le && op != logic.Ge {
		return "", 0, 0
	}
	l, r := b.Arg(rel, 0), b.Arg(rel, 1)
	if op == logic.Ge {
		l, r = r, l
	}
	if b.Op(l) != logic.Apply || b.Op(r) != logic.Apply || b.Arg(l, 0) != b.Arg(r, 0) {
		return "", 0, 0
	}
	s, f = b.Arg(in, 1), b.Arg(l, 0)
	lemma, x := "apply.least", b.Arg(l, 1)
	if x == y {
		lemma, x = "apply.greatest", b.Arg(r, 1)
	} else if b.Arg(r, 1) != y {
		return "", 0, 0
	}
	if b.Op(x) != logic.Bound || x == y || b.Depth(s) > 0 || b.Depth(f) > 0 {
		return "", 0, 0
	}
	return lemma, s, f
}

// lemma adds the clauses of an instance of a lemma of the library, and has their
// literals decided in the end.
func (e *engine) lemma(name string, args ...logic.Term) {
	l, err := kernel.FindLemma(name)
	if err != nil || e.opts.Only != nil && !e.opts.Only[name] {
		return
	}
	cs, err := l.Clauses(e.b, args...)
	if err != nil {
		return
	}
	for i, c := range cs {
		e.decideLater(e.add(c, kernel.Step{Kind: kernel.Lemma, Name: name, Index: i, Terms: args}))
	}
}

// aboutEmpty adds that ∅ of type t is finite and has 0 elements.
func (e *engine) aboutEmpty(t logic.Type) {
	empty := e.b.Atom(logic.Empty, t)
	if key := (askKey{askEmpty, empty, 0}); !e.asked[key] {
		e.asked[key] = true
		e.axiom(sat.NoLit, "finite.empty", empty)
		e.axiom(sat.NoLit, "card.empty", empty)
	}
}
