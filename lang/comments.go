package lang

import (
	"slices"
	"sort"
	"strings"
)

// An anchor is an element of a file that comments can belong to.
type anchor struct {
	from, to            int
	firstLine, lastLine int
	doc                 *string // nil if the element keeps no comment text
}

// notes are the comments that belong to one element.
type notes struct {
	before []Comment // on lines of their own, above it
	after  []Comment // behind it, on its last line
}

// anchors lists the elements of f in source order.
func anchors(file *File) []anchor {
	var list []anchor
	add := func(from, to, firstLine, lastLine int, doc *string) {
		if to > 0 {
			list = append(list, anchor{from, to, firstLine, lastLine, doc})
		}
	}
	names := func(ns []Name) {
		for i := range ns {
			add(ns[i].Span.From, ns[i].Span.To, ns[i].Span.Line, lineBehind(ns[i]), &ns[i].Doc)
		}
	}
	source := func(label Name, src Source, doc *string) {
		first := src.Span
		if span := label.Span; !span.IsZero() && span.From < first.From {
			first = span
		}
		add(first.From, src.Span.To, first.Line, src.Span.Line+strings.Count(src.Text, "\n"), doc)
	}
	predicates := func(ps []*Predicate) {
		for _, predicate := range ps {
			source(predicate.Label, predicate.Source, &predicate.Doc)
		}
	}
	header := func(from, firstLine int, name Name, doc *string, cs []Clause, refs ...[]Name) {
		to, line := headerEnd(name, cs, refs)
		add(from, to, firstLine, line, doc)
		for _, c := range cs {
			if c.Span.From >= to {
				add(c.Span.From, c.Span.To, c.Span.Line, c.Span.Line, nil)
			}
		}
		// Names on the line of the header share its comments: one behind the line
		// belongs to the whole element.
		for _, ns := range refs {
			i := 0
			for i < len(ns) && ns[i].Span.From < to {
				i++
			}
			names(ns[i:])
		}
	}
	for _, component := range file.Components {
		header(component.Span.From, component.Span.Line, component.Name, &component.Doc, component.Clauses, component.Extends, component.Refines, component.Sees)
		for _, ns := range [][]Name{component.Sets, component.Constants, component.Variables} {
			names(ns)
		}
		predicates(component.Axioms)
		predicates(component.Invariants)
		for _, variant := range component.Variants {
			source(variant.Label, variant.Source, &variant.Doc)
		}
		for _, event := range component.Events {
			header(event.Span.From, event.Span.Line, event.Label, &event.Doc, event.Clauses, event.Refines)
			names(event.Parameters)
			predicates(event.Guards)
			predicates(event.Witnesses)
			for _, action := range event.Actions {
				source(action.Label, action.Source, &action.Doc)
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].from < list[j].from })
	return list
}

// lineBehind is the line that n ends on; a quoted name may hold line breaks.
func lineBehind(n Name) int { return n.Span.Line + strings.Count(n.Text, "\n") }

// headerEnd is where the header of a component or event ends: behind its name,
// or behind the clauses that name others, as far as they stand on the same line.
func headerEnd(name Name, clauses []Clause, refs [][]Name) (to, line int) {
	to, line = name.Span.To, lineBehind(name)
	limit := len(clauses)
	for i, c := range clauses {
		inHeader := c.Keyword == "extends" || c.Keyword == "refines" || c.Keyword == "sees" || c.Keyword == "status"
		if !inHeader || c.Span.Line != lineBehind(name) {
			limit = i
			break
		}
		to = c.Span.To
	}
	for _, n := range slices.Concat(refs...) {
		before := limit == len(clauses) || n.Span.From < clauses[limit].Span.From
		if before && n.Span.Line == line && n.Span.To > to {
			to, line = n.Span.To, lineBehind(n)
		}
	}
	return to, line
}

// belongings assigns the comments of f to elements, by the elements' first byte.
// Comments inside formulas belong to none: they are part of the source text.
// Those behind the last element are returned apart.
func belongings(file *File) (map[int]*notes, []Comment) {
	list := anchors(file)
	of := map[int]*notes{}
	at := func(a anchor) *notes {
		if of[a.from] == nil {
			of[a.from] = &notes{}
		}
		return of[a.from]
	}
	inside := formulaRanges(file)
	var rest []Comment
	for _, c := range file.Comments {
		if inside(c.Span.From) {
			continue
		}
		next := sort.Search(len(list), func(i int) bool { return list[i].from > c.Span.From })
		if next > 0 && list[next-1].to > c.Span.From {
			at(list[next-1]).before = append(at(list[next-1]).before, c) // within its header
		} else if next > 0 && list[next-1].lastLine == c.Span.Line {
			at(list[next-1]).after = append(at(list[next-1]).after, c)
		} else if next < len(list) {
			at(list[next]).before = append(at(list[next]).before, c)
		} else {
			rest = append(rest, c)
		}
	}
	return of, rest
}

// formulaRanges returns a test whether an offset lies inside a formula.
func formulaRanges(f *File) func(int) bool {
	var list []Source
	eachSource(f, func(s *Source) { list = append(list, *s) })
	sort.Slice(list, func(i, j int) bool { return list[i].Span.From < list[j].Span.From })
	return func(at int) bool {
		i := sort.Search(len(list), func(i int) bool { return list[i].Span.From > at })
		return i > 0 && at < list[i-1].Span.To
	}
}

// eachSource visits the formulas of f as sources.
func eachSource(file *File, visit func(*Source)) {
	predicates := func(ps []*Predicate) {
		for _, predicate := range ps {
			visit(&predicate.Source)
		}
	}
	for _, component := range file.Components {
		predicates(component.Axioms)
		predicates(component.Invariants)
		for _, variant := range component.Variants {
			visit(&variant.Source)
		}
		for _, event := range component.Events {
			predicates(event.Guards)
			predicates(event.Witnesses)
			for _, action := range event.Actions {
				visit(&action.Source)
			}
		}
	}
}

// attachDocs gives every element the text of the comments that belong to it:
// those directly above it, without an empty line between, and those behind it.
func attachDocs(file *File) {
	of, _ := belongings(file)
	for _, a := range anchors(file) {
		if n := of[a.from]; n != nil && a.doc != nil {
			var texts []string
			for _, c := range n.of(a) {
				texts = append(texts, c.content())
			}
			*a.doc = strings.Join(texts, "\n")
		}
	}
}

// of lists the comments whose text element a keeps.
func (n *notes) of(a anchor) []Comment {
	var out []Comment
	line := 0
	for _, c := range n.before {
		if c.Span.Line > line+1 {
			out = nil // an empty line separates
		}
		line = lastLine(c)
		out = append(out, c)
	}
	if len(out) > 0 && a.firstLine > line+1 {
		out = nil
	}
	return append(out, n.after...)
}

// Loose returns the comments of f that belong to no element, so that the text
// alone has them.
func Loose(file *File) []Comment {
	of, _ := belongings(file)
	kept := map[int]bool{} // by first byte
	for _, a := range anchors(file) {
		if n := of[a.from]; n != nil && a.doc != nil {
			for _, c := range n.of(a) {
				kept[c.Span.From] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(file.Comments), func(c Comment) bool { return kept[c.Span.From] })
}

func lastLine(c Comment) int { return c.Span.Line + strings.Count(c.Text, "\n") }

// content is the text of c without its delimiters.
func (c Comment) content() string {
	switch {
	case strings.HasPrefix(c.Text, "//"):
		return strings.TrimPrefix(c.Text[2:], " ")
	case strings.HasPrefix(c.Text, "\""):
		return strings.Trim(c.Text, "\"")
	}
	text := strings.TrimSuffix(strings.TrimPrefix(c.Text, "/*"), "*/")
	return strings.TrimSuffix(strings.TrimPrefix(text, " "), " ")
}
