// Package solve finds values for bound variables by solving the formula below them. It
// decomposes a predicate over unknowns by its connectives and set operators. Equations, known
// elements and bounds give the unknowns their values. Undecidable parts are assumed to hold. A
// solution is only a suggestion: the values of an instance, or a possible element of a set.
package solve

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/form"
	"github.com/gradine/gradine/prover/internal/linear"
	"github.com/gradine/gradine/prover/kernel"
)

// Bounds of one search for solutions. Searches are repeated for every quantifier in every round, so that one
// must not cost much more than the few instances that it finds.
const (
	maxWork     = 400 // visits of predicates and pairs of terms
	maxDepth    = 40
	maxUnknowns = 60
)

// Known is what a search knows when it asks for solutions: classes of equal terms, and which
// of them are true. Its functions cost steps of the search.
type Known struct {
	Bank     *logic.Bank
	Graph    *euf.Graph
	Each     func(n euf.Node, f func(m euf.Node))       // calls f for the members of n's class
	Elements func(set euf.Node, f func(in euf.Node))    // calls f for the memberships in set's class
	Truth    func(n euf.Node) int                       // 1, -1 or 0, of a predicate
	Eval     func(t logic.Term) int                     // likewise, of any predicate, without new terms
	Term     func(t logic.Type) (x logic.Term, ok bool) // a term of the search of that type

	guesses []int8 // by term: 1 if it mentions an unknown of a search for solutions, -1 if not
}

// Renew makes k ready for another bank; it keeps its memory.
func (k *Known) Renew(now Known) {
	now.guesses = k.guesses[:0]
	*k = now
}

// Solve calls next for ways to give predicate t the truth value sign.
func (s *Solver) Solve(t logic.Term, sign bool, next func()) {
	if s.Work++; s.Work > maxWork || s.depth > maxDepth || s.made > maxUnknowns {
		return
	}
	s.depth++
	defer func() { s.depth-- }()
	bank := s.known.Bank
	args := bank.Args(t)
	switch op := bank.Op(t); op {
	case logic.True, logic.False:
		if (op == logic.True) == sign {
			next()
		}
	case logic.Not:
		s.Solve(args[0], !sign, next)
	case logic.And, logic.Or:
		if (op == logic.And) == sign {
			s.every(args, sign, next)
			return
		}
		for _, a := range args {
			s.Solve(a, sign, next)
		}
	// Of alternatives, the one that says more about the unknowns comes first: a conclusion rather
	// than a false premise.
	case logic.Implies:
		if !sign {
			s.Solve(args[0], true, func() { s.Solve(args[1], false, next) })
			return
		}
		s.Solve(args[1], true, next)
		s.Solve(args[0], false, next)
	case logic.Iff:
		s.Solve(args[0], true, func() { s.Solve(args[1], sign, next) })
		s.Solve(args[0], false, func() { s.Solve(args[1], !sign, next) })
	case logic.Exists, logic.Forall:
		if (op == logic.Exists) != sign {
			next()
			return
		}
		var vals []logic.Term
		for _, typ := range bank.Decls(t) {
			vals = append(vals, s.Unknown(typ))
		}
		s.Solve(bank.Instantiate(args[0], vals), sign, next)
	case logic.Neq, logic.NotIn, logic.NotSubset, logic.NotSubsetEq:
		s.Solve(form.Positive(s.known.Bank, t), !sign, next)
	case logic.Eq:
		if sign {
			s.Equal(args[0], args[1], next)
		} else {
			s.unequal(args[0], args[1], next)
		}
	case logic.In:
		s.Member(args[0], args[1], sign, next)
	case logic.Subset, logic.SubsetEq:
		s.subset(t, sign, next)
	case logic.Le, logic.Lt, logic.Ge, logic.Gt:
		s.compare(t, sign, next)
	default:
		next()
	}
}

// every solves all of ts, first those that fix values.
func (s *Solver) every(ts []logic.Term, sign bool, next func()) {
	if len(ts) == 0 {
		next()
		return
	}
	at := max(0, slices.IndexFunc(ts, func(t logic.Term) bool { return s.fixes(t, sign) }))
	rest := slices.Delete(slices.Clone(ts), at, at+1)
	s.Solve(ts[at], sign, func() { s.every(rest, sign, next) })
}

// fixes reports whether t with truth value sign is an equation that gives an unknown
// its value.
func (s *Solver) fixes(t logic.Term, sign bool) bool {
	b := s.known.Bank
	if op := b.Op(t); op != logic.Eq && op != logic.Neq || (op == logic.Eq) != sign {
		return false
	}
	return slices.ContainsFunc(b.Args(t), func(x logic.Term) bool {
		x = s.Value(x)
		return s.unknowns[x] || b.Op(x) == logic.Maplet && s.Open(x)
	})
}

// Member solves x∈set, or x∉set: by known elements, and by the meaning of the operator.
func (s *Solver) Member(x, set logic.Term, sign bool, next func()) {
	bank := s.known.Bank
	x, set = s.Value(x), s.Value(set)
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
	if !s.Open(set) {
		if node := s.known.Graph.Lookup(set); node != 0 {
			for _, y := range s.elements(node, sign) {
				s.Equal(x, y, next)
			}
		}
	}
	// Known elements come before the meaning of the set: they exist, and are few.
	switch {
	case s.means(x, set, sign, next):
	case s.Open(x) && !s.Open(set):
		// A name means what it was defined to be.
		if node := s.known.Graph.Lookup(set); node != 0 {
			s.known.Each(node, func(m euf.Node) { s.means(x, s.known.Graph.Term(m), sign, next) })
		}
	case !s.Open(x):
		next()
	}
}

// means solves x∈set, or x∉set, by the meaning of the set, and reports whether it has one.
func (s *Solver) means(x, set logic.Term, sign bool, next func()) bool {
	bank := s.known.Bank
	m := kernel.Membership(bank.Op(set))
	if bank.Op(set) == logic.Compr {
		f, err := kernel.Lookup("mem.pattern").Formula(bank, x, set)
		if err != nil {
			f, err = m.Formula(bank, x, set)
		}
		if err == nil {
			s.meaning(f, sign, next)
		}
		return true
	}
	if m == nil {
		return false
	}
	if f, err := m.Formula(bank, x, set); err == nil {
		s.meaning(f, sign, next)
	}
	return true
}

// Apply gives unknowns y the value f(x) where a conjunct of t is x↦y∈f and x is known.
func (s *Solver) Apply(t logic.Term, next func()) {
	bank := s.known.Bank
	if bank.Op(t) == logic.And {
		for _, part := range slices.Backward(bank.Args(t)) {
			rest := next
			next = func() { s.Apply(part, rest) }
		}
		next()
		return
	}
	if bank.Op(t) == logic.In && bank.Op(bank.Arg(t, 0)) == logic.Maplet {
		x, y, f := s.Value(bank.Arg(bank.Arg(t, 0), 0)), s.Value(bank.Arg(bank.Arg(t, 0), 1)), bank.Arg(t, 1)
		if s.Open(y) && !s.Open(x) && !s.Open(f) {
			s.Equal(y, bank.App(logic.Apply, f, x), next)
			return
		}
	}
	next()
}

// meaning solves the right side of the definition f of a membership.
func (s *Solver) meaning(f logic.Term, sign bool, next func()) {
	b := s.known.Bank
	if b.Op(f) == logic.Implies {
		f = b.Arg(f, 1)
	}
	s.Solve(b.Arg(f, 1), sign, next)
}

// elements returns the elements, or non-elements, of set n.
func (s *Solver) elements(n euf.Node, sign bool) []logic.Term {
	var out []logic.Term
	var seen []euf.Node
	s.known.Elements(n, func(m euf.Node) {
		x := s.known.Graph.Args(m)[0]
		if v := s.known.Truth(m); v == 0 || v > 0 != sign || slices.ContainsFunc(seen, func(y euf.Node) bool { return s.known.Graph.Equal(x, y) }) {
			return
		}
		seen = append(seen, x)
		out = append(out, s.known.Graph.Term(x))
	})
	return out
}

// subset solves u⊆v or u⊂v: an unknown u may be empty, or v, or a row of a product v.
func (s *Solver) subset(t logic.Term, sign bool, next func()) {
	bank := s.known.Bank
	u, variable := s.Value(bank.Arg(t, 0)), s.Value(bank.Arg(t, 1))
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
		x := s.Unknown(bank.Elem(bank.Type(u)))
		s.Member(x, u, true, func() { s.Member(x, variable, false, next) })
	default:
		next()
	}
}

// row gives the unknown relation x the value from×{y} for some y∈to.
func (s *Solver) row(x, from, to logic.Term, next func()) {
	b := s.known.Bank
	y := s.Unknown(b.Elem(b.Type(to)))
	s.Member(y, to, true, func() {
		s.Fill([]logic.Term{y}, func() {
			s.bind(x, b.App(logic.CProd, from, b.App(logic.SetExt, s.Value(y))), next)
		})
	})
}

// unequal solves x≠y.
func (s *Solver) unequal(x, y logic.Term, next func()) {
	bank := s.known.Bank
	x, y = s.Value(x), s.Value(y)
	if x == y {
		return
	}
	if bank.Type(x) == logic.IntType && (s.Open(x) || s.Open(y)) {
		s.Equal(x, bank.App(logic.Plus, y, bank.Int64(1)), next)
	}
	if bank.Op(x) == logic.Maplet && bank.Op(y) == logic.Maplet && (s.Open(x) || s.Open(y)) {
		s.unequal(bank.Arg(x, 0), bank.Arg(y, 0), next)
		s.unequal(bank.Arg(x, 1), bank.Arg(y, 1), next)
		return
	}
	next()
}

// compare solves x≤y and its like: by a bound as value, or by hope.
func (s *Solver) compare(t logic.Term, sign bool, next func()) {
	bank := s.known.Bank
	x, y := s.Value(bank.Arg(t, 0)), s.Value(bank.Arg(t, 1))
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
	if s.Open(x) || s.Open(y) {
		s.Equal(x, y, next)
	}
	if d, ok := linear.Difference(s.known.Bank, x, y).Constant(); ok && d > 0 {
		return
	}
	next()
}

// Fill gives the unknowns without value in the terms any values, and calls next.
func (s *Solver) Fill(ts []logic.Term, next func()) {
	bank := s.known.Bank
	for _, t := range ts {
		t = s.Value(t)
		if !s.Open(t) {
			continue
		}
		for _, x := range bank.FreeIdents(t) {
			if !s.unknowns[x] {
				continue
			}
			for _, variable := range s.known.anyValues(bank.Type(x)) {
				s.bind(x, variable, func() { s.Fill(ts, next) })
			}
			return
		}
	}
	next()
}

// anyValues returns a few values of type t: one, or for sets ∅ and the whole type.
func (k *Known) anyValues(typ logic.Type) []logic.Term {
	bank := k.Bank
	switch bank.TypeKind(typ) {
	case logic.KindInt:
		return []logic.Term{bank.Int64(0)}
	case logic.KindBool:
		return []logic.Term{bank.App(logic.TrueE)}
	case logic.KindPow:
		return []logic.Term{bank.Atom(logic.Empty, typ), bank.TypeExpr(bank.Elem(typ))}
	case logic.KindProd:
		left, right := bank.Pair(typ)
		return []logic.Term{bank.App(logic.Maplet, k.anyValues(left)[0], k.anyValues(right)[0])}
	}
	if term, ok := k.Term(typ); ok {
		return []logic.Term{term}
	}
	return []logic.Term{bank.Choice([]logic.Type{typ}, 0, bank.App(logic.True))}
}
