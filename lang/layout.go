package lang

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/lang/internal/scan"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
)

// A layouter writes formulas for people: with blanks around infix operators, with
// the parentheses they need, and long ones on several lines.
type layouter struct {
	ascii  bool
	stored bool // in the stored dialect, which has no quotes
	at     level
}

// StoredText is f on one line in the stored dialect.
func StoredText(f *Formula) string {
	l := layouter{stored: true}
	return l.inOneLine(f)
}

// StoredText is a on one line in the stored dialect.
func (a *Assignment) StoredText() string {
	l := layouter{stored: true}
	return l.assignment(a, math.MaxInt)[0]
}

// name is the name of an identifier, in quotes if need be.
func (l *layouter) name(name string) string {
	if l.stored {
		return name
	}
	return quoteName(name, l.at)
}

func (l *layouter) spell(op logic.Op) string {
	e := notation.Of(op)
	switch {
	case l.ascii:
		return e.PreferredASCII()
	case l.stored:
		return e.Unicode
	}
	return e.Readable()
}

func (l *layouter) sign(s notation.Sign) string {
	if l.ascii {
		return s.ASCII
	}
	return s.Unicode
}

// before is text in front of something: a word is set off by a blank.
func before(text string) string {
	if r, _ := utf8.DecodeLastRuneInString(text); scan.IsNamePart(r) {
		return text + " "
	}
	return text
}

// inOneLine is f on one line.
func (l *layouter) inOneLine(f *Formula) string {
	var b strings.Builder
	l.write(&b, f)
	return b.String()
}

// write writes a formula on one line.
func (l *layouter) write(b *strings.Builder, f *Formula) {
	// Binders first: λ and {…} are Compr in the table, but are written by their form.
	if f.Decls != nil {
		head, tail := l.binder(f)
		b.WriteString(head)
		for _, part := range l.binderParts(f) {
			b.WriteString(part.before)
			l.write(b, part.f)
		}
		b.WriteString(tail)
		return
	}
	switch e := notation.Of(f.Op); e.Shape {
	case notation.Atom:
		b.WriteString(l.atom(f))
	case notation.Call, notation.Braces:
		open, closing := l.brackets(f)
		b.WriteString(open)
		for i, a := range f.Args {
			if i > 0 {
				b.WriteString(", ")
			}
			l.write(b, a)
		}
		b.WriteString(closing)
	case notation.Prefix:
		b.WriteString(before(l.spell(f.Op)))
		l.operand(b, f, 0)
	case notation.Postfix:
		l.operand(b, f, 0)
		b.WriteString(l.spell(f.Op))
	case notation.Function, notation.Image:
		open, closing := "(", ")"
		if e.Shape == notation.Image {
			open, closing = "[", "]"
		}
		l.operand(b, f, 0)
		b.WriteString(open)
		l.write(b, f.Args[1])
		b.WriteString(closing)
	case notation.Infix:
		for i := range f.Args {
			if i > 0 {
				b.WriteString(" " + l.spell(f.Op) + " ")
			}
			l.operand(b, f, i)
		}
	}
}

// brackets are what encloses the arguments of a call or an enumerated set.
func (l *layouter) brackets(f *Formula) (string, string) {
	switch {
	case f.Op != logic.SetExt:
		return l.spell(f.Op) + "(", ")"
	case len(f.Args) == 0:
		return "{ ", "}" // {} is ∅
	}
	return "{", "}"
}

func (l *layouter) atom(formula *Formula) string {
	switch formula.Op {
	case logic.Free:
		return l.name(formula.Name)
	case logic.Int:
		return strings.Replace(formula.Name, "-", l.spell(logic.Minus), 1)
	case PredVar:
		return "$" + formula.Name
	}
	text := l.spell(formula.Op)
	if formula.Oftype != nil {
		text += " " + l.spell(notation.OfType) + " " + l.inOneLine(formula.Oftype)
	}
	return text
}

// operand writes argument i of f, in parentheses if need be.
func (l *layouter) operand(b *strings.Builder, f *Formula, i int) {
	if !needsParens(f, i) {
		l.write(b, f.Args[i])
		return
	}
	b.WriteByte('(')
	l.write(b, f.Args[i])
	b.WriteByte(')')
}

// needsParens reports whether argument i of f stands in parentheses.
func needsParens(f *Formula, i int) bool {
	child := f.Args[i]
	if child.Oftype != nil {
		return notation.Open(f.Op, i)
	}
	return notation.ChildNeedsParens(head(child), f.Op, i)
}

// head is the entry of notation that f is written with.
func head(f *Formula) logic.Op {
	switch {
	case f.Op == logic.Compr && f.Form == logic.Lambda:
		return notation.Lambda
	case f.Op == logic.Int && strings.HasPrefix(f.Name, "-"):
		return notation.NegLit
	}
	return f.Op
}

// binderPart is a formula of a binder and the sign before it.
type binderPart struct {
	before string
	f      *Formula
}

// binder is what a binder begins and ends with.
func (l *layouter) binder(formula *Formula) (string, string) {
	head, tail := "{", "}"
	if formula.Form == logic.Lambda {
		head, tail = before(l.spell(notation.Lambda)), ""
	} else if formula.Op != logic.Compr {
		head, tail = before(l.spell(formula.Op)), ""
	}
	switch {
	case formula.Form == logic.Implicit:
		return head, tail
	case formula.Form == logic.Lambda:
		pattern, _ := l.pattern(formula.Args[1].Args[0], formula.Decls)
		return head + pattern + l.sign(notation.Dot), tail
	}
	decls := make([]string, len(formula.Decls))
	for i, decl := range formula.Decls {
		decls[i] = l.declaration(decl)
	}
	return head + strings.Join(decls, ", ") + l.sign(notation.Dot), tail
}

func (l *layouter) binderParts(formula *Formula) []binderPart {
	bar := " " + l.sign(notation.SuchThat) + " "
	switch {
	case formula.Op == logic.Forall || formula.Op == logic.Exists:
		return []binderPart{{"", formula.Args[0]}}
	case formula.Form == logic.Implicit:
		return []binderPart{{"", formula.Args[1]}, {bar, formula.Args[0]}}
	case formula.Form == logic.Lambda:
		return []binderPart{{"", formula.Args[0]}, {bar, formula.Args[1].Args[1]}}
	}
	return []binderPart{{"", formula.Args[0]}, {bar, formula.Args[1]}}
}

func (l *layouter) declaration(d Decl) string {
	text := l.name(d.Name)
	if d.Oftype == nil {
		return text
	}
	sign := l.spell(notation.OfType)
	if l.ascii {
		sign = " " + sign + " "
	}
	return text + sign + l.inOneLine(d.Oftype)
}

// pattern writes the pattern of a λ, whose names are declared by the first of
// decls; it returns the others.
func (l *layouter) pattern(f *Formula, decls []Decl) (string, []Decl) {
	if f.Op != logic.Maplet {
		return l.declaration(decls[0]), decls[1:]
	}
	left, decls := l.pattern(f.Args[0], decls)
	right, decls := l.pattern(f.Args[1], decls)
	if f.Args[1].Op == logic.Maplet {
		right = "(" + right + ")"
	}
	return left + " " + l.spell(logic.Maplet) + " " + right, decls
}

// lines lays f out in lines of at most width code points, where that is possible.
func (l *layouter) lines(formula *Formula, width int) []string {
	line := l.inOneLine(formula)
	if utf8.RuneCountInString(line) <= width {
		return []string{line}
	}
	if formula.Decls != nil {
		return l.binderLines(formula, width)
	}
	switch e := notation.Of(formula.Op); e.Shape {
	case notation.Infix:
		return l.infixLines(formula, width)
	case notation.Prefix:
		sign := before(l.spell(formula.Op))
		return hang(sign, l.operandLines(formula, 0, width-utf8.RuneCountInString(sign)))
	case notation.Call, notation.Braces:
		if len(formula.Args) > 0 {
			open, closing := l.brackets(formula)
			return l.listLines(open, closing, formula.Args, width)
		}
	case notation.Function, notation.Image:
		open, closing := "(", ")"
		if e.Shape == notation.Image {
			open, closing = "[", "]"
		}
		// The bracket stays on the last line of the function, so that f(…) reads as an application.
		first := l.operandLines(formula, 0, width)
		rest := enclose(open, l.lines(formula.Args[1], width-2), closing)
		return append(slices.Concat(first[:len(first)-1], []string{first[len(first)-1] + rest[0]}), rest[1:]...)
	}
	return []string{line}
}

// infixLines puts each operand on lines of its own, behind its operator.
func (l *layouter) infixLines(f *Formula, width int) []string {
	lines := l.operandLines(f, 0, width)
	sign := l.spell(f.Op) + " "
	for i := 1; i < len(f.Args); i++ {
		lines = append(lines, hang(sign, l.operandLines(f, i, width-utf8.RuneCountInString(sign)))...)
	}
	return lines
}

func (l *layouter) operandLines(f *Formula, i, width int) []string {
	if needsParens(f, i) {
		return enclose("(", l.lines(f.Args[i], width-2), ")")
	}
	return l.lines(f.Args[i], width)
}

// binderLines is a formula with a quantifier over several lines: its head, and its parts below it.
func (l *layouter) binderLines(formula *Formula, width int) []string {
	head, tail := l.binder(formula)
	lines := []string{head}
	for _, p := range l.binderParts(formula) {
		body := l.lines(p.f, width-4)
		if p.before != "" {
			body = hang(strings.TrimLeft(p.before, " "), body)
		}
		for _, line := range body {
			lines = append(lines, "  "+line)
		}
	}
	if formula.Form == logic.Implicit { // nothing but a bracket or quantifier stands on the first line
		lines = slices.Concat([]string{head + strings.TrimLeft(lines[1], " ")}, lines[2:])
	}
	lines[len(lines)-1] += tail
	return lines
}

// listLines fills lines with the items of a list.
func (l *layouter) listLines(open, closing string, items []*Formula, width int) []string {
	indent := utf8.RuneCountInString(open)
	var lines []string
	current := ""
	for i, item := range items {
		part := l.lines(item, width-indent-1)
		if i < len(items)-1 {
			part[len(part)-1] += ","
		}
		switch joined := current + " " + part[0]; {
		case i == 0:
			current = part[0]
		case utf8.RuneCountInString(joined)+indent <= width && len(part) == 1:
			current = joined
		default:
			lines = append(lines, current)
			current = part[0]
		}
		for _, line := range part[1:] {
			lines = append(lines, current)
			current = line
		}
	}
	return enclose(open, append(lines, current), closing)
}

// hang puts text before the first line, and indents the others as far.
func hang(text string, lines []string) []string {
	out := make([]string, len(lines))
	indent := strings.Repeat(" ", utf8.RuneCountInString(text))
	for i, line := range lines {
		out[i] = indent + line
	}
	out[0] = text + lines[0]
	return out
}

func enclose(open string, lines []string, closing string) []string {
	out := hang(open, lines)
	out[len(out)-1] += closing
	return out
}

// assignment is a on one line, or on several.
func (l *layouter) assignment(a *Assignment, width int) []string {
	if a.Kind == Skip {
		return []string{"skip"}
	}
	var left strings.Builder
	for i, formula := range a.Left {
		if i > 0 {
			left.WriteString(", ")
		}
		left.WriteString(l.atom(formula))
	}
	if a.Update {
		left.WriteString("(" + l.inOneLine(a.Index) + ")")
	}
	op := [...]notation.Sign{BecomesEqual: notation.BecomesEqual, BecomesIn: notation.BecomesIn, BecomesSuch: notation.BecomesSuch}[a.Kind]
	head := left.String() + " " + l.sign(op)
	if lines := l.listLines("", "", a.Right, 1<<30); utf8.RuneCountInString(head)+1+utf8.RuneCountInString(lines[0]) <= width {
		return hang(head+" ", lines)
	}
	if at := utf8.RuneCountInString(head) + 1; at <= 16 {
		return hang(head+" ", l.listLines("", "", a.Right, width-at))
	}
	return append([]string{head}, hang("    ", l.listLines("", "", a.Right, width-4))...)
}

// verbatim is the source text of a formula that holds comments: its lines as
// they are, its operators respelled.
func (l *layouter) verbatim(text string) []string {
	var b strings.Builder
	at := 0
	last := ' '
	for _, tok := range scan.All(text, scan.Text) {
		if tok.Kind == scan.End {
			break
		}
		word := l.respell(text, tok)
		if tok.Kind == scan.Comment {
			word = outdented(word)
		}
		first, _ := utf8.DecodeRuneInString(word)
		switch blank := text[at:tok.From]; {
		case strings.Contains(blank, "\n"):
			b.WriteByte('\n')
		case blank != "" || joins(last, first):
			b.WriteByte(' ')
		}
		b.WriteString(word)
		last, _ = utf8.DecodeLastRuneInString(word)
		at = tok.To
	}
	return strings.Split(b.String(), "\n")
}

// joins reports whether two tokens that end and begin with the given characters
// could be read as one.
func joins(last, first rune) bool {
	name := func(r rune) bool { return scan.IsNamePart(r) || r == '\'' || r == '`' }
	symbol := func(r rune) bool { return !name(r) && !scan.IsBlank(r) && !strings.ContainsRune("()[]{},", r) }
	return name(last) && name(first) || symbol(last) && symbol(first)
}

// respell is token t in the spelling of l.
func (l *layouter) respell(text string, t scan.Token) string {
	for i, s := range []notation.Sign{notation.Dot, notation.SuchThat, notation.BecomesEqual, notation.BecomesIn, notation.BecomesSuch} {
		if t.Kind == scan.Sign && t.Sign == scan.Dot+logic.Op(i) {
			return l.sign(s)
		}
	}
	if t.Kind != scan.Sign || t.Sign >= notation.NumOps {
		return text[t.From:t.To]
	}
	return l.spell(t.Sign)
}

// Lines is f for people: in lines of at most width characters, where that is possible.
func (f *Formula) Lines(width int) []string {
	l := layouter{}
	return l.lines(f, width)
}

// Lines is a for people: in lines of at most width characters, where that is possible.
func (a *Assignment) Lines(width int) []string {
	l := layouter{}
	return l.assignment(a, width)
}

// outdented is a comment without the blanks that all its lines but the first begin with: they are indented with the
// formula, and would go further right each time.
func outdented(comment string) string {
	lines := strings.Split(comment, "\n")
	least := len(comment)
	for _, line := range lines[1:] {
		if rest := strings.TrimLeft(line, " \t"); rest != "" {
			least = min(least, len(line)-len(rest))
		}
	}
	for i, line := range lines[1:] {
		lines[i+1] = line[min(least, len(line)):]
	}
	return strings.Join(lines, "\n")
}
