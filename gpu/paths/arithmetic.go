package paths

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

// wrapped is e as a value of type t: e itself where intervals say so, and then the
// claim is checked; otherwise by mod.
func (w *Walker) wrapped(s *State, t *ast.Ctype, e *ir.Term) *ir.Term {
	if e.IsNum() {
		return ir.BigNumber(interval.Wrapped(e.Val, t))
	}
	r := w.Interval(s, e)
	lo, hi := interval.Within(t)
	if r.Inside(interval.Interval{Lo: lo, Hi: hi}) && !w.Wraps[e.Key()] {
		w.claim(s, e, t)
		return e
	}
	// No interval shows that gid∗lsz + lid fits, nor that i + stride does where the launch
	// demands n + stride < 2³¹ of an i below n: the claim is proved, or the term wraps.
	if (w.sizeOnly(e) || w.demanded(e)) && !w.Wraps[e.Key()] {
		w.claim(s, e, t)
		s.ranges[e.Key()] = s.ranges[e.Key()].Meet(interval.Interval{Lo: lo, Hi: hi})
		return e
	}
	m := interval.Modulus(t)
	if !t.Signed {
		return w.reduce(s, e, m)
	}
	// Two’s complement: (e + 2ⁿ⁻¹) mod 2ⁿ − 2ⁿ⁻¹.
	half := new(big.Int).Rsh(m, 1)
	return ir.Minus(w.reduce(s, ir.Sum(e, ir.BigNumber(half)), m), ir.BigNumber(half))
}

// settled is the number that a symbol has been found equal to, which is claimed, or the
// symbol.
func (w *Walker) settled(s *State, t *ir.Term) *ir.Term {
	if t.Op != ir.Sym || w.Wraps[t.Key()] {
		return t
	}
	if r, ok := s.ranges[t.Key()]; ok && r.Lo != nil && r.Hi != nil && r.Lo.Cmp(r.Hi) == 0 {
		w.fits(s, ir.Compare(ir.PEq, t, ir.BigNumber(r.Lo)))
		return ir.BigNumber(r.Lo)
	}
	return t
}

// demanded reports whether what the launch has to satisfy may bound e: a sum of variables,
// sizes and parameters, where some precondition is about parameters.
func (w *Walker) demanded(e *ir.Term) bool {
	if e.Op != ir.Add || !w.demands {
		return false
	}
	known, varies := true, false
	ir.Leaves(e, func(x *ir.Term) {
		known = known && (x.Op == ir.Num || x.Op == ir.Local_ || x.Op == ir.Sym && !x.IsFree())
		varies = varies || x.Op == ir.Local_
	})
	return known && varies
}

// reduce is e mod m, for any e: a multiple of m makes it positive first.
func (w *Walker) reduce(s *State, e *ir.Term, m *big.Int) *ir.Term {
	r := w.Interval(s, e)
	if r.Lo == nil {
		w.fail(w.Program.At, "arithmetic without bounds")
	}
	if r.Lo.Sign() < 0 {
		up := new(big.Int).Neg(r.Lo)
		up.Add(up, m).Sub(up, big.NewInt(1)).Quo(up, m).Mul(up, m)
		e = ir.Sum(e, ir.BigNumber(up))
	}
	if e.IsNum() {
		return ir.BigNumber(new(big.Int).Mod(e.Val, m))
	}
	return &ir.Term{Op: ir.Modulo, Args: []*ir.Term{e, ir.BigNumber(m)}}
}

func (w *Walker) remainder(s *State, a, b *ir.Term) *ir.Term {
	if a.IsNum() && b.IsNum() {
		return ir.Remainder(a, b)
	}
	// mod of Event-B is not defined below 0, where % of C has the sign of the dividend.
	if w.Interval(s, a).NonNegative() && w.Interval(s, b).Positive() {
		if b.Is(1) {
			return ir.Number(0)
		}
		return &ir.Term{Op: ir.Modulo, Args: []*ir.Term{a, b}}
	}
	return ir.Minus(a, ir.Product(ir.Quotient(a, b), b))
}

// bits is a bit operation: arithmetic for masks and single bits, an arbitrary value
// within bounds otherwise.
func (w *Walker) bits(s *State, t *ir.Term, a, b *ir.Term) *ir.Term {
	r := ir.Bitwise(t.Op, t.Typ, a, b)
	switch r.Op {
	case ir.Band, ir.Bor, ir.Bxor, ir.Shl, ir.Shr:
	default:
		return r
	}
	a, b = r.Args[0], r.Args[1]
	ra, rb := w.Interval(s, a), w.Interval(s, b)
	if r.Op == ir.Band && b.IsNum() {
		// A run of ones from bit j to bit k: (a mod 2^k) ÷ 2^j ∗ 2^j.
		mask := b.Val
		if mask.Sign() < 0 {
			mask = new(big.Int).Mod(mask, interval.Modulus(t.Typ))
		}
		j := mask.TrailingZeroBits()
		run := new(big.Int).Rsh(mask, j)
		if next := new(big.Int).Add(run, big.NewInt(1)); new(big.Int).And(run, next).Sign() == 0 && (!t.Typ.Signed || mask.BitLen() < t.Typ.Bits) {
			low := w.reduce(s, a, new(big.Int).Lsh(big.NewInt(1), uint(mask.BitLen())))
			if ra.NonNegative() && ra.Hi != nil && ra.Hi.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(mask.BitLen()))) < 0 && !w.Wraps[a.Key()] {
				low = a
				w.fits(s, ir.Both(ir.Compare(ir.PLe, ir.Number(0), a), ir.Compare(ir.PLt, a, ir.BigNumber(new(big.Int).Lsh(big.NewInt(1), uint(mask.BitLen()))))))
			}
			if j == 0 {
				return low
			}
			by := ir.BigNumber(new(big.Int).Lsh(big.NewInt(1), j))
			return ir.Product(by, ir.Quotient(low, by))
		}
	}
	if r.Op == ir.Bxor && ra.NonNegative() && !w.Wraps[a.Key()] {
		if j, k, ok := run(b); ok {
			w.fits(s, ir.Compare(ir.PLe, ir.Number(0), a))
			return flipped(a, j, k)
		}
	}
	if r.Op == ir.Bor || r.Op == ir.Bxor {
		// Disjoint bits: a multiple of 2^k and something below it.
		for _, pair := range [][2]*ir.Term{{a, b}, {b, a}} {
			k := alignment(pair[0])
			low := w.Interval(s, pair[1])
			bound := new(big.Int).Lsh(big.NewInt(1), k)
			if k > 0 && low.NonNegative() && low.Hi != nil && low.Hi.Cmp(bound) < 0 && w.Interval(s, pair[0]).NonNegative() {
				w.fits(s, ir.Both(ir.Compare(ir.PLe, ir.Number(0), pair[1]), ir.Compare(ir.PLt, pair[1], ir.BigNumber(bound)), ir.Compare(ir.PLe, ir.Number(0), pair[0])))
				return ir.Sum(a, b)
			}
		}
	}
	key := ofBits + r.Key()
	x := w.free(s, t.Typ, key)
	if r.Op == ir.Bxor {
		w.xor(s, x, a, b)
	}
	if ra.NonNegative() && rb.NonNegative() && !w.Wraps[a.Key()] && !w.Wraps[b.Key()] {
		// Facts about x that nothing satisfies would close the way: what they rest on is claimed.
		for _, e := range []*ir.Term{a, b} {
			w.fits(s, ir.Compare(ir.PLe, ir.Number(0), e))
		}
		switch r.Op {
		case ir.Band:
			w.know(s, ir.Both(ir.Compare(ir.PLe, x, a), ir.Compare(ir.PLe, x, b)))
		case ir.Bor:
			w.know(s, ir.Both(ir.Compare(ir.PLe, a, x), ir.Compare(ir.PLe, b, x), ir.Compare(ir.PLe, x, ir.Sum(a, b))))
		case ir.Bxor:
			w.know(s, ir.Compare(ir.PLe, x, ir.Sum(a, b)))
		case ir.Shr:
			w.know(s, ir.Compare(ir.PLe, x, a))
		}
		if r.Op != ir.Shl {
			w.know(s, ir.Compare(ir.PLe, ir.Number(0), x))
		}
	}
	return x
}

// xor notes of a free value whose exclusive or it is.
func (w *Walker) xor(s *State, x, a, b *ir.Term) {
	for i, f := range s.free {
		if f.Term == x && f.Xor == nil {
			c := *f
			c.Xor = []*ir.Term{a, b}
			s.free = slices.Clone(s.free)
			s.free[i] = &c
		}
	}
}

// power is 2^k.
func power(k uint) *ir.Term { return ir.BigNumber(new(big.Int).Lsh(big.NewInt(1), k)) }

// run takes a number whose bits are 1 from bit j to below bit k, and 0 elsewhere.
func run(t *ir.Term) (j, k uint, ok bool) {
	if !t.IsNum() || t.Val.Sign() <= 0 {
		return 0, 0, false
	}
	j, k = t.Val.TrailingZeroBits(), uint(t.Val.BitLen())
	ones := new(big.Int).Rsh(t.Val, j)
	return j, k, ones.And(ones, new(big.Int).Add(ones, big.NewInt(1))).Sign() == 0
}

// flipped is a number from 0 on with its bits from j to below k inverted: the digit that they are becomes its complement.
func flipped(a *ir.Term, j, k uint) *ir.Term {
	low := a
	if j > 0 {
		low = ir.Quotient(a, power(j))
	}
	digit := &ir.Term{Op: ir.Modulo, Args: []*ir.Term{low, power(k - j)}}
	most := new(big.Int).Sub(power(k-j).Val, big.NewInt(1))
	return ir.Sum(a, ir.Product(power(j), ir.Minus(ir.BigNumber(most), ir.Product(ir.Number(2), digit))))
}

// alignment is how many low bits of t are 0 by its form.
func alignment(t *ir.Term) uint {
	switch t.Op {
	case ir.Num:
		if t.Val.Sign() == 0 {
			return 64
		}
		return t.Val.TrailingZeroBits()
	case ir.Mul:
		var sum uint
		for _, a := range t.Args {
			sum += alignment(a)
		}
		return min(sum, 64)
	case ir.Add:
		least := uint(64)
		for _, a := range t.Args {
			least = min(least, alignment(a))
		}
		return least
	}
	return 0
}

// term is t over start values: variables are replaced, choices made, wraps worked out.
func (w *Walker) term(s *State, t *ir.Term, n *ir.Node) *ir.Term {
	switch t.Op {
	case ir.Num, ir.PTrue, ir.PFalse:
		return t
	case ir.Sym:
		return w.settled(s, t)
	case ir.Local_:
		if v := s.values[t.V]; v != nil {
			return w.settled(s, v)
		}
		return t
	case ir.Ite:
		p := w.term(s, t.Args[0], n)
		if holds, known := w.known(s, p); known {
			if holds {
				return w.term(s, t.Args[1], n)
			}
			return w.term(s, t.Args[2], n)
		}
		w.fail(w.Program.At, "a choice that was not made")
	case ir.PUniform:
		if n != nil && w.Together[n] {
			return ir.Truth
		}
		w.fail(w.Program.At, "a condition on whether all threads arrive together, where that is unknown")
	case ir.PSame:
		if w.Apart {
			return ir.Falsity
		}
		return ir.Truth
	case ir.Other:
		a := w.term(s, t.Args[0], n)
		// What is equal in all threads of a group is so in the other one, where both come together.
		common := n != nil && w.Together[n]
		ir.Leaves(a, func(x *ir.Term) {
			common = common && (x.Op == ir.Num || x.Op == ir.Sym && !x.Own || x.Op == ir.Local_ && w.Same[x.V])
		})
		if common {
			return a
		}
		ir.Leaves(a, func(x *ir.Term) {
			if x.Op == ir.Local_ || x.IsFree() {
				w.fail(w.Program.At, "the value of a variable of the other thread")
			}
		})
		return &ir.Term{Op: ir.Other, Args: []*ir.Term{a}}
	}
	args := make([]*ir.Term, len(t.Args))
	for i, a := range t.Args {
		args[i] = w.term(s, a, n)
	}
	switch t.Op {
	case ir.Wrap:
		return w.wrapped(s, t.Typ, args[0])
	case ir.Rem:
		return w.remainder(s, args[0], args[1])
	case ir.Band, ir.Bor, ir.Bxor, ir.Shl, ir.Shr:
		return w.bits(s, t, args[0], args[1])
	}
	return ir.Rebuild(t, args)
}

// Formula is the term of what is claimed or assumed. Whether threads come together is not
// always known: unknown stands for it then, ⊥ in a claim and ⊤ in an assumption, which is
// the safe side as long as no negation is around it.
func (w *Walker) Formula(s *State, t *ir.Term, n *ir.Node, unknown *ir.Term) *ir.Term {
	switch t.Op {
	case ir.PUniform:
		if !w.Together[n] {
			return unknown
		}
	case ir.PAnd, ir.POr:
		args := make([]*ir.Term, len(t.Args))
		for i, a := range t.Args {
			args[i] = w.Formula(s, a, n, unknown)
		}
		return ir.Rebuild(t, args)
	}
	return w.term(s, t, n)
}

// Axiom is what the launch satisfies, where nothing in it wraps.
func (w *Walker) Axiom(a *ir.Term) *ir.Term {
	s := w.Begin()
	clear(s.ranges) // other axioms do not make this one weaker
	e := w.term(s, a, w.Program.Entry)
	if len(s.free) > 0 {
		return ir.Truth // it has no form without arbitrary values
	}
	// What must fit becomes a premise: for launches where it wraps nothing is claimed.
	for _, i := range s.items {
		e = ir.Either(ir.Not(i.E), e)
	}
	return e
}

// Plain is a term of the program as paths that begin at cut point c have it, with its wraps
// worked out; nil if that needs a choice, or a value that is not known.
func (w *Walker) Plain(c *ir.Node, e *ir.Term) (out *ir.Term) {
	var problem *preproc.Problem
	defer func() {
		if problem != nil {
			out = nil
		}
	}()
	defer preproc.Catch(&problem)
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
func (w *Walker) choice(s *State, t *ir.Term) *ir.Term {
	var found *ir.Term
	var visit func(t *ir.Term)
	visit = func(t *ir.Term) {
		if found != nil {
			return
		}
		if t.Op == ir.Local_ {
			if v := s.values[t.V]; v != nil && v.Op == ir.Ite {
				visit(v)
			}
			return
		}
		if t.Op == ir.Ite {
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
func (w *Walker) free(s *State, t *ast.Ctype, key string) *ir.Term {
	if key != "" {
		for _, f := range s.free {
			if f.Term.Text == key {
				return f.Term
			}
		}
	}
	x := ir.FreeValue(fmt.Sprint("h", len(s.free)+1), key)
	s.free = append(s.free, &Free{Term: x, Type: t})
	if t.Kind == ast.IntType {
		s.ranges[x.Key()] = interval.TypeInterval(t)
	}
	return x
}
