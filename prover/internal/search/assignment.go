package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/kernel"
)

// each calls f for all members of n's class, as it is when the call is made.
func (e *engine) each(n euf.Node, f func(m euf.Node)) {
	var buf [16]euf.Node
	members := buf[:0]
	for m := n; ; {
		members = append(members, m)
		if m = e.g.Next(m); m == n {
			break
		}
	}
	e.steps += int64(len(members))
	for _, m := range members {
		f(m)
	}
}

// eachElement calls f for the membership nodes of class s.
func (e *engine) eachElement(s euf.Node, f func(n euf.Node)) {
	e.each(s, func(m euf.Node) {
		for _, p := range e.g.Memberships(m) {
			e.steps++
			f(p)
		}
	})
}

// truth returns 1, -1 or 0 for the value of predicate node n.
func (e *engine) truth(n euf.Node) int {
	switch e.g.Value(n) {
	case e.g.True:
		return 1
	case e.g.False:
		return -1
	}
	return 0
}

// hasElement reports whether a membership of x in m itself exists, up to equality.
func (e *engine) hasElement(x, m euf.Node) bool {
	for _, p := range e.g.Memberships(m) {
		if e.g.Equal(e.g.Args(p)[0], x) {
			return true
		}
	}
	return false
}

// eval returns 1 or -1 if predicate t is true or false under the present
// assignment, and 0 if that is not known without new terms.
func (e *engine) eval(t logic.Term) int {
	args := e.b.Args(t)
	switch e.b.Op(t) {
	case logic.True:
		return 1
	case logic.False:
		return -1
	case logic.Not:
		return -e.eval(args[0])
	case logic.And:
		res := 1
		for _, a := range args {
			res = min(res, e.eval(a))
		}
		return res
	case logic.Or:
		res := -1
		for _, a := range args {
			res = max(res, e.eval(a))
		}
		return res
	case logic.Implies:
		return max(-e.eval(args[0]), e.eval(args[1]))
	case logic.Iff:
		return e.eval(args[0]) * e.eval(args[1])
	}
	// Nothing new is made here: an atom counts if it exists, an equation or membership also if
	// congruence decides it.
	literal := kernel.LitOf(e.b, t)
	sign := 1
	if literal.Negated() {
		sign = -1
	}
	a := literal.Atom()
	if int(a) < len(e.vars) && e.vars[a] != 0 {
		if v := e.sat.Value(e.lit(kernel.Pos(a))); v != 0 {
			return sign * v
		}
	}
	switch op := e.b.Op(a); op {
	case logic.Eq, logic.In:
		x, y := e.g.Lookup(e.b.Arg(a, 0)), e.g.Lookup(e.b.Arg(a, 1))
		if op == logic.In && e.b.IsTypeExpr(e.b.Arg(a, 1)) || op == logic.Eq && x != 0 && e.b.Arg(a, 0) == e.b.Arg(a, 1) {
			return sign
		}
		if x == 0 || y == 0 {
			return 0
		}
		if op == logic.Eq {
			if e.g.Equal(x, y) {
				return sign
			}
			return 0
		}
		res := 0
		e.eachElement(y, func(n euf.Node) {
			if e.g.Equal(e.g.Args(n)[0], x) {
				res = e.truth(n)
			}
		})
		return sign * res
	}
	return 0
}
