package project

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/edit"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// Insertion is a change of a file of text that adds invariants to a machine.
type Insertion struct {
	File   string
	Before []byte // the text of the file
	after  edit.Text
	edit   edit.Edit
	mean   func(*lang.File)
}

// InsertInvariants says how invariants, which are terms of bank, go into the source of m:
// in front of before, which is one of its own, or behind all if that is nil. Their labels
// are new ones, and they are spelled as the file is: in ASCII where it has nothing else.
// It is an error if m does not stand in a file of text, or if the file, read again, would
// be anything else than before with these invariants.
func (p *Project) InsertInvariants(m *model.Machine, before *model.Predicate, bank *logic.Bank, invariants []logic.Term) (*Insertion, error) {
	for _, f := range p.Files {
		i := slices.IndexFunc(f.Components, func(c *lang.Component) bool { return c.Kind == lang.MachineKind && c.Name.Text == m.Name })
		if i < 0 || !IsText(f.Path) {
			continue
		}
		c, source := f.Components[i], p.Source(f.Path)
		// The invariants go before the given one, or to the end if it is not in this file.
		at := len(c.Invariants)
		if k := slices.IndexFunc(c.Invariants, func(x *lang.Predicate) bool { return before != nil && x.Label.Text == before.Label }); k >= 0 {
			at = k
		}
		indent := "    "
		if len(c.Invariants) > 0 {
			indent = indentOf(source, c.Invariants[0].Label.Span.From)
		}
		ascii := !bytes.ContainsFunc(source, func(r rune) bool { return r >= utf8.RuneSelf })
		next := 1
		var lines []string
		var added []*lang.Predicate
		// Labels continue the numbers of the machine, and leave out those in use.
		for _, t := range invariants {
			for taken(m, labelOf(next)) {
				next++
			}
			text := p.spelled(m, bank, t, ascii)
			formula, problems := lang.ParsePredicate(text, lang.Text)
			if len(problems) > 0 {
				return nil, fmt.Errorf("%s: %s", text, problems[0].Message)
			}
			added = append(added, &lang.Predicate{Label: lang.Name{Text: labelOf(next)}, Formula: formula})
			lines = append(lines, indent+"@"+labelOf(next)+" "+text)
			next++
		}
		in := &Insertion{File: f.Path, Before: source, edit: edit.Invariants(source, f, c, at, lines...), mean: func(f *lang.File) {
			f.Components[i].Invariants = slices.Insert(f.Components[i].Invariants, at, added...)
		}}
		var err error
		in.after, err = edit.Change(in.File, in.Before, in.mean, in.edit)
		return in, err
	}
	return nil, fmt.Errorf("machine %s is not in a text file: import the project first", m.Name)
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
	if read, err := scope.Predicate(short); err == nil && text.Term(scope.bank, read) == text.Term(bank, t) {
		return short
	}
	return text.Options{Spaced: true, ASCII: ascii}.Term(bank, t)
}

func labelOf(n int) string { return fmt.Sprintf("inferred%d", n) }

// taken reports whether m or a machine that it refines has an invariant of that label.
func taken(m *model.Machine, label string) bool {
	return slices.ContainsFunc(slices.Concat(m.Inherited, m.Invariants), func(x *model.Predicate) bool { return x.Label == label })
}

// indentOf returns the blanks before the first sign of the line that at is in, if it is
// what stands at at; else those of a line of its own.
func indentOf(text []byte, at int) string {
	line := string(text[bytes.LastIndexAny(text[:at], "\r\n")+1:])
	blanks := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "@") {
		return blanks + "    "
	}
	return blanks
}

// After is the text with the invariants in it.
func (in *Insertion) After() []byte { return in.after.Bytes() }

// Insert puts insertions into their files, into none if one of these is not any more what
// was looked at, or would not be what is meant.
func Insert(all []*Insertion) error {
	byFile := map[string][]*Insertion{}
	for _, in := range all {
		byFile[in.File] = append(byFile[in.File], in)
	}
	texts := map[string]edit.Text{}
	// All new texts are made before the first one is saved: an error leaves every file as it was.
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		now, err := door.File(name)
		if err != nil {
			return err
		}
		var edits []edit.Edit
		for _, in := range byFile[name] {
			if !bytes.Equal(now, in.Before) {
				return fmt.Errorf("%s has changed in the meantime, so nothing was written: run the command again", name)
			}
			edits = append(edits, in.edit)
		}
		texts[name], err = edit.Change(name, now, func(f *lang.File) {
			for _, in := range byFile[name] {
				in.mean(f)
			}
		}, edits...)
		if err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if err := texts[name].Save(name); err != nil {
			return err
		}
	}
	return nil
}

// patchContext is how many lines a patch shows around what it changes.
const patchContext = 3

// Patch is the insertion as `git apply` reads it.
func (in *Insertion) Patch() string { return Patch(in.File, in.Before, in.After()) }

// Patch is the change of a file as `git apply` reads it. A file that was empty is new.
func Patch(file string, old, new []byte) string {
	before, after := strings.SplitAfter(string(old), "\n"), strings.SplitAfter(string(new), "\n")
	// The lines before and behind what differs.
	first, last := 0, 0
	for first < min(len(before), len(after)) && before[first] == after[first] {
		first++
	}
	for last < min(len(before), len(after))-first && before[len(before)-1-last] == after[len(after)-1-last] {
		last++
	}
	from, to := max(0, first-patchContext), max(0, last-patchContext)
	var b strings.Builder
	was, now := lines(before[from:len(before)-to]), lines(after[from:len(after)-to])
	// Names in a patch start at the directory that it is applied in.
	name := strings.TrimPrefix(filepath.ToSlash(filepath.Clean(file)), "/")
	if len(was) == 0 {
		fmt.Fprintf(&b, "--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%d @@\n", name, len(now))
	} else {
		fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n@@ -%d,%d +%d,%d @@\n", name, name, from+1, len(was), from+1, len(now))
	}
	put := func(sign string, list []string) {
		for _, line := range list {
			b.WriteString(sign + strings.TrimSuffix(line, "\n") + "\n")
			if !strings.HasSuffix(line, "\n") {
				b.WriteString("\\ No newline at end of file\n")
			}
		}
	}
	put(" ", lines(before[from:first]))
	put("-", lines(before[first:len(before)-last]))
	put("+", lines(after[first:len(after)-last]))
	put(" ", lines(before[len(before)-last:len(before)-to]))
	return b.String()
}

// lines are those of a text that was split behind its ends of lines, without the empty rest.
func lines(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(line string) bool { return line == "" })
}
