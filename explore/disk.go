package explore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/explore/internal/value"
)

// keeper is where states are kept.
type keeper interface {
	Len() int    // states
	Memory() int // bytes
	Width() int  // bytes of a packed state, at most
}

// onDisk explores breadth-first, with the states on disk. All that a level leads to is gathered before it is
// known which of that is new.
func (s *search) onDisk(ctx context.Context, first *out) {
	disk := states.NewDisk(s.p.Shapes(), s.opt.Disk, cmp.Or(s.opt.room, s.opt.MaxMemory/8), s.opt.MaxDisk)
	defer disk.Close()
	s.kept = disk
	gather := func(o *out, from []uint64) {
		width := s.p.Width
		for i := range o.used.all() {
			for j, h := range o.heads[i] {
				// An initial state has itself as its parent.
				parent := h.hash
				if h.from.parent != states.None {
					parent = from[h.from.parent]
				}
				disk.Add(ctx, h.hash, parent, o.states[i][j*width:(j+1)*width])
			}
		}
	}
	// Trouble with the files ends the search as a limit does.
	s.bound(abort.Bounded(func() {
		s.take(first)
		gather(first, nil)
		var hashes []uint64
		var ids []states.ID
		s.path = func(id states.ID) [][]byte { return s.pathOnDisk(disk, s.load(id, nil), hashes[id]) }
		for n := disk.Level(ctx); n > 0 && !s.stopped(ctx, 0, n); n = disk.Level(ctx) {
			if s.opt.MaxDepth > 0 && s.depth >= s.opt.MaxDepth {
				s.bound("depth")
				return
			}
			s.result.Depth = s.depth
			s.depth++
			for {
				s.lent, hashes = disk.Round(round, s.lent[:0], hashes[:0])
				if len(hashes) == 0 {
					break
				}
				for len(ids) < len(hashes) {
					ids = append(ids, states.ID(len(ids)))
				}
				s.inBatches(ids[:len(hashes)], func(group []states.ID, size int) {
					for _, o := range s.expandAll(ctx, group, size) {
						s.take(o)
						gather(o, hashes)
					}
				})
				if s.stopped(ctx, 0, 1) {
					return
				}
			}
		}
	}))
}

// pathOnDisk is a run to a state, back from it: of those that have the hash of its parent, it takes one that
// leads to it.
func (s *search) pathOnDisk(disk *states.Disk, state []byte, hash uint64) [][]byte {
	var path [][]byte
	at := states.Known{State: state}
	for _, known := range disk.Find(hash) {
		if string(known.State) == string(state) {
			at = known
		}
	}
	for {
		path = append([][]byte{at.State}, path...)
		if at.Parent == hash {
			if _, initial := s.stepTo(nil, at.State); initial != nil {
				return path
			}
		}
		hash = at.Parent
		found := false
		for _, known := range disk.Find(hash) {
			if _, reached := s.stepTo(known.State, at.State); reached != nil {
				at, found = known, true
				break
			}
		}
		if !found {
			panic("the parent of a state is not on disk")
		}
	}
}

// stack is what a search with bit-state hashing keeps: the bits of what it met, and the states of the run that
// it follows, with those that are still to be expanded from there.
type stack struct {
	*states.Bits
	width  int
	packed []byte
	items  []item

	member uint64         // of a swarm: decides the order in which states are expanded; 0: that of the machine
	sketch *states.Sketch // of the states that were met; nil outside of swarms
	fresh  []fresh        // room to order states
	spare  []byte
}

// fresh is a new state on the stack: where it is, and its key in the order of a member.
type fresh struct {
	at  int
	key uint64
}

// item is a state on the stack; those that are open lead to the one on top.
type item struct {
	depth int
	open  bool
}

func (k *stack) Width() int  { return k.width }
func (k *stack) Memory() int { return k.Bits.Memory() + cap(k.packed) + 16*cap(k.items) }

func (k *stack) at(i int) []byte { return k.packed[i*k.width : (i+1)*k.width] }

// push adds the states that are new.
func (k *stack) push(o *out, depth int) {
	k.fresh = k.fresh[:0]
	for i := range o.used.all() {
		for j, h := range o.heads[i] {
			if !k.Add(h.hash) {
				continue
			}
			if k.sketch != nil {
				k.sketch.Add(h.hash)
				k.fresh = append(k.fresh, fresh{len(k.items), value.Mix(k.member, h.hash)})
			}
			k.packed = append(k.packed, o.states[i][j*k.width:(j+1)*k.width]...)
			k.items = append(k.items, item{depth: depth})
		}
	}
	k.shuffle()
}

// shuffle brings the states that were pushed last into the order of the member.
func (k *stack) shuffle() {
	if len(k.fresh) < 2 {
		return
	}
	first := k.fresh[0].at
	slices.SortFunc(k.fresh, func(a, b fresh) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at)) })
	k.spare = append(k.spare[:0], k.packed[first*k.width:]...)
	for i, x := range k.fresh {
		copy(k.at(first+i), k.spare[(x.at-first)*k.width:(x.at-first+1)*k.width])
	}
}

func (k *stack) pop() {
	k.items = k.items[:len(k.items)-1]
	k.packed = k.packed[:len(k.items)*k.width]
}

// path is the run to the state on top.
func (k *stack) path(states.ID) (out [][]byte) {
	for i, x := range k.items {
		if x.open {
			out = append(out, append([]byte(nil), k.at(i)...))
		}
	}
	return out
}

// BitStateHashing begins what Why says of a search with it that no other bound has ended.
const BitStateHashing = "bit-state hashing"

// bitState explores depth-first, and knows what it met by a few bits a state. Each run that it follows is one of
// the machine; what it leaves out is unknown.
func (s *search) bitState(ctx context.Context, first *out) {
	k := &stack{Bits: states.NewBits(s.opt.BitState, s.opt.Member), width: s.p.Width, member: s.opt.Member}
	if s.opt.Member > 0 {
		k.sketch = &states.Sketch{}
	}
	s.kept, s.path = k, k.path
	s.take(first)
	k.push(first, 0)
	w := s.worker(ctx)
	for n := 0; len(k.items) > 0 && !s.stopped(ctx, n, len(k.items)); n++ {
		top := len(k.items) - 1
		depth := k.items[top].depth
		// An open state is met again when all its successors are done: it leaves the path.
		if k.items[top].open {
			k.pop()
			continue
		}
		k.items[top].open = true
		s.depth = max(s.depth, depth)
		s.result.Depth = s.depth
		// The stack lends the packed state, which stays in place until the next push.
		w.o, s.lent = s.output(0), k.at(top)
		w.o.limit = abort.Bounded(func() { w.expand(0) })
		s.take(w.o)
		if s.opt.MaxDepth > 0 && depth >= s.opt.MaxDepth {
			if w.o.transitions > 0 {
				s.bound("depth")
			}
			continue
		}
		k.push(w.o, depth+1)
	}
	if k.sketch != nil {
		s.result.Sketch = k.sketch.Least()
	}
	missed := "less than 0.01"
	if share := 100 * k.Missed(); share >= 0.01 {
		missed = fmt.Sprintf("%.2f", share)
	}
	// A search in bits never covers all states for certain, even where it met no bound.
	s.bound(BitStateHashing + ", which by estimate took " + missed + " % of the visited states for others")
}
