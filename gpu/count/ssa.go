package count

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/builtin"
	"github.com/gradine/gradine/gpu/llvm"
)

// build gives every value of the graph a node, and lists what counts, block by block: variables that
// are accessed at fixed places are registers, with phis where ways meet (Braun and others, Simple and
// Efficient Construction of Static Single Assignment Form).
func (r *reader) build(entry *block) {
	g := r.g
	// Blocks come in an order in which all predecessors but back edges come first. A head is sealed when its back edges
	// have been read.
	for _, b := range g.blocks {
		b.values, b.open = map[cell]*node{}, map[cell]*node{}
		live := b == entry
		for _, p := range b.preds {
			live = live || p.order < b.order && !p.dead && slices.Contains(p.succs, b)
		}
		if b.dead = !live; b.dead {
			continue
		}
		if b.at = b.place(); b.at.Line == 0 && b.idom != nil {
			b.at = b.idom.at
		}
		b.sealed = !b.isHead
		r.b = b
		for _, raw := range b.raw {
			r.fr = raw.fr
			r.step(raw)
		}
		for _, l := range g.loops {
			if slices.Contains(l.backs, b) && r.ready(l, b) {
				r.seal(l.head)
			}
		}
	}
	for _, l := range g.loops {
		if !l.head.dead && !l.head.sealed {
			r.seal(l.head)
		}
	}
}

// ready reports whether all ways back of a loop are built, up to a block.
func (r *reader) ready(l *loop, b *block) bool {
	return !slices.ContainsFunc(l.backs, func(k *block) bool { return k.order > b.order })
}

// incoming are the ways into a block that are taken.
func incoming(b *block) (out []*block) {
	for _, p := range b.preds {
		if !p.dead && slices.Contains(p.succs, b) {
			out = append(out, p)
		}
	}
	return out
}

func (r *reader) seal(head *block) {
	head.sealed = true
	for _, c := range r.order {
		if phi := head.open[c]; phi != nil {
			r.complete(head, c, phi)
		}
	}
	head.open = nil
}

func (r *reader) complete(b *block, c cell, phi *node) *node {
	for _, p := range incoming(b) {
		phi.args = append(phi.args, r.read(p, c))
	}
	return trivial(phi)
}

// trivial replaces a phi of one value by that value.
func trivial(phi *node) *node {
	var same *node
	for _, a := range phi.args {
		if a = a.resolve(); a != phi && a != same {
			if same != nil && !(same.isNumber() && a.isNumber() && same.k == a.k) {
				return phi
			}
			same = a
		}
	}
	if same == nil {
		same = opaque(phi.bits, false)
	}
	phi.home = same
	return same
}

// read is what a cell holds at the end of a block, or so far.
func (r *reader) read(b *block, c cell) *node {
	if v := b.values[c]; v != nil {
		return v.resolve()
	}
	if !r.known[c] {
		r.known[c] = true
		r.order = append(r.order, c)
	}
	var v *node
	switch in := incoming(b); {
	case !b.sealed:
		v = &node{op: opPhi, bits: int(8 * c.size), at: b}
		b.phis = append(b.phis, v)
		b.open[c] = v
	case len(in) == 0:
		v = opaque(int(8*c.size), false) // nothing was put there
	case len(in) == 1 && !b.isHead:
		v = r.read(in[0], c)
	default:
		v = &node{op: opPhi, bits: int(8 * c.size), at: b}
		b.phis = append(b.phis, v)
		b.values[c] = v
		v = r.complete(b, c, v)
	}
	b.values[c] = v
	return v
}

// value is the node of an operand.
func (r *reader) value(v *llvm.Value) *node {
	bits := r.bits(v.Type)
	switch v.Kind {
	case llvm.Register:
		if n := r.fr.regs[v.Name]; n != nil {
			return n.resolve()
		}
	case llvm.GlobalName:
		return r.global(v.Name).node
	case llvm.IntConstant:
		if v.Int.IsInt64() {
			return number(v.Int.Int64(), bits)
		}
		if v.Int.IsUint64() {
			return number(int64(v.Int.Uint64()), bits)
		}
	case llvm.NullPointer, llvm.Zero:
		if v.Type.Kind == llvm.Int || v.Type.Kind == llvm.Pointer {
			return number(0, bits)
		}
	case llvm.Expression:
		return r.compute(v.Expr)
	}
	return opaque(bits, false)
}

// bits is how many bits a node of a type has; 0 where it is not followed.
func (r *reader) bits(t *llvm.Type) int {
	switch {
	case t == nil:
		return 0
	case t.Kind == llvm.Int && t.Bits <= 64:
		return t.Bits
	case t.Kind == llvm.Pointer:
		return 64
	}
	return 0
}

// global is the object of a variable of the module.
func (r *reader) global(name string) *object {
	if o := r.globals[name]; o != nil {
		return o
	}
	o := &object{name: name, bytes: -1, space: Global}
	if v := r.g.m.Global(name); v != nil {
		o.bytes, o.typ = r.g.m.Layout.Size(v.Type), v.Type
		o.space = r.spaceOf(v.Space)
		if v.Constant && o.space == Any {
			o.space = Constant
		}
		if s, ok := v.Source(); ok {
			o.name = s.Name
		}
	}
	if o.space == Any {
		o.space = Global
	}
	r.put(o)
	r.globals[name] = o
	return o
}

func (r *reader) put(o *object) {
	o.node = &node{op: opObject, obj: o, bits: 64}
	r.g.objects = append(r.g.objects, o)
}

// spaceOf is what an address space of the target is.
func (r *reader) spaceOf(space int) Space {
	spir := r.g.m.Target() == llvm.SPIR
	switch {
	case space == 1:
		return Global
	case space == 3:
		return Shared
	case space == 4 && !spir, space == 2 && spir:
		return Constant
	case space == 5 && !spir, space == 0 && spir:
		return Local
	}
	return Any
}

// leads is the object that an address leads into, and how far; off is nil where that is not known
// before the kernel runs.
func leads(n *node, seen map[*node]bool) *object {
	n = n.resolve()
	switch n.op {
	case opObject:
		return n.obj
	case opAdd, opSub:
		a := leads(n.args[0], seen)
		if n.op == opAdd && a == nil {
			a = leads(n.args[1], seen)
		}
		return a
	// Ways that meet may lead to one object. If they do not, the object is one of several and has no known size.
	case opPhi, opSelect:
		if seen[n] {
			return nil
		}
		seen[n] = true
		args := n.args
		if n.op == opSelect {
			args = args[1:]
		}
		var found *object
		for _, a := range args {
			o := leads(a, seen)
			switch {
			case o == nil:
			case found == nil:
				found = o
			case found != o:
				return &object{name: found.name + " or " + o.name, space: common(found.space, o.space), bytes: -1, local: found.local || o.local}
			}
		}
		return found
	}
	return nil
}

func common(a, b Space) Space {
	if a == b {
		return a
	}
	return Any
}

// register is the cell that an access of so many bytes is to, if that is a register.
func (r *reader) register(addr *node, size int64) (c cell, ok bool) {
	addr = addr.resolve()
	off := int64(0)
	if addr.op == opAdd && addr.args[1].isNumber() {
		addr, off = addr.args[0].resolve(), addr.args[1].k
	}
	if addr.op != opObject || !addr.obj.local || addr.obj.demoted {
		return cell{}, false
	}
	return cell{addr.obj, off, size}, true
}

// step reads an instruction.
func (r *reader) step(raw rawInstr) {
	from := len(r.b.code)
	r.execute(raw)
	r.follow(raw, from)
}

// execute gives an instruction its value, and lists what counts.
func (r *reader) execute(raw rawInstr) {
	r.at = r.g.place(raw.fr, raw.i)
	i := raw.i
	switch {
	case raw.bind != nil:
		r.bind(raw.bind)
		return
	case raw.back != nil:
		if i.Name != "" {
			r.set(i, r.read(r.b, cell{raw.back.result, 0, 8}))
		}
		return
	}
	// Loads and stores of registers are not counted, and everything that remains gets a value or an entry in the list.
	switch i.Op {
	case llvm.Ret:
		if raw.fr.up != nil && len(i.Args) > 0 {
			r.b.values[cell{raw.fr.result, 0, 8}] = r.value(i.Args[0])
		}
	case llvm.Br:
		if len(i.Args) > 0 {
			r.branch(r.value(i.Args[0]))
		}
	case llvm.Switch:
		r.choose(i)
	case llvm.Unreachable:
		r.b.succs = nil
	case llvm.Alloca:
		r.set(i, r.variable(i).node)
	case llvm.Load:
		r.set(i, r.load(r.value(i.Args[0]), i.Type, false))
	case llvm.Store:
		r.store(r.value(i.Args[1]), r.value(i.Args[0]), i.Args[0].Type)
	case llvm.CmpXchg, llvm.AtomicRMW:
		addr := r.value(i.Args[0])
		r.add(&inst{kind: kindAtomic, addr: addr, bytes: r.g.m.Layout.Store(i.Args[1].Type)})
		r.forget(addr)
		r.set(i, opaque(r.bits(i.Type), true))
	case llvm.Fence:
	case llvm.Phi:
		r.phi(i)
	case llvm.Call:
		r.call(i)
	default:
		r.set(i, r.compute(i))
	}
}

func (r *reader) set(i *llvm.Instr, n *node) {
	if i.Name != "" {
		r.fr.regs[i.Name] = n
	}
}

func (r *reader) add(i *inst) *inst {
	i.at, i.block = r.at, r.b
	r.b.code = append(r.b.code, i)
	return i
}

// branch ends a block with two ways on, of which a number takes one alone.
func (r *reader) branch(c *node) {
	if c = c.resolve(); c.isNumber() {
		k := 1
		if c.k != 0 {
			k = 0
		}
		r.b.succs = r.b.succs[k : k+1 : k+1]
		return
	}
	if r.b.succs[0] == r.b.succs[1] {
		r.b.succs = r.b.succs[:1]
		return
	}
	r.b.cond = c
}

// choose reads a switch. One on a number has a single way.
func (r *reader) choose(i *llvm.Instr) {
	c := r.value(i.Args[0])
	if c.isNumber() {
		k := 0
		for j, x := range i.Cases {
			if r.value(x).k == c.k {
				k = j + 1
				break
			}
		}
		r.b.succs = r.b.succs[k : k+1 : k+1]
		return
	}
	r.b.cond = c
	for _, x := range i.Cases {
		r.b.cases = append(r.b.cases, r.value(x).k)
	}
	if len(i.Cases) == 0 {
		r.b.cond, r.b.succs = nil, r.b.succs[:1]
	}
}

// phi is one of the module: its arguments by the blocks that its frame has now.
func (r *reader) phi(i *llvm.Instr) {
	if slices.ContainsFunc(r.b.preds, func(p *block) bool { return p.order >= r.b.order }) {
		fail(r.at, "a phi at a loop header: use the source, or unoptimised IR")
	}
	n := &node{op: opPhi, bits: r.bits(i.Type), at: r.b}
	for _, p := range incoming(r.b) {
		for k, from := range i.To {
			if r.fr.ends[from] == p {
				n.args = append(n.args, r.value(i.Args[k]))
				break
			}
		}
	}
	if len(n.args) != len(incoming(r.b)) {
		n = opaque(n.bits, true)
	} else {
		r.b.phis = append(r.b.phis, n)
		n = trivial(n)
	}
	r.set(i, n)
}

// bind gives the parameters of a call their values.
func (r *reader) bind(in *frame) {
	in.regs = map[string]*node{}
	if len(in.call.Args) != len(in.f.Params) {
		fail(r.at, "%s with %d arguments", in.f.SourceName(), len(in.call.Args))
	}
	for k, p := range in.f.Params {
		v := r.value(in.call.Args[k])
		if p.Attrs.ByVal != nil {
			o := &object{name: p.Name, space: Local, local: true, bytes: r.g.m.Layout.Size(p.Attrs.ByVal), at: r.at}
			r.put(o)
			r.copyCells(o.node, v, o.bytes)
			v = o.node
		}
		in.regs[p.Name] = v
	}
}

// variable is the object of an alloca.
func (r *reader) variable(i *llvm.Instr) *object {
	at := place{r.fr, i}
	if o := r.locals[at]; o != nil {
		return o
	}
	o := &object{name: i.Name, space: Local, local: true, bytes: r.g.m.Layout.Size(i.Source), typ: i.Source, at: r.at}
	o.key = demotion{r.fr.path(), i}
	o.demoted = hasArray(i.Source) || len(i.Args) > 0 && !isOne(i.Args[0]) || r.demoted[o.key]
	r.put(o)
	r.locals[at] = o
	return o
}

func isOne(v *llvm.Value) bool {
	return v.Kind == llvm.IntConstant && v.Int.IsInt64() && v.Int.Int64() == 1
}

func hasArray(t *llvm.Type) bool {
	switch t.Kind {
	case llvm.Array:
		return true
	case llvm.Struct:
		return slices.ContainsFunc(t.Fields, hasArray)
	}
	return false
}

// load is what an address leads to.
func (r *reader) load(addr *node, t *llvm.Type, through bool) *node {
	size := r.g.m.Layout.Store(t)
	bits := r.bits(t)
	if c, ok := r.register(addr, size); ok {
		r.touch(c)
		v := r.read(r.b, c)
		if bits > 0 && v.bits != bits {
			if v.isNumber() {
				return number(v.k, bits)
			}
			if bits < v.bits {
				return made(opTrunc, bits, 0, "", v)
			}
		}
		return v
	}
	r.add(&inst{kind: kindLoad, addr: addr, bytes: size, through: through})
	return opaque(bits, false, addr)
}

// touch records the widths at which cells of a variable are accessed: where they overlap, it is no register.
func (r *reader) touch(c cell) {
	for k := range r.cells[c.obj] {
		if k != c && k.off < c.off+c.size && c.off < k.off+k.size {
			r.clash[c.obj] = true
		}
	}
	if r.cells[c.obj] == nil {
		r.cells[c.obj] = map[cell]bool{}
	}
	r.cells[c.obj][c] = true
}

// store reads a store: to a register where the place is fixed, or else to memory.
func (r *reader) store(addr, v *node, t *llvm.Type) {
	size := r.g.m.Layout.Store(t)
	if o := leads(v, map[*node]bool{}); o != nil && o.local && t.Kind == llvm.Pointer {
		if _, ok := r.register(addr, size); !ok {
			o.stored = true
		}
	}
	if c, ok := r.register(addr, size); ok {
		r.touch(c)
		if v.bits == 0 {
			v = opaque(0, false, v)
		}
		r.b.values[c] = v
		return
	}
	r.add(&inst{kind: kindStore, addr: addr, bytes: size})
	r.forget(addr)
}

// forget notes a write that may be to variables which are held in registers: it is looked at once all
// addresses are known.
func (r *reader) forget(addr *node) { r.writes = append(r.writes, write{addr, r.at}) }

// copyCells copies the registers of a variable, or counts accesses.
func (r *reader) copyCells(to, from *node, size int64) {
	a, inA := r.register(to, 1)
	b, inB := r.register(from, 1)
	if inA && inB {
		for _, c := range slices.Clone(r.order) {
			if c.obj == b.obj && c.off >= b.off && c.off+c.size <= b.off+size {
				d := cell{a.obj, c.off - b.off + a.off, c.size}
				r.touch(d)
				if !r.known[d] {
					r.known[d] = true
					r.order = append(r.order, d)
				}
				r.b.values[d] = r.read(r.b, c)
			}
		}
		return
	}
	if !inB {
		r.add(&inst{kind: kindLoad, addr: from, bytes: size})
	}
	if inA { // what is read from memory is not followed
		for c := range r.cells[a.obj] {
			r.b.values[c] = opaque(int(8*c.size), true)
		}
		r.clashIfNew(a.obj)
		return
	}
	r.add(&inst{kind: kindStore, addr: to, bytes: size})
	r.forget(to)
}

// clashIfNew: registers of the variable that are met later would not know of a copy from memory.
func (r *reader) clashIfNew(o *object) { r.clash[o] = true }

// compute is the value of an operation, or of a constant expression.
func (r *reader) compute(i *llvm.Instr) *node {
	bits := r.bits(i.Type)
	args := make([]*node, len(i.Args))
	for k, a := range i.Args {
		args[k] = r.value(a)
	}
	// What changes only the type of a value is free. Everything else is an operation that counts.
	switch i.Op {
	case llvm.GetElementPtr:
		return r.element(i, args)
	case llvm.AddrSpaceCast, llvm.PtrToInt, llvm.IntToPtr, llvm.PtrToAddr, llvm.Freeze:
		if bits == 64 && args[0].bits == 64 || i.Op == llvm.Freeze {
			return args[0]
		}
	case llvm.BitCast:
		if bits > 0 && args[0].bits == bits {
			return args[0]
		}
	case llvm.SExt:
		if bits > 0 && args[0].bits > 0 {
			return made(opTrunc, bits, 0, "", args[0])
		}
	case llvm.Trunc:
		if bits > 0 && args[0].bits > 0 {
			return made(opTrunc, bits, 0, "", args[0])
		}
	case llvm.ZExt:
		if bits > 0 && args[0].bits > 0 {
			return made(opZExt, bits, int64(args[0].bits), "", args[0])
		}
	case llvm.ICmp:
		if args[0].bits > 0 {
			return r.operation(i, made(opCompare, 1, 0, i.Pred, args...), args)
		}
	case llvm.Select:
		if bits > 0 && args[0].bits == 1 {
			return made(opSelect, bits, 0, "", args...)
		}
	default:
		if o, ok := operations[i.Op]; ok && bits > 0 {
			return r.operation(i, made(o, bits, 0, "", args...), args)
		}
	}
	return r.operation(i, opaque(bits, false, args...), args)
}

var operations = map[llvm.Op]op{
	llvm.Add: opAdd, llvm.Sub: opSub, llvm.Mul: opMul, llvm.UDiv: opUDiv, llvm.SDiv: opSDiv, llvm.URem: opURem, llvm.SRem: opSRem,
	llvm.Shl: opShl, llvm.LShr: opLShr, llvm.AShr: opAShr, llvm.And: opAnd, llvm.Or: opOr, llvm.Xor: opXor,
}

// element is the address that a getelementptr gives.
func (r *reader) element(i *llvm.Instr, args []*node) *node {
	if i.Type.Kind != llvm.Pointer {
		return opaque(0, true, args...)
	}
	out, t := args[0], i.Source
	layout := &r.g.m.Layout
	for k, a := range args[1:] {
		size := int64(0)
		switch {
		case k == 0:
			size = layout.Size(t)
		case t.Kind == llvm.Struct:
			if !a.isNumber() || a.k < 0 || a.k >= int64(len(t.Fields)) {
				return opaque(64, true, args...)
			}
			out = made(opAdd, 64, 0, "", out, number(layout.Offset(t, int(a.k)), 64))
			t = t.Fields[a.k]
			continue
		case t.Kind == llvm.Array, t.Kind == llvm.Vector:
			t = t.Elem
			size = layout.Size(t)
		default:
			return opaque(64, true, args...)
		}
		if a.bits != 64 {
			a = made(opTrunc, 64, 0, "", a)
		}
		out = made(opAdd, 64, 0, "", out, made(opMul, 64, 0, "", a, number(size, 64)))
	}
	return out
}

// operation counts an operation with its value.
func (r *reader) operation(i *llvm.Instr, n *node, args []*node) *node {
	if i.Name == "" || n.isNumber() {
		return n // a constant expression: nothing executes it
	}
	t := i.Type
	if i.Op == llvm.FCmp || i.Op == llvm.ICmp || i.Op == llvm.FPToSI || i.Op == llvm.FPToUI || i.Op == llvm.FPTrunc {
		t = i.Args[0].Type
	}
	lanes := int64(1)
	if t.Kind == llvm.Vector {
		lanes, t = t.N, t.Elem
	}
	var sort Arithmetic
	switch i.Op {
	case llvm.FMul, llvm.FAdd, llvm.FSub, llvm.FCmp, llvm.FPExt, llvm.FPTrunc, llvm.FPToSI, llvm.FPToUI, llvm.SIToFP, llvm.UIToFP:
		sort = floating(t, AddFloat)
	case llvm.FDiv, llvm.FRem:
		sort = floating(t, SpecialFloat)
	default:
		if _, ok := operations[i.Op]; !ok && i.Op != llvm.ICmp {
			return n // a move
		}
		sort = r.integer(args)
	}
	if sort == Index {
		if b := r.counted[n]; b != nil && dominates(b, r.b) {
			return n
		}
		r.counted[n] = r.b
	}
	made := r.add(&inst{kind: kindOp, sort: sort, lanes: lanes, node: n})
	if i.Op == llvm.FMul {
		n.product = made
	}
	if i.Op == llvm.FAdd || i.Op == llvm.FSub {
		for _, a := range args {
			if p := a.product; p != nil && p.block == r.b && !p.fused && p.lanes == lanes {
				p.fused = true
				if made.sort == AddFloat {
					made.sort = FusedFloat
				}
				break
			}
		}
	}
	return n
}

func floating(t *llvm.Type, single Arithmetic) Arithmetic {
	switch {
	case t.Name == "double" && single == SpecialFloat:
		return SpecialDouble
	case t.Name == "double":
		return Double
	case t.Name == "half" || t.Name == "bfloat":
		return Half
	}
	return single
}

// call reads a call of a function without body.
func (r *reader) call(i *llvm.Instr) {
	bits := r.bits(i.Type)
	if i.Callee.Kind == llvm.AssemblyText {
		if i.Callee.Name != "" {
			r.omit("inline assembly %q is not counted", i.Callee.Name)
		}
		r.set(i, opaque(bits, true))
		return
	}
	if i.Callee.Kind != llvm.GlobalName {
		fail(r.at, "a call through a pointer")
	}
	name := i.Callee.Name
	row := builtin.Find(name, columns[r.g.m.Target()]...)
	// What an unknown function does to the memory behind its arguments is not known, so that values from there are
	// forgotten.
	if row == nil {
		n := builtin.Readable(name)
		r.omit("function %s is not counted: it has no body here", n)
		for _, a := range i.Args {
			if a.Type.Kind == llvm.Pointer {
				r.forget(r.value(a))
			}
		}
		r.set(i, opaque(bits, true))
		return
	}
	if row.Means == builtin.Nothing || row.Means == builtin.LifeStart || row.Means == builtin.LifeEnd {
		return
	}
	args := make([]*node, len(i.Args))
	for k, a := range i.Args {
		args[k] = r.value(a)
	}
	r.set(i, r.builtin(i, row, args, bits))
}

// builtin is the value of a built-in function, by what its row of the table means.
func (r *reader) builtin(i *llvm.Instr, row *builtin.Call, args []*node, bits int) *node {
	dim := row.Dim
	if dim < 0 && len(args) == 1 && args[0].isNumber() && args[0].k >= 0 && args[0].k < 3 {
		dim = int(args[0].k)
	}
	// Sizes of the launch are numbers here, because counts are about one launch.
	size := func(of [3]int64) *node {
		if dim < 0 {
			return opaque(bits, false)
		}
		return number(of[dim], bits)
	}
	id := func(o op) *node {
		if dim < 0 {
			fail(r.at, "%s of an unknown dimension", row.Name)
		}
		return &node{op: o, k: int64(dim), bits: bits}
	}
	switch row.Means {
	case builtin.LocalID:
		return r.once(id(opThread))
	case builtin.GroupID:
		return r.once(id(opBlock))
	case builtin.GlobalID:
		return made(opAdd, bits, 0, "", made(opMul, bits, 0, "", r.once(id(opBlock)), size(r.launch.Block)), r.once(id(opThread)))
	case builtin.LocalSize:
		return size(r.launch.Block)
	case builtin.NumGroups:
		return size(r.launch.Grid)
	case builtin.GlobalSize:
		if dim >= 0 {
			return number(r.launch.Block[dim]*r.launch.Grid[dim], bits)
		}
	case builtin.GlobalOffset:
		return number(0, bits)
	case builtin.WarpSize:
		return number(r.launch.warp(), bits)
	case builtin.Barrier, builtin.BarrierFlags, builtin.BarrierBare, builtin.BarrierVote, builtin.BarrierGrid:
		r.add(&inst{kind: kindBarrier})
		return opaque(bits, false)
	case builtin.Fence, builtin.WarpFence, builtin.Assume, builtin.Assert, builtin.Require, builtin.Invariant, builtin.Candidate, builtin.Print:
		return opaque(bits, true)
	case builtin.AssertFail, builtin.Trap:
		return opaque(bits, true)
	case builtin.Atomic, builtin.AtomicBlock:
		r.add(&inst{kind: kindAtomic, addr: args[0], bytes: max(1, r.g.m.Layout.Store(i.Type))})
		r.forget(args[0])
		return opaque(bits, true)
	case builtin.Minimum, builtin.Maximum:
		if bits == 0 {
			r.add(&inst{kind: kindOp, sort: floating(i.Type, AddFloat), lanes: 1})
			break
		}
		o := opMin
		if row.Means == builtin.Maximum {
			o = opMax
		}
		if row.Unsigned {
			o += opUMin - opMin
		}
		r.add(&inst{kind: kindOp, sort: r.integer(args), lanes: 1})
		return made(o, bits, 0, "", args[0], args[1])
	case builtin.Absolute, builtin.AbsoluteFlag:
		if bits > 0 {
			return made(opAbs, bits, 0, "", args[0])
		}
	case builtin.Multiply24, builtin.MultiplyAdd24:
		r.add(&inst{kind: kindOp, sort: r.integer(args), lanes: 1})
		n := made(opMul, bits, 0, "", args[0], args[1])
		if row.Means == builtin.MultiplyAdd24 {
			n = made(opAdd, bits, 0, "", n, args[2])
		}
		return n
	case builtin.Argument:
		return args[0]
	case builtin.Convert:
		if bits > 0 && args[0].bits > 0 {
			return made(opTrunc, bits, 0, "", args[0])
		}
	case builtin.ReadCell:
		return r.load(args[0], i.Type, true)
	case builtin.VectorLoad:
		size := number(r.g.m.Layout.Store(i.Type), 64)
		return r.load(made(opAdd, 64, 0, "", args[1], made(opMul, 64, 0, "", args[0], size)), i.Type, false)
	case builtin.VectorStore:
		size := number(r.g.m.Layout.Store(i.Args[0].Type), 64)
		r.store(made(opAdd, 64, 0, "", args[2], made(opMul, 64, 0, "", args[1], size)), args[0], i.Args[0].Type)
		return opaque(bits, true)
	case builtin.CopyMemory:
		if len(args) > 2 && args[2].isNumber() {
			r.copyCells(args[0], args[1], args[2].k)
		} else {
			r.omit("a copy whose length depends on data is not counted")
			r.forget(args[0])
		}
		return opaque(bits, true)
	case builtin.SetMemory:
		if len(args) > 2 && args[2].isNumber() {
			if c, ok := r.register(args[0], 1); ok {
				r.clash[c.obj] = true
			} else {
				r.add(&inst{kind: kindStore, addr: args[0], bytes: args[2].k})
				r.forget(args[0])
			}
		} else {
			r.omit("a fill whose length depends on data is not counted")
			r.forget(args[0])
		}
		return opaque(bits, true)
	case builtin.Warp:
		r.add(&inst{kind: kindOp, sort: Shuffle, lanes: 1})
		return opaque(bits, true)
	case builtin.Texel:
		r.omit("reads of textures are not counted")
		return opaque(bits, true)
	case builtin.Opaque:
		r.omit("%s is not counted", row.Name)
		return opaque(bits, true)
	default:
		r.number(i, row.Name)
		for _, k := range row.Writes {
			r.forget(args[k])
		}
	}
	return opaque(bits, row.Fresh, args...)
}

// once is the one node of an id.
func (r *reader) once(n *node) *node {
	for _, m := range r.ids {
		if m.op == n.op && m.k == n.k && m.bits == n.bits {
			return m
		}
	}
	r.ids = append(r.ids, n)
	return n
}

func (r *reader) integer(args []*node) Arithmetic {
	if slices.ContainsFunc(args, (*node).dependsOnData) {
		return Integer
	}
	return Index
}

var specials = []string{"sqrt", "exp", "log", "sin", "cos", "tan", "pow", "div", "rcp", "ex2", "lg2", "erf", "gamma", "cbrt", "hypot", "mod", "recip"}

// number counts a function of numbers.
func (r *reader) number(i *llvm.Instr, name string) {
	t, lanes := i.Type, int64(1)
	if t.Kind == llvm.Vector {
		t, lanes = t.Elem, t.N
	}
	if t.Kind != llvm.Float {
		if t.Kind == llvm.Int {
			r.add(&inst{kind: kindOp, sort: Integer, lanes: lanes})
		}
		return
	}
	sort := AddFloat
	short := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "llvm."), "nvvm."), "__nv_")
	switch {
	case strings.HasPrefix(short, "fma") && !strings.HasPrefix(short, "fmax"), strings.HasPrefix(short, "fmuladd"), strings.HasPrefix(short, "mad"):
		sort = FusedFloat
	case slices.ContainsFunc(specials, func(s string) bool { return strings.Contains(short, s) }):
		sort = SpecialFloat
	}
	if sort == SpecialFloat || sort == AddFloat {
		sort = floating(t, sort)
	} else if k := floating(t, sort); k != FusedFloat {
		sort = k
	}
	r.add(&inst{kind: kindOp, sort: sort, lanes: lanes})
}
