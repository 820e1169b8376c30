package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/rules"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/internal/trigger"
	"github.com/gradine/gradine/prover/kernel"
)

// addQuant numbers q and enters its patterns, by what a term needs to be of use to
// them.
func (is *instances) addQuant(quantifier *quant) {
	quantifier.id = len(is.quants)
	is.quants = append(is.quants, quantifier)
	if quantifier.rule != nil && quantifier.rule.Structural {
		op := quantifier.triggers[0].Patterns[0].Root.Op
		if quantifier.rule.Asked {
			is.inner[op] = append(is.inner[op], offerTo{quantifier, 0, 0})
			return
		}
		is.structure[op] = append(is.structure[op], offerTo{quantifier, 0, 0})
	}
	for i, t := range quantifier.triggers {
		for j, p := range t.Patterns {
			list := &is.byPattern[p.Root.Op]
			to := offerTo{quantifier, i, j}
			switch set, use := p.Set(), t.Use(j); {
			case set != 0:
				node := is.node(set)
				is.byElement[node] = append(is.byElement[node], to)
				continue
			case p.Lit && p.Root.Op == logic.In && p.Root.Args[1].Kind == trigger.App:
				list = &is.byShape[p.Root.Args[1].Op]
			case use != logic.Invalid:
				list = &is.byUse[use]
			}
			*list = append(*list, to)
		}
	}
}

// newQuant returns room for a source of instances.
func (is *instances) newQuant() *quant { return &is.room.Take(1)[0] }

// activate makes the quantified formula of l a source of instances.
func (is *instances) activate(literal sat.Lit, term logic.Term) {
	if is.quantOf[literal] != nil || slices.Contains(is.held, literal) {
		return
	}
	quantifier := is.newQuant()
	*quantifier = quant{lit: literal, f: term, decls: is.b.Decls(term), gen: max(is.gens[literal.Var()], 0)}
	is.quantOf[literal] = quantifier
	choice := is.table.Triggers(term, !literal.IsNeg(), is.opts.Precede)
	for _, t := range choice.Closed {
		// A pattern f(0) is to match f(n) where n may be 0.
		if n := is.node(t); is.opts.Precede && is.b.Type(t) == logic.IntType {
			is.ar.use(n)
		}
	}
	quantifier.triggers = choice.Triggers
	is.wantElements(quantifier)
	is.addQuant(quantifier)
	for i := range quantifier.triggers {
		is.matchAll(quantifier, &quantifier.triggers[i])
	}
}

// wantElements asks for the elements of sets s that patterns x∈s of q look at.
func (is *instances) wantElements(q *quant) {
	before := is.applied
	for _, t := range q.triggers {
		for _, p := range t.Patterns {
			if s := p.Set(); s != 0 && p.Sign >= 0 {
				is.members.wantElements(is.node(s))
			}
		}
		is.applied = is.applied || t.Applied
	}
	if is.applied && !before {
		for _, n := range is.terms.byOp[logic.Apply] {
			is.wantArgument(n)
		}
	}
}

// wantArgument asks for the elements of s in f(s), if quantifiers speak of such applications and of elements of s together.
func (is *instances) wantArgument(n euf.Node) {
	s := is.g.Args(n)[1]
	if is.applied && is.b.Elem(is.b.Type(is.g.Term(s))) != logic.NoType {
		is.members.wantElements(s)
	}
}

// matchAll makes all instances that trigger t of q finds now.
func (is *instances) matchAll(q *quant, t *trigger.Trigger) {
	if q.rule != nil && (q.rule.Asked || !is.possible(q.rule)) {
		return
	}
	if is.sat.Value(q.lit) > 0 && (!t.Late || is.late) {
		is.withMatching(func(m *matching) { m.join(q, t, 0) })
	}
}

// possible reports whether there are relevant terms with all operators of a rule's patterns.
func (is *instances) possible(r *rules.Rule) bool {
	return !slices.ContainsFunc(r.Needs, func(op logic.Op) bool { return len(is.terms.byOp[op]) == 0 })
}

// matchEverything repeats all matches, for equalities that came after the terms.
func (is *instances) matchEverything() bool {
	before := is.made
	for i := 0; i < len(is.quants); i++ {
		for j := range is.quants[i].triggers {
			is.matchAll(is.quants[i], &is.quants[i].triggers[j])
		}
	}
	return is.made > before
}

// matchLate makes the instances that late triggers find, now and from now on, and reports whether there were any.
func (is *instances) matchLate() bool {
	if is.late {
		return false
	}
	is.late = true
	return is.matchEverything()
}

// matchLiteral offers a membership that became true or false to all triggers.
func (is *instances) matchLiteral(l sat.Lit) { is.offer(is.nodes[l.Var()], true) }

// offer tries node n for every pattern of every active quantifier. The patterns for a
// membership look at all sets that equal its set, so each list is offered to once.
func (is *instances) offer(n euf.Node, literal bool) {
	is.offerTo(is.byPattern[is.g.Op(n)], n, literal)
	if !literal || is.g.Op(n) != logic.In {
		return
	}
	var shapes, uses [logic.NumOps]bool
	is.each(is.g.Args(n)[1], func(s euf.Node) {
		is.offerTo(is.byElement[s], n, literal)
		if op := is.g.Op(s); !shapes[op] {
			shapes[op] = true
			is.offerTo(is.byShape[op], n, literal)
		}
		for _, op := range is.terms.uses[s] {
			if !uses[op] {
				uses[op] = true
				is.offerTo(is.byUse[op], n, literal)
			}
		}
	})
}

func (is *instances) offerTo(list []offerTo, node euf.Node, literal bool) {
	for _, o := range list[:len(list):len(list)] {
		t := &o.q.triggers[o.trig]
		p := &t.Patterns[o.at]
		if t.Late && !is.late || p.Lit != literal || is.sat.Value(o.q.lit) <= 0 || !is.useful(p, node) || o.q.rule != nil && !is.possible(o.q.rule) {
			continue
		}
		is.withMatching(func(m *matching) {
			m.matchNode(&p.Root, node, func() { m.join(o.q, t, 1<<o.at) })
		})
	}
}

// follow has domain, which is D(∀x·P) for f = ∀x·P, instantiated where f is, and elsewhere only after release: by its own
// patterns, which are rarely connected, it would be instantiated for all there is.
func (is *instances) follow(f, domain logic.Term) {
	f = kernel.LitOf(is.b, f).Atom()
	if is.opts.Follow && is.b.Op(f) == logic.Forall && is.b.Op(domain) == logic.Forall && slices.Equal(is.b.Decls(f), is.b.Decls(domain)) && f != domain {
		is.domains[f] = domain
		is.held = append(is.held, is.litOf(domain))
	}
}

// release makes what follows other formulas a source of instances of its own, and reports whether there was any.
func (is *instances) release() bool {
	held := is.held
	is.held = nil
	for _, l := range held {
		is.ctx = is.gens[l.Var()]
		is.activate(l, is.atoms[l.Var()])
	}
	return len(held) > 0
}

// descend offers the predicate of a clause, and what it is said of, to the structural rules, and what these make of it likewise,
// whether that is true or false already: it will be asked for. It reports whether they find that it is about relations
// overridden or composed. Some rules apply only if another one asks.
func (is *instances) descend(n euf.Node, asked bool) bool {
	t := is.g.Term(n)
	before := is.chained
	if asked {
		is.asked.add(askKey{askWithin, t, 0})
	}
	if is.within(n) {
		is.terms.touch(n)
		is.ask(n)
	}
	if !is.asked.has(askKey{askStructure, t, 0}) {
		sizes := func(n euf.Node) bool {
			return is.g.Op(n) == logic.Finite || is.g.Op(n) == logic.Card && !is.opts.Uncounted
		}
		if !is.sized && (sizes(n) || slices.ContainsFunc(is.g.Args(n), sizes)) {
			is.finiteness()
			if len(is.terms.flat) > 0 {
				return true // once these are nested
			}
		}
		is.asked.add(askKey{askStructure, t, 0})
		is.terms.touch(n)
		is.structural(n)
		for _, a := range is.g.Args(n) {
			is.structural(a)
			for _, c := range is.g.Args(a) {
				is.structural(c)
			}
		}
	}
	if is.chained > before {
		is.asked.add(askKey{askStructure, t, t})
	}
	return is.asked.has(askKey{askStructure, t, t})
}

// structural offers one node to the structural rules.
func (is *instances) structural(n euf.Node) { is.offerFirst(is.structure[is.g.Op(n)], n) }

// within reports whether a structural rule has asked for n.
func (is *instances) within(n euf.Node) bool { return is.asked.has(askKey{askWithin, is.g.Term(n), 0}) }

// ask offers one node to the structural rules that apply only if another one asks, and reports whether one did.
func (is *instances) ask(n euf.Node) bool {
	before := is.made
	is.offerFirst(is.inner[is.g.Op(n)], n)
	return is.made > before
}

// offerFirst offers a node for the first patterns of rules.
func (is *instances) offerFirst(list []offerTo, n euf.Node) {
	for _, o := range list[:len(list):len(list)] {
		t := &o.q.triggers[0]
		is.withMatching(func(m *matching) {
			m.matchNode(&t.Patterns[0].Root, n, func() { m.join(o.q, t, 1) })
		})
	}
}
