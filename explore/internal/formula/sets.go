package formula

import (
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/logic"
)

// buildable reports whether set t can be computed as a value: it is finite by
// its form, given that every identifier has a finite value.
func (c *Compiler) buildable(term logic.Term) bool {
	if c.Space.Shape(c.Bank.Elem(c.Bank.Type(term))).Finite() {
		return true
	}
	term = c.known(term)
	terms := c.Bank.Args(term)
	if _, arrow := c.Bank.Op(term).Arrow(); arrow {
		return c.allBuildable(terms)
	}
	switch c.Bank.Op(term) {
	case logic.Integer, logic.Natural, logic.Natural1, logic.Id, logic.Prj1, logic.Prj2, logic.Pred, logic.Succ:
		return false
	// One finite set makes an intersection finite.
	case logic.Inter:
		for _, set := range terms {
			if c.buildable(set) {
				return true
			}
		}
		return false
	case logic.Union, logic.CProd, logic.Ovr, logic.DProd, logic.PProd:
		return c.allBuildable(terms)
	case logic.Diff, logic.Pow, logic.Pow1, logic.RanRes, logic.RanSub:
		return c.buildable(terms[0])
	case logic.DomSub:
		return c.buildable(terms[1])
	case logic.DomRes:
		return c.buildable(terms[1]) || c.buildable(terms[0]) && c.isFunctionForm(terms[1])
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
func (c *Compiler) memb(term logic.Term) memb {
	// Every operator that can be asked for a member without being built has a case;
	// what is left over is built, and looked up.
	if c.Bank.IsTypeExpr(term) {
		return func(*Frame, value.Value) bool { return true }
	}
	term = c.known(term)
	terms := c.Bank.Args(term)
	op := c.Bank.Op(term)
	if want, arrow := op.Arrow(); arrow {
		return c.arrow(term, want)
	}
	switch op {
	case logic.Natural:
		return func(frame *Frame, v value.Value) bool { return frame.u.CmpInt(v, 0) >= 0 }
	case logic.Natural1:
		return func(frame *Frame, v value.Value) bool { return frame.u.CmpInt(v, 0) > 0 }
	case logic.UpTo:
		x, y := c.Expr(terms[0]), c.Expr(terms[1])
		low, known := c.number(terms[0])
		high, both := c.number(terms[1])
		if known && both {
			return func(frame *Frame, v value.Value) bool {
				return !value.IsBig(v) && int64(v) >= low && int64(v) <= high
			}
		}
		return func(frame *Frame, v value.Value) bool {
			return frame.u.CmpInt(x(frame), v) <= 0 && frame.u.CmpInt(v, y(frame)) <= 0
		}
	case logic.SetExt:
		xs := c.exprs(terms)
		return func(frame *Frame, v value.Value) bool {
			for _, expr := range xs {
				if expr(frame) == v {
					return true
				}
			}
			return false
		}
	case logic.Union, logic.Inter, logic.Diff:
		ms := c.membs(terms)
		return func(frame *Frame, v value.Value) bool {
			for i, m := range ms {
				switch in := m(frame, v); {
				case op == logic.Union && in:
					return true
				case op == logic.Inter && !in, op == logic.Diff && in != (i == 0):
					return false
				}
			}
			return op != logic.Union
		}
	case logic.Pow, logic.Pow1:
		sh := c.shape(term).Elem
		in := c.memb(terms[0])
		return func(frame *Frame, v value.Value) bool {
			return (op == logic.Pow || v != frame.u.Empty(sh)) && frame.every(sh, v, in)
		}
	case logic.CProd, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub, logic.Converse,
		logic.Id, logic.Succ, logic.Pred, logic.Prj1, logic.Prj2:
		return c.pairMemb(op, term)
	case logic.Compr:
		if m, ok := c.comprMemb(term); ok {
			return m
		}
	case logic.QUnion:
		// x ∈ ⋃z·P∣S: some z has it. The slot carries x into the search, which stops,
		// that is says false, at the first such z.
		var in memb
		slot := c.NewSlot()
		search := chain(c.Steps(c.Bank.Decls(term), c.names(term), c.Conjuncts(terms[0]), func() { in = c.memb(terms[1]) }),
			func(frame *Frame) bool { return !in(frame, frame.Slots[slot]) })
		return func(frame *Frame, v value.Value) bool {
			frame.Slots[slot] = v
			return !search(frame)
		}
	}
	set, sh := c.set(term), c.shape(term)
	if sh.Kind == value.MaskShape {
		return func(frame *Frame, v value.Value) bool { return set(frame)>>v&1 == 1 }
	}
	return func(frame *Frame, v value.Value) bool { return frame.u.Has(sh, set(frame), v) }
}

// pairMemb compiles membership in a relation that an operator makes of pairs: a member
// is split, and its sides are asked for where they come from, so that the relation
// itself may be infinite.
func (c *Compiler) pairMemb(op logic.Op, term logic.Term) memb {
	sh, terms := c.shape(term).Elem, c.Bank.Args(term)
	switch op {
	case logic.CProd, logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub:
		m, n := c.memb(terms[0]), c.memb(terms[1])
		return func(frame *Frame, v value.Value) bool {
			x, y := frame.u.Split(sh, v)
			switch op {
			case logic.CProd:
				return m(frame, x) && n(frame, y)
			case logic.DomRes:
				return m(frame, x) && n(frame, v)
			case logic.DomSub:
				return !m(frame, x) && n(frame, v)
			case logic.RanRes:
				return m(frame, v) && n(frame, y)
			}
			return m(frame, v) && !n(frame, y)
		}
	case logic.Converse:
		in := c.memb(terms[0])
		inner := c.shape(terms[0]).Elem
		return func(frame *Frame, v value.Value) bool {
			x, y := frame.u.Split(sh, v)
			return in(frame, frame.u.Pair(inner, y, x))
		}
	}
	// What is left has no arguments: functions of the language, whose value at the left
	// side is worked out and compared with the right one.
	return func(frame *Frame, v value.Value) bool {
		x, y := frame.u.Split(sh, v)
		switch op {
		case logic.Succ:
			x = frame.u.Add(x, 1)
		case logic.Pred:
			x = frame.u.Sub(x, 1)
		case logic.Prj1:
			x, _ = frame.u.Split(sh.Left, x)
		case logic.Prj2:
			_, x = frame.u.Split(sh.Left, x)
		}
		return x == y
	}
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

// arrow compiles membership in a set of relations.
func (c *Compiler) arrow(term logic.Term, want logic.Arrow) memb {
	sh := c.shape(term).Elem
	dom, ran := c.memb(c.Bank.Arg(term, 0)), c.memb(c.Bank.Arg(term, 1))
	// The relation that is asked about, and its sides.
	rel, left, right := c.NewSlot(), c.newList(), c.newList()
	everywhere := func(*Frame) bool { return true }
	all, total, onto := everywhere, everywhere, everywhere
	if want.Total {
		domain := c.iter(c.Bank.Arg(term, 0))
		all = domain(func(frame *Frame, x value.Value) bool { return value.Image(frame.Slots[rel], x) != 0 })
		total = domain(func(frame *Frame, x value.Value) bool { return slices.Contains(frame.lists[left], x) })
	}
	if want.Surjective {
		onto = c.iter(c.Bank.Arg(term, 1))(func(frame *Frame, y value.Value) bool { return slices.Contains(frame.lists[right], y) })
	}
	return func(frame *Frame, v value.Value) bool {
		space := frame.u
		// A dense relation is a function by its form; sides that must differ from each
		// other are compared below.
		if sh.Dense(v) && !want.Injective && !want.Surjective {
			frame.Slots[rel] = v
			return value.EachSlot(v, func(k, x value.Value) bool { return dom(frame, k) && ran(frame, x) }) && all(frame)
		}
		xs, ys := space.Sides(sh, v, frame.lists[left][:0], frame.lists[right][:0])
		frame.lists[left], frame.lists[right] = xs, ys
		for i, x := range xs {
			if !dom(frame, x) || !ran(frame, ys[i]) {
				return false
			}
			// Pairs stand in the order of their left sides.
			if i > 0 && want.Functional && xs[i-1] == x {
				return false
			}
			if want.Injective {
				for k, y := range ys[:i] {
					if y == ys[i] && xs[k] != x {
						return false
					}
				}
			}
		}
		return total(frame) && onto(frame)
	}
}

// comprMemb compiles membership in {x·P∣E} where E is a pattern of the
// variables, or a pattern ↦ value.
func (c *Compiler) comprMemb(term logic.Term) (memb, bool) {
	n := len(c.Bank.Decls(term))
	if pat, ok := c.pattern(c.Bank.Arg(term, 1), n); ok {
		var m memb
		c.under(c.Bank.Decls(term), c.names(term), func(slots []int) {
			pred := c.Pred(c.Bank.Arg(term, 0))
			m = func(frame *Frame, v value.Value) bool {
				bind(frame, pat, slots, v)
				return pred(frame)
			}
		})
		return m, true
	}
	// A pattern gives the variables their values without a search. Where only the left part is one, as
	// in λ, the right part is computed and compared.
	expr := c.Bank.Arg(term, 1)
	if c.Bank.Op(expr) != logic.Maplet {
		return nil, false
	}
	pat, ok := c.pattern(c.Bank.Arg(expr, 0), n)
	if !ok {
		return nil, false
	}
	sh := c.shape(term).Elem
	var m memb
	c.under(c.Bank.Decls(term), c.names(term), func(slots []int) {
		pred, val := c.Pred(c.Bank.Arg(term, 0)), c.Expr(c.Bank.Arg(expr, 1))
		m = func(frame *Frame, v value.Value) bool {
			x, y := frame.u.Split(sh, v)
			bind(frame, pat, slots, x)
			return pred(frame) && val(frame) == y
		}
	})
	return m, true
}

// set compiles a set-valued expression (or any other that expr leaves over) to
// a value.
func (c *Compiler) set(term logic.Term) Expr {
	term = c.known(term)
	if !c.buildable(term) {
		c.unbounded("the elements of an infinite set", "a finite set such as 0‥9")
	}
	sh := c.shape(term)
	terms := c.Bank.Args(term)
	op := c.Bank.Op(term)
	if c.Bank.IsTypeExpr(term) {
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
		return c.Expr(term)
	case logic.Empty:
		v := c.Space.Empty(sh)
		return func(*Frame) value.Value { return v }
	case logic.SetExt:
		empty := c.Space.Empty(sh)
		if expr := c.extension(func(*Frame) value.Value { return empty }, sh, term); expr != nil {
			return expr
		}
		return c.setExt(sh, c.exprs(terms))
	case logic.Union, logic.Inter, logic.Diff:
		if !c.computed(term) {
			break
		}
		expr := c.set(terms[0])
		for _, s := range terms[1:] {
			if more := c.extension(expr, sh, s); more != nil && op == logic.Union {
				expr = more
			} else {
				expr = setOp(op, sh, expr, c.set(s))
			}
		}
		return expr
	case logic.Ovr:
		expr := c.set(terms[0])
		for _, s := range terms[1:] {
			expr = c.overrideBy(sh, expr, s)
		}
		return expr
	case logic.GUnion, logic.GInter:
		return c.general(term, sh)
	case logic.QUnion, logic.QInter:
		return c.quantified(term, sh)
	}
	if sh.Kind == value.MapShape {
		return c.relation(term)
	}
	gathered := c.gathered(sh, c.iter(term))
	switch op {
	case logic.UpTo:
		return c.interval(term, gathered)
	case logic.Dom, logic.Ran, logic.Image:
		return c.projected(sh, term, gathered)
	}
	return gathered
}

// interval computes a set of consecutive integers as bits, if it is held so.
func (c *Compiler) interval(term logic.Term, gathered Expr) Expr {
	low, high := c.Expr(c.Bank.Arg(term, 0)), c.Expr(c.Bank.Arg(term, 1))
	return func(frame *Frame) value.Value {
		from, to := low(frame), high(frame)
		if from < smallInt && to < smallInt {
			return value.Small | value.Value(upTo(to)&^(1<<from-1))
		}
		return gathered(frame)
	}
}

// projected computes the domain, the range or an image of a function in slots, or of its converse, as bits.
func (c *Compiler) projected(sh *value.Shape, term logic.Term, gathered Expr) Expr {
	rel := c.Bank.Arg(term, 0)
	left := c.Bank.Op(term) == logic.Dom // the left sides are what is gathered
	if c.Bank.Op(rel) == logic.Converse {
		rel, left = c.Bank.Arg(rel, 0), !left
	}
	relShape := c.shape(rel)
	if sh.Kind != value.MaskShape && sh.Kind != value.IntsShape || relShape.Kind != value.MapShape || !c.computed(rel) || !c.Total(term) {
		return gathered
	}
	function := c.set(rel)
	within := func(*Frame) value.Value { return ^value.Value(0) }
	among := relShape.Elem.Left
	if left {
		among = relShape.Elem.Right
	}
	if c.Bank.Op(term) == logic.Image {
		set := c.Bank.Arg(term, 1)
		if k := c.shape(set).Kind; !c.buildable(set) || k != value.MaskShape && k != value.IntsShape {
			return gathered
		}
		within = c.set(set)
	}
	integers := among.Kind == value.IntShape
	return func(frame *Frame) value.Value {
		fn, some := function(frame), within(frame)
		if !relShape.Dense(fn) || integers && some&value.Small == 0 {
			return gathered(frame)
		}
		if bits, ok := value.Project(fn, some, left); ok {
			return bits | sh.Bit()
		}
		return gathered(frame)
	}
}

// gathered computes a set from its elements: as bits, if it is held so, and by a list of them.
func (c *Compiler) gathered(sh *value.Shape, elems iter) Expr {
	bits := c.NewSlot()
	switch sh.Kind {
	case value.MaskShape:
		each := elems(func(frame *Frame, v value.Value) bool {
			frame.Slots[bits] |= 1 << v
			return true
		})
		return func(frame *Frame) value.Value {
			frame.Slots[bits] = 0
			each(frame)
			return frame.Slots[bits]
		}
	case value.IntsShape:
		each := elems(func(frame *Frame, v value.Value) bool {
			// A member that does not fit into the bits ends this attempt, and the set is listed instead.
			if v >= smallInt {
				return false
			}
			frame.Slots[bits] |= 1 << v
			return true
		})
		listed := c.listed(sh, elems)
		return func(frame *Frame) value.Value {
			frame.Slots[bits] = value.Small
			if each(frame) {
				return frame.Slots[bits]
			}
			return listed(frame)
		}
	}
	return c.listed(sh, elems)
}

// listed computes a set by a list of its elements.
func (c *Compiler) listed(sh *value.Shape, elems iter) Expr {
	at := c.newList()
	list := elems(func(frame *Frame, v value.Value) bool {
		if frame.lists[at] = append(frame.lists[at], v); len(frame.lists[at]) > maxListed {
			panic(abort.Limit{What: "a set of more than 4 million elements"})
		}
		return true
	})
	return func(frame *Frame) value.Value {
		frame.lists[at] = frame.lists[at][:0]
		list(frame)
		out := frame.lists[at]
		if len(out) > maxKept {
			frame.lists[at] = nil
		}
		return frame.u.Set(sh, out)
	}
}

// maxKept is the length of lists that are kept for the next set.
const maxKept = 1 << 12

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

// setExt compiles a set that is written out.
func (c *Compiler) setExt(sh *value.Shape, xs []Expr) Expr {
	if sh.Kind == value.MaskShape {
		return func(frame *Frame) value.Value {
			var m value.Value
			for _, expr := range xs {
				m |= 1 << expr(frame)
			}
			return m
		}
	}
	return func(frame *Frame) value.Value {
		if sh.Kind == value.IntsShape {
			if m, ok := smallInts(frame, xs); ok {
				return m
			}
		}
		vs := make([]value.Value, len(xs))
		for i, expr := range xs {
			vs[i] = expr(frame)
		}
		return frame.u.Set(sh, vs)
	}
}

// smallInt is above the integers of a set that is held as bits.
const smallInt = 62

// smallInts returns the set of the values of xs, and false if it is not held as bits.
func smallInts(f *Frame, xs []Expr) (value.Value, bool) {
	m := value.Small
	for _, x := range xs {
		v := x(f)
		if v >= smallInt {
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
	place, image := c.Bank.Arg(c.Bank.Arg(s, 0), 0), c.Bank.Arg(c.Bank.Arg(s, 0), 1)
	k, x := c.Expr(place), c.Expr(image)
	if slot, isSlot := c.slot(place); isSlot && sh.Kind == value.MapShape {
		// The commonest form, f(v) ≔ E, is one change of a word.
		return func(f *Frame) value.Value {
			rel, at, y := r(f), f.Slots[slot], x(f)
			if rel&value.Small != 0 {
				if v, ok := value.Put(rel, at, y); ok {
					return v
				}
			}
			return f.u.With(sh, rel, at, y)
		}
	}
	return func(f *Frame) value.Value {
		return f.u.With(sh, r(f), k(f), x(f))
	}
}

// override compiles r <+ s.
func override(sh *value.Shape, right, expr Expr) Expr {
	pair := sh.Elem
	if sh.Kind == value.MaskShape {
		// A relation in a word has a row of bits for each element on the left: rows that s has replace
		// those of r.
		n := pair.Right.Size
		row := value.Value(1)<<n - 1
		return func(frame *Frame) value.Value {
			a, b := right(frame), expr(frame)
			for i := value.Value(0); i < value.Value(pair.Left.Size); i++ {
				if b&(row<<(i*value.Value(n))) != 0 {
					a &^= row << (i * value.Value(n))
				}
			}
			return a | b
		}
	}
	return func(frame *Frame) value.Value {
		space := frame.u
		a, b := right(frame), expr(frame)
		if v, ok := sh.Override(a, b); ok {
			return v
		}
		over := space.Elems(sh, b, nil)
		var out []value.Value
		for _, p := range space.Elems(sh, a, nil) {
			x, _ := space.Split(pair, p)
			if i := space.Row(sh, over, x); i == len(over) || !space.RowIs(sh, over[i], x) {
				out = append(out, p)
			}
		}
		return space.Set(sh, append(out, over...))
	}
}

// general compiles the union or intersection of a set of sets.
func (c *Compiler) general(term logic.Term, sh *value.Shape) Expr {
	outer := c.shape(c.Bank.Arg(term, 0))
	sets := c.set(c.Bank.Arg(term, 0))
	union := c.Bank.Op(term) == logic.GUnion
	return func(frame *Frame) value.Value {
		all := frame.u.Elems(outer, sets(frame), nil)
		if len(all) == 0 {
			if union {
				return frame.u.Empty(sh)
			}
			return value.Undefined("inter of no set")
		}
		v := all[0]
		for _, s := range all[1:] {
			if union {
				v = frame.u.Union(sh, v, s)
			} else {
				v = frame.u.Inter(sh, v, s)
			}
		}
		return v
	}
}

// quantified compiles ⋃ and ⋂ over bound variables.
func (c *Compiler) quantified(term logic.Term, sh *value.Shape) Expr {
	union := c.Bank.Op(term) == logic.QUnion
	var expr Expr
	some, so := c.NewSlot(), c.NewSlot()
	steps := c.Steps(c.Bank.Decls(term), c.names(term), c.Conjuncts(c.Bank.Arg(term, 0)), func() { expr = c.set(c.Bank.Arg(term, 1)) })
	each := chain(steps, func(frame *Frame) bool {
		frame.Tick()
		switch v := expr(frame); {
		case frame.Slots[some] == 0:
			frame.Slots[some], frame.Slots[so] = 1, v
		case union:
			frame.Slots[so] = frame.u.Union(sh, frame.Slots[so], v)
		default:
			frame.Slots[so] = frame.u.Inter(sh, frame.Slots[so], v)
		}
		return true
	})
	return func(frame *Frame) value.Value {
		frame.Slots[some], frame.Slots[so] = 0, frame.u.Empty(sh)
		each(frame)
		if frame.Slots[some] == 0 && !union {
			return value.Undefined("⋂ over nothing")
		}
		return frame.Slots[so]
	}
}
