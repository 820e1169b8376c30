package emulate

import (
	"fmt"
	"iter"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/lang/gpuc/internal/flow"
	"github.com/gradine/gradine/lang/gpuc/internal/syntax"
)

// Fault is what a run has found.
type Fault struct {
	Kind      string
	Line, Col int
	Why       string
}

// scalarKind tells what a scalar is.
type scalarKind uint8

const (
	unknownScalar scalarKind = iota
	intScalar
	floatScalar
	pointerScalar
)

// scalar is a number, a pointer, or a value that is not known: then i is its name, so
// that equal values are seen to be equal.
type scalar struct {
	kind scalarKind
	i    int64
	f    float64
	to   *object
	typ  *syntax.Ctype // of what a pointer points at
	end  bool          // it is the address of what lies beyond its row
}

// object is a variable or array in memory.
type object struct {
	name    string
	typ     *syntax.Ctype
	bytes   int64 // of an allocation without type yet
	cells   []scalar
	shared  syntax.Space // private: of one thread, or of the host
	seen    map[int64][]touch
	changed map[int64]string // by atomic operations of which class
	during  int              // of which launch the two are
	id      int
	dead    bool
	side    side              // who may use it
	freed   string            // by which function; "" of what is not allocated
	vast    bool              // of a size that is not known: what lies outside is not judged
	outside map[int64]*scalar // cells of such memory that have been asked for
}

// side is who may use memory: what is of the host, kernels must not touch, and the other way round.
type side uint8

const (
	ofBoth side = iota
	ofHost
	ofDevice
)

// released gives memory back, as function by does it.
func (r *runner) released(s scalar, by string, at syntax.Place) {
	o := s.to
	switch {
	case o == nil: // null, which is allowed
		return
	case by == "free" && (o.dead || o.freed != by || s.i != 0):
		r.fault("bounds", at, "free of what malloc has not given, or not any more: %s", o.name)
	case o.dead || o.freed != by || s.i != 0:
		r.doubt(at, "%s of what it cannot free, which fails: %s", by, o.name)
		return
	}
	o.dead = true
}

// touch is an access to a cell.
type touch struct {
	thread, group int
	epoch         int
	what          int
	value         scalar
	own           bool // a read of what the thread has itself written since the last barrier
	at            syntax.Place
}

// result of an expression.
type result struct {
	typ *syntax.Ctype
	c   []scalar
}

// ref is a place in memory.
type ref struct {
	o      *object
	off    int64
	typ    *syntax.Ctype
	pick   []int64 // lanes of a vector
	beyond bool    // the array that is named with an index
}

// halt ends a run.
type halt struct{ fault Fault }

// undecided ends a run that depends on what is not known.
type undecided struct {
	at  syntax.Place
	why string
}

// thread is one thread of a launch.
type thread struct {
	id, group int
	lid, gid  [3]int64
	epochs    [2]int // local, global
	stop      func(barrierAt) bool
}

// barrierAt is where a thread waits: at a barrier, and by which calls and in which rounds of loops it came there. All
// threads of a group have to come the same way.
type barrierAt struct {
	at  syntax.Place
	way string
}

// runner runs one program.
type runner struct {
	u        *syntax.Unit
	globals  map[*syntax.Decl]*object // see lasting
	scopes   []map[string]*object
	names    map[string]int64 // of unknown values
	t        *thread
	local    [3]int64
	groups   [3]int64
	shared   map[*syntax.Decl]*object // of the group that runs
	fuel     int
	objects  int
	launches []Launch
	returned *result
	way      []int // calls and rounds of loops that the thread is in, by line, column and number
	fill     bool  // arrays are 0 unless set
	depth    int
	number   int // of the launch
	use      *use
	only     map[[3]int64]bool // groups that run; nil: all
	sample   uint64            // inputs are drawn from it; 0: they are not known
	ordered  bool              // one order of atomic operations is followed
	checks   Checks
}

// use is what launches do with the arrays that they are given.
type use struct {
	given, touched, atomics bool
	running                 bool           // a launch, as far as the host knows
	recorded                map[string]int // for each event the launch before it
	device                  []*object      // what is allocated of the device
	doubt                   string         // why a run without fault is not decided
}

func newUse() *use { return &use{recorded: map[string]int{}} }

// doubt notes what goes well in a run, and need not in another: what the run shows is a fault even so.
func (r *runner) doubt(at syntax.Place, format string, args ...any) {
	if r.use.doubt == "" {
		r.use.doubt = fmt.Sprintf("line %d: %s", at.Line, fmt.Sprintf(format, args...))
	}
}

// reach doubts a use of memory of the other side, or of both while a launch may write it.
func (r *runner) reach(o *object, at syntax.Place) {
	switch {
	case r.fill:
	case r.t != nil && o.side == ofHost:
		r.doubt(at, "a kernel uses memory of the host: %s", o.name)
	case r.t == nil && o.side == ofDevice:
		r.doubt(at, "the host uses memory of the device: %s", o.name)
	case r.t == nil && o.bytes > 0 && o.side == ofBoth && r.use.running:
		r.doubt(at, "the host does not wait for a kernel before it uses %s", o.name)
	}
}

// Launch is a launch of a kernel by a host program.
type Launch struct {
	Kernel        string
	Local, Groups [3]int64
	Arguments     []string // of scalar parameters; "" if not known
}

// Checks are what is a fault on request.
type Checks struct {
	Overflow bool // of signed numbers
	NoBenign bool // two writes of one value to one place
}

type control uint8

const (
	goesOn control = iota
	breaks
	continues
	returns
)

const runFuel = 8_000_000

// RunProgram runs main. A fault is a definite one; why says why the run is not decided.
func RunProgram(u *syntax.Unit, checks Checks, sample uint64) (launches []Launch, fault *Fault, why string) {
	r := &runner{use: newUse(), checks: checks, sample: sample, u: u, globals: map[*syntax.Decl]*object{}, names: map[string]int64{}, fuel: runFuel}
	defer func() {
		launches = r.launches
		switch e := recover().(type) {
		case nil:
		case *halt:
			fault = &e.fault
		case *undecided:
			why = fmt.Sprintf("line %d: %s", e.at.Line, e.why)
		// exit, or an assumption that does not hold: what ran before counts, nothing comes after.
		case exited:
			why = r.use.doubt
		default:
			panic(e)
		}
	}()
	r.initials()
	main := u.Function("main")
	if slices.ContainsFunc(u.Taken, func(s string) bool { return strings.HasPrefix(s, "__CUDA_ARCH__ ") }) {
		r.doubt(main.At, "what __CUDA_ARCH__ decides is read as code of the device, and the host has its own")
	}
	var args []result
	for _, p := range main.Params {
		args = append(args, result{p.Typ, []scalar{r.unknown("main " + p.Name)}})
	}
	r.invoke(main, args, main.At)
	if r.use.given && !r.use.touched {
		return r.launches, nil, "no thread accesses the arrays that it is given, and nothing is asserted: there is nothing to check"
	}
	return r.launches, nil, r.use.doubt
}

// initials sets the variables of the file whose initial values are worked out, in their order; the others wait until they are
// asked for.
func (r *runner) initials() {
	for _, g := range r.u.Globals {
		if g.Init == nil || g.Typ.Where == syntax.Local {
			continue
		}
		works := false
		syntax.Exprs([]*syntax.Stmt{{Kind: syntax.ExprStmt, Cond: g.Init}}, func(e *syntax.Expr) {
			works = works || e.Kind == syntax.Call || e.Kind == syntax.Name && r.u.Global(e.Name) != nil
		})
		if works {
			r.lasting(g)
		}
	}
}

type exited struct{}

func (r *runner) undecided(at syntax.Place, format string, args ...any) {
	panic(&undecided{at, fmt.Sprintf(format, args...)})
}

func (r *runner) fault(kind string, at syntax.Place, format string, args ...any) {
	panic(&halt{Fault{kind, at.Line, at.Col, fmt.Sprintf(format, args...)}})
}

// input is a value from outside.
func (r *runner) input() scalar {
	if r.sample == 0 {
		return r.unknown("")
	}
	// A linear congruence of its own, so that a fault that was found is found again.
	r.sample = r.sample*6364136223846793005 + 1442695040888963407
	return scalar{kind: intScalar, i: int64(r.sample >> 40)}
}

// unknown is the value with a name; the empty name is new each time.
func (r *runner) unknown(name string) scalar {
	if name == "" {
		name = fmt.Sprint("new ", len(r.names))
	}
	n, ok := r.names[name]
	if !ok {
		n = int64(len(r.names) + 1)
		r.names[name] = n
	}
	return scalar{kind: unknownScalar, i: n}
}

func (s scalar) key() string { return fmt.Sprint(s.kind, ",", s.i, ",", s.f) }

func (s scalar) equals(o scalar) bool {
	return s.kind == o.kind && s.i == o.i && math.Float64bits(s.f) == math.Float64bits(o.f) && s.to == o.to // 0 is not −0
}

func intValue(t *syntax.Ctype, i int64) result {
	return result{t, []scalar{{kind: intScalar, i: narrow(t, i)}}}
}

// narrow is i as a value of type t.
func narrow(t *syntax.Ctype, i int64) int64 {
	switch {
	case t.Kind != syntax.IntType || t.Bits >= 64:
		return i
	case t.Bits == 1:
		if i != 0 {
			return 1
		}
		return 0
	case t.Signed:
		return i << (64 - t.Bits) >> (64 - t.Bits)
	}
	return int64(uint64(i) << (64 - t.Bits) >> (64 - t.Bits))
}

func (r *runner) newObject(name string, t *syntax.Ctype, sp syntax.Space) *object {
	n := t.Cells()
	if n < 0 || n > 1<<22 {
		r.undecided(syntax.Place{}, "an array of %d elements", n)
	}
	r.objects++
	o := &object{name: name, typ: t, cells: make([]scalar, n), shared: sp, id: r.objects, seen: map[int64][]touch{}, changed: map[int64]string{}}
	if r.t == nil {
		o.side = ofHost
	}
	r.reset(o)
	return o
}

func (r *runner) reset(o *object) {
	for i := range o.cells {
		switch leaf := o.typ.Leaf(int64(i)); {
		case r.fill && r.sample != 0 && leaf.Kind == syntax.IntType:
			o.cells[i] = scalar{kind: intScalar, i: narrow(leaf, r.input().i%contents)}
		case r.fill && leaf.Kind == syntax.IntType:
			o.cells[i] = scalar{kind: intScalar}
		case r.fill && leaf.Kind == syntax.FloatType:
			o.cells[i] = scalar{kind: floatScalar, f: r.fraction(r.input().i)}
		case r.sample != 0 && leaf.Kind == syntax.IntType:
			o.cells[i] = scalar{kind: intScalar, i: narrow(leaf, r.input().i)}
		default:
			o.cells[i] = r.unknown("")
		}
	}
}

// fraction is a floating number for one that was drawn: few, so that arithmetic is exact,
// and some below 0.
func (r *runner) fraction(drawn int64) float64 {
	if r.sample == 0 {
		return 0
	}
	return float64(drawn%contents)/2 - 2
}

func (r *runner) allocate(bytes int64, at syntax.Place) *object {
	if bytes < 0 || bytes > 1<<26 {
		r.undecided(at, "an allocation of %d bytes", bytes)
	}
	r.objects++
	return &object{name: fmt.Sprintf("allocation in line %d", at.Line), bytes: bytes, id: r.objects, seen: map[int64][]touch{}, changed: map[int64]string{}}
}

// give gives an allocation the type that it is used with.
func (r *runner) give(o *object, t *syntax.Ctype) {
	// The first type stays: what was stored with it could not be read with another.
	if o == nil || o.typ != nil || t.Kind == syntax.VoidType || t.Size() == 0 {
		return
	}
	o.typ = &syntax.Ctype{Kind: syntax.ArrayType, Elem: t, N: o.bytes / t.Size()}
	o.cells = make([]scalar, o.typ.Cells())
	r.reset(o)
}

func (r *runner) lookup(n string) *object {
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
func (r *runner) lasting(d *syntax.Decl) *object {
	kept, sp := r.globals, syntax.Global
	switch {
	case d.Typ.Where == syntax.Local:
		kept, sp = r.shared, syntax.Local
	case d.Typ.Where == syntax.Constant:
		sp = syntax.Constant
	}
	if o := kept[d]; o != nil {
		return o
	}
	o := r.newObject(d.Name, d.Typ, sp)
	switch ofFile := r.u.Global(d.Name) == d; {
	case ofFile && d.Typ.Spaced && sp != syntax.Local:
		o.side = ofDevice
	case ofFile && !d.Konst && sp != syntax.Local:
		o.side = ofHost
	default:
		o.side = ofBoth
	}
	kept[d] = o
	if sp == syntax.Local || d.Extern { // nobody has set it, or another file
		return o
	}
	// Static storage begins as 0 (C11 6.7.9p10).
	for i := range o.cells {
		if o.typ.Leaf(int64(i)).Kind == syntax.IntType {
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

// invoke calls a function with a body.
func (r *runner) invoke(f *syntax.Function, args []result, at syntax.Place) result {
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
		o := r.newObject(p.Name, p.Typ, syntax.Private)
		v := r.convert(args[i], p.Typ, at)
		copy(o.cells, v.c)
		scope[p.Name] = o
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
	if out == nil {
		return result{syntax.TVoid, nil}
	}
	return r.convert(*out, f.Ret, at)
}

func (r *runner) block(ss []*syntax.Stmt) control {
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
			o.dead = o.shared == syntax.Private
		}
	}
	r.scopes = r.scopes[:min(n, len(r.scopes))]
}

func (r *runner) statements(ss []*syntax.Stmt) control {
	for _, s := range ss {
		if c := r.statement(s); c != goesOn {
			return c
		}
	}
	return goesOn
}

func (r *runner) burn(at syntax.Place) {
	if r.fuel--; r.fuel < 0 {
		r.undecided(at, "a run of more than %d steps", runFuel)
	}
}

func (r *runner) statement(s *syntax.Stmt) control {
	r.burn(s.At)
	switch s.Kind {
	case syntax.EmptyStmt:
	case syntax.ExprStmt:
		r.value(s.Cond)
	case syntax.DeclStmt:
		for _, d := range s.Decls {
			r.declare(d)
		}
	case syntax.BlockStmt:
		return r.block(s.Body)
	case syntax.IfStmt:
		if r.truth(s.Cond) {
			return r.block(s.Body)
		}
		return r.block(s.Other)
	case syntax.WhileStmt, syntax.DoStmt, syntax.ForStmt:
		return r.loop(s)
	case syntax.SwitchStmt:
		return r.switching(s)
	case syntax.CaseStmt, syntax.LabelStmt: // a label opens no scope
		return r.statements(s.Body)
	case syntax.BreakStmt:
		return breaks
	case syntax.ContinueStmt:
		return continues
	case syntax.ReturnStmt:
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

func (r *runner) loop(s *syntax.Stmt) control {
	defer r.leave(r.enter())
	if s.Init != nil {
		r.statement(s.Init)
	}
	r.way = append(r.way, 0)
	defer func(n int) { r.way = r.way[:n] }(len(r.way) - 1)
	for first := true; ; first = false {
		r.burn(s.At)
		r.way[len(r.way)-1]++
		if !(first && s.Kind == syntax.DoStmt) && s.Cond != nil && !r.truth(s.Cond) {
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

func (r *runner) switching(s *syntax.Stmt) control {
	on := r.value(s.Cond)
	v, t := r.integer(on, s.At), syntax.Promoted(on.typ)
	body := s.Body[0].Body
	start := -1
	fallback := -1
	for i, b := range body {
		// Labels are tried in order, default only when none fits, wherever it stands.
		for c := b; c.Kind == syntax.CaseStmt; c = c.Body[0] {
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
func (r *runner) passing(ss []*syntax.Stmt) {
	for _, s := range ss {
		switch s.Kind {
		case syntax.CaseStmt, syntax.LabelStmt:
			r.passing(s.Body)
		case syntax.DeclStmt:
			for _, d := range s.Decls {
				if d.Init != nil && !d.Static && !d.Auto() && !d.Ref() {
					bare := *d
					bare.Init = nil
					d = &bare
				}
				r.declare(d)
			}
		}
	}
}

func (r *runner) declare(d *syntax.Decl) {
	if d.Static || r.t != nil && d.Typ.Spaced && d.Typ.Where == syntax.Local {
		r.scopes[len(r.scopes)-1][d.Name] = r.lasting(d)
		return
	}
	if d.Typ.Kind == syntax.OpaqueType {
		d = &syntax.Decl{At: d.At, Name: d.Name, Typ: syntax.TLong, Init: d.Init}
	}
	if d.Auto() || d.Ref() {
		v := r.value(d.Init)
		v.typ = syntax.Valued(d.Init, func(e *syntax.Expr) *syntax.Ctype {
			if e == d.Init {
				return v.typ
			}
			return r.typeOf(e)
		})
		t := d.Typ
		if d.Auto() {
			t = syntax.Deduced(t, v.typ)
		}
		if t == nil || d.Ref() && (v.typ.Kind != syntax.PointerType || !d.Auto() && !syntax.Same(v.typ.Elem, t.Elem)) {
			r.undecided(d.At, "a value of this type for auto or a reference")
		}
		o := r.newObject(d.Name, t, syntax.Private)
		copy(o.cells, r.convert(v, t, d.At).c)
		r.scopes[len(r.scopes)-1][d.Name] = o
		return
	}
	o := r.newObject(d.Name, d.Typ, syntax.Private)
	constructed(o.cells, d.Typ)
	if d.Init != nil {
		r.initialise(ref{o: o, typ: d.Typ}, d.Init, false)
	}
	r.scopes[len(r.scopes)-1][d.Name] = o
}

// initialise sets a variable to its initial value, or a part of one that is listed in braces.
func (r *runner) initialise(to ref, e *syntax.Expr, listed bool) {
	if e.Kind != syntax.InitList {
		if to.typ.Kind == syntax.ArrayType {
			if e.Kind != syntax.StringLiteral {
				r.undecided(e.At, "initial values without the braces of what they belong to")
			}
			for i := range to.typ.Cells() {
				to.o.cells[to.off+i] = r.unknown("")
			}
			return
		}
		v := r.value(e)
		if listed && to.typ.Kind == syntax.VectorType && v.typ.Kind != syntax.VectorType || to.typ.Kind == syntax.StructType && v.typ.Kind != syntax.StructType {
			r.undecided(e.At, "initial values without the braces of what they belong to")
		}
		v = r.convert(v, to.typ, e.At)
		if int64(len(v.c)) != to.typ.Cells() {
			r.undecided(e.At, "an initial value of another type")
		}
		copy(to.o.cells[to.off:], v.c)
		return
	}
	if len(e.Args) == 1 && e.Args[0].Kind != syntax.InitList && (to.typ.Kind == syntax.StructType || to.typ.Kind == syntax.VectorType) {
		if t := r.typeOf(e.Args[0]); t != nil && t.Kind == to.typ.Kind { // a copy of the whole
			r.initialise(to, e.Args[0], false)
			return
		}
	}
	zero := func(from, n int64) {
		for i := from; i < from+n; i++ {
			if to.typ.Leaf(i-to.off).Kind == syntax.FloatType {
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
		case syntax.ArrayType, syntax.VectorType:
			t = to.typ.Elem
		case syntax.StructType:
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
func constructed(cells []scalar, t *syntax.Ctype) {
	switch {
	case t.Name == "dim3":
		for i := range 3 {
			cells[i] = scalar{kind: intScalar, i: 1}
		}
	case t.Kind == syntax.ArrayType && t.Elem.Kind != syntax.IntType && t.Elem.Kind != syntax.FloatType: // which may be many
		for i := range t.N {
			constructed(cells[i*t.Elem.Cells():], t.Elem)
		}
	case t.Kind == syntax.StructType:
		for _, f := range t.Fields {
			constructed(cells, f.Typ)
			cells = cells[f.Typ.Cells():]
		}
	}
}

func (r *runner) truth(e *syntax.Expr) bool {
	v := r.value(e)
	return r.truthOf(v, e.At)
}

func (r *runner) truthOf(v result, at syntax.Place) bool {
	if len(v.c) != 1 {
		r.undecided(at, "a condition of type %s", flow.KindName(v.typ))
	}
	switch s := v.c[0]; s.kind {
	case intScalar:
		return s.i != 0
	case floatScalar:
		return s.f != 0
	case pointerScalar:
		return s.to != nil
	}
	r.undecided(at, "a condition on a value that is not known")
	return false
}

func (r *runner) integer(v result, at syntax.Place) int64 {
	if len(v.c) != 1 || v.c[0].kind != intScalar {
		r.undecided(at, "a number that is not known")
	}
	return v.c[0].i
}

func (r *runner) convert(v result, t *syntax.Ctype, at syntax.Place) result {
	switch {
	case t.Kind == syntax.VoidType || v.typ.Kind == syntax.VoidType:
		return result{t, v.c}
	case t.Kind == syntax.VectorType && v.typ.Kind == syntax.VectorType:
		out := result{typ: t}
		for i := range v.c {
			out.c = append(out.c, r.convertScalar(v.c[i], v.typ.Elem, t.Elem, at))
		}
		return out
	case t.Kind == syntax.VectorType && len(v.c) == 1:
		out := result{typ: t}
		for i := range t.Cells() {
			s := r.convertScalar(v.c[0], v.typ, t.Elem, at)
			if t.Name == "dim3" && i > 0 {
				s = scalar{kind: intScalar, i: 1}
			}
			out.c = append(out.c, s)
		}
		return out
	case len(v.c) != 1 || t.Kind == syntax.StructType || t.Kind == syntax.OpaqueType:
		return result{t, v.c}
	}
	return result{t, []scalar{r.convertScalar(v.c[0], v.typ, t, at)}}
}

func (r *runner) convertScalar(s scalar, from, t *syntax.Ctype, at syntax.Place) scalar {
	switch t.Kind {
	case syntax.IntType:
		switch s.kind {
		case intScalar:
			return scalar{kind: intScalar, i: narrow(t, s.i)}
		case floatScalar:
			if t.Bits == 1 { // not through an integer: 0.5 is true (C11 6.3.1.2)
				return scalar{kind: intScalar, i: asInt(s.f != 0)}
			}
			// C leaves it open (C11 6.3.1.4), and Go does, too.
			if lo, hi := flow.Within(t); math.IsNaN(s.f) || math.Abs(s.f) > 1e18 || big.NewInt(int64(s.f)).Cmp(lo) < 0 || big.NewInt(int64(s.f)).Cmp(hi) > 0 {
				return r.unknown("")
			}
			return scalar{kind: intScalar, i: narrow(t, int64(s.f))}
		case unknownScalar:
			if from.Kind == syntax.IntType && flow.Fits(from, t) {
				return s
			}
			// A name made of the conversion and its operand: equal operands give equal values.
			return r.unknown(fmt.Sprint("to ", t.Bits, t.Signed, s.key()))
		case pointerScalar:
			switch {
			case t.Bits == 1:
				return scalar{kind: intScalar, i: asInt(s.to != nil)}
			case s.to == nil:
				return scalar{kind: intScalar}
			case t.Bits < 64: // a part of an address
				return r.unknown("")
			}
		}
	case syntax.FloatType:
		switch s.kind {
		case intScalar:
			// In one step: a number that is rounded twice may be another one.
			unsigned := from.Kind == syntax.IntType && !from.Signed && from.Bits == 64
			switch {
			case t.Bits <= 32 && unsigned:
				return scalar{kind: floatScalar, f: float64(float32(uint64(s.i)))}
			case t.Bits <= 32:
				return scalar{kind: floatScalar, f: float64(float32(s.i))}
			case unsigned:
				return scalar{kind: floatScalar, f: float64(uint64(s.i))}
			}
			return scalar{kind: floatScalar, f: float64(s.i)}
		case floatScalar:
			return scalar{kind: floatScalar, f: single(t, s.f)}
		case unknownScalar:
			if from.Kind == syntax.FloatType && from.Bits == t.Bits {
				return s
			}
			return r.unknown(fmt.Sprint("float ", t.Bits, s.key()))
		}
	case syntax.PointerType:
		switch {
		case s.kind == intScalar && s.i == 0:
			return scalar{kind: pointerScalar, typ: t.Elem}
		case s.kind == pointerScalar:
			if s.to != nil && t.Elem.Kind != syntax.VoidType {
				r.give(s.to, t.Elem)
				was := s.typ
				if s.to.typ != nil && (was == nil || was.Kind == syntax.VoidType) {
					was = s.to.typ
				}
				if was != nil && was.Kind != syntax.VoidType && !flow.SameCells(was, t.Elem) {
					r.undecided(at, "a pointer cast between elements of different sizes")
				}
				s.typ = t.Elem
			}
			return s
		}
	}
	return s
}

func single(t *syntax.Ctype, f float64) float64 {
	if t.Bits <= 32 {
		return float64(float32(f))
	}
	return f
}

func (r *runner) value(e *syntax.Expr) result {
	r.burn(e.At)
	switch e.Kind {
	case syntax.Literal:
		return result{e.Typ, []scalar{{kind: intScalar, i: narrow(e.Typ, int64(new(big.Int).And(e.Value, new(big.Int).SetUint64(math.MaxUint64)).Uint64()))}}}
	case syntax.FloatLiteral:
		var f float64
		text := strings.TrimRight(strings.ToLower(e.Name), "fl")
		if _, err := fmt.Sscan(text, &f); err != nil {
			r.undecided(e.At, "number %s", e.Name)
		}
		t := &syntax.Ctype{Kind: syntax.FloatType, Name: "double", Bits: 64}
		if strings.HasSuffix(strings.ToLower(e.Name), "f") {
			t = syntax.TFloat
		}
		return result{t, []scalar{{kind: floatScalar, f: single(t, f)}}}
	case syntax.StringLiteral:
		return result{&syntax.Ctype{Kind: syntax.PointerType, Elem: syntax.IntOf(8, true)}, []scalar{r.unknown("")}}
	case syntax.Comma:
		r.value(e.Args[0])
		return r.value(e.Args[1])
	case syntax.SizeOf:
		t := e.Typ
		if t == nil {
			t = r.typeOf(e.Args[0]) // it is not evaluated
			if strings.HasSuffix(r.u.File, ".cu") {
				t = syntax.Valued(e.Args[0], r.typeOf)
			}
		}
		if t == nil || t.Kind == syntax.OpaqueType {
			r.undecided(e.At, "the size of what has a type that is not known")
		}
		return intValue(syntax.Scalars["size_t"], t.Size())
	case syntax.Assign:
		// The place first, then the value; where the order would matter, the parser refuses.
		to := r.place(e.Args[0])
		v := r.value(e.Args[1])
		if e.Op != "" {
			v = r.operate(e.Op, r.load(to, e.At), v, e.At)
		}
		v = r.convert(v, to.typ, e.At)
		r.store(to, v, e.At)
		return v
	case syntax.Step:
		to := r.place(e.Args[0])
		was := r.load(to, e.At)
		now := r.convert(r.operate(e.Op, was, intValue(syntax.TInt, 1), e.At), to.typ, e.At)
		r.store(to, now, e.At)
		if e.Postfix {
			return was
		}
		return now
	case syntax.Ternary:
		chosen, other := e.Args[1], e.Args[2]
		if !r.truth(e.Args[0]) {
			chosen, other = other, chosen
		}
		v := r.value(chosen)
		// Both have one type, also what is not evaluated.
		if t := r.typeOf(other); t != nil && t.Kind <= syntax.FloatType && v.typ.Kind <= syntax.FloatType && t.Kind != syntax.VoidType && v.typ.Kind != syntax.VoidType {
			return r.convert(v, syntax.CommonType(v.typ, t), e.At)
		} else if t == nil && (v.typ.Kind == syntax.IntType || v.typ.Kind == syntax.FloatType) {
			r.undecided(e.At, "a choice of what has a type that is not known")
		}
		return v
	case syntax.Cast:
		return r.casted(e)
	case syntax.Unary:
		return r.unary(e)
	case syntax.Binary:
		switch e.Op {
		case "&&":
			return intValue(syntax.TInt, asInt(r.truth(e.Args[0]) && r.truth(e.Args[1])))
		case "||":
			return intValue(syntax.TInt, asInt(r.truth(e.Args[0]) || r.truth(e.Args[1])))
		}
		x := r.value(e.Args[0])
		return r.operate(e.Op, x, r.value(e.Args[1]), e.At)
	case syntax.Call:
		return r.call(e)
	}
	if v, ok := r.builtin(e); ok {
		return v
	}
	return r.load(r.place(e), e.At)
}

// typeOf is the type of an expression that is not evaluated; nil if it is not known.
func (r *runner) typeOf(e *syntax.Expr) *syntax.Ctype {
	arg := func(i int) *syntax.Ctype {
		if t := r.typeOf(e.Args[i]); t != nil {
			return t
		}
		return &syntax.Ctype{Kind: syntax.OpaqueType}
	}
	elem := func(t *syntax.Ctype) *syntax.Ctype {
		if t.Kind == syntax.PointerType || t.Kind == syntax.ArrayType {
			return t.Elem
		}
		return nil
	}
	switch e.Kind {
	case syntax.Literal, syntax.FloatLiteral, syntax.Cast:
		return e.Typ
	case syntax.SizeOf:
		return syntax.TUlong
	case syntax.Name:
		if o := r.lookup(e.Name); o != nil {
			return o.typ
		}
		if _, ok := r.u.Enums[e.Name]; ok {
			return syntax.TInt
		}
	case syntax.Assign, syntax.Step:
		return arg(0)
	case syntax.Comma:
		return arg(1)
	case syntax.Ternary:
		return common(arg(1), arg(2))
	case syntax.Index:
		return elem(arg(0))
	case syntax.Unary:
		switch e.Op {
		case "*":
			return elem(arg(0))
		case "!":
			return syntax.TInt
		case "-", "~", "+":
			return syntax.Promoted(arg(0))
		}
	case syntax.Binary:
		switch {
		case flow.Comparisons[e.Op], e.Op == "&&", e.Op == "||":
			return syntax.TInt
		case e.Op == "<<", e.Op == ">>":
			return syntax.Promoted(arg(0))
		}
		return common(arg(0), arg(1))
	case syntax.Member:
		return r.memberType(e)
	case syntax.Call:
		return r.callType(e)
	}
	return nil
}

// common is the type of arithmetic on two scalars, nil for others.
func common(a, b *syntax.Ctype) *syntax.Ctype {
	for _, t := range []*syntax.Ctype{a, b} {
		if t.Kind != syntax.IntType && t.Kind != syntax.FloatType {
			return nil
		}
	}
	return syntax.CommonType(a, b)
}

func (r *runner) memberType(e *syntax.Expr) *syntax.Ctype {
	if flow.IsCudaIndex(e) {
		return syntax.TUint
	}
	t := r.typeOf(e.Args[0])
	if t != nil && e.Op == "->" {
		t = t.Elem
	}
	switch {
	case t == nil:
	case t.Kind == syntax.VectorType:
		if len(flow.Swizzle(t, e.Name)) == 1 {
			return t.Elem
		}
	case t.Kind == syntax.StructType:
		for _, f := range t.Fields {
			if f.Name == e.Name {
				return f.Typ
			}
		}
	}
	return nil
}

func (r *runner) callType(e *syntax.Expr) *syntax.Ctype {
	n := e.Args[0].Name
	if f, _ := r.u.Callee(n, len(e.Args)-1, syntax.Types(e, r.typeOf)); f != nil {
		return f.Ret
	}
	switch {
	case strings.HasPrefix(n, "get_"):
		return syntax.TUlong
	case (n == "min" || n == "max") && len(e.Args) == 3:
		if a, b := r.typeOf(e.Args[1]), r.typeOf(e.Args[2]); a != nil && b != nil {
			return common(a, b)
		}
	}
	return nil
}

func asInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (r *runner) builtin(e *syntax.Expr) (result, bool) {
	if flow.IsCudaIndex(e) && r.t != nil && r.lookup(e.Args[0].Name) == nil {
		d := flow.Dimension(e.Name)
		n := map[string]int64{"threadIdx": r.t.lid[d], "blockIdx": r.t.gid[d], "blockDim": r.local[d], "gridDim": r.groups[d]}[e.Args[0].Name]
		return intValue(syntax.TUint, n), true
	}
	if e.Kind == syntax.Name && r.lookup(e.Name) == nil {
		if v, ok := r.u.Enums[e.Name]; ok {
			return intValue(syntax.TInt, v), true
		}
		if v, ok := constants[e.Name]; ok {
			return intValue(syntax.TInt, v), true
		}
		if strings.HasPrefix(e.Name, "cuda") {
			return result{syntax.TInt, []scalar{r.unknown(e.Name)}}, true
		}
		if slices.Contains([]string{"stderr", "stdout", "stdin"}, e.Name) {
			return result{syntax.TLong, []scalar{r.unknown(e.Name)}}, true
		}
	}
	return result{}, false
}

// constants are those of the toolchains that programs ask for.
var constants = map[string]int64{
	"warpSize": 32, "cudaSuccess": 0,
	"cudaMemcpyHostToHost": 0, "cudaMemcpyHostToDevice": 1, "cudaMemcpyDeviceToHost": 2, "cudaMemcpyDeviceToDevice": 3, "cudaMemcpyDefault": 4,
}

func (r *runner) casted(e *syntax.Expr) result {
	if parts := syntax.Lanes(e.Args[0]); e.Typ.Kind == syntax.VectorType && (len(parts) > 1 || e.Args[0].Kind == syntax.InitList) {
		out := result{typ: e.Typ}
		var walk func(x *syntax.Expr)
		walk = func(x *syntax.Expr) {
			if x.Kind == syntax.InitList {
				for _, a := range x.Args {
					walk(a)
				}
				return
			}
			v := r.value(x)
			for i, s := range v.c {
				if v.typ.Kind == syntax.VectorType && int64(i) >= v.typ.N {
					break
				}
				out.c = append(out.c, r.convertScalar(s, v.typ.Leaf(int64(i)), e.Typ.Elem, e.At))
			}
		}
		for _, x := range parts {
			walk(x)
		}
		for int64(len(out.c)) < e.Typ.Cells() {
			out.c = append(out.c, scalar{kind: intScalar})
		}
		return out
	}
	return r.convert(r.value(e.Args[0]), e.Typ, e.At)
}

func (r *runner) unary(e *syntax.Expr) result {
	switch e.Op {
	case "*":
		return r.load(r.place(e), e.At)
	case "&":
		p := r.place(e.Args[0])
		r.named(p.o, e.At)
		return result{&syntax.Ctype{Kind: syntax.PointerType, Elem: p.typ}, []scalar{{kind: pointerScalar, to: p.o, i: p.off, typ: p.typ, end: p.beyond}}}
	case "!":
		return intValue(syntax.TInt, asInt(!r.truth(e.Args[0])))
	}
	v := r.value(e.Args[0])
	switch e.Op {
	case "+":
		if v.typ.Kind == syntax.IntType {
			return r.convert(v, syntax.Promoted(v.typ), e.At)
		}
		return v
	case "-":
		zero := intValue(syntax.TInt, 0)
		if leaf := v.typ.Leaf(0); leaf.Kind == syntax.FloatType { // less than nothing is less than 0: the sign of 0 changes, too
			zero = result{leaf, []scalar{{kind: floatScalar, f: math.Copysign(0, -1)}}}
		}
		return r.operate("-", zero, v, e.At)
	case "~":
		return r.operate("^", v, intValue(syntax.TInt, -1), e.At)
	}
	r.undecided(e.At, "operator %s", e.Op)
	return result{}
}

func (r *runner) operate(op string, a, b result, at syntax.Place) result {
	if a.typ.Kind == syntax.VectorType || b.typ.Kind == syntax.VectorType {
		t := a.typ
		if t.Kind != syntax.VectorType {
			t = b.typ
		}
		x, y := r.convert(a, t, at), r.convert(b, t, at)
		out := result{typ: t}
		for i := range x.c {
			if op == "<<" || op == ">>" { // of lanes, which are not promoted
				if s, by := x.c[i], y.c[i]; s.kind == intScalar && by.kind == intScalar {
					out.c = append(out.c, r.integers(op, t.Elem, t.Elem, s.i, by.i, at).c[0])
				} else {
					out.c = append(out.c, r.unknown(""))
				}
				continue
			}
			v := r.operate(op, result{t.Elem, x.c[i : i+1]}, result{t.Elem, y.c[i : i+1]}, at)
			if flow.Comparisons[op] { // true is −1 in lanes
				v = r.operate("-", intValue(syntax.TInt, 0), v, at)
				out.typ = syntax.Truths(t)
			} else {
				v = r.convert(v, t.Elem, at)
			}
			out.c = append(out.c, v.c[0])
		}
		return out
	}
	if len(a.c) != 1 || len(b.c) != 1 {
		r.undecided(at, "operator %s on values of type %s", op, flow.KindName(a.typ))
	}
	x, y := a.c[0], b.c[0]
	if x.kind == pointerScalar || y.kind == pointerScalar {
		return r.pointers(op, a, b, at)
	}
	t := syntax.CommonType(a.typ, b.typ)
	if op == "<<" || op == ">>" {
		t = syntax.Promoted(a.typ)
	}
	out := t
	if flow.Comparisons[op] {
		out = syntax.TInt
	}
	// What is not known has a name for how it came about, so that equal computations are equal.
	if x.kind == unknownScalar || y.kind == unknownScalar {
		if x.equals(y) && flow.Comparisons[op] && t.Kind != syntax.FloatType {
			return intValue(syntax.TInt, asInt(op == "==" || op == "<=" || op == ">="))
		}
		if x.equals(y) && op == "==" {
			return intValue(syntax.TInt, 1)
		}
		// Both commute, so their operands are named in one order: a + b equals b + a.
		if op == "+" || op == "*" {
			if y.key() < x.key() {
				x, y = y, x
			}
		}
		return result{out, []scalar{r.unknown(op + t.Name + " " + x.key() + " " + y.key())}}
	}
	x, y = r.convertScalar(x, a.typ, t, at), r.convertScalar(y, b.typ, t, at)
	if op == "<<" || op == ">>" {
		y = b.c[0]
	}
	if t.Kind == syntax.FloatType {
		return r.floats(op, t, x.f, y.f, at)
	}
	return r.integers(op, t, out, x.i, y.i, at)
}

func (r *runner) floats(op string, t *syntax.Ctype, x, y float64, at syntax.Place) result {
	f := func(v float64) result { return result{t, []scalar{{kind: floatScalar, f: single(t, v)}}} }
	switch op {
	case "+":
		return f(x + y)
	case "-":
		return f(x - y)
	case "*":
		// Devices may add to the product before they round it.
		if p := single(t, x*y); r.t == nil || r.fill || math.FMA(x, y, -p) == 0 {
			return f(p)
		}
		return result{t, []scalar{r.unknown(fmt.Sprint("product ", t.Name, " ", x, "*", y))}}
	case "/":
		// Devices may round a quotient as they like.
		if q := x / y; !r.fill || q*y == x && single(t, q) == q {
			return f(q)
		}
		return result{t, []scalar{r.unknown(fmt.Sprint(t.Name, " ", x, "/", y))}}
	case "<":
		return intValue(syntax.TInt, asInt(x < y))
	case ">":
		return intValue(syntax.TInt, asInt(x > y))
	case "<=":
		return intValue(syntax.TInt, asInt(x <= y))
	case ">=":
		return intValue(syntax.TInt, asInt(x >= y))
	case "==":
		return intValue(syntax.TInt, asInt(x == y))
	case "!=":
		return intValue(syntax.TInt, asInt(x != y))
	}
	r.undecided(at, "operator %s on floats", op)
	return result{}
}

func (r *runner) integers(op string, t, out *syntax.Ctype, x, y int64, at syntax.Place) result {
	// Values are kept as int64: of 64 unsigned bits, only order and division are different.
	less := x < y
	if !t.Signed && t.Bits == 64 {
		less = uint64(x) < uint64(y)
	}
	r.fits(op, t, x, y, at)
	switch op {
	case "+":
		return intValue(out, x+y)
	case "-":
		return intValue(out, x-y)
	case "*":
		return intValue(out, x*y)
	case "/", "%":
		if y == 0 {
			r.fault("division", at, "division by zero")
		}
		if !t.Signed && t.Bits == 64 {
			if op == "/" {
				return intValue(out, int64(uint64(x)/uint64(y)))
			}
			return intValue(out, int64(uint64(x)%uint64(y)))
		}
		if op == "/" {
			return intValue(out, x/y)
		}
		return intValue(out, x%y)
	case "<<", ">>":
		if y < 0 || y >= int64(t.Bits) { // C leaves it open, and devices differ
			return result{out, []scalar{r.unknown("")}}
		}
		if op == "<<" {
			return intValue(out, x<<y)
		}
		if !t.Signed {
			return intValue(out, int64(uint64(x)>>y))
		}
		return intValue(out, x>>y)
	case "&":
		return intValue(out, x&y)
	case "|":
		return intValue(out, x|y)
	case "^":
		return intValue(out, x^y)
	case "<":
		return intValue(syntax.TInt, asInt(less))
	case ">":
		return intValue(syntax.TInt, asInt(!less && x != y))
	case "<=":
		return intValue(syntax.TInt, asInt(less || x == y))
	case ">=":
		return intValue(syntax.TInt, asInt(!less))
	case "==":
		return intValue(syntax.TInt, asInt(x == y))
	case "!=":
		return intValue(syntax.TInt, asInt(x != y))
	}
	r.undecided(at, "operator %s", op)
	return result{}
}

// fits checks that what comes of two numbers is within their type, where that is asked for.
func (r *runner) fits(op string, t *syntax.Ctype, x, y int64, at syntax.Place) {
	if !r.checks.Overflow || !t.Signed {
		return
	}
	z, a, b := new(big.Int), big.NewInt(x), big.NewInt(y)
	switch {
	case op == "+":
		z.Add(a, b)
	case op == "-":
		z.Sub(a, b)
	case op == "*":
		z.Mul(a, b)
	case (op == "/" || op == "%") && y != 0:
		z.Quo(a, b)
	case op == "<<" && y >= 0 && y < int64(t.Bits):
		z.Lsh(a, uint(y))
	}
	if lo, hi := flow.Within(t); z.Cmp(lo) < 0 || z.Cmp(hi) > 0 {
		r.fault("overflow", at, "signed overflow")
	}
}

// wrapping runs f, in which numbers wrap: no overflow of them is a fault.
func (r *runner) wrapping(f func() result) result {
	defer func(was bool) { r.checks.Overflow = was }(r.checks.Overflow)
	r.checks.Overflow = false
	return f()
}

func (r *runner) pointers(op string, a, b result, at syntax.Place) result {
	x, y := a.c[0], b.c[0]
	if x.kind == unknownScalar || y.kind == unknownScalar {
		r.undecided(at, "a pointer that is not known")
	}
	if x.kind != pointerScalar && op == "+" {
		a, x, y = b, y, x
	}
	switch {
	case flow.Comparisons[op]:
		same := x.to == y.to && (x.to == nil || x.i == y.i)
		switch op {
		case "==":
			return intValue(syntax.TInt, asInt(same))
		case "!=":
			return intValue(syntax.TInt, asInt(!same))
		}
		// C leaves it open (C11 6.5.8p5): where arrays lie is not for a run to choose.
		if x.to != y.to {
			r.undecided(at, "an order of pointers into different arrays")
		}
		return r.integers(op, syntax.TLong, syntax.TInt, x.i, y.i, at)
	case op == "-" && y.kind == pointerScalar:
		if x.to != y.to {
			r.undecided(at, "a difference of pointers into different arrays")
		}
		return intValue(syntax.TLong, (x.i-y.i)/max(1, x.typ.Cells()))
	case y.kind == intScalar && (op == "+" || op == "-"):
		if x.typ == nil || x.typ.Kind == syntax.VoidType {
			r.undecided(at, "arithmetic on a pointer to void")
		}
		by := y.i * max(1, x.typ.Cells())
		if op == "-" {
			by = -by
		}
		x.i, x.end = x.i+by, false
		return result{a.typ, []scalar{x}}
	}
	r.undecided(at, "operator %s on pointers", op)
	return result{}
}

// place is where an expression lies.
func (r *runner) place(e *syntax.Expr) ref {
	switch e.Kind {
	case syntax.Name:
		o := r.lookup(e.Name)
		if o == nil {
			r.undecided(e.At, "name %s, which is not declared", e.Name)
		}
		return ref{o: o, typ: o.typ}
	case syntax.Index:
		x, y := r.value(e.Args[0]), r.value(e.Args[1])
		to := r.target(r.pointers("+", x, y, e.At), e.At)
		if t := r.typeOf(e.Args[0]); !r.fill && t != nil && t.Kind == syntax.ArrayType && t.N >= 0 {
			to.beyond = y.c[0].i < 0 || y.c[0].i >= t.N
		}
		return to
	case syntax.Unary:
		if e.Op == "*" {
			return r.target(r.value(e.Args[0]), e.At)
		}
	case syntax.Member:
		var p ref
		if e.Op == "->" {
			p = r.target(r.value(e.Args[0]), e.At)
		} else {
			p = r.place(e.Args[0])
		}
		return r.part(p, e)
	case syntax.Cast, syntax.Call, syntax.Binary, syntax.Ternary, syntax.Assign, syntax.Step, syntax.Comma, syntax.Literal, syntax.FloatLiteral:
		v := r.value(e)
		o := r.newObject("value", v.typ, syntax.Private)
		copy(o.cells, v.c)
		return ref{o: o, typ: v.typ}
	}
	r.undecided(e.At, "an expression that designates no place")
	return ref{}
}

func (r *runner) target(v result, at syntax.Place) ref {
	s := v.c[0]
	switch {
	case s.kind != pointerScalar:
		r.undecided(at, "a pointer that is not known")
	case s.to == nil:
		r.fault("null", at, "a null pointer")
	}
	r.give(s.to, s.typ)
	if !r.fill && s.typ.Kind == syntax.VectorType && s.typ.N != 3 && s.to.bytes > 0 && s.to.typ.Elem.Kind != syntax.StructType {
		if cell := s.typ.Leaf(0).Size(); s.i*cell%min(16, s.typ.N*cell) != 0 {
			r.doubt(at, "a vector at an address that is no multiple of its size")
		}
	}
	return ref{o: s.to, off: s.i, typ: s.typ, beyond: s.end}
}

func (r *runner) part(p ref, e *syntax.Expr) ref {
	switch p.typ.Kind {
	case syntax.VectorType:
		ls := flow.Swizzle(p.typ, e.Name)
		if ls == nil {
			r.undecided(e.At, "part %s", e.Name)
		}
		if p.pick != nil {
			for i := range ls {
				ls[i] = p.pick[ls[i]]
			}
		}
		if len(ls) == 1 {
			return ref{o: p.o, off: p.off + ls[0], typ: p.typ.Elem, beyond: p.beyond}
		}
		return ref{o: p.o, off: p.off, typ: syntax.VectorOf(p.typ.Elem, int64(len(ls))), pick: ls, beyond: p.beyond}
	case syntax.StructType:
		var skip int64
		for _, f := range p.typ.Fields {
			if f.Name == e.Name {
				return ref{o: p.o, off: p.off + skip, typ: f.Typ, beyond: p.beyond}
			}
			skip += f.Typ.Cells()
		}
	}
	r.undecided(e.At, "member %s of %s", e.Name, flow.KindName(p.typ))
	return ref{}
}

// padding is where the fourth lane of a vector of three would lie.
const padding = math.MinInt64

func (p ref) offsets() []int64 {
	var out []int64
	for i := range p.typ.Cells() {
		switch {
		case p.pick != nil && i < int64(len(p.pick)):
			out = append(out, p.off+p.pick[i])
		case p.typ.Kind == syntax.VectorType && i >= p.typ.N:
			out = append(out, padding)
		default:
			out = append(out, p.off+i)
		}
	}
	return out
}

// named doubts that the host names a variable of the device as if its address were known there.
func (r *runner) named(o *object, at syntax.Place) {
	if r.t == nil && o.side == ofDevice && o.bytes == 0 {
		r.doubt(at, "the host uses the address of %s, which is of the device", o.name)
	}
}

func (r *runner) load(p ref, at syntax.Place) result {
	if p.typ.Kind == syntax.ArrayType {
		r.named(p.o, at)
		if p.beyond {
			r.doubt(at, "a row that is not one of its array")
		}
		return result{&syntax.Ctype{Kind: syntax.PointerType, Elem: p.typ.Elem}, []scalar{{kind: pointerScalar, to: p.o, i: p.off, typ: p.typ.Elem}}}
	}
	r.within(p, at)
	out := result{typ: p.typ}
	for _, off := range p.offsets() {
		if off == padding {
			out.c = append(out.c, scalar{kind: intScalar})
			continue
		}
		r.inside(p.o, off, at)
		r.touch(p.o, off, flow.IsRead, scalar{}, at)
		out.c = append(out.c, r.seenAs(*r.cell(p.o, off), p.typ.Leaf(int64(len(out.c)))))
	}
	return out
}

// seenAs is what a cell holds as its bits are as a value of type t, which a pointer has led to.
func (r *runner) seenAs(s scalar, t *syntax.Ctype) scalar {
	switch {
	case s.kind == intScalar && t.Kind == syntax.IntType:
		return scalar{kind: intScalar, i: narrow(t, s.i)}
	case s.kind == intScalar && t.Kind == syntax.FloatType && s.i == 0:
		return scalar{kind: floatScalar}
	case s.kind == floatScalar && t.Kind == syntax.IntType && s.f == 0 && !math.Signbit(s.f):
		return scalar{kind: intScalar}
	case s.kind == intScalar && t.Kind == syntax.FloatType, s.kind == floatScalar && t.Kind == syntax.IntType:
		return r.unknown(fmt.Sprint("bits of ", s.key()))
	}
	return s
}

func (r *runner) store(p ref, v result, at syntax.Place) {
	if p.o.shared == syntax.Constant && r.t != nil {
		r.fault("assert", at, "a write to constant memory")
	}
	r.within(p, at)
	for i, off := range p.offsets() {
		if off == padding || i >= len(v.c) {
			continue
		}
		r.inside(p.o, off, at)
		r.touch(p.o, off, flow.IsWrite, v.c[i], at)
		*r.cell(p.o, off) = v.c[i]
	}
}

// cell is a cell of memory. Of memory of unknown size there are some at hand; the others, before
// and behind them, are made when they are asked for.
func (r *runner) cell(o *object, off int64) *scalar {
	if off >= 0 && off < int64(len(o.cells)) {
		return &o.cells[off]
	}
	if o.outside[off] == nil {
		if o.outside == nil {
			o.outside = map[int64]*scalar{}
		}
		each := max(1, o.typ.Elem.Cells())
		leaf := o.typ.Leaf((off%each + each) % each)
		drawn := int64(0)
		if r.sample != 0 { // by the place, not by who comes first
			drawn = int64(uint64(off)*6364136223846793005>>40) % contents
		}
		v := r.unknown("")
		switch leaf.Kind {
		case syntax.IntType:
			v = scalar{kind: intScalar, i: narrow(leaf, drawn)}
		case syntax.FloatType:
			v = scalar{kind: floatScalar, f: r.fraction(drawn)}
		}
		o.outside[off] = &v
	}
	return o.outside[off]
}

// within faults an access beyond the array that is named, where memory that is part of the same variable may follow.
func (r *runner) within(p ref, at syntax.Place) {
	if p.beyond {
		r.fault("bounds", at, "an index beyond its array, in %s", p.o.name)
	}
}

func (r *runner) inside(o *object, off int64, at syntax.Place) {
	r.reach(o, at)
	if o.dead {
		r.fault("bounds", at, "%s is used after it was freed, or its block was left", o.name)
	}
	outside := off < 0 || off >= int64(len(o.cells))
	switch {
	case outside && o.vast && r.fill: // parameters may point into the middle of an array
		return
	case outside && o.vast:
		r.undecided(at, "an index beyond %d", len(o.cells))
	}
	if off < 0 || off >= int64(len(o.cells)) {
		r.fault("bounds", at, "index %d into %s of %d elements", off, o.name, len(o.cells))
	}
}

// touch compares an access with those of other threads that are not ordered with it.
func (r *runner) touch(o *object, off int64, what int, v scalar, at syntax.Place) {
	if r.t == nil || o.shared == syntax.Private && !r.device(o) {
		return
	}
	r.use.touched = true
	if o.during != r.number { // what happened before is ordered with this launch
		clear(o.seen)
		clear(o.changed)
		o.during = r.number
	}
	kind := 1
	if o.shared == syntax.Local {
		kind = 0
	}
	now := touch{thread: r.t.id, group: r.t.group, epoch: r.t.epochs[kind], what: what, value: v, at: at}
	if what == flow.IsRead {
		now.value = *r.cell(o, off)
		now.own = slices.ContainsFunc(o.seen[off], func(was touch) bool {
			return was.thread == now.thread && was.epoch == now.epoch && was.what == flow.IsWrite && was.value.equals(now.value)
		})
	}
	for _, was := range o.seen[off] {
		// Barriers order the threads of a group, nothing orders those of different groups.
		if was.thread == now.thread || was.group == now.group && was.epoch != now.epoch {
			continue
		}
		c := flow.Conflict(was.what, what)
		if c == "" || c != "race-atomic" && !r.checks.NoBenign && (was.own || was.what == flow.IsWrite) && (now.own || what == flow.IsWrite) && was.value.equals(now.value) {
			continue
		}
		r.fault(c, at, "thread %d %s %s[%d] here, thread %d %s it in line %d", now.thread, flow.Doing[what], o.name, off, was.thread, flow.Doing[was.what], was.at.Line)
	}
	// One access of a thread, kind and value stands for its like: it meets what they would.
	for i, was := range o.seen[off] {
		if was.thread == now.thread && was.what == what && was.group == now.group && was.epoch == now.epoch && was.own == now.own && (what != flow.IsWrite && !now.own || was.value.equals(now.value)) {
			o.seen[off][i] = now
			return
		}
	}
	if len(o.seen[off]) < 256 {
		o.seen[off] = append(o.seen[off], now)
	} else {
		r.undecided(at, "more than 256 accesses to one place")
	}
}

// device reports whether an object may be reached by several threads of a launch:
// allocations are.
func (r *runner) device(o *object) bool { return o.bytes > 0 }

// Launching.

func (r *runner) launch(f *syntax.Function, grid, block result, args []result, at syntax.Place) {
	dims := func(v result) (out [3]int64) {
		out = [3]int64{1, 1, 1}
		for i := range min(3, len(v.c)) {
			if v.c[i].kind != intScalar {
				r.undecided(at, "a launch of a size that is not known")
			}
			out[i] = v.c[i].i
		}
		return out
	}
	r.groups, r.local = dims(grid), dims(block)
	if r.local[0]*r.local[1]*r.local[2] > 1024 {
		r.doubt(at, "a launch with groups of more than 1024 threads, which fails")
	}
	if f.Bound != nil && r.local[0]*r.local[1]*r.local[2] > r.integer(r.value(f.Bound), at) {
		r.doubt(at, "a launch with larger groups than %s allows, which fails", f.Name)
	}
	if r.local[2] > 64 {
		r.doubt(at, "a launch with groups of more than 64 threads in z, which fails")
	}
	l := Launch{Kernel: f.Name, Local: r.local, Groups: r.groups}
	for i, p := range f.Params {
		if p.Typ.Kind != syntax.IntType || i >= len(args) {
			continue
		}
		a := r.convert(args[i], p.Typ, at)
		if a.c[0].kind == intScalar {
			l.Arguments = append(l.Arguments, fmt.Sprint(a.c[0].i))
		} else {
			l.Arguments = append(l.Arguments, "")
		}
	}
	for i, a := range args {
		r.use.given = r.use.given || len(a.c) == 1 && a.c[0].to != nil
		r.alone(f, args, min(i, len(f.Params)-1), at)
	}
	r.launches = append(r.launches, l)
	r.grid(f, args, at)
	r.use.running = true
}

// alone doubts a launch that gives one array to two parameters, of which one says (restrict) that it has its own.
func (r *runner) alone(f *syntax.Function, args []result, i int, at syntax.Place) {
	for j, q := range f.Params {
		p := f.Params[i]
		if i != j && j < len(args) && p.Typ.Alone && !(p.Konst && q.Konst) && len(args[i].c) == 1 && len(args[j].c) == 1 && args[i].c[0].to != nil && args[i].c[0].to == args[j].c[0].to {
			r.doubt(at, "%s and %s of %s are one array, though %[1]s is restrict", p.Name, q.Name, f.Name)
		}
	}
}

// grid runs the groups of a launch, one after the other.
func (r *runner) grid(f *syntax.Function, args []result, at syntax.Place) {
	count := int64(1)
	for d := range 3 {
		if r.local[d] < 1 || r.groups[d] < 1 {
			r.undecided(at, "a launch without threads")
		}
		count *= r.local[d]
		if r.only == nil {
			count *= r.groups[d]
		}
		// Each thread is a coroutine, and each access is compared with those before it.
		if count > 1<<14 || r.groups[d] > 1<<20 {
			r.undecided(at, "a launch of more than %d threads", 1<<14)
		}
	}
	r.number++
	id := 0
	group := 0
	if r.only != nil {
		r.someGroups(f, args, at)
		return
	}
	for z := range r.groups[2] {
		for y := range r.groups[1] {
			for x := range r.groups[0] {
				id = r.oneGroup(f, args, [3]int64{x, y, z}, group, id, at)
				group++
			}
		}
	}
	r.t = nil
}

// someGroups runs the groups that are asked for.
func (r *runner) someGroups(f *syntax.Function, args []result, at syntax.Place) {
	var all [][3]int64
	for g := range r.only {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b [3]int64) int { return slices.Compare(a[:], b[:]) })
	id := 0
	for i, g := range all {
		id = r.oneGroup(f, args, g, i, id, at)
	}
	r.t = nil
}

// oneGroup runs a group; its threads are numbered from id on.
func (r *runner) oneGroup(f *syntax.Function, args []result, g [3]int64, number, id int, at syntax.Place) int {
	r.shared = map[*syntax.Decl]*object{}
	var ts []*thread
	for lz := range r.local[2] {
		for ly := range r.local[1] {
			for lx := range r.local[0] {
				ts = append(ts, &thread{id: id, group: number, lid: [3]int64{lx, ly, lz}, gid: g})
				id++
			}
		}
	}
	// Local memory that the host only sizes is new for each group.
	own := slices.Clone(args)
	for i, p := range f.Params {
		if p.Typ.Kind == syntax.PointerType && p.Typ.Space == syntax.Local && i < len(own) {
			own[i] = r.vast(p, syntax.Local)
		}
	}
	r.group(f, own, ts, at)
	var bytes int64
	for _, o := range r.shared {
		bytes += o.typ.Size()
	}
	if bytes > 48<<10 && !r.fill {
		r.doubt(at, "a launch with more than 48 KiB of memory for each group, which fails")
	}
	return id
}

// vast is memory for a pointer parameter, of a size that does not matter.
func (r *runner) vast(p *syntax.Decl, sp syntax.Space) result {
	elem := p.Typ.Elem
	o := r.newObject(p.Name, &syntax.Ctype{Kind: syntax.ArrayType, Elem: elem, N: vastCells / max(1, elem.Cells())}, sp)
	o.vast, o.bytes, o.side = true, 1, ofBoth
	return result{p.Typ, []scalar{{kind: pointerScalar, to: o, typ: elem}}}
}

const vastCells = 1 << 15

// contents is how many numbers arrays hold whose contents are drawn: few, as they may be indices.
const contents = 16

// Execute runs kernel f of u on a concrete grid, with arrays whose contents are drawn
// from a sample, all 0 for sample 0: parameters have the values given by name, or 0. It
// returns a fault, or why there is no verdict; neither means that this run is without fault.
func Execute(sample uint64, checks Checks, u *syntax.Unit, f *syntax.Function, sizes, groups [3]int64, values map[string]int64, only map[[3]int64]bool) (fault *Fault, why string) {
	r := runner{use: newUse(), checks: checks, u: u, globals: map[*syntax.Decl]*object{}, names: map[string]int64{}, fuel: runFuel / 4, fill: true, sample: sample, local: sizes, groups: groups, only: only}
	first := r
	if fault, why = first.execute(f, values); why != "" && first.use.atomics {
		// What an order of atomic operations leads to is a fault, and else says nothing.
		r.use, r.globals, r.names = newUse(), map[*syntax.Decl]*object{}, map[string]int64{}
		r.ordered = true
		if fault, _ = r.execute(f, values); fault != nil {
			return fault, ""
		}
	}
	return fault, why
}

// execute runs f on the grid of the runner.
func (r *runner) execute(f *syntax.Function, values map[string]int64) (fault *Fault, why string) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *halt:
			fault = &e.fault
		case *undecided:
			why = fmt.Sprintf("line %d: %s", e.at.Line, e.why)
		default:
			panic(e)
		}
	}()
	var args []result
	for _, p := range f.Params {
		switch p.Typ.Kind {
		case syntax.PointerType:
			sp := p.Typ.Space
			if sp == syntax.Private {
				sp = syntax.Global
			}
			args = append(args, r.vast(p, sp))
		case syntax.IntType:
			args = append(args, intValue(p.Typ, values[p.Name]))
		default:
			o := r.newObject(p.Name, p.Typ, syntax.Private)
			for i := range p.Typ.Cells() {
				t, name := p.Typ.Leaf(i), p.Name+p.Typ.Path(i)
				if t.Kind == syntax.PointerType {
					o.cells[i] = r.vast(&syntax.Decl{At: p.At, Name: name, Typ: t}, syntax.Global).c[0]
				} else if v, ok := values[name]; ok && t.Kind == syntax.IntType {
					o.cells[i] = intValue(t, v).c[0]
				}
			}
			args = append(args, result{p.Typ, o.cells})
		}
	}
	r.grid(f, args, f.At)
	return nil, ""
}

// group runs the threads of a group from barrier to barrier.
func (r *runner) group(f *syntax.Function, args []result, ts []*thread, at syntax.Place) {
	// Threads are coroutines that yield at barriers. Each has a state of the runner of its own,
	// put in place while it runs; fuel and the number of objects are counted for all together.
	host := *r
	type seat struct {
		next func() (barrierAt, bool)
		stop func()
	}
	var seats []seat
	defer func() {
		// Threads that still wait must end, or their coroutines would stay for ever.
		for _, s := range seats {
			s.stop()
		}
		fuel, objects, launches, shared := r.fuel, r.objects, r.launches, r.shared
		*r = host
		r.fuel, r.objects, r.launches, r.shared = fuel, objects, launches, shared
	}()
	saved := make([]runner, len(ts))
	var broken any
	for i, t := range ts {
		saved[i] = *r
		saved[i].t, saved[i].depth, saved[i].scopes, saved[i].way = t, 0, nil, nil
		next, stop := iter.Pull(func(yield func(barrierAt) bool) {
			defer func() {
				if e := recover(); e != nil && e != any(abandoned{}) {
					broken = e
				}
			}()
			t.stop = func(b barrierAt) bool { return yield(b) }
			r.invoke(f, args, at)
		})
		seats = append(seats, seat{next, stop})
	}
	for alive := true; alive; {
		alive = false
		var first *barrierAt
		ended := false
		for i := range ts {
			if seats[i].next == nil {
				continue
			}
			// What a thread has of its own changes with it; fuel and numbers are those of the run.
			fuel, objects := r.fuel, r.objects
			*r = saved[i]
			r.fuel, r.objects = fuel, objects
			b, more := seats[i].next()
			saved[i] = *r
			if broken != nil {
				panic(broken)
			}
			if !more {
				ended = true
				seats[i].next = nil
				continue
			}
			alive = true
			if first == nil {
				first = &b
			} else if *first != b {
				r.fault("divergence", b.at, "threads of one group wait at different barriers")
			}
		}
		if first != nil && ended {
			r.fault("divergence", first.at, "a thread waits at this barrier, another of its group has ended")
		}
	}
}

type abandoned struct{}

// wait stops the thread at a barrier.
func (r *runner) wait(flags int64, at syntax.Place) {
	t := r.t
	if !t.stop(barrierAt{at, fmt.Sprint(r.way)}) {
		panic(abandoned{})
	}
	t.epochs[0] += int(flags & 1)
	t.epochs[1] += int(flags >> 1 & 1)
}
