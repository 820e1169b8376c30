package count

import (
	"slices"

	"github.com/gradine/gradine/gpu/llvm"
)

// Registers of a thread are estimated, never proved: compilers order instructions as they like. The estimate is the
// maximal pressure of the values in the order of the source (Chaitin and others, Register Allocation via Coloring,
// 1981: no fewer registers hold the values that live at one time), once variables and arrays with known indices are
// values and loops are unrolled. Values of 64 bits take two registers. Predicates, constants, operands in constant
// memory, and the indices and addresses that a compiler computes again, take none.
//
// The lower end reads memory wherever the source does. The upper end keeps each value that it reads for as long as a
// later load of the same place could use it, which is what the elimination of common subexpressions does to loops that
// are unrolled completely.

// A visit is an instruction that threads came to while they were followed, or the rounds of a loop.
type visit struct {
	i       *inst
	at      [3]int64 // its address for the first, the middle and the last thread of the block
	known   bool     // it is known
	changes []int64  // of the address, by each round of the loops around it that are gone through once
	loop    *repeated
}

// repeated are rounds of a loop that are visited together.
type repeated struct {
	n        int64
	unrolled bool
	counted  bool // changes of addresses are by its rounds
	visits   []visit
}

// followedRounds are enough to show what is kept from one round of a loop to the next.
const followedRounds = 2

// visited remembers that threads came to an instruction, for the estimate of registers.
func (w *walker) visited(i *inst) {
	if w.untraced {
		return
	}
	v := visit{i: i}
	if i.addr != nil {
		x := w.eval(i.addr)
		if v.known = x.known; x.known {
			v.at = [3]int64{x.at(0), x.at(w.threads / 2), x.at(w.threads - 1)}
		}
		for _, r := range w.rounds {
			d, ok := w.change(i.addr, r.l, r.steps)
			v.known = v.known && ok
			v.changes = append(v.changes, d)
		}
	}
	w.trace.visits = append(w.trace.visits, v)
}

// repeatedly collects what f visits as rounds of a loop.
func (w *walker) repeatedly(rounds *repeated, f func()) {
	if w.untraced {
		f()
		return
	}
	outer := w.trace
	w.trace = rounds
	f()
	outer.visits = append(outer.visits, visit{loop: rounds})
	w.trace = outer
}

// once collects what f visits as one round of a loop whose rounds are followed one by one.
func (w *walker) once(f func()) { w.repeatedly(&repeated{n: 1}, f) }

// follow notes what an instruction computes, and what it is computed from. Instructions from `from` on are its own.
func (r *reader) follow(raw rawInstr, from int) {
	if raw.bind != nil || raw.back != nil || len(r.b.code) == from {
		return
	}
	in := r.b.code[len(r.b.code)-1]
	args := raw.i.Args
	if raw.i.Op == llvm.Load {
		args = nil
	}
	for _, a := range args {
		if a.Kind == llvm.Register {
			in.uses = append(in.uses, r.value(a))
		}
	}
	if raw.i.Name != "" {
		in.def, in.words = r.fr.regs[raw.i.Name], r.words(raw.i.Type)
	}
}

// words are the registers that a value of a type takes.
func (r *reader) words(t *llvm.Type) int64 {
	if t.Kind == llvm.Int && t.Bits == 1 {
		return 0 // a predicate
	}
	return (r.g.m.Layout.Store(t) + 3) / 4
}

// sources are the instructions of which one has made a value: the last of them that was executed.
type sources []*inst

// pressure follows the values of a thread through what was visited.
type pressure struct {
	reuse  bool // loads of a place that was read take the value from its register
	owner  map[*node]*inst
	memory map[*object]bool // arrays that stay in memory
	w      *walker

	position int
	born     []int // of each value, by its number
	last     []int // … where it is used last
	words    []int64
	now      map[*inst]int // the value that an instruction made last
	slots    map[slot]int  // … that a part of a local array holds
	kept     [3]map[place3]int
	round    []int64 // of each counted loop around what is visited, outermost first
}

// slot is a part of a local array.
type slot struct {
	obj *object
	at  int64
}

// place3 is what a load reads: the address for three threads of the block.
type place3 struct {
	obj   *object
	at    [3]int64
	bytes int64
}

// What is read stays as it is until something is written to the same kind of memory.
const (
	keptShared = iota
	keptGlobal
	keptReadOnly
)

// mostVisits bounds the instructions that are told apart; loops that would exceed it are followed for
// a few rounds alone.
const mostVisits = 1 << 17

// registers estimates how many registers hold the values of a thread at most. Arrays in memory need none.
func (w *walker) registers(memory map[*object]bool) Range {
	owner := map[*node]*inst{}
	for _, b := range w.g.blocks {
		for _, i := range b.code {
			if i.def != nil && !i.fused && !(i.kind == kindOp && i.sort == Index) {
				owner[i.def.resolve()] = i
			}
		}
	}
	var out [2]int64
	for k := range out {
		p := &pressure{reuse: k == 1, owner: owner, memory: memory, w: w, now: map[*inst]int{}, slots: map[slot]int{}}
		for k := range p.kept {
			p.kept[k] = map[place3]int{}
		}
		p.follow(w.trace.visits)
		out[k] = p.most()
	}
	return Range{out[0], max(out[0], out[1])}
}

// size is how many visits the rounds of all loops are.
func (l *repeated) size() (n int64) {
	for _, v := range l.visits {
		if v.loop != nil {
			n += v.loop.size()
		} else {
			n++
		}
	}
	return n * l.rounds()
}

// rounds are those that are followed.
func (l *repeated) rounds() int64 {
	if l.unrolled {
		return l.n
	}
	return min(l.n, followedRounds)
}

func (p *pressure) follow(visits []visit) {
	for _, v := range visits {
		if v.loop == nil {
			p.visit(v)
			continue
		}
		l := v.loop
		if l.unrolled && l.size() > mostVisits {
			l.unrolled = false
		}
		before := len(p.born)
		for k := range l.rounds() {
			outer := p.round
			if l.counted {
				p.round = append(p.round, k)
			}
			p.follow(l.visits)
			p.round = outer
			if !l.unrolled {
				p.forget(before)
			}
		}
	}
}

// forget drops what was read since there were so many values: the next round of a loop that is not unrolled reads it
// again.
func (p *pressure) forget(since int) {
	for _, kept := range p.kept {
		for at, n := range kept {
			if n >= since {
				delete(kept, at)
			}
		}
	}
}

func (p *pressure) visit(v visit) {
	i := v.i
	p.position++
	for _, s := range i.sources(p.owner) {
		p.use(s)
	}
	switch i.kind {
	case kindBarrier:
		clear(p.kept[keptShared])
		clear(p.kept[keptGlobal])
		return
	case kindOp:
		if i.sort != Index {
			p.make(i)
		}
		return
	}
	at := v.at
	for k, d := range v.changes {
		for t := range at {
			at[t] += d * p.round[k]
		}
	}
	space := p.w.space(i)
	switch {
	case space == Local:
		p.local(i, at[0], v.known)
		return
	case i.kind != kindLoad:
		if space != Global {
			clear(p.kept[keptShared])
		}
		if space != Shared {
			clear(p.kept[keptGlobal])
		}
		p.make(i)
		return
	case space == Constant: // an operand of what uses it
		delete(p.now, i)
		return
	}
	if !p.reuse || !v.known {
		p.make(i)
		return
	}
	kept := p.kept[keptGlobal]
	switch {
	case i.through:
		kept = p.kept[keptReadOnly]
	case space == Shared:
		kept = p.kept[keptShared]
	}
	key := place3{i.obj, at, i.bytes}
	if n, ok := kept[key]; ok {
		p.now[i] = n
		return
	}
	p.make(i)
	if n, ok := p.now[i]; ok {
		kept[key] = n
	}
}

// local moves a value into a part of an array that is kept in registers, or out of it.
func (p *pressure) local(i *inst, at int64, known bool) {
	if p.memory[i.obj] || !known {
		if i.kind == kindLoad {
			p.make(i)
		}
		return
	}
	s := slot{i.obj, at}
	if i.kind == kindLoad {
		if n, ok := p.slots[s]; ok {
			p.now[i] = n
		} else {
			delete(p.now, i)
		}
		return
	}
	delete(p.slots, s)
	for _, of := range i.sources(p.owner) {
		if n := p.latest(of); n >= 0 {
			p.slots[s] = n
		}
	}
}

// make begins a value of an instruction.
func (p *pressure) make(i *inst) {
	if i.def == nil || i.words == 0 {
		delete(p.now, i)
		return
	}
	p.now[i] = len(p.born)
	p.born, p.last, p.words = append(p.born, p.position), append(p.last, p.position), append(p.words, i.words)
}

func (p *pressure) use(s sources) {
	if n := p.latest(s); n >= 0 {
		p.last[n] = p.position
	}
}

// latest is the value that one of some instructions made last; −1: none of them has made one.
func (p *pressure) latest(s sources) int {
	latest := -1
	for _, i := range s {
		if n, ok := p.now[i]; ok {
			latest = max(latest, n)
		}
	}
	return latest
}

// most is the greatest number of registers whose values live at one time.
func (p *pressure) most() (most int64) {
	change := make([]int64, p.position+1)
	for n := range p.born {
		change[p.born[n]] += p.words[n]
		change[p.last[n]] -= p.words[n]
	}
	live := int64(0)
	for _, d := range change {
		live += d
		most = max(most, live)
	}
	return most
}

// sources are those of the values that an instruction uses.
func (i *inst) sources(owner map[*node]*inst) []sources {
	if !i.traced {
		i.traced = true
		for _, n := range i.uses {
			i.from = append(i.from, sourcesOf(n, owner)...)
		}
		if i.addr != nil {
			i.from = append(i.from, sourcesOf(i.addr, owner)...)
		}
	}
	return i.from
}

// sourcesOf are the instructions that a value comes from, past all that a compiler computes again. Where ways meet it
// comes from one of several.
func sourcesOf(n *node, owner map[*node]*inst) (out []sources) {
	seen := map[*node]bool{}
	var visit func(n *node, one *sources)
	visit = func(n *node, one *sources) {
		n = n.resolve()
		if seen[n] {
			return
		}
		seen[n] = true
		i := owner[n]
		switch {
		case i != nil && one != nil:
			*one = append(*one, i)
		case i != nil:
			out = append(out, sources{i})
		case n.op == opPhi && one == nil:
			var s sources
			for _, a := range n.args {
				visit(a, &s)
			}
			if len(s) > 0 && !slices.ContainsFunc(out, func(o sources) bool { return slices.Equal(o, s) }) {
				out = append(out, s)
			}
		default:
			for _, a := range n.args {
				visit(a, one)
			}
		}
	}
	visit(n, nil)
	return out
}
