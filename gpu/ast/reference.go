package ast

// dereferenced writes the stars that C++ leaves out: a reference is a pointer here, and its name means what
// that points at.
func (r *reader) dereferenced(f *Function) {
	scope := map[string]bool{} // whether a name is that of a reference
	for _, p := range f.Params {
		scope[p.Name] = p.Ref()
	}
	s := &stars{r, []map[string]bool{scope}}
	s.statements(f.Body)
}

// stars knows the names of references, scope by scope.
type stars struct {
	*reader
	scopes []map[string]bool
}

func (s *stars) isReference(name string) bool {
	for i := len(s.scopes) - 1; i >= 0; i-- {
		if ref, ok := s.scopes[i][name]; ok {
			return ref
		}
	}
	return false
}

func (s *stars) scoped(do func()) {
	s.scopes = append(s.scopes, map[string]bool{})
	do()
	s.scopes = s.scopes[:len(s.scopes)-1]
}

func (s *stars) statements(ss []*Stmt) {
	for _, b := range ss {
		s.statement(b)
	}
}

func (s *stars) statement(b *Stmt) {
	if b == nil {
		return
	}
	for _, d := range b.Decls {
		// A name is known from behind its declarator on, in its initial value already (C11 6.2.1p7).
		if d.Ref() && d.Konst && Passing(d.Init) { // of a copy, which lives as long
			d.Typ = d.Typ.Elem
		}
		s.scopes[len(s.scopes)-1][d.Name] = d.Ref()
		s.expression(d.Init)
		if d.Ref() {
			s.designates(d.Init)
			d.Init = &Expr{Kind: Unary, Op: "&", At: d.Init.At, Args: []*Expr{d.Init}}
		}
	}
	own := func() {
		s.statement(b.Init)
		s.expression(b.Cond)
		s.expression(b.Post)
		if b.Kind == CaseStmt || b.Kind == LabelStmt { // what they stand before is of the block around
			s.statements(b.Body)
			return
		}
		s.scoped(func() { s.statements(b.Body) })
		s.scoped(func() { s.statements(b.Other) })
	}
	if b.Kind == CaseStmt || b.Kind == LabelStmt || b.Kind == DeclStmt {
		own()
		return
	}
	s.scoped(own)
}

func (s *stars) expression(e *Expr) {
	if e == nil {
		return
	}
	for i, a := range e.Args {
		if e.Kind == Call && i == 0 && a.Kind == Name {
			continue
		}
		s.expression(a)
	}
	if e.Kind == Name && s.isReference(e.Name) {
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
