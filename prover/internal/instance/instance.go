// Package instance caches what several attempts at one sequent share: instances of axioms and
// lemmas, and properties of single terms.
package instance

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/reuse"
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
	parts  list[[]kernel.Clause] // by term
	chosen map[quantified]*Choice
	ints   map[int64]logic.Term
	bounds list[bound] // by literal
	bodies reuse.Index // by formula and values
	kept   []*Body
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

// list has values for some terms or literals, which are few among all.
type list[V any] struct {
	places []int32 // 1 + the place of its value; 0 if it has none
	values []V
}

// at returns the value for n, which is made when it is first asked for.
func (l *list[V]) at(n int, made func() V) V {
	l.places = reuse.Reach(l.places, n)
	if l.places[n] == 0 {
		l.values = append(l.values, made())
		l.places[n] = int32(len(l.values))
	}
	return l.values[l.places[n]-1]
}

// NewTable returns an empty table for terms of b.
func NewTable(b *logic.Bank) *Table {
	return &Table{Bank: b, Polys: kernel.NewPolys(b), made: map[key]entry{}, chosen: map[quantified]*Choice{}, ints: map[int64]logic.Term{}}
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
	return t.parts.at(int(p), func() []kernel.Clause { return kernel.PropClauses(t.Bank, p) })
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
	b := t.bounds.at(int(l), func() bound {
		p, equal, err := t.Polys.Bound(l)
		return bound{p, equal, err == nil}
	})
	return b.poly, b.equal, b.ok
}

// Body returns the body of f with vals; nil if these are not of the types of its variables.
func (t *Table) Body(f logic.Term, vals []logic.Term) *Body {
	var buf [16]uint32
	key := append(buf[:0], uint32(f))
	for _, v := range vals {
		key = append(key, uint32(v))
	}
	if n, known := t.bodies.Find(key...); known {
		return t.kept[n]
	}
	if !t.fit(f, vals) {
		return nil
	}
	b := &Body{Term: t.Bank.Instantiate(t.Bank.Arg(f, 0), vals), Terms: append([]logic.Term{f}, vals...)}
	if len(t.kept) < maxBodies {
		t.bodies.Of(key...)
		t.kept = append(t.kept, b)
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
