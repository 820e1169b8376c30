package lang

import "github.com/gradine/gradine/diag"

// Lines lays f out for a file that holds formulas instead of models, such as hints: in
// lines of at most o.Width code points, where that is possible.
func Lines(f *Formula, o Options) []string {
	l := layouter{ascii: o.ASCII}
	return l.lines(f, o.Width)
}

// Place moves the spans of f, which count from the beginning of its text, to where
// that text stands in a file.
func Place(f *Formula, at func(diag.Span) diag.Span) { place(f, at) }

// Identifier is the spelling of an identifier in formulas, in quotes if need be.
func Identifier(name string) string {
	var l layouter
	return l.name(name)
}

// HasComment reports whether the text of a formula holds a comment.
func HasComment(text string) bool { return hasComment(text) }
