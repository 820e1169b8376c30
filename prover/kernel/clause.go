package kernel

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gradine/gradine/logic"
)

// Lit is a signed formula: an atom, or the negation of one. Its zero value is
// no literal. Two literals of one bank are the same formula when they are equal.
type Lit uint32

// Clause is a disjunction of literals. The empty clause is false.
type Clause []Lit

// Pos and Neg return the literals t and ¬t of t as it is. Most callers want
// LitOf, whose literals agree with those of the kernel's clauses.
func Pos(t logic.Term) Lit { return Lit(t) << 1 }

// Neg returns ¬t; see Pos.
func Neg(t logic.Term) Lit { return Lit(t)<<1 | 1 }

// Not returns the complement of l.
func (l Lit) Not() Lit { return l ^ 1 }

// Atom returns the formula that l signs.
func (l Lit) Atom() logic.Term { return logic.Term(l >> 1) }

// Negated reports whether l is the negation of its atom.
func (l Lit) Negated() bool { return l&1 == 1 }

// LitOf returns the canonical literal of predicate t. Its atom is none of ¬, ≠,
// ∉, ⊄, ⊈, <, >, ≥ (¬p is the complement of p, a<b that of b≤a, and so on), and
// an equation has its sides in the order of their indices. Every clause that
// the kernel computes consists of canonical literals.
func LitOf(b *logic.Bank, t logic.Term) Lit {
	l := plain(b, t)
	if a := l.Atom(); b.Op(a) == logic.Eq {
		if x, y := b.Arg(a, 0), b.Arg(a, 1); y < x {
			return Pos(b.App(logic.Eq, y, x)) | l&1
		}
	}
	return l
}

// positive has the relations that literals know as negations of others.
var positive = [logic.NumOps]logic.Op{
	logic.Neq: logic.Eq, logic.NotIn: logic.In, logic.NotSubset: logic.Subset, logic.NotSubsetEq: logic.SubsetEq,
}

// plain is LitOf without the order of equations.
func plain(bank *logic.Bank, term logic.Term) Lit {
	arg := func(i int) logic.Term { return bank.Arg(term, i) }
	switch op := bank.Op(term); op {
	case logic.Not:
		return plain(bank, arg(0)).Not()
	case logic.Neq, logic.NotIn, logic.NotSubset, logic.NotSubsetEq:
		return Neg(bank.App(positive[op], arg(0), arg(1)))
	case logic.Lt:
		return Neg(bank.App(logic.Le, arg(1), arg(0)))
	case logic.Gt:
		return Neg(bank.App(logic.Le, arg(0), arg(1)))
	case logic.Ge:
		return Pos(bank.App(logic.Le, arg(1), arg(0)))
	}
	return Pos(term)
}

// signed is LitOf of l as a formula.
func signed(b *logic.Bank, l Lit) Lit { return LitOf(b, l.Atom()) ^ l&1 }

// ClausesOf returns clauses that are together equivalent to predicate t: ∧ makes
// several, p⇔q is p⇒q and q⇒p, a premise p1∧…∧pn gives ¬p1 … ¬pn, and the parts
// of ∨ and the conclusion of ⇒ are taken apart likewise. Below that, formulas
// stay whole.
func ClausesOf(b *logic.Bank, t logic.Term) []Clause { return clauses(b, nil, t) }

// clauses returns the clauses of c ∨ t.
func clauses(bank *logic.Bank, clause Clause, t logic.Term) (out []Clause) {
	clause = slices.Clip(clause)
	switch args := bank.Args(t); bank.Op(t) {
	case logic.And:
		for _, a := range args {
			out = append(out, clauses(bank, clause, a)...)
		}
		return out
	case logic.Iff:
		return append(clauses(bank, premises(bank, clause, args[0]), args[1]), clauses(bank, premises(bank, clause, args[1]), args[0])...)
	case logic.Implies:
		return clauses(bank, premises(bank, clause, args[0]), args[1])
	}
	return []Clause{disjuncts(bank, clause, t)}
}

// premises appends the negated conjuncts of p to c.
func premises(bank *logic.Bank, clause Clause, predicate logic.Term) Clause {
	switch bank.Op(predicate) {
	case logic.True:
		return clause
	case logic.And:
		for _, term := range bank.Args(predicate) {
			clause = premises(bank, clause, term)
		}
		return clause
	}
	return append(clause, LitOf(bank, predicate).Not())
}

// disjuncts appends the disjuncts of p to c.
func disjuncts(bank *logic.Bank, clause Clause, predicate logic.Term) Clause {
	switch bank.Op(predicate) {
	case logic.False:
		return clause
	case logic.Or:
		for _, term := range bank.Args(predicate) {
			clause = disjuncts(bank, clause, term)
		}
		return clause
	case logic.Implies:
		return disjuncts(bank, premises(bank, clause, bank.Arg(predicate, 0)), bank.Arg(predicate, 1))
	}
	return append(clause, LitOf(bank, predicate))
}

// PropClauses returns the clauses that define formula t, a ⊤, ⊥, ∧, ∨, ⇒ or ⇔,
// by its immediate parts (no clauses for other formulas):
//
//	⊤: {t}    ⊥: {¬t}
//	p1∧…∧pn: {¬t,p1} … {¬t,pn} {t,¬p1,…,¬pn}
//	p1∨…∨pn: {t,¬p1} … {t,¬pn} {¬t,p1,…,pn}
//	p⇒q: {t,p} {t,¬q} {¬t,¬p,q}
//	p⇔q: {t,p,q} {t,¬p,¬q} {¬t,¬p,q} {¬t,p,¬q}
func PropClauses(bank *logic.Bank, t logic.Term) []Clause {
	f, op := Pos(t), bank.Op(t)
	var parts, negated Clause
	if op == logic.And || op == logic.Or || op == logic.Implies || op == logic.Iff {
		for _, a := range bank.Args(t) {
			parts, negated = append(parts, LitOf(bank, a)), append(negated, LitOf(bank, a).Not())
		}
	}
	switch op {
	case logic.True:
		return []Clause{{f}}
	case logic.False:
		return []Clause{{f.Not()}}
	case logic.And:
		return junction(f.Not(), parts)
	case logic.Or:
		return junction(f, negated)
	case logic.Implies:
		return junction(f, Clause{parts[0], negated[1]})
	case logic.Iff:
		p, q := parts[0], parts[1]
		return []Clause{{f, p, q}, {f, p.Not(), q.Not()}, {f.Not(), p.Not(), q}, {f.Not(), p, q.Not()}}
	}
	return nil
}

// junction returns {f,p} for each p of parts, and {¬f,¬p1,…,¬pn}.
func junction(f Lit, parts Clause) []Clause {
	out := make([]Clause, 0, len(parts)+1)
	last := append(make(Clause, 0, len(parts)+1), f.Not())
	for _, p := range parts {
		out = append(out, Clause{f, p})
		last = append(last, p.Not())
	}
	return append(out, last)
}

// InstClause returns {¬f, P[vals]} for f = ∀x·P, and {f, ¬P[vals]} for f = ∃x·P.
// The values are closed terms, one for each declaration, of its type.
func InstClause(b *logic.Bank, f logic.Term, vals []logic.Term) (c Clause, err error) {
	defer catch(&err)
	return inst(b, f, vals), nil
}

func inst(bank *logic.Bank, term logic.Term, vals []logic.Term) Clause {
	need(bank.Op(term) == logic.Forall || bank.Op(term) == logic.Exists, "no quantifier")
	decls := bank.Decls(term)
	need(len(decls) == len(vals), "%d values for %d bound variables", len(vals), len(decls))
	for i, variable := range vals {
		need(bank.Type(variable) == decls[i], "value %d has another type than the variable", i)
	}
	literal := LitOf(bank, bank.Instantiate(bank.Arg(term, 0), vals))
	if bank.Op(term) == logic.Forall {
		return Clause{Neg(term), literal}
	}
	return Clause{Pos(term), literal.Not()}
}

// Witnesses returns the choice terms of quantifier f: values that satisfy P of
// f = ∃x·P, if any do, and values that violate P of f = ∀x·P, if any do.
func Witnesses(bank *logic.Bank, term logic.Term) []logic.Term {
	predicate := bank.Arg(term, 0)
	switch {
	case bank.Op(term) == logic.Exists:
	case bank.Op(predicate) == logic.Not:
		predicate = bank.Arg(predicate, 0)
	default:
		predicate = bank.Not(predicate)
	}
	decls := bank.Decls(term)
	vals := make([]logic.Term, len(decls))
	for i := range decls {
		vals[i] = bank.Choice(decls, i, predicate)
	}
	return vals
}

// EpsClause returns {¬f, P[w]} for f = ∃x·P and {f, ¬P[w]} for f = ∀x·P, where w
// are the Witnesses of f.
func EpsClause(b *logic.Bank, f logic.Term) (c Clause, err error) {
	defer catch(&err)
	need(b.Op(f) == logic.Forall || b.Op(f) == logic.Exists, "no quantifier")
	c = inst(b, f, Witnesses(b, f))
	return Clause{c[0].Not(), c[1].Not()}, nil
}

// SubstClause returns {s≠t, ¬P[s], P[t]} for f = ∀x·P with one variable: equals
// for equals in any context, under binders too.
func SubstClause(b *logic.Bank, f, s, t logic.Term) (c Clause, err error) {
	defer catch(&err)
	need(b.Op(f) == logic.Forall, "a context is a ∀ with one variable")
	p, q := inst(b, f, []logic.Term{s}), inst(b, f, []logic.Term{t})
	return Clause{LitOf(b, b.App(logic.Eq, s, t)).Not(), p[1].Not(), q[1]}, nil
}

// need refuses unless ok.
func need(ok bool, format string, args ...any) {
	if !ok {
		panic(rejected{fmt.Errorf(format, args...)})
	}
}

// catch turns a refusal, by the kernel or by logic, into an error.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case rejected:
		*err = r.error
	case error:
		if !errors.Is(r, logic.ErrTooLarge) {
			panic(r)
		}
		*err = r
	default:
		panic(r)
	}
}

// rejected is what the kernel panics with when it rejects something; its exported
// functions turn it into an error.
type rejected struct{ error }
