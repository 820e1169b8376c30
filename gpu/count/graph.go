package count

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/builtin"
	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/preproc"
)

// A graph is a kernel with all calls inlined: blocks, in an order in which each stands behind
// those that dominate it, and what they do.
type graph struct {
	m       *llvm.Module
	f       *llvm.Function
	blocks  []*block // in reverse postorder
	loops   []*loop
	objects []*object
	shared  []*object
}

// block is a basic block of a graph.
type block struct {
	id     int
	order  int
	raw    []rawInstr
	preds  []*block
	succs  []*block
	dead   bool
	code   []*inst
	cond   *node   // of a branch between succs[0] and succs[1]
	cases  []int64 // of a switch on cond: one for each of succs but the first
	idom   *block
	loop   *loop // the innermost around it, nil for none
	phis   []*node
	at     preproc.Place
	values map[cell]*node
	sealed bool
	open   map[cell]*node // phis without arguments yet
	isHead bool
	meta   *llvm.Metadata // of the loop of which this is the way back
	closes *block         // all that happens between it and this block comes here
	flow   *flow          // where threads go, while they are followed
}

// rawInstr is an instruction in its call.
type rawInstr struct {
	fr   *frame
	i    *llvm.Instr
	bind *frame // instead: the parameters of a call get their values
	back *frame // instead: the call returns i's argument to its caller
}

// frame is one call of a function.
type frame struct {
	up     *frame
	f      *llvm.Function
	call   *llvm.Instr
	regs   map[string]*node
	result *object
	blocks map[string]*block // its first blocks
	ends   map[string]*block // its last
}

// cell is a place of a variable that is kept in a register.
type cell struct {
	obj  *object
	off  int64
	size int64
}

// kind is what an instruction costs.
type kind uint8

const (
	kindLoad kind = iota
	kindStore
	kindAtomic
	kindBarrier
	kindOp
)

// inst is an instruction that counts.
type inst struct {
	kind    kind
	sort    Arithmetic
	lanes   int64 // of an operation on vectors
	addr    *node
	bytes   int64
	obj     *object // that addr leads into, once it is asked
	node    *node   // the value of an operation
	fused   bool    // a product that a sum takes in
	at      preproc.Place
	block   *block
	acc     tally
	through bool    // a load through the read-only cache
	def     *node   // the value that it makes
	words   int64   // registers that it takes
	uses    []*node // values that it is made from
	from    []sources
	traced  bool // from is known
}

// Arithmetic is a kind of operation.
type Arithmetic uint8

// The kinds of arithmetic, of one thread and one lane.
const (
	FusedFloat   Arithmetic = iota // a product and a sum
	AddFloat                       // a sum, product, comparison or conversion
	SpecialFloat                   // a root, quotient, power or angle
	Double                         // operations of 64 bits; a product and a sum are one
	SpecialDouble
	Half
	Integer // on data
	Index   // on addresses and in conditions
	Shuffle // an exchange within a warp
	arithmetics
)

// failure ends the reading of a kernel.
type failure struct {
	at  preproc.Place
	why string
}

func fail(at preproc.Place, format string, args ...any) {
	panic(&failure{at, fmt.Sprintf(format, args...)})
}

// mostBlocks bounds what inlining makes.
const mostBlocks = 20_000

// flatten copies the blocks of a function, and of all that it calls.
func (g *graph) flatten(fr *frame, all *[]*block) (entry *block, ends []*block) {
	depth := 0
	for up := fr.up; up != nil; up = up.up {
		if depth++; up.f == fr.f {
			fail(g.place(fr, nil), "recursion: %s calls itself", fr.f.SourceName())
		}
	}
	if fr.f.Problem != nil {
		fail(g.place(fr, nil), "%s", fr.f.Problem.Construct)
	}
	fr.blocks, fr.ends = map[string]*block{}, map[string]*block{}
	create := func() *block {
		b := &block{id: len(*all)}
		if *all = append(*all, b); len(*all) > mostBlocks {
			fail(g.place(fr, nil), "more than %d blocks, with all calls inlined", mostBlocks)
		}
		return b
	}
	for _, b := range fr.f.Blocks {
		fr.blocks[b.Name] = create()
	}
	for _, b := range fr.f.Blocks {
		now := fr.blocks[b.Name]
		for _, i := range b.Code {
			// A call is replaced by the blocks of its function, so that counts know the way to each instruction.
			if i.Op == llvm.Call && i.Callee.Kind == llvm.GlobalName {
				if callee := g.m.Function(i.Callee.Name); callee != nil && callee.Final() && callee.Blocks != nil {
					in := &frame{up: fr, f: callee, call: i, result: &object{name: "result", local: true, bytes: 8}}
					now.raw = append(now.raw, rawInstr{fr: fr, i: i, bind: in})
					first, last := g.flatten(in, all)
					link(now, first)
					next := create()
					for _, e := range last {
						link(e, next)
					}
					next.raw = append(next.raw, rawInstr{fr: fr, i: i, back: in})
					now = next
					continue
				}
			}
			now.raw = append(now.raw, rawInstr{fr: fr, i: i})
		}
		fr.ends[b.Name] = now
	}
	for _, b := range fr.f.Blocks {
		end, last := fr.ends[b.Name], b.Code[len(b.Code)-1]
		if last.Op == llvm.Ret {
			ends = append(ends, end)
		}
		for _, to := range last.To {
			link(end, fr.blocks[to])
		}
		end.meta = llvm.Attached(last.Meta, "llvm.loop")
	}
	return fr.blocks[fr.f.Blocks[0].Name], ends
}

func link(from, to *block) {
	from.succs, to.preds = append(from.succs, to), append(to.preds, from)
}

// place is where an instruction stands: in the file of the kernel, or where it leads to another one.
func (g *graph) place(fr *frame, i *llvm.Instr) preproc.Place {
	main := ""
	if p, ok := g.f.At(); ok {
		main = p.File
	}
	for ; i != nil; i, fr = fr.call, fr.up {
		if p, ok := i.Place(); ok && (p.File == main || fr.up == nil) {
			return p.Place
		}
		if fr.up == nil {
			break
		}
	}
	p, _ := g.f.At()
	return p.Place
}

// edge is a way from a block to another one.
type edge struct{ from, to *block }

// depthFirst lists what can be reached, in reverse postorder, and the ways back. A block is left for
// those that come first in what next gives: they stand last in the order.
func depthFirst(entry *block, next func(*block) []*block) (order []*block, backs []edge) {
	state := map[*block]int{}
	type step struct {
		b  *block
		to []*block
	}
	stack := []step{{entry, next(entry)}}
	state[entry] = 1
	for len(stack) > 0 {
		s := &stack[len(stack)-1]
		if len(s.to) == 0 {
			state[s.b] = 2
			order = append(order, s.b)
			stack = stack[:len(stack)-1]
			continue
		}
		to := s.to[0]
		s.to = s.to[1:]
		switch state[to] {
		case 0:
			state[to] = 1
			stack = append(stack, step{to, next(to)})
		case 1:
			backs = append(backs, edge{s.b, to})
		}
	}
	slices.Reverse(order)
	return order, backs
}

// arrange orders blocks, and finds dominators and natural loops. What is in a loop stands before what
// comes behind it.
func (g *graph) arrange(entry *block) {
	order, backs := depthFirst(entry, func(b *block) []*block { return b.succs })
	g.number(order)
	g.findLoops(entry, order, backs)
	order, _ = depthFirst(entry, func(b *block) []*block {
		out := slices.Clone(b.succs)
		slices.SortStableFunc(out, func(x, y *block) int { return x.loop.depth() - y.loop.depth() })
		return out
	})
	g.number(order)
}

// depth is how many loops there are around what is in l.
func (l *loop) depth() (n int) {
	for ; l != nil; l = l.up {
		n++
	}
	return n
}

func (g *graph) number(order []*block) {
	reached := map[*block]bool{}
	for k, b := range order {
		b.order = k
		reached[b] = true
	}
	for _, b := range order {
		b.preds = slices.DeleteFunc(b.preds, func(p *block) bool { return !reached[p] })
	}
	g.blocks = order
}

// findLoops finds the natural loops from back edges and dominators, and refuses a graph that has others.
func (g *graph) findLoops(entry *block, order []*block, backs []edge) {
	// Immediate dominators, as Cooper, Harvey and Kennedy find them.
	entry.idom = entry
	for changed := true; changed; {
		changed = false
		for _, b := range order[1:] {
			var best *block
			for _, p := range b.preds {
				switch {
				case p.idom == nil:
				case best == nil:
					best = p
				default:
					best = meet(best, p)
				}
			}
			if b.idom != best {
				b.idom, changed = best, true
			}
		}
	}
	heads := map[*block]*loop{}
	for _, e := range backs {
		if !dominates(e.to, e.from) {
			fail(e.to.place(), "a loop with two entries")
		}
		l := heads[e.to]
		if l == nil {
			l = &loop{head: e.to, in: map[*block]bool{e.to: true}}
			heads[e.to] = l
			e.to.isHead = true
			g.loops = append(g.loops, l)
		}
		l.backs = append(l.backs, e.from)
		if e.from.meta != nil {
			l.meta = e.from.meta
		}
		todo := []*block{e.from}
		for len(todo) > 0 {
			b := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !l.in[b] {
				l.in[b] = true
				todo = append(todo, b.preds...)
			}
		}
	}
	// The innermost loop of a block is the smallest that it is in.
	slices.SortFunc(g.loops, func(a, b *loop) int {
		if len(a.in) != len(b.in) {
			return len(b.in) - len(a.in)
		}
		return a.head.order - b.head.order
	})
	for _, l := range g.loops {
		l.up = l.head.loop
		for b := range l.in {
			b.loop = l
		}
	}
}

// meet is the last block that dominates both.
func meet(a, b *block) *block {
	for a != b {
		for a.order > b.order {
			a = a.idom
		}
		for b.order > a.order {
			b = b.idom
		}
	}
	return a
}

func dominates(a, b *block) bool {
	for b.order > a.order {
		b = b.idom
	}
	return a == b
}

func (b *block) place() preproc.Place {
	for _, r := range b.raw {
		if p, ok := r.i.Place(); ok {
			return p.Place
		}
	}
	return b.at
}

// loop is a natural loop.
type loop struct {
	head  *block
	backs []*block
	in    map[*block]bool
	up    *loop
	meta  *llvm.Metadata
	at    preproc.Place
}

// unroll says what the source asks of the loop: "full", "disable", "enable", "count", or "".
func (l *loop) unroll() string {
	if l.meta == nil {
		return ""
	}
	for _, e := range l.meta.Elems {
		if len(e.Elems) > 0 {
			if word, ok := strings.CutPrefix(e.Elems[0].Text, "llvm.loop.unroll."); ok {
				if word != "count" || len(e.Elems) < 2 || e.Elems[1].Value == nil || e.Elems[1].Value.Int == nil {
					return word
				}
				switch e.Elems[1].Value.Int.Int64() {
				case 1:
					return "disable"
				case llvm.NoUnroll:
					return ""
				}
				return word
			}
		}
	}
	return ""
}

// columns are those of the table of functions that hold for modules of a target.
var columns = map[llvm.Target][]builtin.Language{
	llvm.NVPTX:  {builtin.LLVM, builtin.NVPTX, builtin.CUDA},
	llvm.AMDGPU: {builtin.LLVM, builtin.AMDGPU, builtin.OpenCL, builtin.CUDA, builtin.HIP},
	llvm.SPIR:   {builtin.LLVM, builtin.SPIR, builtin.OpenCL},
}
