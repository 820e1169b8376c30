package explore

import (
	"context"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Coverage says what a search has exercised.
type Coverage struct {
	Events     []EventCoverage     `json:"events"`
	Invariants []InvariantCoverage `json:"invariants"`
	Values     []ValueRange        `json:"values"`
}

// EventCoverage is how often an event fired, and which of its guards were false
// nowhere: each can be left out as far as the states seen go. A guard without
// parameters is one that holds in every state; one about parameters holds for all
// their values that satisfy the other guards. A guard is not among them if
// something has no value where it is false, or if nothing but it bounds a parameter.
type EventCoverage struct {
	Label      string   `json:"label"`
	Fired      int      `json:"fired"`
	NeverFalse []string `json:"never_false,omitempty"` // labels of guards
}

// InvariantCoverage says in how many of the states seen an invariant of the form
// P ⇒ Q was exercised: P held. Others are exercised everywhere.
type InvariantCoverage struct {
	Label     string `json:"label"`
	Exercised int    `json:"exercised"`
}

// ValueRange is the values of a variable in the states seen: the least and the
// greatest for integers, and how many there are, up to a limit.
type ValueRange struct {
	Name     string `json:"name"`
	Distinct int    `json:"distinct"`
	More     bool   `json:"more,omitempty"`  // there are more than Distinct values
	Least    string `json:"least,omitempty"` // of integers, and likewise
	Greatest string `json:"greatest,omitempty"`
}

// manyValues is how many values of a variable are told apart.
const manyValues = 10_000

// condition is a predicate counted over states. Those of events are of interest as
// long as they hold everywhere.
type condition struct {
	event, invariant int // -1 if not of one
	label            string
	holds            pred
	count            int
}

// needless compiles whether guard i of e holds for all values of the parameters
// that satisfy the other guards.
func (c *compiler) needless(e *model.Event, i int) (p pred, err error) {
	var ids, conds []logic.Term
	var names []string
	var types []logic.Type
	for _, x := range e.Parameters {
		ids, names, types = append(ids, x.Term), append(names, x.Name), append(types, c.b.Type(x.Term))
	}
	in := func(t logic.Term) logic.Term { return c.b.Abstract(c.b.Subst(t, c.defs), ids) }
	for k, g := range e.Guards {
		if k != i && !g.Theorem {
			conds = append(conds, c.conjuncts(in(g.Term))...)
		}
	}
	err = c.attempt(func() {
		var holds pred
		search := c.binder(types, names, conds, func() { holds = c.pred(in(e.Guards[i].Term)) })
		p = func(f *frame) bool {
			ok, why := f.visit(search, cont(holds))
			return ok && why == ""
		}
	})
	return p, err
}

// coverage goes over all states seen.
func (s *search) coverage(ctx context.Context) *Coverage {
	p := s.p
	cov := &Coverage{Events: []EventCoverage{}, Invariants: []InvariantCoverage{}, Values: []ValueRange{}}
	var conds []*condition
	add := func(t logic.Term, x condition) {
		k, err := p.c.check("", t)
		if err == nil {
			x.holds = k.holds
			conds = append(conds, &x)
		}
	}
	for i, e := range p.events {
		cov.Events = append(cov.Events, EventCoverage{Label: e.model.Label, Fired: s.result.Fired[e.model.Label]})
		for k, g := range e.model.Guards {
			if !mentions(p.c.b, g.Term, e.model.Parameters) {
				add(g.Term, condition{i, -1, g.Label, nil, 0})
			} else if holds, err := p.c.needless(e.model, k); err == nil {
				conds = append(conds, &condition{i, -1, g.Label, holds, 0})
			}
		}
	}
	for i, k := range p.invs {
		cov.Invariants = append(cov.Invariants, InvariantCoverage{k.label, s.st.len()})
		if p.c.b.Op(k.term) == logic.Implies {
			cov.Invariants[i].Exercised = 0
			add(p.c.b.Arg(k.term, 0), condition{-1, i, k.label, nil, 0})
		}
	}
	p.nslots, p.nleaves = p.c.nslots, p.c.nleaves
	f := p.frame(ctx)
	values := make([]map[Value]bool, len(p.vars))
	least, greatest := make([]Value, len(p.vars)), make([]Value, len(p.vars))
	for i := range values {
		values[i] = map[Value]bool{}
	}
	seen := 0
	s.st.each(func(state []byte) {
		f.tick()
		p.unpack(f, state)
		for i := range p.vars {
			v := f.slots[i]
			if len(values[i]) <= manyValues {
				values[i][v] = true
			}
			if p.vars[i].shape.kind == intShape {
				if seen == 0 || p.u.cmpInt(v, least[i]) < 0 {
					least[i] = v
				}
				if seen == 0 || p.u.cmpInt(v, greatest[i]) > 0 {
					greatest[i] = v
				}
			}
		}
		for _, k := range conds {
			if k.event >= 0 && k.count < seen {
				continue
			}
			if ok, why := f.try(k.holds); ok || why != "" {
				k.count++
			}
		}
		seen++
	})
	for i, v := range p.vars {
		r := ValueRange{Name: v.name, Distinct: min(len(values[i]), manyValues), More: len(values[i]) > manyValues}
		if v.shape.kind == intShape && seen > 0 {
			r.Least, r.Greatest = p.u.String(v.shape, least[i]), p.u.String(v.shape, greatest[i])
		}
		cov.Values = append(cov.Values, r)
	}
	for _, k := range conds {
		switch {
		case k.invariant >= 0:
			cov.Invariants[k.invariant].Exercised = k.count
		case k.count == s.st.len():
			e := &cov.Events[k.event]
			e.NeverFalse = append(e.NeverFalse, k.label)
		}
	}
	return cov
}

// mentions reports whether one of ids occurs in t.
func mentions(b *logic.Bank, t logic.Term, ids []model.Ident) bool {
	return slices.ContainsFunc(ids, func(x model.Ident) bool { return b.Occurs(x.Term, t) })
}

// each visits all states, in the order of the store.
func (s *store) each(visit func(state []byte)) {
	for i := range s.shards {
		sh := &s.shards[i]
		for k := range sh.n {
			visit(sh.at(k))
		}
	}
}

// Graph is the states and transitions of a small machine.
type Graph struct {
	States  [][]Binding // the first Initial of them are initial
	Initial int
	Edges   []Edge
}

// Edge is a transition between states, by number.
type Edge struct {
	From, To int
	Label    string // event and parameters
}

// graph fires all events again in the states seen, if they are at most limit.
func (s *search) graph(ctx context.Context, limit int) *Graph {
	if s.st.len() > limit {
		return nil
	}
	p := s.p
	g := &Graph{}
	var states [][]byte
	number := map[string]int{}
	node := func(state []byte) int {
		n, ok := number[string(state)]
		if !ok {
			n = len(states)
			number[string(state)] = n
			states = append(states, state)
			g.States = append(g.States, p.values(state))
		}
		return n
	}
	f := p.frame(ctx)
	var first [][]byte
	if _, why := f.visit(p.init.fire, func(f *frame) bool {
		first = append(first, p.pack(nil, f))
		return true
	}); why == "" {
		for _, state := range first {
			node(state)
		}
	}
	g.Initial = len(states)
	for from := 0; from < len(states) && len(states) <= limit; from++ {
		for _, e := range p.events {
			p.unpack(f, states[from])
			var after [][]byte
			var labels []string
			_, why := f.visit(e.fire, func(f *frame) bool {
				label := e.model.Label
				for i, x := range e.params {
					sep := ", "
					if i == 0 {
						sep = "("
					}
					label += sep + p.u.String(x.shape, f.slots[x.slot])
				}
				if len(e.params) > 0 {
					label += ")"
				}
				after, labels = append(after, p.pack(nil, f)), append(labels, label)
				return true
			})
			for i, label := range labels {
				if why == "" {
					g.Edges = append(g.Edges, Edge{from, node(after[i]), label})
				}
			}
		}
	}
	if len(states) > limit {
		return nil // a reduction saw fewer
	}
	return g
}
