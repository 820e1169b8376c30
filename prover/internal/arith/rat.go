package arith

import (
	"math/big"
	"math/bits"
)

// rat is an exact rational: n/d in lowest terms with d > 0, or big when it does
// not fit. The zero rat is not a number; make them with rint and rfrac.
type rat struct {
	n, d int64
	big  *big.Rat
}

var zero, one = rint(0), rint(1)

func rint(n int64) rat { return rat{n: n, d: 1} }

// rbig returns q, in the small form if it fits.
func rbig(q *big.Rat) rat {
	if q.Num().IsInt64() && q.Denom().IsInt64() {
		return rat{n: q.Num().Int64(), d: q.Denom().Int64()}
	}
	return rat{big: q}
}

func rbigint(n *big.Int) rat {
	if n.IsInt64() {
		return rint(n.Int64())
	}
	return rat{big: new(big.Rat).SetInt(n)}
}

func (a rat) toBig() *big.Rat {
	if a.big != nil {
		return a.big
	}
	return big.NewRat(a.n, a.d)
}

// num returns the numerator of a, denom its denominator; not to be changed.
func (a rat) num() *big.Int {
	if a.big != nil {
		return a.big.Num()
	}
	return big.NewInt(a.n)
}

func (a rat) denom() *big.Int {
	if a.big != nil {
		return a.big.Denom()
	}
	return big.NewInt(a.d)
}

func (a rat) isInt() bool {
	if a.big != nil {
		return a.big.IsInt()
	}
	return a.d == 1
}

func (a rat) sign() int {
	switch {
	case a.big != nil:
		return a.big.Sign()
	case a.n > 0:
		return 1
	case a.n < 0:
		return -1
	}
	return 0
}

// isUnit reports whether a is 1 or -1.
func (a rat) isUnit() bool { return a.big == nil && a.d == 1 && (a.n == 1 || a.n == -1) }

func (a rat) isZero() bool { return a.big == nil && a.n == 0 }

func (a rat) neg() rat {
	if a.big == nil && a.n != minInt64 {
		return rat{n: -a.n, d: a.d}
	}
	return rbig(new(big.Rat).Neg(a.toBig()))
}

func (a rat) abs() rat {
	if a.sign() < 0 {
		return a.neg()
	}
	return a
}

const minInt64 = -1 << 63

func mul64(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if a < 0 {
		hi -= uint64(b)
	}
	if b < 0 {
		hi -= uint64(a)
	}
	p := int64(lo)
	return p, p>>63 == int64(hi) && p != minInt64
}

func add64(a, b int64) (int64, bool) {
	s := a + b
	return s, (a^s)&(b^s) >= 0 && s != minInt64
}

func gcd64(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}

// lowest returns n/d for d > 0.
func lowest(n, d int64) rat {
	if d != 1 {
		if g := gcd64(n, d); g != 1 {
			n, d = n/g, d/g
		}
	}
	return rat{n: n, d: d}
}

// add is the sum, in words as long as they suffice.
func (a rat) add(b rat) rat {
	if a.big == nil && b.big == nil {
		if a.d == b.d {
			if s, ok := add64(a.n, b.n); ok {
				return lowest(s, a.d)
			}
		} else {
			x, ok1 := mul64(a.n, b.d)
			y, ok2 := mul64(b.n, a.d)
			d, ok3 := mul64(a.d, b.d)
			if s, ok := add64(x, y); ok && ok1 && ok2 && ok3 {
				return lowest(s, d)
			}
		}
	}
	return rbig(new(big.Rat).Add(a.toBig(), b.toBig()))
}

func (a rat) sub(b rat) rat { return a.add(b.neg()) }

func (a rat) mul(b rat) rat {
	if a.big == nil && b.big == nil {
		n, ok := mul64(a.n, b.n)
		if ok && a.d == 1 && b.d == 1 {
			return rint(n)
		}
		if d, small := mul64(a.d, b.d); ok && small {
			return lowest(n, d)
		}
	}
	return rbig(new(big.Rat).Mul(a.toBig(), b.toBig()))
}

// inv returns 1/a for a ≠ 0.
func (a rat) inv() rat {
	switch {
	case a.big == nil && a.n > 0:
		return rat{n: a.d, d: a.n}
	case a.big == nil && a.n != minInt64:
		return rat{n: -a.d, d: -a.n}
	}
	return rbig(new(big.Rat).Inv(a.toBig()))
}

// cmp compares two numbers, in words as long as they suffice.
func (a rat) cmp(b rat) int {
	if a.big == nil && b.big == nil {
		x, y := a.n, b.n
		ok := true
		if a.d != b.d {
			var ok1, ok2 bool
			x, ok1 = mul64(a.n, b.d)
			y, ok2 = mul64(b.n, a.d)
			ok = ok1 && ok2
		}
		if ok {
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		}
	}
	return a.toBig().Cmp(b.toBig())
}

func (a rat) eq(b rat) bool { return a.cmp(b) == 0 }

// floor returns ⌊a⌋.
func (a rat) floor() rat {
	if a.isInt() {
		return a
	}
	if a.big == nil {
		q := a.n / a.d
		if a.n < 0 {
			q--
		}
		return rint(q)
	}
	// Div rounds towards −∞ for a positive divisor.
	return rbigint(new(big.Int).Div(a.big.Num(), a.big.Denom()))
}

// ceil returns ⌈a⌉.
func (a rat) ceil() rat { return a.neg().floor().neg() }

// gcd returns the greatest rational of which a and b are integer multiples.
func (a rat) gcd(b rat) rat {
	switch {
	case a.isZero():
		return b.abs()
	case b.isZero():
		return a.abs()
	}
	n := new(big.Int).GCD(nil, nil, new(big.Int).Abs(a.num()), new(big.Int).Abs(b.num()))
	g := new(big.Int).GCD(nil, nil, a.denom(), b.denom())
	d := new(big.Int).Mul(a.denom(), new(big.Int).Quo(b.denom(), g))
	return rbig(new(big.Rat).SetFrac(n, d))
}
