package interp

import (
	"fmt"
	"math"
	"math/big"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

// operate is the value of a binary operation, with the conversions of C, lane by lane for vectors.
func (r *runner) operate(op string, a, b result, at preproc.Place) result {
	if a.typ.Kind == ast.VectorType || b.typ.Kind == ast.VectorType {
		t := a.typ
		if t.Kind != ast.VectorType {
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
			if ir.Comparisons[op] { // true is −1 in lanes
				v = r.operate("-", intValue(ast.TInt, 0), v, at)
				out.typ = ast.Truths(t)
			} else {
				v = r.convert(v, t.Elem, at)
			}
			out.c = append(out.c, v.c[0])
		}
		return out
	}
	if len(a.c) != 1 || len(b.c) != 1 {
		r.undecided(at, "operator %s on values of type %s", op, ir.KindName(a.typ))
	}
	x, y := a.c[0], b.c[0]
	if x.kind == pointerScalar || y.kind == pointerScalar {
		return r.pointers(op, a, b, at)
	}
	t := ast.CommonType(a.typ, b.typ)
	if op == "<<" || op == ">>" {
		t = ast.Promoted(a.typ)
	}
	out := t
	if ir.Comparisons[op] {
		out = ast.TInt
	}
	if x.kind == unknownScalar || y.kind == unknownScalar {
		if x.equals(y) && ir.Comparisons[op] && t.Kind != ast.FloatType {
			return intValue(ast.TInt, asInt(op == "==" || op == "<=" || op == ">="))
		}
		if x.equals(y) && op == "==" {
			return intValue(ast.TInt, 1)
		}
		if x.kind != unknownScalar {
			x = r.convertScalar(x, a.typ, t, at)
		} else if y.kind != unknownScalar && op != "<<" && op != ">>" {
			y = r.convertScalar(y, b.typ, t, at)
		}
		return result{out, []scalar{r.unknownOf(op, t, x, y, at)}}
	}
	x, y = r.convertScalar(x, a.typ, t, at), r.convertScalar(y, b.typ, t, at)
	if op == "<<" || op == ">>" {
		y = b.c[0]
	}
	if t.Kind == ast.FloatType {
		return r.floats(op, t, x.f, y.f, at)
	}
	return r.integers(op, t, out, x.i, y.i, at)
}

// unknownOf is the value of an operator of operands of type t, of which one is not known: it has a name for how it came about,
// so that equal computations are equal.
func (r *runner) unknownOf(op string, t *ast.Ctype, x, y scalar, at preproc.Place) scalar {
	r.certain(op, t, y, at)
	if (op == "<<" || op == ">>") && (y.kind != intScalar || y.i < 0 || y.i >= int64(t.Bits)) { // C leaves it open, and devices differ
		return r.unknown("")
	}
	// Both commute, so their operands are named in one order: a + b equals b + a.
	if (op == "+" || op == "*") && y.key() < x.key() {
		x, y = y, x
	}
	name := op + t.Name + " " + x.key() + " " + y.key()
	if t.Kind != ast.FloatType || r.t == nil {
		return r.unknown(name)
	}
	// Devices may round a quotient as they like, and add to a product before they round it.
	if op == "/" || (op == "+" || op == "-") && (r.isProduct(x) || r.isProduct(y)) {
		name += onDevice
	}
	v := r.unknown(name)
	if op == "*" {
		r.use.products[v.i] = true
	}
	return v
}

// onDevice marks names of values that hosts may compute otherwise.
const onDevice = " on the device"

func (r *runner) isProduct(s scalar) bool { return s.kind == unknownScalar && r.use.products[s.i] }

// certain doubts an operator of which one operand is not known, where some values of it are a fault.
func (r *runner) certain(op string, t *ast.Ctype, y scalar, at preproc.Place) {
	division := (op == "/" || op == "%") && t.Kind == ast.IntType
	switch {
	case division && y.kind == unknownScalar:
		r.doubt(at, "a division by an unknown value, which may be 0")
	case division && y.kind == intScalar && y.i == 0:
		r.fault("division", at, "division by zero")
	case r.checks.Overflow && t.Kind == ast.IntType && t.Signed && (division && y.i == -1 || overflowing[op]):
		r.doubt(at, "arithmetic on an unknown value, which may overflow")
	}
}

// overflowing are the operators of which signed numbers may overflow, apart from quotients.
var overflowing = map[string]bool{"+": true, "-": true, "*": true, "<<": true}

// floats is the value of an operation on floating-point numbers, rounded to their type.
func (r *runner) floats(op string, t *ast.Ctype, x, y float64, at preproc.Place) result {
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
		v := r.unknown(fmt.Sprint("product ", t.Name, " ", x, "*", y))
		r.use.products[v.i] = true
		return result{t, []scalar{v}}
	case "/":
		// Devices may round a quotient as they like.
		if q := x / y; !r.fill || q*y == x && single(t, q) == q {
			return f(q)
		}
		return result{t, []scalar{r.unknown(fmt.Sprint(t.Name, " ", x, "/", y))}}
	case "<":
		return intValue(ast.TInt, asInt(x < y))
	case ">":
		return intValue(ast.TInt, asInt(x > y))
	case "<=":
		return intValue(ast.TInt, asInt(x <= y))
	case ">=":
		return intValue(ast.TInt, asInt(x >= y))
	case "==":
		return intValue(ast.TInt, asInt(x == y))
	case "!=":
		return intValue(ast.TInt, asInt(x != y))
	}
	r.undecided(at, "operator %s on floats", op)
	return result{}
}

// integers is the value of an operation on integers of type t, as one of type out.
func (r *runner) integers(op string, t, out *ast.Ctype, x, y int64, at preproc.Place) result {
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
		return intValue(ast.TInt, asInt(less))
	case ">":
		return intValue(ast.TInt, asInt(!less && x != y))
	case "<=":
		return intValue(ast.TInt, asInt(less || x == y))
	case ">=":
		return intValue(ast.TInt, asInt(!less))
	case "==":
		return intValue(ast.TInt, asInt(x == y))
	case "!=":
		return intValue(ast.TInt, asInt(x != y))
	}
	r.undecided(at, "operator %s", op)
	return result{}
}

// fits checks that what comes of two numbers is within their type, where that is asked for.
func (r *runner) fits(op string, t *ast.Ctype, x, y int64, at preproc.Place) {
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
	if lo, hi := interval.Within(t); z.Cmp(lo) < 0 || z.Cmp(hi) > 0 {
		r.fault("overflow", at, "signed overflow")
	}
}

// wrapping runs f, in which numbers wrap: no overflow of them is a fault.
func (r *runner) wrapping(f func() result) result {
	defer func(was bool) { r.checks.Overflow = was }(r.checks.Overflow)
	r.checks.Overflow = false
	return f()
}

// pointers is the value of an operation with a pointer.
func (r *runner) pointers(op string, a, b result, at preproc.Place) result {
	x, y := a.c[0], b.c[0]
	if x.kind == unknownScalar || y.kind == unknownScalar {
		r.undecided(at, "an unknown pointer")
	}
	if x.kind != pointerScalar && op == "+" {
		a, x, y = b, y, x
	}
	switch {
	case ir.Comparisons[op]:
		same := x.to == y.to && (x.to == nil || x.i == y.i)
		switch op {
		case "==":
			return intValue(ast.TInt, asInt(same))
		case "!=":
			return intValue(ast.TInt, asInt(!same))
		}
		// C leaves it open (C11 6.5.8p5): where arrays lie is not for a run to choose.
		if x.to != y.to {
			r.undecided(at, "a comparison of pointers into different arrays")
		}
		return r.integers(op, ast.TLong, ast.TInt, x.i, y.i, at)
	case op == "-" && y.kind == pointerScalar:
		if x.to != y.to {
			r.undecided(at, "a difference of pointers into different arrays")
		}
		return intValue(ast.TLong, (x.i-y.i)/max(1, x.typ.Cells()))
	case y.kind == intScalar && (op == "+" || op == "-"):
		if x.typ == nil || x.typ.Kind == ast.VoidType {
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
