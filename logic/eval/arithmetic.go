package eval

import (
	"math/big"

	"github.com/gradine/gradine/logic"
)

// arithmetic is the value of an operation on integers; false where it is undefined or too large.
func (e *Evaluator) arithmetic(op logic.Op, vs []Value) (Value, bool) {
	// Most numbers are small; big ones follow the same rules.
	if value, ok := e.smallArithmetic(op, vs); ok {
		return value, true
	}
	z := new(big.Int).Set(e.s.Big(vs[0]))
	if op == logic.Neg {
		return e.s.Int(z.Neg(z)), true
	}
	for _, value := range vs[1:] {
		y := e.s.Big(value)
		switch op {
		case logic.Plus:
			z.Add(z, y)
		case logic.Minus:
			z.Sub(z, y)
		case logic.Times:
			if z.BitLen()+y.BitLen() > maxBits {
				return 0, false
			}
			z.Mul(z, y)
		case logic.Div:
			if y.Sign() == 0 {
				return 0, false
			}
			z.Quo(z, y)
		case logic.Mod:
			if z.Sign() < 0 || y.Sign() <= 0 {
				return 0, false
			}
			z.Rem(z, y)
		case logic.Exp:
			if z.Sign() < 0 || y.Sign() < 0 {
				return 0, false
			}
			if z.BitLen() > 1 && (!y.IsInt64() || y.Int64()*int64(z.BitLen()) > maxBits || y.Int64() > maxBits) {
				return 0, false
			}
			// Powers of 0 and 1 stay small, however large the exponent is.
			if z.BitLen() <= 1 {
				if y.Sign() == 0 {
					z.SetInt64(1)
				}
				continue
			}
			z.Exp(z, y, nil)
		}
	}
	return e.s.Int(z), true
}

// interval returns lo‥hi, a set of integers, where 0 stands for no bound.
func (e *Evaluator) interval(lo, hi Value) Value { return e.s.Interval(lo, hi, e.s.Int64(0)) }

// smallArithmetic does sums of numbers too small to overflow.
func (e *Evaluator) smallArithmetic(op logic.Op, vs []Value) (Value, bool) {
	const limit = 1 << 30
	var xs [2]int64
	if len(vs) > 2 {
		return 0, false
	}
	for i, value := range vs {
		x, ok := e.s.Small(value)
		if !ok || x <= -limit || limit <= x {
			return 0, false
		}
		xs[i] = x
	}
	switch op {
	case logic.Plus:
		return e.s.Int64(xs[0] + xs[1]), true
	case logic.Minus:
		return e.s.Int64(xs[0] - xs[1]), true
	case logic.Neg:
		return e.s.Int64(-xs[0]), true
	case logic.Times:
		return e.s.Int64(xs[0] * xs[1]), true
	}
	return 0, false
}

// extremum is the least or the greatest element of a set; false where there is none, or none is known.
func (e *Evaluator) extremum(op logic.Op, set Value) (Value, bool) {
	if lo, hi, ok := e.bounds(set); ok {
		v := lo
		if op == logic.Max {
			v = hi
		}
		return v, v != 0
	}
	v, ok := e.list(set)
	if !ok || len(e.s.Parts(v)) == 0 {
		return 0, false
	}
	best := e.s.Parts(v)[0]
	for _, x := range e.s.Parts(v) {
		if c := e.s.Compare(x, best); op == logic.Min && c < 0 || op == logic.Max && c > 0 {
			best = x
		}
	}
	return best, true
}
