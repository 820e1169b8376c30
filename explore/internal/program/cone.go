package program

import (
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Cone is a part of a machine that has the same runs, as far as a goal can tell.
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
type Cone struct {
	keep   map[logic.Term]bool // variables
	Forget []Forgotten
}

// Forgotten says that the values of function at the elements of a set, which is
// another variable, are not kept.
type Forgotten struct{ Function, At logic.Term }

// ConeOf returns the view for runs that end where final holds, without forgetting values.
func ConeOf(b *logic.Bank, m *model.Machine, final logic.Term, objective string) *Cone {
	v := &Cone{keep: map[logic.Term]bool{}}
	add := func(ts ...logic.Term) {
		for _, id := range b.FreeIdents(ts...) {
			v.keep[id] = true
		}
	}
	add(final, b.Free(objective, logic.IntType))
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
		v.assignments(m, func(_, val logic.Term) { add(val) })
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
func (v *Cone) assignments(m *model.Machine, visit func(variable, val logic.Term)) {
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

// Forgettable returns what might be forgotten.
func (v *Cone) Forgettable(b *logic.Bank, m *model.Machine, final logic.Term) []Forgotten {
	var out []Forgotten
	for _, f := range m.Variables {
		from, to := b.RelPair(b.Type(f.Term))
		if !f.Concrete || to == logic.NoType || !v.onlyApplied(b, m, f.Term, final) {
			continue
		}
		for _, s := range m.Variables {
			if s.Concrete && v.keep[s.Term] && s.Term != f.Term && b.Type(s.Term) == b.PowType(from) {
				out = append(out, Forgotten{f.Term, s.Term})
			}
		}
	}
	return out
}

// onlyApplied reports whether f is kept, and occurs only where it is applied, or
// overridden in an assignment to itself.
func (v *Cone) onlyApplied(b *logic.Bank, m *model.Machine, f, final logic.Term) bool {
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
	v.assignments(m, func(x, val logic.Term) {
		parts := []logic.Term{val}
		if x == f && b.Op(val) == logic.Ovr && b.Arg(val, 0) == f {
			parts = b.Args(val)[1:]
		}
		ok = ok && !slices.ContainsFunc(parts, func(t logic.Term) bool { return !only(t) })
	})
	return ok
}

func (v *Cone) Keeps(x logic.Term) bool { return v == nil || v.keep[x] }

func (v *Cone) leavesOut(e *model.Event) bool {
	return v != nil && len(e.Actions) == 0 && !e.IsInit()
}

// forgetting compiles that the after-values of functions lose what is forgotten.
func (p *Program) forgetting() []formula.Step {
	c := p.Compiler
	if p.Cone == nil {
		return nil
	}
	var out []formula.Step
	for _, x := range p.Cone.Forget {
		f, s := p.Variable(x.Function), p.Variable(x.At)
		names := []string{f.Name + "'", s.Name + "'"}
		c.Slots[names[0]], c.Slots[names[1]] = f.Primed, s.Primed
		rest := c.Expr(c.Bank.App(logic.DomSub, c.Bank.Free(names[1], c.Bank.Type(s.Term)), c.Bank.Free(names[0], c.Bank.Type(f.Term))))
		delete(c.Slots, names[0])
		delete(c.Slots, names[1])
		out = append(out, func(next formula.Then) formula.Then {
			return func(fr *formula.Frame) bool {
				fr.Slots[f.Primed] = rest(fr)
				return next(fr)
			}
		})
	}
	return out
}

func (p *Program) Variable(t logic.Term) *Variable {
	for i := range p.Variables {
		if p.Variables[i].Term == t {
			return &p.Variables[i]
		}
	}
	panic("explore: a view forgets values of a variable that it does not keep")
}
