package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// This file spreads memberships over equal sets and from sets to the sets that
// are built from them.
//
// Downward: if x∈s is true or false and s equals a set t with a meaning of its own
// (s = a∪b, say), then x∈t is created; congruence gives it the same value.
//
// Upward: if x∈s is true and s is part of a set t whose elements are wanted (t
// guards a quantifier, or stands in an equation or left of ⊆), then the
// corresponding membership in t is created and gets its value from the
// meaning of t, or, in the end, by a decision.

type askKind uint8

const (
	askPair askKind = iota
	askBounds
	askType
	askUnique
	askBool
	askEmpty
	askCompose
	askFinite
	askSolve
	askGraph
	askEqual
	askApply
	askBoolOf
	askUp
	askCompr
	askExtreme
)

// askKey names a rule application, so that it is made once.
type askKey struct {
	kind askKind
	a, b logic.Term
}

// functional is r∈σ⇸τ for whole types σ and τ, as a literal that became true.
type functional struct {
	lit sat.Lit
	r   euf.Node
	set logic.Term
}

// onMerge is called before two classes become one.
func (e *engine) onMerge(a, b euf.Node) {
	switch typ := e.b.Type(e.g.Term(a)); {
	case typ == logic.IntType:
		e.ar.merge(a, b)
	case e.b.Elem(typ) != logic.NoType:
		e.merged = append(e.merged, a, b)
	}
}

// each calls f for all members of n's class, as it is when the call is made.
func (e *engine) each(n euf.Node, f func(m euf.Node)) {
	var buf [16]euf.Node
	members := buf[:0]
	for m := n; ; {
		members = append(members, m)
		if m = e.g.Next(m); m == n {
			break
		}
	}
	e.steps += int64(len(members))
	for _, m := range members {
		f(m)
	}
}

// eachElement calls f for the membership nodes of class s.
func (e *engine) eachElement(s euf.Node, f func(n euf.Node)) {
	e.each(s, func(m euf.Node) {
		for _, p := range e.g.Memberships(m) {
			e.steps++
			f(p)
		}
	})
}

// truth returns 1, -1 or 0 for the value of predicate node n.
func (e *engine) truth(n euf.Node) int {
	switch e.g.Value(n) {
	case e.g.True:
		return 1
	case e.g.False:
		return -1
	}
	return 0
}

// sets works off merged set classes and new memberships. It reports whether it
// added clauses or atoms.
func (e *engine) sets() bool {
	clauses, atoms := e.sat.Clauses(), len(e.atoms)
	for len(e.merged) > 0 {
		todo := e.merged
		e.merged = nil
		seen := map[euf.Node]bool{}
		for _, s := range todo {
			if class := e.g.Find(s); !seen[class] {
				seen[class] = true
				e.onMerged(s)
			}
		}
	}
	seen := map[sat.Lit]bool{}
	for i := 0; i < len(e.recent); i++ {
		if l := e.recent[i]; !seen[l] && e.sat.Value(l) > 0 {
			seen[l] = true
			e.onMember(l)
		}
	}
	e.recent = e.recent[:0]
	return e.sat.Clauses() > clauses || len(e.atoms) > atoms
}

func (e *engine) onMerged(s euf.Node) {
	wanted, pattern := false, false
	e.each(s, func(m euf.Node) {
		wanted = wanted || e.interest[m]
		pattern = pattern || e.g.Op(m) == logic.Compr
	})
	if wanted {
		e.wantElements(s)
	}
	e.eachElement(s, func(n euf.Node) {
		e.again(n)
		e.typed(n)
	})
	if !pattern {
		return
	}
	e.each(s, func(m euf.Node) {
		for _, p := range e.g.Parents(m) {
			if e.g.Op(p) == logic.Dom {
				e.eachElement(p, e.again)
			}
		}
	})
}

// again puts membership n among the recent ones if it is true or false.
func (e *engine) again(n euf.Node) {
	if t := e.g.Term(n); int(t) < len(e.vars) && e.vars[t] != 0 {
		v := e.vars[t] - 1
		switch e.sat.Value(sat.Pos(v)) {
		case 1:
			e.recent = append(e.recent, sat.Pos(v))
		case -1:
			e.recent = append(e.recent, sat.Neg(v))
		}
	}
}

// tabulated looks at x∉dom(r), where r equals a set {z·P∣E↦F}: if x has the form of
// E, it is paired with the value of F.
func (e *engine) tabulated(x, dom euf.Node) {
	e.each(e.g.Args(dom)[0], func(r euf.Node) {
		c, xt := e.g.Term(r), e.g.Term(x)
		key := askKey{askUp, c, xt}
		if e.g.Op(r) != logic.Compr || e.asked[key] {
			return
		}
		e.asked[key] = true
		s := newSolver(e)
		var vals []logic.Term
		for _, d := range e.b.Decls(c) {
			vals = append(vals, s.unknown(d))
		}
		pair := e.b.Instantiate(e.b.Arg(c, 1), vals)
		if e.b.Op(pair) != logic.Maplet {
			return
		}
		found := false
		s.equal(e.b.Arg(pair, 0), xt, func() {
			if y := s.value(e.b.Arg(pair, 1)); !found && !s.open(y) {
				found = true
				e.entailed(xt, e.b.App(logic.Dom, c), y)
			}
		})
	})
}

// onMember draws consequences of a membership that became true or false.
func (e *engine) onMember(l sat.Lit) {
	n := e.nodes[l.Var()]
	if e.g.Op(n) == logic.Finite {
		e.ctx = e.gens[l.Var()]
		e.onFinite(l, e.b.Arg(e.g.Term(n), 0))
		e.matchLiteral(l)
		return
	}
	x, s := e.g.Args(n)[0], e.g.Args(n)[1]
	e.ctx = max(e.gens[l.Var()], 0)
	e.each(s, func(m euf.Node) {
		if m != s && kernel.Membership(e.g.Op(m)) != nil && !e.hasElement(x, m) {
			e.member(e.g.Term(x), e.g.Term(m))
		}
	})
	if l.IsNeg() {
		e.each(s, func(m euf.Node) {
			if e.g.Op(m) == logic.Dom {
				e.tabulated(x, m)
			}
		})
	}
	if t := e.g.Term(x); !l.IsNeg() && e.g.Pair(x) == 0 && e.b.TypeKind(e.b.Type(t)) == logic.KindProd {
		e.member(e.pairOf(t), e.g.Term(s))
	}
	if !l.IsNeg() {
		e.each(s, func(m euf.Node) {
			for _, p := range e.g.Parents(m) {
				e.steps++
				if e.interest[p] {
					e.upward(p, m, x)
				}
			}
		})
		for _, f := range e.functional {
			if e.g.Equal(f.r, s) {
				e.unique(f, x)
			}
		}
	}
	e.matchLiteral(l)
}

// hasElement reports whether a membership of x in m itself exists, up to equality.
func (e *engine) hasElement(x, m euf.Node) bool {
	for _, p := range e.g.Memberships(m) {
		if e.g.Equal(e.g.Args(p)[0], x) {
			return true
		}
	}
	return false
}

// addFunctional remembers that r is functional.
func (e *engine) addFunctional(l sat.Lit, r, set logic.Term) {
	f := functional{l, e.node(r), set}
	e.functional = append(e.functional, f)
	if kernel.Membership(e.b.Op(r)) != nil {
		e.wantElements(f.r)
	}
	e.eachElement(f.r, func(n euf.Node) {
		if e.truth(n) > 0 {
			e.unique(f, e.g.Args(n)[0])
		}
	})
}

// unique adds r(x) = y for a pair x↦y of the functional relation r.
func (e *engine) unique(f functional, pair euf.Node) {
	p := e.g.Pair(pair)
	if p == 0 || e.sat.Value(f.lit) <= 0 {
		return
	}
	t := e.g.Term(p)
	r := e.g.Term(f.r)
	key := askKey{askUnique, r, t}
	if e.asked[key] {
		return
	}
	e.asked[key] = true
	if y := e.b.Arg(t, 1); e.b.Op(y) == logic.Apply && e.b.Arg(y, 0) == r && e.b.Arg(y, 1) == e.b.Arg(t, 0) {
		return
	}
	e.axiom(sat.NoLit, "apply.unique", r, e.b.Arg(f.set, 0), e.b.Arg(f.set, 1), e.b.Arg(t, 0), e.b.Arg(t, 1))
}

// wantElements asks that memberships in s, and in the sets equal to it, be known.
func (e *engine) wantElements(s euf.Node) {
	e.each(s, func(m euf.Node) {
		if e.interest[m] {
			return
		}
		e.interest[m] = true
		args := e.g.Args(m)
		switch op := e.g.Op(m); op {
		case logic.SetExt:
			for _, a := range args {
				e.entailed(e.g.Term(a), e.g.Term(m))
			}
		case logic.Union, logic.Inter, logic.Diff, logic.Dom, logic.Ran, logic.Image, logic.Converse, logic.DomRes,
			logic.DomSub, logic.RanRes, logic.RanSub, logic.Ovr, logic.FComp, logic.BComp, logic.CProd:
			for _, a := range args {
				if e.b.Elem(e.b.Type(e.g.Term(a))) == logic.NoType {
					continue
				}
				e.wantElements(a)
				e.eachElement(a, func(n euf.Node) {
					if e.truth(n) > 0 {
						e.upward(m, a, e.g.Args(n)[0])
					}
				})
			}
		}
	})
}

// upward creates the memberships in s that x∈r may entail, where r equals the part
// `part` of s.
func (e *engine) upward(s, part, x euf.Node) {
	st, xt := e.g.Term(s), e.g.Term(x)
	args := e.g.Args(s)
	key := askKey{askUp, st, xt}
	if part != args[0] {
		key.b += 1 << 31
	}
	if e.asked[key] {
		return
	}
	half := func(i int) (logic.Term, bool) {
		if p := e.g.Pair(x); p != 0 {
			return e.b.Arg(e.g.Term(p), i), true
		}
		return 0, false
	}
	switch e.g.Op(s) {
	case logic.FComp, logic.BComp:
		e.compose(s, part, x)
		return
	case logic.Union, logic.Inter, logic.Ovr:
		e.entailed(xt, st)
	case logic.Diff, logic.RanRes, logic.RanSub:
		if part == args[0] {
			e.entailed(xt, st)
		}
	case logic.DomRes, logic.DomSub:
		if part == args[1] {
			e.entailed(xt, st)
		}
	case logic.Dom:
		a, ok := half(0)
		if !ok {
			return
		}
		b, _ := half(1)
		e.entailed(a, st, b)
	case logic.Ran:
		b, ok := half(1)
		if !ok {
			return
		}
		a, _ := half(0)
		e.entailed(b, st, a)
	case logic.Image:
		if part != args[0] {
			return
		}
		b, ok := half(1)
		if !ok {
			return
		}
		a, _ := half(0)
		e.entailed(b, st, a)
	case logic.Converse:
		a, ok := half(0)
		if !ok {
			return
		}
		b, _ := half(1)
		e.entailed(e.b.App(logic.Maplet, b, a), st)
	}
	e.asked[key] = true
}

// entailed creates x∈s and the clauses that may make it true; if it is an
// existential statement, for these witnesses.
func (e *engine) entailed(x, s logic.Term, witnesses ...logic.Term) {
	v := e.member(x, s)
	e.split(v)
	m := kernel.Membership(e.b.Op(s))
	if m == nil || e.b.IsTypeExpr(s) {
		return
	}
	l := sat.Neg(v)
	if e.takesPairs(s) && e.b.Op(x) != logic.Maplet {
		return
	}
	if !e.done[l] {
		e.done[l] = true
		e.schema(l, m, x, s)
	}
	if len(witnesses) == 0 {
		return
	}
	t, err := m.Formula(e.b, x, s)
	if err != nil {
		return
	}
	e.exhibit(e.b.Arg(t, 1), witnesses)
}

// exhibit adds that ∃z·P follows from P for the given values.
func (e *engine) exhibit(f logic.Term, vals []logic.Term) {
	c, err := kernel.InstClause(e.b, f, vals)
	if err != nil {
		return
	}
	e.add(c, kernel.Step{Kind: kernel.Inst, Terms: append([]logic.Term{f}, vals...)})
	e.exhibited[f] = append(e.exhibited[f], e.lit(c[1]).Not())
	if p := c[1].Atom(); e.b.Op(p) == logic.And {
		l := sat.Neg(e.atom(p))
		if !e.done[l] {
			e.done[l] = true
			e.connective(l, p)
		}
	}
}

// witnessed reports whether a pair of relation r whose component i equals x is
// known to be in r.
func (e *engine) witnessed(r, x logic.Term, i int) bool {
	found := false
	n := e.node(x)
	e.eachElement(e.node(r), func(m euf.Node) {
		if found || e.truth(m) <= 0 {
			return
		}
		if p := e.g.Pair(e.g.Args(m)[0]); p != 0 {
			found = e.g.Equal(e.g.Args(p)[i], n)
		}
	})
	return found
}

// sample creates the memberships of elements that sets of these kinds have, if
// they have any.
func (e *engine) sample(s euf.Node) {
	t := e.g.Term(s)
	switch e.g.Op(s) {
	case logic.Natural:
		e.entailed(e.b.Int64(0), t)
	case logic.Natural1:
		e.entailed(e.b.Int64(1), t)
	case logic.UpTo:
		e.entailed(e.b.Arg(t, 0), t)
		e.entailed(e.b.Arg(t, 1), t)
	case logic.Pow, logic.Rel, logic.PFun, logic.PInj:
		if e.b.IsTypeExpr(t) {
			return
		}
		e.entailed(e.b.Atom(logic.Empty, e.b.Elem(e.b.Type(t))), t)
	case logic.TFun:
		if y, ok := e.someElement(e.g.Args(s)[1]); ok {
			e.entailed(e.b.App(logic.CProd, e.b.Arg(t, 0), e.b.App(logic.SetExt, y)), t)
		}
	}
}

// someElement returns a term for an element that s has, if it has any.
func (e *engine) someElement(s euf.Node) (logic.Term, bool) {
	switch t := e.g.Term(s); e.b.Op(t) {
	case logic.Natural:
		return e.b.Int64(0), true
	case logic.Natural1:
		return e.b.Int64(1), true
	case logic.UpTo, logic.SetExt:
		return e.b.Arg(t, 0), true
	}
	for _, n := range e.g.Memberships(s) {
		if e.truth(n) > 0 {
			return e.g.Term(e.g.Args(n)[0]), true
		}
	}
	return 0, false
}

// compose creates the memberships in the composition s of two relations that
// follow from pair x of one of them, part, and a pair of the other one that meets it.
func (e *engine) compose(s, part, x euf.Node) {
	args := e.g.Args(s)
	p := e.g.Pair(x)
	if len(args) != 2 || p == 0 {
		return
	}
	first, second := args[0], args[1]
	if e.g.Op(s) == logic.BComp {
		first, second = second, first
	}
	join := func(p, q euf.Node) {
		a, b := e.g.Args(p), e.g.Args(q)
		key := askKey{askCompose, e.g.Term(p), e.g.Term(q)}
		if e.asked[key] || !e.g.Equal(a[1], b[0]) {
			return
		}
		e.asked[key] = true
		e.entailed(e.b.App(logic.Maplet, e.g.Term(a[0]), e.g.Term(b[1])), e.g.Term(s), e.g.Term(a[1]))
	}
	pairs := func(r euf.Node, f func(q euf.Node)) {
		var found []euf.Node
		e.eachElement(r, func(n euf.Node) {
			if q := e.g.Pair(e.g.Args(n)[0]); q != 0 && e.truth(n) > 0 {
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
