package linear_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/infer/internal/linear"
)

func vector(ns ...int64) linear.Vector {
	out := make(linear.Vector, len(ns))
	for i, n := range ns {
		out[i] = linear.Of(big.NewInt(n))
	}
	return out
}

// Spaces of random small vectors: what is orthogonal to the orthogonal space is the space
// itself, a cut is orthogonal to what it is cut by, and what is read back is what went in.
func TestSpaces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + r.IntN(6)
		s := &linear.Space{}
		var all []linear.Vector
		random := func() linear.Vector {
			ns := make([]int64, n)
			for i := range ns {
				ns[i] = r.Int64N(7) - 3
			}
			return vector(ns...)
		}
		for range r.IntN(n + 1) {
			v := random()
			all = append(all, v)
			s.Add(v)
		}
		equations := s.Orthogonal(n)
		if len(s.Rows)+len(equations.Rows) != n {
			t.Fatalf("%v: %d rows and %d equations of %d", all, len(s.Rows), len(equations.Rows), n)
		}
		back := equations.Orthogonal(n)
		for _, v := range all {
			if !back.Rest(v).IsZero() {
				t.Fatalf("%v is not in %v", v, back.Rows)
			}
			for _, e := range equations.Rows {
				if e.Times(v) != 0 {
					t.Fatalf("%v ∗ %v ≠ 0", e, v)
				}
			}
		}
		v := random()
		if short := linear.Shortest(v, s.Rows); !slices.Equal(s.Rest(short), s.Rest(v)) {
			t.Fatalf("%v is not %v in %v", short, v, s.Rows)
		}
		if wide := s.Widened(n, n+2); len(wide.Rows) != len(s.Rows)+2 {
			t.Fatalf("%v", wide.Rows)
		}
		e := random()
		cut := s.Cut(e)
		for _, v := range cut.Rows {
			if e.Times(v) != 0 || !s.Rest(v).IsZero() {
				t.Fatalf("%v cut by %v has %v", s.Rows, e, v)
			}
		}
		again := &linear.Space{}
		for _, v := range cut.Rows {
			again.Add(v)
		}
		if len(again.Rows) != len(cut.Rows) || len(cut.Rows) < len(s.Rows)-1 {
			t.Fatalf("%v cut by %v is %v", s.Rows, e, cut.Rows)
		}
	}
}

func TestWhole(t *testing.T) {
	s := &linear.Space{}
	s.Add(vector(6, -4, 9)) // 1, −2/3, 3/2
	got := s.Rows[0].Whole()
	for i, want := range []int64{6, -4, 9} {
		if got[i].Int64() != want {
			t.Fatalf("%v", got)
		}
	}
}
