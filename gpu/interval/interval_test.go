package interval_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
)

// of is a range of small numbers; outside stands for no bound.
func of(lo, hi int64) (r interval.Interval) {
	if lo != outside {
		r.Lo = big.NewInt(lo)
	}
	if hi != outside {
		r.Hi = big.NewInt(hi)
	}
	return r
}

const outside = 99

func show(r interval.Interval) string { return fmt.Sprintf("%v‥%v", r.Lo, r.Hi) }

// Each operation on ranges has what it has on the numbers in them, and nothing less: tried for all
// ranges between −3 and 3, with and without bounds.
func TestRanges(t *testing.T) {
	var all []interval.Interval
	ends := []int64{-3, -1, 0, 2, 3, outside}
	for _, lo := range ends {
		for _, hi := range ends {
			all = append(all, of(lo, hi))
		}
	}
	has := func(r interval.Interval, n int64) bool { return interval.Point(big.NewInt(n)).Inside(r) }
	for _, a := range all {
		empty := true
		for n := int64(-9); n <= 9; n++ {
			empty = empty && !has(a, n)
		}
		if a.Empty() != empty {
			t.Errorf("%s empty: %t", show(a), a.Empty())
		}
		for _, b := range all {
			if a.Empty() || b.Empty() {
				continue
			}
			for n := int64(-9); n <= 9; n++ {
				if has(a.Meet(b), n) != (has(a, n) && has(b, n)) {
					t.Errorf("%s meet %s: %d", show(a), show(b), n)
				}
				if (has(a, n) || has(b, n)) && !has(a.Join(b), n) {
					t.Errorf("%s join %s lacks %d", show(a), show(b), n)
				}
				for m := int64(-9); m <= 9; m++ {
					if has(a, n) && has(b, m) && (!has(a.Plus(b), n+m) || !has(a.Times(b), n*m)) {
						t.Errorf("%s and %s: %d and %d", show(a), show(b), n, m)
					}
				}
			}
		}
	}
}

// Ranges that have bounds are as narrow as they can be.
func TestNarrow(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{show(of(-3, 2).Times(of(-1, 3))), "-9‥6"},
		{show(of(-3, 2).Plus(of(1, 3))), "-2‥5"},
		{show(of(-3, -1).Join(of(2, 3))), "-3‥3"},
		{show(of(0, outside).Times(of(2, 3))), "0‥<nil>"},
		{show(of(0, outside).Meet(of(outside, 3))), "0‥3"},
		{fmt.Sprint(of(0, 3).NonNegative(), of(outside, 3).NonNegative(), of(0, 3).Same(of(0, 3)), of(0, 3).Same(of(0, outside))), "true false true false"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

// Types of C hold what their bits say; other numbers wrap to these.
func TestTypes(t *testing.T) {
	for _, c := range []struct {
		typ    *ast.Ctype
		holds  string
		number int64
		wraps  string
	}{
		{ast.TInt, "-2147483648‥2147483647", 1 << 31, "-2147483648"},
		{ast.TUint, "0‥4294967295", -1, "4294967295"},
		{ast.IntOf(8, true), "-128‥127", 200, "-56"},
		{ast.IntOf(8, false), "0‥255", 511, "255"},
		{ast.TBool, "0‥1", 2, "1"},
		{ast.TBool, "0‥1", -2, "1"},
		{ast.TUlong, "0‥18446744073709551615", -2, "18446744073709551614"},
	} {
		if got := show(interval.TypeInterval(c.typ)); got != c.holds {
			t.Errorf("%s: %s, want %s", c.typ.Name, got, c.holds)
		}
		if got := interval.Wrapped(big.NewInt(c.number), c.typ).String(); got != c.wraps {
			t.Errorf("%d as %s: %s, want %s", c.number, c.typ.Name, got, c.wraps)
		}
	}
}
