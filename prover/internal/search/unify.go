package search

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/form"
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
	if d, ok := s.difference(x, y).constant(); ok && d != 0 {
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

// sum is a linear combination of terms, plus a number.
type sum struct {
	b     *logic.Bank
	terms []logic.Term
	coefs map[logic.Term]int64
	num   int64
	bad   bool // too large a number
}

// difference returns x−y.
func (s *solver) difference(x, y logic.Term) *sum {
	d := &sum{b: s.e.b, coefs: map[logic.Term]int64{}}
	d.bad = d.b.Type(x) != logic.IntType
	if !d.bad {
		d.add(x, 1)
		d.add(y, -1)
	}
	return d
}

func (d *sum) add(t logic.Term, k int64) {
	args := d.b.Args(t)
	switch d.b.Op(t) {
	case logic.Plus:
		for _, a := range args {
			d.add(a, k)
		}
	case logic.Minus:
		d.add(args[0], k)
		d.add(args[1], -k)
	case logic.Neg:
		d.add(args[0], -k)
	case logic.Times:
		d.product(t, k)
	case logic.Int:
		if v := d.b.Value(t); v.IsInt64() && v.Int64() < 1<<30 && v.Int64() > -1<<30 {
			d.num += k * v.Int64()
		} else {
			d.bad = true
		}
	default:
		d.one(t, k)
	}
}

// product adds k times the product t: of a small number and something else, as a multiple of that.
func (d *sum) product(t logic.Term, k int64) {
	if args := d.b.Args(t); len(args) == 2 {
		for i, a := range args {
			if d.b.Op(a) == logic.Int && d.b.Value(a).IsInt64() && d.b.Value(a).Int64() < 1<<10 && d.b.Value(a).Int64() > -1<<10 {
				d.add(args[1-i], k*d.b.Value(a).Int64())
				return
			}
		}
	}
	d.one(t, k)
}

// one adds k times t, which is not looked into.
func (d *sum) one(t logic.Term, k int64) {
	if _, ok := d.coefs[t]; !ok {
		d.terms = append(d.terms, t)
	}
	d.coefs[t] += k
}

// constant returns the value of d if it is the same for all values of its terms.
func (d *sum) constant() (int64, bool) {
	for _, t := range d.terms {
		if d.coefs[t] != 0 {
			return 0, false
		}
	}
	return d.num, !d.bad
}

// linear solves x=y by an unknown that stands in it with coefficient 1 or −1, or by the quotient that may be its value.
func (s *solver) linear(x, y logic.Term, next func()) {
	bank := s.e.b
	if bank.Type(x) != logic.IntType {
		return
	}
	d := s.difference(x, y)
	for _, u := range d.terms {
		if k := d.coefs[u]; s.unknowns[u] && (k == 1 || k == -1) && !d.bad {
			if variable, ok := d.without(u, -k); ok {
				s.bind(u, variable, next)
			}
			return
		}
	}
	for _, u := range d.terms {
		if k := d.coefs[u]; s.unknowns[u] && k != 0 && !d.bad {
			size := max(k, -k)
			if sum, ok := d.without(u, -k/size); ok {
				s.bind(u, bank.App(logic.Div, sum, bank.Int64(size)), next)
			}
			return
		}
	}
}

// without returns k times the sum of the other terms than u, if each has coefficient 0, 1 or −1 or can be
// written as a product.
func (d *sum) without(u logic.Term, k int64) (logic.Term, bool) {
	bank := d.b
	var out logic.Term
	plus := func(t logic.Term, c int64) {
		switch {
		case c == 0:
			return
		case c != 1 && c != -1:
			t = bank.App(logic.Times, bank.Int64(max(c, -c)), t)
		}
		switch {
		case out == 0 && c > 0:
			out = t
		case out == 0:
			out = bank.App(logic.Neg, t)
		case c > 0:
			out = bank.App(logic.Plus, out, t)
		default:
			out = bank.App(logic.Minus, out, t)
		}
	}
	// The terms keep their order, so that equal sums are written alike.
	for _, t := range d.terms {
		if t != u {
			if bank.Occurs(u, t) {
				return 0, false
			}
			plus(t, k*d.coefs[t])
		}
	}
	switch n := k * d.num; {
	case out == 0:
		out = bank.Int64(n)
	case n > 0:
		out = bank.App(logic.Plus, out, bank.Int64(n))
	case n < 0:
		out = bank.App(logic.Minus, out, bank.Int64(-n))
	}
	return out, true
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
