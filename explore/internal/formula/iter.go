package formula

import (
	"slices"

	"github.com/gradine/gradine/explore/internal/unwind"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/logic"
)

// iter compiles the enumeration of the elements of t, in no order that counts,
// possibly with repetitions.
func (c *Compiler) iter(t logic.Term) iter {
	t = c.known(t)
	a := c.Bank.Args(t)
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
		x, y := c.Expr(a[0]), c.Expr(a[1])
		return func(f *Frame, yield func(value.Value) bool) bool {
			for i, n := x(f), y(f); f.u.CmpInt(i, n) <= 0; i = f.u.Add(i, 1) {
				if f.Tick(); !yield(i) {
					return false
				}
			}
			return true
		}
	case logic.Union:
		its := c.iters(a)
		return func(f *Frame, yield func(value.Value) bool) bool {
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
				return filter(c.iter(s), func(f *Frame, v value.Value) bool {
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
		return filter(c.iter(a[0]), func(f *Frame, v value.Value) bool { return !out(f, v) })
	case logic.CProd:
		x, y := c.iter(a[0]), c.iter(a[1])
		return func(f *Frame, yield func(value.Value) bool) bool {
			return x(f, func(v value.Value) bool {
				return y(f, func(w value.Value) bool { return yield(f.u.Pair(sh.Elem, v, w)) })
			})
		}
	case logic.Pow, logic.Pow1:
		return c.subsets(a[0], op == logic.Pow1)
	case logic.Dom, logic.Ran, logic.Converse, logic.Image, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub:
		return c.fromPairs(t)
	case logic.FComp, logic.BComp, logic.DProd, logic.PProd:
		return c.product(t)
	case logic.Id:
		return c.identity(sh, c.typeIter(sh.Elem.Left))
	case logic.Prj1, logic.Prj2:
		return mapped(c.typeIter(sh.Elem.Left), func(f *Frame, v value.Value) value.Value {
			x, y := f.u.Split(sh.Elem.Left, v)
			if op == logic.Prj2 {
				x = y
			}
			return f.u.Pair(sh.Elem, v, x)
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
func (c *Compiler) elements(t logic.Term) iter {
	set, sh := c.set(t), c.shape(t)
	return func(f *Frame, yield func(value.Value) bool) bool {
		var buf [64]value.Value
		for _, v := range f.u.Elems(sh, set(f), buf[:]) {
			if f.Tick(); !yield(v) {
				return false
			}
		}
		return true
	}
}

func (c *Compiler) iters(ts []logic.Term) []iter {
	var out []iter
	for _, t := range ts {
		out = append(out, c.iter(t))
	}
	return out
}

func filter(it iter, keep memb) iter {
	return func(f *Frame, yield func(value.Value) bool) bool {
		return it(f, func(v value.Value) bool { return !keep(f, v) || yield(v) })
	}
}

func mapped(it iter, fn func(*Frame, value.Value) value.Value) iter {
	return func(f *Frame, yield func(value.Value) bool) bool {
		return it(f, func(v value.Value) bool { return yield(fn(f, v)) })
	}
}

func (c *Compiler) identity(sh *value.Shape, it iter) iter {
	return mapped(it, func(f *Frame, v value.Value) value.Value { return f.u.Pair(sh.Elem, v, v) })
}

// maxEnum bounds the types whose values are all enumerated where nothing else
// bounds a variable.
const maxEnum = 1 << 20

// typeIter enumerates all values of a type.
func (c *Compiler) typeIter(s *value.Shape) iter {
	if !s.Finite() || s.Size > maxEnum {
		c.unbounded("a value of an infinite or very large type", "a condition such as x ∈ 0‥9")
	}
	return func(f *Frame, yield func(value.Value) bool) bool {
		for v := value.Value(0); v < value.Value(s.Size); v++ {
			if f.Tick(); !yield(v) {
				return false
			}
		}
		return true
	}
}

// within enumerates the values of a type whose integers lie between bounds.
func within(s *value.Shape, b Bounds) iter {
	switch {
	case s.Kind == value.IntShape:
		return func(f *Frame, yield func(value.Value) bool) bool {
			for i := b.Low; i <= b.High; i++ {
				if f.Tick(); !yield(value.Value(i)) {
					return false
				}
			}
			return true
		}
	case s.Left != nil:
		l, r := within(s.Left, b), within(s.Right, b)
		return func(f *Frame, yield func(value.Value) bool) bool {
			return l(f, func(v value.Value) bool {
				return r(f, func(w value.Value) bool { return yield(f.u.Pair(s, v, w)) })
			})
		}
	case s.Elem != nil:
		elems := within(s.Elem, b)
		return subsetsOf(s, false, func(f *Frame) []value.Value {
			var out []value.Value
			elems(f, func(v value.Value) bool {
				out = append(out, v)
				return len(out) <= maxPower
			})
			return out
		})
	}
	return func(f *Frame, yield func(value.Value) bool) bool {
		for v := range value.Value(s.Size) {
			if f.Tick(); !yield(v) {
				return false
			}
		}
		return true
	}
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
	return func(f *Frame, yield func(value.Value) bool) bool {
		xs := elems(f)
		if len(xs) > maxPower {
			panic(unwind.Limit{What: "all subsets of a set of more than 24 elements"})
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
			if f.Tick(); !yield(f.u.Set(sh, sub)) {
				return false
			}
		}
		return true
	}
}

// functions enumerates an arrow set: row by row for functional arrows, as
// subsets of the product otherwise.
func (c *Compiler) functions(t logic.Term, want logic.Arrow) iter {
	a := c.Bank.Args(t)
	sh := c.shape(t).Elem
	dom, ran := c.shape(a[0]), c.shape(a[1])
	ds, rs := c.set(a[0]), c.set(a[1])
	return func(f *Frame, yield func(value.Value) bool) bool {
		u := f.u
		xs := append([]value.Value(nil), u.Elems(dom, ds(f), nil)...)
		ys := append([]value.Value(nil), u.Elems(ran, rs(f), nil)...)
		var pairs []value.Value
		covered := func() bool {
			if !want.Surjective {
				return true
			}
			for _, y := range ys {
				hit := false
				for _, p := range pairs {
					_, z := u.Split(sh.Elem, p)
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
				if _, z := u.Split(sh.Elem, p); z == y {
					return true
				}
			}
			return false
		}
		// row decides about the pair of the i-th x and the j-th y; some says that the
		// x has a pair already. Without first: so small relations come first.
		var row func(i, j int, some bool) bool
		row = func(i, j int, some bool) bool {
			if f.Tick(); i == len(xs) {
				return !covered() || yield(u.Set(sh, append([]value.Value(nil), pairs...)))
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
			pairs = append(pairs, u.Pair(sh.Elem, xs[i], ys[j]))
			ok := row(i, j+1, true)
			pairs = pairs[:len(pairs)-1]
			return ok
		}
		return row(0, 0, false)
	}
}

// fromPairs enumerates what is got from the pairs of one relation, one by one.
func (c *Compiler) fromPairs(t logic.Term) iter {
	a := c.Bank.Args(t)
	op := c.Bank.Op(t)
	rel := a[0]
	if op == logic.DomRes || op == logic.DomSub {
		rel = a[1]
	}
	sh := c.shape(t)
	if op == logic.DomRes && c.isFunctionForm(rel) {
		if c.Bank.Op(rel) == logic.Id {
			return c.identity(sh, c.iter(a[0]))
		}
		step := value.Value(1)
		if c.Bank.Op(rel) == logic.Pred {
			step = ^value.Value(0)
		}
		return mapped(c.iter(a[0]), func(f *Frame, v value.Value) value.Value { return f.u.Pair(sh.Elem, v, f.u.Add(v, step)) })
	}
	pair := c.shape(rel).Elem
	pairs := c.iter(rel)
	var other memb
	switch op {
	case logic.Image, logic.RanRes, logic.RanSub:
		other = c.memb(a[1])
	case logic.DomRes, logic.DomSub:
		other = c.memb(a[0])
	}
	return func(f *Frame, yield func(value.Value) bool) bool {
		return pairs(f, func(v value.Value) bool {
			x, y := f.u.Split(pair, v)
			switch op {
			case logic.Dom:
				return yield(x)
			case logic.Ran:
				return yield(y)
			case logic.Converse:
				return yield(f.u.Pair(sh.Elem, y, x))
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
func (c *Compiler) product(t logic.Term) iter {
	a := c.Bank.Args(t)
	op := c.Bank.Op(t)
	if op == logic.BComp {
		rev := make([]logic.Term, len(a))
		for i, r := range a {
			rev[len(a)-1-i] = r
		}
		a = rev
	}
	first, shape := c.iter(a[0]), c.shape(a[0]).Elem
	for _, r := range a[1:] {
		rsh := c.shape(r).Elem
		left, lsh := first, shape
		second := c.iter(r)
		out := c.shape(t).Elem
		if op == logic.FComp || op == logic.BComp {
			out = c.Space.Shape(c.Space.Bank.ProdType(lsh.Left.Type, rsh.Right.Type))
		}
		first, shape = func(f *Frame, yield func(value.Value) bool) bool {
			return left(f, func(v value.Value) bool {
				x, y := f.u.Split(lsh, v)
				return second(f, func(w value.Value) bool {
					z, q := f.u.Split(rsh, w)
					switch {
					case op == logic.DProd:
						return x != z || yield(f.u.Pair(out, x, f.u.Pair(out.Right, y, q)))
					case op == logic.PProd:
						return yield(f.u.Pair(out, f.u.Pair(out.Left, x, z), f.u.Pair(out.Right, y, q)))
					}
					return y != z || yield(f.u.Pair(out, x, q))
				})
			})
		}, out
	}
	return first
}

func (c *Compiler) comprIter(t logic.Term) iter {
	var e Expr
	search := c.Binder(c.Bank.Decls(t), c.names(t), c.Conjuncts(c.Bank.Arg(t, 0)), func() { e = c.Whole(c.Bank.Arg(t, 1)) })
	return func(f *Frame, yield func(value.Value) bool) bool {
		return search(f, func(f *Frame) bool {
			return yield(e(f))
		})
	}
}
