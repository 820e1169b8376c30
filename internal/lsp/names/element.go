package names

import "github.com/gradine/gradine/lang"

// Element is something in a text that obligations are about.
type Element struct {
	Kind      Kind
	Component *lang.Component
	Event     *lang.Event // of what is part of one
	Name      lang.Name
	From, To  int // of an event: its first line only counts for what is shown
	Doc       string
	Text      string // what it says
	Theorem   bool
}

// Elements lists those of a file, in the order of the text but for events, which
// stand before their parts.
func Elements(file *lang.File) (out []*Element) {
	for _, component := range file.Components {
		out = append(out, ElementsOf(component)...)
	}
	return out
}

// ElementsOf lists those of a component.
func ElementsOf(component *lang.Component) (out []*Element) {
	add := func(kind Kind, event *lang.Event, name lang.Name, src lang.Source, doc string, theorem bool) {
		e := &Element{Kind: kind, Component: component, Event: event, Name: name, Doc: doc, Text: src.Text, Theorem: theorem}
		e.From, e.To = src.Span.From, max(src.Span.To, name.Span.To)
		// The label stands before the formula, if both are there.
		if named := !name.Absent && name.Span.To > name.Span.From; named && (src.Span.IsZero() || name.Span.From < e.From) {
			e.From = name.Span.From
		}
		out = append(out, e)
	}
	predicates := func(kind Kind, event *lang.Event, list []*lang.Predicate) {
		for _, p := range list {
			add(kind, event, p.Label, p.Source, p.Doc, p.Theorem)
		}
	}
	predicates(Axiom, nil, component.Axioms)
	predicates(Invariant, nil, component.Invariants)
	for _, v := range component.Variants {
		add(Variant, nil, v.Label, v.Source, v.Doc, false)
	}
	for _, event := range component.Events {
		out = append(out, &Element{Kind: Event, Component: component, Event: event, Name: event.Label, From: event.Span.From, To: event.Span.To, Doc: event.Doc})
		predicates(Guard, event, event.Guards)
		predicates(Witness, event, event.Witnesses)
		for _, a := range event.Actions {
			add(Action, event, a.Label, a.Source, a.Doc, false)
		}
	}
	return out
}

// ComponentAt returns the component of a file that a byte lies in, and the event.
func ComponentAt(file *lang.File, at int) (*lang.Component, *lang.Event) {
	for _, component := range file.Components {
		if at < component.Span.From || at > component.Span.To {
			continue
		}
		for _, event := range component.Events {
			if event.Span.From <= at && at <= event.Span.To {
				return component, event
			}
		}
		return component, nil
	}
	return nil, nil
}
