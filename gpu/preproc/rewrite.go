package preproc

import (
	"bytes"
	"slices"
	"sort"
)

// Rewriting is a text that becomes C: bytes are replaced at their place, and a few are put in between.
type Rewriting struct {
	file    string
	src     []byte // as it was written
	Code    []byte // without comments, strings and characters
	Out     []byte // what it becomes
	between []insertion
	starts  []int // of lines
	origin  *Origin
}

func newRewriting(file string, src, out []byte, o *Origin) *Rewriting {
	w := &Rewriting{file: file, src: src, Code: CodeOnly(out), Out: out, origin: o}
	for from := 0; from <= len(src); {
		w.starts = append(w.starts, from)
		end := bytes.IndexByte(w.Code[from:], '\n')
		if end < 0 {
			end = len(src) - from
		}
		from += end + 1
	}
	return w
}

// Place is the place of an offset.
func (w *Rewriting) Place(offset int) Place {
	line := sort.SearchInts(w.starts, offset+1) - 1
	return w.origin.Of(Place{line + 1, offset - w.starts[line] + 1})
}

// insertion is text that is put in front of an offset.
type insertion struct {
	at   int
	text string
}

// Insert puts text in front of an offset.
func (w *Rewriting) Insert(at int, text string) { w.between = append(w.between, insertion{at, text}) }

// Refuse is the problem that a construct at an offset is not understood.
func (w *Rewriting) Refuse(at int, construct string) *Problem {
	return Refuse(w.file, w.Place(at), construct)
}

// Finished is the text with all insertions, and where its columns were.
func (w *Rewriting) Finished() ([]byte, Columns) {
	slices.SortStableFunc(w.between, func(a, b insertion) int { return a.at - b.at })
	var b bytes.Buffer
	moved, line, start, from := Columns{}, 1, 0, 0 // line of what is written so far, and where in the text it begins
	for _, i := range w.between {
		b.Write(w.Out[from:i.at])
		if n := bytes.Count(w.Out[from:i.at], []byte("\n")); n > 0 {
			line += n
			start = bytes.LastIndexByte(b.Bytes(), '\n') + 1
		}
		before := 0
		if shifts := moved[line]; len(shifts) > 0 {
			last := shifts[len(shifts)-1]
			before = last.before + last.by
		}
		moved[line] = append(moved[line], shift{b.Len() - start + 1, len(i.text), before})
		b.WriteString(i.text)
		from = i.at
	}
	b.Write(w.Out[from:])
	return b.Bytes(), moved
}

// Columns says, line by line, where text was put in.
type Columns map[int][]shift

type shift struct{ col, by, before int }

// Source is the place in the file of a place in the text.
func (c Columns) Source(p Place) Place {
	shifts := c[p.Line]
	i := sort.Search(len(shifts), func(i int) bool { return shifts[i].col > p.Col }) - 1
	if i < 0 {
		return p
	}
	return Place{p.Line, p.Col - shifts[i].before - min(shifts[i].by, p.Col-shifts[i].col)}
}
