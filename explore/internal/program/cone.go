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

// ConeOf returns the view for runs at whose end goals are read, without forgetting values.
func ConeOf(bank *logic.Bank, machine *model.Machine, goals []logic.Term) *Cone {
	v := &Cone{keep: map[logic.Term]bool{}}
	add := func(ts ...logic.Term) {
		for _, id := range bank.FreeIdents(ts...) {
			v.keep[id] = true
		}
	}
	add(goals...)
	for _, event := range machine.Events {
		add(guardsOf(event)...)
		for _, action := range event.Actions {
			if action.Kind != model.BecomesEqual { // it might have no solution
				add(action.Left...)
				add(action.Right...)
			}
		}
	}
	for n := -1; n != len(v.keep); {
		n = len(v.keep)
		v.assignments(machine, func(_, val logic.Term) { add(val) })
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
func (v *Cone) Forgettable(bank *logic.Bank, machine *model.Machine, goals []logic.Term) []Forgotten {
	var out []Forgotten
	for _, f := range machine.Variables {
		from, to := bank.RelPair(bank.Type(f.Term))
		if !f.Concrete || to == logic.NoType || !v.onlyApplied(bank, machine, f.Term, goals) {
			continue
		}
		for _, s := range machine.Variables {
			if s.Concrete && v.keep[s.Term] && s.Term != f.Term && bank.Type(s.Term) == bank.PowType(from) {
				out = append(out, Forgotten{f.Term, s.Term})
			}
		}
	}
	return out
}

// onlyApplied reports whether f is kept, and occurs only where it is applied, or
// overridden in an assignment to itself.
func (v *Cone) onlyApplied(bank *logic.Bank, machine *model.Machine, f logic.Term, goals []logic.Term) bool {
	var only func(t logic.Term) bool
	only = func(t logic.Term) bool {
		args := bank.Args(t)
		if bank.Op(t) == logic.Apply && args[0] == f {
			args = args[1:]
		}
		return t != f && !slices.ContainsFunc(args, func(a logic.Term) bool { return !only(a) })
	}
	ok := v.keep[f] && !slices.ContainsFunc(goals, func(t logic.Term) bool { return !only(t) })
	for _, event := range machine.Events {
		for _, goal := range guardsOf(event) {
			ok = ok && only(goal)
		}
		for _, action := range event.Actions {
			if action.Kind != model.BecomesEqual {
				ok = ok && !slices.Contains(action.Left, f) && only(action.Right[0])
			}
		}
	}
	v.assignments(machine, func(x, val logic.Term) {
		parts := []logic.Term{val}
		// An override of f by itself says nothing of the other arguments: this is how one entry is
		// assigned.
		if x == f && bank.Op(val) == logic.Ovr && bank.Arg(val, 0) == f {
			parts = bank.Args(val)[1:]
		}
		ok = ok && !slices.ContainsFunc(parts, func(t logic.Term) bool { return !only(t) })
	})
	return ok
}

// Keeps reports whether variable x is in the cone. A nil cone has all variables.
func (v *Cone) Keeps(x logic.Term) bool { return v == nil || v.keep[x] }

func (v *Cone) leavesOut(e *model.Event) bool {
	return v != nil && len(e.Actions) == 0 && !e.IsInit()
}

// forgetting compiles that the after-values of functions lose what is forgotten.
func (p *Program) forgetting() []formula.Step {
	compiler := p.Compiler
	if p.Cone == nil {
		return nil
	}
	var out []formula.Step
	for _, x := range p.Cone.Forget {
		f, s := p.Variable(x.Function), p.Variable(x.At)
		names := []string{f.Name + "'", s.Name + "'"}
		compiler.Slots[names[0]], compiler.Slots[names[1]] = f.Primed, s.Primed
		rest := compiler.Expr(compiler.Bank.App(logic.DomSub, compiler.Bank.Free(names[1], compiler.Bank.Type(s.Term)), compiler.Bank.Free(names[0], compiler.Bank.Type(f.Term))))
		delete(compiler.Slots, names[0])
		delete(compiler.Slots, names[1])
		out = append(out, func(next formula.Then) formula.Then {
			return func(fr *formula.Frame) bool {
				fr.Slots[f.Primed] = rest(fr)
				return next(fr)
			}
		})
	}
	return out
}

// Variable returns the variable that term t is; nil if t is none.
func (p *Program) Variable(t logic.Term) *Variable {
	for i := range p.Variables {
		if p.Variables[i].Term == t {
			return &p.Variables[i]
		}
	}
	panic("explore: a view forgets values of a variable that it does not keep")
}
