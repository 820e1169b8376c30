package formula

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// Pred compiles a predicate.
func (c *Compiler) Pred(term logic.Term) Pred {
	terms := c.Bank.Args(term)
	switch op := c.Bank.Op(term); op {
	case logic.True:
		return func(*Frame) bool { return true }
	case logic.False:
		return func(*Frame) bool { return false }
	case logic.Not:
		pred := c.Pred(terms[0])
		return func(frame *Frame) bool { return !pred(frame) }
	case logic.And:
		return c.all(terms)
	case logic.Or:
		ps := c.preds(terms)
		return func(frame *Frame) bool {
			for _, pred := range ps {
				if pred(frame) {
					return true
				}
			}
			return false
		}
	case logic.Implies:
		p, q := c.Pred(terms[0]), c.Pred(terms[1])
		return func(frame *Frame) bool { return !p(frame) || q(frame) }
	case logic.Iff:
		p, q := c.Pred(terms[0]), c.Pred(terms[1])
		return func(frame *Frame) bool { return p(frame) == q(frame) }
	case logic.Forall, logic.Exists:
		return c.quantifier(op, term)
	case logic.Eq, logic.Neq:
		x, y := c.Whole(terms[0]), c.Whole(terms[1])
		equal := op == logic.Eq
		v, ok := c.fixed(terms[1])
		if s, isSlot := c.slot(terms[0]); ok && isSlot {
			return func(frame *Frame) bool { return (frame.Slots[s] == v) == equal }
		}
		if ok {
			return func(frame *Frame) bool { return (x(frame) == v) == equal }
		}
		return func(frame *Frame) bool { return (x(frame) == y(frame)) == equal }
	case logic.Lt, logic.Le, logic.Gt, logic.Ge:
		return c.order(op, terms[0], terms[1])
	case logic.In, logic.NotIn:
		expr, in := c.Whole(terms[0]), c.memb(terms[1])
		if op == logic.In {
			return c.defined(func(frame *Frame) bool { return in(frame, expr(frame)) }, c.Bank.Op(terms[1]).IsBinder(), terms[1])
		}
		return c.defined(func(frame *Frame) bool { return !in(frame, expr(frame)) }, c.Bank.Op(terms[1]).IsBinder(), terms[1])
	case logic.SubsetEq, logic.NotSubsetEq:
		sub := c.subset(terms[0], terms[1])
		return c.defined(func(frame *Frame) bool { return sub(frame) == (op == logic.SubsetEq) }, true, terms...)
	case logic.Subset, logic.NotSubset:
		sub, sup := c.subset(terms[0], terms[1]), c.subset(terms[1], terms[0])
		return c.defined(func(frame *Frame) bool { return (sub(frame) && !sup(frame)) == (op == logic.Subset) }, true, terms...)
	case logic.Finite:
		if !c.Space.Shape(c.Bank.Elem(c.Bank.Type(terms[0]))).Finite() {
			c.set(terms[0]) // every set that can be built is finite
		}
		return c.defined(func(*Frame) bool { return true }, true, terms[0])
	case logic.Partition:
		return c.defined(c.partition(terms), true, terms...)
	}
	c.failf("operator of %s is not supported", text.Readable(c.Bank, term))
	return nil
}

// quantifier compiles ∀ or ∃. Where all instances have a value whatever those of
// identifiers are, one that decides is enough; else all are looked at.
func (c *Compiler) quantifier(op logic.Op, term logic.Term) Pred {
	all := op == logic.Forall
	var hyps []logic.Term
	goal := c.Bank.App(logic.False)
	if all {
		hyps, goal = c.antecedent(c.Bank.Arg(term, 0))
	} else {
		hyps = c.Conjuncts(c.Bank.Arg(term, 0))
	}
	var pred Pred
	steps := c.Steps(c.Bank.Decls(term), c.names(term), hyps, func() { pred = c.Pred(goal) })
	if !c.Strict || c.Total(term) {
		search := chain(steps, Then(pred))
		return func(frame *Frame) bool { return search(frame) == all }
	}
	// An instance without a value ends the evaluation wherever it is met, so that the answer must not
	// depend on which instance comes first: none is left out, and a slot keeps what they said.
	decided := c.NewSlot()
	search := chain(steps, func(frame *Frame) bool {
		if !pred(frame) {
			frame.Slots[decided] = 1
		}
		return true
	})
	return func(frame *Frame) bool {
		frame.Slots[decided] = 0
		search(frame)
		return (frame.Slots[decided] == 0) == all
	}
}

func (c *Compiler) preds(ts []logic.Term) []Pred {
	var out []Pred
	for _, t := range ts {
		out = append(out, c.Pred(t))
	}
	return out
}

// all compiles a conjunction, evaluated left to right.
func (c *Compiler) all(ts []logic.Term) Pred {
	ps := c.preds(ts)
	if len(ps) == 2 {
		p, q := ps[0], ps[1]
		return func(frame *Frame) bool { return p(frame) && q(frame) }
	}
	return func(frame *Frame) bool {
		for _, pred := range ps {
			if !pred(frame) {
				return false
			}
		}
		return true
	}
}

// order compiles a comparison of integers.
func (c *Compiler) order(op logic.Op, s, t logic.Term) Pred {
	if op == logic.Gt || op == logic.Ge {
		s, t = t, s
	}
	strict := op == logic.Lt || op == logic.Gt
	x, y := c.Whole(s), c.Whole(t)
	if n, ok := c.number(t); ok {
		if strict {
			n-- // below n is at most n − 1
		}
		if at, isSlot := c.slot(s); isSlot {
			return func(frame *Frame) bool {
				v := frame.Slots[at]
				return int64(v) <= n && !value.IsBig(v) || value.IsBig(v) && frame.u.CmpInt(v, value.Value(n)) <= 0
			}
		}
		return func(frame *Frame) bool {
			v := x(frame)
			return int64(v) <= n && !value.IsBig(v) || value.IsBig(v) && frame.u.CmpInt(v, value.Value(n)) <= 0
		}
	}
	if n, ok := c.number(s); ok {
		if strict {
			n++
		}
		if at, isSlot := c.slot(t); isSlot {
			return func(frame *Frame) bool {
				v := frame.Slots[at]
				return int64(v) >= n && !value.IsBig(v) || value.IsBig(v) && frame.u.CmpInt(v, value.Value(n)) >= 0
			}
		}
		return func(frame *Frame) bool {
			v := y(frame)
			return int64(v) >= n && !value.IsBig(v) || value.IsBig(v) && frame.u.CmpInt(v, value.Value(n)) >= 0
		}
	}
	return func(frame *Frame) bool {
		a, b := x(frame), y(frame)
		if value.IsBig(a) || value.IsBig(b) {
			sign := frame.u.CmpInt(a, b)
			return sign < 0 || sign == 0 && !strict
		}
		return int64(a) < int64(b) || a == b && !strict
	}
}

// subset compiles s ⊆ t, where t may be infinite.
func (c *Compiler) subset(s, t logic.Term) Pred {
	if c.Space.Shape(c.Bank.Type(s)).Kind == value.MaskShape && c.buildable(t) {
		x, y := c.Expr(s), c.Expr(t)
		return func(f *Frame) bool { return x(f)&^y(f) == 0 }
	}
	return Pred(c.iter(s)(c.memb(t)))
}

// partition compiles whether sets partition the first one.
func (c *Compiler) partition(terms []logic.Term) Pred {
	sh := c.shape(terms[0])
	sets := make([]Expr, len(terms))
	for i, term := range terms {
		sets[i] = c.set(term)
	}
	return func(frame *Frame) bool {
		seen := frame.u.Empty(sh)
		for _, expr := range sets[1:] {
			v := expr(frame)
			if frame.u.Inter(sh, seen, v) != frame.u.Empty(sh) {
				return false
			}
			seen = frame.u.Union(sh, seen, v)
		}
		return seen == sets[0](frame)
	}
}

// Expr compiles an expression.
func (c *Compiler) Expr(term logic.Term) Expr {
	switch op := c.Bank.Op(term); op {
	case logic.Int:
		v := c.Space.FromBig(c.Bank.Value(term))
		return func(*Frame) value.Value { return v }
	case logic.TrueE:
		return func(*Frame) value.Value { return 1 }
	case logic.FalseE:
		return func(*Frame) value.Value { return 0 }
	case logic.Bound:
		s := c.boundSlot(term)
		return func(frame *Frame) value.Value { return frame.Slots[s] }
	case logic.Free:
		// Constants are looked up once, here; what is left has a slot.
		name := c.Bank.Name(term)
		if v, ok := c.Consts[name]; ok {
			return func(*Frame) value.Value { return v }
		}
		s, ok := c.Slots[name]
		if !ok {
			c.failf("%s has no value here", name)
		}
		return func(frame *Frame) value.Value { return frame.Slots[s] }
	case logic.BoolOf:
		pred := c.Pred(c.Bank.Arg(term, 0))
		return func(frame *Frame) value.Value {
			if pred(frame) {
				return 1
			}
			return 0
		}
	case logic.Maplet:
		sh := c.shape(term)
		x, y := c.Expr(c.Bank.Arg(term, 0)), c.Expr(c.Bank.Arg(term, 1))
		return func(frame *Frame) value.Value { return frame.u.Pair(sh, x(frame), y(frame)) }
	case logic.Apply:
		return c.apply(term)
	case logic.Plus, logic.Times, logic.Minus, logic.Neg, logic.Div, logic.Mod, logic.Exp:
		return c.arith(term)
	case logic.Card:
		sh := c.shape(c.Bank.Arg(term, 0))
		expr := c.set(c.Bank.Arg(term, 0))
		return func(frame *Frame) value.Value { return value.Value(frame.u.Card(sh, expr(frame))) }
	case logic.Min, logic.Max:
		return c.extremum(op, c.Bank.Arg(term, 0))
	}
	return c.set(term)
}

// extremum compiles the least or the greatest element of a set.
func (c *Compiler) extremum(op logic.Op, set logic.Term) Expr {
	sign := 1
	if op == logic.Min {
		sign = -1
	}
	// The members of a set that is written out are compared as they are, without building the set.
	if known := c.known(set); c.Bank.Op(known) == logic.SetExt && len(c.Bank.Args(known)) > 0 {
		xs := c.exprs(c.Bank.Args(known))
		return func(frame *Frame) value.Value {
			best := xs[0](frame)
			for _, expr := range xs[1:] {
				if v := expr(frame); frame.u.CmpInt(v, best)*sign > 0 {
					best = v
				}
			}
			return best
		}
	}
	// A slot says whether there was a member at all: no value is free to mean that there was none.
	found, best := c.NewSlot(), c.NewSlot()
	each := c.iter(set)(func(frame *Frame, v value.Value) bool {
		if frame.Slots[found] == 0 || frame.u.CmpInt(v, frame.Slots[best])*sign > 0 {
			frame.Slots[found], frame.Slots[best] = 1, v
		}
		return true
	})
	return func(frame *Frame) value.Value {
		frame.Slots[found] = 0
		each(frame)
		if frame.Slots[found] == 0 {
			return value.Undefined("min or max of an empty set")
		}
		return frame.Slots[best]
	}
}

// arith compiles an operation on integers, in shorter forms for literals.
func (c *Compiler) arith(term logic.Term) Expr {
	if v, ok := c.fixed(term); ok {
		return func(*Frame) value.Value { return v }
	}
	op, a := c.Bank.Op(term), c.Bank.Args(term)
	x := c.Expr(a[0])
	if op == logic.Neg {
		return func(f *Frame) value.Value { return f.u.Sub(0, x(f)) }
	}
	for i, t := range a[1:] {
		n, ok := c.number(t)
		if s, isSlot := c.slot(a[0]); i == 0 && ok && isSlot && (op == logic.Plus || op == logic.Minus) {
			x = moved(op, s, n)
		} else if ok && (op == logic.Plus || op == logic.Minus || (op == logic.Div || op == logic.Mod) && n > 0) {
			x = byNumber(op, x, n)
		} else {
			x = dyadic(op, x, c.Expr(t))
		}
	}
	return x
}

// moved is byNumber for a sum or a difference of a variable, the commonest of all.
func moved(op logic.Op, slot int, n int64) Expr {
	slow := byNumber(op, func(frame *Frame) value.Value { return frame.Slots[slot] }, n)
	if op == logic.Minus {
		n = -n
	}
	return func(frame *Frame) value.Value {
		if v := int64(frame.Slots[slot]); v < wordly && v > -wordly && n < wordly && n > -wordly {
			return value.Value(v + n)
		}
		return slow(frame)
	}
}

// wordly is the size of integers whose sum is surely held in a word.
const wordly = 1 << 60

// byNumber is dyadic for a known number on the right; divisors are positive.
func byNumber(op logic.Op, x Expr, n int64) Expr {
	m := value.Value(n)
	slow := dyadic(op, x, func(*Frame) value.Value { return m })
	// What fits in a word is computed there, on integers whose sum with n is a word as well.
	const limit = wordly
	switch op {
	case logic.Minus:
		n = -n
		fallthrough
	case logic.Plus:
		if n > limit || n < -limit {
			return slow
		}
		return func(frame *Frame) value.Value {
			v := x(frame)
			if int64(v) < limit && int64(v) > -limit {
				return value.Value(int64(v) + n)
			}
			return frame.u.Add(v, value.Value(n))
		}
	case logic.Div:
		return func(frame *Frame) value.Value {
			v := x(frame)
			if !value.IsBig(v) {
				return value.Value(int64(v) / n)
			}
			return frame.u.FromBig(new(big.Int).Quo(frame.u.ToBig(v), big.NewInt(n)))
		}
	}
	return func(frame *Frame) value.Value {
		v := x(frame)
		switch {
		case v < limit:
			return v % m
		case frame.u.CmpInt(v, 0) < 0:
			return value.Undefined("mod of a negative number, or by one that is not positive")
		}
		return frame.u.FromBig(new(big.Int).Rem(frame.u.ToBig(v), big.NewInt(n)))
	}
}

// dyadic compiles an operation on two integers.
func dyadic(op logic.Op, x, y Expr) Expr {
	// Small integers are divided as words; a product or a sum looks for an overflow
	// itself.
	switch op {
	case logic.Plus:
		return func(frame *Frame) value.Value { return frame.u.Add(x(frame), y(frame)) }
	case logic.Minus:
		return func(frame *Frame) value.Value { return frame.u.Sub(x(frame), y(frame)) }
	case logic.Times:
		return func(frame *Frame) value.Value { return frame.u.Mul(x(frame), y(frame)) }
	case logic.Div:
		return func(frame *Frame) value.Value {
			a, b := x(frame), y(frame)
			switch {
			case b == 0:
				return value.Undefined("division by zero")
			case value.IsBig(a) || value.IsBig(b) || b == ^value.Value(0):
				// The quotient of the least small integer by −1 is no small one.
				return frame.u.FromBig(new(big.Int).Quo(frame.u.ToBig(a), frame.u.ToBig(b)))
			}
			return value.Value(int64(a) / int64(b))
		}
	case logic.Mod:
		return func(frame *Frame) value.Value {
			a, b := x(frame), y(frame)
			switch {
			case frame.u.CmpInt(a, 0) < 0 || frame.u.CmpInt(b, 0) <= 0:
				return value.Undefined("mod of a negative number, or by one that is not positive")
			case value.IsBig(a) || value.IsBig(b):
				return frame.u.FromBig(new(big.Int).Rem(frame.u.ToBig(a), frame.u.ToBig(b)))
			}
			return value.Value(int64(a) % int64(b))
		}
	}
	return func(frame *Frame) value.Value { return power(frame.u, x(frame), y(frame)) }
}

// power is a^b. It multiplies machine words where the result surely fits one, as most powers in models are small.
func power(u *value.Space, a, b value.Value) value.Value {
	if u.CmpInt(a, 0) < 0 || u.CmpInt(b, 0) < 0 {
		return value.Undefined("power of or by a negative number")
	}
	// Where a ≤ 2^w, and w∗b is less than the size of a word, so is the power.
	if !value.IsBig(a) && a > 1 && !value.IsBig(b) && b < 62 && bits.Len64(uint64(a-1))*int(b) < 62 {
		out := value.Value(1)
		for range int(b) {
			out *= a
		}
		return out
	}
	// 0 and 1 have large powers, too; of other numbers, the size is known before the power is computed.
	x, n := u.ToBig(a), u.ToBig(b)
	switch {
	case x.BitLen() <= 1 && n.Sign() > 0:
		return a
	case n.BitLen() > 20 || n.Int64()*int64(x.BitLen()) > value.MaxBits:
		panic(abort.Limit{What: "an integer of more than a million digits"})
	}
	return u.FromBig(new(big.Int).Exp(x, n, nil))
}

// apply compiles f(E). Where f is an override or a literal function, nothing is built.
func (c *Compiler) apply(term logic.Term) Expr {
	fn, arg := c.Bank.Arg(term, 0), c.Bank.Arg(term, 1)
	expr := c.Expr(arg)
	switch op := c.Bank.Op(fn); op {
	case logic.Succ:
		return func(frame *Frame) value.Value { return frame.u.Add(expr(frame), 1) }
	case logic.Pred:
		return func(frame *Frame) value.Value { return frame.u.Sub(expr(frame), 1) }
	case logic.Id:
		return expr
	case logic.Prj1, logic.Prj2:
		sh := c.shape(arg)
		return func(frame *Frame) value.Value {
			a, b := frame.u.Split(sh, expr(frame))
			if op == logic.Prj1 {
				return a
			}
			return b
		}
	case logic.Compr:
		if h, slots, body, ok := c.lambda(fn); ok {
			return func(frame *Frame) value.Value {
				bind(frame, h, slots, expr(frame))
				return body(frame)
			}
		}
	case logic.Ovr:
		// By its form a comprehension may be finite: only an attempt tells.
		if !c.buildable(fn) || c.Attempt(func() { c.Expr(c.Bank.Arg(fn, 0)) }) != nil {
			return c.tabled(fn, arg)
		}
	}
	rel := c.Expr(fn)
	sh := c.shape(fn)
	listed := c.applied(sh, rel, expr)
	f, ofVariable := c.slot(fn)
	x, toVariable := c.slot(arg)
	if sh.Kind != value.MapShape || !ofVariable {
		return listed
	}
	// The commonest forms, f(x) and f(E), are looked up without a detour.
	if toVariable {
		return func(frame *Frame) value.Value {
			if right := frame.Slots[f]; right&value.Small != 0 {
				if y := value.Image(right, frame.Slots[x]); y != 0 {
					return y - 1
				}
			}
			return listed(frame)
		}
	}
	return func(frame *Frame) value.Value {
		if right := frame.Slots[f]; right&value.Small != 0 {
			if y := value.Image(right, expr(frame)); y != 0 {
				return y - 1
			}
			return value.Undefined("application outside the domain")
		}
		return listed(frame)
	}
}

// tabled compiles the application of an infinite function that a finite one overrides.
func (c *Compiler) tabled(fn, arg logic.Term) Expr {
	args := c.Bank.Args(fn)
	last := len(args) - 1
	below := args[0]
	if last > 1 {
		below = c.Bank.App(logic.Ovr, args[:last]...)
	}
	elsewhere := c.apply(c.Bank.App(logic.Apply, below, arg))
	expr, table, sh := c.Expr(arg), c.Expr(args[last]), c.shape(fn)
	left, right := c.newList(), c.newList()
	return func(frame *Frame) value.Value {
		x, rel := expr(frame), table(frame)
		if !sh.Dense(rel) && !frame.u.Functional(sh, rel) {
			return value.Undefined("application of a relation that is not a function")
		}
		frame.lists[left], frame.lists[right] = frame.u.Sides(sh, rel, frame.lists[left][:0], frame.lists[right][:0])
		if i := slices.Index(frame.lists[left], x); i >= 0 {
			return frame.lists[right][i]
		}
		return elsewhere(frame)
	}
}

// applied compiles the application of a relation of any form.
func (c *Compiler) applied(sh *value.Shape, rel, expr Expr) Expr {
	checked := c.NewSlot() // the last relation seen to be a function
	return func(frame *Frame) value.Value {
		right := rel(frame)
		if sh.Dense(right) {
			if y := value.Image(right, expr(frame)); y != 0 {
				return y - 1
			}
			return value.Undefined("application outside the domain")
		}
		if frame.Slots[checked] != ^right || right == ^value.Value(0) {
			if !frame.u.Functional(sh, right) {
				return value.Undefined("application of a relation that is not a function")
			}
			frame.Slots[checked] = ^right
		}
		return frame.u.ApplyTo(sh, right, expr(frame))
	}
}

// lambda compiles a comprehension {x·P∣pattern↦E} whose pattern is made of
// its variables, each once, as a function of the pattern's value. The domain
// P is checked when the function is applied.
func (c *Compiler) lambda(term logic.Term) (sh *pattern, slots []int, body Expr, ok bool) {
	e := c.Bank.Arg(term, 1)
	if c.Bank.Op(e) != logic.Maplet {
		return nil, nil, nil, false
	}
	pat, ok := c.pattern(c.Bank.Arg(e, 0), len(c.Bank.Decls(term)))
	if !ok {
		return nil, nil, nil, false
	}
	c.under(c.Bank.Decls(term), c.names(term), func(s []int) {
		slots = s
		pred, x := c.Pred(c.Bank.Arg(term, 0)), c.Expr(c.Bank.Arg(e, 1))
		body = func(frame *Frame) value.Value {
			if !pred(frame) {
				return value.Undefined("application outside the domain")
			}
			return x(frame)
		}
	})
	return pat, slots, body, true
}
