package interval

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/gpu/ast"
)

// Interval is a range of integers; nil stands for no bound.
type Interval struct{ Lo, Hi *big.Int }

// Point is the range of a single integer.
func Point(i *big.Int) Interval { return Interval{i, i} }

// TypeInterval is the range of the values of a type.
func TypeInterval(t *ast.Ctype) Interval {
	lo, hi := Within(t)
	return Interval{lo, hi}
}

// Meet is what two ranges have in common.
func (a Interval) Meet(b Interval) Interval {
	if b.Lo != nil && (a.Lo == nil || b.Lo.Cmp(a.Lo) > 0) {
		a.Lo = b.Lo
	}
	if b.Hi != nil && (a.Hi == nil || b.Hi.Cmp(a.Hi) < 0) {
		a.Hi = b.Hi
	}
	return a
}

// Join is the smallest range around two.
func (a Interval) Join(b Interval) Interval {
	if a.Lo != nil && (b.Lo == nil || b.Lo.Cmp(a.Lo) < 0) {
		a.Lo = b.Lo
	}
	if a.Hi != nil && (b.Hi == nil || b.Hi.Cmp(a.Hi) > 0) {
		a.Hi = b.Hi
	}
	return a
}

// Inside reports whether all of a is in b.
func (a Interval) Inside(b Interval) bool {
	return (b.Lo == nil || a.Lo != nil && a.Lo.Cmp(b.Lo) >= 0) && (b.Hi == nil || a.Hi != nil && a.Hi.Cmp(b.Hi) <= 0)
}

// Empty reports whether no integer is in a.
func (a Interval) Empty() bool { return a.Lo != nil && a.Hi != nil && a.Lo.Cmp(a.Hi) > 0 }

// Same reports whether two ranges are one.
func (a Interval) Same(b Interval) bool { return a.Inside(b) && b.Inside(a) }

// NonNegative reports whether a has no negative integer.
func (a Interval) NonNegative() bool { return a.Lo != nil && a.Lo.Sign() >= 0 }

// Positive reports whether a has positive integers alone. An empty range, on a way that nothing takes, is not: 0 may
// be its other end.
func (a Interval) Positive() bool { return a.Lo != nil && a.Lo.Sign() > 0 && !a.Empty() }

// Plus is the range of sums.
func (a Interval) Plus(b Interval) (out Interval) {
	if a.Lo != nil && b.Lo != nil {
		out.Lo = new(big.Int).Add(a.Lo, b.Lo)
	}
	if a.Hi != nil && b.Hi != nil {
		out.Hi = new(big.Int).Add(a.Hi, b.Hi)
	}
	return out
}

// Times is a range of all products.
func (a Interval) Times(b Interval) Interval {
	if a.Lo == nil || a.Hi == nil || b.Lo == nil || b.Hi == nil {
		switch {
		case a.NonNegative() && b.NonNegative():
			return Interval{Lo: new(big.Int).Mul(a.Lo, b.Lo)}
		}
		return Interval{}
	}
	ps := []*big.Int{new(big.Int).Mul(a.Lo, b.Lo), new(big.Int).Mul(a.Lo, b.Hi), new(big.Int).Mul(a.Hi, b.Lo), new(big.Int).Mul(a.Hi, b.Hi)}
	cmp := func(x, y *big.Int) int { return x.Cmp(y) }
	return Interval{slices.MinFunc(ps, cmp), slices.MaxFunc(ps, cmp)}
}

// Within are the bounds of a type.
func Within(t *ast.Ctype) (lo, hi *big.Int) {
	one := big.NewInt(1)
	if t.Signed {
		m := new(big.Int).Lsh(one, uint(t.Bits-1))
		return new(big.Int).Neg(m), new(big.Int).Sub(m, one)
	}
	return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, uint(t.Bits)), one)
}

// Modulus is how many values a type has.
func Modulus(t *ast.Ctype) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(t.Bits)) }

// Wrapped is v as a value of type t.
func Wrapped(v *big.Int, t *ast.Ctype) *big.Int {
	if t.Bits == 1 {
		if v.Sign() != 0 {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	m := Modulus(t)
	r := new(big.Int).Mod(v, m)
	if _, hi := Within(t); r.Cmp(hi) > 0 {
		r.Sub(r, m)
	}
	return r
}
