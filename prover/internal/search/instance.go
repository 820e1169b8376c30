package search

import (
	"encoding/binary"
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
	triggers []trigger
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
func (is *instances) addQuant(q *quant) {
	q.id = len(is.quants)
	is.quants = append(is.quants, q)
	for i, t := range q.triggers {
		for j, p := range t.pats {
			list := &is.byPattern[p.root.op]
			to := offerTo{q, i, j}
			switch s, use := p.set(), t.use(j); {
			case s != 0:
				is.byElement[s] = append(is.byElement[s], to)
				continue
			case p.lit && p.root.op == logic.In && p.root.args[1].kind == pApp:
				list = &is.byShape[p.root.args[1].op]
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
func (is *instances) full(q *quant, t *trigger) bool {
	return t.open > 0 && q.uses > looseInstances*(1+int(is.limit))
}

const (
	pSlot   pkind = iota // a variable
	pGround              // a closed term
	pSum                 // a variable plus a number
	pApp
)

// activate makes the quantified formula of l a source of instances.
func (is *instances) activate(l sat.Lit, f logic.Term) {
	if is.quantOf[l] != nil {
		return
	}
	q := &quant{lit: l, f: f, decls: is.b.Decls(f), gen: max(is.gens[l.Var()], 0)}
	is.quantOf[l] = q
	is.chooseTriggers(q)
	is.addQuant(q)
	for i := range q.triggers {
		is.matchAll(q, &q.triggers[i])
	}
}

// matchAll makes all instances that trigger t of q finds now.
func (is *instances) matchAll(q *quant, t *trigger) {
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
		for _, n := range todo {
			is.terms.onTerm(n)
			is.offer(n, false)
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

func (is *instances) offerTo(list []offerTo, n euf.Node, literal bool) {
	for _, o := range list[:len(list):len(list)] {
		t := &o.q.triggers[o.trig]
		p := &t.pats[o.at]
		if p.lit != literal || is.sat.Value(o.q.lit) <= 0 || !is.useful(p, n) {
			continue
		}
		is.withMatching(func(m *matching) {
			m.matchNode(&p.root, n, func() { m.join(o.q, t, 1<<o.at) })
		})
	}
}

// instance makes the instance of q for the present slots.
func (m *matching) instance(q *quant, t *trigger) {
	e := m.e
	k := len(q.decls)
	if q.rule != nil {
		for _, s := range q.rule.slots {
			k = max(k, s+1)
		}
	}
	if m.made(q, k) {
		return
	}
	vals := make([]logic.Term, k)
	gen := q.gen
	// An instance is one step further from the sequent than the terms that it mentions.
	for i := range vals {
		if n := m.slots[i]; n != 0 {
			vals[i] = e.g.Term(n)
			gen = max(gen, e.terms.gen[n])
			if i < len(q.decls) && e.b.Type(vals[i]) != q.decls[i] {
				return
			}
		}
	}
	for _, d := range t.lets {
		if vals[d.slot] == 0 {
			vals[d.slot] = e.b.Instantiate(d.term, vals)
		}
	}
	if e.instances.instantiate(q, vals, gen) {
		q.tuples = append(q.tuples, slices.Clone(m.slots[:k]))
	}
}

// made reports whether q has an instance for values that equal those of the first k slots: it
// says the same as long as they are equal. If they cease to be, matching everything again finds the
// values.
func (m *matching) made(q *quant, k int) bool {
	g := m.e.g
	m.e.steps += int64(len(q.tuples)) / 4
	return slices.ContainsFunc(q.tuples, func(tuple []euf.Node) bool {
		for i, n := range tuple {
			if v := m.slots[i]; v != n && (v == 0 || n == 0 || !g.Equal(v, n)) {
				return false
			}
		}
		return true
	})
}

// instantiate adds an instance of q, once.
func (is *instances) instantiate(q *quant, vals []logic.Term, gen int16) bool {
	key := binary.AppendUvarint(nil, uint64(q.id))
	for _, v := range vals {
		if v == 0 && q.rule == nil {
			return false
		}
		key = binary.AppendUvarint(key, uint64(v))
	}
	made, waits := is.known[string(key)]
	if made {
		return false
	}
	// What waits may still be made with a lower generation: enumeration does that.
	if gen > is.limit {
		if !waits {
			is.known[string(key)] = false
			is.deferred = append(is.deferred, deferred{q, vals, gen, string(key)})
		}
		return false
	}
	is.known[string(key)] = true
	if q.rule != nil {
		is.ctx = gen
		is.made++
		is.steps += 10
		is.applyRule(q, vals)
		return true
	}
	c, err := kernel.InstClause(is.b, q.f, vals)
	if err != nil {
		return false
	}
	is.ctx = gen
	is.made++
	q.uses++
	is.steps += 10
	is.add(c, kernel.Step{Kind: kernel.Inst, Terms: append([]logic.Term{q.f}, vals...)})
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
