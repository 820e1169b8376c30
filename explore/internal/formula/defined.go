package formula

import (
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/logic"
)

// Well-definedness asks for more than evaluation needs: all elements of a set that
// is listed have a value, though the first one decides; both sides of a union; all
// instances of a quantifier. Where a compiler is strict, what an evaluation may pass
// over is looked at first, if it can lack a value at all.
//
// What is left is a comprehension over an infinite type that is not built, such as
// a function on all integers: it is looked at only where it is applied, or asked for
// a member.

// defined makes p have no value where one of ts has none. skipped says that p may
// pass over parts of ts themselves.
func (c *Compiler) defined(p Pred, skipped bool, ts ...logic.Term) Pred {
	force := c.forceAll(ts, skipped)
	if len(force) == 0 {
		return p
	}
	return func(f *Frame) bool {
		Look(f, force)
		return p(f)
	}
}

// Whole is expr, and has no value where a part of t has none.
func (c *Compiler) Whole(t logic.Term) Expr {
	x, force := c.Expr(t), c.unseen(t)
	if len(force) == 0 {
		return x
	}
	return func(f *Frame) value.Value {
		Look(f, force)
		return x(f)
	}
}

// unseen is Force for an expression that is computed as a value: then sets are not lazy that are made of values
// alone, and what is evaluated anyway is not evaluated twice.
func (c *Compiler) unseen(term logic.Term) (out []Expr) {
	if !c.Strict || c.Total(term) {
		return nil
	}
	terms := c.Bank.Args(term)
	switch op := c.Bank.Op(term); op {
	case logic.Union, logic.Inter, logic.Diff:
		if !c.computed(term) {
			return c.Force(term, false)
		}
	case logic.Min, logic.Max:
		if c.Bank.Op(terms[0]) != logic.SetExt {
			return c.Force(term, false)
		}
	case logic.SetExt, logic.Ovr, logic.Maplet, logic.Card, logic.Neg, logic.Plus, logic.Minus, logic.Times, logic.Div, logic.Mod, logic.Exp:
	default:
		return c.Force(term, false)
	}
	for _, t := range terms {
		out = append(out, c.unseen(t)...)
	}
	return out
}

func (c *Compiler) forceAll(ts []logic.Term, skipped bool) (out []Expr) {
	for _, t := range ts {
		out = append(out, c.Force(t, skipped)...)
	}
	return out
}

// Force compiles the parts of expression t that its evaluation may pass over and
// that may have no value. skipped says that t itself may be passed over.
func (c *Compiler) Force(term logic.Term, skipped bool) (out []Expr) {
	if !c.Strict || c.Total(term) {
		return nil
	}
	terms := c.Bank.Args(term)
	switch op := c.Bank.Op(term); op {
	case logic.Compr, logic.QUnion, logic.QInter, logic.BoolOf: // what is within sees to itself
	case logic.Apply:
		out = append(c.Force(terms[0], c.Bank.Op(terms[0]) == logic.Compr), c.Force(terms[1], false)...)
	case logic.Div, logic.Mod, logic.Exp, logic.Card, logic.Min, logic.Max, logic.GInter:
		out = c.forceAll(terms, false)
	default:
		return c.forceAll(terms, skipped || lazy(op))
	}
	if !skipped {
		return out
	}
	var expr Expr
	if c.Attempt(func() { expr = c.Expr(term) }) != nil {
		return out
	}
	return append(out, expr)
}

// lazy reports whether a set made by op may be enumerated, or asked for a member,
// without a look at all arguments.
func lazy(op logic.Op) bool {
	switch op {
	case logic.Dom, logic.Ran, logic.Ovr, logic.GUnion:
		return false
	}
	made := op.Signature().Result
	return made != nil && made.Kind == logic.KindPow
}
