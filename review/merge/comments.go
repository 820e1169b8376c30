package merge

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/lang"
)

// commented joins three texts in three parts, each of which is a decision: the comments in front,
// what the text says, and the comment behind it. Comments that both sides add both stand.
func commented(base, ours, theirs string) (string, bool) {
	b, o, t := around(base), around(ours), around(theirs)
	before, ok := three(b[0], o[0], t[0])
	if !ok {
		before, ok = additions(b[0], o[0], t[0])
	}
	says, one := three(b[1], o[1], t[1])
	behind, fits := three(b[2], o[2], t[2])
	if !fits {
		behind, fits = onOneLine(b[2], o[2], t[2])
	}
	return before + says + behind, ok && one && fits
}

// onOneLine joins the comments that both sides added on the line of an element.
func onOneLine(base, ours, theirs string) (string, bool) {
	if strings.TrimSpace(base) != "" || strings.Count(ours, "\n") > 1 || strings.Count(theirs, "\n") > 1 {
		return "", false
	}
	return strings.TrimRight(ours, "\r\n") + " " + strings.TrimLeft(theirs, " \t"), true
}

// around cuts a text in front of the first word that is no comment, and behind the last one.
func around(text string) [3]string {
	said := slices.DeleteFunc(lang.Tokens(text), func(t lang.Token) bool { return t.Kind == lang.CommentToken })
	if len(said) == 0 {
		return [3]string{text, "", ""}
	}
	from, to := said[0].From, said[len(said)-1].To
	return [3]string{text[:from], text[from:to], text[to:]}
}

// additions joins texts to which both sides only added lines: ours stand first where both
// added some at one place.
func additions(base, ours, theirs string) (string, bool) {
	b, o, t := slices.Collect(strings.Lines(base)), slices.Collect(strings.Lines(ours)), slices.Collect(strings.Lines(theirs))
	var out strings.Builder
	for i := range len(b) + 1 {
		var added [2]string
		for side, lines := range []*[]string{&o, &t} {
			n := len(*lines)
			if i < len(b) {
				n = slices.IndexFunc(*lines, func(l string) bool { return says(l) == says(b[i]) })
			}
			if n < 0 {
				return "", false
			}
			added[side] = strings.Join((*lines)[:n], "")
			*lines = (*lines)[n:]
		}
		out.WriteString(added[0])
		if says(added[1]) != says(added[0]) {
			out.WriteString(added[1])
		}
		if i < len(b) {
			out.WriteString(o[0])
			o, t = o[1:], t[1:]
		}
	}
	return out.String(), true
}
