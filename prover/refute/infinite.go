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
		model := eval.NewModel()
		for i, name := range f.carriers {
			switch elems := f.listed[name]; {
			case elems != nil:
				model.Carriers[name] = len(elems)
				for j, id := range elems {
					model.Values[f.s.Bank.Name(id)] = model.Space.Element(name, j)
				}
			case mask>>i&1 == 1:
				model.Carriers[name] = eval.Infinite
			default:
				model.Carriers[name] = 2
			}
		}
		g := &guesser{finder: f, m: model, steps: share / len(masks)}
		g.plan()
		spent := g.steps
		found := g.guess(0)
		f.steps -= spent - max(g.steps, 0)
		if found {
			return g.m
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
	bank := g.s.Bank
	place := map[logic.Term]int{}
	for _, term := range bank.FreeIdents(append([]logic.Term{g.goal}, g.asserted...)...) {
		if _, known := g.m.Values[bank.Name(term)]; !known {
			place[term] = len(g.idents)
			g.idents = append(g.idents, term)
		}
	}
	for _, term := range bank.FreeIdents(append(slices.Clone(g.s.Hyps), g.s.Goal)...) {
		_, defined := g.unfold[term]
		_, placed := place[term]
		if _, known := g.m.Values[bank.Name(term)]; !known && !defined && !placed {
			g.idents = append(g.idents, term)
		}
	}
	g.checks = make([][]logic.Term, len(g.idents)+1)
	// A predicate is checked as soon as its last identifier has a value.
	add := func(term logic.Term) {
		last := 0
		for _, id := range bank.FreeIdents(term) {
			if i, ok := place[id]; ok {
				last = max(last, i+1)
			}
		}
		g.checks[last] = append(g.checks[last], term)
	}
	add(bank.Not(g.goal))
	for _, term := range g.asserted {
		add(term)
	}
}

// guess gives values to the identifiers from number i on.
func (g *guesser) guess(i int) bool {
	e := eval.New(g.s.Bank, g.m, max(g.steps, 0))
	for _, term := range g.checks[i] {
		if res := e.Pred(term); res == eval.False || res == eval.Unknown && i < len(g.idents) {
			g.steps = e.Steps() - 1
			return false
		}
	}
	g.steps = e.Steps() - 1
	if g.steps < 0 || g.stop() {
		return false
	}
	// The model is judged by the evaluator and the kernel, whatever led here.
	if i == len(g.idents) {
		model := g.complete(g.m)
		e := eval.New(g.s.Bank, model, max(g.steps, 0))
		res := e.Refutes(g.s)
		g.steps = e.Steps()
		ok := res == eval.True || res == eval.Unknown && g.claim(model)
		if ok {
			g.m = model
		}
		return ok
	}
	id := g.idents[i]
	for _, value := range g.typical(g.s.Bank.Type(id)) {
		g.m.Values[g.s.Bank.Name(id)] = value
		if g.guess(i + 1) {
			return true
		}
	}
	delete(g.m.Values, g.s.Bank.Name(id))
	return false
}

// typical returns some values of type t: the first ones are infinite where t
// has such.
func (g *guesser) typical(typ logic.Type) []eval.Value {
	bank, s := g.s.Bank, g.m.Space
	switch bank.TypeKind(typ) {
	case logic.KindInt:
		return g.integers(s, 5)
	case logic.KindProd:
		left, right := bank.Pair(typ)
		var out []eval.Value
		for _, x := range first(g.typical(left), 2) {
			for _, y := range first(g.typical(right), 2) {
				out = append(out, s.Pair(x, y))
			}
		}
		return out
	case logic.KindPow:
		return g.typicalSets(bank.Elem(typ))
	case logic.KindGiven:
		if name := bank.GivenName(typ); g.m.Carriers[name] == eval.Infinite {
			return []eval.Value{s.Element(name, 0), s.Element(name, 1), s.Element(name, -1)}
		}
	}
	vs, _ := g.m.All(bank, typ, 64)
	return vs
}

func (g *guesser) typicalSets(elem logic.Type) []eval.Value {
	bank, s := g.s.Bank, g.m.Space
	kind := bank.TypeKind(elem)
	var zero eval.Value
	switch {
	case kind == logic.KindInt:
		zero = s.Int64(0)
	case kind == logic.KindGiven && g.m.Carriers[bank.GivenName(elem)] == eval.Infinite:
		zero = s.Element(bank.GivenName(elem), 0)
	case kind == logic.KindProd:
		left, right := bank.Pair(elem)
		out := []eval.Value{s.Set()}
		for _, x := range first(g.typicalSets(left), 4) {
			for _, y := range first(g.typicalSets(right), 4) {
				out = append(out, s.Product(x, y))
			}
		}
		return out
	default:
		if vs, ok := g.m.All(bank, bank.PowType(elem), 16); ok {
			slices.Reverse(vs)
			return vs
		}
		out := []eval.Value{s.Set()}
		for _, value := range first(g.typical(elem), 2) {
			out = append(out, s.Set(value))
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
