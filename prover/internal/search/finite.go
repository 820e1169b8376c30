package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// onFinite asks, of a relation that is said not to be finite, whether it is a
// function with finite domain.
func (ts *terms) onFinite(literal sat.Lit, right logic.Term) {
	s, t := ts.b.RelPair(ts.b.Type(right))
	lemma := "finite.function"
	key := askKey{askFinite, right, 0}
	if !literal.IsNeg() {
		key.b = 1
	}
	ts.aboutEmpty(ts.b.Type(right))
	ts.each(ts.node(right), ts.takeUnion)
	if literal.IsNeg() {
		ts.asRange(right, false)
		ts.enclose(right)
	} else if op := ts.b.Op(right); op == logic.Compr || op == logic.Diff {
		ts.beyond(right)
	}
	if s == logic.NoType || !literal.IsNeg() && !ts.isGraph(right) || ts.asked.has(key) {
		return
	}
	ts.asked.add(key)
	ts.asDomain(right)
	if !literal.IsNeg() {
		ts.lemma("finite.dom", right)
		return
	}
	ts.lemma(lemma, right, ts.b.TypeExpr(s), ts.b.TypeExpr(t))
}

// asRange asks, of a set {z·P∣E} that is said not to be finite, or counted, whether it is the range of {z·P∣z↦E}:
// it has no more elements than there are values of z. Where E is z, that says nothing new.
func (ts *terms) asRange(set logic.Term, counted bool) {
	bank := ts.b
	if bank.Op(set) != logic.Compr {
		return
	}
	decls, predicate, value := bank.Decls(set), bank.Arg(set, 0), bank.Arg(set, 1)
	var tuple logic.Term
	for i, typ := range decls {
		variable := bank.Bound(len(decls)-1-i, typ)
		if i == 0 {
			tuple = variable
		} else {
			tuple = bank.App(logic.Maplet, tuple, variable)
		}
	}
	key := askKey{askRange, set, 0}
	if counted {
		key.b = 1
	}
	// Of z↦E, the values of z are the domain, and the function from z to z↦E would lead to one from z to z↦(z↦E).
	graphed := bank.Op(value) == logic.Maplet && bank.Arg(value, 0) == tuple
	if value == tuple || graphed && !counted || ts.asked.has(key) {
		return
	}
	ts.asked.add(key)
	graph := bank.Quant(logic.Compr, decls, nil, predicate, bank.App(logic.Maplet, tuple, value))
	ran := bank.App(logic.Ran, graph)
	if !counted {
		ts.frontier.split(ts.litOf(bank.App(logic.Eq, set, ran)).Var())
		ts.frontier.split(ts.litOf(bank.App(logic.Finite, ran)).Var())
		return
	}
	// As many as there are values of z, if E tells these apart.
	values := bank.Quant(logic.Compr, decls, nil, predicate, tuple)
	if bank.Op(predicate) == logic.In && bank.Arg(predicate, 0) == tuple && bank.Depth(bank.Arg(predicate, 1)) == 0 {
		values = bank.Arg(predicate, 1)
	}
	ts.lemma("card.values", graph, values, set)
}

// asDomain adds, of a set {z·P∣E↦F} that is said to be finite, or not, that its domain is {z·P∣E}: where E determines F, it has
// no more elements than that.
func (ts *terms) asDomain(set logic.Term) {
	bank := ts.b
	if bank.Op(set) != logic.Compr || bank.Op(bank.Arg(set, 1)) != logic.Maplet {
		return
	}
	value := bank.Arg(set, 1)
	left := bank.Quant(logic.Compr, bank.Decls(set), nil, bank.Arg(set, 0), bank.Arg(value, 0))
	dom := bank.App(logic.Dom, set)
	at := func(i int, z []logic.Term) logic.Term { return bank.Instantiate(bank.Arg(value, i), z) }
	equal := func(s, t logic.Term) kernel.Lit { return kernel.LitOf(bank, bank.App(logic.Eq, s, t)) }
	ts.derived(func(d *derivation) {
		d.same(dom, left, func(x logic.Term) {
			related, listed := d.membership(x, dom), d.membership(x, left)
			if d.failed {
				return
			}
			y := d.choose(related)[0]
			pair := bank.App(logic.Maplet, x, y)
			z := d.choose(d.membership(pair, set))
			d.equality(equal(pair, bank.App(logic.Maplet, at(0, z), at(1, z))).Not(), equal(x, at(0, z)))
			d.instance(listed, z...)

			z = d.choose(listed)
			y = at(1, z)
			pair = bank.App(logic.Maplet, x, y)
			d.instance(d.membership(pair, set), z...)
			d.equality(equal(x, at(0, z)).Not(), equal(pair, bank.App(logic.Maplet, at(0, z), y)))
			d.instance(related, y)
		})
	})
}

// enclose names a set that contains set, which is said not to be finite, by the form of it: all functions and relations between
// two sets are relations; the elements of {z·P∣z} lie in what P says that each part of z is in. Of
// a set of numbers, it asks for bounds.
func (ts *terms) enclose(set logic.Term) {
	bank := ts.b
	key := askKey{askEnclose, set, 0}
	if ts.asked.has(key) {
		return
	}
	ts.asked.add(key)
	if elements := bank.Elem(bank.Type(set)); ts.listed(elements) {
		ts.lemma("finite.subset", bank.TypeExpr(elements), set)
	}
	comprehension, pattern := set, logic.Term(0)
	// What is finite in a set is finite itself. The form of the set decides which other set encloses it.
	switch op := bank.Op(set); {
	case op == logic.QUnion:
		ts.asUnion(set)
		return
	case op >= logic.Rel && op <= logic.TBij:
		ts.lemma("finite.functions", bank.Arg(set, 0), bank.Arg(set, 1), set)
		return
	case op == logic.Dom && bank.Op(bank.Arg(set, 0)) == logic.Compr && bank.Op(bank.Arg(bank.Arg(set, 0), 1)) == logic.Maplet:
		comprehension = bank.Arg(set, 0)
		pattern = bank.Arg(bank.Arg(comprehension, 1), 0)
	case op == logic.Compr:
		pattern = bank.Arg(set, 1)
	case bank.Type(set) == bank.PowType(logic.IntType):
		ts.lemma("finite.bounded", set)
		return
	}
	if pattern == 0 {
		return
	}
	predicates := []logic.Term{bank.Arg(comprehension, 0)}
	if bank.Op(predicates[0]) == logic.And {
		predicates = bank.Args(predicates[0])
	}
	if around := ts.around(pattern, predicates); around != 0 {
		ts.lemma("finite.subset", around, set)
	}
}

// beyond adds, of a set of integers, that there are others beyond any number if it is finite.
func (ts *terms) beyond(set logic.Term) {
	key := askKey{askBeyond, set, 0}
	if ts.b.Type(set) != ts.b.PowType(logic.IntType) || ts.asked.has(key) {
		return
	}
	ts.asked.add(key)
	ts.lemma("infinite.beyond", set)
}

// listed reports whether all that a type is made of may be finite: the carrier sets that the attempt speaks of.
func (ts *terms) listed(typ logic.Type) bool {
	bank := ts.b
	switch bank.TypeKind(typ) {
	case logic.KindBool:
		return true
	case logic.KindGiven:
		return ts.g.Lookup(bank.TypeExpr(typ)) != 0
	case logic.KindPow:
		return ts.listed(bank.Elem(typ))
	case logic.KindProd:
		left, right := bank.Pair(typ)
		return ts.listed(left) && ts.listed(right)
	}
	return false
}

// asUnion asks, of ⋃z·P∣E, whether it is the union of the set of all E: of finitely many finite sets.
func (ts *terms) asUnion(set logic.Term) {
	bank := ts.b
	parts := bank.Quant(logic.Compr, bank.Decls(set), nil, bank.Args(set)...)
	union := bank.App(logic.GUnion, parts)
	ts.frontier.split(ts.litOf(bank.App(logic.Eq, set, union)).Var())
	ts.lemma("finite.union-of", parts)
}

// around returns a closed set that has the values of t, a tuple of bound variables, where the predicates hold; 0 if they
// do not name one.
func (ts *terms) around(t logic.Term, predicates []logic.Term) logic.Term {
	bank := ts.b
	switch bank.Op(t) {
	case logic.Maplet:
		left, right := ts.around(bank.Arg(t, 0), predicates), ts.around(bank.Arg(t, 1), predicates)
		if left == 0 || right == 0 {
			return 0
		}
		return bank.App(logic.CProd, left, right)
	case logic.Bound:
	default:
		return 0
	}
	var low, high logic.Term
	for _, predicate := range predicates {
		args := bank.Args(predicate)
		if len(args) != 2 {
			continue
		}
		x, other := args[0], args[1]
		op := bank.Op(predicate)
		if x != t && other == t {
			x, other = other, x
			switch op {
			case logic.Le, logic.Lt:
				op = logic.Ge
			case logic.Ge, logic.Gt:
				op = logic.Le
			}
		}
		// A bound with variables in it is not one bound for all elements.
		if bank.Depth(other) > 0 || x != t && op != logic.In {
			continue
		}
		switch op {
		case logic.In:
			switch set := ts.component(x, t, other); {
			case set == 0:
			case bank.Op(set) == logic.Natural || bank.Op(set) == logic.Natural1:
				// ℕ is a bound from below only; an upper bound may come from another predicate.
				low = bank.Int64(0)
			default:
				return set
			}
		case logic.SubsetEq, logic.Subset:
			return bank.App(logic.Pow, other)
		case logic.Eq:
			return bank.App(logic.SetExt, other)
		case logic.Le, logic.Lt:
			high = other
		case logic.Ge, logic.Gt:
			low = other
		}
	}
	if low == 0 || high == 0 {
		return 0
	}
	return bank.App(logic.UpTo, low, high)
}

// component returns the set of values of t if the pattern, in which it may occur, is in set.
func (ts *terms) component(pattern, t, set logic.Term) logic.Term {
	bank := ts.b
	if pattern == t {
		return set
	}
	if bank.Op(pattern) != logic.Maplet {
		return 0
	}
	if in := ts.component(bank.Arg(pattern, 0), t, bank.App(logic.Dom, set)); in != 0 {
		return in
	}
	return ts.component(bank.Arg(pattern, 1), t, bank.App(logic.Ran, set))
}

// fewElements is the number of elements up to which lemmas say that a set is finite.
const fewElements = 4

// takeApart asks whether t, a list of many elements, is equal to a union of lists of few, and whether that is finite.
func (ts *terms) takeApart(t logic.Term) {
	bank := ts.b
	args := bank.Args(t)
	if bank.Op(t) != logic.SetExt || len(args) <= fewElements {
		return
	}
	var parts []logic.Term
	for few := range slices.Chunk(args, fewElements) {
		parts = append(parts, bank.App(logic.SetExt, few...))
	}
	u := parts[0]
	for _, predicate := range parts[1:] {
		u = bank.App(logic.Union, u, predicate)
	}
	ts.frontier.split(ts.litOf(bank.App(logic.Eq, t, u)).Var())
	ts.frontier.split(ts.litOf(bank.App(logic.Finite, u)).Var())
}

// onCard compares set r with others whose elements are counted, as functions with
// their domains.
func (ts *terms) onCard(r logic.Term) {
	ts.asRange(r, true)
	for _, n := range ts.byOp[logic.Card] {
		s := ts.b.Arg(ts.g.Term(n), 0)
		ts.asGraph(r, s)
		ts.asGraph(s, r)
	}
}

// asGraph adds that the set f of pairs has as many elements as s if f is a function and
// s its domain.
func (ts *terms) asGraph(f, s logic.Term) {
	x, y := ts.b.RelPair(ts.b.Type(f))
	key := askKey{askGraph, f, s}
	if x != ts.b.Elem(ts.b.Type(s)) || !ts.isGraph(f) || ts.asked.has(key) {
		return
	}
	ts.asked.add(key)
	ts.lemma("card.graph", f, ts.b.TypeExpr(x), ts.b.TypeExpr(y), s)
}

// isGraph reports whether r is a function of the language, a comprehension of
// pairs, or a restriction of such a set.
func (ts *terms) isGraph(right logic.Term) bool {
	switch ts.b.Op(right) {
	case logic.Id, logic.Prj1, logic.Prj2, logic.Succ, logic.Pred:
		return true
	case logic.Compr:
		return ts.b.Op(ts.b.Arg(right, 1)) == logic.Maplet
	case logic.DomRes, logic.DomSub:
		return ts.isGraph(ts.b.Arg(right, 1))
	case logic.RanRes, logic.RanSub:
		return ts.isGraph(ts.b.Arg(right, 0))
	}
	return false
}

// aboutEmpty adds that ∅ of type t is finite and has 0 elements.
func (ts *terms) aboutEmpty(t logic.Type) {
	empty := ts.b.Atom(logic.Empty, t)
	if key := (askKey{askEmpty, empty, 0}); !ts.asked.has(key) {
		ts.asked.add(key)
		ts.axiom(sat.NoLit, "finite.empty", empty)
		ts.axiom(sat.NoLit, "card.empty", empty)
	}
}
