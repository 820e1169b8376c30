package run

import (
	"fmt"
	"math"
	"strings"

	"github.com/gradine/gradine/gpu/builtin"
	"github.com/gradine/gradine/gpu/llvm"
)

// value is what a register holds: a number of up to 64 bits, a pointer, parts of a vector or structure, or
// something that is not known.
type value struct {
	unknown bool
	u       uint64 // of an integer, in the low bits; of a float its bits
	ptr     *pointer
	parts   []value
	local   *object // a parameter that is an array of each group
	name    string  // of a function
}

func pointerTo(o *object, off int64) value { return value{ptr: &pointer{o, off}} }

func mask(n int) uint64 {
	if n >= 64 {
		return math.MaxUint64
	}
	return 1<<n - 1
}

func number(t *llvm.Type, u uint64) value {
	if t.Bits > 64 {
		return value{unknown: true}
	}
	return value{u: u & mask(t.Bits)}
}

func (v value) bits(*llvm.Type) uint64 { return v.u }

// flat are the scalars of a value.
func (v value) flat() []value {
	if v.parts == nil {
		return []value{v}
	}
	var out []value
	for _, p := range v.parts {
		out = append(out, p.flat()...)
	}
	return out
}

func signed(u uint64, n int) int64 {
	if n >= 64 {
		return int64(u)
	}
	return int64(u<<(64-n)) >> (64 - n)
}

func (r *runner) value(fr *frame, v *llvm.Value) value {
	switch v.Kind {
	case llvm.Register:
		x, ok := fr.regs[v.Name]
		if !ok {
			r.undecided("%%%s, which is not set", v.Name)
		}
		return x
	case llvm.GlobalName:
		return r.global(v.Name)
	case llvm.IntConstant:
		if v.Type.Bits > 64 {
			return value{unknown: true}
		}
		// Constants are kept with as many bits as the type has; wider ones are not computed with.
		if v.Int.Sign() < 0 {
			return number(v.Type, uint64(v.Int.Int64()))
		}
		return number(v.Type, v.Int.Uint64())
	case llvm.FloatConstant:
		return floatConstant(v)
	case llvm.NullPointer:
		return value{ptr: &pointer{}}
	case llvm.Zero:
		return r.shaped(v.Type, func(t *llvm.Type) value {
			if t.Kind == llvm.Pointer {
				return value{ptr: &pointer{}}
			}
			return value{}
		})
	case llvm.Undef, llvm.Poison:
		return r.shaped(v.Type, func(*llvm.Type) value { return value{unknown: true} })
	case llvm.Aggregate:
		out := value{parts: []value{}}
		for _, e := range v.Elems {
			out.parts = append(out.parts, r.value(fr, e))
		}
		return out
	case llvm.Bytes:
		out := value{parts: []value{}}
		for _, b := range []byte(v.Name) {
			out.parts = append(out.parts, value{u: uint64(b)})
		}
		return out
	case llvm.Expression:
		return r.compute(fr, v.Expr)
	}
	r.undecided("an unsupported operand")
	return value{}
}

// shaped is a value of a type whose scalars f gives.
func (r *runner) shaped(t *llvm.Type, f func(*llvm.Type) value) value {
	if size := r.m.Layout.Size(t); size > maxBytes || size < 0 && t.Kind != llvm.Void {
		r.undecided("a value of type %s", t)
	}
	switch t.Kind {
	case llvm.Array, llvm.Vector:
		if t.N > 1<<14 {
			r.undecided("a value of type %s", t)
		}
		out := value{parts: []value{}}
		for range t.N {
			out.parts = append(out.parts, r.shaped(t.Elem, f))
		}
		return out
	case llvm.Struct:
		out := value{parts: []value{}}
		for _, e := range t.Fields {
			out.parts = append(out.parts, r.shaped(e, f))
		}
		return out
	}
	return f(t)
}

func floatConstant(v *llvm.Value) value {
	var f float64
	if rest, ok := strings.CutPrefix(v.Name, "0x"); ok {
		var u uint64
		if n, err := fmt.Sscanf(rest, "%x", &u); err != nil || n != 1 || rest[0] > '9' && rest[0] >= 'G' && rest[0] <= 'Z' && rest[0] != 'A' {
			return value{unknown: true}
		}
		f = math.Float64frombits(u)
	} else if _, err := fmt.Sscan(v.Name, &f); err != nil {
		return value{unknown: true}
	}
	return asFloat(v.Type, f)
}

// asFloat is a number as a float of a type.
func asFloat(t *llvm.Type, f float64) value {
	switch t.Name {
	case "float":
		return value{u: uint64(math.Float32bits(float32(f)))}
	case "double":
		return value{u: math.Float64bits(f)}
	}
	return value{unknown: true}
}

func (v value) float(t *llvm.Type) (float64, bool) {
	switch {
	case v.unknown:
	case t.Name == "float":
		return float64(math.Float32frombits(uint32(v.u))), true
	case t.Name == "double":
		return math.Float64frombits(v.u), true
	}
	return 0, false
}

// holds is a truth that decides.
func (r *runner) holds(v value) bool {
	if v.unknown || v.ptr != nil {
		r.undecided("an unknown condition")
	}
	return v.u&1 == 1
}

func (r *runner) address(v value) *pointer {
	if v.ptr == nil {
		r.undecided("an unknown pointer")
	}
	return v.ptr
}

// step does an instruction.
// Instructions with effects come first. All others compute a value.
func (r *runner) step(t *thread, fr *frame, i *llvm.Instr) {
	// A branch on an unknown value, an exchange with one and an impossible size end the run as undecided. A guess would show
	// faults that no thread has.
	switch i.Op {
	case llvm.Br:
		to := i.To[0]
		if len(i.Args) > 0 && !r.holds(r.value(fr, i.Args[0])) {
			to = i.To[1]
		}
		r.jump(fr, to)
	case llvm.Switch:
		on := r.value(fr, i.Args[0])
		if on.unknown {
			r.undecided("a switch on an unknown value")
		}
		to := i.To[0]
		for k, c := range i.Cases {
			if r.value(fr, c).u == on.u {
				to = i.To[k+1]
				break
			}
		}
		r.jump(fr, to)
	case llvm.Ret:
		r.ret(t, fr, i)
	case llvm.Unreachable:
		r.fault("assert", "code marked unreachable")
	case llvm.Alloca:
		n := int64(1)
		if len(i.Args) > 0 {
			n = int64(r.value(fr, i.Args[0]).u)
		}
		size := r.m.Layout.Size(i.Source)
		if size < 0 || n < 0 || size*n > maxBytes {
			r.undecided("a variable of type %s", i.Source)
		}
		fr.regs[i.Name] = pointerTo(r.newObject("a private variable", private, size*n), 0)
	case llvm.Load:
		kind := read
		if i.Order != "" {
			kind = atomic
			r.marks(t, i.Scope)
		}
		p := r.address(r.value(fr, i.Args[0]))
		fr.regs[i.Name] = r.loadAll(p, i.Type, kind)
	case llvm.Store:
		kind := write
		if i.Order != "" {
			kind = atomic
			r.marks(t, i.Scope)
		}
		p, v := r.address(r.value(fr, i.Args[1])), r.value(fr, i.Args[0])
		r.storeAll(p, i.Args[0].Type, v, kind)
	case llvm.AtomicRMW:
		r.marks(t, i.Scope)
		p, x := r.address(r.value(fr, i.Args[0])), r.value(fr, i.Args[1])
		old := r.load(p, i.Type, atomic)
		r.store(p, i.Type, modified(i, old, x), atomic)
		fr.regs[i.Name] = old
	case llvm.CmpXchg:
		r.marks(t, i.Scope)
		p, want, x := r.address(r.value(fr, i.Args[0])), r.value(fr, i.Args[1]), r.value(fr, i.Args[2])
		old := r.load(p, i.Args[1].Type, atomic)
		if old.unknown || want.unknown {
			r.undecided("an exchange with an unknown value")
		}
		done := value{}
		if old.u == want.u {
			r.store(p, i.Args[1].Type, x, atomic)
			done.u = 1
		}
		fr.regs[i.Name] = value{parts: []value{old, done}}
	case llvm.Fence:
	case llvm.Call:
		r.call(t, fr, i)
	default:
		v := r.compute(fr, i)
		fr.regs[i.Name] = v
	}
}

// marks notes an atomic operation: what comes behind it may be ordered by it.
func (r *runner) marks(t *thread, scope string) {
	switch scope {
	case "", "agent", "device", "system", "all_svm_devices", "agent-one-as", "system-one-as":
	default:
		r.undecided("an atomic operation of scope %q", scope)
	}
	r.atomics = true
	t.atomics++
}

// modified is what an atomic operation leaves.
func modified(i *llvm.Instr, old, x value) value {
	if i.Pred == "xchg" {
		return x
	}
	// Whatever a number that is not known is combined with, the result is not known.
	if old.unknown || x.unknown || old.ptr != nil || x.ptr != nil || i.Type.Kind != llvm.Int {
		return value{unknown: true}
	}
	n := i.Type.Bits
	a, b := old.u, x.u
	pick := func(first bool) value {
		if first {
			return old
		}
		return x
	}
	switch i.Pred {
	case "add":
		return number(i.Type, a+b)
	case "sub":
		return number(i.Type, a-b)
	case "and":
		return number(i.Type, a&b)
	case "or":
		return number(i.Type, a|b)
	case "xor":
		return number(i.Type, a^b)
	case "nand":
		return number(i.Type, ^(a & b))
	case "max":
		return pick(signed(a, n) >= signed(b, n))
	case "min":
		return pick(signed(a, n) <= signed(b, n))
	case "umax":
		return pick(a >= b)
	case "umin":
		return pick(a <= b)
	case "uinc_wrap":
		if a >= b {
			return value{}
		}
		return number(i.Type, a+1)
	case "udec_wrap":
		if a == 0 || a > b {
			return x
		}
		return number(i.Type, a-1)
	}
	return value{unknown: true}
}

func (r *runner) loadAll(p *pointer, t *llvm.Type, kind int) value {
	var at func(t *llvm.Type, off int64) value
	at = func(t *llvm.Type, off int64) value {
		switch t.Kind {
		case llvm.Vector, llvm.Array:
			size := r.m.Layout.Store(t.Elem)
			if t.Kind == llvm.Array {
				size = r.m.Layout.Size(t.Elem)
			}
			out := value{parts: []value{}}
			for k := range t.N {
				out.parts = append(out.parts, at(t.Elem, off+k*size))
			}
			return out
		case llvm.Struct:
			out := value{parts: []value{}}
			for k, f := range t.Fields {
				out.parts = append(out.parts, at(f, off+r.m.Layout.Offset(t, k)))
			}
			return out
		}
		return r.load(&pointer{p.o, p.off + off}, t, kind)
	}
	return at(t, 0)
}

func (r *runner) storeAll(p *pointer, t *llvm.Type, v value, kind int) {
	leaves, ok := r.m.Layout.Leaves(t, 1<<12)
	flat := v.flat()
	if !ok || len(leaves) != len(flat) {
		r.undecided("a write of type %s", t)
	}
	for k, leaf := range leaves {
		r.store(&pointer{p.o, p.off + leaf.At}, leaf.Type, flat[k], kind)
	}
}

func (r *runner) ret(t *thread, fr *frame, i *llvm.Instr) {
	var v value
	if len(i.Args) > 0 {
		v = r.value(fr, i.Args[0])
	}
	t.frames = t.frames[:len(t.frames)-1]
	if len(t.frames) == 0 {
		t.done = true
		return
	}
	if up := t.frames[len(t.frames)-1]; fr.call.Name != "" {
		up.regs[fr.call.Name] = v
	}
}

var columns = map[llvm.Target][]builtin.Language{
	llvm.NVPTX:  {builtin.LLVM, builtin.NVPTX, builtin.CUDA},
	llvm.AMDGPU: {builtin.LLVM, builtin.AMDGPU, builtin.OpenCL, builtin.CUDA, builtin.HIP},
	llvm.SPIR:   {builtin.LLVM, builtin.SPIR, builtin.OpenCL},
}

func (r *runner) call(t *thread, fr *frame, i *llvm.Instr) {
	if i.Callee.Kind == llvm.AssemblyText && i.Callee.Name == "" && len(i.Args) == 0 {
		return
	}
	if i.Callee.Kind != llvm.GlobalName {
		r.undecided("an unsupported call")
	}
	if i.Callee.Name == llvm.Extent {
		r.extend(fr, i)
		return
	}
	f := r.m.Function(i.Callee.Name)
	if f == nil || f.Problem != nil {
		r.undecided("an unsupported call")
	}
	// The frame remembers where it was called, because barriers of different calls are different barriers.
	if f.Final() {
		if len(t.frames) > 64 || len(i.Args) != len(f.Params) {
			r.undecided("calls nested more than 64 deep")
		}
		in := &frame{f: f, b: f.Blocks[0], regs: map[string]value{}, call: i, where: fmt.Sprint(fr.where, fr.b.Name, ":", fr.k, "/"), site: t.at}
		for k, a := range f.Params {
			v := r.value(fr, i.Args[k])
			if a.Attrs.ByVal != nil {
				p := r.address(v)
				size := r.m.Layout.Size(a.Attrs.ByVal)
				o := r.newObject(a.Name, private, size)
				r.move(&pointer{o, 0}, p, size)
				v = pointerTo(o, 0)
			}
			in.regs[a.Name] = v
		}
		t.frames = append(t.frames, in)
		return
	}
	c := builtin.Find(f.Name, columns[r.m.Target()]...)
	if c == nil || f.Defined {
		r.undecided("a call of %s", f.Name)
	}
	if c.Means == builtin.Nothing {
		return
	}
	var args []value
	for _, a := range i.Args {
		args = append(args, r.value(fr, a))
	}
	if v, ok := r.known(t, fr, i, c, args); ok && i.Name != "" {
		fr.regs[i.Name] = v
	}
}

// move copies bytes.
func (r *runner) move(to, from *pointer, n int64) {
	if n > maxBytes {
		r.undecided("a copy of %d bytes", n)
	}
	if n == 0 {
		return
	}
	s := r.reach(from, n, "a read")
	d := r.reach(to, n, "a write")
	if d.space == constant {
		r.fault("assert", "a write to constant memory")
	}
	var got []cell
	for k := range n {
		r.logs(s, from.off+k, read, 0, false)
		got = append(got, *r.cell(s, from.off+k))
	}
	for k, c := range got {
		at := to.off + int64(k)
		r.logs(d, at, write, c.b, c.known)
		x := r.cell(d, at)
		x.known, x.b, x.ptr, x.part = c.known, c.b, c.ptr, c.part
	}
}

// known does what a row of the table says.
func (r *runner) known(t *thread, fr *frame, i *llvm.Instr, c *builtin.Call, args []value) (out value, ok bool) {
	anything := func() value { return r.shaped(i.Type, func(*llvm.Type) value { return value{unknown: true} }) }
	dim := func() int {
		if c.Dim >= 0 {
			return c.Dim
		}
		if len(args) == 0 || args[0].unknown {
			r.undecided("%s of an unknown value", c.Name)
		}
		if args[0].u > 2 {
			return 3
		}
		return int(args[0].u)
	}
	id := func(of func(d int) int64, outside int64) (value, bool) {
		d := dim()
		if d > 2 {
			return number(i.Type, uint64(outside)), true
		}
		return number(i.Type, uint64(of(d))), true
	}
	integer := func(k int) int64 {
		if k >= len(args) || args[k].unknown || args[k].ptr != nil {
			r.undecided("%s of an unknown value", c.Name)
		}
		return signed(args[k].u, i.Args[k].Type.Bits)
	}
	// Ids and sizes come from the launch, barriers make the thread wait, and calls with effects go to memory. What has
	// no case here ends the run without a verdict.
	switch c.Means {
	case builtin.LocalID:
		return id(func(d int) int64 { return t.id[d] }, 0)
	case builtin.GroupID:
		return id(func(d int) int64 { return t.group[d] }, 0)
	case builtin.LocalSize:
		return id(func(d int) int64 { return r.Local[d] }, 1)
	case builtin.NumGroups:
		return id(func(d int) int64 { return r.Groups[d] }, 1)
	case builtin.GlobalID:
		return id(func(d int) int64 { return t.group[d]*r.Local[d] + t.id[d] }, 0)
	case builtin.GlobalSize:
		return id(func(d int) int64 { return r.Groups[d] * r.Local[d] }, 1)
	case builtin.GlobalOffset:
		return value{}, true
	case builtin.WarpSize:
		return value{u: 32}, true
	case builtin.ScratchWrite, builtin.ScratchRead:
		r.scratch(r.address(args[0]), integer(1), c.Means == builtin.ScratchWrite)
		return value{}, false
	case builtin.ScratchMeet:
		t.orders = map[space]bool{inner: true}
		t.waits = fmt.Sprint(fr.where, fr.b.Name, ":", fr.k)
		return value{}, false
	case builtin.BarrierGrid:
		if r.Groups != [3]int64{1, 1, 1} {
			r.undecided("a barrier of several groups")
		}
		t.orders = map[space]bool{group: true, grid: true}
		t.waits = fmt.Sprint(fr.where, fr.b.Name, ":", fr.k)
		return value{}, false
	case builtin.Barrier, builtin.BarrierVote:
		t.orders = map[space]bool{group: true, grid: true}
		t.waits = fmt.Sprint(fr.where, fr.b.Name, ":", fr.k)
		return anything(), i.Type.Kind != llvm.Void
	case builtin.BarrierFlags:
		t.orders = map[space]bool{group: integer(0)&1 != 0, grid: integer(0)&2 != 0}
		t.waits = fmt.Sprint(fr.where, fr.b.Name, ":", fr.k)
		return value{}, false
	case builtin.WarpFence:
		if c.Name != "llvm.nvvm.bar.warp.sync" || uint32(integer(0)) != 1<<warpSize-1 {
			r.undecided("%s of a part of a warp", c.Name)
		}
		t.ofWarp, t.orders = true, map[space]bool{}
		t.waits = fmt.Sprint("warp ", fr.where, fr.b.Name, ":", fr.k)
		return value{}, false
	case builtin.Fence, builtin.LifeEnd, builtin.Print:
		return anything(), i.Type.Kind != llvm.Void
	case builtin.Allocate:
		o := r.newObject("memory that the kernel allocates", grid, -1)
		o.heap = true
		return pointerTo(o, 0), true
	case builtin.Release:
		if args[0].ptr != nil && args[0].ptr.o == nil {
			return value{}, false // null
		}
		r.release(r.address(args[0]))
		return value{}, false
	case builtin.LifeStart:
		if p := args[len(args)-1].ptr; p != nil && p.o != nil && p.off == 0 {
			p.o.bytes = map[int64]*cell{}
		}
		return value{}, false
	case builtin.Atomic:
		r.marks(t, "")
		p := r.address(args[0])
		old := r.load(p, i.Type, atomic)
		r.store(p, i.Type, value{unknown: true}, atomic)
		return old, true
	case builtin.Argument:
		return args[0], true
	case builtin.AnyNumber:
		for _, k := range c.Writes {
			if k < len(args) && args[k].ptr != nil {
				r.undecided("%s, which sets a variable", c.Name)
			}
		}
		return r.float(i, c, args), i.Type.Kind != llvm.Void
	case builtin.Minimum, builtin.Maximum:
		return r.extreme(i, c, args), true
	case builtin.CountBits, builtin.Warp, builtin.Texel, builtin.Dimensions, builtin.Clamp, builtin.Absolute, builtin.AbsoluteFlag, builtin.Multiply24, builtin.MultiplyAdd24, builtin.Convert, builtin.Reinterpret:
		return anything(), true
	case builtin.ReadCell:
		return r.loadAll(r.address(args[0]), i.Type, read), true
	case builtin.CopyMemory:
		n := integer(2)
		r.move(r.address(args[0]), r.address(args[1]), n)
		return args[0], i.Type.Kind != llvm.Void
	case builtin.SetMemory:
		p, n := r.address(args[0]), integer(2)
		if n > maxBytes {
			r.undecided("%d bytes are set", n)
		}
		for k := range n {
			r.store(&pointer{p.o, p.off + k}, llvm.IntType(8), args[1], write)
		}
		return args[0], i.Type.Kind != llvm.Void
	case builtin.VectorLoad:
		n := i.Type.N * r.m.Layout.Store(i.Type.Elem)
		p := r.address(args[1])
		out.parts = []value{}
		for k := range i.Type.N {
			out.parts = append(out.parts, r.load(&pointer{p.o, p.off + integer(0)*n + k*r.m.Layout.Store(i.Type.Elem)}, i.Type.Elem, read))
		}
		return out, true
	case builtin.VectorStore:
		vt := i.Args[0].Type
		n := vt.N * r.m.Layout.Store(vt.Elem)
		p := r.address(args[2])
		for k := range vt.N {
			r.store(&pointer{p.o, p.off + integer(1)*n + k*r.m.Layout.Store(vt.Elem)}, vt.Elem, args[0].parts[k], write)
		}
		return value{}, false
	case builtin.Assert, builtin.Invariant:
		if !r.NoAsserts && !r.holds(args[0]) {
			kind, why := "assert", "assertion"
			if c.Means == builtin.Invariant {
				kind, why = "invariant", "loop invariant"
			}
			r.fault(kind, why)
		}
		return value{u: 1}, i.Type.Kind != llvm.Void
	case builtin.Candidate:
		return value{u: 1}, i.Type.Kind != llvm.Void
	case builtin.Implies:
		if !r.holds(args[0]) || r.holds(args[1]) {
			return value{u: 1}, true
		}
		return value{}, true
	case builtin.AssertFail:
		if !r.NoAsserts {
			r.fault("assert", "assertion")
		}
	case builtin.Trap:
		r.fault("assert", "the kernel ends with an error")
	case builtin.Require, builtin.Assume:
		if !r.holds(args[0]) {
			r.undecided("a precondition or assumption does not hold")
		}
		return value{}, false
	}
	r.undecided("a call of %s", c.Name)
	return value{}, false
}

// scratchBytes are how many of the bytes of scratch memory a run looks at, of those that may be accessed.
const scratchBytes = 8

// scratch accesses some bytes of the scratch memory of a primitive.
func (r *runner) scratch(p *pointer, n int64, writes bool) {
	r.inner = writes
	for k := range min(n, scratchBytes) {
		at := &pointer{p.o, p.off + k*n/min(n, scratchBytes)}
		if writes {
			r.store(at, llvm.IntType(8), value{unknown: true}, write)
		} else {
			r.load(at, llvm.IntType(8), read)
		}
	}
	r.inner = false
}

// float is the value of a function of numbers that Go has, too, exactly; any for others.
func (r *runner) float(i *llvm.Instr, c *builtin.Call, args []value) value {
	name := strings.TrimPrefix(c.Name, "llvm.")
	name, _, _ = strings.Cut(name, ".")
	f := map[string]func(float64) float64{"sqrt": math.Sqrt, "fabs": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc}[name]
	anything := func(*llvm.Type) value { return value{unknown: true} }
	if f == nil || len(args) != 1 || i.Type.Kind != llvm.Float {
		return r.shaped(i.Type, anything)
	}
	if x, ok := args[0].float(i.Type); ok {
		return asFloat(i.Type, f(x))
	}
	return value{unknown: true}
}

func (r *runner) extreme(i *llvm.Instr, c *builtin.Call, args []value) value {
	one := func(t *llvm.Type, a, b value) value {
		if t.Kind != llvm.Int || a.unknown || b.unknown || !c.Said {
			return value{unknown: true}
		}
		less := a.u < b.u
		if !c.Unsigned {
			less = signed(a.u, t.Bits) < signed(b.u, t.Bits)
		}
		if less == (c.Means == builtin.Minimum) {
			return a
		}
		return b
	}
	if i.Type.Kind != llvm.Vector {
		return one(i.Type, args[0], args[1])
	}
	out := value{parts: []value{}}
	for k := range int(i.Type.N) {
		b := args[1]
		if b.parts != nil {
			b = b.parts[k]
		}
		out.parts = append(out.parts, one(i.Type.Elem, args[0].parts[k], b))
	}
	return out
}
