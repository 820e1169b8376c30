package po

import (
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/wd"
	"github.com/gradine/gradine/refine"
)

func newEvent(g *machine, p *refine.Pair) *event {
	x := &event{
		machine: g, pair: p, e: p.Concrete, first: p.First(), hyps: g.generator.hyps, guards: model.Terms(p.Concrete.Guards),
		delta: subst{}, gluing: subst{}, params: subst{}, simul: subst{}, effect: subst{},
	}
	if x.e.IsInit() {
		x.hyps = x.hyps[:g.axioms]
	}
	x.concreteActions()
	if x.first != nil {
		x.abstractActions()
	}
	x.witnesses()
	return x
}

func (x *event) concreteActions() {
	for _, action := range x.e.Actions {
		for _, variable := range action.Left {
			x.delta[variable] = x.primed[variable]
			x.gluing[variable] = x.primed[variable]
		}
		if action.Kind != model.BecomesEqual {
			x.choices = append(x.choices, choice{action, x.beforeAfter(action, all)})
			continue
		}
		for i, variable := range action.Left {
			x.effect[x.primed[variable]] = action.Right[i]
		}
	}
}

// unchanged adds to effect that the variables whose after-values ps mention stay
// as they are, if the event does not assign them.
func (x *event) unchanged(ps ...logic.Term) {
	for _, p := range ps {
		for after := range x.free(p) {
			if v := x.unprimed[after]; v != 0 && x.kept(v) && x.delta[v] == 0 {
				x.effect[after] = v
			}
		}
	}
}

// abstractActions lets deterministic abstract actions give the values of
// vanished variables.
func (x *event) abstractActions() {
	for _, action := range x.first.Actions {
		x.unchanged(x.beforeAfter(action, all))
		if action.Kind != model.BecomesEqual {
			continue
		}
		for i, variable := range action.Left {
			if !x.kept(variable) {
				x.gluing[variable] = action.Right[i]
			}
		}
	}
}

// kept reports whether v is a variable of the concrete machine.
func (x *event) kept(v logic.Term) bool { return x.byTerm[v] != nil && x.byTerm[v].Concrete }

func (x *event) witnesses() {
	for _, w := range x.pair.Witnesses {
		x.unchanged(w.Term)
		switch {
		case !w.Deterministic():
			x.vague = append(x.vague, w)
		case w.Primed:
			x.simul[w.Ident] = w.Value
		default:
			x.params[w.Ident] = w.Value
			x.simul[w.Ident] = w.Value
		}
		if w.Primed {
			if variable := x.unprimed[w.Ident]; w.Deterministic() {
				x.gluing[variable] = w.Value
			} else {
				x.gluing[variable] = w.Ident
			}
		}
	}
}

// obligations makes all obligations of the event, in Rodin's order.
func (x *event) obligations() {
	x.guardsDefined()
	x.witnessesFeasible()
	x.invariants()
	if x.first != nil {
		x.guardsStrengthened()
	}
	x.actionsFeasible()
	if x.first != nil {
		x.actionsSimulated()
	}
	x.variablesEqual()
	x.variants()
}

// obligation returns an obligation about element under all guards and local
// hypotheses; guards and local hypotheses are selected.
func (x *event) obligation(kind Kind, element, nature string, goal logic.Term, local []logic.Term, sources ...Source) Obligation {
	name := x.e.Label + "/"
	if element != "" {
		name += element + "/"
	}
	first := len(x.hyps)
	return Obligation{
		Name: name + kind.String(), Kind: kind, Nature: nature, Event: x.e, Goal: goal, Sources: sources,
		hyps: hypotheses{component: x.hyps, event: x.guards, local: local, from: first, to: first + len(x.guards) + len(local), also: -1},
	}
}

// guardsDefined makes WD and THM of guards.
func (x *event) guardsDefined() {
	for i, predicate := range x.e.Guards {
		src := Source{Default, "guard", predicate.Label, predicate.Origin}
		if !x.redundant(i, false) {
			o := x.obligation(WD, predicate.Label, "Well-definedness of Guard", wd.Lemma(x.b, predicate.Term), nil, src)
			if predicate.Theorem {
				o.Nature = "Well-definedness of Theorem"
			}
			o.before(predicate, i)
			x.emit(o)
		}
		if predicate.Theorem && !x.redundant(i, true) {
			o := x.obligation(THM, predicate.Label, "Theorem", predicate.Term, nil, src)
			o.before(predicate, i)
			x.emit(o)
		}
	}
}

// before makes o an obligation about guard p, under the i guards before it.
func (o *Obligation) before(p *model.Predicate, i int) {
	o.Predicate = p
	o.hyps.event = o.hyps.event[:i]
	o.hyps.to = o.hyps.from + i
}

// redundant reports whether WD of guard i, or THM for a theorem, is proved in an
// abstract event already: the guard stands there too, and what stands before it
// there stands before it here.
func (x *event) redundant(i int, theorem bool) bool {
	for _, a := range x.pair.Abstract {
		for _, predicate := range a.Guards {
			if x.same(predicate.Term, x.guards[i]) && (predicate.Theorem || !theorem) {
				return true
			}
			if !x.among(predicate.Term, x.guards[:i]) {
				break
			}
		}
	}
	return false
}

// among reports whether one of ps is p but for the names of bound variables.
func (x *event) among(p logic.Term, ps []logic.Term) bool {
	return slices.ContainsFunc(ps, func(q logic.Term) bool { return x.same(p, q) })
}

// byActions returns the before-after predicates that say something about the
// after-values in ps.
func (x *event) byActions(ps ...logic.Term) []logic.Term {
	var out []logic.Term
	for _, c := range x.choices {
		if x.mentions(c, ps) {
			out = append(out, c.pred)
		}
	}
	return out
}

// byWitnesses returns the non-deterministic witnesses for identifiers in p, then
// what byActions says of p and of them.
func (x *event) byWitnesses(p logic.Term) []logic.Term {
	var out []logic.Term
	for _, w := range x.vague {
		if x.free(p)[w.Ident] {
			out = append(out, x.b.Subst(w.Term, x.effect))
		}
	}
	return append(out, x.byActions(append([]logic.Term{p}, out...)...)...)
}

// invariants makes INV.
func (x *event) invariants() {
	own := x.m.Invariants
	nature := "Invariant  preservation"
	if x.e.IsInit() {
		nature = "Invariant  establishment"
	}
	for _, i := range x.affected() {
		predicate := own[i]
		if predicate.Theorem || x.trivial(predicate.Term) {
			continue
		}
		src := []Source{eventSource(Default, x.e)}
		var goal logic.Term
		var local []logic.Term
		if x.first == nil {
			goal = x.b.Subst(x.b.Subst(predicate.Term, x.delta), x.effect)
			local = x.byActions(goal)
		} else {
			src = []Source{eventSource(Abstract, x.first), eventSource(Concrete, x.e)}
			goal = x.b.Subst(x.b.Subst(x.b.Subst(predicate.Term, x.gluing), x.params), x.effect)
			local = x.byWitnesses(goal)
		}
		o := x.obligation(INV, predicate.Label, nature, goal, local, append(src, Source{Default, "invariant", predicate.Label, predicate.Origin})...)
		o.Predicate = predicate
		if !x.e.IsInit() {
			o.hyps.also = x.inherited + i
		}
		x.emit(o)
	}
}

// affected returns the indices of the own invariants that the event may break:
// all for the initialisation; else those with a variable that it, or the event
// that it refines, assigns.
func (x *event) affected() []int {
	var out []int
	if x.e.IsInit() {
		for i := range x.m.Invariants {
			out = append(out, i)
		}
		return out
	}
	actions := x.e.Actions
	if x.first != nil {
		actions = slices.Concat(actions, x.first.Actions)
	}
	for _, action := range actions {
		for _, variable := range action.Left {
			out = append(out, x.mentioning[variable]...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// witnessesFeasible makes WWD and WFIS.
func (x *event) witnessesFeasible() {
	for _, w := range x.pair.Witnesses {
		src := Source{Default, "witness", w.Label, w.Origin}
		goal := x.b.Subst(wd.Lemma(x.b, w.Term), x.effect)
		x.emit(x.obligation(WWD, w.Label, "Well-definedness of witness", goal, x.byActions(goal), src))
		if w.Deterministic() || x.trivial(w.Term) {
			continue
		}
		goal = w.Term
		if x.free(goal)[w.Ident] {
			goal = x.bind(logic.Exists, []logic.Term{w.Ident}, goal)
		}
		goal = x.b.Subst(goal, x.effect)
		x.emit(x.obligation(WFIS, w.Label, "Feasibility of witness", goal, x.byActions(goal), src))
	}
}

// actionsFeasible makes WD and FIS of actions. Only the guards are selected.
func (x *event) actionsFeasible() {
	local := x.abstractChoices()
	emit := func(o Obligation) {
		o.hyps.to -= len(local)
		x.emit(o)
	}
	for _, action := range x.e.Actions {
		copied := x.first != nil && x.hasAction(x.first.Actions, action)
		src := Source{Default, "action", action.Label, action.Origin}
		if !copied {
			emit(x.obligation(WD, action.Label, "Well-definedness of action", x.wellDefined(action), local, src))
		}
		if !copied || len(local) == 0 {
			emit(x.obligation(FIS, action.Label, "Feasibility of action", x.feasible(action), local, src))
		}
	}
}

// abstractChoices returns what the non-deterministic abstract actions say of
// their after-values, with the witnesses of abstract parameters: these exist, as
// the abstract event is feasible. If a witness of a parameter depends on
// after-values, nothing is known.
func (x *event) abstractChoices() []logic.Term {
	if x.first == nil {
		return nil
	}
	var out []logic.Term
	for _, w := range x.pair.Witnesses {
		if w.Primed {
			continue
		}
		for variable := range x.free(w.Term) {
			if x.unprimed[variable] != 0 {
				return nil
			}
		}
		if !w.Deterministic() {
			out = append(out, w.Term)
		}
	}
	for _, action := range x.first.Actions {
		if action.Kind != model.BecomesEqual {
			out = append(out, x.b.Subst(x.beforeAfter(action, all), x.params))
		}
	}
	return out
}
