package paths

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
)

func (w *Walker) execute(s *State, c *ir.Instr, n *ir.Node) {
	switch c.Op {
	case ir.DoAssign:
		s.values[c.V] = w.term(s, c.E, n)
	case ir.DoHavoc, ir.DoUndef:
		s.values[c.V] = w.free(s, c.V.Typ, "")
	case ir.DoLoad:
		w.load(s, c, n)
	case ir.DoStore:
		off := w.term(s, c.Off, n)
		var v *ir.Term
		if c.E != nil {
			v = w.term(s, c.E, n)
		}
		w.access(s, c, off, v, ir.IsWrite)
		// Of what a thread has written itself in this interval, it reads its own value.
		// Another offset may be the same place: all that was known of the array goes.
		s.memory[c.Mem] = map[string]*ir.Term{}
		s.facts["own "+fmt.Sprint(c.Mem.Id)] = true
		if v != nil && w.forwards() {
			s.memory[c.Mem][cellKey(off, c.Typ)] = v
		} else {
			s.facts["own "+fmt.Sprint(c.Mem.Id)] = false
		}
	case ir.DoAtomic:
		off := w.term(s, c.Off, n)
		w.access(s, c, off, nil, ir.IsAtomic)
		delete(s.memory, c.Mem)
		delete(s.facts, "own "+fmt.Sprint(c.Mem.Id))
		s.values[c.V] = w.free(s, c.V.Typ, "")
		if _, counts := w.counters()[c.Mem]; counts {
			s.free[len(s.free)-1].Ticket = &Ticket{c.Mem, off, c.E}
		}
	case ir.DoAssert, ir.DoInvariant:
		p := w.Formula(s, c.E, n, ir.Falsity)
		s.items = append(s.items, Item{Kind: Check, E: p, Check: c, At: c.At})
		// A check that fails is told once: what comes behind it is checked for those that pass.
		if p.Op != ir.PFalse {
			w.assume(s, p)
		}
	case ir.DoAssume:
		if !w.assume(s, w.narrowed(s, w.Formula(s, c.E, n, ir.Truth))) {
			s.items = append(s.items, Item{Kind: Guard, E: ir.Falsity})
		}
	case ir.DoBarrier, ir.DoWarp: // other lanes of the warp may go on before this one
		s.memory = map[*ir.Memory]map[string]*ir.Term{}
		for m := range w.Program.Mems {
			delete(s.facts, "own "+fmt.Sprint(m))
		}
	}
}

// counters are ir.Program.Counters.
func (w *Walker) counters() map[*ir.Memory]bool {
	if w.counted == nil {
		w.counted = w.Program.Counters()
	}
	return w.counted
}

func (w *Walker) access(s *State, c *ir.Instr, off, v *ir.Term, what int) {
	if w.Program.Opts.Bounds && !w.Program.Opts.NoBounds || c.Mem.Cells >= 0 && w.Program.Opts.Bounds {
		p := ir.Compare(ir.PLe, ir.Number(0), off)
		if c.Mem.Cells >= 0 {
			p = ir.Both(p, ir.Compare(ir.PLt, off, ir.Number(c.Mem.Cells)))
		}
		if p.Op != ir.PTrue {
			s.items = append(s.items, Item{Kind: Check, E: p, Check: &ir.Instr{Op: ir.DoAssert, Kind: "bounds", Why: "index into " + ir.Describe(c.Mem), At: c.At}, At: c.At})
			if p.Op != ir.PFalse {
				w.assume(s, p)
			}
		}
	}
	// No other thread can come there.
	if c.Mem.Space == ast.Private {
		return
	}
	if v != nil && len(ir.FreeIn(v)) > 0 {
		v = nil // arbitrary in each thread: it equals nothing
	}
	s.items = append(s.items, Item{Kind: Access, Mem: c.Mem, Off: off, Value: v, What: what, At: c.At, Free: len(s.free), Inner: c.Inner})
}

// cellKey is a place in an array as values of one type are read from it: bits that were
// written as another type are another value.
func cellKey(off *ir.Term, t *ast.Ctype) string {
	if t == nil {
		return off.Key()
	}
	return fmt.Sprint(t.Kind, t.Bits, t.Signed, " ", off.Key())
}

func (w *Walker) load(s *State, c *ir.Instr, n *ir.Node) {
	off := w.term(s, c.Off, n)
	v := s.memory[c.Mem][cellKey(off, c.V.Typ)]
	own := v
	if !s.facts["own "+fmt.Sprint(c.Mem.Id)] {
		own = nil // read before, not written
	}
	w.access(s, c, off, own, ir.IsRead)
	if v != nil {
		s.values[c.V] = v
		return
	}
	if v := w.progression(s, c.Mem, off, c.V.Typ); v != nil {
		s.values[c.V] = v
		return
	}
	x := w.free(s, c.V.Typ, "")
	s.free[len(s.free)-1].Shared = w.Shared[c]
	w.contents(s, c.Mem, off, x, c.V.Typ)
	s.values[c.V] = x
	if w.forwards() && !s.facts["own "+fmt.Sprint(c.Mem.Id)] || !c.Mem.Written {
		if s.memory[c.Mem] == nil {
			s.memory[c.Mem] = map[string]*ir.Term{}
		}
		s.memory[c.Mem][cellKey(off, c.V.Typ)] = x
	}
}

// inArray claims that an index lies in an array, where intervals say so.
func (w *Walker) inArray(s *State, m *ir.Memory, off *ir.Term) bool {
	last := ir.Number(int64(len(m.Content) - 1))
	if w.Wraps[off.Key()] || !w.Interval(s, off).Inside(interval.Interval{Lo: new(big.Int), Hi: last.Val}) {
		return false
	}
	w.fits(s, ir.Both(ir.Compare(ir.PLe, ir.Number(0), off), ir.Compare(ir.PLe, off, last)))
	return true
}

// progression is what an array that is never written holds at off, if its contents grow
// by the same amount from place to place; nil otherwise.
func (w *Walker) progression(s *State, m *ir.Memory, off *ir.Term, t *ast.Ctype) *ir.Term {
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
	return ir.Sum(ir.BigNumber(known[0]), ir.Product(ir.BigNumber(step), off))
}

// contents says of x, which was read at off, what an array that is never written holds.
func (w *Walker) contents(s *State, m *ir.Memory, off, x *ir.Term, t *ast.Ctype) {
	const most = 64
	known := m.Content
	if m.Written || len(known) == 0 || len(known) > most || !m.Holds(t) {
		return
	}
	for i, v := range known {
		w.assume(s, ir.Either(ir.Compare(ir.PNe, off, ir.Number(int64(i))), ir.Compare(ir.PEq, x, ir.BigNumber(v))))
	}
	if w.inArray(s, m, off) {
		cmp := func(a, b *big.Int) int { return a.Cmp(b) }
		w.assume(s, ir.Both(ir.Compare(ir.PLe, ir.BigNumber(slices.MinFunc(known, cmp)), x), ir.Compare(ir.PLe, x, ir.BigNumber(slices.MaxFunc(known, cmp)))))
	}
}

// forwards reports whether a thread reads what it has written itself: where only barriers
// are checked, what is read is arbitrary.
func (w *Walker) forwards() bool { return !w.Program.Opts.OnlyDivergence }
