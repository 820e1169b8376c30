package diag

import (
	"strings"
	"unicode/utf8"
)

// Places finds the lines and columns of byte ranges in a text. A reader of lines asks for them in rising order nearly
// always: line breaks are counted once then, and a text of n lines takes n steps, not n².
type Places struct {
	File, Text string

	breaks, counted int // line breaks in Text[:counted]
}

// Span is the place of Text[from:to].
func (p *Places) Span(from, to int) Span {
	if from < p.counted {
		p.breaks, p.counted = 0, 0
	}
	p.breaks += strings.Count(p.Text[p.counted:from], "\n")
	p.counted = from
	begin := strings.LastIndexByte(p.Text[:from], '\n') + 1
	return Span{File: p.File, From: from, To: to, Line: 1 + p.breaks, Col: 1 + utf8.RuneCountInString(p.Text[begin:from])}
}
