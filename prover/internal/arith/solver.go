// Package arith implements the arithmetic theory of the prover. It decides linear integer
// arithmetic over opaque terms by simplex, rounding and branching, and adds lemmas about
// products, ÷, mod and powers. It is not trusted: every conflict, implied literal and lemma is
// a clause with the kernel steps that certify it.
//
// # Use
//
// Literals are the kernel's, in canonical form: atoms are t ≤ u and t = u. Atom registers the
// atoms that may be asserted. Share registers the integer terms whose equality other theories
// need. A search then calls
//
//	Push, Assert …       for each decision level, as literals become true
//	Check                after propositional propagation
//	Propagate, Explain   for literals that the bounds imply
//	Split                when Check succeeds: remaining cases of integrality and ≠
//	Classes              shared terms that are equal in the present model
//	Lemmas               about nonlinear terms that the present model violates
//	Pop                  to backtrack
//
// Everything is deterministic: answers depend only on the order of calls. Work counts the cost.
package arith

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/instance"
	"github.com/gradine/gradine/prover/kernel"
)

// Lemma is a valid clause and the kernel steps that derive it: the last of Steps
// states Clause, and From counts within Steps.
type Lemma struct {
	Clause kernel.Clause
	Steps  []kernel.Step
}

// Status is what Check found.
type Status uint8

// The outcomes of Check. Consistent is about rational values; integrality and
// disequalities are matters of Split.
const (
	Consistent Status = iota
	Conflicting
	Exhausted // the budget ran out
)

// Solver holds the atoms and the asserted constraints of one proof attempt.
type Solver struct {
	Only map[string]bool // lemmas that may be used; nil for all

	b     *logic.Bank
	table *instance.Table
	polys *kernel.Polys
	simplex

	atoms   []atom
	atomOf  []int32          // by predicate: atom + 1
	varOf   []int32          // by integer term: variable of the monomial + 1
	formOf  map[string]int32 // variables of forms with several monomials
	forms   []form           // by variable
	shared  []share
	shareOf []int32 // by integer term: place in shared + 1

	asserted []int32 // atoms, in order of assertion
	levels   []level
	implied  []implied
	fresh    []int32 // variables with atoms that Propagate has not seen

	seen    int // part of the trail that Propagate has seen
	round   int32
	touched []int32 // by variable: the round that found a new bound
	news    []kernel.Lit

	splits     int
	mark       int32               // round of Lemmas
	offered    map[offer]bool      // lemmas proposed
	multiplied map[logic.Term]bool // equations that are multiples of others

	key  []byte       // scratch
	ante []antecedent // scratch
}

type level struct{ bounds, asserted, implied int }

// form is what a variable stands for: a sum of monomials with coprime integer
// coefficients, the first one positive, and without constant.
type form struct {
	poly  kernel.Poly
	term  logic.Term // that poly is written as; 0 if not asked so far
	atoms []int32
	mark  int32 // round of Lemmas that found it active
}

type relation uint8

const (
	le    relation = iota // form ≤ k when true, form ≥ k+1 when false
	ge                    // form ≥ k when true, form ≤ k-1 when false
	eq                    // form = k when true, form ≠ k when false
	never                 // an equation without integer solution
)

// atom is a registered predicate t ≤ u or t = u, as a bound on a variable.
// Without rounding, t ≤ u says scale∗v ≤ raw, t = u that they are equal.
type atom struct {
	p     logic.Term
	v     int32 // -1: t − u is a constant, and t ≤ u says 0 ≤ raw
	rel   relation
	k     rat // raw/scale, rounded
	raw   rat
	scale rat
	value int8 // 1 asserted, -1 negation asserted, 0 neither

	listed bool  // registered
	why    int32 // implied by s.implied[why-1]
	stamp  int32 // round of Propagate that implied it
}

// New returns a solver for predicates over the terms of t.
func New(t *instance.Table) *Solver {
	s := &Solver{}
	s.Reset(t)
	return s
}

// Reset makes s a solver without atoms, in the memory that it has. What is not named here starts
// from zero.
func (s *Solver) Reset(t *instance.Table) {
	if s.formOf == nil {
		s.formOf, s.offered, s.multiplied = map[string]int32{}, map[offer]bool{}, map[logic.Term]bool{}
	}
	clear(s.formOf)
	clear(s.offered)
	clear(s.multiplied)
	clear(s.forms) // the polynomials are free
	*s = Solver{
		b: t.Bank, table: t, polys: t.Polys, formOf: s.formOf, offered: s.offered, multiplied: s.multiplied,
		simplex: simplex{vars: s.vars[:0], rows: s.rows[:0], trail: s.trail[:0]},
		atoms:   s.atoms[:0], atomOf: s.atomOf[:0], varOf: s.varOf[:0], forms: s.forms[:0], shared: s.shared[:0], shareOf: s.shareOf[:0],
		asserted: s.asserted[:0], levels: s.levels[:0], implied: s.implied[:0], fresh: s.fresh[:0],
		news: s.news[:0], touched: s.touched[:0], key: s.key[:0], ante: s.ante[:0],
	}
}

// Push opens a level.
func (s *Solver) Push() {
	s.levels = append(s.levels, level{len(s.trail), len(s.asserted), len(s.implied)})
}

// Pop returns to level n, counted from 0, and forgets what was asserted since.
func (s *Solver) Pop(n int) {
	if n >= len(s.levels) {
		return
	}
	l := s.levels[n]
	s.levels = s.levels[:n]
	s.undoTo(l.bounds)
	for _, a := range s.asserted[l.asserted:] {
		s.atoms[a].value = 0
	}
	s.asserted = s.asserted[:l.asserted]
	s.implied = s.implied[:l.implied]
	s.seen = min(s.seen, l.bounds)
}

// share is an integer term whose equality to others matters: mul∗v + add.
type share struct {
	t        logic.Term
	v        int32 // -1: t is constant
	mul, add rat
}

// offer names a lemma that was proposed.
type offer struct {
	name  string
	index int
	args  [3]logic.Term
}

// implied is a literal that Propagate found true, and the bounds that imply it:
// those of upper give the form an upper bound, those of lower a lower one.
type implied struct {
	l            kernel.Lit
	upper, lower []antecedent
}

// antecedent is a bound from above or below that reason imposes on the variable
// of its atom, and its Farkas multiplier, which is positive.
type antecedent struct {
	reason int32
	upper  bool
	mult   rat
}

// upper returns the upper bound that a, or its negation, imposes, if any.
func (a *atom) upper(neg bool) (rat, bool) {
	switch {
	case a.rel == le && !neg || a.rel == eq && !neg:
		return a.k, true
	case a.rel == ge && neg:
		return a.k.sub(one), true
	case a.rel == never && !neg:
		return a.k.floor(), true
	}
	return zero, false
}

// lower is the mirror image of upper.
func (a *atom) lower(neg bool) (rat, bool) {
	switch {
	case a.rel == ge && !neg || a.rel == eq && !neg:
		return a.k, true
	case a.rel == le && neg:
		return a.k.add(one), true
	case a.rel == never && !neg:
		return a.k.ceil(), true
	}
	return zero, false
}

// rowEntry returns entry k of r; entry −1 is the basic variable.
func (s *Solver) rowEntry(r *row, k int) (int32, rat) {
	if k < 0 {
		return r.basic, rint(-1)
	}
	return r.entries[k].v, r.entries[k].c
}
