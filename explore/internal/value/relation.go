package value

import (
	"github.com/gradine/gradine/explore/internal/unwind"
	"math/bits"
	"slices"
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

func (u *Space) RowIs(sh *Shape, pair, x Value) bool {
	a, _ := u.Split(sh.Elem, pair)
	return a == x
}

// Bytes is the room that a value takes in a packed state.
func (s *Shape) Bytes() int {
	switch {
	case s.Kind == IntShape || s.Kind == IntsShape || s.Kind == MapShape:
		return 8
	case s.Kind == MaskShape:
		return int(s.Elem.Size+7) / 8
	case s.Kind == elemShape:
		n := 1
		for s.Size > 1<<(8*n) {
			n++
		}
		return n
	}
	return 4
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
	unwind.NoValue(why)
	return 0
}
