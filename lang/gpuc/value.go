package gpuc

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// value evaluates an expression: side effects become instructions, the value is a
// term over variables.
func (l *lowerer) value(e *expr) *value {
	switch e.kind {
	case literal:
		return one(e.typ, bigNumber(wrapped(e.value, e.typ)))
	case floatLiteral:
		return one(tFloat, l.floatConstant(e.name))
	case stringLiteral:
		return one(tInt, number(0))
	case comma:
		l.effect(e.args[0])
		return l.value(e.args[1])
	case sizeOf:
		t := e.typ
		if t == nil {
			t = l.typeOf(e.args[0])
		}
		if t.kind == structType && len(t.fields) == 0 || t.kind == arrayType && t.n < 0 {
			l.fail(e.at, "the size of an incomplete type")
		}
		return one(scalars["size_t"], number(t.size()))
	case assign:
		return l.assignment(e)
	case step:
		return l.stepped(e)
	case ternary:
		return l.ternary(e)
	case cast:
		return l.casted(e)
	case unary:
		return l.unaryValue(e)
	case binary:
		return l.binaryValue(e)
	case call:
		return l.call(e)
	case initList:
		l.fail(e.at, "an initial value here")
	}
	if v := l.builtinValue(e); v != nil {
		return v
	}
	return l.read(l.place(e), e.at)
}

func (l *lowerer) floatConstant(text string) *term {
	text = strings.TrimRight(strings.ToLower(text), "f")
	name := "fl" + strings.NewReplacer(".", "p", "-", "m", "+", "").Replace(text)
	for _, p := range l.prog.params {
		if p.name == "float "+text {
			return p.term
		}
	}
	p := &parameter{name: "float " + text, typ: tFloat, term: &term{op: sym, name: l.symbolName(name)}}
	l.prog.params = append(l.prog.params, p)
	return p.term
}

// typeOf is the type of an expression that is not evaluated.
func (l *lowerer) typeOf(e *expr) *ctype {
	if e.kind == name {
		if s := l.lookup(e.name); s != nil {
			return s.typ
		}
	}
	keep := l.now
	l.now = &node{}
	l.pure++
	v := l.value(e)
	l.pure--
	l.now = keep
	return v.typ
}

// dimension of x, y, z.
func dimension(name string) int { return strings.Index("xyz", name) }

func isCudaIndex(e *expr) bool {
	return e.kind == member && e.op == "" && len(e.name) == 1 && dimension(e.name) >= 0 && e.args[0].kind == name && slices.Contains([]string{"threadIdx", "blockIdx", "blockDim", "gridDim"}, e.args[0].name)
}

// builtinValue is the value of names that the toolchains define, or nil.
func (l *lowerer) builtinValue(e *expr) *value {
	if isCudaIndex(e) && l.lookup(e.args[0].name) == nil {
		d := dimension(e.name)
		switch e.args[0].name {
		case "threadIdx":
			return one(tUint, l.localID(d))
		case "blockIdx":
			return one(tUint, l.groupID(d))
		case "blockDim":
			return one(tUint, l.localSize(d))
		case "gridDim":
			return one(tUint, l.groups(d))
		}
	}
	if e.kind == name && e.name == "warpSize" && l.lookup(e.name) == nil {
		return one(tInt, number(32))
	}
	return nil
}

func (l *lowerer) localID(d int) *term {
	if l.opts.Local[d] == 1 {
		return number(0)
	}
	return &term{op: sym, name: "lid" + "xyz"[d:d+1], own: true}
}

func (l *lowerer) groupID(d int) *term {
	if l.opts.Groups[d] == 1 {
		return number(0)
	}
	return &term{op: sym, name: "gid" + "xyz"[d:d+1], own: true}
}

func (l *lowerer) localSize(d int) *term {
	if n := l.opts.Local[d]; n > 0 {
		return number(n)
	}
	return &term{op: sym, name: "lsz" + "xyz"[d:d+1]}
}

func (l *lowerer) groups(d int) *term {
	if n := l.opts.Groups[d]; n > 0 {
		return number(n)
	}
	return &term{op: sym, name: "ngr" + "xyz"[d:d+1]}
}

func (l *lowerer) globalSize(d int) *term {
	if n := l.opts.Global[d]; n > 0 {
		return number(n)
	}
	return product(l.localSize(d), l.groups(d))
}

// promoted is the type that arithmetic on a value of type t has.
func promoted(t *ctype) *ctype {
	if t.kind == intType && t.bits < 32 {
		return tInt
	}
	return t
}

// common is the type of arithmetic on two scalars.
func commonType(a, b *ctype) *ctype {
	a, b = promoted(a), promoted(b)
	switch {
	case a.kind == floatType && b.kind == floatType:
		if b.bits > a.bits {
			return b
		}
		return a
	case a.kind == floatType:
		return a
	case b.kind == floatType:
		return b
	case a.bits > b.bits:
		return a
	case b.bits > a.bits:
		return b
	case !a.signed:
		return a
	}
	return b
}

// into is integer e as a value of type t. Operands that wrap to no fewer bits
// need not wrap before.
func into(t *ctype, e *term) *term {
	if e.isNum() {
		return bigNumber(wrapped(e.val, t))
	}
	if t.bits == 1 {
		return truthValue(truthOf(e))
	}
	e = unwrapped(t, e)
	if e.isNum() {
		return bigNumber(wrapped(e.val, t))
	}
	if e.op == wrap && e.typ.bits == t.bits && e.typ.signed == t.signed {
		return e
	}
	return &term{op: wrap, typ: t, args: []*term{e}}
}

func unwrapped(t *ctype, e *term) *term {
	switch e.op {
	case wrap:
		if e.typ.bits >= t.bits {
			return unwrapped(t, e.args[0])
		}
	case add, mul:
		args := make([]*term, len(e.args))
		for i, a := range e.args {
			args[i] = unwrapped(t, a)
		}
		return rebuild(e, args)
	}
	return e
}

// convert is v as a value of type t.
func (l *lowerer) convert(v *value, t *ctype, at place) *value {
	switch {
	case t.kind == pointerType:
		if v.ptr == nil {
			if len(v.parts) == 1 && v.parts[0].is(0) {
				return &value{typ: t, ptr: &pointer{null: true, elem: t.elem, off: number(0)}}
			}
			l.fail(at, "an integer as a pointer")
		}
		q := *v.ptr
		if t.elem.kind != voidType && q.mem != nil && q.elem.kind != voidType {
			if cellBytes(q.elem) != cellBytes(t.elem) {
				l.fail(at, "a pointer cast between elements of different sizes")
			}
		}
		if t.elem.kind != voidType {
			q.elem = t.elem
		}
		return &value{typ: t, ptr: &q}
	case v.ptr != nil:
		l.fail(at, "a pointer as a number")
	case t.kind == vectorType:
		if v.typ.kind == vectorType {
			if v.typ.cells() != t.cells() {
				l.fail(at, "a vector of %d as one of %d", v.typ.n, t.n)
			}
			out := &value{typ: t}
			for i, p := range v.parts {
				out.parts = append(out.parts, l.scalarTo(p, v.typ.leaf(int64(i)), t.elem, at))
			}
			return out
		}
		if t.name == "dim3" && len(v.parts) == 1 {
			x := l.scalarTo(v.parts[0], v.typ, t.elem, at)
			return &value{typ: t, parts: []*term{x, number(1), number(1), number(1)}}
		}
		x := l.scalarTo(l.scalar(v, at), v.typ, t.elem, at)
		out := &value{typ: t}
		for range t.cells() {
			out.parts = append(out.parts, x)
		}
		return out
	case t.kind == structType:
		if v.typ.kind != structType || v.typ.cells() != t.cells() {
			l.fail(at, "a value of type %s as %s", kindName(v.typ), kindName(t))
		}
		return v
	case t.kind == intType || t.kind == floatType:
		return one(t, l.scalarTo(l.scalar(v, at), v.typ, t, at))
	case t.kind == voidType:
		return &value{typ: t, parts: []*term{number(0)}}
	case t.kind == opaqueType:
		return &value{typ: t, parts: []*term{number(0)}}
	}
	l.fail(at, "a value of type %s", kindName(t))
	return nil
}

func (l *lowerer) scalarTo(e *term, from, to *ctype, at place) *term {
	switch {
	case from.kind == intType && to.kind == intType:
		return into(to, e)
	case from.kind == floatType && to.kind == floatType:
		return e
	case from.kind == intType && to.kind == floatType:
		if e.isNum() {
			return l.floatConstant(e.val.String())
		}
		return l.anything(to, at)
	}
	return l.anything(to, at)
}

func (l *lowerer) casted(e *expr) *value {
	t := e.typ
	if t.kind == vectorType {
		// (int4)(a, b, c, d): the parser sees a cast of a comma.
		var parts []*expr
		var walk func(x *expr)
		walk = func(x *expr) {
			if x.kind == comma {
				walk(x.args[0])
				walk(x.args[1])
				return
			}
			parts = append(parts, x)
		}
		x := e.args[0]
		if x.kind == initList {
			return &value{typ: t, parts: l.initial(t, x)}
		}
		if walk(x); len(parts) > 1 {
			return l.gather(t, parts, e.at)
		}
	}
	if e.args[0].kind == initList {
		return &value{typ: t, parts: l.initial(t, e.args[0])}
	}
	if t.kind == intType && t.bits == 1 {
		return one(t, truthValue(l.truth(e.args[0])))
	}
	return l.convert(l.value(e.args[0]), t, e.at)
}

// gather makes a vector of scalars and shorter vectors.
func (l *lowerer) gather(t *ctype, args []*expr, at place) *value {
	out := &value{typ: t}
	for _, a := range args {
		v := l.value(a)
		if v.ptr != nil {
			l.fail(a.at, "a pointer in a vector")
		}
		for i, p := range v.parts {
			if v.typ.kind == vectorType && int64(i) >= v.typ.n {
				break // the fourth cell of three
			}
			out.parts = append(out.parts, l.scalarTo(p, v.typ.leaf(int64(i)), t.elem, at))
		}
	}
	if int64(len(out.parts)) != t.n {
		l.fail(at, "a vector of %d from %d values", t.n, len(out.parts))
	}
	for int64(len(out.parts)) < t.cells() {
		out.parts = append(out.parts, number(0))
	}
	return out
}

func (l *lowerer) ternary(e *expr) *value {
	if l.simple(e.args[0]) && l.simple(e.args[1]) && l.simple(e.args[2]) {
		p := l.truth(e.args[0])
		a, b := l.value(e.args[1]), l.value(e.args[2])
		if a.ptr == nil && b.ptr == nil && len(a.parts) == 1 && len(b.parts) == 1 {
			t := commonType(a.typ, b.typ)
			return one(t, choose(p, l.scalarTo(a.parts[0], a.typ, t, e.at), l.scalarTo(b.parts[0], b.typ, t, e.at)))
		}
	}
	// With reads in it, only the chosen one takes place.
	then, other, after := l.newNode(e.at), l.newNode(e.at), l.newNode(e.at)
	t := l.typeOf(e.args[1])
	if u := l.typeOf(e.args[2]); t.kind != vectorType && (t.kind == intType || t.kind == floatType) {
		t = commonType(t, u)
	} else if t.kind == pointerType {
		l.fail(e.at, "a choice between pointers")
	}
	var vars []*variable
	for i := range t.cells() {
		vars = append(vars, l.newVariable("choice", t.leaf(i)))
	}
	l.condition(e.args[0], then, other)
	for i, n := range []*node{then, other} {
		l.now = n
		v := l.convert(l.value(e.args[1+i]), t, e.at)
		for j, x := range vars {
			l.emit(&instr{op: doAssign, at: e.at, v: x, e: v.parts[j]})
		}
		l.now.then2(after)
	}
	l.now = after
	out := &value{typ: t}
	for _, x := range vars {
		out.parts = append(out.parts, variableTerm(x))
	}
	return out
}

func (l *lowerer) unaryValue(e *expr) *value {
	switch e.op {
	case "*":
		return l.read(l.place(e), e.at)
	case "&":
		lv := l.place(e.args[0])
		if lv.mem != nil {
			return &value{typ: &ctype{kind: pointerType, elem: lv.typ}, ptr: &pointer{mem: lv.mem, off: lv.off, elem: lv.typ}}
		}
		return &value{typ: &ctype{kind: pointerType, elem: lv.typ}, ptr: &pointer{to: lv, off: number(0), elem: lv.typ}}
	case "!":
		return one(tInt, truthValue(l.truth(e)))
	case "+":
		return l.value(e.args[0])
	}
	v := l.value(e.args[0])
	if v.ptr != nil {
		l.fail(e.at, "operator %s on a pointer", e.op)
	}
	out := &value{typ: v.typ}
	if v.typ.kind != vectorType {
		out.typ = promoted(v.typ)
	}
	for i, p := range v.parts {
		t := out.typ.leaf(int64(i))
		switch {
		case t.kind == floatType:
			out.parts = append(out.parts, l.anything(t, e.at))
		case e.op == "-":
			out.parts = append(out.parts, l.wrapAt(t, product(number(-1), p), e.at))
		case e.op == "~":
			out.parts = append(out.parts, into(t, minus(number(-1), p)))
		}
	}
	return out
}

// wrapAt is arithmetic that may overflow; the check is made on request.
func (l *lowerer) wrapAt(t *ctype, e *term, at place) *term {
	if l.opts.Overflow && t.signed && l.pure == 0 && !e.isNum() {
		lo, hi := within(t)
		l.emit(&instr{op: doAssert, at: at, kind: "overflow", why: "signed overflow", e: both(compare(pLe, bigNumber(lo), e), compare(pLe, e, bigNumber(hi)))})
	}
	return into(t, e)
}

func (l *lowerer) binaryValue(e *expr) *value {
	switch e.op {
	case "&&", "||":
		if l.simple(e.args[1]) {
			return one(tInt, truthValue(l.truth(e)))
		}
		then, other, after := l.newNode(e.at), l.newNode(e.at), l.newNode(e.at)
		x := l.newVariable("holds", tInt)
		l.condition(e, then, other)
		then.code = append(then.code, &instr{op: doAssign, at: e.at, v: x, e: number(1)})
		other.code = append(other.code, &instr{op: doAssign, at: e.at, v: x, e: number(0)})
		then.then, other.then = after, after
		l.now = after
		return one(tInt, variableTerm(x))
	case "&", "|":
		if isTruth(e.args[0]) && isTruth(e.args[1]) {
			return one(tInt, truthValue(l.truth(e)))
		}
	}
	return l.operate(e.op, l.value(e.args[0]), l.value(e.args[1]), e.at)
}

// operate applies a binary operator.
func (l *lowerer) operate(op string, a, b *value, at place) *value {
	if a.ptr != nil || b.ptr != nil {
		return l.pointerOperation(op, a, b, at)
	}
	if a.typ.kind == vectorType || b.typ.kind == vectorType {
		t := a.typ
		if t.kind != vectorType {
			t = b.typ
		}
		a, b = l.convert(a, t, at), l.convert(b, t, at)
		out := &value{typ: t}
		for i := range a.parts {
			r := l.operate(op, one(t.elem, a.parts[i]), one(t.elem, b.parts[i]), at)
			if comparisons[op] {
				out.typ = vectorOf(tInt, t.n)
				x := r.parts[0]
				out.parts = append(out.parts, product(number(-1), x)) // all bits of a lane
				continue
			}
			out.parts = append(out.parts, l.scalarTo(r.parts[0], r.typ, t.elem, at))
		}
		return out
	}
	x, y := l.scalar(a, at), l.scalar(b, at)
	if op == "<<" || op == ">>" {
		return l.shift(op, promoted(a.typ), x, y, at)
	}
	t := commonType(a.typ, b.typ)
	if t.kind == floatType {
		if comparisons[op] {
			return one(tInt, l.anything(tBool, at))
		}
		return one(t, l.anything(t, at))
	}
	if t.kind != intType {
		l.fail(at, "operator %s on %s", op, kindName(t))
	}
	x, y = into(t, x), into(t, y)
	if a.typ.kind == intType && fits(a.typ, t) {
		x = a.parts[0]
	}
	if b.typ.kind == intType && fits(b.typ, t) {
		y = b.parts[0]
	}
	switch op {
	case "+":
		return one(t, l.wrapAt(t, sum(x, y), at))
	case "-":
		return one(t, l.wrapAt(t, minus(x, y), at))
	case "*":
		return one(t, l.wrapAt(t, product(x, y), at))
	case "/", "%":
		if !y.isNum() || y.val.Sign() == 0 {
			l.check("division", "division by zero", compare(pNe, y, number(0)), at)
		}
		if y.is(0) {
			return l.anyValue(t, at)
		}
		if op == "/" {
			return one(t, into(t, quotient(x, y)))
		}
		return one(t, remainder(x, y))
	case "&", "|", "^":
		return one(t, bitwise(map[string]op_{"&": band, "|": bor, "^": bxor}[op], t, x, y))
	case "<":
		return one(tInt, truthValue(compare(pLt, x, y)))
	case ">":
		return one(tInt, truthValue(compare(pLt, y, x)))
	case "<=":
		return one(tInt, truthValue(compare(pLe, x, y)))
	case ">=":
		return one(tInt, truthValue(compare(pLe, y, x)))
	case "==":
		return one(tInt, truthValue(compare(pEq, x, y)))
	case "!=":
		return one(tInt, truthValue(compare(pNe, x, y)))
	}
	l.fail(at, "operator %s", op)
	return nil
}

type op_ = op

var comparisons = map[string]bool{"<": true, ">": true, "<=": true, ">=": true, "==": true, "!=": true}

// fits reports whether each value of type a is one of type b.
func fits(a, b *ctype) bool {
	return typeInterval(a).inside(typeInterval(b))
}

func (l *lowerer) shift(op string, t *ctype, x, y *term, at place) *value {
	if y.isNum() && y.val.Sign() >= 0 && y.val.Cmp(big.NewInt(int64(t.bits))) < 0 {
		by := bigNumber(new(big.Int).Lsh(big.NewInt(1), uint(y.val.Int64())))
		if op == "<<" {
			return one(t, into(t, product(by, x)))
		}
		if t.signed {
			// towards −∞: (x − x mod 2^k) ÷ 2^k
			return one(t, choose(compare(pLe, number(0), x), quotient(x, by), minus(number(-1), quotient(minus(number(-1), x), by))))
		}
		return one(t, quotient(x, by))
	}
	o := shl
	if op == ">>" {
		o = shr
	}
	return one(t, bitwise(o, t, x, y))
}

// pointerOperation is arithmetic and comparison of pointers.
func (l *lowerer) pointerOperation(op string, a, b *value, at place) *value {
	switch {
	case a.ptr != nil && b.ptr != nil:
		p, q := a.ptr, b.ptr
		same := p.mem == q.mem && p.to == q.to && p.null == q.null
		switch {
		case op == "-" && same && p.mem != nil:
			d := minus(p.off, q.off)
			if c := p.elem.cells(); c > 1 {
				d = quotient(d, number(c))
			}
			return one(tLong, d)
		case comparisons[op] && same:
			return l.operate(op, one(tLong, p.off), one(tLong, q.off), at)
		case (op == "==" || op == "!=") && !p.null && !q.null:
			return one(tInt, truthValue(compare(map[string]op_{"==": pEq, "!=": pNe}[op], number(0), number(1))))
		}
		return one(tInt, l.anything(tBool, at))
	case a.ptr == nil:
		if op == "+" {
			return l.pointerOperation(op, b, a, at)
		}
		if comparisons[op] && l.scalar(a, at).is(0) {
			return l.againstNull(op, b.ptr, at)
		}
	case op == "+" || op == "-":
		by := product(number(max(1, a.ptr.elem.cells())), l.scalar(b, at))
		if op == "-" {
			by = product(number(-1), by)
		}
		if a.ptr.to != nil {
			l.fail(at, "arithmetic on a pointer to a variable")
		}
		q := *a.ptr
		q.off = sum(q.off, by)
		return &value{typ: a.typ, ptr: &q}
	case comparisons[op] && l.scalar(b, at).is(0):
		return l.againstNull(op, a.ptr, at)
	}
	l.fail(at, "operator %s on pointers", op)
	return nil
}

func (l *lowerer) againstNull(op string, p *pointer, at place) *value {
	isNull := falsity
	switch {
	case p.null:
		isNull = truth
	case p.mem != nil && p.mem.space == global:
		isNull = compare(pEq, l.anything(tBool, at), number(1))
	}
	if op == "!=" {
		isNull = not(isNull)
	}
	return one(tInt, truthValue(isNull))
}

// check emits a check, except in annotations.
func (l *lowerer) check(kind, why string, p *term, at place) {
	if l.pure > 0 || p.op == pTrue {
		return
	}
	l.emit(&instr{op: doAssert, at: at, kind: kind, why: why, e: p})
}

func (l *lowerer) assignment(e *expr) *value {
	target := e.args[0]
	if target.kind == name {
		if s := l.lookup(target.name); s != nil && s.ptr != nil {
			v := l.value(e.args[1])
			if e.op != "" {
				v = l.pointerOperation(e.op, l.pointerValue(s), v, e.at)
			}
			l.assignPointer(s, l.convert(v, s.typ, e.at), e.at)
			return l.pointerValue(s)
		}
	}
	lv := l.place(target)
	v := l.value(e.args[1])
	if e.op != "" {
		v = l.operate(e.op, l.read(lv, e.at), v, e.at)
	}
	v = l.convert(v, lv.typ, e.at)
	if v.ptr != nil {
		l.fail(e.at, "a pointer in memory")
	}
	// The value is fixed before the place changes: it may mention the place.
	v = l.fixed(v, e.at)
	l.write(lv, v, e.at)
	return v
}

// fixed copies a value of several parts into variables of its own, so that writing
// one part does not change another.
func (l *lowerer) fixed(v *value, at place) *value {
	if len(v.parts) == 1 {
		return v
	}
	out := &value{typ: v.typ}
	for i, p := range v.parts {
		if p.isNum() {
			out.parts = append(out.parts, p)
			continue
		}
		x := l.newVariable("part", v.typ.leaf(int64(i)))
		l.emit(&instr{op: doAssign, at: at, v: x, e: p})
		out.parts = append(out.parts, variableTerm(x))
	}
	return out
}

func (l *lowerer) stepped(e *expr) *value {
	target := e.args[0]
	if target.kind == name {
		if s := l.lookup(target.name); s != nil && s.ptr != nil {
			was := l.pointerValue(s)
			if was.ptr.mem != nil {
				keep := l.newVariable("at", tLong)
				l.emit(&instr{op: doAssign, at: e.at, v: keep, e: was.ptr.off})
				was.ptr.off = variableTerm(keep)
			}
			now := l.pointerOperation(e.op, was, one(tInt, number(1)), e.at)
			l.assignPointer(s, now, e.at)
			if e.postfix {
				return was
			}
			return l.pointerValue(s)
		}
	}
	lv := l.place(target)
	was := l.read(lv, e.at)
	if e.postfix {
		was = l.keep(was, e.at)
	}
	now := l.convert(l.operate(e.op, was, one(tInt, number(1)), e.at), lv.typ, e.at)
	now = l.fixed(now, e.at)
	l.write(lv, now, e.at)
	if e.postfix {
		return was
	}
	return l.read2(lv, now)
}

func (l *lowerer) read2(lv *lvalue, now *value) *value {
	if lv.mem != nil {
		return now
	}
	out := &value{typ: lv.typ}
	for _, v := range lv.vars {
		out.parts = append(out.parts, variableTerm(v))
	}
	return out
}

// keep copies a value, for it is used after its place has changed.
func (l *lowerer) keep(v *value, at place) *value {
	out := &value{typ: v.typ}
	for i, p := range v.parts {
		x := l.newVariable("was", v.typ.leaf(int64(i)))
		l.emit(&instr{op: doAssign, at: at, v: x, e: p})
		out.parts = append(out.parts, variableTerm(x))
	}
	return out
}

func (l *lowerer) pointerValue(s *storage) *value {
	p := *s.ptr
	if !p.set {
		return &value{typ: s.typ, ptr: &pointer{null: true, elem: s.typ.elem, off: number(0)}}
	}
	if p.offVar != nil {
		p.off = variableTerm(p.offVar)
	}
	p.elem = s.typ.elem
	return &value{typ: s.typ, ptr: &p}
}

// place is what an expression designates.
func (l *lowerer) place(e *expr) *lvalue {
	switch e.kind {
	case name:
		s := l.lookup(e.name)
		switch {
		case s == nil:
			l.fail(e.at, "name %s, which is not declared", e.name)
		case s.ptr != nil:
			return &lvalue{typ: s.typ, st: s}
		case s.mem != nil:
			return &lvalue{typ: s.typ, mem: s.mem, off: number(0)}
		case s.term != nil:
			return &lvalue{typ: s.typ, st: s}
		case s.vars == nil:
			l.fail(e.at, "a value of type %s", kindName(s.typ))
		}
		return &lvalue{typ: s.typ, vars: s.vars}
	case index:
		return l.element(e)
	case unary:
		if e.op == "*" {
			v := l.value(e.args[0])
			if v.ptr == nil {
				l.fail(e.at, "* on a number")
			}
			return l.target(v.ptr, e.at)
		}
	case member:
		if e.op == "->" {
			v := l.value(e.args[0])
			if v.ptr == nil {
				l.fail(e.at, "-> on a number")
			}
			return l.part(l.target(v.ptr, e.at), e)
		}
		return l.part(l.place(e.args[0]), e)
	case cast, call, binary, ternary, assign, step, comma:
		// a value: it gets variables, so that a part can be taken
		v := l.value(e)
		if v.ptr != nil {
			l.fail(e.at, "a pointer here")
		}
		v = l.keep(v, e.at)
		out := &lvalue{typ: v.typ}
		for _, p := range v.parts {
			out.vars = append(out.vars, p.v)
		}
		return out
	}
	l.fail(e.at, "an expression that designates no place")
	return nil
}

// target is what a pointer points at.
func (l *lowerer) target(p *pointer, at place) *lvalue {
	switch {
	case p.null:
		return &lvalue{typ: p.elem, null: true}
	case p.to != nil:
		return p.to
	case p.mem == nil:
		l.fail(at, "a pointer to nothing known")
	case p.elem.kind == voidType:
		l.fail(at, "a pointer to void")
	}
	return &lvalue{typ: p.elem, mem: p.mem, off: p.off}
}

func (l *lowerer) element(e *expr) *lvalue {
	if e.args[0].kind == name || e.args[0].kind == index || e.args[0].kind == member {
		if e.args[0].kind != name || l.isArray(e.args[0].name) {
			lv := l.place(e.args[0])
			if lv.typ.kind == arrayType {
				i := l.scalar(l.value(e.args[1]), e.at)
				elem := lv.typ.elem
				if lv.vars != nil {
					if !i.isNum() || !i.val.IsInt64() || i.val.Sign() < 0 || i.val.Int64() >= lv.typ.n {
						l.fail(e.at, "a computed index into an array in a structure")
					}
					n := elem.cells()
					return &lvalue{typ: elem, vars: lv.vars[i.val.Int64()*n : (i.val.Int64()+1)*n]}
				}
				return &lvalue{typ: elem, mem: lv.mem, off: sum(lv.off, product(number(elem.cells()), i))}
			}
			if lv.typ.kind == pointerType && lv.st != nil {
				v := l.pointerOperation("+", l.pointerValue(lv.st), l.value(e.args[1]), e.at)
				return l.target(v.ptr, e.at)
			}
			if lv.typ.kind == vectorType {
				l.fail(e.at, "an index into a vector")
			}
			l.fail(e.at, "an index into a value of type %s", kindName(lv.typ))
		}
	}
	v := l.value(e.args[0])
	w := l.value(e.args[1])
	if v.ptr == nil {
		v, w = w, v
	}
	if v.ptr == nil {
		l.fail(e.at, "an index into a number")
	}
	return l.target(l.pointerOperation("+", v, w, e.at).ptr, e.at)
}

func (l *lowerer) isArray(n string) bool {
	s := l.lookup(n)
	return s == nil || s.typ.kind == arrayType
}

// swizzle are the lanes that the name of a part of a vector means, or nil.
func swizzle(t *ctype, n string) []int64 {
	var out []int64
	half := (t.n + 1) / 2
	for i := range t.n {
		switch {
		case n == "lo" && i < half, n == "hi" && i >= half, n == "even" && i%2 == 0, n == "odd" && i%2 == 1:
			out = append(out, i)
		}
	}
	if out != nil {
		return out
	}
	if rest, ok := strings.CutPrefix(strings.ToLower(n), "s"); ok && rest != "" {
		for _, c := range rest {
			i := int64(strings.IndexRune("0123456789abcdef", c))
			if i < 0 || i >= t.n {
				return nil
			}
			out = append(out, i)
		}
		return out
	}
	for _, c := range n {
		i := int64(strings.IndexRune("xyzw", c))
		if i < 0 || i >= t.n {
			return nil
		}
		out = append(out, i)
	}
	return out
}

// part is a member of a structure, or lanes of a vector.
func (l *lowerer) part(lv *lvalue, e *expr) *lvalue {
	out := &lvalue{mem: lv.mem, off: lv.off, null: lv.null}
	switch lv.typ.kind {
	case vectorType:
		ls := swizzle(lv.typ, e.name)
		if ls == nil {
			l.fail(e.at, "part %s of %s", e.name, kindName(lv.typ))
		}
		out.typ = lv.typ.elem
		if len(ls) > 1 {
			out.typ = vectorOf(lv.typ.elem, int64(len(ls)))
		}
		for _, i := range ls {
			if lv.mem != nil || lv.null {
				if lv.cells != nil {
					i = lv.cells[i]
				}
				out.cells = append(out.cells, i)
			} else {
				out.vars = append(out.vars, lv.vars[i])
			}
		}
		return out
	case structType:
		var skip int64
		for _, f := range lv.typ.fields {
			n := f.typ.cells()
			if f.name == e.name {
				out.typ = f.typ
				if lv.mem != nil {
					out.off = sum(lv.off, number(skip))
				} else if !lv.null {
					out.vars = lv.vars[skip : skip+n]
				}
				if f.typ.kind == pointerType {
					l.fail(e.at, "a pointer in a structure")
				}
				return out
			}
			skip += n
		}
	}
	l.fail(e.at, "member %s of %s", e.name, kindName(lv.typ))
	return nil
}

// offsets are the cells of a place in memory, with their types.
func (l *lowerer) offsets(lv *lvalue) (offs []*term, types []*ctype) {
	n := lv.typ.cells()
	for i := range n {
		if lv.typ.kind == vectorType && i >= lv.typ.n {
			break
		}
		c := i
		if lv.cells != nil {
			c = lv.cells[i]
		}
		offs = append(offs, sum(lv.off, number(c)))
		types = append(types, lv.typ.leaf(i))
	}
	return offs, types
}

// read is the value at a place.
func (l *lowerer) read(lv *lvalue, at place) *value {
	switch {
	case lv.null:
		l.check("null", "a read through a null pointer", falsity, at)
		return l.anyValue(lv.typ, at)
	case lv.st != nil && lv.st.ptr != nil:
		return l.pointerValue(lv.st)
	case lv.st != nil:
		return one(lv.st.typ, lv.st.term)
	case lv.typ.kind == arrayType:
		if lv.mem == nil {
			return &value{typ: &ctype{kind: pointerType, elem: lv.typ.elem}, ptr: &pointer{to: lv, elem: lv.typ.elem, off: number(0)}}
		}
		return &value{typ: &ctype{kind: pointerType, elem: lv.typ.elem}, ptr: &pointer{mem: lv.mem, off: lv.off, elem: lv.typ.elem}}
	case lv.mem == nil:
		out := &value{typ: lv.typ}
		for i, v := range lv.vars {
			_ = i
			out.parts = append(out.parts, variableTerm(v))
		}
		for int64(len(out.parts)) < lv.typ.cells() {
			out.parts = append(out.parts, number(0))
		}
		return out
	}
	out := &value{typ: lv.typ}
	offs, types := l.offsets(lv)
	for i, off := range offs {
		if v := l.cell(lv.mem, off, at); v != nil {
			out.parts = append(out.parts, variableTerm(v))
			continue
		}
		if known := lv.mem.content; known != nil && off.isNum() && off.val.IsInt64() && off.val.Sign() >= 0 && off.val.Int64() < int64(len(known)) {
			out.parts = append(out.parts, bigNumber(known[off.val.Int64()]))
			continue
		}
		v := l.newVariable("in", types[i])
		l.emit(&instr{op: doLoad, at: at, v: v, mem: lv.mem, off: off})
		out.parts = append(out.parts, variableTerm(v))
	}
	for int64(len(out.parts)) < lv.typ.cells() {
		out.parts = append(out.parts, number(0))
	}
	return out
}

// cell is the variable that stands for a cell of a private array, if it has any.
func (l *lowerer) cell(m *memory, off *term, at place) *variable {
	if m.fixed == nil {
		return nil
	}
	if off.isNum() && off.val.IsInt64() && off.val.Sign() >= 0 && off.val.Int64() < int64(len(m.fixed)) {
		return m.fixed[off.val.Int64()]
	}
	if !l.dynamic[m.at] {
		l.dynamic[m.at] = true
		l.again = true
	}
	return nil
}

func (l *lowerer) write(lv *lvalue, v *value, at place) {
	switch {
	case lv.null:
		l.check("null", "a write through a null pointer", falsity, at)
		return
	case lv.st != nil:
		l.fail(at, "an assignment to a constant")
	case lv.mem == nil:
		for i, x := range lv.vars {
			l.emit(&instr{op: doAssign, at: at, v: x, e: v.parts[i]})
		}
		return
	}
	if lv.mem.space == constant {
		l.check("assert", "a write to constant memory", falsity, at)
		return
	}
	offs, types := l.offsets(lv)
	for i, off := range offs {
		if x := l.cell(lv.mem, off, at); x != nil {
			l.emit(&instr{op: doAssign, at: at, v: x, e: v.parts[i]})
			continue
		}
		e := v.parts[i]
		_ = types
		l.emit(&instr{op: doStore, at: at, mem: lv.mem, off: off, e: e})
	}
}

func (l *lowerer) annotation(e *expr) *term {
	l.pure++
	defer func() { l.pure-- }()
	return l.truth(e)
}

func describe(m *memory) string { return fmt.Sprintf("%s memory %s", m.space, m.name) }
