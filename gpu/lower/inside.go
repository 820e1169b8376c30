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
	stored   []stored // pointers that the kernel stores there
	spoiled  []spoiled
	used     bool // pointers are read there
	computed bool // … at places that are computed
}

// stored is a place in a memory where the kernel stores pointers.
type stored struct {
	at      part
	targets []string // the keys of what they lead to
	offset  string   // … and the offset that all of them have, "" if there are several
}

// spoiled is a place in a memory that holds no pointer which can be followed.
type spoiled struct {
	at  part
	why string
}

// part is the bytes of a memory that an access touches: any of them, if its place is computed.
type part struct {
	any      bool
	from, to int64
}

func partAt(off *ir.Term, size int64) part {
	if !off.IsNum() || !off.Val.IsInt64() {
		return part{any: true}
	}
	return part{from: off.Val.Int64(), to: off.Val.Int64() + size}
}

func (p part) meets(q part) bool { return p.any || q.any || p.from < q.to && q.from < p.to }

func (l *lowerer) inside(key string) *inside {
	in := l.insides[key]
	if in == nil {
		in = &inside{}
		l.insides[key] = in
	}
	return in
}

// spoil notes why pointers that are read in a part of a memory cannot be followed.
func (l *lowerer) spoil(b *base, at part, why string) {
	in := l.inside(b.key)
	if slices.ContainsFunc(in.spoiled, func(s spoiled) bool { return s.at == at || s.at.any }) {
		return
	}
	if len(in.spoiled) >= maxCells { // it is one of many places: what lies there is of no use
		at = part{any: true}
	}
	in.spoiled = append(in.spoiled, spoiled{at, why})
	l.again = l.again || in.used
}

// putsPointer notes that a pointer is stored in a memory.
func (l *lowerer) putsPointer(b *base, at part, p *pointer) {
	in := l.inside(b.key)
	// Whatever a stored pointer may lead to must be known, or reads of the memory give an unknown pointer.
	for _, t := range p.targets {
		switch {
		case t.null:
		case t.unknown != "":
			l.spoil(b, at, t.unknown)
			continue
		case t.heap && b.mem.Space == ast.Local && t.mem.Space == ast.Private:
			l.escaped[t.key], l.again = true, true
			continue
		case b.mem.Space != ast.Private && (t.place != nil || t.mem.Space == ast.Private):
			l.spoil(b, at, "a pointer to a variable of a thread, which other threads may read")
			continue
		case b.mem.Space != ast.Private && b.mem.Space != ast.Local:
			l.spoil(b, at, "a pointer that was read from memory to which the kernel writes")
			continue
		}
		l.bases[t.key] = t
		offset := ""
		if p.off.IsNum() {
			offset = p.off.Val.String()
		}
		k := slices.IndexFunc(in.stored, func(s stored) bool { return s.at == at })
		if k < 0 {
			k = len(in.stored)
			in.stored = append(in.stored, stored{at: at, offset: offset})
		}
		if s := &in.stored[k]; !slices.Contains(s.targets, t.key) {
			s.targets = append(s.targets, t.key)
			// A read before this store has seen fewer targets, so the function is lowered again.
			l.again = l.again || in.used
		}
		if s := &in.stored[k]; s.offset != "" && s.offset != offset {
			s.offset = ""
			l.again = l.again || in.used
		}
		if len(in.stored) > maxCells || len(in.stored[k].targets) > maxCells {
			l.fail("a pointer to one of more than %d places", maxCells)
		}
	}
}

// held is what the pointers that a part of a memory holds lead to, and the offset that all of them have, "" if there are several. Why says
// why they cannot be followed.
func (in *inside) held(at part) (targets []string, offset, why string) {
	for _, s := range in.spoiled {
		if s.at.meets(at) {
			return nil, "", s.why
		}
	}
	for _, s := range in.stored {
		switch {
		case !s.at.meets(at):
			continue
		case !s.at.any && !at.any && s.at != at:
			return nil, "", "a part of a pointer read from memory"
		case len(targets) == 0:
			offset = s.offset
		case offset != s.offset:
			offset = ""
		}
		for _, t := range s.targets {
			if !slices.Contains(targets, t) {
				targets = append(targets, t)
			}
		}
	}
	return targets, offset, ""
}

const apart = "pointers stored in memory point to separate arrays that do not overlap others"

// takenPointer is a pointer that is read from a memory.
func (l *lowerer) takenPointer(b *base, off *ir.Term, size int64) *pointer {
	in := l.inside(b.key)
	in.used = true
	targets, offset, why := in.held(partAt(off, size))
	switch {
	case why != "":
		return unknownPointer(why)
	case b.mem.Space == ast.Global || b.mem.Space == ast.Constant:
		return l.givenPointer(b, off, in)
	case len(targets) == 0:
		return unknownPointer("an uninitialised pointer")
	}
	out := &pointer{}
	unit := int64(16)
	for _, k := range targets {
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
	// Which of the targets it is, is unknown: any number chooses.
	if len(out.targets) > 1 {
		out.which = l.Anything(ast.TInt, l.at)
	}
	if n, ok := number(offset); ok {
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
