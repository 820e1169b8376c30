// Package wd simplifies raw well-definedness lemmas as Rodin does: it flattens them and removes
// parts that other parts imply.
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
func Assignment(bank *logic.Bank, after []logic.Term, ts ...logic.Term) logic.Term {
	var parts []logic.Term
	for _, t := range ts {
		if d := bank.D(t); bank.Op(d) != logic.True {
			parts = append(parts, d)
		}
	}
	d := bank.And(parts...)
	if len(after) > 0 {
		decls, names := make([]logic.Type, len(after)), make([]string, len(after))
		for i, x := range after {
			decls[i], names[i] = bank.Type(x), bank.Name(x)
		}
		d = bank.Quant(logic.Forall, decls, &logic.Hint{Names: names}, bank.Abstract(d, after))
	}
	return Improve(bank, Flatten(bank, d))
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
	i.simplify(n, newScope(nil))
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

func build(bank *logic.Bank, predicate logic.Term) *node {
	switch op := bank.Op(predicate); op {
	case logic.And, logic.Implies, logic.Forall:
		n := &node{op: op, pred: predicate}
		for _, term := range bank.Args(predicate) {
			n.kids = append(n.kids, build(bank, term))
		}
		if op == logic.Forall {
			n.decls = bank.Decls(predicate)
		}
		return n
	}
	return &node{pred: predicate}
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
func (n *node) term(bank *logic.Bank) logic.Term {
	top := bank.App(logic.True)
	switch n.op {
	case logic.And:
		var ps []logic.Term
		for _, k := range n.kids {
			if predicate := k.term(bank); predicate != top {
				ps = append(ps, predicate)
			}
		}
		return bank.And(ps...)
	case logic.Implies:
		left, right := n.kids[0].term(bank), n.kids[1].term(bank)
		switch {
		case right == top || bank.Bare(left) == bank.Bare(right):
			return top
		case left == top:
			return right
		// P⇒(Q⇒R) is written P∧Q⇒R, as Rodin does.
		case bank.Op(right) == logic.Implies:
			return bank.App(logic.Implies, bank.App(logic.And, left, bank.Arg(right, 0)), bank.Arg(right, 1))
		}
		return bank.App(logic.Implies, left, right)
	case logic.Forall:
		if predicate := n.kids[0].term(bank); predicate != top {
			return bank.Quant(logic.Forall, n.decls, hint(bank, n.pred), predicate)
		}
		return top
	}
	return n.pred
}

// antecedent is a predicate assumed, on top of those in rest. Its variables from
// depth closed on are bound by a ∀ of its own.
type antecedent struct {
	bare   logic.Term
	closed int
	weaker int // closed of the same predicate in rest; more than open if it is not there
	rest   *antecedent
	n      int // length of the list
}

// open is the depth closed of antecedents without a ∀ of their own.
const open = math.MaxInt - 1

// scope is a conjunction: what is known in it, and what is assumed.
type scope struct {
	outer   *scope // its lemmas are known, but cannot be dropped
	known   map[logic.Term][]lemma
	assumed *antecedent
	least   map[logic.Term]int // the least depth closed of each predicate assumed
}

func newScope(outer *scope) *scope {
	return &scope{outer: outer, known: map[logic.Term][]lemma{}, least: map[logic.Term]int{}}
}

// lemma is leaf at under antecedents.
type lemma struct {
	antecedents *antecedent
	at          *node
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
		i.simplify(n.kids[0], newScope(s))
		before := s.assumed
		i.assume(n.kids[0], s, open)
		i.simplify(n.kids[1], s)
		s.forget(before)
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
		bare := n.bare
		if n.op == logic.Implies {
			bare = i.b.Bare(i.b.Shift(n.term(i.b), i.depth-n.level, 0))
		}
		switch {
		case bare == i.b.App(logic.True):
		case s.implies(bare, closed):
			n.drop(i.b)
		default:
			s.assume(bare, closed)
		}
	}
}

func (s *scope) assume(bare logic.Term, closed int) {
	a := &antecedent{bare: bare, closed: closed, weaker: open + 1, rest: s.assumed, n: 1}
	if s.assumed != nil {
		a.n += s.assumed.n
	}
	if least, ok := s.least[bare]; ok {
		a.weaker = least
	}
	s.assumed = a
	s.least[bare] = closed
}

// forget returns to an earlier list of antecedents.
func (s *scope) forget(before *antecedent) {
	for ; s.assumed != before; s.assumed = s.assumed.rest {
		if a := s.assumed; a.weaker <= open {
			s.least[a.bare] = a.weaker
		} else {
			delete(s.least, a.bare)
		}
	}
}

// implies reports whether bare is assumed, with at least the variables from
// depth closed on bound.
func (s *scope) implies(bare logic.Term, closed int) bool {
	least, ok := s.least[bare]
	return ok && least <= closed
}

// impliesAll reports whether all antecedents of l are implied by those of s.
func (s *scope) impliesAll(l lemma) bool {
	for a := l.antecedents; a != nil; a = a.rest {
		if !s.implies(a.bare, a.closed) {
			return false
		}
	}
	return true
}

// drop makes n true.
func (n *node) drop(b *logic.Bank) {
	*n = node{pred: b.App(logic.True), bare: b.App(logic.True), level: n.level}
}

// leaf records leaf n as a lemma unless it is redundant.
func (i *improver) leaf(n *node, s *scope) {
	term := n.bare
	if term == i.b.App(logic.True) {
		return
	}
	if s.implies(term, open) {
		n.drop(i.b)
		return
	}
	for o := s; o != nil; o = o.outer {
		if slices.ContainsFunc(o.known[term], s.impliesAll) {
			n.drop(i.b)
			return
		}
	}
	s.known[term] = slices.DeleteFunc(s.known[term], func(l lemma) bool {
		if !implied(s.assumed, l.antecedents) {
			return false
		}
		l.at.drop(i.b)
		return true
	})
	s.known[term] = append(s.known[term], lemma{s.assumed, n})
}

// implied reports whether all antecedents of as are implied by bs.
func implied(as, bs *antecedent) bool {
	switch {
	case as == nil || as == bs:
		return true
	case bs == nil || as.n > bs.n:
		return false
	}
	s := newScope(nil)
	for b := bs; b != nil; b = b.rest {
		if least, ok := s.least[b.bare]; !ok || b.closed < least {
			s.least[b.bare] = b.closed
		}
	}
	return s.impliesAll(lemma{antecedents: as})
}
