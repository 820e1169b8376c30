package lang

import (
	"sort"
	"unicode/utf8"

	"github.com/gradine/gradine/diag"
)

// A locator turns byte offsets of a file into spans.
type locator struct {
	path, src string
	lines     []int // offsets of the beginnings of lines
	runes     []int // number of code points before every 64th byte
}

const runeStep = 64

// newLocator finds the lines of a text, and counts its characters at regular steps.
func newLocator(path, src string) *locator {
	l := &locator{path: path, src: src, lines: []int{0}}
	n := 0
	for i := 0; i < len(src); i++ {
		if i%runeStep == 0 {
			l.runes = append(l.runes, n)
		}
		if utf8.RuneStart(src[i]) {
			n++
		}
		if src[i] == '\n' {
			l.lines = append(l.lines, i+1)
		}
	}
	l.runes = append(l.runes, n)
	return l
}

// span is the place of src[from:to].
func (l *locator) span(from, to int) diag.Span {
	line := l.line(from)
	return diag.Span{File: l.path, From: from, To: to, Line: line, Col: l.count(from) - l.count(l.lines[line-1]) + 1}
}

// line is the number of the line that offset at stands on, from 1.
func (l *locator) line(at int) int {
	return sort.Search(len(l.lines), func(i int) bool { return l.lines[i] > at })
}

// count is the number of code points before offset at.
func (l *locator) count(at int) int {
	block := at / runeStep
	if block >= len(l.runes) {
		block = len(l.runes) - 1
	}
	n := l.runes[block]
	for i := block * runeStep; i < at; i++ {
		if utf8.RuneStart(l.src[i]) {
			n++
		}
	}
	return n
}
