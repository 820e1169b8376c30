package merge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
)

// Result is the join of two edits.
type Result struct {
	Text      []byte
	Conflicts []string // the elements that both edits changed in different ways
	// Together are the errors that the edits make only together: of a type that one of
	// them took away, say, and the other still needs.
	Together []string
	// Followed are the names that one side gave up and the other still uses, each with the new
	// name that the result has for it: "inside as stored".
	Followed []string
}

// names of the three texts, for errors.
var texts = [...]string{"the common ancestor", "our version", "their version"}

// Text joins two edits, ours and theirs, of the text model base. Elements that
// both changed differently stand in it twice, between conflict markers. The error
// says why the texts cannot be joined by element at all.
func Text(name string, base, ours, theirs []byte) (Result, error) {
	trees, files, err := readTexts(name, [3][]byte{base, ours, theirs})
	if err != nil {
		return Result{}, err
	}
	if text, ok := unchanged(trees); ok {
		return Result{Text: []byte(text)}, nil
	}
	var versions [3]version
	for i, src := range [][]byte{base, ours, theirs} {
		versions[i] = textVersion(src, files[i])
	}
	if names := reused(versions); len(names) > 0 {
		return clash(ours, theirs, names), nil
	}
	// First the names, then the elements: an element that one side renamed and the other changed is then changed by one
	// side alone.
	all, followed := follow(versions, lang.Identifier)
	if trees, files, err = readTexts(name, all); err != nil {
		return Result{}, err
	}
	byName(trees[0])
	j := &joiner{heads: commented, leaves: commented}
	for i := range j.torn {
		j.torn[i] = matched(trees[0], trees[i+1], files[0], files[i+1])
	}
	read := func(text string) (*node, error) {
		n, _, err := model(name, []byte(text))
		return n, err
	}
	r, err := j.join(name, trees, read)
	r.Followed = followed
	if err != nil || len(r.Conflicts) > 0 {
		return r, err
	}
	r.Text = laidOut(name, all[1], all[2], r.Text)
	// Errors that no side had come from the merge itself, and people must see them.
	had := append(errorsIn(name, all[1]), errorsIn(name, all[2])...)
	for _, e := range errorsIn(name, r.Text) {
		if !slices.Contains(had, e) {
			r.Together = append(r.Together, e)
		}
	}
	return r, nil
}

// readTexts reads three text models.
func readTexts(name string, all [3][]byte) (trees [3]*node, files [3]*lang.File, err error) {
	for i, src := range all {
		if trees[i], files[i], err = model(name, src); err != nil {
			return trees, files, fmt.Errorf("%s of %s: %w", texts[i], name, err)
		}
		if twice := trees[i].twice(""); twice != "" {
			return trees, files, fmt.Errorf("%s of %s: two elements are called %s", texts[i], name, twice)
		}
	}
	return trees, files, nil
}

// join joins three trees and checks what comes of it. Without a conflict the text, read again,
// has to say node by node what was kept. With one, each choice has to be a text; where it is
// none, the whole texts stand between the markers.
func (j *joiner) join(name string, trees [3]*node, read func(string) (*node, error)) (Result, error) {
	if text, ok := unchanged(trees); ok { // they differ in what is no decision
		return Result{Text: []byte(text)}, nil
	}
	x := j.inside("", trees[0], trees[1], trees[2], false)
	if len(x.conflicts) == 0 {
		is, err := read(x.text)
		if err != nil {
			return Result{}, fmt.Errorf("%s: joined by element, %w", name, err)
		}
		if at := differ(is.parts(""), x.parts); at != "" {
			return Result{}, fmt.Errorf("%s: joined by element, %s differs from both sides", name, at)
		}
		return Result{Text: []byte(x.text)}, nil
	}
	for _, side := range []int{0, 1} {
		if n, err := read(choice(x.text, side)); err != nil || n.twice("") != "" {
			x.text = marked(trees[1].raw(), trees[2].raw())
			break
		}
	}
	return Result{Text: []byte(x.text), Conflicts: x.conflicts}, nil
}

// unchanged is the text of the other side where one of them changed nothing, or both are equal.
func unchanged(trees [3]*node) (string, bool) {
	base, ours, theirs := trees[0].raw(), trees[1].raw(), trees[2].raw()
	switch {
	case ours == base:
		return theirs, true
	case theirs == base || ours == theirs:
		return ours, true
	}
	return "", false
}

// differ is the path of the first node that is not the same in two lists, "" if they are equal.
func differ(is, want []part) string {
	for i := range max(len(is), len(want)) {
		switch {
		case i >= len(is):
			return want[i].path
		case i >= len(want) || is[i] != want[i]:
			return is[i].path
		}
	}
	return ""
}

// choice is a text with markers in which one side, 0 for ours, is chosen throughout.
func choice(text string, side int) string {
	var out strings.Builder
	at := -1 // side of a conflict; -1 outside
	for line := range strings.Lines(text) {
		switch bare := strings.TrimSuffix(line, "\n"); {
		case bare == "<<<<<<< ours":
			at = 0
		case bare == "=======" && at == 0:
			at = 1
		case bare == ">>>>>>> theirs" && at == 1:
			at = -1
		case at < 0 || at == side:
			out.WriteString(line)
		}
	}
	return out.String()
}

// errorsIn are the errors of a model by itself, each with the element that it is about.
// What other files would say is missing on all sides alike.
func errorsIn(name string, text []byte) (out []string) {
	var problems diag.List
	check.Development(name, []*lang.File{lang.Parse(name, text, &problems)}, &problems)
	for _, p := range problems.Sorted() {
		if p.Severity == diag.Error {
			out = append(out, strings.TrimPrefix(p.Element+": "+p.Message, ": "))
		}
	}
	return out
}
