package count

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
)

// mask is a set of threads of a block.
type mask []uint64

func (m mask) has(t int) bool { return m[t>>6]>>(t&63)&1 == 1 }
func (m mask) set(t int)      { m[t>>6] |= 1 << (t & 63) }

func (m mask) any() bool {
	for _, x := range m {
		if x != 0 {
			return true
		}
	}
	return false
}

func (m mask) count() (n int64) {
	for _, x := range m {
		n += int64(bits.OnesCount64(x))
	}
	return n
}

func (m mask) or(o mask) {
	for i := range o {
		m[i] |= o[i]
	}
}

func (m mask) and(o mask) mask {
	out := slices.Clone(m)
	for i := range out {
		out[i] &= o[i]
	}
	return out
}

// walker follows the threads of one block through a graph, all at once. Loops whose rounds are alike
// are gone through once, and counted as often as they run.
type walker struct {
	g       *graph
	launch  Launch
	at      [3]int64 // the block
	threads int
	warps   int
	clock   int
	start   int
	fuel    int
	now     mask    // of the block that is looked at
	rounds  []round // loops that are gone through once, outermost first
	busy    map[*node]bool
	r       *reader
	order   map[*loop][]*block
	alone   map[*loop]*exit
	loops   map[*loop]*LoopCount
	varied  map[*loop]bool // threads go different ways in its rounds
	rolled  map[int]bool   // heads of loops that would be too large if they were unrolled

	trace    *repeated // what was visited
	untraced bool      // what is visited now was visited before
}

// flow is which threads come to a block, and where they go on.
type flow struct {
	in, sure mask
	out      []mask // by successor
	certain  []mask
}

// round is a loop that is gone through once for n rounds.
type round struct {
	l        *loop
	n        int64
	steps    map[*node]int64
	unrolled bool
}

// mostWork bounds the steps of a walk, in values that are computed.
const mostWork = 1 << 28

func (w *walker) work(n int) {
	if w.fuel -= n; w.fuel < 0 {
		fail(w.place(), "its loops take more rounds than the limit")
	}
}

func (w *walker) place() preproc.Place {
	p, _ := w.g.f.At()
	for l := range w.loops {
		if w.loops[l].open {
			return l.at
		}
	}
	return p.Place
}

func (w *walker) none() mask { return make(mask, (w.threads+63)/64) }

func (w *walker) ids(dim int) vec {
	if w.launch.Block[dim] == 1 {
		return uniform(0)
	}
	v := make([]int64, w.threads)
	for t := range v {
		id := int64(t)
		for d := range dim {
			id /= w.launch.Block[d]
		}
		v[t] = id % w.launch.Block[dim]
	}
	return vec{known: true, v: v}
}

// to is which threads went from a block to another one.
func (b *block) to(next *block) mask {
	var out mask
	for k, s := range b.succs {
		if s == next && b.flow != nil && b.flow.out != nil {
			if out == nil {
				out = slices.Clone(b.flow.out[k])
			} else {
				out.or(b.flow.out[k])
			}
		}
	}
	return out
}

func (b *block) surely(next *block) mask {
	var out mask
	for k, s := range b.succs {
		if s == next && b.flow != nil && b.flow.certain != nil {
			if out == nil {
				out = slices.Clone(b.flow.certain[k])
			} else {
				out.or(b.flow.certain[k])
			}
		}
	}
	return out
}

// members are the blocks that belong to a loop itself, and the heads of those within it, in order.
func (w *walker) members(l *loop) []*block {
	if w.order == nil {
		w.order = map[*loop][]*block{}
		for _, b := range w.g.blocks {
			w.order[b.loop] = append(w.order[b.loop], b)
			if b.isHead {
				up := loopOf(b).up
				w.order[up] = append(w.order[up], b)
			}
		}
	}
	return w.order[l]
}

// region follows threads once through a loop, or through the kernel.
func (w *walker) region(l *loop, in, sure mask) {
	// The clock makes values of an earlier pass old, so that they are computed again.
	w.clock++
	members := w.members(l)
	for k, b := range members {
		f := &flow{in: w.none(), sure: w.none()}
		if k == 0 {
			f.in, f.sure = in, sure
		} else {
			for _, p := range b.preds {
				if p.flow != nil && p.order < b.order {
					if m := p.to(b); m != nil {
						f.in.or(m)
					}
					if m := p.surely(b); m != nil {
						f.sure.or(m)
					}
				}
			}
			// Where the ways of a branch meet again, the threads that surely came to the branch surely arrive.
			if d := b.closes; d != nil && d.flow != nil {
				f.sure = f.in.and(d.flow.sure)
			}
		}
		f.out, f.certain = make([]mask, len(b.succs)), make([]mask, len(b.succs))
		for i := range b.succs {
			f.out[i], f.certain[i] = w.none(), w.none()
		}
		inner := loopOf(b)
		if b.isHead && inner != l {
			for m := range inner.in {
				m.flow = nil
			}
			if f.in.any() {
				w.loop(inner, f.in, f.sure)
			}
			continue
		}
		b.flow = f
		if !f.in.any() {
			continue
		}
		w.now = f.in
		for _, i := range b.code {
			w.count(i, f)
		}
		w.leave(b, f)
	}
}

// leave decides where the threads of a block go on.
func (w *walker) leave(b *block, f *flow) {
	switch {
	case len(b.succs) == 0:
	case len(b.succs) == 1 && b.cond == nil:
		f.out[0].or(f.in)
		f.certain[0].or(f.sure)
	default:
		if n := len(w.rounds); n > 0 && w.rounds[n-1].l.in[b] && w.stays(w.rounds[n-1].l, b, f) {
			return
		}
		c := w.eval(b.cond)
		if !c.known {
			w.guess(b, f)
			return
		}
		w.settled(b.cond, f.in)
		for t := range w.threads {
			if !f.in.has(t) {
				continue
			}
			k := w.way(b, c.at(t))
			f.out[k].set(t)
			if f.sure.has(t) {
				f.certain[k].set(t)
			}
		}
		w.work(w.threads / 8)
	}
}

// way is which successor a value leads to.
func (w *walker) way(b *block, c int64) int {
	if b.cases == nil {
		if c != 0 {
			return 0
		}
		return 1
	}
	if k := slices.Index(b.cases, c); k >= 0 {
		return k + 1
	}
	return 0
}

// stays keeps threads in a loop that is gone through once for all of its rounds.
func (w *walker) stays(l *loop, b *block, f *flow) bool {
	e := w.alone[l]
	if e == nil || e.b != b {
		return false
	}
	f.out[1-e.out].or(f.in)
	f.certain[1-e.out].or(f.sure)
	return true
}

// guess lets threads go both ways, where data decide.
func (w *walker) guess(b *block, f *flow) {
	inside := 0
	for _, s := range b.succs {
		if b.loop == nil || b.loop.in[s] {
			inside++
		}
	}
	if inside < len(b.succs) && b.loop != nil && inside > 0 {
		// It may end the loop: that is left to the other bounds of the loop.
		w.r.at = b.at
		w.r.note("the loop may end early, depending on %s; all its rounds are counted", decider(b.cond))
		for k, s := range b.succs {
			if b.loop.in[s] {
				f.out[k].or(f.in)
			}
		}
		return
	}
	w.r.at = b.at
	if len(b.succs) == 2 && (b.succs[0].trivialTo(b.succs[1]) || b.succs[1].trivialTo(b.succs[0])) {
		w.r.note("whether threads take this branch depends on %s: the count assumes all of them, the lower bound none", decider(b.cond))
	} else {
		w.r.note("which branch threads take depends on %s: the count assumes both for all of them, the lower bound neither", decider(b.cond))
	}
	for k := range b.succs {
		f.out[k].or(f.in)
	}
}

// decider is what a condition depends on that the launch does not decide: data, unless a parameter has no value.
func decider(cond *node) string {
	if names := cond.valueless(); len(names) > 0 {
		return fmt.Sprintf("the parameter %s, which has no value (arguments = { %s = N } in the table, or --argument %s=N)", strings.Join(names, ", "), names[0], names[0])
	}
	return "data"
}

func (b *block) trivialTo(to *block) bool { return b == to || slices.Contains(to.preds, b) }

// exit is the one way out of a loop.
type exit struct {
	b     *block
	out   int  // the successor outside
	after bool // it is looked at after each round, not before
}

// single finds the way out of a loop that has one alone, at its head or at its end.
func (w *walker) single(l *loop) *exit {
	var found *exit
	for _, b := range w.g.blocks {
		if !l.in[b] {
			continue
		}
		for k, s := range b.succs {
			if l.in[s] {
				continue
			}
			if found != nil || len(b.succs) != 2 || b.cond == nil || b.cases != nil {
				return nil
			}
			found = &exit{b: b, out: k}
		}
	}
	switch {
	case found == nil || len(l.backs) != 1:
		return nil
	case found.b == l.head:
	case found.b == l.backs[0]:
		found.after = true
	default:
		return nil
	}
	return found
}

// alike reports whether the rounds of a loop differ in nothing but addresses, which go on by steps, and
// when they end.
func (w *walker) alike(l *loop, e *exit, steps map[*node]int64) bool {
	for _, b := range w.g.blocks {
		if !l.in[b] {
			continue
		}
		if b.cond != nil && b != e.b && w.ends(b) && !b.cond.steady(l) {
			return false // other ways are looked at when threads come to them: see settled
		}
		for _, i := range b.code {
			if i.addr == nil {
				continue
			}
			if i.addr.madeOf(isOf(opUnknown)) {
				continue
			}
			d, ok := w.change(i.addr, l, steps)
			if !ok || d%4 != 0 && w.space(i) == Shared {
				return false
			}
		}
	}
	return true
}

// ends reports whether a way out of a loop begins in a block.
func (w *walker) ends(b *block) bool {
	return b.loop != nil && slices.ContainsFunc(b.succs, func(s *block) bool { return !b.loop.in[s] })
}

// settled notes the loops that cannot be gone through once, because a condition does not have the same value
// in all rounds, for each thread that comes to it.
func (w *walker) settled(cond *node, in mask) {
	if len(w.rounds) == 0 || w.same(cond, in) {
		return
	}
	for _, r := range w.rounds {
		if d, ok := w.change(cond, r.l, r.steps); !ok || d != 0 {
			w.varied[r.l] = true
			return
		}
	}
	w.varied[w.rounds[0].l] = true
}

// same reports whether a condition has the same value in all rounds. Comparisons of sums hold in all of them
// if they hold where the difference is least and where it is greatest.
func (w *walker) same(n *node, in mask) bool {
	n = n.resolve()
	still := true
	for _, r := range w.rounds {
		d, ok := w.change(n, r.l, r.steps)
		still = still && ok && d == 0
	}
	if still {
		return true
	}
	switch n.op {
	case opPhi:
		if n.at.isHead {
			return false
		}
		return !slices.ContainsFunc(n.args, func(a *node) bool { return !w.same(a, in) }) // the ways here are settled
	case opXor, opAnd, opOr, opSelect, opZExt, opTrunc:
		return !slices.ContainsFunc(n.args, func(a *node) bool { return !w.same(a, in) })
	case opCompare:
		return w.sameOrder(n, in)
	}
	return false
}

// sameOrder reports whether a comparison has the same value in all rounds.
func (w *walker) sameOrder(n *node, in mask) bool {
	if n.pred == "eq" || n.pred == "ne" {
		return false
	}
	x, y := n.args[0].resolve(), n.args[1].resolve()
	a, b := w.eval(x), w.eval(y)
	if !a.known || !b.known {
		return false
	}
	var low, high [2]int64 // what is added to x and to y
	least, most := int64(0), int64(0)
	for _, r := range w.rounds {
		dx, okX := w.change(x, r.l, r.steps)
		dy, okY := w.change(y, r.l, r.steps)
		if !okX || !okY {
			return false
		}
		for k, d := range [2]int64{dx, dy} {
			low[k] += min(0, d*(r.n-1))
			high[k] += max(0, d*(r.n-1))
		}
		least += min(0, (dx-dy)*(r.n-1))
		most += max(0, (dx-dy)*(r.n-1))
	}
	bits := x.bits
	bottom, top := int64(-1)<<62, int64(1)<<62
	if bits < 63 {
		bottom, top = int64(-1)<<(bits-1), int64(1)<<(bits-1)-1
	}
	if n.pred[0] == 'u' {
		bottom = 0
	}
	w.work(w.threads)
	for t := range w.threads {
		if !in.has(t) {
			continue
		}
		p, q := a.at(t), b.at(t)
		if p+low[0] < bottom || p+high[0] > top || q+low[1] < bottom || q+high[1] > top {
			return false
		}
		pred := "s" + n.pred[1:]
		if compares(pred, p-q+least, 0, 64) != compares(pred, p-q+most, 0, 64) {
			return false
		}
		if a.uniform && b.uniform {
			break
		}
	}
	return true
}

// attempt goes through a loop once, unless threads go different ways in its rounds: then nothing has happened.
func (w *walker) attempt(l *loop, f func() bool) bool {
	// What counting changes is saved first, because the attempt can only tell afterwards that it was not possible.
	type kept struct {
		i   *inst
		acc tally
	}
	var saved []kept
	for b := range l.in {
		for _, i := range b.code {
			k := kept{i, i.acc}
			k.acc.words = slices.Clone(k.acc.words)
			saved = append(saved, k)
		}
	}
	values := map[*node]vec{}
	for _, phi := range l.head.phis {
		values[phi] = phi.val
	}
	counts := map[*loop]LoopCount{}
	for in, c := range w.loops {
		counts[in] = *c
	}
	notes, visits := len(w.r.notes), len(w.trace.visits)
	delete(w.varied, l)
	if !f() {
		return false
	}
	if !w.varied[l] {
		return true
	}
	for _, k := range saved {
		k.i.acc = k.acc
	}
	for in, c := range w.loops {
		*c = counts[in]
	}
	w.r.notes = w.r.notes[:notes]
	w.trace.visits = w.trace.visits[:visits]
	w.clock++
	for phi, v := range values {
		phi.val, phi.changed = v, w.clock
	}
	return false
}

// loop follows threads through a loop.
func (w *walker) loop(l *loop, in, sure mask) {
	c := w.loops[l]
	if c == nil {
		c = &LoopCount{Line: l.at.Line, Col: l.at.Col}
		w.loops[l] = c
	}
	c.entries += w.weight()
	c.open = true
	defer func() { c.open = false }()
	for _, phi := range l.head.phis {
		if phi.home == nil {
			w.begin(phi, l, in)
		}
	}
	w.clock++
	if w.attempt(l, func() bool { return w.atOnce(l, c, in, sure) }) {
		return
	}
	w.oneByOne(l, c, in, sure)
}

// begin gives a phi of a loop the value that it has at the beginning.
func (w *walker) begin(phi *node, l *loop, in mask) {
	first := true
	for k, p := range l.head.preds {
		if l.in[p] {
			continue
		}
		x := w.eval(phi.args[k])
		if first {
			phi.val, first = x, false
		} else {
			phi.val = w.join(phi.val, x, p.to(l.head))
		}
	}
	phi.changed = w.clock
}

// atOnce goes through a loop once for many rounds, if they are alike and how many there are is known.
func (w *walker) atOnce(l *loop, c *LoopCount, in, sure mask) bool {
	e := w.single(l)
	if e == nil {
		return false
	}
	if !e.after && slices.ContainsFunc(l.head.code, func(i *inst) bool { return i.kind != kindOp }) {
		return false // it happens once more than there are rounds
	}
	steps := map[*node]int64{}
	started := map[*node]vec{}
	for _, phi := range l.head.phis {
		if phi.home != nil {
			continue
		}
		started[phi] = phi.val
		if d, ok := w.step(phi, l); ok {
			steps[phi] = d
		}
	}
	if !w.alike(l, e, steps) {
		return false
	}
	trips, ok := w.trips(l, e, steps, in)
	if !ok {
		return false
	}
	levels := []int64{}
	for t := range w.threads {
		if in.has(t) && !slices.Contains(levels, trips.at(t)) {
			levels = append(levels, trips.at(t))
		}
	}
	slices.Sort(levels)
	unrolled := w.unrolled(l, e, levels)
	before := int64(0)
	for _, n := range levels {
		if n <= before {
			continue
		}
		active, certain := w.none(), w.none()
		for t := range w.threads {
			if in.has(t) && trips.at(t) >= n {
				active.set(t)
				if sure.has(t) {
					certain.set(t)
				}
			}
		}
		w.clock++ // what was computed of the threads before is old
		for phi, d := range steps {
			phi.val = w.moved(started[phi], before*d)
			phi.changed = w.clock
		}
		for phi := range started {
			if _, ok := steps[phi]; !ok {
				phi.val = vec{varies: true}
				phi.changed = w.clock
			}
		}
		w.alone[l] = e
		w.rounds = append(w.rounds, round{l, n - before, steps, unrolled})
		w.repeatedly(&repeated{n: n - before, unrolled: unrolled, counted: true}, func() { w.region(l, active, certain) })
		w.rounds = w.rounds[:len(w.rounds)-1]
		delete(w.alone, l)
		before = n
	}
	c.note(levels, w.weight(), unrolled)
	// Behind the loop.
	for phi, d := range steps {
		phi.val = w.after(started[phi], trips, d, e)
		phi.changed = w.clock + 1
	}
	for phi := range started {
		if _, ok := steps[phi]; !ok {
			phi.val = vec{varies: true}
			phi.changed = w.clock + 1
		}
	}
	w.clock++
	f := &flow{in: in, sure: sure, out: make([]mask, len(e.b.succs)), certain: make([]mask, len(e.b.succs))}
	for k := range f.out {
		f.out[k], f.certain[k] = w.none(), w.none()
	}
	f.out[e.out], f.certain[e.out] = slices.Clone(in), slices.Clone(sure)
	e.b.flow = f
	return true
}

// unrolled reports whether a compiler puts the rounds of a loop one behind the other: how many there are
// is a number, and the source asks for it, or they are few.
func (w *walker) unrolled(l *loop, e *exit, levels []int64) bool {
	if len(levels) != 1 || l.unroll() == "disable" || w.rolled[l.head.id] || e.b.cond.madeOf(isOf(opThread, opBlock, opUnknown, opObject)) {
		return false
	}
	if l.unroll() != "" {
		return l.unroll() != "count"
	}
	size := int64(0)
	for b := range l.in {
		size += int64(len(b.code))
	}
	return size*levels[0] <= smallLoop
}

// smallLoop is how many instructions an unrolled loop has at most, where the source does not ask for it.
const smallLoop = 256

// step is what a phi of a loop gets more by each round.
func (w *walker) step(phi *node, l *loop) (int64, bool) {
	for k, p := range l.head.preds {
		if !l.in[p] {
			continue
		}
		added, ok := stepOf(phi, phi.args[k], l)
		if !ok {
			return 0, false
		}
		sum := int64(0)
		for _, t := range added {
			if t.n.reads(l) {
				return 0, false
			}
			v := w.eval(t.n)
			if !v.known || !v.uniform {
				return 0, false
			}
			sum += v.k * t.by
		}
		return sum, true
	}
	return 0, false
}

// moved is a vector with a number added.
func (w *walker) moved(x vec, by int64) vec {
	switch {
	case !x.known || by == 0:
		return x
	case x.uniform:
		return uniform(x.k + by)
	}
	out := vec{known: true, v: make([]int64, len(x.v))}
	for t := range out.v {
		out.v[t] = x.v[t] + by
	}
	return out
}

// after is the value of a phi when its loop has ended.
func (w *walker) after(x, trips vec, d int64, e *exit) vec {
	if !x.known {
		return x
	}
	rounds := func(t int) int64 {
		n := trips.at(t)
		if e.after {
			n = max(0, n-1) // the last round sees what it began with
		}
		return n
	}
	if x.uniform && trips.uniform {
		return uniform(x.k + d*rounds(0))
	}
	out := vec{known: true, v: make([]int64, w.threads)}
	for t := range out.v {
		out.v[t] = x.at(t) + d*rounds(t)
	}
	return out
}

// trips is how many rounds each thread makes.
func (w *walker) trips(l *loop, e *exit, steps map[*node]int64, in mask) (vec, bool) {
	cond := e.b.cond.resolve()
	if cond.op != opCompare {
		return vec{}, false
	}
	x, y := cond.args[0].resolve(), cond.args[1].resolve()
	dx, okX := w.change(x, l, steps)
	dy, okY := w.change(y, l, steps)
	if !okX || !okY || !x.evaluable(l) || !y.evaluable(l) {
		return vec{}, false
	}
	w.clock++
	a, b := w.eval(x), w.eval(y)
	if !a.known || !b.known {
		return vec{}, false
	}
	pred := cond.pred
	// The loop is left where the condition is true, so the opposite one keeps a thread inside.
	if e.out == 0 {
		pred = negated[pred]
	}
	rounds := func(t int) (int64, bool) {
		n, ok := rounds(pred, a.at(t), b.at(t), dx-dy, x.bits)
		if e.after {
			n++
		}
		return n, ok
	}
	if a.uniform && b.uniform {
		n, ok := rounds(0)
		return uniform(n), ok
	}
	out := vec{known: true, v: make([]int64, w.threads)}
	for t := range out.v {
		if !in.has(t) {
			continue
		}
		n, ok := rounds(t)
		if !ok {
			return vec{}, false
		}
		out.v[t] = n
	}
	return out, true
}

var negated = map[string]string{"eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt", "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt"}

// rounds is how often a comparison of x + k∗d with y holds for k = 0, 1, …; ok is false where that is
// not a number that a thread comes to without overflow.
func rounds(pred string, x, y, d int64, width int) (n int64, ok bool) {
	// A comparison of numbers that are not negative is the same with signs.
	if pred[0] == 'u' {
		if x < 0 || y < 0 {
			return 0, false
		}
		pred = "s" + pred[1:]
	}
	switch pred {
	case "sgt", "sge":
		x, y, d = -x, -y, -d
		pred = "sl" + pred[2:]
	case "ne":
		switch {
		case x == y:
			return 0, true
		case d == 0 || (y-x)%d != 0 || (y-x)/d < 0:
			return 0, false
		}
		return (y - x) / d, true
	case "eq":
		if x != y {
			return 0, true
		}
		return 1, d != 0
	}
	if pred == "sle" {
		y++
	}
	switch {
	case x >= y:
		return 0, true
	case d <= 0:
		return 0, false
	}
	n = (y - x + d - 1) / d
	// A counter that wraps would go on counting.
	if last := x + n*d; width < 64 && (last >= 1<<(width-1) || last < -1<<(width-1)) {
		return 0, false
	}
	return n, true
}

// valueless names the parameters without values on which it depends whether a loop goes on.
func valueless(l *loop) (names []string) {
	for b := range l.in {
		if b.cond != nil && slices.ContainsFunc(b.succs, func(s *block) bool { return !l.in[s] }) {
			names = append(names, b.cond.valueless()...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// oneByOne follows the rounds of a loop.
func (w *walker) oneByOne(l *loop, c *LoopCount, in, sure mask) {
	type edge struct {
		b *block
		k int
	}
	left, certain := map[edge]mask{}, map[edge]mask{}
	active, surely := in, sure
	assumed, given := w.launch.Trips[l.at.Line]
	n := int64(0)
	known := func() bool { // some way out is decided by what is known
		for b := range l.in {
			for _, s := range b.succs {
				if l.in[s] {
					continue
				}
				if b.cond == nil || w.eval(b.cond).known {
					return true
				}
			}
		}
		return false
	}
	traced := w.untraced
	defer func() { w.untraced = traced }()
	w.once(func() { w.region(l, active, surely) })
	if !known() {
		if names := valueless(l); !given && len(names) > 0 {
			fail(l.at, "the number of rounds of this loop depends on the parameter %s; give its value: arguments = { %s = N } in the table, or --argument %s=N", strings.Join(names, ", "), names[0], names[0])
		}
		if !given {
			fail(l.at, "the number of rounds of this loop depends on data; state it in the table: [loops] %d = N", l.at.Line)
		}
		w.r.at = l.at
		w.r.omit("assumed to run %d times, as the table states", assumed)
	}
	ends := !known()
	for {
		n++
		next, nextSure := w.none(), w.none()
		for b := range l.in {
			if b.flow == nil {
				continue
			}
			for k, s := range b.succs {
				if b.flow.out == nil || b.flow.out[k] == nil {
					continue
				}
				switch {
				case s == l.head:
					next.or(b.flow.out[k])
					nextSure.or(b.flow.certain[k])
				case !l.in[s]:
					at := edge{b, k}
					if left[at] == nil {
						left[at], certain[at] = w.none(), w.none()
					}
					left[at].or(b.flow.out[k])
					certain[at].or(b.flow.certain[k])
				}
			}
		}
		if ends && n > assumed {
			next = w.none()
		}
		if !next.any() {
			break
		}
		// All phis take their values at once.
		type value struct {
			phi *node
			v   vec
		}
		var set []value
		w.now = next
		for _, phi := range l.head.phis {
			if phi.home != nil {
				continue
			}
			v := phi.val
			for k, p := range l.head.preds {
				if !l.in[p] {
					continue
				}
				m := p.to(l.head)
				if m == nil || !m.any() {
					continue
				}
				x := w.eval(phi.args[k])
				if x.uniform && x.known && equal(m, in) {
					v = x
				} else {
					v = w.join(v, x, m)
				}
			}
			set = append(set, value{phi, v})
		}
		w.clock++
		for _, s := range set {
			s.phi.val, s.phi.changed = s.v, w.clock
		}
		active, surely = next, nextSure
		w.work(w.threads)
		w.untraced = traced || n >= followedRounds
		w.once(func() { w.region(l, active, surely) })
	}
	c.note([]int64{n - 1}, w.weight(), false)
	w.clock++
	// What is outside sees all that have left.
	for at, m := range left {
		f := at.b.flow
		if f == nil {
			f = &flow{in: w.none(), sure: w.none(), out: make([]mask, len(at.b.succs)), certain: make([]mask, len(at.b.succs))}
			for k := range f.out {
				f.out[k], f.certain[k] = w.none(), w.none()
			}
			at.b.flow = f
		}
		f.out[at.k], f.certain[at.k] = m, certain[at]
	}
	if ends { // data end it: all go on
		for b := range l.in {
			for k, s := range b.succs {
				if !l.in[s] && b.flow != nil {
					b.flow.out[k] = slices.Clone(in)
				}
			}
		}
	}
}

func equal(a, b mask) bool { return slices.Equal(a, b) }

// weight is how often what is gone through once happens.
func (w *walker) weight() int64 {
	n := int64(1)
	for _, r := range w.rounds {
		n *= r.n
	}
	return n
}
