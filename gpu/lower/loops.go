package lower

import (
	"slices"

	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/preproc"
)

// loops are those of a function.
type loops struct {
	heads  map[string]bool
	within map[string]map[string]bool // the blocks of the loop of a head
	places map[string]*llvm.Metadata  // of what says where a loop begins
}

// inside reports whether a block is in the loop of a head.
func (l *loops) inside(head, block string) bool { return l.within[head][block] }

// place is where the loop of a head stands in the source.
func (l *loops) place(head, file string) (preproc.Place, bool) {
	n := l.places[head]
	if n == nil {
		return preproc.Place{}, false
	}
	for _, e := range n.Elems {
		if e.Name == "DILocation" {
			i := llvm.Instr{Debug: e}
			if p, ok := i.Place(); ok && (p.File == file || file == "") {
				return p.Place, true
			}
		}
	}
	return preproc.Place{}, false
}

// findLoops orders the blocks of a function so that each stands behind those that dominate it, and
// finds its loops; why says why that fails.
func findLoops(f *llvm.Function) (order []*llvm.Block, l *loops, why string) {
	blocks := map[string]*llvm.Block{}
	for _, b := range f.Blocks {
		blocks[b.Name] = b
	}
	next := func(b *llvm.Block) []string { return b.Code[len(b.Code)-1].To }
	l = &loops{heads: map[string]bool{}, within: map[string]map[string]bool{}, places: map[string]*llvm.Metadata{}}
	state := map[string]int{}
	type edge struct{ from, to string }
	var back []edge
	before := map[string][]string{}
	// Depth first, without recursion: a function may have many blocks.
	type step struct {
		b *llvm.Block
		k int
	}
	stack := []step{{f.Blocks[0], 0}}
	state[f.Blocks[0].Name] = 1
	for len(stack) > 0 {
		s := &stack[len(stack)-1]
		to := next(s.b)
		if s.k == len(to) {
			state[s.b.Name] = 2
			order = append(order, s.b)
			stack = stack[:len(stack)-1]
			continue
		}
		t := to[s.k]
		s.k++
		before[t] = append(before[t], s.b.Name)
		switch state[t] {
		case 0:
			state[t] = 1
			stack = append(stack, step{blocks[t], 0})
		case 1:
			back = append(back, edge{s.b.Name, t})
		}
	}
	slices.Reverse(order)
	number := map[string]int{}
	for k, b := range order {
		number[b.Name] = k
	}
	// Immediate dominators, as Cooper, Harvey and Kennedy find them.
	idom := make([]int, len(order))
	for k := range idom {
		idom[k] = -1
	}
	idom[0] = 0
	for changed := true; changed; {
		changed = false
		for k := 1; k < len(order); k++ {
			best := -1
			for _, p := range before[order[k].Name] {
				j := number[p]
				if idom[j] < 0 {
					continue
				}
				for best >= 0 && best != j {
					if best > j {
						best = idom[best]
					} else {
						j = idom[j]
					}
				}
				best = j
			}
			if idom[k] != best {
				idom[k], changed = best, true
			}
		}
	}
	dominates := func(a, b int) bool {
		for b > a {
			b = idom[b]
		}
		return a == b
	}
	for _, e := range back {
		if !dominates(number[e.to], number[e.from]) {
			return nil, nil, "a loop with two entries"
		}
		l.heads[e.to] = true
		if l.within[e.to] == nil {
			l.within[e.to] = map[string]bool{e.to: true}
		}
		in := l.within[e.to]
		todo := []string{e.from}
		for len(todo) > 0 {
			b := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !in[b] {
				in[b] = true
				todo = append(todo, before[b]...)
			}
		}
		last := blocks[e.from].Code[len(blocks[e.from].Code)-1]
		if n := llvm.Attached(last.Meta, "llvm.loop"); n != nil && l.places[e.to] == nil {
			l.places[e.to] = n
		}
	}
	return order, l, ""
}
