package paths

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/lang/gpuc/internal/flow"
	"github.com/gradine/gradine/lang/gpuc/internal/integers"
	"github.com/gradine/gradine/lang/gpuc/internal/syntax"
)

// Interval is where the value of t lies, as far as is known.
func (w *Walker) Interval(s *State, t *flow.Term) integers.Interval {
	r := w.structural(s, t)
	if k, ok := s.ranges[t.Key()]; ok {
		r = r.Meet(k)
	}
	return r
}

var LaunchLimit = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 31), big.NewInt(1))

func (w *Walker) structural(s *State, t *flow.Term) integers.Interval {
	switch t.Op {
	case flow.Num:
		return integers.Point(t.Val)
	case flow.Sym:
		return w.symbolRange(t)
	case flow.Local_:
		if t.V.Ghost {
			return integers.Interval{Lo: new(big.Int)}
		}
		if t.V.Typ.Kind == syntax.IntType {
			return integers.TypeInterval(t.V.Typ)
		}
	case flow.Add:
		return w.sum(s, t.Args, false).Meet(w.sum(s, t.Args, true))
	case flow.Mul:
		r := integers.Point(big.NewInt(1))
		for _, a := range t.Args {
			r = r.Times(w.Interval(s, a))
		}
		if w.sizeOnly(t) && len(t.Args) == 2 && t.Args[0].Name != "" && t.Args[1].Name != "" && t.Args[0].Name[3:] == t.Args[1].Name[3:] {
			// The context says so: a product of intervals alone would reach 2⁶².
			r = r.Meet(integers.Interval{Hi: LaunchLimit}) // gidx∗lszx, ngrx∗lszx
		}
		return r
	case flow.Modulo:
		b := w.Interval(s, t.Args[1])
		r := integers.Interval{Lo: new(big.Int)}
		if b.Hi != nil {
			r.Hi = new(big.Int).Sub(b.Hi, big.NewInt(1))
		}
		if a := w.Interval(s, t.Args[0]); a.Hi != nil && a.NonNegative() {
			r = r.Meet(integers.Interval{Hi: a.Hi})
		}
		return r
	case flow.Quo:
		a, b := w.Interval(s, t.Args[0]), w.Interval(s, t.Args[1])
		// ÷ goes towards zero: below 0 the smallest divisor leads farthest.
		if positive(b) {
			r := integers.Interval{}
			if a.Lo != nil {
				if a.Lo.Sign() >= 0 {
					r.Lo = new(big.Int)
					if b.Hi != nil {
						r.Lo = new(big.Int).Quo(a.Lo, b.Hi)
					}
				} else {
					r.Lo = new(big.Int).Quo(a.Lo, b.Lo)
				}
			}
			if a.Hi != nil {
				if a.Hi.Sign() >= 0 {
					r.Hi = new(big.Int).Quo(a.Hi, b.Lo)
				} else {
					r.Hi = new(big.Int)
				}
			}
			return r
		}
		if a.Lo != nil && a.Hi != nil {
			m := new(big.Int).Abs(a.Lo)
			if h := new(big.Int).Abs(a.Hi); h.Cmp(m) > 0 {
				m = h
			}
			return integers.Interval{Lo: new(big.Int).Neg(m), Hi: m}
		}
	case flow.Other:
		return w.Interval(s, t.Args[0])
	}
	return integers.Interval{}
}

// sum is where the sum of terms lies. Of row∗width + group∗16 + thread it is known that the
// column, group∗16 + thread, is below the width: parts with a range of their own count by it, as often as they
// are there, if that is wanted.
func (w *Walker) sum(s *State, terms []*flow.Term, parts bool) integers.Interval {
	r := integers.Point(new(big.Int))
	for _, part := range s.sums {
		if !parts {
			break
		}
		for _, by := range multiples(terms) {
			rest := slices.Clone(terms)
			for _, a := range part.Args {
				a = flow.Product(flow.BigNumber(by), a)
				if i := slices.IndexFunc(rest, func(b *flow.Term) bool { return a.Key() == b.Key() }); i >= 0 {
					rest = slices.Delete(rest, i, i+1)
				}
			}
			if len(rest)+len(part.Args) == len(terms) {
				terms, r = rest, r.Plus(w.sum(s, part.Args, false).Meet(s.ranges[part.Key()]).Times(integers.Point(by)))
				break
			}
		}
	}
	for _, a := range terms {
		r = r.Plus(w.Interval(s, a))
	}
	return r
}

// multiples are the numbers that a part of a sum may be multiplied by: those in front of its terms, and 1.
func multiples(terms []*flow.Term) []*big.Int {
	out := []*big.Int{big.NewInt(1)}
	for _, t := range terms {
		if f := t.Coefficient(); f.Sign() > 0 && !slices.ContainsFunc(out, func(o *big.Int) bool { return o.Cmp(f) == 0 }) {
			out = append(out, f)
		}
	}
	return out
}

func (w *Walker) symbolRange(t *flow.Term) integers.Interval {
	if d := flow.DimensionOf(t.Name); d >= 0 {
		size, other := w.Program.Opts.Local[d], w.Program.Opts.Groups[d]
		if t.Name[0] == 'g' || t.Name[0] == 'n' {
			size, other = other, size
		}
		// The threads of a dimension are fewer than 2³¹ in all: of groups of 16, fewer than 2²⁷.
		hi := new(big.Int).Quo(LaunchLimit, big.NewInt(max(1, other)))
		if size > 0 {
			hi = big.NewInt(size)
		}
		switch t.Name[:3] {
		case "lid", "gid":
			return integers.Interval{Lo: new(big.Int), Hi: new(big.Int).Sub(hi, big.NewInt(1))}
		}
		return integers.Interval{Lo: big.NewInt(1), Hi: hi}
	}
	for _, p := range w.Program.Params {
		if p.Term.Name == t.Name && p.Typ.Kind == syntax.IntType {
			return integers.TypeInterval(p.Typ)
		}
	}
	return integers.Interval{}
}

// Refine narrows ranges by a guard.
func (w *Walker) Refine(s *State, p *flow.Term) {
	one := big.NewInt(1)
	narrow := func(t *flow.Term, r integers.Interval) {
		for {
			if _, known := s.ranges[t.Key()]; !known && t.Op == flow.Add {
				s.sums = append(s.sums, t)
			}
			s.ranges[t.Key()] = s.ranges[t.Key()].Meet(r)
			// x + c within r: x within r − c
			if t.Op != flow.Add || len(t.Args) != 2 || !t.Args[1].IsNum() {
				return
			}
			shift := new(big.Int).Neg(t.Args[1].Val)
			r = r.Plus(integers.Point(shift))
			t = t.Args[0]
		}
	}
	switch p.Op {
	case flow.PAnd:
		for _, a := range p.Args {
			w.Refine(s, a)
		}
	case flow.PLe, flow.PLt:
		a, b := p.Args[0], p.Args[1]
		ra, rb := w.Interval(s, a), w.Interval(s, b)
		if p.Op == flow.PLt {
			if rb.Hi != nil {
				rb.Hi = new(big.Int).Sub(rb.Hi, one)
			}
			if ra.Lo != nil {
				ra.Lo = new(big.Int).Add(ra.Lo, one)
			}
		}
		narrow(a, integers.Interval{Hi: rb.Hi})
		narrow(b, integers.Interval{Lo: ra.Lo})
	case flow.PEq:
		a, b := p.Args[0], p.Args[1]
		ra, rb := w.Interval(s, a), w.Interval(s, b)
		narrow(a, rb)
		narrow(b, ra)
	case flow.PNe:
		a, b := p.Args[0], p.Args[1]
		ra, rb := w.Interval(s, a), w.Interval(s, b)
		// Of x ≠ c only the end of a range can be cut off.
		if rb.Lo != nil && rb.Hi != nil && rb.Lo.Cmp(rb.Hi) == 0 {
			if ra.Lo != nil && ra.Lo.Cmp(rb.Lo) == 0 {
				narrow(a, integers.Interval{Lo: new(big.Int).Add(ra.Lo, one)})
			}
			if ra.Hi != nil && ra.Hi.Cmp(rb.Lo) == 0 {
				narrow(a, integers.Interval{Hi: new(big.Int).Sub(ra.Hi, one)})
			}
		}
	}
}

// An empty interval, on a way that nothing takes, is not: 0 may be its other end.
func positive(r integers.Interval) bool { return r.Lo != nil && r.Lo.Sign() > 0 && !r.Empty() }

// sizeOnly reports whether e is made of ids and sizes that are symbols: the launch
// is assumed to have fewer than 2^31 threads a dimension, so that they rarely wrap.
func (w *Walker) sizeOnly(e *flow.Term) bool {
	ok, symbolic := true, false
	flow.Leaves(e, func(x *flow.Term) {
		switch {
		case x.Op == flow.Sym && flow.IsModelName(x.Name) && x.Name[0] != 'h':
			symbolic = symbolic || x.Name[:3] == "lsz" || x.Name[:3] == "ngr"
		case x.Op == flow.Num:
		default:
			ok = false
		}
	})
	return ok && symbolic
}
