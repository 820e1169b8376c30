package explore

import (
	"context"
	"fmt"
	"maps"
	"slices"

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
	at := *in
	at.values = maps.Clone(in.values)
	given := func(x model.Ident) (*model.Predicate, error) {
		typ := in.bank.Type(x.Term)
		v, err := in.space.fromITF(in.space.shape(typ), params[x.Name])
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", x.Name, err)
		}
		at.values[x.Name+"!"] = v
		return &model.Predicate{Term: in.bank.App(logic.Eq, x.Term, in.bank.Free(x.Name+"!", typ))}, nil
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
	p, err := compile(&at, &one, refinement)
	if err != nil {
		return nil, "", err
	}
	f := p.frame(ctx)
	for i, v := range p.vars {
		f.slots[i] = v.shape.first(p.u)
		if data, ok := before[v.name]; ok {
			if f.slots[i], err = p.u.fromITF(v.shape, data); err != nil {
				return nil, "", fmt.Errorf("variable %s: %w", v.name, err)
			}
		}
	}
	run := p.init
	if !e.IsInit() {
		run = p.events[0]
	}
	limit := limited(func() {
		_, why = f.visit(run.fire, func(f *frame) bool {
			states = append(states, p.after(f))
			return true
		})
	})
	if limit != "" {
		return nil, "", fmt.Errorf("%s ended the search for after-states", limit)
	}
	return states, why, nil
}

// after reads the after-values of f.
func (p *program) after(f *frame) After {
	out := After{Values: map[string]any{}, Invariants: map[string]bool{}}
	g := p.frame(f.ctx)
	p.unpack(g, p.pack(nil, f))
	for i, v := range p.vars {
		out.Values[v.name] = p.u.itf(v.shape, g.slots[i])
	}
	for _, k := range p.invs {
		out.Invariants[k.label], _ = g.try(k.holds)
	}
	return out
}

// first is a value of s.
func (s *shape) first(u *space) Value {
	switch {
	case s.elem != nil:
		return u.empty(s)
	case s.l != nil:
		return u.pair(s, s.l.first(u), s.r.first(u))
	}
	return 0
}
