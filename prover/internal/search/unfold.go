package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/reuse"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// waits reports whether literals of generation gen are to be unfolded.
func (un *unfolding) waits(gen int16) bool {
	return int(gen) < len(un.pending) && len(un.pending[gen]) > 0
}

// unfold adds what literal l, which is true, means.
func (un *unfolding) unfold(literal sat.Lit) {
	term := un.atoms[literal.Var()]
	switch op := un.b.Op(term); op {
	case logic.True, logic.False, logic.And, logic.Or, logic.Implies, logic.Iff:
		un.connective(literal, term)
	case logic.Forall, logic.Exists:
		// That a relation is functional is a ∀ over two pairs. The rule for one pair is linear where
		// instances would be quadratic, and so the membership takes its place.
		if in, ok := un.ofPairs[term]; ok && !literal.IsNeg() {
			un.axiom(literal, "mem.pfun", un.b.Args(in)...)
			return
		}
		if (op == logic.Forall) == literal.IsNeg() {
			un.choose(literal, term)
		} else if !un.given(term) {
			un.instances.activate(literal, term)
		}
		if op == logic.Exists && literal.IsNeg() {
			un.onUnbounded(term)
			un.onFresh(term)
			un.onListed(term)
			un.onExtreme(term)
		}
	case logic.Eq:
		un.unfoldEq(literal, term)
	case logic.In:
		un.unfoldIn(literal, un.b.Arg(term, 0), un.b.Arg(term, 1))
	case logic.SubsetEq:
		if literal.IsNeg() || !un.b.IsTypeExpr(un.b.Arg(term, 1)) {
			un.axiom(literal, "subset.eq", un.b.Args(term)...)
		}
		if !literal.IsNeg() {
			un.members.wantElements(un.node(un.b.Arg(term, 0)))
			un.onEndless(un.b.Arg(term, 0), un.b.Arg(term, 1))
		}
	case logic.Subset:
		un.axiom(literal, "subset", un.b.Args(term)...)
	case logic.Partition:
		un.axiom(literal, "partition", term)
	case logic.Finite:
		if literal.IsNeg() {
			un.instances.finiteness()
		}
	}
}

// given reports whether the attempt has been given the instances of a quantifier that it is to use.
func (un *unfolding) given(term logic.Term) bool {
	return un.opts.Given && slices.ContainsFunc(un.opts.Axioms, func(step kernel.Step) bool {
		return step.Kind == kernel.Inst && step.Terms[0] == term
	})
}

// choose adds the witness of a quantifier.
func (un *unfolding) choose(l sat.Lit, term logic.Term) {
	for _, p := range un.exhibited[term] {
		if un.sat.Value(p) > 0 {
			un.done[l] = false
			un.unchosen = append(un.unchosen, l)
			return
		}
	}
	clause, err := kernel.EpsClause(un.b, term)
	if err != nil {
		return
	}
	if (un.b.Op(term) == logic.Forall || un.ctx == 0) && !un.chosen(term) {
		un.ctx-- // a witness of the sequent itself is as near as its own terms
	}
	un.guarded(l, clause, kernel.Step{Kind: kernel.Choose, Terms: []logic.Term{term}})
	if un.b.Op(term) == logic.Forall {
		un.instances.domain(term, kernel.Witnesses(un.b, term))
	}
}

// chosen reports whether t depends on the witness of another formula.
func (un *unfolding) chosen(term logic.Term) bool {
	if un.b.Op(term) == logic.Eps {
		return true
	}
	un.choices = reuse.Reach(un.choices, int(term))
	if un.choices[term] == 0 {
		un.choices[term] = -1
		if slices.ContainsFunc(un.b.Args(term), un.chosen) {
			un.choices[term] = 1
		}
	}
	return un.choices[term] > 0
}

// unfoldEq unfolds an equation of sets or pairs, or its denial.
func (un *unfolding) unfoldEq(literal sat.Lit, t logic.Term) {
	x, y := un.b.Arg(t, 0), un.b.Arg(t, 1)
	typ := un.b.Type(x)
	switch kind := un.b.TypeKind(typ); {
	case kind == logic.KindPow && literal.IsNeg():
		un.axiom(literal, "set.eq", x, y)
	case un.apart(literal):
		set := x
		if un.b.Op(x) == logic.Empty {
			set = y
		}
		un.lemma("eq.singles.apart", un.b.Arg(un.b.Arg(set, 0), 0), un.b.Arg(un.b.Arg(set, 1), 0))
	case kind == logic.KindPow:
		un.wantEqual(x, y)
	case typ == logic.IntType && literal.IsNeg() && (arithmetical(un.b.Op(x)) || arithmetical(un.b.Op(y))):
		un.axiom(literal, "le.antisymmetric", x, y)
	case kind == logic.KindBool && literal.IsNeg():
		un.axiom(sat.NoLit, "bool", x)
		un.axiom(sat.NoLit, "bool", y)
	case kind == logic.KindProd && literal.IsNeg():
		un.unequalPairs(literal, x, y)
	}
}

// apart reports whether literal is {x}∩{y}=∅. A partition into single elements has many such: x≠y is all that they say, and as sets
// equal to ∅ they would be in the way of whatever looks at that.
func (un *unfolding) apart(literal sat.Lit) bool {
	bank, t := un.b, un.atoms[literal.Var()]
	if bank.Op(t) != logic.Eq || literal.IsNeg() || un.opts.Only != nil {
		return false
	}
	set, empty := bank.Arg(t, 0), bank.Arg(t, 1)
	if bank.Op(set) == logic.Empty {
		set, empty = empty, set
	}
	single := func(t logic.Term) bool { return bank.Op(t) == logic.SetExt && len(bank.Args(t)) == 1 }
	return bank.Op(empty) == logic.Empty && bank.Op(set) == logic.Inter && len(bank.Args(set)) == 2 && single(bank.Arg(set, 0)) && single(bank.Arg(set, 1))
}

// wantEqual looks into a true equation of sets: the elements of sets that are
// built from others should be known, above all if it is empty.
func (un *unfolding) wantEqual(x, y logic.Term) {
	for _, set := range []logic.Term{x, y} {
		if kernel.Membership(un.b.Op(set)) != nil && un.b.Op(set) != logic.Empty {
			un.members.wantElements(un.node(set))
		}
	}
	for i, set := range []logic.Term{x, y} {
		if un.b.Op(set) == logic.Bool {
			for _, value := range []logic.Op{logic.TrueE, logic.FalseE} {
				un.member(un.b.App(value), []logic.Term{y, x}[i])
			}
		}
	}
	if un.b.Op(x) == logic.Empty {
		un.emptied(y)
	}
	if un.b.Op(y) == logic.Empty {
		un.emptied(x)
	}
}

// emptied adds what set would have as an element if it had any. Of {z·P∣E}, it asks whether ∀z·¬P, which matches what
// the elements are made of where z∈set matches only what is known to be asked of set.
func (un *unfolding) emptied(set logic.Term) {
	bank := un.b
	if bank.Op(set) != logic.Compr {
		un.members.sample(un.node(set))
		return
	}
	none := bank.Quant(logic.Forall, bank.Decls(set), nil, bank.Not(bank.Arg(set, 0)))
	key := askKey{askCompr, none, 0}
	if un.asked.has(key) {
		return
	}
	un.asked.add(key)
	un.frontier.split(un.litOf(none).Var())
	witnesses := kernel.Witnesses(bank, none)
	un.members.entailed(bank.Instantiate(bank.Arg(set, 1), witnesses), set, witnesses...)
}

// unequalPairs adds that pairs with equal components are equal.
func (un *unfolding) unequalPairs(literal sat.Lit, x, y logic.Term) {
	predicate, q := un.pairOf(x), un.pairOf(y)
	if predicate != x || q != y {
		eq := kernel.LitOf(un.b, un.b.App(logic.Eq, predicate, q))
		same := kernel.Clause{un.kernelLit(literal).Not(), kernel.LitOf(un.b, un.b.App(logic.Eq, x, predicate)).Not(), kernel.LitOf(un.b, un.b.App(logic.Eq, y, q)).Not(), eq.Not()}
		_ = same
		un.lit(eq)
		return
	}
	clause := kernel.Clause{un.kernelLit(literal).Not()}
	for i := range 2 {
		clause = append(clause, kernel.LitOf(un.b, un.b.App(logic.Eq, un.b.Arg(predicate, i), un.b.Arg(q, i))).Not())
	}
	un.guarded(literal, clause, kernel.Step{Kind: kernel.Euf, Clause: clause})
}

// unfoldIn adds what it means that x∈s, or x∉s.
func (un *unfolding) unfoldIn(literal sat.Lit, term, set logic.Term) {
	op := un.b.Op(set)
	if un.b.IsTypeExpr(set) && (!literal.IsNeg() || set == un.b.TypeExpr(un.b.Type(term))) {
		un.axiom(sat.NoLit, "type", term)
		return
	}
	if un.takesPairs(set) && un.b.Op(term) != logic.Maplet {
		un.member(un.pairOf(term), set)
		return
	}
	switch {
	case op == logic.TFun && literal.IsNeg() && un.updated(term, set):
	case op == logic.PFun && un.b.IsTypeExpr(un.b.Arg(set, 0)) && un.b.IsTypeExpr(un.b.Arg(set, 1)):
		un.unfoldFunctional(literal, term, set)
	case op == logic.Dom && !literal.IsNeg() && un.members.witnessed(un.b.Arg(set, 0), term, 0), op == logic.Ran && !literal.IsNeg() && un.members.witnessed(un.b.Arg(set, 0), term, 1):
		// A witness that is known makes a new one unnecessary, but it may go again on backtracking.
		un.done[literal] = false
	case op == logic.Dom && !literal.IsNeg():
		un.axiom(literal, "apply.dom", un.b.Arg(set, 0), term)
	case op == logic.Compr:
		if !un.axiom(literal, "mem.pattern", term, set) {
			un.axiom(literal, "mem.comprehension", term, set)
		}
	default:
		if m := kernel.Membership(op); m != nil {
			un.schema(literal, m, term, set)
		}
	}
}

// updated reports whether x is a function of s, a set of total functions, that is
// overridden by one pair or by one value for several arguments. Then rules
// function.update say all that there is to say about x∉s.
func (un *unfolding) updated(x, set logic.Term) bool {
	bank := un.b
	if bank.Op(x) != logic.Ovr || len(bank.Args(x)) != 2 || un.sat.Value(sat.Pos(un.member(bank.Arg(x, 0), set))) <= 0 {
		return false
	}
	single := func(t logic.Term) bool { return bank.Op(t) == logic.SetExt && len(bank.Args(t)) == 1 }
	switch u := bank.Arg(x, 1); bank.Op(u) {
	case logic.SetExt:
		return single(u) && bank.Op(bank.Arg(u, 0)) == logic.Maplet
	case logic.CProd:
		return single(bank.Arg(u, 1))
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
		un.pending = reuse.Extend(un.pending)
	}
	un.pending[g] = append(un.pending[g], l)
}

// unfoldPending adds the definitions of literals that became true, up to the
// generation limit, and reports whether there were any clauses or atoms.
func (un *unfolding) unfoldPending() bool {
	clauses, atoms := un.sat.Clauses(), len(un.atoms)
	for g := 0; g <= int(un.limit) && g < len(un.pending); g++ {
		todo := un.pending[g]
		un.pending[g] = un.worked[:0]
		for _, literal := range todo {
			if un.sat.Value(literal) <= 0 || !un.first(literal) {
				continue
			}
			un.ctx = un.gens[literal.Var()]
			un.steps += 4
			if literal.IsNeg() && un.byStructure(literal) {
				continue
			}
			un.unfold(literal)
			if !un.apart(literal) {
				un.terms.touch(un.nodes[literal.Var()])
			}
		}
		un.worked = todo
		if un.sat.Clauses() > clauses || len(un.atoms) > atoms || len(un.terms.flat) > 0 {
			return true
		}
	}
	return false
}

// byStructure reports whether structural rules say something of literal, which is false. What it means for elements is for later: what
// the rules ask of parts comes first.
func (un *unfolding) byStructure(literal sat.Lit) bool {
	t := un.atoms[literal.Var()]
	switch un.b.Op(t) {
	case logic.In, logic.SubsetEq, logic.Finite:
	case logic.Eq:
		if un.b.Type(un.b.Arg(t, 0)) == logic.IntType {
			return false
		}
	default:
		return false
	}
	node := un.nodes[literal.Var()]
	if !un.instances.descend(node, false) && !un.instances.within(node) {
		return false
	}
	un.done[literal] = false
	if len(un.terms.flat) > 0 {
		g := un.gens[literal.Var()]
		un.pending[g] = append(un.pending[g], literal) // again, once these are nested
	} else {
		un.structured = append(un.structured, literal)
	}
	return true
}

// unfoldStructured adds what the last of the literals means of which structural rules say something, and reports whether there
// was one: the innermost comes first.
func (un *unfolding) unfoldStructured() bool {
	for len(un.structured) > 0 {
		last := len(un.structured) - 1
		literal := un.structured[last]
		un.structured = un.structured[:last]
		if un.sat.Value(literal) <= 0 || un.done[literal] {
			continue
		}
		// Once more, as the types of what it is said of may be known by now.
		if node := un.nodes[literal.Var()]; un.instances.within(node) && un.instances.ask(node) {
			un.structured = append(un.structured, literal)
			return true
		}
		un.done[literal] = true
		un.ctx = un.gens[literal.Var()]
		un.unfold(literal)
		un.terms.touch(un.nodes[literal.Var()])
		return true
	}
	return false
}

// chooseAgain gives witnesses to existential statements whose known witness is
// gone.
func (un *unfolding) chooseAgain() bool {
	before := un.sat.Clauses()
	todo := un.unchosen
	un.unchosen = nil
	for _, literal := range todo {
		if un.sat.Value(literal) > 0 && un.first(literal) {
			un.ctx = un.gens[literal.Var()]
			un.choose(literal, un.atoms[literal.Var()])
		} else if !un.done[literal] {
			un.unchosen = append(un.unchosen, literal)
		}
	}
	return un.sat.Clauses() > before
}

// onFresh adds, of a statement that denies some number x∉s, that there is one if s is finite: t is ∃x·…∧x∉s∧….
func (un *unfolding) onFresh(t logic.Term) {
	bank := un.b
	if len(bank.Decls(t)) != 1 || bank.Decls(t)[0] != logic.IntType || bank.Op(bank.Arg(t, 0)) != logic.And {
		return
	}
	for _, part := range bank.Args(bank.Arg(t, 0)) {
		if bank.Op(part) == logic.Not {
			part = bank.Arg(part, 0)
		} else if bank.Op(part) != logic.NotIn {
			continue
		}
		if op := bank.Op(part); (op == logic.In || op == logic.NotIn) && bank.Op(bank.Arg(part, 0)) == logic.Bound && bank.Depth(bank.Arg(part, 1)) == 0 {
			un.terms.beyond(bank.Arg(part, 1))
		}
	}
}

// onListed adds, of a statement that denies some f∈1‥n⤖s, that there is one if s is finite: t is ∃…f…·…∧f∈1‥n⤖s∧….
func (un *unfolding) onListed(t logic.Term) {
	bank := un.b
	parts := []logic.Term{bank.Arg(t, 0)}
	if bank.Op(parts[0]) == logic.And {
		parts = bank.Args(parts[0])
	}
	for _, part := range parts {
		if bank.Op(part) != logic.In || bank.Op(bank.Arg(part, 1)) != logic.TBij {
			continue
		}
		from, set := bank.Arg(bank.Arg(part, 1), 0), bank.Arg(bank.Arg(part, 1), 1)
		if bank.Op(from) == logic.UpTo && bank.Arg(from, 0) == bank.Int64(1) && bank.Depth(set) == 0 {
			un.terms.lemma("finite.enumeration", set)
		}
	}
}

// onUnbounded asks, of a set of integers that is said to have no bound, whether it
// is finite: t is ∃b·∀x·x∈s ⇒ b≥x, or with another order.
func (un *unfolding) onUnbounded(t logic.Term) {
	bank := un.b
	all := bank.Arg(t, 0)
	if len(bank.Decls(t)) != 1 || bank.Op(all) != logic.Forall || len(bank.Decls(all)) != 1 || bank.Op(bank.Arg(all, 0)) != logic.Implies {
		return
	}
	in, rel := bank.Arg(bank.Arg(all, 0), 0), bank.Arg(bank.Arg(all, 0), 1)
	bound, x := bank.Bound(1, logic.IntType), bank.Bound(0, logic.IntType)
	if bank.Op(in) != logic.In || bank.Arg(in, 0) != x || bank.Depth(bank.Arg(in, 1)) > 0 || un.asked.has(askKey{askFinite, t, 0}) {
		return
	}
	greater := bank.Op(rel) == logic.Ge || bank.Op(rel) == logic.Gt
	if !greater && bank.Op(rel) != logic.Le && bank.Op(rel) != logic.Lt {
		return
	}
	un.asked.add(askKey{askFinite, t, 0})
	switch args := bank.Args(rel); {
	case args[0] == bound && args[1] == x && greater, args[0] == x && args[1] == bound && !greater:
		un.lemma("finite.above", bank.Arg(in, 1))
	case args[0] == bound && args[1] == x, args[0] == x && args[1] == bound:
		un.lemma("finite.below", bank.Arg(in, 1))
	}
}
