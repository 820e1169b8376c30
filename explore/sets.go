package explore

import (
	"math/bits"

	"github.com/gradine/gradine/logic"
)

// buildable reports whether set t can be computed as a value: it is finite by
// its form, given that every identifier has a finite value.
func (c *compiler) buildable(t logic.Term) bool {
	if c.u.shape(c.b.Elem(c.b.Type(t))).finite() {
		return true
	}
	t = c.known(t)
	a := c.b.Args(t)
	if _, arrow := c.b.Op(t).Arrow(); arrow {
		return c.allBuildable(a)
	}
	switch c.b.Op(t) {
	case logic.Integer, logic.Natural, logic.Natural1, logic.Id, logic.Prj1, logic.Prj2, logic.Pred, logic.Succ:
		return false
	case logic.Inter:
		for _, s := range a {
			if c.buildable(s) {
				return true
			}
		}
		return false
	case logic.Union, logic.CProd, logic.Ovr, logic.DProd, logic.PProd:
		return c.allBuildable(a)
	case logic.Diff, logic.Pow, logic.Pow1, logic.RanRes, logic.RanSub:
		return c.buildable(a[0])
	case logic.DomSub:
		return c.buildable(a[1])
	case logic.DomRes:
		return c.buildable(a[1]) || c.buildable(a[0]) && c.isFunctionForm(a[1])
	}
	return true
}

// isFunctionForm reports whether t is one of the infinite functions that can be
// applied but not built.
func (c *compiler) isFunctionForm(t logic.Term) bool {
	switch c.b.Op(t) {
	case logic.Id, logic.Pred, logic.Succ:
		return true
	}
	return false
}

// memb compiles membership in t, which may be infinite.
func (c *compiler) memb(t logic.Term) memb {
	if c.b.IsTypeExpr(t) {
		return func(*frame, Value) bool { return true }
	}
	t = c.known(t)
	a := c.b.Args(t)
	op := c.b.Op(t)
	if want, arrow := op.Arrow(); arrow {
		return c.arrow(t, want)
	}
	switch op {
	case logic.Natural:
		return func(f *frame, v Value) bool { return f.u.cmpInt(v, 0) >= 0 }
	case logic.Natural1:
		return func(f *frame, v Value) bool { return f.u.cmpInt(v, 0) > 0 }
	case logic.UpTo:
		x, y := c.expr(a[0]), c.expr(a[1])
		return func(f *frame, v Value) bool { return f.u.cmpInt(x(f), v) <= 0 && f.u.cmpInt(v, y(f)) <= 0 }
	case logic.SetExt:
		xs := c.exprs(a)
		return func(f *frame, v Value) bool {
			for _, x := range xs {
				if x(f) == v {
					return true
				}
			}
			return false
		}
	case logic.Union, logic.Inter, logic.Diff:
		ms := c.membs(a)
		return func(f *frame, v Value) bool {
			for i, m := range ms {
				switch in := m(f, v); {
				case op == logic.Union && in:
					return true
				case op == logic.Inter && !in, op == logic.Diff && in != (i == 0):
					return false
				}
			}
			return op != logic.Union
		}
	case logic.Pow, logic.Pow1:
		sh := c.shape(t).elem
		in := c.memb(a[0])
		return func(f *frame, v Value) bool {
			return (op == logic.Pow || v != f.u.empty(sh)) && f.every(sh, v, in)
		}
	case logic.CProd, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub:
		sh := c.shape(t).elem
		m, n := c.memb(a[0]), c.memb(a[1])
		return func(f *frame, v Value) bool {
			x, y := f.u.split(sh, v)
			switch op {
			case logic.CProd:
				return m(f, x) && n(f, y)
			case logic.DomRes:
				return m(f, x) && n(f, v)
			case logic.DomSub:
				return !m(f, x) && n(f, v)
			case logic.RanRes:
				return m(f, v) && n(f, y)
			}
			return m(f, v) && !n(f, y)
		}
	case logic.Converse:
		sh, in := c.shape(t).elem, c.memb(a[0])
		inner := c.shape(a[0]).elem
		return func(f *frame, v Value) bool {
			x, y := f.u.split(sh, v)
			return in(f, f.u.pair(inner, y, x))
		}
	case logic.Id, logic.Succ, logic.Pred, logic.Prj1, logic.Prj2:
		sh := c.shape(t).elem
		return func(f *frame, v Value) bool {
			x, y := f.u.split(sh, v)
			switch op {
			case logic.Succ:
				x = f.u.add(x, 1)
			case logic.Pred:
				x = f.u.sub(x, 1)
			case logic.Prj1:
				x, _ = f.u.split(sh.l, x)
			case logic.Prj2:
				_, x = f.u.split(sh.l, x)
			}
			return x == y
		}
	case logic.Compr:
		if m, ok := c.comprMemb(t); ok {
			return m
		}
	case logic.QUnion:
		var in memb
		slot := c.newSlot()
		search := chain(c.steps(c.b.Decls(t), c.names(t), c.conjuncts(a[0]), func() { in = c.memb(a[1]) }),
			func(f *frame) bool { return !in(f, f.slots[slot]) })
		return func(f *frame, v Value) bool {
			f.slots[slot] = v
			return !search(f)
		}
	}
	set, sh := c.set(t), c.shape(t)
	if sh.kind == maskShape {
		return func(f *frame, v Value) bool { return set(f)>>v&1 == 1 }
	}
	return func(f *frame, v Value) bool { return f.u.has(sh, set(f), v) }
}

func (c *compiler) membs(ts []logic.Term) []memb {
	var out []memb
	for _, t := range ts {
		out = append(out, c.memb(t))
	}
	return out
}

func (c *compiler) exprs(ts []logic.Term) []expr {
	var out []expr
	for _, t := range ts {
		out = append(out, c.expr(t))
	}
	return out
}

// every reports whether all elements of set v are in.
func (f *frame) every(sh *shape, v Value, in memb) bool {
	if sh.bits(v) {
		for m := uint64(v &^ sh.mark()); m != 0; m &= m - 1 {
			if !in(f, Value(bits.TrailingZeros64(m))) {
				return false
			}
		}
		return true
	}
	for _, x := range f.u.elems(sh, v, nil) {
		if !in(f, x) {
			return false
		}
	}
	return true
}

// arrow compiles membership in a set of relations.
func (c *compiler) arrow(t logic.Term, want logic.Arrow) memb {
	sh := c.shape(t).elem
	dom, ran := c.memb(c.b.Arg(t, 0)), c.memb(c.b.Arg(t, 1))
	var all, onto iter
	if want.Total {
		all = c.iter(c.b.Arg(t, 0))
	}
	if want.Surjective {
		onto = c.iter(c.b.Arg(t, 1))
	}
	return func(f *frame, v Value) bool {
		u := f.u
		if sh.dense(v) && !want.Injective && !want.Surjective {
			return eachSlot(v, func(k, x Value) bool { return dom(f, k) && ran(f, x) }) &&
				(!want.Total || all(f, func(k Value) bool { return image(v, k) != 0 }))
		}
		pairs := u.elems(sh, v, nil)
		for i, p := range pairs {
			x, y := u.split(sh.elem, p)
			if !dom(f, x) || !ran(f, y) {
				return false
			}
			if i > 0 && want.Functional {
				if w, _ := u.split(sh.elem, pairs[i-1]); w == x {
					return false
				}
			}
			if want.Injective {
				for _, q := range pairs[:i] {
					if w, z := u.split(sh.elem, q); z == y && w != x {
						return false
					}
				}
			}
		}
		covers := func(elems iter, side func(Value) Value) bool {
			return elems(f, func(x Value) bool {
				for _, p := range pairs {
					if side(p) == x {
						return true
					}
				}
				return false
			})
		}
		return (!want.Total || covers(all, func(p Value) Value { x, _ := u.split(sh.elem, p); return x })) &&
			(!want.Surjective || covers(onto, func(p Value) Value { _, y := u.split(sh.elem, p); return y }))
	}
}

// comprMemb compiles membership in {x·P∣E} where E is a pattern of the
// variables, or a pattern ↦ value.
func (c *compiler) comprMemb(t logic.Term) (memb, bool) {
	n := len(c.b.Decls(t))
	if pat, ok := c.pattern(c.b.Arg(t, 1), n); ok {
		var m memb
		c.under(c.b.Decls(t), c.names(t), func(slots []int) {
			p := c.pred(c.b.Arg(t, 0))
			m = func(f *frame, v Value) bool {
				bind(f, pat, slots, v)
				return p(f)
			}
		})
		return m, true
	}
	e := c.b.Arg(t, 1)
	if c.b.Op(e) != logic.Maplet {
		return nil, false
	}
	pat, ok := c.pattern(c.b.Arg(e, 0), n)
	if !ok {
		return nil, false
	}
	sh := c.shape(t).elem
	var m memb
	c.under(c.b.Decls(t), c.names(t), func(slots []int) {
		p, val := c.pred(c.b.Arg(t, 0)), c.expr(c.b.Arg(e, 1))
		m = func(f *frame, v Value) bool {
			x, y := f.u.split(sh, v)
			bind(f, pat, slots, x)
			return p(f) && val(f) == y
		}
	})
	return m, true
}

// set compiles a set-valued expression (or any other that expr leaves over) to
// a value.
func (c *compiler) set(t logic.Term) expr {
	t = c.known(t)
	if !c.buildable(t) {
		c.unbounded("the elements of an infinite set", "a finite set such as 0‥9")
	}
	sh := c.shape(t)
	a := c.b.Args(t)
	op := c.b.Op(t)
	if c.b.IsTypeExpr(t) {
		if !sh.elem.finite() || sh.elem.size > maxEnum {
			c.unbounded("the values of a very large type", "a smaller set")
		}
		v := c.u.set(sh, full(sh.elem))
		return func(*frame) Value { return v }
	}
	switch op {
	case logic.Free, logic.Bound, logic.Apply:
		return c.expr(t)
	case logic.Empty:
		v := c.u.empty(sh)
		return func(*frame) Value { return v }
	case logic.SetExt:
		return c.setExt(sh, c.exprs(a))
	case logic.Union, logic.Inter, logic.Diff:
		if !c.allBuildable(a) {
			break
		}
		x := c.set(a[0])
		for _, s := range a[1:] {
			x = setOp(op, sh, x, c.set(s))
		}
		return x
	case logic.Ovr:
		x := c.set(a[0])
		for _, s := range a[1:] {
			x = c.overrideBy(sh, x, s)
		}
		return x
	case logic.GUnion, logic.GInter:
		return c.general(t, sh)
	case logic.QUnion, logic.QInter:
		return c.quantified(t, sh)
	}
	elems := c.iter(t)
	return func(f *frame) Value {
		var out []Value
		elems(f, func(v Value) bool {
			if out = append(out, v); len(out) > maxListed {
				panic(limitReached{"a set of more than 4 million elements"})
			}
			return true
		})
		return f.u.set(sh, out)
	}
}

// maxListed bounds the sets that are built.
const maxListed = 1 << 22

func (c *compiler) allBuildable(ts []logic.Term) bool {
	for _, t := range ts {
		if !c.buildable(t) {
			return false
		}
	}
	return true
}

func (c *compiler) setExt(sh *shape, xs []expr) expr {
	if sh.kind == maskShape {
		return func(f *frame) Value {
			var m Value
			for _, x := range xs {
				m |= 1 << x(f)
			}
			return m
		}
	}
	return func(f *frame) Value {
		if sh.kind == intsShape {
			if m, ok := smallInts(f, xs); ok {
				return m
			}
		}
		vs := make([]Value, len(xs))
		for i, x := range xs {
			vs[i] = x(f)
		}
		return f.u.set(sh, vs)
	}
}

// smallInts returns the set of the values of xs, and false if it is not held as bits.
func smallInts(f *frame, xs []expr) (Value, bool) {
	m := small
	for _, x := range xs {
		v := x(f)
		if v >= 62 {
			return 0, false
		}
		m |= 1 << v
	}
	return m, true
}

func setOp(op logic.Op, sh *shape, x, y expr) expr {
	switch op {
	case logic.Union:
		return func(f *frame) Value { return f.u.union(sh, x(f), y(f)) }
	case logic.Inter:
		return func(f *frame) Value { return f.u.inter(sh, x(f), y(f)) }
	}
	return func(f *frame) Value { return f.u.diff(sh, x(f), y(f)) }
}

// overrideBy compiles r <+ s; updates of one place need no set s.
func (c *compiler) overrideBy(sh *shape, r expr, s logic.Term) expr {
	if c.b.Op(s) != logic.SetExt || len(c.b.Args(s)) != 1 || c.b.Op(c.b.Arg(s, 0)) != logic.Maplet {
		return override(sh, r, c.set(s))
	}
	k, x := c.expr(c.b.Arg(c.b.Arg(s, 0), 0)), c.expr(c.b.Arg(c.b.Arg(s, 0), 1))
	return func(f *frame) Value {
		return f.u.with(sh, r(f), k(f), x(f))
	}
}

// override compiles r <+ s.
func override(sh *shape, r, s expr) expr {
	pair := sh.elem
	if sh.kind == maskShape {
		n := pair.r.size
		row := Value(1)<<n - 1
		return func(f *frame) Value {
			a, b := r(f), s(f)
			for i := Value(0); i < Value(pair.l.size); i++ {
				if b&(row<<(i*Value(n))) != 0 {
					a &^= row << (i * Value(n))
				}
			}
			return a | b
		}
	}
	return func(f *frame) Value {
		u := f.u
		a, b := r(f), s(f)
		over := u.elems(sh, b, nil)
		var out []Value
		for _, p := range u.elems(sh, a, nil) {
			x, _ := u.split(pair, p)
			if i := u.row(sh, over, x); i == len(over) || !u.rowIs(sh, over[i], x) {
				out = append(out, p)
			}
		}
		return u.set(sh, append(out, over...))
	}
}

func (c *compiler) general(t logic.Term, sh *shape) expr {
	outer := c.shape(c.b.Arg(t, 0))
	sets := c.set(c.b.Arg(t, 0))
	union := c.b.Op(t) == logic.GUnion
	return func(f *frame) Value {
		all := f.u.elems(outer, sets(f), nil)
		if len(all) == 0 {
			if union {
				return f.u.empty(sh)
			}
			return undefined("inter of no set")
		}
		v := all[0]
		for _, s := range all[1:] {
			if union {
				v = f.u.union(sh, v, s)
			} else {
				v = f.u.inter(sh, v, s)
			}
		}
		return v
	}
}

func (c *compiler) quantified(t logic.Term, sh *shape) expr {
	union := c.b.Op(t) == logic.QUnion
	var e expr
	search := c.binder(c.b.Decls(t), c.names(t), c.conjuncts(c.b.Arg(t, 0)), func() { e = c.set(c.b.Arg(t, 1)) })
	return func(f *frame) Value {
		acc, some := f.u.empty(sh), false
		search(f, func(f *frame) bool {
			f.tick()
			switch v := e(f); {
			case !some:
				acc, some = v, true
			case union:
				acc = f.u.union(sh, acc, v)
			default:
				acc = f.u.inter(sh, acc, v)
			}
			return true
		})
		if !some && !union {
			return undefined("⋂ over nothing")
		}
		return acc
	}
}
