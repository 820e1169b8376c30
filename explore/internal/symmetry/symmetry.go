package symmetry

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Identifiers that nothing distinguishes are interchangeable: a permutation of
// them takes runs to runs, and keeps the truth of invariants, of the goal and of
// guards. A search under symmetry keeps one state of all those that such
// permutations take to each other.
//
// Identifiers are the elements of carrier sets, and of sets that are declared to
// be threads. Sorts say where they may stand, and which values the formulas name.
// The transpositions that keep all of these values generate the group: it permutes
// the identifiers of each of several blocks at will.

// Threads is a set of identifiers that are declared to be interchangeable.
type Threads struct {
	Name string     // as people wrote it
	Set  logic.Term // over the constants, of integers or elements of a carrier set
}

// Question is what a search asks of a program, and what it is told about it.
type Question struct {
	Threads    []Threads
	Invariants bool         // they are checked
	Asked      []logic.Term // predicates that states are also asked for
	Ordered    []logic.Term // expressions whose values are compared
}

// Group is the group of permutations of one search.
type Group struct {
	groups []table // by class: for each identifier 1 + the number of its block, or 0
	Blocks []block
	Parts  []*part // of the variables
	Names  []string
	Notes  []string // on declared sets that are not permuted in this set-up
}

// block is identifiers that are permuted at will, in ascending order.
type block struct {
	Group int
	Elems []value.Value
}

// part says where identifiers stand in a value; it is nil where there are none.
type part struct {
	group int // of a leaf
	l, r  *part
	elem  *part
}

// table maps the values from low on.
type table struct {
	Low value.Value
	To  []value.Value
}

// of returns what v is mapped to; a value outside the table is mapped to outside.
func (t table) of(v, outside value.Value) value.Value {
	if i := v - t.Low; i < value.Value(len(t.To)) {
		return t.To[i]
	}
	return outside
}

// identity maps the values between those of elems to themselves.
func identity(elems []value.Value) table {
	t := table{elems[0], make([]value.Value, elems[len(elems)-1]-elems[0]+1)}
	for i := range t.To {
		t.To[i] = t.Low + value.Value(i)
	}
	return t
}

// maxThreads is the number of identifiers that are permuted, maxSpan the distance
// between the lowest and the highest of them.
const (
	maxThreads = 64
	maxSpan    = 1 << 12
)

// Of finds the group of a search of p. An error says which formula tells
// the identifiers of a declared set apart.
func Of(ctx context.Context, compiled *program.Program, machine *model.Machine, ask Question) (*Group, error) {
	x := newInference(ctx, compiled)
	if err := x.declare(ask.Threads); err != nil {
		return nil, err
	}
	x.machine(ask)
	y := &Group{}
	number := map[*class]int{}
	for _, c := range x.candidates(machine) {
		if blocks := x.separate(c); len(blocks) > 0 {
			number[c.class] = len(y.groups)
			y.add(compiled.Space, c, blocks)
		} else if c.threads && c.class.fixed != nil {
			return nil, fmt.Errorf("threads %s: %s", c.name, c.class.fixed.text(compiled.Compiler.Bank))
		} else if c.threads {
			y.Notes = append(y.Notes, fmt.Sprintf("threads %s: %s", c.name, c.why()))
		}
	}
	// Only now is it known which sorts have a group; parts of values refer to groups by number.
	used := make([]bool, len(y.groups))
	for _, variable := range compiled.Variables {
		part := partOf(x.global[variable.Term], number)
		part.mark(used)
		y.Parts = append(y.Parts, part)
	}
	for _, c := range x.candidates(machine) {
		if g, ok := number[c.class]; ok && c.threads && !used[g] {
			return nil, fmt.Errorf("threads %s: no formula says that a variable of machine %s holds elements of this set", c.name, machine.Name)
		}
	}
	return y, nil
}

// add numbers a class and its blocks.
func (y *Group) add(space *value.Space, c candidate, blocks [][]value.Value) {
	g := identity(c.elems)
	clear(g.To)
	for _, elems := range blocks {
		y.Blocks = append(y.Blocks, block{len(y.groups), elems})
		for _, v := range elems {
			g.To[v-g.Low] = value.Value(len(y.Blocks))
		}
		name := c.name
		if len(elems) < len(c.elems) {
			name = space.List(c.shape, elems)
		}
		y.Names = append(y.Names, name)
	}
	y.groups = append(y.groups, g)
}

// candidate is a class whose identifiers may be interchangeable.
type candidate struct {
	class   *class
	name    string
	shape   *value.Shape
	elems   []value.Value // in ascending order
	threads bool          // declared
}

// declare takes note of the sets of threads.
func (x *inference) declare(threads []Threads) error {
	bank := x.p.Setting.Bank
	for _, t := range threads {
		s := x.fresh(bank.Type(t.Set))
		v, ok := x.p.Setting.Closed(x.ctx, t.Set)
		if s.elem == nil || s.elem.class == nil || !ok {
			return fmt.Errorf("threads %s: this is not a finite set, over the constants, of integers or of elements of a carrier set", t.Name)
		}
		elems := slices.Clone(x.p.Space.Elems(s.shape, v, nil))
		if len(elems) == 0 {
			return fmt.Errorf("threads %s: the set is empty", t.Name)
		}
		x.uses = append(x.uses, use{sort: s, value: v})
		x.threads[bank.Bare(t.Set)] = s
		x.declared = append(x.declared, declared{t.Name, s.elem, elems})
	}
	return nil
}

// candidates returns the classes of carrier sets and of threads.
func (x *inference) candidates(machine *model.Machine) []candidate {
	var out []candidate
	add := func(name string, s *sort, elems []value.Value, threads bool) {
		c := s.class.find()
		i := slices.IndexFunc(out, func(o candidate) bool { return o.class == c })
		if i < 0 {
			out, i = append(out, candidate{class: c, name: name, shape: s.shape}), len(out)
		}
		o := &out[i]
		o.threads = o.threads || threads
		o.elems = append(o.elems, elems...)
		slices.SortFunc(o.elems, func(a, b value.Value) int { return cmp.Compare(int64(a), int64(b)) })
		o.elems = slices.Compact(o.elems)
	}
	for _, ctx := range machine.Contexts {
		for _, set := range ctx.Sets {
			s := x.fresh(x.p.Compiler.Bank.GivenType(set.Name))
			add(set.Name, s, value.Full(s.shape), false)
		}
	}
	for _, d := range x.declared {
		add(d.name, d.sort, d.elems, true)
	}
	return out
}

// tooMany reports whether a candidate is beyond what is permuted.
func (c candidate) tooMany() bool {
	low, high := int64(c.elems[0]), int64(c.elems[len(c.elems)-1])
	return len(c.elems) > maxThreads || high-low > maxSpan
}

// why says why nothing is permuted in a class that is not fixed.
func (c candidate) why() string {
	switch {
	case c.tooMany():
		return fmt.Sprintf("only up to %d identifiers, at most %d apart, are permuted", maxThreads, maxSpan)
	case len(c.elems) == 1:
		return "there is only one"
	}
	return "constants or literals in the formulas of the machine tell each of them apart"
}

// separate finds the blocks of c, of two and more: identifiers are in one block if
// exchanging them changes none of the values that formulas name. This is an
// equivalence, for (x z) = (x y)(y z)(x y).
func (x *inference) separate(c candidate) [][]value.Value {
	if c.class.fixed != nil || c.tooMany() {
		return nil
	}
	var uses []use
	var parts []*part
	for _, u := range x.uses {
		if p := partOf(u.sort, map[*class]int{c.class: 0}); p != nil {
			uses, parts = append(uses, u), append(parts, p)
		}
	}
	// One table for all pairs: each trial exchanges two entries and puts them back.
	swap := identity(c.elems)
	alike := func(a, b value.Value) bool {
		swap.To[a-swap.Low], swap.To[b-swap.Low] = b, a
		defer func() { swap.To[a-swap.Low], swap.To[b-swap.Low] = a, b }()
		for i, u := range uses {
			if u.has != nil && u.has(a) != u.has(b) || u.has == nil && Permute(x.p.Space, parts[i], u.sort.shape, u.value, []table{swap}) != u.value {
				return false
			}
		}
		return true
	}
	var blocks [][]value.Value
	for _, v := range c.elems {
		abort.Check(x.ctx)
		i := slices.IndexFunc(blocks, func(b []value.Value) bool { return alike(b[0], v) })
		if i < 0 {
			blocks, i = append(blocks, nil), len(blocks)
		}
		blocks[i] = append(blocks[i], v)
	}
	return slices.DeleteFunc(blocks, func(b []value.Value) bool { return len(b) == 1 })
}

// partOf says where the identifiers of numbered classes stand in values of sort s.
func partOf(s *sort, number map[*class]int) *part {
	switch {
	case s.class != nil:
		if g, ok := number[s.class.find()]; ok {
			return &part{group: g}
		}
	case s.elem != nil:
		if e := partOf(s.elem, number); e != nil {
			return &part{elem: e}
		}
	case s.l != nil:
		if l, r := partOf(s.l, number), partOf(s.r, number); l != nil || r != nil {
			return &part{l: l, r: r}
		}
	}
	return nil
}

// mark notes the groups of p.
func (p *part) mark(used []bool) {
	switch {
	case p == nil:
	case p.elem != nil:
		p.elem.mark(used)
	case p.l != nil || p.r != nil:
		p.l.mark(used)
		p.r.mark(used)
	default:
		used[p.group] = true
	}
}

// Permute applies a permutation, a table for each group, to a value.
func Permute(space *value.Space, p *part, shape *value.Shape, v value.Value, by []table) value.Value {
	switch {
	case p == nil:
		return v
	case shape.Left != nil:
		a, b := space.Split(shape, v)
		return space.Pair(shape, Permute(space, p.l, shape.Left, a, by), Permute(space, p.r, shape.Right, b, by))
	case shape.Elem == nil:
		return by[p.group].of(v, v)
	case shape.Kind == value.MaskShape:
		out := value.Value(0)
		for m := v; m != 0; m &= m - 1 {
			out |= 1 << Permute(space, p.elem, shape.Elem, lowest(m), by)
		}
		return out
	case shape.Dense(v):
		if out, ok := permuteDense(space, p.elem, shape.Elem, v, by); ok {
			return out
		}
	}
	var buf [64]value.Value
	var out []value.Value
	for _, x := range space.Elems(shape, v, buf[:]) {
		out = append(out, Permute(space, p.elem, shape.Elem, x, by))
	}
	return space.Set(shape, out)
}

// permuteDense is permute for functions in slots, of pairs s, unless the result
// does not fit.
func permuteDense(space *value.Space, p *part, shape *value.Shape, v value.Value, by []table) (value.Value, bool) {
	var images [value.SlotBits]value.Value
	ok := value.EachSlot(v, func(k, x value.Value) bool {
		k = Permute(space, p.l, shape.Left, k, by)
		if k >= value.SlotBits {
			return false
		}
		images[k] = 1 + Permute(space, p.r, shape.Right, x, by)
		return true
	})
	if !ok {
		return 0, false
	}
	return value.Encode(images[:])
}

func lowest(m value.Value) value.Value { return value.Value(bits.TrailingZeros64(uint64(m))) }
