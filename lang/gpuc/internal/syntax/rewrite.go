package syntax

import (
	"bytes"
	"slices"
	"sort"
	"strings"
)

// rewriting is a text that becomes C: bytes are replaced at their place, and a few are put in between.
type rewriting struct {
	file      string
	src, code []byte // as it was written; and without comments, strings and characters
	out       []byte
	between   []insertion
	starts    []int  // of lines
	directive []bool // whether a line is one of the preprocessor
	origin    *origin
}

func newRewriting(file string, src, out []byte, o *origin) *rewriting {
	w := &rewriting{file: file, src: src, code: codeOnly(out), out: out, origin: o}
	for from := 0; from <= len(src); {
		w.starts = append(w.starts, from)
		end := bytes.IndexByte(w.code[from:], '\n')
		if end < 0 {
			end = len(src) - from
		}
		line := w.code[from : from+end]
		carried := len(w.directive) > 0 && w.directive[len(w.directive)-1] && bytes.HasSuffix(bytes.TrimSuffix(src[:from-1], []byte("\r")), []byte("\\"))
		w.directive = append(w.directive, carried || bytes.HasPrefix(bytes.TrimLeft(line, " \t\r"), []byte("#")))
		from += end + 1
	}
	return w
}

// line is the number of the line that an offset is in, from 0.
func (w *rewriting) line(offset int) int {
	return sort.SearchInts(w.starts, offset+1) - 1
}

func (w *rewriting) place(offset int) Place {
	line := w.line(offset)
	return w.origin.of(Place{line + 1, offset - w.starts[line] + 1})
}

// insertion is text that is put in front of an offset.
type insertion struct {
	at   int
	text string
}

func (w *rewriting) insert(at int, text string) { w.between = append(w.between, insertion{at, text}) }

// blank takes a part out of the text.
func (w *rewriting) blank(from, to int) {
	blank(w.out[from:to])
	blank(w.code[from:to])
}

func (w *rewriting) refuse(at int, construct string) *Problem {
	return Refuse(w.file, w.place(at), construct)
}

// finished is the text with all insertions, and where its columns were.
func (w *rewriting) finished() ([]byte, columns) {
	slices.SortStableFunc(w.between, func(a, b insertion) int { return a.at - b.at })
	var b bytes.Buffer
	moved, line, start, from := columns{}, 1, 0, 0 // line of what is written so far, and where in the text it begins
	for _, i := range w.between {
		b.Write(w.out[from:i.at])
		if n := bytes.Count(w.out[from:i.at], []byte("\n")); n > 0 {
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
	b.Write(w.out[from:])
	return b.Bytes(), moved
}

// columns says, line by line, where text was put in.
type columns map[int][]shift

type shift struct{ col, by, before int }

// source is the place in the file of a place in the text.
func (c columns) source(p Place) Place {
	shifts := c[p.Line]
	i := sort.Search(len(shifts), func(i int) bool { return shifts[i].col > p.Col }) - 1
	if i < 0 {
		return p
	}
	return Place{p.Line, p.Col - shifts[i].before - min(shifts[i].by, p.Col-shifts[i].col)}
}

// wordBefore is the word that ends in front of i.
func wordBefore(code []byte, i int) string {
	from := i
	for from > 0 && (code[from-1] == '_' || code[from-1]|32 >= 'a' && code[from-1]|32 <= 'z' || code[from-1] >= '0' && code[from-1] <= '9') {
		from--
	}
	return string(code[from:i])
}

// spaceBefore skips blanks to the left of i.
func spaceBefore(code []byte, i int) int {
	for i > 0 && strings.IndexByte(" \t\r\n", code[i-1]) >= 0 {
		i--
	}
	return i
}

// spaceBehind skips blanks from i on.
func spaceBehind(code []byte, i int) int {
	for i < len(code) && strings.IndexByte(" \t\r\n", code[i]) >= 0 {
		i++
	}
	return i
}

// piece is a part of a text, from one offset to before another.
type piece struct{ from, to int }

// split are the pieces of code from one offset to another that commas separate, outside of all brackets.
func split(code []byte, from, to int) (out []piece) {
	depth, start := 0, from
	for i := from; i < to; i++ {
		switch code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, piece{start, i})
				start = i + 1
			}
		}
	}
	return append(out, piece{start, to})
}

func trimmed(code []byte, p piece) piece {
	p.from = spaceBehind(code[:p.to], p.from)
	p.to = max(p.from, spaceBefore(code, p.to))
	return p
}
