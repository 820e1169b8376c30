package count

// vec are the values of the threads of a block.
type vec struct {
	known   bool
	varies  bool    // where they are not known: threads of a warp may differ
	apart   bool    // … or those of different warps; of places that relative gives, the starts of warps may
	uniform bool    // all are k
	k       int64   //
	v       []int64 // otherwise: by thread
}

func uniform(k int64) vec { return vec{known: true, uniform: true, k: k} }

func (x vec) at(t int) int64 {
	if x.uniform {
		return x.k
	}
	return x.v[t]
}

// eval is the value of a node, where the walk is now. Values are computed again only where something
// that they are made of has changed.
func (w *walker) eval(n *node) vec {
	n = n.resolve()
	switch {
	case n.op == opNumber:
		return uniform(n.k)
	case n.op == opObject:
		return uniform(0)
	case n.op == opPhi && n.at.isHead:
		return n.val // set by its loop
	case n.checked == w.clock:
		return n.val
	}
	n.checked = w.clock
	w.work(1)
	switch n.op {
	case opThread:
		if n.computed == 0 {
			n.val = w.ids(int(n.k))
			n.computed, n.changed = w.clock, w.clock
		}
		return n.val
	case opBlock:
		n.val = uniform(w.at[n.k])
		n.computed, n.changed = w.start, w.start
		return n.val
	case opUnknown:
		n.val = vec{varies: n.varies}
		for _, a := range n.args {
			n.val = w.unknownWith(n.val, w.eval(a))
		}
		n.computed, n.changed = w.clock, w.clock
		return n.val
	case opPhi:
		n.val = w.merged(n)
		n.computed, n.changed = w.clock, w.clock
		return n.val
	}
	args := make([]vec, len(n.args))
	fresh := n.computed > 0
	for i, a := range n.args {
		args[i] = w.eval(a)
		fresh = fresh && a.resolve().changed <= n.computed
	}
	if fresh {
		return n.val
	}
	n.val = w.applied(n, args)
	n.computed, n.changed = w.clock, w.clock
	return n.val
}

// applied is the value of an operation for each thread.
func (w *walker) applied(n *node, args []vec) vec {
	known, same := true, true
	var unknown vec
	for _, a := range args {
		known = known && a.known
		same = same && a.uniform
		unknown = w.unknownWith(unknown, a)
	}
	if !known {
		return unknown
	}
	// A comparison has one bit, but its arguments have the width that signs depend on.
	width := n.bits
	if len(n.args) > 0 {
		width = n.args[0].resolve().bits
	}
	var values [3]int64
	// A value that all threads share is computed once.
	if same {
		for i, a := range args {
			values[i] = a.k
		}
		v, ok := apply(n, width, values[:len(args)])
		if !ok {
			return vec{}
		}
		return uniform(v)
	}
	out := vec{known: true, v: make([]int64, w.threads)}
	w.work(w.threads)
	for t := range out.v {
		for i, a := range args {
			values[i] = a.at(t)
		}
		v, ok := apply(n, width, values[:len(args)])
		if !ok && w.now.has(t) {
			return vec{varies: true}
		}
		out.v[t] = v
	}
	return out
}

// unknownWith is an unknown value x that also depends on the value of. Threads in which all parts are equal have
// the same value.
func (w *walker) unknownWith(x, of vec) vec {
	switch {
	case of.known && of.uniform:
	case of.known && w.oneInWarps(of):
		x.apart = true
	case of.known:
		x.varies = true
	default:
		x.varies, x.apart = x.varies || of.varies, x.apart || of.apart
	}
	return x
}

// oneInWarps reports whether all threads of each warp have one value.
func (w *walker) oneInWarps(x vec) bool {
	w.work(w.threads)
	size := int(w.launch.warp())
	for t := range w.threads {
		if x.at(t) != x.at(t-t%size) {
			return false
		}
	}
	return true
}

// merged is a phi where ways meet: of each thread the value of the way that it took.
func (w *walker) merged(n *node) vec {
	if l := n.at.loop; l != nil && !(w.loops[l] != nil && w.loops[l].open) {
		return vec{varies: true} // threads have left the loop in different rounds
	}
	var out vec
	first := true
	for k, p := range n.at.preds {
		m := p.to(n.at)
		if !m.any() {
			continue
		}
		x := w.eval(n.args[k])
		switch {
		case first:
			out, first = x, false
		default:
			out = w.join(out, x, m)
		}
	}
	return out
}

// join is x, and y for the threads of a mask.
func (w *walker) join(x, y vec, m mask) vec {
	switch {
	case !x.known || !y.known:
		return vec{varies: true}
	case x.uniform && y.uniform && x.k == y.k:
		return x
	}
	out := vec{known: true, v: make([]int64, w.threads)}
	for t := range out.v {
		if out.v[t] = x.at(t); m.has(t) {
			out.v[t] = y.at(t)
		}
	}
	return out
}

// change is how much more a value is with each round of a loop, the same for all threads; ok is false
// where it is no such value.
func (w *walker) change(n *node, l *loop, steps map[*node]int64) (d int64, ok bool) {
	n = n.resolve()
	switch n.op {
	case opNumber, opObject, opThread, opBlock, opUnknown:
		return 0, true
	case opPhi:
		if n.at == l.head {
			d, ok := steps[n]
			return d, ok
		}
		if !l.in[n.at] {
			return 0, true
		}
		if n.at.isHead { // of an inner loop: what it begins with
			return w.changeOfInner(n, l, steps)
		}
		for k, a := range n.args {
			x, fine := w.change(a, l, steps)
			if !fine || k > 0 && x != d {
				return 0, false
			}
			d = x
		}
		return d, true
	case opAdd, opSub:
		x, okX := w.change(n.args[0], l, steps)
		y, okY := w.change(n.args[1], l, steps)
		if n.op == opSub {
			y = -y
		}
		return x + y, okX && okY
	case opMul:
		x, okX := w.change(n.args[0], l, steps)
		y, okY := w.change(n.args[1], l, steps)
		switch {
		case !okX || !okY || x != 0 && y != 0:
			return 0, false
		case x == 0 && y == 0:
			return 0, true
		}
		by, d := n.args[1], x
		if x == 0 {
			by, d = n.args[0], y
		}
		if by.reads(l) {
			return 0, false
		}
		v := w.eval(by)
		return d * v.k, v.known && v.uniform
	case opShl:
		x, okX := w.change(n.args[0], l, steps)
		y, okY := w.change(n.args[1], l, steps)
		if n.args[1].reads(l) {
			return 0, false
		}
		v := w.eval(n.args[1])
		if !okX || !okY || y != 0 {
			return 0, false
		}
		if x == 0 {
			return 0, true
		}
		return x << (v.k & 63), v.known && v.uniform
	case opZExt, opTrunc:
		return w.change(n.args[0], l, steps)
	case opSelect:
		c, okC := w.change(n.args[0], l, steps)
		x, okX := w.change(n.args[1], l, steps)
		y, okY := w.change(n.args[2], l, steps)
		return x, okC && c == 0 && okX && okY && x == y
	}
	for _, a := range n.args {
		if x, fine := w.change(a, l, steps); !fine || x != 0 {
			return 0, false
		}
	}
	return 0, true
}

// changeOfInner is change for a phi of a loop within l: what it begins with changes, and its step does not.
func (w *walker) changeOfInner(n *node, l *loop, steps map[*node]int64) (d int64, ok bool) {
	if w.busy[n] {
		return 0, false
	}
	w.busy[n] = true
	defer delete(w.busy, n)
	inner := loopOf(n.at)
	first := true
	for k, p := range n.at.preds {
		if inner.in[p] {
			if step, fine := stepOf(n, n.args[k], inner); !fine {
				return 0, false
			} else if x, fine := w.changes(step, l, steps); !fine || x != 0 {
				return 0, false
			}
			continue
		}
		x, fine := w.change(n.args[k], l, steps)
		if !fine || !first && x != d {
			return 0, false
		}
		d, first = x, false
	}
	return d, true
}

func (w *walker) changes(of []term, l *loop, steps map[*node]int64) (int64, bool) {
	sum := int64(0)
	for _, t := range of {
		x, ok := w.change(t.n, l, steps)
		if !ok {
			return 0, false
		}
		sum += x * t.by
	}
	return sum, true
}

func loopOf(head *block) *loop { return head.loop }

// term is a node, so many times.
type term struct {
	n  *node
	by int64
}

// stepOf takes the value of a phi for the next round apart into the phi and what is added; ok is false
// where it is no such sum, or what is added is not the same in all rounds.
func stepOf(phi, next *node, l *loop) (added []term, ok bool) {
	next = next.resolve()
	if next == phi {
		return nil, true
	}
	switch next.op {
	case opTrunc, opZExt:
		return stepOf(phi, next.args[0], l)
	case opAdd:
		for k := range 2 {
			other := next.args[1-k]
			if added, ok = stepOf(phi, next.args[k], l); ok && other.steady(l) {
				return append(added, term{other, 1}), true
			}
		}
	case opSub:
		if added, ok = stepOf(phi, next.args[0], l); ok && next.args[1].steady(l) {
			return append(added, term{next.args[1], -1}), true
		}
	}
	return nil, false
}
