package explore

import (
	"context"
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
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
	holds            formula.Pred
	count            int
}

// needless compiles whether guard i of e holds for all values of the parameters
// that satisfy the other guards.
func needless(p *program.Program, e *model.Event, i int) (spare formula.Pred, err error) {
	c := p.Compiler
	var ids, conds []logic.Term
	var names []string
	var types []logic.Type
	for _, x := range e.Parameters {
		ids, names, types = append(ids, x.Term), append(names, x.Name), append(types, c.Bank.Type(x.Term))
	}
	in := func(t logic.Term) logic.Term { return c.Bank.Abstract(c.Bank.Subst(t, c.Defs), ids) }
	for k, g := range e.Guards {
		if k != i && !g.Theorem {
			conds = append(conds, c.Conjuncts(in(g.Term))...)
		}
	}
	err = c.Attempt(func() {
		var holds formula.Pred
		search := c.Binder(types, names, conds, func() { holds = c.Pred(in(e.Guards[i].Term)) })
		spare = func(f *formula.Frame) bool {
			ok, why := f.Visit(search, formula.Then(holds))
			return ok && why == ""
		}
	})
	return spare, err
}

// coverage goes over all states seen.
func (s *search) coverage(ctx context.Context) *Coverage {
	p := s.p
	cov := &Coverage{Events: []EventCoverage{}, Invariants: []InvariantCoverage{}, Values: []ValueRange{}}
	var conds []*condition
	add := func(t logic.Term, x condition) {
		k, err := program.PropertyOf(p.Compiler, "", t)
		if err == nil {
			x.holds = k.Holds
			conds = append(conds, &x)
		}
	}
	for i, e := range p.Events {
		cov.Events = append(cov.Events, EventCoverage{Label: e.Model.Label, Fired: s.result.Fired[e.Model.Label]})
		for k, g := range e.Model.Guards {
			if !mentions(p.Compiler.Bank, g.Term, e.Model.Parameters) {
				add(g.Term, condition{i, -1, g.Label, nil, 0})
			} else if holds, err := needless(p, e.Model, k); err == nil {
				conds = append(conds, &condition{i, -1, g.Label, holds, 0})
			}
		}
	}
	for i, k := range p.Invariants {
		cov.Invariants = append(cov.Invariants, InvariantCoverage{k.Label, s.st.len()})
		if p.Compiler.Bank.Op(k.Term) == logic.Implies {
			cov.Invariants[i].Exercised = 0
			add(p.Compiler.Bank.Arg(k.Term, 0), condition{-1, i, k.Label, nil, 0})
		}
	}
	// One pass over the store answers all; a guard that was false once is not
	// evaluated again.
	f := p.Frame(ctx)
	values := make([]map[value.Value]bool, len(p.Variables))
	least, greatest := make([]value.Value, len(p.Variables)), make([]value.Value, len(p.Variables))
	for i := range values {
		values[i] = map[value.Value]bool{}
	}
	seen := 0
	s.st.each(func(state []byte) {
		f.Tick()
		p.Unpack(f, state)
		for i := range p.Variables {
			v := f.Slots[i]
			if len(values[i]) <= manyValues {
				values[i][v] = true
			}
			if p.Variables[i].Shape.Kind == value.IntShape {
				if seen == 0 || p.Space.CmpInt(v, least[i]) < 0 {
					least[i] = v
				}
				if seen == 0 || p.Space.CmpInt(v, greatest[i]) > 0 {
					greatest[i] = v
				}
			}
		}
		for _, k := range conds {
			if k.event >= 0 && k.count < seen {
				continue
			}
			if ok, why := f.Try(k.holds); ok || why != "" {
				k.count++
			}
		}
		seen++
	})
	for i, v := range p.Variables {
		r := ValueRange{Name: v.Name, Distinct: min(len(values[i]), manyValues), More: len(values[i]) > manyValues}
		if v.Shape.Kind == value.IntShape && seen > 0 {
			r.Least, r.Greatest = p.Space.String(v.Shape, least[i]), p.Space.String(v.Shape, greatest[i])
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
			g.States = append(g.States, valuesOf(p, state))
		}
		return n
	}
	f := p.Frame(ctx)
	var first [][]byte
	if _, why := f.Visit(p.Init.Fire, func(f *formula.Frame) bool {
		first = append(first, p.Pack(nil, f))
		return true
	}); why == "" {
		for _, state := range first {
			node(state)
		}
	}
	g.Initial = len(states)
	for from := 0; from < len(states) && len(states) <= limit; from++ {
		for _, e := range p.Events {
			p.Unpack(f, states[from])
			var after [][]byte
			var labels []string
			_, why := f.Visit(e.Fire, func(f *formula.Frame) bool {
				label := e.Model.Label
				for i, x := range e.Params {
					sep := ", "
					if i == 0 {
						sep = "("
					}
					label += sep + p.Space.String(x.Shape, f.Slots[x.Slot])
				}
				if len(e.Params) > 0 {
					label += ")"
				}
				after, labels = append(after, p.Pack(nil, f)), append(labels, label)
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
