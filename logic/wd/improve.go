// Package wd owns what Rodin does to a raw well-definedness lemma before it is
// an obligation: flattening, and the removal of parts that other parts imply.
// It knows nothing of where lemmas come from.
package wd

import (
	"math"
	"slices"

	"github.com/gradine/gradine/logic"
)

// Lemma returns the well-definedness lemma of t as an obligation states it:
// D(t), flattened and improved.
func Lemma(b *logic.Bank, t logic.Term) logic.Term {
	return Improve(b, Flatten(b, b.D(t)))
}

// Assignment returns the well-definedness lemma of an assignment with the
// right-hand sides ts. Of x :∣ P, it is ∀x'·D(P): after are then the free
// identifiers x', and nil otherwise.
func Assignment(b *logic.Bank, after []logic.Term, ts ...logic.Term) logic.Term {
	var parts []logic.Term
	for _, t := range ts {
		if d := b.D(t); b.Op(d) != logic.True {
			parts = append(parts, d)
		}
	}
	d := b.And(parts...)
	if len(after) > 0 {
		decls, names := make([]logic.Type, len(after)), make([]string, len(after))
		for i, x := range after {
			decls[i], names[i] = b.Type(x), b.Name(x)
		}
		d = b.Quant(logic.Forall, decls, &logic.Hint{Names: names}, b.Abstract(d, after))
	}
	return Improve(b, Flatten(b, d))
}

// Improve removes redundant parts of the flattened predicate p, which stays
// equivalent. It looks at the tree of ∧, ⇒ and ∀ in p, whose leaves are all other
// predicates, and reads it as a list of lemmas A ⊢ c: leaf c under the
// antecedents A collected from left-hand sides. From left to right, it drops
//
//   - a leaf that is among its antecedents,
//   - a lemma A ⊢ c for which A' ⊢ c with A' ⊆ A is known,
//   - a known lemma that a later one subsumes in that way.
//
// Left-hand sides are assumptions: they are simplified by what is known outside,
// and what stands in them is known only inside and drops nothing outside.
//
// All ∀ are thought of as pulled to the root, so variables bound at the same
// depth are the same. An antecedent that stands under a ∀ of its own left-hand
// side is stronger than without; it is kept apart by the depth of that ∀.
func Improve(b *logic.Bank, p logic.Term) logic.Term {
	n := build(b, p)
	i := improver{b: b, depth: n.depth()}
	n.key(&i, 0)
	i.simplify(n, &scope{known: map[logic.Term][]*lemma{}})
	return Flatten(b, n.term(b))
}

// node is a node of the tree of ∧, ⇒, ∀ and leaves.
type node struct {
	op    logic.Op     // And, Implies, Forall; Invalid for a leaf
	pred  logic.Term   // leaf: the predicate; ∀: the quantifier
	kids  []*node      // Implies has two
	bare  logic.Term   // leaf: comparable with leaves at any depth
	level int          // ∀: variables bound outside
	decls []logic.Type // ∀
}

func build(b *logic.Bank, p logic.Term) *node {
	switch op := b.Op(p); op {
	case logic.And, logic.Implies, logic.Forall:
		n := &node{op: op, pred: p}
		for _, a := range b.Args(p) {
			n.kids = append(n.kids, build(b, a))
		}
		if op == logic.Forall {
			n.decls = b.Decls(p)
		}
		return n
	}
	return &node{pred: p}
}

// depth is the greatest number of variables bound around a leaf.
func (n *node) depth() int {
	d := 0
	for _, k := range n.kids {
		d = max(d, k.depth())
	}
	return d + len(n.decls)
}

// key makes the leaves comparable: as if all stood at the greatest depth.
func (n *node) key(i *improver, level int) {
	n.level = level
	if n.op == logic.Invalid {
		n.bare = i.b.Bare(i.b.Shift(n.pred, i.depth-level, 0))
	}
	for _, k := range n.kids {
		k.key(i, level+len(n.decls))
	}
}

// term is the predicate of n.
func (n *node) term(b *logic.Bank) logic.Term {
	top := b.App(logic.True)
	switch n.op {
	case logic.And:
		var ps []logic.Term
		for _, k := range n.kids {
			if p := k.term(b); p != top {
				ps = append(ps, p)
			}
		}
		return b.And(ps...)
	case logic.Implies:
		left, right := n.kids[0].term(b), n.kids[1].term(b)
		switch {
		case right == top || b.Bare(left) == b.Bare(right):
			return top
		case left == top:
			return right
		case b.Op(right) == logic.Implies:
			return b.App(logic.Implies, b.App(logic.And, left, b.Arg(right, 0)), b.Arg(right, 1))
		}
		return b.App(logic.Implies, left, right)
	case logic.Forall:
		if p := n.kids[0].term(b); p != top {
			return b.Quant(logic.Forall, n.decls, hint(b, n.pred), p)
		}
		return top
	}
	return n.pred
}

// antecedent is a predicate assumed; its variables from depth closed on are
// bound by a ∀ of its own.
type antecedent struct {
	bare   logic.Term
	closed int
}

const open = math.MaxInt

// lemma is leaf at under antecedents.
type lemma struct {
	antecedents []antecedent
	at          *node
}

// scope is a conjunction: what is known in it, and what is assumed.
type scope struct {
	outer   *scope // its lemmas are known, but cannot be dropped
	known   map[logic.Term][]*lemma
	assumed []antecedent
}

type improver struct {
	b     *logic.Bank
	depth int
}

// simplify drops what is redundant in n and records its lemmas in s.
func (i *improver) simplify(n *node, s *scope) {
	switch n.op {
	case logic.And, logic.Forall:
		for _, k := range n.kids {
			i.simplify(k, s)
		}
	case logic.Implies:
		i.simplify(n.kids[0], &scope{outer: s, known: map[logic.Term][]*lemma{}})
		before := len(s.assumed)
		i.assume(n.kids[0], s, open)
		i.simplify(n.kids[1], s)
		s.assumed = s.assumed[:before]
	default:
		i.leaf(n, s)
	}
}

// assume adds the parts of left-hand side n to what is assumed.
func (i *improver) assume(n *node, s *scope, closed int) {
	switch n.op {
	case logic.And:
		for _, k := range n.kids {
			i.assume(k, s, closed)
		}
	case logic.Forall:
		i.assume(n.kids[0], s, min(closed, n.level))
	default:
		a := antecedent{n.bare, closed}
		if n.op == logic.Implies {
			a.bare = i.b.Bare(i.b.Shift(n.term(i.b), i.depth-n.level, 0))
		}
		switch {
		case a.bare == i.b.App(logic.True):
		case implied(a, s.assumed):
			n.drop(i.b)
		default:
			s.assumed = append(s.assumed, a)
		}
	}
}

// drop makes n true.
func (n *node) drop(b *logic.Bank) {
	*n = node{pred: b.App(logic.True), bare: b.App(logic.True), level: n.level}
}

// implied reports whether one of as is a, or a with more variables closed.
func implied(a antecedent, as []antecedent) bool {
	return slices.ContainsFunc(as, func(x antecedent) bool { return x.bare == a.bare && x.closed <= a.closed })
}

// leaf records leaf n as a lemma unless it is redundant.
func (i *improver) leaf(n *node, s *scope) {
	if n.bare == i.b.App(logic.True) {
		return
	}
	if implied(antecedent{n.bare, open}, s.assumed) {
		n.drop(i.b)
		return
	}
	for o := s; o != nil; o = o.outer {
		for _, l := range o.known[n.bare] {
			if subsumes(l.antecedents, s.assumed) {
				n.drop(i.b)
				return
			}
		}
	}
	c := n.bare
	s.known[c] = slices.DeleteFunc(s.known[c], func(l *lemma) bool {
		if !subsumes(s.assumed, l.antecedents) {
			return false
		}
		l.at.drop(i.b)
		return true
	})
	s.known[c] = append(s.known[c], &lemma{slices.Clone(s.assumed), n})
}

// subsumes reports whether all of as are implied by bs.
func subsumes(as, bs []antecedent) bool {
	for _, a := range as {
		if !implied(a, bs) {
			return false
		}
	}
	return true
}
