package project

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
)

// Insertion is lines that go into a file of text, as a whole.
type Insertion struct {
	File   string
	Before []byte // the text of the file
	At     int    // offset of the line that they go before
	Lines  []string
}

// InsertInvariants says where invariants, as text, go into the source of m: in front of
// before, which is one of its own, or behind all if that is nil. Their labels are new ones. It is an error if m does not stand in a file of text.
func (p *Project) InsertInvariants(m *model.Machine, before *model.Predicate, invariants []string) (*Insertion, error) {
	for _, f := range p.Files {
		i := slices.IndexFunc(f.Components, func(c *lang.Component) bool { return c.Kind == lang.MachineKind && c.Name.Text == m.Name })
		if i < 0 || !IsText(f.Path) {
			continue
		}
		c, text := f.Components[i], p.Source(f.Path)
		in := &Insertion{File: f.Path, Before: text}
		indent := "    "
		if n := len(c.Invariants); n > 0 {
			last := c.Invariants[n-1]
			in.At = lineAfter(text, last.Source.Span.To)
			if i := slices.IndexFunc(c.Invariants, func(x *lang.Predicate) bool { return before != nil && x.Label.Text == before.Label }); i >= 0 {
				in.At = aboveComments(text, lineOf(text, c.Invariants[i].Source.Span.From))
			}
			indent = indentOf(text, c.Invariants[0].Label.Span.From)
		} else {
			// The clause stands before variants and events.
			k := slices.IndexFunc(c.Clauses, func(x lang.Clause) bool {
				return slices.Contains([]string{"variant", "variants", "events", "end"}, x.Keyword)
			})
			if k < 0 {
				return nil, fmt.Errorf("machine %s has no place for invariants", m.Name)
			}
			in.At = lineOf(text, c.Clauses[k].Span.From)
			in.Lines = append(in.Lines, "invariants")
		}
		next := 1
		for _, formula := range invariants {
			for taken(m, labelOf(next)) {
				next++
			}
			in.Lines = append(in.Lines, indent+"@"+labelOf(next)+" "+formula)
			next++
		}
		return in, nil
	}
	return nil, fmt.Errorf("machine %s does not stand in a file of text: import the project first", m.Name)
}

func labelOf(n int) string { return fmt.Sprintf("inferred%d", n) }

// taken reports whether m or a machine that it refines has an invariant of that label.
func taken(m *model.Machine, label string) bool {
	return slices.ContainsFunc(slices.Concat(m.Inherited, m.Invariants), func(x *model.Predicate) bool { return x.Label == label })
}

// lineOf returns the offset of the line that at is in, and lineAfter that of the next.
func lineOf(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

func lineAfter(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// aboveComments returns the offset of the first of the lines of comment above a line.
func aboveComments(text []byte, at int) int {
	for at > 0 {
		above := lineOf(text, at-1)
		if !bytes.HasPrefix(bytes.TrimLeft(text[above:at], " \t"), []byte("//")) {
			break
		}
		at = above
	}
	return at
}

// indentOf returns the blanks before the first sign of the line that at is in, if it is
// what stands at at; else those of a line of its own.
func indentOf(text []byte, at int) string {
	line := string(text[lineOf(text, at):])
	blanks := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "@") {
		return blanks + "    "
	}
	return blanks
}

// After is the text with the lines in it.
func (in *Insertion) After() []byte {
	end := "\n"
	if bytes.Contains(in.Before, []byte("\r\n")) {
		end = "\r\n"
	}
	lines := strings.Join(in.Lines, end) + end
	if in.At > 0 && in.Before[in.At-1] != '\n' {
		lines = end + strings.TrimSuffix(lines, end)
	}
	return slices.Concat(in.Before[:in.At], []byte(lines), in.Before[in.At:])
}

// patchContext is how many lines a patch shows around what it changes.
const patchContext = 3

// Patch is the insertion as `git apply` reads it.
func (in *Insertion) Patch() string {
	before := strings.SplitAfter(string(in.Before[:in.At]), "\n")
	before = before[:len(before)-1]
	after := strings.SplitAfter(string(in.Before[in.At:]), "\n")
	first := max(0, len(before)-patchContext)
	around := slices.Concat(before[first:], after[:min(patchContext, len(after))])
	around = slices.DeleteFunc(around, func(line string) bool { return line == "" })
	var b strings.Builder
	fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n@@ -%d,%d +%d,%d @@\n", in.File, in.File, first+1, len(around), first+1, len(around)+len(in.Lines))
	for i, line := range around {
		if i == len(before)-first {
			in.added(&b)
		}
		fmt.Fprintf(&b, " %s\n", strings.TrimSuffix(line, "\n"))
	}
	if len(around) == len(before)-first {
		in.added(&b)
	}
	return b.String()
}

func (in *Insertion) added(b *strings.Builder) {
	for _, line := range in.Lines {
		fmt.Fprintf(b, "+%s\n", line)
	}
}
