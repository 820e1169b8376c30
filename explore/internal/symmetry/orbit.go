package symmetry

import (
	"slices"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
)

// maxTries bounds the arrangements of identifiers that are tried for one state.
// Beyond it several states of an orbit may be kept, which is sound.
const maxTries = 720

// Reducer finds the state that stands for all those of its orbit. It belongs to
// one goroutine.
//
// Each identifier gets a colour, which says where it stands in the state, but not
// which one it is. Identifiers are put in the order of their colours; where
// several share one, all orders are tried, unless exchanging them changes nothing,
// and the least state counts.
type Reducer struct {
	*Group
	p       *program.Program
	target  []value.Value // the identifiers, block by block
	group   []int         // theirs
	order   []value.Value // which identifiers are taken to those of target
	colours []uint64
	ties    [][2]int // ranges of order in which all arrangements are tried
	By      []table  // the permutation under trial

	was, best, next []value.Value // after-values
	some            bool          // best has been set
}

// Reducer returns what finds representatives of states for one worker: it has memory of its own.
func (y *Group) Reducer(compiled *program.Program) *Reducer {
	n := len(compiled.Variables)
	r := &Reducer{Group: y, p: compiled, was: make([]value.Value, n), best: make([]value.Value, n), next: make([]value.Value, n)}
	for _, g := range y.groups {
		r.By = append(r.By, identity([]value.Value{g.Low, g.Low + value.Value(len(g.To)-1)}))
	}
	for _, b := range y.Blocks {
		for _, v := range b.Elems {
			r.target, r.group = append(r.target, v), append(r.group, b.Group)
		}
	}
	r.order, r.colours = slices.Clone(r.target), make([]uint64, len(r.target))
	return r
}

// Reduce replaces the after-values of f by those that stand for their orbit, and
// returns those that were there, until the next call.
func (r *Reducer) Reduce(frame *formula.Frame) (was []value.Value) {
	for i, variable := range r.p.Variables {
		r.was[i] = frame.Slots[variable.Primed]
	}
	at := 0
	r.ties = r.ties[:0]
	for _, b := range r.Blocks {
		r.sort(at, b)
		at += len(b.Elems)
	}
	if tries := r.tries(); tries > maxTries {
		r.ties = r.ties[:0]
	}
	r.some = false
	r.tryAll(r.ties, 0)
	for i, g := range r.group {
		r.move(g, r.target[i], r.target[i])
	}
	r.p.SetAfter(frame, r.best)
	return r.was
}

// sort puts the identifiers of block b, which begins at the given place, in the
// order of their colours, and notes the ties.
func (r *Reducer) sort(at int, b block) {
	for k, v := range b.Elems {
		c := r.colour(b.Group, v)
		i := at + k
		for ; i > at && r.colours[i-1] > c; i-- {
			r.order[i], r.colours[i] = r.order[i-1], r.colours[i-1]
		}
		r.order[i], r.colours[i] = v, c
	}
	for i := at; i < at+len(b.Elems); {
		j := i + 1
		for j < at+len(b.Elems) && r.colours[j] == r.colours[i] {
			j++
		}
		if !r.alike(b.Group, r.order[i:j]) {
			r.ties = append(r.ties, [2]int{i, j})
		}
		i = j
	}
}

// alike reports whether exchanging any of the given identifiers leaves the state
// as it is.
func (r *Reducer) alike(group int, elems []value.Value) bool {
	same := true
	for i := 1; i < len(elems) && same; i++ {
		a, b := elems[i-1], elems[i]
		r.move(group, a, b)
		r.move(group, b, a)
		for k, variable := range r.p.Variables {
			if r.Parts[k] != nil && Permute(r.p.Space, r.Parts[k], variable.Shape, r.was[k], r.By) != r.was[k] {
				same = false
				break
			}
		}
		r.move(group, a, a)
		r.move(group, b, b)
	}
	return same
}

func (r *Reducer) move(group int, from, to value.Value) { r.By[group].To[from-r.By[group].Low] = to }

// tries is how many arrangements there are, or more than the limit.
func (r *Reducer) tries() int {
	n := 1
	for _, t := range r.ties {
		for k := 2; k <= t[1]-t[0] && n <= maxTries; k++ {
			n *= k
		}
	}
	return n
}

// tryAll tries the product of all permutations of the ties; the first i places of the first tie are fixed. It
// permutes by exchanging in place, and exchanges back, so that the order is the same before and after.
func (r *Reducer) tryAll(ties [][2]int, i int) {
	if len(ties) == 0 {
		r.try()
		return
	}
	from, to := ties[0][0]+i, ties[0][1]
	if from == to {
		r.tryAll(ties[1:], 0)
		return
	}
	for k := from; k < to; k++ {
		r.order[from], r.order[k] = r.order[k], r.order[from]
		r.tryAll(ties, i+1)
		r.order[from], r.order[k] = r.order[k], r.order[from]
	}
}

// try compares the state under the present arrangement with the best so far.
func (r *Reducer) try() {
	space := r.p.Space
	for i, g := range r.group {
		r.move(g, r.order[i], r.target[i])
	}
	order := 0
	if !r.some {
		order = -1
	}
	for i, variable := range r.p.Variables {
		r.next[i] = Permute(space, r.Parts[i], variable.Shape, r.was[i], r.By)
		if order == 0 {
			order = space.Compare(variable.Shape, r.next[i], r.best[i])
		}
		if order > 0 {
			return
		}
	}
	if order < 0 {
		r.some = true
		r.best, r.next = r.next, r.best
	}
}

// colour is the same for identifier v of a group as for those that a permutation
// takes it to, in the state that the permutation leads to.
func (r *Reducer) colour(group int, v value.Value) uint64 {
	h := uint64(0)
	for i, x := range r.p.Variables {
		if r.Parts[i] != nil {
			h = value.Mix(h, r.tint(r.Parts[i], x.Shape, r.was[i], group, v))
		}
	}
	return h
}

// tint is the hash of a value in which the identifier id of a group is marked, and
// all others that are permuted look like the rest of their block.
func (r *Reducer) tint(p *part, shape *value.Shape, v value.Value, group int, id value.Value) uint64 {
	space := r.p.Space
	switch {
	case p == nil:
		return space.Hash(shape, v)
	case shape.Left != nil:
		a, b := space.Split(shape, v)
		return value.Mix(r.tint(p.l, shape.Left, a, group, id), r.tint(p.r, shape.Right, b, group, id))
	case shape.Elem == nil:
		switch b := r.groups[p.group].of(v, 0); {
		case b == 0:
			return space.Hash(shape, v)
		case p.group == group && v == id:
			return 1
		default:
			return value.Mix(0x7C, uint64(b))
		}
	}
	sum := uint64(0)
	if shape.Dense(v) { // a permutation may take it to one that is not
		value.EachSlot(v, func(k, x value.Value) bool {
			sum += value.Mix(0x2B, value.Mix(r.tint(p.elem.l, shape.Elem.Left, k, group, id), r.tint(p.elem.r, shape.Elem.Right, x, group, id)))
			return true
		})
		return sum
	}
	if shape.Bits(v) {
		for m := v &^ shape.Bit(); m != 0; m &= m - 1 {
			sum += value.Mix(0x2B, r.tint(p.elem, shape.Elem, lowest(m), group, id))
		}
		return sum
	}
	for _, x := range space.At(v).Elems {
		sum += value.Mix(0x2B, r.tint(p.elem, shape.Elem, x, group, id))
	}
	return sum
}
