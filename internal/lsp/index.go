package lsp

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/project"
)

// what a name stands for.
type what uint8

const (
	aContext what = iota
	aMachine
	aSet
	aConstant
	aVariable
	aParameter
	anEvent
	aLabel
	aBound // by a quantifier
)

func (w what) String() string {
	return [...]string{"context", "machine", "carrier set", "constant", "variable", "parameter", "event", "label", "bound variable"}[w]
}

// entity is one declaration.
type entity struct {
	what      what
	project   *project.Project
	component *lang.Component
	event     *lang.Event // of a parameter or a label in one, and of an event
	name      string
	decl      diag.Span
	doc       string
	text      string // what a labelled element says
	kind      elementKind

	same *entity // the declaration further up that this one continues; nil for none
}

// root is the first declaration of what e is: a variable that a refinement keeps is the
// same variable.
func (e *entity) root() *entity {
	for e.same != nil {
		e = e.same
	}
	return e
}

// unite says that e and other are one.
func (e *entity) unite(other *entity) {
	if a, b := e.root(), other.root(); a != b {
		a.same = b
	}
}

// occurrence is a place where a name stands for something.
type occurrence struct {
	span     diag.Span
	to       *entity
	declares bool
}

// index says what the names of all files stand for.
type index struct {
	at    map[string][]occurrence // by path, in the order of the text
	all   []*entity
	scope map[*lang.Component]*scope
	event map[*lang.Event]*scope
}

// scope holds the names that can be used at a place; those of the outer scopes can, too.
type scope struct {
	outer []*scope // in a text with errors, one may be outside of itself
	names map[string]*entity
	order []*entity

	complete bool     // outer is
	chain    []*scope // once it is: the scope itself and all outside of it, each once
}

func newScope(outer ...*scope) *scope { return &scope{outer: outer, names: map[string]*entity{}} }

// add declares e, which hides an earlier one of its name.
func (s *scope) add(e *entity) {
	s.names[e.name] = e
	s.order = append(s.order, e)
}

// all returns s and everything outside of it, the innermost first.
func (s *scope) all() []*scope {
	if s == nil {
		return nil
	}
	if s.chain != nil {
		return s.chain
	}
	var out []*scope
	seen := map[*scope]bool{}
	var visit func(s *scope)
	visit = func(s *scope) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		out = append(out, s)
		for _, outer := range s.outer {
			visit(outer)
		}
	}
	visit(s)
	if s.complete {
		s.chain = out
	}
	return out
}

// find returns what a name stands for, nil if nothing.
func (s *scope) find(name string) *entity {
	for _, x := range s.all() {
		if e := x.names[name]; e != nil {
			return e
		}
	}
	return nil
}

// list returns everything that can be used, the innermost first, each name once.
func (s *scope) list() (out []*entity) {
	seen := map[string]bool{}
	for _, x := range s.all() {
		for _, e := range x.order {
			if !seen[e.name] {
				seen[e.name] = true
				out = append(out, e)
			}
		}
	}
	return out
}

// names returns the index of a snapshot.
func (x *snapshot) names() *index {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.index == nil {
		x.index = &index{at: map[string][]occurrence{}, scope: map[*lang.Component]*scope{}, event: map[*lang.Event]*scope{}}
		for _, opened := range x.projects {
			newIndexer(x.index, opened).run()
		}
		for path, list := range x.index.at {
			// An identifier that implicitly declares itself stands at one place twice.
			slices.SortStableFunc(list, func(a, b occurrence) int { return cmp.Compare(a.span.From, b.span.From) })
			x.index.at[path] = slices.CompactFunc(list, func(a, b occurrence) bool { return a.span == b.span })
		}
	}
	return x.index
}

// find returns the occurrence that a byte of a file is in, or behind.
func (x *index) find(path string, at int) *occurrence {
	list := x.at[filepath.ToSlash(path)]
	for i := range list {
		if list[i].span.From <= at && at <= list[i].span.To {
			return &list[i]
		}
	}
	return nil
}

// occurrences lists the places of everything that is one with e.
func (x *index) occurrences(e *entity) (out []occurrence) {
	for _, list := range x.at {
		for _, o := range list {
			if o.to.root() == e.root() {
				out = append(out, o)
			}
		}
	}
	slices.SortFunc(out, func(a, b occurrence) int {
		return cmp.Or(strings.Compare(a.span.File, b.span.File), cmp.Compare(a.span.From, b.span.From))
	})
	return out
}

// indexer makes the index of one project.
type indexer struct {
	*index
	project *project.Project
	named   map[lang.Kind]map[string]*lang.Component
	of      map[*lang.Component]*entity
	events  map[*lang.Event]*entity
}

func newIndexer(x *index, opened *project.Project) *indexer {
	return &indexer{x, opened, map[lang.Kind]map[string]*lang.Component{lang.ContextKind: {}, lang.MachineKind: {}}, map[*lang.Component]*entity{}, map[*lang.Event]*entity{}}
}

func (x *indexer) run() {
	var all []*lang.Component
	for _, file := range x.project.Files {
		for _, c := range file.Components {
			all = append(all, c)
			if x.named[c.Kind][c.Name.Text] == nil {
				x.named[c.Kind][c.Name.Text] = c
			}
			kind := aContext
			if c.Kind == lang.MachineKind {
				kind = aMachine
			}
			x.of[c] = x.declare(&entity{what: kind, component: c, name: c.Name.Text, decl: c.Name.Span, doc: c.Doc})
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
}

// declare notes a declaration and its place.
func (x *indexer) declare(e *entity) *entity {
	e.project = x.project
	x.all = append(x.all, e)
	if e.decl.To > e.decl.From {
		x.note(e.decl, e, true)
	}
	return e
}

func (x *indexer) note(span diag.Span, e *entity, declares bool) {
	x.at[span.File] = append(x.at[span.File], occurrence{span, e, declares})
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
func (x *indexer) scopeOf(c *lang.Component) *scope {
	if s := x.scope[c]; s != nil {
		return s
	}
	s := newScope()
	x.scope[c] = s
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
	names := func(kind what, list []lang.Name) {
		for _, name := range list {
			e := x.declare(&entity{what: kind, component: c, name: name.Text, decl: name.Span, doc: name.Doc})
			if above := s.find(name.Text); above != nil && above.what == kind && kind == aVariable {
				e.unite(above)
			}
			s.add(e)
		}
	}
	names(aSet, c.Sets)
	names(aConstant, c.Constants)
	names(aVariable, c.Variables)
	x.labels(c)
	for _, event := range c.Events {
		e := x.declare(&entity{what: anEvent, component: c, event: event, name: event.Label.Text, decl: event.Label.Span, doc: event.Doc})
		x.events[event] = e
		x.eventScope(c, abstract, event, s)
	}
	return s
}

// labels declares the labels of a component and of its events.
func (x *indexer) labels(c *lang.Component) {
	for _, e := range elementsOf(c) {
		if e.kind == theEvent || e.kind == theWitness || e.name.Absent || e.name.Span.IsZero() {
			continue // what stands before a witness is no label
		}
		if e.text != "" && e.name.Span.To == e.to {
			continue // a variant without a label is shown where its formula stands
		}
		x.declare(&entity{what: aLabel, component: c, event: e.event, name: e.name.Text, decl: e.name.Span, doc: e.doc, text: e.text, kind: e.kind})
	}
}

// eventScope declares the parameters of an event.
func (x *indexer) eventScope(c, abstract *lang.Component, event *lang.Event, outer *scope) {
	s := newScope()
	x.event[event] = s
	for _, above := range x.refined(abstract, event) {
		s.outer = append(s.outer, x.event[above])
	}
	for _, name := range event.Parameters {
		e := x.declare(&entity{what: aParameter, component: c, event: event, name: name.Text, decl: name.Span, doc: name.Doc})
		// A parameter of all refined events that is kept is the same in all of them.
		for _, above := range s.outer {
			if p := above.find(name.Text); p != nil && p.what == aParameter {
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

// uses notes what the formulas of a component speak of.
func (x *indexer) uses(c *lang.Component) {
	s := x.scope[c]
	predicates := func(list []*lang.Predicate, s *scope) {
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
			if e := inner.find(strings.TrimSuffix(w.Label.Text, "'")); e != nil && !w.Label.Span.IsZero() {
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
func (x *indexer) formula(f *lang.Formula, s *scope) {
	if f == nil {
		return
	}
	if f.Op == logic.Free {
		e := s.find(f.Name)
		if e == nil {
			e = s.find(strings.TrimSuffix(f.Name, "'"))
		}
		if e != nil && f.Span.To > f.Span.From {
			x.note(f.Span, e, false)
		}
	}
	x.formula(f.Oftype, s)
	if len(f.Decls) > 0 {
		inner := newScope(s)
		inner.complete = true
		for _, d := range f.Decls {
			x.formula(d.Oftype, s)
			inner.add(x.declare(&entity{what: aBound, name: d.Name, decl: d.Span}))
		}
		s = inner
	}
	for _, arg := range f.Args {
		x.formula(arg, s)
	}
}

// scopeAt returns the scope at a byte of a file, nil outside of all components.
func (x *snapshot) scopeAt(path string, at int) (*scope, *lang.Component, *lang.Event) {
	names := x.names()
	file, _ := x.file(path)
	if file == nil {
		return nil, nil, nil
	}
	component, event := componentAt(file, at)
	if event != nil {
		return names.event[event], component, event
	}
	return names.scope[component], component, nil
}
