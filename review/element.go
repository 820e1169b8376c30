package review

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// Side is a project at one revision.
type Side struct {
	Files       []*lang.File
	Dev         *model.Development
	Obligations []*po.Obligation
	Lock        *discharge.Lock // nil if there is none
}

// Element is a part of a component that has a name: a clause entry, an event, a
// guard, and so on; or the component itself.
type Element struct {
	Kind      string // "machine", "invariant", "guard", …
	Component string
	Event     string // label of the event that it is part of, or ""
	Label     string // label or name; the checker's, if the author gave none
	Text      string // what it says; "" if it only declares its name
	File      string
	Span      diag.Span
	Doc       string

	given bool         // the author gave the label
	head  string       // of Text, what stands before the formulas
	terms []logic.Term // the formulas, in the bank of the review; nil if they have errors
	trees []*lang.Formula
	refs  []string // of an event: those it refines
}

// Path is the element's path: component/label or component/event/label.
func (e *Element) Path() string {
	parts := []string{e.Component}
	for _, p := range []string{e.Event, e.Label} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "/")
}

// isIdent reports whether the element declares an identifier.
func (e *Element) isIdent() bool {
	switch e.Kind {
	case "set", "constant", "variable", "parameter":
		return true
	}
	return false
}

// component is a component with its elements, in source order.
type component struct {
	Element
	syntax   *lang.Component
	elements []*Element
}

// reader makes elements of one side.
type reader struct {
	dev   *model.Development
	names *discharge.Renamer // into the bank of the review
	bank  *logic.Bank
	file  string
	at    *component
	event string
}

// components returns the components of a side with their elements; terms are
// copied to b under their new names.
func components(s *Side, b *logic.Bank, names discharge.Names) []*component {
	r := &reader{dev: s.Dev, bank: b, names: discharge.NewRenamer(b, s.Dev.Bank, names, false)}
	var out []*component
	for _, f := range s.Files {
		r.file = f.Path
		for _, c := range f.Components {
			out = append(out, r.component(c))
		}
	}
	return out
}

func (r *reader) component(c *lang.Component) *component {
	kind := "context"
	if c.Kind == lang.MachineKind {
		kind = "machine"
	}
	r.event = ""
	r.at = &component{syntax: c, Element: Element{Kind: kind, Component: c.Name.Text, File: r.file, Span: c.Name.Span, Doc: c.Doc, given: true}}
	r.idents("extends", c.Extends)
	r.idents("refines", c.Refines)
	r.idents("sees", c.Sees)
	r.idents("set", c.Sets)
	r.idents("constant", c.Constants)
	r.idents("variable", c.Variables)
	if x := r.dev.Context(c.Name.Text); x != nil && c.Kind == lang.ContextKind {
		r.predicates("axiom", "axm", c.Axioms, x.Axioms)
	} else {
		r.predicates("axiom", "axm", c.Axioms, nil)
	}
	m := r.dev.Machine(c.Name.Text)
	if m == nil || c.Kind != lang.MachineKind {
		m = &model.Machine{}
	}
	r.predicates("invariant", "inv", c.Invariants, m.Invariants)
	for i, v := range c.Variants {
		e := r.add("variant", v.Label, "vrn", i)
		e.Text, e.Doc, e.trees = v.Source.Text, v.Doc, []*lang.Formula{v.Formula}
		if len(m.Variants) == len(c.Variants) {
			r.formulas(e, "", m.Variants[i].Label, m.Variants[i].Term)
		}
	}
	for i, e := range c.Events {
		var checked *model.Event
		if j := slices.IndexFunc(m.Events, func(x *model.Event) bool { return x.Label == e.Label.Text }); j >= 0 {
			checked = m.Events[j]
		}
		r.events(i, e, checked, c.Name.Text)
	}
	return r.at
}

// add enters an element whose label, if absent, is prefix and its number.
func (r *reader) add(kind string, label lang.Name, prefix string, i int) *Element {
	e := &Element{Kind: kind, Component: r.at.Component, Event: r.event, Label: label.Text, File: r.file, Span: label.Span, given: !label.Absent}
	if label.Absent {
		e.Label = prefix + number(i+1)
	}
	r.at.elements = append(r.at.elements, e)
	return e
}

func (r *reader) idents(kind string, names []lang.Name) {
	for i, n := range names {
		r.add(kind, n, "", i).Doc = n.Doc
	}
}

// predicates enters labelled predicates; checked are those that the checker
// accepted of them.
func (r *reader) predicates(kind, prefix string, ps []*lang.Predicate, checked []*model.Predicate) {
	for i, p := range ps {
		e := r.add(kind, p.Label, prefix, i)
		e.Text, e.Doc, e.trees = p.Source.Text, p.Doc, []*lang.Formula{p.Formula}
		if e.Span.IsZero() {
			e.Span = p.Source.Span
		}
		head := ""
		if p.Theorem {
			head = "theorem "
			e.Text = head + e.Text
		}
		e.head = head
		if len(checked) == len(ps) {
			r.formulas(e, head, checked[i].Label, checked[i].Term)
		} else if j := slices.IndexFunc(checked, func(x *model.Predicate) bool { return x.Label == p.Label.Text }); j >= 0 {
			r.formulas(e, head, p.Label.Text, checked[j].Term)
		}
	}
}

// formulas gives e its terms, and its text in canonical form.
func (r *reader) formulas(e *Element, head, label string, terms ...logic.Term) {
	e.Label, e.head = label, head
	for _, t := range terms {
		e.terms = append(e.terms, r.names.Term(t))
	}
	e.Text = head + plainTerms(r.bank, e.terms)
}

// printing is how formulas are shown in reviews.
var printing = text.Options{Untyped: true, Spaced: true}

func plainTerms(b *logic.Bank, ts []logic.Term) string {
	var out []string
	for _, t := range ts {
		out = append(out, printing.Term(b, t))
	}
	return strings.Join(out, ", ")
}

// events enters an event and what it consists of. checked is nil if the checker
// refused it.
func (r *reader) events(i int, e *lang.Event, checked *model.Event, component string) {
	x := r.add("event", e.Label, "evt", i)
	x.Doc = e.Doc
	x.head, x.refs = eventHead(e)
	x.Text = strings.TrimSpace(x.head + " " + strings.Join(x.refs, ", "))
	r.event = e.Label.Text
	defer func() { r.event = "" }()
	r.idents("parameter", e.Parameters)
	if checked == nil {
		checked = &model.Event{}
	}
	own := slices.DeleteFunc(slices.Clone(checked.Guards), func(p *model.Predicate) bool { return p.Origin.Component != component })
	r.predicates("guard", "grd", e.Guards, own)
	for i, w := range e.Witnesses {
		y := r.add("witness", w.Label, "", i)
		y.Text, y.Doc, y.trees = w.Source.Text, w.Doc, []*lang.Formula{w.Formula}
		if j := slices.IndexFunc(checked.Witnesses, func(x *model.Witness) bool { return x.Label == w.Label.Text }); j >= 0 {
			r.formulas(y, "", w.Label.Text, checked.Witnesses[j].Term)
		}
	}
	actions := slices.DeleteFunc(slices.Clone(checked.Actions), func(a *model.Action) bool { return a.Origin.Component != component })
	for i, a := range e.Actions {
		y := r.add("action", a.Label, "act", i)
		y.Text, y.Doc = a.Source.Text, a.Doc
		if a.Assignment != nil {
			y.trees = slices.Concat(a.Assignment.Left, a.Assignment.Right)
			if a.Assignment.Index != nil {
				y.trees = append(y.trees, a.Assignment.Index)
			}
		}
		if len(actions) == len(e.Actions) {
			r.action(y, actions[i])
		} else if j := slices.IndexFunc(actions, func(x *model.Action) bool { return x.Label == a.Label.Text }); j >= 0 {
			r.action(y, actions[j])
		}
	}
}

func (r *reader) action(e *Element, a *model.Action) {
	var left []logic.Term
	for _, x := range a.Left {
		left = append(left, r.names.Term(x))
	}
	sign := [...]string{model.BecomesEqual: " ≔ ", model.BecomesIn: " :∈ ", model.BecomesSuch: " :∣ "}[a.Kind]
	r.formulas(e, plainTerms(r.bank, left)+sign, a.Label, a.Right...)
}

// eventHead is what an event says besides its label and its clauses: its status
// and what it refines.
func eventHead(e *lang.Event) (head string, refs []string) {
	head = [...]string{lang.Ordinary: "", lang.Convergent: "convergent ", lang.Anticipated: "anticipated "}[e.Convergence]
	switch {
	case e.Extended:
		head += "extends"
	case len(e.Refines) > 0:
		head += "refines"
	}
	for _, n := range e.Refines {
		refs = append(refs, n.Text)
	}
	return strings.TrimSpace(head), refs
}

// same reports whether two elements say the same: their formulas are equal but
// for layout and the names of bound variables. Texts decide where a formula has
// errors.
func (b bank) same(x, y *Element) bool {
	if x.head != y.head {
		return false
	}
	if len(x.terms) > 0 && len(y.terms) > 0 {
		return slices.EqualFunc(x.terms, y.terms, func(s, t logic.Term) bool { return b.Bare(s) == b.Bare(t) })
	}
	return x.Text == y.Text
}

// bank is the bank of one review: terms of both sides, under their new names.
type bank struct{ *logic.Bank }
