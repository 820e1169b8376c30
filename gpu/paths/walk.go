package paths

import (
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

// maxPaths bounds the ways from one cut point to the next: each is an event of the machine.
const maxPaths = 400

// from finds the paths that begin at cut point c.
func (w *Walker) from(c *ir.Node) (paths []*Path, problem *preproc.Problem) {
	defer preproc.Catch(&problem)
	w.out = nil
	s := w.At(c)
	if c.End || c.Then == nil && len(c.Code) == 0 {
		return nil, nil
	}
	start := 0
	// Invariants in front hold on arrival: they are premises here, not checks.
	if w.cut[c] {
		for start < len(c.Code) && c.Code[start].Op == ir.DoInvariant {
			w.assume(s, w.Formula(s, c.Code[start].E, c, ir.Falsity))
			start++
		}
	}
	w.walk(c, c, start, s, 0)
	return w.out, nil
}

// arrive ends a path at cut point to.
func (w *Walker) arrive(from, to *ir.Node, s *State) {
	if w.Many = len(w.out) >= maxPaths; w.Many {
		w.fail(from.At, "more than %d paths between two points of control", maxPaths)
	}
	// The author's invariants at the head are checked for each arrival.
	p := &Path{From: from, To: to, Items: s.items, Values: s.values, Free: s.free, ranges: map[*ir.Variable]interval.Interval{}}
	// Nothing lies in an empty range: no value arrives this way.
	for _, r := range s.ranges {
		if r.Empty() {
			p.ranges = nil
		}
	}
	if p.ranges != nil {
		for v := range w.Live[to] {
			e := s.values[v]
			if e == nil {
				e = ir.VariableTerm(v)
			}
			p.ranges[v] = w.Interval(s, e)
		}
	}
	w.out = append(w.out, p)
}

func (w *Walker) walk(from, n *ir.Node, k int, s *State, steps int) {
	for ; k < len(n.Code); k++ {
		c := n.Code[k]
		if p := w.undecided(s, c); p != nil {
			w.fork(p, s, func(t *State) { w.walk(from, n, k, t, steps) })
			return
		}
		w.execute(s, c, n)
	}
	if n.End || n.Then == nil {
		w.arrive(from, n, s)
		return
	}
	go_ := func(to *ir.Node, t *State) {
		if w.cut[to] {
			w.arrive(from, to, t)
			return
		}
		// Cut points lie on all cycles: this is a fault of ours, and better told than run into.
		if steps > 4*len(w.Program.Nodes) {
			w.fail(to.At, "a control-flow cycle without a cut point")
		}
		w.walk(from, to, 0, t, steps+1)
	}
	if n.Cond == nil {
		go_(n.Then, s)
		return
	}
	if p := w.choice(s, n.Cond); p != nil {
		w.fork(p, s, func(t *State) { w.walk(from, n, len(n.Code), t, steps) })
		return
	}
	p := w.term(s, n.Cond, n)
	t := s.clone()
	if w.assume(s, p) {
		go_(n.Then, s)
	}
	if w.assume(t, ir.Not(p)) {
		go_(n.Other, t)
	}
}

// fork goes on with p and with its negation.
func (w *Walker) fork(p *ir.Term, s *State, f func(*State)) {
	if w.Many = len(w.out) >= maxPaths; w.Many {
		w.fail(w.Program.At, "more than %d paths between two points of control", maxPaths)
	}
	t := s.clone()
	s.facts[p.Key()], t.facts[p.Key()] = true, false
	if w.assume(s, p) {
		f(s)
	}
	if w.assume(t, ir.Not(p)) {
		f(t)
	}
}

// undecided finds a choice in an instruction that is not made yet.
func (w *Walker) undecided(s *State, c *ir.Instr) *ir.Term {
	for _, t := range []*ir.Term{c.Off, c.E} {
		if t == nil {
			continue
		}
		if p := w.choice(s, t); p != nil {
			return p
		}
	}
	return nil
}
