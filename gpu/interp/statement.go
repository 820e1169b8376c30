package interp

import (
	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/preproc"
)

type control uint8

const (
	goesOn control = iota
	breaks
	continues
	returns
)

// invoke calls a function with a body.
func (r *runner) invoke(f *ast.Function, args []result, at preproc.Place) result {
	if r.depth++; r.depth > 200 {
		r.undecided(at, "calls nested more than 200 deep")
	}
	if len(args) != len(f.Params) {
		r.undecided(at, "%s with %d arguments", f.Name, len(args))
	}
	keep, way := r.scopes, len(r.way)
	r.way = append(r.way, at.Line, at.Col)
	scope := map[string]*object{}
	for i, p := range f.Params {
		o := r.newObject(p.Name, p.Typ, ast.Private)
		v := r.convert(args[i], p.Typ, at)
		copy(o.cells, v.c)
		o.decl, scope[p.Name] = p, o
	}
	r.scopes = []map[string]*object{scope}
	keepReturned := r.returned
	r.returned = nil
	r.block(f.Body)
	out := r.returned
	r.returned = keepReturned
	r.leave(0)
	r.scopes, r.way = keep, r.way[:way]
	r.depth--
	switch {
	case out != nil:
	case f.Ret.Kind == ast.VoidType:
		return result{ast.TVoid, nil}
	default: // it has ended without return
		out = &result{typ: f.Ret}
		for range f.Ret.Cells() {
			out.c = append(out.c, r.unknown(""))
		}
	}
	return r.convert(*out, f.Ret, at)
}

// lookup is the object that a name stands for, nil if it is no variable of the file.
func (r *runner) lookup(e *ast.Expr) *object {
	o := r.found(e.Name)
	var d *ast.Decl
	if o != nil {
		d = o.decl
	}
	if why := ast.Mistaken(e, d); why != "" {
		r.undecided(e.At, "%s", why)
	}
	return o
}

func (r *runner) found(n string) *object {
	for i := len(r.scopes) - 1; i >= 0; i-- {
		if o := r.scopes[i][n]; o != nil {
			return o
		}
	}
	if g := r.u.Global(n); g != nil {
		// Its initial value is read among the names of the file.
		keep := r.scopes
		defer func() { r.scopes = keep }()
		r.scopes = nil
		return r.lasting(g)
	}
	return nil
}

// lasting is the one object of a declaration that is not a variable of a call: of the threads of
// a group, if it lies in local memory, and else of all.
func (r *runner) lasting(d *ast.Decl) *object {
	kept, sp := r.globals, ast.Global
	switch {
	case d.Typ.Where == ast.Local:
		kept, sp = r.shared, ast.Local
	case d.Typ.Where == ast.Constant:
		sp = ast.Constant
	}
	if o := kept[d]; o != nil {
		return o
	}
	if r.fill && sp == ast.Local && d.Typ.Kind == ast.ArrayType && d.Typ.N < 0 {
		return r.sizedByHost(d)
	}
	o := r.newObject(d.Name, d.Typ, sp)
	switch ofFile := r.u.Global(d.Name) == d; {
	case ofFile && d.Typ.Spaced && sp != ast.Local:
		o.side = ofDevice
	case ofFile && !d.Konst && sp != ast.Local:
		o.side = ofHost
	default:
		o.side = ofBoth
	}
	o.decl, kept[d] = d, o
	if sp == ast.Local || d.Extern { // it was not set, or another file set it
		return o
	}
	// Static storage begins as 0 (C11 6.7.9p10).
	for i := range o.cells {
		if o.typ.Leaf(int64(i)).Kind == ast.IntType {
			o.cells[i] = scalar{kind: intScalar}
		}
	}
	constructed(o.cells, d.Typ)
	if d.Init != nil {
		keep := r.t
		r.t = nil // no thread initialises it
		r.initialise(ref{o: o, typ: d.Typ}, d.Init, false)
		r.t = keep
	}
	return o
}

// sizedByHost is an array of local memory of which the launch says how large it is: as large as it needs to be, like the arrays of
// parameters. All of them begin at one place, so that a kernel with several is not run.
func (r *runner) sizedByHost(d *ast.Decl) *object {
	for other, o := range r.shared {
		if o.vast && other != d {
			r.undecided(d.At, "%s and another array whose length the host determines are one memory", d.Name)
		}
	}
	o := r.vast(d, ast.Local).c[0].to
	o.decl, r.shared[d] = d, o
	return o
}

func (r *runner) block(ss []*ast.Stmt) control {
	defer r.leave(r.enter())
	return r.statements(ss)
}

// enter opens a scope, and returns how many there are without it.
func (r *runner) enter() int {
	r.scopes = append(r.scopes, map[string]*object{})
	return len(r.scopes) - 1
}

// leave closes the scopes behind the first n. The variables that they declare are no more.
func (r *runner) leave(n int) {
	for _, scope := range r.scopes[min(n, len(r.scopes)):] {
		for _, o := range scope {
			o.dead = o.shared == ast.Private
		}
	}
	r.scopes = r.scopes[:min(n, len(r.scopes))]
}

func (r *runner) statements(ss []*ast.Stmt) control {
	for _, s := range ss {
		if c := r.statement(s); c != goesOn {
			return c
		}
	}
	return goesOn
}

// statement executes a statement, and says how it ends.
func (r *runner) statement(s *ast.Stmt) control {
	r.burn(s.At)
	switch s.Kind {
	case ast.EmptyStmt:
	case ast.ExprStmt:
		r.value(s.Cond)
	case ast.DeclStmt:
		for _, d := range s.Decls {
			r.declare(d)
		}
	case ast.BlockStmt:
		return r.block(s.Body)
	case ast.IfStmt:
		if r.truth(s.Cond) {
			return r.block(s.Body)
		}
		return r.block(s.Other)
	case ast.WhileStmt, ast.DoStmt, ast.ForStmt:
		return r.loop(s)
	case ast.SwitchStmt:
		return r.switching(s)
	case ast.CaseStmt, ast.LabelStmt: // a label opens no scope
		return r.statements(s.Body)
	case ast.BreakStmt:
		return breaks
	case ast.ContinueStmt:
		return continues
	case ast.ReturnStmt:
		if s.Cond != nil {
			v := r.value(s.Cond)
			r.returned = &v
		}
		return returns
	default:
		r.undecided(s.At, "goto")
	}
	return goesOn
}

// loop executes a loop.
func (r *runner) loop(s *ast.Stmt) control {
	defer r.leave(r.enter())
	if s.Init != nil {
		r.statement(s.Init)
	}
	r.way = append(r.way, 0)
	defer func(n int) { r.way = r.way[:n] }(len(r.way) - 1)
	for first := true; ; first = false {
		r.burn(s.At)
		r.way[len(r.way)-1]++
		if !(first && s.Kind == ast.DoStmt) && s.Cond != nil && !r.truth(s.Cond) {
			return goesOn
		}
		switch r.block(s.Body) {
		case breaks:
			return goesOn
		case returns:
			return returns
		}
		if s.Post != nil {
			r.value(s.Post)
		}
	}
}

// switching executes a switch from the label that fits.
func (r *runner) switching(s *ast.Stmt) control {
	on := r.value(s.Cond)
	v, t := r.integer(on, s.At), ast.Promoted(on.typ)
	body := s.Body[0].Body
	start := -1
	fallback := -1
	for i, b := range body {
		// Labels are tried in order, default only when none fits, wherever it stands.
		for c := b; c.Kind == ast.CaseStmt; c = c.Body[0] {
			switch {
			case c.Cond == nil:
				fallback = i
			case r.integer(r.convert(r.value(c.Cond), t, c.At), c.At) == v:
				start = i
			}
			if start >= 0 {
				break
			}
		}
		if start >= 0 {
			break
		}
	}
	if start < 0 {
		start = fallback
	}
	if start < 0 {
		return goesOn
	}
	defer r.leave(r.enter())
	r.passing(body[:start])
	if c := r.statements(body[start:]); c != breaks {
		return c
	}
	return goesOn
}

// passing declares the variables whose declarations are jumped past: they are there, with any value.
func (r *runner) passing(ss []*ast.Stmt) {
	for _, s := range ss {
		switch s.Kind {
		case ast.CaseStmt, ast.LabelStmt:
			r.passing(s.Body)
		case ast.DeclStmt:
			for _, d := range s.Decls {
				if d.Static {
					r.declare(d)
				} else {
					r.declared(d)
				}
			}
		}
	}
}

// declared introduces a variable, which has no value yet.
func (r *runner) declared(d *ast.Decl) *object {
	t := d.Typ
	if t.Kind == ast.OpaqueType {
		t = ast.TLong
	}
	o := r.newObject(d.Name, t, ast.Private)
	constructed(o.cells, t)
	o.decl, r.scopes[len(r.scopes)-1][d.Name] = d, o
	return o
}

func (r *runner) declare(d *ast.Decl) {
	if d.Static || r.t != nil && d.Typ.Spaced && d.Typ.Where == ast.Local {
		r.scopes[len(r.scopes)-1][d.Name] = r.lasting(d)
		return
	}
	o := r.declared(d) // it is in scope in its own initial value
	if d.Init == nil {
		return
	}
	if d.Init.Kind == ast.InitList && d.InItself() {
		r.undecided(d.At, "initial values of %s that mention it", d.Name)
	}
	r.initialise(ref{o: o, typ: o.typ}, d.Init, false)
}

// initialise sets a variable to its initial value, or a part of one that is listed in braces.
func (r *runner) initialise(to ref, e *ast.Expr, listed bool) {
	if e.Kind != ast.InitList {
		if to.typ.Kind == ast.ArrayType {
			if e.Kind != ast.StringLiteral {
				r.undecided(e.At, "initial values without braces around each aggregate")
			}
			for i := range to.typ.Cells() {
				to.o.cells[to.off+i] = r.unknown("")
			}
			return
		}
		v := r.value(e)
		if listed && to.typ.Kind == ast.VectorType && v.typ.Kind != ast.VectorType || to.typ.Kind == ast.StructType && v.typ.Kind != ast.StructType {
			r.undecided(e.At, "initial values without braces around each aggregate")
		}
		v = r.convert(v, to.typ, e.At)
		if int64(len(v.c)) != to.typ.Cells() {
			r.undecided(e.At, "an initial value of another type")
		}
		copy(to.o.cells[to.off:], v.c)
		return
	}
	if len(e.Args) == 1 && e.Args[0].Kind != ast.InitList && (to.typ.Kind == ast.StructType || to.typ.Kind == ast.VectorType) {
		if t := r.typeOf(e.Args[0]); t != nil && t.Kind == to.typ.Kind { // a copy of the whole
			r.initialise(to, e.Args[0], false)
			return
		}
	}
	zero := func(from, n int64) {
		for i := from; i < from+n; i++ {
			if to.typ.Leaf(i-to.off).Kind == ast.FloatType {
				to.o.cells[i] = scalar{kind: floatScalar}
			} else {
				to.o.cells[i] = scalar{kind: intScalar}
			}
		}
	}
	// Before the list: what it leaves out is 0 (C11 6.7.9p21).
	zero(to.off, to.typ.Cells())
	constructed(to.o.cells[to.off:], to.typ)
	off := to.off
	for i, a := range e.Args {
		t := to.typ
		switch to.typ.Kind {
		case ast.ArrayType, ast.VectorType:
			t = to.typ.Elem
		case ast.StructType:
			if i >= len(to.typ.Fields) {
				r.undecided(a.At, "too many initial values")
			}
			t = to.typ.Fields[i].Typ
		}
		if off+t.Cells() > to.off+to.typ.Cells() {
			r.undecided(a.At, "too many initial values")
		}
		r.initialise(ref{o: to.o, off: off, typ: t}, a, true)
		off += t.Cells()
	}
}

// constructed sets what constructors set in a variable of type t: the parts of a dim3, to 1.
func constructed(cells []scalar, t *ast.Ctype) {
	switch {
	case t.Kind == ast.VectorType && t.Name == "dim3":
		for i := range 3 {
			cells[i] = scalar{kind: intScalar, i: 1}
		}
	case t.Kind == ast.ArrayType && t.Elem.Kind != ast.IntType && t.Elem.Kind != ast.FloatType: // which may be many
		for i := range t.N {
			constructed(cells[i*t.Elem.Cells():], t.Elem)
		}
	case t.Kind == ast.StructType:
		for _, f := range t.Fields {
			constructed(cells, f.Typ)
			cells = cells[f.Typ.Cells():]
		}
	}
}
