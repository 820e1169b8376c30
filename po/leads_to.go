package po

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/wd"
	"github.com/gradine/gradine/refine"
)

// leadsTo makes the obligations of a claim, behind others.
func (g *machine) leadsTo(claim LeadsTo, before []LeadsTo) error {
	l, err := g.readLeadsTo(claim)
	if err == nil {
		err = l.readThrough(claim, before)
	}
	if err != nil {
		return fmt.Errorf("leads_to %s of machine %s: %w", claim.Name, g.m.Name, err)
	}
	l.values()
	if len(l.through) > 0 && len(l.helpful) == 0 {
		// The claims lead all the way, whatever happens to From on it.
		l.chain(l.any, l.to)
		return nil
	}
	var enabled []logic.Term
	for _, event := range g.m.Events {
		if l.helps(event) {
			enabled = append(enabled, g.enabled(event))
		}
	}
	// From stays true as long as To is not reached, so it does behind each of the claims.
	l.chain(l.away, g.or(enabled))
	for _, pair := range refine.Pairs(g.dev.Bank, g.m) {
		if !pair.Concrete.IsInit() {
			l.step(newEvent(g, pair))
		}
	}
	return nil
}

// way is what a claim is about, as an obligation that is not meant to be proved: that no state
// has what it begins with and lacks what it leads to.
func (l *leadsTo) way() *Obligation {
	component := l.generator.hyps
	return &Obligation{
		Development: l.dev, Project: l.dev.Project, Component: l.component, Machine: l.m, bank: l.b, Accurate: l.accurate,
		Name: l.name + "/LTO", Kind: LTO, Nature: "Progress from the trigger", Goal: l.b.App(logic.False),
		hyps: hypotheses{component: component, local: l.away, from: len(component), to: len(component) + len(l.away), also: -1},
	}
}

// leadsTo is a claim in the bank of the obligations.
type leadsTo struct {
	*machine
	name         string
	helpful      []*model.Event // nil: all
	strong       []*model.Event // helpful ones that need not stay enabled
	through      []*leadsTo
	from, to, by logic.Term
	any          []logic.Term // what is known of parameters
	away         []logic.Term // moreover, From holds and To does not
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
			return nil, fmt.Errorf("%q mentions variable %s; put conditions on variables into \"from\"", "any", name)
		}
	}
	l.away = append(slices.Clone(l.any), l.from, g.b.Not(l.to))
	if err := l.apart(); err != nil {
		return nil, err
	}
	fair := slices.Concat(claim.Fair, claim.Strong)
	for _, label := range fair {
		if event := g.m.Event(label); event == nil || event.IsInit() {
			return nil, fmt.Errorf("the machine has no event %s that could be fair", label)
		}
	}
	for _, label := range claim.Helpful {
		if !slices.Contains(fair, label) {
			return nil, fmt.Errorf("event %s is helpful but not fair, so it may never occur; add it to fair or strongly_fair, or omit both if every event helps", label)
		}
		l.helpful = append(l.helpful, g.m.Event(label))
		if slices.Contains(claim.Strong, label) {
			l.strong = append(l.strong, g.m.Event(label))
		}
	}
	if len(fair) > 0 && len(claim.Helpful) == 0 && len(claim.Through) == 0 {
		return nil, fmt.Errorf("some events are fair, but none is helpful; name those that lead to %q", "to")
	}
	return l, nil
}

// readThrough finds the claims that this one is made of, among those before it: so none rests
// on itself.
func (l *leadsTo) readThrough(claim LeadsTo, before []LeadsTo) error {
	if len(claim.Through) > 0 && len(claim.Helpful) == 0 && claim.By != 0 {
		return fmt.Errorf("other claims establish %q, so no variant decreases; omit \"variant\", or name helpful events", "to")
	}
	named := map[string]logic.Term{}
	for _, term := range l.b.FreeIdents(l.away...) {
		named[l.b.Name(term)] = term
	}
	for _, name := range claim.Through {
		i := slices.IndexFunc(before, func(other LeadsTo) bool { return other.Name == name })
		if i < 0 {
			return fmt.Errorf("through: no earlier property is named %s", name)
		}
		part := before[i]
		// A run is one of this claim, so it has to be fair to all events that the part relies on.
		for _, label := range slices.Concat(part.Fair, part.Strong) {
			if !slices.Contains(claim.Strong, label) && (slices.Contains(part.Strong, label) || !slices.Contains(claim.Fair, label)) {
				return fmt.Errorf("through: property %s assumes that event %s is fair, but this one does not; add it here", name, label)
			}
		}
		read, err := l.readLeadsTo(part)
		if err != nil {
			return err
		}
		for _, term := range l.b.FreeIdents(read.away...) {
			if other, ok := named[l.b.Name(term)]; ok && other != term {
				return fmt.Errorf("through: %s has another type in property %s; rename it", l.b.Name(term), name)
			}
			named[l.b.Name(term)] = term
		}
		l.through = append(l.through, read)
	}
	return nil
}

// chain makes the obligations that the claims lead to a goal: one begins where the goal is
// not reached, and each ends where it is or one behind it begins. What is in always holds all
// the way.
func (l *leadsTo) chain(always []logic.Term, goal logic.Term) {
	begins := func(parts []*leadsTo) logic.Term {
		ways := []logic.Term{goal}
		for _, part := range parts {
			ways = append(ways, l.b.And(append(slices.Clone(part.any), part.from)...))
		}
		return l.or(ways)
	}
	nature := "Helpful event enabled"
	if len(l.through) > 0 {
		nature += ", or a claim begins"
	}
	l.emit("ENB", nature, nil, l.away, begins(l.through))
	for i, part := range l.through {
		l.emit(part.name+"/ENB", "Helpful event enabled, or a later claim begins", nil, slices.Concat(always, part.any, []logic.Term{part.to}), begins(l.through[i+1:]))
	}
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
			return fmt.Errorf("%s is a variable of the refined machine only; choose another name", name)
		}
		for _, event := range l.m.Events {
			if slices.ContainsFunc(event.Parameters, func(ident model.Ident) bool { return ident.Name == name }) {
				return fmt.Errorf("%s is also a parameter of event %s; choose another name", name, event.Label)
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
		l.emit("any/WD", "Well-definedness of the trigger", nil, nil, wd.Lemma(l.b, predicate))
	}
	l.emit("from/WD", "Well-definedness of the trigger", nil, l.any, wd.Lemma(l.b, l.from))
	l.emit("to/WD", "Well-definedness of the target", nil, l.any, wd.Lemma(l.b, l.to))
	if l.by == 0 {
		return
	}
	l.emit("variant/WD", "Well-definedness of variant", nil, l.away, wd.Lemma(l.b, l.by))
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
			if enabled := l.enabled(event); !slices.Contains(l.strong, event) && !l.same(after(enabled), enabled) {
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
	l.emit(x.e.Label, "Step from the trigger", x, local, l.b.App(logic.Implies, l.b.And(l.away...), goal))
}
