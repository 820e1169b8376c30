package merge

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// chunk is the text of one element: from the end of the one before it, so that
// comments and words in front of it belong to it, to its own end.
type chunk struct {
	key    string // tells elements of a file apart
	parent string // key of the chunk without which this one has no place; "" for a component
	text   string
	heads  bool // a component or an event, which is one thing with its parts
}

// says is the text without its layout, for comparing.
func (c chunk) says() string { return strings.Join(strings.Fields(c.text), " ") }

// mark is the place where an element ends.
type mark struct {
	end         int
	key, parent string
	heads       bool
}

var errUnreadable = errors.New("the text has errors")

// split cuts a model into its elements. The chunks, in their order, are the whole
// text; the last one has the key "" and holds what stands behind all elements.
func split(name string, src []byte) ([]chunk, error) {
	var problems diag.List
	file := lang.Parse(name, src, &problems)
	if problems.HasErrors() {
		return nil, errUnreadable
	}
	var m marker
	for _, component := range file.Components {
		m.component(component)
	}
	slices.SortStableFunc(m.marks, func(a, b mark) int { return cmp.Compare(a.end, b.end) })
	var out []chunk
	seen := map[string]bool{}
	at := 0
	for _, x := range m.marks {
		end := lineEnd(src, x.end)
		if seen[x.key] || end < at {
			return nil, fmt.Errorf("two elements are called %s", x.key)
		}
		seen[x.key] = true
		out = append(out, chunk{x.key, x.parent, string(src[at:end]), x.heads})
		at = end
	}
	return append(out, chunk{text: string(src[at:])}), nil
}

// lineEnd moves the end of an element behind its line, if only a comment follows
// on it.
func lineEnd(src []byte, end int) int {
	rest := string(src[end:])
	line, _, more := strings.Cut(rest, "\n")
	if t := strings.TrimSpace(line); t != "" && !strings.HasPrefix(t, "//") {
		return end
	}
	if more {
		return end + len(line) + 1
	}
	return len(src)
}

// marker collects the marks of a file.
type marker struct{ marks []mark }

func (m *marker) add(end int, key, parent string) {
	if end > 0 {
		m.marks = append(m.marks, mark{end: end, key: key, parent: parent})
	}
}

// head is add of a component or an event.
func (m *marker) head(end int, key, parent string) {
	if end > 0 {
		m.marks = append(m.marks, mark{end, key, parent, true})
	}
}

func (m *marker) component(c *lang.Component) {
	kind := "context "
	if c.Kind == lang.MachineKind {
		kind = "machine "
	}
	key := kind + c.Name.Text
	m.head(c.Name.Span.To, key, "")
	clause := m.clauses(key, c.Clauses)
	m.names(clause("extends"), "extends", c.Extends)
	m.names(clause("refines"), "refines", c.Refines)
	m.names(clause("sees"), "sees", c.Sees)
	m.names(clause("sets"), "set", c.Sets)
	m.names(clause("constants"), "constant", c.Constants)
	m.names(clause("variables"), "variable", c.Variables)
	m.predicates(clause("axioms"), "axiom", c.Axioms)
	m.predicates(clause("invariants"), "invariant", c.Invariants)
	for i, variant := range c.Variants {
		m.add(variant.Source.Span.To, labelled(key+"/variant", variant.Label, i), clause("variant")(variant.Source.Span.From))
	}
	for _, event := range c.Events {
		m.event(key, clause("events")(event.Label.Span.From), event)
	}
}

func (m *marker) event(component, parent string, e *lang.Event) {
	key := component + "/event " + e.Label.Text
	m.head(e.Label.Span.To, key, parent)
	for _, name := range e.Refines {
		m.add(name.Span.To, key+"/refines "+name.Text, key)
	}
	clause := m.clauses(key, e.Clauses)
	m.names(clause("any"), "parameter", e.Parameters)
	m.predicates(clause("where"), "guard", e.Guards)
	m.predicates(clause("with"), "witness", e.Witnesses)
	for i, action := range e.Actions {
		parent := clause("then")(action.Source.Span.From)
		m.add(action.Source.Span.To, labelled("action", action.Label, i)+" of "+parent, parent)
	}
}

// clauses marks the keywords of clauses. What it returns finds the key of the
// clause of a keyword that something at a given place stands in.
func (m *marker) clauses(key string, list []lang.Clause) func(keyword string) func(at int) string {
	count := map[string]int{}
	keys := make([]string, len(list))
	for i, c := range list {
		count[c.Keyword]++
		keys[i] = fmt.Sprintf("%s/%s", key, c.Keyword)
		if n := count[c.Keyword]; n > 1 {
			keys[i] += fmt.Sprint(" ", n)
		}
		m.add(c.Span.To, keys[i], key)
	}
	return func(keyword string) func(int) string {
		return func(at int) string {
			found := key
			for i, c := range list {
				if c.Keyword == keyword && c.Span.From <= at {
					found = keys[i]
				}
			}
			return found
		}
	}
}

func (m *marker) names(clause func(int) string, kind string, names []lang.Name) {
	for _, n := range names {
		parent := clause(n.Span.From)
		m.add(n.Span.To, kind+" "+n.Text+" of "+parent, parent)
	}
}

func (m *marker) predicates(clause func(int) string, kind string, list []*lang.Predicate) {
	for i, p := range list {
		parent := clause(p.Source.Span.From)
		m.add(p.Source.Span.To, labelled(kind, p.Label, i)+" of "+parent, parent)
	}
}

// labelled is the key of an element, by its label or by its number.
func labelled(kind string, label lang.Name, i int) string {
	if label.Absent {
		return fmt.Sprintf("%s %d", kind, i+1)
	}
	return kind + " @" + label.Text
}
