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

// memberships owns what is known of elements of sets, and what is new of it.
type memberships struct {
	*engine
	recent     []sat.Lit  // memberships that became true or false
	merged     []euf.Node // members of set classes that grew
	wanted     []bool     // by node: sets whose elements should be known
	functional []functional
}

// grow makes room for new nodes.
func (ms *memberships) grow() {
	for len(ms.wanted) < ms.g.Len() {
		ms.wanted = append(ms.wanted, false)
	}
}

// assign notes that membership l, or its like, became true.
func (ms *memberships) assign(l sat.Lit) { ms.recent = append(ms.recent, l) }

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
		seen := map[euf.Node]bool{}
		for _, node := range todo {
			if class := ms.g.Find(node); !seen[class] {
				seen[class] = true
				ms.onMerged(node)
			}
		}
	}
	// Memberships with equal sides say the same. After sets became equal there are many of
	// these, and one of them is enough.
	seen := map[saying]bool{}
	for i := 0; i < len(ms.recent); i++ {
		literal := ms.recent[i]
		if ms.sat.Value(literal) <= 0 {
			continue
		}
		if say := ms.saying(literal); !seen[say] {
			seen[say] = true
			ms.onMember(literal)
		}
	}
	ms.recent = ms.recent[:0]
	return ms.sat.Clauses() > clauses || len(ms.atoms) > atoms
}

// saying is what a true membership or its like says, up to equality.
type saying struct {
	op   logic.Op
	neg  bool
	x, s euf.Node // the representatives of its arguments
}

func (ms *memberships) saying(l sat.Lit) saying {
	n := ms.nodes[l.Var()]
	args := ms.g.Args(n)
	say := saying{op: ms.g.Op(n), neg: l.IsNeg(), x: ms.g.Find(args[0])}
	if len(args) > 1 {
		say.s = ms.g.Find(args[1])
	}
	return say
}

func (ms *memberships) onMerged(s euf.Node) {
	wanted, pattern := false, false
	ms.each(s, func(m euf.Node) {
		wanted = wanted || ms.wanted[m]
		pattern = pattern || ms.g.Op(m) == logic.Compr
	})
	if wanted {
		ms.wantElements(s)
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
		if ms.g.Op(r) != logic.Compr || ms.asked[key] {
			return
		}
		ms.asked[key] = true
		// The solver only suggests: what it finds is checked as any other membership is.
		s := newSolver(ms.engine)
		var vals []logic.Term
		for _, typ := range ms.b.Decls(c) {
			vals = append(vals, s.unknown(typ))
		}
		pair := ms.b.Instantiate(ms.b.Arg(c, 1), vals)
		if ms.b.Op(pair) != logic.Maplet {
			return
		}
		found := false
		s.equal(ms.b.Arg(pair, 0), xt, func() {
			if y := s.value(ms.b.Arg(pair, 1)); !found && !s.open(y) {
				found = true
				ms.entailed(xt, ms.b.App(logic.Dom, c), y)
			}
		})
	})
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
	if ms.asked[key] {
		return
	}
	ms.asked[key] = true
	if y := ms.b.Arg(t, 1); ms.b.Op(y) == logic.Apply && ms.b.Arg(y, 0) == right && ms.b.Arg(y, 1) == ms.b.Arg(t, 0) {
		return
	}
	ms.axiom(sat.NoLit, "apply.unique", right, ms.b.Arg(f.set, 0), ms.b.Arg(f.set, 1), ms.b.Arg(t, 0), ms.b.Arg(t, 1))
}

// wantElements asks that memberships in s, and in the sets equal to it, be known.
func (ms *memberships) wantElements(s euf.Node) {
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
	st, xt := ms.g.Term(s), ms.g.Term(x)
	args := ms.g.Args(s)
	key := askKey{askUp, st, xt}
	if part != args[0] {
		key.b += 1 << 31
	}
	if ms.asked[key] {
		return
	}
	// Only known pairs are looked into: asking for the components of each element of a relation would
	// make new terms for each.
	half := func(i int) (logic.Term, bool) {
		if p := ms.g.Pair(x); p != 0 {
			return ms.b.Arg(ms.g.Term(p), i), true
		}
		return 0, false
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
		a, ok := half(0)
		if !ok {
			return
		}
		b, _ := half(1)
		ms.entailed(a, st, b)
	case logic.Ran:
		b, ok := half(1)
		if !ok {
			return
		}
		a, _ := half(0)
		ms.entailed(b, st, a)
	case logic.Image:
		if part != args[0] {
			return
		}
		b, ok := half(1)
		if !ok {
			return
		}
		a, _ := half(0)
		ms.entailed(b, st, a)
	case logic.Converse:
		a, ok := half(0)
		if !ok {
			return
		}
		b, _ := half(1)
		ms.entailed(ms.b.App(logic.Maplet, b, a), st)
	}
	ms.asked[key] = true
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
	ms.unfolding.exhibit(ms.b.Arg(t, 1), witnesses)
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
	first, second := args[0], args[1]
	if ms.g.Op(s) == logic.BComp {
		first, second = second, first
	}
	join := func(p, q euf.Node) {
		a, b := ms.g.Args(p), ms.g.Args(q)
		key := askKey{askCompose, ms.g.Term(p), ms.g.Term(q)}
		if ms.asked[key] || !ms.g.Equal(a[1], b[0]) {
			return
		}
		ms.asked[key] = true
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
			if key := (askKey{askType, term, 0}); !ms.asked[key] {
				ms.asked[key] = true
				ms.axiom(sat.NoLit, "type", term)
			}
		}
		if m == a[1] {
			return
		}
	}
}
