// Package diag defines positions, spans and diagnostics.
//
// A stage collects diagnostics in a List and continues; only the outermost caller sorts and
// prints them. A formula that has failed reports nothing more, so one mistake gives one
// message.
package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// Span is a half-open byte range [From, To) of one source file. The zero Span
// means "no place".
type Span struct {
	File     string // path as given by the user
	From, To int    // byte offsets
	Line     int    // 1-based line of From; 0 when unknown
	Col      int    // 1-based column of From in code points; 0 when unknown
}

// IsZero reports whether s names no place.
func (s Span) IsZero() bool { return s == Span{} }

// String renders file:line:col, leaving out what is unknown.
func (s Span) String() string {
	switch {
	case s.Line == 0:
		return s.File
	case s.Col == 0:
		return fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Col)
}

// Severity tells errors from warnings.
type Severity uint8

// The severities. An error makes the command exit with code 3.
const (
	Error Severity = iota
	Warning
)

func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Note points at a second place that explains a diagnostic, such as an earlier
// declaration of the same name.
type Note struct {
	Span Span
	Text string
}

// Diagnostic is one problem: what is wrong, where, and what to do about it.
type Diagnostic struct {
	Code     string // stable, "GR0012"
	Severity Severity
	Span     Span   // the tight place
	Element  string // path of the model element, "m1/evt/grd1"; empty in plain formulas
	Message  string // what is wrong
	Help     string // the next step; may be empty
	Notes    []Note

	// Follows marks what goes away by itself once another problem, which is
	// reported too, is corrected. Such a problem counts like any other; only people
	// are not shown it at first.
	Follows bool
}

func (d Diagnostic) Error() string {
	return fmt.Sprintf("%s: %s: %s [%s]", d.Span, d.Severity, d.Message, d.Code)
}

// List collects diagnostics. The zero List is ready for use.
type List struct {
	all []Diagnostic
}

// Add appends one diagnostic.
func (l *List) Add(d Diagnostic) { l.all = append(l.all, d) }

// Append appends all diagnostics of other.
func (l *List) Append(other *List) { l.all = append(l.all, other.all...) }

// Len is the number of diagnostics collected.
func (l *List) Len() int { return len(l.all) }

// HasErrors reports whether some diagnostic is an error.
func (l *List) HasErrors() bool {
	return slices.ContainsFunc(l.all, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sorted returns the diagnostics by file, position, severity, code and message,
// without exact repetitions.
func (l *List) Sorted() []Diagnostic {
	out := slices.Clone(l.all)
	slices.SortStableFunc(out, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Span.File, b.Span.File),
			cmp.Compare(a.Span.Line, b.Span.Line),
			cmp.Compare(a.Span.From, b.Span.From),
			cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Element, b.Element),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.CompactFunc(out, func(a, b Diagnostic) bool {
		return a.Code == b.Code && a.Span == b.Span && a.Element == b.Element && a.Message == b.Message
	})
}
