package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// unfolding owns which literals have been given their meaning, and which wait for it.
type unfolding struct {
	*engine
	pending   [][]sat.Lit               // by generation: literals that became true
	done      []bool                    // by literal
	choices   []int8                    // by term: 1 if it depends on a witness, -1 if not
	ofPairs   map[logic.Term]logic.Term // the formula that says of a relation that it is functional: its membership
	exhibited map[logic.Term][]sat.Lit  // by ∃: instances known to imply it
	unchosen  []sat.Lit                 // ∃ that had a witness when they became true
}

func newUnfolding(e *engine) unfolding {
	return unfolding{engine: e, ofPairs: map[logic.Term]logic.Term{}, exhibited: map[logic.Term][]sat.Lit{}}
}

// grow makes room for the literals of a new variable.
func (un *unfolding) grow() { un.done = append(un.done, false, false) }

// first reports whether l is to be unfolded for the first time, and notes that it is.
func (un *unfolding) first(l sat.Lit) bool {
	if un.done[l] {
		return false
	}
	un.done[l] = true
	return true
}

// waits reports whether literals of generation gen are to be unfolded.
func (un *unfolding) waits(gen int16) bool {
	return int(gen) < len(un.pending) && len(un.pending[gen]) > 0
}

// unfold adds what literal l, which is true, means.
func (un *unfolding) unfold(l sat.Lit) {
	t := un.atoms[l.Var()]
	switch op := un.b.Op(t); op {
	case logic.True, logic.False, logic.And, logic.Or, logic.Implies, logic.Iff:
		un.connective(l, t)
	case logic.Forall, logic.Exists:
		// That a relation is functional is a ∀ over two pairs. The rule for one pair is linear where
		// instances would be quadratic, and so the membership takes its place.
		if in, ok := un.ofPairs[t]; ok && !l.IsNeg() {
			un.axiom(l, "mem.pfun", un.b.Args(in)...)
			return
		}
		if (op == logic.Forall) == l.IsNeg() {
			un.choose(l, t)
		} else {
			un.instances.activate(l, t)
		}
		if op == logic.Exists && l.IsNeg() {
			un.onUnbounded(t)
			un.onExtreme(t)
		}
	case logic.Eq:
		un.unfoldEq(l, t)
	case logic.In:
		un.unfoldIn(l, un.b.Arg(t, 0), un.b.Arg(t, 1))
	case logic.SubsetEq:
		if l.IsNeg() || !un.b.IsTypeExpr(un.b.Arg(t, 1)) {
			un.axiom(l, "subset.eq", un.b.Args(t)...)
		}
		if !l.IsNeg() {
			un.members.wantElements(un.node(un.b.Arg(t, 0)))
		}
	case logic.Subset:
		un.axiom(l, "subset", un.b.Args(t)...)
	case logic.Partition:
		un.axiom(l, "partition", t)
	case logic.Finite:
		if l.IsNeg() {
			un.instances.finiteness()
		}
	}
}

// connective adds the clauses by which l determines the parts of t.
func (un *unfolding) connective(l sat.Lit, t logic.Term) {
	not := un.kernelLit(l).Not()
	for i, c := range kernel.PropClauses(un.b, t) {
		if slices.Contains(c, not) {
			un.guarded(l, c, kernel.Step{Kind: kernel.Prop, Index: i, Terms: []logic.Term{t}})
		}
	}
}

// choose adds the witness of a quantifier.
func (un *unfolding) choose(l sat.Lit, t logic.Term) {
	for _, p := range un.exhibited[t] {
		if un.sat.Value(p) > 0 {
			un.done[l] = false
			un.unchosen = append(un.unchosen, l)
			return
		}
	}
	c, err := kernel.EpsClause(un.b, t)
	if err != nil {
		return
	}
	if (un.b.Op(t) == logic.Forall || un.ctx == 0) && !un.chosen(t) {
		un.ctx-- // a witness of the sequent itself is as near as its own terms
	}
	un.guarded(l, c, kernel.Step{Kind: kernel.Choose, Terms: []logic.Term{t}})
}

// chosen reports whether t depends on the witness of another formula.
func (un *unfolding) chosen(t logic.Term) bool {
	if un.b.Op(t) == logic.Eps {
		return true
	}
	for len(un.choices) <= int(t) {
		un.choices = append(un.choices, 0)
	}
	if un.choices[t] == 0 {
		un.choices[t] = -1
		if slices.ContainsFunc(un.b.Args(t), un.chosen) {
			un.choices[t] = 1
		}
	}
	return un.choices[t] > 0
}

func (un *unfolding) unfoldEq(l sat.Lit, t logic.Term) {
	x, y := un.b.Arg(t, 0), un.b.Arg(t, 1)
	typ := un.b.Type(x)
	switch kind := un.b.TypeKind(typ); {
	case kind == logic.KindPow && l.IsNeg():
		un.axiom(l, "set.eq", x, y)
	case kind == logic.KindPow:
		un.wantEqual(x, y)
	case typ == logic.IntType && l.IsNeg() && (arithmetical(un.b.Op(x)) || arithmetical(un.b.Op(y))):
		un.axiom(l, "le.antisymmetric", x, y)
	case kind == logic.KindBool && l.IsNeg():
		un.axiom(sat.NoLit, "bool", x)
		un.axiom(sat.NoLit, "bool", y)
	case kind == logic.KindProd && l.IsNeg():
		un.unequalPairs(l, x, y)
	}
}

// wantEqual looks into a true equation of sets: the elements of sets that are
// built from others should be known, above all if it is empty.
func (un *unfolding) wantEqual(x, y logic.Term) {
	for _, s := range []logic.Term{x, y} {
		if kernel.Membership(un.b.Op(s)) != nil && un.b.Op(s) != logic.Empty {
			un.members.wantElements(un.node(s))
		}
	}
	if un.b.Op(x) == logic.Empty {
		un.members.sample(un.node(y))
	}
	if un.b.Op(y) == logic.Empty {
		un.members.sample(un.node(x))
	}
}

// unequalPairs adds that pairs with equal components are equal.
func (un *unfolding) unequalPairs(l sat.Lit, x, y logic.Term) {
	p, q := un.pairOf(x), un.pairOf(y)
	if p != x || q != y {
		eq := kernel.LitOf(un.b, un.b.App(logic.Eq, p, q))
		same := kernel.Clause{un.kernelLit(l).Not(), kernel.LitOf(un.b, un.b.App(logic.Eq, x, p)).Not(), kernel.LitOf(un.b, un.b.App(logic.Eq, y, q)).Not(), eq.Not()}
		_ = same
		un.lit(eq)
		return
	}
	c := kernel.Clause{un.kernelLit(l).Not()}
	for i := range 2 {
		c = append(c, kernel.LitOf(un.b, un.b.App(logic.Eq, un.b.Arg(p, i), un.b.Arg(q, i))).Not())
	}
	un.guarded(l, c, kernel.Step{Kind: kernel.Euf, Clause: c})
}

// unfoldIn adds what it means that x∈s, or x∉s.
func (un *unfolding) unfoldIn(l sat.Lit, x, s logic.Term) {
	op := un.b.Op(s)
	if un.b.IsTypeExpr(s) && (!l.IsNeg() || s == un.b.TypeExpr(un.b.Type(x))) {
		un.axiom(sat.NoLit, "type", x)
		return
	}
	if un.takesPairs(s) && un.b.Op(x) != logic.Maplet {
		un.member(un.pairOf(x), s)
		return
	}
	switch {
	case op == logic.TFun && l.IsNeg() && un.updated(x, s):
	case op == logic.PFun && un.b.IsTypeExpr(un.b.Arg(s, 0)) && un.b.IsTypeExpr(un.b.Arg(s, 1)):
		un.unfoldFunctional(l, x, s)
	case op == logic.Dom && !l.IsNeg() && un.members.witnessed(un.b.Arg(s, 0), x, 0), op == logic.Ran && !l.IsNeg() && un.members.witnessed(un.b.Arg(s, 0), x, 1):
		un.done[l] = false
	case op == logic.Dom && !l.IsNeg():
		un.axiom(l, "apply.dom", un.b.Arg(s, 0), x)
	case op == logic.Compr:
		if !un.axiom(l, "mem.pattern", x, s) {
			un.axiom(l, "mem.comprehension", x, s)
		}
	default:
		if m := kernel.Membership(op); m != nil {
			un.schema(l, m, x, s)
		}
	}
}

// updated reports whether x is a function of s, a set of total functions, that is
// overridden by one pair or by one value for several arguments. Then rules
// function.update say all that there is to say about x∉s.
func (un *unfolding) updated(x, s logic.Term) bool {
	b := un.b
	if b.Op(x) != logic.Ovr || len(b.Args(x)) != 2 || un.sat.Value(sat.Pos(un.member(b.Arg(x, 0), s))) <= 0 {
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
func (un *unfolding) unfoldFunctional(l sat.Lit, r, s logic.Term) {
	if !l.IsNeg() {
		un.members.addFunctional(l, r, s)
		return
	}
	m := kernel.Membership(logic.PFun)
	if t, err := m.Formula(un.b, r, s); err == nil {
		un.ofPairs[un.b.Arg(t, 1)] = un.atoms[l.Var()]
	}
	un.schema(l, m, r, s)
}

// postpone puts l among the literals to unfold, if it was not unfolded before.
func (un *unfolding) postpone(l sat.Lit) {
	if un.done[l] {
		return
	}
	g := int(un.gens[l.Var()])
	for len(un.pending) <= g {
		un.pending = append(un.pending, nil)
	}
	un.pending[g] = append(un.pending[g], l)
}

// unfoldPending adds the definitions of literals that became true, up to the
// generation limit, and reports whether there were any.
func (un *unfolding) unfoldPending() bool {
	before := un.sat.Clauses()
	for g := 0; g <= int(un.limit) && g < len(un.pending); g++ {
		todo := un.pending[g]
		un.pending[g] = nil
		for _, l := range todo {
			if un.sat.Value(l) <= 0 || !un.first(l) {
				continue
			}
			un.ctx = un.gens[l.Var()]
			un.steps += 4
			un.unfold(l)
			un.terms.touch(un.nodes[l.Var()])
		}
		if un.sat.Clauses() > before {
			return true
		}
	}
	return false
}

// chooseAgain gives witnesses to existential statements whose known witness is
// gone.
func (un *unfolding) chooseAgain() bool {
	before := un.sat.Clauses()
	todo := un.unchosen
	un.unchosen = nil
	for _, l := range todo {
		if un.sat.Value(l) > 0 && un.first(l) {
			un.ctx = un.gens[l.Var()]
			un.choose(l, un.atoms[l.Var()])
		} else if !un.done[l] {
			un.unchosen = append(un.unchosen, l)
		}
	}
	return un.sat.Clauses() > before
}

// onUnbounded asks, of a set of integers that is said to have no bound, whether it
// is finite: t is ∃b·∀x·x∈s ⇒ b≥x, or with another order.
func (un *unfolding) onUnbounded(t logic.Term) {
	b := un.b
	all := b.Arg(t, 0)
	if len(b.Decls(t)) != 1 || b.Op(all) != logic.Forall || len(b.Decls(all)) != 1 || b.Op(b.Arg(all, 0)) != logic.Implies {
		return
	}
	in, rel := b.Arg(b.Arg(all, 0), 0), b.Arg(b.Arg(all, 0), 1)
	bound, x := b.Bound(1, logic.IntType), b.Bound(0, logic.IntType)
	if b.Op(in) != logic.In || b.Arg(in, 0) != x || b.Depth(b.Arg(in, 1)) > 0 || un.asked[askKey{askFinite, t, 0}] {
		return
	}
	greater := b.Op(rel) == logic.Ge || b.Op(rel) == logic.Gt
	if !greater && b.Op(rel) != logic.Le && b.Op(rel) != logic.Lt {
		return
	}
	un.asked[askKey{askFinite, t, 0}] = true
	switch args := b.Args(rel); {
	case args[0] == bound && args[1] == x && greater, args[0] == x && args[1] == bound && !greater:
		un.lemma("finite.above", b.Arg(in, 1))
	case args[0] == bound && args[1] == x, args[0] == x && args[1] == bound:
		un.lemma("finite.below", b.Arg(in, 1))
	}
}

// onExtreme adds, of a statement that denies some x an f(x) that is least or greatest over
// a set s, that there is one if s is finite: t is ∃x·…∧(∀y·y∈s ⇒ f(x)≤f(y))∧…, or with
// another order.
func (un *unfolding) onExtreme(t logic.Term) {
	parts := []logic.Term{un.b.Arg(t, 0)}
	if un.b.Op(parts[0]) == logic.And {
		parts = un.b.Args(parts[0])
	}
	for _, p := range parts {
		if name, s, f := un.extreme(p); name != "" && !un.asked[askKey{askExtreme, p, 0}] {
			un.asked[askKey{askExtreme, p, 0}] = true
			un.lemma(name, s, f)
		}
	}
}

// extreme takes t apart if it is ∀y·y∈s ⇒ f(x)≤f(y) for a variable x, or with another
// order, and names the lemma that says that there is such an x.
func (un *unfolding) extreme(t logic.Term) (lemma string, s, f logic.Term) {
	b := un.b
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

// exhibit adds that ∃z·P follows from P for the given values.
func (un *unfolding) exhibit(f logic.Term, vals []logic.Term) {
	c, err := kernel.InstClause(un.b, f, vals)
	if err != nil {
		return
	}
	un.add(c, kernel.Step{Kind: kernel.Inst, Terms: append([]logic.Term{f}, vals...)})
	un.exhibited[f] = append(un.exhibited[f], un.lit(c[1]).Not())
	if p := c[1].Atom(); un.b.Op(p) == logic.And {
		l := sat.Neg(un.atom(p))
		if un.first(l) {
			un.connective(l, p)
		}
	}
}
