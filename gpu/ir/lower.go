package ir

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/builtin"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/preproc"
)

// Lower turns kernel f of u into a program: calls are inlined, expressions have no
// side effects left, structures and vectors are taken apart.
func Lower(u *ast.Unit, f *ast.Function, opts launch.Options) (p *Program, problem *preproc.Problem) {
	dynamic, known := map[preproc.Place]bool{}, map[string][]string{}
	for {
		l := &lowerer{Builder: NewBuilder(f.Name, u.File, f.At, opts, u.Taken), unit: u, opts: opts, dynamic: dynamic, known: known, bases: map[string]*pointer{"null": nullPointer(ast.TVoid)}, kept: map[*ast.Decl]*storage{}, pointed: map[*Variable]bool{}}
		again, problem := l.run(f)
		if problem != nil {
			return nil, problem
		}
		// known and dynamic only grow, and both are bounded by the text: this ends.
		if !again {
			return l.Prog, nil
		}
	}
}

// lowerer holds what lowering one kernel needs.
type lowerer struct {
	Builder
	unit          *ast.Unit
	opts          launch.Options
	scopes        []map[string]*storage
	kept          map[*ast.Decl]*storage // see lasting
	pointed       map[*Variable]bool     // variables whose address was taken
	dynamicShared *Memory                // what extern arrays of the group stand for
	dynamic       map[preproc.Place]bool // private arrays with computed indices
	known         map[string][]string    // what pointers may point at, by slot
	bases         map[string]*pointer
	again         bool
	calls         []string
	sites         []preproc.Place // of the calls
	frame         *frame
	wide          []*ast.Expr
	pure          int            // > 0: inside an annotation: no access counts
	logged        int            // > 0: an annotation may speak of logged accesses here
	accesses      map[int64]bool // of which accesses a conjunct of it speaks
}

// frame is a call that is being inlined.
type frame struct {
	exit    *Node
	result  []*Variable
	ret     *ast.Ctype
	breaks  []*Node
	conts   []*Node
	labels  map[string]*Node
	old     map[string]*value
	ptr     *storage // of a pointer that is returned
	inLoop  int
	ensures []*ast.Expr
}

// storage is where a name lives.
type storage struct {
	decl *ast.Decl
	typ  *ast.Ctype
	vars []*Variable // scalar leaves
	mem  *Memory
	ptr  *slot // of a pointer
	term *Term // a constant
	key  string
}

// value is what an expression stands for.
type value struct {
	typ   *ast.Ctype
	parts []*Term // scalar leaves; nil for pointers
	ptr   *pointer
	mixed *mixture // of a sum without sign
}

// lvalue is a place that can be assigned.
type lvalue struct {
	typ   *ast.Ctype
	vars  []*Variable // leaves
	mem   *Memory
	off   *Term
	cells []int64 // offsets of leaves behind off
	st    *storage
	null  bool
	key   string // of a private place, see pointer.base

	choices []*lvalue // one of several places, with which as the index
	which   *Term
}

func (l *lowerer) fail(at preproc.Place, format string, args ...any) { l.Fail(at, format, args...) }

// run lowers a function. again says that pointers have got new targets, so that it must be lowered once more.
func (l *lowerer) run(f *ast.Function) (again bool, problem *preproc.Problem) {
	defer preproc.Catch(&problem)
	l.scopes = []map[string]*storage{{}, {}}
	l.frame = &frame{exit: l.NewNode(f.At), ret: ast.TVoid, labels: map[string]*Node{}}
	exit := l.frame.exit
	exit.End = true
	ensures := false
	ast.Exprs(f.Body, func(e *ast.Expr) {
		ensures = ensures || e.Kind == ast.Call && strings.HasSuffix(e.Args[0].Name, "_ensures")
	})
	if ensures { // which is checked where all ways end
		l.frame.exit = l.NewNode(f.At)
	}
	given := l.opts.Arguments[f.Name]
	for _, d := range f.Params {
		value := ""
		if d.Typ.Kind != ast.PointerType && len(given) > 0 {
			value, given = given[0], given[1:]
		}
		l.kernelParameter(d, value)
	}
	if len(given) > 0 {
		l.fail(f.At, "more values than %s has non-array parameters", f.Name)
	}
	for _, a := range l.unit.Axioms {
		l.Prog.Granted, l.Prog.Believes = true, true
		if !l.opts.NoAssumptions {
			l.Prog.Axioms = append(l.Prog.Axioms, l.annotation(a))
		}
	}
	l.wide = l.wideInvariants(f.Body)
	l.statements(f.Body)
	if ensures {
		l.GoTo(l.frame.exit)
		l.ensured()
	}
	l.GoTo(exit)
	return l.again, nil
}

// wideInvariants collects the invariants that hold at all loops of a function, wherever in it they stand.
func (l *lowerer) wideInvariants(body []*ast.Stmt) (out []*ast.Expr) {
	for _, s := range body {
		if s.Kind == ast.ExprStmt && s.Cond.Kind == ast.Call && s.Cond.Args[0].Kind == ast.Name && strings.HasPrefix(s.Cond.Args[0].Name, "__function_wide_invariant") {
			if len(s.Cond.Args) != 2 {
				l.fail(s.At, "an invariant of the function with other than one condition")
			}
			out = append(out, s.Cond.Args[1])
		}
		out = append(out, l.wideInvariants(s.Body)...)
		out = append(out, l.wideInvariants(s.Other)...)
	}
	return out
}

// kernelParameter introduces a parameter of a kernel; a value is that of all launches, "*" or nothing any.
func (l *lowerer) kernelParameter(d *ast.Decl, given string) {
	st := &storage{decl: d, typ: d.Typ}
	any := given == "" || given == "*"
	if !any && d.Typ.Kind != ast.IntType {
		l.fail(d.At, "a value of %s, which is not an integer; give * and state the value in a __requires", d.Name)
	}
	switch d.Typ.Kind {
	case ast.PointerType:
		sp := d.Typ.Space
		if sp == ast.Private {
			sp = ast.Global // CUDA
		}
		st.ptr = l.newSlot(d.Name, d.At)
		l.givenArray(d.Name, st, sp, d.At)
	case ast.IntType, ast.FloatType, ast.VectorType, ast.StructType:
		for i := range d.Typ.Cells() {
			leaf := d.Typ.Leaf(i)
			n := d.Name + d.Typ.Path(i)
			if n == d.Name && d.Typ.Cells() > 1 {
				n = fmt.Sprint(d.Name, "_", i)
			}
			v := l.leafVariable(n, leaf, d.At)
			st.vars = append(st.vars, v)
			if v.held != nil {
				l.givenArray(n, &storage{typ: leaf, ptr: v.held}, ast.Global, d.At)
				continue
			}
			e := &Term{Op: Sym, Name: l.SymbolName(n)}
			p := &parameter{Name: n, Typ: leaf, Term: e}
			if d.Typ.Kind == ast.IntType {
				// Unsaid: any value of the type, which the symbol stands for.
				if x, ok := new(big.Int).SetString(given, 0); ok {
					e = BigNumber(interval.Wrapped(x, leaf))
				} else if !any {
					l.fail(d.At, "%s as the value of %s", given, d.Name)
				}
			}
			if e.Op == Sym {
				l.Prog.Params = append(l.Prog.Params, p)
			}
			l.Emit(&Instr{Op: DoAssign, At: d.At, V: v, E: e})
		}
	case ast.OpaqueType:
	default:
		l.fail(d.At, "parameter %s of type %s", d.Name, KindName(d.Typ))
	}
	l.scopes[len(l.scopes)-1][d.Name] = st
}

// givenArray is an array that a kernel is given: by itself, or in a structure.
func (l *lowerer) givenArray(name string, st *storage, sp ast.Space, at preproc.Place) {
	elem := st.typ.Elem
	if elem.Kind == ast.PointerType || elem.Kind == ast.OpaqueType {
		l.fail(at, "parameter %s: a pointer to %s", name, KindName(elem))
	}
	m := l.newMemory(name, sp, elem, -1, at)
	l.assignPointer(st, &value{typ: st.typ, ptr: &pointer{mem: m, off: Number(0), elem: elem}}, at)
}

// KindName is the name of a type in messages.
func KindName(t *ast.Ctype) string {
	if t.Name != "" {
		return t.Name
	}
	return [...]string{"void", "an integer", "a float", "a pointer", "an array", "a structure", "a vector", "an opaque type"}[t.Kind]
}

func (l *lowerer) newMemory(n string, sp ast.Space, elem *ast.Ctype, cells int64, at preproc.Place) *Memory {
	return l.NewMemory(n, n+" "+l.where(at), sp, elem, cells, at)
}

// lookup is what a name stands for, nil if that is no variable of the file.
func (l *lowerer) lookup(e *ast.Expr) *storage {
	s := l.found(e.Name)
	var d *ast.Decl
	if s != nil {
		d = s.decl
	}
	if why := ast.Mistaken(e, d); why != "" {
		l.fail(e.At, "%s", why)
	}
	return s
}

// found is what a name stands for; nil if it is not declared.
func (l *lowerer) found(n string) *storage {
	for i := len(l.scopes) - 1; i >= 0; i-- {
		if s := l.scopes[i][n]; s != nil {
			return s
		}
	}
	if g := l.unit.Global(n); g != nil {
		// Its initial value is read among the names of the file.
		keep := l.scopes
		defer func() { l.scopes = keep }()
		l.scopes = nil
		return l.lasting(g)
	}
	if v, ok := l.unit.Enums[n]; ok {
		return &storage{typ: ast.TInt, term: Number(v)}
	}
	return nil
}

// lasting is what a declaration stands for that is not a variable of a call, however often
// its function is called: device memory, memory of a group, or a constant.
func (l *lowerer) lasting(d *ast.Decl) *storage {
	s, begun := l.kept[d]
	if begun && s == nil {
		l.fail(d.At, "%s, whose initial value depends on itself", d.Name)
	}
	if s == nil {
		l.kept[d] = nil
		s = l.newLasting(d)
		s.decl, l.kept[d] = d, s
	}
	return s
}

// newLasting makes a variable that outlives its function: a constant, or an array in memory.
func (l *lowerer) newLasting(d *ast.Decl) *storage {
	if d.Typ.Kind == ast.IntType && d.Konst && d.Init != nil && d.Typ.Where == ast.Private {
		if v, ok := l.constantOf(d.Init); ok {
			return &storage{typ: d.Typ, term: BigNumber(interval.Wrapped(v, d.Typ))}
		}
	}
	sp := d.Typ.Where
	if sp == ast.Private {
		sp = ast.Global
		if d.Konst {
			sp = ast.Constant
		}
	}
	elem := d.Typ
	if elem.Kind == ast.ArrayType {
		elem = elem.Elem
	}
	if d.Extern && sp == ast.Local { // all such arrays begin at one address
		if l.dynamicShared == nil {
			l.dynamicShared = l.newMemory(d.Name, sp, elem, -1, d.At)
		}
		if cellBytes(l.dynamicShared.elem) != cellBytes(elem) {
			l.fail(d.At, "an extern shared array that overlaps one with another element type")
		}
		return &storage{typ: d.Typ, mem: l.dynamicShared}
	}
	if l.opts.Overflow {
		l.evaluated(d.Init)
	}
	m := l.newMemory(d.Name, sp, elem, max(d.Typ.Cells(), -1), d.At)
	// Only what is never written keeps its initial value; a host may have set the rest.
	if sp == ast.Constant && d.Init != nil && (!l.unit.Overrides || d.Typ.Where == ast.Private) {
		m.Content = l.contents(d.Typ, d.Init)
	}
	return &storage{typ: d.Typ, mem: m}
}

// evaluated makes the checks of an initial value.
func (l *lowerer) evaluated(init *ast.Expr) {
	switch {
	case init == nil:
	case init.Kind == ast.InitList:
		for _, a := range init.Args {
			l.evaluated(a)
		}
	default:
		l.value(init)
	}
}

func (l *lowerer) constantOf(e *ast.Expr) (*big.Int, bool) {
	return ast.Fold(e, func(e *ast.Expr) (*big.Int, bool) {
		s := l.lookup(e)
		if s == nil || s.term == nil || !s.term.IsNum() {
			return nil, false
		}
		return s.term.Val, true
	})
}

// contents are the values of an initialised array of integers, nil where there is none.
func (l *lowerer) contents(t *ast.Ctype, init *ast.Expr) []*big.Int {
	n := t.Cells()
	// Large tables are not worth their terms.
	if n < 0 || n > 4096 {
		return nil
	}
	var out []*big.Int
	var walk func(t *ast.Ctype, e *ast.Expr) bool
	walk = func(t *ast.Ctype, e *ast.Expr) bool {
		if t.Kind == ast.ArrayType || t.Kind == ast.VectorType || t.Kind == ast.StructType {
			if e.Kind != ast.InitList {
				return false
			}
			start := len(out)
			for i, a := range e.Args {
				sub := t.Elem
				if t.Kind == ast.StructType {
					sub = t.Fields[min(i, len(t.Fields)-1)].Typ
				}
				if !walk(sub, a) {
					return false
				}
			}
			// C sets what an initialiser leaves out to zero.
			for int64(len(out)-start) < t.Cells() {
				out = append(out, big.NewInt(t.LeftOut(int64(len(out)-start))))
			}
			return int64(len(out)-start) == t.Cells()
		}
		v, ok := l.constantOf(e)
		if !ok || t.Kind != ast.IntType {
			return false
		}
		out = append(out, interval.Wrapped(v, t))
		return true
	}
	if !walk(t, init) {
		return nil
	}
	return out
}

func (l *lowerer) statements(body []*ast.Stmt) {
	for _, s := range body {
		l.statement(s)
	}
}

func (l *lowerer) scoped(f func()) {
	l.scopes = append(l.scopes, map[string]*storage{})
	f()
	l.leave(l.scopes[len(l.scopes)-1])
	l.scopes = l.scopes[:len(l.scopes)-1]
}

// leave ends the variables of a scope: what pointers find there afterwards is any value.
func (l *lowerer) leave(scope map[string]*storage) {
	for _, n := range slices.Sorted(maps.Keys(scope)) {
		for _, v := range scope[n].vars {
			if l.pointed[v] {
				l.Emit(&Instr{Op: DoUndef, At: l.Prog.At, V: v})
			}
		}
	}
}

// statement lowers a statement.
func (l *lowerer) statement(s *ast.Stmt) {
	switch s.Kind {
	case ast.EmptyStmt:
	case ast.ExprStmt:
		l.effect(s.Cond)
	case ast.DeclStmt:
		for _, d := range s.Decls {
			l.declare(d)
		}
	case ast.BlockStmt:
		l.scoped(func() { l.statements(s.Body) })
	case ast.IfStmt:
		then, after := l.NewNode(s.At), l.NewNode(s.At)
		other := after
		if s.Other != nil {
			other = l.NewNode(s.At)
		}
		l.condition(s.Cond, then, other)
		l.Now = then
		l.scoped(func() { l.statements(s.Body) })
		l.Now.then2(after)
		if s.Other != nil {
			l.Now = other
			l.scoped(func() { l.statements(s.Other) })
			l.Now.then2(after)
		}
		l.Now = after
	case ast.WhileStmt, ast.DoStmt, ast.ForStmt:
		l.loop(s)
	case ast.SwitchStmt:
		l.switching(s)
	case ast.CaseStmt:
		l.statements(s.Body) // its node was set by switching
	case ast.LabelStmt:
		n := l.label(s.Label, s.At)
		l.GoTo(n)
		l.statements(s.Body)
	case ast.GotoStmt:
		l.jump(l.label(s.Label, s.At), s.At)
	case ast.BreakStmt:
		if len(l.frame.breaks) == 0 {
			l.fail(s.At, "break outside of a loop")
		}
		l.jump(l.frame.breaks[len(l.frame.breaks)-1], s.At)
	case ast.ContinueStmt:
		if len(l.frame.conts) == 0 {
			l.fail(s.At, "continue outside of a loop")
		}
		l.jump(l.frame.conts[len(l.frame.conts)-1], s.At)
	case ast.ReturnStmt:
		if s.Cond != nil && l.frame.ret.Kind != ast.VoidType {
			v := l.taken(l.value(s.Cond), l.frame.ret, s.At)
			if v.ptr != nil {
				l.assignPointer(l.frame.ptr, v, s.At)
			}
			for i, r := range l.frame.result {
				l.set(r, v.parts[i], s.At)
			}
		} else if s.Cond != nil {
			l.effect(s.Cond)
		}
		l.jump(l.frame.exit, s.At)
	}
}

// then2 links a block that may have been left already.
func (n *Node) then2(to *Node) {
	if n.Then == nil {
		n.Then = to
	}
}

func (l *lowerer) jump(to *Node, at preproc.Place) {
	l.Now.then2(to)
	l.Now = l.NewNode(at)
}

func (l *lowerer) label(name string, at preproc.Place) *Node {
	n := l.frame.labels[name]
	if n == nil {
		n = l.NewNode(at)
		l.frame.labels[name] = n
	}
	return n
}

// loop lowers a loop, whose head is a cut point.
func (l *lowerer) loop(s *ast.Stmt) {
	l.scopes = append(l.scopes, map[string]*storage{})
	defer func() {
		l.leave(l.scopes[len(l.scopes)-1])
		l.scopes = l.scopes[:len(l.scopes)-1]
	}()
	// Its variable lives in the scope opened above, not in that of the body (C11 6.8.5p5).
	if s.Init != nil {
		l.statement(s.Init)
	}
	head, body, post, after := l.NewNode(s.At), l.NewNode(s.At), l.NewNode(s.At), l.NewNode(s.At)
	head.Head = true
	l.frame.breaks, l.frame.conts = append(l.frame.breaks, after), append(l.frame.conts, post)
	l.frame.inLoop++
	head.Count = &Variable{Name: l.SymbolName("round"), Typ: ast.TLong, Ghost: true, Id: len(l.Prog.Vars)}
	l.Prog.Vars = append(l.Prog.Vars, head.Count)
	l.Emit(&Instr{Op: DoAssign, At: s.At, V: head.Count, E: Number(0)})
	l.GoTo(head)
	if s.Kind == ast.DoStmt {
		l.wideAt(head)
		l.GoTo(body)
	} else {
		l.wideAt(head)
		if s.Cond == nil {
			l.Now.Then = body
		} else {
			l.condition(s.Cond, body, after)
		}
	}
	l.Now = body
	l.scoped(func() { l.statements(s.Body) })
	l.Now.then2(post)
	l.Now = post
	// In post, where continue leads, so that each round counts however it ends.
	l.Emit(&Instr{Op: DoAssign, At: s.At, V: head.Count, E: Sum(VariableTerm(head.Count), Number(1))})
	switch {
	case s.Kind == ast.DoStmt:
		l.condition(s.Cond, head, after)
	default:
		if s.Post != nil {
			l.effect(s.Post)
		}
		l.Now.then2(head)
	}
	l.frame.inLoop--
	l.frame.breaks, l.frame.conts = l.frame.breaks[:len(l.frame.breaks)-1], l.frame.conts[:len(l.frame.conts)-1]
	l.Now = after
}

func (l *lowerer) wideAt(head *Node) {
	for _, e := range l.wide {
		if !l.inScope(e) {
			continue // it is about variables that are not there yet
		}
		l.Now.Code = append(l.Now.Code, &Instr{Op: DoInvariant, At: e.At, E: l.logAnnotation(e), Kind: "invariant", Why: "invariant of the function"})
	}
}

// inScope reports whether the variables that e means are those of their names here.
func (l *lowerer) inScope(e *ast.Expr) bool {
	if s := l.found(e.Name); e.Kind == ast.Name && e.Decl != nil && (s == nil || s.decl != e.Decl) {
		return false
	}
	return !slices.ContainsFunc(e.Args, func(a *ast.Expr) bool { return !l.inScope(a) })
}

// switching lowers a switch whose cases stand directly in its block.
func (l *lowerer) switching(s *ast.Stmt) {
	on := l.value(s.Cond)
	v := l.scalar(on, s.At)
	after := l.NewNode(s.At)
	type arm struct {
		n    *Node
		body []*ast.Stmt
	}
	var arms []arm
	var fallback *Node
	from := l.Now
	// A chain of comparisons leads to the arms, which fall through in the order of the text.
	for _, b := range s.Body[0].Body {
		// case 1: case 2: nests: each label gets a test and a node, empty but for the last.
		for b.Kind == ast.CaseStmt {
			n := l.NewNode(b.At)
			arms = append(arms, arm{n: n})
			if b.Cond == nil {
				fallback = n
			} else {
				k, ok := l.constantOf(b.Cond)
				if !ok {
					l.fail(b.At, "a case that is not a constant")
				}
				next := l.NewNode(b.At)
				l.Now = from
				// As a value of the type of what is switched on (C11 6.8.4.2p5): case −1 of a
				// uint is 2³² − 1, and would otherwise never be come to.
				k = interval.Wrapped(k, ast.Promoted(on.typ))
				l.Branch(Compare(PEq, v, BigNumber(k)), n, next)
				from = next
			}
			b = b.Body[0]
		}
		if len(arms) == 0 {
			l.fail(b.At, "a statement or declaration before the first case")
		}
		arms[len(arms)-1].body = append(arms[len(arms)-1].body, b)
	}
	if fallback == nil {
		fallback = after
	}
	// After all tests, wherever default stands among the cases (C11 6.8.4.2p5).
	from.then2(fallback)
	l.frame.breaks = append(l.frame.breaks, after)
	l.scoped(func() {
		for i, a := range arms {
			// An arm that no break has left falls through to the next.
			if i > 0 {
				l.Now.then2(a.n)
			}
			l.Now = a.n
			l.statements(a.body)
		}
	})
	l.Now.then2(after)
	l.frame.breaks = l.frame.breaks[:len(l.frame.breaks)-1]
	l.Now = after
}

// declare introduces a variable of a function.
func (l *lowerer) declare(d *ast.Decl) {
	st := &storage{decl: d, typ: d.Typ}
	inScope := func() { l.scopes[len(l.scopes)-1][d.Name] = st } // before its initial value is read, see ast.resolved
	switch {
	case d.Static, d.Typ.Spaced && d.Typ.Where != ast.Private:
		st = l.lasting(d)
	case d.Typ.Kind == ast.PointerType:
		st.ptr = l.newSlot(d.Name, d.At)
		inScope()
		if d.Init != nil {
			l.assignPointer(st, l.convert(l.value(d.Init), d.Typ, d.At), d.At)
		}
	case d.Typ.Kind == ast.ArrayType:
		n := d.Typ.Cells()
		st.mem = l.newMemory(d.Name, ast.Private, d.Typ.Elem, n, d.At)
		inScope()
		// Where constants alone are indices, it is that many variables, of which invariants speak.
		if !l.dynamic[d.At] && n >= 0 && n <= 64 {
			for i := range n {
				v := l.NewVariable(fmt.Sprint(d.Name, "_", i), d.Typ.Leaf(i))
				st.mem.fixed = append(st.mem.fixed, v)
				l.Emit(&Instr{Op: DoUndef, At: d.At, V: v})
			}
			if d.Init != nil {
				for i, e := range l.initialOf(d) {
					l.Emit(&Instr{Op: DoAssign, At: d.At, V: st.mem.fixed[i], E: e})
				}
			}
		} else if d.Init != nil {
			// For its effects and refusals alone: what is read from the array is arbitrary, but for
			// a constant one.
			l.initial(d.Typ, d.Init)
			if d.Konst {
				st.mem.Content = l.contents(d.Typ, d.Init)
			}
		}
	case d.Typ.Kind == ast.OpaqueType:
		inScope()
		if d.Init != nil { // for its effects and refusals: its value says nothing
			l.opaque(d.Init)
		}
	default:
		for i := range d.Typ.Cells() {
			n := d.Name
			if d.Typ.Cells() > 1 {
				n = fmt.Sprint(d.Name, "_", i)
			}
			st.vars = append(st.vars, l.leafVariable(n, d.Typ.Leaf(i), d.At))
		}
		st.key = d.Name + " " + l.where(d.At)
		inScope()
		if d.Init == nil || d.InItself() {
			for _, v := range st.vars {
				l.Emit(&Instr{Op: DoUndef, At: d.At, V: v})
			}
		}
		if d.Init != nil {
			for i, e := range l.initialOf(d) {
				l.set(st.vars[i], e, d.At)
			}
		}
	}
	inScope()
}

// initialOf are the leaves of the initial value of a variable. Those that rest on the variable itself are taken before any of it
// is set.
func (l *lowerer) initialOf(d *ast.Decl) []*Term {
	parts := l.initial(d.Typ, d.Init)
	if d.InItself() {
		return l.keep(&value{typ: d.Typ, parts: parts}, d.At).parts
	}
	return parts
}

// opaque evaluates the initial value of a variable of whose type nothing is known.
func (l *lowerer) opaque(e *ast.Expr) {
	switch {
	case e.Kind == ast.InitList:
		for _, a := range e.Args {
			l.opaque(a)
		}
	case e.Kind == ast.Name && e.Decl == nil: // a constant of the toolchain
	default:
		l.effect(e)
	}
}

// leafVariable is a variable for one leaf of a type; one for a pointer has a slot.
func (l *lowerer) leafVariable(n string, t *ast.Ctype, at preproc.Place) *Variable {
	v := l.NewVariable(n, t)
	if t.Kind == ast.PointerType {
		v.held = l.newSlot(v.Name, at)
	}
	return v
}

// initial are the leaves of an initialiser.
func (l *lowerer) initial(t *ast.Ctype, e *ast.Expr) []*Term {
	if e.Kind != ast.InitList {
		return l.taken(l.value(e), t, e.At).parts
	}
	part := func(t *ast.Ctype, e *ast.Expr) []*Term {
		if e.Kind != ast.InitList && t.Kind == ast.VectorType {
			v := l.value(e)
			if v.typ.Kind != ast.VectorType { // C fills it with the values that follow
				l.fail(e.At, "initial values without braces around each aggregate")
			}
			return l.convert(v, t, e.At).parts
		}
		return l.initial(t, e)
	}
	var out []*Term
	switch t.Kind {
	case ast.ArrayType, ast.VectorType:
		for _, a := range e.Args {
			out = append(out, part(t.Elem, a)...)
		}
	case ast.StructType:
		for i, a := range e.Args {
			if i >= len(t.Fields) {
				l.fail(a.At, "too many initial values")
			}
			out = append(out, part(t.Fields[i].Typ, a)...)
		}
	default:
		if len(e.Args) != 1 {
			l.fail(e.At, "an initial value of this form")
		}
		return l.initial(t, e.Args[0])
	}
	for int64(len(out)) < t.Cells() {
		out = append(out, Number(t.LeftOut(int64(len(out)))))
	}
	if int64(len(out)) > t.Cells() {
		l.fail(e.At, "too many initial values")
	}
	return out
}

// Dense reports whether a value of type t is a row of cells of one size, as an array is.
func Dense(t *ast.Ctype) bool {
	size := t.Leaf(0).Size()
	switch t.Kind {
	case ast.ArrayType:
		return Dense(t.Elem)
	case ast.StructType:
		for _, f := range t.Fields {
			if !Dense(f.Typ) || f.Typ.Leaf(0).Size() != size {
				return false
			}
		}
	}
	return t.Leaf(0).Sized() && t.Size() == t.Cells()*size
}

// SameCells reports whether what lies in memory as values of one type can be seen as values
// of the other, cell by cell.
func SameCells(a, b *ast.Ctype) bool {
	return a == b || cellBytes(a) == cellBytes(b) && Dense(a) && Dense(b)
}

func cellBytes(t *ast.Ctype) int64 {
	if t.Kind == ast.VoidType {
		return 0
	}
	leaf := t.Leaf(0)
	return leaf.Size()
}

// condition evaluates e and goes to then or other.
func (l *lowerer) condition(e *ast.Expr, then, other *Node) {
	switch {
	case e.Kind == ast.Comma:
		l.effect(e.Args[0])
		l.condition(e.Args[1], then, other)
		return
	case e.Kind == ast.Unary && e.Op == "!":
		l.condition(e.Args[0], other, then)
		return
	case e.Kind == ast.Binary && (e.Op == "&&" || e.Op == "||") && !l.simple(e.Args[1]):
		mid := l.NewNode(e.At)
		if e.Op == "&&" {
			l.condition(e.Args[0], mid, other)
		} else {
			l.condition(e.Args[0], then, mid)
		}
		l.Now = mid
		l.condition(e.Args[1], then, other)
		return
	}
	p := l.truth(e)
	l.Branch(p, then, other)
}

// simple reports whether e can be evaluated whether or not C would: it neither
// reads memory nor changes anything, nor can it fail.
func (l *lowerer) simple(e *ast.Expr) bool {
	switch e.Kind {
	case ast.Literal, ast.FloatLiteral, ast.SizeOf:
		return true
	case ast.Name:
		s := l.lookup(e)
		return s != nil && (s.vars != nil || s.term != nil)
	case ast.Unary:
		return e.Op != "*" && e.Op != "&" && (e.Op != "-" || !l.exacts(e)) && l.simple(e.Args[0])
	case ast.Binary:
		// Evaluated although C would not, a division would be checked where 0 cannot reach it.
		if e.Op == "/" || e.Op == "%" {
			if v, ok := l.constantOf(e.Args[1]); !ok || v.Sign() == 0 {
				return false
			}
		}
		return l.simple(e.Args[0]) && l.simple(e.Args[1]) && (Comparisons[e.Op] || e.Op == "&&" || e.Op == "||" || !l.exacts(e))
	case ast.Cast:
		return e.Typ.Kind == ast.IntType && l.simple(e.Args[0])
	case ast.Ternary:
		return l.simple(e.Args[0]) && l.simple(e.Args[1]) && l.simple(e.Args[2])
	case ast.Member:
		return IsCudaIndex(e) || e.Op == "" && l.simple(e.Args[0])
	case ast.Call:
		// A function of the file that is called so may do anything.
		if e.Args[0].Kind == ast.Name && !l.unit.Declares(e.Args[0].Name) && l.pureCall(e) {
			return !slices.ContainsFunc(e.Args[1:], func(a *ast.Expr) bool { return !l.simple(a) })
		}
	}
	return false
}

// exacts reports whether evaluating e, which is arithmetic, may say that it does not overflow.
func (l *lowerer) exacts(e *ast.Expr) bool {
	if !l.follows(ast.TInt) {
		return false
	}
	_, constant := l.constantOf(e)
	return !constant
}

// pureCall reports whether what a function of the toolchains gives is a term, which nothing has to be done for.
func (l *lowerer) pureCall(e *ast.Expr) bool {
	n := e.Args[0].Name
	if n == "__ite" || n == "__enabled" {
		return true
	}
	c := l.ofToolchain(n)
	if c == nil {
		return false
	}
	switch c.Means {
	case builtin.LocalID, builtin.GroupID, builtin.LocalSize, builtin.NumGroups, builtin.GlobalID, builtin.GlobalSize, builtin.GlobalOffset, builtin.Dimensions,
		builtin.Minimum, builtin.Maximum, builtin.Multiply24, builtin.MultiplyAdd24, builtin.Implies:
		return true
	}
	return c.Means == builtin.Absolute && !l.exacts(e)
}

// effect evaluates e for what it does.
func (l *lowerer) effect(e *ast.Expr) {
	if e.Kind == ast.Comma {
		l.effect(e.Args[0])
		l.effect(e.Args[1])
		return
	}
	if e.Kind == ast.Cast && e.Typ.Kind == ast.VoidType {
		l.effect(e.Args[0])
		return
	}
	switch e.Kind {
	case ast.Assign:
		l.assignment(e, false)
	case ast.Step:
		l.stepped(e, false)
	default:
		l.value(e)
	}
}

// truth is e as a condition.
func (l *lowerer) truth(e *ast.Expr) *Term {
	switch {
	case e.Kind == ast.Unary && e.Op == "!":
		return Not(l.truth(e.Args[0]))
	case e.Kind == ast.Binary && (e.Op == "&&" || e.Op == "||") && l.simple(e.Args[1]):
		a, b := l.truth(e.Args[0]), l.truth(e.Args[1])
		if e.Op == "&&" {
			return Both(a, b)
		}
		return Either(a, b)
	// Of operands that are 0 or 1, & and | are connectives: no bit operation is needed.
	case e.Kind == ast.Binary && (e.Op == "&" || e.Op == "|") && isTruth(e.Args[0]) && isTruth(e.Args[1]):
		a, b := l.truth(e.Args[0]), l.truth(e.Args[1])
		if e.Op == "&" {
			return Both(a, b)
		}
		return Either(a, b)
	}
	v := l.value(e)
	if v.ptr != nil {
		return l.comparePointers("!=", v.ptr, nullPointer(ast.TVoid), e.At)
	}
	return truthOf(l.scalar(v, e.At))
}

// truthOf is t ≠ 0.
func truthOf(t *Term) *Term {
	if t.Op == Ite && t.Args[1].IsNum() && t.Args[2].IsNum() {
		a, b := t.Args[1].Val.Sign() != 0, t.Args[2].Val.Sign() != 0
		switch {
		case a && !b:
			return t.Args[0]
		case b && !a:
			return Not(t.Args[0])
		}
	}
	return Compare(PNe, t, Number(0))
}

// isTruth reports whether e is 0 or 1.
func isTruth(e *ast.Expr) bool {
	switch e.Kind {
	case ast.Unary:
		return e.Op == "!"
	case ast.Binary:
		switch e.Op {
		case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
			return true
		case "&", "|":
			return isTruth(e.Args[0]) && isTruth(e.Args[1])
		}
	case ast.Call:
		return e.Args[0].Kind == ast.Name && slices.Contains([]string{"__implies", "__enabled", "__all", "__write", "__read", "__no_read", "__no_write", "__write_implies", "__read_implies", "__distinct_int", "__uniform_int", "__uniform_bool", "__exclusive", "__same_group"}, e.Args[0].Name)
	}
	return false
}

func truthValue(p *Term) *Term { return choose(p, Number(1), Number(0)) }

func (l *lowerer) scalar(v *value, at preproc.Place) *Term {
	if v.ptr != nil || len(v.parts) != 1 {
		l.fail(at, "a value of type %s as a number", KindName(v.typ))
	}
	return v.parts[0]
}

func (l *lowerer) anyValue(t *ast.Ctype, at preproc.Place) *value {
	v := &value{typ: t}
	if t.Kind == ast.PointerType {
		l.fail(at, "a pointer without a source")
	}
	if t.Kind == ast.VoidType {
		v.parts = []*Term{Number(0)}
		return v
	}
	for i := range t.Cells() {
		v.parts = append(v.parts, l.Anything(t.Leaf(i), at))
	}
	return v
}

func one(t *ast.Ctype, e *Term) *value { return &value{typ: t, parts: []*Term{e}} }
