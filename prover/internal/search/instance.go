package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/reuse"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/internal/trigger"
	"github.com/gradine/gradine/prover/kernel"
)

// looseInstances bounds, for each generation that is let in, the instances of a
// quantifier by a trigger whose patterns are not connected by variables: each match of one goes
// with each match of the other, and a hundred terms of each kind would make 10,000 instances.
const looseInstances = 100

// full reports whether no more instances of q by t are wanted now.
func (is *instances) full(q *quant, t *trigger.Trigger) bool {
	return t.Open > 0 && q.uses > looseInstances*(1+int(is.limit))
}

// instance makes the instance of q for the present slots.
func (m *matching) instance(quantifier *quant, t *trigger.Trigger) {
	e := m.e
	k := len(quantifier.decls)
	if quantifier.rule != nil {
		for _, s := range quantifier.rule.Slots {
			k = max(k, s+1)
		}
	}
	if m.made(quantifier, k) {
		return
	}
	vals := m.vals[:k]
	clear(vals)
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
	if quantifier.rule != nil && quantifier.rule.Asked {
		gen = min(gen, e.limit) // who asks is near enough, whatever the answer mentions
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

// instantiate adds an instance of a quantifier, once, and reports whether it did. An instance of a generation beyond the
// limit is deferred. It keeps no hold of vals.
func (is *instances) instantiate(quantifier *quant, vals []logic.Term, gen int16) bool {
	var buf [16]uint32 // on the stack: most calls find an instance that is there
	key := append(buf[:0], uint32(quantifier.id))
	for _, variable := range vals {
		if variable == 0 && quantifier.rule == nil { // a variable that no pattern has bound
			return false
		}
		key = append(key, uint32(variable))
	}
	n, _ := is.known.Of(key...)
	is.states = reuse.Reach(is.states, n)
	if is.states[n] == made {
		return false
	}
	// What waits may still be made with a lower generation: enumeration does that.
	if gen > is.limit {
		if is.states[n] == unmade {
			is.states[n] = waits
			is.deferred = append(is.deferred, deferred{quantifier, slices.Clone(vals), gen, n})
		}
		return false
	}
	is.states[n] = made
	if quantifier.rule != nil {
		is.ctx = gen
		is.made++
		is.steps += 10
		is.applyRule(quantifier, vals)
		return true
	}
	body := is.table.Body(quantifier.f, vals)
	clause, ok := is.table.Clause(body)
	if !ok {
		return false
	}
	is.ctx = gen
	is.made++
	quantifier.uses++
	is.steps += 10
	is.add(clause, kernel.Step{Kind: kernel.Inst, Terms: body.Terms})
	is.domain(quantifier.f, vals)
	return true
}

// resume makes the instances that were deferred, as far as the limit admits them now. It
// reports whether there were any.
func (is *instances) resume() bool {
	before := is.made
	todo := is.deferred
	is.deferred = nil
	for _, d := range todo {
		if is.states[d.n] == waits {
			is.states[d.n] = unmade
		}
	}
	for _, d := range todo {
		if is.sat.Value(d.q.lit) > 0 {
			is.instantiate(d.q, d.vals, d.gen)
		}
	}
	return is.made > before
}

// applyRule adds the instance of q's schema.
func (is *instances) applyRule(quantifier *quant, slots []logic.Term) {
	args := make([]logic.Term, len(quantifier.rule.Slots))
	for i, s := range quantifier.rule.Slots {
		if args[i] = slots[s]; args[i] == 0 {
			return
		}
	}
	cs, step, _ := is.table.Of(quantifier.rule.Schema, args...)
	for i, clause := range cs {
		step.Index = i
		if id := is.add(clause, step); id != sat.NoID {
			is.frontier.await(id)
		}
		if quantifier.rule.Chained {
			is.chained++
		}
		if quantifier.rule.Structural {
			for _, l := range clause {
				is.descend(is.node(l.Atom()), true)
			}
		}
	}
}

// domain adds that f is defined for vals, if D(f) follows f.
func (is *instances) domain(f logic.Term, vals []logic.Term) {
	d, ok := is.domains[f]
	if !ok {
		return
	}
	body := is.table.Body(d, vals)
	if clause, ok := is.table.Clause(body); ok {
		is.add(clause, kernel.Step{Kind: kernel.Inst, Terms: body.Terms})
	}
}
