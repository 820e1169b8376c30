package solve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/form"
	"github.com/gradine/gradine/prover/internal/linear"
	"github.com/gradine/gradine/prover/internal/reuse"
)

// Equal solves x=y by unification, modulo the equations that hold and linear arithmetic.
func (s *Solver) Equal(x, y logic.Term, next func()) {
	if s.Work++; s.Work > maxWork {
		return
	}
	bank := s.known.Bank
	x, y = s.Value(x), s.Value(y)
	switch {
	case x == y:
		next()
	case s.unknowns[x]:
		// x=x+… has no solution as an equation of terms, but may have one as a linear equation.
		s.bind(x, y, next)
		if s.unknowns[y] || !s.known.guessed(y) || !bank.Occurs(x, y) {
			return
		}
		s.linear(x, y, next)
	case s.unknowns[y]:
		s.Equal(y, x, next)
	case !s.Open(x) && !s.Open(y):
		s.closed(x, y, next)
	case bank.Op(x) == logic.Dom && s.unknowns[bank.Arg(x, 0)]:
		_, typ := bank.RelPair(bank.Type(bank.Arg(x, 0)))
		s.row(bank.Arg(x, 0), y, bank.TypeExpr(typ), next)
		s.congruent(x, y, next)
	case bank.Op(y) == logic.Dom && s.unknowns[bank.Arg(y, 0)]:
		s.Equal(y, x, next)
	case bank.Op(x) == logic.Maplet || bank.Op(y) == logic.Maplet:
		s.Equal(s.half(x, 0), s.half(y, 0), func() { s.Equal(s.half(x, 1), s.half(y, 1), next) })
	case bank.Type(x) == logic.IntType:
		s.linear(x, y, next)
		s.congruent(x, y, next)
	default:
		s.congruent(x, y, next)
	}
}

// closed hopes for x=y between terms without unknowns, unless they are known to differ.
func (s *Solver) closed(x, y logic.Term, next func()) {
	if d, ok := linear.Difference(s.known.Bank, x, y).Constant(); ok && d != 0 {
		return
	}
	eq := s.known.Bank.App(logic.Eq, x, y)
	if s.known.Eval(eq) >= 0 {
		next()
	}
}

// half returns a component of the pair x.
func (s *Solver) half(x logic.Term, i int) logic.Term {
	if n := s.known.Graph.Lookup(x); n != 0 && s.known.Bank.Op(x) != logic.Maplet {
		if p := s.known.Graph.Pair(n); p != 0 {
			return s.known.Graph.Term(s.known.Graph.Args(p)[i])
		}
	}
	return form.Component(s.known.Bank, x, i)
}

// congruent solves x=y by equal arguments of one operator: of x and y, or of the one
// with unknowns and a term known to equal the other.
func (s *Solver) congruent(x, y logic.Term, next func()) {
	if s.Open(x) && s.Open(y) {
		s.arguments(x, y, next)
		return
	}
	if s.Open(y) {
		x, y = y, x
	}
	n := s.known.Graph.Lookup(y)
	if n == 0 {
		s.arguments(x, y, next)
		return
	}
	s.known.Each(n, func(m euf.Node) { s.arguments(x, s.known.Graph.Term(m), next) })
}

func (s *Solver) arguments(x, y logic.Term, next func()) {
	bank := s.known.Bank
	v, w := bank.Args(x), bank.Args(y)
	if bank.Op(x) != bank.Op(y) || bank.Op(x).IsBinder() || len(v) != len(w) || len(v) == 0 {
		return
	}
	var step func(i int)
	step = func(i int) {
		if i == len(v) {
			next()
		} else if bank.Type(v[i]) == bank.Type(w[i]) {
			s.Equal(v[i], w[i], func() { step(i + 1) })
		}
	}
	step(0)
}

// linear solves x=y by an unknown that stands in it with coefficient 1 or −1, or by the quotient that may be its value.
func (s *Solver) linear(x, y logic.Term, next func()) {
	bank := s.known.Bank
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

// Solver is the state of one search for solutions.
type Solver struct {
	known    *Known
	unknowns map[logic.Term]bool
	made     int
	values   map[logic.Term]logic.Term // of unknowns; may mention others
	Work     int                       // visits of predicates and pairs of terms
	depth    int
}

// New returns a solver that has found nothing.
func New(known *Known) *Solver {
	return &Solver{known: known, unknowns: map[logic.Term]bool{}, values: map[logic.Term]logic.Term{}}
}

// Unknown returns a term of type t over new unknowns: a pair if t is a type of pairs.
func (s *Solver) Unknown(t logic.Type) logic.Term {
	b := s.known.Bank
	if l, r := b.Pair(t); l != logic.NoType {
		return b.App(logic.Maplet, s.Unknown(l), s.Unknown(r))
	}
	x := b.Free(unknownMark+strconv.Itoa(s.made), t)
	s.made++
	s.unknowns[x] = true
	return x
}

// unknownMark begins the names of unknowns, and no other.
const unknownMark = "?"

// guessed reports whether t mentions an unknown of any search for solutions. Hardly any term does.
func (k *Known) guessed(t logic.Term) bool {
	k.guesses = reuse.Reach(k.guesses, int(t))
	if k.guesses[t] == 0 {
		is := int8(-1)
		if k.Bank.Op(t) == logic.Free && strings.HasPrefix(k.Bank.Name(t), unknownMark) || slices.ContainsFunc(k.Bank.Args(t), k.guessed) {
			is = 1
		}
		k.guesses[t] = is
	}
	return k.guesses[t] > 0
}

// Open reports whether t mentions unknowns.
func (s *Solver) Open(t logic.Term) bool {
	return s.known.guessed(t) && (s.unknowns[t] || slices.ContainsFunc(s.known.Bank.Args(t), s.Open))
}

// Value returns t with values for the unknowns that have one.
func (s *Solver) Value(t logic.Term) logic.Term {
	for len(s.values) > 0 && s.known.guessed(t) {
		u := s.known.Bank.Subst(t, s.values)
		if u == t {
			break
		}
		t = u
	}
	return t
}

// bind continues with t for the unknown x.
func (s *Solver) bind(x, t logic.Term, next func()) {
	if s.known.guessed(t) && s.known.Bank.Occurs(x, t) {
		return
	}
	s.values[x] = t
	next()
	delete(s.values, x)
}
