package names

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/project"
)

// New makes the index of projects.
func New(projects []*project.Project) *Index {
	x := &Index{At: map[string][]Occurrence{}, scope: map[*lang.Component]*Scope{}, event: map[*lang.Event]*Scope{}}
	for _, opened := range projects {
		newIndexer(x, opened).run()
	}
	for path, list := range x.At {
		// An identifier that implicitly declares itself stands at one place twice.
		slices.SortStableFunc(list, func(a, b Occurrence) int { return cmp.Compare(a.Span.From, b.Span.From) })
		x.At[path] = slices.CompactFunc(list, func(a, b Occurrence) bool { return a.Span == b.Span })
	}
	return x
}

// indexer makes the index of one project.
type indexer struct {
	*Index
	project *project.Project
	named   map[lang.Kind]map[string]*lang.Component
	of      map[*lang.Component]*Entity
	events  map[*lang.Event]*Entity
}

func newIndexer(x *Index, opened *project.Project) *indexer {
	return &indexer{x, opened, map[lang.Kind]map[string]*lang.Component{lang.ContextKind: {}, lang.MachineKind: {}}, map[*lang.Component]*Entity{}, map[*lang.Event]*Entity{}}
}

// run declares the components first, then their elements, and at last notes where names are used.
func (x *indexer) run() {
	var all []*lang.Component
	for _, file := range x.project.Files {
		for _, c := range file.Components {
			all = append(all, c)
			if x.named[c.Kind][c.Name.Text] == nil {
				x.named[c.Kind][c.Name.Text] = c
			}
			kind := Context
			if c.Kind == lang.MachineKind {
				kind = Machine
			}
			x.of[c] = x.declare(&Entity{Kind: kind, Component: c, Name: c.Name.Text, Decl: c.Name.Span, Doc: c.Doc})
		}
	}
	for _, c := range all {
		x.scopeOf(c)
	}
	for _, c := range all {
		x.scope[c].complete = true
		for _, event := range c.Events {
			x.event[event].complete = true
		}
	}
	for _, c := range all {
		x.uses(c)
	}
	x.scenarios()
}

// declare notes a declaration and its place.
func (x *indexer) declare(e *Entity) *Entity {
	e.Project = x.project
	x.All = append(x.All, e)
	if e.Decl.To > e.Decl.From {
		x.note(e.Decl, e, true)
	}
	return e
}

func (x *indexer) note(span diag.Span, e *Entity, declares bool) {
	x.At[span.File] = append(x.At[span.File], Occurrence{span, e, declares})
}

// component returns the component that a name of a clause refers to, and notes it.
func (x *indexer) component(kind lang.Kind, name lang.Name, note bool) *lang.Component {
	c := x.named[kind][name.Text]
	if c != nil && note {
		x.note(name.Span, x.of[c], false)
	}
	return c
}

// scopeOf returns the scope of a component, which it declares when it is asked first. A
// component that builds on itself sees what is there.
func (x *indexer) scopeOf(c *lang.Component) *Scope {
	if s := x.scope[c]; s != nil {
		return s
	}
	s := newScope()
	x.scope[c] = s
	// What is seen is declared before what is here, so that a name finds the older one.
	for _, list := range [][]lang.Name{c.Extends, c.Sees} {
		for _, name := range list {
			if seen := x.component(lang.ContextKind, name, true); seen != nil {
				s.outer = append(s.outer, x.scopeOf(seen))
			}
		}
	}
	var abstract *lang.Component
	for _, name := range c.Refines {
		if abstract = x.component(lang.MachineKind, name, true); abstract != nil {
			s.outer = append(s.outer, x.scopeOf(abstract))
		}
	}
	names := func(kind Kind, list []lang.Name) {
		for _, name := range list {
			e := x.declare(&Entity{Kind: kind, Component: c, Name: name.Text, Decl: name.Span, Doc: name.Doc})
			if above := s.Find(name.Text); above != nil && above.Kind == kind && kind == Variable {
				e.unite(above)
			}
			s.add(e)
		}
	}
	names(Set, c.Sets)
	names(Constant, c.Constants)
	names(Variable, c.Variables)
	x.labels(c)
	for _, event := range c.Events {
		e := x.declare(&Entity{Kind: Event, Component: c, Event: event, Name: event.Label.Text, Decl: event.Label.Span, Doc: event.Doc})
		x.events[event] = e
		x.eventScope(c, abstract, event, s)
	}
	return s
}

// labels declares the labels of a component and of its events.
func (x *indexer) labels(c *lang.Component) {
	for _, e := range ElementsOf(c) {
		if e.Kind == Event || e.Kind == Witness || e.Name.Absent || e.Name.Span.IsZero() {
			continue // what stands before a witness is not a label
		}
		if e.Text != "" && e.Name.Span.To == e.To {
			continue // a variant without a label is shown where its formula stands
		}
		x.declare(&Entity{Kind: e.Kind, Component: c, Event: e.Event, Name: e.Name.Text, Decl: e.Name.Span, Doc: e.Doc, Text: e.Text})
	}
}

// eventScope declares the parameters of an event.
func (x *indexer) eventScope(c, abstract *lang.Component, event *lang.Event, outer *Scope) {
	s := newScope()
	x.event[event] = s
	for _, above := range x.refined(abstract, event) {
		s.outer = append(s.outer, x.event[above])
	}
	for _, name := range event.Parameters {
		e := x.declare(&Entity{Kind: Parameter, Component: c, Event: event, Name: name.Text, Decl: name.Span, Doc: name.Doc})
		// A parameter of all refined events that is kept is the same in all of them.
		for _, above := range s.outer {
			if p := above.Find(name.Text); p != nil && p.Kind == Parameter {
				e.unite(p)
			}
		}
		s.add(e)
	}
	s.outer = append(s.outer, outer)
}

// refined returns the events of the abstract machine that an event refines.
func (x *indexer) refined(abstract *lang.Component, event *lang.Event) (out []*lang.Event) {
	if abstract == nil {
		return nil
	}
	find := func(label string) {
		for _, e := range abstract.Events {
			if e.Label.Text == label && x.event[e] != nil {
				out = append(out, e)
			}
		}
	}
	for _, name := range event.Refines {
		find(name.Text)
	}
	if event.Label.Text == lang.Initialisation && len(event.Refines) == 0 {
		find(lang.Initialisation)
	}
	return out
}

// uses notes the entities that the formulas, the heads of events and the labels of witnesses of a component mention. All
// components must have been declared before: formulas mention names of other files.
func (x *indexer) uses(c *lang.Component) {
	s := x.scope[c]
	predicates := func(list []*lang.Predicate, s *Scope) {
		for _, p := range list {
			x.formula(p.Formula, s)
		}
	}
	predicates(c.Axioms, s)
	predicates(c.Invariants, s)
	for _, v := range c.Variants {
		x.formula(v.Formula, s)
	}
	var abstract *lang.Component
	for _, name := range c.Refines {
		abstract = x.named[lang.MachineKind][name.Text]
	}
	for _, event := range c.Events {
		// Names that stand in the head of an event are those of the machine above.
		inner := x.event[event]
		above := x.refined(abstract, event)
		for _, name := range event.Refines {
			for _, e := range above {
				if e.Label.Text == name.Text {
					x.note(name.Span, x.events[e], false)
				}
			}
		}
		predicates(event.Guards, inner)
		predicates(event.Witnesses, inner)
		for _, w := range event.Witnesses {
			if e := inner.Find(strings.TrimSuffix(w.Label.Text, "'")); e != nil && !w.Label.Span.IsZero() {
				x.note(w.Label.Span, e, false)
			}
		}
		for _, a := range event.Actions {
			if a.Assignment != nil {
				for _, list := range [][]*lang.Formula{a.Assignment.Left, {a.Assignment.Index}, a.Assignment.Right} {
					for _, f := range list {
						x.formula(f, inner)
					}
				}
			}
		}
	}
}

// formula notes the names of a formula.
func (x *indexer) formula(f *lang.Formula, s *Scope) {
	if f == nil {
		return
	}
	if f.Op == logic.Free {
		e := s.Find(f.Name)
		if e == nil {
			e = s.Find(strings.TrimSuffix(f.Name, "'"))
		}
		if e != nil && f.Span.To > f.Span.From {
			x.note(f.Span, e, false)
		}
	}
	x.formula(f.Oftype, s)
	if len(f.Decls) > 0 {
		inner := newScope(s)
		inner.complete = true
		// The types of bound variables do not see them, so the outer scope serves for those.
		for _, d := range f.Decls {
			x.formula(d.Oftype, s)
			inner.add(x.declare(&Entity{Kind: Bound, Name: d.Name, Decl: d.Span}))
		}
		s = inner
	}
	for _, arg := range f.Args {
		x.formula(arg, s)
	}
}
