package encode

import (
	"slices"

	"github.com/gradine/gradine/gpu/cfg"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
	"github.com/gradine/gradine/logic"
)

// candidate is a guessed invariant of one thread at a cut point.
type candidate struct {
	at   *ir.Node
	e    *ir.Term
	rule Rule
	form *form // if it is a closed form
	dead bool
	id   int

	heirs []*candidate // the same at cut points that come after it
}

// drop gives up a candidate and its heirs: they held because it did.
func (c *candidate) drop() {
	if c.dead {
		return
	}
	c.dead = true
	for _, h := range c.heirs {
		h.drop()
	}
}

// relation is a guess about what a thread knows at a cut point of what both threads
// of a group had when they left the last barrier: variables that are equal in all
// threads there are remembered, and what a thread has since made of them is written
// as a term over what was remembered.
type relation struct {
	start, at *ir.Node
	e         *ir.Term // over variables and remembered ones
	id        int
	dead      bool
}

// form is v = start + step∗count.
type form struct {
	v           *ir.Variable
	start, step *ir.Term
}

// builder makes the models of one program for one scope.
type builder struct {
	p     *ir.Program
	scope Scope
	alone bool // the model is about one thread
	exits bool // it claims that exits are never taken
	cuts  []*ir.Node
	live  map[*ir.Node]map[*ir.Variable]bool
	index map[*ir.Node]int
	loops []cfg.Loop
	paths []*paths.Path
	walk  *paths.Walker
	cands []*candidate
	same  map[*ir.Variable]bool // equal in all threads of a group, by data flow
	alike int                   // so many reads give the threads of a group the same value, see cfg.SharedReads

	relations []*relation
	shadow    map[*ir.Variable]*ir.Variable
	reach     map[*ir.Node][]*ir.Node
	gives     map[int]*ir.Variable  // what reads that are shared give, by number
	unequal   map[*ir.Variable]bool // remembered variables that differ after all

	without Rules // that guess nothing
}

// variables that a thread keeps at some cut point, in a fixed order.
func (b *builder) kept() []*ir.Variable {
	var out []*ir.Variable
	for _, v := range b.p.Vars {
		if v == b.p.Accessed || v == b.p.Offset {
			continue // of the log, not of the thread
		}
		for _, c := range b.cuts {
			if b.live[c][v] && c != b.p.Entry {
				out = append(out, v)
				break
			}
		}
	}
	return out
}

// pc numbers: a barrier is left (go) at another number than it is reached at (wait).
const (
	pcDone    = 1
	pcStopped = 2
)

func (b *builder) goAt(n *ir.Node) int { return 10 * b.index[n] }

func (b *builder) waitAt(n *ir.Node) int {
	switch {
	case n.End || n.Then == nil:
		return pcDone
	case b.walk.Barriers && n.IsBarrier():
		return 10*b.index[n] + 5
	}
	return 10 * b.index[n]
}

// reading makes formulas of terms, for one thread.
func (b *builder) reading(thread string) reading {
	r := reading{thread: thread, grid: b.scope == Grid}
	if b.p.Annotated {
		r.local = func(v *ir.Variable) string {
			switch v {
			case b.p.Accessed:
				return "acc"
			case b.p.Offset:
				return "off"
			}
			return v.Name + "_" + thread
		}
	}
	return r
}

// distinct says that the two threads differ; nil where there is only one.
func (b *builder) distinct() formula {
	var parts []formula
	o := b.p.Opts
	// A dimension of size 1 has no id in the model: it cannot tell two threads apart.
	for d := range 3 {
		switch {
		case b.scope == Grid && o.Groups[d] != 1:
			parts = append(parts, alike(ident, ir.Symbol{Of: ir.OfGroup, Dim: d}))
		case b.scope != Grid && o.Local[d] != 1:
			parts = append(parts, alike(ident, ir.Symbol{Of: ir.OfThread, Dim: d}))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return b.oneTile(not(all(parts...)))
}

// oneTile says of two threads of a group that differ which tile they have in common, and which smaller one they have not.
func (b *builder) oneTile(apart formula) formula {
	meetings := b.p.Meetings() // of a program of lanes: those of fewer
	if b.scope == Grid {
		return apart
	}
	parts := []formula{apart}
	if lanes := b.scope.lanes(); lanes > 0 {
		if one := b.inOneTile(lanes); one != nil {
			parts = append(parts, one)
		}
	}
	if len(meetings) > 0 { // those of one tile are in a machine of their own
		one := b.inOneTile(meetings[0])
		if one == nil {
			return nil
		}
		if b.scope == Group {
			return not(one) // threads of different tiles differ
		}
		parts = append(parts, not(one))
	}
	return all(parts...)
}

// size is a size of the launch, of groups or of the grid: a number, or the constant that stands for it.
func (b *builder) size(of ir.Quantity, d int) formula {
	known := b.p.Opts.Local
	if of == ir.GridGroups {
		known = b.p.Opts.Groups
	}
	if known[d] > 0 {
		return num(known[d])
	}
	return ident(ir.Symbol{Of: of, Dim: d}.Name())
}

// alike says that what of makes of an id is one number for both threads.
func alike(of func(id string) formula, s ir.Symbol) formula {
	return eq(of(s.Name()+"_1"), of(s.Name()+"_2"))
}

// inOneTile says that the two threads are of one tile of so many lanes, or of one warp; nil where a group is no more.
func (b *builder) inOneTile(lanes int64) formula {
	local := b.p.Opts.Local
	if n := local[0] * local[1] * local[2]; 0 < n && n <= lanes {
		return nil
	}
	id := func(d int) ir.Symbol { return ir.Symbol{Of: ir.OfThread, Dim: d} }
	warpOf := func(lane formula) formula { return operation(logic.Div, lane, num(lanes)) }
	if line := local[1] == 1 && local[2] == 1; line || local[0] > 0 && local[0]%lanes == 0 { // no tile lies in two rows
		var parts []formula
		if local[0] != lanes {
			parts = append(parts, alike(func(x string) formula { return warpOf(ident(x)) }, id(0)))
		}
		for d := 1; d < 3; d++ {
			if local[d] != 1 {
				parts = append(parts, alike(ident, id(d)))
			}
		}
		return all(parts...)
	}
	of := func(thread string) formula {
		var sum, row []formula
		for d := range 3 {
			if local[d] != 1 { // ids where there is one choice are 0, and have no constant
				sum = append(sum, product(append(slices.Clone(row), ident(id(d).Name()+thread))...))
			}
			row = append(row, b.size(ir.GroupThread, d))
		}
		return warpOf(plus(sum...))
	}
	return eq(of("_1"), of("_2"))
}
