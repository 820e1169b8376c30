package clang

import (
	"bytes"
	"strings"
)

// token is a word or symbol of C++, by its place in the text.
type token struct {
	start, end int
	line       int // from 1
	kind       byte
	match      int // of brackets: the index of the other one
}

// Kinds of tokens; symbols have their own character as kind.
const (
	word   = 'a'
	number = '0'
	text   = '"'
	scope  = 'S' // ::
	arrow  = 'A' // ->
)

// region is what stands between two conditional directives of a file.
type region struct {
	first, last int // lines
	within      *region
	written     []int // its own lines that have tokens
}

// scanner splits a file into tokens.
type scanner struct {
	src    []byte
	at     int
	line   int
	tokens []token
	region *region
	ended  []*region
}

// scan returns the tokens of src, without comments and directives, and the regions between
// conditional directives.
func scan(src []byte) ([]token, []*region) {
	s := &scanner{src: src, line: 1}
	fresh := true // nothing stands before on this line
	for s.at < len(src) {
		c := src[s.at]
		switch {
		case c == '\n':
			s.line++
			s.at++
			fresh = true
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\\':
			s.at++
		case c == '/' && s.at+1 < len(src) && (src[s.at+1] == '/' || src[s.at+1] == '*'):
			s.comment()
		case c == '#' && fresh:
			s.directive()
		default:
			fresh = false
			s.token(c)
		}
	}
	for s.region != nil {
		s.end(s.line)
	}
	return s.tokens, s.ended
}

func (s *scanner) comment() {
	if s.src[s.at+1] == '/' {
		for s.at < len(s.src) && (s.src[s.at] != '\n' || s.at > 0 && s.src[s.at-1] == '\\') {
			s.newline()
		}
		return
	}
	end := bytes.Index(s.src[s.at+2:], []byte("*/"))
	to := len(s.src)
	if end >= 0 {
		to = s.at + 2 + end + 2
	}
	for s.at < to {
		s.newline()
	}
}

// newline goes on by a byte, and counts lines.
func (s *scanner) newline() {
	if s.src[s.at] == '\n' {
		s.line++
	}
	s.at++
}

// directive reads a line that begins with #, and those that carry it on.
func (s *scanner) directive() {
	first, from := s.line, s.at
	// A directive ends with its line, unless a backslash or a comment carries it on.
	for s.at < len(s.src) && s.src[s.at] != '\n' {
		switch {
		case s.src[s.at] == '\\' && s.at+1 < len(s.src) && (s.src[s.at+1] == '\n' || s.src[s.at+1] == '\r'):
			for s.src[s.at] != '\n' {
				s.at++
				if s.at == len(s.src) {
					return
				}
			}
			s.newline()
		case s.src[s.at] == '/' && s.at+1 < len(s.src) && s.src[s.at+1] == '*':
			s.comment()
		default:
			s.at++
		}
	}
	name := strings.TrimLeft(string(s.src[from+1:s.at]), " \t")
	name = name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz"))]
	switch name {
	case "if", "ifdef", "ifndef":
		s.region = &region{first: s.line + 1, within: s.region}
	case "elif", "elifdef", "elifndef", "else":
		if s.region != nil {
			outer := s.region.within
			s.end(first - 1)
			s.region = &region{first: s.line + 1, within: outer}
		}
	case "endif":
		if s.region != nil {
			s.end(first - 1)
		}
	}
}

// end ends the innermost region.
func (s *scanner) end(line int) {
	s.region.last = line
	s.ended = append(s.ended, s.region)
	s.region = s.region.within
}

// token reads a token that begins with c.
func (s *scanner) token(c byte) {
	t := token{start: s.at, line: s.line, kind: c}
	switch {
	case letter(c):
		for s.at < len(s.src) && (letter(s.src[s.at]) || digit(s.src[s.at])) {
			s.at++
		}
		// A word that ends in R directly before a quotation mark begins a raw string.
		t.kind = word
		if s.at < len(s.src) && s.src[s.at] == '"' && strings.HasSuffix(string(s.src[t.start:s.at]), "R") {
			s.raw()
			t.kind = text
		}
	case digit(c):
		for s.at < len(s.src) && (letter(s.src[s.at]) || digit(s.src[s.at]) || s.src[s.at] == '.' || s.src[s.at] == '\'') {
			s.at++
		}
		t.kind = number
	case c == '"' || c == '\'':
		s.at++
		for s.at < len(s.src) && s.src[s.at] != c && s.src[s.at] != '\n' {
			if s.src[s.at] == '\\' && s.at+1 < len(s.src) {
				s.newline()
			}
			s.newline()
		}
		s.at = min(s.at+1, len(s.src))
		t.kind = text
	case c == ':' && s.at+1 < len(s.src) && s.src[s.at+1] == ':':
		s.at += 2
		t.kind = scope
	case c == '-' && s.at+1 < len(s.src) && s.src[s.at+1] == '>':
		s.at += 2
		t.kind = arrow
	default:
		s.at++
	}
	t.end = s.at
	s.tokens = append(s.tokens, t)
	// A region remembers the lines with tokens, so that code that no condition chose is known.
	if r := s.region; r != nil && (len(r.written) == 0 || r.written[len(r.written)-1] != t.line) {
		r.written = append(r.written, t.line)
	}
}

// raw reads the rest of R"x(…)x".
func (s *scanner) raw() {
	open := bytes.IndexByte(s.src[s.at:], '(')
	if open < 0 {
		s.at = len(s.src)
		return
	}
	close := append([]byte{')'}, s.src[s.at+1:s.at+open]...)
	close = append(close, '"')
	to := len(s.src)
	if end := bytes.Index(s.src[s.at+open:], close); end >= 0 {
		to = s.at + open + end + len(close)
	}
	for s.at < to {
		s.newline()
	}
}

func letter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$' || c >= 0x80
}
func digit(c byte) bool { return '0' <= c && c <= '9' }

// pair finds the other bracket of each; it reports whether all have one.
func pair(tokens []token) bool {
	var open []int
	for i, t := range tokens {
		switch t.kind {
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			if len(open) == 0 || opening[t.kind] != tokens[open[len(open)-1]].kind {
				return false
			}
			last := open[len(open)-1]
			open = open[:len(open)-1]
			tokens[i].match, tokens[last].match = last, i
		}
	}
	return len(open) == 0
}

var opening = map[byte]byte{')': '(', ']': '[', '}': '{'}
