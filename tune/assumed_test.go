package tune

import (
	"math/big"
	"testing"
)

// TestAssume compares an answer with those at the ends of what is assumed: it is steady only if it is best at both.
func TestAssume(t *testing.T) {
	answer := func(best int, values ...int64) *Answer {
		a := &Answer{Objectives: []Objective{{}}, Best: []int{best}}
		for _, v := range values {
			p := Point{Ranges: []Range{{big.NewInt(v), big.NewInt(v)}}}
			if v == 0 {
				p = Point{Illegal: "too large"}
			}
			a.Points = append(a.Points, p)
		}
		return a
	}
	for _, c := range []struct {
		good, bad *Answer
		low, high int64
		steady    bool
	}{
		{answer(0, 5, 9), answer(0, 20, 30), 5, 20, true},
		{answer(0, 5, 9), answer(1, 40, 30), 5, 40, false},
		{answer(1, 5, 4), answer(0, 20, 30), 5, 20, false},
		{answer(0, 5, 9), answer(1, 0, 30), 5, 0, false},
	} {
		a := answer(0, 10, 12)
		a.Assume(c.good, c.bad)
		if a.Assumed.Steady != c.steady || a.Assumed.Good.Int64() != c.low || (c.high == 0) != (a.Assumed.Bad == nil) || c.high != 0 && a.Assumed.Bad.Int64() != c.high {
			t.Errorf("%+v, want %d to %d, steady %v", a.Assumed, c.low, c.high, c.steady)
		}
	}
}
