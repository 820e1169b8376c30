package gpuc

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// lower turns kernel f of u into a program: calls are inlined, expressions have no
// side effects left, structures and vectors are taken apart.
func lower(u *unit, f *function, opts Options) (p *program, problem *Problem) {
	dynamic := map[place]bool{}
	for {
		l := &lowerer{unit: u, opts: opts, dynamic: dynamic, constants: map[string]*storage{}}
		l.prog = &program{name: f.name, file: u.file, at: f.at, opts: opts}
		again, problem := l.run(f)
		if problem != nil {
			return nil, problem
		}
		if !again {
			return l.prog, nil
		}
	}
}

// lowerer holds what lowering one kernel needs.
type lowerer struct {
	unit      *unit
	opts      Options
	prog      *program
	now       *node
	scopes    []map[string]*storage
	constants map[string]*storage // of the file
	dynamic   map[place]bool      // private arrays with computed indices
	again     bool
	calls     []string
	frame     *frame
	size      int
	names     map[string]int
	wide      []*expr
	pure      int // > 0: inside an annotation: no access counts
}

// frame is a call that is being inlined.
type frame struct {
	exit    *node
	result  []*variable
	ret     *ctype
	breaks  []*node
	conts   []*node
	labels  map[string]*node
	old     map[string]*value
	ptr     *pointer
	inLoop  int
	ensures []*expr
}

// storage is where a name lives.
type storage struct {
	typ  *ctype
	vars []*variable // scalar leaves
	mem  *memory
	ptr  *pointer // of a pointer: base and offset variable
	term *term    // a constant
}

// pointer is a pointer into an array (mem), at a private variable (to), or null.
type pointer struct {
	mem    *memory
	off    *term
	offVar *variable
	to     *lvalue
	elem   *ctype
	null   bool
	set    bool
}

// value is what an expression stands for.
type value struct {
	typ   *ctype
	parts []*term // scalar leaves; nil for pointers
	ptr   *pointer
}

// lvalue is a place that can be assigned.
type lvalue struct {
	typ   *ctype
	vars  []*variable // leaves
	mem   *memory
	off   *term
	cells []int64 // offsets of leaves behind off
	st    *storage
	null  bool
}

const maxInstructions = 20_000

func (l *lowerer) fail(at place, format string, args ...any) {
	panic(refuse(l.unit.file, at, fmt.Sprintf(format, args...)))
}

func (l *lowerer) run(f *function) (again bool, problem *Problem) {
	defer func() {
		if e := recover(); e != nil {
			p, ok := e.(*Problem)
			if !ok {
				panic(e)
			}
			problem = p
		}
	}()
	l.names = map[string]int{}
	l.prog.accessed = l.newVariable("acc", tLong)
	l.prog.offset = l.newVariable("off", tLong)
	l.prog.entry = l.newNode(f.at)
	l.now = l.prog.entry
	l.scopes = []map[string]*storage{{}, {}}
	l.frame = &frame{exit: l.newNode(f.at), ret: tVoid, labels: map[string]*node{}}
	exit := l.frame.exit
	exit.end = true
	var given []string
	if l.opts.Arguments != nil {
		given = l.opts.Arguments[f.name]
	}
	scalar := 0
	for _, d := range f.params {
		l.kernelParameter(d, &scalar, given)
	}
	for _, a := range l.unit.axioms {
		l.prog.axioms = append(l.prog.axioms, l.annotation(a))
	}
	l.wide = l.wideInvariants(f.body, true)
	l.statements(f.body)
	l.goTo(exit)
	return l.again, nil
}

// wideInvariants collects the invariants that hold at all loops of a function.
func (l *lowerer) wideInvariants(body []*stmt, outermost bool) (out []*expr) {
	for _, s := range body {
		if s.kind == exprStmt && s.cond.kind == call && s.cond.args[0].kind == name && strings.HasPrefix(s.cond.args[0].name, "__function_wide_invariant") {
			if !outermost || len(s.cond.args) != 2 {
				l.fail(s.at, "an invariant of the function that is not at its end")
			}
			out = append(out, s.cond.args[1])
		}
		out = append(out, l.wideInvariants(s.body, false)...)
		out = append(out, l.wideInvariants(s.other, false)...)
	}
	return out
}

func (l *lowerer) kernelParameter(d *decl, scalar *int, given []string) {
	st := &storage{typ: d.typ}
	switch d.typ.kind {
	case pointerType:
		sp := d.typ.space
		if sp == private {
			sp = global // CUDA
		}
		if d.typ.elem.kind == pointerType || d.typ.elem.kind == opaqueType {
			l.fail(d.at, "parameter %s: a pointer to %s", d.name, kindName(d.typ.elem))
		}
		m := l.newMemory(d.name, sp, d.typ.elem, -1, d.at)
		st.ptr = &pointer{mem: m, off: number(0), elem: d.typ.elem, set: true}
		st.ptr.offVar = l.newVariable(d.name+"_at", tLong)
		l.emit(&instr{op: doAssign, at: d.at, v: st.ptr.offVar, e: number(0)})
	case intType, floatType, vectorType, structType:
		for i := range d.typ.cells() {
			leaf := d.typ.leaf(i)
			n := d.name
			if d.typ.cells() > 1 {
				n = fmt.Sprint(d.name, "_", i)
			}
			v := l.newVariable(n, leaf)
			st.vars = append(st.vars, v)
			e := &term{op: sym, name: l.symbolName(n)}
			p := &parameter{name: n, typ: leaf, term: e}
			if d.typ.kind == intType {
				if *scalar < len(given) && given[*scalar] != "*" && given[*scalar] != "" {
					if x, ok := new(big.Int).SetString(given[*scalar], 0); ok {
						e = bigNumber(wrapped(x, leaf))
					}
				}
				*scalar++
			}
			if e.op == sym {
				l.prog.params = append(l.prog.params, p)
			}
			l.emit(&instr{op: doAssign, at: d.at, v: v, e: e})
		}
	case opaqueType:
	default:
		l.fail(d.at, "parameter %s of type %s", d.name, kindName(d.typ))
	}
	l.scopes[len(l.scopes)-1][d.name] = st
}

func kindName(t *ctype) string {
	if t.name != "" {
		return t.name
	}
	return [...]string{"void", "an integer", "a float", "a pointer", "an array", "a structure", "a vector", "an opaque type"}[t.kind]
}

// reserved are words of formulas that C programs use as names.
var reserved = map[string]bool{}

func init() {
	for _, w := range strings.Fields("mod dom ran min max card end event events then when where with any context machine sets constants axioms variables invariants theorem bool id pred succ union inter partition finite skip variant sees refines extends begin not or true false to from site turn off acc pc circ dprod pprod ordinary convergent anticipated status extended nat int pow") {
		reserved[w] = true
	}
}

// symbolName is a name for the model, different from all others.
func (l *lowerer) symbolName(n string) string {
	var b strings.Builder
	for _, c := range n {
		if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			b.WriteRune(c)
		}
	}
	n = strings.TrimLeft(b.String(), "_0123456789")
	if n == "" || reserved[strings.ToLower(n)] || isModelName(n) {
		n += "v"
	}
	l.names[n]++
	if k := l.names[n]; k > 1 {
		return l.symbolName(fmt.Sprintf("%s%c", n, 'a'+rune((k-2)%26)))
	}
	return n
}

// isModelName tells the names that machines have besides those of the program.
func isModelName(n string) bool {
	for _, p := range []string{"lid", "gid", "lsz", "ngr"} {
		if rest, ok := strings.CutPrefix(n, p); ok && len(rest) <= 1 {
			return true
		}
	}
	return len(n) > 1 && n[0] == 'h' && strings.Trim(n[1:], "0123456789") == ""
}

func (l *lowerer) newVariable(n string, t *ctype) *variable {
	if n == "" {
		n = "t"
	}
	v := &variable{name: l.symbolName(n), typ: t, id: len(l.prog.vars)}
	l.prog.vars = append(l.prog.vars, v)
	return v
}

func (l *lowerer) newMemory(n string, sp space, elem *ctype, cells int64, at place) *memory {
	m := &memory{name: n, space: sp, elem: elem, cells: cells, at: at, id: len(l.prog.mems)}
	l.prog.mems = append(l.prog.mems, m)
	return m
}

func (l *lowerer) newNode(at place) *node {
	n := &node{id: len(l.prog.nodes), at: at}
	l.prog.nodes = append(l.prog.nodes, n)
	return n
}

func (l *lowerer) emit(i *instr) {
	if l.size++; l.size > maxInstructions {
		l.fail(i.at, "a kernel of more than %d instructions", maxInstructions)
	}
	if i.op == doStore || i.op == doAtomic {
		i.mem.written = true
	}
	l.now.code = append(l.now.code, i)
}

// goTo ends the block; what follows without a label is dead.
func (l *lowerer) goTo(n *node) {
	l.now.then = n
	l.now = n
}

func (l *lowerer) branch(cond *term, then, other *node) {
	switch cond.op {
	case pTrue:
		l.now.then = then
	case pFalse:
		l.now.then = other
	default:
		l.now.cond, l.now.then, l.now.other = cond, then, other
	}
}

func (l *lowerer) lookup(n string) *storage {
	for i := len(l.scopes) - 1; i >= 0; i-- {
		if s := l.scopes[i][n]; s != nil {
			return s
		}
	}
	if s := l.constants[n]; s != nil {
		return s
	}
	for _, g := range l.unit.globals {
		if g.name == n {
			s := l.globalVariable(g)
			l.constants[n] = s
			return s
		}
	}
	if v, ok := l.unit.enums[n]; ok {
		return &storage{typ: tInt, term: number(v)}
	}
	return nil
}

// globalVariable is a variable of the file: device memory, or a constant.
func (l *lowerer) globalVariable(d *decl) *storage {
	if d.typ.kind == intType && d.konst && d.init != nil && d.typ.where == private {
		if v, ok := l.constantOf(d.init); ok {
			return &storage{typ: d.typ, term: bigNumber(wrapped(v, d.typ))}
		}
	}
	sp := d.typ.where
	if sp == private {
		sp = global
		if d.konst {
			sp = constant
		}
	}
	m := l.newMemory(d.name, sp, d.typ, max(d.typ.cells(), -1), d.at)
	if d.typ.kind == arrayType {
		m.elem = d.typ.elem
	}
	if sp == constant && d.init != nil {
		m.content = l.contents(d.typ, d.init)
	}
	return &storage{typ: d.typ, mem: m}
}

func (l *lowerer) constantOf(e *expr) (*big.Int, bool) {
	return fold(e, func(n string) (*big.Int, bool) {
		s := l.lookup(n)
		if s == nil || s.term == nil || !s.term.isNum() {
			return nil, false
		}
		return s.term.val, true
	})
}

// contents are the values of an initialised array of integers, nil where there is none.
func (l *lowerer) contents(t *ctype, init *expr) []*big.Int {
	n := t.cells()
	if n < 0 || n > 4096 {
		return nil
	}
	var out []*big.Int
	var walk func(t *ctype, e *expr) bool
	walk = func(t *ctype, e *expr) bool {
		if t.kind == arrayType || t.kind == vectorType || t.kind == structType {
			if e.kind != initList {
				return false
			}
			start := len(out)
			for i, a := range e.args {
				sub := t.elem
				if t.kind == structType {
					sub = t.fields[min(i, len(t.fields)-1)].typ
				}
				if !walk(sub, a) {
					return false
				}
			}
			for int64(len(out)-start) < t.cells() {
				out = append(out, new(big.Int))
			}
			return int64(len(out)-start) == t.cells()
		}
		v, ok := l.constantOf(e)
		if !ok || t.kind != intType {
			return false
		}
		out = append(out, wrapped(v, t))
		return true
	}
	if !walk(t, init) {
		return nil
	}
	return out
}

func (l *lowerer) statements(body []*stmt) {
	for _, s := range body {
		l.statement(s)
	}
}

func (l *lowerer) scoped(f func()) {
	l.scopes = append(l.scopes, map[string]*storage{})
	f()
	l.scopes = l.scopes[:len(l.scopes)-1]
}

func (l *lowerer) statement(s *stmt) {
	switch s.kind {
	case emptyStmt:
	case exprStmt:
		l.effect(s.cond)
	case declStmt:
		for _, d := range s.decls {
			l.declare(d)
		}
	case blockStmt:
		l.scoped(func() { l.statements(s.body) })
	case ifStmt:
		then, after := l.newNode(s.at), l.newNode(s.at)
		other := after
		if s.other != nil {
			other = l.newNode(s.at)
		}
		l.condition(s.cond, then, other)
		l.now = then
		l.scoped(func() { l.statements(s.body) })
		l.now.then2(after)
		if s.other != nil {
			l.now = other
			l.scoped(func() { l.statements(s.other) })
			l.now.then2(after)
		}
		l.now = after
	case whileStmt, doStmt, forStmt:
		l.loop(s)
	case switchStmt:
		l.switching(s)
	case caseStmt:
		l.statements(s.body) // its node was set by switching
	case labelStmt:
		n := l.label(s.label, s.at)
		l.goTo(n)
		l.statements(s.body)
	case gotoStmt:
		l.jump(l.label(s.label, s.at), s.at)
	case breakStmt:
		if len(l.frame.breaks) == 0 {
			l.fail(s.at, "break outside of a loop")
		}
		l.jump(l.frame.breaks[len(l.frame.breaks)-1], s.at)
	case continueStmt:
		if len(l.frame.conts) == 0 {
			l.fail(s.at, "continue outside of a loop")
		}
		l.jump(l.frame.conts[len(l.frame.conts)-1], s.at)
	case returnStmt:
		if s.cond != nil && l.frame.ret.kind != voidType {
			v := l.convert(l.value(s.cond), l.frame.ret, s.at)
			if v.ptr != nil {
				l.frame.ptr = v.ptr
			}
			for i, r := range l.frame.result {
				l.emit(&instr{op: doAssign, at: s.at, v: r, e: v.parts[i]})
			}
		} else if s.cond != nil {
			l.effect(s.cond)
		}
		l.jump(l.frame.exit, s.at)
	}
}

// then2 links a block that may have been left already.
func (n *node) then2(to *node) {
	if n.then == nil {
		n.then = to
	}
}

func (l *lowerer) jump(to *node, at place) {
	l.now.then2(to)
	l.now = l.newNode(at)
}

func (l *lowerer) label(name string, at place) *node {
	n := l.frame.labels[name]
	if n == nil {
		n = l.newNode(at)
		l.frame.labels[name] = n
	}
	return n
}

func (l *lowerer) loop(s *stmt) {
	l.scopes = append(l.scopes, map[string]*storage{})
	defer func() { l.scopes = l.scopes[:len(l.scopes)-1] }()
	if s.init != nil {
		l.statement(s.init)
	}
	head, body, post, after := l.newNode(s.at), l.newNode(s.at), l.newNode(s.at), l.newNode(s.at)
	head.head = true
	l.frame.breaks, l.frame.conts = append(l.frame.breaks, after), append(l.frame.conts, post)
	l.frame.inLoop++
	head.count = &variable{name: l.symbolName("round"), typ: tLong, ghost: true, id: len(l.prog.vars)}
	l.prog.vars = append(l.prog.vars, head.count)
	l.emit(&instr{op: doAssign, at: s.at, v: head.count, e: number(0)})
	l.goTo(head)
	if s.kind == doStmt {
		l.wideAt(head)
		l.goTo(body)
	} else {
		l.wideAt(head)
		if s.cond == nil {
			l.now.then = body
		} else {
			l.condition(s.cond, body, after)
		}
	}
	l.now = body
	l.scoped(func() { l.statements(s.body) })
	l.now.then2(post)
	l.now = post
	l.emit(&instr{op: doAssign, at: s.at, v: head.count, e: sum(variableTerm(head.count), number(1))})
	switch {
	case s.kind == doStmt:
		l.condition(s.cond, head, after)
	default:
		if s.post != nil {
			l.effect(s.post)
		}
		l.now.then2(head)
	}
	l.frame.inLoop--
	l.frame.breaks, l.frame.conts = l.frame.breaks[:len(l.frame.breaks)-1], l.frame.conts[:len(l.frame.conts)-1]
	l.now = after
}

func (l *lowerer) wideAt(head *node) {
	for _, e := range l.wide {
		l.now.code = append(l.now.code, &instr{op: doInvariant, at: e.at, e: l.annotation(e), kind: "invariant", why: "invariant of the function"})
	}
}

// switching lowers a switch whose cases stand directly in its block.
func (l *lowerer) switching(s *stmt) {
	v := l.scalar(l.value(s.cond), s.at)
	after := l.newNode(s.at)
	if len(s.body) != 1 || s.body[0].kind != blockStmt {
		l.fail(s.at, "a switch without block")
	}
	type arm struct {
		n    *node
		body []*stmt
	}
	var arms []arm
	var fallback *node
	from := l.now
	for _, b := range s.body[0].body {
		for b.kind == caseStmt {
			n := l.newNode(b.at)
			arms = append(arms, arm{n: n})
			if b.cond == nil {
				fallback = n
			} else {
				k, ok := l.constantOf(b.cond)
				if !ok {
					l.fail(b.at, "a case that is no constant")
				}
				next := l.newNode(b.at)
				l.now = from
				l.branch(compare(pEq, v, bigNumber(k)), n, next)
				from = next
			}
			b = b.body[0]
		}
		if len(arms) == 0 {
			if b.kind == declStmt {
				continue
			}
			l.fail(b.at, "a statement before the first case")
		}
		arms[len(arms)-1].body = append(arms[len(arms)-1].body, b)
	}
	if fallback == nil {
		fallback = after
	}
	from.then2(fallback)
	l.frame.breaks = append(l.frame.breaks, after)
	l.scoped(func() {
		for i, a := range arms {
			if i > 0 {
				l.now.then2(a.n)
			}
			l.now = a.n
			l.statements(a.body)
		}
	})
	l.now.then2(after)
	l.frame.breaks = l.frame.breaks[:len(l.frame.breaks)-1]
	l.now = after
}

// declare introduces a variable of a function.
func (l *lowerer) declare(d *decl) {
	st := &storage{typ: d.typ}
	shared := d.typ.spaced && (d.typ.where == local || d.typ.where == constant || d.typ.where == global)
	switch {
	case shared:
		sp := d.typ.where
		elem := d.typ
		if elem.kind == arrayType {
			elem = d.typ.elem
		}
		st.mem = l.newMemory(d.name, sp, elem, max(d.typ.cells(), -1), d.at)
		if sp == constant && d.init != nil {
			st.mem.content = l.contents(d.typ, d.init)
		}
	case d.typ.kind == pointerType:
		st.ptr = &pointer{elem: d.typ.elem}
		l.scopes[len(l.scopes)-1][d.name] = st
		if d.init != nil {
			l.assignPointer(st, l.value(d.init), d.at)
		}
		return
	case d.typ.kind == arrayType:
		n := d.typ.cells()
		st.mem = l.newMemory(d.name, private, d.typ.elem, n, d.at)
		if !l.dynamic[d.at] && n >= 0 && n <= 64 {
			for i := range n {
				v := l.newVariable(fmt.Sprint(d.name, "_", i), d.typ.leaf(i))
				st.mem.fixed = append(st.mem.fixed, v)
				l.emit(&instr{op: doUndef, at: d.at, v: v})
			}
			if d.init != nil {
				for i, e := range l.initial(d.typ, d.init) {
					l.emit(&instr{op: doAssign, at: d.at, v: st.mem.fixed[i], e: e})
				}
			}
		} else if d.init != nil {
			l.initial(d.typ, d.init)
			if d.konst {
				st.mem.content = l.contents(d.typ, d.init)
			}
		}
	case d.typ.kind == opaqueType:
	default:
		for i := range d.typ.cells() {
			n := d.name
			if d.typ.cells() > 1 {
				n = fmt.Sprint(d.name, "_", i)
			}
			st.vars = append(st.vars, l.newVariable(n, d.typ.leaf(i)))
		}
		if d.init == nil {
			for _, v := range st.vars {
				l.emit(&instr{op: doUndef, at: d.at, v: v})
			}
			break
		}
		for i, e := range l.initial(d.typ, d.init) {
			l.emit(&instr{op: doAssign, at: d.at, v: st.vars[i], e: e})
		}
	}
	l.scopes[len(l.scopes)-1][d.name] = st
}

// initial are the leaves of an initialiser.
func (l *lowerer) initial(t *ctype, e *expr) []*term {
	if e.kind != initList {
		return l.convert(l.value(e), t, e.at).parts
	}
	var out []*term
	switch t.kind {
	case arrayType, vectorType:
		for _, a := range e.args {
			out = append(out, l.initial(t.elem, a)...)
		}
	case structType:
		for i, a := range e.args {
			if i >= len(t.fields) {
				l.fail(a.at, "too many initial values")
			}
			out = append(out, l.initial(t.fields[i].typ, a)...)
		}
	default:
		if len(e.args) != 1 {
			l.fail(e.at, "an initial value of this form")
		}
		return l.initial(t, e.args[0])
	}
	for int64(len(out)) < t.cells() {
		out = append(out, number(0))
	}
	if int64(len(out)) > t.cells() {
		l.fail(e.at, "too many initial values")
	}
	return out
}

func (l *lowerer) assignPointer(st *storage, v *value, at place) {
	if v.ptr == nil {
		l.fail(at, "an integer as a pointer")
	}
	p := st.ptr
	q := v.ptr
	if p.set && (p.mem != q.mem || p.to != q.to || p.null != q.null) {
		l.fail(at, "a pointer that points into several arrays")
	}
	if q.mem != nil && cellBytes(q.elem) != cellBytes(p.elem) && p.elem.kind != voidType {
		l.fail(at, "a pointer cast between elements of different sizes")
	}
	p.mem, p.to, p.null, p.set = q.mem, q.to, q.null, true
	if p.mem != nil {
		if p.offVar == nil {
			p.offVar = l.newVariable("at", tLong)
		}
		l.emit(&instr{op: doAssign, at: at, v: p.offVar, e: q.off})
	}
}

func cellBytes(t *ctype) int64 {
	if t.kind == voidType {
		return 0
	}
	leaf := t.leaf(0)
	return leaf.size()
}

// condition evaluates e and goes to then or other.
func (l *lowerer) condition(e *expr, then, other *node) {
	switch {
	case e.kind == comma:
		l.effect(e.args[0])
		l.condition(e.args[1], then, other)
		return
	case e.kind == unary && e.op == "!":
		l.condition(e.args[0], other, then)
		return
	case e.kind == binary && (e.op == "&&" || e.op == "||") && !l.simple(e.args[1]):
		mid := l.newNode(e.at)
		if e.op == "&&" {
			l.condition(e.args[0], mid, other)
		} else {
			l.condition(e.args[0], then, mid)
		}
		l.now = mid
		l.condition(e.args[1], then, other)
		return
	}
	p := l.truth(e)
	l.branch(p, then, other)
}

// simple reports whether e can be evaluated whether or not C would: it neither
// reads memory nor changes anything, nor can it fail.
func (l *lowerer) simple(e *expr) bool {
	switch e.kind {
	case literal, floatLiteral, sizeOf:
		return true
	case name:
		s := l.lookup(e.name)
		return s != nil && (s.vars != nil || s.term != nil)
	case unary:
		return e.op != "*" && e.op != "&" && l.simple(e.args[0])
	case binary:
		if e.op == "/" || e.op == "%" {
			if v, ok := l.constantOf(e.args[1]); !ok || v.Sign() == 0 {
				return false
			}
		}
		return l.simple(e.args[0]) && l.simple(e.args[1])
	case cast:
		return e.typ.kind == intType && l.simple(e.args[0])
	case ternary:
		return l.simple(e.args[0]) && l.simple(e.args[1]) && l.simple(e.args[2])
	case member:
		return isCudaIndex(e) || e.op == "" && l.simple(e.args[0])
	case call:
		if e.args[0].kind == name && (strings.HasPrefix(e.args[0].name, "get_") || pureCalls[e.args[0].name]) {
			return !slices.ContainsFunc(e.args[1:], func(a *expr) bool { return !l.simple(a) })
		}
	}
	return false
}

var pureCalls = map[string]bool{"min": true, "max": true, "abs": true, "mul24": true, "mad24": true, "__mul24": true, "__umul24": true, "__implies": true, "__ite": true, "__enabled": true}

// effect evaluates e for what it does.
func (l *lowerer) effect(e *expr) {
	if e.kind == comma {
		l.effect(e.args[0])
		l.effect(e.args[1])
		return
	}
	if e.kind == cast && e.typ.kind == voidType {
		l.effect(e.args[0])
		return
	}
	l.value(e)
}

// truth is e as a condition.
func (l *lowerer) truth(e *expr) *term {
	switch {
	case e.kind == unary && e.op == "!":
		return not(l.truth(e.args[0]))
	case e.kind == binary && (e.op == "&&" || e.op == "||") && l.simple(e.args[1]):
		a, b := l.truth(e.args[0]), l.truth(e.args[1])
		if e.op == "&&" {
			return both(a, b)
		}
		return either(a, b)
	case e.kind == binary && (e.op == "&" || e.op == "|") && isTruth(e.args[0]) && isTruth(e.args[1]):
		a, b := l.truth(e.args[0]), l.truth(e.args[1])
		if e.op == "&" {
			return both(a, b)
		}
		return either(a, b)
	}
	v := l.value(e)
	if v.ptr != nil {
		switch {
		case v.ptr.null:
			return falsity
		case v.ptr.to != nil || v.ptr.mem != nil && v.ptr.mem.space != global:
			return truth
		}
		return compare(pNe, l.anything(tBool, e.at), number(0))
	}
	return truthOf(l.scalar(v, e.at))
}

// truthOf is t ≠ 0.
func truthOf(t *term) *term {
	if t.op == ite && t.args[1].isNum() && t.args[2].isNum() {
		a, b := t.args[1].val.Sign() != 0, t.args[2].val.Sign() != 0
		switch {
		case a && !b:
			return t.args[0]
		case b && !a:
			return not(t.args[0])
		}
	}
	return compare(pNe, t, number(0))
}

// isTruth reports whether e is 0 or 1.
func isTruth(e *expr) bool {
	switch e.kind {
	case unary:
		return e.op == "!"
	case binary:
		switch e.op {
		case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
			return true
		case "&", "|":
			return isTruth(e.args[0]) && isTruth(e.args[1])
		}
	case call:
		return e.args[0].kind == name && slices.Contains([]string{"__implies", "__enabled", "__all", "__write", "__read", "__no_read", "__no_write", "__write_implies", "__read_implies", "__distinct_int", "__uniform_int", "__uniform_bool", "__exclusive", "__same_group"}, e.args[0].name)
	}
	return false
}

func truthValue(p *term) *term { return choose(p, number(1), number(0)) }

func (l *lowerer) scalar(v *value, at place) *term {
	if v.ptr != nil || len(v.parts) != 1 {
		l.fail(at, "a value of type %s as a number", kindName(v.typ))
	}
	return v.parts[0]
}

// anything is an arbitrary value of a type.
func (l *lowerer) anything(t *ctype, at place) *term {
	v := l.newVariable("any", t)
	l.emit(&instr{op: doHavoc, at: at, v: v})
	return variableTerm(v)
}

func (l *lowerer) anyValue(t *ctype, at place) *value {
	v := &value{typ: t}
	if t.kind == pointerType {
		l.fail(at, "a pointer from nowhere")
	}
	if t.kind == voidType {
		v.parts = []*term{number(0)}
		return v
	}
	for i := range t.cells() {
		v.parts = append(v.parts, l.anything(t.leaf(i), at))
	}
	return v
}

func one(t *ctype, e *term) *value { return &value{typ: t, parts: []*term{e}} }
