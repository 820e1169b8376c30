package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// unfold adds what literal l, which is true, means.
func (e *engine) unfold(l sat.Lit) {
	t := e.atoms[l.Var()]
	switch op := e.b.Op(t); op {
	case logic.True, logic.False, logic.And, logic.Or, logic.Implies, logic.Iff:
		e.connective(l, t)
	case logic.Forall, logic.Exists:
		if in, ok := e.ofPairs[t]; ok && !l.IsNeg() {
			e.axiom(l, "mem.pfun", e.b.Args(in)...)
			return
		}
		if (op == logic.Forall) == l.IsNeg() {
			e.choose(l, t)
		} else {
			e.activate(l, t)
		}
		if op == logic.Exists && l.IsNeg() {
			e.onUnbounded(t)
			e.onExtreme(t)
		}
	case logic.Eq:
		e.unfoldEq(l, t)
	case logic.In:
		e.unfoldIn(l, e.b.Arg(t, 0), e.b.Arg(t, 1))
	case logic.SubsetEq:
		if l.IsNeg() || !e.b.IsTypeExpr(e.b.Arg(t, 1)) {
			e.axiom(l, "subset.eq", e.b.Args(t)...)
		}
		if !l.IsNeg() {
			e.wantElements(e.node(e.b.Arg(t, 0)))
		}
	case logic.Subset:
		e.axiom(l, "subset", e.b.Args(t)...)
	case logic.Partition:
		e.axiom(l, "partition", t)
	case logic.Finite:
		if l.IsNeg() {
			e.finiteness()
		}
	}
}

// connective adds the clauses by which l determines the parts of t.
func (e *engine) connective(l sat.Lit, t logic.Term) {
	not := e.kernelLit(l).Not()
	for i, c := range kernel.PropClauses(e.b, t) {
		if slices.Contains(c, not) {
			e.guarded(l, c, kernel.Step{Kind: kernel.Prop, Index: i, Terms: []logic.Term{t}})
		}
	}
}

// choose adds the witness of a quantifier.
func (e *engine) choose(l sat.Lit, t logic.Term) {
	for _, p := range e.exhibited[t] {
		if e.sat.Value(p) > 0 {
			e.done[l] = false
			e.unchosen = append(e.unchosen, l)
			return
		}
	}
	c, err := kernel.EpsClause(e.b, t)
	if err != nil {
		return
	}
	if (e.b.Op(t) == logic.Forall || e.ctx == 0) && !e.chosen(t) {
		e.ctx-- // a witness that the sequent itself asks for is no step away from it
	}
	e.guarded(l, c, kernel.Step{Kind: kernel.Choose, Terms: []logic.Term{t}})
}

// chosen reports whether t depends on the witness of another formula.
func (e *engine) chosen(t logic.Term) bool {
	if e.b.Op(t) == logic.Eps {
		return true
	}
	for len(e.choices) <= int(t) {
		e.choices = append(e.choices, 0)
	}
	if e.choices[t] == 0 {
		e.choices[t] = -1
		if slices.ContainsFunc(e.b.Args(t), e.chosen) {
			e.choices[t] = 1
		}
	}
	return e.choices[t] > 0
}

func (e *engine) unfoldEq(l sat.Lit, t logic.Term) {
	x, y := e.b.Arg(t, 0), e.b.Arg(t, 1)
	typ := e.b.Type(x)
	switch kind := e.b.TypeKind(typ); {
	case kind == logic.KindPow && l.IsNeg():
		e.axiom(l, "set.eq", x, y)
	case kind == logic.KindPow:
		e.wantEqual(x, y)
	case typ == logic.IntType && l.IsNeg() && (arithmetical(e.b.Op(x)) || arithmetical(e.b.Op(y))):
		e.axiom(l, "le.antisymmetric", x, y)
	case kind == logic.KindBool && l.IsNeg():
		e.axiom(sat.NoLit, "bool", x)
		e.axiom(sat.NoLit, "bool", y)
	case kind == logic.KindProd && l.IsNeg():
		e.unequalPairs(l, x, y)
	}
}

// wantEqual looks into a true equation of sets: the elements of sets that are
// built from others should be known, above all if it is empty.
func (e *engine) wantEqual(x, y logic.Term) {
	for _, s := range []logic.Term{x, y} {
		if kernel.Membership(e.b.Op(s)) != nil && e.b.Op(s) != logic.Empty {
			e.wantElements(e.node(s))
		}
	}
	if e.b.Op(x) == logic.Empty {
		e.sample(e.node(y))
	}
	if e.b.Op(y) == logic.Empty {
		e.sample(e.node(x))
	}
}

// unequalPairs adds that pairs with equal components are equal.
func (e *engine) unequalPairs(l sat.Lit, x, y logic.Term) {
	p, q := e.pairOf(x), e.pairOf(y)
	if p != x || q != y {
		eq := kernel.LitOf(e.b, e.b.App(logic.Eq, p, q))
		same := kernel.Clause{e.kernelLit(l).Not(), kernel.LitOf(e.b, e.b.App(logic.Eq, x, p)).Not(), kernel.LitOf(e.b, e.b.App(logic.Eq, y, q)).Not(), eq.Not()}
		_ = same
		e.lit(eq)
		return
	}
	c := kernel.Clause{e.kernelLit(l).Not()}
	for i := range 2 {
		c = append(c, kernel.LitOf(e.b, e.b.App(logic.Eq, e.b.Arg(p, i), e.b.Arg(q, i))).Not())
	}
	e.guarded(l, c, kernel.Step{Kind: kernel.Euf, Clause: c})
}

// pairOf returns x if it is a maplet, and otherwise prj1(x)↦prj2(x), after
// adding that they are equal.
func (e *engine) pairOf(x logic.Term) logic.Term {
	if e.b.Op(x) == logic.Maplet {
		return x
	}
	step := kernel.Step{Kind: kernel.Axiom, Name: "pair", Terms: []logic.Term{x}}
	cs, err := kernel.Lookup("pair").Clauses(e.b, x)
	if err != nil {
		panic("search: pair of a term that is none")
	}
	eq := cs[0][0].Atom()
	if key := (askKey{askPair, x, 0}); !e.asked[key] {
		e.asked[key] = true
		ctx := e.ctx
		e.ctx = e.nodeGen[e.node(x)] - 1
		e.add(cs[0], step)
		e.ctx = ctx
	}
	if p := e.b.Arg(eq, 0); e.b.Op(p) == logic.Maplet {
		return p
	}
	return e.b.Arg(eq, 1)
}

// takesPairs reports whether the schema of op looks at the components of an
// element.
func (e *engine) takesPairs(s logic.Term) bool {
	switch e.b.Op(s) {
	case logic.CProd, logic.Converse, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub, logic.FComp, logic.BComp,
		logic.Ovr, logic.DProd, logic.PProd, logic.Id, logic.Prj1, logic.Prj2, logic.Succ, logic.Pred:
		return true
	case logic.Compr:
		return e.b.Op(e.b.Arg(s, 1)) == logic.Maplet
	}
	return false
}

// unfoldIn adds what it means that x∈s, or x∉s.
func (e *engine) unfoldIn(l sat.Lit, x, s logic.Term) {
	op := e.b.Op(s)
	if e.b.IsTypeExpr(s) && (!l.IsNeg() || s == e.b.TypeExpr(e.b.Type(x))) {
		e.axiom(sat.NoLit, "type", x)
		return
	}
	if e.takesPairs(s) && e.b.Op(x) != logic.Maplet {
		e.member(e.pairOf(x), s)
		return
	}
	switch {
	case op == logic.TFun && l.IsNeg() && e.updated(x, s):
	case op == logic.PFun && e.b.IsTypeExpr(e.b.Arg(s, 0)) && e.b.IsTypeExpr(e.b.Arg(s, 1)):
		e.unfoldFunctional(l, x, s)
	case op == logic.Dom && !l.IsNeg() && e.witnessed(e.b.Arg(s, 0), x, 0), op == logic.Ran && !l.IsNeg() && e.witnessed(e.b.Arg(s, 0), x, 1):
		e.done[l] = false
	case op == logic.Dom && !l.IsNeg():
		e.axiom(l, "apply.dom", e.b.Arg(s, 0), x)
	case op == logic.Compr:
		if !e.axiom(l, "mem.pattern", x, s) {
			e.axiom(l, "mem.comprehension", x, s)
		}
	default:
		if m := kernel.Membership(op); m != nil {
			e.schema(l, m, x, s)
		}
	}
}

// updated reports whether x is a function of s, a set of total functions, that is
// overridden by one pair or by one value for several arguments. Then rules
// function.update say all that there is to say about x∉s.
func (e *engine) updated(x, s logic.Term) bool {
	b := e.b
	if b.Op(x) != logic.Ovr || len(b.Args(x)) != 2 || e.sat.Value(sat.Pos(e.member(b.Arg(x, 0), s))) <= 0 {
		return false
	}
	single := func(t logic.Term) bool { return b.Op(t) == logic.SetExt && len(b.Args(t)) == 1 }
	switch u := b.Arg(x, 1); b.Op(u) {
	case logic.SetExt:
		return single(u) && b.Op(b.Arg(u, 0)) == logic.Maplet
	case logic.CProd:
		return single(b.Arg(u, 1))
	}
	return false
}

// unfoldFunctional adds what it means that r is functional, or not: r∈s for s=σ⇸τ
// and whole types σ and τ.
func (e *engine) unfoldFunctional(l sat.Lit, r, s logic.Term) {
	if !l.IsNeg() {
		e.addFunctional(l, r, s)
		return
	}
	m := kernel.Membership(logic.PFun)
	if t, err := m.Formula(e.b, r, s); err == nil {
		e.ofPairs[e.b.Arg(t, 1)] = e.atoms[l.Var()]
	}
	e.schema(l, m, r, s)
}

// member returns the variable of x∈s.
func (e *engine) member(x, s logic.Term) sat.Var { return e.atom(e.b.App(logic.In, x, s)) }

// onAtom is told of each new atom.
func (e *engine) onAtom(v sat.Var, t logic.Term) {
	if e.b.Op(t) == logic.In {
		e.typed(e.nodes[v])
	}
}

// typed adds x∈T for membership n of x in a set that equals a whole type T.
func (e *engine) typed(n euf.Node) {
	a := e.g.Args(n)
	for m := e.g.Next(a[1]); ; m = e.g.Next(m) {
		if s := e.g.Term(m); e.b.IsTypeExpr(s) {
			x := e.g.Term(a[0])
			if key := (askKey{askType, x, 0}); !e.asked[key] {
				e.asked[key] = true
				e.axiom(sat.NoLit, "type", x)
			}
		}
		if m == a[1] {
			return
		}
	}
}
