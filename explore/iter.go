package explore

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// iter compiles the enumeration of the elements of t, in no order that counts,
// possibly with repetitions.
func (c *compiler) iter(t logic.Term) iter {
	t = c.known(t)
	a := c.b.Args(t)
	sh := c.shape(t)
	if c.b.IsTypeExpr(t) {
		return c.typeIter(sh.elem)
	}
	if want, arrow := c.b.Op(t).Arrow(); arrow {
		return c.functions(t, want)
	}
	switch op := c.b.Op(t); op {
	case logic.Integer, logic.Natural, logic.Natural1:
		c.unbounded("an element of an infinite set", "a finite set such as 0‥9")
	case logic.UpTo:
		x, y := c.expr(a[0]), c.expr(a[1])
		return func(f *frame, yield func(Value) bool) bool {
			for i, n := x(f), y(f); f.u.cmpInt(i, n) <= 0; i = f.u.add(i, 1) {
				if f.tick(); !yield(i) {
					return false
				}
			}
			return true
		}
	case logic.Union:
		its := c.iters(a)
		return func(f *frame, yield func(Value) bool) bool {
			for _, it := range its {
				if !it(f, yield) {
					return false
				}
			}
			return true
		}
	case logic.Inter:
		for i, s := range a {
			if c.buildable(s) {
				var rest []memb
				for j, m := range a {
					if i != j {
						rest = append(rest, c.memb(m))
					}
				}
				return filter(c.iter(s), func(f *frame, v Value) bool {
					for _, m := range rest {
						if !m(f, v) {
							return false
						}
					}
					return true
				})
			}
		}
		c.unbounded("an element of an infinite set", "a finite set such as 0‥9")
	case logic.Diff:
		out := c.memb(a[1])
		return filter(c.iter(a[0]), func(f *frame, v Value) bool { return !out(f, v) })
	case logic.CProd:
		x, y := c.iter(a[0]), c.iter(a[1])
		return func(f *frame, yield func(Value) bool) bool {
			return x(f, func(v Value) bool {
				return y(f, func(w Value) bool { return yield(f.u.pair(sh.elem, v, w)) })
			})
		}
	case logic.Pow, logic.Pow1:
		return c.subsets(a[0], op == logic.Pow1)
	case logic.Dom, logic.Ran, logic.Converse, logic.Image, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub:
		return c.fromPairs(t)
	case logic.FComp, logic.BComp, logic.DProd, logic.PProd:
		return c.product(t)
	case logic.Id:
		return c.identity(sh, c.typeIter(sh.elem.l))
	case logic.Prj1, logic.Prj2:
		return mapped(c.typeIter(sh.elem.l), func(f *frame, v Value) Value {
			x, y := f.u.split(sh.elem.l, v)
			if op == logic.Prj2 {
				x = y
			}
			return f.u.pair(sh.elem, v, x)
		})
	case logic.Compr:
		return c.comprIter(t)
	}
	return c.elements(t)
}

// distinct is iter without repetitions.
func (c *compiler) distinct(t logic.Term) iter {
	switch c.b.Op(t) {
	case logic.Union, logic.Inter, logic.Diff, logic.CProd, logic.Dom, logic.Ran, logic.Image, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub,
		logic.FComp, logic.BComp, logic.DProd, logic.PProd, logic.Compr:
		if !c.b.IsTypeExpr(t) && c.buildable(t) {
			return c.elements(t)
		}
	}
	return c.iter(t)
}

// elements enumerates a set that is built first.
func (c *compiler) elements(t logic.Term) iter {
	set, sh := c.set(t), c.shape(t)
	return func(f *frame, yield func(Value) bool) bool {
		var buf [64]Value
		for _, v := range f.u.elems(sh, set(f), buf[:]) {
			if f.tick(); !yield(v) {
				return false
			}
		}
		return true
	}
}

func (c *compiler) iters(ts []logic.Term) []iter {
	var out []iter
	for _, t := range ts {
		out = append(out, c.iter(t))
	}
	return out
}

func filter(it iter, keep memb) iter {
	return func(f *frame, yield func(Value) bool) bool {
		return it(f, func(v Value) bool { return !keep(f, v) || yield(v) })
	}
}

func mapped(it iter, fn func(*frame, Value) Value) iter {
	return func(f *frame, yield func(Value) bool) bool {
		return it(f, func(v Value) bool { return yield(fn(f, v)) })
	}
}

func (c *compiler) identity(sh *shape, it iter) iter {
	return mapped(it, func(f *frame, v Value) Value { return f.u.pair(sh.elem, v, v) })
}

// maxEnum bounds the types whose values are all enumerated where nothing else
// bounds a variable.
const maxEnum = 1 << 20

// typeIter enumerates all values of a type.
func (c *compiler) typeIter(s *shape) iter {
	if !s.finite() || s.size > maxEnum {
		c.unbounded("a value of an infinite or very large type", "a condition such as x ∈ 0‥9")
	}
	return func(f *frame, yield func(Value) bool) bool {
		for v := Value(0); v < Value(s.size); v++ {
			if f.tick(); !yield(v) {
				return false
			}
		}
		return true
	}
}

// within enumerates the values of a type whose integers lie between bounds.
func within(s *shape, b Bounds) iter {
	switch {
	case s.kind == intShape:
		return func(f *frame, yield func(Value) bool) bool {
			for i := b.Low; i <= b.High; i++ {
				if f.tick(); !yield(Value(i)) {
					return false
				}
			}
			return true
		}
	case s.l != nil:
		l, r := within(s.l, b), within(s.r, b)
		return func(f *frame, yield func(Value) bool) bool {
			return l(f, func(v Value) bool {
				return r(f, func(w Value) bool { return yield(f.u.pair(s, v, w)) })
			})
		}
	case s.elem != nil:
		elems := within(s.elem, b)
		return subsetsOf(s, false, func(f *frame) []Value {
			var out []Value
			elems(f, func(v Value) bool {
				out = append(out, v)
				return len(out) <= maxPower
			})
			return out
		})
	}
	return func(f *frame, yield func(Value) bool) bool {
		for v := range Value(s.size) {
			if f.tick(); !yield(v) {
				return false
			}
		}
		return true
	}
}

// maxPower is the size of the largest set whose subsets are enumerated.
const maxPower = 24

func (c *compiler) subsets(t logic.Term, nonEmpty bool) iter {
	sh := c.shape(t)
	set := c.set(t)
	return subsetsOf(sh, nonEmpty, func(f *frame) []Value { return slices.Clone(f.u.elems(sh, set(f), nil)) })
}

// subsetsOf enumerates the sets of some of the given elements.
func subsetsOf(sh *shape, nonEmpty bool, elems func(*frame) []Value) iter {
	return func(f *frame, yield func(Value) bool) bool {
		xs := elems(f)
		if len(xs) > maxPower {
			panic(limitReached{"all subsets of a set of more than 24 elements"})
		}
		sub := make([]Value, 0, len(xs))
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
			if f.tick(); !yield(f.u.set(sh, sub)) {
				return false
			}
		}
		return true
	}
}

// functions enumerates an arrow set: row by row for functional arrows, as
// subsets of the product otherwise.
func (c *compiler) functions(t logic.Term, want logic.Arrow) iter {
	a := c.b.Args(t)
	sh := c.shape(t).elem
	dom, ran := c.shape(a[0]), c.shape(a[1])
	ds, rs := c.set(a[0]), c.set(a[1])
	return func(f *frame, yield func(Value) bool) bool {
		u := f.u
		xs := append([]Value(nil), u.elems(dom, ds(f), nil)...)
		ys := append([]Value(nil), u.elems(ran, rs(f), nil)...)
		var pairs []Value
		covered := func() bool {
			if !want.Surjective {
				return true
			}
			for _, y := range ys {
				hit := false
				for _, p := range pairs {
					_, z := u.split(sh.elem, p)
					hit = hit || z == y
				}
				if !hit {
					return false
				}
			}
			return true
		}
		used := func(y Value) bool {
			for _, p := range pairs {
				if _, z := u.split(sh.elem, p); z == y {
					return true
				}
			}
			return false
		}
		var row func(i, j int, some bool) bool
		row = func(i, j int, some bool) bool {
			if f.tick(); i == len(xs) {
				return !covered() || yield(u.set(sh, append([]Value(nil), pairs...)))
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
			pairs = append(pairs, u.pair(sh.elem, xs[i], ys[j]))
			ok := row(i, j+1, true)
			pairs = pairs[:len(pairs)-1]
			return ok
		}
		return row(0, 0, false)
	}
}

// fromPairs enumerates what is got from the pairs of one relation, one by one.
func (c *compiler) fromPairs(t logic.Term) iter {
	a := c.b.Args(t)
	op := c.b.Op(t)
	rel := a[0]
	if op == logic.DomRes || op == logic.DomSub {
		rel = a[1]
	}
	sh := c.shape(t)
	if op == logic.DomRes && c.isFunctionForm(rel) {
		if c.b.Op(rel) == logic.Id {
			return c.identity(sh, c.iter(a[0]))
		}
		step := Value(1)
		if c.b.Op(rel) == logic.Pred {
			step = ^Value(0)
		}
		return mapped(c.iter(a[0]), func(f *frame, v Value) Value { return f.u.pair(sh.elem, v, f.u.add(v, step)) })
	}
	pair := c.shape(rel).elem
	pairs := c.iter(rel)
	var other memb
	switch op {
	case logic.Image, logic.RanRes, logic.RanSub:
		other = c.memb(a[1])
	case logic.DomRes, logic.DomSub:
		other = c.memb(a[0])
	}
	return func(f *frame, yield func(Value) bool) bool {
		return pairs(f, func(v Value) bool {
			x, y := f.u.split(pair, v)
			switch op {
			case logic.Dom:
				return yield(x)
			case logic.Ran:
				return yield(y)
			case logic.Converse:
				return yield(f.u.pair(sh.elem, y, x))
			case logic.Image:
				return !other(f, x) || yield(y)
			case logic.DomRes, logic.DomSub:
				return other(f, x) != (op == logic.DomRes) || yield(v)
			}
			return other(f, y) != (op == logic.RanRes) || yield(v)
		})
	}
}

// product enumerates compositions and products of relations.
func (c *compiler) product(t logic.Term) iter {
	a := c.b.Args(t)
	op := c.b.Op(t)
	if op == logic.BComp {
		rev := make([]logic.Term, len(a))
		for i, r := range a {
			rev[len(a)-1-i] = r
		}
		a = rev
	}
	first, shape := c.iter(a[0]), c.shape(a[0]).elem
	for _, r := range a[1:] {
		rsh := c.shape(r).elem
		left, lsh := first, shape
		second := c.iter(r)
		out := c.shape(t).elem
		if op == logic.FComp || op == logic.BComp {
			out = c.u.shape(c.u.b.ProdType(lsh.l.typ, rsh.r.typ))
		}
		first, shape = func(f *frame, yield func(Value) bool) bool {
			return left(f, func(v Value) bool {
				x, y := f.u.split(lsh, v)
				return second(f, func(w Value) bool {
					z, q := f.u.split(rsh, w)
					switch {
					case op == logic.DProd:
						return x != z || yield(f.u.pair(out, x, f.u.pair(out.r, y, q)))
					case op == logic.PProd:
						return yield(f.u.pair(out, f.u.pair(out.l, x, z), f.u.pair(out.r, y, q)))
					}
					return y != z || yield(f.u.pair(out, x, q))
				})
			})
		}, out
	}
	return first
}

func (c *compiler) comprIter(t logic.Term) iter {
	var e expr
	search := c.binder(c.b.Decls(t), c.names(t), c.conjuncts(c.b.Arg(t, 0)), func() { e = c.whole(c.b.Arg(t, 1)) })
	return func(f *frame, yield func(Value) bool) bool {
		return search(f, func(f *frame) bool {
			return yield(e(f))
		})
	}
}
