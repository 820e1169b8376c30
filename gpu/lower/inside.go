package lower

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/llvm"
)

// inside is what is known of the pointers that lie in a memory.
type inside struct {
	targets  []string // the keys of what pointers that the kernel stores there lead to
	offset   string   // … and the offset that all of them have, "" if there are several
	bad      string   // why pointers that are read there cannot be followed
	used     bool     // pointers are read there
	computed bool     // … at places that are computed
}

func (l *lowerer) inside(key string) *inside {
	in := l.insides[key]
	if in == nil {
		in = &inside{}
		l.insides[key] = in
	}
	return in
}

// spoil notes why pointers that are read in a memory cannot be followed.
func (l *lowerer) spoil(b *base, why string) {
	in := l.inside(b.key)
	if in.bad == "" {
		in.bad = why
		l.again = l.again || in.used
	}
}

// putsPointer notes that a pointer is stored in a memory.
func (l *lowerer) putsPointer(b *base, p *pointer) {
	in := l.inside(b.key)
	// Whatever a stored pointer may lead to must be known, or reads of the memory give an unknown pointer.
	for _, t := range p.targets {
		switch {
		case t.null:
			continue
		case t.unknown != "":
			l.spoil(b, t.unknown)
			continue
		case t.heap && b.mem.Space == ast.Local && t.mem.Space == ast.Private:
			l.escaped[t.key], l.again = true, true
			continue
		case b.mem.Space != ast.Private && (t.place != nil || t.mem.Space == ast.Private):
			l.spoil(b, "a pointer to a variable of a thread, which other threads may read")
			continue
		case b.mem.Space != ast.Private && b.mem.Space != ast.Local:
			l.spoil(b, "a pointer that was read from memory to which the kernel writes")
			continue
		}
		l.bases[t.key] = t
		offset := ""
		if p.off.IsNum() {
			offset = p.off.Val.String()
		}
		if !slices.Contains(in.targets, t.key) {
			if len(in.targets) == 0 {
				in.offset = offset
			}
			in.targets = append(in.targets, t.key)
			// A read before this store has seen fewer targets, so the function is lowered again.
			l.again = l.again || in.used
		}
		if in.offset != "" && in.offset != offset {
			in.offset = ""
			l.again = l.again || in.used
		}
		if len(in.targets) > maxCells {
			l.fail("a pointer to one of more than %d places", maxCells)
		}
	}
}

const apart = "pointers stored in memory point to separate arrays that do not overlap others"

// takenPointer is a pointer that is read from a memory.
func (l *lowerer) takenPointer(b *base, off *ir.Term) *pointer {
	in := l.inside(b.key)
	in.used = true
	switch {
	case in.bad != "":
		return unknownPointer(in.bad)
	case b.mem.Space == ast.Global || b.mem.Space == ast.Constant:
		return l.givenPointer(b, off, in)
	case len(in.targets) == 0:
		return unknownPointer("an uninitialised pointer")
	}
	out := &pointer{}
	unit := int64(16)
	for _, k := range in.targets {
		t := l.bases[k]
		if t == nil {
			// A target that is stored later in the code has no base yet. It gets one when the code is lowered again.
			t = later(k)
		}
		if g := l.granule[k]; g > 0 {
			unit = min(unit, g)
		}
		out.targets = append(out.targets, t)
	}
	// Which of the targets it is, nobody knows: any number chooses.
	if len(out.targets) > 1 {
		out.which = l.Anything(ast.TInt, l.at)
	}
	if n, ok := number(in.offset); ok {
		out.off = ir.BigNumber(n)
		return out
	}
	out.off = ir.Product(ir.Number(unit), l.Anything(ast.TLong, l.at))
	return out
}

// givenPointer is a pointer that lay in a memory before the launch, and that no thread changes. By its type it
// leads to something else than what it lies in.
func (l *lowerer) givenPointer(b *base, off *ir.Term, in *inside) *pointer {
	to, why := l.pointed(b, off)
	if why != "" {
		return unknownPointer("a pointer read from memory" + why)
	}
	if !off.IsNum() && !in.computed {
		in.computed = true
		l.again = true
	}
	l.claim(apart)
	unsigned, _ := llvm.Unsigned(to)
	if !in.computed {
		at := off.Val.String()
		return &pointer{targets: []*base{l.newMemory("pointer in "+b.key+" at "+at, b.name+"_"+at, ast.Global, -1, unsigned)}, off: ir.Number(0)}
	}
	t := l.newMemory("pointers in "+b.key, b.name+"_all", ast.Global, -1, unsigned)
	unit := int64(16)
	if g := l.granule[t.key]; g > 0 {
		unit = g
	}
	return &pointer{targets: []*base{t}, off: ir.Product(ir.Number(unit), l.Anything(ast.TLong, l.at))}
}

// pointed is the type, as the source says it, of what the pointer leads to that lies at an offset of a memory. Why says
// why that may be the memory itself.
func (l *lowerer) pointed(b *base, off *ir.Term) (to *llvm.Metadata, why string) {
	if b.of == nil {
		return nil, ", whose target type the source does not state"
	}
	holder := plain(b.of)
	at, ok := int64(0), true
	if size := holder.Field("size").Number() / 8; size > 8 || isClass(holder) {
		at, ok = residue(off, size)
	}
	if !ok {
		return nil, " at a computed offset within a structure"
	}
	p := plain(member(b.of, at, &l.m.Layout))
	if p == nil || p.Field("tag").String() != "DW_TAG_pointer_type" {
		return nil, ", which the source does not declare as a pointer"
	}
	to = plain(p.Field("baseType"))
	if to == nil { // void
		return nil, ", and points to data of any type"
	}
	if to == holder || holds(to, 0) {
		return nil, ", and points to data that may contain pointers"
	}
	return to, ""
}

// plain is a type without its other names and qualifiers.
func plain(t *llvm.Metadata) *llvm.Metadata {
	for k := 0; t != nil && k < 100; k++ {
		switch t.Field("tag").String() {
		case "DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_restrict_type", "DW_TAG_array_type":
			t = t.Field("baseType")
		default:
			return t
		}
	}
	return nil
}

func isClass(t *llvm.Metadata) bool {
	tag := t.Field("tag").String()
	return tag == "DW_TAG_structure_type" || tag == "DW_TAG_class_type"
}

// holds reports whether a value of a type may hold a pointer, or bytes of one: characters may be those of anything.
func holds(t *llvm.Metadata, depth int) bool {
	t = plain(t)
	switch {
	case t == nil || depth > 20:
		return true
	case t.Name == "DIBasicType":
		return t.Field("size").Number() <= 8
	case t.Field("tag").String() == "DW_TAG_enumeration_type":
		return false
	case !isClass(t) || t.Field("elements") == nil:
		return true
	}
	for _, e := range t.Field("elements").Elems {
		switch e.Field("tag").String() {
		case "DW_TAG_subprogram", "DW_TAG_typedef":
		case "DW_TAG_member", "DW_TAG_inheritance":
			if holds(e.Field("baseType"), depth+1) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// residue is t modulo n, where its form says so.
func residue(t *ir.Term, n int64) (int64, bool) {
	switch t.Op {
	case ir.Num:
		return new(big.Int).Mod(t.Val, big.NewInt(n)).Int64(), true
	case ir.Mul:
		for _, a := range t.Args {
			if a.IsNum() && new(big.Int).Mod(a.Val, big.NewInt(n)).Sign() == 0 {
				return 0, true
			}
		}
	case ir.Add:
		sum := int64(0)
		for _, a := range t.Args {
			r, ok := residue(a, n)
			if !ok {
				return 0, false
			}
			sum += r
		}
		return sum % n, true
	}
	return 0, false
}

const heapKept = "allocations of the kernel succeed where they are accessed, and are not accessed after they are freed"

// allocate is memory that a thread allocates. All that one call allocates counts as one memory. It is private to each thread, unless
// a thread stores its address in memory of the group. Then the group shares it: two threads that access different allocations seem to
// access the same one, so that no race is missed. An address in memory of the grid is never followed. Values there are not followed,
// because a thread may have several allocations of one call.
func (l *lowerer) allocate(s site) {
	l.claim(heapKept)
	key, space := fmt.Sprint(s.fr.key, "allocation ", s.fr.block.Name, " ", s.fr.index), ast.Private
	if l.escaped[key] {
		space = ast.Local
	}
	b := l.newMemory(key, "allocated", space, -1, false)
	b.heap = true
	l.put(s.i, single(s.i.Type, scalar{ptr: &pointer{targets: []*base{b}, off: ir.Number(0)}}))
}

// release frees what a pointer leads to. For other threads that is a write to any part of it.
func (l *lowerer) release(s site) {
	l.claim(heapKept)
	l.each(l.steadyPointer(l.ptr(s, 0)), func(b *base, off *ir.Term) {
		switch {
		case b.null:
		case !b.heap:
			l.fail("%s of memory that this kernel did not allocate", s.Name)
		case b.mem.Space != ast.Private:
			g := int64(8)
			if known := l.granule[b.key]; known > 0 {
				g = min(g, known)
			}
			l.store(b, ir.Product(ir.Number(g), l.Anything(ast.TLong, l.at)), llvm.IntType(int(8*g)), scalar{})
		}
	})
}
