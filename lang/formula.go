package lang

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/internal/scan"
	"github.com/gradine/gradine/logic"
)

// Dialect is the spelling that a formula is written in.
type Dialect = scan.Dialect

// The dialects: that of text files, and that of Rodin's.
const (
	Text   = scan.Text
	Stored = scan.Stored
)

// Limits of what is read. A formula of maxTokens tokens is some hundred pages.
const (
	maxSource = 4 << 20
	maxTokens = 1 << 20
)

// ParsePredicate reads text as one predicate. The formula is nil if there are
// problems. Spans count bytes of text.
func ParsePredicate(text string, d Dialect) (*Formula, []Problem) {
	return parseOne(text, d, (*grouper).predicate)
}

// ParseExpression reads text as one expression; see ParsePredicate.
func ParseExpression(text string, d Dialect) (*Formula, []Problem) {
	return parseOne(text, d, (*grouper).expression)
}

// ParseType reads text as a type expression: ℤ, BOOL, carrier sets, ℙ, × and ↔.
func ParseType(text string, d Dialect) (*Formula, []Problem) {
	return parseOne(text, d, func(g *grouper) *Formula {
		p := g.operand(logic.Invalid)
		if !g.failed && !isType(p.f) {
			g.failAt(codeWantType, p.from, p.to, "a type is built from ℤ, BOOL, carrier sets, ℙ, × and ↔", "‘%s’ is not a type", g.excerpt(p.from, p.to))
		}
		return p.f
	})
}

// ParseAssignment reads text as one assignment; see ParsePredicate.
func ParseAssignment(text string, d Dialect) (*Assignment, []Problem) {
	return parseOne(text, d, (*grouper).assignment)
}

// parseOne reads the whole of text with read.
func parseOne[T any](text string, dialect Dialect, read func(*grouper) *T) (*T, []Problem) {
	if p, ok := checkText(text); !ok {
		return nil, []Problem{p}
	}
	tokens := scan.Words(text, dialect)
	if problems := badTokens(text, tokens); problems != nil {
		return nil, problems
	}
	g := &grouper{src: text, tokens: tokens, labelled: true}
	f := read(g)
	g.finish()
	if len(g.problems) > 0 {
		return nil, g.problems
	}
	return f, nil
}

// finish fails if tokens are left.
func (g *grouper) finish() {
	if t := g.next(); t.Kind != scan.End {
		g.unexpected(t, fmt.Sprintf("%s does not continue the formula", g.describe(t)))
	}
}

// checkText rejects text that is too long or no UTF-8.
func checkText(text string) (Problem, bool) {
	if len(text) > maxSource {
		return Problem{Code: codeTooLong, To: 0, Message: fmt.Sprintf("the text has %d bytes; the limit is %d", len(text), maxSource)}, false
	}
	if !utf8.ValidString(text) {
		at := strings.IndexFunc(text, func(char rune) bool { return char == utf8.RuneError })
		for at >= 0 && strings.HasPrefix(text[at:], "\uFFFD") {
			next := strings.IndexFunc(text[at+3:], func(char rune) bool { return char == utf8.RuneError })
			at += 3 + next
		}
		return Problem{Code: codeEncoding, From: at, To: at + 1, Message: "the text is not UTF-8", Help: "save the text as UTF-8"}, false
	}
	return Problem{}, true
}

// badTokens reports the characters that begin no token, each kind once.
func badTokens(text string, tokens []scan.Token) []Problem {
	var problems []Problem
	seen := map[string]bool{}
	for _, tok := range tokens {
		c := text[tok.From:tok.To]
		if tok.Kind != scan.Unknown || seen[c] {
			continue
		}
		seen[c] = true
		problems = append(problems, Problem{
			Code: codeCharacter, From: tok.From, To: tok.To,
			Message: fmt.Sprintf("%q is not part of the language", c), Help: lookAlike[c],
		})
	}
	if problems == nil && len(tokens) > maxTokens {
		problems = []Problem{{Code: codeTooLong, Message: fmt.Sprintf("the formula has %d tokens; the limit is %d", len(tokens), maxTokens)}}
	}
	return problems
}

// assignment reads x, y ≔ E, F and the other forms.
func (g *grouper) assignment() *Assignment {
	g.assigning = true
	from := g.next().From
	a := &Assignment{Left: g.assigned()}
	op := g.next()
	// f(E) ≔ F looks like the application f(E) until ≔, so the names are read first.
	switch {
	case g.is(scan.LeftParen):
		g.update(a)
	case g.is(scan.BecomesEqual):
		g.take()
		a.Right = g.values()
		if !g.failed && len(a.Left) != len(a.Right) {
			g.fail(codeArity, op, "write an expression for each variable: x, y ≔ E, F", "%s, but %s", count(len(a.Left), "variable"), count(len(a.Right), "expression"))
		}
	case g.is(scan.BecomesIn):
		g.take()
		a.Kind = BecomesIn
		if len(a.Left) > 1 {
			g.failAt(codeArity, a.Left[0].Span.From, a.Left[len(a.Left)-1].Span.To, "use :∣ for several variables", ":∈ assigns one variable")
		}
		a.Right = []*Formula{g.body(false, "right side of :∈").f}
	case g.is(scan.BecomesSuch):
		g.take()
		a.Kind = BecomesSuch
		a.Right = []*Formula{g.body(true, "right side of :∣").f}
	case op.Kind == scan.Sign && op.Sign == logic.Eq && strings.HasSuffix(a.Left[0].Name, "'"):
		g.fail(codeAssignment, op, "write ≔ (:=) after the name without the prime", "the symbol = compares, and does not assign")
	case op.Kind == scan.Sign && op.Sign == logic.Eq:
		g.fail(codeAssignment, op, "write ≔ (:=)", "the symbol = compares, and does not assign")
	case op.Kind == scan.Name && g.foreignAt(op) == "":
		g.fail(codeAssignment, op, "separate variables by commas: x, y ≔ E, F", "expected ≔, :∈ or :∣, found %s", g.describe(op))
	default:
		g.fail(codeAssignment, op, g.foreignAt(op), "expected ≔, :∈ or :∣, found %s", g.describe(op))
	}
	a.Span = g.span(from, g.lastEnd())
	return a
}

// count says how many things there are.
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// assigned reads the names on the left side.
func (g *grouper) assigned() []*Formula {
	var names []*Formula
	for {
		tok := g.next()
		if tok.Kind != scan.Name {
			g.fail(codeWantName, tok, "", "expected a variable to assign, found %s", g.describe(tok))
			return names
		}
		g.take()
		names = append(names, g.leaf(logic.Free, tok, scan.Unquote(g.text(tok))).f)
		if !g.is(scan.Comma) {
			return names
		}
		g.take()
	}
}

// update reads the rest of f(E) ≔ F.
func (g *grouper) update(assignment *Assignment) {
	open := g.take()
	if len(assignment.Left) > 1 {
		g.fail(codeAssignment, open, "use several actions, or f ≔ f <+ {E ↦ F}", "f(E) ≔ F changes only one function")
	}
	assignment.Update = true
	assignment.Index = g.body(false, "argument").f
	g.closeBracket(scan.RightParen, open)
	if !g.is(scan.BecomesEqual) {
		g.fail(codeAssignment, g.next(), "", "expected ≔ after f(E), found %s", g.describe(g.next()))
	}
	g.take()
	assignment.Right = []*Formula{g.body(false, "right side of ≔").f}
}

// values reads E, F.
func (g *grouper) values() []*Formula {
	var list []*Formula
	for {
		list = append(list, g.body(false, "right side of ≔").f)
		if !g.is(scan.Comma) {
			return list
		}
		g.take()
	}
}

// place moves the spans of f, which count from the beginning of a formula's
// text, to where that text stands in a file.
func place(f *Formula, at func(diag.Span) diag.Span) {
	if f == nil {
		return
	}
	f.Span = at(f.Span)
	place(f.Oftype, at)
	for i := range f.Decls {
		f.Decls[i].Span = at(f.Decls[i].Span)
		place(f.Decls[i].Oftype, at)
	}
	for _, a := range f.Args {
		place(a, at)
	}
}
