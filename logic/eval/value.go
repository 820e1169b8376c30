package eval

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
)

// Value is an index into a Space. The zero Value is not a value.
type Value uint32

// Kind is the outermost constructor of a value.
type Kind uint8

// The kinds of values.
const (
	NoKind   Kind = iota
	Integer       // of any size
	Boolean       // TRUE, FALSE
	Element       // of a carrier set
	Pair          // x ↦ y
	Set           // finite, its members listed
	Symbolic      // a set given by an operator applied to values, or by a comprehension
)

type vnode struct {
	kind  Kind
	exact bool     // nothing symbolic inside: equal values have equal indices
	op    logic.Op // Symbolic
	n     int64    // Integer that fits, Boolean 0 or 1, number of an Element
	id    uint32   // Integer: 1 + index into bigs; Element: carrier; Symbolic comprehension: term
	off   uint32   // parts
	len   uint32
}

// Space owns values. Equal values without symbolic parts have equal indices, so
// they are compared with ==. A space only grows.
type Space struct {
	nodes []vnode
	parts []Value
	slots []Value
	bigs  []*big.Int
	names []string
	ids   map[string]uint32

	images map[Value]map[Value][]Value // of relations: domain element to images
}

// NewSpace returns a space without values.
func NewSpace() *Space {
	return &Space{
		nodes: make([]vnode, 1, 64), slots: make([]Value, 128),
		ids: map[string]uint32{}, images: map[Value]map[Value][]Value{},
	}
}

func (s *Space) hash(n *vnode, parts []Value) uint32 {
	h := uint32(n.kind)*0x9E3779B1 ^ uint32(n.n)*0x85EBCA77 ^ uint32(n.n>>32)*0x27D4EB2F ^ n.id*0xC2B2AE3D ^ uint32(n.op)*0x165667B1
	for _, p := range parts {
		h = (h ^ uint32(p)) * 0x01000193
		h ^= h >> 15
	}
	return h ^ h>>13
}

// intern returns the value with these contents, the same one each time.
func (s *Space) intern(n vnode, parts []Value) Value {
	h := s.hash(&n, parts)
	mask := uint32(len(s.slots) - 1)
	i := h & mask
	for ; s.slots[i] != 0; i = (i + 1) & mask {
		m := &s.nodes[s.slots[i]]
		if m.kind == n.kind && m.n == n.n && m.id == n.id && m.op == n.op && slices.Equal(s.parts[m.off:m.off+m.len], parts) {
			return s.slots[i]
		}
	}
	n.off, n.len = uint32(len(s.parts)), uint32(len(parts))
	n.exact = n.kind != Symbolic
	for _, p := range parts {
		n.exact = n.exact && s.nodes[p].exact
	}
	v := Value(len(s.nodes))
	s.parts = append(s.parts, parts...)
	s.nodes = append(s.nodes, n)
	s.slots[i] = v
	if 2*len(s.nodes) > len(s.slots) {
		s.rehash()
	}
	return v
}

func (s *Space) rehash() {
	s.slots = make([]Value, 2*len(s.slots))
	mask := uint32(len(s.slots) - 1)
	for v := 1; v < len(s.nodes); v++ {
		i := s.hash(&s.nodes[v], s.Parts(Value(v))) & mask
		for s.slots[i] != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = Value(v)
	}
}

func (s *Space) name(name string) uint32 {
	id, ok := s.ids[name]
	if !ok {
		id = uint32(len(s.names))
		s.names = append(s.names, name)
		s.ids[name] = id
	}
	return id
}

// Int64 returns an integer.
func (s *Space) Int64(n int64) Value { return s.intern(vnode{kind: Integer, n: n}, nil) }

// Int returns an integer.
func (s *Space) Int(n *big.Int) Value {
	if n.IsInt64() {
		return s.Int64(n.Int64())
	}
	key := "#" + n.String()
	id, ok := s.ids[key]
	if !ok {
		s.bigs = append(s.bigs, new(big.Int).Set(n))
		id = uint32(len(s.bigs))
		s.ids[key] = id
	}
	return s.intern(vnode{kind: Integer, id: id}, nil)
}

// Bool returns TRUE or FALSE.
func (s *Space) Bool(x bool) Value {
	n := vnode{kind: Boolean}
	if x {
		n.n = 1
	}
	return s.intern(n, nil)
}

// Element returns element number i of a carrier set.
func (s *Space) Element(carrier string, i int) Value {
	return s.intern(vnode{kind: Element, n: int64(i), id: s.name(carrier)}, nil)
}

// Pair returns x ↦ y.
func (s *Space) Pair(x, y Value) Value { return s.intern(vnode{kind: Pair}, []Value{x, y}) }

// Set returns the set of the given values, in any order. It takes over its
// argument. It is listed unless a member has symbolic parts: members of listed sets
// are compared by index, and symbolic values may be equal without being the same.
func (s *Space) Set(vs ...Value) Value {
	slices.Sort(vs)
	vs = slices.Compact(vs)
	for _, v := range vs {
		if !s.nodes[v].exact {
			return s.symbolic(logic.SetExt, vs...)
		}
	}
	return s.sorted(vs)
}

func (s *Space) sorted(vs []Value) Value { return s.intern(vnode{kind: Set}, vs) }

// symbolic returns op applied to args, as a set whose members are not listed.
func (s *Space) symbolic(op logic.Op, args ...Value) Value {
	return s.intern(vnode{kind: Symbolic, op: op}, args)
}

// Interval returns lo‥hi, where 0 stands for no bound. The origin is number 0 of
// its type: integers, or elements of an infinite carrier set.
func (s *Space) Interval(lo, hi, origin Value) Value {
	if lo != 0 && hi != 0 {
		l, h := &s.nodes[lo], &s.nodes[hi]
		switch {
		case s.Compare(lo, hi) > 0:
			return s.Set()
		case l.kind == Integer && l.id == 0 && h.id == 0 && uint64(h.n-l.n) < maxListed:
			vs := make([]Value, h.n-l.n+1)
			first := l.n
			for i := range vs {
				vs[i] = s.Int64(first + int64(i))
			}
			return s.Set(vs...)
		}
	}
	return s.symbolic(logic.UpTo, lo, hi, origin)
}

// Product returns the cartesian product of two sets.
func (s *Space) Product(v, w Value) Value {
	for _, x := range []Value{v, w} {
		if s.nodes[x].kind == Set && s.nodes[x].len == 0 {
			return x
		}
	}
	if s.nodes[v].kind != Set || s.nodes[w].kind != Set {
		return s.symbolic(logic.CProd, v, w)
	}
	var out []Value
	for _, x := range s.Parts(v) {
		for _, y := range s.Parts(w) {
			out = append(out, s.Pair(x, y))
		}
	}
	return s.Set(out...)
}

// Kind returns the kind of v.
func (s *Space) Kind(v Value) Kind { return s.nodes[v].kind }

// Parts returns the two parts of a pair and the members of a listed set. The
// caller must not change them.
func (s *Space) Parts(v Value) []Value {
	n := &s.nodes[v]
	return s.parts[n.off : n.off+n.len : n.off+n.len]
}

// IsTrue reports whether v is TRUE.
func (s *Space) IsTrue(v Value) bool { return s.nodes[v].kind == Boolean && s.nodes[v].n == 1 }

// Small returns integer v, if it fits.
func (s *Space) Small(v Value) (int64, bool) {
	n := &s.nodes[v]
	return n.n, n.kind == Integer && n.id == 0
}

// Big returns integer v. The caller must not change it.
func (s *Space) Big(v Value) *big.Int {
	if n := &s.nodes[v]; n.id != 0 {
		return s.bigs[n.id-1]
	} else {
		return big.NewInt(n.n)
	}
}

// Number returns the carrier set and the number of element v.
func (s *Space) Number(v Value) (carrier string, i int) {
	n := &s.nodes[v]
	return s.names[n.id], int(n.n)
}

// has reports whether listed set v has member x, neither of them symbolic.
func (s *Space) has(v, x Value) bool {
	_, ok := slices.BinarySearch(s.Parts(v), x)
	return ok
}

// image returns the images of x under the listed relation r.
func (s *Space) image(right, x Value) []Value {
	m, ok := s.images[right]
	if !ok {
		m = map[Value][]Value{}
		for _, p := range s.Parts(right) {
			lr := s.Parts(p)
			m[lr[0]] = append(m[lr[0]], lr[1])
		}
		s.images[right] = m
	}
	return m[x]
}

// Compare orders values of one type: numbers by size, elements by number, pairs
// and sets by their parts, smaller sets first. The order does not depend on the
// space's history.
func (s *Space) Compare(v, w Value) int {
	if v == w {
		return 0
	}
	m, n := &s.nodes[v], &s.nodes[w]
	switch {
	case m.kind != n.kind:
		return cmp.Compare(m.kind, n.kind)
	case m.kind == Integer && (m.id != 0 || n.id != 0):
		return s.Big(v).Cmp(s.Big(w))
	case m.kind == Element && m.id != n.id:
		return cmp.Compare(s.names[m.id], s.names[n.id])
	case m.kind <= Element:
		return cmp.Compare(m.n, n.n)
	case m.kind == Pair:
		return slices.CompareFunc(s.Parts(v), s.Parts(w), s.Compare)
	case m.len != n.len:
		return cmp.Compare(m.len, n.len)
	case m.kind == Set:
		return slices.CompareFunc(s.Members(v), s.Members(w), s.Compare)
	}
	return cmp.Compare(v, w)
}

// Members returns the members of listed set v, in the order of Compare.
func (s *Space) Members(v Value) []Value {
	vs := slices.Clone(s.Parts(v))
	slices.SortFunc(vs, s.Compare)
	return vs
}

// String returns v in Event-B text; element i of carrier set S is S#i.
func (s *Space) String(v Value) string {
	var out strings.Builder
	var write func(v Value, right bool)
	write = func(v Value, right bool) {
		switch n := &s.nodes[v]; n.kind {
		case Integer:
			out.WriteString(strings.Replace(s.Big(v).String(), "-", "−", 1))
		case Boolean:
			out.WriteString(strings.ToUpper(strconv.FormatBool(n.n == 1)))
		case Element:
			out.WriteString(s.names[n.id] + "#" + strconv.FormatInt(n.n, 10))
		case Pair:
			// ↦ groups to the left.
			if right {
				out.WriteString("(")
			}
			write(s.Parts(v)[0], false)
			out.WriteString(" ↦ ")
			write(s.Parts(v)[1], true)
			if right {
				out.WriteString(")")
			}
		case Set:
			if n.len == 0 {
				out.WriteString("∅")
				return
			}
			out.WriteString("{")
			for i, m := range s.Members(v) {
				if i > 0 {
					out.WriteString(", ")
				}
				write(m, false)
			}
			out.WriteString("}")
		case Symbolic:
			s.describe(&out, v, write)
		}
	}
	write(v, false)
	return out.String()
}

// describe writes an infinite set.
func (s *Space) describe(out *strings.Builder, v Value, write func(v Value, right bool)) {
	switch n, parts := &s.nodes[v], s.Parts(v); n.op {
	case logic.UpTo:
		// An interval without ends is its type.
		all := "ℤ"
		if s.Kind(parts[2]) == Element {
			all, _ = s.Number(parts[2])
		}
		switch {
		case parts[0] == 0 && parts[1] == 0:
			out.WriteString(all)
		case parts[1] == 0:
			write(parts[0], false)
			out.WriteString(" ‥ ∞")
		case parts[0] == 0:
			out.WriteString("−∞ ‥ ")
			write(parts[1], false)
		default:
			write(parts[0], false)
			out.WriteString(" ‥ ")
			write(parts[1], false)
		}
	case logic.CProd:
		out.WriteString("(")
		write(parts[0], false)
		out.WriteString(") × (")
		write(parts[1], false)
		out.WriteString(")")
	case logic.Pow, logic.Pow1:
		out.WriteString(notation.Of(n.op).Readable() + "(")
		write(parts[0], false)
		out.WriteString(")")
	default:
		if _, arrow := n.op.Arrow(); arrow || n.op == logic.Ovr {
			for i, part := range parts {
				if i > 0 {
					out.WriteString(" " + notation.Of(n.op).Readable() + " ")
				}
				out.WriteString("(")
				write(part, false)
				out.WriteString(")")
			}
			return
		}
		out.WriteString("…")
	}
}

// maxListed bounds the members of sets that are listed.
const maxListed = 1 << 14

// Copy returns value v of another space, and false if it has symbolic parts.
func (s *Space) Copy(from *Space, v Value) (Value, bool) {
	if !from.nodes[v].exact {
		return 0, false
	}
	var move func(v Value) Value
	move = func(v Value) Value {
		n := from.nodes[v]
		switch n.kind {
		case Integer:
			return s.Int(from.Big(v))
		case Element:
			return s.Element(from.names[n.id], int(n.n))
		}
		parts := slices.Clone(from.Parts(v))
		for i, x := range parts {
			parts[i] = move(x)
		}
		if n.kind == Set {
			return s.Set(parts...)
		}
		return s.intern(n, parts)
	}
	return move(v), true
}
