package value

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/logic"
)

// Value is a value of a known shape.
type Value uint64

// shapeKind is how values of a type are held.
type shapeKind uint8

const (
	IntShape   shapeKind = iota // an integer: itself below 2^62 in size, else interned
	elemShape                   // an element of a finite type, numbered from 0
	tupleShape                  // an interned pair
	MaskShape                   // a set over at most 64 elements, as bits
	SetShape                    // an interned set
	IntsShape                   // a set of integers: bits if all are in 0‥61, else interned
	MapShape                    // a relation: slots if it is a small function, else interned
)

// Small marks the bit form of a set of integers.
const Small Value = 1 << 62

// Shape is a type under a set-up.
type Shape struct {
	Kind        shapeKind
	Type        logic.Type
	Size        uint64 // number of values; 0 if infinite or 2^31 and more
	Elem        *Shape // of sets
	Left, Right *Shape // of pairs
	name        string // of carrier sets
}

// Bits reports whether set v of shape s is held as bits.
func (s *Shape) Bits(v Value) bool {
	return s.Kind == MaskShape || s.Kind == IntsShape && v&Small != 0
}

// Bit is the part of a set in bit form that stands for no element.
func (s *Shape) Bit() Value {
	if s.Kind == IntsShape {
		return Small
	}
	return 0
}

// Carrier is the carrier set that the values of the shape are elements of; "" if it is of another type.
func (s *Shape) Carrier() string { return s.name }

// Finite reports whether the values of the shape are counted: 0 to Size-1.
func (s *Shape) Finite() bool { return s.Size > 0 }

const maxSize = 1 << 31

// Space owns the shapes and interned values of one set-up. It may be used by
// several goroutines.
type Space struct {
	*pool
	Bank     *logic.Bank // frozen, for reading types
	carriers map[string][]string
	shapes   map[logic.Type]*Shape // filled by the compiler, before any search
}

// pool is the interned values of a space. Set-ups that call the elements of
// carrier sets by different names share one.
type pool struct {
	mu   sync.RWMutex
	ids  map[uint64][]Value
	dir  [1 << 14]*[chunk]interned
	next Value
	Room int // bytes taken by interned values, about
	Most int // bound on that; 0: none
}

// Memory is the room that interned values take, in bytes, about.
func (u *pool) Memory() int {
	u.mu.RLock()
	defer u.mu.RUnlock()
	return u.Room
}

const chunk = 1 << 12

type interned struct {
	Elems []Value  // of a set, in structural order; of a pair, both
	big   *big.Int // of an integer
	hash  uint64   // by structure
}

// NewSpace returns a space of the values of types of b; carriers are the elements of the carrier
// sets, by name.
func NewSpace(b *logic.Bank, carriers map[string][]string) *Space {
	return &Space{pool: &pool{ids: map[uint64][]Value{}}, Bank: b, carriers: carriers, shapes: map[logic.Type]*Shape{}}
}

// Carrier names the elements of a carrier set.
func (u *Space) Carrier(name string) []string { return u.carriers[name] }

// Named is u with other names for the elements of carrier sets.
func (u *Space) Named(carriers map[string][]string) *Space {
	return &Space{pool: u.pool, Bank: u.Bank, carriers: carriers, shapes: u.shapes}
}

// Shape returns the shape of the values of a type, the same one each time.
func (u *Space) Shape(typ logic.Type) *Shape {
	if s, ok := u.shapes[typ]; ok {
		return s
	}
	// The narrowest form that holds all values wins: a number, a mask, slots; what
	// has none of these is interned.
	s := &Shape{Type: typ}
	switch u.Bank.TypeKind(typ) {
	case logic.KindInt:
		s.Kind = IntShape
	case logic.KindBool:
		s.Kind, s.Size = elemShape, 2
	case logic.KindGiven:
		s.name = u.Bank.GivenName(typ)
		s.Kind, s.Size = elemShape, uint64(len(u.carriers[s.name]))
	case logic.KindProd:
		left, right := u.Bank.Pair(typ)
		s.Left, s.Right = u.Shape(left), u.Shape(right)
		s.Kind = tupleShape
		if s.Left.Finite() && s.Right.Finite() && s.Left.Size*s.Right.Size < maxSize {
			s.Kind, s.Size = elemShape, s.Left.Size*s.Right.Size
		}
	case logic.KindPow:
		s.Elem = u.Shape(u.Bank.Elem(typ))
		s.Kind = SetShape
		if s.Elem.Kind == IntShape {
			s.Kind = IntsShape
		}
		if scalar(s.Elem.Left) && scalar(s.Elem.Right) {
			s.Kind = MapShape
		}
		if n := s.Elem.Size; n > 0 && n <= 64 {
			s.Kind = MaskShape
			if n < 31 {
				s.Size = 1 << n
			}
		}
	default:
		panic("explore: type without values")
	}
	u.shapes[typ] = s
	return s
}

// scalar reports whether values of s are numbers.
func scalar(s *Shape) bool { return s != nil && (s.Kind == IntShape || s.Kind == elemShape) }

// Mix adds x to the hash h.
func Mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// Hash is by structure: the same in every run.
func (u *Space) Hash(s *Shape, v Value) uint64 {
	switch kind := s.Kind; {
	case kind == IntShape && IsBig(v), kind >= IntsShape && v&Small == 0, kind == SetShape, kind == tupleShape:
		return u.At(v).hash
	}
	return Mix(0x51, uint64(v))
}

// handle distinguishes interned integers from small ones.
const handle Value = 1 << 62

func (u *pool) At(v Value) *interned {
	v &^= handle
	return &u.dir[v/chunk][v%chunk]
}

// intern returns the one value with these contents.
func (u *pool) intern(elems []Value, z *big.Int, h uint64) Value {
	same := func(id Value) bool {
		e := u.At(id)
		return slices.Equal(e.Elems, elems) && (e.big == nil) == (z == nil) && (z == nil || e.big.Cmp(z) == 0)
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
		panic(abort.Limit{What: "more than 67 million different sets and pairs"})
	}
	if u.Most > 0 && u.Room > u.Most {
		panic(abort.Limit{What: "memory"})
	}
	if id%chunk == 0 {
		u.dir[id/chunk] = new([chunk]interned)
	}
	u.dir[id/chunk][id%chunk] = interned{slices.Clone(elems), z, h}
	u.ids[h] = append(u.ids[h], id)
	u.next++
	u.Room += 120 + 8*len(elems) // the entry, its index, its contents
	if z != nil {
		u.Room += 8 * len(z.Bits())
	}
	return id
}

// Integers.

// IsBig reports whether v refers to an integer that does not fit into 63 bits.
func IsBig(v Value) bool { i := int64(v); return i >= 1<<62 || i < -1<<62 }

// ToBig returns the integer that v is.
func (u *Space) ToBig(v Value) *big.Int {
	if IsBig(v) {
		return u.At(v).big
	}
	return big.NewInt(int64(v))
}

// FromBig returns the value of the integer z.
func (u *Space) FromBig(z *big.Int) Value {
	if z.IsInt64() {
		if value := Value(z.Int64()); !IsBig(value) {
			return value
		}
	}
	h := Mix(0x1B, uint64(z.Sign()+1))
	for _, w := range z.Bits() {
		h = Mix(h, uint64(w))
	}
	return u.intern(nil, new(big.Int).Set(z), h) | handle
}

// CmpInt compares integers: it is negative if a < b, 0 if a = b, positive if a > b.
func (u *Space) CmpInt(a, b Value) int {
	if IsBig(a) || IsBig(b) {
		return u.ToBig(a).Cmp(u.ToBig(b))
	}
	return cmp.Compare(int64(a), int64(b))
}

// Add returns a + b, exactly.
func (u *Space) Add(a, b Value) Value {
	if !IsBig(a) && !IsBig(b) {
		if c := Value(int64(a) + int64(b)); !IsBig(c) {
			return c
		}
	}
	return u.FromBig(new(big.Int).Add(u.ToBig(a), u.ToBig(b)))
}

// Sub returns a - b, exactly.
func (u *Space) Sub(a, b Value) Value {
	if !IsBig(a) && !IsBig(b) {
		if c := Value(int64(a) - int64(b)); !IsBig(c) {
			return c
		}
	}
	return u.FromBig(new(big.Int).Sub(u.ToBig(a), u.ToBig(b)))
}

// Mul returns a * b, exactly.
func (u *Space) Mul(a, b Value) Value {
	if !IsBig(a) && !IsBig(b) {
		x, y := int64(a), int64(b)
		hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
		if hi == 0 && lo < 1<<62 {
			return Value(x * y)
		}
	}
	x, y := u.ToBig(a), u.ToBig(b)
	if x.BitLen()+y.BitLen() > MaxBits {
		panic(abort.Limit{What: "an integer of more than a million digits"})
	}
	return u.FromBig(new(big.Int).Mul(x, y))
}

// MaxBits is the size of the largest product or power.
const MaxBits = 1 << 22

// Pairs.

// Pair returns a ↦ b, of shape s.
func (u *Space) Pair(s *Shape, a, b Value) Value {
	if s.Kind == elemShape {
		return a*Value(s.Right.Size) + b
	}
	return u.intern([]Value{a, b}, nil, Mix(Mix(0x2A, u.Hash(s.Left, a)), u.Hash(s.Right, b)))
}

// Split returns the components of the pair v, of shape s.
func (u *Space) Split(s *Shape, v Value) (a, b Value) {
	if s.Kind == elemShape {
		return v / Value(s.Right.Size), v % Value(s.Right.Size)
	}
	e := u.At(v).Elems
	return e[0], e[1]
}

// Sets.

// Compare orders values by structure.
func (u *Space) Compare(shape *Shape, a, b Value) int {
	switch {
	case a == b:
		return 0
	case shape.Kind == IntShape:
		return u.CmpInt(a, b)
	case shape.Kind == tupleShape:
		a1, a2 := u.Split(shape, a)
		b1, b2 := u.Split(shape, b)
		return cmp.Or(u.Compare(shape.Left, a1, b1), u.Compare(shape.Right, a2, b2))
	case shape.Kind == SetShape || shape.Kind == IntsShape || shape.Kind == MapShape:
		return slices.CompareFunc(u.Elems(shape, a, nil), u.Elems(shape, b, nil), func(x, y Value) int { return u.Compare(shape.Elem, x, y) })
	}
	return cmp.Compare(a, b)
}

// Empty returns ∅, of shape s.
func (u *Space) Empty(s *Shape) Value {
	switch s.Kind {
	case MaskShape:
		return 0
	case IntsShape, MapShape:
		return Small
	}
	return u.intern(nil, nil, 0x3C)
}

// Set returns the set of xs, which it may reorder.
func (u *Space) Set(s *Shape, xs []Value) Value {
	if s.Kind == MaskShape {
		var m Value
		for _, x := range xs {
			m |= 1 << x
		}
		return m
	}
	slices.SortFunc(xs, func(a, b Value) int { return u.Compare(s.Elem, a, b) })
	return u.sorted(s, slices.Compact(xs))
}

// sorted returns the set of xs, which are in structural order, each once.
func (u *Space) sorted(shape *Shape, xs []Value) Value {
	if shape.Kind == IntsShape && (len(xs) == 0 || xs[0] < 62 && xs[len(xs)-1] < 62) {
		m := Small
		for _, x := range xs {
			m |= 1 << x
		}
		return m
	}
	if shape.Kind == MapShape {
		if value, ok := u.toDense(shape, xs); ok {
			return value
		}
	}
	h := uint64(0x3C)
	for _, value := range xs {
		h = Mix(h, u.Hash(shape.Elem, value))
	}
	return u.intern(xs, nil, h)
}

// Has reports whether x is an element of set, which has the given shape.
func (u *Space) Has(shape *Shape, set, x Value) bool {
	if shape.Kind == MaskShape {
		return set>>x&1 == 1
	}
	if shape.Kind == IntsShape && set&Small != 0 {
		return x < 62 && set>>x&1 == 1
	}
	if shape.Dense(set) {
		a, b := u.Split(shape.Elem, x)
		y := Image(set, a)
		return y != 0 && y-1 == b
	}
	_, ok := slices.BinarySearchFunc(u.At(set).Elems, x, func(a, b Value) int { return u.Compare(shape.Elem, a, b) })
	return ok
}

// Card returns the number of elements of set, which has shape s.
func (u *Space) Card(s *Shape, set Value) int {
	if s.Bits(set) {
		return bits.OnesCount64(uint64(set &^ s.Bit()))
	}
	if s.Dense(set) {
		return denseCard(set)
	}
	return len(u.At(set).Elems)
}

// Elems lists a set in structural order; the caller must not change it. buf is
// room for masks.
func (u *Space) Elems(shape *Shape, set Value, buf []Value) []Value {
	buf = buf[:0]
	if shape.Dense(set) {
		EachSlot(set, func(k, x Value) bool {
			buf = append(buf, u.Pair(shape.Elem, k, x))
			return true
		})
		return buf
	}
	if !shape.Bits(set) {
		return u.At(set).Elems
	}
	for m := uint64(set &^ shape.Bit()); m != 0; m &= m - 1 {
		buf = append(buf, Value(bits.TrailingZeros64(m)))
	}
	return buf
}

// merge combines two sets by a three-way choice: what is in a only, in both, in b only.
func (u *Space) merge(shape *Shape, a, b Value, onlyA, both, onlyB bool) Value {
	if shape.Dense(a) && shape.Dense(b) {
		if v, ok := combineDense(a, b, onlyA, both, onlyB); ok {
			return v
		}
	}
	var out []Value
	xs, ys := u.Elems(shape, a, nil), u.Elems(shape, b, nil)
	for len(xs) > 0 || len(ys) > 0 {
		c := 0
		switch {
		case len(ys) == 0:
			c = -1
		case len(xs) == 0:
			c = 1
		default:
			c = u.Compare(shape.Elem, xs[0], ys[0])
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
	// Both lists were in order, and so is what was taken from them.
	return u.sorted(shape, out)
}

// Union returns a ∪ b; both have shape s.
func (u *Space) Union(s *Shape, a, b Value) Value {
	if s.Bits(a) && s.Bits(b) {
		return a | b
	}
	return u.merge(s, a, b, true, true, true)
}

// Inter returns a ∩ b; both have shape s.
func (u *Space) Inter(s *Shape, a, b Value) Value {
	if s.Bits(a) && s.Bits(b) {
		return a & b
	}
	return u.merge(s, a, b, false, true, false)
}

// Diff returns a ∖ b; both have shape s.
func (u *Space) Diff(s *Shape, a, b Value) Value {
	if s.Bits(a) && s.Bits(b) {
		return a&^b | s.Bit()
	}
	return u.merge(s, a, b, true, false, false)
}

// Full returns all values of a finite type as a list.
func Full(s *Shape) []Value {
	out := make([]Value, s.Size)
	for i := range out {
		out[i] = Value(i)
	}
	return out
}

// String prints v in the notation of models.
func (u *Space) String(shape *Shape, v Value) string {
	switch {
	case shape.Kind == IntShape:
		return strings.Replace(u.ToBig(v).String(), "-", "−", 1)
	case shape.Left != nil:
		a, b := u.Split(shape, v)
		l := u.String(shape.Left, a)
		r := u.String(shape.Right, b)
		if shape.Right.Left != nil {
			r = "(" + r + ")"
		}
		return l + "↦" + r
	case shape.Elem != nil:
		var out []string
		for _, x := range u.Elems(shape, v, nil) {
			out = append(out, u.String(shape.Elem, x))
		}
		if len(out) == 0 {
			return "∅"
		}
		return "{" + strings.Join(out, ", ") + "}"
	case shape.name != "":
		return u.carriers[shape.name][v]
	case v == 1:
		return "TRUE"
	case v == 0:
		return "FALSE"
	}
	panic(fmt.Sprintf("explore: value %d of no shape", v))
}

// List prints values as a set.
func (u *Space) List(s *Shape, elems []Value) string {
	var out []string
	for _, v := range elems {
		out = append(out, u.String(s, v))
	}
	return "{" + strings.Join(out, ", ") + "}"
}
