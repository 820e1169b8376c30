// Package instance keeps what the attempts at one sequent have in common: instances of axioms and
// lemmas, and what else can be told from a term alone. It knows nothing of when it is wanted.
package instance

import (
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/trigger"
	"github.com/gradine/gradine/prover/kernel"
)

// Table makes clauses and triggers over the terms of one bank, and keeps them: the attempts at one
// sequent ask for the same ones over and over. What it returns is not to be changed. Nothing but
// time depends on what is kept.
type Table struct {
	Bank   *logic.Bank
	Polys  *kernel.Polys
	made   map[key]entry
	parts  [][]kernel.Clause // by term
	chosen map[quantified]*Choice
	ints   map[int64]logic.Term
	bounds []*bound // by literal
	bodies map[string]*Body
}

// Body is the body of a quantified formula with values for its variables.
type Body struct {
	Term   logic.Term
	Terms  []logic.Term // the formula and the values
	clause kernel.Clause
}

// maxBodies bounds how many of these are kept: enumeration goes through ever new values.
const maxBodies = 1 << 16

// bound is what the negation of a literal says of integers.
type bound struct {
	poly      kernel.Poly
	equal, ok bool
}

// quantified is a quantified formula, and how its triggers are chosen: see trigger.Chooser.
type quantified struct {
	f           logic.Term
	holds, sums bool
}

// Choice is the triggers of a quantified formula, and the closed terms that were met on the way.
type Choice struct {
	Triggers []trigger.Trigger
	Closed   []logic.Term
}

// key is a schema with arguments; most have at most this many.
type key struct {
	schema *kernel.Schema
	args   [4]logic.Term
}

type entry struct {
	clauses []kernel.Clause
	args    []logic.Term
	ok      bool
}

// NewTable returns an empty table for terms of b.
func NewTable(b *logic.Bank) *Table {
	return &Table{b, kernel.NewPolys(b), map[key]entry{}, nil, map[quantified]*Choice{}, map[int64]logic.Term{}, nil, map[string]*Body{}}
}

// Of returns the clauses of an instance of an axiom or a lemma, and the step that
// states the first of them: that of another differs in its index. Terms that the schema
// does not fit have none.
func (t *Table) Of(s *kernel.Schema, args ...logic.Term) (clauses []kernel.Clause, step kernel.Step, ok bool) {
	k := key{schema: s}
	small := copy(k.args[:], args) == len(args)
	e, known := t.made[k]
	if !known || !small {
		e.args = slices.Clone(args)
		made, err := s.Clauses(t.Bank, e.args...)
		e.clauses, e.ok = made, err == nil
		if small {
			t.made[k] = e
		}
	}
	if !e.ok {
		return nil, step, false
	}
	step = kernel.Step{Kind: kernel.Axiom, Name: s.Name, Terms: e.args}
	if s.Lemma() {
		step.Kind = kernel.Lemma
	}
	return e.clauses, step, true
}

// Parts returns the clauses that define connective p by its parts.
func (t *Table) Parts(p logic.Term) []kernel.Clause {
	t.parts = reach(t.parts, int(p))
	if t.parts[p] == nil {
		t.parts[p] = kernel.PropClauses(t.Bank, p)
	}
	return t.parts[p]
}

// Triggers returns the triggers of quantified formula f, see trigger.Chooser.
func (t *Table) Triggers(f logic.Term, holds, sums bool) *Choice {
	q := quantified{f, holds, sums}
	c, known := t.chosen[q]
	if !known {
		c = &Choice{}
		chooser := trigger.Chooser{Bank: t.Bank, Sums: sums, Closed: func(u logic.Term) { c.Closed = append(c.Closed, u) }}
		c.Triggers = chooser.Choose(f, holds)
		t.chosen[q] = c
	}
	return c
}

// Int returns an integer literal.
func (t *Table) Int(v *big.Int) logic.Term {
	if !v.IsInt64() {
		return t.Bank.Int(v)
	}
	term, known := t.ints[v.Int64()]
	if !known {
		term = t.Bank.Int(v)
		t.ints[v.Int64()] = term
	}
	return term
}

// Bound returns what the negation of l says of integers, see kernel.Polys, if it says anything.
func (t *Table) Bound(l kernel.Lit) (p kernel.Poly, equal, ok bool) {
	t.bounds = reach(t.bounds, int(l))
	b := t.bounds[l]
	if b == nil {
		p, equal, err := t.Polys.Bound(l)
		b = &bound{p, equal, err == nil}
		t.bounds[l] = b
	}
	return b.poly, b.equal, b.ok
}

// Body returns the body of f with vals; nil if these are not of the types of its variables.
func (t *Table) Body(f logic.Term, vals []logic.Term) *Body {
	var buf [64]byte
	key := binary.AppendUvarint(buf[:0], uint64(f))
	for _, v := range vals {
		key = binary.AppendUvarint(key, uint64(v))
	}
	b, known := t.bodies[string(key)]
	if !known && t.fit(f, vals) {
		b = &Body{Term: t.Bank.Instantiate(t.Bank.Arg(f, 0), vals), Terms: append([]logic.Term{f}, vals...)}
		if len(t.bodies) < maxBodies {
			t.bodies[string(key)] = b
		}
	}
	return b
}

func (t *Table) fit(f logic.Term, vals []logic.Term) bool {
	return slices.EqualFunc(t.Bank.Decls(f), vals, func(typ logic.Type, v logic.Term) bool { return t.Bank.Type(v) == typ })
}

// Clause returns the clause that states b as an instance, if the kernel has it.
func (t *Table) Clause(b *Body) (clause kernel.Clause, ok bool) {
	if b == nil {
		return nil, false
	}
	if b.clause == nil {
		made, err := kernel.InstClause(t.Bank, b.Terms[0], b.Terms[1:])
		if err != nil {
			return nil, false
		}
		b.clause = made
	}
	return b.clause, true
}

// reach returns list with a place n.
func reach[T any](list []T, n int) []T {
	if n < len(list) {
		return list
	}
	return append(list, make([]T, n+1-len(list))...)
}
