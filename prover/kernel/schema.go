package kernel

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/logic"
)

// Schema is an axiom schema or a lemma: a formula with parameters.
//
// Params lists the parameters, with their types over type variables α, β, γ: any
// types that make the formula well-typed will do for these. If Op is some
// operator, the one argument is a term of that operator instead; a Member schema
// has another argument x before it and says when x∈S.
type Schema struct {
	Name   string
	Op     logic.Op
	Member bool
	Params string
	lemma  bool
	body   func(m maker, a []term) term
}

type term = logic.Term

// Formula returns the instance of s with args, which are closed terms of b, or
// says why there is none.
func (s *Schema) Formula(b *logic.Bank, args ...logic.Term) (t logic.Term, err error) {
	defer catch(&err)
	return s.formula(b, args), nil
}

func (s *Schema) formula(bank *logic.Bank, args []term) term {
	arity := strings.Count(s.Params, ":")
	if s.Member {
		arity = 2
	} else if s.Op != logic.Invalid {
		arity = 1
	}
	need(len(args) == arity, "%s: %d arguments for %d parameters", s, len(args), arity)
	for i, a := range args {
		special := s.Op != logic.Invalid && i == len(args)-1
		need(!special || bank.Op(a) == s.Op, "%s: the argument has another operator", s)
		need(bank.Depth(a) == 0 && (special || bank.Type(a) != logic.Prop), "%s: an argument is not a closed term", s)
	}
	return s.body(maker{bank}, args)
}

// String returns the name of s.
func (s *Schema) String() string { return s.Name }

// Lemma reports whether s is a lemma.
func (s *Schema) Lemma() bool { return s.lemma }

// Clauses returns ClausesOf the instance of s with args.
func (s *Schema) Clauses(b *logic.Bank, args ...logic.Term) (cs []Clause, err error) {
	defer catch(&err)
	return ClausesOf(b, s.formula(b, args)), nil
}

// maker builds formulas of schemata. It refuses what is ill-typed.
type maker struct{ *logic.Bank }

func must(t term, err error) term {
	need(err == nil, "%v", err)
	return t
}

func (m maker) app(op logic.Op, args ...term) term { return must(m.TryApp(op, args...)) }
func (m maker) eq(x, y term) term                  { return m.app(logic.Eq, x, y) }
func (m maker) in(x, s term) term                  { return m.app(logic.In, x, s) }
func (m maker) le(x, y term) term                  { return m.app(logic.Le, x, y) }
func (m maker) lt(x, y term) term                  { return m.app(logic.Lt, x, y) }
func (m maker) iff(p, q term) term                 { return m.app(logic.Iff, p, q) }
func (m maker) not(p term) term                    { return m.app(logic.Not, p) }
func (m maker) pair(x, y term) term                { return m.app(logic.Maplet, x, y) }
func (m maker) apply(f, x term) term               { return m.app(logic.Apply, f, x) }
func (m maker) plus(x, y term) term                { return m.app(logic.Plus, x, y) }
func (m maker) times(x, y term) term               { return m.app(logic.Times, x, y) }
func (m maker) finite(s term) term                 { return m.app(logic.Finite, s) }
func (m maker) card(s term) term                   { return m.app(logic.Card, s) }
func (m maker) subset(s, t term) term              { return m.app(logic.SubsetEq, s, t) }
func (m maker) num(v int64) term                   { return m.Int64(v) }
func (m maker) empty(t logic.Type) term            { return must(m.TryAtom(logic.Empty, t)) }

// implies returns p1∧…∧pn ⇒ q of p1, …, pn, q.
func (m maker) implies(ps ...term) term {
	n := len(ps) - 1
	return m.app(logic.Implies, m.And(ps[:n]...), ps[n])
}

// each maps ts.
func each(ts []term, f func(term) term) (out []term) {
	for _, t := range ts {
		out = append(out, f(t))
	}
	return out
}

// bind quantifies over variables of the given types; body gets them in order.
func (m maker) bind(op logic.Op, body func(v []term) term, types ...logic.Type) term {
	var vars []term
	for i, t := range types {
		vars = append(vars, m.Bound(len(types)-1-i, t))
	}
	return must(m.TryQuant(op, types, nil, body(vars)))
}

func (m maker) all(t logic.Type, body func(x term) term) term {
	return m.bind(logic.Forall, func(v []term) term { return body(v[0]) }, t)
}

func (m maker) some(t logic.Type, body func(x term) term) term {
	return m.bind(logic.Exists, func(v []term) term { return body(v[0]) }, t)
}

// elem returns τ of set s of type ℙ(τ).
func (m maker) elem(s term) logic.Type {
	t := m.Elem(m.Type(s))
	need(t != logic.NoType, "not a set")
	return t
}

// from and to return σ and τ of relation r of type ℙ(σ×τ).
func (m maker) from(r term) logic.Type { return m.half(m.elem(r), logic.Prj1) }
func (m maker) to(r term) logic.Type   { return m.half(m.elem(r), logic.Prj2) }

// half returns the type of prj1 or prj2 of pairs of type t.
func (m maker) half(t logic.Type, op logic.Op) logic.Type {
	l, r := m.Pair(t)
	need(l != logic.NoType, "not a pair")
	if op == logic.Prj1 {
		return l
	}
	return r
}

// left and right return the components of pair x: those of a maplet, or prj1(x)
// and prj2(x).
func (m maker) left(x term) term  { return m.component(x, 0, logic.Prj1) }
func (m maker) right(x term) term { return m.component(x, 1, logic.Prj2) }

func (m maker) component(x term, i int, op logic.Op) term {
	if m.Op(x) == logic.Maplet {
		return m.Arg(x, i)
	}
	return m.apply(m.projection(op, m.Type(x)), x)
}

// projection returns prj1 or prj2 on pairs of type t.
func (m maker) projection(op logic.Op, t logic.Type) term {
	return must(m.TryAtom(op, m.RelType(t, m.half(t, op))))
}

// context returns P of ∀x·P, x of type t, as a function. Its argument may have
// dangling variables.
func (m maker) context(f term, t logic.Type) func(term) term {
	need(m.Op(f) == logic.Forall && slices.Equal(m.Decls(f), []logic.Type{t}), "not a context: ∀ with one variable of the type")
	return func(x term) term { return m.Instantiate(m.Arg(f, 0), []term{x}) }
}
