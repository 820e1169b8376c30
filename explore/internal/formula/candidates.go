package formula

import (
	"math/bits"

	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/logic"
)

// Most variables have few candidates, small numbers or elements of a small set: they are held as the bits of a word.
// The conditions that come first, about such a variable alone, tend to leave one or two of them. They sift
// the whole word, without a call for each candidate.

// candidates are the values that a generator tries for a variable.
type candidates struct {
	slot   int
	sieves []sieve
	checks []Pred // the same conditions, for one value
}

// sieve leaves those of some candidates, at least one, for which a condition holds; it says false where it cannot tell, or the
// condition has no value for one of them.
type sieve func(frame *Frame, bits uint64) (left uint64, ok bool)

// condition is one that is checked as soon as its variables have values.
type condition struct {
	holds Pred
	sieve sieve // nil if it has none
}

// candidates makes variable v known, by values that may be held as bits.
func (p *planner) candidates(v int) *candidates {
	p.known[v] = true
	p.sifted = &candidates{slot: p.slots[v]}
	return p.sifted
}

// take takes those of the conditions over that come first and have a sieve, and returns the others.
func (c *candidates) take(conds []condition) (rest []Pred) {
	for _, cond := range conds {
		if c != nil && cond.sieve != nil && rest == nil {
			c.sieves, c.checks = append(c.sieves, cond.sieve), append(c.checks, cond.holds)
		} else {
			rest = append(rest, cond.holds)
		}
	}
	return rest
}

// sift leaves the candidates for which the sieved conditions hold.
func (c *candidates) sift(frame *Frame, bits uint64) (left uint64, ok bool) {
	for _, s := range c.sieves {
		if bits == 0 {
			break
		}
		if bits, ok = s(frame, bits); !ok {
			return 0, false
		}
	}
	return bits, true
}

// try gives the variable its candidates, one by one.
func (c *candidates) try(frame *Frame, left uint64, next Then) bool {
	for ; left != 0; left &= left - 1 {
		frame.Slots[c.slot] = value.Value(bits.TrailingZeros64(left))
		if frame.Tick(); !next(frame) {
			return false
		}
	}
	return true
}

// upTo are the candidates from 0 to n, which is below 64.
func upTo(n value.Value) uint64 { return 2<<n - 1 }

// sieve compiles a condition on the variable that was given values last, nil if it has another form: a
// comparison of the variable, or of a function at it, with what does not depend on it, or membership of the
// variable. What is on the other side must have a value: it is evaluated once, before the first candidate.
func (p *planner) sieve(term logic.Term) sieve {
	// Candidates are the bits of a word: a comparison of the variable is a mask, one of a function at it is a preimage, and
	// no candidate is tried by itself. A sieve that meets a value beyond a word declines, and the condition is evaluated
	// as any other.
	if p.sifted == nil || len(p.c.Bank.Args(term)) != 2 {
		return nil
	}
	left, right := p.c.Bank.Arg(term, 0), p.c.Bank.Arg(term, 1)
	op := p.c.Bank.Op(term)
	switch op {
	case logic.In, logic.NotIn:
		if p.isSifted(left) && p.apart(right) && p.c.computed(right) {
			return p.among(right, op == logic.In)
		}
		return nil
	case logic.Eq, logic.Neq, logic.Lt, logic.Le, logic.Gt, logic.Ge:
	default:
		return nil
	}
	if p.apart(left) {
		left, right = right, left
		op = turned(op)
	}
	if kind := p.c.shape(right); !p.apart(right) || kind.Left != nil || kind.Elem != nil {
		return nil
	}
	number := p.c.Expr(right)
	if p.isSifted(left) {
		return func(frame *Frame, bits uint64) (uint64, bool) {
			n := number(frame)
			if n >= smallInt {
				return 0, false
			}
			return bits & withinWord(op, n), true
		}
	}
	if p.c.Bank.Op(left) != logic.Apply || !p.isSifted(p.c.Bank.Arg(left, 1)) || !p.apart(p.c.Bank.Arg(left, 0)) {
		return nil
	}
	f, isSlot := p.c.slot(p.c.Bank.Arg(left, 0))
	if sh := p.c.shape(p.c.Bank.Arg(left, 0)); !isSlot || sh.Kind != value.MapShape {
		return nil
	}
	beyond := op == logic.Gt || op == logic.Ge || op == logic.Neq
	if n, ok := p.c.fixed(right); ok && n < smallInt {
		images := withinWord(op, n)
		return func(frame *Frame, bits uint64) (uint64, bool) {
			if fn := frame.Slots[f]; fn&value.Small != 0 {
				return value.Preimage(fn, bits, images, beyond)
			}
			return 0, false
		}
	}
	return func(frame *Frame, bits uint64) (uint64, bool) {
		fn, n := frame.Slots[f], number(frame)
		if fn&value.Small == 0 || n >= smallInt {
			return 0, false
		}
		return value.Preimage(fn, bits, withinWord(op, n), beyond)
	}
}

// among is the sieve of membership in a set, or of none.
func (p *planner) among(term logic.Term, in bool) sieve {
	sh := p.c.shape(term)
	var set Expr
	if sh.Kind != value.MaskShape && sh.Kind != value.IntsShape || p.c.Attempt(func() { set = p.c.set(term) }) != nil {
		return nil
	}
	return func(frame *Frame, bits uint64) (uint64, bool) {
		members := set(frame)
		switch {
		case !sh.Bits(members):
			return 0, false
		case in:
			return bits & uint64(members&^sh.Bit()), true
		}
		return bits &^ uint64(members&^sh.Bit()), true
	}
}

// isSifted reports whether t is the variable that was given values last.
func (p *planner) isSifted(t logic.Term) bool {
	return p.c.Bank.Op(t) == logic.Bound && p.c.boundSlot(t) == p.sifted.slot
}

// apart reports whether t has a value whatever those of its identifiers are, and does not depend on the variable
// that was given values last.
func (p *planner) apart(t logic.Term) bool {
	return p.c.Total(t) && !p.occurs(p.sifted.slot-p.slots[0], t)
}

// turned is the comparison with its sides changed over.
func turned(op logic.Op) logic.Op {
	switch op {
	case logic.Lt:
		return logic.Gt
	case logic.Le:
		return logic.Ge
	case logic.Gt:
		return logic.Lt
	case logic.Ge:
		return logic.Le
	}
	return op
}

// withinWord are the numbers below 64 that compare so with n, which is below 62.
func withinWord(op logic.Op, n value.Value) uint64 {
	switch op {
	case logic.Eq:
		return 1 << n
	case logic.Neq:
		return ^(1 << n)
	case logic.Lt:
		return 1<<n - 1
	case logic.Le:
		return upTo(n)
	case logic.Gt:
		return ^upTo(n)
	}
	return ^(1<<n - 1)
}
