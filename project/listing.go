package project

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/lang"
)

// Listing is a component as its author wrote it, line by line, for people to read.
type Listing struct {
	Kind      string // "context" or "machine"
	Component string
	Lines     []Line
}

// Line is a keyword, a name, or a labelled formula.
type Line struct {
	Depth   int
	Keyword string   // "invariants", "event", …; it stands before the name
	Name    string   // of a component, an event, an identifier
	Label   string   // of a formula
	Theorem bool     // the formula is one
	Formula []string // in lines
	Comment string
	Element string // the path of the element that begins here: component/event/label; "" for keywords
}

// listingWidth is where formulas of listings are broken, where they can be.
const listingWidth = 72

// Listings are the components of p in the order of its files.
func (p *Project) Listings() []Listing {
	var out []Listing
	for _, f := range p.Files {
		for _, c := range f.Components {
			out = append(out, listingOf(c))
		}
	}
	return out
}

// lister collects the lines of one component.
type lister struct {
	component, event string
	depth            int
	lines            []Line
}

// listingOf lists a component line by line.
func listingOf(c *lang.Component) Listing {
	l := &lister{component: c.Name.Text}
	kind := "context"
	if c.Kind == lang.MachineKind {
		kind = "machine"
	}
	l.put(Line{Keyword: kind, Name: c.Name.Text, Comment: c.Doc, Element: c.Name.Text})
	for _, x := range []struct {
		keyword string
		names   []lang.Name
	}{{"extends", c.Extends}, {"refines", c.Refines}, {"sees", c.Sees}, {"sets", c.Sets}, {"constants", c.Constants}, {"variables", c.Variables}} {
		l.names(x.keyword, x.names)
	}
	l.predicates("axioms", "axm", c.Axioms)
	l.predicates("invariants", "inv", c.Invariants)
	for i, v := range c.Variants {
		if i == 0 {
			l.put(Line{Keyword: "variant"})
		}
		// A single variant needs no label in the listing, but its obligations still name it.
		label := v.Label.Text
		if len(c.Variants) == 1 {
			label = ""
		}
		l.formula(Line{Label: label, Comment: v.Doc, Element: l.path(v.Label.Text)}, v.Formula, v.Source.Text)
	}
	if len(c.Events) > 0 {
		l.put(Line{Keyword: "events"})
	}
	for _, e := range c.Events {
		l.eventLines(e)
	}
	l.put(Line{Keyword: "end"})
	return Listing{kind, c.Name.Text, l.lines}
}

func (l *lister) put(x Line) {
	x.Depth = l.depth
	x.Comment = unstarred(x.Comment)
	l.lines = append(l.lines, x)
}

// path is that of an element with a label, here.
func (l *lister) path(label string) string {
	parts := []string{l.component, l.event, label}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "/")
}

// names lists the names of a clause: in one line if nothing is said of them.
func (l *lister) names(keyword string, names []lang.Name) {
	if len(names) == 0 {
		return
	}
	if !slices.ContainsFunc(names, func(n lang.Name) bool { return n.Doc != "" }) {
		var words []string
		for _, n := range names {
			words = append(words, n.Text)
		}
		l.put(Line{Keyword: keyword, Name: strings.Join(words, ", ")})
		return
	}
	l.put(Line{Keyword: keyword})
	l.depth++
	defer func() { l.depth-- }()
	// Names of which nothing is said share a line until one comes of which something is.
	last := false
	for _, n := range names {
		plain := n.Doc == ""
		if before := len(l.lines) - 1; plain && last {
			l.lines[before].Name += ", " + n.Text
			l.lines[before].Element = ""
		} else {
			l.put(Line{Name: n.Text, Comment: n.Doc, Element: l.path(n.Text)})
		}
		last = plain
	}
}

func (l *lister) predicates(keyword, prefix string, list []*lang.Predicate) {
	var names []lang.Name
	for _, p := range list {
		names = append(names, p.Label)
	}
	// Obligations speak of labels, also where the author gave none.
	labels := lang.Numbered(prefix, names, func(string) bool { return false })
	for i, p := range list {
		if i == 0 {
			l.put(Line{Keyword: keyword})
		}
		l.formula(Line{Label: labels[i].Text, Theorem: p.Theorem, Comment: p.Doc, Element: l.path(labels[i].Text)}, p.Formula, p.Source.Text)
	}
}

func (l *lister) formula(x Line, f *lang.Formula, source string) {
	x.Formula = strings.Split(strings.TrimSpace(source), "\n")
	if f != nil {
		x.Formula = f.Lines(listingWidth)
	}
	l.depth++
	l.put(x)
	l.depth--
}

func (l *lister) eventLines(e *lang.Event) {
	// eventLines lists an event.
	l.depth++
	l.event = e.Label.Text
	keyword := [...]string{"", "convergent ", "anticipated "}[e.Convergence] + "event"
	l.put(Line{Keyword: keyword, Name: e.Label.Text, Comment: e.Doc, Element: l.path("")})
	l.depth++
	refines := "refines"
	if e.Extended {
		refines = "extends"
	}
	l.names(refines, e.Refines)
	l.names("any", e.Parameters)
	l.predicates("where", "grd", e.Guards)
	l.predicates("with", "", e.Witnesses)
	var names []lang.Name
	for _, a := range e.Actions {
		names = append(names, a.Label)
	}
	// Actions without a label get the name under which obligations know them.
	labels := lang.Numbered("act", names, func(string) bool { return false })
	for i, a := range e.Actions {
		if i == 0 {
			l.put(Line{Keyword: "then"})
		}
		x := Line{Label: labels[i].Text, Comment: a.Doc, Element: l.path(labels[i].Text), Formula: strings.Split(strings.TrimSpace(a.Source.Text), "\n")}
		if a.Assignment != nil {
			x.Formula = a.Assignment.Lines(listingWidth)
		}
		l.depth++
		l.put(x)
		l.depth--
	}
	l.depth--
	l.put(Line{Keyword: "end"})
	l.event = ""
	l.depth--
}

// unstarred is the text of a comment without the stars at the beginning of its lines.
func unstarred(text string) string {
	var out []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		out = append(out, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "*")))
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}
