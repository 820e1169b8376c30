package value

import (
	"math/bits"
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
)

// Functional reports whether relation rel is a function.
func (u *Space) Functional(sh *Shape, rel Value) bool {
	if sh.Kind == MaskShape {
		value := Value(sh.Elem.Right.Size)
		for ; rel != 0; rel >>= value {
			if row := rel & (1<<value - 1); row&(row-1) != 0 {
				return false
			}
		}
		return true
	}
	last := Value(0)
	for i, p := range u.At(rel).Elems {
		x, _ := u.Split(sh.Elem, p)
		if i > 0 && x == last {
			return false
		}
		last = x
	}
	return true
}

// ApplyTo returns the y with x↦y in function rel.
func (u *Space) ApplyTo(sh *Shape, rel, x Value) Value {
	pair := sh.Elem
	if sh.Kind == MaskShape {
		n := Value(pair.Right.Size)
		row := rel >> (x * n) & (1<<n - 1)
		if row == 0 {
			return Undefined("application outside the domain")
		}
		return Value(bits.TrailingZeros64(uint64(row)))
	}
	elems := u.At(rel).Elems
	i := u.Row(sh, elems, x)
	if i == len(elems) || !u.RowIs(sh, elems[i], x) {
		return Undefined("application outside the domain")
	}
	_, y := u.Split(pair, elems[i])
	return y
}

// Row returns the place in a listed relation of the first pair whose left side
// is not less than x.
func (u *Space) Row(sh *Shape, elems []Value, x Value) int {
	i, _ := slices.BinarySearchFunc(elems, x, func(pair, x Value) int {
		a, _ := u.Split(sh.Elem, pair)
		return u.Compare(sh.Elem.Left, a, x)
	})
	return i
}

// RowIs reports whether pair, an element of a relation of shape sh, has x as its first component.
func (u *Space) RowIs(sh *Shape, pair, x Value) bool {
	a, _ := u.Split(sh.Elem, pair)
	return a == x
}

// Encode returns a value as a number that is small where the value is: the marks of a form stand at its
// upper end, and move to the lower one.
func (s *Shape) Encode(v Value) uint64 {
	switch s.Kind {
	case IntShape:
		return uint64(v<<1) ^ uint64(int64(v)>>63)
	case IntsShape:
		return bits.RotateLeft64(uint64(v), 2)
	case MapShape:
		return bits.RotateLeft64(uint64(v), 64-SlotBits)
	}
	return uint64(v)
}

// Decode is the inverse of Encode.
func (s *Shape) Decode(code uint64) Value {
	switch s.Kind {
	case IntShape:
		return Value(code>>1) ^ -Value(code&1)
	case IntsShape:
		return Value(bits.RotateLeft64(code, -2))
	case MapShape:
		return Value(bits.RotateLeft64(code, SlotBits-64))
	}
	return Value(code)
}

// First is a value of s.
func (s *Shape) First(u *Space) Value {
	switch {
	case s.Elem != nil:
		return u.Empty(s)
	case s.Left != nil:
		return u.Pair(s, s.Left.First(u), s.Right.First(u))
	}
	return 0
}

// Undefined ends the evaluation of something that has no value.
func Undefined(why string) Value {
	abort.NoValue(why)
	return 0
}
