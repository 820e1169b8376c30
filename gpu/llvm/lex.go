package llvm

import (
	"fmt"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
)

// tokenKind sorts tokens.
type tokenKind uint8

const (
	endOfFile     tokenKind = iota
	wordToken               // define, i32, nsw
	labelToken              // entry: and, in metadata, name:
	localToken              // %x
	globalToken             // @x
	metadataToken           // !x
	groupToken              // #0
	recordToken             // #dbg_declare
	comdatToken             // $x
	intToken
	floatToken
	stringToken
	charsToken // c"…"
	punctToken
)

// token is a token; its text has no sigil and no quotes.
type token struct {
	kind tokenKind
	text string
	line int
	col  int
}

// String is a token as messages print it.
func (t token) String() string {
	switch t.kind {
	case endOfFile:
		return "the end of the file"
	case localToken:
		return "%" + t.text
	case globalToken:
		return "@" + t.text
	case metadataToken:
		return "!" + t.text
	case groupToken, recordToken:
		return "#" + t.text
	}
	if len(t.text) > 40 {
		return t.text[:40] + "…"
	}
	return t.text
}

// lexer reads tokens one after the other.
type lexer struct {
	file string
	src  string
	pos  int
	line int
	bol  int // where the line begins
}

func (l *lexer) fail(line, col int, format string, args ...any) {
	panic(preproc.Refuse(l.file, preproc.Place{Line: max(1, line), Col: max(1, col)}, fmt.Sprintf(format, args...)))
}

func identChar(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '$' || c == '.' || c == '_'
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// skip skips spaces and comments.
func (l *lexer) skip() {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; c {
		case ' ', '\t', '\r':
			l.pos++
		case '\n':
			l.pos++
			l.line++
			l.bol = l.pos
		case ';':
			end := strings.IndexByte(l.src[l.pos:], '\n')
			if end < 0 {
				l.pos = len(l.src)
				return
			}
			l.pos += end
		default:
			return
		}
	}
}

// next reads a token.
func (l *lexer) next() token {
	l.skip()
	t := token{line: l.line, col: l.pos - l.bol + 1}
	if l.pos >= len(l.src) {
		return t
	}
	c := l.src[l.pos]
	// These characters begin a name of its own kind; $ begins that of a comdat.
	sigil := map[byte]tokenKind{'%': localToken, '@': globalToken, '!': metadataToken, '#': groupToken, '$': comdatToken}
	switch {
	case c == '"':
		t.kind, t.text = stringToken, l.quoted()
		if l.pos < len(l.src) && l.src[l.pos] == ':' {
			l.pos++
			t.kind = labelToken
		}
		return t
	case sigil[c] != endOfFile:
		if l.pos+1 < len(l.src) && l.src[l.pos+1] == '"' && c != '!' && c != '#' {
			l.pos++
			t.kind, t.text = sigil[c], l.quoted()
			return t
		}
		// A ! without a name begins a tuple or a string of metadata.
		if c == '!' && (l.pos+1 >= len(l.src) || !identChar(l.src[l.pos+1]) && l.src[l.pos+1] != '\\') {
			break
		}
		l.pos++
		t.kind, t.text = sigil[c], l.ident()
		if t.text == "" {
			l.fail(t.line, t.col, "%q here", c)
		}
		if c == '#' && !digit(t.text[0]) {
			t.kind = recordToken
		}
		return t
	case identChar(c) || c == '+':
		return l.wordOrNumber(t)
	}
	l.pos++
	t.kind, t.text = punctToken, string(c)
	return t
}

func (l *lexer) ident() string {
	start := l.pos
	for l.pos < len(l.src) && (identChar(l.src[l.pos]) || l.src[l.pos] == '\\') {
		l.pos++
	}
	return l.src[start:l.pos]
}

// wordOrNumber reads a keyword, a number, or a label.
func (l *lexer) wordOrNumber(t token) token {
	start := l.pos
	if strings.HasPrefix(l.src[l.pos:], "...") {
		l.pos += 3
		t.kind, t.text = punctToken, "..."
		return t
	}
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		// The sign of an exponent belongs to a number.
		if !identChar(c) && !(c == '+' && (l.pos == start || (l.src[l.pos-1] == 'e' && digit(l.src[start]) || l.src[l.pos-1] == 'e' && l.src[start] == '-'))) {
			break
		}
		l.pos++
	}
	t.text = l.src[start:l.pos]
	if l.pos < len(l.src) && l.src[l.pos] == ':' {
		l.pos++
		t.kind = labelToken
		return t
	}
	digits := strings.TrimLeft(t.text, "-+")
	switch {
	case t.text == "c" && l.pos < len(l.src) && l.src[l.pos] == '"':
		t.kind, t.text = charsToken, l.quoted()
	case digits != "" && strings.Trim(digits, "0123456789") == "":
		t.kind = intToken
	case digits != "" && digit(digits[0]):
		t.kind = floatToken
	default:
		t.kind = wordToken
	}
	return t
}

// quoted reads a string in quotes, with its \XX read.
func (l *lexer) quoted() string {
	line, col := l.line, l.pos-l.bol+1
	l.pos++
	end := strings.IndexByte(l.src[l.pos:], '"')
	if end < 0 {
		l.fail(line, col, "a string without end: the file is cut off")
	}
	text := l.src[l.pos : l.pos+end]
	l.pos += end + 1
	if n := strings.Count(text, "\n"); n > 0 {
		l.line += n
		l.bol = l.pos - end - 1 + strings.LastIndexByte(text, '\n') + 1
	}
	// Most strings have no escapes, and need no copy.
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		var v int
		if text[i] == '\\' && i+2 < len(text) {
			if n, err := fmt.Sscanf(text[i+1:i+3], "%02x", &v); err == nil && n == 1 {
				b.WriteByte(byte(v))
				i += 2
				continue
			}
		}
		if text[i] == '\\' && i+1 < len(text) && text[i+1] == '\\' {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
