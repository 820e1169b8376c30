package ast

// dereferenced writes the stars that C++ leaves out: a reference is a pointer here, and its name means what
// that points at.
func (r *reader) dereferenced(f *Function) {
	Stmts(f.Body, func(s *Stmt) {
		for _, d := range s.Decls { // which stand before all that mentions them
			switch {
			case d.Ref() && d.Konst && Passing(d.Init): // of a copy, which lives as long
				d.Typ = d.Typ.Elem
				starred(d.Init)
			case d.Ref():
				starred(d.Init)
				r.designates(d.Init)
				d.Init = &Expr{Kind: Unary, Op: "&", At: d.Init.At, Args: []*Expr{d.Init}}
			default:
				starred(d.Init)
			}
		}
		starred(s.Cond)
		starred(s.Post)
	})
}

// starred writes the stars in an expression.
func starred(e *Expr) {
	if e == nil {
		return
	}
	for _, a := range e.Args {
		starred(a)
	}
	if e.Kind == Name && e.Decl != nil && e.Decl.Ref() {
		inner := *e
		*e = Expr{Kind: Unary, Op: "*", At: e.At, Args: []*Expr{&inner}}
	}
}

// Lasting reports whether e designates something that is there when e has been evaluated, which a reference
// can stand for.
func Lasting(e *Expr) bool {
	switch e.Kind {
	case Name, Index:
		return true
	case Unary:
		return e.Op == "*"
	case Member:
		return e.Op == "->" || Lasting(e.Args[0])
	}
	return false
}

// Passing reports whether e is a value that nothing designates: what a reference to a constant stands for is
// a copy then. Choices and assignments are neither.
func Passing(e *Expr) bool {
	switch e.Kind {
	case Literal, FloatLiteral, Cast, Binary, SizeOf, Call:
		return true
	case Unary:
		return e.Op != "*"
	case Step:
		return e.Postfix
	}
	return false
}

// designates refuses what is no place of its own: what C++ assigns there would get lost in
// a copy.
func (r *reader) designates(e *Expr) {
	for e.Kind == Member && e.Op == "" {
		e = e.Args[0]
	}
	switch {
	case e.Kind == Name, e.Kind == Index, e.Kind == Member, e.Kind == Unary && e.Op == "*", e.Kind == Cast && e.Args[0].Kind == InitList:
	default:
		r.fail(e.At, "an assignment to, or the address of, what is no variable")
	}
}
