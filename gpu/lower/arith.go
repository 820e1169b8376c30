package lower

import (
	"math/big"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/llvm"
)

// compute is the value of an instruction that accesses no memory, and of a constant expression.
func (l *lowerer) compute(i *llvm.Instr) *value {
	switch i.Op {
	case llvm.GetElementPtr:
		return l.element(i)
	case llvm.ExtractElement, llvm.InsertElement, llvm.ShuffleVector, llvm.ExtractValue, llvm.InsertValue:
		return l.lanes(i)
	case llvm.Select:
		return l.choice(i)
	case llvm.BitCast:
		return l.bits(i)
	case llvm.Freeze:
		return l.frozen(i)
	}
	// Everything else works lane by lane.
	var args [][]scalar
	n := 0
	for _, a := range i.Args {
		v := l.value(a)
		args = append(args, v.parts)
		n = max(n, len(v.parts))
	}
	out := &value{typ: i.Type}
	for k := range n {
		var xs []scalar
		for _, a := range args {
			if k >= len(a) {
				l.fail("%s of operands of different sizes", i.Op)
			}
			xs = append(xs, a[k])
		}
		out.parts = append(out.parts, l.scalarOp(i, xs))
	}
	return out
}

func elem(t *llvm.Type) *llvm.Type {
	if t.Kind == llvm.Vector {
		return t.Elem
	}
	return t
}

// scalarOp applies an instruction to scalars.
func (l *lowerer) scalarOp(i *llvm.Instr, xs []scalar) scalar {
	t, from := elem(i.Type), elem(i.Args[0].Type)
	switch i.Op {
	case llvm.ICmp:
		return truth(l.compare(i, from, xs[0], xs[1]))
	case llvm.FCmp:
		switch i.Pred {
		case "true":
			return truth(ir.Truth)
		case "false":
			return truth(ir.Falsity)
		}
		return truth(ir.Compare(ir.PNe, l.Anything(ast.TBool, l.at), ir.Number(0)))
	case llvm.FNeg, llvm.FAdd, llvm.FSub, llvm.FMul, llvm.FDiv, llvm.FRem, llvm.FPTrunc, llvm.FPToUI, llvm.FPToSI:
		return l.any(t)
	case llvm.FPExt:
		if xs[0].t == nil {
			return l.any(t)
		}
		return scalar{typ: floatType(t), t: xs[0].t} // the same number
	case llvm.UIToFP, llvm.SIToFP:
		if x := xs[0].t; x != nil && x.IsNum() && from.Bits > 1 {
			return scalar{typ: floatType(t), t: l.FloatConstant("of "+l.as(intType(from.Bits, i.Op == llvm.SIToFP), xs[0]).Val.String(), floatType(t))}
		}
		return l.any(t)
	case llvm.Trunc, llvm.ZExt, llvm.SExt:
		return l.resized(i, from, t, xs[0])
	case llvm.PtrToInt, llvm.PtrToAddr:
		return l.address(t, from, l.pointerOf(xs[0]))
	case llvm.IntToPtr:
		if p := xs[0].pointsIn(t.Space); p != nil {
			return scalar{ptr: p}
		}
		if x := xs[0].t; x != nil && x.Is(0) {
			return scalar{ptr: nullPointer()}
		}
		l.fail("an integer as a pointer")
	case llvm.AddrSpaceCast:
		return xs[0]
	}
	if t.Kind != llvm.Int {
		l.fail("the instruction %s of type %s", i.Op, t)
	}
	if t.Bits == 1 {
		return l.truths(i, xs)
	}
	return l.integers(i, t, xs)
}

// any is an arbitrary value.
func (l *lowerer) any(t *llvm.Type) scalar {
	switch t.Kind {
	case llvm.Float:
		c := floatType(t)
		return scalar{typ: c, t: l.Anything(c, l.at)}
	case llvm.Int:
		c := intType(t.Bits, true)
		return l.integer(c, l.Anything(c, l.at))
	}
	l.fail("a pointer without a source")
	return scalar{}
}

// compare is a comparison as a formula.
func (l *lowerer) compare(i *llvm.Instr, t *llvm.Type, a, b scalar) *ir.Term {
	if t.Kind == llvm.Pointer {
		return l.comparePointers(i.Pred, l.pointerOf(a), l.pointerOf(b))
	}
	if t.Bits == 1 {
		p, q := l.truthOf(a), l.truthOf(b)
		same := ir.Either(ir.Both(p, q), ir.Both(ir.Not(p), ir.Not(q)))
		switch i.Pred {
		case "eq":
			return same
		case "ne":
			return ir.Not(same)
		}
		return ir.Compare(ir.PNe, l.Anything(ast.TBool, l.at), ir.Number(0))
	}
	x, cx := l.num(a, t)
	y, cy := l.num(b, t)
	c := cx
	// The predicate says whether the numbers count as signed. Equality does not, and takes the type that needs no
	// conversion.
	switch i.Pred[0] {
	case 'u':
		c = intType(t.Bits, false)
	case 's':
		c = intType(t.Bits, true)
	default:
		switch {
		case x.IsNum():
			c = cy
		case !y.IsNum() && cx.Signed != cy.Signed:
			c = intType(t.Bits, true)
		}
	}
	x, y = l.as(c, scalar{typ: cx, t: x}), l.as(c, scalar{typ: cy, t: y})
	switch i.Pred {
	case "eq":
		return ir.Compare(ir.PEq, x, y)
	case "ne":
		return ir.Compare(ir.PNe, x, y)
	case "ult", "slt":
		return ir.Compare(ir.PLt, x, y)
	case "ule", "sle":
		return ir.Compare(ir.PLe, x, y)
	case "ugt", "sgt":
		return ir.Compare(ir.PLt, y, x)
	}
	return ir.Compare(ir.PLe, y, x)
}

// resized is an integer in more bits, or in fewer.
func (l *lowerer) resized(i *llvm.Instr, from, to *llvm.Type, s scalar) scalar {
	if s.undefined() {
		s = l.any(from) // the bits that are added are fixed all the same
	}
	switch {
	case i.Op == llvm.Trunc && to.Bits == 1:
		x, c := l.num(s, from)
		// Of a number that is 0 or 1 the lowest bit says whether it is 1.
		return truth(ir.Compare(ir.PNe, lowBit(c, x), ir.Number(0)))
	case i.Op == llvm.Trunc:
		x, c := l.num(s, from)
		to := intType(to.Bits, c.Signed)
		return scalar{typ: to, t: ir.Into(to, x)}
	case from.Bits == 1:
		p := l.truthOf(s)
		v := ir.TruthValue(p)
		if i.Op == llvm.SExt {
			v = ir.Product(ir.Number(-1), v)
		}
		return scalar{typ: intType(to.Bits, true), t: v}
	}
	signed := i.Op == llvm.SExt
	x := l.as(intType(from.Bits, signed), s)
	// What has no sign in fewer bits is a number with sign in more, too.
	return scalar{typ: intType(to.Bits, signed), t: x}
}

// lowBit is the lowest bit of x, as a number.
func lowBit(c *ast.Ctype, x *ir.Term) *ir.Term {
	if x.IsNum() {
		return ir.BigNumber(new(big.Int).And(x.Val, big.NewInt(1)))
	}
	return ir.Bitwise(ir.Band, c, x, ir.Number(1))
}

// truths are operations on single bits, as formulas: arithmetic of one bit is that of truth values, as 1 + 1 wraps to 0.
func (l *lowerer) truths(i *llvm.Instr, xs []scalar) scalar {
	p, q := l.truthOf(xs[0]), l.truthOf(xs[1])
	switch i.Op {
	case llvm.And, llvm.Mul:
		return truth(ir.Both(p, q))
	case llvm.Or:
		return truth(ir.Either(p, q))
	case llvm.Xor, llvm.Add, llvm.Sub:
		switch ir.Truth {
		case q:
			return truth(ir.Not(p))
		case p:
			return truth(ir.Not(q))
		}
		return truth(ir.Either(ir.Both(p, ir.Not(q)), ir.Both(ir.Not(p), q)))
	}
	return l.any(elem(i.Type))
}

// wraps is arithmetic that may leave its type: checked or taken for granted on request, where the
// instruction promises that it does not.
func (l *lowerer) wraps(i *llvm.Instr, bits int, e *ir.Term) scalar {
	signed := i.Flags&llvm.NSW != 0
	c := intType(bits, signed)
	if i.Flags&(llvm.NUW|llvm.Exact|llvm.NonNegative) != 0 {
		l.claim(flagsHold)
	}
	follows := l.opts.NoWrap || signed && (l.opts.Overflow || l.opts.NoOverflow)
	if !follows || e.IsNum() {
		if l.opts.Overflow && signed {
			l.Check("overflow", "signed overflow", ir.WithinType(c, e), l.at)
		}
		return scalar{typ: c, t: ir.Into(c, e)}
	}
	if l.opts.Overflow && signed {
		l.Check("overflow", "signed overflow", ir.WithinType(c, e), l.at)
	}
	l.Prog.Exact = true
	l.Emit(&ir.Instr{Op: ir.DoAssume, At: l.at, E: ir.WithinType(c, e)})
	return scalar{typ: c, t: e}
}

const flagsHold = "arithmetic of which the compiler says that it loses no bits (nuw, exact, nneg) wraps, and is not checked"

// integers are operations on integers of more than one bit.
func (l *lowerer) integers(i *llvm.Instr, t *llvm.Type, xs []scalar) scalar {
	x, cx := l.num(xs[0], t)
	y, cy := l.num(xs[1], t)
	sc, uc := intType(t.Bits, true), intType(t.Bits, false)
	sx := func() *ir.Term { return l.as(sc, scalar{typ: cx, t: x}) }
	sy := func() *ir.Term { return l.as(sc, scalar{typ: cy, t: y}) }
	ux := func() *ir.Term { return l.as(uc, scalar{typ: cx, t: x}) }
	uy := func() *ir.Term { return l.as(uc, scalar{typ: cy, t: y}) }
	switch i.Op {
	case llvm.Add:
		return l.wraps(i, t.Bits, ir.Sum(l.exactly(i, sc, x, cx), l.exactly(i, sc, y, cy)))
	case llvm.Sub:
		return l.wraps(i, t.Bits, ir.Minus(l.exactly(i, sc, x, cx), l.exactly(i, sc, y, cy)))
	case llvm.Mul:
		return l.wraps(i, t.Bits, ir.Product(l.exactly(i, sc, x, cx), l.exactly(i, sc, y, cy)))
	case llvm.UDiv, llvm.URem:
		l.divisor(y)
		if y.Is(0) {
			return l.any(t)
		}
		if i.Op == llvm.UDiv {
			return scalar{typ: uc, t: ir.Quotient(ux(), uy())}
		}
		return scalar{typ: uc, t: ir.Remainder(ux(), uy())}
	case llvm.SDiv, llvm.SRem:
		l.divisor(y)
		if y.Is(0) {
			return l.any(t)
		}
		// The least number by −1 overflows, in a remainder, too.
		promise := *i
		promise.Flags |= llvm.NSW
		a, b := sx(), sy()
		if i.Op == llvm.SRem {
			if l.opts.Overflow {
				l.wraps(&promise, t.Bits, ir.Quotient(a, b))
			}
			return scalar{typ: sc, t: ir.Remainder(a, b)}
		}
		return l.wraps(&promise, t.Bits, ir.Quotient(a, b))
	case llvm.Shl, llvm.LShr, llvm.AShr:
		return l.shift(i, t, scalar{typ: cx, t: x}, scalar{typ: cy, t: y})
	}
	return l.bitwise(i, t, scalar{typ: cx, t: x}, scalar{typ: cy, t: y})
}

// exactly is an operand of arithmetic: as a number with sign where overflow of such is followed, and as it
// is where only its bits count.
func (l *lowerer) exactly(i *llvm.Instr, sc *ast.Ctype, x *ir.Term, c *ast.Ctype) *ir.Term {
	if i.Flags&llvm.NSW != 0 && !c.Signed {
		return ir.Into(sc, x)
	}
	return x
}

func (l *lowerer) divisor(y *ir.Term) {
	if !y.IsNum() || y.Val.Sign() == 0 {
		l.Check("division", "division by zero", ir.Compare(ir.PNe, y, ir.Number(0)), l.at)
	}
}

// shift is the value of a shift, by a known number as a product or quotient. Shifts by too much give any value.
func (l *lowerer) shift(i *llvm.Instr, t *llvm.Type, a, b scalar) scalar {
	y := b.t
	if y.IsNum() {
		if y.Val.Sign() < 0 || y.Val.Cmp(big.NewInt(int64(t.Bits))) >= 0 {
			return l.any(t) // poison
		}
		by := ir.BigNumber(new(big.Int).Lsh(big.NewInt(1), uint(y.Val.Int64())))
		switch i.Op {
		case llvm.Shl:
			return l.wraps(i, t.Bits, ir.Product(by, l.exactly(i, intType(t.Bits, true), a.t, a.typ)))
		case llvm.LShr:
			c := intType(t.Bits, false)
			return scalar{typ: c, t: ir.Quotient(l.as(c, a), by)}
		}
		c := intType(t.Bits, true)
		x := l.as(c, a)
		// Towards −∞.
		return scalar{typ: c, t: ir.Choose(ir.Compare(ir.PLe, ir.Number(0), x), ir.Quotient(x, by), ir.Minus(ir.Number(-1), ir.Quotient(ir.Minus(ir.Number(-1), x), by)))}
	}
	c := intType(t.Bits, i.Op != llvm.LShr && (i.Op == llvm.AShr || i.Flags&llvm.NSW != 0 || a.typ.Signed))
	op := ir.Shl
	if i.Op != llvm.Shl {
		op = ir.Shr
	}
	amount := l.as(intType(t.Bits, false), b)
	shifted := ir.Bitwise(op, c, l.as(c, a), amount)
	fits := ir.Compare(ir.PLt, amount, ir.Number(int64(t.Bits)))
	if masked(y, t.Bits) || op == ir.Shl { // of what is shifted left nothing is known anyway
		return scalar{typ: c, t: shifted}
	}
	return scalar{typ: c, t: ir.Choose(fits, shifted, l.Anything(c, l.at))}
}

// masked reports whether a number is below the number of bits, by its form.
func masked(y *ir.Term, bits int) bool {
	return y.Op == ir.Band && y.Args[1].IsNum() && y.Args[1].Val.Sign() >= 0 && y.Args[1].Val.Cmp(big.NewInt(int64(bits))) < 0
}

// bitwise is the value of and, or and xor.
func (l *lowerer) bitwise(i *llvm.Instr, t *llvm.Type, a, b scalar) scalar {
	signed := a.typ.Signed
	switch {
	case a.t.IsNum():
		signed = b.typ.Signed
	case !b.t.IsNum():
		signed = a.typ.Signed && b.typ.Signed
	}
	c := intType(t.Bits, signed)
	x, y := l.as(c, a), l.as(c, b)
	switch i.Op {
	case llvm.And:
		return scalar{typ: c, t: ir.Bitwise(ir.Band, c, x, y)}
	case llvm.Or:
		return scalar{typ: c, t: ir.Bitwise(ir.Bor, c, x, y)}
	case llvm.Xor:
		if ones := l.as(c, scalar{typ: intType(t.Bits, true), t: ir.Number(-1)}); y.IsNum() && y.Val.Cmp(ones.Val) == 0 {
			return scalar{typ: c, t: ir.Minus(ones, x)}
		}
		return scalar{typ: c, t: ir.Bitwise(ir.Bxor, c, x, y)}
	}
	l.fail("the instruction %s", i.Op)
	return scalar{}
}

// choice is a select.
func (l *lowerer) choice(i *llvm.Instr) *value {
	cond, a, b := l.value(i.Args[0]), l.value(i.Args[1]), l.value(i.Args[2])
	if len(a.parts) != len(b.parts) {
		l.fail("select between values of different sizes")
	}
	out := &value{typ: i.Type}
	leaves, ok := l.scalars(i.Type)
	if !ok || len(leaves) != len(a.parts) || len(cond.parts) != 1 && len(cond.parts) != len(a.parts) {
		l.fail("select of type %s", i.Type)
	}
	for k := range a.parts {
		p := l.truthOf(cond.parts[min(k, len(cond.parts)-1)])
		out.parts = append(out.parts, l.chosen(p, leaves[k], a.parts[k], b.parts[k]))
	}
	return out
}

// chosen is x where p holds, and y elsewhere.
func (l *lowerer) chosen(p *ir.Term, t *llvm.Type, x, y scalar) scalar {
	switch {
	case p.Op == ir.PTrue:
		return x
	case p.Op == ir.PFalse:
		return y
	case t.Kind == llvm.Pointer:
		return scalar{ptr: l.eitherPointer(p, l.pointerOf(x), l.pointerOf(y))}
	case t.Kind == llvm.Int && t.Bits == 1:
		a, b := l.truthOf(x), l.truthOf(y)
		return truth(ir.Either(ir.Both(p, a), ir.Both(ir.Not(p), b)))
	}
	a, ca := l.num(x, t)
	b, cb := l.num(y, t)
	c := ca
	if t.Kind == llvm.Int && ca.Signed != cb.Signed {
		switch {
		case a.IsNum():
			c = cb
		case !b.IsNum():
			c = intType(t.Bits, true)
		}
	}
	return scalar{typ: c, t: ir.Choose(p, l.as(c, scalar{typ: ca, t: a}), l.as(c, scalar{typ: cb, t: b}))}
}

// frozen is a value that is the same at each use.
func (l *lowerer) frozen(i *llvm.Instr) *value {
	v := l.value(i.Args[0])
	out := &value{typ: v.typ}
	leaves, _ := l.scalars(i.Type)
	for k, s := range v.parts {
		if s.undefined() {
			s = l.any(leaves[k])
		}
		out.parts = append(out.parts, s)
	}
	return out
}

// bits is what a bitcast gives: the same lanes where they are of one size, otherwise any.
func (l *lowerer) bits(i *llvm.Instr) *value {
	v := l.value(i.Args[0])
	from, ok1 := l.scalars(i.Args[0].Type)
	to, ok2 := l.scalars(i.Type)
	if !ok1 || !ok2 {
		l.fail("bitcast of %s", i.Args[0].Type)
	}
	out := &value{typ: i.Type}
	for k, t := range to {
		switch {
		case len(from) != len(to):
			out.parts = append(out.parts, l.any(t))
		case t.Kind == llvm.Pointer && from[k].Kind == llvm.Pointer:
			out.parts = append(out.parts, v.parts[k])
		case t.Kind == llvm.Pointer || from[k].Kind == llvm.Pointer:
			l.fail("a pointer used as a number")
		case t.Kind == from[k].Kind && t.Bits == from[k].Bits && t.Name == from[k].Name:
			out.parts = append(out.parts, v.parts[k])
		default:
			out.parts = append(out.parts, l.any(t))
		}
	}
	return out
}

// lanes are the instructions that take vectors and structures apart, and put them together.
func (l *lowerer) lanes(i *llvm.Instr) *value {
	v := l.value(i.Args[0])
	out := &value{typ: i.Type}
	switch i.Op {
	case llvm.ExtractElement:
		index := l.one(l.value(i.Args[1]))
		if k, ok := l.constant(index); ok {
			if k < 0 || k >= int64(len(v.parts)) {
				out.parts = []scalar{{}}
				return out
			}
			out.parts = []scalar{v.parts[k]}
			return out
		}
		return l.laneOf(i, v, index)
	case llvm.InsertElement:
		x, index := l.one(l.value(i.Args[1])), l.one(l.value(i.Args[2]))
		k, ok := l.constant(index)
		out.parts = append(out.parts, v.parts...)
		switch {
		case ok && k >= 0 && k < int64(len(out.parts)):
			out.parts[k] = x
		case ok: // poison
			for j := range out.parts {
				out.parts[j] = scalar{}
			}
		default:
			n := l.as(intType(i.Args[2].Type.Bits, false), index)
			for j := range out.parts {
				out.parts[j] = l.chosen(ir.Compare(ir.PEq, n, ir.Number(int64(j))), i.Type.Elem, x, out.parts[j])
			}
		}
	case llvm.ShuffleVector:
		w := l.value(i.Args[1])
		all := append(append([]scalar{}, v.parts...), w.parts...)
		mask := l.value(i.Args[2])
		for _, m := range mask.parts {
			k, ok := l.constant(m)
			switch {
			case m.undefined():
				out.parts = append(out.parts, scalar{})
			case !ok || k < 0 || k >= int64(len(all)):
				l.fail("shufflevector with this mask")
			default:
				out.parts = append(out.parts, all[k])
			}
		}
	case llvm.ExtractValue, llvm.InsertValue:
		at, n := l.part(i.Args[0].Type, i.Index)
		if i.Op == llvm.ExtractValue {
			out.parts = append(out.parts, v.parts[at:at+n]...)
			return out
		}
		x := l.value(i.Args[1])
		if len(x.parts) != n {
			l.fail("insertvalue of %s", x.typ)
		}
		out.parts = append(out.parts, v.parts...)
		copy(out.parts[at:], x.parts)
	}
	return out
}

// laneOf is a lane whose number is computed.
func (l *lowerer) laneOf(i *llvm.Instr, v *value, index scalar) *value {
	n := l.as(intType(i.Args[1].Type.Bits, false), index)
	s := l.zeroLane(i, v)
	for k := len(v.parts) - 2; k >= 0; k-- {
		s = l.chosen(ir.Compare(ir.PEq, n, ir.Number(int64(k))), i.Type, v.parts[k], s)
	}
	return single(i.Type, s)
}

// zeroLane stands for the last lane, and for all that a vector does not have.
func (l *lowerer) zeroLane(i *llvm.Instr, v *value) scalar {
	n := l.as(intType(i.Args[1].Type.Bits, false), l.one(l.value(i.Args[1])))
	last := len(v.parts) - 1
	if i.Type.Kind == llvm.Pointer {
		return v.parts[last]
	}
	return l.chosen(ir.Compare(ir.PEq, n, ir.Number(int64(last))), i.Type, v.parts[last], scalar{})
}

func (l *lowerer) constant(s scalar) (int64, bool) {
	if s.t == nil || !s.t.IsNum() || !s.t.Val.IsInt64() {
		return 0, false
	}
	return s.t.Val.Int64(), true
}

// part says which scalars of a structure an index means.
func (l *lowerer) part(t *llvm.Type, index []int64) (at, n int) {
	count := func(t *llvm.Type) int {
		all, ok := l.scalars(t)
		if !ok {
			l.fail("a value of type %s", t)
		}
		return len(all)
	}
	for _, k := range index {
		if t.Kind == llvm.Struct {
			for _, f := range t.Fields[:k] {
				at += count(f)
			}
			t = t.Fields[k]
			continue
		}
		t = t.Elem
		at += int(k) * count(t)
	}
	return at, count(t)
}
