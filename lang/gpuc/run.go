package gpuc

import (
	"fmt"
	"iter"
	"math"
	"math/big"
	"slices"
	"strings"
)

// This file runs programs as they stand: a host program with its launches, or a
// kernel on a small grid. It knows nothing of the machines that kernels become. The
// threads of a group run one after the other from barrier to barrier; each access is
// compared with those of the other threads that no barrier separates from it. A run
// without conflict is the same in every order, so one order is enough.

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
	typ  *ctype // of what a pointer points at
}

// object is a variable or array in memory.
type object struct {
	name   string
	typ    *ctype
	bytes  int64 // of an allocation without type yet
	cells  []scalar
	shared space // private: of one thread, or of the host
	seen   map[int64][]touch
	id     int
	dead   bool
	vast   bool // of a size that is not known: what lies outside is not judged
}

// touch is an access to a cell.
type touch struct {
	thread, group int
	epoch         int
	what          int
	value         scalar
	at            place
}

// result of an expression.
type result struct {
	typ *ctype
	c   []scalar
}

// ref is a place in memory.
type ref struct {
	o    *object
	off  int64
	typ  *ctype
	pick []int64 // lanes of a vector
}

// halt ends a run.
type halt struct{ fault Fault }

// undecided ends a run that depends on what is not known.
type undecided struct {
	at  place
	why string
}

// thread is one thread of a launch.
type thread struct {
	id, group int
	lid, gid  [3]int64
	epochs    [2]int // local, global
	stop      func(barrierAt) bool
}

type barrierAt struct{ at place }

// runner runs one program.
type runner struct {
	u        *unit
	globals  map[string]*object
	scopes   []map[string]*object
	names    map[string]int64 // of unknown values
	t        *thread
	local    [3]int64
	groups   [3]int64
	shared   map[string]*object // of the group that runs
	fuel     int
	objects  int
	launches []Launch
	returned *result
	fill     bool // arrays are 0 unless set
	depth    int
	atomics  bool
	only     map[[3]int64]bool // groups that run; nil: all
	sample   uint64            // inputs are drawn from it; 0: they are not known
}

// Launch is a launch of a kernel by a host program.
type Launch struct {
	Kernel        string
	Local, Groups [3]int64
	Arguments     []string // of scalar parameters; "" if not known
}

type control uint8

const (
	goesOn control = iota
	breaks
	continues
	returns
)

const runFuel = 8_000_000

// runProgram runs main. A fault is a definite one; why says why the run is not decided.
func runProgram(u *unit, sample uint64) (launches []Launch, fault *Fault, why string) {
	r := &runner{sample: sample, u: u, globals: map[string]*object{}, names: map[string]int64{}, fuel: runFuel}
	defer func() {
		launches = r.launches
		switch e := recover().(type) {
		case nil:
		case *halt:
			fault = &e.fault
		case *undecided:
			why = fmt.Sprintf("line %d: %s", e.at.line, e.why)
		case exited:
		default:
			panic(e)
		}
		if why == "" && fault == nil && r.atomics {
			why = "the order of atomic operations may matter"
		}
	}()
	main := u.function("main")
	var args []result
	for _, p := range main.params {
		args = append(args, result{p.typ, []scalar{r.unknown("main " + p.name)}})
	}
	r.invoke(main, args, main.at)
	return r.launches, nil, ""
}

type exited struct{}

func (r *runner) undecided(at place, format string, args ...any) {
	panic(&undecided{at, fmt.Sprintf(format, args...)})
}

func (r *runner) fault(kind string, at place, format string, args ...any) {
	panic(&halt{Fault{kind, at.line, at.col, fmt.Sprintf(format, args...)}})
}

// input is a value from outside.
func (r *runner) input() scalar {
	if r.sample == 0 {
		return r.unknown("")
	}
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
	return s.kind == o.kind && s.i == o.i && s.f == o.f && s.to == o.to
}

func intValue(t *ctype, i int64) result {
	return result{t, []scalar{{kind: intScalar, i: narrow(t, i)}}}
}

// narrow is i as a value of type t.
func narrow(t *ctype, i int64) int64 {
	switch {
	case t.kind != intType || t.bits >= 64:
		return i
	case t.bits == 1:
		if i != 0 {
			return 1
		}
		return 0
	case t.signed:
		return i << (64 - t.bits) >> (64 - t.bits)
	}
	return int64(uint64(i) << (64 - t.bits) >> (64 - t.bits))
}

func (r *runner) newObject(name string, t *ctype, sp space) *object {
	n := t.cells()
	if n < 0 || n > 1<<22 {
		r.undecided(place{}, "an array of %d elements", n)
	}
	r.objects++
	o := &object{name: name, typ: t, cells: make([]scalar, n), shared: sp, id: r.objects, seen: map[int64][]touch{}}
	r.reset(o)
	return o
}

func (r *runner) reset(o *object) {
	for i := range o.cells {
		switch leaf := o.typ.leaf(int64(i)); {
		case r.fill && leaf.kind == intType:
			o.cells[i] = scalar{kind: intScalar}
		case r.fill && leaf.kind == floatType:
			o.cells[i] = scalar{kind: floatScalar}
		default:
			o.cells[i] = r.unknown("")
		}
	}
}

func (r *runner) allocate(bytes int64, at place) *object {
	if bytes < 0 || bytes > 1<<26 {
		r.undecided(at, "an allocation of %d bytes", bytes)
	}
	r.objects++
	return &object{name: fmt.Sprintf("allocation in line %d", at.line), bytes: bytes, id: r.objects, seen: map[int64][]touch{}}
}

// give gives an allocation the type that it is used with.
func (r *runner) give(o *object, t *ctype) {
	if o == nil || o.typ != nil || t.kind == voidType || t.size() == 0 {
		return
	}
	o.typ = &ctype{kind: arrayType, elem: t, n: o.bytes / t.size()}
	o.cells = make([]scalar, o.typ.cells())
	r.reset(o)
}

func (r *runner) lookup(n string) *object {
	for i := len(r.scopes) - 1; i >= 0; i-- {
		if o := r.scopes[i][n]; o != nil {
			return o
		}
	}
	if o := r.globals[n]; o != nil {
		return o
	}
	for _, g := range r.u.globals {
		if g.name == n {
			sp := global
			if g.typ.where == constant {
				sp = constant
			}
			o := r.newObject(n, g.typ, sp)
			r.globals[n] = o
			for i := range o.cells {
				if o.typ.leaf(int64(i)).kind == intType {
					o.cells[i] = scalar{kind: intScalar}
				}
			}
			if g.init != nil {
				keep := r.t
				r.t = nil
				r.initialise(ref{o: o, typ: g.typ}, g.init)
				r.t = keep
			}
			return o
		}
	}
	return nil
}

// invoke calls a function with a body.
func (r *runner) invoke(f *function, args []result, at place) result {
	if r.depth++; r.depth > 200 {
		r.undecided(at, "calls nested more than 200 deep")
	}
	if len(args) != len(f.params) {
		r.undecided(at, "%s with %d arguments", f.name, len(args))
	}
	keep := r.scopes
	scope := map[string]*object{}
	for i, p := range f.params {
		o := r.newObject(p.name, p.typ, private)
		v := r.convert(args[i], p.typ, at)
		copy(o.cells, v.c)
		scope[p.name] = o
	}
	r.scopes = []map[string]*object{scope}
	keepReturned := r.returned
	r.returned = nil
	r.block(f.body)
	out := r.returned
	r.returned = keepReturned
	r.scopes = keep
	r.depth--
	if out == nil {
		return result{tVoid, nil}
	}
	return r.convert(*out, f.ret, at)
}

func (r *runner) block(ss []*stmt) control {
	r.scopes = append(r.scopes, map[string]*object{})
	n := len(r.scopes)
	defer func() {
		if len(r.scopes) >= n {
			r.scopes = r.scopes[:n-1]
		}
	}()
	for _, s := range ss {
		if c := r.statement(s); c != goesOn {
			return c
		}
	}
	return goesOn
}

func (r *runner) burn(at place) {
	if r.fuel--; r.fuel < 0 {
		r.undecided(at, "a run of more than %d steps", runFuel)
	}
}

func (r *runner) statement(s *stmt) control {
	r.burn(s.at)
	switch s.kind {
	case emptyStmt:
	case exprStmt:
		r.value(s.cond)
	case declStmt:
		for _, d := range s.decls {
			r.declare(d)
		}
	case blockStmt:
		return r.block(s.body)
	case ifStmt:
		if r.truth(s.cond) {
			return r.block(s.body)
		}
		return r.block(s.other)
	case whileStmt, doStmt, forStmt:
		return r.loop(s)
	case switchStmt:
		return r.switching(s)
	case caseStmt, labelStmt:
		return r.block(s.body)
	case breakStmt:
		return breaks
	case continueStmt:
		return continues
	case returnStmt:
		if s.cond != nil {
			v := r.value(s.cond)
			r.returned = &v
		}
		return returns
	default:
		r.undecided(s.at, "goto")
	}
	return goesOn
}

func (r *runner) loop(s *stmt) control {
	r.scopes = append(r.scopes, map[string]*object{})
	defer func(n int) { r.scopes = r.scopes[:n] }(len(r.scopes) - 1)
	if s.init != nil {
		r.statement(s.init)
	}
	for first := true; ; first = false {
		r.burn(s.at)
		if !(first && s.kind == doStmt) && s.cond != nil && !r.truth(s.cond) {
			return goesOn
		}
		switch r.block(s.body) {
		case breaks:
			return goesOn
		case returns:
			return returns
		}
		if s.post != nil {
			r.value(s.post)
		}
	}
}

func (r *runner) switching(s *stmt) control {
	v := r.integer(r.value(s.cond), s.at)
	if len(s.body) != 1 {
		return goesOn
	}
	body := s.body[0].body
	start := -1
	fallback := -1
	for i, b := range body {
		for c := b; c.kind == caseStmt; c = c.body[0] {
			switch {
			case c.cond == nil:
				fallback = i
			case r.integer(r.value(c.cond), c.at) == v:
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
	switch c := r.block(body[start:]); c {
	case breaks:
		return goesOn
	default:
		return c
	}
}

func (r *runner) declare(d *decl) {
	if r.t != nil && d.typ.spaced && d.typ.where == local {
		key := fmt.Sprint(d.name, d.at)
		o := r.shared[key]
		if o == nil {
			o = r.newObject(d.name, d.typ, local)
			r.shared[key] = o
		}
		r.scopes[len(r.scopes)-1][d.name] = o
		return
	}
	if d.typ.kind == opaqueType {
		d = &decl{at: d.at, name: d.name, typ: tLong, init: d.init}
	}
	if d.static && r.t == nil {
		key := fmt.Sprint("static ", d.name, d.at)
		if o := r.globals[key]; o != nil {
			r.scopes[len(r.scopes)-1][d.name] = o
			return
		}
		defer func() { r.globals[key] = r.scopes[len(r.scopes)-1][d.name] }()
	}
	o := r.newObject(d.name, d.typ, private)
	if d.init != nil {
		r.initialise(ref{o: o, typ: d.typ}, d.init)
	}
	r.scopes[len(r.scopes)-1][d.name] = o
}

func (r *runner) initialise(to ref, e *expr) {
	if e.kind != initList {
		if to.typ.kind == arrayType {
			return // a string
		}
		v := r.convert(r.value(e), to.typ, e.at)
		copy(to.o.cells[to.off:], v.c)
		return
	}
	zero := func(from, n int64) {
		for i := from; i < from+n; i++ {
			if to.typ.leaf(i-to.off).kind == floatType {
				to.o.cells[i] = scalar{kind: floatScalar}
			} else {
				to.o.cells[i] = scalar{kind: intScalar}
			}
		}
	}
	zero(to.off, to.typ.cells())
	off := to.off
	for i, a := range e.args {
		t := to.typ
		switch to.typ.kind {
		case arrayType, vectorType:
			t = to.typ.elem
		case structType:
			if i >= len(to.typ.fields) {
				r.undecided(a.at, "too many initial values")
			}
			t = to.typ.fields[i].typ
		}
		if off+t.cells() > to.off+to.typ.cells() {
			r.undecided(a.at, "too many initial values")
		}
		r.initialise(ref{o: to.o, off: off, typ: t}, a)
		off += t.cells()
	}
	if to.typ.name == "dim3" {
		for i := off; i < to.off+3; i++ {
			to.o.cells[i] = scalar{kind: intScalar, i: 1}
		}
	}
}

func (r *runner) truth(e *expr) bool {
	v := r.value(e)
	return r.truthOf(v, e.at)
}

func (r *runner) truthOf(v result, at place) bool {
	if len(v.c) != 1 {
		r.undecided(at, "a condition of type %s", kindName(v.typ))
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

func (r *runner) integer(v result, at place) int64 {
	if len(v.c) != 1 || v.c[0].kind != intScalar {
		r.undecided(at, "a number that is not known")
	}
	return v.c[0].i
}

func (r *runner) convert(v result, t *ctype, at place) result {
	switch {
	case t.kind == voidType || v.typ.kind == voidType:
		return result{t, v.c}
	case t.kind == vectorType && v.typ.kind == vectorType:
		out := result{typ: t}
		for i := range v.c {
			out.c = append(out.c, r.convertScalar(v.c[i], v.typ.elem, t.elem, at))
		}
		return out
	case t.kind == vectorType && len(v.c) == 1:
		out := result{typ: t}
		for i := range t.cells() {
			s := r.convertScalar(v.c[0], v.typ, t.elem, at)
			if t.name == "dim3" && i > 0 {
				s = scalar{kind: intScalar, i: 1}
			}
			out.c = append(out.c, s)
		}
		return out
	case len(v.c) != 1 || t.kind == structType || t.kind == opaqueType:
		return result{t, v.c}
	}
	return result{t, []scalar{r.convertScalar(v.c[0], v.typ, t, at)}}
}

func (r *runner) convertScalar(s scalar, from, t *ctype, at place) scalar {
	switch t.kind {
	case intType:
		switch s.kind {
		case intScalar:
			return scalar{kind: intScalar, i: narrow(t, s.i)}
		case floatScalar:
			if math.IsNaN(s.f) || math.Abs(s.f) > 1e18 {
				return r.unknown("")
			}
			return scalar{kind: intScalar, i: narrow(t, int64(s.f))}
		case unknownScalar:
			if from.kind == intType && fits(from, t) {
				return s
			}
			return r.unknown(fmt.Sprint("to ", t.bits, t.signed, s.key()))
		}
	case floatType:
		switch s.kind {
		case intScalar:
			f := float64(s.i)
			if from.kind == intType && !from.signed && from.bits == 64 {
				f = float64(uint64(s.i))
			}
			return scalar{kind: floatScalar, f: single(t, f)}
		case floatScalar:
			return scalar{kind: floatScalar, f: single(t, s.f)}
		case unknownScalar:
			if from.kind == floatType && from.bits == t.bits {
				return s
			}
			return r.unknown(fmt.Sprint("float ", t.bits, s.key()))
		}
	case pointerType:
		switch {
		case s.kind == intScalar && s.i == 0:
			return scalar{kind: pointerScalar, typ: t.elem}
		case s.kind == pointerScalar:
			if s.to != nil && t.elem.kind != voidType {
				r.give(s.to, t.elem)
				if s.to.typ != nil && s.to.typ.leaf(0).size() != t.elem.leaf(0).size() {
					r.undecided(at, "a pointer cast between elements of different sizes")
				}
				s.typ = t.elem
			}
			return s
		}
	}
	return s
}

func single(t *ctype, f float64) float64 {
	if t.bits <= 32 {
		return float64(float32(f))
	}
	return f
}

func (r *runner) value(e *expr) result {
	r.burn(e.at)
	switch e.kind {
	case literal:
		return result{e.typ, []scalar{{kind: intScalar, i: narrow(e.typ, int64(new(big.Int).And(e.value, new(big.Int).SetUint64(math.MaxUint64)).Uint64()))}}}
	case floatLiteral:
		var f float64
		text := strings.TrimRight(strings.ToLower(e.name), "fl")
		if _, err := fmt.Sscan(text, &f); err != nil {
			r.undecided(e.at, "number %s", e.name)
		}
		t := &ctype{kind: floatType, name: "double", bits: 64}
		if strings.HasSuffix(strings.ToLower(e.name), "f") {
			t = tFloat
		}
		return result{t, []scalar{{kind: floatScalar, f: single(t, f)}}}
	case stringLiteral:
		return result{&ctype{kind: pointerType, elem: intOf(8, true)}, []scalar{r.unknown("")}}
	case comma:
		r.value(e.args[0])
		return r.value(e.args[1])
	case sizeOf:
		t := e.typ
		if t == nil {
			t = r.place(e.args[0]).typ
		}
		return intValue(scalars["size_t"], t.size())
	case assign:
		to := r.place(e.args[0])
		v := r.value(e.args[1])
		if e.op != "" {
			v = r.operate(e.op, r.load(to, e.at), v, e.at)
		}
		v = r.convert(v, to.typ, e.at)
		r.store(to, v, e.at)
		return v
	case step:
		to := r.place(e.args[0])
		was := r.load(to, e.at)
		now := r.convert(r.operate(e.op, was, intValue(tInt, 1), e.at), to.typ, e.at)
		r.store(to, now, e.at)
		if e.postfix {
			return was
		}
		return now
	case ternary:
		if r.truth(e.args[0]) {
			return r.value(e.args[1])
		}
		return r.value(e.args[2])
	case cast:
		return r.casted(e)
	case unary:
		return r.unary(e)
	case binary:
		switch e.op {
		case "&&":
			return intValue(tInt, asInt(r.truth(e.args[0]) && r.truth(e.args[1])))
		case "||":
			return intValue(tInt, asInt(r.truth(e.args[0]) || r.truth(e.args[1])))
		}
		x := r.value(e.args[0])
		return r.operate(e.op, x, r.value(e.args[1]), e.at)
	case call:
		return r.call(e)
	}
	if v, ok := r.builtin(e); ok {
		return v
	}
	return r.load(r.place(e), e.at)
}

func asInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (r *runner) builtin(e *expr) (result, bool) {
	if isCudaIndex(e) && r.t != nil && r.lookup(e.args[0].name) == nil {
		d := dimension(e.name)
		n := map[string]int64{"threadIdx": r.t.lid[d], "blockIdx": r.t.gid[d], "blockDim": r.local[d], "gridDim": r.groups[d]}[e.args[0].name]
		return intValue(tUint, n), true
	}
	if e.kind == name && r.lookup(e.name) == nil {
		if v, ok := r.u.enums[e.name]; ok {
			return intValue(tInt, v), true
		}
		if strings.HasPrefix(e.name, "cuda") || e.name == "warpSize" {
			return intValue(tInt, 32*asInt(e.name == "warpSize")), true
		}
		if slices.Contains([]string{"stderr", "stdout", "stdin"}, e.name) {
			return result{tLong, []scalar{r.unknown(e.name)}}, true
		}
	}
	return result{}, false
}

func (r *runner) casted(e *expr) result {
	if e.typ.kind == vectorType && (e.args[0].kind == comma || e.args[0].kind == initList) {
		out := result{typ: e.typ}
		var walk func(x *expr)
		walk = func(x *expr) {
			if x.kind == comma || x.kind == initList {
				for _, a := range x.args {
					walk(a)
				}
				return
			}
			v := r.value(x)
			for i, s := range v.c {
				if v.typ.kind == vectorType && int64(i) >= v.typ.n {
					break
				}
				out.c = append(out.c, r.convertScalar(s, v.typ.leaf(int64(i)), e.typ.elem, e.at))
			}
		}
		walk(e.args[0])
		for int64(len(out.c)) < e.typ.cells() {
			out.c = append(out.c, scalar{kind: intScalar})
		}
		return out
	}
	return r.convert(r.value(e.args[0]), e.typ, e.at)
}

func (r *runner) unary(e *expr) result {
	switch e.op {
	case "*":
		return r.load(r.place(e), e.at)
	case "&":
		p := r.place(e.args[0])
		return result{&ctype{kind: pointerType, elem: p.typ}, []scalar{{kind: pointerScalar, to: p.o, i: p.off, typ: p.typ}}}
	case "!":
		return intValue(tInt, asInt(!r.truth(e.args[0])))
	case "+":
		return r.value(e.args[0])
	}
	v := r.value(e.args[0])
	switch e.op {
	case "-":
		zero := intValue(tInt, 0)
		if v.typ.leaf(0).kind == floatType {
			zero = result{v.typ.leaf(0), []scalar{{kind: floatScalar}}}
		}
		return r.operate("-", zero, v, e.at)
	case "~":
		return r.operate("-", r.operate("-", intValue(tInt, 0), v, e.at), intValue(tInt, 1), e.at)
	}
	r.undecided(e.at, "operator %s", e.op)
	return result{}
}

func (r *runner) operate(op string, a, b result, at place) result {
	if a.typ.kind == vectorType || b.typ.kind == vectorType {
		t := a.typ
		if t.kind != vectorType {
			t = b.typ
		}
		x, y := r.convert(a, t, at), r.convert(b, t, at)
		out := result{typ: t}
		for i := range x.c {
			v := r.operate(op, result{t.elem, x.c[i : i+1]}, result{t.elem, y.c[i : i+1]}, at)
			if comparisons[op] {
				v = r.operate("-", intValue(tInt, 0), v, at)
				out.typ = vectorOf(tInt, t.n)
			} else {
				v = r.convert(v, t.elem, at)
			}
			out.c = append(out.c, v.c[0])
		}
		return out
	}
	if len(a.c) != 1 || len(b.c) != 1 {
		r.undecided(at, "operator %s on values of type %s", op, kindName(a.typ))
	}
	x, y := a.c[0], b.c[0]
	if x.kind == pointerScalar || y.kind == pointerScalar {
		return r.pointers(op, a, b, at)
	}
	t := commonType(a.typ, b.typ)
	if op == "<<" || op == ">>" {
		t = promoted(a.typ)
	}
	out := t
	if comparisons[op] {
		out = tInt
	}
	if x.kind == unknownScalar || y.kind == unknownScalar {
		if x.equals(y) && comparisons[op] && t.kind != floatType {
			return intValue(tInt, asInt(op == "==" || op == "<=" || op == ">="))
		}
		if x.equals(y) && op == "==" {
			return intValue(tInt, 1)
		}
		if op == "+" || op == "*" {
			if y.key() < x.key() {
				x, y = y, x
			}
		}
		return result{out, []scalar{r.unknown(op + out.name + " " + x.key() + " " + y.key())}}
	}
	x, y = r.convertScalar(x, a.typ, t, at), r.convertScalar(y, b.typ, t, at)
	if op == "<<" || op == ">>" {
		y = b.c[0]
	}
	if t.kind == floatType {
		return r.floats(op, t, x.f, y.f, at)
	}
	return r.integers(op, t, out, x.i, y.i, at)
}

func (r *runner) floats(op string, t *ctype, x, y float64, at place) result {
	f := func(v float64) result { return result{t, []scalar{{kind: floatScalar, f: single(t, v)}}} }
	switch op {
	case "+":
		return f(x + y)
	case "-":
		return f(x - y)
	case "*":
		return f(x * y)
	case "/":
		return f(x / y)
	case "<":
		return intValue(tInt, asInt(x < y))
	case ">":
		return intValue(tInt, asInt(x > y))
	case "<=":
		return intValue(tInt, asInt(x <= y))
	case ">=":
		return intValue(tInt, asInt(x >= y))
	case "==":
		return intValue(tInt, asInt(x == y))
	case "!=":
		return intValue(tInt, asInt(x != y))
	}
	r.undecided(at, "operator %s on floats", op)
	return result{}
}

func (r *runner) integers(op string, t, out *ctype, x, y int64, at place) result {
	less := x < y
	if !t.signed && t.bits == 64 {
		less = uint64(x) < uint64(y)
	}
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
		if !t.signed && t.bits == 64 {
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
		if y < 0 || y >= int64(t.bits) {
			return result{out, []scalar{r.unknown("")}}
		}
		if op == "<<" {
			return intValue(out, x<<y)
		}
		if !t.signed {
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
		return intValue(tInt, asInt(less))
	case ">":
		return intValue(tInt, asInt(!less && x != y))
	case "<=":
		return intValue(tInt, asInt(less || x == y))
	case ">=":
		return intValue(tInt, asInt(!less))
	case "==":
		return intValue(tInt, asInt(x == y))
	case "!=":
		return intValue(tInt, asInt(x != y))
	}
	r.undecided(at, "operator %s", op)
	return result{}
}

func (r *runner) pointers(op string, a, b result, at place) result {
	x, y := a.c[0], b.c[0]
	if x.kind == unknownScalar || y.kind == unknownScalar {
		r.undecided(at, "a pointer that is not known")
	}
	if x.kind != pointerScalar && op == "+" {
		a, x, y = b, y, x
	}
	switch {
	case comparisons[op]:
		same := x.to == y.to && (x.to == nil || x.i == y.i)
		switch op {
		case "==":
			return intValue(tInt, asInt(same))
		case "!=":
			return intValue(tInt, asInt(!same))
		}
		if x.to != y.to {
			r.undecided(at, "an order of pointers into different arrays")
		}
		return r.integers(op, tLong, tInt, x.i, y.i, at)
	case op == "-" && y.kind == pointerScalar:
		if x.to != y.to {
			r.undecided(at, "a difference of pointers into different arrays")
		}
		return intValue(tLong, (x.i-y.i)/max(1, x.typ.cells()))
	case y.kind == intScalar && (op == "+" || op == "-"):
		if x.typ == nil || x.typ.kind == voidType {
			r.undecided(at, "arithmetic on a pointer to void")
		}
		by := y.i * max(1, x.typ.cells())
		if op == "-" {
			by = -by
		}
		x.i += by
		return result{a.typ, []scalar{x}}
	}
	r.undecided(at, "operator %s on pointers", op)
	return result{}
}

// place is where an expression lies.
func (r *runner) place(e *expr) ref {
	switch e.kind {
	case name:
		o := r.lookup(e.name)
		if o == nil {
			r.undecided(e.at, "name %s, which is not declared", e.name)
		}
		return ref{o: o, typ: o.typ}
	case index:
		x, y := r.value(e.args[0]), r.value(e.args[1])
		return r.target(r.pointers("+", x, y, e.at), e.at)
	case unary:
		if e.op == "*" {
			return r.target(r.value(e.args[0]), e.at)
		}
	case member:
		var p ref
		if e.op == "->" {
			p = r.target(r.value(e.args[0]), e.at)
		} else {
			p = r.place(e.args[0])
		}
		return r.part(p, e)
	case cast, call, binary, ternary, assign, step, comma, literal, floatLiteral:
		v := r.value(e)
		o := r.newObject("value", v.typ, private)
		copy(o.cells, v.c)
		return ref{o: o, typ: v.typ}
	}
	r.undecided(e.at, "an expression that designates no place")
	return ref{}
}

func (r *runner) target(v result, at place) ref {
	s := v.c[0]
	switch {
	case s.kind != pointerScalar:
		r.undecided(at, "a pointer that is not known")
	case s.to == nil:
		r.fault("null", at, "a null pointer")
	}
	r.give(s.to, s.typ)
	return ref{o: s.to, off: s.i, typ: s.typ}
}

func (r *runner) part(p ref, e *expr) ref {
	switch p.typ.kind {
	case vectorType:
		ls := swizzle(p.typ, e.name)
		if ls == nil {
			r.undecided(e.at, "part %s", e.name)
		}
		if p.pick != nil {
			for i := range ls {
				ls[i] = p.pick[ls[i]]
			}
		}
		if len(ls) == 1 {
			return ref{o: p.o, off: p.off + ls[0], typ: p.typ.elem}
		}
		return ref{o: p.o, off: p.off, typ: vectorOf(p.typ.elem, int64(len(ls))), pick: ls}
	case structType:
		var skip int64
		for _, f := range p.typ.fields {
			if f.name == e.name {
				return ref{o: p.o, off: p.off + skip, typ: f.typ}
			}
			skip += f.typ.cells()
		}
	}
	r.undecided(e.at, "member %s of %s", e.name, kindName(p.typ))
	return ref{}
}

func (p ref) offsets() []int64 {
	var out []int64
	for i := range p.typ.cells() {
		switch {
		case p.pick != nil && i < int64(len(p.pick)):
			out = append(out, p.off+p.pick[i])
		case p.typ.kind == vectorType && i >= p.typ.n:
			out = append(out, -1)
		default:
			out = append(out, p.off+i)
		}
	}
	return out
}

func (r *runner) load(p ref, at place) result {
	if p.typ.kind == arrayType {
		return result{&ctype{kind: pointerType, elem: p.typ.elem}, []scalar{{kind: pointerScalar, to: p.o, i: p.off, typ: p.typ.elem}}}
	}
	out := result{typ: p.typ}
	for _, off := range p.offsets() {
		if off < 0 && p.off >= 0 {
			out.c = append(out.c, scalar{kind: intScalar})
			continue
		}
		r.inside(p.o, off, at)
		r.touch(p.o, off, isRead, scalar{}, at)
		out.c = append(out.c, p.o.cells[off])
	}
	return out
}

func (r *runner) store(p ref, v result, at place) {
	if p.o.shared == constant && r.t != nil {
		r.fault("assert", at, "a write to constant memory")
	}
	for i, off := range p.offsets() {
		if off < 0 && p.off >= 0 || i >= len(v.c) {
			continue
		}
		r.inside(p.o, off, at)
		r.touch(p.o, off, isWrite, v.c[i], at)
		p.o.cells[off] = v.c[i]
	}
}

func (r *runner) inside(o *object, off int64, at place) {
	if o.dead {
		r.fault("bounds", at, "%s is used after it was freed", o.name)
	}
	if o.vast && (off < 0 || off >= int64(len(o.cells))) {
		r.undecided(at, "an index beyond %d", len(o.cells))
	}
	if off < 0 || off >= int64(len(o.cells)) {
		r.fault("bounds", at, "index %d into %s of %d elements", off, o.name, len(o.cells))
	}
}

// touch compares an access with those of other threads that are not ordered with it.
func (r *runner) touch(o *object, off int64, what int, v scalar, at place) {
	if r.t == nil || o.shared == private && !r.device(o) {
		return
	}
	kind := 1
	if o.shared == local {
		kind = 0
	}
	now := touch{thread: r.t.id, group: r.t.group, epoch: r.t.epochs[kind], what: what, value: v, at: at}
	for _, was := range o.seen[off] {
		if was.thread == now.thread || was.group == now.group && was.epoch != now.epoch {
			continue
		}
		c := conflict(item{what: was.what}, item{what: what})
		if c == "" || c == "race-ww" && was.value.equals(v) {
			continue
		}
		r.fault(c, at, "thread %d %s %s[%d] here, thread %d %s it in line %d", now.thread, doing[what], o.name, off, was.thread, doing[was.what], was.at.line)
	}
	for i, was := range o.seen[off] {
		if was.thread == now.thread && was.what == what && was.group == now.group && was.epoch == now.epoch && (what != isWrite || was.value.equals(v)) {
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

func (r *runner) launch(f *function, grid, block result, args []result, at place) {
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
	l := Launch{Kernel: f.name, Local: r.local, Groups: r.groups}
	for i, p := range f.params {
		if p.typ.kind != intType || i >= len(args) {
			continue
		}
		a := r.convert(args[i], p.typ, at)
		if a.c[0].kind == intScalar {
			l.Arguments = append(l.Arguments, fmt.Sprint(a.c[0].i))
		} else {
			l.Arguments = append(l.Arguments, "")
		}
	}
	r.launches = append(r.launches, l)
	r.grid(f, args, at)
}

// grid runs the groups of a launch, one after the other.
func (r *runner) grid(f *function, args []result, at place) {
	count := int64(1)
	for d := range 3 {
		if r.local[d] < 1 || r.groups[d] < 1 {
			r.undecided(at, "a launch without threads")
		}
		count *= r.local[d]
		if r.only == nil {
			count *= r.groups[d]
		}
		if count > 1<<14 || r.groups[d] > 1<<20 {
			r.undecided(at, "a launch of more than %d threads", 1<<14)
		}
	}
	for _, a := range args {
		for _, s := range a.c {
			if s.to != nil {
				clear(s.to.seen)
			}
		}
	}
	for _, o := range r.globals {
		clear(o.seen)
	}
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
func (r *runner) someGroups(f *function, args []result, at place) {
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
func (r *runner) oneGroup(f *function, args []result, g [3]int64, number, id int, at place) int {
	r.shared = map[string]*object{}
	var ts []*thread
	for lz := range r.local[2] {
		for ly := range r.local[1] {
			for lx := range r.local[0] {
				ts = append(ts, &thread{id: id, group: number, lid: [3]int64{lx, ly, lz}, gid: g})
				id++
			}
		}
	}
	own := slices.Clone(args)
	for i, p := range f.params {
		if p.typ.kind == pointerType && p.typ.space == local && i < len(own) {
			own[i] = r.vast(p, local)
		}
	}
	r.group(f, own, ts, at)
	return id
}

// vast is memory for a pointer parameter, of a size that does not matter.
func (r *runner) vast(p *decl, sp space) result {
	elem := p.typ.elem
	o := r.newObject(p.name, &ctype{kind: arrayType, elem: elem, n: vastCells / max(1, elem.cells())}, sp)
	o.vast, o.bytes = true, 1
	return result{p.typ, []scalar{{kind: pointerScalar, to: o, typ: elem}}}
}

const vastCells = 1 << 15

// Execute runs a kernel on a concrete grid, with all arrays 0: parameters have the
// values given by name, or 0. It returns a fault, or why there is no verdict; neither
// means that this run is without fault.
func (k *Kernel) Execute(sizes, groups [3]int64, values map[string]int64, only map[[3]int64]bool) (fault *Fault, why string) {
	r := &runner{u: k.unit, globals: map[string]*object{}, names: map[string]int64{}, fuel: runFuel / 4, fill: true, local: sizes, groups: groups, only: only}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *halt:
			fault = &e.fault
		case *undecided:
			why = fmt.Sprintf("line %d: %s", e.at.line, e.why)
		default:
			panic(e)
		}
	}()
	var args []result
	for _, p := range k.function.params {
		switch p.typ.kind {
		case pointerType:
			sp := p.typ.space
			if sp == private {
				sp = global
			}
			args = append(args, r.vast(p, sp))
		case intType:
			args = append(args, intValue(p.typ, values[p.name]))
		default:
			o := r.newObject(p.name, p.typ, private)
			args = append(args, result{p.typ, o.cells})
		}
	}
	r.grid(k.function, args, k.function.at)
	return nil, ""
}

// group runs the threads of a group from barrier to barrier.
func (r *runner) group(f *function, args []result, ts []*thread, at place) {
	host := *r
	type seat struct {
		next func() (barrierAt, bool)
		stop func()
	}
	var seats []seat
	defer func() {
		for _, s := range seats {
			s.stop()
		}
		fuel, objects, atomics := r.fuel, r.objects, r.atomics
		launches, shared := r.launches, r.shared
		*r = host
		r.fuel, r.objects, r.atomics, r.launches, r.shared = fuel, objects, atomics, launches, shared
	}()
	saved := make([]runner, len(ts))
	var broken any
	for i, t := range ts {
		saved[i] = *r
		saved[i].t, saved[i].depth, saved[i].scopes = t, 0, nil
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
			fuel, objects, atomics := r.fuel, r.objects, r.atomics
			*r = saved[i]
			r.fuel, r.objects, r.atomics = fuel, objects, atomics
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
			} else if first.at != b.at {
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
func (r *runner) wait(flags int64, at place) {
	t := r.t
	if !t.stop(barrierAt{at: at}) {
		panic(abandoned{})
	}
	t.epochs[0] += int(flags & 1)
	t.epochs[1] += int(flags >> 1 & 1)
}
