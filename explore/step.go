package explore

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/unwind"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// After is one state that an event leads to.
type After struct {
	Values     map[string]any  // of the variables, as in ITF
	Invariants map[string]bool // by label: whether those that can be evaluated hold and have a value
}

// Fire fires event e of m in any state, whether it can be reached or not. Values
// are given as in ITF; a variable without one has the first value of its type, and
// a parameter without one takes all values. With refinement, abstract steps go
// along, as in a search; params are those of abstract events, too. It is an error if a value is none of its type, or if the
// event cannot be compiled; why is the reason if a guard or an action has no
// value.
func Fire(ctx context.Context, m *model.Machine, in *Instance, e *model.Event, before, params map[string]any, refinement bool) (states []After, why string, err error) {
	defer contain(m.Name, &err)
	at := *in.set
	at.Values = maps.Clone(in.set.Values)
	given := func(x model.Ident) (*model.Predicate, error) {
		typ := in.set.Bank.Type(x.Term)
		v, err := in.set.Space.Read(in.set.Space.Shape(typ), params[x.Name])
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", x.Name, err)
		}
		at.Values[x.Name+"!"] = v
		return &model.Predicate{Term: in.set.Bank.App(logic.Eq, x.Term, in.set.Bank.Free(x.Name+"!", typ))}, nil
	}
	fixed := *e
	fixed.Guards, fixed.Witnesses = nil, slices.Clone(e.Witnesses)
	own := map[string]bool{}
	for _, x := range e.Parameters {
		own[x.Name] = true
		if _, ok := params[x.Name]; ok {
			g, err := given(x)
			if err != nil {
				return nil, "", err
			}
			fixed.Guards = append(fixed.Guards, g)
		}
	}
	fixed.Guards = append(fixed.Guards, e.Guards...)
	for _, a := range e.Refines {
		for _, x := range a.Parameters {
			if _, ok := params[x.Name]; ok && !own[x.Name] {
				g, err := given(x)
				if err != nil {
					return nil, "", err
				}
				fixed.Witnesses = append(fixed.Witnesses, &model.Witness{Label: x.Name, Ident: x.Term, Term: g.Term})
			}
		}
	}
	one := *m
	one.Events = []*model.Event{&fixed}
	if !e.IsInit() {
		one.Events = append(one.Events, &model.Event{Label: model.InitLabel})
	}
	p, err := program.Compile(&at, &one, refinement)
	if err != nil {
		return nil, "", err
	}
	f := p.Frame(ctx)
	for i, v := range p.Variables {
		f.Slots[i] = v.Shape.First(p.Space)
		if data, ok := before[v.Name]; ok {
			if f.Slots[i], err = p.Space.Read(v.Shape, data); err != nil {
				return nil, "", fmt.Errorf("variable %s: %w", v.Name, err)
			}
		}
	}
	run := p.Init
	if !e.IsInit() {
		run = p.Events[0]
	}
	limit := unwind.Bounded(func() {
		_, why = f.Visit(run.Fire, func(f *formula.Frame) bool {
			states = append(states, afterOf(p, f))
			return true
		})
	})
	if limit != "" {
		return nil, "", fmt.Errorf("%s ended the search for after-states", limit)
	}
	return states, why, nil
}

// after reads the after-values of f.
func afterOf(p *program.Program, f *formula.Frame) After {
	out := After{Values: map[string]any{}, Invariants: map[string]bool{}}
	g := p.Frame(f.Context)
	p.Unpack(g, p.Pack(nil, f))
	for i, v := range p.Variables {
		out.Values[v.Name] = p.Space.Record(v.Shape, g.Slots[i])
	}
	for _, k := range p.Invariants {
		out.Invariants[k.Label], _ = g.Try(k.Holds)
	}
	return out
}
