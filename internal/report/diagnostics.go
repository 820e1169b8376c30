package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/diag"
)

// Problem is a diagnostic with the id that Rodin gives the same problem.
type Problem struct {
	diag.Diagnostic
	Rodin string
}

type jsonProblem struct {
	File     string `json:"file"`                // path of the file
	Severity string `json:"severity"`            // error or warning
	Code     string `json:"code"`                // stable code, such as GR0150; gradine explain describes it
	Rodin    string `json:"rodin,omitempty"`     // name in Rodin's checker
	Element  string `json:"element,omitempty"`   // path of the element
	Line     int    `json:"line,omitempty"`      // line, counted from 1
	Column   int    `json:"column,omitempty"`    // column, counted from 1, in characters
	From     int    `json:"from"`                // offset of the first byte
	To       int    `json:"to"`                  // offset after the last byte
	Message  string `json:"message"`             // description of the error
	Help     string `json:"help,omitempty"`      // a suggested correction
	Follows  bool   `json:"follow_on,omitempty"` // the diagnostic disappears once another diagnostic is fixed
}

// ProblemsJSON writes one problem a line, in the order given.
func ProblemsJSON(w io.Writer, problems []Problem) error {
	out := NewLines(w)
	for _, p := range problems {
		out.Put(jsonProblem{
			File: p.Span.File, Severity: p.Severity.String(), Code: p.Code, Rodin: p.Rodin, Element: p.Element,
			Line: p.Span.Line, Column: p.Span.Col, From: p.Span.From, To: p.Span.To, Message: p.Message, Help: p.Help, Follows: p.Follows,
		})
	}
	return out.Err
}

// Problems writes problems for people: place, message, the line of source with
// the culprit underlined, and the next step. source gives the text of a file,
// or nil.
func Problems(out io.Writer, style Style, problems []Problem, source func(file string) []byte) {
	for _, p := range problems {
		paint := style.Red
		if p.Severity == diag.Warning {
			paint = style.Yellow
		}
		place := p.Span.String()
		if p.Element != "" && p.Span.Line == 0 {
			place = strings.TrimPrefix(place+": "+p.Element, ": ")
		}
		fmt.Fprintf(out, "%s: %s: %s [%s]\n", style.Bold(place), paint(p.Severity.String()), p.Message, p.Code)
		snippet(out, paint, p.Span, source)
		for _, n := range p.Notes {
			fmt.Fprintf(out, "  note: %s: %s\n", n.Span, n.Text)
		}
		if p.Help != "" {
			fmt.Fprintf(out, "  help: %s\n", p.Help)
		}
	}
}

// maxSnippet is the length in bytes beyond which a source line is not shown.
const maxSnippet = 400

// snippet prints the line of a span with a mark below it, unless the line is too long or no text.
func snippet(out io.Writer, paint func(string) string, span diag.Span, source func(string) []byte) {
	text := source(span.File)
	if len(text) == 0 || span.Line == 0 || span.From > len(text) || span.To < span.From {
		return
	}
	begin := strings.LastIndexByte(string(text[:span.From]), '\n') + 1
	end := len(text)
	if i := strings.IndexByte(string(text[span.From:]), '\n'); i >= 0 {
		end = span.From + i
	}
	if end-begin > maxSnippet || !utf8.Valid(text[begin:end]) {
		return
	}
	line := strings.TrimRight(string(text[begin:end]), "\r")
	// Tabs are repeated below tabs, so that the mark stands below its text whatever their width is.
	var pad strings.Builder
	for _, char := range line[:min(span.From-begin, len(line))] {
		if char == '\t' {
			pad.WriteByte('\t')
		} else {
			pad.WriteByte(' ')
		}
	}
	width := max(1, utf8.RuneCount(bytes.TrimRight(text[span.From:min(span.To, end)], "\r")))
	fmt.Fprintf(out, "  %s\n  %s%s\n", line, pad.String(), paint(strings.Repeat("^", width)))
}

// FirstProblems leaves out what follows from others, unless nothing is left then,
// or no error, though there are some.
func FirstProblems(all []Problem) []Problem {
	return withoutFollowing(all, func(p Problem) diag.Diagnostic { return p.Diagnostic })
}

// withoutFollowing is FirstProblems of anything that is a diagnostic.
func withoutFollowing[T any](all []T, of func(T) diag.Diagnostic) []T {
	isError := func(p T) bool { return of(p).Severity == diag.Error }
	first := slices.DeleteFunc(slices.Clone(all), func(p T) bool { return of(p).Follows })
	if len(first) == 0 || slices.ContainsFunc(all, isError) && !slices.ContainsFunc(first, isError) {
		return all
	}
	return first
}
