package lang

import (
	"strings"

	"github.com/gradine/gradine/lang/internal/scan"
	"github.com/gradine/gradine/logic/notation"
)

// TokenKind is the class of a token of a text file.
type TokenKind uint8

// The classes. Keywords are among the names: only the tree knows where they are some.
const (
	NameToken     TokenKind = iota // identifier or keyword, perhaps quoted, perhaps primed
	NumberToken                    // 12
	OperatorToken                  // ∧, card, {, :=
	LabelToken                     // @inv1
	CommentToken                   // delimiters included
	OtherToken                     // a character that begins no token
)

// Token is a piece of a text file, as editors look at it.
type Token struct {
	Kind     TokenKind
	From, To int // bytes of the text
	// Unicode is the spelling in Unicode of an operator that has one.
	Unicode string
}

// Tokens cuts a text file into tokens, whether it is right or wrong.
func Tokens(src string) (out []Token) {
	for at := 0; at < len(src); {
		if char, n := scan.Decode(src, at); scan.IsBlank(char) {
			at += n
			continue
		}
		// Labels are not of formulas: they may hold any signs.
		if to := labelEnd(src, at); to > at {
			out = append(out, Token{Kind: LabelToken, From: at, To: to})
			at = to
			continue
		}
		tok := scan.Next(src, at, scan.Text)
		out = append(out, Token{tokenKinds[tok.Kind], tok.From, tok.To, unicodeOf(tok)})
		at = tok.To
	}
	return out
}

var tokenKinds = [...]TokenKind{
	scan.Name: NameToken, scan.Number: NumberToken, scan.PredVar: OtherToken, scan.Sign: OperatorToken, scan.Comment: CommentToken, scan.Unknown: OtherToken,
}

// labelEnd is the end of the label that begins at src[at:], or at.
func labelEnd(src string, at int) int {
	if src[at] != '@' || at+1 == len(src) {
		return at
	}
	to := scan.While(src, at+1, func(r rune) bool { return !strings.ContainsRune("`:@", r) && !scan.IsBlank(r) })
	if src[at+1] == '`' {
		to = scan.QuotedEnd(src, at+1)
	}
	if to == at+1 {
		return at
	}
	if to < len(src) && src[to] == ':' {
		to++
	}
	return to
}

// unicodeOf is the spelling in Unicode of a sign that has one.
func unicodeOf(tok scan.Token) string {
	switch {
	case tok.Kind != scan.Sign:
	case tok.Sign < notation.NumOps:
		return notation.Of(tok.Sign).Unicode
	case tok.Sign >= scan.Dot:
		return [...]notation.Sign{notation.Dot, notation.SuchThat, notation.BecomesEqual, notation.BecomesIn, notation.BecomesSuch}[tok.Sign-scan.Dot].Unicode
	}
	return ""
}
