package formula

import (
	"context"
	"fmt"
	"math/big"

	"github.com/gradine/gradine/explore/internal/unwind"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// Frame is what formulas are evaluated in: the values of identifiers and bound
// variables by slot.
type Frame struct {
	u         *value.Space
	Slots     []value.Value
	leaves    []Then   // of the searches under way
	Unmatched bool     // a concrete step had no abstract one
	Broken    []string // claims that were false
	steps     int      // elements enumerated so far
	Most      int      // of them; 0: no limit
	Progress  func(steps int)
	Context   context.Context
}

// Tick counts a step of an enumeration, and looks at the clock now and then.
func (f *Frame) Tick() {
	if f.steps++; f.steps&0x3fff == 0 {
		f.pause()
	}
}

// pause ends the search if its context has ended, or its steps are used up.
func (f *Frame) pause() {
	unwind.Check(f.Context)
	if f.Progress != nil {
		f.Progress(f.steps)
	}
	if f.Most > 0 && f.steps >= f.Most {
		panic(unwind.Limit{What: fmt.Sprintf("the bound of %d million steps", f.Most/1_000_000)})
	}
}

type (
	Expr func(*Frame) value.Value
	Pred func(*Frame) bool
	// memb decides membership of a value.
	memb func(*Frame, value.Value) bool
	// iter yields values until yield says false; it reports whether it went on to the end.
	iter func(f *Frame, yield func(value.Value) bool) bool
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

// Compiler turns formulas into closures. Names of identifiers are bound to
// slots or constant values.
type Compiler struct {
	Space           *value.Space
	Bank            *logic.Bank
	Slots           map[string]int            // by name: variables, primed variables, parameters
	Consts          map[string]value.Value    // by name: constants already found
	Defs            map[logic.Term]logic.Term // constants that stand for terms
	Bound           []int                     // slots of bound variables, innermost last
	nslots, nleaves int
	Root            logic.Term // for messages
	Strict          bool       // what has no value is an error: it must not be skipped
	trying          bool       // failures are not reported

	Bounds   map[string]Bounds // of identifiers that nothing else bounds
	Cut      []string          // those of them that were needed
	Bounding bool              // bounds count for the next binder: it chooses what happens, and is no part of a formula

	Hidden []logic.Term // conditions that are not looked at for all values of their variables

	slotTypes map[int]logic.Type // of bound variables
	slotNames map[int]string
}

func NewCompiler(u *value.Space, b *logic.Bank, consts map[string]value.Value) *Compiler {
	return &Compiler{Space: u, Bank: b, Consts: consts, Slots: map[string]int{}, slotTypes: map[int]logic.Type{}, slotNames: map[int]string{}}
}

type failure struct{ error }

func (c *Compiler) failf(format string, args ...any) {
	panic(failure{fmt.Errorf(format, args...)})
}

// unbounded refuses to enumerate what nothing bounds.
func (c *Compiler) unbounded(what, missing string) {
	if c.trying {
		panic(failure{Unbounded{}})
	}
	panic(failure{Unbounded{what, Excerpt(text.Readable(c.Bank, c.Root)), missing}})
}

// Excerpt is the beginning of a long text.
func Excerpt(s string) string {
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return s
}

// Attempt runs fn, which compiles something that may have no bound.
func (c *Compiler) Attempt(fn func()) error {
	outer, bound, hidden := c.trying, c.Bound, c.Hidden
	c.trying = true
	err := Guarded(fn)
	c.trying, c.Bound = outer, bound
	if err != nil {
		c.Hidden = hidden
	}
	return err
}

// Guarded runs fn and returns the failure it panics with.
func Guarded(fn func()) (err error) {
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

func (c *Compiler) shape(t logic.Term) *value.Shape { return c.Space.Shape(c.Bank.Type(t)) }

// NewFrame is room for what was compiled.
func (c *Compiler) NewFrame(ctx context.Context) *Frame {
	return &Frame{u: c.Space, Slots: make([]value.Value, c.nslots), leaves: make([]Then, c.nleaves), Context: ctx}
}

// NextSlot is the slot that newSlot would make next.
func (c *Compiler) NextSlot() int { return c.nslots }

// NewSlot makes room for a variable.
func (c *Compiler) NewSlot() int {
	c.nslots++
	return c.nslots - 1
}

// under compiles with the variables of a binder in new slots.
func (c *Compiler) under(decls []logic.Type, names []string, fn func(slots []int)) {
	var slots []int
	for i, t := range decls {
		s := c.NewSlot()
		c.slotTypes[s] = t
		if i < len(names) {
			c.slotNames[s] = names[i]
		}
		slots = append(slots, s)
		c.Bound = append(c.Bound, s)
	}
	fn(slots)
	c.Bound = c.Bound[:len(c.Bound)-len(decls)]
}

// names are those that people see for the variables of binder t.
func (c *Compiler) names(t logic.Term) []string {
	h, _ := c.Bank.Hint(t)
	return h.Names
}

func (c *Compiler) boundSlot(t logic.Term) int { return c.Bound[len(c.Bound)-1-c.Bank.Index(t)] }

// Pred compiles a predicate.
func (c *Compiler) Pred(t logic.Term) Pred {
	a := c.Bank.Args(t)
	switch op := c.Bank.Op(t); op {
	case logic.True:
		return func(*Frame) bool { return true }
	case logic.False:
		return func(*Frame) bool { return false }
	case logic.Not:
		p := c.Pred(a[0])
		return func(f *Frame) bool { return !p(f) }
	case logic.And:
		return c.all(a)
	case logic.Or:
		ps := c.preds(a)
		return func(f *Frame) bool {
			for _, p := range ps {
				if p(f) {
					return true
				}
			}
			return false
		}
	case logic.Implies:
		p, q := c.Pred(a[0]), c.Pred(a[1])
		return func(f *Frame) bool { return !p(f) || q(f) }
	case logic.Iff:
		p, q := c.Pred(a[0]), c.Pred(a[1])
		return func(f *Frame) bool { return p(f) == q(f) }
	case logic.Forall, logic.Exists:
		return c.quantifier(op, t)
	case logic.Eq, logic.Neq:
		x, y := c.Whole(a[0]), c.Whole(a[1])
		if op == logic.Eq {
			return func(f *Frame) bool { return x(f) == y(f) }
		}
		return func(f *Frame) bool { return x(f) != y(f) }
	case logic.Lt, logic.Le, logic.Gt, logic.Ge:
		return c.order(op, c.Whole(a[0]), c.Whole(a[1]))
	case logic.In, logic.NotIn:
		x, in := c.Whole(a[0]), c.memb(a[1])
		if op == logic.In {
			return c.defined(func(f *Frame) bool { return in(f, x(f)) }, c.Bank.Op(a[1]).IsBinder(), a[1])
		}
		return c.defined(func(f *Frame) bool { return !in(f, x(f)) }, c.Bank.Op(a[1]).IsBinder(), a[1])
	case logic.SubsetEq, logic.NotSubsetEq:
		sub := c.subset(a[0], a[1])
		return c.defined(func(f *Frame) bool { return sub(f) == (op == logic.SubsetEq) }, true, a...)
	case logic.Subset, logic.NotSubset:
		sub, sup := c.subset(a[0], a[1]), c.subset(a[1], a[0])
		return c.defined(func(f *Frame) bool { return (sub(f) && !sup(f)) == (op == logic.Subset) }, true, a...)
	case logic.Finite:
		if !c.Space.Shape(c.Bank.Elem(c.Bank.Type(a[0]))).Finite() {
			c.set(a[0]) // every set that can be built is finite
		}
		return c.defined(func(*Frame) bool { return true }, true, a[0])
	case logic.Partition:
		return c.defined(c.partition(a), true, a...)
	}
	c.failf("operator of %s is not supported", text.Readable(c.Bank, t))
	return nil
}

// quantifier compiles ∀ or ∃. Where all instances have a value whatever those of
// identifiers are, one that decides is enough; else all are looked at.
func (c *Compiler) quantifier(op logic.Op, t logic.Term) Pred {
	all := op == logic.Forall
	var hyps []logic.Term
	goal := c.Bank.App(logic.False)
	if all {
		hyps, goal = c.antecedent(c.Bank.Arg(t, 0))
	} else {
		hyps = c.Conjuncts(c.Bank.Arg(t, 0))
	}
	var p Pred
	steps := c.Steps(c.Bank.Decls(t), c.names(t), hyps, func() { p = c.Pred(goal) })
	if !c.Strict || c.Total(t) {
		search := chain(steps, Then(p))
		return func(f *Frame) bool { return search(f) == all }
	}
	decided := c.NewSlot()
	search := chain(steps, func(f *Frame) bool {
		if !p(f) {
			f.Slots[decided] = 1
		}
		return true
	})
	return func(f *Frame) bool {
		f.Slots[decided] = 0
		search(f)
		return (f.Slots[decided] == 0) == all
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
		return func(f *Frame) bool { return p(f) && q(f) }
	}
	return func(f *Frame) bool {
		for _, p := range ps {
			if !p(f) {
				return false
			}
		}
		return true
	}
}

func (c *Compiler) order(op logic.Op, x, y Expr) Pred {
	less := func(f *Frame, a, b value.Value) bool {
		if value.IsBig(a) || value.IsBig(b) {
			return f.u.CmpInt(a, b) < 0
		}
		return int64(a) < int64(b)
	}
	switch op {
	case logic.Lt:
		return func(f *Frame) bool { return less(f, x(f), y(f)) }
	case logic.Gt:
		return func(f *Frame) bool { return less(f, y(f), x(f)) }
	case logic.Le:
		return func(f *Frame) bool { return !less(f, y(f), x(f)) }
	}
	return func(f *Frame) bool { return !less(f, x(f), y(f)) }
}

// subset compiles s ⊆ t, where t may be infinite.
func (c *Compiler) subset(s, t logic.Term) Pred {
	if c.Space.Shape(c.Bank.Type(s)).Kind == value.MaskShape && c.buildable(t) {
		x, y := c.Expr(s), c.Expr(t)
		return func(f *Frame) bool { return x(f)&^y(f) == 0 }
	}
	elems, in := c.iter(s), c.memb(t)
	return func(f *Frame) bool { return elems(f, func(v value.Value) bool { return in(f, v) }) }
}

func (c *Compiler) partition(a []logic.Term) Pred {
	sh := c.shape(a[0])
	sets := make([]Expr, len(a))
	for i, t := range a {
		sets[i] = c.set(t)
	}
	return func(f *Frame) bool {
		seen := f.u.Empty(sh)
		for _, s := range sets[1:] {
			v := s(f)
			if f.u.Inter(sh, seen, v) != f.u.Empty(sh) {
				return false
			}
			seen = f.u.Union(sh, seen, v)
		}
		return seen == sets[0](f)
	}
}

// Expr compiles an expression.
func (c *Compiler) Expr(t logic.Term) Expr {
	switch op := c.Bank.Op(t); op {
	case logic.Int:
		v := c.Space.FromBig(c.Bank.Value(t))
		return func(*Frame) value.Value { return v }
	case logic.TrueE:
		return func(*Frame) value.Value { return 1 }
	case logic.FalseE:
		return func(*Frame) value.Value { return 0 }
	case logic.Bound:
		s := c.boundSlot(t)
		return func(f *Frame) value.Value { return f.Slots[s] }
	case logic.Free:
		name := c.Bank.Name(t)
		if v, ok := c.Consts[name]; ok {
			return func(*Frame) value.Value { return v }
		}
		s, ok := c.Slots[name]
		if !ok {
			c.failf("%s has no value here", name)
		}
		return func(f *Frame) value.Value { return f.Slots[s] }
	case logic.BoolOf:
		p := c.Pred(c.Bank.Arg(t, 0))
		return func(f *Frame) value.Value {
			if p(f) {
				return 1
			}
			return 0
		}
	case logic.Maplet:
		sh := c.shape(t)
		x, y := c.Expr(c.Bank.Arg(t, 0)), c.Expr(c.Bank.Arg(t, 1))
		return func(f *Frame) value.Value { return f.u.Pair(sh, x(f), y(f)) }
	case logic.Apply:
		return c.apply(t)
	case logic.Plus, logic.Times, logic.Minus, logic.Neg, logic.Div, logic.Mod, logic.Exp:
		return c.arith(op, c.Bank.Args(t))
	case logic.Card:
		sh := c.shape(c.Bank.Arg(t, 0))
		s := c.set(c.Bank.Arg(t, 0))
		return func(f *Frame) value.Value { return value.Value(f.u.Card(sh, s(f))) }
	case logic.Min, logic.Max:
		elems := c.iter(c.Bank.Arg(t, 0))
		sign := 1
		if op == logic.Min {
			sign = -1
		}
		return func(f *Frame) value.Value {
			found, best := false, value.Value(0)
			elems(f, func(v value.Value) bool {
				if !found || f.u.CmpInt(v, best)*sign > 0 {
					found, best = true, v
				}
				return true
			})
			if !found {
				return value.Undefined("min or max of an empty set")
			}
			return best
		}
	}
	return c.set(t)
}

func (c *Compiler) arith(op logic.Op, a []logic.Term) Expr {
	x := c.Expr(a[0])
	if op == logic.Neg {
		return func(f *Frame) value.Value { return f.u.Sub(0, x(f)) }
	}
	for _, t := range a[1:] {
		x = dyadic(op, x, c.Expr(t))
	}
	return x
}

func dyadic(op logic.Op, x, y Expr) Expr {
	// Small integers are divided as words; a product or a sum looks for an overflow
	// itself.
	switch op {
	case logic.Plus:
		return func(f *Frame) value.Value { return f.u.Add(x(f), y(f)) }
	case logic.Minus:
		return func(f *Frame) value.Value { return f.u.Sub(x(f), y(f)) }
	case logic.Times:
		return func(f *Frame) value.Value { return f.u.Mul(x(f), y(f)) }
	case logic.Div:
		return func(f *Frame) value.Value {
			a, b := x(f), y(f)
			switch {
			case b == 0:
				return value.Undefined("division by zero")
			case value.IsBig(a) || value.IsBig(b):
				return f.u.FromBig(new(big.Int).Quo(f.u.ToBig(a), f.u.ToBig(b)))
			}
			return value.Value(int64(a) / int64(b))
		}
	case logic.Mod:
		return func(f *Frame) value.Value {
			a, b := x(f), y(f)
			switch {
			case f.u.CmpInt(a, 0) < 0 || f.u.CmpInt(b, 0) <= 0:
				return value.Undefined("mod of a negative number, or by one that is not positive")
			case value.IsBig(a) || value.IsBig(b):
				return f.u.FromBig(new(big.Int).Rem(f.u.ToBig(a), f.u.ToBig(b)))
			}
			return value.Value(int64(a) % int64(b))
		}
	}
	return func(f *Frame) value.Value {
		a, b := x(f), y(f)
		if f.u.CmpInt(a, 0) < 0 || f.u.CmpInt(b, 0) < 0 {
			return value.Undefined("power of or by a negative number")
		}
		x, n := f.u.ToBig(a), f.u.ToBig(b)
		switch {
		case x.BitLen() <= 1 && n.Sign() > 0:
			return a
		case n.BitLen() > 20 || n.Int64()*int64(x.BitLen()) > value.MaxBits:
			panic(unwind.Limit{What: "an integer of more than a million digits"})
		}
		return f.u.FromBig(new(big.Int).Exp(x, n, nil))
	}
}

// apply compiles f(E). Where f is an override or a literal function, nothing is built.
func (c *Compiler) apply(t logic.Term) Expr {
	fn, arg := c.Bank.Arg(t, 0), c.Bank.Arg(t, 1)
	x := c.Expr(arg)
	switch op := c.Bank.Op(fn); op {
	case logic.Succ:
		return func(f *Frame) value.Value { return f.u.Add(x(f), 1) }
	case logic.Pred:
		return func(f *Frame) value.Value { return f.u.Sub(x(f), 1) }
	case logic.Id:
		return x
	case logic.Prj1, logic.Prj2:
		sh := c.shape(arg)
		return func(f *Frame) value.Value {
			a, b := f.u.Split(sh, x(f))
			if op == logic.Prj1 {
				return a
			}
			return b
		}
	case logic.Compr:
		if h, slots, body, ok := c.lambda(fn); ok {
			return func(f *Frame) value.Value {
				bind(f, h, slots, x(f))
				return body(f)
			}
		}
	}
	rel := c.Expr(fn)
	sh := c.shape(fn)
	checked := c.NewSlot() // the last relation seen to be a function
	return func(f *Frame) value.Value {
		r := rel(f)
		if sh.Dense(r) {
			if y := value.Image(r, x(f)); y != 0 {
				return y - 1
			}
			return value.Undefined("application outside the domain")
		}
		if f.Slots[checked] != ^r || r == ^value.Value(0) {
			if !f.u.Functional(sh, r) {
				return value.Undefined("application of a relation that is not a function")
			}
			f.Slots[checked] = ^r
		}
		return f.u.ApplyTo(sh, r, x(f))
	}
}

// lambda compiles a comprehension {x·P∣pattern↦E} whose pattern is made of
// its variables, each once, as a function of the pattern's value. The domain
// P is checked when the function is applied.
func (c *Compiler) lambda(t logic.Term) (sh *pattern, slots []int, body Expr, ok bool) {
	e := c.Bank.Arg(t, 1)
	if c.Bank.Op(e) != logic.Maplet {
		return nil, nil, nil, false
	}
	pat, ok := c.pattern(c.Bank.Arg(e, 0), len(c.Bank.Decls(t)))
	if !ok {
		return nil, nil, nil, false
	}
	c.under(c.Bank.Decls(t), c.names(t), func(s []int) {
		slots = s
		p, x := c.Pred(c.Bank.Arg(t, 0)), c.Expr(c.Bank.Arg(e, 1))
		body = func(f *Frame) value.Value {
			if !p(f) {
				return value.Undefined("application outside the domain")
			}
			return x(f)
		}
	})
	return pat, slots, body, true
}

// pattern says how a value is taken apart into bound variables.
type pattern struct {
	index int // declaration, if a leaf
	shape *value.Shape
	l, r  *pattern
}

// pattern matches t, a maplet tree in which each of n variables occurs exactly once.
func (c *Compiler) pattern(t logic.Term, n int) (*pattern, bool) {
	seen := map[int]bool{}
	var match func(t logic.Term) *pattern
	match = func(t logic.Term) *pattern {
		switch {
		case c.Bank.Op(t) == logic.Bound && c.Bank.Index(t) < n && !seen[c.Bank.Index(t)]:
			seen[c.Bank.Index(t)] = true
			return &pattern{index: n - 1 - c.Bank.Index(t)}
		case c.Bank.Op(t) == logic.Maplet:
			l, r := match(c.Bank.Arg(t, 0)), match(c.Bank.Arg(t, 1))
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
func bind(f *Frame, p *pattern, slots []int, v value.Value) {
	if p.l == nil {
		f.Slots[slots[p.index]] = v
		return
	}
	a, b := f.u.Split(p.shape, v)
	bind(f, p.l, slots, a)
	bind(f, p.r, slots, b)
}
