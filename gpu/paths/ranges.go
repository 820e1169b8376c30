package paths

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
)

// Interval is where the value of t lies, as far as is known.
func (w *Walker) Interval(s *State, t *ir.Term) interval.Interval {
	return ir.Range(t, func(t *ir.Term) interval.Interval {
		r := w.given(s, t)
		if k, ok := s.ranges[t.Key()]; ok {
			r = r.Meet(k)
		}
		return r
	})
}

// LaunchLimit is the largest number of work-items or groups in one dimension: 2³¹ − 1.
var LaunchLimit = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 31), big.NewInt(1))

// given is what the launch, types and sums with parts that are known say of a term in addition to its form.
func (w *Walker) given(s *State, t *ir.Term) interval.Interval {
	switch t.Op {
	case ir.Sym:
		return w.symbolRange(t)
	case ir.Local_:
		if t.V.Ghost || t.V == w.Program.Offset { // conditions on offsets below 0 say nothing
			return interval.Interval{Lo: new(big.Int)}
		}
		if t.V.Typ.Kind == ast.IntType {
			return interval.TypeInterval(t.V.Typ)
		}
	case ir.Add:
		if len(s.sums) > 0 {
			return w.sum(s, t.Args)
		}
	case ir.Mul:
		if w.sizeOnly(t) && len(t.Args) == 2 && t.Args[0].Symbol.OfLaunch() && t.Args[1].Symbol.OfLaunch() && t.Args[0].Symbol.Dim == t.Args[1].Symbol.Dim {
			// The context says so: a product of intervals alone would reach 2⁶².
			return interval.Interval{Hi: LaunchLimit} // gidx∗lszx, ngrx∗lszx
		}
	}
	return interval.Interval{}
}

// sum is where the sum of terms lies. Of row∗width + group∗16 + thread it is known that the
// column, group∗16 + thread, is below the width: parts with a range of their own count by it, as often as they
// are there.
func (w *Walker) sum(s *State, terms []*ir.Term) interval.Interval {
	r := interval.Point(new(big.Int))
	// A part may stand in the sum several times over, as in 4∗(group∗16 + thread): all common factors are tried.
	for _, part := range s.sums {
		for _, by := range multiples(terms) {
			rest := slices.Clone(terms)
			for _, a := range part.Args {
				a = ir.Product(ir.BigNumber(by), a)
				if i := slices.IndexFunc(rest, func(b *ir.Term) bool { return a.Key() == b.Key() }); i >= 0 {
					rest = slices.Delete(rest, i, i+1)
				}
			}
			if len(rest)+len(part.Args) == len(terms) {
				terms, r = rest, r.Plus(w.plain(s, part.Args).Meet(s.ranges[part.Key()]).Times(interval.Point(by)))
				break
			}
		}
	}
	return r.Plus(w.plain(s, terms))
}

// plain is where the sum of terms lies, by the range of each.
func (w *Walker) plain(s *State, terms []*ir.Term) interval.Interval {
	r := interval.Point(new(big.Int))
	for _, a := range terms {
		r = r.Plus(w.Interval(s, a))
	}
	return r
}

// multiples are the numbers that a part of a sum may be multiplied by: those in front of its terms, and 1.
func multiples(terms []*ir.Term) []*big.Int {
	out := []*big.Int{big.NewInt(1)}
	for _, t := range terms {
		if f := t.Coefficient(); f.Sign() > 0 && !slices.ContainsFunc(out, func(o *big.Int) bool { return o.Cmp(f) == 0 }) {
			out = append(out, f)
		}
	}
	return out
}

func (w *Walker) symbolRange(t *ir.Term) interval.Interval {
	if d := t.Symbol.Dim; t.Symbol.OfLaunch() {
		size, other := w.Program.Opts.Local[d], w.Program.Opts.Groups[d]
		if t.Symbol.Of == ir.OfGroup || t.Symbol.Of == ir.GridGroups {
			size, other = other, size
		}
		// The threads of a dimension are fewer than 2³¹ in all: of groups of 16, fewer than 2²⁷.
		hi := new(big.Int).Quo(LaunchLimit, big.NewInt(max(1, other)))
		if size > 0 {
			hi = big.NewInt(size)
		}
		if t.Symbol.IsID() {
			return interval.Interval{Lo: new(big.Int), Hi: new(big.Int).Sub(hi, big.NewInt(1))}
		}
		return interval.Interval{Lo: big.NewInt(1), Hi: hi}
	}
	for _, p := range w.Program.Params {
		if p.Term.Name == t.Name && p.Typ.Kind == ast.IntType {
			return interval.TypeInterval(p.Typ)
		}
	}
	return interval.Interval{}
}

// Refine narrows ranges by a guard.
func (w *Walker) Refine(s *State, p *ir.Term) {
	one := big.NewInt(1)
	narrow := func(t *ir.Term, r interval.Interval) {
		for {
			if _, known := s.ranges[t.Key()]; !known && t.Op == ir.Add {
				s.sums = append(s.sums, t)
			}
			s.ranges[t.Key()] = s.ranges[t.Key()].Meet(r)
			// x + c within r: x within r − c
			if t.Op != ir.Add || len(t.Args) != 2 || !t.Args[1].IsNum() {
				return
			}
			shift := new(big.Int).Neg(t.Args[1].Val)
			r = r.Plus(interval.Point(shift))
			t = t.Args[0]
		}
	}
	switch p.Op {
	case ir.PAnd:
		for _, a := range p.Args {
			w.Refine(s, a)
		}
	case ir.PLe, ir.PLt:
		a, b := p.Args[0], p.Args[1]
		ra, rb := w.Interval(s, a), w.Interval(s, b)
		if p.Op == ir.PLt {
			if rb.Hi != nil {
				rb.Hi = new(big.Int).Sub(rb.Hi, one)
			}
			if ra.Lo != nil {
				ra.Lo = new(big.Int).Add(ra.Lo, one)
			}
		}
		narrow(a, interval.Interval{Hi: rb.Hi})
		narrow(b, interval.Interval{Lo: ra.Lo})
	case ir.PEq:
		a, b := p.Args[0], p.Args[1]
		ra, rb := w.Interval(s, a), w.Interval(s, b)
		narrow(a, rb)
		narrow(b, ra)
	case ir.PNe:
		a, b := p.Args[0], p.Args[1]
		ra, rb := w.Interval(s, a), w.Interval(s, b)
		// Of x ≠ c only the end of a range can be cut off.
		if rb.Lo != nil && rb.Hi != nil && rb.Lo.Cmp(rb.Hi) == 0 {
			if ra.Lo != nil && ra.Lo.Cmp(rb.Lo) == 0 {
				narrow(a, interval.Interval{Lo: new(big.Int).Add(ra.Lo, one)})
			}
			if ra.Hi != nil && ra.Hi.Cmp(rb.Lo) == 0 {
				narrow(a, interval.Interval{Hi: new(big.Int).Sub(ra.Hi, one)})
			}
		}
	}
}

// sizeOnly reports whether e is made of ids and sizes that are symbols: the launch
// is assumed to have fewer than 2^31 threads a dimension, so that they rarely wrap.
func (w *Walker) sizeOnly(e *ir.Term) bool {
	ok, symbolic := true, false
	ir.Leaves(e, func(x *ir.Term) {
		switch {
		case x.Op == ir.Sym && x.Symbol.OfLaunch():
			symbolic = symbolic || x.Symbol.IsSize()
		case x.Op == ir.Num:
		default:
			ok = false
		}
	})
	return ok && symbolic
}
