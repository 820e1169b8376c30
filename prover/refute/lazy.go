package refute

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// lazy holds the hypotheses that are laws or too large for the encoding of a scope, as those that quantify over
// the subsets of nine elements are. A law mentions no identifier and speaks of all sets of some kind. The solver does not know them. Where a candidate makes one false, the
// instance that fails is encoded, and the solver goes on.
type lazy struct {
	*encoder
	terms   []logic.Term
	refined int
}

const (
	// lazyReserve is the work that hypotheses leave to the goal and to instances.
	lazyReserve = maxWork / 8
	// maxRefined bounds the instances of one scope.
	maxRefined = 120
)

// require asserts predicate t, or keeps it if it takes more than half of the work that is left.
func (z *lazy) require(t logic.Term) {
	if z.over {
		return
	}
	if isLaw(z.b, t) {
		z.terms = append(z.terms, t)
		return
	}
	if l, ok := z.within(max(z.work-lazyReserve, 0)/2, func() lit { return z.pred(t, asserted) }); ok {
		z.encoder.require(l)
		return
	}
	z.terms = append(z.terms, t)
}

// within returns what encode does, and false if it takes more than so much work.
func (z *lazy) within(work int, encode func() lit) (lit, bool) {
	if z.over {
		return no, false
	}
	work = min(work, z.work)
	rest := z.work - work
	z.work = work
	l := encode()
	ok := !z.over
	z.over = false
	z.work = max(z.work, 0) + rest
	return l, ok
}

// refine encodes the instances that make hypotheses false in m, and returns false if there are none.
func (z *lazy) refine(f *finder, m *eval.Model) bool {
	if z.refined >= maxRefined {
		return false
	}
	any := false
	for _, t := range z.terms {
		e := eval.New(f.s.Bank, m, min(max(f.steps, 0), lazySteps))
		before := e.Steps()
		if e.Pred(t) == eval.False {
			path, values := eval.New(f.s.Bank, m, lazySteps).Failing(t)
			work := z.work
			l, ok := z.within(z.work/4, func() lit { return z.instance(t, path, f.translated(z.space, m, values)) })
			f.steps -= work - z.work
			if ok {
				z.encoder.require(l)
				any = true
			}
		}
		f.steps -= before - e.Steps()
	}
	z.refined++
	return any
}

// lazySteps bounds the evaluation of one such hypothesis.
const lazySteps = 1 << 16

// instance returns the condition of predicate t where the variables on a path to its failing part have
// the given values, the outermost first.
func (z *lazy) instance(t logic.Term, path []int, values []eval.Value) lit {
	if len(path) == 0 {
		return z.pred(t, asserted)
	}
	args := z.b.Args(t)
	switch z.b.Op(t) {
	case logic.And:
		return z.instance(args[path[0]], path[1:], values)
	case logic.Implies:
		return z.implies(z.pred(args[0], denied), z.instance(args[1], path[1:], values))
	case logic.Forall:
		n := len(z.b.Decls(t))
		if len(values) < n {
			break
		}
		outer := z.env
		z.env = slices.Clone(z.env)
		var exist []lit
		for _, v := range values[:n] {
			z.env = append(z.env, z.constant(v))
			exist = z.elements(exist, v)
		}
		l := z.instance(args[0], path[1:], values[n:])
		z.env = outer
		return z.implies(z.and(exist...), l)
	}
	return z.pred(t, asserted)
}

// translated returns values of model m in another space, and nil if one has no such form there.
func (f *finder) translated(space *eval.Space, m *eval.Model, values []eval.Value) (out []eval.Value) {
	if m.Space == space {
		return values
	}
	for _, v := range values {
		w, ok := space.Copy(m.Space, v)
		if !ok {
			return nil
		}
		out = append(out, w)
	}
	return out
}

// elements adds the conditions that the elements of carrier sets in v exist.
func (c *encoder) elements(out []lit, v eval.Value) []lit {
	if c.space.Kind(v) == eval.Element {
		if carrier, i := c.space.Number(v); 0 <= i && i < len(c.exist[carrier]) {
			return append(out, c.exist[carrier][i])
		}
		return append(out, no)
	}
	if kind := c.space.Kind(v); kind == eval.Pair || kind == eval.Set {
		for _, part := range c.space.Parts(v) {
			out = c.elements(out, part)
		}
	}
	return out
}

// isLaw reports whether t is a law.
func isLaw(bank *logic.Bank, t logic.Term) bool {
	return len(bank.FreeIdents(t)) == 0 && bindsSets(bank, t, map[logic.Term]bool{})
}

// bindsSets reports whether t binds variables for sets, of which there are too many to encode.
func bindsSets(bank *logic.Bank, t logic.Term, seen map[logic.Term]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if bank.Op(t).IsBinder() && slices.ContainsFunc(bank.Decls(t), func(typ logic.Type) bool { return hasSets(bank, typ) }) {
		return true
	}
	return slices.ContainsFunc(bank.Args(t), func(a logic.Term) bool { return bindsSets(bank, a, seen) })
}
