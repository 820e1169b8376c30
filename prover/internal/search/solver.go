package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/form"
	"github.com/gradine/gradine/prover/internal/linear"
	"github.com/gradine/gradine/prover/kernel"
)

// This file finds values for bound variables by solving the formula below them: a
// predicate over unknowns is taken apart along its connectives and the meaning
// of set operators; equations, known elements and bounds give the unknowns their
// values. What cannot be decided is hoped for. A solution is only a suggestion:
// the values of an instance, or an element that a set may have.

// Bounds of one search for solutions. It is repeated for every quantifier in every round, so that one
// search must not cost much more than the few instances that it finds.
const (
	solveSolutions = 6
	solveWork      = 400 // visits of predicates and pairs of terms
	solveDepth     = 40
	solveUnknowns  = 60
	solveRounds    = 8
)

// solve calls next for ways to give predicate t the truth value sign.
func (s *solver) solve(t logic.Term, sign bool, next func()) {
	if s.work++; s.work > solveWork || s.depth > solveDepth || s.made > solveUnknowns {
		return
	}
	s.depth++
	defer func() { s.depth-- }()
	bank := s.e.b
	args := bank.Args(t)
	switch op := bank.Op(t); op {
	case logic.True, logic.False:
		if (op == logic.True) == sign {
			next()
		}
	case logic.Not:
		s.solve(args[0], !sign, next)
	case logic.And, logic.Or:
		if (op == logic.And) == sign {
			s.every(args, sign, next)
			return
		}
		for _, a := range args {
			s.solve(a, sign, next)
		}
	// Of alternatives, the one that says more about the unknowns comes first: a conclusion rather
	// than a false premise.
	case logic.Implies:
		if !sign {
			s.solve(args[0], true, func() { s.solve(args[1], false, next) })
			return
		}
		s.solve(args[1], true, next)
		s.solve(args[0], false, next)
	case logic.Iff:
		s.solve(args[0], true, func() { s.solve(args[1], sign, next) })
		s.solve(args[0], false, func() { s.solve(args[1], !sign, next) })
	case logic.Exists, logic.Forall:
		if (op == logic.Exists) != sign {
			next()
			return
		}
		var vals []logic.Term
		for _, typ := range bank.Decls(t) {
			vals = append(vals, s.unknown(typ))
		}
		s.solve(bank.Instantiate(args[0], vals), sign, next)
	case logic.Neq, logic.NotIn, logic.NotSubset, logic.NotSubsetEq:
		s.solve(form.Positive(s.e.b, t), !sign, next)
	case logic.Eq:
		if sign {
			s.equal(args[0], args[1], next)
		} else {
			s.unequal(args[0], args[1], next)
		}
	case logic.In:
		s.member(args[0], args[1], sign, next)
	case logic.Subset, logic.SubsetEq:
		s.subset(t, sign, next)
	case logic.Le, logic.Lt, logic.Ge, logic.Gt:
		s.compare(t, sign, next)
	default:
		next()
	}
}

// every solves all of ts, first those that fix values.
func (s *solver) every(ts []logic.Term, sign bool, next func()) {
	if len(ts) == 0 {
		next()
		return
	}
	at := max(0, slices.IndexFunc(ts, func(t logic.Term) bool { return s.fixes(t, sign) }))
	rest := slices.Delete(slices.Clone(ts), at, at+1)
	s.solve(ts[at], sign, func() { s.every(rest, sign, next) })
}

// fixes reports whether t with truth value sign is an equation that gives an unknown
// its value.
func (s *solver) fixes(t logic.Term, sign bool) bool {
	b := s.e.b
	if op := b.Op(t); op != logic.Eq && op != logic.Neq || (op == logic.Eq) != sign {
		return false
	}
	return slices.ContainsFunc(b.Args(t), func(x logic.Term) bool {
		x = s.value(x)
		return s.unknowns[x] || b.Op(x) == logic.Maplet && s.open(x)
	})
}

// member solves x∈set, or x∉set: by known elements, and by the meaning of the operator.
func (s *solver) member(x, set logic.Term, sign bool, next func()) {
	bank, e := s.e.b, s.e
	x, set = s.value(x), s.value(set)
	if bank.IsTypeExpr(set) {
		if sign {
			next()
		}
		return
	}
	if s.unknowns[set] {
		next()
		return
	}
	if !s.open(set) {
		if node := e.g.Lookup(set); node != 0 {
			for _, y := range s.known(node, sign) {
				s.equal(x, y, next)
			}
		}
	}
	// Known elements come before the meaning of the set: they exist, and are few.
	m := kernel.Membership(bank.Op(set))
	switch {
	case bank.Op(set) == logic.Compr:
		f, err := kernel.Lookup("mem.pattern").Formula(bank, x, set)
		if err != nil {
			f, err = m.Formula(bank, x, set)
		}
		if err == nil {
			s.meaning(f, sign, next)
		}
	case m != nil:
		if f, err := m.Formula(bank, x, set); err == nil {
			s.meaning(f, sign, next)
		}
	case !s.open(x):
		next()
	}
}

// apply gives unknowns y the value f(x) where a conjunct of t is x↦y∈f and x is known.
func (s *solver) apply(t logic.Term, next func()) {
	bank := s.e.b
	if bank.Op(t) == logic.And {
		for _, part := range slices.Backward(bank.Args(t)) {
			rest := next
			next = func() { s.apply(part, rest) }
		}
		next()
		return
	}
	if bank.Op(t) == logic.In && bank.Op(bank.Arg(t, 0)) == logic.Maplet {
		x, y, f := s.value(bank.Arg(bank.Arg(t, 0), 0)), s.value(bank.Arg(bank.Arg(t, 0), 1)), bank.Arg(t, 1)
		if s.open(y) && !s.open(x) && !s.open(f) {
			s.equal(y, bank.App(logic.Apply, f, x), next)
			return
		}
	}
	next()
}

// meaning solves the right side of the definition f of a membership.
func (s *solver) meaning(f logic.Term, sign bool, next func()) {
	b := s.e.b
	if b.Op(f) == logic.Implies {
		f = b.Arg(f, 1)
	}
	s.solve(b.Arg(f, 1), sign, next)
}

// known returns the elements, or non-elements, of set n.
func (s *solver) known(n euf.Node, sign bool) []logic.Term {
	var out []logic.Term
	var seen []euf.Node
	s.e.eachElement(n, func(m euf.Node) {
		x := s.e.g.Args(m)[0]
		if v := s.e.truth(m); v == 0 || v > 0 != sign || slices.ContainsFunc(seen, func(y euf.Node) bool { return s.e.g.Equal(x, y) }) {
			return
		}
		seen = append(seen, x)
		out = append(out, s.e.g.Term(x))
	})
	return out
}

// subset solves u⊆v or u⊂v: an unknown u may be empty, or v, or a row of a product v.
func (s *solver) subset(t logic.Term, sign bool, next func()) {
	bank := s.e.b
	u, variable := s.value(bank.Arg(t, 0)), s.value(bank.Arg(t, 1))
	strict := bank.Op(t) == logic.Subset
	switch {
	case sign && s.unknowns[u] && !bank.Occurs(u, variable):
		if !strict {
			s.bind(u, variable, next)
		}
		s.bind(u, bank.Atom(logic.Empty, bank.Type(u)), next)
		if bank.Op(variable) == logic.CProd {
			s.row(u, bank.Arg(variable, 0), bank.Arg(variable, 1), next)
		}
	case sign && s.unknowns[variable] && !bank.Occurs(variable, u) && !strict:
		s.bind(variable, u, next)
	case !sign:
		x := s.unknown(bank.Elem(bank.Type(u)))
		s.member(x, u, true, func() { s.member(x, variable, false, next) })
	default:
		next()
	}
}

// row gives the unknown relation x the value from×{y} for some y∈to.
func (s *solver) row(x, from, to logic.Term, next func()) {
	b := s.e.b
	y := s.unknown(b.Elem(b.Type(to)))
	s.member(y, to, true, func() {
		s.fill([]logic.Term{y}, func() {
			s.bind(x, b.App(logic.CProd, from, b.App(logic.SetExt, s.value(y))), next)
		})
	})
}

// unequal solves x≠y.
func (s *solver) unequal(x, y logic.Term, next func()) {
	bank := s.e.b
	x, y = s.value(x), s.value(y)
	if x == y {
		return
	}
	if bank.Type(x) == logic.IntType && (s.open(x) || s.open(y)) {
		s.equal(x, bank.App(logic.Plus, y, bank.Int64(1)), next)
	}
	if bank.Op(x) == logic.Maplet && bank.Op(y) == logic.Maplet && (s.open(x) || s.open(y)) {
		s.unequal(bank.Arg(x, 0), bank.Arg(y, 0), next)
		s.unequal(bank.Arg(x, 1), bank.Arg(y, 1), next)
		return
	}
	next()
}

// compare solves x≤y and its like: by a bound as value, or by hope.
func (s *solver) compare(t logic.Term, sign bool, next func()) {
	bank := s.e.b
	x, y := s.value(bank.Arg(t, 0)), s.value(bank.Arg(t, 1))
	op := bank.Op(t)
	if op == logic.Ge || op == logic.Gt {
		x, y = y, x
	}
	strict := op == logic.Lt || op == logic.Gt
	if !sign {
		x, y, strict = y, x, !strict
	}
	if strict {
		x = bank.App(logic.Plus, x, bank.Int64(1))
	}
	if s.open(x) || s.open(y) {
		s.equal(x, y, next)
	}
	if d, ok := linear.Difference(s.e.b, x, y).Constant(); ok && d > 0 {
		return
	}
	next()
}

// fill gives the unknowns without value in the terms any values, and calls next.
func (s *solver) fill(ts []logic.Term, next func()) {
	bank := s.e.b
	for _, t := range ts {
		t = s.value(t)
		if !s.open(t) {
			continue
		}
		for _, x := range bank.FreeIdents(t) {
			if !s.unknowns[x] {
				continue
			}
			for _, variable := range s.e.anyValues(bank.Type(x)) {
				s.bind(x, variable, func() { s.fill(ts, next) })
			}
			return
		}
	}
	next()
}

// anyValues returns a few values of type t: one, or for sets ∅ and the whole type.
func (e *engine) anyValues(typ logic.Type) []logic.Term {
	bank := e.b
	switch bank.TypeKind(typ) {
	case logic.KindInt:
		return []logic.Term{bank.Int64(0)}
	case logic.KindBool:
		return []logic.Term{bank.App(logic.TrueE)}
	case logic.KindPow:
		return []logic.Term{bank.Atom(logic.Empty, typ), bank.TypeExpr(bank.Elem(typ))}
	case logic.KindProd:
		left, right := bank.Pair(typ)
		return []logic.Term{bank.App(logic.Maplet, e.anyValues(left)[0], e.anyValues(right)[0])}
	}
	for node := euf.Node(1); int(node) < len(e.terms.relevant); node++ {
		if term := e.g.Term(node); e.terms.relevant[node] && bank.Type(term) == typ && e.terms.gen[node] <= e.limit {
			return []logic.Term{term}
		}
	}
	return []logic.Term{bank.Choice([]logic.Type{typ}, 0, bank.App(logic.True))}
}
