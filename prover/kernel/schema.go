package kernel

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/logic"
)

// Schema is an axiom schema or a lemma: a formula with parameters.
//
// The schema of a membership, for the set operator Op, has the two parameters x
// and S, a term of Op, and says when x∈S. For the others, Params names the
// parameters with their types over the type variables α, β, γ; any types that
// make the formula well-typed will do for these.
type Schema struct {
	Name   string
	Op     logic.Op
	Params string
	// Sample gives arguments where Params cannot: terms with bound variables.
	sample func(m maker) []logic.Term
	body   func(m maker, a []logic.Term) logic.Term
}

// Formula returns the instance of s with args, which are closed terms of b, or
// says why there is none.
func (s *Schema) Formula(b *logic.Bank, args ...logic.Term) (t logic.Term, err error) {
	defer func() {
		if r := recover(); r != nil {
			bad, ok := r.(rejected)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s: %w", s.Name, bad.error)
		}
	}()
	for _, a := range args {
		if b.Depth(a) != 0 {
			return 0, fmt.Errorf("%s: argument with a dangling variable", s.Name)
		}
	}
	if n := s.arity(); n != len(args) {
		return 0, fmt.Errorf("%s: %d arguments for %d parameters", s.Name, len(args), n)
	}
	return s.body(maker{b}, args), nil
}

// Clauses returns ClausesOf the instance of s with args.
func (s *Schema) Clauses(b *logic.Bank, args ...logic.Term) ([]Clause, error) {
	t, err := s.Formula(b, args...)
	if err != nil {
		return nil, err
	}
	return ClausesOf(b, t), nil
}

func (s *Schema) arity() int {
	if s.Op != logic.Invalid {
		return 2
	}
	return len(strings.Fields(s.Params))
}

// Sample returns arguments that show s: free identifiers, or operators applied to
// some. The formula of these arguments is what s says.
func (s *Schema) Sample(b *logic.Bank) []logic.Term {
	m := maker{b}
	if s.sample != nil {
		return s.sample(m)
	}
	args := m.params(s.Params)
	if s.Op == logic.Invalid {
		return args
	}
	set := m.app(s.Op, args...)
	return []logic.Term{b.Free("x", b.Elem(b.Type(set))), set}
}

// maker builds formulas of schemata. It panics with rejected when that is ill-typed.
type maker struct{ *logic.Bank }

type rejected struct{ error }

func (m maker) check(t logic.Term, err error) logic.Term {
	if err != nil {
		panic(rejected{err})
	}
	return t
}

func (m maker) require(ok bool, why string) {
	if !ok {
		panic(rejected{errors.New(why)})
	}
}

func (m maker) app(op logic.Op, args ...logic.Term) logic.Term {
	return m.check(m.TryApp(op, args...))
}

func (m maker) eq(x, y logic.Term) logic.Term  { return m.app(logic.Eq, x, y) }
func (m maker) in(x, s logic.Term) logic.Term  { return m.app(logic.In, x, s) }
func (m maker) le(x, y logic.Term) logic.Term  { return m.app(logic.Le, x, y) }
func (m maker) lt(x, y logic.Term) logic.Term  { return m.app(logic.Lt, x, y) }
func (m maker) iff(p, q logic.Term) logic.Term { return m.app(logic.Iff, p, q) }
func (m maker) not(p logic.Term) logic.Term    { return m.app(logic.Not, p) }
func (m maker) num(v int64) logic.Term         { return m.Int64(v) }

func (m maker) pair(x, y logic.Term) logic.Term { return m.app(logic.Maplet, x, y) }

// implies returns p1∧…∧pn ⇒ q of p1, …, pn, q.
func (m maker) implies(ps ...logic.Term) logic.Term {
	n := len(ps) - 1
	return m.app(logic.Implies, m.and(ps[:n]...), ps[n])
}

func (m maker) and(ps ...logic.Term) logic.Term { return m.junction(logic.And, logic.True, ps) }
func (m maker) or(ps ...logic.Term) logic.Term  { return m.junction(logic.Or, logic.False, ps) }

// junction joins ps by op, without the unit and duplicates of it.
func (m maker) junction(op, unit logic.Op, ps []logic.Term) logic.Term {
	ps = slices.DeleteFunc(slices.Clone(ps), func(p logic.Term) bool { return m.Op(p) == unit })
	switch len(ps) {
	case 0:
		return m.app(unit)
	case 1:
		return ps[0]
	}
	return m.app(op, ps...)
}

// each maps ts.
func each(ts []logic.Term, f func(logic.Term) logic.Term) []logic.Term {
	var out []logic.Term
	for _, t := range ts {
		out = append(out, f(t))
	}
	return out
}

// bind quantifies over variables of the given types; body gets them in order.
// Terms that stand outside of binders may occur in the body only if closed.
func (m maker) bind(op logic.Op, body func(v []logic.Term) logic.Term, types ...logic.Type) logic.Term {
	vars := make([]logic.Term, len(types))
	for i, t := range types {
		m.require(t > logic.Prop, "no type to quantify over")
		vars[i] = m.Bound(len(types)-1-i, t)
	}
	return m.check(m.TryQuant(op, types, nil, body(vars)))
}

func (m maker) all(t logic.Type, body func(x logic.Term) logic.Term) logic.Term {
	return m.bind(logic.Forall, func(v []logic.Term) logic.Term { return body(v[0]) }, t)
}

func (m maker) some(t logic.Type, body func(x logic.Term) logic.Term) logic.Term {
	return m.bind(logic.Exists, func(v []logic.Term) logic.Term { return body(v[0]) }, t)
}

// elem returns τ of set s of type ℙ(τ).
func (m maker) elem(s logic.Term) logic.Type {
	t := m.Elem(m.Type(s))
	m.require(t != logic.NoType, "no set")
	return t
}

// ends returns σ and τ of relation r of type ℙ(σ×τ).
func (m maker) ends(r logic.Term) (logic.Type, logic.Type) {
	s, t := m.RelPair(m.Type(r))
	m.require(s != logic.NoType, "no relation")
	return s, t
}

// left and right return the components of pair x: those of a maplet, or prj1(x)
// and prj2(x).
func (m maker) left(x logic.Term) logic.Term  { return m.component(x, 0, logic.Prj1) }
func (m maker) right(x logic.Term) logic.Term { return m.component(x, 1, logic.Prj2) }

func (m maker) component(x logic.Term, i int, op logic.Op) logic.Term {
	if m.Op(x) == logic.Maplet {
		return m.Arg(x, i)
	}
	return m.app(logic.Apply, m.projection(op, m.Type(x)), x)
}

// projection returns prj1 or prj2 on pairs of type t.
func (m maker) projection(op logic.Op, t logic.Type) logic.Term {
	l, r := m.Pair(t)
	m.require(l != logic.NoType, "no pair")
	if op == logic.Prj2 {
		l = r
	}
	return m.check(m.TryAtom(op, m.RelType(t, l)))
}

func (m maker) empty(t logic.Type) logic.Term { return m.check(m.TryAtom(logic.Empty, t)) }

// params returns the free identifiers of a list "x:α s:ℙα f:ℙ(α×β)".
func (m maker) params(list string) []logic.Term {
	var out []logic.Term
	for _, p := range strings.Fields(list) {
		name, typ, _ := strings.Cut(p, ":")
		t, rest := m.typ([]rune(typ))
		if len(rest) > 0 {
			panic("kernel: malformed parameter " + p)
		}
		out = append(out, m.Free(name, t))
	}
	return out
}

// typ reads a type: ℤ, BOOL as B, a Greek letter, ℙτ or (σ×τ).
func (m maker) typ(r []rune) (logic.Type, []rune) {
	switch r[0] {
	case 'ℤ':
		return logic.IntType, r[1:]
	case 'B':
		return logic.BoolType, r[1:]
	case 'ℙ':
		t, rest := m.typ(r[1:])
		return m.PowType(t), rest
	case '(':
		s, rest := m.typ(r[1:])
		t, rest := m.typ(rest[1:])
		return m.ProdType(s, t), rest[1:]
	}
	return m.GivenType(string(r[0])), r[1:]
}
