package lang

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/internal/scan"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
)

// MaxNesting bounds the depth of formulas, of texts and of programs that make them, so that no later stage that recurses
// over them can be made to overflow its stack.
const MaxNesting = 1000

// A grouper makes a tree of the flat sequence of operands and operators that a
// formula is. It is an operator-precedence parser over the partial order of
// package notation: an operand ends where the operator behind it does not bind
// tighter than the one before it; where the two are not comparable and not
// compatible, parentheses are missing.
//
// The first error ends the work: the rest of the tokens is dropped, so every
// loop ends, and later errors are not reported.
type grouper struct {
	src       string
	tokens    []scan.Token
	at        int // next token
	depth     int // open calls of operand
	left      int // where the left operand of the innermost open operator begins
	failed    bool
	labelled  bool // all tokens are one formula: no other begins on a new line
	assigning bool // the formula is an assignment
	quiet     bool // looking ahead for a hint: no problems
	problems  []Problem
}

// part is a formula with what its neighbours need to know.
type part struct {
	f      *Formula
	head   logic.Op // entry of notation
	closed bool     // literal, name, or enclosed by brackets
	depth  int
	from   int // start and end with its parentheses
	to     int
}

func (g *grouper) next() scan.Token { return g.tokens[g.at] }

func (g *grouper) is(s logic.Op) bool {
	t := g.next()
	return t.Kind == scan.Sign && t.Sign == s
}

func (g *grouper) take() scan.Token {
	t := g.tokens[g.at]
	if t.Kind != scan.End {
		g.at++
	}
	return t
}

// lastEnd is the end of the token taken last.
func (g *grouper) lastEnd() int {
	if g.at == 0 {
		return 0
	}
	return g.tokens[g.at-1].To
}

func (g *grouper) text(t scan.Token) string { return g.src[t.From:t.To] }

// expect takes sign s, or fails.
func (g *grouper) expect(s logic.Op, after string) {
	if g.is(s) {
		g.take()
		return
	}
	g.fail(codeExpected, g.next(), "", "expected %s after %s, found %s", spell(s), after, g.describe(g.next()))
}

// report notes a problem that the grouper can work on with.
func (g *grouper) report(code string, from, to int, help, format string, args ...any) {
	if !g.failed && !g.quiet {
		g.problems = append(g.problems, Problem{Code: code, From: from, To: to, Help: help, Message: fmt.Sprintf(format, args...)})
	}
}

// fail reports the first error and drops the rest of the tokens.
func (g *grouper) fail(code string, t scan.Token, help, format string, args ...any) {
	g.failAt(code, t.From, t.To, help, format, args...)
}

func (g *grouper) failAt(code string, from, to int, help, format string, args ...any) {
	if label := g.colonLabel(); label != "" {
		line, _, _ := strings.Cut(g.src[g.tokens[2].From:g.tokens[len(g.tokens)-1].From], "\n")
		help = fmt.Sprintf("a label follows @ and has no colon: write @%s %s", label, strings.TrimSpace(line))
	}
	g.report(code, from, to, help, format, args...)
	g.failed = true
	g.at = len(g.tokens) - 1
}

// describe names a token for people.
func (g *grouper) describe(t scan.Token) string {
	if t.Kind == scan.End {
		return "the end of the formula"
	}
	return "‘" + g.text(t) + "’"
}

// spell is a sign as people should see it.
func spell(op logic.Op) string {
	switch op {
	case notation.NegLit:
		return "−"
	case logic.Apply:
		return "application f(…)"
	case logic.Image:
		return "image r[…]"
	case scan.Dot:
		return "·"
	case scan.SuchThat:
		return "∣"
	case scan.BecomesEqual:
		return "≔"
	}
	if op >= scan.LeftParen && op <= scan.Comma {
		return "‘" + strings.Split("( ) [ ] { } ,", " ")[op-scan.LeftParen] + "’"
	}
	if op < notation.NumOps && op != logic.Invalid {
		if readable := notation.Of(op).Readable(); readable != "" {
			return readable
		}
	}
	return "operand"
}

func (g *grouper) span(from, to int) diag.Span { return diag.Span{From: from, To: to} }

// operand reads an operand of parent and everything behind it that binds
// tighter. The parent of an enclosed formula is logic.Invalid.
func (g *grouper) operand(parent logic.Op) part {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > MaxNesting {
		g.fail(codeNesting, g.next(), "split the formula", "the formula is nested deeper than %d levels", MaxNesting)
	}
	left := g.first(parent)
	for !g.failed {
		op, ok := g.operator()
		if !ok || !g.binds(parent, op, left) {
			break
		}
		left = g.extend(left, op, parent)
		if left.depth > MaxNesting {
			g.failAt(codeNesting, left.from, left.to, "split the formula", "formula nested deeper than %d levels", MaxNesting)
		}
	}
	return left
}

// operator is the infix or postfix operator that comes next.
func (g *grouper) operator() (logic.Op, bool) {
	tok := g.next()
	if tok.Kind != scan.Sign {
		return 0, false
	}
	switch tok.Sign {
	case scan.LeftParen:
		return logic.Apply, true
	case scan.LeftBracket:
		return logic.Image, true
	}
	if tok.Sign >= notation.NumOps {
		return 0, false
	}
	switch notation.Of(tok.Sign).Shape {
	case notation.Infix, notation.Postfix:
		return tok.Sign, true
	}
	return 0, false
}

// binds reports whether op takes left away from parent. It fails if the two
// need parentheses.
func (g *grouper) binds(parent, op logic.Op, left part) bool {
	if parent == logic.Invalid {
		return true
	}
	switch notation.Relate(parent, op) {
	case notation.RightFirst:
		return true
	case notation.Incompatible:
		g.incompatible(parent, op, left)
	}
	return false
}

// extend reads op and its right operand, behind left. The whole is an operand of
// parent.
func (g *grouper) extend(left part, op, parent logic.Op) part {
	switch op {
	case logic.Apply, logic.Image:
		return g.brackets(left, op)
	case notation.OfType:
		return g.ofType(left)
	case logic.Converse:
		g.take()
		g.sort(left, op)
		return g.build(op, left.from, left)
	}
	// Messages show the formula from its first operand on.
	outer := g.left
	g.left = left.from
	defer func() { g.left = outer }()
	parts := []part{left}
	for first := true; first || op.IsAssociative() && g.is(op); first = false {
		tok := g.take()
		right := g.operand(op)
		g.checkRight(tok, op, parent, parts, right)
		parts = append(parts, right)
	}
	for _, p := range parts {
		g.sort(p, op)
	}
	return g.build(op, left.from, parts...)
}

// checkRight fails if right, the operand behind op, must stand in parentheses.
// Rodin's parser takes a bracket that closes behind the operand for the end of
// op already, and compares the operand with the operator around op, if there is
// one: it rejects P ∧ ∃x·Q and takes (P ∧ ∃x·Q). So do we.
func (g *grouper) checkRight(tok scan.Token, op, parent logic.Op, left []part, right part) {
	if g.failed || right.closed {
		return
	}
	around := op
	if g.closes() {
		around = parent
	}
	if around == logic.Invalid || !notation.NeedsParens(op != logic.Not, right.head, around) {
		return
	}
	help := fmt.Sprintf("write %s (%s)", g.excerpt(tok.From, tok.To), g.excerpt(right.from, right.to))
	if len(left) > 0 {
		help = fmt.Sprintf("write %s %s (%s)", g.excerpt(left[0].from, left[len(left)-1].to), g.excerpt(tok.From, tok.To), g.excerpt(right.from, right.to))
	}
	g.failAt(codeParens, right.from, right.to, help, "%s as an operand of %s needs parentheses", spell(right.head), spell(op))
}

// closes reports whether a closing bracket comes next.
func (g *grouper) closes() bool {
	return g.is(scan.RightParen) || g.is(scan.RightBracket) || g.is(scan.RightBrace)
}

// incompatible reports parent and op, which share the operand mid.
func (g *grouper) incompatible(parent, op logic.Op, mid part) {
	tok := g.next()
	if g.quiet {
		g.fail(codeParens, tok, "", "")
		return
	}
	look := *g
	look.quiet = true
	look.take()
	rest := part{from: look.next().From, to: look.lastEnd()}
	if notation.Of(op).Shape == notation.Infix {
		rest = look.operand(op)
	}
	help := "put one of the two operators, with its operands, in parentheses"
	if !look.failed && rest.to > rest.from {
		if isRelational(parent) && isRelational(op) {
			g.fail(codeParens, tok, g.chained(mid, tok, rest.to), "%s and %s cannot follow each other", spell(parent), spell(op))
			return
		}
		r, o := g.excerpt(rest.from, rest.to), g.text(tok)
		help = fmt.Sprintf("write (%s) %s %s or %s (%s %s %s)",
			g.excerpt(g.left, mid.to), o, r, g.excerpt(g.left, mid.from), g.excerpt(mid.from, mid.to), o, r)
	}
	g.fail(codeParens, tok, help, "%s and %s cannot be mixed without parentheses", spell(parent), spell(op))
}

// excerpt is a piece of the source on one line, shortened in the middle.
func (g *grouper) excerpt(from, to int) string {
	const most = 40
	words := strings.Fields(g.src[from:to])
	r := []rune(strings.Join(words, " "))
	if len(r) > most {
		r = slices.Concat(r[:most/2], []rune(" … "), r[len(r)-most/2:])
	}
	return string(r)
}

// brackets reads f(E) or r[S].
func (g *grouper) brackets(left part, op logic.Op) part {
	open, closing := g.take(), logic.Op(scan.RightParen)
	if op == logic.Image {
		closing = scan.RightBracket
	}
	g.sort(left, op)
	arg := g.operand(logic.Invalid)
	g.sort(arg, op)
	if g.is(scan.Comma) && op == logic.Apply {
		g.fail(codeExpected, g.next(), "pass a pair: f(x ↦ y)", "a function takes one argument")
	}
	g.closeBracket(closing, open)
	p := g.build(op, left.from, left, arg)
	p.to = g.lastEnd()
	p.f.Span.To = p.to
	return p
}

// closeBracket takes the bracket that matches open.
func (g *grouper) closeBracket(op logic.Op, open scan.Token) {
	if g.is(op) {
		g.take()
		return
	}
	tok := g.next()
	if tok.Kind == scan.End {
		g.failAt(codeUnclosed, open.From, open.To, "close the bracket with "+spell(op), "%s is never closed", g.describe(open))
		return
	}
	g.unexpected(tok, fmt.Sprintf("expected %s, found %s", spell(op), g.describe(tok)))
}

// unexpected reports a token that cannot continue a formula. It guesses what the author meant, the likeliest mistake first:
// an operator left out, a label with a space or left out, several actions in one, a bracket too many, a decimal number.
func (g *grouper) unexpected(tok scan.Token, otherwise string) {
	switch {
	case tok.Kind == scan.Name || tok.Kind == scan.Number || tok.Kind == scan.PredVar || tok.Kind == scan.Sign && g.begins(tok.Sign):
		help := g.foreignAt(tok)
		if help == "" && g.labelled && g.at == 1 && tok.Kind == scan.Name && g.tokens[0].Kind != scan.Sign {
			help = fmt.Sprintf("a label ends at a space; quote a label that contains spaces: @`label %s`", g.text(g.tokens[0]))
		}
		if help == "" && g.labelled && g.newLine(tok) {
			help = "if a new formula begins here, write a label before the formula: @label " + g.text(tok) + " …"
		}
		g.fail(codeMissingOperator, tok, help, "missing operator before %s", g.describe(tok))
	case tok.Kind == scan.Sign && tok.Sign >= scan.BecomesEqual && g.assigning:
		g.fail(codeExpected, tok, "label each action: @act1 x ≔ E  @act2 y ≔ F; all actions occur simultaneously", "a second assignment in one action")
	case tok.Kind == scan.Sign && slices.Contains([]logic.Op{scan.RightParen, scan.RightBracket, scan.RightBrace}, tok.Sign) && g.foreignAt(tok) == "":
		g.fail(codeExpected, tok, "delete the bracket, or add the opening bracket", "%s", otherwise)
	case tok.Kind == scan.Sign && tok.Sign == scan.Dot && g.at > 0 && g.tokens[g.at-1].Kind == scan.Number:
		g.fail(codeExpected, tok, "use integers: choose a smaller unit", "%s", otherwise)
	default:
		g.fail(codeExpected, tok, g.foreignAt(tok), "%s", otherwise)
	}
}

// newLine reports whether a token is the first of its line, and not of the formula.
func (g *grouper) newLine(tok scan.Token) bool {
	i := slices.Index(g.tokens, tok)
	return i > 0 && strings.Contains(g.src[g.tokens[i-1].To:tok.From], "\n")
}

// begins reports whether s can only begin an operand.
func (g *grouper) begins(s logic.Op) bool {
	if s >= notation.NumOps {
		return s == scan.LeftBrace
	}
	switch notation.Of(s).Shape {
	case notation.Atom, notation.Call, notation.Binder, notation.Prefix:
		return true
	}
	return false
}

// first reads what an operand of parent begins with.
func (g *grouper) first(parent logic.Op) part {
	tok := g.take()
	switch tok.Kind {
	case scan.Name:
		return g.leaf(logic.Free, tok, scan.Unquote(g.text(tok)))
	case scan.Number:
		return g.leaf(logic.Int, tok, digits(g.text(tok)))
	case scan.PredVar:
		return g.leaf(PredVar, tok, g.text(tok)[1:])
	case scan.End:
		if n := len(g.tokens); n > 1 && g.tokens[n-2].Sign == logic.FComp && g.text(g.tokens[n-2]) == ";" {
			g.fail(codeEnd, g.tokens[n-2], "delete the semicolon", "no separator is needed: ; is the composition of relations")
			return g.missing(tok)
		}
		g.fail(codeEnd, tok, "", "the formula ends where an operand should follow")
		return g.missing(tok)
	}
	// Signs with a rule of their own come before the shapes of the table: − may be
	// part of a literal, λ binds a pattern.
	switch tok.Sign {
	case scan.LeftParen:
		return g.parens(tok)
	case scan.LeftBrace:
		return g.braces(tok)
	case logic.Minus:
		return g.minus(tok, parent)
	case logic.Not:
		return g.not(tok, parent)
	case notation.Lambda:
		return g.lambda(tok)
	case logic.Forall, logic.Exists:
		return g.quantified(tok)
	case logic.QUnion, logic.QInter:
		return g.quantifiedSet(tok)
	}
	if tok.Sign < notation.NumOps {
		switch notation.Of(tok.Sign).Shape {
		case notation.Atom:
			return g.leaf(tok.Sign, tok, "")
		case notation.Call:
			return g.call(tok)
		}
		g.fail(codeMissingOperand, tok, g.foreignAt(tok), "%s needs an operand on its left", g.describe(tok))
		return g.missing(tok)
	}
	g.fail(codeMissingOperand, tok, g.foreignAt(tok), "expected an operand, found %s", g.describe(tok))
	return g.missing(tok)
}

func (g *grouper) missing(t scan.Token) part {
	return part{f: &Formula{Op: logic.True, Span: g.span(t.From, t.To)}, head: logic.True, closed: true, from: t.From, to: t.To}
}

func (g *grouper) leaf(op logic.Op, t scan.Token, name string) part {
	f := &Formula{Op: op, Name: name, Span: g.span(t.From, t.To)}
	return part{f: f, head: op, closed: true, depth: 1, from: t.From, to: t.To}
}

// digits is a literal in ASCII digits, without leading zeros.
func digits(text string) string {
	ascii := strings.Map(func(char rune) rune {
		if char < 0x80 {
			return char
		}
		zero := char
		for unicode.IsDigit(zero-1) && char-zero < 9 {
			zero--
		}
		return '0' + char - zero
	}, text)
	if s := strings.TrimLeft(ascii, "0"); s != "" {
		return s
	}
	return "0"
}

// build makes a node of parts, which begins at from and ends where the last
// token ended.
func (g *grouper) build(op logic.Op, from int, parts ...part) part {
	f := &Formula{Op: op, Args: make([]*Formula, len(parts)), Span: g.span(from, g.lastEnd())}
	depth := 0
	for i, p := range parts {
		f.Args[i] = p.f
		depth = max(depth, p.depth)
	}
	return part{f: f, head: op, depth: depth + 1, from: from, to: g.lastEnd()}
}

func (g *grouper) parens(open scan.Token) part {
	p := g.operand(logic.Invalid)
	g.closeBracket(scan.RightParen, open)
	p.closed = true
	p.from, p.to = open.From, g.lastEnd()
	return p
}

func (g *grouper) not(t scan.Token, parent logic.Op) part {
	p := g.operand(logic.Not)
	g.checkRight(t, logic.Not, parent, nil, p)
	g.sort(p, logic.Not)
	return g.build(logic.Not, t.From, p)
}

// minus reads a negative literal, where − is glued to the digits, or a unary minus.
func (g *grouper) minus(tok scan.Token, parent logic.Op) part {
	p := g.operand(logic.Neg)
	if p.f.Op == logic.Int && p.f.Name[0] != '-' && p.f.Span.From == tok.To {
		if p.f.Name != "0" {
			p.f.Name = "-" + p.f.Name
		}
		p.f.Span.From = tok.From
		p.from = tok.From
		p.closed = true
		return p
	}
	g.checkRight(tok, logic.Neg, parent, nil, p)
	g.sort(p, logic.Neg)
	return g.build(logic.Neg, tok.From, p)
}

// call reads card(S) and the like.
func (g *grouper) call(tok scan.Token) part {
	open := g.next()
	g.expect(scan.LeftParen, g.describe(tok))
	parts := []part{g.operand(logic.Invalid)}
	for tok.Sign == logic.Partition && g.is(scan.Comma) {
		g.take()
		parts = append(parts, g.operand(logic.Invalid))
	}
	if g.is(scan.Comma) {
		g.fail(codeExpected, g.next(), "", "%s takes one argument", g.text(tok))
	}
	g.closeBracket(scan.RightParen, open)
	for _, p := range parts {
		g.sort(p, tok.Sign)
	}
	p := g.build(tok.Sign, tok.From, parts...)
	p.closed = true
	return p
}

// sort checks that p is a predicate where op takes predicates, and an
// expression elsewhere.
func (g *grouper) sort(p part, op logic.Op) {
	takes := false
	switch op {
	case logic.Not, logic.And, logic.Or, logic.Implies, logic.Iff, logic.BoolOf:
		takes = true
	}
	if c, ok := connectives[op]; ok && isPredicate(p.f) && !g.failed {
		g.failAt(codeWantExpression, p.from, p.to, c.help, "expected an expression, found a predicate (operand of %s)", spell(op))
	}
	g.want(p, takes, "operand of "+spell(op))
}

// want checks that p is a predicate, or an expression.
func (g *grouper) want(p part, predicate bool, role string) {
	if g.failed || isPredicate(p.f) == predicate {
		return
	}
	if predicate {
		g.failAt(codeWantPredicate, p.from, p.to, wantPredicateHelp(p.f), "expected a predicate, found an expression (%s)", role)
	} else {
		g.failAt(codeWantExpression, p.from, p.to, wantExpressionHelp(p.f), "expected an expression, found a predicate (%s)", role)
	}
}

func wantPredicateHelp(formula *Formula) string {
	switch formula.Op {
	case logic.Free:
		return fmt.Sprintf("if %s is of type BOOL, write %[1]s = TRUE", formula.Name)
	case logic.Apply:
		return "if its value is of type BOOL, write … = TRUE"
	case logic.TrueE:
		return "⊤ is the predicate that holds; TRUE is a value"
	case logic.FalseE:
		return "⊥ is the predicate that never holds; FALSE is a value"
	}
	return ""
}

func wantExpressionHelp(f *Formula) string {
	switch f.Op {
	case logic.True:
		return "TRUE is the value of type BOOL; ⊤ is a predicate"
	case logic.False:
		return "FALSE is the value of type BOOL; ⊥ is a predicate"
	}
	return "bool(P) makes a value of a predicate"
}

func isPredicate(f *Formula) bool { return f.Op.IsPredicate() || f.Op == PredVar }

// lookAlike says what was probably meant by a character that Rodin's stored
// language, or any, lacks.
var lookAlike = map[string]string{
	"|": "the bar of a set is ∣ (U+2223)", "\\": "set minus is ∖ (U+2216)", "*": "times is ∗ (U+2217)",
	"-": "minus is − (U+2212)", "/": "division is ÷ (U+00F7)", ".": "the dot is · (U+00B7), the interval ‥ (U+2025)",
	"&": "conjunction is ∧ (U+2227)", ":": "membership is ∈ (U+2208)", "~": "converse is ∼ (U+223C)",
	"'": "one prime at most follows an identifier, and none a reserved word", "`": "the quote is never closed",
	"⟶": "total functions are → (U+2192)", "⋅": "the dot is · (U+00B7)", "∙": "the dot is · (U+00B7)", "•": "the dot is · (U+00B7)",
	`"`: noStrings, "“": noStrings, "”": noStrings, "„": noStrings, "’": "a prime is ' (U+0027)", "«": noStrings, "»": noStrings,
	"¦": "the bar of a set is ∣ (U+2223)", "…": "the interval is ‥ (U+2025)", "∸": "minus is − (U+2212)", "⊕": "override is <+",
}
