package llvm

import (
	"strconv"
	"strings"
)

// Target is the kind of device that a module is for.
type Target uint8

// The targets.
const (
	UnknownTarget Target = iota
	NVPTX
	AMDGPU
	SPIR
)

// Target is the kind of device that m is for.
func (m *Module) Target() Target {
	arch, _, _ := strings.Cut(m.Triple, "-")
	switch {
	case arch == "nvptx64", arch == "nvptx":
		return NVPTX
	case arch == "amdgcn":
		return AMDGPU
	case arch == "spir", arch == "spir64", strings.HasPrefix(arch, "spirv"):
		return SPIR
	}
	return UnknownTarget
}

// Layout says how large types are in memory.
type Layout struct {
	pointers  map[int]int64 // bytes, by address space
	alignment map[string]int64
	known     map[*Type]*extent // of structures and arrays, worked out once: they share parts
}

// extent is the size of a type, where its fields begin, and its alignment; a size of −1 says that it has none,
// or is still worked out, as of a structure within itself.
type extent struct {
	at          []int64
	size, align int64
}

func newLayout() Layout {
	return Layout{known: map[*Type]*extent{}, pointers: map[int]int64{0: 8}, alignment: map[string]int64{"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 4, "f16": 2, "f32": 4, "f64": 8, "f128": 16, "v64": 8, "v128": 16}}
}

// read takes what a data layout says.
func (l *Layout) read(text string) {
	for _, part := range strings.Split(text, "-") {
		if part == "" {
			continue
		}
		fields := strings.Split(part, ":")
		number := func(k int) int64 {
			if k >= len(fields) {
				return 0
			}
			n, _ := strconv.ParseInt(fields[k], 10, 64)
			return n / 8
		}
		switch part[0] {
		case 'p':
			space, _ := strconv.Atoi(fields[0][1:])
			if number(1) > 0 {
				l.pointers[space] = number(1)
			}
		case 'i', 'f', 'v':
			if number(1) > 0 {
				l.alignment[fields[0]] = number(1)
			}
		}
	}
}

func roundUp(n, to int64) int64 {
	if to <= 1 {
		return n
	}
	return (n + to - 1) / to * to
}

// Pointer is how many bytes a pointer of an address space has.
func (l *Layout) Pointer(space int) int64 {
	if n := l.pointers[space]; n > 0 {
		return n
	}
	return l.pointers[0]
}

// Store is how many bytes an access of a type touches; −1 if it has no size.
func (l *Layout) Store(t *Type) int64 {
	switch t.Kind {
	case Int, Float:
		return int64(t.Bits+7) / 8
	case Pointer:
		return l.Pointer(t.Space)
	case Vector:
		switch t.Elem.Kind {
		case Int, Float:
			return (t.N*int64(t.Elem.Bits) + 7) / 8
		}
		if n := l.Store(t.Elem); n > 0 {
			return t.N * n
		}
		return -1
	}
	return l.Size(t)
}

// Size is how many bytes a type takes in an array; −1 if it has no size.
func (l *Layout) Size(t *Type) int64 {
	switch t.Kind {
	case Array, Struct:
		return l.extent(t).size
	case Int, Float, Pointer, Vector:
		n := l.Store(t)
		if n < 0 {
			return -1
		}
		return roundUp(n, l.Align(t))
	}
	return -1
}

// Align is the alignment of a type in memory, in bytes.
func (l *Layout) Align(t *Type) int64 {
	switch t.Kind {
	case Int:
		if n := l.alignment["i"+strconv.Itoa(t.Bits)]; n > 0 {
			return n
		}
		// Integers of other widths are aligned like the next larger one that the layout names.
		best := int64(1)
		for size := 8; size <= 128; size *= 2 {
			if n := l.alignment["i"+strconv.Itoa(size)]; n > 0 {
				best = n
				if size >= t.Bits {
					return n
				}
			}
		}
		return best
	case Float:
		if n := l.alignment["f"+strconv.Itoa(t.Bits)]; n > 0 {
			return n
		}
		return roundUpPower(int64(t.Bits+7) / 8)
	case Vector:
		n := l.Store(t)
		if n < 0 {
			return 1
		}
		if a := l.alignment["v"+strconv.FormatInt(8*n, 10)]; a > 0 {
			return a
		}
		return roundUpPower(n)
	case Pointer:
		return l.Pointer(t.Space)
	case Array, Struct:
		return l.extent(t).align
	}
	return 1
}

// extent is the size and alignment of a type that has parts, computed once.
func (l *Layout) extent(t *Type) *extent {
	if e := l.known[t]; e != nil {
		return e
	}
	e := &extent{size: -1, align: 1}
	l.known[t] = e
	if t.Kind == Array {
		n := l.Size(t.Elem)
		e.align = l.Align(t.Elem)
		if n >= 0 && t.N >= 0 && (n == 0 || t.N <= (1<<40)/n) {
			e.size = t.N * n
		}
		return e
	}
	// Fields of packed structures follow each other without gaps.
	if !t.Packed {
		for _, f := range t.Fields {
			e.align = max(e.align, l.Align(f))
		}
	}
	var at []int64
	size := int64(0)
	for _, f := range t.Fields {
		n := l.Size(f)
		// A field without a size leaves the structure without one.
		if n < 0 {
			return e
		}
		if !t.Packed {
			size = roundUp(size, l.Align(f))
		}
		at = append(at, size)
		if size += n; size > 1<<40 {
			return e
		}
	}
	e.at, e.size = at, roundUp(size, e.align)
	return e
}

func roundUpPower(n int64) int64 {
	p := int64(1)
	for p < n {
		p *= 2
	}
	return p
}

// Offset is where field k of a structure begins.
func (l *Layout) Offset(t *Type, k int) int64 {
	at := l.extent(t).at
	if k < 0 || k >= len(at) {
		return -1
	}
	return at[k]
}

// Leaf is a scalar within a type: where it begins, and what it is.
type Leaf struct {
	At   int64
	Type *Type
}

// Leaves are the scalars of a type, the lanes of vectors among them, up to so many; ok says whether
// these are all.
func (l *Layout) Leaves(t *Type, most int) (out []Leaf, ok bool) {
	var walk func(t *Type, at int64) bool
	walk = func(t *Type, at int64) bool {
		if len(out) > most || l.Size(t) < 0 {
			return false
		}
		switch t.Kind {
		case Array:
			size := l.Size(t.Elem)
			if size < 0 || t.N > int64(most) {
				return false
			}
			for i := range t.N {
				if !walk(t.Elem, at+i*size) {
					return false
				}
			}
		case Vector:
			size := l.Store(t.Elem)
			// Lanes that are not whole bytes are packed as bits, and have no place of their own.
			if t.Elem.Kind == Int && t.Elem.Bits%8 != 0 {
				return false
			}
			for i := range t.N {
				if !walk(t.Elem, at+i*size) {
					return false
				}
			}
		case Struct:
			for i, f := range t.Fields {
				if o := l.Offset(t, i); o < 0 || !walk(f, at+o) {
					return false
				}
			}
		case Int, Float, Pointer:
			out = append(out, Leaf{at, t})
		default:
			return false
		}
		return true
	}
	ok = walk(t, 0)
	return out, ok && len(out) <= most
}
