package ast

import "fmt"

// resolved ties the names in the body of f to the variables that they mean. A variable is known from behind its declarator on, in
// its initial value already (C11 6.2.1p7). Readers of a body have scopes of their own; where one finds another variable than stands
// here, it refuses (see Mistaken).
func (r *reader) resolved(f *Function) {
	scope := map[string]*Decl{}
	for _, p := range f.Params {
		scope[p.Name] = p
	}
	s := &resolver{r, []map[string]*Decl{scope}}
	s.statements(f.Body)
}

// resolvedGlobals does so for the initial values of variables of the file, and for what is taken for granted of them.
func (r *reader) resolvedGlobals() {
	s := &resolver{reader: r}
	for _, d := range r.unit.Globals {
		s.expression(d.Init)
		s.initialised(d)
	}
	for _, e := range r.unit.Axioms {
		s.expression(e)
	}
}

// resolver knows the variables of a function, scope by scope.
type resolver struct {
	*reader
	scopes []map[string]*Decl
}

func (s *resolver) scoped(do func()) {
	s.scopes = append(s.scopes, map[string]*Decl{})
	do()
	s.scopes = s.scopes[:len(s.scopes)-1]
}

func (s *resolver) statements(ss []*Stmt) {
	for _, b := range ss {
		s.statement(b)
	}
}

// statement resolves the names of a statement in the scopes around it.
func (s *resolver) statement(b *Stmt) {
	if b == nil {
		return
	}
	for _, d := range b.Decls {
		s.scopes[len(s.scopes)-1][d.Name] = d
		s.expression(d.Init)
		s.initialised(d)
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

func (s *resolver) expression(e *Expr) {
	if e == nil {
		return
	}
	for i, a := range e.Args {
		if e.Kind == Call && i == 0 && a.Kind == Name {
			continue // a function
		}
		s.expression(a)
	}
	if e.Kind == Name {
		e.Decl = s.meant(e.Name)
	}
}

func (s *resolver) meant(name string) *Decl {
	for i := len(s.scopes) - 1; i >= 0; i-- {
		if d := s.scopes[i][name]; d != nil {
			return d
		}
	}
	return s.unit.Global(name)
}

// initialised refuses what has no value of its own while its initial value is evaluated, for it is set before the
// program starts.
func (s *resolver) initialised(d *Decl) {
	lasting := len(s.scopes) == 0 || d.Static || d.Typ.Spaced && d.Typ.Where != Private
	if lasting && d.InItself() {
		s.fail(d.At, "%s in its own initial value", d.Name)
	}
}

// InItself reports whether the initial value of d mentions d.
func (d *Decl) InItself() (found bool) {
	if d.Init == nil {
		return false
	}
	Exprs([]*Stmt{{Kind: ExprStmt, Cond: d.Init}}, func(e *Expr) { found = found || e.Kind == Name && e.Decl == d })
	return found
}

// Mistaken says why name e cannot be read as variable d, nil if it is taken for none; it is empty if that is what e means. An
// annotation that is moved to another place may find another variable there, and two readers should never.
func Mistaken(e *Expr, d *Decl) string {
	if e.Decl == d {
		return ""
	}
	return fmt.Sprintf("name %s, which denotes another variable where this is evaluated; rename one of the two variables", e.Name)
}
