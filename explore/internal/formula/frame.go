package formula

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/value"
)

// Frame is what formulas are evaluated in: the values of identifiers and bound
// variables by slot.
type Frame struct {
	u         *value.Space
	Slots     []value.Value
	leaves    []Then          // of the searches under way
	lists     [][]value.Value // of the sets under way
	Unmatched bool            // a concrete step had no abstract one
	Broken    []string        // claims that were false
	steps     int             // elements enumerated so far
	Most      int             // of them; 0: no limit
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
	abort.Check(f.Context)
	if f.Progress != nil {
		f.Progress(f.steps)
	}
	if f.Most > 0 && f.steps >= f.Most {
		panic(abort.Limit{What: fmt.Sprintf("the bound of %d million steps", f.Most/1_000_000)})
	}
}

// Allow lets the search take no more than so many further steps.
func (f *Frame) Allow(more int) { f.Most = min(f.Most, f.steps+more) }

type (
	// Expr is a compiled expression.
	Expr func(*Frame) value.Value
	// Pred is a compiled predicate.
	Pred func(*Frame) bool
	// memb decides membership of a value.
	memb func(*Frame, value.Value) bool
	// iter compiles an enumeration: what is done hands values to leaf until that says false, and reports
	// whether it went on to the end. Who takes the values is known when formulas are compiled, so that
	// nothing is made when they are evaluated.
	iter func(leaf memb) Then
)

// Then is what is done for the values in the frame; it says whether to go on.
type Then func(f *Frame) bool

// Step is a link of the chain of generators and checks: it is given what comes
// behind it when it is compiled.
type Step func(next Then) Then

// Searcher visits every assignment of a binder's variables that satisfies its
// conditions, until leaf says false; it reports whether it went on to the end.
type Searcher func(f *Frame, leaf Then) bool

// chain links steps; the last one is followed by leaf.
func chain(steps []Step, leaf Then) Then {
	for _, s := range slices.Backward(steps) {
		leaf = s(leaf)
	}
	return leaf
}

// checking goes on where all checks hold, which are made in their order.
func checking(checks []Pred) Step {
	return func(next Then) Then {
		switch len(checks) {
		case 0:
			return next
		case 1:
			check := checks[0]
			return func(frame *Frame) bool { return !check(frame) || next(frame) }
		case 2:
			one, two := checks[0], checks[1]
			return func(frame *Frame) bool { return !one(frame) || !two(frame) || next(frame) }
		}
		one, two, rest := checks[0], checks[1], checking(checks[2:])(next)
		return func(frame *Frame) bool { return !one(frame) || !two(frame) || rest(frame) }
	}
}

// loop makes an enumeration of a loop that hands values on itself.
func loop(run func(frame *Frame, leaf memb) bool) iter {
	return func(leaf memb) Then {
		return func(frame *Frame) bool { return run(frame, leaf) }
	}
}

// filter hands on the values that are to be kept.
func filter(it iter, keep memb) iter {
	return func(leaf memb) Then {
		return it(func(f *Frame, v value.Value) bool { return !keep(f, v) || leaf(f, v) })
	}
}

// mapped hands on the images of values.
func mapped(it iter, fn func(*Frame, value.Value) value.Value) iter {
	return func(leaf memb) Then {
		return it(func(f *Frame, v value.Value) bool { return leaf(f, fn(f, v)) })
	}
}

// values enumerates the values of a finite type.
func values(shape *value.Shape) iter {
	return loop(func(frame *Frame, leaf memb) bool {
		for v := range value.Value(shape.Size) {
			if frame.Tick(); !leaf(frame, v) {
				return false
			}
		}
		return true
	})
}

// Try evaluates p, and says why it has no value; "" if it has one.
func (f *Frame) Try(p Pred) (holds bool, why string) {
	defer func() {
		if r := recover(); r != nil {
			holds, why = false, abort.Why(r)
		}
	}()
	return p(f), ""
}

// Value is Try for expressions.
func (f *Frame) Value(x Expr) (v value.Value, why string) {
	defer func() {
		if r := recover(); r != nil {
			v, why = 0, abort.Why(r)
		}
	}()
	return x(f), ""
}

// Visit is Try for searches; what leaf has seen before something has no value, it
// has seen.
func (f *Frame) Visit(s Searcher, leaf Then) (whole bool, why string) {
	defer func() {
		if r := recover(); r != nil {
			whole, why = false, abort.Why(r)
		}
	}()
	return s(f, leaf), ""
}

// Look evaluates parts, for the sake of those that have no value.
func Look(f *Frame, parts []Expr) {
	for _, x := range parts {
		x(f)
	}
}

// pairs compiles the enumeration of the pairs of a relation by their sides, as iter does.
type pairs func(leaf sides) Then

// sides takes the sides of a pair, and says whether to go on.
type sides func(f *Frame, x, y value.Value) bool

// values enumerates the pairs as values of a type.
func (ps pairs) values(sh *value.Shape) iter {
	return func(leaf memb) Then {
		return ps(func(frame *Frame, x, y value.Value) bool { return leaf(frame, frame.u.Pair(sh, x, y)) })
	}
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

// pattern says how a value is taken apart into bound variables.
type pattern struct {
	index int // declaration, if a leaf
	shape *value.Shape
	l, r  *pattern
}
