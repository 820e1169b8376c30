package paths

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/gradine/gradine/gpu/ir"
)

// TestFlipped compares what is written of inverted bits with what inverting them gives, for all numbers and runs of a byte.
func TestFlipped(t *testing.T) {
	for a := int64(0); a < 256; a++ {
		for k := uint(1); k <= 9; k++ {
			for j := range k {
				mask := int64(1)<<k - int64(1)<<j
				from, to, ok := run(ir.Number(mask))
				if !ok || from != j || to != k {
					t.Fatalf("%b is a run from %d to %d", mask, from, to)
				}
				if got := number(flipped(ir.Number(a), j, k)); got.Int64() != a^mask {
					t.Fatalf("%d ^ %d is %s", a, mask, got)
				}
			}
		}
	}
	for _, n := range []int64{0, -1, -2, 5, 9, 21, 1<<40 + 1} {
		if _, _, ok := run(ir.Number(n)); ok {
			t.Errorf("%d is a run of ones", n)
		}
	}
}

// number is the value of a term of numbers from 0 on.
func number(t *ir.Term) *big.Int {
	if t.IsNum() {
		return t.Val
	}
	var xs []*big.Int
	for _, a := range t.Args {
		xs = append(xs, number(a))
	}
	out := new(big.Int).Set(xs[0])
	for _, x := range xs[1:] {
		switch t.Op {
		case ir.Add:
			out.Add(out, x)
		case ir.Mul:
			out.Mul(out, x)
		case ir.Quo:
			out.Quo(out, x)
		case ir.Modulo:
			out.Mod(out, x)
		default:
			panic(fmt.Sprint("operator ", t.Op))
		}
	}
	return out
}
