package lang

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/lang/internal/scan"
)

// Options say how Format spells and wraps.
type Options struct {
	ASCII bool // ASCII spellings of operators
	Width int  // longest line, where a formula can be broken; 0 means 100
}

const indentStep = 4

// Format writes f in the canonical layout. Comments stay with the elements that
// they belong to; a formula with comments inside keeps its lines. Parse reads
// the result as f again, and Format of that is the same text.
func Format(file *File, o Options) []byte {
	if o.Width == 0 {
		o.Width = 100
	}
	p := &printer{layouter: layouter{ascii: o.ASCII}, width: o.Width, fromText: len(file.Comments) > 0}
	var rest []Comment
	p.notes, rest = belongings(file)
	for i, component := range file.Components {
		if i > 0 {
			p.out.WriteByte('\n')
		}
		p.component(component)
	}
	if len(rest) > 0 && len(file.Components) > 0 {
		p.out.WriteByte('\n')
	}
	for _, c := range rest {
		p.line(c.Text)
	}
	return p.out.Bytes()
}

type printer struct {
	layouter
	out      bytes.Buffer
	width    int
	depth    int
	notes    map[int]*notes
	fromText bool // comments are in notes; otherwise the elements' Doc holds them
	last     int  // the source line that the element before ended on; 0 if unknown
}

func (p *printer) indent() string { return strings.Repeat(" ", p.depth*indentStep) }

// line writes one line, which may hold line breaks of a comment.
func (p *printer) line(text string) {
	if text != "" {
		p.out.WriteString(p.indent())
	}
	p.out.WriteString(text)
	p.out.WriteByte('\n')
}

// site is where an element stands in the source: its first byte, its lines.
type site struct{ from, first, last int }

func siteOf(n Name) site { return site{n.Span.From, n.Span.Line, lineBehind(n)} }

// element writes the lines of an element with the comments that belong to it,
// and one empty line before it if there were some in the source.
func (p *printer) element(at site, doc string, lines []string) {
	lines = slices.Clone(lines)
	n := p.notes[at.from]
	first := at.first
	if p.fromText && n != nil && len(n.before) > 0 {
		first = n.before[0].Span.Line
	}
	if p.last > 0 && first > p.last+1 {
		p.line("")
	}
	p.last = at.last
	if p.fromText && n != nil {
		p.above(n.before, at.first)
		for _, c := range n.after {
			lines[len(lines)-1] += " " + c.Text
			p.last = max(p.last, lastLine(c))
		}
	} else if !p.fromText && doc != "" {
		// Rodin keeps a comment as a text of its own. Blanks at the end of a line are
		// part of it, so only an empty line may lose the one behind //.
		texts := strings.Split(doc, "\n")
		for i, t := range texts {
			texts[i] = strings.TrimSuffix("// "+t, " ")
			if t != strings.TrimSuffix(t, " ") {
				texts[i] = "// " + t
			}
		}
		if len(texts) == 1 {
			lines[len(lines)-1] += " " + texts[0]
		} else {
			for _, t := range texts {
				p.line(t)
			}
		}
	}
	for _, line := range lines {
		p.line(line)
	}
}

// above writes comments, and keeps the empty lines behind them.
func (p *printer) above(comments []Comment, next int) {
	for i, c := range comments {
		p.line(c.Text)
		following := next
		if i+1 < len(comments) {
			following = comments[i+1].Span.Line
		}
		if following > lastLine(c)+1 {
			p.line("")
		}
	}
}

// hasNotes reports whether one of ns has comments of its own.
func (p *printer) hasNotes(ns []Name) bool {
	return slices.ContainsFunc(ns, func(n Name) bool {
		if p.fromText {
			return p.notes[n.Span.From] != nil
		}
		return n.Doc != ""
	})
}

// clause writes the keyword of a clause; its place among clauses is that of the
// first of that name.
func (p *printer) clause(clauses []Clause, keyword, text string) {
	for _, c := range clauses {
		if c.Keyword == keyword {
			p.element(site{c.Span.From, c.Span.Line, c.Span.Line}, "", []string{text})
			p.last = 0
			return
		}
	}
	p.line(text)
	p.last = 0
}

// names writes a clause that is a list of names, on one line if it fits.
func (p *printer) names(clauses []Clause, keyword string, ns []Name, quote func(string, level) string) {
	if len(ns) == 0 {
		return
	}
	words := make([]string, len(ns))
	for i, name := range ns {
		words[i] = quote(name.Text, p.at)
	}
	if one := keyword + " " + strings.Join(words, " "); !p.hasNotes(ns) && utf8.RuneCountInString(one)+p.depth*indentStep <= p.width {
		p.clause(clauses, keyword, one)
		return
	}
	p.clause(clauses, keyword, keyword)
	p.depth++
	defer func() { p.depth-- }()
	if p.hasNotes(ns) {
		for i, name := range ns {
			p.element(siteOf(name), name.Doc, []string{words[i]})
		}
		return
	}
	// Names without comments fill lines, as words do in a paragraph.
	line := words[0]
	for _, w := range words[1:] {
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(w)+p.depth*indentStep > p.width {
			p.line(line)
			line = w
			continue
		}
		line += " " + w
	}
	p.line(line)
}

// component prints a context or machine.
func (p *printer) component(c *Component) {
	word := "context "
	p.at = inContext
	if c.Kind == MachineKind {
		word = "machine "
		p.at = inMachine
	}
	p.last = 0
	p.element(site{c.Span.From, c.Span.Line, 0}, c.Doc, []string{word + quoteRef(c.Name.Text, p.at)})
	// The order of clauses is that of dependence, whatever order the source has: what
	// is built on, what is declared, what is said of it.
	p.names(c.Clauses, "extends", c.Extends, quoteRef)
	p.names(c.Clauses, "refines", c.Refines, quoteRef)
	p.names(c.Clauses, "sees", c.Sees, quoteRef)
	p.names(c.Clauses, "sets", c.Sets, quoteName)
	p.names(c.Clauses, "constants", c.Constants, quoteName)
	p.names(c.Clauses, "variables", c.Variables, quoteName)
	p.predicates(c.Clauses, "axioms", c.Axioms)
	p.predicates(c.Clauses, "invariants", c.Invariants)
	p.variants(c)
	if len(c.Events) > 0 {
		p.clause(c.Clauses, "events", "events")
		p.depth++
		for i, event := range c.Events {
			if i > 0 {
				p.out.WriteByte('\n')
			}
			p.at = inEvent
			p.event(event)
		}
		p.depth--
	}
	p.end(c.Clauses)
}

// end writes the end of a component or event; comments before it are indented
// like the clauses' contents.
func (p *printer) end(clauses []Clause) {
	i := slices.IndexFunc(clauses, func(c Clause) bool { return c.Keyword == "end" })
	if i < 0 || !p.fromText || p.notes[clauses[i].Span.From] == nil {
		p.line("end")
		return
	}
	n := p.notes[clauses[i].Span.From]
	p.depth++
	p.above(n.before, 0)
	p.depth--
	line := "end"
	for _, c := range n.after {
		line += " " + c.Text
	}
	p.line(line)
}

// marked writes a formula behind its label.
func (p *printer) marked(mark string, label Name, src Source, doc string, lines func(width int) []string) {
	if !label.Absent {
		mark += quoteLabel(label.Text) + " "
	}
	width := p.width - p.depth*indentStep
	at := utf8.RuneCountInString(mark)
	var text []string
	if inner := p.fromText && hasComment(src.Text); inner {
		text = p.verbatim(src.Text)
		text[0] = mark + text[0]
		for i, line := range text[1:] {
			text[i+1] = "    " + line
		}
	} else if text = lines(width - at); len(text) == 1 || at <= 16 {
		text = hang(mark, text)
	} else {
		text = append([]string{strings.TrimSuffix(mark, " ")}, hang("    ", lines(width-4))...)
	}
	first := src.Span
	if span := label.Span; !span.IsZero() && span.From < first.From {
		first = span
	}
	p.element(site{first.From, first.Line, src.Span.Line + strings.Count(src.Text, "\n")}, doc, text)
}

// hasComment reports whether the text of a formula holds a comment.
func hasComment(text string) bool {
	return slices.ContainsFunc(scan.All(text, scan.Text), func(t scan.Token) bool { return t.Kind == scan.Comment })
}

// formula lays f out, or what there is of its source.
func (p *printer) formula(f *Formula, src Source) func(int) []string {
	return func(width int) []string {
		if f == nil {
			return strings.Split(strings.TrimSpace(src.Text), "\n")
		}
		return p.lines(f, width)
	}
}

// predicates writes a clause of predicates. One without label and mark can only
// stand first, so the keyword is repeated before such a one elsewhere.
func (p *printer) predicates(clauses []Clause, keyword string, list []*Predicate) {
	for i, predicate := range list {
		mark := ""
		if predicate.Theorem {
			mark = "theorem "
		}
		if i == 0 {
			p.clause(clauses, keyword, keyword)
		} else if mark == "" && predicate.Label.Absent && (list[i-1].Theorem || !list[i-1].Label.Absent) {
			p.line(keyword)
		}
		p.depth++
		p.marked(mark, predicate.Label, predicate.Source, predicate.Doc, p.formula(predicate.Formula, predicate.Source))
		p.depth--
	}
}

func (p *printer) variants(component *Component) {
	for i, variant := range component.Variants {
		if i == 0 {
			p.clause(component.Clauses, "variant", "variant")
		}
		label := variant.Label
		if len(component.Variants) == 1 && label.Text == defaultVariant && (label.Span.IsZero() || label.Span.From == variant.Source.Span.From) {
			label = Name{Absent: true}
		}
		p.depth++
		p.marked("", label, variant.Source, variant.Doc, p.formula(variant.Formula, variant.Source))
		p.depth--
	}
}

// event prints an event, on as few lines as its refinements and comments allow.
func (p *printer) event(e *Event) {
	header := [...]string{"", "convergent ", "anticipated "}[e.Convergence] + "event " + quoteRef(e.Label.Text, p.at)
	refines, keyword := e.Refines, "refines"
	if e.Extended {
		keyword = "extends"
		// Rodin understands what an extended initialisation extends; the text says it.
		if len(refines) == 0 && e.Label.Text == Initialisation {
			refines = []Name{{Text: Initialisation}}
		}
	}
	inline := !p.hasNotes(refines) && !p.clauseHasNotes(e.Clauses, keyword)
	if inline && len(refines) > 0 {
		words := []string{header, keyword}
		for _, name := range refines {
			words = append(words, quoteRef(name.Text, p.at))
		}
		header = strings.Join(words, " ")
	} else if e.Extended && len(refines) == 0 {
		header += " extends"
	}
	p.last = 0
	p.element(site{e.Span.From, e.Span.Line, 0}, e.Doc, []string{header})
	p.depth++
	if !inline {
		p.names(e.Clauses, keyword, refines, quoteRef)
	}
	p.names(e.Clauses, "any", e.Parameters, quoteListed)
	p.predicates(e.Clauses, "where", e.Guards)
	p.predicates(e.Clauses, "with", e.Witnesses)
	p.actions(e)
	p.depth--
	p.end(e.Clauses)
}

func (p *printer) clauseHasNotes(clauses []Clause, keyword string) bool {
	return slices.ContainsFunc(clauses, func(c Clause) bool {
		return p.fromText && c.Keyword == keyword && p.notes[c.Span.From] != nil
	})
}

// actions prints the actions of an event.
func (p *printer) actions(event *Event) {
	for i, action := range event.Actions {
		if i == 0 {
			p.clause(event.Clauses, "then", "then")
		} else if action.Label.Absent && !event.Actions[i-1].Label.Absent {
			p.line("then")
		}
		p.depth++
		p.marked("", action.Label, action.Source, action.Doc, func(width int) []string {
			if action.Assignment == nil {
				return strings.Split(strings.TrimSpace(action.Source.Text), "\n")
			}
			return p.assignment(action.Assignment, width)
		})
		p.depth--
	}
}
