package search

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
)

// Bounds of one round of equateArguments.
const (
	equateTerms = 40 // terms of one operator looked at
	equatePairs = 24 // equations to decide
)

// equateArguments asks whether sets are equal on which something depends: s and
// t, if h(s) and h(t) are different terms, or atoms of different truth values, and
// h is finite, card, min, max, or any operator that is applied to sets. If s≠t is
// chosen, an element that distinguishes them is given.
func (rs *resorts) equateArguments() bool {
	before := rs.asked.keys.Len()
	asked := 0
	for _, op := range []logic.Op{logic.Finite, logic.Card, logic.Min, logic.Max, logic.Apply, logic.In, logic.Image, logic.GUnion, logic.GInter} {
		nodes := rs.terms.byOp[op]
		if op == logic.Card && rs.opts.Uncounted {
			continue
		}
		if len(nodes) > equateTerms {
			nodes = nodes[:equateTerms]
		}
		for i, m := range nodes {
			if op == logic.Finite && rs.truth(m) < 0 || op == logic.Card {
				rs.orEmpty(m)
			}
			for _, n := range nodes[:i] {
				rs.steps++
				if asked < equatePairs && rs.mayEquate(m, n) && rs.equate(m, n) {
					asked++
				}
			}
		}
	}
	return rs.asked.keys.Len() > before
}

// equateParts is equateArguments for numbers f(s) and f(t) where s is a part of a relation, which may be t: arithmetic on what could
// be one number would only estimate it.
func (rs *resorts) equateParts() bool {
	before := rs.asked.keys.Len()
	nodes := rs.terms.byOp[logic.Apply]
	nodes = nodes[:min(len(nodes), equateTerms)]
	for i, m := range nodes {
		if rs.b.Type(rs.g.Term(m)) != logic.IntType {
			continue
		}
		for _, n := range nodes[:i] {
			rs.steps++
			if (rs.ofPart(m) || rs.ofPart(n)) && rs.mayEquate(m, n) {
				rs.equate(m, n)
			}
		}
	}
	return rs.asked.keys.Len() > before
}

// ofPart reports whether n is f(s) for what is left of a relation without some pairs, or for what is said of its elements.
func (rs *resorts) ofPart(n euf.Node) bool {
	switch rs.g.Op(rs.g.Args(n)[1]) {
	case logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub, logic.Compr:
		return true
	}
	return false
}

// orEmpty asks whether the argument of node n is empty.
func (rs *resorts) orEmpty(node euf.Node) {
	set := rs.g.Term(rs.g.Args(node)[0])
	key := askKey{askEqual, set, 0}
	if rs.asked.has(key) || rs.terms.gen[node] > rs.limit {
		return
	}
	rs.asked.add(key)
	rs.ctx = rs.terms.gen[node]
	if empty := rs.b.Atom(logic.Empty, rs.b.Type(set)); empty != set {
		rs.frontier.split(rs.litOf(rs.b.App(logic.Eq, set, empty)).Var())
	}
}

// mayEquate reports whether it matters that nodes m and n of one operator have
// equal arguments.
func (rs *resorts) mayEquate(m, n euf.Node) bool {
	if rs.terms.gen[m] > rs.limit || rs.terms.gen[n] > rs.limit || rs.g.Equal(m, n) {
		return false
	}
	if rs.g.Op(m).IsPredicate() {
		return rs.truth(m)*rs.truth(n) < 0
	}
	return rs.b.Type(rs.g.Term(m)) == rs.b.Type(rs.g.Term(n))
}

// equate asks for the equality of the one pair of arguments of m and n that are
// not known to be equal, if these are sets.
func (rs *resorts) equate(m, n euf.Node) bool {
	x, y := rs.g.Args(m), rs.g.Args(n)
	// If two arguments differ, equating one of them decides nothing.
	at := -1
	for i := range x {
		if rs.g.Equal(x[i], y[i]) {
			continue
		}
		if at >= 0 {
			return false
		}
		at = i
	}
	if at < 0 || at == 1 && rs.g.Op(m) == logic.In {
		return false
	}
	set, term := rs.g.Term(x[at]), rs.g.Term(y[at])
	switch rs.b.Op(set) {
	case logic.Prj1, logic.Prj2, logic.Id, logic.Succ, logic.Pred:
		return false
	case logic.Free:
		if rs.g.Op(m) == logic.Apply && at == 0 && rs.b.Op(term) == logic.Free {
			return false
		}
	}
	if rs.b.Type(set) != rs.b.Type(term) || rs.b.Elem(rs.b.Type(set)) == logic.NoType {
		return false
	}
	key := askKey{askEqual, min(set, term), max(set, term)}
	if rs.asked.has(key) {
		return false
	}
	rs.asked.add(key)
	rs.ctx = max(rs.terms.gen[m], rs.terms.gen[n])
	rs.frontier.split(rs.litOf(rs.b.App(logic.Eq, set, term)).Var())
	return true
}

// spell asks whether the set in f({z·x∈s∣E}) is what it is by the elements of s, where s is listed, or the union of listed sets and
// others: f({E[a]}) is spoken of where f({z·x∈{a}∣E}) is not.
func (ts *terms) spell(node euf.Node) {
	set := ts.g.Term(ts.g.Args(node)[1])
	key := askKey{askSpell, set, 0}
	if ts.b.Op(set) != logic.Compr || ts.asked.has(key) {
		return
	}
	ts.asked.add(key)
	if plain := ts.spelled(set); plain != set {
		ts.ctx = ts.gen[node]
		ts.frontier.split(ts.litOf(ts.b.App(logic.Eq, set, plain)).Var())
	}
}

// spelled returns set, a comprehension {z·x∈s∣E}, as E for each element that s lists, and the same for other sets that
// s unites; set itself if s is of no such form.
func (ts *terms) spelled(set logic.Term) logic.Term {
	bank := ts.b
	condition, element := bank.Arg(set, 0), bank.Arg(set, 1)
	if bank.Op(condition) != logic.In || bank.Depth(bank.Arg(condition, 1)) > 0 {
		return set
	}
	x, from := bank.Arg(condition, 0), bank.Arg(condition, 1)
	switch bank.Op(from) {
	case logic.SetExt:
		var elements []logic.Term
		for _, a := range bank.Args(from) {
			vals := make([]logic.Term, len(bank.Decls(set)))
			if !ts.matchPattern(a, x, vals) || slices.Contains(vals, 0) {
				return set
			}
			elements = append(elements, bank.Instantiate(element, vals))
		}
		return bank.App(logic.SetExt, elements...)
	case logic.Union:
		var parts []logic.Term
		for _, part := range bank.Args(from) {
			parts = append(parts, ts.spelled(bank.Quant(logic.Compr, bank.Decls(set), nil, bank.App(logic.In, x, part), element)))
		}
		return bank.App(logic.Union, parts...)
	}
	return set
}
