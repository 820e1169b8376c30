package encode

import (
	"math/big"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/cfg"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/paths"
)

// guess finds candidates for invariants at cut points: ranges of variables, values
// that they keep, closed forms, bounds by the conditions of loops, powers of two. What
// holds of them is for a prover to say.
func (b *builder) guess() {
	g := &guesser{builder: b}
	for _, c := range b.cuts {
		if c == b.p.Entry || c.End || c.Then == nil {
			continue
		}
		for _, v := range b.kept() {
			if b.live[c][v] {
				g.range_(c, v)
			}
		}
	}
	for _, p := range b.paths {
		if p.To.End || p.To.Then == nil || p.To == b.p.Entry {
			continue
		}
		g.arrival(p)
	}
	for _, p := range b.paths {
		if p.To == p.From {
			g.loop(p)
		}
	}
	g.inherit()
}

// sharpen derives ranges from the closed forms that hold: what bounds one variable of
// a loop bounds how often it has come round, and that bounds the others.
func (b *builder) sharpen(hints paths.Ranges) (better bool) {
	for _, c := range b.cuts {
		if c.Count == nil {
			continue
		}
		st := b.walk.At(c)
		rounds := interval.Interval{Lo: new(big.Int)}
		for _, k := range b.cands {
			if k.at == c && !k.dead && k.form != nil && k.form.step.IsNum() {
				d := b.walk.Ranges[c][k.form.v]
				start := b.walk.Interval(st, k.form.start)
				step := k.form.step.Val
				// Each variable bounds the rounds by the room that it has, and the tightest one counts.
				if step.Sign() > 0 && d.Hi != nil && start.Lo != nil {
					rounds = rounds.Meet(interval.Interval{Hi: new(big.Int).Quo(new(big.Int).Sub(d.Hi, start.Lo), step)})
				}
				if step.Sign() < 0 && d.Lo != nil && start.Hi != nil {
					rounds = rounds.Meet(interval.Interval{Hi: new(big.Int).Quo(new(big.Int).Sub(d.Lo, start.Hi), step)})
				}
			}
		}
		if rounds.Hi == nil {
			continue
		}
		note := func(v *ir.Variable, r interval.Interval) {
			if hints[c] == nil {
				hints[c] = map[*ir.Variable]interval.Interval{}
			}
			was := hints[c][v]
			now := was.Meet(r)
			if !now.Same(was) && !b.walk.Ranges[c][v].Inside(now) {
				hints[c][v] = now
				better = true
			}
		}
		note(c.Count, rounds)
		for _, k := range b.cands {
			if k.at == c && !k.dead && k.form != nil && k.form.step.IsNum() {
				note(k.form.v, b.walk.Interval(st, k.form.start).Plus(rounds.Times(interval.Point(k.form.step.Val))))
			}
		}
	}
	return better
}

type guesser struct {
	*builder
}

const maxCandidates = 300

// add proposes a candidate at a cut point, unless it is trivial or there already.
func (g *guesser) add(at *ir.Node, e *ir.Term, rule Rule) {
	if g.without.Has(rule) || e.Op == ir.PTrue || e.Op == ir.PFalse || len(g.cands) >= maxCandidates {
		return
	}
	ok := true
	ir.Leaves(e, func(x *ir.Term) {
		if x.Op == ir.Local_ && (!g.live[at][x.V] || x.V == g.p.Accessed || x.V == g.p.Offset) || x.IsFree() {
			ok = false
		}
	})
	key := e.Key()
	for _, c := range g.cands {
		if c.at == at && c.e.Key() == key {
			return
		}
	}
	if ok {
		g.cands = append(g.cands, &candidate{at: at, e: e, rule: rule, id: len(g.cands)})
	}
}

// range_ proposes the ranges of a variable at a cut point.
func (g *guesser) range_(c *ir.Node, v *ir.Variable) {
	x := ir.VariableTerm(v)
	if v.Ghost {
		g.add(c, ir.Compare(ir.PLe, ir.Number(0), x), Ranged)
		if r := g.walk.Ranges[c][v]; r.Hi != nil {
			g.add(c, ir.Compare(ir.PLe, x, ir.BigNumber(r.Hi)), Ranged)
		}
		return
	}
	if v.Typ.Kind != ast.IntType {
		return
	}
	all := interval.TypeInterval(v.Typ)
	g.add(c, ir.Compare(ir.PLe, ir.BigNumber(all.Lo), x), Typed)
	g.add(c, ir.Compare(ir.PLe, x, ir.BigNumber(all.Hi)), Typed)
	r := g.walk.Ranges[c][v]
	if r.Lo != nil && r.Lo.Cmp(all.Lo) > 0 {
		g.add(c, ir.Compare(ir.PLe, ir.BigNumber(r.Lo), x), Ranged)
	}
	if r.Hi != nil && r.Hi.Cmp(all.Hi) < 0 {
		g.add(c, ir.Compare(ir.PLe, x, ir.BigNumber(r.Hi)), Ranged)
	}
}

// arrival guesses from a path that comes to a cut point from another one.
func (g *guesser) arrival(p *paths.Path) {
	if p.From == p.To {
		return
	}
	for _, v := range g.kept() {
		if !g.live[p.To][v] {
			continue
		}
		e := p.Values[v]
		if e == nil {
			continue
		}
		x := ir.VariableTerm(v)
		// Where a variable starts is not said of what changes: of itself least, though that holds the very value at first.
		if !ofLaunch(e) {
			e = g.survives(p, e)
		}
		if e == nil || e.Key() == x.Key() {
			continue
		}
		if !g.walk.Changes(p.To, v) {
			g.add(p.To, ir.Compare(ir.PEq, x, e), Kept)
			continue
		}
		if v.Typ.Kind == ast.IntType && !v.Ghost {
			up, down := g.directions(p.To, v)
			if up {
				g.add(p.To, ir.Compare(ir.PLe, e, x), Started)
			}
			if down {
				g.add(p.To, ir.Compare(ir.PLe, x, e), Started)
			}
			g.closedForm(p.To, v, e)
		}
	}
	for _, it := range p.Items {
		if it.Kind == paths.Guard {
			if e := g.survives(p, it.E); e != nil {
				g.add(p.To, e, Guarded)
			}
		}
	}
}

// ofLaunch reports whether e is made of ids, sizes and parameters alone.
func ofLaunch(e *ir.Term) bool {
	own := true
	ir.Leaves(e, func(x *ir.Term) {
		own = own && x.Op != ir.Local_ && !x.IsFree()
	})
	return own
}

// directions says whether v may grow and shrink in the loop of c, by how it steps.
func (g *guesser) directions(c *ir.Node, v *ir.Variable) (up, down bool) {
	steps := g.steps(c, v)
	if len(steps) == 0 {
		steps = g.inLoop(c, v)
	}
	if len(steps) == 0 {
		return true, true
	}
	for _, k := range steps {
		switch {
		case !k.IsNum():
			up = true
		case k.Val.Sign() > 0:
			up = true
		default:
			down = true
		}
	}
	return up, down
}

// inLoop are the amounts that v changes by in the innermost loop that c is in, however
// many cut points the loop has; none if it changes in another way, too.
func (g *guesser) inLoop(c *ir.Node, v *ir.Variable) (out []*ir.Term) {
	for n := range cfg.Innermost(g.loops, c) {
		for _, i := range n.Code {
			if i.V != v {
				continue
			}
			if i.Op != ir.DoAssign {
				return nil
			}
			k := ir.Minus(ir.Unwrapped(v.Typ, i.E), ir.VariableTerm(v))
			if !k.IsNum() {
				return nil
			}
			out = append(out, k)
		}
	}
	return out
}

// survives is e, over values at the start of p, as a term at its end: what a variable
// holds there is written as that variable; nil if something else that p changes is left.
func (g *guesser) survives(p *paths.Path, e *ir.Term) *ir.Term {
	// Of several variables with the same value, the first one stands for it.
	held := map[string]*ir.Variable{}
	for _, v := range g.kept() {
		if y := p.Values[v]; y != nil && g.live[p.To][v] && !y.IsNum() && held[y.Key()] == nil {
			held[y.Key()] = v
		}
	}
	var convert func(t *ir.Term) *ir.Term
	// A variable that the path changes means its old value in e, so it may stay only if another one holds that value.
	convert = func(t *ir.Term) *ir.Term {
		changed := t.Op == ir.Local_ && p.Values[t.V] != nil && p.Values[t.V].Key() != t.Key()
		if t.Op == ir.Local_ && !changed {
			return t
		}
		if v := held[t.Key()]; v != nil && (len(t.Args) > 0 || changed || t.IsFree()) {
			return ir.VariableTerm(v)
		}
		if len(t.Args) == 0 {
			if changed || t.IsFree() {
				return nil
			}
			return t
		}
		args := make([]*ir.Term, len(t.Args))
		for i, a := range t.Args {
			if args[i] = convert(a); args[i] == nil {
				return nil
			}
		}
		return ir.Rebuild(t, args)
	}
	return convert(e)
}

// closedForm guesses v = start + step∗count for a variable that steps in a loop with a counter.
func (g *guesser) closedForm(c *ir.Node, v *ir.Variable, start *ir.Term) {
	if c.Count == nil || !g.live[c][c.Count] {
		return
	}
	for _, k := range g.steps(c, v) {
		n := len(g.cands)
		g.add(c, ir.Compare(ir.PEq, ir.VariableTerm(v), ir.Sum(start, ir.Product(k, ir.VariableTerm(c.Count)))), Counted)
		if len(g.cands) > n {
			g.cands[n].form = &form{v, start, k}
			g.turns(c, v, start, k)
		}
	}
}

// turns guesses that a variable that steps by a size or parameter keeps its remainder: threads
// that go through an array in turns, each one by as many as there are threads, never meet.
func (g *guesser) turns(c *ir.Node, v *ir.Variable, start, step *ir.Term) {
	x := ir.VariableTerm(v)
	switch {
	case !step.IsNum():
		// An id is below the number of those that take turns, and its own remainder; so it may be where a size is a number.
		if !ofIds(start, false) {
			if ofIds(start, true) {
				g.add(c, ir.Compare(ir.PEq, remainder(x, step), start), Turned)
			}
			start = remainder(start, step)
		}
	case !ofIds(start, true) || step.Is(1) || step.Is(-1) || !g.below(start, step):
		return
	case !g.walk.Ranges[c][v].NonNegative():
		// mod is for numbers from 0 on; where the step divides 2ⁿ the remainder outlives a wrap.
		least := new(big.Int).Neg(interval.TypeInterval(v.Typ).Lo)
		least.Add(least, step.Val).Sub(least, big.NewInt(1)).Quo(least, step.Val).Mul(least, step.Val)
		x = ir.Sum(x, ir.BigNumber(least))
	}
	g.add(c, ir.Compare(ir.PEq, remainder(x, step), start), Turned)
}

func remainder(a, b *ir.Term) *ir.Term {
	return &ir.Term{Op: ir.Modulo, Args: []*ir.Term{a, b}}
}

// below reports whether ranges say that 0 ≤ e < most.
func (g *guesser) below(e, most *ir.Term) bool {
	r := g.walk.Interval(g.walk.Begin(), e)
	return r.NonNegative() && r.Hi != nil && r.Hi.Cmp(most.Val) < 0
}

// ofIds reports whether e is made of ids and sizes alone, and of numbers if they may be there.
func ofIds(e *ir.Term, numbers bool) bool {
	own := true
	ir.Leaves(e, func(x *ir.Term) {
		own = own && (numbers && x.Op == ir.Num || x.Op == ir.Sym && x.Symbol.OfLaunch())
	})
	return own
}

// steps are the amounts that a variable changes by in the loop of c.
func (g *guesser) steps(c *ir.Node, v *ir.Variable) []*ir.Term {
	var out []*ir.Term
	seen := map[string]bool{}
	for _, p := range g.paths {
		e := p.Values[v]
		if p.To != c || e == nil || p.From != c {
			continue
		}
		d := ir.Minus(e, ir.VariableTerm(v))
		bad := false
		ir.Leaves(d, func(x *ir.Term) {
			bad = bad || x.Op == ir.Local_ && x.V == v || x.IsFree()
		})
		if !bad && !seen[d.Key()] && d.Op != ir.Modulo && !d.Is(0) {
			seen[d.Key()] = true
			out = append(out, d)
		}
	}
	for _, d := range c.Stepped[v] {
		if d = g.walk.Plain(c, d); d != nil && !seen[d.Key()] {
			seen[d.Key()] = true
			out = append(out, d)
		}
	}
	return out
}

// loop guesses from a path that comes back to its cut point.
func (g *guesser) loop(p *paths.Path) {
	c := p.To
	for _, v := range g.kept() {
		e := p.Values[v]
		if !g.live[c][v] || e == nil || v.Typ.Kind != ast.IntType || v.Ghost {
			continue
		}
		x := ir.VariableTerm(v)
		if k := ir.Minus(e, x); k.IsNum() || g.survives(p, k) != nil && !ir.Mentions(k, v) {
			for _, it := range p.Items {
				if it.Kind != paths.Guard || it.E.Op != ir.PLt && it.E.Op != ir.PLe || !ir.Mentions(it.E, v) {
					continue
				}
				// After the step, the condition holds of the value before it.
				before := ir.MapTerm(it.E, func(y *ir.Term) *ir.Term {
					if y.Op == ir.Local_ && y.V == v {
						return ir.Minus(x, k)
					}
					return nil
				})
				g.add(c, before, Bounded)
				if c.Count != nil && g.live[c][c.Count] {
					g.add(c, ir.Either(ir.Compare(ir.PEq, ir.VariableTerm(c.Count), ir.Number(0)), before), Bounded)
				}
			}
		}
		g.powers(c, v, e)
	}
}

// powers guesses that a variable that is doubled or halved is a power of two.
func (g *guesser) powers(c *ir.Node, v *ir.Variable, e *ir.Term) {
	doubles := e.Op == ir.Mul && len(e.Args) == 2 && e.Args[0].Is(2) && e.Args[1].Op == ir.Local_ && e.Args[1].V == v
	halves := e.Op == ir.Quo && e.Args[1].Is(2) && e.Args[0].Op == ir.Local_ && e.Args[0].V == v
	if !doubles && !halves {
		return
	}
	x := ir.VariableTerm(v)
	r := g.walk.Ranges[c][v]
	var alternatives []*ir.Term
	// Up to 2¹⁶, more than a group has threads; each power is a case for the prover.
	for k := range 17 {
		n := big.NewInt(1 << k)
		if (r.Hi == nil || n.Cmp(r.Hi) <= 0) && (r.Lo == nil || n.Cmp(r.Lo) >= 0) {
			alternatives = append(alternatives, ir.Compare(ir.PEq, x, ir.BigNumber(n)))
		}
	}
	if len(alternatives) == 0 {
		return
	}
	g.add(c, ir.Either(alternatives...), Powered)
	// Halved, it ends at 0, which is not a power of two.
	g.add(c, ir.Either(append([]*ir.Term{ir.Compare(ir.PEq, x, ir.Number(0))}, alternatives...)...), Powered)
}

// inherit hands candidates on from cut point to cut point along paths that change
// nothing in them. What is handed on falls with what it comes from.
func (g *guesser) inherit() {
	for i := 0; i < len(g.cands); i++ {
		k := g.cands[i]
		for _, p := range g.paths {
			if p.From != k.at || p.To == k.at || p.To.End || p.To.Then == nil {
				continue
			}
			if e := g.survives(p, k.e); e != nil {
				n := len(g.cands)
				g.add(p.To, e, k.rule)
				if len(g.cands) > n {
					k.heirs = append(k.heirs, g.cands[n])
				}
			}
		}
	}
}
