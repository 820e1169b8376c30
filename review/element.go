package review

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover/derive"
)

// Side is a project at one revision.
type Side struct {
	Files        []*lang.File
	Dev          *model.Development
	Problems     []diag.Diagnostic // of the files and of the model, sorted
	Obligations  []*po.Obligation
	Ways         []*po.Obligation // of claims, by po.Ways
	Lock         *proofstore.Lock // nil if there is none
	Certificates *proofstore.Certificates
	Steps        int64     // budget of a search; 0 for the default
	Outcomes     []Outcome // of scenarios
	// Hints, if not nil, returns what hints make of an obligation, nil if there are none.
	Hints func(*po.Obligation) *derive.Node
}

// hinted reports whether there are hints for o.
func (s *Side) hinted(o *po.Obligation) bool { return s.Hints != nil && o != nil && s.Hints(o) != nil }

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

	given  bool         // the author gave the label
	head   string       // of Text, what stands before the formulas
	source string       // the text that its author wrote, on one line
	says   string       // what it says, under the new names
	terms  []logic.Term // the formulas, in the bank of the review, under the new names; nil if they have errors
	trees  []*lang.Formula
	rename func(string) string // the new names of identifiers in trees
	left   []logic.Term        // of an action: what it assigns
	typ    string              // of an identifier, under the new names; "" if it has errors
	refs   []string            // of an event: those it refines

	component *component        // that the element stands for; nil for a part of one
	parts     func() []*Element // of a component or an event
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

// Place is where the element stands, in the file that the repository has it in; nowhere if there is no element.
func (e *Element) Place() diag.Span {
	if e == nil {
		return diag.Span{}
	}
	at := e.Span
	if at.File == "" {
		at.File = e.File
	}
	return at
}

// Lines is what the element says: its text; of a component or an event, its parts,
// one a line.
func (e *Element) Lines() []string {
	if e.parts == nil {
		if e.Text == "" {
			return nil
		}
		return []string{strings.Join(strings.Fields(e.Text), " ")}
	}
	var out []string
	if e.Text != "" {
		out = append(out, e.Text)
	}
	for _, element := range e.parts() {
		line := element.Kind + " " + element.Label
		if element.Text != "" {
			line += " " + strings.Join(strings.Fields(element.Text), " ")
		}
		out = append(out, line)
	}
	return out
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

// id tells components apart: a context and a machine may share a name.
func (c *component) id() string { return c.Kind + " " + c.Component }

// target is the id of the component that a clause names.
func (e *Element) target() string {
	if e.Kind == "refines" {
		return "machine " + e.Label
	}
	return "context " + e.Label
}

// reader makes elements of one side.
type reader struct {
	dev    *model.Development
	bank   *logic.Bank // of the review
	names  newNames
	scope  scope // what identifiers are called at the present place
	global scope // outside of events
	file   string
	at     *component
	event  string
}

// newNames are the names that identifiers of a side have at the other one.
type newNames struct {
	global proofstore.Names
	params map[string]proofstore.Names // by component/event
}

// scope copies terms into the bank of the review under the names of one place.
type scope struct {
	names proofstore.Names
	terms *proofstore.Renamer
}

func (r *reader) newScope(names proofstore.Names) scope {
	return scope{names, proofstore.NewRenamer(r.bank, r.dev.Bank, names, false)}
}

// components returns the components of a side with their elements; terms are
// copied to b under their new names.
func components(s *Side, b *logic.Bank, names newNames) []*component {
	r := &reader{dev: s.Dev, bank: b, names: names}
	r.global = r.newScope(names.global)
	r.scope = r.global
	var out []*component
	for _, file := range s.Files {
		r.file = file.Path
		for _, c := range file.Components {
			out = append(out, r.component(c))
		}
	}
	return out
}

// component reads a component with its elements, typed where the checker has kept it.
func (r *reader) component(c *lang.Component) *component {
	kind := "context"
	if c.Kind == lang.MachineKind {
		kind = "machine"
	}
	r.event = ""
	r.at = &component{syntax: c, Element: Element{Kind: kind, Component: c.Name.Text, File: r.file, Span: c.Name.Span, Doc: c.Doc, given: true}}
	// Where the checker has dropped a component, there are no types, and its elements are compared by
	// their syntax.
	context, machine := &model.Context{}, &model.Machine{}
	if found := r.dev.Context(c.Name.Text); found != nil && c.Kind == lang.ContextKind {
		context = found
	}
	if found := r.dev.Machine(c.Name.Text); found != nil && c.Kind == lang.MachineKind {
		machine = found
	}
	at := r.at
	at.component = at
	at.parts = func() []*Element { return at.elements }
	r.idents("extends", c.Extends, nil)
	r.idents("refines", c.Refines, nil)
	r.idents("sees", c.Sees, nil)
	r.idents("set", c.Sets, context.Sets)
	r.idents("constant", c.Constants, context.Constants)
	var variables []model.Ident
	for _, variable := range machine.Variables {
		variables = append(variables, variable.Ident)
	}
	r.idents("variable", c.Variables, variables)
	r.predicates("axiom", "axm", c.Axioms, context.Axioms)
	r.predicates("invariant", "inv", c.Invariants, machine.Invariants)
	for i, variant := range c.Variants {
		element := r.add("variant", variant.Label, "vrn", i)
		r.source(element, variant.Source, variant.Formula)
		element.Doc = variant.Doc
		// They are paired by position, which holds only if none was dropped for an error.
		if len(machine.Variants) == len(c.Variants) {
			r.formulas(element, "", machine.Variants[i].Label, machine.Variants[i].Term)
		}
	}
	for i, e := range c.Events {
		var checked *model.Event
		if j := slices.IndexFunc(machine.Events, func(x *model.Event) bool { return x.Label == e.Label.Text }); j >= 0 {
			checked = machine.Events[j]
		}
		r.events(i, e, checked, c.Name.Text)
	}
	return r.at
}

// add enters an element whose label, if absent, is prefix and its number.
func (r *reader) add(kind string, label lang.Name, prefix string, i int) *Element {
	e := &Element{
		Kind: kind, Component: r.at.Component, Event: r.event, Label: label.Text,
		File: r.file, Span: label.Span, given: !label.Absent, rename: r.scope.names.Of,
	}
	if label.Absent {
		e.Label = prefix + number(i+1)
	}
	r.at.elements = append(r.at.elements, e)
	return e
}

// source gives e the text that its author wrote.
func (r *reader) source(e *Element, src lang.Source, trees ...*lang.Formula) {
	e.source = strings.Join(strings.Fields(src.Text), " ")
	e.Text, e.says, e.trees = e.source, renamed(e.source, trees, e.rename), trees
	if e.Span.IsZero() {
		e.Span = src.Span
	}
}

// renamed is text under the new names of the identifiers that are free in its formulas.
// Two texts may be equal where one of them names something else.
func renamed(text string, trees []*lang.Formula, rename func(string) string) string {
	to := map[string]string{}
	var visit func(f *lang.Formula)
	visit = func(f *lang.Formula) {
		if f == nil {
			return
		}
		if f.Op == logic.Free && rename(f.Name) != f.Name {
			to[f.Name] = rename(f.Name)
		}
		for _, x := range f.Args {
			visit(x)
		}
	}
	for _, f := range trees {
		visit(f)
	}
	// The text is rewritten word by word rather than printed from the tree, so that it stays as its
	// author wrote it.
	if len(to) == 0 {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		n := strings.IndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		switch {
		case n < 0:
			n = len(text)
		case n == 0:
			_, n = utf8.DecodeRuneInString(text)
		}
		word := text[:n]
		if name, ok := to[word]; ok {
			word = name
		}
		out.WriteString(word)
		text = text[n:]
	}
	return out.String()
}

// idents enters names; checked are those that the checker gave a type.
func (r *reader) idents(kind string, names []lang.Name, checked []model.Ident) {
	for i, n := range names {
		e := r.add(kind, n, "", i)
		e.Doc = n.Doc
		if j := slices.IndexFunc(checked, func(x model.Ident) bool { return x.Name == n.Text }); j >= 0 {
			e.typ = text.Type(r.bank, r.bank.Type(r.scope.terms.Term(checked[j].Term)))
		}
	}
}

// predicates enters labelled predicates; checked are those that the checker
// accepted of them.
func (r *reader) predicates(kind, prefix string, ps []*lang.Predicate, checked []*model.Predicate) {
	for i, p := range ps {
		element := r.add(kind, p.Label, prefix, i)
		r.source(element, p.Source, p.Formula)
		element.Doc = p.Doc
		if p.Theorem {
			element.head = "theorem "
			element.Text, element.says = element.head+element.Text, element.head+element.says
		}
		if len(checked) == len(ps) {
			r.formulas(element, element.head, checked[i].Label, checked[i].Term)
		} else if j := slices.IndexFunc(checked, func(x *model.Predicate) bool { return x.Label == p.Label.Text }); j >= 0 {
			r.formulas(element, element.head, p.Label.Text, checked[j].Term)
		}
	}
}

// formulas gives e its terms, and its text in canonical form: as it was, and
// under the new names.
func (r *reader) formulas(e *Element, head, label string, terms ...logic.Term) {
	e.Label, e.head = label, head
	for _, t := range terms {
		e.terms = append(e.terms, r.scope.terms.Term(t))
	}
	e.Text = head + plainTerms(r.dev.Bank, terms)
	e.says = head + plainTerms(r.bank, e.terms)
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
func (r *reader) events(i int, event *lang.Event, checked *model.Event, component string) {
	x := r.add("event", event.Label, "evt", i)
	x.Doc = event.Doc
	x.head, x.refs = eventHead(event)
	x.Text = strings.TrimSpace(x.head + " " + strings.Join(x.refs, ", "))
	x.says = x.Text
	at, label := r.at, event.Label.Text
	x.parts = func() []*Element {
		return slices.DeleteFunc(slices.Clone(at.elements), func(y *Element) bool { return y.Event != label || y == x })
	}
	r.event = event.Label.Text
	r.scope = r.inside(checked, component)
	defer func() { r.event, r.scope = "", r.global }()
	if checked == nil {
		checked = &model.Event{}
	}
	r.idents("parameter", event.Parameters, checked.Parameters)
	own := slices.DeleteFunc(slices.Clone(checked.Guards), func(predicate *model.Predicate) bool { return predicate.Origin.Component != component })
	r.predicates("guard", "grd", event.Guards, own)
	for i, predicate := range event.Witnesses {
		y := r.add("witness", predicate.Label, "", i)
		r.source(y, predicate.Source, predicate.Formula)
		y.Doc = predicate.Doc
		// The checker puts ⊤ in the place of a witness that it dropped.
		if j := slices.IndexFunc(checked.Witnesses, func(witness *model.Witness) bool { return witness.Label == predicate.Label.Text }); j >= 0 && checked.Accurate {
			r.formulas(y, "", predicate.Label.Text, checked.Witnesses[j].Term)
		}
	}
	actions := slices.DeleteFunc(slices.Clone(checked.Actions), func(action *model.Action) bool { return action.Origin.Component != component })
	for i, a := range event.Actions {
		y := r.add("action", a.Label, "act", i)
		r.source(y, a.Source, assignmentTrees(a.Assignment)...)
		y.Doc = a.Doc
		if a.Assignment != nil {
			y.head = signs[a.Assignment.Kind]
		}
		// The checker adds actions for variables that it finds unassigned.
		if !checked.Accurate {
			continue
		}
		if len(actions) == len(event.Actions) {
			r.action(y, actions[i])
		} else if j := slices.IndexFunc(actions, func(x *model.Action) bool { return x.Label == a.Label.Text }); j >= 0 {
			r.action(y, actions[j])
		}
	}
}

// inside is the scope of an event: its parameters and those it inherits may have
// new names, too.
func (r *reader) inside(checked *model.Event, component string) scope {
	merged := maps.Clone(r.names.global)
	add := func(component, event string) {
		for from, to := range r.names.params[component+"/"+event] {
			if merged == nil {
				merged = proofstore.Names{}
			}
			merged[from] = to
		}
	}
	var visit func(e *model.Event)
	visit = func(e *model.Event) {
		for _, a := range e.Refines {
			visit(a)
		}
		add(e.Origin.Component, e.Label)
	}
	if checked != nil {
		visit(checked)
	} else {
		add(component, r.event)
	}
	if len(merged) == len(r.names.global) {
		return r.global
	}
	return r.newScope(merged)
}

// assignmentTrees lists the formulas of an assignment: its left sides, the
// argument of a function update, and its right sides.
func assignmentTrees(a *lang.Assignment) []*lang.Formula {
	if a == nil {
		return nil
	}
	out := slices.Clone(a.Left)
	if a.Index != nil {
		out = append(out, a.Index)
	}
	return append(out, a.Right...)
}

// What stands between the two sides of an assignment.
const (
	signBecomesEqual = " ≔ "
	signBecomesIn    = " :∈ "
	signBecomesSuch  = " :∣ "
)

var signs = [...]string{
	lang.BecomesEqual: signBecomesEqual, lang.BecomesIn: signBecomesIn, lang.BecomesSuch: signBecomesSuch, lang.Skip: " skip ",
}

func (r *reader) action(e *Element, a *model.Action) {
	sign := [...]string{model.BecomesEqual: signBecomesEqual, model.BecomesIn: signBecomesIn, model.BecomesSuch: signBecomesSuch}[a.Kind]
	var left []logic.Term
	for _, x := range a.Left {
		left = append(left, r.scope.terms.Term(x))
	}
	r.formulas(e, sign, a.Label, a.Right...)
	e.left = left
	e.Text = plainTerms(r.dev.Bank, a.Left) + e.Text
	e.says = plainTerms(r.bank, left) + e.says
}

// eventHead is what an event says apart from its label and its clauses: its status
// and what it refines.
func eventHead(event *lang.Event) (head string, refs []string) {
	head = [...]string{lang.Ordinary: "", lang.Convergent: "convergent ", lang.Anticipated: "anticipated "}[event.Convergence]
	switch {
	case event.Extended:
		head += "extends"
	case len(event.Refines) > 0:
		head += "refines"
	}
	for _, name := range event.Refines {
		refs = append(refs, name.Text)
	}
	return strings.TrimSpace(head), refs
}

// same reports whether two elements say the same: their formulas are equal but
// for layout and the names of bound variables. Where a side has no types, or
// other ones, syntax decides: an element is not changed because the type of a
// variable is.
func (b bank) same(x, y *Element) bool {
	if x.head != y.head {
		return false
	}
	if x.typed() && y.typed() && b.equal(x.left, y.left) && b.equal(x.terms, y.terms) {
		return true
	}
	// Where a side has errors, as when a set was renamed and its users were not, equal text is
	// no change: the error says what is wrong.
	if x.source != "" && x.source == y.source && !(x.typed() && y.typed()) {
		return true
	}
	if len(x.trees) == 0 || slices.Contains(x.trees, nil) || slices.Contains(y.trees, nil) {
		return x.says == y.says || x.source != "" && x.source == y.source
	}
	return slices.EqualFunc(x.trees, y.trees, func(f, g *lang.Formula) bool { return equalTrees(f, g, x.rename) })
}

func (e *Element) typed() bool { return len(e.terms) > 0 }

func (b bank) equal(xs, ys []logic.Term) bool {
	return slices.EqualFunc(xs, ys, func(s, t logic.Term) bool { return b.Bare(s) == b.Bare(t) })
}

// equalTrees reports whether f, under new names, is g.
func equalTrees(f, g *lang.Formula, rename func(string) string) bool {
	if f == nil || g == nil {
		return f == g
	}
	name := f.Name
	if f.Op == logic.Free {
		name = rename(name)
	}
	return f.Op == g.Op && name == g.Name && f.Form == g.Form && equalTrees(f.Oftype, g.Oftype, rename) &&
		slices.EqualFunc(f.Args, g.Args, func(x, y *lang.Formula) bool { return equalTrees(x, y, rename) }) &&
		slices.EqualFunc(f.Decls, g.Decls, func(x, y lang.Decl) bool {
			return x.Name == y.Name && equalTrees(x.Oftype, y.Oftype, rename)
		})
}

// bank is the bank of one review: terms of both sides, under their new names.
type bank struct{ *logic.Bank }

func number(n int) string { return strconv.Itoa(n) }
