package formula

import (
	"math/bits"

	"github.com/gradine/gradine/explore/internal/unwind"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/logic"
)

// buildable reports whether set t can be computed as a value: it is finite by
// its form, given that every identifier has a finite value.
func (c *Compiler) buildable(t logic.Term) bool {
	if c.Space.Shape(c.Bank.Elem(c.Bank.Type(t))).Finite() {
		return true
	}
	t = c.known(t)
	a := c.Bank.Args(t)
	if _, arrow := c.Bank.Op(t).Arrow(); arrow {
		return c.allBuildable(a)
	}
	switch c.Bank.Op(t) {
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
func (c *Compiler) isFunctionForm(t logic.Term) bool {
	switch c.Bank.Op(t) {
	case logic.Id, logic.Pred, logic.Succ:
		return true
	}
	return false
}

// memb compiles membership in t, which may be infinite.
func (c *Compiler) memb(t logic.Term) memb {
	// Every operator that can be asked for a member without being built has a case;
	// what is left over is built, and looked up.
	if c.Bank.IsTypeExpr(t) {
		return func(*Frame, value.Value) bool { return true }
	}
	t = c.known(t)
	a := c.Bank.Args(t)
	op := c.Bank.Op(t)
	if want, arrow := op.Arrow(); arrow {
		return c.arrow(t, want)
	}
	switch op {
	case logic.Natural:
		return func(f *Frame, v value.Value) bool { return f.u.CmpInt(v, 0) >= 0 }
	case logic.Natural1:
		return func(f *Frame, v value.Value) bool { return f.u.CmpInt(v, 0) > 0 }
	case logic.UpTo:
		x, y := c.Expr(a[0]), c.Expr(a[1])
		return func(f *Frame, v value.Value) bool { return f.u.CmpInt(x(f), v) <= 0 && f.u.CmpInt(v, y(f)) <= 0 }
	case logic.SetExt:
		xs := c.exprs(a)
		return func(f *Frame, v value.Value) bool {
			for _, x := range xs {
				if x(f) == v {
					return true
				}
			}
			return false
		}
	case logic.Union, logic.Inter, logic.Diff:
		ms := c.membs(a)
		return func(f *Frame, v value.Value) bool {
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
		sh := c.shape(t).Elem
		in := c.memb(a[0])
		return func(f *Frame, v value.Value) bool {
			return (op == logic.Pow || v != f.u.Empty(sh)) && f.every(sh, v, in)
		}
	case logic.CProd, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub:
		sh := c.shape(t).Elem
		m, n := c.memb(a[0]), c.memb(a[1])
		return func(f *Frame, v value.Value) bool {
			x, y := f.u.Split(sh, v)
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
		sh, in := c.shape(t).Elem, c.memb(a[0])
		inner := c.shape(a[0]).Elem
		return func(f *Frame, v value.Value) bool {
			x, y := f.u.Split(sh, v)
			return in(f, f.u.Pair(inner, y, x))
		}
	case logic.Id, logic.Succ, logic.Pred, logic.Prj1, logic.Prj2:
		sh := c.shape(t).Elem
		return func(f *Frame, v value.Value) bool {
			x, y := f.u.Split(sh, v)
			switch op {
			case logic.Succ:
				x = f.u.Add(x, 1)
			case logic.Pred:
				x = f.u.Sub(x, 1)
			case logic.Prj1:
				x, _ = f.u.Split(sh.Left, x)
			case logic.Prj2:
				_, x = f.u.Split(sh.Left, x)
			}
			return x == y
		}
	case logic.Compr:
		if m, ok := c.comprMemb(t); ok {
			return m
		}
	case logic.QUnion:
		// x ∈ ⋃z·P∣S: some z has it. The slot carries x into the search, which stops,
		// that is says false, at the first such z.
		var in memb
		slot := c.NewSlot()
		search := chain(c.Steps(c.Bank.Decls(t), c.names(t), c.Conjuncts(a[0]), func() { in = c.memb(a[1]) }),
			func(f *Frame) bool { return !in(f, f.Slots[slot]) })
		return func(f *Frame, v value.Value) bool {
			f.Slots[slot] = v
			return !search(f)
		}
	}
	set, sh := c.set(t), c.shape(t)
	if sh.Kind == value.MaskShape {
		return func(f *Frame, v value.Value) bool { return set(f)>>v&1 == 1 }
	}
	return func(f *Frame, v value.Value) bool { return f.u.Has(sh, set(f), v) }
}

func (c *Compiler) membs(ts []logic.Term) []memb {
	var out []memb
	for _, t := range ts {
		out = append(out, c.memb(t))
	}
	return out
}

func (c *Compiler) exprs(ts []logic.Term) []Expr {
	var out []Expr
	for _, t := range ts {
		out = append(out, c.Expr(t))
	}
	return out
}

// every reports whether all elements of set v are in.
func (f *Frame) every(sh *value.Shape, v value.Value, in memb) bool {
	if sh.Bits(v) {
		for m := uint64(v &^ sh.Bit()); m != 0; m &= m - 1 {
			if !in(f, value.Value(bits.TrailingZeros64(m))) {
				return false
			}
		}
		return true
	}
	for _, x := range f.u.Elems(sh, v, nil) {
		if !in(f, x) {
			return false
		}
	}
	return true
}

// arrow compiles membership in a set of relations.
func (c *Compiler) arrow(t logic.Term, want logic.Arrow) memb {
	sh := c.shape(t).Elem
	dom, ran := c.memb(c.Bank.Arg(t, 0)), c.memb(c.Bank.Arg(t, 1))
	var all, onto iter
	if want.Total {
		all = c.iter(c.Bank.Arg(t, 0))
	}
	if want.Surjective {
		onto = c.iter(c.Bank.Arg(t, 1))
	}
	return func(f *Frame, v value.Value) bool {
		u := f.u
		// A dense relation is a function by its form; sides that must differ from each
		// other are compared below.
		if sh.Dense(v) && !want.Injective && !want.Surjective {
			return value.EachSlot(v, func(k, x value.Value) bool { return dom(f, k) && ran(f, x) }) &&
				(!want.Total || all(f, func(k value.Value) bool { return value.Image(v, k) != 0 }))
		}
		pairs := u.Elems(sh, v, nil)
		for i, p := range pairs {
			x, y := u.Split(sh.Elem, p)
			if !dom(f, x) || !ran(f, y) {
				return false
			}
			if i > 0 && want.Functional {
				if w, _ := u.Split(sh.Elem, pairs[i-1]); w == x {
					return false
				}
			}
			if want.Injective {
				for _, q := range pairs[:i] {
					if w, z := u.Split(sh.Elem, q); z == y && w != x {
						return false
					}
				}
			}
		}
		covers := func(elems iter, side func(value.Value) value.Value) bool {
			return elems(f, func(x value.Value) bool {
				for _, p := range pairs {
					if side(p) == x {
						return true
					}
				}
				return false
			})
		}
		return (!want.Total || covers(all, func(p value.Value) value.Value { x, _ := u.Split(sh.Elem, p); return x })) &&
			(!want.Surjective || covers(onto, func(p value.Value) value.Value { _, y := u.Split(sh.Elem, p); return y }))
	}
}

// comprMemb compiles membership in {x·P∣E} where E is a pattern of the
// variables, or a pattern ↦ value.
func (c *Compiler) comprMemb(t logic.Term) (memb, bool) {
	n := len(c.Bank.Decls(t))
	if pat, ok := c.pattern(c.Bank.Arg(t, 1), n); ok {
		var m memb
		c.under(c.Bank.Decls(t), c.names(t), func(slots []int) {
			p := c.Pred(c.Bank.Arg(t, 0))
			m = func(f *Frame, v value.Value) bool {
				bind(f, pat, slots, v)
				return p(f)
			}
		})
		return m, true
	}
	e := c.Bank.Arg(t, 1)
	if c.Bank.Op(e) != logic.Maplet {
		return nil, false
	}
	pat, ok := c.pattern(c.Bank.Arg(e, 0), n)
	if !ok {
		return nil, false
	}
	sh := c.shape(t).Elem
	var m memb
	c.under(c.Bank.Decls(t), c.names(t), func(slots []int) {
		p, val := c.Pred(c.Bank.Arg(t, 0)), c.Expr(c.Bank.Arg(e, 1))
		m = func(f *Frame, v value.Value) bool {
			x, y := f.u.Split(sh, v)
			bind(f, pat, slots, x)
			return p(f) && val(f) == y
		}
	})
	return m, true
}

// set compiles a set-valued expression (or any other that expr leaves over) to
// a value.
func (c *Compiler) set(t logic.Term) Expr {
	t = c.known(t)
	if !c.buildable(t) {
		c.unbounded("the elements of an infinite set", "a finite set such as 0‥9")
	}
	sh := c.shape(t)
	a := c.Bank.Args(t)
	op := c.Bank.Op(t)
	if c.Bank.IsTypeExpr(t) {
		if !sh.Elem.Finite() || sh.Elem.Size > maxEnum {
			c.unbounded("the values of a very large type", "a smaller set")
		}
		v := c.Space.Set(sh, value.Full(sh.Elem))
		return func(*Frame) value.Value { return v }
	}
	// Operators with sets for all arguments are computed; all else is enumerated, and
	// gathered below.
	switch op {
	case logic.Free, logic.Bound, logic.Apply:
		return c.Expr(t)
	case logic.Empty:
		v := c.Space.Empty(sh)
		return func(*Frame) value.Value { return v }
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
	return func(f *Frame) value.Value {
		var out []value.Value
		elems(f, func(v value.Value) bool {
			if out = append(out, v); len(out) > maxListed {
				panic(unwind.Limit{What: "a set of more than 4 million elements"})
			}
			return true
		})
		return f.u.Set(sh, out)
	}
}

// maxListed bounds the sets that are built.
const maxListed = 1 << 22

func (c *Compiler) allBuildable(ts []logic.Term) bool {
	for _, t := range ts {
		if !c.buildable(t) {
			return false
		}
	}
	return true
}

func (c *Compiler) setExt(sh *value.Shape, xs []Expr) Expr {
	if sh.Kind == value.MaskShape {
		return func(f *Frame) value.Value {
			var m value.Value
			for _, x := range xs {
				m |= 1 << x(f)
			}
			return m
		}
	}
	return func(f *Frame) value.Value {
		if sh.Kind == value.IntsShape {
			if m, ok := smallInts(f, xs); ok {
				return m
			}
		}
		vs := make([]value.Value, len(xs))
		for i, x := range xs {
			vs[i] = x(f)
		}
		return f.u.Set(sh, vs)
	}
}

// smallInts returns the set of the values of xs, and false if it is not held as bits.
func smallInts(f *Frame, xs []Expr) (value.Value, bool) {
	m := value.Small
	for _, x := range xs {
		v := x(f)
		if v >= 62 {
			return 0, false
		}
		m |= 1 << v
	}
	return m, true
}

func setOp(op logic.Op, sh *value.Shape, x, y Expr) Expr {
	switch op {
	case logic.Union:
		return func(f *Frame) value.Value { return f.u.Union(sh, x(f), y(f)) }
	case logic.Inter:
		return func(f *Frame) value.Value { return f.u.Inter(sh, x(f), y(f)) }
	}
	return func(f *Frame) value.Value { return f.u.Diff(sh, x(f), y(f)) }
}

// overrideBy compiles r <+ s; updates of one place need no set s.
func (c *Compiler) overrideBy(sh *value.Shape, r Expr, s logic.Term) Expr {
	if c.Bank.Op(s) != logic.SetExt || len(c.Bank.Args(s)) != 1 || c.Bank.Op(c.Bank.Arg(s, 0)) != logic.Maplet {
		return override(sh, r, c.set(s))
	}
	k, x := c.Expr(c.Bank.Arg(c.Bank.Arg(s, 0), 0)), c.Expr(c.Bank.Arg(c.Bank.Arg(s, 0), 1))
	return func(f *Frame) value.Value {
		return f.u.With(sh, r(f), k(f), x(f))
	}
}

// override compiles r <+ s.
func override(sh *value.Shape, r, s Expr) Expr {
	pair := sh.Elem
	if sh.Kind == value.MaskShape {
		n := pair.Right.Size
		row := value.Value(1)<<n - 1
		return func(f *Frame) value.Value {
			a, b := r(f), s(f)
			for i := value.Value(0); i < value.Value(pair.Left.Size); i++ {
				if b&(row<<(i*value.Value(n))) != 0 {
					a &^= row << (i * value.Value(n))
				}
			}
			return a | b
		}
	}
	return func(f *Frame) value.Value {
		u := f.u
		a, b := r(f), s(f)
		over := u.Elems(sh, b, nil)
		var out []value.Value
		for _, p := range u.Elems(sh, a, nil) {
			x, _ := u.Split(pair, p)
			if i := u.Row(sh, over, x); i == len(over) || !u.RowIs(sh, over[i], x) {
				out = append(out, p)
			}
		}
		return u.Set(sh, append(out, over...))
	}
}

func (c *Compiler) general(t logic.Term, sh *value.Shape) Expr {
	outer := c.shape(c.Bank.Arg(t, 0))
	sets := c.set(c.Bank.Arg(t, 0))
	union := c.Bank.Op(t) == logic.GUnion
	return func(f *Frame) value.Value {
		all := f.u.Elems(outer, sets(f), nil)
		if len(all) == 0 {
			if union {
				return f.u.Empty(sh)
			}
			return value.Undefined("inter of no set")
		}
		v := all[0]
		for _, s := range all[1:] {
			if union {
				v = f.u.Union(sh, v, s)
			} else {
				v = f.u.Inter(sh, v, s)
			}
		}
		return v
	}
}

func (c *Compiler) quantified(t logic.Term, sh *value.Shape) Expr {
	union := c.Bank.Op(t) == logic.QUnion
	var e Expr
	search := c.Binder(c.Bank.Decls(t), c.names(t), c.Conjuncts(c.Bank.Arg(t, 0)), func() { e = c.set(c.Bank.Arg(t, 1)) })
	return func(f *Frame) value.Value {
		acc, some := f.u.Empty(sh), false
		search(f, func(f *Frame) bool {
			f.Tick()
			switch v := e(f); {
			case !some:
				acc, some = v, true
			case union:
				acc = f.u.Union(sh, acc, v)
			default:
				acc = f.u.Inter(sh, acc, v)
			}
			return true
		})
		if !some && !union {
			return value.Undefined("⋂ over nothing")
		}
		return acc
	}
}
