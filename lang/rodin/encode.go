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
func elementOf(c *lang.Component) *element {
	root := &element{kind: "contextFile"}
	root.set("version", contextVersion)
	if c.Kind == lang.MachineKind {
		root = &element{kind: "machineFile"}
		root.set("version", machineVersion)
	}
	if !c.NoConfiguration {
		root.set("configuration", plainConfiguration)
	}
	root.comment(c.Doc)
	// Kinds of elements stand in the order in which Rodin's editor shows them.
	if c.Kind == lang.ContextKind {
		root.names("extendsContext", "target", c.Extends)
		root.names("carrierSet", "identifier", c.Sets)
		root.names("constant", "identifier", c.Constants)
		root.predicates("axiom", c.Axioms)
		return root
	}
	root.names("refinesMachine", "target", c.Refines)
	root.names("seesContext", "target", c.Sees)
	root.names("variable", "identifier", c.Variables)
	root.predicates("invariant", c.Invariants)
	for _, v := range c.Variants {
		x := root.add("variant")
		x.comment(v.Doc)
		x.given("expression", sourceText(v.Source, v.Formula, lang.ParseExpression), v.Source.Absent)
		x.given("label", v.Label.Text, v.Label.Text == defaultVariant)
	}
	for _, e := range c.Events {
		root.event(e)
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
	for _, a := range ev.Actions {
		y := x.add("action")
		y.given("assignment", assignmentText(a), a.Source.Absent)
		y.comment(a.Doc)
		y.given("label", a.Label.Text, a.Label.Absent)
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
		clean := strings.Map(func(r rune) rune {
			if r < 0x80 && (r == '_' || r == '-' || r == '.' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z') {
				return r
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

func (e *element) write(w *bytes.Buffer, indent, at string) {
	kind := cmp.Or(e.raw, fullName(e.kind))
	w.WriteString(at + "<" + kind)
	attrs := slices.Clone(e.attrs)
	slices.SortStableFunc(attrs, func(a, b attribute) int { return strings.Compare(a.order(), b.order()) })
	for _, a := range attrs {
		w.WriteString(" " + a.fullName() + `="` + escape(a.value) + `"`)
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

// fullName is the name of a as it stands in the file.
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
