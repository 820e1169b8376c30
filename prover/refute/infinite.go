package refute

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// tryInfinite looks for a counterexample with infinite sets among a few typical
// ones, for sequents that speak of finiteness: what refutes them may have no
// finite model.
func (f *finder) tryInfinite() *eval.Model {
	if !f.finiteness {
		return nil
	}
	share := f.steps / 4
	masks := []int{1<<len(f.carriers) - 1} // which carrier sets are infinite
	for i := range f.carriers {
		if len(f.carriers) > 1 {
			masks = append(masks, 1<<i)
		}
	}
	for _, mask := range masks {
		m := eval.NewModel()
		for i, name := range f.carriers {
			switch elems := f.listed[name]; {
			case elems != nil:
				m.Carriers[name] = len(elems)
				for j, id := range elems {
					m.Values[f.s.Bank.Name(id)] = m.Space.Element(name, j)
				}
			case mask>>i&1 == 1:
				m.Carriers[name] = eval.Infinite
			default:
				m.Carriers[name] = 2
			}
		}
		g := &guesser{finder: f, m: m, steps: share / len(masks)}
		g.plan()
		spent := g.steps
		found := g.guess(0)
		f.steps -= spent - max(g.steps, 0)
		if found {
			return m
		}
	}
	return nil
}

// guesser goes through combinations of typical values.
type guesser struct {
	*finder
	m      *eval.Model
	idents []logic.Term
	checks [][]logic.Term // hypotheses by their last identifier; decided once it has a value
	steps  int
}

func (g *guesser) plan() {
	b := g.s.Bank
	place := map[logic.Term]int{}
	for _, t := range b.FreeIdents(append([]logic.Term{g.goal}, g.asserted...)...) {
		if _, known := g.m.Values[b.Name(t)]; !known {
			place[t] = len(g.idents)
			g.idents = append(g.idents, t)
		}
	}
	for _, t := range b.FreeIdents(append(slices.Clone(g.s.Hyps), g.s.Goal)...) {
		_, defined := g.unfold[t]
		_, placed := place[t]
		if _, known := g.m.Values[b.Name(t)]; !known && !defined && !placed {
			g.idents = append(g.idents, t)
		}
	}
	g.checks = make([][]logic.Term, len(g.idents)+1)
	add := func(t logic.Term) {
		last := 0
		for _, id := range b.FreeIdents(t) {
			if i, ok := place[id]; ok {
				last = max(last, i+1)
			}
		}
		g.checks[last] = append(g.checks[last], t)
	}
	add(b.Not(g.goal))
	for _, t := range g.asserted {
		add(t)
	}
}

// guess gives values to the identifiers from number i on.
func (g *guesser) guess(i int) bool {
	e := eval.New(g.s.Bank, g.m, max(g.steps, 0))
	for _, t := range g.checks[i] {
		if res := e.Pred(t); res == eval.False || res == eval.Unknown && i < len(g.idents) {
			g.steps = e.Steps() - 1
			return false
		}
	}
	g.steps = e.Steps() - 1
	if g.steps < 0 || g.stop() {
		return false
	}
	if i == len(g.idents) {
		m := g.complete(g.m)
		e := eval.New(g.s.Bank, m, max(g.steps, 0))
		ok := e.Refutes(g.s) == eval.True
		g.steps = e.Steps()
		return ok
	}
	id := g.idents[i]
	for _, v := range g.typical(g.s.Bank.Type(id)) {
		g.m.Values[g.s.Bank.Name(id)] = v
		if g.guess(i + 1) {
			return true
		}
	}
	delete(g.m.Values, g.s.Bank.Name(id))
	return false
}

// typical returns some values of type t: the first ones are infinite where t
// has such.
func (g *guesser) typical(t logic.Type) []eval.Value {
	b, s := g.s.Bank, g.m.Space
	switch b.TypeKind(t) {
	case logic.KindInt:
		return g.integers(s, 5)
	case logic.KindProd:
		l, r := b.Pair(t)
		var out []eval.Value
		for _, x := range first(g.typical(l), 2) {
			for _, y := range first(g.typical(r), 2) {
				out = append(out, s.Pair(x, y))
			}
		}
		return out
	case logic.KindPow:
		return g.typicalSets(b.Elem(t))
	case logic.KindGiven:
		if name := b.GivenName(t); g.m.Carriers[name] == eval.Infinite {
			return []eval.Value{s.Element(name, 0), s.Element(name, 1), s.Element(name, -1)}
		}
	}
	vs, _ := g.m.All(b, t, 64)
	return vs
}

func (g *guesser) typicalSets(elem logic.Type) []eval.Value {
	b, s := g.s.Bank, g.m.Space
	kind := b.TypeKind(elem)
	var zero eval.Value
	switch {
	case kind == logic.KindInt:
		zero = s.Int64(0)
	case kind == logic.KindGiven && g.m.Carriers[b.GivenName(elem)] == eval.Infinite:
		zero = s.Element(b.GivenName(elem), 0)
	case kind == logic.KindProd:
		l, r := b.Pair(elem)
		out := []eval.Value{s.Set()}
		for _, x := range first(g.typicalSets(l), 4) {
			for _, y := range first(g.typicalSets(r), 4) {
				out = append(out, s.Product(x, y))
			}
		}
		return out
	default:
		if vs, ok := g.m.All(b, b.PowType(elem), 16); ok {
			slices.Reverse(vs)
			return vs
		}
		out := []eval.Value{s.Set()}
		for _, x := range first(g.typical(elem), 2) {
			out = append(out, s.Set(x))
		}
		return out
	}
	// Half lines and what they leave out: most claims that hold of finite sets alone fail for one
	// of these.
	one := g.typical(elem)[1]
	return []eval.Value{
		s.Interval(0, 0, zero), s.Set(zero), s.Interval(zero, 0, zero), s.Set(), s.Set(zero, one),
		s.Interval(0, zero, zero), s.Interval(one, 0, zero), s.Set(one),
	}
}
