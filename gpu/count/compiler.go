package count

import "slices"

// What the compiler of a device makes of a kernel, as far as its rules are public.

// tooLarge are the heads of the loops that the compiler does not unroll completely, since they would have more
// instructions than it allows for a loop with #pragma unroll. As LLVM does, inner loops are decided first. What it
// unrolls in part counts as not unrolled. LLVM 16 and later unroll a loop with unroll(full) whatever its size; that
// pragma is held to the limit here, too.
func (w *walker) tooLarge() map[int]bool {
	if w.launch.Unroll == 0 {
		return nil
	}
	large := map[int]bool{}
	loops := slices.Clone(w.g.loops) // the outer ones first
	slices.Reverse(loops)
	for _, l := range loops {
		if c := w.loops[l]; c != nil && c.Unrolled && w.unrolledSize(l, large) > w.launch.Unroll {
			large[l.head.id] = true
		}
	}
	return large
}

// unrolledSize is how many instructions a loop has if it is unrolled, with the loops within it that are.
func (w *walker) unrolledSize(l *loop, rolled map[int]bool) (size int64) {
	for b := range l.in {
		branch := int64(0)
		if b.cond != nil {
			branch = 2 // a comparison and a jump
		}
		size += branch * w.copies(l, b, rolled, nil)
		for _, i := range b.code {
			size += w.sizeOf(i) * w.copies(l, b, rolled, i)
		}
	}
	return size
}

// copies is how often an instruction of a block stands in the unrolled loop l. One that loads the same in all
// rounds of a loop is moved out of it before.
func (w *walker) copies(l *loop, b *block, rolled map[int]bool, i *inst) int64 {
	n := int64(1)
	for in := b.loop; in != nil; in = in.up {
		c := w.loops[in]
		if c != nil && c.Unrolled && !rolled[in.head.id] && !(i != nil && i.kind == kindLoad && !i.addr.reads(in)) {
			n *= c.Most
		}
		if in == l {
			break
		}
	}
	return n
}

// sizeOf is how many instructions of LLVM there are for one of the graph: the address of an access is added up,
// extended and made a pointer. Arithmetic of addresses counts with them.
func (w *walker) sizeOf(i *inst) int64 {
	switch {
	case i.kind == kindOp && i.sort == Index:
		return 0
	case i.kind == kindOp && i.sort == FusedFloat:
		return 2
	case i.kind == kindOp || i.kind == kindBarrier:
		return 1
	case w.space(i) == Local:
		return 2
	}
	return 4
}

// waitedFor is the first load from global memory of a block that is a branch of its own, nil if there is none: where
// a load has no predicate of its own, it needs a jump, and the compiler waits for what it returns within the branch.
func (w *walker) waitedFor(b *block) *inst {
	if len(b.preds) != 1 || b.isHead {
		return nil
	}
	p := b.preds[0]
	if p.cond == nil || len(p.succs) < 2 || p.loop != b.loop || w.ends(p) {
		return nil
	}
	for _, i := range b.code {
		if i.kind == kindLoad && i.acc.met && (w.space(i) == Global || w.space(i) == Any) {
			return i
		}
	}
	return nil
}
