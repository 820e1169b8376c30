package review

import (
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// conduct is what one event of a machine that refined none did before and does now, as far as its
// actions differ.
type conduct struct {
	component, event string // their names now
	was, is          []*Element
	changes          []*Change // of its actions
	fresh, gone      map[string]bool
}

// conducts collects the events whose actions changed, in the order of the changes. Machines that refine
// others do what these allow, so only the others are of interest.
func (p *pairing) conducts(changes []*Change, old *Side) (out []*conduct) {
	find := func(component, event string) *conduct {
		i := slices.IndexFunc(out, func(c *conduct) bool { return c.component == component && c.event == event })
		if i < 0 {
			i = len(out)
			out = append(out, &conduct{component: component, event: event, fresh: map[string]bool{}, gone: map[string]bool{}})
		}
		return out[i]
	}
	tops, had := p.tops(old)
	for _, c := range changes {
		// What the old version has is looked up under the names of the new one.
		if e := c.Old; e != nil && e.Kind == "action" && (c.What == Changed || c.What == Removed || c.What == Moved) {
			component := p.components["machine "+e.Component]
			if event, ok := p.events[e.Component+"/"+e.Event]; ok && tops[component] {
				x := find(component, event)
				x.was, x.changes = append(x.was, e), append(x.changes, c)
			}
		}
		if e := c.New; e != nil && e.Kind == "action" && (c.What == Changed || c.What == Added || c.What == Moved) && tops[e.Component] && had[e.Component+"/"+e.Event] {
			x := find(e.Component, e.Event)
			x.is, x.changes = append(x.is, e), append(x.changes, c)
		}
	}
	// Variables that one version lacks cannot be compared between the versions.
	for _, x := range out {
		for _, c := range changes {
			if e := c.Element(); e.Kind == "variable" && c.What == Added && e.Component == x.component {
				x.fresh[e.Label] = true
			} else if e.Kind == "variable" && c.What == Removed && p.components["machine "+e.Component] == x.component {
				x.gone[p.names.Of(e.Label)] = true
			}
		}
	}
	return out
}

// tops are the machines that refined none before, and the events that these had, by their names now.
func (p *pairing) tops(old *Side) (machines, events map[string]bool) {
	machines, events = map[string]bool{}, map[string]bool{}
	for _, m := range old.Dev.Machines {
		name := p.components["machine "+m.Name]
		if name == "" || m.Refines != nil {
			continue
		}
		machines[name] = true
		for _, e := range m.Events {
			if label, ok := p.events[m.Name+"/"+e.Label]; ok {
				events[name+"/"+label] = true
			}
		}
	}
	return machines, events
}

// doesNoMore asks whether an event does nothing that it did not do: what it assigns now, and that it
// keeps the rest, implies what it assigned and kept. A variable that is new constrains nothing before.
func (a asking) doesNoMore(c *conduct) *question {
	settle := func(no bool) {
		for _, x := range c.changes {
			x.noMore = no
		}
	}
	was := slices.DeleteFunc(slices.Clone(c.was), func(e *Element) bool {
		return len(e.left) > 0 && !slices.ContainsFunc(e.left, func(x logic.Term) bool { return !c.gone[a.Name(x)] })
	})
	before, ok := a.assigned(was, c.is, func(x logic.Term) bool { return !c.fresh[a.Name(x)] && c.event != model.InitLabel })
	after, ok2 := a.assigned(c.is, was, func(logic.Term) bool { return c.event != model.InitLabel })
	if !ok || !ok2 || !a.sameTypes(before, after) {
		return nil
	}
	at := &Element{Kind: "action", Component: c.component, Event: c.event}
	hyps := a.hypotheses(at)
	return &question{sequents: []logic.Sequent{a.sequent(hyps, before, after), a.sequent(hyps, a.D(before)), a.sequent(hyps, a.D(after))},
		settle: func(proved []bool) { settle(proved[0] && proved[1] && proved[2]) }}
}

// assigned is what actions assign, and that they keep what others assign and kept accepts; false if a
// formula has errors.
func (a asking) assigned(actions, others []*Element, kept func(logic.Term) bool) (logic.Term, bool) {
	var parts []logic.Term
	own := map[logic.Term]bool{}
	for _, e := range actions {
		p := a.predicate(e)
		if p == 0 {
			return 0, false
		}
		parts = append(parts, p)
		for _, x := range e.left {
			own[x] = true
		}
	}
	for _, e := range others {
		for _, x := range e.left {
			if !own[x] && kept(x) {
				parts = append(parts, a.App(logic.Eq, a.primed(x), x))
			}
		}
	}
	return a.And(parts...), true
}
