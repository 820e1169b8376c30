package count

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/preproc"
)

// Range is a number that is known between bounds.
type Range struct {
	Low, High int64
}

// Exact reports whether the number is known.
func (r Range) Exact() bool { return r.Low == r.High }

// Plus is the sum.
func (r Range) Plus(o Range) Range { return Range{r.Low + o.Low, r.High + o.High} }

// Block is what a block of a launch does.
type Block struct {
	Threads, Warps int64
	Shared         int64 // bytes
	Accesses       []Access
	Operations     []Operation
	Loops          []LoopCount
	Barriers       Range // that the block passes
	BarrierLines   []int // of the source, in order
	Notes          []Note
	LocalBytes     int64    // of arrays of a thread that stay in memory, as far as indices say
	RegisterWords  int64    // of arrays of a thread that may be registers: their indices are numbers once loops are unrolled
	Waits          [2]int64 // executions by warps of branches that load from global memory, by phase
	Live           Range    // registers that hold values of a thread, as an estimate: see registers.go
	Promised       int64    // threads for which the source says that a multiprocessor has room: the compiler gives each of them no more registers; 0: it says nothing
	Touched        int64    // distinct lines of 128 bytes of global memory, if places are known: of others those that are asked for
	Read, Written  [2]int64 // bytes exchanged with global memory, by phase, if what was accessed once is kept
}

// Access is one access of the source, summed over the threads of a block.
type Access struct {
	Line, Col    int
	Space        Space
	Object       string
	Store        bool
	Atomic       bool
	ReadOnly     bool  // through the read-only cache
	Bytes        int64 // of one thread at a time
	Phase        int   // 0 before the first barrier, 1 behind it
	Threads      Range // executions by threads
	Warps        Range // by warps
	Needed       Range // of Warps, those that unrolled loops do not repeat
	Sectors      Range // global, constant: parts of 32 bytes that the warps ask for
	Lines        Range // … of 128 bytes
	Passes       Range // shared: turns over the 32 banks
	NeededPasses Range // … without what unrolled loops repeat
	NeededLines  Range
	Stride       string // over the lanes of a warp
}

// Operation is arithmetic of one kind, summed over the threads of a block.
type Operation struct {
	Sort    Arithmetic
	Phase   int
	Lines   []int // of the source, in order
	Threads Range
	Warps   Range
	Needed  Range // of Warps, without what compilers move out of loops
}

// LoopCount is how often a loop runs each time that a warp comes to it.
type LoopCount struct {
	Line, Col   int
	Least, Most int64
	Unrolled    bool
	entries     int64
	noted       bool
	open        bool
}

func (c *LoopCount) note(levels []int64, _ int64, unrolled bool) {
	for _, n := range levels {
		if !c.noted {
			c.Least, c.Most, c.noted = n, n, true
		}
		c.Least, c.Most = min(c.Least, n), max(c.Most, n)
	}
	c.Unrolled = unrolled
}

// tally is what an instruction has come to so far.
type tally struct {
	threads, warps, needed, sectors, lines, passes, neededPasses, neededLines Range
	met, strided                                                              bool
	stride                                                                    string
	words                                                                     []int64 // that it accesses, 4 bytes each, in order
	many                                                                      bool    // they are too many to be told apart
	folded                                                                    bool    // all of its indices are numbers once loops are unrolled
	phase                                                                     int
}

func (r *Range) add(low, high int64) { r.Low, r.High = r.Low+low, r.High+high }

// Refusal says why a kernel is not counted, and where.
type Refusal struct {
	At  preproc.Place
	Why string
}

func (e *Refusal) Error() string { return e.At.Tell(e.Why) }

// mostThreads is how many threads a block has at most.
const mostThreads = 1024

var dimensions = [3]string{"x", "y", "z"}

// Kernel counts what the block at a place of the grid does. The error is a *Refusal.
func Kernel(m *llvm.Module, f *llvm.Function, launch Launch, at [3]int64) (out *Block, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *failure:
			out, err = nil, &Refusal{e.at, e.why}
		default:
			panic(e)
		}
	}()
	threads := int64(1)
	for d := range 3 {
		if launch.Block[d] < 1 || launch.Grid[d] < 1 {
			return nil, &Refusal{Why: fmt.Sprintf("a launch of %v blocks of %v threads has no threads", launch.Grid, launch.Block)}
		}
		if launch.Block[d] > mostThreads { // before their product exceeds 64 bits
			return nil, &Refusal{Why: fmt.Sprintf("blocks of %d threads in %s: devices have %d at most", launch.Block[d], dimensions[d], mostThreads)}
		}
		threads *= launch.Block[d]
	}
	if threads > mostThreads {
		return nil, &Refusal{Why: fmt.Sprintf("blocks of %d threads: devices have %d at most", threads, mostThreads)}
	}
	promise := m.Promise(f)
	if err := launchable(m.Target(), f, launch, threads, promise); err != nil {
		return nil, err
	}
	// The compiler unrolls loops by their size, which is known only once they have been followed: where it leaves some as they are,
	// the block is followed again.
	w := follow(m, f, launch, at, int(threads), nil)
	if large := w.tooLarge(); len(large) > 0 {
		w = follow(m, f, launch, at, int(threads), large)
	}
	out = w.block(threads)
	out.Promised = promise.Threads * promise.Blocks
	return out, nil
}

// mostOfCUDA are the most threads of a block, and the most blocks of a grid, in each dimension: CUDA C++ Programming Guide,
// table of technical specifications. They are the same for all devices since compute capability 3.
var mostOfCUDA = struct{ block, grid [3]int64 }{[3]int64{1024, 1024, 64}, [3]int64{1<<31 - 1, 65535, 65535}}

// launchable is an error about a launch that CUDA has not, or for which the kernel is not compiled: it would fail.
func launchable(target llvm.Target, f *llvm.Function, launch Launch, threads int64, promise llvm.Promise) error {
	at, _ := f.At()
	for d, name := range dimensions {
		if target == llvm.NVPTX && launch.Block[d] > mostOfCUDA.block[d] {
			return &Refusal{at.Place, fmt.Sprintf("blocks of %d threads in %s: CUDA has %d at most", launch.Block[d], name, mostOfCUDA.block[d])}
		}
		if target == llvm.NVPTX && launch.Grid[d] > mostOfCUDA.grid[d] {
			return &Refusal{at.Place, fmt.Sprintf("a grid of %d blocks in %s: CUDA has %d at most", launch.Grid[d], name, mostOfCUDA.grid[d])}
		}
	}
	if promise.Threads > 0 && threads > promise.Threads {
		return &Refusal{at.Place, fmt.Sprintf("blocks of %d threads: the source declares at most %d (__launch_bounds__)", threads, promise.Threads)}
	}
	for d, size := range f.GroupSize() {
		if size > 0 && size != launch.Block[d] {
			return &Refusal{at.Place, fmt.Sprintf("blocks of %v threads: the source declares %v (reqd_work_group_size)", launch.Block, f.GroupSize())}
		}
	}
	return nil
}

// follow follows the threads of a block through a kernel. The loops of which these blocks are the heads are
// not unrolled, whatever the source asks for.
func follow(m *llvm.Module, f *llvm.Function, launch Launch, at [3]int64, threads int, rolled map[int]bool) *walker {
	r := read(m, f, launch)
	w := &walker{
		g: r.g, launch: launch, at: at, threads: threads, clock: 1, start: 1, fuel: mostWork, r: r, busy: map[*node]bool{}, trace: &repeated{n: 1, unrolled: true},
		alone: map[*loop]*exit{}, loops: map[*loop]*LoopCount{}, varied: map[*loop]bool{}, rolled: rolled,
	}
	w.warps = int((int64(threads) + launch.warp() - 1) / launch.warp())
	closings(r.g)
	phases(r.g)
	all := w.none()
	for t := range w.threads {
		all.set(t)
	}
	w.region(nil, all, all)
	return w
}

// closings finds the blocks in which all ways that a branch begins meet again.
func closings(g *graph) {
	for _, b := range g.blocks {
		d := b.idom
		if d == nil || d == b || b.isHead || len(b.preds) < 2 {
			continue
		}
		// All that d dominates, and comes before b, leads to nothing but what comes before b, and b.
		within := map[*block]bool{d: true}
		ok := true
		for _, x := range g.blocks[1:] {
			if x == b || x.order <= d.order || x.order > b.order || !within[x.idom] {
				continue
			}
			within[x] = true
		}
		for x := range within {
			for _, s := range x.succs {
				ok = ok && (within[s] || s == b)
			}
			ok = ok && len(x.succs) > 0
		}
		if ok {
			b.closes = d
		}
	}
}

// phases sorts what happens before the first barrier from what may happen behind one. A kernel without
// barriers has the second phase alone.
func phases(g *graph) {
	behind := map[*block]bool{}
	var todo []*block
	some := false
	for _, b := range g.blocks {
		if slices.ContainsFunc(b.code, func(i *inst) bool { return i.kind == kindBarrier }) {
			some = true
			todo = append(todo, b.succs...)
		}
	}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !behind[b] {
			behind[b] = true
			todo = append(todo, b.succs...)
		}
	}
	for _, b := range g.blocks {
		passed := behind[b] || !some
		for _, i := range b.code {
			passed = passed || i.kind == kindBarrier
			if passed {
				i.acc.phase = 1
			}
		}
	}
}

// space is where an access goes.
func (w *walker) space(i *inst) Space {
	if i.obj == nil {
		i.obj = leads(i.addr, map[*node]bool{})
		if i.obj == nil {
			i.obj = &object{name: "a pointer from memory", space: Global}
		}
	}
	return i.obj.space
}

// count adds what an instruction does, for the threads that come to it.
func (w *walker) count(i *inst, f *flow) {
	if i.fused {
		return
	}
	t := &i.acc
	t.met = true
	w.visited(i)
	n := w.weight()
	threads, sure := f.in.count(), f.sure.count()
	warps, sureWarps := w.warpsOf(f.in), w.warpsOf(f.sure)
	t.threads.add(sure*n, threads*n)
	t.warps.add(sureWarps*n, warps*n)
	switch i.kind {
	case kindBarrier:
	case kindOp:
		needed := w.neededOf(i)
		t.needed.add(sureWarps*needed, warps*needed)
	default:
		w.access(i, f, n, warps, sureWarps)
	}
}

func (w *walker) warpsOf(m mask) (n int64) {
	size := int(w.launch.warp())
	for k := range w.warps {
		for t := k * size; t < min((k+1)*size, w.threads); t++ {
			if m.has(t) {
				n++
				break
			}
		}
	}
	return n
}

// neededOf is how often an operation happens once compilers have moved it out of the loops on which it
// does not depend, and put indices of unrolled loops into addresses.
func (w *walker) neededOf(i *inst) int64 {
	n := int64(1)
	for _, r := range w.rounds {
		if i.sort == Index && i.node != nil {
			if !i.node.reads(r.l) {
				continue
			}
			if _, ok := w.change(i.node, r.l, r.steps); ok && r.unrolled {
				continue
			}
			if i.node.op == opCompare && r.unrolled {
				continue
			}
		}
		n *= r.n
	}
	return n
}

// access adds an access to memory.
func (w *walker) access(i *inst, f *flow, n, warps, sureWarps int64) {
	t := &i.acc
	space := w.space(i)
	repeats, distinct := w.distinct(i)
	needed := n / repeats * distinct
	if i.kind != kindLoad {
		needed = n
	}
	t.needed.add(sureWarps*needed, warps*needed)
	if space == Local {
		t.folded = t.folded || !t.strided
		if !w.foldable(i) {
			t.folded, t.strided = false, true
		}
		return
	}
	x := w.eval(i.addr)
	shifts := w.shifts(i)
	moved := false
	if !x.known {
		base, ok := w.relative(i.addr)
		if !ok {
			w.unknown(i, x, n, needed, warps, sureWarps)
			return
		}
		x, moved = base, true
		if base.apart { // warps do not access what others do: which places a block comes to is not known
			t.many, t.words = true, nil
		}
		w.r.at = i.at
		if space != Shared {
			w.r.note("%s of %s: the start of a warp depends on data, so it may need one more segment", verb(i), i.obj.name)
		}
	}
	w.remember(i, x, f.in)
	w.describe(i, x, f.in)
	size := int(w.launch.warp())
	var lanes []int64
	sectors, lines, passes := int64(0), int64(0), int64(0)
	sureSectors, sureLines, surePasses := int64(0), int64(0), int64(0)
	for k := range w.warps {
		lanes = lanes[:0]
		certain := false
		for j := k * size; j < min((k+1)*size, w.threads); j++ {
			if f.in.has(j) {
				lanes = append(lanes, x.at(j))
				certain = certain || f.sure.has(j)
			}
		}
		if len(lanes) == 0 {
			continue
		}
		w.work(len(lanes))
		if space == Shared {
			p := banks(lanes, i.bytes)
			passes += p
			if certain {
				surePasses += p
			}
			continue
		}
		s, l := parts(lanes, i.bytes, shifts)
		least, leastLines := s, l
		if moved {
			s, l, least, leastLines = anywhere(lanes, i.bytes)
			all := total(shifts)
			s, l, least, leastLines = s*all, l*all, least*all, leastLines*all
		}
		sectors, lines = sectors+s, lines+l
		if certain {
			sureSectors, sureLines = sureSectors+least, sureLines+leastLines
		}
	}
	if space == Shared {
		t.passes.add(surePasses*n, passes*n)
		t.neededPasses.add(surePasses*needed, passes*needed)
		return
	}
	// The shifts are those of all rounds: n = total ∗ what is outside of them.
	by := n / total(shifts)
	t.sectors.add(sureSectors*by, sectors*by)
	t.lines.add(sureLines*by, lines*by)
	if i.kind != kindLoad {
		repeats, distinct = 1, 1
	}
	t.neededLines.add(sureLines*by*distinct/repeats, lines*by*distinct/repeats)
}

func total(shifts map[int64]int64) (n int64) {
	for _, c := range shifts {
		n += c
	}
	return n
}

// relative is where the threads of a warp access, from a place that data decide and that is one for all
// of them; ok is false where they do not have one in common. It may be another place for each warp: then x is apart.
func (w *walker) relative(n *node) (x vec, ok bool) {
	n = n.resolve()
	x = w.eval(n)
	switch {
	case x.known:
		return x, true
	case !x.varies:
		return vec{known: true, uniform: true, apart: x.apart}, true
	}
	var a, b vec
	var okA, okB bool
	switch n.op {
	case opTrunc, opZExt:
		return w.relative(n.args[0])
	case opAdd, opSub:
		a, okA = w.relative(n.args[0])
		b, okB = w.relative(n.args[1])
	case opMul, opShl:
		a, okA = w.relative(n.args[0])
		b = w.eval(n.args[1])
		okB = b.known && b.uniform // a factor that differs between threads leaves no common start
	}
	if !okA || !okB {
		return x, false
	}
	out := w.applied(n, []vec{a, b})
	out.apart = a.apart || b.apart
	return out, true
}

// anywhere is how many sectors and lines lanes ask for at most and at least, wherever their base lies.
func anywhere(lanes []int64, bytes int64) (sectors, lines, leastSectors, leastLines int64) {
	step := int64(4)
	if bytes < 4 {
		step = 1
	}
	for shift := int64(0); shift < line; shift += step {
		s, l := parts(lanes, bytes, map[int64]int64{shift: 1})
		if shift == 0 {
			leastSectors, leastLines = s, l
		}
		sectors, lines = max(sectors, s), max(lines, l)
		leastSectors, leastLines = min(leastSectors, s), min(leastLines, l)
	}
	return sectors, lines, leastSectors, leastLines
}

// remember adds the places that an access goes to in all of the rounds.
func (w *walker) remember(i *inst, x vec, in mask) {
	t := &i.acc
	if t.many || w.space(i) == Shared || w.space(i) == Constant {
		return
	}
	set := make([]int64, 0, w.threads)
	for k := range w.threads {
		if in.has(k) {
			for at := x.at(k) >> 2; at <= (x.at(k)+i.bytes-1)>>2; at++ {
				set = append(set, at)
			}
		}
	}
	slices.Sort(set)
	set = slices.Compact(set)
	// Each loop around the access repeats the places at its stride.
	for _, r := range w.rounds {
		d, ok := w.change(i.addr, r.l, r.steps)
		// Strides that are not whole words, and sets that become too large, are given up: then only the bound is known.
		if !ok || d%4 != 0 && d != 0 || int64(len(set))*r.n > mostWords {
			t.many, t.words = true, nil
			return
		}
		if d == 0 {
			continue
		}
		next := make([]int64, 0, int64(len(set))*r.n)
		for j := range r.n {
			for _, at := range set {
				next = append(next, at+j*d/4)
			}
		}
		w.work(len(next))
		slices.Sort(next)
		set = slices.Compact(next)
	}
	t.words = append(t.words, set...)
	slices.Sort(t.words)
	if t.words = slices.Compact(t.words); len(t.words) > mostWords {
		t.many, t.words = true, nil
	}
}

// mostWords bounds the places of an access that are told apart.
const mostWords = 1 << 20

// footprint is how many bytes a block exchanges with global memory, if what it has accessed once stays in
// a cache: parts of 32 bytes, by phase, and how many lines of 128 bytes it touches.
func (w *walker) footprint() (read, written [2]int64, lines int64) {
	type key struct {
		obj   *object
		phase int
		store bool
	}
	words := map[key][]int64{}
	more := map[key]int64{}
	var order []key
	touched := map[*object][]int64{}
	for _, b := range w.g.blocks {
		for _, i := range b.code {
			t := &i.acc
			if i.addr == nil || !t.met || w.space(i) != Global && w.space(i) != Any {
				continue
			}
			k := key{i.obj, t.phase, i.kind != kindLoad}
			if !slices.Contains(order, k) {
				order = append(order, k)
			}
			// An access whose places are not known counts with its upper bound.
			if t.words == nil {
				more[k] += sector * t.sectors.High
				lines += t.lines.High
			}
			words[k] = append(words[k], t.words...)
			for _, word := range t.words {
				touched[i.obj] = append(touched[i.obj], word>>5)
			}
		}
	}
	for _, k := range order {
		v := words[k]
		// Eight words are a part of 32 bytes, which is what memory exchanges.
		for j := range v {
			v[j] >>= 3
		}
		n := sector*countDistinct(v) + more[k]
		if k.store {
			written[k.phase] += n
		} else {
			read[k.phase] += n
		}
	}
	for _, at := range touched {
		lines += countDistinct(at)
	}
	return read, written, lines
}

// foldable reports whether the index into an array of a thread is a number once loops are unrolled.
func (w *walker) foldable(i *inst) bool {
	n := i.addr.resolve()
	for _, l := range w.g.loops {
		if !n.reads(l) {
			continue
		}
		if !slices.ContainsFunc(w.rounds, func(r round) bool { return r.l == l && r.unrolled }) {
			return false
		}
	}
	return !n.madeOf(isOf(opThread, opBlock, opUnknown)) // of numbers and rounds alone
}

// unknown adds an access whose address is not known before the kernel runs.
func (w *walker) unknown(i *inst, x vec, n, needed, warps, sureWarps int64) {
	t := &i.acc
	most := w.launch.warp()
	w.r.at = i.at
	if !x.varies {
		most = 1
		w.r.note("%s of %s: the location is unknown, but the same for a whole warp", verb(i), i.obj.name)
	} else {
		w.r.note("%s of %s: the location depends on data; a warp accesses between one and %d places", verb(i), i.obj.name, most)
	}
	if i.obj.space == Shared {
		t.passes.add(sureWarps*n, warps*n*most)
		t.neededPasses.add(sureWarps*needed, warps*needed*most)
		return
	}
	parts := (i.bytes + 31) / 32
	t.sectors.add(sureWarps*n, warps*n*most*parts)
	t.lines.add(sureWarps*n, warps*n*most)
	t.neededLines.add(sureWarps*needed, warps*needed*most)
	t.stride = "?"
}

func verb(i *inst) string {
	switch i.kind {
	case kindStore:
		return "a store"
	case kindAtomic:
		return "an atomic access"
	}
	return "a load"
}

// describe says how far apart neighbours access.
func (w *walker) describe(i *inst, x vec, in mask) {
	t := &i.acc
	if t.stride != "" && t.stride != "–" {
		return
	}
	if x.uniform {
		t.stride = "0"
		return
	}
	stride, some := int64(0), false
	for k := 1; k < min(int(w.launch.warp()), w.threads); k++ {
		if in.has(k) && in.has(k-1) {
			d := x.at(k) - x.at(k-1)
			if some && d != stride {
				t.stride = "mixed"
				return
			}
			stride, some = d, true
		}
	}
	if t.stride = "–"; some {
		t.stride = fmt.Sprint(stride)
	}
}

// distinct is how many rounds of unrolled loops an access is in, and how many places a thread accesses
// in them.
func (w *walker) distinct(i *inst) (rounds, places int64) {
	rounds, places = 1, 1
	k := len(w.rounds)
	for k > 0 && w.rounds[k-1].unrolled {
		k--
	}
	set := []int64{0}
	for _, r := range w.rounds[k:] {
		d, ok := w.change(i.addr, r.l, r.steps)
		if !ok || rounds*r.n > mostPlaces {
			return rounds, places
		}
		rounds *= r.n
		next := make([]int64, 0, len(set)*int(r.n))
		for _, at := range set {
			for j := range r.n {
				next = append(next, at+j*d)
			}
		}
		slices.Sort(next)
		set = slices.Compact(next)
		places = int64(len(set))
	}
	return rounds, places
}

// mostPlaces bounds the rounds whose places are told apart.
const mostPlaces = 1 << 16

// shifts is how often addresses are moved by how many bytes, modulo a line, in the rounds that are gone
// through once. Rounds that move by nothing are left out.
func (w *walker) shifts(i *inst) map[int64]int64 {
	out := map[int64]int64{0: 1}
	for _, r := range w.rounds {
		d, ok := w.change(i.addr, r.l, r.steps)
		if !ok || d%line == 0 {
			continue
		}
		next := map[int64]int64{}
		period := int64(1)
		for period*d%line != 0 {
			period++
		}
		for at, c := range out {
			for j := range min(period, r.n) {
				times := (r.n - j + period - 1) / period
				next[((at+j*d)%line+line)%line] += c * times
			}
		}
		out = next
	}
	return out
}

// Bytes of what memory gives at once.
const (
	sector = 32
	line   = 128
)

// parts is how many sectors and lines lanes ask for, for all shifts together.
func parts(lanes []int64, bytes int64, shifts map[int64]int64) (sectors, lines int64) {
	var ss, ls []int64
	for shift, times := range shifts {
		ss, ls = ss[:0], ls[:0]
		for _, a := range lanes {
			for at := (a + shift) >> 5; at <= (a+shift+bytes-1)>>5; at++ {
				if len(ss) == 0 || ss[len(ss)-1] != at {
					ss = append(ss, at)
				}
			}
			for at := (a + shift) >> 7; at <= (a+shift+bytes-1)>>7; at++ {
				if len(ls) == 0 || ls[len(ls)-1] != at {
					ls = append(ls, at)
				}
			}
		}
		sectors += times * countDistinct(ss)
		lines += times * countDistinct(ls)
	}
	return sectors, lines
}

func countDistinct(v []int64) int64 {
	if !slices.IsSorted(v) {
		slices.Sort(v)
	}
	n := int64(0)
	for k := range v {
		if k == 0 || v[k] != v[k-1] {
			n++
		}
	}
	return n
}

// banks is how many turns lanes need to access shared memory: 32 banks of four bytes, each of which
// gives one word a turn, to all lanes that ask for it. Wider accesses go in parts of a warp.
func banks(lanes []int64, bytes int64) (turns int64) {
	width := max(1, (bytes+3)/4)
	part := max(1, 32/int(width))
	var words []int64
	for from := 0; from < len(lanes); from += part {
		words = words[:0]
		for _, a := range lanes[from:min(from+part, len(lanes))] {
			for k := range width {
				if word := a>>2 + k; len(words) == 0 || words[len(words)-1] != word {
					words = append(words, word)
				}
			}
		}
		if !slices.IsSorted(words) {
			slices.Sort(words)
		}
		words = slices.Compact(words)
		var load [32]int64
		most := int64(0)
		for _, word := range words {
			load[word&31]++
			most = max(most, load[word&31])
		}
		turns += most
	}
	return turns
}

// bounds name the lines whose counts are bounds, as far as no other note does.
func bounds(b *Block) (out []Note) {
	named := map[int]bool{}
	for _, n := range b.Notes {
		named[n.At.Line] = true
	}
	for _, a := range b.Accesses {
		if r := a.Threads; !r.Exact() && !named[a.Line] {
			named[a.Line] = true
			out = append(out, Note{At: preproc.Place{Line: a.Line, Col: a.Col}, Why: fmt.Sprintf("between %d and %d accesses of the threads of a block", r.Low, r.High)})
		}
	}
	return out
}

// withLine adds a line to others, in order.
func withLine(lines []int, line int) []int {
	at, met := slices.BinarySearch(lines, line)
	if met || line == 0 {
		return lines
	}
	return slices.Insert(lines, at, line)
}

// block sums up.
func (w *walker) block(threads int64) *Block {
	out := &Block{Threads: threads, Warps: int64(w.warps), Shared: w.launch.Dynamic, Notes: w.r.notes}
	for _, o := range w.r.g.shared {
		if o.bytes < 0 {
			continue
		}
		out.Shared += o.bytes
	}
	out.Read, out.Written, out.Touched = w.footprint()
	ops := map[[2]int]*Operation{}
	locals := map[*object]bool{}
	memory := map[*object]bool{}
	for _, b := range w.g.blocks {
		if i := w.waitedFor(b); i != nil {
			out.Waits[i.acc.phase] += i.acc.warps.High
		}
		for _, i := range b.code {
			t := &i.acc
			if !t.met {
				continue
			}
			switch i.kind {
			case kindBarrier:
				out.Barriers = out.Barriers.Plus(Range{t.threads.Low / threads, t.threads.High / threads})
				out.BarrierLines = withLine(out.BarrierLines, i.at.Line)
			case kindOp:
				key := [2]int{int(i.sort), t.phase}
				o := ops[key]
				if o == nil {
					o = &Operation{Sort: i.sort, Phase: t.phase}
					ops[key] = o
				}
				o.Lines = withLine(o.Lines, i.at.Line)
				lanes := func(r Range) Range { return Range{r.Low * i.lanes, r.High * i.lanes} }
				o.Threads, o.Warps, o.Needed = o.Threads.Plus(lanes(t.threads)), o.Warps.Plus(lanes(t.warps)), o.Needed.Plus(lanes(t.needed))
			default:
				a := Access{
					Line: i.at.Line, Col: i.at.Col, Space: w.space(i), Object: i.obj.name, Store: i.kind == kindStore, Atomic: i.kind == kindAtomic, ReadOnly: i.through,
					Bytes: i.bytes, Phase: t.phase, Threads: t.threads, Warps: t.warps, Needed: t.needed, Sectors: t.sectors, Lines: t.lines, Passes: t.passes,
					NeededPasses: t.neededPasses, NeededLines: t.neededLines, Stride: t.stride,
				}
				if a.Space == Local {
					if locals[i.obj] = true; !t.folded {
						memory[i.obj] = true
					}
				}
				out.Accesses = append(out.Accesses, a)
			}
		}
	}
	// A local variable that only ever lies at known places is kept in registers. Any other one is memory.
	for o := range locals {
		if memory[o] {
			out.LocalBytes += max(0, o.bytes)
		} else {
			out.RegisterWords += (max(0, o.bytes) + 3) / 4
		}
	}
	out.Live = w.registers(memory)
	for _, s := range ops {
		out.Operations = append(out.Operations, *s)
	}
	slices.SortFunc(out.Operations, func(a, b Operation) int {
		return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Sort, b.Sort))
	})
	for _, l := range w.g.loops {
		if c := w.loops[l]; c != nil {
			out.Loops = append(out.Loops, *c)
		}
	}
	slices.SortFunc(out.Loops, func(a, b LoopCount) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
	out.Notes = append(out.Notes, bounds(out)...)
	slices.SortFunc(out.Notes, func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Col, b.At.Col), cmp.Compare(a.Why, b.Why))
	})
	return out
}
