package host

import (
	"math/big"

	"github.com/gradine/gradine/gpu/llvm"
)

// linear is a sum of values, each times a number, and a number, modulo 2^64.
type linear struct {
	times map[string]*big.Int // by what writes the value
	of    map[string]*Expr
	plus  *big.Int
}

// differs reports whether two numbers of 64 bits are never equal, whatever the values are of which they are made: their difference is
// a sum of multiples of one number, and another one that is no multiple of it.
func (e *Expr) differs(o *Expr) bool {
	d := &linear{map[string]*big.Int{}, map[string]*Expr{}, new(big.Int)}
	d.add(e, big.NewInt(1))
	d.add(o, big.NewInt(-1))
	by := new(big.Int).Lsh(big.NewInt(1), 64)
	d.plus.Mod(d.plus, by)
	for _, n := range d.times {
		by.GCD(nil, nil, by, new(big.Int).Abs(n))
	}
	return new(big.Int).Mod(d.plus, by).Sign() != 0
}

// add adds e times a number.
func (d *linear) add(e *Expr, times *big.Int) {
	scaled := func(n *big.Int) *big.Int { return new(big.Int).Mul(times, n) }
	switch {
	case e.Const != nil:
		d.plus.Add(d.plus, scaled(e.Const))
		return
	case e.Bits != 64: // it wraps elsewhere
	case e.Op == llvm.Add && len(e.Args) == 2:
		d.add(e.Args[0], times)
		d.add(e.Args[1], times)
		return
	case e.Op == llvm.Sub && len(e.Args) == 2:
		d.add(e.Args[0], times)
		d.add(e.Args[1], scaled(big.NewInt(-1)))
		return
	case e.Op == llvm.Mul && len(e.Args) == 2 && e.Args[1].Const != nil:
		d.add(e.Args[0], scaled(e.Args[1].Const))
		return
	case e.Op == llvm.Mul && len(e.Args) == 2 && e.Args[0].Const != nil:
		d.add(e.Args[1], scaled(e.Args[0].Const))
		return
	case e.Op == llvm.Shl && len(e.Args) == 2:
		if n, ok := e.Args[1].Number(); ok {
			d.add(e.Args[0], scaled(new(big.Int).Lsh(big.NewInt(1), uint(n))))
			return
		}
	case (e.Op == llvm.SExt || e.Op == llvm.ZExt) && len(e.Args) == 1:
		// x ^ 1 is x + 1 − 2∗(x & 1), which no extension changes.
		if x := e.Args[0]; x.Op == llvm.Xor && len(x.Args) == 2 {
			if n, ok := x.Args[1].Number(); ok && n == 1 {
				d.add(&Expr{Bits: 64, Op: e.Op, Args: x.Args[:1], size: x.size}, times)
				d.plus.Add(d.plus, times)
				d.value(&Expr{Bits: x.Bits, Op: llvm.And, Args: x.Args, size: x.size}, scaled(big.NewInt(-2)))
				return
			}
		}
	}
	d.value(e, times)
}

// value adds an unchanged value.
func (d *linear) value(e *Expr, times *big.Int) {
	key := e.String()
	for k := key; ; k += "'" { // what is written alike need not be one value
		if at := d.of[k]; at == nil {
			d.of[k], d.times[k] = e, new(big.Int).Set(times)
			return
		} else if at.same(e) {
			d.times[k].Add(d.times[k], times)
			return
		}
	}
}
