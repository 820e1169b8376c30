package paths

import (
	"github.com/gradine/gradine/lang/gpuc/internal/flow"
	"github.com/gradine/gradine/lang/gpuc/internal/integers"
	"github.com/gradine/gradine/lang/gpuc/internal/syntax"
)

// assume adds a guard; it is false if the guard is.
func (w *Walker) assume(s *State, p *flow.Term) bool {
	switch p.Op {
	case flow.PTrue:
		return true
	case flow.PFalse:
		return false
	case flow.PAnd:
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

func (w *Walker) known(s *State, p *flow.Term) (holds, known bool) {
	switch p.Op {
	case flow.PTrue:
		return true, true
	case flow.PFalse:
		return false, true
	}
	if h, ok := s.facts[p.Key()]; ok {
		return h, true
	}
	if h, ok := s.facts[flow.Not(p).Key()]; ok {
		return !h, true
	}
	for _, i := range s.items {
		if i.Kind == Guard {
			if i.E.Key() == p.Key() {
				return true, true
			}
			if i.E.Key() == flow.Not(p).Key() {
				return false, true
			}
		}
	}
	// What intervals decide is claimed, and needs no path of its own.
	for _, q := range []*flow.Term{p, flow.Not(p)} {
		if q.Op != flow.PLe && q.Op != flow.PLt || w.Wraps[q.Args[0].Key()] || w.Wraps[q.Args[1].Key()] {
			continue
		}
		a, b := w.Interval(s, q.Args[0]), w.Interval(s, q.Args[1])
		if a.Hi == nil || b.Lo == nil {
			continue
		}
		if c := a.Hi.Cmp(b.Lo); c < 0 || c == 0 && q.Op == flow.PLe {
			w.fits(s, q)
			return q == p, true
		}
	}
	return false, false
}

func (w *Walker) fits(s *State, p *flow.Term) {
	if p.Op == flow.PTrue {
		return
	}
	for _, i := range s.items {
		if (i.Kind == Fit || i.Kind == Guard) && i.E.Key() == p.Key() {
			return
		}
	}
	s.items = append(s.items, Item{Kind: Fit, E: p})
}

func (w *Walker) claim(s *State, e *flow.Term, t *syntax.Ctype) {
	if len(e.Args) == 0 {
		// Of a parameter its axiom says the range of its type, and no more.
		if e.Op == flow.Sym && !e.Own && !flow.IsModelName(e.Name) && w.symbolRange(e).Inside(integers.TypeInterval(t)) {
			return
		}
	}
	lo, hi := integers.Within(t)
	w.fits(s, flow.Both(flow.Compare(flow.PLe, flow.BigNumber(lo), e), flow.Compare(flow.PLe, e, flow.BigNumber(hi))))
}

// know adds a fact about a free value as a guard.
func (w *Walker) know(s *State, p *flow.Term) { w.assume(s, p) }
