package scenario

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/gradine/gradine/lang"
)

// Format writes f in the canonical layout: the lines of a scenario four columns to the right, an
// empty line between scenarios; comments stay with their lines. Parse reads the result as f again,
// and Format of that is the same text.
func Format(f *File, o lang.Options) []byte {
	o.Width = wide // a line is a step
	w := writer{o}
	var out bytes.Buffer
	say := func(indent string, n notes, text string) {
		for _, c := range n.above {
			out.WriteString(indent + c + "\n")
		}
		if n.behind != "" {
			text += "  " + n.behind
		}
		out.WriteString(indent + text + "\n")
	}
	const in = "    "
	for i, s := range f.Scenarios {
		if i > 0 {
			out.WriteByte('\n')
		}
		say("", s.notes, "scenario "+Name(s.Name.Text)+" of "+Name(s.Machine.Text))
		for _, l := range s.With {
			say(in, l.notes, w.line(l))
		}
		if s.Impossible {
			say(in, s.impossible, "impossible")
		}
		if b := s.Breaks; b != nil {
			text := "breaks " + Name(b.Invariant.Text)
			if b.Why != "" {
				text += " why " + strconv.Quote(b.Why)
			}
			say(in, b.notes, text)
		}
		for _, l := range s.Lines {
			say(in, l.notes, w.line(l))
		}
		for _, c := range s.end.above {
			out.WriteString(in + c + "\n")
		}
		say("", notes{behind: s.end.behind}, "end")
	}
	if len(f.Last) > 0 && len(f.Scenarios) > 0 {
		out.WriteByte('\n')
	}
	for _, c := range f.Last {
		out.WriteString(c + "\n")
	}
	return out.Bytes()
}

// wide is a width that no formula fills.
const wide = 1 << 20

type writer struct{ lang.Options }

// line is a line of a scenario in the canonical layout.
func (w writer) line(l *Line) string {
	text := ""
	if l.Every {
		text = "every "
	}
	switch l.Kind {
	case With:
		return "with " + w.formula(l.Holds)
	case Check:
		return text + "check " + w.formula(l.Holds)
	case Gap:
		if l.Most == Any {
			return "..."
		}
		return fmt.Sprintf("... %d", l.Most)
	case Not:
		text += "not "
	case Can:
		text += "can "
	}
	text += Name(l.Event.Text)
	if l.Given != nil {
		text += "(" + w.formula(l.Given) + ")"
	}
	if l.Holds != nil {
		text += "  then " + w.formula(l.Holds)
	}
	return text
}

func (w writer) formula(f *Formula) string {
	if f.Formula == nil || lang.HasComment(f.Text) {
		return f.Text
	}
	return strings.Join(lang.Lines(f.Formula, w.Options), " ")
}

// Name spells the name of a scenario, a machine, an event or an invariant.
func Name(name string) string {
	keyword := name == ""
	for _, w := range words {
		keyword = keyword || w == name
	}
	if keyword || name == "then" || strings.ContainsAny(name, " \t\r`(\"") || strings.Contains(name, "//") {
		return "`" + strings.ReplaceAll(name, "`", "``") + "`"
	}
	return name
}
