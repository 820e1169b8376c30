package ir

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/preproc"
)

// value evaluates an expression: side effects become instructions, the value is a
// term over variables.
func (l *lowerer) value(e *ast.Expr) *value {
	// Constants first, then what has effects. An expression with a place is read from it at the end.
	switch e.Kind {
	case ast.Literal:
		return one(e.Typ, BigNumber(interval.Wrapped(e.Value, e.Typ)))
	case ast.FloatLiteral:
		return one(e.Typ, l.FloatConstant(e.Name, e.Typ))
	case ast.StringLiteral:
		return one(ast.TInt, Number(0))
	case ast.Comma:
		l.effect(e.Args[0])
		return l.value(e.Args[1])
	case ast.SizeOf:
		t := e.Typ
		if t == nil {
			t = l.sizedType(e.Args[0])
			if l.cuda() {
				t = ast.Valued(e.Args[0], l.sizedType)
			}
		}
		if !t.Sized() {
			l.fail(e.At, "the size of an incomplete type, or of one of a library")
		}
		l.Prog.Wide = l.Prog.Wide || hasWidth(t)
		return one(ast.Scalars["size_t"], Number(t.Size()))
	case ast.Assign:
		return l.assignment(e, true)
	case ast.Step:
		return l.stepped(e, true)
	case ast.Ternary:
		return l.ternary(e)
	case ast.Cast:
		return l.casted(e)
	case ast.Unary:
		return l.unaryValue(e)
	case ast.Binary:
		return l.binaryValue(e)
	case ast.Call:
		return l.call(e)
	case ast.InitList:
		l.fail(e.At, "an initial value here")
	}
	if v := l.builtinValue(e); v != nil {
		return v
	}
	return l.read(l.place(e), e.At)
}

// typeOf is the type of an expression that is not evaluated.
func (l *lowerer) typeOf(e *ast.Expr) *ast.Ctype {
	if e.Kind == ast.Name {
		if s := l.lookup(e); s != nil {
			return s.typ
		}
	}
	if e.Kind == ast.Call && e.Args[0].Kind == ast.Name {
		if f := l.callee(e.Args[0].Name, e); f != nil && (f.Defined || l.ofToolchain(f.Name) == nil) {
			return f.Ret
		}
	}
	keep := l.Now
	// Instructions go to a node that nothing reaches: the operand is not evaluated.
	l.Now = &Node{}
	l.pure++
	v := l.value(e)
	l.pure--
	l.Now = keep
	return v.typ
}

// sizedType is the type of the operand of sizeof, where an array is one, and not the pointer
// that it is as a value.
func (l *lowerer) sizedType(e *ast.Expr) *ast.Ctype {
	switch {
	case e.Kind == ast.StringLiteral:
		l.fail(e.At, "the size of a string")
	case l.builtinValue(e) != nil:
	case e.Kind == ast.Name, e.Kind == ast.Index, e.Kind == ast.Member, e.Kind == ast.Unary && e.Op == "*":
		keep := l.Now
		l.Now = &Node{}
		l.pure++
		t := l.place(e).typ
		l.pure--
		l.Now = keep
		return t
	}
	return l.typeOf(e)
}

// Dimension of x, y, z.
func Dimension(name string) int { return strings.Index("xyz", name) }

// IsCudaIndex reports whether e is a component of threadIdx, blockIdx, blockDim or gridDim.
func IsCudaIndex(e *ast.Expr) bool {
	return e.Kind == ast.Member && e.Op == "" && len(e.Name) == 1 && Dimension(e.Name) >= 0 && e.Args[0].Kind == ast.Name && slices.Contains([]string{"threadIdx", "blockIdx", "blockDim", "gridDim"}, e.Args[0].Name)
}

// builtinValue is the value of names that the toolchains define, or nil.
func (l *lowerer) builtinValue(e *ast.Expr) *value {
	if IsCudaIndex(e) && l.lookup(e.Args[0]) == nil {
		d := Dimension(e.Name)
		switch e.Args[0].Name {
		case "threadIdx":
			return one(ast.TUint, l.LocalID(d))
		case "blockIdx":
			return one(ast.TUint, l.GroupID(d))
		case "blockDim":
			return one(ast.TUint, l.LocalSize(d))
		case "gridDim":
			return one(ast.TUint, l.Groups(d))
		}
	}
	if e.Kind == ast.Name && e.Name == "warpSize" && l.lookup(e) == nil {
		return one(ast.TInt, Number(32))
	}
	return nil
}

// into is integer e as a value of type t. Operands that wrap to no fewer bits
// need not wrap before.
func into(t *ast.Ctype, e *Term) *Term {
	if e.IsNum() {
		return BigNumber(interval.Wrapped(e.Val, t))
	}
	// A bool is 1 for all that is not 0 (C11 6.3.1.2), not the lowest bit.
	if t.Bits == 1 {
		return truthValue(truthOf(e))
	}
	e = Unwrapped(t, e)
	if e.IsNum() {
		return BigNumber(interval.Wrapped(e.Val, t))
	}
	if e.Op == Wrap && e.Typ.Bits == t.Bits && e.Typ.Signed == t.Signed {
		return e
	}
	return &Term{Op: Wrap, Typ: t, Args: []*Term{e}}
}

// Unwrapped is e without wraps to no fewer bits than t has, which make no difference to
// it as a value of type t.
func Unwrapped(t *ast.Ctype, e *Term) *Term {
	switch e.Op {
	case Wrap:
		if e.Typ.Bits >= t.Bits {
			return Unwrapped(t, e.Args[0])
		}
	// A sum and a product depend on their operands mod 2ⁿ alone; a quotient does not.
	case Add, Mul:
		args := make([]*Term, len(e.Args))
		for i, a := range e.Args {
			args[i] = Unwrapped(t, a)
		}
		return Rebuild(e, args)
	}
	return e
}

// convert is v as a value of type t.
func (l *lowerer) convert(v *value, t *ast.Ctype, at preproc.Place) *value {
	switch {
	case t.Kind == ast.PointerType:
		if v.ptr == nil {
			if len(v.parts) == 1 && v.parts[0].Is(0) {
				return &value{typ: t, ptr: nullPointer(t.Elem)}
			}
			l.fail(at, "an integer as a pointer")
		}
		return &value{typ: t, ptr: l.cast(v.ptr, t.Elem, at)}
	case v.ptr != nil:
		l.fail(at, "a pointer used as a number")
	case t.Kind == ast.VectorType:
		if v.typ.Kind == ast.VectorType {
			if v.typ.Cells() != t.Cells() {
				l.fail(at, "a vector of %d as one of %d", v.typ.N, t.N)
			}
			out := &value{typ: t}
			for i, p := range v.parts {
				out.parts = append(out.parts, l.scalarTo(p, v.typ.Leaf(int64(i)), t.Elem, at))
			}
			return out
		}
		// dim3 d = n is (n, 1, 1), any other vector has n in all lanes.
		if t.Name == "dim3" && len(v.parts) == 1 {
			x := l.scalarTo(v.parts[0], v.typ, t.Elem, at)
			return &value{typ: t, parts: []*Term{x, Number(1), Number(1)}}
		}
		x := l.scalarTo(l.scalar(v, at), v.typ, t.Elem, at)
		out := &value{typ: t}
		for range t.Cells() {
			out.parts = append(out.parts, x)
		}
		return out
	case t.Kind == ast.StructType:
		if v.typ.Kind != ast.StructType || v.typ.Cells() != t.Cells() {
			l.fail(at, "a value of type %s as %s", KindName(v.typ), KindName(t))
		}
		return v
	case t.Kind == ast.IntType || t.Kind == ast.FloatType:
		return one(t, l.scalarTo(l.scalar(v, at), v.typ, t, at))
	case t.Kind == ast.VoidType:
		return &value{typ: t, parts: []*Term{Number(0)}}
	case t.Kind == ast.OpaqueType:
		return &value{typ: t, parts: []*Term{Number(0)}}
	}
	l.fail(at, "a value of type %s", KindName(t))
	return nil
}

// scalarTo converts a scalar from one type to another.
func (l *lowerer) scalarTo(e *Term, from, to *ast.Ctype, at preproc.Place) *Term {
	switch {
	case from.Kind == ast.IntType && to.Kind == ast.IntType:
		if !from.Pointerwide {
			l.depends(to, e)
		}
		return into(to, e)
	case from.Kind == ast.FloatType && to.Kind == ast.FloatType && from.Bits <= to.Bits:
		return e
	case from.Kind == ast.FloatType && to.Kind == ast.FloatType:
		return l.narrowed(e, to, at)
	case from.Kind == ast.IntType && to.Kind == ast.FloatType:
		if e.IsNum() {
			return l.FloatConstant(e.Val.String(), to)
		}
		return l.Anything(to, at)
	}
	return l.Anything(to, at)
}

// narrowed is a floating number in fewer bits.
func (l *lowerer) narrowed(e *Term, to *ast.Ctype, at preproc.Place) *Term {
	for _, p := range l.Prog.Params {
		if p.Term == e { // a constant
			return l.FloatConstant(strings.TrimPrefix(p.Name, "float "), to)
		}
	}
	return l.Anything(to, at)
}

// casted is the value of a cast, or of a vector that is written as one.
func (l *lowerer) casted(e *ast.Expr) *value {
	t := e.Typ
	if t.Kind == ast.VectorType {
		// (int4)(a, b, c, d): the parser sees a cast of a comma.
		x := e.Args[0]
		if x.Kind == ast.InitList {
			return &value{typ: t, parts: l.initial(t, x)}
		}
		if parts := ast.Lanes(x); len(parts) > 1 {
			return l.gather(t, parts, e.At)
		}
	}
	if e.Args[0].Kind == ast.InitList {
		return &value{typ: t, parts: l.initial(t, e.Args[0])}
	}
	if t.Kind == ast.IntType && t.Bits == 1 {
		return one(t, truthValue(l.truth(e.Args[0])))
	}
	return l.convert(l.value(e.Args[0]), t, e.At)
}

// gather makes a vector of scalars and shorter vectors.
func (l *lowerer) gather(t *ast.Ctype, args []*ast.Expr, at preproc.Place) *value {
	out := &value{typ: t}
	for _, a := range args {
		v := l.value(a)
		if v.ptr != nil {
			l.fail(a.At, "a pointer in a vector")
		}
		for i, p := range v.parts {
			if v.typ.Kind == ast.VectorType && int64(i) >= v.typ.N {
				break // the fourth cell of three
			}
			out.parts = append(out.parts, l.scalarTo(p, v.typ.Leaf(int64(i)), t.Elem, at))
		}
	}
	if int64(len(out.parts)) != t.N {
		l.fail(at, "a vector of %d from %d values", t.N, len(out.parts))
	}
	for int64(len(out.parts)) < t.Cells() {
		out.parts = append(out.parts, Number(0))
	}
	return out
}

// ternary is the value of a choice. Where both sides are simple, it needs no branch.
func (l *lowerer) ternary(e *ast.Expr) *value {
	if l.simple(e.Args[0]) && l.simple(e.Args[1]) && l.simple(e.Args[2]) {
		p := l.truth(e.Args[0])
		a, b := l.value(e.Args[1]), l.value(e.Args[2])
		if a.ptr == nil && b.ptr == nil && len(a.parts) == 1 && len(b.parts) == 1 {
			t := ast.CommonType(a.typ, b.typ)
			return one(t, choose(p, l.scalarTo(a.parts[0], a.typ, t, e.At), l.scalarTo(b.parts[0], b.typ, t, e.At)))
		}
	}
	// With reads in it, only the chosen one takes place.
	then, other, after := l.NewNode(e.At), l.NewNode(e.At), l.NewNode(e.At)
	t := l.typeOf(e.Args[1])
	if u := l.typeOf(e.Args[2]); t.Kind != ast.VectorType && (t.Kind == ast.IntType || t.Kind == ast.FloatType) {
		t = ast.CommonType(t, u)
	} else if u.Kind == ast.PointerType || t.Kind == ast.PointerType {
		if t.Kind != ast.PointerType {
			t = u
		}
		return l.pointerTernary(e, t)
	}
	var vars []*Variable
	for i := range t.Cells() {
		vars = append(vars, l.NewVariable("choice", t.Leaf(i)))
	}
	l.condition(e.Args[0], then, other)
	for i, n := range []*Node{then, other} {
		l.Now = n
		v := l.convert(l.value(e.Args[1+i]), t, e.At)
		for j, x := range vars {
			l.Emit(&Instr{Op: DoAssign, At: e.At, V: x, E: v.parts[j]})
		}
		l.Now.then2(after)
	}
	l.Now = after
	out := &value{typ: t}
	for _, x := range vars {
		out.parts = append(out.parts, VariableTerm(x))
	}
	return out
}

func (l *lowerer) pointerTernary(e *ast.Expr, t *ast.Ctype) *value {
	st := &storage{typ: t, ptr: l.newSlot("choice", e.At)}
	then, other, after := l.NewNode(e.At), l.NewNode(e.At), l.NewNode(e.At)
	l.condition(e.Args[0], then, other)
	for i, n := range []*Node{then, other} {
		l.Now = n
		l.assignPointer(st, l.convert(l.value(e.Args[1+i]), t, e.At), e.At)
		l.Now.then2(after)
	}
	l.Now = after
	return l.pointerValue(st, e.At)
}

// unaryValue is the value of a unary expression.
func (l *lowerer) unaryValue(e *ast.Expr) *value {
	switch e.Op {
	case "*":
		return l.read(l.place(e), e.At)
	case "&":
		lv := l.place(e.Args[0])
		if lv.st != nil {
			l.fail(e.At, "the address of a pointer, or of a constant")
		}
		if lv.cells != nil && lv.typ.Kind == ast.VectorType {
			l.fail(e.At, "the address of several lanes")
		}
		return &value{typ: &ast.Ctype{Kind: ast.PointerType, Elem: lv.typ}, ptr: l.pointerTo(lv, lv.typ)}
	case "!":
		return one(ast.TInt, truthValue(l.truth(e)))
	}
	v := l.value(e.Args[0])
	if v.ptr != nil {
		l.fail(e.At, "operator %s on a pointer", e.Op)
	}
	out := &value{typ: v.typ}
	// Lanes of vectors keep their type, while scalars are promoted.
	if v.typ.Kind == ast.VectorType {
		l.operatorsOfVectors(e.At)
	} else {
		out.typ = ast.Promoted(v.typ)
	}
	for i, p := range v.parts {
		t := out.typ.Leaf(int64(i))
		switch {
		case e.Op == "+":
			out.parts = append(out.parts, p)
		case t.Kind == ast.FloatType:
			out.parts = append(out.parts, l.Anything(t, e.At))
		case e.Op == "-":
			out.parts = append(out.parts, l.wrapAt(t, Product(Number(-1), p), e.At))
		case e.Op == "~":
			// In two's complement, ~x is −1 − x.
			l.depends(t, Minus(Number(-1), p))
			out.parts = append(out.parts, into(t, Minus(Number(-1), p)))
		}
	}
	return out
}

// wrapAt is arithmetic that may overflow; the check is made on request. Behind it, as where it is taken for
// granted, there is no overflow.
func (l *lowerer) wrapAt(t *ast.Ctype, e *Term, at preproc.Place) *Term {
	l.depends(t, e)
	if !l.follows(t) || l.pure > 0 {
		return into(t, e)
	}
	if l.opts.Overflow && t.Signed {
		l.check("overflow", "signed overflow", within(t, e), at)
	}
	// Of a number it is known: where it does not fit, to take it for granted would leave nothing behind it to check.
	if e.IsNum() {
		return into(t, e)
	}
	l.Prog.Exact = true
	l.Emit(&Instr{Op: DoAssume, At: at, E: within(t, e)})
	return e
}

// follows reports whether evaluating arithmetic of type t says that it does not overflow.
func (l *lowerer) follows(t *ast.Ctype) bool {
	return l.opts.NoWrap || t.Signed && (l.opts.Overflow || l.opts.NoOverflow)
}

// within says that e is a value of type t.
func within(t *ast.Ctype, e *Term) *Term {
	lo, hi := interval.Within(t)
	return Both(Compare(PLe, BigNumber(lo), e), Compare(PLe, e, BigNumber(hi)))
}

// taken is v as a value of the type that it is assigned, passed or returned as.
func (l *lowerer) taken(v *value, t *ast.Ctype, at preproc.Place) *value {
	l.preserved(v, t, at)
	if m := v.mixed; m != nil && m.signed && l.pure == 0 && t.Kind == ast.IntType && t.Signed && t.Bits >= 32 && t.Bits <= v.typ.Bits && l.follows(t) {
		return l.asSigned(v, t, at)
	}
	return l.convert(v, t, at)
}

// mixture is a sum or product of numbers with and without sign, before it loses its sign.
type mixture struct {
	value    *Term
	signed   bool    // some of them has a sign
	unsigned []*Term // those without
}

// largestFactor bounds constants by which numbers are multiplied to find a place: larger ones scatter, and count on wraps.
const largestFactor = 1 << 16

// mixed is a + b, a − b or a ∗ b, where C takes the result for a number without sign; nil if it may be meant to wrap.
func mixed(op string, a, b *value) *mixture {
	of := func(v *value) *mixture {
		switch {
		case v.mixed != nil:
			return v.mixed
		case ast.Promoted(v.typ).Signed:
			return &mixture{value: v.parts[0], signed: true}
		}
		return &mixture{value: v.parts[0], unsigned: v.parts}
	}
	x, y := of(a), of(b)
	out := &mixture{signed: x.signed || y.signed, unsigned: slices.Concat(x.unsigned, y.unsigned)}
	switch op {
	case "+":
		out.value = Sum(x.value, y.value)
	case "-":
		out.value = Minus(x.value, y.value)
	case "*":
		for _, f := range []*Term{x.value, y.value} {
			if f.IsNum() && f.Val.CmpAbs(big.NewInt(largestFactor)) > 0 {
				return nil
			}
		}
		out.value = Product(x.value, y.value)
	}
	return out
}

// asSigned is a mixture that is given to a variable with a sign, as in i += blockDim.x. Where each number without sign is one
// that the variable could hold, the author means arithmetic with signs, and no overflow.
func (l *lowerer) asSigned(v *value, t *ast.Ctype, at preproc.Place) *value {
	_, most := interval.Within(t)
	meant := Truth
	for _, u := range v.mixed.unsigned {
		if l.bounds(u).Inside(interval.TypeInterval(t)) {
			continue
		}
		meant = Both(meant, Compare(PLe, u, BigNumber(most)))
	}
	fits := Either(Not(meant), within(t, v.mixed.value))
	if l.opts.Overflow {
		l.check("overflow", "signed overflow", fits, at)
	}
	l.Prog.Exact = true
	l.Emit(&Instr{Op: DoAssume, At: at, E: fits})
	return one(t, choose(meant, v.mixed.value, l.convert(v, t, at).parts[0]))
}

// preserved takes for granted, where that is asked for, that an integer keeps its value as one of type t. What is made
// a byte or less is cut off on purpose.
func (l *lowerer) preserved(v *value, t *ast.Ctype, at preproc.Place) {
	if !l.opts.NoWrap || l.pure > 0 || v.typ.Kind != ast.IntType || t.Kind != ast.IntType || t.Bits < 32 || Fits(v.typ, t) || len(v.parts) != 1 || v.parts[0].IsNum() {
		return
	}
	l.Prog.Exact = true
	l.Emit(&Instr{Op: DoAssume, At: at, E: within(t, v.parts[0])})
}

// binaryValue is the value of a binary expression. && and || branch where their right side has effects.
func (l *lowerer) binaryValue(e *ast.Expr) *value {
	switch e.Op {
	case "&&", "||":
		if l.simple(e.Args[1]) {
			return one(ast.TInt, truthValue(l.truth(e)))
		}
		then, other, after := l.NewNode(e.At), l.NewNode(e.At), l.NewNode(e.At)
		x := l.NewVariable("holds", ast.TInt)
		l.condition(e, then, other)
		then.Code = append(then.Code, &Instr{Op: DoAssign, At: e.At, V: x, E: Number(1)})
		other.Code = append(other.Code, &Instr{Op: DoAssign, At: e.At, V: x, E: Number(0)})
		then.Then, other.Then = after, after
		l.Now = after
		return one(ast.TInt, VariableTerm(x))
	case "&", "|":
		if isTruth(e.Args[0]) && isTruth(e.Args[1]) {
			return one(ast.TInt, truthValue(l.truth(e)))
		}
	}
	left := l.value(e.Args[0])
	// A term would be evaluated behind what the right operand does.
	if left.ptr == nil && l.acts(e.Args[1]) {
		left = l.keep(left, e.At)
	}
	return l.operate(e.Op, left, l.value(e.Args[1]), e.At)
}

// acts reports whether an expression may change variables.
func (l *lowerer) acts(e *ast.Expr) bool {
	switch e.Kind {
	case ast.Assign, ast.Step:
		return true
	case ast.Call:
		if n := e.Args[0].Name; l.unit.Declares(n) || strings.Contains(n, "mem") {
			return true
		}
	}
	return slices.ContainsFunc(e.Args, l.acts)
}

// operatorsOfVectors refuses an operator on vectors where the file has its own, which are not read.
func (l *lowerer) operatorsOfVectors(at preproc.Place) {
	if why := l.unit.Operators(); why != "" {
		l.fail(at, "%s", why)
	}
}

// operate applies a binary operator.
func (l *lowerer) operate(op string, a, b *value, at preproc.Place) *value {
	switch {
	case a.ptr != nil || b.ptr != nil:
		return l.pointerOperation(op, a, b, at)
	case a.typ.Kind == ast.VectorType:
		return l.lanewise(op, a.typ, a, b, at)
	case b.typ.Kind == ast.VectorType:
		return l.lanewise(op, b.typ, a, b, at)
	}
	x, y := l.scalar(a, at), l.scalar(b, at)
	// Operands are promoted apart: the right one does not widen the left (C11 6.5.7p3).
	if op == "<<" || op == ">>" {
		return l.shift(op, ast.Promoted(a.typ), x, y, at)
	}
	t := ast.CommonType(a.typ, b.typ)
	switch {
	case t.Kind == ast.FloatType && Comparisons[op]:
		return one(ast.TInt, l.Anything(ast.TBool, at))
	case t.Kind == ast.FloatType:
		return one(t, l.Anything(t, at))
	case t.Kind != ast.IntType:
		l.fail(at, "operator %s on %s", op, KindName(t))
	}
	if op == "+" || op == "-" || op == "*" || op == "/" || op == "%" {
		l.preserved(a, t, at)
		l.preserved(b, t, at)
	}
	// A value of a smaller type is its own image: a wrap around it would hide its bounds.
	image := func(v *value, x *Term) *Term {
		if v.typ.Kind == ast.IntType && Fits(v.typ, t) {
			return v.parts[0]
		}
		return into(t, x)
	}
	x, y = image(a, x), image(b, y)
	if Comparisons[op] {
		l.compares(a, b, x, y)
		return one(ast.TInt, truthValue(comparison(op, x, y)))
	}
	out := one(t, l.integers(op, t, x, y, at))
	if (op == "+" || op == "-" || op == "*") && !t.Signed {
		out.mixed = mixed(op, a, b)
	}
	return out
}

// lanewise applies a binary operator to each lane of vectors of type t; a scalar stands for all lanes.
func (l *lowerer) lanewise(op string, t *ast.Ctype, a, b *value, at preproc.Place) *value {
	l.operatorsOfVectors(at)
	a, b = l.convert(a, t, at), l.convert(b, t, at)
	out := &value{typ: t}
	if Comparisons[op] {
		out.typ = ast.Truths(t)
	}
	for i, x := range a.parts {
		y := b.parts[i]
		switch {
		case op == "<<" || op == ">>": // of lanes, which are not promoted
			out.parts = append(out.parts, l.shift(op, t.Elem, x, y, at).parts[0])
		case Comparisons[op]:
			truth := l.operate(op, one(t.Elem, x), one(t.Elem, y), at).parts[0]
			out.parts = append(out.parts, Product(Number(-1), truth)) // all bits of a lane
		default:
			r := l.operate(op, one(t.Elem, x), one(t.Elem, y), at)
			out.parts = append(out.parts, l.scalarTo(r.parts[0], r.typ, t.Elem, at))
		}
	}
	return out
}

// comparison is x op y as a predicate.
func comparison(op string, x, y *Term) *Term {
	switch op {
	case "<":
		return Compare(PLt, x, y)
	case ">":
		return Compare(PLt, y, x)
	case "<=":
		return Compare(PLe, x, y)
	case ">=":
		return Compare(PLe, y, x)
	case "==":
		return Compare(PEq, x, y)
	}
	return Compare(PNe, x, y)
}

// integers is x op y for integers that were converted to t, the type of the result.
func (l *lowerer) integers(op string, t *ast.Ctype, x, y *Term, at preproc.Place) *Term {
	switch op {
	case "+":
		return l.wrapAt(t, Sum(x, y), at)
	case "-":
		return l.wrapAt(t, Minus(x, y), at)
	case "*":
		return l.wrapAt(t, Product(x, y), at)
	case "/", "%":
		return l.division(op, t, x, y, at)
	case "&":
		return Bitwise(Band, t, x, y)
	case "|", "^":
		// No bit of a sum is further left than those that are set.
		l.depends(t, Sum(x, y))
		if op == "|" {
			return Bitwise(Bor, t, x, y)
		}
		return Bitwise(Bxor, t, x, y)
	}
	l.fail(at, "operator %s", op)
	return nil
}

// division is the quotient or remainder of x by y, which is checked not to be 0.
func (l *lowerer) division(op string, t *ast.Ctype, x, y *Term, at preproc.Place) *Term {
	if !y.IsNum() || y.Val.Sign() == 0 {
		l.check("division", "division by zero", Compare(PNe, y, Number(0)), at)
	}
	switch {
	case y.Is(0):
		return l.Anything(t, at)
	case op == "/":
		return l.wrapAt(t, Quotient(x, y), at)
	case l.opts.Overflow && t.Signed: // the least number % −1 overflows as the quotient does
		l.wrapAt(t, Quotient(x, y), at)
	}
	return Remainder(x, y)
}

// Comparisons has the operators of C whose value is a truth.
var Comparisons = map[string]bool{"<": true, ">": true, "<=": true, ">=": true, "==": true, "!=": true}

// Fits reports whether each value of type a is one of type b.
func Fits(a, b *ast.Ctype) bool {
	return interval.TypeInterval(a).Inside(interval.TypeInterval(b))
}

// shift is the value of a shift, by a known number as a product or quotient.
func (l *lowerer) shift(op string, t *ast.Ctype, x, y *Term, at preproc.Place) *value {
	if y.IsNum() && y.Val.Sign() >= 0 && y.Val.Cmp(big.NewInt(int64(t.Bits))) < 0 {
		by := BigNumber(new(big.Int).Lsh(big.NewInt(1), uint(y.Val.Int64())))
		if op == "<<" {
			return one(t, l.wrapAt(t, Product(by, x), at))
		}
		if t.Signed {
			// towards −∞: (x − x mod 2^k) ÷ 2^k
			return one(t, choose(Compare(PLe, Number(0), x), Quotient(x, by), Minus(Number(-1), Quotient(Minus(Number(-1), x), by))))
		}
		return one(t, Quotient(x, by))
	}
	o := Shl
	if op == ">>" {
		o = Shr
	} else if t.Signed && l.pure == 0 && l.opts.Overflow {
		// By each number in turn, of which there are few; by more than the width it is no overflow.
		lo, hi := interval.Within(t)
		fits := Truth
		for k := range uint(t.Bits) {
			least, most := new(big.Int).Rsh(lo, k), new(big.Int).Rsh(hi, k)
			fits = Both(fits, implies(Compare(PEq, y, Number(int64(k))), Both(Compare(PLe, BigNumber(least), x), Compare(PLe, x, BigNumber(most)))))
		}
		l.check("overflow", "signed overflow", fits, at)
		l.Emit(&Instr{Op: DoAssume, At: at, E: fits})
	}
	l.Prog.Wide = l.Prog.Wide || t.Pointerwide
	return one(t, Bitwise(o, t, x, y))
}

// check emits a check, except in annotations.
func (l *lowerer) check(kind, why string, p *Term, at preproc.Place) {
	if l.pure > 0 || p.Op == PTrue {
		return
	}
	l.Emit(&Instr{Op: DoAssert, At: at, Kind: kind, Why: why, E: p})
}

// assignment assigns; its value is made only where it is wanted.
func (l *lowerer) assignment(e *ast.Expr, wanted bool) *value {
	target := e.Args[0]
	// The place before the value: C leaves the order open, and the reader has refused what
	// depends on it.
	lv := l.place(target)
	if s := lv.st; s != nil && s.ptr != nil {
		v := l.value(e.Args[1])
		if e.Op != "" {
			v = l.pointerOperation(e.Op, l.pointerValue(s, e.At), v, e.At)
		}
		v = l.convert(v, s.typ, e.At)
		v.ptr = l.keepPointer(v.ptr, e.At) // it may mention what changes now
		l.assignPointer(s, v, e.At)
		return v
	}
	v := l.value(e.Args[1])
	if e.Op != "" {
		v = l.operate(e.Op, l.read(lv, e.At), v, e.At)
	}
	v = l.taken(v, lv.typ, e.At)
	if v.ptr != nil {
		l.writePointer(lv, v, e.At)
		return v
	}
	// The value is fixed before the place changes: it may mention the place.
	if wanted {
		v = l.keep(v, e.At)
	} else {
		v = l.fixed(v, e.At)
	}
	l.write(lv, v, e.At)
	return v
}

// fixed copies a value of several parts into variables of its own, so that writing
// one part does not change another.
func (l *lowerer) fixed(v *value, at preproc.Place) *value {
	if len(v.parts) == 1 {
		return v
	}
	out := &value{typ: v.typ}
	for i, p := range v.parts {
		if p.IsNum() || p.Op == Local_ && p.V.held != nil {
			out.parts = append(out.parts, p)
			continue
		}
		x := l.NewVariable("part", v.typ.Leaf(int64(i)))
		l.Emit(&Instr{Op: DoAssign, At: at, V: x, E: p})
		out.parts = append(out.parts, VariableTerm(x))
	}
	return out
}

// stepped is ++ or −−, whose value is needed if wanted says so.
func (l *lowerer) stepped(e *ast.Expr, wanted bool) *value {
	target := e.Args[0]
	lv := l.place(target)
	if s := lv.st; s != nil && s.ptr != nil {
		was := l.pointerValue(s, e.At)
		was.ptr = l.keepPointer(was.ptr, e.At)
		l.assignPointer(s, l.pointerOperation(e.Op, was, one(ast.TInt, Number(1)), e.At), e.At)
		if e.Postfix {
			return was
		}
		return l.pointerValue(s, e.At)
	}
	was := l.read(lv, e.At)
	if e.Postfix && wanted {
		was = l.keep(was, e.At)
	}
	now := l.convert(l.operate(e.Op, was, one(ast.TInt, Number(1)), e.At), lv.typ, e.At)
	if wanted && !e.Postfix {
		now = l.keep(now, e.At)
	} else {
		now = l.fixed(now, e.At)
	}
	l.write(lv, now, e.At)
	if e.Postfix {
		return was
	}
	return now
}

// keep copies a value, for it is used after its place has changed.
func (l *lowerer) keep(v *value, at preproc.Place) *value {
	out := &value{typ: v.typ}
	for i, p := range v.parts {
		if p.Op == Local_ && p.V.held != nil {
			out.parts = append(out.parts, p)
			continue
		}
		x := l.NewVariable("was", v.typ.Leaf(int64(i)))
		l.Emit(&Instr{Op: DoAssign, At: at, V: x, E: p})
		out.parts = append(out.parts, VariableTerm(x))
	}
	return out
}

// place is what an expression designates.
func (l *lowerer) place(e *ast.Expr) *lvalue {
	switch e.Kind {
	case ast.Name:
		s := l.lookup(e)
		switch {
		case s == nil:
			l.fail(e.At, "name %s, which is not declared", e.Name)
		case s.ptr != nil:
			return &lvalue{typ: s.typ, st: s}
		case s.mem != nil:
			return &lvalue{typ: s.typ, mem: s.mem, off: Number(0)}
		case s.term != nil:
			return &lvalue{typ: s.typ, st: s}
		case s.vars == nil:
			l.fail(e.At, "a value of type %s", KindName(s.typ))
		}
		return &lvalue{typ: s.typ, vars: s.vars, key: s.key}
	case ast.Index:
		return l.element(e)
	case ast.Unary:
		if e.Op == "*" {
			v := l.value(e.Args[0])
			if v.ptr == nil {
				l.fail(e.At, "* on a number")
			}
			return l.target(v.ptr, e.At)
		}
	case ast.Member:
		if e.Op == "->" {
			v := l.value(e.Args[0])
			if v.ptr == nil {
				l.fail(e.At, "-> on a number")
			}
			return l.part(l.target(v.ptr, e.At), e)
		}
		return l.part(l.place(e.Args[0]), e)
	case ast.Cast, ast.Call, ast.Binary, ast.Ternary, ast.Assign, ast.Step, ast.Comma:
		// a value: it gets variables, so that a part can be taken
		v := l.value(e)
		if v.ptr != nil {
			l.fail(e.At, "a pointer here")
		}
		v = l.keep(v, e.At)
		out := &lvalue{typ: v.typ, key: l.where(e.At)}
		for _, p := range v.parts {
			out.vars = append(out.vars, p.V)
		}
		return out
	}
	l.fail(e.At, "an expression that denotes no memory location")
	return nil
}

// element is the place of a subscript.
func (l *lowerer) element(e *ast.Expr) *lvalue {
	if e.Args[0].Kind == ast.Name || e.Args[0].Kind == ast.Index || e.Args[0].Kind == ast.Member {
		if e.Args[0].Kind != ast.Name || l.isArray(e.Args[0]) {
			lv := l.place(e.Args[0])
			if lv.typ.Kind == ast.ArrayType {
				i := l.index(l.value(e.Args[1]), e.At)
				elem := lv.typ.Elem
				// Of a part of an array, or of a structure; an access to a whole one is checked as such.
				if l.opts.Bounds && lv.mem != nil && lv.typ.N >= 0 && lv.typ.Cells() != lv.mem.Cells {
					l.check("bounds", "index into an array", Both(Compare(PLe, Number(0), i), Compare(PLt, i, Number(lv.typ.N))), e.At)
				}
				p := l.pointerTo(lv, elem)
				out := l.target(p.moved(Sum(p.off, Product(Number(elem.Cells()), i))), e.At)
				return l.ofSlot(out)
			}
			if lv.typ.Kind == ast.PointerType {
				v := l.pointerOperation("+", l.read(lv, e.At), l.value(e.Args[1]), e.At)
				return l.target(v.ptr, e.At)
			}
			if lv.typ.Kind == ast.VectorType {
				l.fail(e.At, "an index into a vector")
			}
			l.fail(e.At, "an index into a value of type %s", KindName(lv.typ))
		}
	}
	v := l.value(e.Args[0])
	w := l.value(e.Args[1])
	if v.ptr == nil {
		v, w = w, v
	}
	if v.ptr == nil {
		l.fail(e.At, "an index into a number")
	}
	return l.target(l.pointerOperation("+", v, w, e.At).ptr, e.At)
}

func (l *lowerer) isArray(e *ast.Expr) bool {
	s := l.lookup(e)
	return s == nil || s.typ.Kind == ast.ArrayType
}

// Swizzle are the lanes that the name of a part of a vector means, or nil.
func Swizzle(t *ast.Ctype, n string) []int64 {
	// Of three lanes these would have a fourth one, which has no value (OpenCL C 6.1.7).
	if t.N == 3 && (n == "hi" || n == "odd") {
		return nil
	}
	var out []int64
	half := (t.N + 1) / 2
	for i := range t.N {
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
			if i < 0 || i >= t.N {
				return nil
			}
			out = append(out, i)
		}
		return out
	}
	for _, c := range n {
		i := int64(strings.IndexRune("xyzw", c))
		if i < 0 || i >= t.N {
			return nil
		}
		out = append(out, i)
	}
	return out
}

// part is a member of a structure, or lanes of a vector.
func (l *lowerer) part(lv *lvalue, e *ast.Expr) *lvalue {
	// A place that is one of several has this member in each of them.
	if lv.choices != nil {
		out := &lvalue{which: lv.which}
		for _, c := range lv.choices {
			c = l.part(c, e)
			out.choices, out.typ = append(out.choices, c), c.typ
		}
		return out
	}
	out := &lvalue{mem: lv.mem, off: lv.off, null: lv.null, key: lv.key + "." + e.Name}
	switch lv.typ.Kind {
	case ast.VectorType:
		ls := Swizzle(lv.typ, e.Name)
		if ls == nil {
			l.fail(e.At, "part %s of %s", e.Name, KindName(lv.typ))
		}
		out.typ = lv.typ.Elem
		if len(ls) > 1 {
			out.typ = ast.VectorOf(lv.typ.Elem, int64(len(ls)))
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
	case ast.StructType:
		var skip int64
		for _, f := range lv.typ.Fields {
			n := f.Typ.Cells()
			if f.Name == e.Name {
				out.typ = f.Typ
				if lv.mem != nil {
					out.off = Sum(lv.off, Number(skip))
				} else if !lv.null {
					out.vars = lv.vars[skip : skip+n]
				}
				return l.ofSlot(out)
			}
			skip += n
		}
	}
	l.fail(e.At, "member %s of %s", e.Name, KindName(lv.typ))
	return nil
}

// ofSlot is a place that holds a pointer as the variable that it is, if it is private.
func (l *lowerer) ofSlot(lv *lvalue) *lvalue {
	if lv.typ.Kind == ast.PointerType && len(lv.vars) == 1 && lv.vars[0].held != nil {
		return &lvalue{typ: lv.typ, st: &storage{typ: lv.typ, ptr: lv.vars[0].held}}
	}
	return lv
}

// offsets are the cells of a place in memory, with their types.
func (l *lowerer) offsets(lv *lvalue) (offs []*Term, types []*ast.Ctype) {
	n := lv.typ.Cells()
	for i := range n {
		if lv.typ.Kind == ast.VectorType && i >= lv.typ.N {
			break
		}
		c := i
		if lv.cells != nil {
			c = lv.cells[i]
		}
		offs = append(offs, Sum(lv.off, Number(c)))
		types = append(types, lv.typ.Leaf(i))
	}
	return offs, types
}

// manyCells is from how many cells on an access to all of a structure is one to any of its cells: each of them would be compared
// with each of another thread.
const manyCells = 17

// anyOf is an offset of any of the cells of a place that is many of one array; nil of others.
func (l *lowerer) anyOf(lv *lvalue, offs []*Term, types []*ast.Ctype, at preproc.Place) *Term {
	n := int64(len(offs))
	if n < manyCells || lv.mem.Space == ast.Private || lv.mem.Content != nil || Minus(offs[n-1], offs[0]).Key() != Number(n-1).Key() {
		return nil
	}
	if slices.ContainsFunc(types, func(t *ast.Ctype) bool { return t.Kind != ast.IntType && t.Kind != ast.FloatType }) {
		return nil
	}
	cell := l.Anything(ast.TLong, at)
	l.Emit(&Instr{Op: DoAssume, At: at, E: Both(Compare(PLe, Number(0), cell), Compare(PLt, cell, Number(n)))})
	return Sum(offs[0], cell)
}

// read is the value at a place.
func (l *lowerer) read(lv *lvalue, at preproc.Place) *value {
	// A place is one of several, none at all, a variable of the lowering, or memory. Only memory is accessed.
	switch {
	case lv.choices != nil:
		return l.chosen(lv, at)
	case lv.null:
		l.check("null", "a read through a null pointer", Falsity, at)
		if lv.typ.Kind == ast.ArrayType {
			return &value{typ: &ast.Ctype{Kind: ast.PointerType, Elem: lv.typ.Elem}, ptr: nullPointer(lv.typ.Elem)}
		}
		return l.anyValue(lv.typ, at)
	case lv.st != nil && lv.st.ptr != nil:
		return l.pointerValue(lv.st, at)
	case lv.st != nil:
		return one(lv.st.typ, lv.st.term)
	case lv.typ.Kind == ast.ArrayType:
		return &value{typ: &ast.Ctype{Kind: ast.PointerType, Elem: lv.typ.Elem}, ptr: l.pointerTo(lv, lv.typ.Elem)}
	case lv.mem == nil:
		out := &value{typ: lv.typ}
		for i, v := range lv.vars {
			out.parts = append(out.parts, l.seenAs(VariableTerm(v), v.Typ, lv.typ.Leaf(int64(i)), at))
		}
		for int64(len(out.parts)) < lv.typ.Cells() {
			out.parts = append(out.parts, Number(0))
		}
		return out
	}
	out := &value{typ: lv.typ}
	offs, types := l.offsets(lv)
	if off := l.anyOf(lv, offs, types, at); off != nil {
		l.Emit(&Instr{Op: DoLoad, At: at, V: l.NewVariable("in", types[0]), Mem: lv.mem, Off: off})
		return l.anyValue(lv.typ, at)
	}
	for i, off := range offs {
		// Reads of cells with known content, and of constant tables at known indices, need no access to memory.
		if v := l.cell(lv.mem, off, at); v != nil {
			out.parts = append(out.parts, l.seenAs(VariableTerm(v), v.Typ, types[i], at))
			continue
		}
		if known := lv.mem.Content; known != nil && sameScalar(types[i], lv.mem.elem.Leaf(0)) && off.IsNum() && off.Val.IsInt64() && off.Val.Sign() >= 0 && off.Val.Int64() < int64(len(known)) {
			out.parts = append(out.parts, BigNumber(known[off.Val.Int64()]))
			continue
		}
		v := l.NewVariable("in", types[i])
		l.Emit(&Instr{Op: DoLoad, At: at, V: v, Mem: lv.mem, Off: off})
		out.parts = append(out.parts, VariableTerm(v))
	}
	for int64(len(out.parts)) < lv.typ.Cells() {
		out.parts = append(out.parts, Number(0))
	}
	if lv.typ.Kind == ast.PointerType {
		return &value{typ: lv.typ, ptr: &pointer{opaque: out.parts[0], elem: lv.typ.Elem, off: Number(0)}}
	}
	return out
}

// cell is the variable that stands for a cell of a private array, if it has any.
func (l *lowerer) cell(m *Memory, off *Term, at preproc.Place) *Variable {
	if m.fixed == nil {
		return nil
	}
	if off.IsNum() && off.Val.IsInt64() && off.Val.Sign() >= 0 && off.Val.Int64() < int64(len(m.fixed)) {
		return m.fixed[off.Val.Int64()]
	}
	if !l.dynamic[m.at] {
		// It cannot be a variable for each cell then: the next attempt makes it an array.
		l.dynamic[m.at] = true
		l.again = true
	}
	return nil
}

// write writes a value to a place.
func (l *lowerer) write(lv *lvalue, v *value, at preproc.Place) {
	switch {
	case lv.choices != nil:
		l.each(lv, at, func(c *lvalue) { l.write(c, v, at) })
		return
	case lv.null:
		l.check("null", "a write through a null pointer", Falsity, at)
		return
	case lv.st != nil:
		l.fail(at, "an assignment to a constant")
	case lv.mem == nil:
		for i, x := range lv.vars {
			l.set(x, l.seenAs(v.parts[i], lv.typ.Leaf(int64(i)), x.Typ, at), at)
		}
		return
	}
	if lv.mem.Space == ast.Constant {
		l.check("assert", "a write to constant memory", Falsity, at)
		return
	}
	offs, types := l.offsets(lv)
	if off := l.anyOf(lv, offs, types, at); off != nil {
		l.Emit(&Instr{Op: DoStore, At: at, Mem: lv.mem, Off: off, Typ: types[0]})
		return
	}
	for i, off := range offs {
		if x := l.cell(lv.mem, off, at); x != nil {
			l.Emit(&Instr{Op: DoAssign, At: at, V: x, E: l.seenAs(v.parts[i], types[i], x.Typ, at)})
			continue
		}
		l.Emit(&Instr{Op: DoStore, At: at, Mem: lv.mem, Off: off, E: v.parts[i], Typ: types[i]})
	}
	// A vector of three may be stored as one of four: what the last cell holds then is open.
	if lv.typ.Kind == ast.VectorType && lv.cells == nil && lv.typ.Cells() > lv.typ.N && lv.mem.fixed == nil {
		l.Emit(&Instr{Op: DoStore, At: at, Mem: lv.mem, Off: Sum(lv.off, Number(lv.typ.N)), Typ: lv.typ.Elem})
	}
}

// seenAs is a value of one type as its bits are as a value of another, which a pointer has
// led to.
func (l *lowerer) seenAs(e *Term, from, to *ast.Ctype, at preproc.Place) *Term {
	switch {
	case from.Kind == ast.PointerType || to.Kind == ast.PointerType || sameScalar(from, to):
		return e
	case from.Kind == ast.IntType && to.Kind == ast.IntType && from.Bits == to.Bits:
		return into(to, e)
	}
	return l.Anything(to, at)
}

// set gives a variable a value, which is a pointer where a structure holds one.
func (l *lowerer) set(x *Variable, e *Term, at preproc.Place) {
	if x.held == nil {
		l.Emit(&Instr{Op: DoAssign, At: at, V: x, E: e})
		return
	}
	st := &storage{typ: x.Typ, ptr: x.held}
	switch {
	case e.Op == Local_ && e.V.held != nil:
		l.assignPointer(st, l.pointerValue(&storage{typ: x.Typ, ptr: e.V.held}, at), at)
	case e.Is(0):
		l.assignPointer(st, &value{typ: x.Typ, ptr: nullPointer(x.Typ.Elem)}, at)
	default:
		l.assignPointer(st, &value{typ: x.Typ, ptr: &pointer{opaque: e, elem: x.Typ.Elem, off: Number(0)}}, at)
	}
}

// writePointer puts a pointer into memory: what is read there later is only known if it
// was itself read from memory.
func (l *lowerer) writePointer(lv *lvalue, v *value, at preproc.Place) {
	switch {
	case lv.choices != nil:
		l.each(lv, at, func(c *lvalue) { l.writePointer(c, v, at) })
		return
	case lv.null:
		l.check("null", "a write through a null pointer", Falsity, at)
		return
	case lv.mem == nil:
		l.fail(at, "a pointer in this place")
	}
	if x := l.cell(lv.mem, lv.off, at); x != nil {
		l.fail(at, "a pointer in an array of pointers")
	}
	l.Emit(&Instr{Op: DoStore, At: at, Mem: lv.mem, Off: lv.off, E: v.ptr.opaque})
}

func (l *lowerer) annotation(e *ast.Expr) *Term {
	l.pure++
	defer func() { l.pure-- }()
	return l.truth(e)
}

// Describe is the name of a memory in messages, with its address space.
func Describe(m *Memory) string { return fmt.Sprintf("%s memory %s", m.Space, m.name) }

// narrow is what types as wide as pointers hold on a target of 32 bits, by whether they have a sign.
var narrow = map[bool]interval.Interval{false: interval.TypeInterval(ast.TUint), true: interval.TypeInterval(ast.TInt)}

// depends notes, where t is as wide as pointers, that its width decides on a value, if e is not
// one of 32 bits as well.
func (l *lowerer) depends(t *ast.Ctype, e *Term) {
	if t.Pointerwide && !l.bounds(e).Inside(narrow[t.Signed]) {
		l.Prog.Wide = true
	}
}

// compares notes that a comparison depends on the width of pointers: with a type of another
// width, or another sign, the narrower operand is converted on one target, and on the other
// that one.
func (l *lowerer) compares(a, b *value, x, y *Term) {
	if b.typ.Pointerwide {
		a, b, x, y = b, a, y, x
	}
	switch {
	case !a.typ.Pointerwide || b.typ.Pointerwide && a.typ.Signed == b.typ.Signed:
	case b.typ.Bits == 64, a.typ.Signed && !b.typ.Signed && b.typ.Bits == 32:
		if !l.bounds(y).Inside(narrow[true]) || y.Op != Num {
			l.Prog.Wide = true
		}
	}
}

// hasWidth reports whether the size of a type depends on that of pointers.
func hasWidth(t *ast.Ctype) bool {
	switch t.Kind {
	case ast.PointerType:
		return true
	case ast.ArrayType:
		return hasWidth(t.Elem)
	case ast.StructType:
		for _, f := range t.Fields {
			if hasWidth(f.Typ) {
				return true
			}
		}
	}
	return t.Pointerwide
}

// bounds are those of an integer, from its form and its types alone.
func (l *lowerer) bounds(e *Term) interval.Interval {
	ofGrid := interval.Interval{Lo: big.NewInt(0), Hi: narrow[true].Hi}
	return Range(e, func(e *Term) interval.Interval {
		// The number of a thread in the grid has fewer bits than its form shows.
		for d := range 3 {
			if e.Key() == l.GlobalSize(d).Key() {
				return ofGrid
			}
			if id := l.GlobalID(d); e.Op == Add && id.Op == Add {
				rest := Minus(e, id)
				if len(summands(rest)) <= len(e.Args)-len(id.Args) {
					return l.bounds(rest).Plus(ofGrid)
				}
			}
		}
		switch {
		case e.Op == Sym && (e.Own || size(e)): // ids and sizes of the launch
			return interval.Interval{Lo: big.NewInt(0), Hi: l.most(e)}
		case e.Op == Local_ && e.V.Typ.Kind == ast.IntType:
			return interval.TypeInterval(e.V.Typ)
		}
		return interval.Interval{}
	})
}

func summands(e *Term) []*Term {
	switch {
	case e.Op == Add:
		return e.Args
	case e.Is(0):
		return nil
	}
	return []*Term{e}
}

// most is the greatest value of an id or a size of the launch.
func (l *lowerer) most(e *Term) *big.Int {
	of := l.opts.Local
	if e.Symbol.Of == OfGroup || e.Symbol.Of == GridGroups {
		of = l.opts.Groups
	}
	if n := of[e.Symbol.Dim]; e.Symbol.OfLaunch() && n > 0 {
		return big.NewInt(n)
	}
	return narrow[true].Hi
}
