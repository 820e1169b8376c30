package hints

import (
	"bytes"
	"strings"

	"github.com/gradine/gradine/lang"
)

// Format writes f in the canonical layout: a block, its hints four columns to the right,
// an empty line between blocks; comments stay with their lines. Parse reads the result
// as f again, and Format of that is the same text.
func Format(f *File, o lang.Options) []byte {
	if o.Width == 0 {
		o.Width = 100
	}
	w := &writer{Options: o}
	for i, b := range f.Blocks {
		if i > 0 {
			w.out.WriteByte('\n')
		}
		w.line(0, b.notes, []string{"for " + quoted(b.Patterns)})
		w.hints(1, b.Hints)
	}
	if len(f.Last) > 0 && len(f.Blocks) > 0 {
		w.out.WriteByte('\n')
	}
	for _, c := range f.Last {
		w.out.WriteString(c + "\n")
	}
	return w.out.Bytes()
}

// Lines are the lines of hints, one each, those below others four columns to the right.
func Lines(list []*Hint) []string {
	w := &writer{Options: lang.Options{Width: 1 << 20}}
	w.hints(0, list)
	text := strings.TrimSuffix(w.out.String(), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

type writer struct {
	lang.Options
	out bytes.Buffer
}

const step = 4

// line writes the lines of one hint with its comments.
func (w *writer) line(depth int, n notes, lines []string) {
	indent := strings.Repeat(" ", step*depth)
	for _, c := range n.above {
		w.out.WriteString(indent + c + "\n")
	}
	for i, l := range lines {
		if i > 0 && strings.TrimSpace(l) != "" {
			l = strings.Repeat(" ", 2*step) + l
		}
		w.out.WriteString(strings.TrimRight(indent+l, " "))
		if i == len(lines)-1 && n.behind != "" {
			w.out.WriteString("  " + n.behind)
		}
		w.out.WriteByte('\n')
	}
}

func (w *writer) hints(depth int, list []*Hint) {
	for _, h := range list {
		w.line(depth, h.notes, w.hint(depth, h))
		w.hints(depth+1, h.Below)
	}
}

// hint is a hint at a depth of indentation, as lines.
func (w *writer) hint(depth int, h *Hint) []string {
	head := h.Kind.String() + " "
	switch h.Kind {
	case Have, Cases:
		if h.text != "" {
			return split(head + h.text)
		}
		// The first line begins behind the word, and so there is less room on all of them.
		o := w.Options
		o.Width -= step*depth + len(head)
		lines := lang.Lines(h.Fact, o)
		lines[0] = head + lines[0]
		return lines
	case Inst, Witness:
		if h.Label.Text != "" {
			head += quoted([]Word{h.Label}) + " "
		}
		if len(h.Words) > 0 {
			return []string{head + quoted(h.Words)}
		}
		for i, v := range h.Values {
			if i > 0 {
				head += ", "
			}
			sign := " ≔ "
			if w.ASCII {
				sign = " := "
			}
			head += lang.Identifier(v.Name.Text) + sign
			if v.text != "" {
				head += strings.TrimSpace(v.text)
			} else {
				o := w.Options
				o.Width = 1 << 20 // values are short, and a line of them reads better
				head += strings.Join(lang.Lines(v.Expr, o), " ")
			}
		}
		return split(head)
	}
	return []string{head + quoted(h.Words)}
}

// split cuts a text with comments inside into its lines.
func split(text string) []string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

// quoted spells names with blanks between them.
func quoted(list []Word) string {
	var out []string
	for _, w := range list {
		text := w.Text
		if text == "" || strings.ContainsAny(text, " \t\r`") || strings.Contains(text, "//") || strings.Contains(text, "≔") || strings.Contains(text, ":=") {
			text = "`" + strings.ReplaceAll(text, "`", "``") + "`"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// Identifier is the spelling of an identifier in formulas of hints.
func Identifier(name string) string { return lang.Identifier(name) }

// Label is the spelling of a name that is not a formula.
func Label(name string) string { return quoted([]Word{{Text: name}}) }
