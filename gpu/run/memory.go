package run

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/llvm"
)

// space is who sees an object.
type space uint8

const (
	private space = iota // the thread
	group
	grid
	constant
	inner // no object: what a primitive of a toolkit writes to its scratch memory
)

// object is something in memory, byte by byte.
type object struct {
	id     int
	name   string
	space  space
	size   int64 // −1: as large as it has to be
	bytes  map[int64]*cell
	heap   bool // the kernel allocated it
	filled bool // what was not written is drawn from the sample
	init   []byte
	extent *[2]int64 // offsets between which accesses must lie, as the host has allocated it
}

// cell is a byte, with who has come to it.
type cell struct {
	known bool
	b     byte
	ptr   *pointer // of which it is a part
	part  int64
	log   []access
}

// access is one of a thread to a byte.
type access struct {
	t       *thread
	kind    int
	epoch   int64
	at      place
	silent  bool // a write of what was there
	b       byte
	known   bool
	before  int   // atomic operations of the thread before it
	lap     int   // barriers of its warp before it
	inner   bool  // it is one of a primitive to its scratch memory
	scratch int64 // barriers so far that order such accesses
}

type place struct{ line, col int }

const (
	read = 1 + iota
	write
	atomic
)

// pointer is an address.
type pointer struct {
	o   *object // nil: null
	off int64
}

func (r *runner) newObject(name string, s space, size int64) *object {
	r.objects++
	return &object{id: r.objects, name: name, space: s, size: size, bytes: map[int64]*cell{}}
}

// groupObject is an array of the group.
func (r *runner) groupObject(name string, s space) *object {
	o := r.shared[name]
	if o == nil {
		o = r.newObject(name, s, -1)
		r.shared[name] = o
	}
	return o
}

func (r *runner) cell(o *object, at int64) *cell {
	c := o.bytes[at]
	if c == nil {
		if r.logged++; r.logged > maxBytes {
			r.undecided("a run that accesses more than %d bytes", maxBytes)
		}
		c = &cell{}
		switch {
		case at >= 0 && at < int64(len(o.init)):
			c.known, c.b = true, o.init[at]
		case o.filled:
			c.known = true
			if r.Sample > 0 && at%4 == 0 { // small numbers, which may be indices
				h := fnv.New32a()
				fmt.Fprint(h, r.Sample, o.name, at)
				c.b = byte(h.Sum32() % 7)
			}
		}
		o.bytes[at] = c
	}
	return c
}

// reach is where an access goes, checked.
func (r *runner) reach(p *pointer, size int64, what string) *object {
	switch {
	case p == nil:
		r.undecided("an unknown pointer")
	case p.o == nil:
		r.fault("null", what+" through a null pointer")
	case p.o.extent != nil && (p.off < p.o.extent[0] || p.off+size > p.o.extent[1]):
		r.fault("bounds", "an access beyond the allocation of "+strings.TrimPrefix(p.o.name, "global memory "))
	case p.o.size >= 0 && (p.off < 0 || p.off+size > p.o.size):
		if r.Bounds {
			r.fault("bounds", "index into memory "+p.o.name)
		}
		r.undecided("an access beyond %s", p.o.name)
	case p.off < 0 && r.Bounds:
		r.fault("bounds", "index into memory "+p.o.name)
	}
	return p.o
}

// extend notes how far the memory at a pointer reaches, which the host says; see llvm.Extent.
func (r *runner) extend(fr *frame, i *llvm.Instr) {
	p, before, behind := r.value(fr, i.Args[0]), r.value(fr, i.Args[1]), r.value(fr, i.Args[2])
	if p.ptr == nil || p.ptr.o == nil || p.ptr.off != 0 || before.unknown || behind.unknown {
		r.undecided("the size of the allocation is unknown")
	}
	p.ptr.o.extent = &[2]int64{-int64(before.u), int64(behind.u)}
}

// release frees an object: to other threads that is a write to whatever of it was accessed.
func (r *runner) release(p *pointer) {
	if !p.o.heap || p.off != 0 {
		r.undecided("memory is freed that the kernel did not allocate")
	}
	for _, at := range slices.Sorted(maps.Keys(p.o.bytes)) {
		r.logs(p.o, at, write, 0, false)
	}
}

// logs notes an access, and finds whether it races with one before.
func (r *runner) logs(o *object, at int64, kind int, b byte, known bool) {
	if o.space == private || o.space == constant || r.NoRaces {
		return
	}
	c := r.cell(o, at)
	now := access{t: r.t, kind: kind, epoch: r.epochs[o.space], inner: r.inner, scratch: r.epochs[inner], at: place{r.t.at.Line, r.t.at.Col}, b: b, known: known, before: r.t.atomics, lap: r.t.lap}
	now.silent = kind == write && c.known && known && c.b == b && c.ptr == nil
	for _, a := range c.log {
		if a.t == now.t || a.kind == read && kind == read || a.kind == atomic && kind == atomic {
			continue
		}
		if a.inner && (now.inner || a.scratch != now.scratch) {
			continue
		}
		same := a.t.number == now.t.number
		if same && (a.epoch != now.epoch || a.t.warp == now.t.warp && a.lap != now.lap) || !same && (o.space != grid || r.NoBetween) {
			continue
		}
		name := "race-rw"
		switch {
		case a.kind == write && kind == write:
			name = "race-ww"
			if !r.NoBenign && a.known && known && a.b == b {
				continue
			}
		case a.kind == atomic || kind == atomic:
			name = "race-atomic"
		case !r.NoBenign && (a.silent || now.silent || c.settled(a, now)):
			continue
		}
		// Atomic operations may order what comes behind them with what comes before.
		if r.atomics && a.t.atomics > a.before && now.before > 0 {
			r.undecided("atomic operations between the two accesses may order them; this is not analysed")
		}
		doing := [...]string{"", "reads", "writes", "changes atomically"}
		panic(&halt{Fault{Kind: name, At: r.t.at, Why: fmt.Sprintf("one thread %s %s here, another %s it in line %d", doing[kind], o.name, doing[a.kind], a.at.line), Threads: [][2][3]int64{{now.t.id, now.t.group}, {a.t.id, a.t.group}}, Offset: at}})
	}
	if len(c.log) < maxLog {
		c.log = append(c.log, now)
	}
}

// settled reports whether the one of two accesses that reads finds the value that the other one writes in any
// order: its thread has written it itself.
func (c *cell) settled(a, b access) bool {
	if a.kind != read {
		a, b = b, a
	}
	for _, own := range c.log {
		if own.t == a.t && own.kind == write && own.epoch == a.epoch && own.lap == a.lap {
			return own.known && b.known && own.b == b.b
		}
	}
	return len(c.log) >= maxLog // it may be among those that are not remembered
}

// maxLog is how many accesses to a byte are remembered: others are compared with these alone.
const maxLog = 256

// load reads a scalar.
func (r *runner) load(p *pointer, t *llvm.Type, kind int) value {
	size := r.m.Layout.Store(t)
	o := r.reach(p, size, "a read")
	var u uint64
	// A pointer is read back only if all of its bytes come from one stored pointer, in order.
	known := size <= 8
	var whole *pointer
	for k := range size {
		c := r.cell(o, p.off+k)
		r.logs(o, p.off+k, kind, 0, false)
		if c.ptr != nil {
			if k == 0 {
				whole = c.ptr
			}
			if whole != nil && (c.ptr.o != whole.o || c.ptr.off != whole.off || c.part != k) {
				whole = nil
			}
			known = false
			continue
		}
		whole = nil
		known = known && c.known
		if k < 8 {
			u |= uint64(c.b) << (8 * k)
		}
	}
	switch {
	case t.Kind == llvm.Pointer && whole != nil:
		return value{ptr: whole}
	case t.Kind == llvm.Pointer && known && u == 0:
		return value{ptr: &pointer{}}
	case !known || t.Kind == llvm.Pointer:
		return value{unknown: true}
	}
	return number(t, u)
}

// store writes a scalar.
func (r *runner) store(p *pointer, t *llvm.Type, v value, kind int) {
	size := r.m.Layout.Store(t)
	o := r.reach(p, size, "a write")
	if o.space == constant {
		r.fault("assert", "a write to constant memory")
	}
	for k := range size {
		known := !v.unknown && v.ptr == nil && size <= 8
		b := byte(0)
		if known {
			b = byte(v.bits(t) >> (8 * k))
		}
		r.logs(o, p.off+k, kind, b, known)
		c := r.cell(o, p.off+k)
		c.known, c.b, c.ptr, c.part = known, b, nil, 0
		if v.ptr != nil {
			c.ptr, c.part = v.ptr, k
		}
	}
}

// copied is a structure that a function gets by value.
func (r *runner) copied(from *object, a llvm.Param) *object {
	size := r.m.Layout.Size(a.Attrs.ByVal)
	o := r.newObject(a.Name, private, size)
	for k := range size {
		c := *r.cell(from, k)
		c.log = nil
		o.bytes[k] = &c
	}
	return o
}

// given is what the host gives as a parameter.
func (r *runner) given(k int, a llvm.Param) value {
	r.t = &thread{}
	if a.Attrs.ByVal != nil {
		o := r.newObject(a.Name, private, r.m.Layout.Size(a.Attrs.ByVal))
		leaves, ok := r.m.Layout.Leaves(a.Attrs.ByVal, 4096)
		if !ok {
			r.undecided("a parameter of type %s", a.Attrs.ByVal)
		}
		for j, leaf := range leaves {
			r.store(&pointer{o, leaf.At}, leaf.Type, r.givenLeaf(leaf.Type, r.f.LeafName(k, j, len(leaves), leaf.At)), write)
		}
		return pointerTo(o, 0)
	}
	leaves, ok := r.m.Layout.Leaves(a.Type, 64)
	if !ok {
		r.undecided("a parameter of type %s", a.Type)
	}
	if len(leaves) == 1 && a.Type.Kind != llvm.Vector {
		return r.givenLeaf(a.Type, r.f.ParamName(k))
	}
	var v value
	for j, leaf := range leaves {
		v.parts = append(v.parts, r.givenLeaf(leaf.Type, r.f.LeafName(k, j, len(leaves), leaf.At)))
	}
	return v
}

func (r *runner) givenLeaf(t *llvm.Type, name string) value {
	switch t.Kind {
	case llvm.Pointer:
		s := grid
		switch {
		case t.Space == 3:
			return value{local: r.newObject(name, group, -1)}
		case t.Space == 2 && r.m.Target() == llvm.SPIR, t.Space == 4 && r.m.Target() != llvm.SPIR:
			s = constant
		}
		o := r.newObject("global memory "+name, s, -1)
		o.filled = true
		return pointerTo(o, 0)
	case llvm.Int:
		return number(t, uint64(r.Values[name]))
	}
	return value{unknown: true}
}

// global is a variable of the module.
func (r *runner) global(name string) value {
	g := r.m.Global(name)
	switch {
	case g == nil:
		return value{unknown: true, name: name}
	case g.Alias:
		return r.value(nil, g.Init)
	}
	size := r.m.Layout.Size(g.Type)
	// Shared memory is one object for each group, and that of the launch has no size of its own.
	if g.Space == 3 {
		key := name
		if g.Init == nil {
			key, size = "shared memory of the launch", -1
		}
		o := r.shared[key]
		if o == nil {
			o = r.newObject("local memory "+key, group, size)
			r.shared[key] = o
		}
		return pointerTo(o, 0)
	}
	o := r.globals[name]
	if o == nil {
		s := grid
		if g.Constant {
			s = constant
		}
		if g.Init == nil && size <= 0 {
			size = -1
		}
		o = r.newObject(name, s, size)
		r.globals[name] = o
		// Only constants have their initial values: other variables may have been changed before the kernel.
		if g.Settled() {
			r.fill(o, 0, g.Type, g.Init)
		}
	}
	return pointerTo(o, 0)
}

// fill puts an initial value into an object.
func (r *runner) fill(o *object, at int64, t *llvm.Type, v *llvm.Value) {
	got := r.value(nil, v)
	leaves, ok := r.m.Layout.Leaves(t, 1<<14)
	if !ok {
		return
	}
	flat := got.flat()
	if len(flat) != len(leaves) {
		return
	}
	for k, leaf := range leaves {
		s := o.space
		o.space = private
		r.store(&pointer{o, at + leaf.At}, leaf.Type, flat[k], write)
		o.space = s
	}
}
