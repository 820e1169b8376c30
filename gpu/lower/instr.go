package lower

import (
	"math/big"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/llvm"
)

// instruction lowers an instruction of the block.
func (l *lowerer) instruction(fr *frame, i *llvm.Instr) {
	switch i.Op {
	case llvm.Alloca:
		count := int64(1)
		if len(i.Args) > 0 {
			n, ok := l.constant(l.one(l.value(i.Args[0])))
			if !ok || n < 0 {
				l.fail("a variable of computed size")
			}
			count = n
		}
		b := l.local(fr.key+"local "+i.Name, i.Source, count, fr.names[i.Name])
		l.put(i, single(i.Type, scalar{ptr: &pointer{targets: []*base{b}, off: ir.Number(0)}}))
	case llvm.Load:
		p := l.pointerOf(l.one(l.value(i.Args[0])))
		if i.Order != "" {
			l.put(i, l.atomic(p, i.Type, i.Scope, nil))
			return
		}
		v := l.read(p, i.Type)
		l.ranged(i, v)
		l.put(i, v)
	case llvm.Store:
		p := l.pointerOf(l.one(l.value(i.Args[1])))
		if i.Order != "" {
			l.atomic(p, i.Args[0].Type, i.Scope, nil)
			return
		}
		l.write(p, i.Args[0].Type, l.value(i.Args[0]))
	case llvm.AtomicRMW:
		var adds *ir.Term
		if i.Pred == "add" {
			adds = l.addend(i.Args[1])
		}
		l.put(i, l.atomic(l.pointerOf(l.one(l.value(i.Args[0]))), i.Type, i.Scope, adds))
	case llvm.CmpXchg:
		v := l.atomic(l.pointerOf(l.one(l.value(i.Args[0]))), i.Args[1].Type, i.Scope, nil)
		done := ir.Compare(ir.PNe, l.Anything(ast.TBool, l.at), ir.Number(0))
		l.put(i, &value{typ: i.Type, parts: append(v.parts, truth(done))})
	case llvm.Fence: // it orders the accesses of one thread; without a barrier it takes no race away
	case llvm.Call:
		l.call(fr, i)
	case llvm.Br:
		l.jump(fr, i)
	case llvm.Switch:
		l.switching(fr, i)
	case llvm.Ret:
		l.give(fr, i)
	case llvm.Unreachable:
		if last := len(l.Now.Code) - 1; last < 0 || l.Now.Code[last].Op != ir.DoAssume || l.Now.Code[last].E.Op != ir.PFalse {
			l.never("assert", "code marked unreachable")
		}
		l.Now.Then = fr.exit
	default:
		l.put(i, l.compute(i))
	}
}

// never is a place that must not be reached.
func (l *lowerer) never(kind, why string) {
	l.Emit(&ir.Instr{Op: ir.DoAssert, At: l.at, Kind: kind, Why: why, E: ir.Falsity})
	l.Emit(&ir.Instr{Op: ir.DoAssume, At: l.at, E: ir.Falsity})
}

func (l *lowerer) jump(fr *frame, i *llvm.Instr) {
	if len(i.Args) == 0 {
		l.leave(fr)
		l.goTo(fr, i.To[0])
		return
	}
	p := l.truthOf(l.one(l.value(i.Args[0])))
	l.leave(fr)
	if i.To[0] == i.To[1] {
		l.goTo(fr, i.To[0])
		return
	}
	l.Branch(p, l.arm(fr, i.To[0]), l.arm(fr, i.To[1]))
}

// switching lowers a switch to a chain of comparisons.
func (l *lowerer) switching(fr *frame, i *llvm.Instr) {
	on := l.one(l.value(i.Args[0]))
	if on.undefined() || i.Args[0].Type.Kind != llvm.Int {
		l.fail("a switch of this form")
	}
	l.leave(fr)
	for k, c := range i.Cases {
		want := l.one(l.value(c))
		var holds *ir.Term
		switch {
		case i.Args[0].Type.Bits > 1:
			holds = ir.Compare(ir.PEq, on.t, l.as(on.typ, want))
		case want.t.Is(1):
			holds = l.truthOf(on)
		default:
			holds = ir.Not(l.truthOf(on))
		}
		next := l.NewNode(l.at)
		l.Branch(holds, l.arm(fr, i.To[k+1]), next)
		l.Now = next
	}
	l.goTo(fr, i.To[0])
}

// give is the end of a call.
func (l *lowerer) give(fr *frame, i *llvm.Instr) {
	if fr.up != nil && len(i.Args) > 0 {
		v := l.value(i.Args[0])
		if fr.results == nil {
			fr.result = v
		} else {
			l.assign([]*value{fr.results}, []*value{v})
		}
	}
	l.Now.Then = fr.exit
}

// ranged takes for granted what a module says of the range of a number that it reads.
func (l *lowerer) ranged(i *llvm.Instr, v *value) {
	n := llvm.Attached(i.Meta, "range")
	if n == nil || len(n.Elems) != 2 || len(v.parts) != 1 || v.parts[0].t == nil || i.Type.Kind != llvm.Int {
		return
	}
	lo, hi := n.Elems[0].Value, n.Elems[1].Value
	if lo == nil || hi == nil || lo.Int == nil || hi.Int == nil || lo.Int.Cmp(hi.Int) >= 0 {
		return
	}
	x := l.as(intType(i.Type.Bits, true), v.parts[0])
	l.claim(validBits)
	l.Emit(&ir.Instr{Op: ir.DoAssume, At: l.at, E: ir.Both(ir.Compare(ir.PLe, ir.BigNumber(lo.Int), x), ir.Compare(ir.PLt, x, ir.BigNumber(hi.Int)))})
}

// addend is what an atomic operation adds, as a number with sign; nil if it is no integer.
func (l *lowerer) addend(v *llvm.Value) *ir.Term {
	if v.Type.Kind != llvm.Int {
		return nil
	}
	return l.as(intType(v.Type.Bits, true), l.one(l.value(v)))
}

// atomic changes what a pointer leads to in one step: by an addition, if what that adds is known.
func (l *lowerer) atomic(p *pointer, t *llvm.Type, scope string, adds *ir.Term) *value {
	// Scopes below the group would make operations of one group race.
	switch strings.TrimSuffix(scope, "-one-as") {
	case "", "system", "agent", "device", "all_svm_devices":
	case "block", "workgroup":
		scope = "block"
	default:
		l.fail("an atomic operation of scope %q, which is smaller than the group", scope)
	}
	out := &value{typ: t}
	v := l.any(t)
	l.each(p, func(b *base, off *ir.Term) {
		switch {
		case b.null:
			l.Check("null", "an atomic operation through a null pointer", ir.Falsity, l.at)
			return
		case b.unknown != "":
			l.fail("%s", b.unknown)
		case b.place != nil || b.mem.Space == ast.Private:
			l.fail("an atomic operation on a private variable")
		case scope == "block" && b.mem.Space != ast.Local && l.opts.Groups != [3]int64{1, 1, 1}:
			l.fail("an operation that is atomic only within a group, on memory that groups share")
		}
		// A pointer that lay there is overwritten with a number.
		l.spoil(b, partAt(off, l.m.Layout.Store(t)), "a pointer that was read from memory which the kernel changes")
		first, count := l.granulated(b, off, l.m.Layout.Store(t))
		// Only a single integer at a single place has a value that is worth knowing.
		if t.Kind != llvm.Int || count > 1 || len(p.targets) > 1 {
			adds = nil
		}
		for k := range count {
			x := l.NewVariable("got", scalarType(t, !b.unsigned))
			l.Emit(&ir.Instr{Op: ir.DoAtomic, At: l.at, V: x, Mem: b.mem, Off: ir.Sum(first, ir.Number(k)), E: adds})
			if adds != nil {
				v = scalar{typ: x.Typ, t: ir.VariableTerm(x)}
			}
		}
	})
	out.parts = []scalar{v}
	return out
}

// eitherWay does something for whichever bases two pointers point at, of which from may be nil; it reports whether they have several.
func (l *lowerer) eitherWay(to, from *pointer, do func(to, from *pointer)) bool {
	if len(to.targets) == 1 && (from == nil || len(from.targets) == 1) {
		return false
	}
	to = l.steadyPointer(to)
	if from != nil {
		from = l.steadyPointer(from)
	}
	l.each(to, func(b *base, off *ir.Term) {
		one := &pointer{targets: []*base{b}, off: off}
		if from == nil {
			do(one, nil)
			return
		}
		l.each(from, func(b *base, off *ir.Term) { do(one, &pointer{targets: []*base{b}, off: off}) })
	})
	return true
}

// copyMemory copies so many bytes.
func (l *lowerer) copyMemory(to, from *pointer, n int64) {
	if n == 0 {
		return
	}
	if l.eitherWay(to, from, func(to, from *pointer) { l.copyMemory(to, from, n) }) {
		return
	}
	d, s := to.targets[0], from.targets[0]
	pieces := l.pieces(d, to.off, n)
	if pieces == nil || d.place == nil {
		if other := l.pieces(s, from.off, n); other != nil {
			pieces = other
		}
	}
	if pieces == nil {
		g := int64(16)
		for _, b := range []*base{d, s} {
			if known := l.granule[b.key]; known > 0 {
				g = min(g, known)
			}
		}
		g = min(g, n&-n, alignment(to.off), alignment(from.off), 8)
		if n/g > 1024 {
			l.overRange(to, from, ir.Number(n))
			return
		}
		for at := int64(0); at < n; at += g {
			pieces = append(pieces, llvm.Leaf{At: at, Type: llvm.IntType(int(8 * g))})
		}
	}
	// All is read before anything is written: source and target may be one.
	var values []scalar
	for _, p := range pieces {
		v := &value{typ: p.Type, parts: []scalar{l.load(s, ir.Sum(from.off, ir.Number(p.At)), p.Type)}}
		values = append(values, l.kept(v, nil).parts[0])
	}
	for k, p := range pieces {
		l.store(d, ir.Sum(to.off, ir.Number(p.At)), p.Type, values[k])
	}
}

// overRange copies, or sets where from is nil, as many bytes as n says: a loop of any number of rounds, each of which
// reads and writes any cell of the range. What is written is any value.
func (l *lowerer) overRange(to, from *pointer, n *ir.Term) {
	if l.eitherWay(to, from, func(to, from *pointer) { l.overRange(to, from, n) }) {
		return
	}
	g := min(8, alignment(to.off))
	ends := []*pointer{to}
	if from != nil {
		ends, g = append(ends, from), min(g, alignment(from.off))
	}
	for _, p := range ends {
		if known := l.granule[p.targets[0].key]; known > 0 {
			g = min(g, known)
		}
	}
	l.before(nil) // what is kept in a round would be missing where there is none
	head, round, after := l.NewNode(l.at), l.NewNode(l.at), l.NewNode(l.at)
	head.Head = true
	l.Now.Then = head
	l.Now = head
	clear(l.weights)
	l.Branch(ir.Compare(ir.PNe, l.Anything(ast.TBool, l.at), ir.Number(0)), round, after)
	l.Now = round
	k := l.Anything(ast.TLong, l.at)
	at := ir.Product(ir.Number(g), k)
	l.Emit(&ir.Instr{Op: ir.DoAssume, At: l.at, E: ir.Both(ir.Compare(ir.PLe, ir.Number(0), k), ir.Compare(ir.PLt, at, n))})
	cell := llvm.IntType(int(8 * g))
	if from != nil {
		l.load(from.targets[0], ir.Sum(from.off, at), cell)
	}
	l.store(to.targets[0], ir.Sum(to.off, at), cell, scalar{})
	l.Now.Then = head
	l.Now = after
	clear(l.weights)
}

// pieces are the scalars of a variable in a range of bytes, with integers for what lies between
// them; nil if b is none.
func (l *lowerer) pieces(b *base, off *ir.Term, n int64) (out []llvm.Leaf) {
	if b.place == nil {
		return nil
	}
	begin, ok := l.constantOffset(b, off, n)
	if !ok {
		return nil
	}
	// Gaps are filled with integers that are as large as their alignment allows.
	at := begin
	gap := func(to int64) {
		for at < to {
			size := int64(1)
			for size < 8 && at%(2*size) == 0 && at+2*size <= to {
				size *= 2
			}
			out = append(out, llvm.Leaf{At: at - begin, Type: llvm.IntType(int(8 * size))})
			at += size
		}
	}
	for _, c := range b.place.cells {
		if c.end() <= begin || c.at >= begin+n {
			continue
		}
		// A range that cuts a scalar in two has no pieces.
		if c.at < at || c.end() > begin+n {
			return nil
		}
		gap(c.at)
		out = append(out, llvm.Leaf{At: c.at - begin, Type: c.typ})
		at = c.end()
	}
	gap(begin + n)
	return out
}

// setMemory sets so many bytes to a value.
func (l *lowerer) setMemory(to *pointer, with scalar, n int64) {
	if n == 0 || l.eitherWay(to, nil, func(to, _ *pointer) { l.setMemory(to, with, n) }) {
		return
	}
	b := to.targets[0]
	pieces := l.pieces(b, to.off, n)
	if pieces == nil {
		g := int64(8)
		if known := l.granule[b.key]; known > 0 {
			g = min(g, known)
		}
		g = min(g, n&-n, alignment(to.off))
		// More than 1,024 single writes become one write to a range.
		if n/g > 1024 {
			l.overRange(to, nil, ir.Number(n))
			return
		}
		for at := int64(0); at < n; at += g {
			pieces = append(pieces, llvm.Leaf{At: at, Type: llvm.IntType(int(8 * g))})
		}
	}
	k, known := l.constant(with)
	for _, p := range pieces {
		s := scalar{}
		switch {
		case known && k == 0:
			s = l.zero(p.Type)
		case known && p.Type.Kind == llvm.Int && p.Type.Bits > 1:
			all := new(big.Int)
			for range p.Type.Bits / 8 {
				all.Or(all.Lsh(all, 8), big.NewInt(k&255))
			}
			s = scalar{typ: intType(p.Type.Bits, false), t: ir.BigNumber(all)}
		}
		l.store(b, ir.Sum(to.off, ir.Number(p.At)), p.Type, s)
	}
}

// byValue is a structure that a kernel is given, as a variable of its own.
func (l *lowerer) byValue(fr *frame, index int, a llvm.Param, v llvm.Variable) *value {
	b := l.local(fr.key+"argument "+a.Name, a.Attrs.ByVal, 1, v)
	if b.place == nil {
		// Too large to be taken apart, or indexed: what it holds is any value, the same for all threads.
		if b.mem != nil {
			b.mem.Space = ast.Constant
		}
		return single(a.Type, scalar{ptr: &pointer{targets: []*base{b}, off: ir.Number(0)}})
	}
	for k, c := range b.place.cells {
		n := fr.f.LeafName(index, k, len(b.place.cells), c.at)
		l.setCell(c, c.typ, l.parameterLeaf(c.typ, n, member(v.Type, c.at, &l.m.Layout), ""))
	}
	return single(a.Type, scalar{ptr: &pointer{targets: []*base{b}, off: ir.Number(0)}})
}
