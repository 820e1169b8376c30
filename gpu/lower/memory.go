package lower

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/llvm"
)

// place is a variable of a function, as the scalars that it is made of.
type place struct {
	key   string
	size  int64
	cells []*cell
}

// cell is a scalar of a variable.
type cell struct {
	at, size int64
	typ      *llvm.Type
	val      scalar // of variables
}

// end is the first byte behind a cell.
func (c *cell) end() int64 { return c.at + c.size }

// local is a variable of a function, as what a pointer points at.
func (l *lowerer) local(key string, t *llvm.Type, count int64, v llvm.Variable) *base {
	if b := l.bases[key]; b != nil {
		l.undefine(b) // a declaration in a loop is a new variable in each round
		return b
	}
	size := l.m.Layout.Size(t)
	if size < 0 || count < 0 || size*count > 1<<30 {
		l.fail("a variable of type %s", t)
	}
	all := t
	if count != 1 {
		all = &llvm.Type{Kind: llvm.Array, N: count, Elem: t}
	}
	// A small variable whose parts are addressed by constants becomes variables of the program, of which much is known. Any
	// other one is an array in private memory.
	leaves, ok := l.m.Layout.Leaves(all, maxCells)
	name := v.Name
	if name == "" {
		name = "tmp"
	}
	if !ok || l.array[key] {
		unsigned, _ := llvm.Unsigned(v.Type)
		b := l.newMemory(key, name, ast.Private, size*count, unsigned)
		b.of = v.Type
		return b
	}
	b := &base{key: key, name: name, size: size * count, place: &place{key: key, size: size * count}}
	for k, leaf := range leaves {
		n := name
		if len(leaves) > 1 {
			n = fmt.Sprint(name, "_", k)
		}
		unsigned, _ := llvm.Unsigned(member(v.Type, leaf.At, &l.m.Layout))
		made := l.variables(leaf.Type, n, nil, fmt.Sprint(key, " ", k), unsigned)
		c := &cell{at: leaf.At, size: l.m.Layout.Store(leaf.Type), typ: leaf.Type, val: made.parts[0]}
		for _, x := range c.variables() {
			l.mutable[x] = true
		}
		if c.val.slot != nil {
			c.val.slot.mutable = true
		}
		b.place.cells = append(b.place.cells, c)
	}
	l.bases[key] = b
	l.undefine(b)
	return b
}

// member is the type, as the source says it, of what lies at an offset of a value.
func member(t *llvm.Metadata, at int64, layout *llvm.Layout) *llvm.Metadata {
	for k := 0; t != nil && k < 100; k++ {
		switch t.Field("tag").String() {
		case "DW_TAG_structure_type", "DW_TAG_class_type":
			var next *llvm.Metadata
			if elements := t.Field("elements"); elements != nil {
				for _, e := range elements.Elems {
					begin := e.Field("offset").Number() / 8
					if e.Field("tag").String() == "DW_TAG_member" && begin <= at && at < begin+max(1, e.Field("size").Number()/8) {
						next, at = e.Field("baseType"), at-begin
						break
					}
				}
			}
			if next == nil {
				return nil
			}
			t = next
		case "DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_array_type":
			t = t.Field("baseType")
			if size := t.Field("size").Number() / 8; size > 0 {
				at %= size
			}
		default:
			return t
		}
	}
	return t
}

func (c *cell) variables() []*ir.Variable {
	if c.val.slot != nil {
		return []*ir.Variable{c.val.slot.which, c.val.slot.off}
	}
	return []*ir.Variable{c.val.t.V}
}

// undefine takes the value of a variable: what it holds is any value.
func (l *lowerer) undefine(b *base) {
	if b.place == nil {
		return
	}
	for _, c := range b.place.cells {
		l.blank(c)
	}
}

func (l *lowerer) blank(c *cell) {
	for _, x := range c.variables() {
		l.before(x)
		l.Emit(&ir.Instr{Op: ir.DoUndef, At: l.at, V: x})
	}
}

// global is a variable of the module, as a pointer to it.
func (l *lowerer) global(name string) *pointer {
	g := l.m.Global(name)
	if g == nil {
		return unknownPointer("the address of function @" + name)
	}
	if g.Alias {
		return l.pointerOf(l.one(l.value(g.Init)))
	}
	key := "variable " + name
	if b := l.bases[key]; b != nil {
		return &pointer{targets: []*base{b}, off: ir.Number(0)}
	}
	space, ok := l.space(g.Space)
	switch {
	case !ok:
		l.fail("variable @%s in address space %d", name, g.Space)
	case space == ast.Private && g.Constant:
		space = ast.Constant
	case space == ast.Private:
		space = ast.Global
	}
	size := l.m.Layout.Size(g.Type)
	if size < 0 {
		return unknownPointer("variable @" + name + " of type " + g.Type.String())
	}
	v, ok := g.Source()
	if !ok {
		v.Name = name
	}
	// Arrays of the group whose size the launch says begin at one address.
	if g.Init == nil && space == ast.Local {
		key, size = "shared memory of the launch", -1
	} else if g.Init == nil && size == 0 {
		size = -1
	}
	unsigned, _ := llvm.Unsigned(v.Type)
	b := l.newMemory(key, v.Name, space, size, unsigned)
	b.constant, b.of = g.Constant, v.Type
	if g.Settled() && b.mem.Content == nil {
		l.fillConstants(b, g)
	}
	if g.Init != nil && leads(g.Init) {
		l.spoil(b, part{any: true}, "a pointer that variable "+v.Name+" holds from the start")
	}
	return &pointer{targets: []*base{b}, off: ir.Number(0)}
}

// leads reports whether a constant holds pointers that the source names: they may lead anywhere, to one thing
// several times as well.
func leads(v *llvm.Value) bool {
	switch v.Kind {
	case llvm.GlobalName, llvm.Expression:
		return true
	case llvm.Aggregate:
		return slices.ContainsFunc(v.Elems, leads)
	}
	return false
}

// fillConstants gives the memory of a constant array the integers that it holds, so that an index read from a table has a
// range. Without them, nothing is known of what is read, which is safe: the function gives up wherever the cells of the
// memory are not exactly the leaves of the array.
func (l *lowerer) fillConstants(b *base, g *llvm.Global) {
	leaves, ok := l.m.Layout.Leaves(g.Type, 4096)
	size := l.granule[b.key]
	if !ok || size == 0 || g.Init.Kind == llvm.Undef {
		return
	}
	parts := l.value(g.Init).parts
	if len(parts) != len(leaves) {
		return
	}
	var out []*big.Int
	for k, leaf := range leaves {
		if leaf.Type.Kind != llvm.Int || leaf.Type.Bits != int(8*size) || leaf.At != int64(k)*size || parts[k].t == nil || !parts[k].t.IsNum() {
			return
		}
		out = append(out, l.as(intType(leaf.Type.Bits, !b.unsigned), parts[k]).Val)
	}
	b.mem.Content = out
}

// extend notes how far the memory at a pointer reaches, which the host says; see llvm.Extent.
func (l *lowerer) extend(fr *frame, i *llvm.Instr) {
	p := l.pointerOf(l.one(l.value(i.Args[0])))
	bytes := func(k int) *ir.Term { return l.as(intType(64, true), l.one(l.value(i.Args[k]))) }
	if len(p.targets) == 1 && p.off.Is(0) {
		p.targets[0].extent = &extent{ir.Product(ir.Number(-1), bytes(1)), bytes(2)}
	}
}

// granulated is an access to a memory in cells: the first, and how many. What lies at offsets that
// are no multiple of the size of cells makes cells smaller, in the next attempt.
func (l *lowerer) granulated(b *base, off *ir.Term, size int64) (first *ir.Term, count int64) {
	if b.extent != nil {
		in := ir.Both(ir.Compare(ir.PLe, b.extent.from, off), ir.Compare(ir.PLe, ir.Sum(off, ir.Number(size)), b.extent.to))
		l.Check("bounds", "an access beyond the allocation of "+b.name, in, l.at)
	}
	was := l.granule[b.key]
	g := min(16, size&-size)
	if was > 0 {
		g = min(g, was)
	}
	g = min(g, alignment(off))
	if b.size >= 0 {
		g = min(g, max(1, b.size&-b.size))
	}
	if g != was {
		l.granule[b.key] = g
		l.again = true
	}
	if count = size / g; count > maxCells {
		l.fail("an access of %d bytes in cells of %d", size, g)
	}
	return divided(off, g), count
}

// load is what lies at an offset of a base, as a scalar of a type.
func (l *lowerer) load(b *base, off *ir.Term, t *llvm.Type) scalar {
	size := l.m.Layout.Store(t)
	switch {
	case b.null:
		l.Check("null", "a read through a null pointer", ir.Falsity, l.at)
		return l.nothing(t)
	case b.unknown != "":
		l.fail("%s", b.unknown)
	case b.place != nil:
		return l.loadPlace(b, off, t, size)
	}
	first, count := l.granulated(b, off, size)
	if count == 1 && !b.heap {
		if known := b.mem.Content; known != nil && first.IsNum() && first.Val.IsInt64() && first.Val.Sign() >= 0 && first.Val.Int64() < int64(len(known)) && t.Kind == llvm.Int {
			c := intType(t.Bits, !b.unsigned)
			return l.integer(c, ir.BigNumber(known[first.Val.Int64()]))
		}
		c := ast.TUlong
		if t.Kind != llvm.Pointer {
			c = scalarType(t, !b.unsigned)
		}
		v := l.NewVariable("in", c)
		l.Emit(&ir.Instr{Op: ir.DoLoad, At: l.at, V: v, Mem: b.mem, Off: first})
		if t.Kind == llvm.Pointer {
			return scalar{ptr: l.takenPointer(b, off, size)}
		}
		if c.Bits == 1 { // in memory it has a byte, of which the lowest bit counts
			l.claim(validBits)
		}
		return l.integer(c, ir.VariableTerm(v))
	}
	cellType := intType(8*int(size/count), false)
	for k := range count {
		l.Emit(&ir.Instr{Op: ir.DoLoad, At: l.at, V: l.NewVariable("in", cellType), Mem: b.mem, Off: ir.Sum(first, ir.Number(k))})
	}
	if t.Kind == llvm.Pointer {
		return scalar{ptr: l.takenPointer(b, off, size)}
	}
	return l.nothing(t)
}

const validBits = "values read as Booleans are 0 or 1"

// nothing is any value of a type; any pointer cannot be followed.
func (l *lowerer) nothing(t *llvm.Type) scalar {
	if t.Kind == llvm.Pointer {
		return scalar{ptr: unknownPointer("a pointer read from memory")}
	}
	return l.any(t)
}

// constantOffset is where in a variable an access lies. One whose place is computed, or that is not
// within, makes the variable an array in the next attempt.
func (l *lowerer) constantOffset(b *base, off *ir.Term, size int64) (int64, bool) {
	if off.IsNum() && off.Val.IsInt64() {
		if k := off.Val.Int64(); k >= 0 && k+size <= b.size {
			return k, true
		}
	}
	l.array[b.key], l.again = true, true
	return 0, false
}

// loadPlace reads a variable that lies in registers.
func (l *lowerer) loadPlace(b *base, off *ir.Term, t *llvm.Type, size int64) scalar {
	at, ok := l.constantOffset(b, off, size)
	if !ok {
		return l.nothing(t)
	}
	var inside []*cell
	for _, c := range b.place.cells {
		switch {
		case c.at == at && c.size == size:
			return l.seen(c.val, c.typ, t)
		case c.end() <= at || at+size <= c.at:
		case c.typ.Kind == llvm.Pointer || t.Kind == llvm.Pointer:
			l.array[b.key], l.again = true, true
			return l.nothing(t)
		default:
			inside = append(inside, c)
		}
	}
	if t.Kind != llvm.Int || t.Bits%8 != 0 {
		return l.nothing(t)
	}
	// Bytes in the order of the targets, the lowest first.
	var sum []*ir.Term
	var covered int64
	for _, c := range inside {
		if c.typ.Kind != llvm.Int || c.typ.Bits != int(8*c.size) {
			return l.nothing(t)
		}
		x := l.as(intType(c.typ.Bits, false), c.val)
		switch {
		case c.at >= at && c.end() <= at+size:
			sum = append(sum, ir.Product(power(8*(c.at-at)), x))
			covered += c.size
		case len(inside) == 1:
			return scalar{typ: intType(t.Bits, false), t: ir.Into(intType(t.Bits, false), ir.Quotient(x, power(8*(at-c.at))))}
		default:
			return l.nothing(t)
		}
	}
	if covered != size {
		return l.nothing(t)
	}
	return scalar{typ: intType(t.Bits, false), t: ir.Sum(sum...)}
}

func power(k int64) *ir.Term { return ir.BigNumber(new(big.Int).Lsh(big.NewInt(1), uint(k))) }

// seen is a scalar as its bits are as one of another type of its size.
func (l *lowerer) seen(s scalar, from, to *llvm.Type) scalar {
	switch {
	case from.Kind == llvm.Pointer && to.Kind == llvm.Pointer:
		return s
	case from.Kind == llvm.Pointer || to.Kind == llvm.Pointer:
		if to.Kind == llvm.Pointer {
			return scalar{ptr: unknownPointer("an integer as a pointer")}
		}
		return l.any(to)
	case from.Kind == to.Kind && from.Bits == to.Bits && from.Name == to.Name:
		if to.Kind == llvm.Int && to.Bits == 1 {
			return truth(l.truthOf(s))
		}
		return s
	}
	return l.any(to)
}

// store puts a scalar where a pointer leads.
func (l *lowerer) store(b *base, off *ir.Term, t *llvm.Type, s scalar) {
	size := l.m.Layout.Store(t)
	switch {
	case b.null:
		l.Check("null", "a write through a null pointer", ir.Falsity, l.at)
		return
	case b.unknown != "":
		l.fail("%s", b.unknown)
	case b.place != nil:
		l.storePlace(b, off, t, size, s)
		return
	case b.constant || b.mem.Space == ast.Constant:
		l.Check("assert", "a write to constant memory", ir.Falsity, l.at)
		return
	}
	if t.Kind == llvm.Pointer && !s.undefined() {
		l.putsPointer(b, partAt(off, size), l.pointerOf(s))
	} else {
		l.spoil(b, partAt(off, size), "a pointer read from memory to which the kernel writes numbers")
	}
	first, count := l.granulated(b, off, size)
	// One cell gets the value. A value that fills several cells, or none exactly, leaves any numbers in them: races are
	// found all the same.
	if b.heap {
		s = scalar{}
	}
	if count == 1 && !b.heap && t.Kind != llvm.Pointer && !(t.Kind == llvm.Int && t.Bits%8 != 0) {
		c := scalarType(t, !b.unsigned)
		l.Emit(&ir.Instr{Op: ir.DoStore, At: l.at, Mem: b.mem, Off: first, E: l.as(c, s), Typ: c})
		return
	}
	if count == 1 && t.Kind == llvm.Int && t.Bits == 1 && s.p != nil {
		l.Emit(&ir.Instr{Op: ir.DoStore, At: l.at, Mem: b.mem, Off: first, E: ir.TruthValue(s.p), Typ: ast.TBool})
		return
	}
	for k := range count {
		l.Emit(&ir.Instr{Op: ir.DoStore, At: l.at, Mem: b.mem, Off: ir.Sum(first, ir.Number(k))})
	}
}

func (l *lowerer) storePlace(b *base, off *ir.Term, t *llvm.Type, size int64, s scalar) {
	at, ok := l.constantOffset(b, off, size)
	if !ok {
		return
	}
	// Where several cells are set, none of them may change what the others are set to.
	if !slices.ContainsFunc(b.place.cells, func(c *cell) bool { return c.at == at && c.size == size }) {
		s = l.kept(single(t, s), nil).parts[0]
	}
	for _, c := range b.place.cells {
		switch {
		case c.end() <= at || at+size <= c.at:
		case c.at == at && c.size == size:
			l.setCell(c, t, s)
		case c.typ.Kind == llvm.Pointer || t.Kind == llvm.Pointer:
			l.array[b.key], l.again = true, true
		case c.at >= at && c.end() <= at+size && t.Kind == llvm.Int && c.typ.Kind == llvm.Int && c.typ.Bits == int(8*c.size) && s.t != nil:
			x := ir.Quotient(l.as(intType(t.Bits, false), s), power(8*(c.at-at)))
			l.set(c.val.t.V, ir.Into(c.val.t.V.Typ, x))
		default:
			l.blank(c)
		}
	}
}

// setCell gives a scalar of a variable a value.
func (l *lowerer) setCell(c *cell, t *llvm.Type, s scalar) {
	switch {
	case c.val.slot != nil && t.Kind == llvm.Pointer:
		which, off := l.slotted(c.val.slot, l.pointerOf(s))
		l.before(c.val.slot.which)
		l.before(c.val.slot.off)
		// The offset may mention what the slot holds.
		if l.mentions(off, c.val.slot.which) {
			x := l.NewVariable("next", ast.TLong)
			l.Emit(&ir.Instr{Op: ir.DoAssign, At: l.at, V: x, E: off})
			off = ir.VariableTerm(x)
		}
		l.Emit(&ir.Instr{Op: ir.DoAssign, At: l.at, V: c.val.slot.which, E: which})
		l.Emit(&ir.Instr{Op: ir.DoAssign, At: l.at, V: c.val.slot.off, E: off})
	case c.val.slot != nil:
		p := unknownPointer("an integer as a pointer")
		if q := s.pointsIn(c.typ.Space); q != nil {
			p = q
		} else if k, ok := l.constant(s); ok && k == 0 {
			p = nullPointer()
		}
		l.setCell(c, &llvm.Type{Kind: llvm.Pointer}, scalar{ptr: p})
	case t.Kind == llvm.Pointer || s.undefined():
		l.blank(c)
	default:
		s = l.seen(s, t, c.typ)
		l.set(c.val.t.V, l.as(c.val.t.V.Typ, s))
	}
}

// each does something for whichever base p points at. The last one stands for all other numbers, which
// no pointer that was set has.
func (l *lowerer) each(p *pointer, do func(b *base, off *ir.Term)) {
	if len(p.targets) == 1 {
		do(p.targets[0], p.off)
		return
	}
	// What is kept in one branch would be missing in the others.
	l.before(nil)
	after := l.NewNode(l.at)
	for k, b := range p.targets {
		next := after
		if k < len(p.targets)-1 {
			here := l.NewNode(l.at)
			next = l.NewNode(l.at)
			l.Branch(p.is(k), here, next)
			l.Now = here
		}
		do(b, p.off)
		if l.Now.Then == nil {
			l.Now.Then = after
		}
		l.Now = next
	}
}

// read is a load through a pointer, of a value of any type.
func (l *lowerer) read(p *pointer, t *llvm.Type) *value {
	out := &value{typ: t}
	leaves, ok := l.m.Layout.Leaves(t, maxCells)
	if !ok {
		l.fail("a read of a value of type %s", t)
	}
	if len(p.targets) == 1 {
		for _, leaf := range leaves {
			out.parts = append(out.parts, l.load(p.targets[0], ir.Sum(p.off, ir.Number(leaf.At)), leaf.Type))
		}
		return out
	}
	made := l.variables(t, "chosen", nil, fmt.Sprint(l.frame.key, "chosen ", l.frame.block.Name, " ", l.frame.index), false)
	l.each(p, func(b *base, off *ir.Term) {
		got := &value{typ: t}
		for _, leaf := range leaves {
			got.parts = append(got.parts, l.load(b, ir.Sum(off, ir.Number(leaf.At)), leaf.Type))
		}
		l.assign([]*value{made}, []*value{got})
	})
	return made
}

// write is a store through a pointer.
func (l *lowerer) write(p *pointer, t *llvm.Type, v *value) {
	leaves, ok := l.m.Layout.Leaves(t, maxCells)
	if !ok || len(leaves) != len(v.parts) {
		l.fail("a write of a value of type %s", t)
	}
	v = l.steady(v)
	p = l.steadyPointer(p)
	l.each(p, func(b *base, off *ir.Term) {
		for k, leaf := range leaves {
			l.store(b, ir.Sum(off, ir.Number(leaf.At)), leaf.Type, v.parts[k])
		}
	})
}

// steady is a value of several parts that no write of one of them changes.
func (l *lowerer) steady(v *value) *value {
	if len(v.parts) == 1 {
		return v
	}
	return l.kept(v, nil)
}

// steadyPointer is a pointer to several things that no write changes.
func (l *lowerer) steadyPointer(p *pointer) *pointer {
	if len(p.targets) == 1 {
		return p
	}
	return l.pointerOf(l.kept(single(nil, scalar{ptr: p}), nil).parts[0])
}
