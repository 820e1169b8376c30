// Package host finds the kernel launches in hosts of CUDA, HIP and OpenCL, read as LLVM IR.
// Sizes, arguments and allocations of a launch are expressions over unknown values. Nothing
// is executed.
package host

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/llvm"
)

// Expr is an integer of the host: a constant, a value that is not known, or an operation on others.
type Expr struct {
	Bits  int
	Const *big.Int // of a constant, without sign
	Name  string   // as the source has it, "" if it has no name
	Op    llvm.Op  // otherwise
	Pred  string   // of a comparison
	Args  []*Expr
	exact bool // of an operation with sign: it does not overflow, or the host has no meaning
	input bool // of a value that is not known: the program does not work it out, but is given it
	size  int
	parts map[int]*Expr // of a value that is not known: its lowest bits, by their number
}

// maxExpr bounds the operations of an expression; what is larger is taken for a value that is not known.
const maxExpr = 64

func constant(bits int, n *big.Int) *Expr {
	mask := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return &Expr{Bits: bits, Const: new(big.Int).Mod(n, mask), size: 1}
}

func unknown(bits int, name string) *Expr { return &Expr{Bits: bits, Name: name, size: 1} }

// IsUnknown reports whether nothing is known of e.
func (e *Expr) IsUnknown() bool { return e.Const == nil && len(e.Args) == 0 }

// Number is the value of a constant, without sign; ok says whether e is one.
func (e *Expr) Number() (n int64, ok bool) {
	if e == nil || e.Const == nil || !e.Const.IsInt64() {
		return 0, false
	}
	return e.Const.Int64(), true
}

// operation is op of args. What is too large is a value that is not known.
func operation(op llvm.Op, bits int, pred string, args ...*Expr) *Expr {
	e := &Expr{Bits: bits, Op: op, Pred: pred, Args: args, size: 1}
	for _, a := range args {
		e.size += a.size
	}
	if e.size > maxExpr {
		return unknown(bits, "")
	}
	if op == llvm.Shl || op == llvm.LShr || op == llvm.AShr { // by more, the result is poison
		if n, ok := args[1].Number(); !ok || n >= int64(bits) {
			return unknown(bits, "")
		}
	}
	return e.simple()
}

// simple is an expression of the same value, with constants folded and halves of pairs taken apart.
func (e *Expr) simple() *Expr {
	a := e.Args[0]
	switch e.Op {
	case llvm.Trunc:
		return a.low(e.Bits)
	case llvm.ZExt:
		if a.Const != nil {
			return constant(e.Bits, a.Const)
		}
	case llvm.SExt:
		switch {
		case a.Const != nil:
			return constant(e.Bits, a.signed())
		case a.exact && len(a.Args) == 2 && a.Op != llvm.Shl:
			wide := operation(a.Op, e.Bits, "", operation(llvm.SExt, e.Bits, "", a.Args[0]), operation(llvm.SExt, e.Bits, "", a.Args[1]))
			wide.exact = true
			return wide
		case a.exact && len(a.Args) == 2:
			if n, ok := a.Args[1].Number(); ok {
				return operation(llvm.Shl, e.Bits, "", operation(llvm.SExt, e.Bits, "", a.Args[0]), constant(e.Bits, big.NewInt(n)))
			}
		}
	case llvm.LShr:
		if n, ok := e.Args[1].Number(); ok && n == 32 && e.Bits == 64 {
			if h := a.high(); h != nil {
				return operation(llvm.ZExt, 64, "", h)
			}
		}
	}
	if len(e.Args) == 2 && a.Const != nil && e.Args[1].Const != nil {
		if n := folded(e.Op, a, e.Args[1]); n != nil {
			return constant(e.Bits, n)
		}
	}
	if e.Op == llvm.Select && e.Args[1].same(e.Args[2]) {
		return e.Args[1]
	}
	if len(e.Args) == 2 && e.Op == llvm.And {
		for k, x := range e.Args {
			switch {
			case x.Const == nil:
			case x.Const.Sign() == 0:
				return x
			case new(big.Int).Add(x.Const, big.NewInt(1)).TrailingZeroBits() == uint(e.Bits):
				return e.Args[1-k]
			}
		}
	}
	if len(e.Args) == 2 && a.Const != nil && a.Const.Sign() == 0 && (e.Op == llvm.Or || e.Op == llvm.Add || e.Op == llvm.Xor) {
		return e.Args[1]
	}
	if e.Op == llvm.AShr && a.Op == llvm.Shl && len(a.Args) == 2 && e.Bits == 64 { // a number of 32 bits, times a power of two
		up, ok1 := a.Args[1].Number()
		down, ok2 := e.Args[1].Number()
		if ok1 && ok2 && up == 32 && down <= 32 {
			return operation(llvm.Shl, 64, "", operation(llvm.SExt, 64, "", a.Args[0].low(32)), constant(64, big.NewInt(32-down)))
		}
	}
	if len(e.Args) == 2 && e.Args[1].Const != nil && e.Args[1].Const.Sign() == 0 {
		switch e.Op {
		case llvm.Add, llvm.Sub, llvm.Or, llvm.Xor, llvm.Shl, llvm.LShr, llvm.AShr:
			return a
		}
	}
	return e
}

// folded is the value of an operation on constants, nil if it is not worked out.
func folded(op llvm.Op, a, b *Expr) *big.Int {
	x, y := a.Const, b.Const
	out := new(big.Int)
	switch op {
	case llvm.Add:
		return out.Add(x, y)
	case llvm.Sub:
		return out.Sub(x, y)
	case llvm.Mul:
		return out.Mul(x, y)
	case llvm.Shl:
		return out.Lsh(x, uint(y.Uint64()))
	case llvm.LShr:
		return out.Rsh(x, uint(y.Uint64()))
	case llvm.And:
		return out.And(x, y)
	case llvm.Or:
		return out.Or(x, y)
	case llvm.UDiv:
		if y.Sign() != 0 {
			return out.Quo(x, y)
		}
	case llvm.SDiv:
		if y.Sign() != 0 {
			return out.Quo(a.signed(), b.signed())
		}
	}
	return nil
}

// signed is a constant as a number with sign.
func (e *Expr) signed() *big.Int {
	half := new(big.Int).Lsh(big.NewInt(1), uint(e.Bits-1))
	if e.Const.Cmp(half) < 0 {
		return e.Const
	}
	return new(big.Int).Sub(e.Const, new(big.Int).Lsh(half, 1))
}

// low are the lowest bits of e.
func (e *Expr) low(bits int) *Expr {
	switch {
	case bits == e.Bits:
		return e
	case e.IsUnknown(): // what the other bits are does not matter to these
		if e.parts[bits] == nil {
			if e.parts == nil {
				e.parts = map[int]*Expr{}
			}
			e.parts[bits] = unknown(bits, e.Name)
			e.parts[bits].input = e.input
		}
		return e.parts[bits]
	case e.Const != nil:
		return constant(bits, e.Const)
	case e.Op == llvm.ZExt && len(e.Args) == 1 || e.Op == llvm.SExt && len(e.Args) == 1:
		switch in := e.Args[0]; {
		case in.Bits == bits:
			return in
		case in.Bits > bits:
			return in.low(bits)
		}
	case (e.Op == llvm.Or || e.Op == llvm.And || e.Op == llvm.Xor) && len(e.Args) == 2 && e.Bits == 64:
		return operation(e.Op, bits, "", e.Args[0].low(bits), e.Args[1].low(bits))
	case e.Op == llvm.Select && e.Bits == 64:
		return operation(llvm.Select, bits, "", e.Args[0], e.Args[1].low(bits), e.Args[2].low(bits))
	case e.Op == llvm.Shl && len(e.Args) == 2:
		if n, ok := e.Args[1].Number(); ok && n >= int64(bits) {
			return constant(bits, new(big.Int))
		}
	}
	return &Expr{Bits: bits, Op: llvm.Trunc, Args: []*Expr{e}, size: e.size + 1}
}

// high are the upper 32 bits of one of 64, nil if they are not known apart from the others.
func (e *Expr) high() *Expr {
	switch {
	case e.Bits != 64:
		return nil
	case e.Const != nil:
		return constant(32, new(big.Int).Rsh(e.Const, 32))
	case e.Op == llvm.ZExt && len(e.Args) == 1 && e.Args[0].Bits <= 32:
		return constant(32, new(big.Int))
	case (e.Op == llvm.Or || e.Op == llvm.And || e.Op == llvm.Xor) && len(e.Args) == 2:
		a, b := e.Args[0].high(), e.Args[1].high()
		if a != nil && b != nil {
			return operation(e.Op, 32, "", a, b)
		}
		for _, h := range []*Expr{a, b} {
			if e.Op == llvm.And && h != nil && h.Const != nil && h.Const.Sign() == 0 {
				return h
			}
		}
	case e.Op == llvm.Select:
		a, b := e.Args[1].high(), e.Args[2].high()
		if a != nil && b != nil {
			return operation(llvm.Select, 32, "", e.Args[0], a, b)
		}
	case e.Op == llvm.Shl && len(e.Args) == 2:
		if n, ok := e.Args[1].Number(); ok && n == 32 {
			return e.Args[0].low(32)
		}
	}
	return nil
}

// upper is high, or what stands for it.
func (e *Expr) upper() *Expr {
	if h := e.high(); h != nil {
		return h
	}
	return &Expr{Bits: 32, Op: llvm.Trunc, Args: []*Expr{{Bits: 64, Op: llvm.LShr, Args: []*Expr{e, constant(64, big.NewInt(32))}, size: e.size + 2}}, size: e.size + 3}
}

// same reports whether two expressions have one value: they are built alike of the same values.
func (e *Expr) same(o *Expr) bool {
	if e == o {
		return true
	}
	if e == nil || o == nil || e.Bits != o.Bits || (e.Const == nil) != (o.Const == nil) || e.Op != o.Op || e.Pred != o.Pred || len(e.Args) != len(o.Args) {
		return false
	}
	if e.Const != nil {
		return e.Const.Cmp(o.Const) == 0
	}
	for i, a := range e.Args {
		if !a.same(o.Args[i]) {
			return false
		}
	}
	return len(e.Args) > 0
}

var operators = map[llvm.Op]string{
	llvm.Add: "+", llvm.Sub: "-", llvm.Mul: "*", llvm.UDiv: "/", llvm.SDiv: "/", llvm.URem: "%", llvm.SRem: "%",
	llvm.Shl: "<<", llvm.LShr: ">>", llvm.AShr: ">>", llvm.And: "&", llvm.Or: "|", llvm.Xor: "^",
}

// String writes e for people, as C with ⌈ ⌉ for divisions that round up; "?" stands for what has no name.
func (e *Expr) String() string { return e.text(false) }

func (e *Expr) text(inner bool) string {
	if e != nil && e.Name != "" && e.Const == nil && !e.partsSpelled() {
		return e.Name
	}
	return e.written(inner)
}

// spelled reports whether the text of e says which value it is: all that it is made of is a constant or has a name.
func (e *Expr) spelled() bool {
	return e != nil && (e.Const != nil || e.Name != "" || e.partsSpelled())
}

// partsSpelled is spelled of what e is made of. A choice is too long to be shown.
func (e *Expr) partsSpelled() bool {
	if len(e.Args) == 0 || e.Op == llvm.Select || e.isHalf() {
		return false
	}
	if x, _ := e.roundedUp(); x != nil {
		return x.spelled()
	}
	return !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !a.spelled() })
}

// isHalf reports whether e is the upper half of a pair of which nothing is known.
func (e *Expr) isHalf() bool {
	return e.Op == llvm.Trunc && e.Args[0].Op == llvm.LShr && e.Args[0].Bits == 64
}

// written is an expression as messages print it, in parentheses where it stands inside another one.
func (e *Expr) written(inner bool) string {
	switch {
	case e == nil:
		return "?"
	case e.Const != nil:
		return e.signed().String()
	case len(e.Args) == 0 && e.Name == "":
		return "?"
	case len(e.Args) == 0:
		return e.Name
	}
	if x, n := e.roundedUp(); x != nil {
		return fmt.Sprintf("⌈%s/%s⌉", x.text(true), n.text(true))
	}
	switch e.Op {
	case llvm.ZExt, llvm.SExt, llvm.Trunc:
		if e.isHalf() {
			return "?"
		}
		return e.Args[0].text(inner)
	case llvm.Select:
		return fmt.Sprintf("(%s ? %s : %s)", e.Args[0].text(true), e.Args[1].text(true), e.Args[2].text(true))
	case llvm.ICmp:
		sign := map[string]string{"eq": "==", "ne": "!=", "ult": "<", "slt": "<", "ule": "<=", "sle": "<=", "ugt": ">", "sgt": ">", "uge": ">=", "sge": ">="}[e.Pred]
		return fmt.Sprintf("%s %s %s", e.Args[0].text(true), sign, e.Args[1].text(true))
	}
	a, b := e.Args[0], e.Args[1]
	op := operators[e.Op]
	right := b.text(true)
	if n, ok := b.Number(); ok && n < 31 { // as the source has it
		switch e.Op {
		case llvm.Shl:
			op, right = "*", fmt.Sprint(int64(1)<<n)
		case llvm.LShr, llvm.AShr:
			op, right = "/", fmt.Sprint(int64(1)<<n)
		}
	}
	if e.Op == llvm.Add && b.Const != nil && b.signed().Sign() < 0 {
		op, right = "-", new(big.Int).Neg(b.signed()).String()
	}
	out := a.text(true) + op + right
	if inner {
		return "(" + out + ")"
	}
	return out
}

// roundedUp takes (x + n − 1) / n apart; nil if e is no such division.
func (e *Expr) roundedUp() (x, n *Expr) {
	if len(e.Args) != 2 || e.Args[1].Const == nil {
		return nil, nil
	}
	by := new(big.Int).Set(e.Args[1].Const)
	switch e.Op {
	case llvm.UDiv, llvm.SDiv:
	case llvm.LShr, llvm.AShr:
		by.Lsh(big.NewInt(1), uint(by.Uint64()))
	default:
		return nil, nil
	}
	sum := e.Args[0]
	for len(sum.Args) == 1 {
		sum = sum.Args[0]
	}
	if sum.Op != llvm.Add || len(sum.Args) != 2 || sum.Args[1].Const == nil || new(big.Int).Add(sum.Args[1].Const, big.NewInt(1)).Cmp(by) != 0 {
		return nil, nil
	}
	return sum.Args[0], constant(64, by)
}

// counted is the value with a sign of which e is a multiple by a positive constant, nil if there is none: as a size of an
// allocation, e is not negative, and so that value is not.
func (e *Expr) counted() *Expr {
	for len(e.Args) == 2 && (e.Op == llvm.Mul || e.Op == llvm.Shl) && e.Args[1].Const != nil && e.Args[1].signed().Sign() > 0 {
		e = e.Args[0]
	}
	if e.Op == llvm.SExt && len(e.Args) == 1 && e.Args[0].IsUnknown() && e.Args[0].Name != "" {
		return e.Args[0]
	}
	return nil
}

// not is the other truth value.
func (e *Expr) not() *Expr {
	if other := inverse[e.Pred]; e.Op == llvm.ICmp && other != "" && len(e.Args) == 2 {
		return &Expr{Bits: 1, Op: llvm.ICmp, Pred: other, Args: e.Args, size: e.size}
	}
	return operation(llvm.Xor, 1, "", e, constant(1, big.NewInt(1)))
}

var inverse = map[string]string{"eq": "ne", "ne": "eq", "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt"}

// unknowns visits the values that are not known of which e is made.
func (e *Expr) unknowns(visit func(*Expr)) {
	if e == nil {
		return
	}
	if e.IsUnknown() {
		visit(e)
	}
	for _, a := range e.Args {
		a.unknowns(visit)
	}
}

// dims writes three sizes.
func dims(of [3]*Expr) string {
	last := 0
	for d, e := range of {
		if n, ok := e.Number(); !ok || n != 1 {
			last = d
		}
	}
	var out []string
	for _, e := range of[:last+1] {
		out = append(out, e.String())
	}
	if len(out) == 1 {
		return out[0]
	}
	return "(" + strings.Join(out, ", ") + ")"
}
