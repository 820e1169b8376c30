package paths

import (
	"fmt"
	"math/big"

	"github.com/gradine/gradine/lang/gpuc/internal/flow"
	"github.com/gradine/gradine/lang/gpuc/internal/integers"
	"github.com/gradine/gradine/lang/gpuc/internal/source"
	"github.com/gradine/gradine/lang/gpuc/internal/syntax"
)

// wrapped is e as a value of type t: e itself where intervals say so, and then the
// claim is checked; otherwise by mod.
func (w *Walker) wrapped(s *State, t *syntax.Ctype, e *flow.Term) *flow.Term {
	if e.IsNum() {
		return flow.BigNumber(integers.Wrapped(e.Val, t))
	}
	r := w.Interval(s, e)
	lo, hi := integers.Within(t)
	if r.Inside(integers.Interval{Lo: lo, Hi: hi}) && !w.Wraps[e.Key()] {
		w.claim(s, e, t)
		return e
	}
	// No interval shows that gid∗lsz + lid fits, nor that i + stride does where the launch
	// demands n + stride < 2³¹ of an i below n: the claim is proved, or the term wraps.
	if (w.sizeOnly(e) || w.demanded(e)) && !w.Wraps[e.Key()] {
		w.claim(s, e, t)
		s.ranges[e.Key()] = s.ranges[e.Key()].Meet(integers.Interval{Lo: lo, Hi: hi})
		return e
	}
	m := integers.Modulus(t)
	if !t.Signed {
		return w.reduce(s, e, m)
	}
	// Two’s complement: (e + 2ⁿ⁻¹) mod 2ⁿ − 2ⁿ⁻¹.
	half := new(big.Int).Rsh(m, 1)
	return flow.Minus(w.reduce(s, flow.Sum(e, flow.BigNumber(half)), m), flow.BigNumber(half))
}

// settled is the number that a symbol has been found equal to, which is claimed, or the
// symbol.
func (w *Walker) settled(s *State, t *flow.Term) *flow.Term {
	if t.Op != flow.Sym || w.Wraps[t.Key()] {
		return t
	}
	if r, ok := s.ranges[t.Key()]; ok && r.Lo != nil && r.Hi != nil && r.Lo.Cmp(r.Hi) == 0 {
		w.fits(s, flow.Compare(flow.PEq, t, flow.BigNumber(r.Lo)))
		return flow.BigNumber(r.Lo)
	}
	return t
}

// demanded reports whether what the launch has to satisfy may bound e: a sum of variables,
// sizes and parameters, where some precondition is about parameters.
func (w *Walker) demanded(e *flow.Term) bool {
	if e.Op != flow.Add || !w.demands {
		return false
	}
	known, varies := true, false
	flow.Leaves(e, func(x *flow.Term) {
		known = known && (x.Op == flow.Num || x.Op == flow.Local_ || x.Op == flow.Sym && !x.IsFree())
		varies = varies || x.Op == flow.Local_
	})
	return known && varies
}

// reduce is e mod m, for any e: a multiple of m makes it positive first.
func (w *Walker) reduce(s *State, e *flow.Term, m *big.Int) *flow.Term {
	r := w.Interval(s, e)
	if r.Lo == nil {
		w.fail(w.Program.At, "arithmetic without bounds")
	}
	if r.Lo.Sign() < 0 {
		up := new(big.Int).Neg(r.Lo)
		up.Add(up, m).Sub(up, big.NewInt(1)).Quo(up, m).Mul(up, m)
		e = flow.Sum(e, flow.BigNumber(up))
	}
	if e.IsNum() {
		return flow.BigNumber(new(big.Int).Mod(e.Val, m))
	}
	return &flow.Term{Op: flow.Modulo, Args: []*flow.Term{e, flow.BigNumber(m)}}
}

func (w *Walker) remainder(s *State, a, b *flow.Term) *flow.Term {
	if a.IsNum() && b.IsNum() {
		return flow.Remainder(a, b)
	}
	// mod of Event-B is not defined below 0, where % of C has the sign of the dividend.
	if w.Interval(s, a).NonNegative() && positive(w.Interval(s, b)) {
		if b.Is(1) {
			return flow.Number(0)
		}
		return &flow.Term{Op: flow.Modulo, Args: []*flow.Term{a, b}}
	}
	return flow.Minus(a, flow.Product(flow.Quotient(a, b), b))
}

// bits is a bit operation: arithmetic for masks and single bits, an arbitrary value
// within bounds otherwise.
func (w *Walker) bits(s *State, t *flow.Term, a, b *flow.Term) *flow.Term {
	r := flow.Bitwise(t.Op, t.Typ, a, b)
	switch r.Op {
	case flow.Band, flow.Bor, flow.Bxor, flow.Shl, flow.Shr:
	default:
		return r
	}
	a, b = r.Args[0], r.Args[1]
	ra, rb := w.Interval(s, a), w.Interval(s, b)
	if r.Op == flow.Band && b.IsNum() {
		// A run of ones from bit j to bit k: (a mod 2^k) ÷ 2^j ∗ 2^j.
		mask := b.Val
		if mask.Sign() < 0 {
			mask = new(big.Int).Mod(mask, integers.Modulus(t.Typ))
		}
		j := mask.TrailingZeroBits()
		run := new(big.Int).Rsh(mask, j)
		if next := new(big.Int).Add(run, big.NewInt(1)); new(big.Int).And(run, next).Sign() == 0 && (!t.Typ.Signed || mask.BitLen() < t.Typ.Bits) {
			low := w.reduce(s, a, new(big.Int).Lsh(big.NewInt(1), uint(mask.BitLen())))
			if ra.NonNegative() && ra.Hi != nil && ra.Hi.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(mask.BitLen()))) < 0 && !w.Wraps[a.Key()] {
				low = a
				w.fits(s, flow.Both(flow.Compare(flow.PLe, flow.Number(0), a), flow.Compare(flow.PLt, a, flow.BigNumber(new(big.Int).Lsh(big.NewInt(1), uint(mask.BitLen()))))))
			}
			if j == 0 {
				return low
			}
			by := flow.BigNumber(new(big.Int).Lsh(big.NewInt(1), j))
			return flow.Product(by, flow.Quotient(low, by))
		}
	}
	if r.Op == flow.Bor || r.Op == flow.Bxor {
		// Disjoint bits: a multiple of 2^k and something below it.
		for _, pair := range [][2]*flow.Term{{a, b}, {b, a}} {
			k := alignment(pair[0])
			low := w.Interval(s, pair[1])
			bound := new(big.Int).Lsh(big.NewInt(1), k)
			if k > 0 && low.NonNegative() && low.Hi != nil && low.Hi.Cmp(bound) < 0 && w.Interval(s, pair[0]).NonNegative() {
				w.fits(s, flow.Both(flow.Compare(flow.PLe, flow.Number(0), pair[1]), flow.Compare(flow.PLt, pair[1], flow.BigNumber(bound)), flow.Compare(flow.PLe, flow.Number(0), pair[0])))
				return flow.Sum(a, b)
			}
		}
	}
	key := "bits " + r.Key()
	x := w.free(s, t.Typ, key)
	if ra.NonNegative() && rb.NonNegative() && !w.Wraps[a.Key()] && !w.Wraps[b.Key()] {
		// Facts about x that nothing satisfies would close the way: what they rest on is claimed.
		for _, e := range []*flow.Term{a, b} {
			w.fits(s, flow.Compare(flow.PLe, flow.Number(0), e))
		}
		switch r.Op {
		case flow.Band:
			w.know(s, flow.Both(flow.Compare(flow.PLe, x, a), flow.Compare(flow.PLe, x, b)))
		case flow.Bor:
			w.know(s, flow.Both(flow.Compare(flow.PLe, a, x), flow.Compare(flow.PLe, b, x), flow.Compare(flow.PLe, x, flow.Sum(a, b))))
		case flow.Bxor:
			w.know(s, flow.Compare(flow.PLe, x, flow.Sum(a, b)))
		case flow.Shr:
			w.know(s, flow.Compare(flow.PLe, x, a))
		}
		if r.Op != flow.Shl {
			w.know(s, flow.Compare(flow.PLe, flow.Number(0), x))
		}
	}
	return x
}

// alignment is how many low bits of t are 0 by its form.
func alignment(t *flow.Term) uint {
	switch t.Op {
	case flow.Num:
		if t.Val.Sign() == 0 {
			return 64
		}
		return t.Val.TrailingZeroBits()
	case flow.Mul:
		var sum uint
		for _, a := range t.Args {
			sum += alignment(a)
		}
		return min(sum, 64)
	case flow.Add:
		least := uint(64)
		for _, a := range t.Args {
			least = min(least, alignment(a))
		}
		return least
	}
	return 0
}

// term is t over start values: variables are replaced, choices made, wraps worked out.
func (w *Walker) term(s *State, t *flow.Term, n *flow.Node) *flow.Term {
	switch t.Op {
	case flow.Num, flow.PTrue, flow.PFalse:
		return t
	case flow.Sym:
		return w.settled(s, t)
	case flow.Local_:
		if v := s.values[t.V]; v != nil {
			return w.settled(s, v)
		}
		return t
	case flow.Ite:
		p := w.term(s, t.Args[0], n)
		if holds, known := w.known(s, p); known {
			if holds {
				return w.term(s, t.Args[1], n)
			}
			return w.term(s, t.Args[2], n)
		}
		w.fail(w.Program.At, "a choice that was not made")
	case flow.PUniform:
		if n != nil && w.Together[n] {
			return flow.Truth
		}
		w.fail(w.Program.At, "whether all threads come here together, where that is not known, in a condition or under a negation")
	case flow.PSame:
		if w.Barriers {
			return flow.Truth
		}
		return flow.Falsity
	case flow.Other:
		a := w.term(s, t.Args[0], n)
		// What is equal in all threads of a group is so in the other one, where both come together.
		common := n != nil && w.Together[n]
		flow.Leaves(a, func(x *flow.Term) {
			common = common && (x.Op == flow.Num || x.Op == flow.Sym && !x.Own || x.Op == flow.Local_ && w.Same[x.V])
		})
		if common {
			return a
		}
		flow.Leaves(a, func(x *flow.Term) {
			if x.Op == flow.Local_ || x.IsFree() {
				w.fail(w.Program.At, "the value of a variable of the other thread")
			}
		})
		return &flow.Term{Op: flow.Other, Args: []*flow.Term{a}}
	}
	args := make([]*flow.Term, len(t.Args))
	for i, a := range t.Args {
		args[i] = w.term(s, a, n)
	}
	switch t.Op {
	case flow.Wrap:
		return w.wrapped(s, t.Typ, args[0])
	case flow.Rem:
		return w.remainder(s, args[0], args[1])
	case flow.Band, flow.Bor, flow.Bxor, flow.Shl, flow.Shr:
		return w.bits(s, t, args[0], args[1])
	}
	return flow.Rebuild(t, args)
}

// Formula is the term of what is claimed or assumed. Whether threads come together is not
// always known: unknown stands for it then, ⊥ in a claim and ⊤ in an assumption, which is
// the safe side as long as no negation is around it.
func (w *Walker) Formula(s *State, t *flow.Term, n *flow.Node, unknown *flow.Term) *flow.Term {
	switch t.Op {
	case flow.PUniform:
		if !w.Together[n] {
			return unknown
		}
	case flow.PAnd, flow.POr:
		args := make([]*flow.Term, len(t.Args))
		for i, a := range t.Args {
			args[i] = w.Formula(s, a, n, unknown)
		}
		return flow.Rebuild(t, args)
	}
	return w.term(s, t, n)
}

// Axiom is what the launch satisfies, where nothing in it wraps.
func (w *Walker) Axiom(a *flow.Term) *flow.Term {
	s := w.Begin()
	clear(s.ranges) // other axioms do not make this one weaker
	e := w.term(s, a, w.Program.Entry)
	if len(s.free) > 0 {
		return flow.Truth // it has no form without arbitrary values
	}
	// What must fit becomes a premise: for launches where it wraps nothing is claimed.
	for _, i := range s.items {
		e = flow.Either(flow.Not(i.E), e)
	}
	return e
}

// Plain is a term of the program as paths that begin at cut point c have it, with its wraps
// worked out; nil if that needs a choice, or a value that is not known.
func (w *Walker) Plain(c *flow.Node, e *flow.Term) (out *flow.Term) {
	var problem *source.Problem
	defer func() {
		if problem != nil {
			out = nil
		}
	}()
	defer source.Catch(&problem)
	s := w.At(c)
	if w.choice(s, e) != nil {
		return nil
	}
	if out = w.term(s, e, c); len(s.free) > 0 {
		return nil
	}
	return out
}

// choice is the first condition of an ite in t that is not decided, over start values.
func (w *Walker) choice(s *State, t *flow.Term) *flow.Term {
	var found *flow.Term
	var visit func(t *flow.Term)
	visit = func(t *flow.Term) {
		if found != nil {
			return
		}
		if t.Op == flow.Local_ {
			if v := s.values[t.V]; v != nil && v.Op == flow.Ite {
				visit(v)
			}
			return
		}
		if t.Op == flow.Ite {
			if p := w.choice(s, t.Args[0]); p != nil {
				found = p
				return
			}
			// Over start values, so that the guard still says the same when variables change.
			p := w.term(s, t.Args[0], nil)
			switch holds, known := w.known(s, p); {
			case !known:
				found = p
			case holds:
				visit(t.Args[1])
			default:
				visit(t.Args[2])
			}
			return
		}
		for _, a := range t.Args {
			visit(a)
		}
	}
	visit(t)
	return found
}

// free is an arbitrary value of a type, the same one for the same key on one path.
func (w *Walker) free(s *State, t *syntax.Ctype, key string) *flow.Term {
	if key != "" {
		for _, f := range s.free {
			if f.Term.Text == key {
				return f.Term
			}
		}
	}
	x := &flow.Term{Op: flow.Sym, Own: true, Name: fmt.Sprint("h", len(s.free)+1)}
	s.free = append(s.free, &Free{Term: x, Type: t})
	if key != "" {
		x = &flow.Term{Op: flow.Sym, Own: true, Name: x.Name, Text: key}
		s.free[len(s.free)-1].Term = x
	}
	if t.Kind == syntax.IntType {
		s.ranges[x.Key()] = integers.TypeInterval(t)
	}
	return x
}
