package rodin

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/lang"
)

// elementOf returns the root element of the file of c, without element names.
func elementOf(component *lang.Component) *element {
	root := &element{kind: "contextFile"}
	root.set("version", contextVersion)
	if component.Kind == lang.MachineKind {
		root = &element{kind: "machineFile"}
		root.set("version", machineVersion)
	}
	if !component.NoConfiguration {
		root.set("configuration", plainConfiguration)
	}
	root.comment(component.Doc)
	// Kinds of elements stand in the order in which Rodin's editor shows them.
	if component.Kind == lang.ContextKind {
		root.names("extendsContext", "target", component.Extends)
		root.names("carrierSet", "identifier", component.Sets)
		root.names("constant", "identifier", component.Constants)
		root.predicates("axiom", component.Axioms)
		return root
	}
	root.names("refinesMachine", "target", component.Refines)
	root.names("seesContext", "target", component.Sees)
	root.names("variable", "identifier", component.Variables)
	root.predicates("invariant", component.Invariants)
	for _, variant := range component.Variants {
		x := root.add("variant")
		x.comment(variant.Doc)
		x.given("expression", sourceText(variant.Source, variant.Formula, lang.ParseExpression), variant.Source.Absent)
		x.given("label", variant.Label.Text, variant.Label.Text == defaultVariant)
	}
	for _, event := range component.Events {
		root.event(event)
	}
	return root
}

// plainConfiguration is that of components which need no plug-in.
const plainConfiguration = "org.eventb.core.fwd"

func (e *element) add(kind string) *element {
	x := &element{kind: kind}
	e.children = append(e.children, x)
	return x
}

func (e *element) set(name, value string) {
	e.attrs = append(e.attrs, attribute{name: name, value: value})
}

// given sets an attribute unless it is absent.
func (e *element) given(name, value string, absent bool) {
	if !absent {
		e.set(name, value)
	}
}

func (e *element) comment(doc string) { e.given("comment", doc, doc == "") }

func (e *element) names(kind, attr string, names []lang.Name) {
	for _, n := range names {
		x := e.add(kind)
		x.comment(n.Doc)
		x.given(attr, n.Text, n.Absent)
	}
}

func (e *element) predicates(kind string, ps []*lang.Predicate) {
	for _, p := range ps {
		x := e.add(kind)
		x.comment(p.Doc)
		x.given("label", p.Label.Text, p.Label.Absent)
		x.given("predicate", sourceText(p.Source, p.Formula, lang.ParsePredicate), p.Source.Absent)
		x.given("theorem", "true", !p.Theorem)
	}
}

// event adds an event with its parts.
func (e *element) event(ev *lang.Event) {
	x := e.add("event")
	x.comment(ev.Doc)
	x.given("convergence", strconv.Itoa(int(ev.Convergence)), ev.NoConvergence)
	x.given("extended", strconv.FormatBool(ev.Extended), ev.NoExtended)
	x.given("label", ev.Label.Text, ev.Label.Absent)
	x.names("refinesEvent", "target", ev.Refines)
	x.names("parameter", "identifier", ev.Parameters)
	x.predicates("guard", ev.Guards)
	x.predicates("witness", ev.Witnesses)
	for _, action := range ev.Actions {
		y := x.add("action")
		y.given("assignment", assignmentText(action), action.Source.Absent)
		y.comment(action.Doc)
		y.given("label", action.Label.Text, action.Label.Absent)
	}
}

// base is what the name of e in the file is made from.
func (e *element) base() string {
	for _, a := range []string{"label", "identifier", "target"} {
		if v := e.text(a); v != "" {
			return v
		}
	}
	if e.kind == "variant" {
		return defaultVariant
	}
	return ""
}

// nameChildren gives the elements below e that lack one a name that no sibling of
// that kind has, of characters that need no escape in XML and in handles.
func (e *element) nameChildren() {
	taken := map[string]int{} // kind#name: how often it was wanted
	for _, c := range e.children {
		if name := c.text("name"); name != "" {
			taken[c.kind+"#"+name] = 1
		}
	}
	for _, c := range e.children {
		c.nameChildren()
		if _, named := c.get("name"); named || !isCore(c.kind) {
			continue
		}
		clean := strings.Map(func(char rune) rune {
			if char < 0x80 && (char == '_' || char == '-' || char == '.' || '0' <= char && char <= '9' || 'A' <= char && char <= 'Z' || 'a' <= char && char <= 'z') {
				return char
			}
			return '_'
		}, c.base())
		if clean == "" {
			clean = c.kind
		}
		name := clean
		for taken[c.kind+"#"+name] > 0 {
			taken[c.kind+"#"+clean]++
			name = clean + "." + strconv.Itoa(taken[c.kind+"#"+clean])
		}
		taken[c.kind+"#"+name] = 1
		c.set("name", name)
	}
}

// isCore reports whether a kind of element belongs to Event-B itself. Names of
// plug-ins are written out, with dots or a namespace.
func isCore(kind string) bool { return !strings.ContainsAny(kind, ".:") }

// encode writes a file as Rodin does, with one indent a level.
func encode(root *element, indent string) []byte {
	var w bytes.Buffer
	w.WriteString(`<?xml version="1.0" encoding="UTF-8" standalone="no"?>` + "\n")
	root.write(&w, indent, "")
	return w.Bytes()
}

// write writes an element as XML, with its attributes in Rodin's order.
func (e *element) write(w *bytes.Buffer, indent, at string) {
	kind := cmp.Or(e.raw, fullName(e.kind))
	w.WriteString(at + "<" + kind)
	attrs := slices.Clone(e.attrs)
	slices.SortStableFunc(attrs, func(a, b attribute) int { return strings.Compare(a.order(), b.order()) })
	for _, attr := range attrs {
		w.WriteString(" " + attr.fullName() + `="` + escape(attr.value) + `"`)
	}
	if len(e.children) == 0 && at != "" {
		w.WriteString("/>\n")
		return
	}
	w.WriteString(">\n")
	for _, c := range e.children {
		c.write(w, indent, at+indent)
	}
	w.WriteString(at + "</" + kind + ">\n")
}

// order sorts attributes as Rodin does: the name of the element first, the
// version of the file last.
func (a attribute) order() string {
	switch a.name {
	case "name":
		return ""
	case "version":
		return "~"
	}
	return a.fullName()
}

// fullName is the name of a in the file.
func (a attribute) fullName() string {
	if a.raw == "" && (a.name == "name" || a.name == "version") {
		return a.name
	}
	return cmp.Or(a.raw, fullName(a.name))
}

func fullName(name string) string {
	if isCore(name) {
		return prefix + name
	}
	return name
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\t", "&#9;", "\n", "&#10;", "\r", "&#13;")

// escape writes s as the value of an attribute. What XML has no way to write
// becomes U+FFFD.
func escape(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return utf8.RuneError
		}
		return r
	}, s)
	return escapes.Replace(s)
}
