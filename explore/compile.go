package explore

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// frame is what formulas are evaluated in: the values of identifiers and bound
// variables by slot.
type frame struct {
	u         *space
	slots     []Value
	leaves    []cont   // of the searches under way
	unmatched bool     // a concrete step had no abstract one
	broken    []string // claims that were false
	steps     int      // elements enumerated so far
	most      int      // of them; 0: no limit
	progress  func(steps int)
	ctx       context.Context
}

// tick counts a step of an enumeration, and looks at the clock now and then.
func (f *frame) tick() {
	if f.steps++; f.steps&0x3fff == 0 {
		f.pause()
	}
}

// pause ends the search if its context has ended, or its steps are used up.
func (f *frame) pause() {
	interrupted(f.ctx)
	if f.progress != nil {
		f.progress(f.steps)
	}
	if f.most > 0 && f.steps >= f.most {
		panic(limitReached{fmt.Sprintf("the bound of %d million steps", f.most/1_000_000)})
	}
}

// whyEnded says why a context has ended.
func whyEnded(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "time"
	}
	return "interrupted"
}

type (
	expr func(*frame) Value
	pred func(*frame) bool
	// memb decides membership of a value.
	memb func(*frame, Value) bool
	// iter yields values until yield says false; it reports whether it went on to the end.
	iter func(f *frame, yield func(Value) bool) bool
)

// Unbounded is the error of an enumeration without bound.
type Unbounded struct {
	Variable string // what is enumerated
	In       string // the formula it occurs in
	Missing  string // what would bound it
}

func (e Unbounded) Error() string {
	return fmt.Sprintf("no bound for %s in %s; %s would bound it", e.Variable, e.In, e.Missing)
}

// Bounds are the least and the greatest value of an integer.
type Bounds struct{ Low, High int }

// compiler turns formulas into closures. Names of identifiers are bound to
// slots or constant values.
type compiler struct {
	u               *space
	b               *logic.Bank
	slots           map[string]int            // by name: variables, primed variables, parameters
	consts          map[string]Value          // by name: constants already found
	defs            map[logic.Term]logic.Term // constants that stand for terms
	bound           []int                     // slots of bound variables, innermost last
	nslots, nleaves int
	root            logic.Term // for messages
	strict          bool       // what has no value is an error: it must not be skipped
	trying          bool       // failures are not reported

	bounds map[string]Bounds // of identifiers that nothing else bounds
	cut    []string          // those of them that were needed
	assume bool              // bounds count for the next binder: it chooses what happens, and is no part of a formula

	hidden []logic.Term // conditions that are not looked at for all values of their variables

	slotTypes map[int]logic.Type // of bound variables
	slotNames map[int]string
}

func newCompiler(u *space, b *logic.Bank, consts map[string]Value) *compiler {
	return &compiler{u: u, b: b, consts: consts, slots: map[string]int{}, slotTypes: map[int]logic.Type{}, slotNames: map[int]string{}}
}

type failure struct{ error }

func (c *compiler) failf(format string, args ...any) {
	panic(failure{fmt.Errorf(format, args...)})
}

// unbounded refuses to enumerate what nothing bounds.
func (c *compiler) unbounded(what, missing string) {
	if c.trying {
		panic(failure{Unbounded{}})
	}
	panic(failure{Unbounded{what, excerpt(text.Readable(c.b, c.root)), missing}})
}

// excerpt is the beginning of a long text.
func excerpt(s string) string {
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return s
}

// attempt runs fn, which compiles something that may have no bound.
func (c *compiler) attempt(fn func()) error {
	outer, bound, hidden := c.trying, c.bound, c.hidden
	c.trying = true
	err := guard(fn)
	c.trying, c.bound = outer, bound
	if err != nil {
		c.hidden = hidden
	}
	return err
}

// guard runs fn and returns the failure it panics with.
func guard(fn func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if f, ok := p.(failure); ok {
				err = f.error
				return
			}
			panic(p)
		}
	}()
	fn()
	return nil
}

func (c *compiler) shape(t logic.Term) *shape { return c.u.shape(c.b.Type(t)) }

// frame is room for what was compiled.
func (c *compiler) frame(ctx context.Context) *frame {
	return &frame{u: c.u, slots: make([]Value, c.nslots), leaves: make([]cont, c.nleaves), ctx: ctx}
}

// newSlot makes room for a variable.
func (c *compiler) newSlot() int {
	c.nslots++
	return c.nslots - 1
}

// under compiles with the variables of a binder in new slots.
func (c *compiler) under(decls []logic.Type, names []string, fn func(slots []int)) {
	var slots []int
	for i, t := range decls {
		s := c.newSlot()
		c.slotTypes[s] = t
		if i < len(names) {
			c.slotNames[s] = names[i]
		}
		slots = append(slots, s)
		c.bound = append(c.bound, s)
	}
	fn(slots)
	c.bound = c.bound[:len(c.bound)-len(decls)]
}

// names are those that people see for the variables of binder t.
func (c *compiler) names(t logic.Term) []string {
	h, _ := c.b.Hint(t)
	return h.Names
}

func (c *compiler) boundSlot(t logic.Term) int { return c.bound[len(c.bound)-1-c.b.Index(t)] }

// pred compiles a predicate.
func (c *compiler) pred(t logic.Term) pred {
	a := c.b.Args(t)
	switch op := c.b.Op(t); op {
	case logic.True:
		return func(*frame) bool { return true }
	case logic.False:
		return func(*frame) bool { return false }
	case logic.Not:
		p := c.pred(a[0])
		return func(f *frame) bool { return !p(f) }
	case logic.And:
		return c.all(a)
	case logic.Or:
		ps := c.preds(a)
		return func(f *frame) bool {
			for _, p := range ps {
				if p(f) {
					return true
				}
			}
			return false
		}
	case logic.Implies:
		p, q := c.pred(a[0]), c.pred(a[1])
		return func(f *frame) bool { return !p(f) || q(f) }
	case logic.Iff:
		p, q := c.pred(a[0]), c.pred(a[1])
		return func(f *frame) bool { return p(f) == q(f) }
	case logic.Forall, logic.Exists:
		return c.quantifier(op, t)
	case logic.Eq, logic.Neq:
		x, y := c.whole(a[0]), c.whole(a[1])
		if op == logic.Eq {
			return func(f *frame) bool { return x(f) == y(f) }
		}
		return func(f *frame) bool { return x(f) != y(f) }
	case logic.Lt, logic.Le, logic.Gt, logic.Ge:
		return c.order(op, c.whole(a[0]), c.whole(a[1]))
	case logic.In, logic.NotIn:
		x, in := c.whole(a[0]), c.memb(a[1])
		if op == logic.In {
			return c.defined(func(f *frame) bool { return in(f, x(f)) }, c.b.Op(a[1]).IsBinder(), a[1])
		}
		return c.defined(func(f *frame) bool { return !in(f, x(f)) }, c.b.Op(a[1]).IsBinder(), a[1])
	case logic.SubsetEq, logic.NotSubsetEq:
		sub := c.subset(a[0], a[1])
		return c.defined(func(f *frame) bool { return sub(f) == (op == logic.SubsetEq) }, true, a...)
	case logic.Subset, logic.NotSubset:
		sub, sup := c.subset(a[0], a[1]), c.subset(a[1], a[0])
		return c.defined(func(f *frame) bool { return (sub(f) && !sup(f)) == (op == logic.Subset) }, true, a...)
	case logic.Finite:
		if !c.u.shape(c.b.Elem(c.b.Type(a[0]))).finite() {
			c.set(a[0]) // every set that can be built is finite
		}
		return c.defined(func(*frame) bool { return true }, true, a[0])
	case logic.Partition:
		return c.defined(c.partition(a), true, a...)
	}
	c.failf("operator of %s is not supported", text.Readable(c.b, t))
	return nil
}

// quantifier compiles ∀ or ∃. Where all instances have a value whatever those of
// identifiers are, one that decides is enough; else all are looked at.
func (c *compiler) quantifier(op logic.Op, t logic.Term) pred {
	all := op == logic.Forall
	var hyps []logic.Term
	goal := c.b.App(logic.False)
	if all {
		hyps, goal = c.antecedent(c.b.Arg(t, 0))
	} else {
		hyps = c.conjuncts(c.b.Arg(t, 0))
	}
	var p pred
	steps := c.steps(c.b.Decls(t), c.names(t), hyps, func() { p = c.pred(goal) })
	if !c.strict || c.total(t) {
		search := chain(steps, cont(p))
		return func(f *frame) bool { return search(f) == all }
	}
	decided := c.newSlot()
	search := chain(steps, func(f *frame) bool {
		if !p(f) {
			f.slots[decided] = 1
		}
		return true
	})
	return func(f *frame) bool {
		f.slots[decided] = 0
		search(f)
		return (f.slots[decided] == 0) == all
	}
}

func (c *compiler) preds(ts []logic.Term) []pred {
	var out []pred
	for _, t := range ts {
		out = append(out, c.pred(t))
	}
	return out
}

// all compiles a conjunction, evaluated left to right.
func (c *compiler) all(ts []logic.Term) pred {
	ps := c.preds(ts)
	if len(ps) == 2 {
		p, q := ps[0], ps[1]
		return func(f *frame) bool { return p(f) && q(f) }
	}
	return func(f *frame) bool {
		for _, p := range ps {
			if !p(f) {
				return false
			}
		}
		return true
	}
}

func (c *compiler) order(op logic.Op, x, y expr) pred {
	less := func(f *frame, a, b Value) bool {
		if isBig(a) || isBig(b) {
			return f.u.cmpInt(a, b) < 0
		}
		return int64(a) < int64(b)
	}
	switch op {
	case logic.Lt:
		return func(f *frame) bool { return less(f, x(f), y(f)) }
	case logic.Gt:
		return func(f *frame) bool { return less(f, y(f), x(f)) }
	case logic.Le:
		return func(f *frame) bool { return !less(f, y(f), x(f)) }
	}
	return func(f *frame) bool { return !less(f, x(f), y(f)) }
}

// subset compiles s ⊆ t, where t may be infinite.
func (c *compiler) subset(s, t logic.Term) pred {
	if c.u.shape(c.b.Type(s)).kind == maskShape && c.buildable(t) {
		x, y := c.expr(s), c.expr(t)
		return func(f *frame) bool { return x(f)&^y(f) == 0 }
	}
	elems, in := c.iter(s), c.memb(t)
	return func(f *frame) bool { return elems(f, func(v Value) bool { return in(f, v) }) }
}

func (c *compiler) partition(a []logic.Term) pred {
	sh := c.shape(a[0])
	sets := make([]expr, len(a))
	for i, t := range a {
		sets[i] = c.set(t)
	}
	return func(f *frame) bool {
		seen := f.u.empty(sh)
		for _, s := range sets[1:] {
			v := s(f)
			if f.u.inter(sh, seen, v) != f.u.empty(sh) {
				return false
			}
			seen = f.u.union(sh, seen, v)
		}
		return seen == sets[0](f)
	}
}

// expr compiles an expression.
func (c *compiler) expr(t logic.Term) expr {
	switch op := c.b.Op(t); op {
	case logic.Int:
		v := c.u.fromBig(c.b.Value(t))
		return func(*frame) Value { return v }
	case logic.TrueE:
		return func(*frame) Value { return 1 }
	case logic.FalseE:
		return func(*frame) Value { return 0 }
	case logic.Bound:
		s := c.boundSlot(t)
		return func(f *frame) Value { return f.slots[s] }
	case logic.Free:
		name := c.b.Name(t)
		if v, ok := c.consts[name]; ok {
			return func(*frame) Value { return v }
		}
		s, ok := c.slots[name]
		if !ok {
			c.failf("%s has no value here", name)
		}
		return func(f *frame) Value { return f.slots[s] }
	case logic.BoolOf:
		p := c.pred(c.b.Arg(t, 0))
		return func(f *frame) Value {
			if p(f) {
				return 1
			}
			return 0
		}
	case logic.Maplet:
		sh := c.shape(t)
		x, y := c.expr(c.b.Arg(t, 0)), c.expr(c.b.Arg(t, 1))
		return func(f *frame) Value { return f.u.pair(sh, x(f), y(f)) }
	case logic.Apply:
		return c.apply(t)
	case logic.Plus, logic.Times, logic.Minus, logic.Neg, logic.Div, logic.Mod, logic.Exp:
		return c.arith(op, c.b.Args(t))
	case logic.Card:
		sh := c.shape(c.b.Arg(t, 0))
		s := c.set(c.b.Arg(t, 0))
		return func(f *frame) Value { return Value(f.u.card(sh, s(f))) }
	case logic.Min, logic.Max:
		elems := c.iter(c.b.Arg(t, 0))
		sign := 1
		if op == logic.Min {
			sign = -1
		}
		return func(f *frame) Value {
			found, best := false, Value(0)
			elems(f, func(v Value) bool {
				if !found || f.u.cmpInt(v, best)*sign > 0 {
					found, best = true, v
				}
				return true
			})
			if !found {
				return undefined("min or max of an empty set")
			}
			return best
		}
	}
	return c.set(t)
}

func (c *compiler) arith(op logic.Op, a []logic.Term) expr {
	x := c.expr(a[0])
	if op == logic.Neg {
		return func(f *frame) Value { return f.u.sub(0, x(f)) }
	}
	for _, t := range a[1:] {
		x = dyadic(op, x, c.expr(t))
	}
	return x
}

func dyadic(op logic.Op, x, y expr) expr {
	switch op {
	case logic.Plus:
		return func(f *frame) Value { return f.u.add(x(f), y(f)) }
	case logic.Minus:
		return func(f *frame) Value { return f.u.sub(x(f), y(f)) }
	case logic.Times:
		return func(f *frame) Value { return f.u.mul(x(f), y(f)) }
	case logic.Div:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			switch {
			case b == 0:
				return undefined("division by zero")
			case isBig(a) || isBig(b):
				return f.u.fromBig(new(big.Int).Quo(f.u.toBig(a), f.u.toBig(b)))
			}
			return Value(int64(a) / int64(b))
		}
	case logic.Mod:
		return func(f *frame) Value {
			a, b := x(f), y(f)
			switch {
			case f.u.cmpInt(a, 0) < 0 || f.u.cmpInt(b, 0) <= 0:
				return undefined("mod of a negative number, or by one that is not positive")
			case isBig(a) || isBig(b):
				return f.u.fromBig(new(big.Int).Rem(f.u.toBig(a), f.u.toBig(b)))
			}
			return Value(int64(a) % int64(b))
		}
	}
	return func(f *frame) Value {
		a, b := x(f), y(f)
		if f.u.cmpInt(a, 0) < 0 || f.u.cmpInt(b, 0) < 0 {
			return undefined("power of or by a negative number")
		}
		x, n := f.u.toBig(a), f.u.toBig(b)
		switch {
		case x.BitLen() <= 1 && n.Sign() > 0:
			return a
		case n.BitLen() > 20 || n.Int64()*int64(x.BitLen()) > maxBits:
			panic(limitReached{"an integer of more than a million digits"})
		}
		return f.u.fromBig(new(big.Int).Exp(x, n, nil))
	}
}

// apply compiles f(E). Where f is an override or a literal function, nothing is built.
func (c *compiler) apply(t logic.Term) expr {
	fn, arg := c.b.Arg(t, 0), c.b.Arg(t, 1)
	x := c.expr(arg)
	switch op := c.b.Op(fn); op {
	case logic.Succ:
		return func(f *frame) Value { return f.u.add(x(f), 1) }
	case logic.Pred:
		return func(f *frame) Value { return f.u.sub(x(f), 1) }
	case logic.Id:
		return x
	case logic.Prj1, logic.Prj2:
		sh := c.shape(arg)
		return func(f *frame) Value {
			a, b := f.u.split(sh, x(f))
			if op == logic.Prj1 {
				return a
			}
			return b
		}
	case logic.Compr:
		if h, slots, body, ok := c.lambda(fn); ok {
			return func(f *frame) Value {
				bind(f, h, slots, x(f))
				return body(f)
			}
		}
	}
	rel := c.expr(fn)
	sh := c.shape(fn)
	checked := c.newSlot() // the last relation seen to be a function
	return func(f *frame) Value {
		r := rel(f)
		if sh.dense(r) {
			if y := image(r, x(f)); y != 0 {
				return y - 1
			}
			return undefined("application outside the domain")
		}
		if f.slots[checked] != ^r || r == ^Value(0) {
			if !f.u.functional(sh, r) {
				return undefined("application of a relation that is no function")
			}
			f.slots[checked] = ^r
		}
		return f.u.applyTo(f, sh, r, x(f))
	}
}

// functional reports whether relation rel is a function.
func (u *space) functional(sh *shape, rel Value) bool {
	if sh.kind == maskShape {
		n := Value(sh.elem.r.size)
		for ; rel != 0; rel >>= n {
			if row := rel & (1<<n - 1); row&(row-1) != 0 {
				return false
			}
		}
		return true
	}
	last := Value(0)
	for i, p := range u.at(rel).elems {
		x, _ := u.split(sh.elem, p)
		if i > 0 && x == last {
			return false
		}
		last = x
	}
	return true
}

// applyTo returns the y with x↦y in function rel.
func (u *space) applyTo(f *frame, sh *shape, rel, x Value) Value {
	pair := sh.elem
	if sh.kind == maskShape {
		n := Value(pair.r.size)
		row := rel >> (x * n) & (1<<n - 1)
		if row == 0 {
			return undefined("application outside the domain")
		}
		return Value(bits.TrailingZeros64(uint64(row)))
	}
	elems := u.at(rel).elems
	i := u.row(sh, elems, x)
	if i == len(elems) || !u.rowIs(sh, elems[i], x) {
		return undefined("application outside the domain")
	}
	_, y := u.split(pair, elems[i])
	return y
}

// row returns the place in a listed relation of the first pair whose left side
// is not less than x.
func (u *space) row(sh *shape, elems []Value, x Value) int {
	i, _ := slices.BinarySearchFunc(elems, x, func(pair, x Value) int {
		a, _ := u.split(sh.elem, pair)
		return u.compare(sh.elem.l, a, x)
	})
	return i
}

func (u *space) rowIs(sh *shape, pair, x Value) bool {
	a, _ := u.split(sh.elem, pair)
	return a == x
}

// lambda compiles a comprehension {x·P∣pattern↦E} whose pattern is made of
// its variables, each once, as a function of the pattern's value. The domain
// P is checked when the function is applied.
func (c *compiler) lambda(t logic.Term) (sh *pattern, slots []int, body expr, ok bool) {
	e := c.b.Arg(t, 1)
	if c.b.Op(e) != logic.Maplet {
		return nil, nil, nil, false
	}
	pat, ok := c.pattern(c.b.Arg(e, 0), len(c.b.Decls(t)))
	if !ok {
		return nil, nil, nil, false
	}
	c.under(c.b.Decls(t), c.names(t), func(s []int) {
		slots = s
		p, x := c.pred(c.b.Arg(t, 0)), c.expr(c.b.Arg(e, 1))
		body = func(f *frame) Value {
			if !p(f) {
				return undefined("application outside the domain")
			}
			return x(f)
		}
	})
	return pat, slots, body, true
}

// pattern says how a value is taken apart into bound variables.
type pattern struct {
	index int // declaration, if a leaf
	shape *shape
	l, r  *pattern
}

// pattern matches t, a maplet tree in which each of n variables occurs exactly once.
func (c *compiler) pattern(t logic.Term, n int) (*pattern, bool) {
	seen := map[int]bool{}
	var match func(t logic.Term) *pattern
	match = func(t logic.Term) *pattern {
		switch {
		case c.b.Op(t) == logic.Bound && c.b.Index(t) < n && !seen[c.b.Index(t)]:
			seen[c.b.Index(t)] = true
			return &pattern{index: n - 1 - c.b.Index(t)}
		case c.b.Op(t) == logic.Maplet:
			l, r := match(c.b.Arg(t, 0)), match(c.b.Arg(t, 1))
			if l != nil && r != nil {
				return &pattern{shape: c.shape(t), l: l, r: r}
			}
		}
		return nil
	}
	p := match(t)
	return p, p != nil && len(seen) == n
}

// bind takes v apart into slots.
func bind(f *frame, p *pattern, slots []int, v Value) {
	if p.l == nil {
		f.slots[slots[p.index]] = v
		return
	}
	a, b := f.u.split(p.shape, v)
	bind(f, p.l, slots, a)
	bind(f, p.r, slots, b)
}
