package formula

import (
	"slices"

	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// Relations are enumerated and built by the two sides of their pairs. A pair of integers
// as a value of its own is interned, which costs more than all else that is done with it.

// joined enumerates the pairs of relation t as values.
func (c *Compiler) joined(t logic.Term) iter {
	return c.pairs(t).values(c.shape(t).Elem)
}

// side enumerates a domain, range or image.
func (c *Compiler) side(term logic.Term) iter {
	ps := c.pairs(c.Bank.Arg(term, 0))
	switch c.Bank.Op(term) {
	case logic.Dom:
		return func(leaf memb) Then {
			return ps(func(frame *Frame, x, _ value.Value) bool { return leaf(frame, x) })
		}
	case logic.Ran:
		return func(leaf memb) Then {
			return ps(func(frame *Frame, _, y value.Value) bool { return leaf(frame, y) })
		}
	}
	in := c.memb(c.Bank.Arg(term, 1))
	return func(leaf memb) Then {
		return ps(func(frame *Frame, x, y value.Value) bool { return !in(frame, x) || leaf(frame, y) })
	}
}

// pairs compiles the enumeration of relation term, in no order that counts, possibly with
// repetitions.
func (c *Compiler) pairs(term logic.Term) pairs {
	term = c.known(term)
	terms := c.Bank.Args(term)
	op := c.Bank.Op(term)
	if c.Bank.IsTypeExpr(term) {
		return c.split(term, c.iter(term))
	}
	// What has a relation as its value is computed; the others yield what they are made of.
	switch op {
	case logic.CProd:
		return c.crossed(c.iter(terms[0]), c.iter(terms[1]))
	case logic.Converse:
		ps := c.pairs(terms[0])
		return func(leaf sides) Then {
			return ps(func(frame *Frame, x, y value.Value) bool { return leaf(frame, y, x) })
		}
	case logic.DomRes, logic.DomSub, logic.RanRes, logic.RanSub:
		return c.restricted(term)
	case logic.FComp, logic.BComp, logic.DProd, logic.PProd:
		return c.product(term)
	case logic.Compr:
		if e := c.Bank.Arg(term, 1); c.Bank.Op(e) == logic.Maplet {
			var x, y Expr
			steps := c.Steps(c.Bank.Decls(term), c.names(term), c.Conjuncts(terms[0]), func() { x, y = c.Whole(c.Bank.Arg(e, 0)), c.Whole(c.Bank.Arg(e, 1)) })
			return func(leaf sides) Then {
				return chain(steps, func(frame *Frame) bool { return leaf(frame, x(frame), y(frame)) })
			}
		}
	}
	if !c.computed(term) {
		return c.split(term, c.iter(term))
	}
	set, sh := c.set(term), c.shape(term)
	return func(leaf sides) Then {
		return func(frame *Frame) bool {
			rel := set(frame)
			if sh.Dense(rel) {
				return value.EachSlot(rel, func(x, y value.Value) bool {
					frame.Tick()
					return leaf(frame, x, y)
				})
			}
			var buf [64]value.Value
			for _, p := range frame.u.Elems(sh, rel, buf[:]) {
				x, y := frame.u.Split(sh.Elem, p)
				if frame.Tick(); !leaf(frame, x, y) {
					return false
				}
			}
			return true
		}
	}
}

// crossed enumerates the pairs of the values of two enumerations.
func (c *Compiler) crossed(left, right iter) pairs {
	return func(leaf sides) Then {
		x := c.NewSlot()
		inner := right(func(frame *Frame, y value.Value) bool { return leaf(frame, frame.Slots[x], y) })
		return left(func(frame *Frame, v value.Value) bool {
			frame.Slots[x] = v
			return inner(frame)
		})
	}
}

// split enumerates a relation whose pairs are values.
func (c *Compiler) split(term logic.Term, it iter) pairs {
	sh := c.shape(term).Elem
	return func(leaf sides) Then {
		return it(func(frame *Frame, v value.Value) bool {
			x, y := frame.u.Split(sh, v)
			return leaf(frame, x, y)
		})
	}
}

// computed reports whether set t has its value by an operation on values, without its elements
// being listed.
func (c *Compiler) computed(t logic.Term) bool {
	switch c.Bank.Op(t) {
	case logic.Free, logic.Bound, logic.Apply, logic.Empty, logic.SetExt, logic.Ovr, logic.GUnion, logic.GInter, logic.QUnion, logic.QInter:
		return true
	case logic.Union, logic.Inter, logic.Diff:
		return c.allBuildable(c.Bank.Args(t))
	}
	return false
}

// restricted enumerates a restriction of a relation to some left or right sides.
func (c *Compiler) restricted(term logic.Term) pairs {
	op := c.Bank.Op(term)
	rel, some := c.Bank.Arg(term, 0), c.Bank.Arg(term, 1)
	left := op == logic.DomRes || op == logic.DomSub
	if left {
		rel, some = some, rel
	}
	// succ, pred and id have no list of pairs: the domain that restricts them is enumerated instead.
	if op == logic.DomRes && c.isFunctionForm(rel) {
		step := map[logic.Op]value.Value{logic.Succ: 1, logic.Pred: ^value.Value(0)}[c.Bank.Op(rel)]
		whole := c.Bank.Op(rel) == logic.Id
		it := c.iter(some)
		return func(leaf sides) Then {
			return it(func(frame *Frame, v value.Value) bool {
				if whole {
					return leaf(frame, v, v)
				}
				return leaf(frame, v, frame.u.Add(v, step))
			})
		}
	}
	ps, in := c.pairs(rel), c.memb(some)
	keep := op == logic.DomRes || op == logic.RanRes
	return func(leaf sides) Then {
		return ps(func(frame *Frame, x, y value.Value) bool {
			side := y
			if left {
				side = x
			}
			return in(frame, side) != keep || leaf(frame, x, y)
		})
	}
}

// product enumerates compositions and products of relations.
func (c *Compiler) product(term logic.Term) pairs {
	terms := c.Bank.Args(term)
	op := c.Bank.Op(term)
	if op == logic.BComp {
		terms = slices.Clone(terms)
		slices.Reverse(terms)
	}
	first, shape := c.pairs(terms[0]), c.shape(terms[0]).Elem
	for _, right := range terms[1:] {
		left, second, rsh := first, c.pairs(right), c.shape(right).Elem
		// The inner types of a composition of three and more differ from that of the whole.
		out := c.shape(term).Elem
		if op == logic.FComp || op == logic.BComp {
			out = c.Space.Shape(c.Space.Bank.ProdType(shape.Left.Type, rsh.Right.Type))
		}
		first, shape = func(leaf sides) Then {
			xs, ys := c.NewSlot(), c.NewSlot()
			inner := second(func(frame *Frame, z, q value.Value) bool {
				x, y := frame.Slots[xs], frame.Slots[ys]
				switch {
				case op == logic.DProd:
					return x != z || leaf(frame, x, frame.u.Pair(out.Right, y, q))
				case op == logic.PProd:
					return leaf(frame, frame.u.Pair(out.Left, x, z), frame.u.Pair(out.Right, y, q))
				}
				return y != z || leaf(frame, x, q)
			})
			return left(func(frame *Frame, x, y value.Value) bool {
				frame.Slots[xs], frame.Slots[ys] = x, y
				return inner(frame)
			})
		}, out
	}
	return first
}

// relation computes a set of pairs of numbers: in slots as long as they hold it.
func (c *Compiler) relation(term logic.Term) Expr {
	sh := c.shape(term)
	listed := c.gathered(sh, c.joined(term))
	at := c.NewSlot()
	fill := c.filling(term, at)
	part := c.shifted(term)
	return func(frame *Frame) value.Value {
		if part != nil {
			if v, ok := part(frame); ok {
				return v
			}
		}
		frame.Slots[at] = value.Small
		if fill(frame) {
			return frame.Slots[at]
		}
		return listed(frame)
	}
}

// shifted computes λi·i ∈ a‥b ∣ f(i + n), as what is left of a queue, by one shift of a word; it says false where
// that cannot be done. It is nil if term is of another form.
func (c *Compiler) shifted(term logic.Term) (part func(frame *Frame) (value.Value, bool)) {
	bank := c.Bank
	if bank.Op(term) != logic.Compr || len(bank.Decls(term)) != 1 || bank.Op(bank.Arg(term, 1)) != logic.Maplet {
		return nil
	}
	is := func(t logic.Term) bool { return bank.Op(t) == logic.Bound && bank.Index(t) == 0 }
	apart := func(t logic.Term) bool { return !slices.Contains(slices.Collect(eval.BoundIn(bank, t)), 0) }
	in, pair := bank.Arg(term, 0), bank.Arg(term, 1)
	image := bank.Arg(pair, 1)
	if bank.Op(in) != logic.In || !is(bank.Arg(in, 0)) || bank.Op(bank.Arg(in, 1)) != logic.UpTo || !apart(bank.Arg(in, 1)) || !is(bank.Arg(pair, 0)) || bank.Op(image) != logic.Apply {
		return nil
	}
	c.under(bank.Decls(term), c.names(term), func([]int) {
		by, known := c.offset(bank.Arg(image, 1), is)
		f, isSlot := c.slot(bank.Arg(image, 0))
		if !known || !isSlot || !apart(bank.Arg(image, 0)) || c.shape(bank.Arg(image, 0)).Kind != value.MapShape {
			return
		}
		low, high := c.Expr(bank.Arg(bank.Arg(in, 1), 0)), c.Expr(bank.Arg(bank.Arg(in, 1), 1))
		part = func(frame *Frame) (value.Value, bool) {
			first, last := low(frame), high(frame)
			if first >= smallInt || last >= smallInt || frame.Slots[f]&value.Small == 0 {
				return 0, false
			}
			return value.Shift(frame.Slots[f], first, last, by)
		}
	})
	return part
}

// offset returns n if t is i, i + n or i − n for a number n that the compiler knows; is recognises i. The
// amount of n is less than SlotBits: a map in a slot has no more bits to shift.
func (c *Compiler) offset(t logic.Term, is func(logic.Term) bool) (n int, known bool) {
	args := c.Bank.Args(t)
	op := c.Bank.Op(t)
	if is(t) {
		return 0, true
	}
	if (op != logic.Plus && op != logic.Minus) || len(args) != 2 {
		return 0, false
	}
	i, by := args[0], args[1]
	if op == logic.Plus && is(by) {
		i, by = by, i
	}
	number, fixed := c.number(by)
	if op == logic.Minus {
		number = -number
	}
	return int(number), is(i) && fixed && -value.SlotBits < number && number < value.SlotBits
}

// filling compiles the enumeration of a relation into a slot, until it can no longer be held so.
func (c *Compiler) filling(term logic.Term, at int) Then {
	add := func(frame *Frame, x, y value.Value) bool {
		v, ok := value.Extend(frame.Slots[at], x, y)
		frame.Slots[at] = v
		return ok
	}
	if c.Bank.Op(term) == logic.Compr && c.Bank.Op(c.Bank.Arg(term, 1)) == logic.Maplet {
		// The commonest form, a λ, needs no closure at run time.
		e := c.Bank.Arg(term, 1)
		var x, y Expr
		steps := c.Steps(c.Bank.Decls(term), c.names(term), c.Conjuncts(c.Bank.Arg(term, 0)), func() { x, y = c.Whole(c.Bank.Arg(e, 0)), c.Whole(c.Bank.Arg(e, 1)) })
		return chain(steps, func(frame *Frame) bool {
			k, image := x(frame), y(frame)
			return add(frame, k, image)
		})
	}
	return c.pairs(term)(add)
}

// extension computes a set of maplets that stand one by one, on top of relation base; nil if term
// is no such set.
func (c *Compiler) extension(base Expr, sh *value.Shape, term logic.Term) Expr {
	terms := c.Bank.Args(term)
	if sh.Kind != value.MapShape || c.Bank.Op(term) != logic.SetExt {
		return nil
	}
	if slices.ContainsFunc(terms, func(t logic.Term) bool { return c.Bank.Op(t) != logic.Maplet }) {
		return nil
	}
	var sides []Expr
	for _, t := range terms {
		sides = append(sides, c.Expr(c.Bank.Arg(t, 0)), c.Expr(c.Bank.Arg(t, 1)))
	}
	if len(terms) <= fewPairs {
		return func(frame *Frame) value.Value {
			v := base(frame)
			for i := 0; i < len(sides); i += 2 {
				v = frame.u.Insert(sh, v, sides[i](frame), sides[i+1](frame))
			}
			return v
		}
	}
	listed := func(frame *Frame) value.Value {
		pairs := make([]value.Value, 0, len(sides)/2)
		for i := 0; i < len(sides); i += 2 {
			pairs = append(pairs, frame.u.Pair(sh.Elem, sides[i](frame), sides[i+1](frame)))
		}
		return frame.u.Set(sh, pairs)
	}
	if !slices.ContainsFunc(terms, func(t logic.Term) bool {
		return c.Bank.Op(c.Bank.Arg(t, 0)) != logic.Int || c.Bank.Op(c.Bank.Arg(t, 1)) != logic.Int
	}) {
		table := listed(&Frame{u: c.Space}) // of numbers: the same in all states
		listed = func(*Frame) value.Value { return table }
	}
	return func(frame *Frame) value.Value { return frame.u.Union(sh, base(frame), listed(frame)) }
}

// fewPairs are inserted one by one into a relation; more are put in order first.
const fewPairs = 4
