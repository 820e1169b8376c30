// Package text prints formulas and types. It prints Rodin's canonical text (minimal
// parentheses, types on declarations and on generic atoms), variants for people, and
// fingerprints of content.
package text

import (
	"strconv"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
)

// Options choose a variant of the canonical text. The zero value is the
// canonical text itself, as Rodin stores it.
type Options struct {
	Untyped bool // leave out ⦂ τ on declarations and generic atoms
	ASCII   bool // operators in their preferred ASCII spelling
	Spaced  bool // for people: blanks around every infix operator, and no private characters
	Width   int  // if positive, break longer predicates into lines at connectives
}

// Term returns the canonical text of t.
func Term(b *logic.Bank, t logic.Term) string { return Options{}.Term(b, t) }

// Readable returns the text of t for people: without types, with blanks, and in
// characters that fonts have.
func Readable(b *logic.Bank, t logic.Term) string {
	return Options{Untyped: true, Spaced: true}.Term(b, t)
}

// Type returns the canonical text of t.
func Type(b *logic.Bank, t logic.Type) string { return Options{}.Type(b, t) }

// Term returns the text of t.
func (o Options) Term(b *logic.Bank, t logic.Term) string {
	p := printer{b: b, o: o}
	if o.Width > 0 {
		p.layout(t, 0)
	} else {
		p.term(t)
	}
	return p.out.String()
}

// Type returns the text of t.
func (o Options) Type(b *logic.Bank, t logic.Type) string {
	p := printer{b: b, o: o}
	p.typ(t)
	return p.out.String()
}

// A printer writes one formula.
type printer struct {
	b     *logic.Bank
	o     Options
	names []string // of the variables bound here, the innermost last
	out   strings.Builder
}

func (p *printer) write(s ...string) {
	for _, x := range s {
		p.out.WriteString(x)
	}
}

// choose returns the spelling of a sign that stands in no table.
func (p *printer) choose(unicode, ascii string) string {
	if p.o.ASCII {
		return ascii
	}
	return unicode
}

func (p *printer) spelling(op logic.Op) string {
	switch e := notation.Of(op); {
	case p.o.ASCII:
		return e.PreferredASCII()
	case p.o.Spaced:
		return e.Readable()
	default:
		return e.Unicode
	}
}

// name returns identifier s, quoted if it is an operator's ASCII spelling.
func (p *printer) name(s string) string {
	if p.o.ASCII && asciiWords[s] {
		return "`" + s + "`"
	}
	return s
}

var asciiWords = func() map[string]bool {
	words := map[string]bool{}
	for _, e := range notation.All() {
		for _, s := range e.ASCII {
			words[s] = true
		}
	}
	return words
}()

// infix returns the spelling of op with the blanks around it.
func (p *printer) infix(op logic.Op) string {
	if s := p.spelling(op); p.o.Spaced || p.o.ASCII || notation.Of(op).Spaced {
		return " " + s + " "
	} else {
		return s
	}
}

// term writes t without parentheses around it.
func (p *printer) term(t logic.Term) {
	op, args := p.b.Op(t), p.b.Args(t)
	switch op {
	case logic.Int:
		v := p.b.Value(t)
		if v.Sign() < 0 {
			p.write(p.spelling(logic.Neg))
		}
		p.write(strings.TrimPrefix(v.String(), "-"))
		return
	case logic.Free, logic.Given:
		p.write(p.name(p.b.Name(t)))
		return
	case logic.Bound:
		p.write(p.name(p.bound(p.b.Index(t))))
		return
	case logic.Eps:
		p.bind(t, func() {
			p.write("ε", strconv.Itoa(p.b.Index(t)), "(")
			p.declare(t)
			p.term(args[0])
			p.write(")")
		})
		return
	}
	// What has no row in the table of operators is printed above; the table decides
	// how all else is spelt.
	switch notation.Of(op).Shape {
	case notation.Atom:
		p.write(p.spelling(op))
		if p.typedAtom(op) {
			p.write(p.infix(notation.OfType))
			p.typ(p.b.Type(t))
		}
	case notation.Call:
		p.write(p.spelling(op), "(")
		p.list(args)
		p.write(")")
	case notation.Prefix:
		p.write(p.spelling(op))
		if p.o.ASCII && op == logic.Not {
			p.write(" ")
		}
		p.arg(t, 0)
	case notation.Postfix:
		p.arg(t, 0)
		p.write(p.spelling(op))
	case notation.Infix:
		sign := p.infix(op)
		for i := range args {
			if i > 0 {
				p.write(sign)
			}
			p.arg(t, i)
		}
	case notation.Function:
		p.arg(t, 0)
		p.write("(")
		p.arg(t, 1)
		p.write(")")
	case notation.Image:
		p.arg(t, 0)
		p.write("[")
		p.arg(t, 1)
		p.write("]")
	case notation.Braces:
		if op == logic.Compr {
			p.comprehension(t)
			return
		}
		p.write("{")
		p.list(args)
		p.write("}")
	case notation.Binder:
		p.bind(t, func() {
			p.write(p.spelling(op))
			if p.o.ASCII && len(args) == 2 {
				p.write(" ")
			}
			p.scope(t)
		})
	}
}

func (p *printer) list(ts []logic.Term) {
	for i, t := range ts {
		if i > 0 {
			p.write(",")
		}
		p.term(t)
	}
}

func (p *printer) typedAtom(op logic.Op) bool { return op.IsGeneric() && !p.o.Untyped }

// arg writes argument i of t, in parentheses where it needs them.
func (p *printer) arg(t logic.Term, i int) {
	a := p.b.Arg(t, i)
	if !p.inParens(t, i) {
		p.term(a)
		return
	}
	p.write("(")
	p.term(a)
	p.write(")")
}

func (p *printer) inParens(term logic.Term, i int) bool {
	parent, child := p.b.Op(term), p.sign(p.b.Arg(term, i))
	switch {
	case child == logic.Eps:
		return false
	case p.typedAtom(child):
		return notation.Open(parent, i)
	case parent == logic.Neg && p.b.Op(p.b.Arg(term, i)) == logic.Int:
		return true // −1 without them is a literal
	}
	return notation.ChildNeedsParens(child, parent, i)
}

// sign returns the operator as which t is printed.
func (p *printer) sign(t logic.Term) logic.Op {
	switch op := p.b.Op(t); {
	case op == logic.Int && p.b.Value(t).Sign() < 0:
		return logic.Neg
	case op == logic.Compr && p.isLambda(t):
		return notation.Lambda
	default:
		return op
	}
}

// bind writes what write writes with the names of binder t in scope.
func (p *printer) bind(t logic.Term, write func()) {
	n := len(p.names)
	p.names = append(p.names, p.resolve(t)...)
	write()
	p.names = p.names[:n]
}

// scope writes binder t, whose names are in scope, from its declarations on.
func (p *printer) scope(term logic.Term) {
	args := p.b.Args(term)
	switch {
	case len(args) == 1:
		p.declare(term)
		p.term(args[0])
	case p.isImplicit(term):
		p.term(args[1])
		p.write(p.bar())
		p.term(args[0])
	default:
		p.declare(term)
		p.term(args[0])
		p.write(p.bar())
		p.term(args[1])
	}
}

func (p *printer) bar() string { return p.choose(" ∣ ", " | ") }
func (p *printer) dot() string { return p.choose("·", ". ") }

// comprehension prints a comprehension, as λ where it is one.
func (p *printer) comprehension(term logic.Term) {
	p.bind(term, func() {
		if !p.isLambda(term) {
			p.write("{")
			p.scope(term)
			p.write("}")
			return
		}
		p.write(p.spelling(notation.Lambda))
		expr := p.b.Arg(term, 1)
		decls := p.b.Decls(term)
		p.pattern(p.b.Arg(expr, 0), decls)
		p.write(p.dot())
		p.term(p.b.Arg(term, 0))
		p.write(p.bar())
		p.term(p.b.Arg(expr, 1))
	})
}

// declare writes the declarations of binder t and the dot.
func (p *printer) declare(t logic.Term) {
	decls := p.b.Decls(t)
	for j, typ := range decls {
		if j > 0 {
			p.write(",")
		}
		p.declaration(len(decls)-1-j, typ)
	}
	p.write(p.dot())
}

func (p *printer) declaration(index int, typ logic.Type) {
	p.write(p.name(p.bound(index)))
	if !p.o.Untyped {
		p.write(p.choose("⦂", " oftype "))
		p.typ(typ)
	}
}

// pattern writes the pattern e of a λ.
func (p *printer) pattern(expr logic.Term, decls []logic.Type) {
	if p.b.Op(expr) == logic.Bound {
		i := p.b.Index(expr)
		p.declaration(i, decls[len(decls)-1-i])
		return
	}
	left, right := p.b.Arg(expr, 0), p.b.Arg(expr, 1)
	p.pattern(left, decls)
	p.write(p.infix(logic.Maplet))
	nested := p.b.Op(right) == logic.Maplet
	if nested {
		p.write("(")
	}
	p.pattern(right, decls)
	if nested {
		p.write(")")
	}
}

// typ writes a type.
func (p *printer) typ(t logic.Type) {
	switch p.b.TypeKind(t) {
	case logic.KindInt:
		p.write(p.spelling(logic.Integer))
	case logic.KindBool:
		p.write(p.spelling(logic.Bool))
	case logic.KindGiven:
		p.write(p.name(p.b.GivenName(t)))
	case logic.KindPow:
		p.write(p.spelling(logic.Pow), "(")
		p.typ(p.b.Elem(t))
		p.write(")")
	case logic.KindProd:
		left, right := p.b.Pair(t)
		p.typ(left)
		p.write(p.choose("×", "**"))
		// × groups to the left.
		nested := p.b.TypeKind(right) == logic.KindProd
		if nested {
			p.write("(")
		}
		p.typ(right)
		if nested {
			p.write(")")
		}
	}
}
