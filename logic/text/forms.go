package text

import "github.com/gradine/gradine/logic"

// isLambda reports whether comprehension t is printed as λ: its author wrote
// it so, and it still has the shape.
func (p *printer) isLambda(t logic.Term) bool {
	hint, named := p.b.Hint(t)
	e := p.b.Arg(t, 1)
	if p.b.Op(e) != logic.Maplet || named && hint.Form != logic.Lambda {
		return false
	}
	return p.isPattern(p.b.Arg(e, 0), len(p.b.Decls(t)))
}

// isPattern reports whether e consists of the k variables of a binder, each
// once, in order of declaration.
func (p *printer) isPattern(expr logic.Term, k int) bool {
	next := k - 1
	var walk func(logic.Term) bool
	walk = func(term logic.Term) bool {
		switch p.b.Op(term) {
		case logic.Maplet:
			return walk(p.b.Arg(term, 0)) && walk(p.b.Arg(term, 1))
		case logic.Bound:
			next--
			return p.b.Index(term) == next+1
		}
		return false
	}
	return walk(expr) && next < 0
}

// isImplicit reports whether comprehension t is printed as {E ∣ P}: its author
// wrote it so, and the identifiers of E still are its variables in order. With
// types there is no such form, for it has no declarations.
func (p *printer) isImplicit(t logic.Term) bool {
	hint, named := p.b.Hint(t)
	if !p.o.Untyped || !named || hint.Form != logic.Implicit {
		return false
	}
	k := len(p.b.Decls(t))
	next := k - 1
	var walk func(t logic.Term, level int) bool
	walk = func(t logic.Term, level int) bool {
		switch op := p.b.Op(t); {
		// Printed in that form, an identifier of E would be bound.
		case op == logic.Free || op == logic.Given:
			return false
		case op == logic.Bound:
			i := p.b.Index(t) - level
			if i == next {
				next--
			}
			return i > next && i < k
		case op.IsBinder():
			level += len(p.b.Decls(t))
		}
		for _, a := range p.b.Args(t) {
			if !walk(a, level) {
				return false
			}
		}
		return true
	}
	return walk(p.b.Arg(t, 1), 0) && next < 0
}
