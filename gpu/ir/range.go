package ir

import (
	"math/big"

	"github.com/gradine/gradine/gpu/interval"
)

// Range is where the value of t lies: what its form says of the ranges of its parts, cut by what is
// known of it and of them otherwise. Known is asked of each part; of leaves nothing else is.
func Range(t *Term, known func(*Term) interval.Interval) interval.Interval {
	of := func(i int) interval.Interval { return Range(t.Args[i], known) }
	r := interval.Interval{}
	switch t.Op {
	case Num:
		return interval.Point(t.Val)
	case Wrap:
		// What fits is not changed.
		r = interval.TypeInterval(t.Typ)
		if in := of(0); in.Inside(r) {
			r = in
		}
	case Add:
		r = interval.Point(new(big.Int))
		for i := range t.Args {
			r = r.Plus(of(i))
		}
	case Mul:
		r = interval.Point(big.NewInt(1))
		for i := range t.Args {
			r = r.Times(of(i))
		}
	case Quo:
		r = quotients(of(0), of(1))
	case Rem:
		// The sign of the dividend, and no more than it.
		if a := of(0); a.NonNegative() {
			r = interval.Interval{Lo: new(big.Int), Hi: a.Hi}
		}
	case Modulo:
		r.Lo = new(big.Int)
		if b := of(1); b.Hi != nil {
			r.Hi = new(big.Int).Sub(b.Hi, big.NewInt(1))
		}
		if a := of(0); a.NonNegative() {
			r = r.Meet(interval.Interval{Hi: a.Hi})
		}
	case Other:
		r = of(0)
	}
	return r.Meet(known(t))
}

// quotients are those of numbers in two ranges, rounded towards 0. A divisor 0 has none.
func quotients(a, b interval.Interval) (r interval.Interval) {
	if b.Positive() {
		// Below 0 the smallest divisor leads farthest.
		if a.Lo != nil {
			switch {
			case a.Lo.Sign() < 0:
				r.Lo = new(big.Int).Quo(a.Lo, b.Lo)
			case b.Hi != nil:
				r.Lo = new(big.Int).Quo(a.Lo, b.Hi)
			default:
				r.Lo = new(big.Int)
			}
		}
		if a.Hi != nil {
			r.Hi = new(big.Int)
			if a.Hi.Sign() >= 0 {
				r.Hi.Quo(a.Hi, b.Lo)
			}
		}
		return r
	}
	if a.NonNegative() && b.NonNegative() {
		return interval.Interval{Lo: new(big.Int), Hi: a.Hi}
	}
	if a.Lo != nil && a.Hi != nil {
		m := new(big.Int).Abs(a.Lo)
		if h := new(big.Int).Abs(a.Hi); h.Cmp(m) > 0 {
			m = h
		}
		return interval.Interval{Lo: new(big.Int).Neg(m), Hi: m}
	}
	return r
}
