package value

import "math/big"

// A run leaves interned values behind that no state needs any more, one for each
// set that an action builds on its way. A long run sweeps them out now and then.

// Mark is a time in the life of a space.
type Mark struct {
	next Value
	Room int
}

// Now marks the values that have been interned so far, see Release.
func (u *Space) Now() Mark { return Mark{u.next, u.Room} }

// Release forgets all values that were interned after a mark. None of them may be in use.
func (u *Space) Release(m Mark) {
	for id := m.next; id < u.next; id++ {
		e := &u.dir[id/chunk][id%chunk]
		kept := u.ids[e.hash][:0]
		for _, other := range u.ids[e.hash] {
			if other < m.next {
				kept = append(kept, other)
			}
		}
		if len(kept) == 0 {
			delete(u.ids, e.hash)
		} else {
			u.ids[e.hash] = kept
		}
		*e = interned{}
	}
	u.next, u.Room = m.next, m.Room
}

// Loose is a value by its structure, in no space.
type Loose struct {
	scalar Value
	big    *big.Int
	parts  []Loose // of a pair or an interned set
}

// Lift takes value v of shape s out of the space.
func (u *Space) Lift(shape *Shape, v Value) Loose {
	switch {
	case shape.Kind == IntShape && IsBig(v):
		return Loose{big: u.ToBig(v)}
	case shape.Kind == tupleShape:
		a, b := u.Split(shape, v)
		return Loose{parts: []Loose{u.Lift(shape.Left, a), u.Lift(shape.Right, b)}}
	case shape.Elem != nil && !shape.Bits(v) && !shape.Dense(v):
		parts := []Loose{}
		for _, x := range u.Elems(shape, v, nil) {
			parts = append(parts, u.Lift(shape.Elem, x))
		}
		return Loose{parts: parts}
	}
	return Loose{scalar: v}
}

// Lower puts a value that was lifted back.
func (u *Space) Lower(shape *Shape, x Loose) Value {
	switch {
	case x.big != nil:
		return u.FromBig(x.big)
	case x.parts == nil:
		return x.scalar
	case shape.Kind == tupleShape:
		return u.Pair(shape, u.Lower(shape.Left, x.parts[0]), u.Lower(shape.Right, x.parts[1]))
	}
	elems := make([]Value, len(x.parts))
	for i, part := range x.parts {
		elems[i] = u.Lower(shape.Elem, part)
	}
	return u.Set(shape, elems)
}
