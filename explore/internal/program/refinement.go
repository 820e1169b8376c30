package program

import (
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// When refinement is checked, the variables of the abstract machine that have
// that disappeared are kept next to those of the machine itself, and every concrete step
// is accompanied by the abstract steps that match it: their parameters and
// after-values satisfy the witnesses, the abstract guards and the abstract
// actions. Gluing invariants can then be evaluated like all others. A concrete
// step without a match is a finding.

// AbstractOf returns the events that the steps of e are matched with.
func (p *Program) AbstractOf(e *model.Event) []*model.Event {
	switch {
	case !p.Refines:
		return nil
	case e.IsInit():
		return slices.DeleteFunc(slices.Clone(p.Machine.Refines.Events), func(a *model.Event) bool { return !a.IsInit() })
	}
	return e.Refines
}

// matching is the steps behind the actions of e that find the abstract steps.
func (p *Program) matching(e *model.Event, in func(logic.Term) logic.Term) []formula.Step {
	abstract := p.AbstractOf(e)
	var ways []formula.Searcher
	if len(abstract) == 0 {
		ways = append(ways, p.match(e, &model.Event{}, in))
	}
	for _, a := range abstract {
		ways = append(ways, p.match(e, a, in))
	}
	return []formula.Step{func(next formula.Then) formula.Then {
		return func(f *formula.Frame) bool {
			matched := false
			for _, way := range ways {
				if !way(f, func(f *formula.Frame) bool {
					matched = true
					return next(f)
				}) {
					return false
				}
			}
			f.Unmatched = f.Unmatched || !matched
			return true
		}
	}}
}

// match compiles the search for a step of a that matches the step of e whose
// after-values are in the frame.
func (p *Program) match(e, a *model.Event, in func(logic.Term) logic.Term) formula.Searcher {
	compiler := p.Compiler
	own := map[string]bool{}
	for _, ident := range e.Parameters {
		own[ident.Name] = true
	}
	var ids, conds []logic.Term
	var types []logic.Type
	var names []string
	declare := func(id logic.Term) {
		ids, types, names = append(ids, id), append(types, compiler.Bank.Type(id)), append(names, compiler.Bank.Name(id))
	}
	for _, ident := range a.Parameters {
		if !own[ident.Name] {
			declare(ident.Term)
		}
	}
	var ghosts []int // slots of the after-values that are found here
	for _, variable := range p.Variables {
		if variable.ghost {
			declare(p.prime(variable.Term))
			ghosts = append(ghosts, variable.Primed)
		}
	}
	for _, act := range p.effects(a) {
		if act.deterministic {
			conds = append(conds, act.term)
		}
	}
	for _, witness := range e.Witnesses {
		conds = append(conds, compiler.Conjuncts(witness.Term)...)
	}
	for _, term := range guardsOf(a) {
		conds = append(conds, compiler.Conjuncts(term)...)
	}
	for _, act := range p.effects(a) {
		if !act.deterministic {
			conds = append(conds, compiler.Conjuncts(act.term)...)
		}
	}
	for i, term := range conds {
		conds[i] = compiler.Bank.Abstract(in(term), ids)
	}
	base := compiler.NextSlot()
	compiler.Bounding = true
	steps := compiler.Steps(types, names, conds, func() {})
	first := base + len(ids) - len(ghosts)
	return compiler.Searcher(append(steps, func(next formula.Then) formula.Then {
		return func(frame *formula.Frame) bool {
			for i, slot := range ghosts {
				frame.Slots[slot] = frame.Slots[first+i]
			}
			return next(frame)
		}
	}))
}

type effect struct {
	term          logic.Term
	deterministic bool
}

// effects is the before-after predicate of abstract event a, part by part.
func (p *Program) effects(event *model.Event) []effect {
	compiler := p.Compiler
	kept := map[string]bool{}
	// Abstract variables are kept until an action assigns them.
	for _, variable := range p.Variables {
		kept[variable.Name] = variable.abstract
	}
	var out []effect
	for _, act := range event.Actions {
		for _, left := range act.Left {
			kept[compiler.Bank.Name(left)] = false
		}
		switch act.Kind {
		case model.BecomesEqual:
			for i, left := range act.Left {
				out = append(out, effect{compiler.Bank.App(logic.Eq, p.prime(left), act.Right[i]), true})
			}
		case model.BecomesIn:
			out = append(out, effect{compiler.Bank.App(logic.In, p.prime(act.Left[0]), act.Right[0]), false})
		case model.BecomesSuch:
			out = append(out, effect{act.Right[0], false})
		}
	}
	for _, variable := range p.Variables {
		if kept[variable.Name] {
			out = append(out, effect{compiler.Bank.App(logic.Eq, p.prime(variable.Term), variable.Term), true})
		}
	}
	return out
}

// prime is the after-value of variable v.
func (p *Program) prime(v logic.Term) logic.Term {
	return p.Compiler.Bank.Free(p.Compiler.Bank.Name(v)+"'", p.Compiler.Bank.Type(v))
}
