package search

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/form"
	"github.com/gradine/gradine/prover/internal/linear"
)

// equal solves x=y by unification, modulo the equations that hold and linear arithmetic.
func (s *solver) equal(x, y logic.Term, next func()) {
	if s.work++; s.work > solveWork {
		return
	}
	bank := s.e.b
	x, y = s.value(x), s.value(y)
	switch {
	case x == y:
		next()
	case s.unknowns[x]:
		// x=x+… has no solution as an equation of terms, but may have one as a linear equation.
		s.bind(x, y, next)
		if s.unknowns[y] || !s.e.guessed(y) || !bank.Occurs(x, y) {
			return
		}
		s.linear(x, y, next)
	case s.unknowns[y]:
		s.equal(y, x, next)
	case !s.open(x) && !s.open(y):
		s.closed(x, y, next)
	case bank.Op(x) == logic.Dom && s.unknowns[bank.Arg(x, 0)]:
		_, typ := bank.RelPair(bank.Type(bank.Arg(x, 0)))
		s.row(bank.Arg(x, 0), y, bank.TypeExpr(typ), next)
		s.congruent(x, y, next)
	case bank.Op(y) == logic.Dom && s.unknowns[bank.Arg(y, 0)]:
		s.equal(y, x, next)
	case bank.Op(x) == logic.Maplet || bank.Op(y) == logic.Maplet:
		s.equal(s.half(x, 0), s.half(y, 0), func() { s.equal(s.half(x, 1), s.half(y, 1), next) })
	case bank.Type(x) == logic.IntType:
		s.linear(x, y, next)
		s.congruent(x, y, next)
	default:
		s.congruent(x, y, next)
	}
}

// closed hopes for x=y between terms without unknowns, unless they are known to differ.
func (s *solver) closed(x, y logic.Term, next func()) {
	if d, ok := linear.Difference(s.e.b, x, y).Constant(); ok && d != 0 {
		return
	}
	eq := s.e.b.App(logic.Eq, x, y)
	if s.e.eval(eq) >= 0 {
		next()
	}
}

// half returns a component of the pair x.
func (s *solver) half(x logic.Term, i int) logic.Term {
	if n := s.e.g.Lookup(x); n != 0 && s.e.b.Op(x) != logic.Maplet {
		if p := s.e.g.Pair(n); p != 0 {
			return s.e.g.Term(s.e.g.Args(p)[i])
		}
	}
	return form.Component(s.e.b, x, i)
}

// congruent solves x=y by equal arguments of one operator: of x and y, or of the one
// with unknowns and a term known to equal the other.
func (s *solver) congruent(x, y logic.Term, next func()) {
	if s.open(x) && s.open(y) {
		s.arguments(x, y, next)
		return
	}
	if s.open(y) {
		x, y = y, x
	}
	n := s.e.g.Lookup(y)
	if n == 0 {
		s.arguments(x, y, next)
		return
	}
	s.e.each(n, func(m euf.Node) { s.arguments(x, s.e.g.Term(m), next) })
}

func (s *solver) arguments(x, y logic.Term, next func()) {
	bank := s.e.b
	v, w := bank.Args(x), bank.Args(y)
	if bank.Op(x) != bank.Op(y) || bank.Op(x).IsBinder() || len(v) != len(w) || len(v) == 0 {
		return
	}
	var step func(i int)
	step = func(i int) {
		if i == len(v) {
			next()
		} else if bank.Type(v[i]) == bank.Type(w[i]) {
			s.equal(v[i], w[i], func() { step(i + 1) })
		}
	}
	step(0)
}

// linear solves x=y by an unknown that stands in it with coefficient 1 or −1, or by the quotient that may be its value.
func (s *solver) linear(x, y logic.Term, next func()) {
	bank := s.e.b
	if bank.Type(x) != logic.IntType {
		return
	}
	d := linear.Difference(bank, x, y)
	single := func(u logic.Term, k int64) bool { return s.unknowns[u] && (k == 1 || k == -1) }
	if u, k, ok := d.Find(single); ok {
		if sum, ok := d.Without(u, -k); ok {
			s.bind(u, sum, next)
		}
		return
	}
	if u, k, ok := d.Find(func(u logic.Term, k int64) bool { return s.unknowns[u] && k != 0 }); ok {
		size := max(k, -k)
		if sum, ok := d.Without(u, -k/size); ok {
			s.bind(u, bank.App(logic.Div, sum, bank.Int64(size)), next)
		}
	}
}

// solver is the state of one search for solutions.
type solver struct {
	e        *engine
	unknowns map[logic.Term]bool
	made     int
	values   map[logic.Term]logic.Term // of unknowns; may mention others
	work     int
	depth    int
}

func newSolver(e *engine) *solver {
	return &solver{e: e, unknowns: map[logic.Term]bool{}, values: map[logic.Term]logic.Term{}}
}

// unknown returns a term of type t over new unknowns: a pair if t is a type of pairs.
func (s *solver) unknown(t logic.Type) logic.Term {
	b := s.e.b
	if l, r := b.Pair(t); l != logic.NoType {
		return b.App(logic.Maplet, s.unknown(l), s.unknown(r))
	}
	x := b.Free(unknownMark+strconv.Itoa(s.made), t)
	s.made++
	s.unknowns[x] = true
	return x
}

// unknownMark begins the names of unknowns, and no other.
const unknownMark = "?"

// guessed reports whether t mentions an unknown of any search for solutions. Hardly any term does.
func (e *engine) guessed(t logic.Term) bool {
	for len(e.guesses) <= int(t) {
		e.guesses = append(e.guesses, 0)
	}
	if e.guesses[t] == 0 {
		is := int8(-1)
		if e.b.Op(t) == logic.Free && strings.HasPrefix(e.b.Name(t), unknownMark) || slices.ContainsFunc(e.b.Args(t), e.guessed) {
			is = 1
		}
		e.guesses[t] = is
	}
	return e.guesses[t] > 0
}

// open reports whether t mentions unknowns.
func (s *solver) open(t logic.Term) bool {
	return s.e.guessed(t) && slices.ContainsFunc(s.e.b.FreeIdents(t), func(x logic.Term) bool { return s.unknowns[x] })
}

// value returns t with values for the unknowns that have one.
func (s *solver) value(t logic.Term) logic.Term {
	for len(s.values) > 0 && s.e.guessed(t) {
		u := s.e.b.Subst(t, s.values)
		if u == t {
			break
		}
		t = u
	}
	return t
}

// bind continues with t for the unknown x.
func (s *solver) bind(x, t logic.Term, next func()) {
	if s.e.guessed(t) && s.e.b.Occurs(x, t) {
		return
	}
	s.values[x] = t
	next()
	delete(s.values, x)
}
