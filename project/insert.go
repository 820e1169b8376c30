package project

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// Insertion is lines that go into a file of text, as a whole.
type Insertion struct {
	File   string
	Before []byte // the text of the file
	At     int    // offset of the line that they go before
	Lines  []string
}

// InsertInvariants says where invariants, which are terms of bank, go into the source of m:
// in front of before, which is one of its own, or behind all if that is nil. Their labels
// are new ones, and they are spelled as the file is: in ASCII where it has nothing else.
// It is an error if m does not stand in a file of text.
func (p *Project) InsertInvariants(m *model.Machine, before *model.Predicate, bank *logic.Bank, invariants []logic.Term) (*Insertion, error) {
	for _, f := range p.Files {
		i := slices.IndexFunc(f.Components, func(c *lang.Component) bool { return c.Kind == lang.MachineKind && c.Name.Text == m.Name })
		if i < 0 || !IsText(f.Path) {
			continue
		}
		c, source := f.Components[i], p.Source(f.Path)
		in := &Insertion{File: f.Path, Before: source}
		indent := "    "
		if n := len(c.Invariants); n > 0 {
			last := c.Invariants[n-1]
			in.At = lineAfter(source, last.Source.Span.To)
			if i := slices.IndexFunc(c.Invariants, func(x *lang.Predicate) bool { return before != nil && x.Label.Text == before.Label }); i >= 0 {
				in.At = aboveComments(source, lineOf(source, c.Invariants[i].Source.Span.From))
			}
			indent = indentOf(source, c.Invariants[0].Label.Span.From)
		} else {
			// The clause stands before variants and events.
			k := slices.IndexFunc(c.Clauses, func(x lang.Clause) bool {
				return slices.Contains([]string{"variant", "variants", "events", "end"}, x.Keyword)
			})
			if k < 0 {
				return nil, fmt.Errorf("machine %s has no place for invariants", m.Name)
			}
			in.At = lineOf(source, c.Clauses[k].Span.From)
			in.Lines = append(in.Lines, "invariants")
		}
		ascii := !bytes.ContainsFunc(source, func(r rune) bool { return r >= utf8.RuneSelf })
		next := 1
		for _, t := range invariants {
			for taken(m, labelOf(next)) {
				next++
			}
			in.Lines = append(in.Lines, indent+"@"+labelOf(next)+" "+p.spelled(m, bank, t, ascii))
			next++
		}
		return in, nil
	}
	return nil, fmt.Errorf("machine %s does not stand in a file of text: import the project first", m.Name)
}

// spelled is the text of an invariant of m: short if that is read as the same again, else
// with all types.
func (p *Project) spelled(m *model.Machine, bank *logic.Bank, t logic.Term, ascii bool) string {
	scope := p.Scope(m)
	for _, v := range m.Variables {
		if v.Abstract { // invariants glue what has disappeared
			scope.env[v.Name] = scope.bank.Type(v.Term)
		}
	}
	short := text.Options{Untyped: true, Spaced: true, ASCII: ascii}.Term(bank, t)
	if read, err := scope.Formula(short, lang.ParsePredicate); err == nil && text.Term(scope.bank, read) == text.Term(bank, t) {
		return short
	}
	return text.Options{Spaced: true, ASCII: ascii}.Term(bank, t)
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
func (in *Insertion) After() []byte { return in.into(in.Before) }

// into is a text that has the lines in it, which is as before up to them.
func (in *Insertion) into(source []byte) []byte {
	end := "\n"
	if bytes.Contains(source, []byte("\r\n")) {
		end = "\r\n"
	}
	lines := strings.Join(in.Lines, end) + end
	if in.At > 0 && source[in.At-1] != '\n' {
		lines = end + strings.TrimSuffix(lines, end)
	}
	return slices.Concat(source[:in.At], []byte(lines), source[in.At:])
}

// Insert puts insertions into their files, into none if one of these is not any more what
// was looked at.
func Insert(all []*Insertion) error {
	for _, in := range all {
		now, err := os.ReadFile(in.File)
		if err != nil {
			return err
		}
		if !bytes.Equal(now, in.Before) {
			return fmt.Errorf("%s has changed meanwhile, and nothing was written: run it again", in.File)
		}
	}
	texts := inserted(all)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if err := atomic.Write(name, texts[name], 0o666); err != nil {
			return err
		}
	}
	return nil
}

// inserted returns by file the texts with all insertions in them: one does not move the
// place of another.
func inserted(all []*Insertion) map[string][]byte {
	all = slices.SortedStableFunc(slices.Values(all), func(a, b *Insertion) int { return b.At - a.At })
	out := map[string][]byte{}
	for _, in := range all {
		if out[in.File] == nil {
			out[in.File] = in.Before
		}
		out[in.File] = in.into(out[in.File])
	}
	return out
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
	// Names in a patch start at the directory that it is applied in.
	name := strings.TrimPrefix(filepath.ToSlash(filepath.Clean(in.File)), "/")
	var b strings.Builder
	fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n@@ -%d,%d +%d,%d @@\n", name, name, first+1, len(around), first+1, len(around)+len(in.Lines))
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
