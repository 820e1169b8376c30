package search

import (
	"encoding/binary"
	"github.com/gradine/gradine/prover/internal/trigger"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// quant is a quantified formula that became true as a universal statement: ∀ that
// is true or ∃ that is false.
type quant struct {
	id       int
	lit      sat.Lit
	f        logic.Term
	decls    []logic.Type
	gen      int16
	triggers []trigger.Trigger
	uses     int          // instances made
	tuples   [][]euf.Node // the values of those that matching found
	rule     *compiled
}

// offerTo is a place where a term of some operator may match.
type offerTo struct {
	q        *quant
	trig, at int
}

// instances owns the quantified formulas and rules that are sources of instances, the index of
// their patterns, and the instances made.
type instances struct {
	*engine
	quants    []*quant
	quantOf   map[sat.Lit]*quant
	byPattern [logic.NumOps][]offerTo
	byElement map[euf.Node][]offerTo  // patterns x∈s, by ground s
	byShape   [logic.NumOps][]offerTo // patterns x∈op(…)
	byUse     [logic.NumOps][]offerTo // patterns x∈s that go with op(s)
	idle      []*matching
	others    nodeSet         // of one call of matching.with
	known     map[string]bool // true for instances made, false for those that are deferred
	made      int             // their number
	deferred  []deferred
	waiting   []*quant // rules that come in when it matters whether a set is finite
	sized     bool     // it matters whether some set is finite
}

func newInstances(e *engine) instances {
	return instances{engine: e, quantOf: map[sat.Lit]*quant{}, byElement: map[euf.Node][]offerTo{}, known: map[string]bool{}}
}

// addQuant numbers q and enters its patterns, by what a term needs to be of use to
// them.
func (is *instances) addQuant(quantifier *quant) {
	quantifier.id = len(is.quants)
	is.quants = append(is.quants, quantifier)
	for i, t := range quantifier.triggers {
		for j, p := range t.Patterns {
			list := &is.byPattern[p.Root.Op]
			to := offerTo{quantifier, i, j}
			switch node, use := p.Set(), t.Use(j); {
			case node != 0:
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

// looseInstances bounds, for each generation that is let in, the instances of a
// quantifier by a trigger whose patterns are not connected by variables: each match of one goes
// with each match of the other, and a hundred terms of each kind would make 10,000 instances.
const looseInstances = 100

// full reports whether no more instances of q by t are wanted now.
func (is *instances) full(q *quant, t *trigger.Trigger) bool {
	return t.Open > 0 && q.uses > looseInstances*(1+int(is.limit))
}

// activate makes the quantified formula of l a source of instances.
func (is *instances) activate(literal sat.Lit, term logic.Term) {
	if is.quantOf[literal] != nil {
		return
	}
	quantifier := &quant{lit: literal, f: term, decls: is.b.Decls(term), gen: max(is.gens[literal.Var()], 0)}
	is.quantOf[literal] = quantifier
	chooser := trigger.Chooser{Bank: is.b, Node: is.node, Sums: is.opts.Sums}
	quantifier.triggers = chooser.Choose(term, !literal.IsNeg())
	is.wantElements(quantifier)
	is.addQuant(quantifier)
	for i := range quantifier.triggers {
		is.matchAll(quantifier, &quantifier.triggers[i])
	}
}

// wantElements asks for the elements of sets s that patterns x∈s of q look at.
func (is *instances) wantElements(q *quant) {
	for _, t := range q.triggers {
		for _, p := range t.Patterns {
			if s := p.Set(); s != 0 && p.Sign >= 0 {
				is.members.wantElements(s)
			}
		}
	}
}

// matchAll makes all instances that trigger t of q finds now.
func (is *instances) matchAll(q *quant, t *trigger.Trigger) {
	if is.sat.Value(q.lit) > 0 {
		is.withMatching(func(m *matching) { m.join(q, t, 0) })
	}
}

// matchLiteral offers a membership that became true or false to all triggers.
func (is *instances) matchLiteral(l sat.Lit) { is.offer(is.nodes[l.Var()], true) }

// matchFresh offers new relevant terms to the triggers and to the rules for
// terms. It reports whether clauses were added.
func (is *instances) matchFresh() bool {
	before := is.sat.Clauses()
	for len(is.terms.fresh) > 0 {
		todo := is.terms.fresh
		is.terms.fresh = nil
		for _, node := range todo {
			is.terms.onTerm(node)
			is.offer(node, false)
		}
	}
	return is.sat.Clauses() > before
}

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
		if p.Lit != literal || is.sat.Value(o.q.lit) <= 0 || !is.useful(p, node) {
			continue
		}
		is.withMatching(func(m *matching) {
			m.matchNode(&p.Root, node, func() { m.join(o.q, t, 1<<o.at) })
		})
	}
}

// instance makes the instance of q for the present slots.
func (m *matching) instance(quantifier *quant, t *trigger.Trigger) {
	e := m.e
	k := len(quantifier.decls)
	if quantifier.rule != nil {
		for _, s := range quantifier.rule.slots {
			k = max(k, s+1)
		}
	}
	if m.made(quantifier, k) {
		return
	}
	vals := make([]logic.Term, k)
	gen := quantifier.gen
	// An instance is one step further from the sequent than the terms that it mentions.
	for i := range vals {
		if node := m.slots[i]; node != 0 {
			vals[i] = e.g.Term(node)
			gen = max(gen, e.terms.gen[node])
			if i < len(quantifier.decls) && e.b.Type(vals[i]) != quantifier.decls[i] {
				return
			}
		}
	}
	for _, d := range t.Lets {
		if vals[d.Slot] == 0 {
			vals[d.Slot] = e.b.Instantiate(d.Term, vals)
		}
	}
	if e.instances.instantiate(quantifier, vals, gen) {
		quantifier.tuples = append(quantifier.tuples, slices.Clone(m.slots[:k]))
	}
}

// made reports whether q has an instance for values that equal those of the first k slots: it
// says the same as long as they are equal. If they cease to be, matching everything again finds the
// values.
func (m *matching) made(quantifier *quant, k int) bool {
	g := m.e.g
	m.e.steps += int64(len(quantifier.tuples)) / 4
	return slices.ContainsFunc(quantifier.tuples, func(tuple []euf.Node) bool {
		for i, n := range tuple {
			if v := m.slots[i]; v != n && (v == 0 || n == 0 || !g.Equal(v, n)) {
				return false
			}
		}
		return true
	})
}

// instantiate adds an instance of q, once.
func (is *instances) instantiate(quantifier *quant, vals []logic.Term, gen int16) bool {
	key := binary.AppendUvarint(nil, uint64(quantifier.id))
	for _, variable := range vals {
		if variable == 0 && quantifier.rule == nil {
			return false
		}
		key = binary.AppendUvarint(key, uint64(variable))
	}
	made, waits := is.known[string(key)]
	if made {
		return false
	}
	// What waits may still be made with a lower generation: enumeration does that.
	if gen > is.limit {
		if !waits {
			is.known[string(key)] = false
			is.deferred = append(is.deferred, deferred{quantifier, vals, gen, string(key)})
		}
		return false
	}
	is.known[string(key)] = true
	if quantifier.rule != nil {
		is.ctx = gen
		is.made++
		is.steps += 10
		is.applyRule(quantifier, vals)
		return true
	}
	clause, err := kernel.InstClause(is.b, quantifier.f, vals)
	if err != nil {
		return false
	}
	is.ctx = gen
	is.made++
	quantifier.uses++
	is.steps += 10
	is.add(clause, kernel.Step{Kind: kernel.Inst, Terms: append([]logic.Term{quantifier.f}, vals...)})
	return true
}

// deferred is an instance whose generation was above the limit.
type deferred struct {
	q    *quant
	vals []logic.Term
	gen  int16
	key  string
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

// resume makes the instances that were deferred, as far as the limit admits them now. It
// reports whether there were any.
func (is *instances) resume() bool {
	before := is.made
	todo := is.deferred
	is.deferred = nil
	for _, d := range todo {
		if !is.known[d.key] {
			delete(is.known, d.key)
		}
	}
	for _, d := range todo {
		if is.sat.Value(d.q.lit) > 0 {
			is.instantiate(d.q, d.vals, d.gen)
		}
	}
	return is.made > before
}
