package arith

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestRat compares the operations with big.Rat, at the edges of 64 bits too.
func TestRat(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	edges := []int64{0, 1, -1, 2, -3, 6, 1 << 31, -1 << 32, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1}
	pick := func() int64 {
		if r.IntN(2) == 0 {
			return edges[r.IntN(len(edges))]
		}
		return int64(r.IntN(41) - 20)
	}
	check := func(op string, got rat, want *big.Rat) {
		t.Helper()
		if got.toBig().Cmp(want) != 0 {
			t.Fatalf("%s: got %v, want %v", op, got.toBig(), want)
		}
		if got.big == nil && (got.d <= 0 || gcd64(got.n, got.d) != 1) {
			t.Fatalf("%s: %d/%d is not in lowest terms", op, got.n, got.d)
		}
	}
	num := func() (rat, *big.Rat) {
		d := pick()
		for d == 0 {
			d = pick()
		}
		q := new(big.Rat).SetFrac(big.NewInt(pick()), big.NewInt(d))
		if r.IntN(4) == 0 {
			q.Mul(q, q)
		}
		return rbig(new(big.Rat).Set(q)), q
	}
	for range 20000 {
		a, p := num()
		b, q := num()
		check("+", a.add(b), new(big.Rat).Add(p, q))
		check("-", a.sub(b), new(big.Rat).Sub(p, q))
		check("*", a.mul(b), new(big.Rat).Mul(p, q))
		check("neg", a.neg(), new(big.Rat).Neg(p))
		check("abs", a.abs(), new(big.Rat).Abs(p))
		if q.Sign() != 0 {
			check("inv", b.inv(), new(big.Rat).Inv(q))
		}
		if a.cmp(b) != p.Cmp(q) || a.sign() != p.Sign() || a.isInt() != p.IsInt() || a.isZero() != (p.Sign() == 0) {
			t.Fatalf("order or kind of %v and %v", p, q)
		}
		f, c := new(big.Rat).SetInt(a.floor().num()), new(big.Rat).SetInt(a.ceil().num())
		one := big.NewRat(1, 1)
		if f.Cmp(p) > 0 || new(big.Rat).Add(f, one).Cmp(p) <= 0 || c.Cmp(p) < 0 || new(big.Rat).Sub(c, one).Cmp(p) >= 0 {
			t.Fatalf("⌊%v⌋ = %v, ⌈⌉ = %v", p, f, c)
		}
	}
}
