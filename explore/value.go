package explore

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/gradine/gradine/logic"
)

// Value is a value of a known shape.
type Value uint64

// shapeKind is how values of a type are held.
type shapeKind uint8

const (
	intShape   shapeKind = iota // an integer: itself below 2^62 in size, else interned
	elemShape                   // an element of a finite type, numbered from 0
	tupleShape                  // an interned pair
	maskShape                   // a set over at most 64 elements, as bits
	setShape                    // an interned set
	intsShape                   // a set of integers: bits if all are in 0‥61, else interned
	mapShape                    // a relation: slots if it is a small function, else interned
)

// small marks the bit form of a set of integers.
const small Value = 1 << 62

// shape is a type under a set-up.
type shape struct {
	kind shapeKind
	typ  logic.Type
	size uint64 // number of values; 0 if infinite or 2^31 and more
	elem *shape // of sets
	l, r *shape // of pairs
	name string // of carrier sets
}

// bits reports whether set v of shape s is held as bits.
func (s *shape) bits(v Value) bool {
	return s.kind == maskShape || s.kind == intsShape && v&small != 0
}

// mark is the part of a set in bit form that stands for no element.
func (s *shape) mark() Value {
	if s.kind == intsShape {
		return small
	}
	return 0
}

func (s *shape) finite() bool { return s.size > 0 }

const maxSize = 1 << 31

// space owns the shapes and interned values of one set-up. It may be used by
// several goroutines.
type space struct {
	*pool
	b        *logic.Bank // frozen, for reading types
	carriers map[string][]string
	shapes   map[logic.Type]*shape // filled by the compiler, before any search
}

// pool is the interned values of a space. Set-ups that call the elements of
// carrier sets by different names share one.
type pool struct {
	mu   sync.RWMutex
	ids  map[uint64][]Value
	dir  [1 << 14]*[chunk]interned
	next Value
	room int // bytes taken by interned values, about
	most int // bound on that; 0: none
}

// memory is the room that interned values take, in bytes, about.
func (u *pool) memory() int {
	u.mu.RLock()
	defer u.mu.RUnlock()
	return u.room
}

const chunk = 1 << 12

type interned struct {
	elems []Value  // of a set, in structural order; of a pair, both
	big   *big.Int // of an integer
	hash  uint64   // by structure
}

func newSpace(b *logic.Bank, carriers map[string][]string) *space {
	return &space{pool: &pool{ids: map[uint64][]Value{}}, b: b, carriers: carriers, shapes: map[logic.Type]*shape{}}
}

// named is u with other names for the elements of carrier sets.
func (u *space) named(carriers map[string][]string) *space {
	return &space{pool: u.pool, b: u.b, carriers: carriers, shapes: u.shapes}
}

func (u *space) shape(t logic.Type) *shape {
	if s, ok := u.shapes[t]; ok {
		return s
	}
	s := &shape{typ: t}
	switch u.b.TypeKind(t) {
	case logic.KindInt:
		s.kind = intShape
	case logic.KindBool:
		s.kind, s.size = elemShape, 2
	case logic.KindGiven:
		s.name = u.b.GivenName(t)
		s.kind, s.size = elemShape, uint64(len(u.carriers[s.name]))
	case logic.KindProd:
		l, r := u.b.Pair(t)
		s.l, s.r = u.shape(l), u.shape(r)
		s.kind = tupleShape
		if s.l.finite() && s.r.finite() && s.l.size*s.r.size < maxSize {
			s.kind, s.size = elemShape, s.l.size*s.r.size
		}
	case logic.KindPow:
		s.elem = u.shape(u.b.Elem(t))
		s.kind = setShape
		if s.elem.kind == intShape {
			s.kind = intsShape
		}
		if scalar(s.elem.l) && scalar(s.elem.r) {
			s.kind = mapShape
		}
		if n := s.elem.size; n > 0 && n <= 64 {
			s.kind = maskShape
			if n < 31 {
				s.size = 1 << n
			}
		}
	default:
		panic("explore: type without values")
	}
	u.shapes[t] = s
	return s
}

// scalar reports whether values of s are numbers.
func scalar(s *shape) bool { return s != nil && (s.kind == intShape || s.kind == elemShape) }

func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// hash is by structure: the same in every run.
func (u *space) hash(s *shape, v Value) uint64 {
	if s.kind == setShape || s.kind == tupleShape || s.kind == intShape && isBig(v) || (s.kind == intsShape || s.kind == mapShape) && v&small == 0 {
		return u.at(v).hash
	}
	return mix(0x51, uint64(v))
}

// handle distinguishes interned integers from small ones.
const handle Value = 1 << 62

func (u *pool) at(v Value) *interned {
	v &^= handle
	return &u.dir[v/chunk][v%chunk]
}

// intern returns the one value with these contents.
func (u *pool) intern(elems []Value, z *big.Int, h uint64) Value {
	same := func(id Value) bool {
		e := u.at(id)
		return slices.Equal(e.elems, elems) && (e.big == nil) == (z == nil) && (z == nil || e.big.Cmp(z) == 0)
	}
	u.mu.RLock()
	for _, id := range u.ids[h] {
		if same(id) {
			u.mu.RUnlock()
			return id
		}
	}
	u.mu.RUnlock()
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, id := range u.ids[h] {
		if same(id) {
			return id
		}
	}
	id := u.next
	if int(id/chunk) == len(u.dir) {
		panic(limitReached{"more than 67 million different sets and pairs"})
	}
	if u.most > 0 && u.room > u.most {
		panic(limitReached{"memory"})
	}
	if id%chunk == 0 {
		u.dir[id/chunk] = new([chunk]interned)
	}
	u.dir[id/chunk][id%chunk] = interned{slices.Clone(elems), z, h}
	u.ids[h] = append(u.ids[h], id)
	u.next++
	u.room += 120 + 8*len(elems) // the entry, its index, its contents
	if z != nil {
		u.room += 8 * len(z.Bits())
	}
	return id
}

// limitReached ends a search with the verdict bounded.
type limitReached struct{ what string }

// Integers.

func isBig(v Value) bool { i := int64(v); return i >= 1<<62 || i < -1<<62 }

func (u *space) toBig(v Value) *big.Int {
	if isBig(v) {
		return u.at(v).big
	}
	return big.NewInt(int64(v))
}

func (u *space) fromBig(z *big.Int) Value {
	if z.IsInt64() {
		if v := Value(z.Int64()); !isBig(v) {
			return v
		}
	}
	h := mix(0x1B, uint64(z.Sign()+1))
	for _, w := range z.Bits() {
		h = mix(h, uint64(w))
	}
	return u.intern(nil, new(big.Int).Set(z), h) | handle
}

func (u *space) cmpInt(a, b Value) int {
	if isBig(a) || isBig(b) {
		return u.toBig(a).Cmp(u.toBig(b))
	}
	return cmp.Compare(int64(a), int64(b))
}

func (u *space) add(a, b Value) Value {
	if !isBig(a) && !isBig(b) {
		if c := Value(int64(a) + int64(b)); !isBig(c) {
			return c
		}
	}
	return u.fromBig(new(big.Int).Add(u.toBig(a), u.toBig(b)))
}

func (u *space) sub(a, b Value) Value {
	if !isBig(a) && !isBig(b) {
		if c := Value(int64(a) - int64(b)); !isBig(c) {
			return c
		}
	}
	return u.fromBig(new(big.Int).Sub(u.toBig(a), u.toBig(b)))
}

func (u *space) mul(a, b Value) Value {
	if !isBig(a) && !isBig(b) {
		x, y := int64(a), int64(b)
		hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
		if hi == 0 && lo < 1<<62 {
			return Value(x * y)
		}
	}
	x, y := u.toBig(a), u.toBig(b)
	if x.BitLen()+y.BitLen() > maxBits {
		panic(limitReached{"an integer of more than a million digits"})
	}
	return u.fromBig(new(big.Int).Mul(x, y))
}

// maxBits is the size of the largest product or power.
const maxBits = 1 << 22

// Pairs.

func (u *space) pair(s *shape, a, b Value) Value {
	if s.kind == elemShape {
		return a*Value(s.r.size) + b
	}
	return u.intern([]Value{a, b}, nil, mix(mix(0x2A, u.hash(s.l, a)), u.hash(s.r, b)))
}

func (u *space) split(s *shape, v Value) (a, b Value) {
	if s.kind == elemShape {
		return v / Value(s.r.size), v % Value(s.r.size)
	}
	e := u.at(v).elems
	return e[0], e[1]
}

// Sets.

// compare orders values by structure.
func (u *space) compare(s *shape, a, b Value) int {
	switch {
	case a == b:
		return 0
	case s.kind == intShape:
		return u.cmpInt(a, b)
	case s.kind == tupleShape:
		a1, a2 := u.split(s, a)
		b1, b2 := u.split(s, b)
		return cmp.Or(u.compare(s.l, a1, b1), u.compare(s.r, a2, b2))
	case s.kind == setShape || s.kind == intsShape || s.kind == mapShape:
		return slices.CompareFunc(u.elems(s, a, nil), u.elems(s, b, nil), func(x, y Value) int { return u.compare(s.elem, x, y) })
	}
	return cmp.Compare(a, b)
}

func (u *space) empty(s *shape) Value {
	switch s.kind {
	case maskShape:
		return 0
	case intsShape, mapShape:
		return small
	}
	return u.intern(nil, nil, 0x3C)
}

// set returns the set of xs, which it may reorder.
func (u *space) set(s *shape, xs []Value) Value {
	if s.kind == maskShape {
		var m Value
		for _, x := range xs {
			m |= 1 << x
		}
		return m
	}
	slices.SortFunc(xs, func(a, b Value) int { return u.compare(s.elem, a, b) })
	return u.sorted(s, slices.Compact(xs))
}

// sorted returns the set of xs, which are in structural order, each once.
func (u *space) sorted(s *shape, xs []Value) Value {
	if s.kind == intsShape && (len(xs) == 0 || xs[0] < 62 && xs[len(xs)-1] < 62) {
		m := small
		for _, x := range xs {
			m |= 1 << x
		}
		return m
	}
	if s.kind == mapShape {
		if v, ok := u.toDense(s, xs); ok {
			return v
		}
	}
	h := uint64(0x3C)
	for _, x := range xs {
		h = mix(h, u.hash(s.elem, x))
	}
	return u.intern(xs, nil, h)
}

func (u *space) has(s *shape, set, x Value) bool {
	if s.kind == maskShape {
		return set>>x&1 == 1
	}
	if s.kind == intsShape && set&small != 0 {
		return x < 62 && set>>x&1 == 1
	}
	if s.dense(set) {
		a, b := u.split(s.elem, x)
		y := image(set, a)
		return y != 0 && y-1 == b
	}
	_, ok := slices.BinarySearchFunc(u.at(set).elems, x, func(a, b Value) int { return u.compare(s.elem, a, b) })
	return ok
}

func (u *space) card(s *shape, set Value) int {
	if s.bits(set) {
		return bits.OnesCount64(uint64(set &^ s.mark()))
	}
	if s.dense(set) {
		return denseCard(set)
	}
	return len(u.at(set).elems)
}

// elems lists a set in structural order; the caller must not change it. buf is
// room for masks.
func (u *space) elems(s *shape, set Value, buf []Value) []Value {
	buf = buf[:0]
	if s.dense(set) {
		eachSlot(set, func(k, x Value) bool {
			buf = append(buf, u.pair(s.elem, k, x))
			return true
		})
		return buf
	}
	if !s.bits(set) {
		return u.at(set).elems
	}
	for m := uint64(set &^ s.mark()); m != 0; m &= m - 1 {
		buf = append(buf, Value(bits.TrailingZeros64(m)))
	}
	return buf
}

// merge combines two sets by a three-way choice: what is in a only, in both, in b only.
func (u *space) merge(s *shape, a, b Value, onlyA, both, onlyB bool) Value {
	var out []Value
	xs, ys := u.elems(s, a, nil), u.elems(s, b, nil)
	for len(xs) > 0 || len(ys) > 0 {
		c := 0
		switch {
		case len(ys) == 0:
			c = -1
		case len(xs) == 0:
			c = 1
		default:
			c = u.compare(s.elem, xs[0], ys[0])
		}
		switch {
		case c < 0:
			if onlyA {
				out = append(out, xs[0])
			}
			xs = xs[1:]
		case c > 0:
			if onlyB {
				out = append(out, ys[0])
			}
			ys = ys[1:]
		default:
			if both {
				out = append(out, xs[0])
			}
			xs, ys = xs[1:], ys[1:]
		}
	}
	return u.sorted(s, out)
}

func (u *space) union(s *shape, a, b Value) Value {
	if s.bits(a) && s.bits(b) {
		return a | b
	}
	return u.merge(s, a, b, true, true, true)
}

func (u *space) inter(s *shape, a, b Value) Value {
	if s.bits(a) && s.bits(b) {
		return a & b
	}
	return u.merge(s, a, b, false, true, false)
}

func (u *space) diff(s *shape, a, b Value) Value {
	if s.bits(a) && s.bits(b) {
		return a&^b | s.mark()
	}
	return u.merge(s, a, b, true, false, false)
}

// full returns all values of a finite type as a list.
func full(s *shape) []Value {
	out := make([]Value, s.size)
	for i := range out {
		out[i] = Value(i)
	}
	return out
}

// String prints v in the notation of models.
func (u *space) String(s *shape, v Value) string {
	switch {
	case s.kind == intShape:
		return strings.Replace(u.toBig(v).String(), "-", "−", 1)
	case s.l != nil:
		a, b := u.split(s, v)
		l := u.String(s.l, a)
		r := u.String(s.r, b)
		if s.r.l != nil {
			r = "(" + r + ")"
		}
		return l + "↦" + r
	case s.elem != nil:
		var out []string
		for _, x := range u.elems(s, v, nil) {
			out = append(out, u.String(s.elem, x))
		}
		if len(out) == 0 {
			return "∅"
		}
		return "{" + strings.Join(out, ", ") + "}"
	case s.name != "":
		return u.carriers[s.name][v]
	case v == 1:
		return "TRUE"
	case v == 0:
		return "FALSE"
	}
	panic(fmt.Sprintf("explore: value %d of no shape", v))
}
