package rodin

import (
	"maps"
	"slices"

	"github.com/gradine/gradine/lang"
)

// labelled returns p with labels on the elements of text files that have none:
// the labels that such elements have everywhere else.
func labelled(p *Project) *Project {
	l := &labeller{machines: map[string]*lang.Component{}, done: map[*lang.Event]*lang.Event{}, used: map[*lang.Event]map[string]bool{}}
	for _, file := range p.Files {
		for _, component := range file.Components {
			if component.Kind == lang.MachineKind {
				l.machines[component.Name.Text] = component
			}
		}
	}
	out := &Project{Name: p.Name, Dir: p.Dir}
	for _, f := range p.Files {
		g := &lang.File{Path: f.Path, Comments: f.Comments, Complete: f.Complete}
		for _, component := range f.Components {
			g.Components = append(g.Components, l.component(component))
		}
		out.Files = append(out.Files, g)
	}
	return out
}

type labeller struct {
	machines map[string]*lang.Component
	done     map[*lang.Event]*lang.Event
	used     map[*lang.Event]map[string]bool // labels in an event, with those inherited
}

func (l *labeller) component(c *lang.Component) *lang.Component {
	if isComponent(c.Span.File) {
		return c
	}
	d := *c
	none := func(string) bool { return false }
	d.Axioms = predicates("axm", c.Axioms, none)
	d.Invariants = predicates("inv", c.Invariants, none)
	d.Events = nil
	for _, event := range c.Events {
		d.Events = append(d.Events, l.event(c, event))
	}
	return &d
}

// event gives an event the labels that Rodin needs, after those of the events that it extends.
func (l *labeller) event(component *lang.Component, e *lang.Event) *lang.Event {
	if l.used[e] != nil {
		return l.done[e]
	}
	used := map[string]bool{}
	l.used[e] = used
	if e.Extended {
		l.inheritLabels(component, e, used)
	}
	taken := func(name string) bool { return used[name] }
	// The file that was read stays as it is; labels are made in a copy.
	f := *e
	f.Actions = slices.DeleteFunc(slices.Clone(e.Actions), isSkip)
	if !isComponent(component.Span.File) {
		f.Guards = predicates("grd", e.Guards, taken)
	}
	for _, predicate := range f.Guards {
		used[predicate.Label.Text] = true
	}
	if !isComponent(component.Span.File) {
		f.Actions = actions(f.Actions, taken)
	}
	for _, action := range f.Actions {
		used[action.Label.Text] = true
	}
	l.done[e] = &f
	return &f
}

// inheritLabels adds to used the labels that extended event e of component inherits: e may not use them for clauses of its
// own. Without a refines clause, e extends the event of its own name.
func (l *labeller) inheritLabels(component *lang.Component, e *lang.Event, used map[string]bool) {
	if len(component.Refines) == 0 || l.machines[component.Refines[0].Text] == nil {
		return
	}
	label := e.Label.Text
	if len(e.Refines) > 0 {
		label = e.Refines[0].Text
	}
	abstract := l.machines[component.Refines[0].Text]
	for _, a := range abstract.Events {
		if a.Label.Text == label {
			l.event(abstract, a)
			maps.Copy(used, l.used[a])
			return
		}
	}
}

func predicates(prefix string, ps []*lang.Predicate, used func(string) bool) []*lang.Predicate {
	names := make([]lang.Name, len(ps))
	for i, predicate := range ps {
		names[i] = predicate.Label
	}
	var out []*lang.Predicate
	for i, name := range lang.Numbered(prefix, names, used) {
		p := *ps[i]
		p.Label = name
		out = append(out, &p)
	}
	return out
}

func actions(as []*lang.Action, used func(string) bool) []*lang.Action {
	names := make([]lang.Name, len(as))
	for i, action := range as {
		names[i] = action.Label
	}
	var out []*lang.Action
	for i, name := range lang.Numbered("act", names, used) {
		a := *as[i]
		a.Label = name
		out = append(out, &a)
	}
	return out
}

func isSkip(a *lang.Action) bool { return a.Assignment != nil && a.Assignment.Kind == lang.Skip }
