package refute

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// tryInfinite looks for a counterexample with infinite sets among a few typical
// ones, for sequents that speak of finiteness: what refutes them may have no
// finite model. So may what stands aside of a goal.
func (f *finder) tryInfinite() *eval.Model {
	if !f.finiteness && !f.alone {
		return nil
	}
	share := f.steps / 4
	if f.alone {
		share = f.steps
	}
	masks := f.infiniteCarriers()
	// Each mask says which carrier sets are infinite. The budget is divided equally among them.
	for _, mask := range masks {
		model := eval.NewModel()
		for i, name := range f.carriers {
			size, isFixed := f.fixed[name]
			switch elems := f.listed[name]; {
			case isFixed:
				model.Carriers[name] = size
			case elems != nil:
				model.Carriers[name] = len(elems)
			case mask>>i&1 == 1:
				model.Carriers[name] = eval.Infinite
			default:
				model.Carriers[name] = 2
			}
			for j, id := range f.listed[name] {
				model.Values[f.s.Bank.Name(id)] = model.Space.Element(name, j)
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

// infiniteCarriers lists which carrier sets are infinite together, as masks.
func (f *finder) infiniteCarriers() (masks []int) {
	all := 0
	for i, name := range f.carriers {
		if _, isFixed := f.fixed[name]; !isFixed && f.listed[name] == nil {
			all |= 1 << i
		}
	}
	if f.alone && (!f.finiteness || all == 0) {
		masks = append(masks, 0)
	}
	if f.finiteness && (all != 0 || !f.alone) {
		masks = append(masks, all)
	}
	if !f.finiteness {
		return masks
	}
	for i := range f.carriers {
		if 1<<i&all != 0 && 1<<i != all {
			masks = append(masks, 1<<i)
		}
	}
	return masks
}

// guesser goes through combinations of typical values.
type guesser struct {
	*finder
	m      *eval.Model
	idents []logic.Term
	checks [][]logic.Term // hypotheses by their last identifier; decided once it has a value
	denied logic.Term
	steps  int
}

// guessSteps bounds the evaluation of one formula: what takes longer is not decided.
const guessSteps = 1 << 15

// plan chooses the order of identifiers to be guessed, those of the goal first.
func (g *guesser) plan() {
	bank := g.s.Bank
	place := map[logic.Term]int{}
	for _, term := range g.mentions(append([]logic.Term{g.goal}, g.asserted...)...) {
		if _, known := g.m.Values[bank.Name(term)]; !known {
			place[term] = len(g.idents)
			g.idents = append(g.idents, term)
		}
	}
	for _, term := range g.mentions(append(slices.Clone(g.core), g.s.Goal)...) {
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
		for _, id := range g.mentions(term) {
			if i, ok := place[id]; ok {
				last = max(last, i+1)
			}
		}
		g.checks[last] = append(g.checks[last], term)
	}
	g.denied = bank.Not(g.goal)
	add(g.denied)
	for _, term := range g.asserted {
		add(term)
	}
}

// guess gives values to the identifiers from number i on.
func (g *guesser) guess(i int) bool {
	for _, term := range g.checks[i] {
		e := eval.New(g.s.Bank, g.m, min(max(g.steps, 0), guessSteps))
		before := e.Steps()
		res := e.Pred(term)
		g.steps -= before - e.Steps() + 1
		// What is not decided is left to a proof, which only the goal cannot have.
		if res == eval.False || res == eval.Unknown && i < len(g.idents) && (g.prove == nil || term == g.denied) {
			return false
		}
		if res == eval.Unknown && g.alone && g.falsified(g.m, term) {
			return false
		}
	}
	g.steps--
	if g.steps < 0 || g.stop() {
		return false
	}
	// The model is judged by the evaluator and the kernel, whatever led here.
	if i == len(g.idents) {
		model, joined := g.joined(g.complete(g.m))
		if !joined {
			return false
		}
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
	for _, value := range g.candidates(id) {
		g.m.Define(g.s.Bank, g.s.Bank.Name(id), value)
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

// typicalSets are a few sets that tell infinite models apart: empty, single, finite, infinite, all.
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
