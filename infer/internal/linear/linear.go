// Package linear implements spaces of vectors over a large prime field, which stands for the
// rationals: arithmetic has a constant cost, and small rational numbers can be recovered.
// A recovered number may be wrong if the rationals are not small, so every result must be
// proved before it counts.
package linear

import (
	"math/big"
	"math/bits"
	"slices"
)

// modulus is the prime 2^61 − 1.
const modulus = 1<<61 - 1

// Number is an element of the field.
type Number uint64

// Of is n as an element of the field.
func Of(n *big.Int) Number {
	return Number(new(big.Int).Mod(n, big.NewInt(modulus)).Uint64())
}

func plus(a, b Number) Number { return reduced(uint64(a) + uint64(b)) }

func minus(a Number) Number { return reduced(modulus - uint64(a)) }

func times(a, b Number) Number {
	high, low := bits.Mul64(uint64(a), uint64(b))
	// 2^61 is 1 in the field.
	return reduced(low&modulus + (high<<3 | low>>61))
}

func reduced(n uint64) Number {
	if n >= modulus {
		n -= modulus
	}
	return Number(n)
}

// inverse is that of a, which is not 0.
func inverse(a Number) Number {
	out := Number(1)
	for e, power := uint64(modulus-2), a; e > 0; e, power = e>>1, times(power, power) {
		if e&1 == 1 {
			out = times(out, power)
		}
	}
	return out
}

// Vector is a row of numbers.
type Vector []Number

// IsZero reports whether all numbers of v are 0.
func (v Vector) IsZero() bool {
	return !slices.ContainsFunc(v, func(a Number) bool { return a != 0 })
}

// Times is the product of v and w, of one length.
func (v Vector) Times(w Vector) Number {
	sum := Number(0)
	for i, a := range v {
		if a != 0 && w[i] != 0 {
			sum = plus(sum, times(a, w[i]))
		}
	}
	return sum
}

// Plus returns v + a ∗ w.
func (v Vector) Plus(a Number, w Vector) Vector {
	out := slices.Clone(v)
	out.grow(a, w)
	return out
}

// grow adds a ∗ w to v.
func (v Vector) grow(a Number, w Vector) {
	for i, b := range w {
		if b != 0 {
			v[i] = plus(v[i], times(a, b))
		}
	}
}

// Space is the space that some vectors span. The zero value is that of none.
type Space struct {
	// Rows is a basis in which each row has a column, its pivot, that is 1 in it and 0 in
	// all others, and 0 in front of it; in the order of the pivots.
	Rows   []Vector
	pivots []int
}

// Clone returns a space that grows on its own.
func (s *Space) Clone() *Space {
	return &Space{slices.Clone(s.Rows), slices.Clone(s.pivots)}
}

// Rest returns v without its part along the rows: 0 if v is in the space.
func (s *Space) Rest(v Vector) Vector {
	out := slices.Clone(v)
	for i, row := range s.Rows {
		if a := out[s.pivots[i]]; a != 0 {
			out.grow(minus(a), row)
		}
	}
	return out
}

// Add lets the space grow by v, and reports whether v was not in it.
func (s *Space) Add(v Vector) bool {
	v = s.Rest(v)
	pivot := slices.IndexFunc(v, func(a Number) bool { return a != 0 })
	if pivot < 0 {
		return false
	}
	v = make(Vector, len(v)).Plus(inverse(v[pivot]), v)
	for i, row := range s.Rows {
		if row[pivot] != 0 {
			s.Rows[i] = row.Plus(minus(row[pivot]), v)
		}
	}
	at, _ := slices.BinarySearch(s.pivots, pivot)
	s.Rows, s.pivots = slices.Insert(s.Rows, at, v), slices.Insert(s.pivots, at, pivot)
	return true
}

// Annihilates reports whether e is orthogonal to the whole space.
func (s *Space) Annihilates(e Vector) bool {
	return !slices.ContainsFunc(s.Rows, func(row Vector) bool { return e.Times(row) != 0 })
}

// Parallel reports whether w is a multiple of v, which is not 0.
func Parallel(v, w Vector) bool {
	s := Space{}
	return s.Add(v) && !s.Add(w)
}

// Cut returns the part of the space that e is orthogonal to.
func (s *Space) Cut(e Vector) *Space {
	// With the last such row the others keep their pivots.
	from := len(s.Rows) - 1
	for from >= 0 && e.Times(s.Rows[from]) == 0 {
		from--
	}
	if from < 0 {
		return s
	}
	out := &Space{}
	scale := inverse(e.Times(s.Rows[from]))
	for i, row := range s.Rows {
		if i == from {
			continue
		}
		if a := e.Times(row); a != 0 {
			row = row.Plus(minus(times(a, scale)), s.Rows[from])
		}
		out.Rows, out.pivots = append(out.Rows, row), append(out.pivots, s.pivots[i])
	}
	return out
}

// Widened returns the vectors of n numbers that begin with one of the space; from is the
// length of those.
func (s *Space) Widened(from, n int) *Space {
	out := &Space{}
	for i, row := range s.Rows {
		out.Rows, out.pivots = append(out.Rows, append(slices.Clone(row), make(Vector, n-from)...)), append(out.pivots, s.pivots[i])
	}
	for i := from; i < n; i++ {
		unit := make(Vector, n)
		unit[i] = 1
		out.Rows, out.pivots = append(out.Rows, unit), append(out.pivots, i)
	}
	return out
}

// Shortest looks for a vector with few numbers that are not 0, which differs from v by
// multiples of rows: it adds these as long as each makes it shorter.
func Shortest(v Vector, rows []Vector) Vector {
	length := func(v Vector) (n int) {
		for _, a := range v {
			if a != 0 {
				n++
			}
		}
		return n
	}
	for again := true; again; {
		again = false
		for _, row := range rows {
			for i, a := range row {
				if a == 0 || v[i] == 0 {
					continue
				}
				if next := v.Plus(minus(times(v[i], inverse(a))), row); length(next) < length(v) {
					v, again = next, true
				}
			}
		}
	}
	return v
}

// Orthogonal returns the space of all vectors of n numbers to which those of s are
// orthogonal.
func (s *Space) Orthogonal(n int) *Space {
	out := &Space{}
	for free := range n {
		if slices.Contains(s.pivots, free) {
			continue
		}
		v := make(Vector, n)
		v[free] = 1
		for i, row := range s.Rows {
			v[s.pivots[i]] = minus(row[free])
		}
		out.Add(v)
	}
	return out
}

// largest is the size of numerators and denominators that are read back.
const largest = 1 << 29

// Whole returns integers that stand in the proportions of v; nil if they are not small.
func (v Vector) Whole() []*big.Int {
	scale := big.NewInt(1)
	fractions := make([]*big.Rat, len(v))
	for i, a := range v {
		if fractions[i] = rational(a); fractions[i] == nil {
			return nil
		}
		shared := new(big.Int).GCD(nil, nil, scale, fractions[i].Denom())
		scale.Mul(scale, new(big.Int).Quo(fractions[i].Denom(), shared))
	}
	out := make([]*big.Int, len(v))
	for i, q := range fractions {
		out[i] = new(big.Rat).Mul(q, new(big.Rat).SetInt(scale)).Num()
	}
	return out
}

// rational is the fraction of small integers that a stands for, by Euclid's algorithm up
// to its middle; nil if there is none.
func rational(a Number) *big.Rat {
	r0, r1 := int64(modulus), int64(a)
	t0, t1 := int64(0), int64(1)
	for r1 > largest {
		q := r0 / r1
		r0, r1 = r1, r0-q*r1
		t0, t1 = t1, t0-q*t1
	}
	if t1 > largest || t1 < -largest {
		return nil
	}
	return big.NewRat(r1, t1)
}
