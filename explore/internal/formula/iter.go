package formula

import (
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/logic"
)

// iter compiles the enumeration of the elements of t, in no order that counts,
// possibly with repetitions.
func (c *Compiler) iter(t logic.Term) iter {
	t = c.known(t)
	terms := c.Bank.Args(t)
	sh := c.shape(t)
	if c.Bank.IsTypeExpr(t) {
		return c.typeIter(sh.Elem)
	}
	// An enumeration that passes over parts of t leaves it to force that they have a
	// value; one that gives elements twice leaves it to distinct.
	if want, arrow := c.Bank.Op(t).Arrow(); arrow {
		return c.functions(t, want)
	}
	switch op := c.Bank.Op(t); op {
	case logic.Integer, logic.Natural, logic.Natural1:
		c.unbounded("an element of an infinite set", "a finite set such as 0‥9")
	case logic.UpTo:
		x, y := c.Expr(terms[0]), c.Expr(terms[1])
		return loop(func(frame *Frame, leaf memb) bool {
			for i, n := x(frame), y(frame); frame.u.CmpInt(i, n) <= 0; i = frame.u.Add(i, 1) {
				if frame.Tick(); !leaf(frame, i) {
					return false
				}
			}
			return true
		})
	case logic.Union:
		its := c.iters(terms)
		return func(leaf memb) Then {
			var parts []Pred
			for _, it := range its {
				parts = append(parts, Pred(it(leaf)))
			}
			return func(frame *Frame) bool {
				for _, part := range parts {
					if !part(frame) {
						return false
					}
				}
				return true
			}
		}
	case logic.Inter:
		for i, set := range terms {
			if c.buildable(set) {
				var rest []memb
				for j, m := range terms {
					if i != j {
						rest = append(rest, c.memb(m))
					}
				}
				return filter(c.iter(set), func(frame *Frame, v value.Value) bool {
					for _, m := range rest {
						if !m(frame, v) {
							return false
						}
					}
					return true
				})
			}
		}
		c.unbounded("an element of an infinite set", "a finite set such as 0‥9")
	case logic.Diff:
		out := c.memb(terms[1])
		return filter(c.iter(terms[0]), func(frame *Frame, v value.Value) bool { return !out(frame, v) })
	case logic.Pow, logic.Pow1:
		return c.subsets(terms[0], op == logic.Pow1)
	case logic.Dom, logic.Ran, logic.Image:
		return c.side(t)
	case logic.CProd, logic.Converse, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub, logic.FComp, logic.BComp, logic.DProd, logic.PProd:
		return c.joined(t)
	case logic.Id:
		return c.identity(sh, c.typeIter(sh.Elem.Left))
	case logic.Prj1, logic.Prj2:
		return mapped(c.typeIter(sh.Elem.Left), func(frame *Frame, v value.Value) value.Value {
			x, y := frame.u.Split(sh.Elem.Left, v)
			if op == logic.Prj2 {
				x = y
			}
			return frame.u.Pair(sh.Elem, v, x)
		})
	case logic.Compr:
		return c.comprIter(t)
	}
	return c.elements(t)
}

// Distinct is iter without repetitions.
func (c *Compiler) Distinct(t logic.Term) iter {
	switch c.Bank.Op(t) {
	case logic.Union, logic.Inter, logic.Diff, logic.CProd, logic.Dom, logic.Ran, logic.Image, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub,
		logic.FComp, logic.BComp, logic.DProd, logic.PProd, logic.Compr:
		if !c.Bank.IsTypeExpr(t) && c.buildable(t) {
			return c.elements(t)
		}
	}
	return c.iter(t)
}

// elements enumerates a set that is built first.
func (c *Compiler) elements(term logic.Term) iter {
	set, sh := c.set(term), c.shape(term)
	return loop(func(frame *Frame, leaf memb) bool {
		var buf [64]value.Value
		for _, v := range frame.u.Elems(sh, set(frame), buf[:]) {
			if frame.Tick(); !leaf(frame, v) {
				return false
			}
		}
		return true
	})
}

func (c *Compiler) iters(ts []logic.Term) []iter {
	var out []iter
	for _, t := range ts {
		out = append(out, c.iter(t))
	}
	return out
}

func (c *Compiler) identity(sh *value.Shape, it iter) iter {
	return mapped(it, func(f *Frame, v value.Value) value.Value { return f.u.Pair(sh.Elem, v, v) })
}

// maxEnum bounds the types whose values are all enumerated where nothing else
// bounds a variable.
const maxEnum = 1 << 20

// typeIter enumerates all values of a type.
func (c *Compiler) typeIter(shape *value.Shape) iter {
	if !shape.Finite() || shape.Size > maxEnum {
		c.unbounded("a value of an infinite or very large type", "a condition such as x ∈ 0‥9")
	}
	return values(shape)
}

// within enumerates the values of a type whose integers lie between bounds.
func (c *Compiler) within(shape *value.Shape, b Bounds) iter {
	switch {
	case shape.Kind == value.IntShape:
		return loop(func(frame *Frame, leaf memb) bool {
			for i := b.Low; i <= b.High; i++ {
				if frame.Tick(); !leaf(frame, value.Value(i)) {
					return false
				}
			}
			return true
		})
	case shape.Left != nil:
		l, r := c.within(shape.Left, b), c.within(shape.Right, b)
		return c.crossed(l, r).values(shape)
	case shape.Elem != nil:
		at := c.newList()
		list := c.within(shape.Elem, b)(func(frame *Frame, v value.Value) bool {
			frame.lists[at] = append(frame.lists[at], v)
			// One element more than can be used is enough to see that there are too many.
			return len(frame.lists[at]) <= maxPower
		})
		return subsetsOf(shape, false, func(frame *Frame) []value.Value {
			frame.lists[at] = nil
			list(frame)
			return frame.lists[at]
		})
	}
	return values(shape)
}

// maxPower is the size of the largest set whose subsets are enumerated.
const maxPower = 24

func (c *Compiler) subsets(t logic.Term, nonEmpty bool) iter {
	sh := c.shape(t)
	set := c.set(t)
	return subsetsOf(sh, nonEmpty, func(f *Frame) []value.Value { return slices.Clone(f.u.Elems(sh, set(f), nil)) })
}

// subsetsOf enumerates the sets of some of the given elements.
func subsetsOf(sh *value.Shape, nonEmpty bool, elems func(*Frame) []value.Value) iter {
	return loop(func(frame *Frame, leaf memb) bool {
		xs := elems(frame)
		if len(xs) > maxPower {
			panic(abort.Limit{What: "all subsets of a set of more than 24 elements"})
		}
		sub := make([]value.Value, 0, len(xs))
		for m := uint64(0); m < 1<<len(xs); m++ {
			if m == 0 && nonEmpty {
				continue
			}
			sub = sub[:0]
			for i, x := range xs {
				if m>>i&1 == 1 {
					sub = append(sub, x)
				}
			}
			if frame.Tick(); !leaf(frame, frame.u.Set(sh, sub)) {
				return false
			}
		}
		return true
	})
}

// functions enumerates an arrow set: row by row for functional arrows, as
// subsets of the product otherwise.
func (c *Compiler) functions(term logic.Term, want logic.Arrow) iter {
	terms := c.Bank.Args(term)
	sh := c.shape(term).Elem
	dom, ran := c.shape(terms[0]), c.shape(terms[1])
	ds, rs := c.set(terms[0]), c.set(terms[1])
	return loop(func(frame *Frame, leaf memb) bool {
		space := frame.u
		xs := append([]value.Value(nil), space.Elems(dom, ds(frame), nil)...)
		ys := append([]value.Value(nil), space.Elems(ran, rs(frame), nil)...)
		var pairs []value.Value
		covered := func() bool {
			if !want.Surjective {
				return true
			}
			for _, y := range ys {
				hit := false
				for _, p := range pairs {
					_, z := space.Split(sh.Elem, p)
					hit = hit || z == y
				}
				if !hit {
					return false
				}
			}
			return true
		}
		used := func(y value.Value) bool {
			for _, p := range pairs {
				if _, z := space.Split(sh.Elem, p); z == y {
					return true
				}
			}
			return false
		}
		// row decides about the pair of the i-th x and the j-th y; some says that the
		// x has a pair already. Without first: so small relations come first.
		var row func(i, j int, some bool) bool
		row = func(i, j int, some bool) bool {
			if frame.Tick(); i == len(xs) {
				return !covered() || leaf(frame, space.Set(sh, append([]value.Value(nil), pairs...)))
			}
			if j == len(ys) {
				return !some && want.Total || row(i+1, 0, false)
			}
			if !row(i, j+1, some) {
				return false
			}
			if some && want.Functional || want.Injective && used(ys[j]) {
				return true
			}
			pairs = append(pairs, space.Pair(sh.Elem, xs[i], ys[j]))
			ok := row(i, j+1, true)
			pairs = pairs[:len(pairs)-1]
			return ok
		}
		return row(0, 0, false)
	})
}

func (c *Compiler) comprIter(t logic.Term) iter {
	var e Expr
	steps := c.Steps(c.Bank.Decls(t), c.names(t), c.Conjuncts(c.Bank.Arg(t, 0)), func() { e = c.Whole(c.Bank.Arg(t, 1)) })
	return func(leaf memb) Then {
		return chain(steps, func(f *Frame) bool { return leaf(f, e(f)) })
	}
}
