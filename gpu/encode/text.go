package encode

import (
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

// placeless is a comment without the lines of the C that it names. The elements have their
// places, and a comment that changes whenever a line is added above tells a review nothing.
func placeless(doc string) string { return lineOf.ReplaceAllString(doc, "") }

var lineOf = regexp.MustCompile(`^line [0-9]+: |,? (in )?line [0-9]+`)

// Text is the model as people write one, with the lines of the C in its comments.
func (m *Model) Text() []byte {
	return lang.Format(&lang.File{Components: m.components}, lang.Options{})
}

// Tree is the model as if it had been parsed. The places in it are those in the source of
// the kernel.
func (m *Model) Tree(src []byte) *lang.File {
	c := newPlaces(m.File, src)
	at := func(s diag.Span) diag.Span {
		if s.Line == 0 {
			return c.span(m.At)
		}
		return c.span(preproc.Place{Line: s.Line, Col: s.Col})
	}
	file := &lang.File{Path: m.File, Complete: true}
	for _, component := range m.components {
		file.Components = append(file.Components, placed(component, at))
	}
	return file
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
