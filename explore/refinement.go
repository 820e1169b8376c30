package explore

import (
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// When refinement is checked, the variables of the abstract machine that have
// vanished are kept beside those of the machine itself, and every concrete step
// is accompanied by the abstract steps that match it: their parameters and
// after-values satisfy the witnesses, the abstract guards and the abstract
// actions. Gluing invariants can then be evaluated like all others. A concrete
// step without a match is a finding.

// abstractOf returns the events that the steps of e are matched with.
func (p *program) abstractOf(e *model.Event) []*model.Event {
	switch {
	case !p.refines:
		return nil
	case e.IsInit():
		return slices.DeleteFunc(slices.Clone(p.m.Refines.Events), func(a *model.Event) bool { return !a.IsInit() })
	}
	return e.Refines
}

// matching is the steps behind the actions of e that find the abstract steps.
func (c *compiler) matching(p *program, e *model.Event, in func(logic.Term) logic.Term) []step {
	abstract := p.abstractOf(e)
	var ways []searcher
	if len(abstract) == 0 {
		ways = append(ways, c.match(p, e, &model.Event{}, in))
	}
	for _, a := range abstract {
		ways = append(ways, c.match(p, e, a, in))
	}
	return []step{func(next cont) cont {
		return func(f *frame) bool {
			matched := false
			for _, way := range ways {
				if !way(f, func(f *frame) bool {
					matched = true
					return next(f)
				}) {
					return false
				}
			}
			f.unmatched = f.unmatched || !matched
			return true
		}
	}}
}

// match compiles the search for a step of a that matches the step of e whose
// after-values are in the frame.
func (c *compiler) match(p *program, e, a *model.Event, in func(logic.Term) logic.Term) searcher {
	own := map[string]bool{}
	for _, x := range e.Parameters {
		own[x.Name] = true
	}
	var ids, conds []logic.Term
	var types []logic.Type
	var names []string
	declare := func(id logic.Term) {
		ids, types, names = append(ids, id), append(types, c.b.Type(id)), append(names, c.b.Name(id))
	}
	for _, x := range a.Parameters {
		if !own[x.Name] {
			declare(x.Term)
		}
	}
	var ghosts []int // slots of the after-values that are found here
	for _, v := range p.vars {
		if v.ghost {
			declare(c.prime(v.term))
			ghosts = append(ghosts, v.primed)
		}
	}
	for _, act := range c.effects(p, a) {
		if act.deterministic {
			conds = append(conds, act.term)
		}
	}
	for _, w := range e.Witnesses {
		conds = append(conds, c.conjuncts(w.Term)...)
	}
	for _, t := range guardsOf(a) {
		conds = append(conds, c.conjuncts(t)...)
	}
	for _, act := range c.effects(p, a) {
		if !act.deterministic {
			conds = append(conds, c.conjuncts(act.term)...)
		}
	}
	for i, t := range conds {
		conds[i] = c.b.Abstract(in(t), ids)
	}
	base := c.nslots
	c.assume = true
	steps := c.steps(types, names, conds, func() {})
	first := base + len(ids) - len(ghosts)
	return c.dynamic(append(steps, func(next cont) cont {
		return func(f *frame) bool {
			for i, slot := range ghosts {
				f.slots[slot] = f.slots[first+i]
			}
			return next(f)
		}
	}))
}

type effect struct {
	term          logic.Term
	deterministic bool
}

// effects is the before-after predicate of abstract event a, part by part.
func (c *compiler) effects(p *program, a *model.Event) []effect {
	kept := map[string]bool{}
	for _, v := range p.vars {
		kept[v.name] = v.abstract
	}
	var out []effect
	for _, act := range a.Actions {
		for _, l := range act.Left {
			kept[c.b.Name(l)] = false
		}
		switch act.Kind {
		case model.BecomesEqual:
			for i, l := range act.Left {
				out = append(out, effect{c.b.App(logic.Eq, c.prime(l), act.Right[i]), true})
			}
		case model.BecomesIn:
			out = append(out, effect{c.b.App(logic.In, c.prime(act.Left[0]), act.Right[0]), false})
		case model.BecomesSuch:
			out = append(out, effect{act.Right[0], false})
		}
	}
	for _, v := range p.vars {
		if kept[v.name] {
			out = append(out, effect{c.b.App(logic.Eq, c.prime(v.term), v.term), true})
		}
	}
	return out
}

// prime is the after-value of variable v.
func (c *compiler) prime(v logic.Term) logic.Term { return c.b.Free(c.b.Name(v)+"'", c.b.Type(v)) }
