package encode

import (
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/gpu/preproc"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/rules"
)

// The codes of diagnostics about kernels; package rules explains them.
const (
	NotUnderstood = "GR0971" // something in it is not understood
	NotJudged     = "GR0972" // no machine can stand for it
	LessJudged    = "GR0973" // its machines say less than they seem to
)

// Diagnostic is a problem of a kernel, as other readers report theirs.
func Diagnostic(code string, p *Problem, src []byte) diag.Diagnostic {
	rule, _ := rules.Of(code)
	c := newPlaces(p.File, src)
	return diag.Diagnostic{Code: code, Severity: rule.Severity, Span: c.span(preproc.Place{Line: p.Line, Col: p.Col}), Message: p.Construct}
}

// Parse reads m like any other text. The places in what it returns are those in the
// source of the kernel, and its events are paths.
func (m *Model) Parse(src []byte, problems *diag.List) *lang.File {
	file := lang.Parse(m.Name, []byte(m.Text), problems)
	c := newPlaces(m.File, src)
	elements(file, func(doc *string) { *doc = lineOf.ReplaceAllString(*doc, "") })
	relocate(reflect.ValueOf(file), map[uintptr]bool{}, func(s diag.Span) diag.Span {
		at := m.At
		if line := s.Line - 1; line >= 0 && line < len(m.lines) && m.lines[line].at.Line > 0 {
			at = m.lines[line].at
		}
		return c.span(at)
	})
	file.Path, file.Comments = m.File, nil // comments are documentation of elements by now
	for _, component := range file.Components {
		for _, e := range component.Events {
			e.Path = e.Label.Text != lang.Initialisation
		}
	}
	return file
}

// lineOf is where a comment names a line of the C. The elements have their places, and a
// comment that changes whenever a line is added above tells a review nothing.
var lineOf = regexp.MustCompile(`^line [0-9]+: |,? (in )?line [0-9]+`)

// elements visits the documentation of what models have.
func elements(file *lang.File, visit func(doc *string)) {
	for _, component := range file.Components {
		for _, p := range component.Invariants {
			visit(&p.Doc)
		}
		for _, e := range component.Events {
			visit(&e.Doc)
			for _, p := range e.Guards {
				visit(&p.Doc)
			}
		}
	}
}

// places finds places in the text of a kernel.
type places struct {
	file  string
	lines []string
	from  []int // offsets of the lines
}

func newPlaces(file string, src []byte) *places {
	c := &places{file: file, lines: strings.SplitAfter(string(src), "\n")}
	at := 0
	for _, l := range c.lines {
		c.from = append(c.from, at)
		at += len(l)
	}
	return c
}

// span is the word, or the character, at a place.
func (c *places) span(at preproc.Place) diag.Span {
	s := diag.Span{File: c.file, Line: at.Line, Col: at.Col}
	if at.Line < 1 || at.Line > len(c.lines) || at.Col < 1 {
		return s
	}
	line := c.lines[at.Line-1]
	from := min(at.Col-1, len(strings.TrimRight(line, "\r\n")))
	to := from
	for to < len(line) && (line[to] == '_' || line[to] >= '0' && line[to] <= '9' || line[to]|0x20 >= 'a' && line[to]|0x20 <= 'z') {
		to++
	}
	if to == from && to < len(line) {
		_, n := utf8.DecodeRuneInString(line[to:])
		to += n
	}
	// The parser of C counts bytes, people count characters.
	s.From, s.To, s.Col = c.from[at.Line-1]+from, c.from[at.Line-1]+to, 1+utf8.RuneCountInString(line[:from])
	return s
}

// relocate gives every place in a tree to the one that to says, whatever kinds of node
// the tree has: a place that was left out would point into a text that nobody has.
// Seen are the nodes that have been.
func relocate(v reflect.Value, seen map[uintptr]bool, to func(diag.Span) diag.Span) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !seen[v.Pointer()] {
			seen[v.Pointer()] = true
			relocate(v.Elem(), seen, to)
		}
	case reflect.Slice:
		for i := range v.Len() {
			relocate(v.Index(i), seen, to)
		}
	case reflect.Struct:
		if s, ok := v.Interface().(diag.Span); ok {
			if !s.IsZero() {
				v.Set(reflect.ValueOf(to(s)))
			}
			return
		}
		for i := range v.NumField() {
			relocate(v.Field(i), seen, to)
		}
	}
}
