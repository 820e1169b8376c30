package po

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/wd"
	"github.com/gradine/gradine/refine"
)

// leadsTo makes the obligations of a claim.
func (g *machine) leadsTo(claim LeadsTo) error {
	l, err := g.readLeadsTo(claim)
	if err != nil {
		return fmt.Errorf("leads_to %s of machine %s: %w", claim.Name, g.m.Name, err)
	}
	l.values()
	var enabled []logic.Term
	for _, event := range g.m.Events {
		if l.helps(event) {
			enabled = append(enabled, g.enabled(event))
		}
	}
	l.emit("ENB", "Helpful event enabled", nil, l.away, g.or(enabled))
	for _, pair := range refine.Pairs(g.dev.Bank, g.m) {
		if !pair.Concrete.IsInit() {
			l.step(newEvent(g, pair))
		}
	}
	return nil
}

// leadsTo is a claim in the bank of the obligations.
type leadsTo struct {
	*machine
	name         string
	helpful      []*model.Event // nil: all
	from, to, by logic.Term
	any          []logic.Term // what is known of parameters
	away         []logic.Term // besides, From holds and To does not
}

func (g *machine) readLeadsTo(claim LeadsTo) (*leadsTo, error) {
	im := logic.NewImporter(g.b, claim.Bank, false)
	l := &leadsTo{machine: g, name: claim.Name, from: im.Term(claim.From), to: im.Term(claim.To)}
	if claim.By != 0 {
		l.by = im.Term(claim.By)
	}
	if claim.Any != 0 {
		l.any = []logic.Term{im.Term(claim.Any)}
	}
	// What is known of parameters is known for good: a variable in it could make it false on
	// the way, and nothing be claimed of the state that is left.
	for _, term := range g.b.FreeIdents(l.any...) {
		if name := g.b.Name(term); slices.ContainsFunc(g.m.Variables, func(v model.Variable) bool { return v.Name == name }) {
			return nil, fmt.Errorf("%q speaks of variable %s; what is said of variables belongs to \"from\"", "any", name)
		}
	}
	l.away = append(slices.Clone(l.any), l.from, g.b.Not(l.to))
	if err := l.apart(); err != nil {
		return nil, err
	}
	for _, label := range claim.Fair {
		if event := g.m.Event(label); event == nil || event.IsInit() {
			return nil, fmt.Errorf("the machine has no event %s that could be fair", label)
		}
	}
	for _, label := range claim.Helpful {
		if !slices.Contains(claim.Fair, label) {
			return nil, fmt.Errorf("event %s is helpful, but not fair, so that it need never happen; name it under fair, or leave both out if every event helps", label)
		}
		l.helpful = append(l.helpful, g.m.Event(label))
	}
	if len(claim.Fair) > 0 && len(claim.Helpful) == 0 {
		return nil, fmt.Errorf("some events are fair, but none is helpful; name those that bring %q nearer", "to")
	}
	return l, nil
}

// apart refuses identifiers of the claim that stand for something else in hypotheses: a
// parameter of an event, or a variable of the refined machine alone.
func (l *leadsTo) apart() error {
	terms := l.away
	if l.by != 0 {
		terms = append(slices.Clone(terms), l.by)
	}
	for _, term := range l.b.FreeIdents(terms...) {
		name := l.b.Name(term)
		if slices.ContainsFunc(l.m.Variables, func(v model.Variable) bool { return v.Name == name && !v.Concrete }) {
			return fmt.Errorf("%s is a variable of the refined machine alone; choose another name", name)
		}
		for _, event := range l.m.Events {
			if slices.ContainsFunc(event.Parameters, func(ident model.Ident) bool { return ident.Name == name }) {
				return fmt.Errorf("%s is a parameter of event %s, too; choose another name", name, event.Label)
			}
		}
	}
	return nil
}

// helps reports whether an event must bring To nearer.
func (l *leadsTo) helps(event *model.Event) bool {
	return !event.IsInit() && (l.helpful == nil || slices.Contains(l.helpful, event))
}

// emit makes an obligation under all invariants, the guards of an event if there is one,
// and local hypotheses, which are selected with the guards.
func (l *leadsTo) emit(part, nature string, event *event, local []logic.Term, goal logic.Term) {
	var guards []logic.Term
	first := len(l.generator.hyps)
	o := Obligation{Name: l.name + "/" + part + "/LTO", Kind: LTO, Nature: nature, Goal: goal}
	if event != nil {
		guards = event.guards
		o.Event, o.Sources = event.e, []Source{eventSource(Default, event.e)}
	}
	o.hyps = hypotheses{component: l.generator.hyps, event: guards, local: local, from: first, to: first + len(guards) + len(local), also: -1}
	l.machine.emit(o)
}

// values makes the obligations that what is claimed has a meaning: From and To in every
// state, By while it counts.
func (l *leadsTo) values() {
	for _, predicate := range l.any {
		l.emit("any/WD", "Well-definedness of what leads to", nil, nil, wd.Lemma(l.b, predicate))
	}
	l.emit("from/WD", "Well-definedness of what leads to", nil, l.any, wd.Lemma(l.b, l.from))
	l.emit("to/WD", "Well-definedness of what is led to", nil, l.any, wd.Lemma(l.b, l.to))
	if l.by == 0 {
		return
	}
	l.emit("by/WD", "Well-definedness of variant", nil, l.away, wd.Lemma(l.b, l.by))
	switch elem := l.b.Elem(l.b.Type(l.by)); {
	case elem == logic.NoType:
		l.emit("NAT", "Natural number variant", nil, l.away, l.b.App(logic.In, l.by, l.b.App(logic.Natural)))
	case !l.finiteType(elem):
		l.emit("FIN", "Finiteness of variant", nil, l.away, l.b.App(logic.Finite, l.by))
	}
}

// step makes the obligation that an event that happens on the way helps, or does no harm.
func (l *leadsTo) step(x *event) {
	after := func(term logic.Term) logic.Term { return l.b.Subst(l.b.Subst(term, x.delta), x.effect) }
	var local []logic.Term
	for _, choice := range x.choices {
		local = append(local, choice.pred)
	}
	var nearer []logic.Term // ways to be so
	if l.by != 0 {
		nearer = append(nearer, l.b.App(decrease(l.b.Type(l.by) == logic.IntType, true), after(l.by), l.by))
	}
	if !l.helps(x.e) {
		var kept []logic.Term
		if l.by != 0 {
			kept = append(kept, l.b.App(logic.Eq, after(l.by), l.by))
		}
		for _, event := range l.helpful {
			if enabled := l.enabled(event); !l.same(after(enabled), enabled) {
				kept = append(kept, l.b.App(logic.Implies, enabled, after(enabled)))
			}
		}
		nearer = append(nearer, l.b.And(kept...))
	}
	goal := after(l.to)
	if len(nearer) > 0 {
		goal = l.or([]logic.Term{goal, l.b.And(after(l.from), l.or(nearer))})
	}
	// That the way is left untaken belongs to the goal: most events cannot happen on it, and
	// hypotheses that contradict each other would look like a mistake.
	l.emit(x.e.Label, "Step of what leads to", x, local, l.b.App(logic.Implies, l.b.And(l.away...), goal))
}
