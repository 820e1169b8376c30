package search

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/kernel"
)

// counts adds up the unions that equal set, whose elements are counted.
func (ts *terms) counts(set euf.Node) {
	ts.each(set, func(n euf.Node) {
		key := askKey{askUnion, ts.g.Term(n), 0}
		if ts.g.Op(n) == logic.Union && ts.opts.Only == nil && !ts.asked.has(key) {
			ts.asked.add(key)
			ts.addUp(ts.g.Term(n))
		}
	})
}

// maxParts is the number of parts up to which a union is added up: the clause has a literal for each two of them.
const maxParts = 32

// addUp adds, of a union, that it has as many elements as its parts together if these are finite and no two of them have an element
// in common.
func (ts *terms) addUp(union logic.Term) {
	parts, _ := ts.parts(union)
	if len(parts) > maxParts || !slices.ContainsFunc(parts, func(part logic.Term) bool { return ts.b.Op(part) != logic.SetExt }) {
		return // of single elements, lemmas of their own say how many there are
	}
	b, sums := ts.b, ts.sums(union)
	card := func(s logic.Term) logic.Term { return b.App(logic.Card, s) }
	all := make([]logic.Term, len(parts))
	for i, part := range parts {
		all[i] = card(part)
	}
	clause := kernel.Clause{kernel.LitOf(b, b.App(logic.Eq, card(union), b.App(logic.Plus, all...)))}
	total := total{ts.engine, nil, nil}
	total.plus(clause[0], card(union), -1)
	ts.frontier.await(ts.derived(func(d *derivation) {
		clause = append(clause, kernel.Neg(b.App(logic.Finite, parts[0])))
		for k, part := range parts[1:] {
			clause = append(clause, kernel.Neg(b.App(logic.Finite, part)))
			for j, other := range parts[:k+1] {
				clause = append(clause, ts.meet(d, parts, j, k+1).Not())
				if j > 0 {
					d.lemma("meet.union", sums[j-1], part, other)
				}
			}
			d.lemma("finite.union", sums[k], part)
			d.lemma("card.union.apart", sums[k], part)
			total.plus(kernel.LitOf(b, b.App(logic.Eq, card(sums[k+1]), b.App(logic.Plus, card(sums[k]), card(part)))).Not(), card(sums[k+1]), 1)
		}
		if last := sums[len(sums)-1]; last != union {
			set, number := b.App(logic.Eq, union, last), b.App(logic.Eq, card(union), card(last))
			d.equality(kernel.LitOf(b, set).Not(), kernel.LitOf(b, number))
			total.plus(kernel.LitOf(b, number).Not(), card(union), 1)
			ts.equal(d, union, sums)
		}
		d.state(total.clause, kernel.Step{Kind: kernel.Lin, Clause: total.clause, Coef: total.coef})
		d.follows(clause...)
	}))
}

// total is a linear combination of equations in the making.
type total struct {
	*engine
	clause kernel.Clause
	coef   []*big.Int
}

// plus adds literal l, an equation of which left is one side, so many times: left minus the other side.
func (t *total) plus(l kernel.Lit, left logic.Term, times int64) {
	if t.b.Arg(l.Atom(), 0) != left {
		times = -times
	}
	t.clause, t.coef = append(t.clause, l), append(t.coef, big.NewInt(times))
}

// meet returns the literal that parts j and k have no element in common, and states that it does not matter which comes first, if
// there is an atom for the other order alone.
func (ts *terms) meet(d *derivation, parts []logic.Term, j, k int) kernel.Lit {
	apart, turned := ts.apart(parts[j], parts[k]), ts.apart(parts[k], parts[j])
	if !ts.hasAtom(turned) || ts.hasAtom(apart) {
		return apart
	}
	d.lemma("meet.turned", parts[k], parts[j])
	return turned
}

// sums returns the unions of the first one, two, three, … parts of a union.
func (ts *terms) sums(union logic.Term) []logic.Term {
	b := ts.b
	parts, _ := ts.parts(union)
	sums := []logic.Term{parts[0]}
	for k, part := range parts[1:] {
		sums = append(sums, b.App(logic.Union, sums[k], part))
	}
	return sums
}

// takeUnion adds that a union of more than two is finite if its parts are, from one part to the next.
func (ts *terms) takeUnion(n euf.Node) {
	union := ts.g.Term(n)
	key := askKey{askUnion, union, union}
	if ts.g.Op(n) != logic.Union || len(ts.g.Args(n)) < 3 || ts.opts.Only != nil || ts.asked.has(key) {
		return
	}
	ts.asked.add(key)
	parts, _ := ts.parts(union)
	sums := ts.sums(union)
	if sums[len(sums)-1] != union {
		ts.derived(func(d *derivation) { ts.equal(d, union, sums) })
	}
	for k, part := range parts[1:] {
		ts.lemma("finite.union", sums[k], part)
	}
}

// equal derives that a union is equal to the last of its sums.
func (ts *terms) equal(d *derivation, union logic.Term, sums []logic.Term) {
	_, unions := ts.parts(union)
	d.same(union, sums[len(sums)-1], func(x logic.Term) {
		for _, u := range slices.Concat(unions, sums[1:]) {
			d.membership(x, u)
		}
	})
}

// parts returns what is united in a union, and the unions that it is written with.
func (ts *terms) parts(union logic.Term) (parts, unions []logic.Term) {
	if ts.b.Op(union) != logic.Union {
		return []logic.Term{union}, nil
	}
	unions = []logic.Term{union}
	for _, a := range ts.b.Args(union) {
		more, within := ts.parts(a)
		parts, unions = append(parts, more...), append(unions, within...)
	}
	return parts, unions
}

// apart is the literal that two sets have no element in common.
func (ts *terms) apart(s, t logic.Term) kernel.Lit {
	return kernel.LitOf(ts.b, ts.b.App(logic.Eq, ts.b.App(logic.Inter, s, t), ts.b.Atom(logic.Empty, ts.b.Type(s))))
}

// hasAtom reports whether there is an atom for l.
func (ts *terms) hasAtom(l kernel.Lit) bool {
	return int(l.Atom()) < len(ts.vars) && ts.vars[l.Atom()] != 0
}
