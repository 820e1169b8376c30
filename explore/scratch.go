package explore

import "math/big"

// A run leaves interned values behind that no state needs any more, one for each
// set that an action builds on its way. A long run sweeps them out now and then.

// mark is a time in the life of a space.
type mark struct {
	next Value
	room int
}

func (u *space) mark() mark { return mark{u.next, u.room} }

// release forgets all values that were interned after a mark. Nobody may hold one.
func (u *space) release(m mark) {
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
	u.next, u.room = m.next, m.room
}

// loose is a value by its structure, in no space.
type loose struct {
	scalar Value
	big    *big.Int
	parts  []loose // of a pair or an interned set
}

// lift takes value v of shape s out of the space.
func (u *space) lift(s *shape, v Value) loose {
	switch {
	case s.kind == intShape && isBig(v):
		return loose{big: u.toBig(v)}
	case s.kind == tupleShape:
		a, b := u.split(s, v)
		return loose{parts: []loose{u.lift(s.l, a), u.lift(s.r, b)}}
	case s.elem != nil && !s.bits(v) && !s.dense(v):
		parts := []loose{}
		for _, x := range u.elems(s, v, nil) {
			parts = append(parts, u.lift(s.elem, x))
		}
		return loose{parts: parts}
	}
	return loose{scalar: v}
}

// lower puts a value that was lifted back.
func (u *space) lower(s *shape, x loose) Value {
	switch {
	case x.big != nil:
		return u.fromBig(x.big)
	case x.parts == nil:
		return x.scalar
	case s.kind == tupleShape:
		return u.pair(s, u.lower(s.l, x.parts[0]), u.lower(s.r, x.parts[1]))
	}
	elems := make([]Value, len(x.parts))
	for i, part := range x.parts {
		elems[i] = u.lower(s.elem, part)
	}
	return u.set(s, elems)
}

// liftState is lift for a packed state.
func (p *program) liftState(state []byte) []loose {
	f := p.frame(nil)
	p.unpack(f, state)
	out := make([]loose, len(p.vars))
	for i := range p.vars {
		out[i] = p.u.lift(p.vars[i].shape, f.slots[i])
	}
	return out
}

// lowerState packs a state that was lifted.
func (p *program) lowerState(values []loose) []byte {
	f := p.frame(nil)
	for i, x := range values {
		f.slots[p.vars[i].primed] = p.u.lower(p.vars[i].shape, x)
	}
	return p.pack(nil, f)
}
