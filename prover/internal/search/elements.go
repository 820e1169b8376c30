package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// addFunctional remembers that r is functional.
func (ms *memberships) addFunctional(literal sat.Lit, right, set logic.Term) {
	f := functional{literal, ms.node(right), set}
	ms.functional = append(ms.functional, f)
	if kernel.Membership(ms.b.Op(right)) != nil {
		ms.wantElements(f.r)
	}
	ms.eachElement(f.r, func(node euf.Node) {
		if ms.truth(node) > 0 {
			ms.unique(f, ms.g.Args(node)[0])
		}
	})
}

// unique adds r(x) = y for a pair x↦y of the functional relation r.
func (ms *memberships) unique(f functional, pair euf.Node) {
	node := ms.g.Pair(pair)
	if node == 0 || ms.sat.Value(f.lit) <= 0 {
		return
	}
	t := ms.g.Term(node)
	right := ms.g.Term(f.r)
	key := askKey{askUnique, right, t}
	if ms.asked.has(key) {
		return
	}
	ms.asked.add(key)
	if y := ms.b.Arg(t, 1); ms.b.Op(y) == logic.Apply && ms.b.Arg(y, 0) == right && ms.b.Arg(y, 1) == ms.b.Arg(t, 0) {
		return
	}
	ms.axiom(sat.NoLit, "apply.unique", right, ms.b.Arg(f.set, 0), ms.b.Arg(f.set, 1), ms.b.Arg(t, 0), ms.b.Arg(t, 1))
}

// wantElements asks that memberships in s, and in the sets equal to it, be known.
func (ms *memberships) wantElements(s euf.Node) {
	if ms.wanted[s] {
		return // as are the sets that equal it, or will be, once settle looks at what has merged
	}
	ms.each(s, func(m euf.Node) {
		// Marked before its parts are looked at, for sets may contain each other.
		if ms.wanted[m] {
			return
		}
		ms.wanted[m] = true
		args := ms.g.Args(m)
		switch op := ms.g.Op(m); op {
		case logic.SetExt:
			for _, a := range args {
				ms.entailed(ms.g.Term(a), ms.g.Term(m))
			}
		case logic.Union, logic.Inter, logic.Diff, logic.Dom, logic.Ran, logic.Image, logic.Converse, logic.DomRes,
			logic.DomSub, logic.RanRes, logic.RanSub, logic.Ovr, logic.FComp, logic.BComp, logic.CProd:
			for _, a := range args {
				if ms.b.Elem(ms.b.Type(ms.g.Term(a))) == logic.NoType {
					continue
				}
				ms.wantElements(a)
				ms.eachElement(a, func(n euf.Node) {
					if ms.truth(n) > 0 {
						ms.upward(m, a, ms.g.Args(n)[0])
					}
				})
			}
		}
	})
}

// upward creates the memberships in s that x∈r may entail, where r equals the part
// `part` of s.
func (ms *memberships) upward(s, part, x euf.Node) {
	// Only known pairs are looked into: asking for the components of each element of a relation would
	// make new terms for each. The pair stands for x, as x may be equal to another one later on.
	first, second := logic.Term(0), logic.Term(0)
	args := ms.g.Args(s)
	switch ms.g.Op(s) {
	case logic.Dom, logic.Ran, logic.Image, logic.Converse:
		if x = ms.g.Pair(x); x == 0 || part != args[0] { // an element of t says nothing of r[t]
			return
		}
		first, second = ms.b.Arg(ms.g.Term(x), 0), ms.b.Arg(ms.g.Term(x), 1)
	}
	st, xt := ms.g.Term(s), ms.g.Term(x)
	key := askKey{askUp, st, xt}
	if part != args[0] {
		key.b += 1 << 31
	}
	if ms.asked.has(key) {
		return
	}
	switch ms.g.Op(s) {
	case logic.FComp, logic.BComp:
		ms.compose(s, part, x)
		return
	case logic.Union, logic.Inter, logic.Ovr:
		ms.entailed(xt, st)
	case logic.Diff, logic.RanRes, logic.RanSub:
		if part == args[0] {
			ms.entailed(xt, st)
		}
	case logic.DomRes, logic.DomSub:
		if part == args[1] {
			ms.entailed(xt, st)
		}
	case logic.Dom:
		ms.entailed(first, st, second)
	case logic.Ran:
		ms.entailed(second, st, first)
	case logic.Image:
		ms.entailed(second, st, first)
	case logic.CProd:
		ms.besideOne(s, part, x)
	case logic.Converse:
		ms.entailed(ms.b.App(logic.Maplet, second, first), st)
	}
	ms.asked.add(key)
}

// besideOne creates the pair that an element x of one factor, part, makes in product s if the other
// factor is a set of one element: with more, each element would be paired with each.
func (ms *memberships) besideOne(s, part, x euf.Node) {
	product := ms.g.Term(s)
	args := ms.g.Args(s)
	for i, factor := range args {
		other := ms.b.Arg(product, 1-i)
		if factor != part || ms.b.Op(other) != logic.SetExt || len(ms.b.Args(other)) != 1 {
			continue
		}
		pair := [2]logic.Term{}
		pair[i], pair[1-i] = ms.g.Term(x), ms.b.Arg(other, 0)
		ms.entailed(ms.b.App(logic.Maplet, pair[0], pair[1]), product)
	}
}

// entailed creates x∈s and the clauses that may make it true; if it is an
// existential statement, for these witnesses.
func (ms *memberships) entailed(x, set logic.Term, witnesses ...logic.Term) {
	variable := ms.member(x, set)
	ms.frontier.split(variable)
	m := kernel.Membership(ms.b.Op(set))
	if m == nil || ms.b.IsTypeExpr(set) {
		return
	}
	literal := sat.Neg(variable)
	if ms.takesPairs(set) && ms.b.Op(x) != logic.Maplet {
		return
	}
	if ms.unfolding.first(literal) {
		ms.schema(literal, m, x, set)
	}
	if len(witnesses) == 0 {
		return
	}
	t, err := m.Formula(ms.b, x, set)
	if err != nil {
		return
	}
	ms.exhibit(ms.b.Arg(t, 1), witnesses)
}

// exhibit adds that ∃z·P follows from P for the given values.
func (ms *memberships) exhibit(term logic.Term, vals []logic.Term) {
	clause, err := kernel.InstClause(ms.b, term, vals)
	if err != nil {
		return
	}
	ms.add(clause, kernel.Step{Kind: kernel.Inst, Terms: append([]logic.Term{term}, vals...)})
	ms.unfolding.exhibited[term] = append(ms.unfolding.exhibited[term], ms.lit(clause[1]).Not())
	if predicate := clause[1].Atom(); ms.b.Op(predicate) == logic.And {
		literal := sat.Neg(ms.atom(predicate))
		if ms.unfolding.first(literal) {
			ms.connective(literal, predicate)
		}
	}
}

// witnessed reports whether a pair of relation r whose component i equals x is
// known to be in r.
func (ms *memberships) witnessed(right, term logic.Term, i int) bool {
	found := false
	n := ms.node(term)
	ms.eachElement(ms.node(right), func(m euf.Node) {
		if found || ms.truth(m) <= 0 {
			return
		}
		if p := ms.g.Pair(ms.g.Args(m)[0]); p != 0 {
			found = ms.g.Equal(ms.g.Args(p)[i], n)
		}
	})
	return found
}

// sample creates the memberships of elements that sets of these kinds have, if
// they have any.
func (ms *memberships) sample(node euf.Node) {
	t := ms.g.Term(node)
	switch ms.g.Op(node) {
	case logic.Natural:
		ms.entailed(ms.b.Int64(0), t)
	case logic.Natural1:
		ms.entailed(ms.b.Int64(1), t)
	case logic.UpTo:
		ms.entailed(ms.b.Arg(t, 0), t)
		ms.entailed(ms.b.Arg(t, 1), t)
	case logic.Pow, logic.Rel, logic.PFun, logic.PInj:
		if ms.b.IsTypeExpr(t) {
			return
		}
		ms.entailed(ms.b.Atom(logic.Empty, ms.b.Elem(ms.b.Type(t))), t)
	case logic.TFun:
		if y, ok := ms.someElement(ms.g.Args(node)[1]); ok {
			ms.entailed(ms.b.App(logic.CProd, ms.b.Arg(t, 0), ms.b.App(logic.SetExt, y)), t)
		}
	}
}

// someElement returns a term for an element that s has, if it has any.
func (ms *memberships) someElement(s euf.Node) (logic.Term, bool) {
	switch term := ms.g.Term(s); ms.b.Op(term) {
	case logic.Natural:
		return ms.b.Int64(0), true
	case logic.Natural1:
		return ms.b.Int64(1), true
	case logic.UpTo, logic.SetExt:
		return ms.b.Arg(term, 0), true
	}
	for _, n := range ms.g.Memberships(s) {
		if ms.truth(n) > 0 {
			return ms.g.Term(ms.g.Args(n)[0]), true
		}
	}
	return 0, false
}

// compose creates the memberships in the composition s of two relations that
// follow from pair x of one of them, part, and a pair of the other one that meets it.
func (ms *memberships) compose(s, part, x euf.Node) {
	args := ms.g.Args(s)
	p := ms.g.Pair(x)
	if len(args) != 2 || p == 0 {
		return
	}
	// p∘q is q;p: from here on the pair of first ends where that of second begins.
	first, second := args[0], args[1]
	if ms.g.Op(s) == logic.BComp {
		first, second = second, first
	}
	join := func(p, q euf.Node) {
		a, b := ms.g.Args(p), ms.g.Args(q)
		key := askKey{askCompose, ms.g.Term(p), ms.g.Term(q)}
		if ms.asked.has(key) || !ms.g.Equal(a[1], b[0]) {
			return
		}
		ms.asked.add(key)
		ms.entailed(ms.b.App(logic.Maplet, ms.g.Term(a[0]), ms.g.Term(b[1])), ms.g.Term(s), ms.g.Term(a[1]))
	}
	// The pairs are collected first, as joining makes memberships, which the loop would see.
	pairs := func(r euf.Node, f func(q euf.Node)) {
		var found []euf.Node
		ms.eachElement(r, func(n euf.Node) {
			if q := ms.g.Pair(ms.g.Args(n)[0]); q != 0 && ms.truth(n) > 0 {
				found = append(found, q)
			}
		})
		for _, q := range found {
			f(q)
		}
	}
	if part == first {
		pairs(second, func(q euf.Node) { join(p, q) })
	}
	if part == second {
		pairs(first, func(q euf.Node) { join(q, p) })
	}
}

// typed adds x∈T for membership n of x in a set that equals a whole type T.
func (ms *memberships) typed(n euf.Node) {
	a := ms.g.Args(n)
	for m := ms.g.Next(a[1]); ; m = ms.g.Next(m) {
		if set := ms.g.Term(m); ms.b.IsTypeExpr(set) {
			term := ms.g.Term(a[0])
			if key := (askKey{askType, term, 0}); !ms.asked.has(key) {
				ms.asked.add(key)
				ms.axiom(sat.NoLit, "type", term)
			}
		}
		if m == a[1] {
			return
		}
	}
}
