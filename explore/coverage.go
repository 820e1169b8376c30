package explore

import (
	"context"
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/picture"
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
func needless(compiled *program.Program, event *model.Event, i int) (spare formula.Pred, err error) {
	compiler := compiled.Compiler
	var ids, conds []logic.Term
	var names []string
	var types []logic.Type
	for _, ident := range event.Parameters {
		ids, names, types = append(ids, ident.Term), append(names, ident.Name), append(types, compiler.Bank.Type(ident.Term))
	}
	in := func(term logic.Term) logic.Term {
		return compiler.Bank.Abstract(compiler.Bank.Subst(term, compiler.Defs), ids)
	}
	// A theorem may follow from guard i itself: with it assumed, the guard would look needless.
	for k, predicate := range event.Guards {
		if k != i && !predicate.Theorem {
			conds = append(conds, compiler.Conjuncts(in(predicate.Term))...)
		}
	}
	err = compiler.Attempt(func() {
		var holds formula.Pred
		search := compiler.Binder(types, names, conds, func() { holds = compiler.Pred(in(event.Guards[i].Term)) })
		spare = func(frame *formula.Frame) bool {
			ok, why := frame.Visit(search, formula.Then(holds))
			return ok && why == ""
		}
	})
	return spare, err
}

// coverage goes over all states seen.
func (s *search) coverage(ctx context.Context) *Coverage {
	compiled := s.p
	cov := &Coverage{Events: []EventCoverage{}, Invariants: []InvariantCoverage{}, Values: []ValueRange{}}
	var conds []*condition
	add := func(term logic.Term, x condition) {
		k, err := program.PropertyOf(compiled.Compiler, "", term)
		if err == nil {
			x.holds = k.Holds
			conds = append(conds, &x)
		}
	}
	for i, event := range compiled.Events {
		cov.Events = append(cov.Events, EventCoverage{Label: event.Model.Label, Fired: s.result.Fired[event.Model.Label]})
		for k, predicate := range event.Model.Guards {
			if !mentions(compiled.Compiler.Bank, predicate.Term, event.Model.Parameters) {
				add(predicate.Term, condition{i, -1, predicate.Label, nil, 0})
			} else if holds, err := needless(compiled, event.Model, k); err == nil {
				conds = append(conds, &condition{i, -1, predicate.Label, holds, 0})
			}
		}
	}
	for i, k := range compiled.Invariants {
		cov.Invariants = append(cov.Invariants, InvariantCoverage{k.Label, s.st.Len()})
		if compiled.Compiler.Bank.Op(k.Term) == logic.Implies {
			cov.Invariants[i].Exercised = 0
			add(compiled.Compiler.Bank.Arg(k.Term, 0), condition{-1, i, k.Label, nil, 0})
		}
	}
	// One pass over the store answers all; a guard that was false once is not
	// evaluated again.
	frame := compiled.Frame(ctx)
	values := make([]map[value.Value]bool, len(compiled.Variables))
	least, greatest := make([]value.Value, len(compiled.Variables)), make([]value.Value, len(compiled.Variables))
	for i := range values {
		values[i] = map[value.Value]bool{}
	}
	seen := 0
	s.st.Each(func(state []byte) {
		frame.Tick()
		compiled.Unpack(frame, state)
		for i := range compiled.Variables {
			v := frame.Slots[i]
			if len(values[i]) <= manyValues {
				values[i][v] = true
			}
			if compiled.Variables[i].Shape.Kind == value.IntShape {
				if seen == 0 || compiled.Space.CmpInt(v, least[i]) < 0 {
					least[i] = v
				}
				if seen == 0 || compiled.Space.CmpInt(v, greatest[i]) > 0 {
					greatest[i] = v
				}
			}
		}
		for _, k := range conds {
			if k.event >= 0 && k.count < seen {
				continue
			}
			if ok, why := frame.Try(k.holds); ok || why != "" {
				k.count++
			}
		}
		seen++
	})
	for i, variable := range compiled.Variables {
		r := ValueRange{Name: variable.Name, Distinct: min(len(values[i]), manyValues), More: len(values[i]) > manyValues}
		if variable.Shape.Kind == value.IntShape && seen > 0 {
			r.Least, r.Greatest = compiled.Space.String(variable.Shape, least[i]), compiled.Space.String(variable.Shape, greatest[i])
		}
		cov.Values = append(cov.Values, r)
	}
	for _, k := range conds {
		switch {
		case k.invariant >= 0:
			cov.Invariants[k.invariant].Exercised = k.count
		case k.count == s.st.Len():
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

// sample prints at most n of the states, at equal distances in the store.
func (s *search) sample(n int) [][]Binding {
	var out [][]Binding
	every, at := max(1, (s.st.Len()+n-1)/n), 0
	s.st.Each(func(state []byte) {
		if at%every == 0 {
			out = append(out, picture.Values(s.p, state))
		}
		at++
	})
	return out
}
