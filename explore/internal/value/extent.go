package value

import "math/big"

// Unbounded reports whether values of s have no largest extent: integers occur in them.
func (s *Shape) Unbounded() bool {
	return s != nil && (s.Kind == IntShape || s.Elem.Unbounded() || s.Left.Unbounded() || s.Right.Unbounded())
}

// Extent is how large a value is: the largest, without its sign, of the integers in it and of the numbers of elements of
// its sets.
func (u *Space) Extent(s *Shape, v Value) *big.Int {
	most := new(big.Int)
	if !s.Unbounded() {
		return most
	}
	grow := func(n *big.Int) {
		if n.CmpAbs(most) > 0 {
			most.Abs(n)
		}
	}
	switch {
	case s.Kind == IntShape:
		grow(u.ToBig(v))
	case s.Elem != nil:
		elems := u.Elems(s, v, nil)
		grow(big.NewInt(int64(len(elems))))
		for _, e := range elems {
			grow(u.Extent(s.Elem, e))
		}
	case s.Left != nil:
		left, right := u.Split(s, v)
		grow(u.Extent(s.Left, left))
		grow(u.Extent(s.Right, right))
	}
	return most
}
