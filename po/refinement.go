package po

import (
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// guardsStrengthened makes GRD, or MRG for a merge.
func (x *event) guardsStrengthened() {
	if x.pair.IsMerge() {
		x.merge()
		return
	}
	for _, predicate := range x.missing(x.first) {
		goal := x.b.Subst(x.b.Subst(predicate.Term, x.params), x.effect)
		o := x.obligation(GRD, predicate.Label, "Guard strengthening (split)", goal, x.byWitnesses(goal),
			eventSource(Abstract, x.first), Source{Abstract, "guard", predicate.Label, predicate.Origin}, eventSource(Concrete, x.e))
		o.Predicate = predicate
		x.emit(o)
	}
}

// missing returns the guards of abstract event a that the concrete event lacks,
// but for theorems and trivial ones.
func (x *event) missing(a *model.Event) []*model.Predicate {
	var out []*model.Predicate
	for _, p := range a.Guards {
		if !p.Theorem && !x.trivial(p.Term) && !x.among(p.Term, x.guards) {
			out = append(out, p)
		}
	}
	return out
}

// merge makes MRG: the guards of some abstract event hold. There is nothing to
// show if one of them has no guard that the concrete event lacks.
func (x *event) merge() {
	var branches []logic.Term
	var sources []Source
	for _, a := range x.pair.Abstract {
		ps := x.missing(a)
		if len(ps) == 0 {
			return
		}
		branches = append(branches, x.b.And(model.Terms(ps)...))
		sources = append(sources, eventSource(Abstract, a))
	}
	goal := x.b.Subst(x.b.Subst(x.b.Or(branches...), x.params), x.effect)
	x.emit(x.obligation(MRG, "", "Guard strengthening (merge)", goal, x.byWitnesses(goal), append(sources, eventSource(Concrete, x.e))...))
}

// actionsSimulated makes SIM: deterministic abstract actions are simulated as to
// variables that are kept, others as a whole. An action that the concrete event
// has too needs none; Rodin makes one all the same if it finds another action in
// its place, counting all actions there and only those to simulate here. These
// hold trivially, and are made so that the names are Rodin's.
func (x *event) actionsSimulated() {
	place := 0
	for _, action := range x.first.Actions {
		pred := x.beforeAfter(action, x.kept)
		if action.Kind == model.BecomesEqual && x.b.Op(pred) == logic.True {
			continue
		}
		inPlace := x.first.Actions[place]
		place++
		if x.trivial(pred) || x.hasAction(x.e.Actions, action) && x.hasAction(x.e.Actions, inPlace) {
			continue
		}
		goal := x.b.Subst(x.b.Subst(pred, x.simul), x.effect)
		x.emit(x.obligation(SIM, action.Label, "Action simulation", goal, x.byWitnesses(goal),
			eventSource(Abstract, x.first), Source{Abstract, "action", action.Label, action.Origin}, eventSource(Concrete, x.e)))
	}
}

// variablesEqual makes EQL: a kept variable that the abstract event leaves alone
// does not change.
func (x *event) variablesEqual() {
	if x.m.Refines == nil {
		return
	}
	var sources []Source
	leftAlone := map[logic.Term]bool{}
	if x.first != nil {
		sources = append(sources, eventSource(Abstract, x.first))
		leftAlone = assigned(x.first.Actions)
	}
	sources = append(sources, eventSource(Concrete, x.e))
	for _, action := range x.e.Actions {
		for i, variable := range action.Left {
			if leftAlone[variable] || !x.byTerm[variable].Abstract {
				continue
			}
			var goal logic.Term
			var local []logic.Term
			if action.Kind == model.BecomesEqual {
				goal = x.b.App(logic.Eq, action.Right[i], variable)
			} else {
				goal = x.b.App(logic.Eq, x.primed[variable], variable)
				local = []logic.Term{x.beforeAfter(action, all)}
			}
			x.emit(x.obligation(EQL, x.b.Name(variable), "Equality of common variables", goal, local, sources...))
		}
	}
}
