// Package scan splits formulas and files into tokens, in Unicode or ASCII spelling: words,
// numbers, operators, quoted names and comments. The grammar decides which names are keywords.
package scan

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

// Kind is the class of a token of a formula.
type Kind uint8

// The classes.
const (
	End     Kind = iota
	Name         // identifier, perhaps quoted, perhaps primed
	Number       // 12
	PredVar      // $P
	Sign         // operator, bracket, punctuation: see Token.Sign
	Comment      // of the text dialect; never handed to the grouping pass
	Unknown      // a character that begins no token
)

// Token is a piece of source text.
type Token struct {
	Kind     Kind
	Sign     logic.Op // of a sign: an operator of notation, or one of the signs below
	From, To int      // bytes of the source
}

// Symbols other than the operators of package notation.
const (
	LeftParen = notation.NumOps + iota
	RightParen
	LeftBracket
	RightBracket
	LeftBrace
	RightBrace
	Comma
	Dot
	SuchThat
	BecomesEqual
	BecomesIn
	BecomesSuch
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

// newSpellings lists how the signs of a dialect are written: words by their text, symbols by their first character.
func newSpellings(dialect Dialect) spellings {
	s := spellings{map[string]logic.Op{}, map[rune][]symbol{}}
	add := func(sign logic.Op, texts ...string) {
		for _, text := range texts {
			first, _ := utf8.DecodeRuneInString(text)
			switch {
			case text == "":
			case IsNameStart(first):
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
		add(Dot+logic.Op(i), p.Unicode)
		if dialect == Text {
			add(Dot+logic.Op(i), p.ASCII)
		}
	}
	for i, b := range strings.Split("( ) [ ] { } ,", " ") {
		add(LeftParen+logic.Op(i), b)
	}
	for _, list := range s.symbols {
		slices.SortStableFunc(list, func(a, b symbol) int { return len(b.text) - len(a.text) })
	}
	return s
}

// IsBlank reports whether r separates tokens.
func IsBlank(r rune) bool {
	switch {
	case r == ' ' || '\t' <= r && r <= '\r' || '\x1c' <= r && r <= '\x1f':
		return true
	case r < 0x80:
		return false
	}
	return unicode.In(r, unicode.Z)
}

// IsNameStart reports whether r begins an identifier: the letters, currency
// signs and connectors of Java's identifiers, but for λ and $.
func IsNameStart(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_':
		return true
	case r < 0x80 || r == 'λ':
		return false
	}
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Sc, unicode.Pc)
}

// IsNamePart reports whether r continues an identifier.
func IsNamePart(r rune) bool {
	switch {
	case IsNameStart(r) || '0' <= r && r <= '9':
		return true
	case r < 0x80:
		return false
	}
	return unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Cf)
}

// All cuts src into tokens. The last one is End. Comments of the text dialect
// are among them.
func All(src string, dialect Dialect) []Token {
	tokens := make([]Token, 0, len(src)/2+1)
	for at := 0; at < len(src); {
		char, n := Decode(src, at)
		if IsBlank(char) {
			at += n
			continue
		}
		tok := dialects[dialect].next(src, at, dialect)
		tokens = append(tokens, tok)
		at = tok.To
	}
	return append(tokens, Token{Kind: End, From: len(src), To: len(src)})
}

// Words cuts src into tokens, comments apart.
func Words(src string, d Dialect) []Token {
	return slices.DeleteFunc(All(src, d), func(t Token) bool { return t.Kind == Comment })
}

// Decode is the character at src[at:], and its length.
func Decode(src string, at int) (rune, int) {
	if c := src[at]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(src[at:])
}

// Next reads the token at src[at:], which is not a blank.
func Next(src string, at int, d Dialect) Token { return dialects[d].next(src, at, d) }

// Word returns the operator that a word of the text dialect spells, if it spells one.
func Word(text string) (op logic.Op, ok bool) {
	op, ok = dialects[Text].words[text]
	return op, ok
}

// next reads the token at src[at:], which is not a blank.
func (s *spellings) next(src string, at int, dialect Dialect) Token {
	char, n := Decode(src, at)
	if dialect == Text {
		if to := commentEnd(src, at); to > at {
			return Token{Kind: Comment, From: at, To: to}
		}
		if char == '`' {
			if to := QuotedEnd(src, at); to > at {
				return Token{Kind: Name, From: at, To: prime(src, to)}
			}
		}
	}
	// Words before symbols: an operator such as circ ends where an identifier would.
	switch {
	case IsNameStart(char):
		to := While(src, at+n, IsNamePart)
		if op, ok := s.words[src[at:to]]; ok {
			return Token{Sign, op, at, to}
		}
		return Token{Kind: Name, From: at, To: prime(src, to)}
	case unicode.IsDigit(char):
		return Token{Kind: Number, From: at, To: While(src, at+n, unicode.IsDigit)}
	case char == '$' && at+1 < len(src):
		if to := While(src, at+1, IsNamePart); to > at+1 && !unicode.IsDigit(rune(src[at+1])) {
			return Token{Kind: PredVar, From: at, To: to}
		}
	}
	for _, sym := range s.symbols[char] {
		if strings.HasPrefix(src[at:], sym.text) {
			return Token{Sign, sym.sign, at, at + len(sym.text)}
		}
	}
	return Token{Kind: Unknown, From: at, To: at + n}
}

// While is the end of the characters from src[at:] on of which in holds.
func While(src string, at int, in func(rune) bool) int {
	for at < len(src) {
		r, n := Decode(src, at)
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
// that is not closed ends with the source.
func commentEnd(src string, at int) int {
	switch rest := src[at:]; {
	case strings.HasPrefix(rest, "//"):
		if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
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

// QuotedEnd is the end of the quoted name that begins at src[at:], or at if
// it is not closed. A doubled quote stands for one.
func QuotedEnd(src string, at int) int {
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

// Unquote is the identifier that a name token spells.
func Unquote(text string) string {
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
