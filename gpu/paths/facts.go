package paths

import (
	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
)

// assume adds a guard; it is false if the guard is.
func (w *Walker) assume(s *State, p *ir.Term) bool {
	switch p.Op {
	case ir.PTrue:
		return true
	case ir.PFalse:
		return false
	case ir.PAnd:
		for _, a := range p.Args {
			if !w.assume(s, a) {
				return false
			}
		}
		return true
	}
	for _, i := range s.items {
		if i.Kind == Guard && i.E.Key() == p.Key() {
			return true
		}
	}
	s.items = append(s.items, Item{Kind: Guard, E: p})
	w.Refine(s, p)
	return true
}

func (w *Walker) known(s *State, p *ir.Term) (holds, known bool) {
	switch p.Op {
	case ir.PTrue:
		return true, true
	case ir.PFalse:
		return false, true
	}
	if h, ok := s.facts[p.Key()]; ok {
		return h, true
	}
	if h, ok := s.facts[ir.Not(p).Key()]; ok {
		return !h, true
	}
	for _, i := range s.items {
		if i.Kind == Guard {
			if i.E.Key() == p.Key() {
				return true, true
			}
			if i.E.Key() == ir.Not(p).Key() {
				return false, true
			}
		}
	}
	// What intervals decide is claimed, and needs no path of its own.
	for _, q := range []*ir.Term{p, ir.Not(p)} {
		if q.Op != ir.PLe && q.Op != ir.PLt || w.Wraps[q.Args[0].Key()] || w.Wraps[q.Args[1].Key()] {
			continue
		}
		a, b := w.Interval(s, q.Args[0]), w.Interval(s, q.Args[1])
		if a.Hi == nil || b.Lo == nil {
			continue
		}
		if c := a.Hi.Cmp(b.Lo); c < 0 || c == 0 && q.Op == ir.PLe {
			w.fits(s, q)
			return q == p, true
		}
	}
	return false, false
}

// narrowed is a disjunction without what intervals say is false: what is left narrows ranges.
func (w *Walker) narrowed(s *State, p *ir.Term) *ir.Term {
	if p.Op != ir.POr || ir.Mentions(p, w.Program.Offset) {
		return p
	}
	var rest []*ir.Term
	for _, a := range p.Args {
		if holds, known := w.known(s, a); !known || holds {
			rest = append(rest, a)
		}
	}
	return ir.Either(rest...)
}

func (w *Walker) fits(s *State, p *ir.Term) {
	if p.Op == ir.PTrue {
		return
	}
	for _, i := range s.items {
		if (i.Kind == Fit || i.Kind == Guard) && i.E.Key() == p.Key() {
			return
		}
	}
	s.items = append(s.items, Item{Kind: Fit, E: p})
}

func (w *Walker) claim(s *State, e *ir.Term, t *ast.Ctype) {
	if len(e.Args) == 0 {
		// Of a parameter its axiom says the range of its type, and no more.
		if e.Op == ir.Sym && !e.Own && !e.Symbol.OfLaunch() && w.symbolRange(e).Inside(interval.TypeInterval(t)) {
			return
		}
	}
	lo, hi := interval.Within(t)
	w.fits(s, ir.Both(ir.Compare(ir.PLe, ir.BigNumber(lo), e), ir.Compare(ir.PLe, e, ir.BigNumber(hi))))
}

// know adds a fact about a free value as a guard.
func (w *Walker) know(s *State, p *ir.Term) { w.assume(s, p) }
