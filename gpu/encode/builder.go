package encode

import (
	"fmt"
	"strings"

	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
)

// candidate is a guessed invariant of one thread at a cut point.
type candidate struct {
	at   *ir.Node
	e    *ir.Term
	rule string
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
	paths []*paths.Path
	walk  *paths.Walker
	cands []*candidate
	same  map[*ir.Variable]bool // equal in all threads of a group, by data flow
	alike int                   // so many reads give the threads of a group the same value, see cfg.SharedReads

	relations []*relation
	shadow    map[*ir.Variable]*ir.Variable
	reach     map[*ir.Node][]*ir.Node
	reading   map[int]*ir.Variable  // what reads that are shared give, by number
	unequal   map[*ir.Variable]bool // remembered variables that differ after all
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

func (b *builder) printer(thread string) printer {
	p := printer{thread: thread, grid: b.scope == Grid}
	if b.p.Annotated {
		p.local = func(v *ir.Variable) string {
			switch v {
			case b.p.Accessed:
				return "acc"
			case b.p.Offset:
				return "off"
			}
			return v.Name + "_" + thread
		}
	}
	return p
}

// distinct says that the two threads differ; ⊥ where there is only one.
func (b *builder) distinct() string {
	var parts []string
	o := b.p.Opts
	// A dimension of size 1 has no id in the model: it cannot tell two threads apart.
	for d := range 3 {
		switch {
		case b.scope == Grid && o.Groups[d] != 1:
			n := ir.Symbol{Of: ir.OfGroup, Dim: d}.Name()
			parts = append(parts, n+"_1 = "+n+"_2")
		case b.scope != Grid && o.Local[d] != 1:
			n := ir.Symbol{Of: ir.OfThread, Dim: d}.Name()
			parts = append(parts, n+"_1 = "+n+"_2")
		}
	}
	if len(parts) == 0 {
		return "⊥"
	}
	apart := "¬ (" + strings.Join(parts, " ∧ ") + ")"
	warp := b.oneWarp()
	switch {
	case b.scope == Warp && warp != "":
		return apart + " ∧ " + warp
	case b.scope == Group && b.p.MeetsInWarps(): // those of one warp are in a machine of their own
		if warp == "" {
			return "⊥"
		}
		return "¬ (" + warp + ")"
	}
	return apart
}

// oneWarp says that the two threads are of one warp; "" where a group is no more.
func (b *builder) oneWarp() string {
	local := b.p.Opts.Local
	if n := local[0] * local[1] * local[2]; 0 < n && n <= ir.LanesOfWarp {
		return ""
	}
	id := func(d int, thread string) string { return ir.Symbol{Of: ir.OfThread, Dim: d}.Name() + "_" + thread }
	size := func(d int) string {
		if local[d] > 0 {
			return fmt.Sprint(local[d])
		}
		return ir.Symbol{Of: ir.GroupThread, Dim: d}.Name()
	}
	both := func(of func(thread string) string) string { return of("1") + " = " + of("2") }
	if line := local[1] == 1 && local[2] == 1; line || local[0] > 0 && local[0]%ir.LanesOfWarp == 0 { // no warp lies in two rows
		var parts []string
		if local[0] != ir.LanesOfWarp {
			parts = append(parts, both(func(t string) string { return fmt.Sprintf("%s ÷ %d", id(0, t), ir.LanesOfWarp) }))
		}
		for d := 1; d < 3; d++ {
			if local[d] != 1 {
				parts = append(parts, both(func(t string) string { return id(d, t) }))
			}
		}
		return strings.Join(parts, " ∧ ")
	}
	// Ids where there is one choice are 0, and have no constant.
	return both(func(t string) string {
		sum, row := "", ""
		for d := range 3 {
			if local[d] != 1 {
				sum += row + id(d, t) + " + "
			}
			row += size(d) + " ∗ "
		}
		return fmt.Sprintf("(%s) ÷ %d", strings.TrimSuffix(sum, " + "), ir.LanesOfWarp)
	})
}
