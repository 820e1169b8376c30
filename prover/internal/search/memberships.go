package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/internal/solve"
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

// assign notes that membership l, or its like, became true.
func (ms *memberships) assign(l sat.Lit) { ms.recent = append(ms.recent, l) }

// onMerge is called before two classes become one.
func (e *engine) onMerge(a, b euf.Node) {
	switch typ := e.b.Type(e.g.Term(a)); {
	case typ == logic.IntType:
		e.ar.merge(a, b)
	case e.b.Elem(typ) != logic.NoType:
		e.members.merged = append(e.members.merged, a, b)
	}
}

// settle works off merged set classes and new memberships. It reports whether it
// added clauses or atoms.
func (ms *memberships) settle() bool {
	clauses, atoms := ms.sat.Clauses(), len(ms.atoms)
	for len(ms.merged) > 0 {
		todo := ms.merged
		ms.merged = nil
		ms.classes.clear()
		for _, node := range todo {
			if ms.classes.add(ms.g.Find(node)) {
				ms.onMerged(node)
			}
		}
	}
	// Memberships with equal sides say the same. After sets became equal there are many of
	// these, and one of them is enough.
	ms.said.Reset()
	for i := 0; i < len(ms.recent); i++ {
		literal := ms.recent[i]
		if ms.sat.Value(literal) <= 0 {
			continue
		}
		say := ms.saying(literal)
		if _, again := ms.said.Of(say[:]...); !again {
			ms.onMember(literal)
		}
	}
	ms.recent = ms.recent[:0]
	return ms.sat.Clauses() > clauses || len(ms.atoms) > atoms
}

// saying is what a true membership or its like says, up to equality: the operator, and whether it is negated, and the
// representatives of its arguments.
func (ms *memberships) saying(l sat.Lit) [3]uint32 {
	n := ms.nodes[l.Var()]
	args := ms.g.Args(n)
	say := [3]uint32{uint32(ms.g.Op(n)) << 1, uint32(ms.g.Find(args[0]))}
	if l.IsNeg() {
		say[0] |= 1
	}
	if len(args) > 1 {
		say[2] = uint32(ms.g.Find(args[1]))
	}
	return say
}

// onMerged looks at what the members of a class, which has just grown, now have in common.
func (ms *memberships) onMerged(s euf.Node) {
	wanted, pattern, counted := false, false, false
	ms.each(s, func(m euf.Node) {
		counted = counted || !ms.opts.Uncounted && slices.Contains(ms.terms.uses[m], logic.Card)
		wanted = wanted || ms.wanted[m]
		pattern = pattern || ms.g.Op(m) == logic.Compr
	})
	if wanted {
		ms.wantElements(s)
	}
	if counted {
		ms.terms.counts(s)
	}
	ms.eachElement(s, func(n euf.Node) {
		ms.again(n)
		ms.typed(n)
	})
	if !pattern {
		return
	}
	ms.each(s, func(m euf.Node) {
		for _, p := range ms.g.Parents(m) {
			if ms.g.Op(p) == logic.Dom {
				ms.eachElement(p, ms.again)
			}
		}
	})
}

// again puts membership n among the recent ones if it is true or false.
func (ms *memberships) again(n euf.Node) {
	if t := ms.g.Term(n); int(t) < len(ms.vars) && ms.vars[t] != 0 {
		v := ms.vars[t] - 1
		switch ms.sat.Value(sat.Pos(v)) {
		case 1:
			ms.recent = append(ms.recent, sat.Pos(v))
		case -1:
			ms.recent = append(ms.recent, sat.Neg(v))
		}
	}
}

// tabulated looks at x∉dom(r), where r equals a set {z·P∣E↦F}: if x has the form of
// E, it is paired with the value of F.
func (ms *memberships) tabulated(x, dom euf.Node) {
	ms.each(ms.g.Args(dom)[0], func(r euf.Node) {
		c, xt := ms.g.Term(r), ms.g.Term(x)
		key := askKey{askUp, c, xt}
		if ms.g.Op(r) != logic.Compr || ms.asked.has(key) {
			return
		}
		ms.asked.add(key)
		// The solver only suggests: what it finds is checked as any other membership is.
		s := solve.New(&ms.known)
		var vals []logic.Term
		for _, typ := range ms.b.Decls(c) {
			vals = append(vals, s.Unknown(typ))
		}
		pair, predicate := ms.b.Instantiate(ms.b.Arg(c, 1), vals), ms.b.Instantiate(ms.b.Arg(c, 0), vals)
		if ms.b.Op(pair) != logic.Maplet {
			return
		}
		found := false
		s.Equal(ms.b.Arg(pair, 0), xt, func() {
			s.Apply(predicate, func() {
				y := s.Value(ms.b.Arg(pair, 1))
				if found || s.Open(y) {
					return
				}
				found = true
				ms.entailed(xt, ms.b.App(logic.Dom, c), y)
				ms.listed(ms.b.App(logic.Maplet, xt, y), c, s, vals)
			})
		})
	})
}

// listed adds that x is an element of {z·P∣E} for the values that the solver has found for z. Where E is made of the
// variables, x says what they are.
func (ms *memberships) listed(x, set logic.Term, s *solve.Solver, vals []logic.Term) {
	if _, err := kernel.Lookup("mem.pattern").Formula(ms.b, x, set); err == nil {
		return
	}
	values := make([]logic.Term, len(vals))
	for i, variable := range vals {
		if values[i] = s.Value(variable); s.Open(values[i]) {
			return
		}
	}
	ms.entailed(x, set, values...)
}

// onMember draws consequences of a membership that became true or false.
func (ms *memberships) onMember(literal sat.Lit) {
	n := ms.nodes[literal.Var()]
	if ms.g.Op(n) == logic.Finite {
		ms.ctx = ms.gens[literal.Var()]
		ms.terms.onFinite(literal, ms.b.Arg(ms.g.Term(n), 0))
		ms.instances.matchLiteral(literal)
		return
	}
	x, s := ms.g.Args(n)[0], ms.g.Args(n)[1]
	ms.ctx = max(ms.gens[literal.Var()], 0)
	// Downward, then upward, then to the quantifiers: what a set means may settle what would
	// otherwise be instantiated for.
	ms.each(s, func(m euf.Node) {
		if m != s && kernel.Membership(ms.g.Op(m)) != nil && !ms.hasElement(x, m) {
			ms.member(ms.g.Term(x), ms.g.Term(m))
		}
	})
	if literal.IsNeg() {
		ms.each(s, func(m euf.Node) {
			if ms.g.Op(m) == logic.Dom {
				ms.tabulated(x, m)
			}
		})
	}
	if term := ms.g.Term(x); !literal.IsNeg() && ms.g.Pair(x) == 0 && ms.b.TypeKind(ms.b.Type(term)) == logic.KindProd {
		ms.member(ms.pairOf(term), ms.g.Term(s))
	}
	if !literal.IsNeg() {
		ms.each(s, func(m euf.Node) {
			for _, p := range ms.g.Parents(m) {
				ms.steps++
				if ms.wanted[p] {
					ms.upward(p, m, x)
				}
			}
		})
		for _, f := range ms.functional {
			if ms.g.Equal(f.r, s) {
				ms.unique(f, x)
			}
		}
	}
	ms.instances.matchLiteral(literal)
}
