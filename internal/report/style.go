package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Style paints words for a terminal. The zero Style paints nothing.
type Style struct{ Colour bool }

func (s Style) paint(code, text string) string {
	if !s.Colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Red paints what is wrong.
func (s Style) Red(t string) string { return s.paint("31", t) }

// Green paints what is proved.
func (s Style) Green(t string) string { return s.paint("32", t) }

// Yellow paints what is undecided.
func (s Style) Yellow(t string) string { return s.paint("33", t) }

// Dim paints what matters less.
func (s Style) Dim(t string) string { return s.paint("2", t) }

// Bold paints headings.
func (s Style) Bold(t string) string { return s.paint("1", t) }

// Lines writes JSON values, one a line, and keeps the first error.
type Lines struct {
	Err error
	enc *json.Encoder
}

// NewLines begins to write.
func NewLines(w io.Writer) *Lines {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return &Lines{enc: enc}
}

// Put writes a value.
func (l *Lines) Put(v any) {
	if l.Err == nil {
		l.Err = l.enc.Encode(v)
	}
}

// indent moves the further lines of a formula under its first.
func indent(s string) string { return strings.ReplaceAll(s, "\n", "\n    ") }

// Count is a number with its noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
