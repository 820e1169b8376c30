package lang

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
)

// Dialect is the spelling that a formula is written in.
type Dialect uint8

// The dialects.
const (
	// Text is the language of files: Unicode and ASCII spellings of operators,
	// quoted names, comments.
	Text Dialect = iota
	// Stored is the language of Rodin's files: Unicode only, so that words such
	// as or, circ and NAT are plain identifiers.
	Stored
)

// kind is the class of a token of a formula.
type kind uint8

const (
	end     kind = iota
	name         // identifier, perhaps quoted, perhaps primed
	number       // 12
	predVar      // $P
	sign         // operator, bracket, punctuation: see token.sign
	comment      // of the text dialect; never handed to the grouping pass
	unknown      // a character that begins no token
)

// A token is a piece of source text.
type token struct {
	kind     kind
	sign     logic.Op // of a sign: an operator of notation, or one of the signs below
	from, to int      // bytes of the source
}

// Signs beside the operators of package notation.
const (
	leftParen = notation.NumOps + iota
	rightParen
	leftBracket
	rightBracket
	leftBrace
	rightBrace
	comma
	dot
	suchThat
	becomesEqual
	becomesIn
	becomesSuch
)

// spellings holds the words and symbols of one dialect.
type spellings struct {
	words   map[string]logic.Op
	symbols map[rune][]symbol // by first character, the longest first
}

type symbol struct {
	text string
	sign logic.Op
}

var dialects = [...]spellings{Text: newSpellings(Text), Stored: newSpellings(Stored)}

func newSpellings(dialect Dialect) spellings {
	s := spellings{map[string]logic.Op{}, map[rune][]symbol{}}
	add := func(sign logic.Op, texts ...string) {
		for _, text := range texts {
			first, _ := utf8.DecodeRuneInString(text)
			switch {
			case text == "":
			case isNameStart(first):
				s.words[text] = sign
			default:
				s.symbols[first] = append(s.symbols[first], symbol{text, sign})
			}
		}
	}
	for _, e := range notation.All() {
		if e.Op == logic.Neg {
			continue // spelled like Minus
		}
		add(e.Op, e.Unicode)
		if dialect == Text {
			add(e.Op, e.ASCII...)
		}
	}
	for i, p := range []notation.Sign{notation.Dot, notation.SuchThat, notation.BecomesEqual, notation.BecomesIn, notation.BecomesSuch} {
		add(dot+logic.Op(i), p.Unicode)
		if dialect == Text {
			add(dot+logic.Op(i), p.ASCII)
		}
	}
	for i, b := range strings.Split("( ) [ ] { } ,", " ") {
		add(leftParen+logic.Op(i), b)
	}
	for _, list := range s.symbols {
		slices.SortStableFunc(list, func(a, b symbol) int { return len(b.text) - len(a.text) })
	}
	return s
}

// isBlank reports whether r separates tokens.
func isBlank(r rune) bool {
	switch {
	case r == ' ' || '\t' <= r && r <= '\r' || '\x1c' <= r && r <= '\x1f':
		return true
	case r < 0x80:
		return false
	}
	return unicode.In(r, unicode.Z)
}

// isNameStart reports whether r begins an identifier: the letters, currency
// signs and connectors of Java's identifiers, but for λ and $.
func isNameStart(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_':
		return true
	case r < 0x80 || r == 'λ':
		return false
	}
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Sc, unicode.Pc)
}

// isNamePart reports whether r continues an identifier.
func isNamePart(r rune) bool {
	switch {
	case isNameStart(r) || '0' <= r && r <= '9':
		return true
	case r < 0x80:
		return false
	}
	return unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Cf)
}

// scan cuts src into tokens. The last one is end. Comments of the text dialect
// are among them.
func scan(src string, dialect Dialect) []token {
	tokens := make([]token, 0, len(src)/2+1)
	for at := 0; at < len(src); {
		char, n := decode(src, at)
		if isBlank(char) {
			at += n
			continue
		}
		tok := dialects[dialect].next(src, at, dialect)
		tokens = append(tokens, tok)
		at = tok.to
	}
	return append(tokens, token{kind: end, from: len(src), to: len(src)})
}

// words cuts src into tokens, comments apart.
func words(src string, d Dialect) []token {
	return slices.DeleteFunc(scan(src, d), func(t token) bool { return t.kind == comment })
}

func decode(src string, at int) (rune, int) {
	if c := src[at]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(src[at:])
}

// next reads the token at src[at:], which is not a blank.
func (s *spellings) next(src string, at int, dialect Dialect) token {
	char, n := decode(src, at)
	if dialect == Text {
		if to := commentEnd(src, at); to > at {
			return token{kind: comment, from: at, to: to}
		}
		if char == '`' {
			if to := quotedEnd(src, at); to > at {
				return token{kind: name, from: at, to: prime(src, to)}
			}
		}
	}
	// Words before symbols: an operator such as circ ends where an identifier would.
	switch {
	case isNameStart(char):
		to := while(src, at+n, isNamePart)
		if op, ok := s.words[src[at:to]]; ok {
			return token{sign, op, at, to}
		}
		return token{kind: name, from: at, to: prime(src, to)}
	case unicode.IsDigit(char):
		return token{kind: number, from: at, to: while(src, at+n, unicode.IsDigit)}
	case char == '$' && at+1 < len(src):
		if to := while(src, at+1, isNamePart); to > at+1 && !unicode.IsDigit(rune(src[at+1])) {
			return token{kind: predVar, from: at, to: to}
		}
	}
	for _, sym := range s.symbols[char] {
		if strings.HasPrefix(src[at:], sym.text) {
			return token{sign, sym.sign, at, at + len(sym.text)}
		}
	}
	return token{kind: unknown, from: at, to: at + n}
}

func while(src string, at int, in func(rune) bool) int {
	for at < len(src) {
		r, n := decode(src, at)
		if !in(r) {
			break
		}
		at += n
	}
	return at
}

// prime includes the prime at src[at:], if there is one.
func prime(src string, at int) int {
	if at < len(src) && src[at] == '\'' {
		return at + 1
	}
	return at
}

// commentEnd is the end of the comment that begins at src[at:], or at. A comment
// that nobody closes ends with the source.
func commentEnd(src string, at int) int {
	switch rest := src[at:]; {
	case strings.HasPrefix(rest, "//"):
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			return at + i
		}
		return len(src)
	case strings.HasPrefix(rest, "/*"):
		if i := strings.Index(rest[2:], "*/"); i >= 0 {
			return at + 2 + i + 2
		}
		return len(src)
	case rest[0] == '"': // a comment of CamilleX, on one line
		if i := strings.IndexAny(rest[1:], "\"\n"); i >= 0 && rest[1+i] == '"' {
			return at + 1 + i + 1
		}
	}
	return at
}

// quotedEnd is the end of the quoted name that begins at src[at:], or at if
// nobody closes it. A doubled quote stands for one.
func quotedEnd(src string, at int) int {
	for i := at + 1; i < len(src); i++ {
		if src[i] != '`' {
			continue
		}
		if i+1 < len(src) && src[i+1] == '`' {
			i++
			continue
		}
		return i + 1
	}
	return at
}

// unquote is the identifier that a name token spells.
func unquote(text string) string {
	if len(text) < 2 || text[0] != '`' {
		return text
	}
	text, primed := strings.CutSuffix(text, "'")
	text = strings.ReplaceAll(text[1:len(text)-1], "``", "`")
	if primed {
		text += "'"
	}
	return text
}
