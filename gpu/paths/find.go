package paths

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/cfg"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

// learn derives ranges of sizes and parameters from the axioms of the launch.
func (w *Walker) learn() (problem *preproc.Problem) {
	defer preproc.Catch(&problem)
	w.launch = map[string]interval.Interval{}
	s := w.Begin()
	for _, a := range w.Program.Axioms {
		e := w.Axiom(a)
		w.Refine(s, e)
		ir.Leaves(e, func(x *ir.Term) { w.demands = w.demands || x.Op == ir.Sym && x.Symbol.Of == ir.NoQuantity })
	}
	w.launch = s.ranges
	return nil
}

// fixpoint finds the ranges of variables at cut points, and with them the paths: interval analysis with widening, then
// narrowing (Cousot and Cousot, 1977).
func (w *Walker) fixpoint() ([]*Path, *preproc.Problem) {
	reached := Ranges{w.Program.Entry: {}}
	// Most loops are stable after a few rounds; a chain of variables that hand on their
	// values takes a round each, and what still moves then has all values of its type.
	// The search ends after some more rounds, in any case: a claim that rests on a range includes
	// what follows from it, so that one which is too small costs a proof, and never gives one.
	const widenAfter, rounds, last = 3, 17, 40
	stable := false
	for round := 0; !stable && round < last; round++ {
		next, problem := w.arriving(reached)
		if problem != nil {
			return nil, problem
		}
		w.hinted(next)
		stable = len(next) == len(reached)
		for c, now := range next {
			was := reached[c]
			stable = stable && was != nil
			for v, r := range now {
				before, ok := was[v]
				switch {
				case !ok:
					continue
				case r.Inside(before):
					r = before
				case round >= rounds:
					r = interval.Interval{}
				// A loop that keeps a variable hands on what an outer one bounds.
				case round >= widenAfter && w.Changes(c, v):
					r = widen(before, r.Join(before), v, w.compared(v))
				default:
					r = r.Join(before)
				}
				// A range that a hint cuts back would never rest: what it cuts is not counted.
				if h, ok := w.Hints[c][v]; ok {
					r = r.Meet(h)
				}
				stable = stable && r.Same(before)
				now[v] = r
			}
		}
		reached = next
	}
	// Narrowing: twice more without joins, which takes back what widening gave too much.
	for range 2 {
		next, problem := w.arriving(reached)
		if problem != nil {
			return nil, problem
		}
		reached = next
		w.hinted(reached)
	}
	for _, c := range w.Cuts {
		if reached[c] == nil {
			reached[c] = map[*ir.Variable]interval.Interval{}
		}
	}
	w.Ranges = reached
	var all []*Path
	for _, c := range w.Cuts {
		paths, problem := w.from(c)
		if problem != nil {
			return nil, problem
		}
		all = append(all, paths...)
	}
	return all, nil
}

// arriving is what comes to cut points by one path from where reached says.
func (w *Walker) arriving(reached Ranges) (next Ranges, problem *preproc.Problem) {
	w.Ranges = reached
	next = Ranges{w.Program.Entry: {}}
	for _, c := range w.Cuts {
		if reached[c] == nil {
			continue
		}
		paths, problem := w.from(c)
		if problem != nil {
			return nil, problem
		}
		for _, p := range paths {
			switch now := next[p.To]; {
			case p.ranges == nil: // along a way that no value takes nothing arrives
			case now == nil:
				next[p.To] = p.ranges
			default:
				for v, r := range now {
					now[v] = r.Join(p.ranges[v])
				}
			}
		}
	}
	return next, nil
}

// hinted narrows ranges by what an earlier search has found. Like all ranges these are
// guesses: a claim that rests on one includes what follows from it.
func (w *Walker) hinted(reached Ranges) {
	for c, vs := range reached {
		for v, r := range vs {
			if h, ok := w.Hints[c][v]; ok {
				vs[v] = r.Meet(h)
			}
		}
	}
}

// compared are the numbers that conditions compare v with, and those next below them, in order:
// a loop that goes on for so long leaves v there, though a step before its test goes on first.
func (w *Walker) compared(v *ir.Variable) (out []*big.Int) {
	var visit func(p *ir.Term)
	visit = func(p *ir.Term) {
		for i, a := range p.Args {
			if (p.Op == ir.PLt || p.Op == ir.PLe) && a.IsNum() && ir.Mentions(p.Args[1-i], v) {
				out = append(out, new(big.Int).Sub(a.Val, big.NewInt(1)), a.Val)
			}
			visit(a)
		}
	}
	for _, n := range w.Program.Nodes {
		if n.Cond != nil {
			visit(n.Cond)
		}
	}
	slices.SortFunc(out, (*big.Int).Cmp)
	return out
}

// widen lets the bounds of v that still move go as far as the next threshold: what it is
// compared with, what is below the largest launch, then below the largest value (so that one
// more still fits), then all values of the type.
func widen(was, now interval.Interval, v *ir.Variable, compared []*big.Int) interval.Interval {
	// A count has no type that would bound it.
	if v.Typ.Kind != ast.IntType || v.Ghost {
		if was.Lo == nil || now.Lo == nil || now.Lo.Cmp(was.Lo) < 0 {
			now.Lo = nil
		}
		if was.Hi == nil || now.Hi == nil || now.Hi.Cmp(was.Hi) > 0 {
			now.Hi = nil
		}
		return now
	}
	all, one := interval.TypeInterval(v.Typ), big.NewInt(1)
	if was.Hi == nil || now.Hi == nil || now.Hi.Cmp(was.Hi) > 0 {
		reached := now.Hi
		now.Hi = all.Hi
		for _, t := range append(slices.Clip(compared), new(big.Int).Sub(LaunchLimit, one), LaunchLimit, new(big.Int).Sub(all.Hi, one)) {
			if reached != nil && reached.Cmp(t) <= 0 && t.Cmp(all.Hi) < 0 {
				now.Hi = t
				break
			}
		}
	}
	if was.Lo == nil || now.Lo == nil || now.Lo.Cmp(was.Lo) < 0 {
		reached := now.Lo
		now.Lo = all.Lo
		for _, t := range []*big.Int{new(big.Int), new(big.Int).Add(all.Lo, one)} {
			if reached != nil && reached.Cmp(t) >= 0 && t.Cmp(all.Lo) > 0 {
				now.Lo = t
				break
			}
		}
	}
	return now
}

// Changes reports whether v is set in the innermost loop that c is in: its head, or a
// barrier that cuts it.
func (w *Walker) Changes(c *ir.Node, v *ir.Variable) bool {
	m := w.changed[c]
	if m == nil {
		m = map[*ir.Variable]bool{}
		for n := range cfg.Innermost(w.loops, c) {
			for _, i := range n.Code {
				if i.V != nil {
					m[i.V] = true
				}
			}
		}
		w.changed[c] = m
	}
	return m[v]
}

// Find finds the ranges of variables at the cut points of a program, and the paths between these.
func Find(c Config) (*Walker, []*Path, *preproc.Problem) {
	w := &Walker{Config: c, Ranges: Ranges{}, cut: map[*ir.Node]bool{}, changed: map[*ir.Node]map[*ir.Variable]bool{}, loops: cfg.Loops(c.Program)}
	for _, n := range c.Cuts {
		w.cut[n] = true
	}
	// Ranges before paths: paths are cut by them.
	problem := w.learn()
	if problem != nil {
		return w, nil, problem
	}
	paths, problem := w.fixpoint()
	return w, paths, problem
}
