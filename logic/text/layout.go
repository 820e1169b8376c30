package text

import (
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
)

// layout writes predicate t, which begins in column indent. If it is too wide
// for one line, it is broken before its connective or relation, or after its
// declarations.
func (p *printer) layout(t logic.Term, indent int) {
	line := p.measure(t)
	op, args := p.b.Op(t), p.b.Args(t)
	switch {
	case indent+utf8.RuneCountInString(line) <= p.o.Width || len(args) == 0:
		p.write(line)
		// Only quantifiers and connectives are broken: a broken expression is harder to
		// read than a long one.
	case op == logic.Forall || op == logic.Exists:
		p.bind(t, func() {
			p.write(p.spelling(op))
			p.declare(t)
			p.newline(indent + 2)
			p.layout(args[0], indent+2)
		})
	// Signs stand at the beginnings of lines, and all operands in one column.
	case op.IsPredicate() && notation.Of(op).Shape == notation.Infix:
		sign := p.spelling(op) + " "
		width := utf8.RuneCountInString(sign)
		for i, a := range args {
			if i == 0 {
				p.write(strings.Repeat(" ", width))
			} else {
				p.newline(indent)
				p.write(sign)
			}
			if p.inParens(t, i) {
				p.write("(")
				p.layout(a, indent+width+1)
				p.write(")")
			} else {
				p.layout(a, indent+width)
			}
		}
	default:
		p.write(line)
	}
}

// measure returns the text of t on one line.
func (p *printer) measure(t logic.Term) string {
	q := printer{b: p.b, o: p.o, names: p.names}
	q.term(t)
	return q.out.String()
}

func (p *printer) newline(indent int) { p.write("\n", strings.Repeat(" ", indent)) }
