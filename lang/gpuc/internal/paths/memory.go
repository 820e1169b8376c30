package paths

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/gradine/gradine/lang/gpuc/internal/flow"
	"github.com/gradine/gradine/lang/gpuc/internal/integers"
	"github.com/gradine/gradine/lang/gpuc/internal/syntax"
)

func (w *Walker) execute(s *State, c *flow.Instr, n *flow.Node) {
	switch c.Op {
	case flow.DoAssign:
		s.values[c.V] = w.term(s, c.E, n)
	case flow.DoHavoc, flow.DoUndef:
		s.values[c.V] = w.free(s, c.V.Typ, "")
	case flow.DoLoad:
		w.load(s, c, n)
	case flow.DoStore:
		off := w.term(s, c.Off, n)
		var v *flow.Term
		if c.E != nil {
			v = w.term(s, c.E, n)
		}
		w.access(s, c, off, v, flow.IsWrite)
		// Of what a thread has written itself in this interval, it reads its own value.
		// Another offset may be the same place: all that was known of the array goes.
		s.memory[c.Mem] = map[string]*flow.Term{}
		s.facts["own "+fmt.Sprint(c.Mem.Id)] = true
		if v != nil && w.forwards() {
			s.memory[c.Mem][cellKey(off, c.Typ)] = v
		} else {
			s.facts["own "+fmt.Sprint(c.Mem.Id)] = false
		}
	case flow.DoAtomic:
		off := w.term(s, c.Off, n)
		w.access(s, c, off, nil, flow.IsAtomic)
		delete(s.memory, c.Mem)
		delete(s.facts, "own "+fmt.Sprint(c.Mem.Id))
		s.values[c.V] = w.free(s, c.V.Typ, "")
	case flow.DoAssert, flow.DoInvariant:
		p := w.Formula(s, c.E, n, flow.Falsity)
		s.items = append(s.items, Item{Kind: Check, E: p, Check: c, At: c.At})
		// A check that fails is told once: what comes behind it is checked for those that pass.
		if p.Op != flow.PFalse {
			w.assume(s, p)
		}
	case flow.DoAssume:
		if !w.assume(s, w.Formula(s, c.E, n, flow.Truth)) {
			s.items = append(s.items, Item{Kind: Guard, E: flow.Falsity})
		}
	case flow.DoBarrier:
		s.memory = map[*flow.Memory]map[string]*flow.Term{}
		for m := range w.Program.Mems {
			delete(s.facts, "own "+fmt.Sprint(m))
		}
	}
}

func (w *Walker) access(s *State, c *flow.Instr, off, v *flow.Term, what int) {
	if w.Program.Opts.Bounds && !w.Program.Opts.NoBounds || c.Mem.Cells >= 0 && w.Program.Opts.Bounds {
		p := flow.Compare(flow.PLe, flow.Number(0), off)
		if c.Mem.Cells >= 0 {
			p = flow.Both(p, flow.Compare(flow.PLt, off, flow.Number(c.Mem.Cells)))
		}
		if p.Op != flow.PTrue {
			s.items = append(s.items, Item{Kind: Check, E: p, Check: &flow.Instr{Op: flow.DoAssert, Kind: "bounds", Why: "index into " + flow.Describe(c.Mem), At: c.At}, At: c.At})
			if p.Op != flow.PFalse {
				w.assume(s, p)
			}
		}
	}
	// No other thread can come there.
	if c.Mem.Space == syntax.Private {
		return
	}
	if v != nil && len(flow.FreeIn(v)) > 0 {
		v = nil // arbitrary in each thread: it equals nothing
	}
	s.items = append(s.items, Item{Kind: Access, Mem: c.Mem, Off: off, Value: v, What: what, At: c.At, Free: len(s.free)})
}

// cellKey is a place in an array as values of one type are read from it: bits that were
// written as another type are another value.
func cellKey(off *flow.Term, t *syntax.Ctype) string {
	if t == nil {
		return off.Key()
	}
	return fmt.Sprint(t.Kind, t.Bits, t.Signed, " ", off.Key())
}

func (w *Walker) load(s *State, c *flow.Instr, n *flow.Node) {
	off := w.term(s, c.Off, n)
	v := s.memory[c.Mem][cellKey(off, c.V.Typ)]
	own := v
	if !s.facts["own "+fmt.Sprint(c.Mem.Id)] {
		own = nil // read before, not written
	}
	w.access(s, c, off, own, flow.IsRead)
	if v != nil {
		s.values[c.V] = v
		return
	}
	if v := w.progression(s, c.Mem, off, c.V.Typ); v != nil {
		s.values[c.V] = v
		return
	}
	x := w.free(s, c.V.Typ, "")
	w.contents(s, c.Mem, off, x, c.V.Typ)
	s.values[c.V] = x
	if w.forwards() && !s.facts["own "+fmt.Sprint(c.Mem.Id)] || !c.Mem.Written {
		if s.memory[c.Mem] == nil {
			s.memory[c.Mem] = map[string]*flow.Term{}
		}
		s.memory[c.Mem][cellKey(off, c.V.Typ)] = x
	}
}

// inArray claims that an index lies in an array, where intervals say so.
func (w *Walker) inArray(s *State, m *flow.Memory, off *flow.Term) bool {
	last := flow.Number(int64(len(m.Content) - 1))
	if w.Wraps[off.Key()] || !w.Interval(s, off).Inside(integers.Interval{Lo: new(big.Int), Hi: last.Val}) {
		return false
	}
	w.fits(s, flow.Both(flow.Compare(flow.PLe, flow.Number(0), off), flow.Compare(flow.PLe, off, last)))
	return true
}

// progression is what an array that is never written holds at off, if its contents grow
// by the same amount from place to place; nil otherwise.
func (w *Walker) progression(s *State, m *flow.Memory, off *flow.Term, t *syntax.Ctype) *flow.Term {
	known := m.Content
	if m.Written || len(known) < 2 || !m.Holds(t) {
		return nil
	}
	step := new(big.Int).Sub(known[1], known[0])
	for i := range known[1:] {
		if new(big.Int).Sub(known[i+1], known[i]).Cmp(step) != 0 {
			return nil
		}
	}
	if !w.inArray(s, m, off) {
		return nil
	}
	return flow.Sum(flow.BigNumber(known[0]), flow.Product(flow.BigNumber(step), off))
}

// contents says of x, which was read at off, what an array that is never written holds.
func (w *Walker) contents(s *State, m *flow.Memory, off, x *flow.Term, t *syntax.Ctype) {
	const most = 64
	known := m.Content
	if m.Written || len(known) == 0 || len(known) > most || !m.Holds(t) {
		return
	}
	for i, v := range known {
		w.assume(s, flow.Either(flow.Compare(flow.PNe, off, flow.Number(int64(i))), flow.Compare(flow.PEq, x, flow.BigNumber(v))))
	}
	if w.inArray(s, m, off) {
		cmp := func(a, b *big.Int) int { return a.Cmp(b) }
		w.assume(s, flow.Both(flow.Compare(flow.PLe, flow.BigNumber(slices.MinFunc(known, cmp)), x), flow.Compare(flow.PLe, x, flow.BigNumber(slices.MaxFunc(known, cmp)))))
	}
}

// forwards reports whether a thread reads what it has written itself: where only barriers
// are checked, what is read is arbitrary.
func (w *Walker) forwards() bool { return !w.Program.Opts.OnlyDivergence }
