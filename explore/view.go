package explore

import (
	"context"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// view is a part of a machine that has the same runs, as far as a goal can tell.
// It leaves out events without actions, and
//
//   - variables on which neither the goal nor what can happen depends, directly
//     or through what is assigned to others. The states that agree on the rest
//     have the same transitions, to states that agree again.
//   - values of functions that are not looked at any more. If f occurs only where
//     it is applied, or overridden by what is assigned to it, then with
//     part of its values missing all formulas have the values that they have with
//     the whole of f, as long as none of the missing is looked at, which would
//     have no value. So the search itself notices if too much is missing.
//
// Where everything in the machine has a value, as is so if it is verified, a
// search of the view that meets nothing without value has seen all runs of the machine.
type view struct {
	keep   map[logic.Term]bool // variables
	forget []forgotten
}

// forgotten says that the values of function at the elements of a set, which is
// another variable, are not kept.
type forgotten struct{ function, at logic.Term }

// newView returns the view for a goal, without forgetting values.
func newView(b *logic.Bank, m *model.Machine, g Goal) *view {
	v := &view{keep: map[logic.Term]bool{}}
	add := func(ts ...logic.Term) {
		for _, id := range b.FreeIdents(ts...) {
			v.keep[id] = true
		}
	}
	add(g.Final, b.Free(g.Objective, logic.IntType))
	for _, e := range m.Events {
		add(guardsOf(e)...)
		for _, a := range e.Actions {
			if a.Kind != model.BecomesEqual { // it might have no solution
				add(a.Left...)
				add(a.Right...)
			}
		}
	}
	for n := -1; n != len(v.keep); {
		n = len(v.keep)
		v.assignments(m, func(_, value logic.Term) { add(value) })
	}
	return v
}

func guardsOf(e *model.Event) []logic.Term {
	var out []logic.Term
	for _, g := range e.Guards {
		if !g.Theorem {
			out = append(out, g.Term)
		}
	}
	return out
}

// assignments visits the deterministic assignments to variables that are kept.
func (v *view) assignments(m *model.Machine, visit func(variable, value logic.Term)) {
	for _, e := range m.Events {
		for _, a := range e.Actions {
			for i, x := range a.Left {
				if a.Kind == model.BecomesEqual && v.keep[x] {
					visit(x, a.Right[i])
				}
			}
		}
	}
}

// forgettable returns what might be forgotten.
func (v *view) forgettable(b *logic.Bank, m *model.Machine, final logic.Term) []forgotten {
	var out []forgotten
	for _, f := range m.Variables {
		from, to := b.RelPair(b.Type(f.Term))
		if !f.Concrete || to == logic.NoType || !v.onlyApplied(b, m, f.Term, final) {
			continue
		}
		for _, s := range m.Variables {
			if s.Concrete && v.keep[s.Term] && s.Term != f.Term && b.Type(s.Term) == b.PowType(from) {
				out = append(out, forgotten{f.Term, s.Term})
			}
		}
	}
	return out
}

// onlyApplied reports whether f is kept, and occurs only where it is applied, or
// overridden in an assignment to itself.
func (v *view) onlyApplied(b *logic.Bank, m *model.Machine, f, final logic.Term) bool {
	var only func(t logic.Term) bool
	only = func(t logic.Term) bool {
		args := b.Args(t)
		if b.Op(t) == logic.Apply && args[0] == f {
			args = args[1:]
		}
		return t != f && !slices.ContainsFunc(args, func(a logic.Term) bool { return !only(a) })
	}
	ok := v.keep[f] && only(final)
	for _, e := range m.Events {
		for _, g := range guardsOf(e) {
			ok = ok && only(g)
		}
		for _, a := range e.Actions {
			if a.Kind != model.BecomesEqual {
				ok = ok && !slices.Contains(a.Left, f) && only(a.Right[0])
			}
		}
	}
	v.assignments(m, func(x, value logic.Term) {
		parts := []logic.Term{value}
		if x == f && b.Op(value) == logic.Ovr && b.Arg(value, 0) == f {
			parts = b.Args(value)[1:]
		}
		ok = ok && !slices.ContainsFunc(parts, func(t logic.Term) bool { return !only(t) })
	})
	return ok
}

func (v *view) keeps(x logic.Term) bool { return v == nil || v.keep[x] }

func (v *view) leavesOut(e *model.Event) bool {
	return v != nil && len(e.Actions) == 0 && !e.IsInit()
}

// forgetting compiles that the after-values of functions lose what is forgotten.
func (c *compiler) forgetting(p *program) []step {
	if p.view == nil {
		return nil
	}
	var out []step
	for _, x := range p.view.forget {
		f, s := p.variable(x.function), p.variable(x.at)
		names := []string{f.name + "'", s.name + "'"}
		c.slots[names[0]], c.slots[names[1]] = f.primed, s.primed
		rest := c.expr(c.b.App(logic.DomSub, c.b.Free(names[1], c.b.Type(s.term)), c.b.Free(names[0], c.b.Type(f.term))))
		delete(c.slots, names[0])
		delete(c.slots, names[1])
		out = append(out, func(next cont) cont {
			return func(fr *frame) bool {
				fr.slots[f.primed] = rest(fr)
				return next(fr)
			}
		})
	}
	return out
}

func (p *program) variable(t logic.Term) *variable {
	for i := range p.vars {
		if p.vars[i].term == t {
			return &p.vars[i]
		}
	}
	panic("explore: a view forgets values of a variable that it does not keep")
}

// whole returns the run of the machine that a run of a view of it shows.
func (t *Trace) whole(ctx context.Context) (*Trace, error) {
	part := t.program
	p, err := compile(part.in, part.m, false)
	if err != nil {
		return nil, err
	}
	forgotten := func(v variable) bool {
		return slices.ContainsFunc(part.view.forget, func(x forgotten) bool { return x.function == v.term })
	}
	f := part.frame(ctx)
	out := &Trace{Machine: t.Machine, program: p}
	var before []byte
	for i, s := range t.Steps {
		part.unpack(f, t.states[i])
		event := 0
		for k, e := range p.events {
			if e.model.Label == s.Event {
				event = k + 1
			}
		}
		step, after := p.step(ctx, event, before, func(g *frame) bool {
			for k, x := range p.eventOf(event).params {
				if g.slots[x.slot] != s.args[k].value {
					return false
				}
			}
			for k, v := range part.vars {
				if !forgotten(v) && g.slots[p.variable(v.term).primed] != f.slots[k] {
					return false
				}
			}
			return true
		})
		out.Steps = append(out.Steps, step)
		out.states = append(out.states, after)
		before = after
	}
	return out, nil
}
