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
	Values  map[string]any // of the variables, as in ITF
	Falsify []string       // labels of the invariants that are false there, or have no value
}

// Fire fires event e of m in any state, whether it can be reached or not. Values
// are given as in ITF; a variable without one has the first value of its type, and
// a parameter without one takes all values. With refinement, abstract steps go
// along, as in a search. It is an error if a value is none of its type, or if the
// event cannot be compiled; why is the reason if a guard or an action has no
// value.
func Fire(ctx context.Context, m *model.Machine, in *Instance, e *model.Event, before, params map[string]any, refinement bool) (states []After, why string, err error) {
	at := *in
	at.values = maps.Clone(in.values)
	fixed := *e
	fixed.Guards = slices.Clone(e.Guards)
	for _, x := range e.Parameters {
		data, ok := params[x.Name]
		if !ok {
			continue
		}
		typ := in.bank.Type(x.Term)
		given := x.Name + "!"
		if at.values[given], err = in.space.fromITF(in.space.shape(typ), data); err != nil {
			return nil, "", fmt.Errorf("parameter %s: %w", x.Name, err)
		}
		equation := in.bank.App(logic.Eq, x.Term, in.bank.Free(given, typ))
		fixed.Guards = slices.Insert(fixed.Guards, 0, &model.Predicate{Term: equation})
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
	var o out
	o.protect(func() {
		run.fire(f, func(f *frame) bool {
			states = append(states, p.after(f))
			return true
		})
	})
	if o.limit != "" {
		return nil, "", fmt.Errorf("%s ended the search for after-states", o.limit)
	}
	return states, f.undef, nil
}

// after reads the after-values of f.
func (p *program) after(f *frame) After {
	out := After{Values: map[string]any{}}
	g := p.frame(f.ctx)
	p.unpack(g, p.pack(nil, f))
	for i, v := range p.vars {
		out.Values[v.name] = p.u.itf(v.shape, g.slots[i])
	}
	for _, k := range p.invs {
		g.undef = ""
		if !k.holds(g) || g.undef != "" {
			out.Falsify = append(out.Falsify, k.label)
		}
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
