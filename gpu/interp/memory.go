package interp

import (
	"fmt"
	"math"
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

// padding is where the fourth lane of a vector of three would lie.
const padding = math.MinInt64

const vastCells = 1 << 15

// contents is how many numbers arrays hold whose contents are drawn: few, as they may be indices.
const contents = 16

func (r *runner) newObject(name string, t *ast.Ctype, sp ast.Space) *object {
	n := t.Cells()
	if n < 0 {
		r.undecided(preproc.Place{}, "%s, an array whose length the host determines", name)
	}
	if n > 1<<22 {
		r.undecided(preproc.Place{}, "an array of %d elements", n)
	}
	r.objects++
	o := &object{name: name, typ: t, cells: make([]scalar, n), shared: sp, id: r.objects, seen: map[int64][]touch{}, changed: map[int64]string{}}
	if r.t == nil {
		o.side = ofHost
	}
	r.reset(o)
	return o
}

func (r *runner) reset(o *object) {
	for i := range o.cells {
		switch leaf := o.typ.Leaf(int64(i)); {
		case r.fill && r.sample != 0 && leaf.Kind == ast.IntType:
			o.cells[i] = scalar{kind: intScalar, i: narrow(leaf, r.input().i%contents)}
		case r.fill && leaf.Kind == ast.IntType:
			o.cells[i] = scalar{kind: intScalar}
		case r.fill && leaf.Kind == ast.FloatType:
			o.cells[i] = scalar{kind: floatScalar, f: r.fraction(r.input().i)}
		case r.sample != 0 && leaf.Kind == ast.IntType:
			o.cells[i] = scalar{kind: intScalar, i: narrow(leaf, r.input().i)}
		default:
			o.cells[i] = r.unknown("")
		}
	}
}

func (r *runner) allocate(bytes int64, at preproc.Place) *object {
	if bytes < 0 || bytes > 1<<26 {
		r.undecided(at, "an allocation of %d bytes", bytes)
	}
	r.objects++
	return &object{name: fmt.Sprintf("allocation in line %d", at.Line), bytes: bytes, id: r.objects, seen: map[int64][]touch{}, changed: map[int64]string{}}
}

// give gives an allocation the type that it is used with.
func (r *runner) give(o *object, t *ast.Ctype) {
	// The first type stays: what was stored with it could not be read with another.
	if o == nil || o.typ != nil || t.Kind == ast.VoidType || t.Size() == 0 {
		return
	}
	o.typ = &ast.Ctype{Kind: ast.ArrayType, Elem: t, N: o.bytes / t.Size()}
	o.cells = make([]scalar, o.typ.Cells())
	r.reset(o)
}

func (r *runner) target(v result, at preproc.Place) ref {
	s := v.c[0]
	switch {
	case s.kind != pointerScalar:
		r.undecided(at, "an unknown pointer")
	case s.to == nil:
		r.fault("null", at, "a null pointer")
	}
	r.give(s.to, s.typ)
	if !r.fill && s.typ.Kind == ast.VectorType && s.typ.N != 3 && s.to.bytes > 0 && s.to.typ.Elem.Kind != ast.StructType {
		if cell := s.typ.Leaf(0).Size(); s.i*cell%min(16, s.typ.N*cell) != 0 {
			r.doubt(at, "a misaligned vector")
		}
	}
	return ref{o: s.to, off: s.i, typ: s.typ, beyond: s.end}
}

func (p ref) offsets() []int64 {
	var out []int64
	for i := range p.typ.Cells() {
		switch {
		case p.pick != nil && i < int64(len(p.pick)):
			out = append(out, p.off+p.pick[i])
		case p.typ.Kind == ast.VectorType && i >= p.typ.N:
			out = append(out, padding)
		default:
			out = append(out, p.off+i)
		}
	}
	return out
}

// named doubts that the host names a variable of the device as if its address were known there.
func (r *runner) named(o *object, at preproc.Place) {
	if r.t == nil && o.side == ofDevice && o.bytes == 0 {
		r.doubt(at, "the host uses the address of the device variable %s", o.name)
	}
}

// load reads the value at a place.
func (r *runner) load(p ref, at preproc.Place) result {
	if p.typ.Kind == ast.ArrayType {
		r.named(p.o, at)
		if p.beyond {
			r.doubt(at, "a row outside its array")
		}
		return result{&ast.Ctype{Kind: ast.PointerType, Elem: p.typ.Elem}, []scalar{{kind: pointerScalar, to: p.o, i: p.off, typ: p.typ.Elem}}}
	}
	r.within(p, at)
	out := result{typ: p.typ}
	for _, off := range p.offsets() {
		if off == padding {
			out.c = append(out.c, scalar{kind: intScalar})
			continue
		}
		r.inside(p.o, off, at)
		r.logAccess(p.o, off, ir.IsRead, scalar{}, at)
		out.c = append(out.c, r.seenAs(*r.cell(p.o, off), p.o.leaf(off), p.typ.Leaf(int64(len(out.c)))))
	}
	return out
}

// store writes a value to a place.
func (r *runner) store(p ref, v result, at preproc.Place) {
	if p.o.shared == ast.Constant && r.t != nil {
		r.fault("assert", at, "a write to constant memory")
	}
	r.within(p, at)
	for i, off := range p.offsets() {
		if off == padding || i >= len(v.c) {
			continue
		}
		r.inside(p.o, off, at)
		s := v.c[i]
		if s.kind == unknownScalar {
			s = r.seenAs(s, p.typ.Leaf(int64(i)), p.o.leaf(off))
		}
		r.logAccess(p.o, off, ir.IsWrite, s, at)
		*r.cell(p.o, off) = s
	}
}

// cell is a cell of memory. Of memory of unknown size there are some at hand; the others, before
// and behind them, are made when they are asked for.
func (r *runner) cell(o *object, off int64) *scalar {
	if off >= 0 && off < int64(len(o.cells)) {
		return &o.cells[off]
	}
	if o.outside[off] == nil {
		if o.outside == nil {
			o.outside = map[int64]*scalar{}
		}
		leaf := o.leaf(off)
		drawn := int64(0)
		if r.sample != 0 { // by the place, not by who comes first
			drawn = int64(uint64(off)*6364136223846793005>>40) % contents
		}
		v := r.unknown("")
		switch leaf.Kind {
		case ast.IntType:
			v = scalar{kind: intScalar, i: narrow(leaf, drawn)}
		case ast.FloatType:
			v = scalar{kind: floatScalar, f: r.fraction(drawn)}
		}
		o.outside[off] = &v
	}
	return o.outside[off]
}

// leaf is the type of a cell.
func (o *object) leaf(off int64) *ast.Ctype {
	if off >= 0 && off < int64(len(o.cells)) {
		return o.typ.Leaf(off)
	}
	each := max(1, o.typ.Elem.Cells())
	return o.typ.Leaf((off%each + each) % each)
}

// within faults an access beyond the array that is named, where memory that is part of the same variable may follow.
func (r *runner) within(p ref, at preproc.Place) {
	if p.beyond {
		r.fault("bounds", at, "an index beyond its array, in %s", p.o.name)
	}
}

func (r *runner) inside(o *object, off int64, at preproc.Place) {
	r.reach(o, at)
	if o.dead {
		r.fault("bounds", at, "%s is used after it was freed, or its block was left", o.name)
	}
	outside := off < 0 || off >= int64(len(o.cells))
	switch {
	case outside && o.vast && r.fill: // parameters may point into the middle of an array
		return
	case outside && o.vast:
		r.undecided(at, "an index beyond %d", len(o.cells))
	}
	if off < 0 || off >= int64(len(o.cells)) {
		r.fault("bounds", at, "index %d into %s of %d elements", off, o.name, len(o.cells))
	}
}

// logAccess logs an access to memory that threads share, and reports the races that it has with logged ones: those of other
// threads that no barrier, launch or atomic orders with it.
func (r *runner) logAccess(o *object, off int64, what int, v scalar, at preproc.Place) {
	if r.t == nil || o.shared == ast.Private && !r.device(o) {
		return
	}
	r.use.touched = true
	if r.checks.NoRaces {
		return
	}
	if o.during != r.number { // what happened before is ordered with this launch
		clear(o.seen)
		clear(o.changed)
		o.during = r.number
	}
	kind := 1
	if o.shared == ast.Local {
		kind = 0
	}
	r.use.signals.now++
	now := touch{by: r.t, when: r.use.signals.now, thread: r.t.id, group: r.t.group, epoch: r.t.epochs[kind], what: what, value: v, at: at}
	if what == ir.IsRead {
		now.value = *r.cell(o, off)
		now.own = slices.ContainsFunc(o.seen[off], func(was touch) bool {
			return was.thread == now.thread && was.epoch == now.epoch && was.what == ir.IsWrite && was.value.equals(now.value)
		})
	}
	for _, was := range o.seen[off] {
		// Barriers order the threads of a group, nothing orders those of different groups.
		if was.thread == now.thread || was.group == now.group && was.epoch != now.epoch || was.group != now.group && r.checks.NoBetween {
			continue
		}
		// Two writes of one value, and a read of what its own thread wrote, are benign unless the options say otherwise.
		c := ir.Conflict(was.what, what)
		if c == "" || c != "race-atomic" && !r.checks.NoBenign && (was.own || was.what == ir.IsWrite) && (now.own || what == ir.IsWrite) && was.value.equals(now.value) {
			continue
		}
		if r.ordered && r.use.signals.ordered(was, now) {
			r.undecided(at, "%s", OrderedByAtomics)
		}
		r.faultOf(now.by, was.by, fmt.Sprint(off), c, at, "thread %d %s %s[%d] here, thread %d %s it in line %d", now.thread, ir.Doing[what], o.name, off, was.thread, ir.Doing[was.what], was.at.Line)
	}
	r.keep(o, off, now)
}

// keep notes an access for those that follow. One of a thread, kind and value stands for its like: it meets what they would. So do two of
// different threads of a group for those of all others, since each thread is another one than one of the two, and the last ones for
// those before a barrier, which only other groups meet. Where runs follow an order of atomic operations, each thread has one of its own.
func (r *runner) keep(o *object, off int64, now touch) {
	before, others := -1, 0
	for i, was := range o.seen[off] {
		if was.what != now.what || was.group != now.group || was.own != now.own || (now.what == ir.IsWrite || now.own) && !was.value.equals(now.value) {
			continue
		}
		switch {
		case was.epoch == now.epoch && was.thread == now.thread:
			o.seen[off][i] = now
			return
		case r.ordered:
		case was.epoch == now.epoch && now.what != ir.IsWrite: // a thread may find what it has itself written
			others++
		case was.epoch < now.epoch && before < 0:
			before = i
		}
	}
	switch {
	case others >= 2:
	case before >= 0:
		o.seen[off][before] = now
	case len(o.seen[off]) < 256:
		o.seen[off] = append(o.seen[off], now)
	default:
		r.undecided(now.at, "more than 256 accesses to one place")
	}
}

// device reports whether an object may be reached by several threads of a launch:
// allocations are.
func (r *runner) device(o *object) bool { return o.bytes > 0 }

// released gives memory back, as function by does it.
func (r *runner) released(s scalar, by string, at preproc.Place) {
	o := s.to
	switch {
	case o == nil: // null, which is allowed
		return
	case by == "free" && (o.dead || o.freed != by || s.i != 0):
		r.fault("bounds", at, "free of memory that malloc did not allocate or that is already freed: %s", o.name)
	case o.dead || o.freed != by || s.i != 0:
		r.doubt(at, "%s of memory that it cannot free, which fails: %s", by, o.name)
		return
	}
	o.dead = true
}

// reach doubts a use of memory of the other side, or of both while a launch may write it.
func (r *runner) reach(o *object, at preproc.Place) {
	switch {
	case r.fill:
	case r.t != nil && o.side == ofHost:
		r.doubt(at, "a kernel uses memory of the host: %s", o.name)
	case r.t == nil && o.side == ofDevice:
		r.doubt(at, "the host uses memory of the device: %s", o.name)
	case r.t == nil && o.bytes > 0 && o.side == ofBoth && r.use.running:
		r.doubt(at, "the host does not wait for a kernel before it uses %s", o.name)
	}
}

// vast is memory for a pointer parameter, of a size that does not matter.
func (r *runner) vast(p *ast.Decl, sp ast.Space) result {
	elem := p.Typ.Elem
	o := r.newObject(p.Name, &ast.Ctype{Kind: ast.ArrayType, Elem: elem, N: vastCells / max(1, elem.Cells())}, sp)
	o.vast, o.bytes, o.side = true, 1, ofBoth
	return result{p.Typ, []scalar{{kind: pointerScalar, to: o, typ: elem}}}
}

// input is a value from outside.
func (r *runner) input() scalar {
	if r.sample == 0 {
		return r.unknown("")
	}
	// A linear congruence of its own, so that a fault that was found is found again.
	r.sample = r.sample*6364136223846793005 + 1442695040888963407
	return scalar{kind: intScalar, i: int64(r.sample >> 40)}
}

// fraction is a floating number for one that was drawn: few, so that arithmetic is exact,
// and some below 0.
func (r *runner) fraction(drawn int64) float64 {
	if r.sample == 0 {
		return 0
	}
	return float64(drawn%contents)/2 - 2
}

// seenAs is what a cell of type of holds as its bits are as a value of type t, which a pointer has led to.
func (r *runner) seenAs(s scalar, of, t *ast.Ctype) scalar {
	number := func(t *ast.Ctype) bool { return t.Kind == ast.IntType || t.Kind == ast.FloatType }
	switch {
	case s.kind == unknownScalar && number(of) && number(t) && !ast.Same(of, t):
		return r.unknown(fmt.Sprint("bits of ", of.Name, " as ", t.Name, " ", s.key()))
	case s.kind == intScalar && t.Kind == ast.IntType:
		return scalar{kind: intScalar, i: narrow(t, s.i)}
	case s.kind == intScalar && t.Kind == ast.FloatType && s.i == 0:
		return scalar{kind: floatScalar}
	case s.kind == floatScalar && t.Kind == ast.IntType && s.f == 0 && !math.Signbit(s.f):
		return scalar{kind: intScalar}
	case s.kind == intScalar && t.Kind == ast.FloatType, s.kind == floatScalar && t.Kind == ast.IntType:
		return r.unknown(fmt.Sprint("bits of ", s.key()))
	}
	return s
}
