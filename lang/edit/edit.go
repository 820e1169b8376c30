// Package edit changes text models. An edit applies at a position of the syntax tree. Its
// result is parsed again, and counts only if it gives the intended tree.
package edit

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/lang/scenario"
)

// Edit replaces the bytes [From, To) of a text.
type Edit struct {
	From, To int
	With     string
}

// Apply makes edits, which must not overlap.
func Apply(src []byte, edits ...Edit) ([]byte, error) {
	edits = slices.SortedStableFunc(slices.Values(edits), func(a, b Edit) int { return a.From - b.From })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.From < at || e.To < e.From || e.To > len(src) {
			return nil, fmt.Errorf("edits overlap at byte %d", e.From)
		}
		out.Write(src[at:e.From])
		out.WriteString(e.With)
		at = e.To
	}
	out.Write(src[at:])
	return out.Bytes(), nil
}

// Change makes edits of the text of a file, and reads the result: it must be the tree that
// mean makes of the tree of src, with no more errors. The error says what is different
// otherwise; then nothing may be written.
func Change(path string, src []byte, mean func(*lang.File), edits ...Edit) (Text, error) {
	after, err := Apply(src, edits...)
	if err != nil {
		return Text{}, fmt.Errorf("%s: %w", path, err)
	}
	if err := Check(path, src, after, mean); err != nil {
		return Text{}, err
	}
	return Text{after}, nil
}

// Check reads two texts of a file: the second must be the tree that mean makes of that of
// the first, with no more errors.
func Check(path string, before, after []byte, mean func(*lang.File)) error {
	want, had := read(path, before)
	is, has := read(path, after)
	mean(want)
	why := Difference(want, is)
	if why == "" && has > had {
		why = "the new text has syntax errors"
	}
	return refused(path, why)
}

// refused is nil if there is no reason.
func refused(path, why string) error {
	if why == "" {
		return nil
	}
	return fmt.Errorf("%s: the new text would not have the intended meaning: %s; nothing was changed; edit the file by hand", path, why)
}

// Mends reports whether a text has fewer syntax errors than the one before, and its comments:
// what an edit must do whose tree is not known, since the text has errors.
func Mends(path string, before, after []byte) bool {
	was, had := read(path, before)
	is, has := read(path, after)
	return has < had && slices.EqualFunc(was.Comments, is.Comments, func(a, b lang.Comment) bool { return alike(a.Text, b.Text) })
}

// Layout checks that a new layout of a file, of a model, hints or scenarios, says what the old one did.
func Layout(path string, before, after []byte) error {
	if filepath.Ext(path) == hints.Ext {
		return CheckHints(path, before, after, func(*hints.File) {})
	}
	if filepath.Ext(path) == scenario.Ext {
		return sameScenarios(path, before, after)
	}
	return Check(path, before, after, func(*lang.File) {})
}

// sameScenarios compares files of scenarios by what their canonical layout says.
func sameScenarios(path string, before, after []byte) error {
	var problems diag.List
	layout := func(text []byte) []byte {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		return scenario.Format(scenario.Parse(path, text, &problems), lang.Options{})
	}
	if was, is := layout(before), layout(after); problems.Len() > 0 || !bytes.Equal(was, is) {
		return fmt.Errorf("%s: the new layout would change the meaning; the file is unchanged", path)
	}
	return nil
}

func read(path string, text []byte) (file *lang.File, errors int) {
	var problems diag.List
	file = lang.Parse(path, text, &problems)
	for _, p := range problems.Sorted() {
		if p.Severity == diag.Error {
			errors++
		}
	}
	return file, errors
}

// After returns the edit that puts lines below what ends at a place of the text: below its
// line and the comments that stand on it, or between it and what else stands there.
func After(src []byte, file *lang.File, end int, lines ...string) Edit {
	newline := lineEnd(src)
	text := strings.Join(lines, newline)
	at := end
	for {
		at += len(src[at:]) - len(bytes.TrimLeft(src[at:], " \t\f\v\u00a0"))
		i := slices.IndexFunc(file.Comments, func(c lang.Comment) bool { return c.Span.From == at })
		if i < 0 {
			break
		}
		at = max(at+1, trimmed(src, file.Comments[i].Span.To))
	}
	switch rest := src[at:]; {
	case len(rest) == 0:
		return Edit{at, at, newline + text}
	case bytes.HasPrefix(rest, []byte("\r\n")):
		return Edit{at + 2, at + 2, text + newline}
	case rest[0] == '\n' || rest[0] == '\r':
		return Edit{at + 1, at + 1, text + newline}
	}
	// What stands behind it on its line goes below the new lines.
	from := at
	for from > end && (src[from-1] == ' ' || src[from-1] == '\t') {
		from--
	}
	return Edit{from, at, newline + text + newline}
}

// Before returns the edit that puts lines above what begins at a place, and above its
// comments.
func Before(src []byte, file *lang.File, at int, lines ...string) Edit {
	for {
		at = trimmed(src, at)
		i := slices.IndexFunc(file.Comments, func(c lang.Comment) bool { return trimmed(src, c.Span.To) == at && c.Span.From < at })
		if i < 0 {
			return After(src, file, at, lines...)
		}
		at = file.Comments[i].Span.From
	}
}

// trimmed moves an offset to the end of what stands before it, blanks and ends of lines
// left out.
func trimmed(src []byte, at int) int {
	return len(bytes.TrimSpace(append([]byte("x"), src[:at]...))) - 1
}

// lineEnd is how lines end in a text.
func lineEnd(src []byte) string {
	switch {
	case bytes.Contains(src, []byte("\r\n")):
		return "\r\n"
	case !bytes.Contains(src, []byte("\n")) && bytes.Contains(src, []byte("\r")):
		return "\r"
	}
	return "\n"
}

// Invariants returns the edit that puts lines, which are invariants, in front of invariant
// n of a machine; n is their number to put them behind all. They become part of a clause
// `invariants`, a new one where there is none in that place.
func Invariants(src []byte, file *lang.File, c *lang.Component, n int, lines ...string) Edit {
	clauseOf := func(i int) int {
		found := -1
		for k, x := range c.Clauses {
			if (x.Keyword == "invariants" || x.Keyword == "theorems") && x.Span.From <= c.Invariants[i].Source.Span.From {
				found = k
			}
		}
		return found
	}
	prev, next := -1, -1 // their clauses
	if n > 0 {
		prev = clauseOf(n - 1)
	}
	if n < len(c.Invariants) {
		next = clauseOf(n)
	}
	clause := append([]string{"invariants"}, lines...)
	switch {
	case prev >= 0 && c.Clauses[prev].Keyword == "invariants":
		return After(src, file, c.Invariants[n-1].Source.Span.To, lines...)
	case next >= 0 && c.Clauses[next].Keyword == "invariants":
		return After(src, file, c.Clauses[next].Span.To, lines...)
	case next >= 0 && next == prev: // between two theorems
		return After(src, file, c.Invariants[n-1].Source.Span.To, append(clause, "theorems")...)
	case next >= 0:
		return Before(src, file, c.Clauses[next].Span.From, clause...)
	case prev >= 0:
		return After(src, file, c.Invariants[n-1].Source.Span.To, clause...)
	}
	// The clause stands before variants and events.
	for _, x := range c.Clauses {
		switch x.Keyword {
		case "invariants":
			return After(src, file, x.Span.To, lines...)
		case "theorems", "variant", "variants", "events", "event", "end":
			return Before(src, file, x.Span.From, clause...)
		}
	}
	return After(src, file, c.Span.To, clause...)
}
