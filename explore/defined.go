package explore

import "github.com/gradine/gradine/logic"

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
func (c *compiler) defined(p pred, skipped bool, ts ...logic.Term) pred {
	force := c.forceAll(ts, skipped)
	if len(force) == 0 {
		return p
	}
	return func(f *frame) bool {
		look(f, force)
		return p(f)
	}
}

// whole is expr, and has no value where a part of t has none.
func (c *compiler) whole(t logic.Term) expr {
	x, force := c.expr(t), c.force(t, false)
	if len(force) == 0 {
		return x
	}
	return func(f *frame) Value {
		look(f, force)
		return x(f)
	}
}

// look evaluates parts, for the sake of those that have no value.
func look(f *frame, parts []expr) {
	for _, x := range parts {
		x(f)
	}
}

func (c *compiler) forceAll(ts []logic.Term, skipped bool) (out []expr) {
	for _, t := range ts {
		out = append(out, c.force(t, skipped)...)
	}
	return out
}

// force compiles the parts of expression t that its evaluation may pass over and
// that may have no value. skipped says that t itself may be passed over.
func (c *compiler) force(t logic.Term, skipped bool) (out []expr) {
	if !c.strict || c.total(t) {
		return nil
	}
	a := c.b.Args(t)
	switch op := c.b.Op(t); op {
	case logic.Compr, logic.QUnion, logic.QInter, logic.BoolOf: // what is within sees to itself
	case logic.Apply:
		out = append(c.force(a[0], c.b.Op(a[0]) == logic.Compr), c.force(a[1], false)...)
	case logic.Div, logic.Mod, logic.Exp, logic.Card, logic.Min, logic.Max, logic.GInter:
		out = c.forceAll(a, false)
	default:
		return c.forceAll(a, skipped || lazy(op))
	}
	if !skipped {
		return out
	}
	var x expr
	if c.attempt(func() { x = c.expr(t) }) != nil {
		return out
	}
	return append(out, x)
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

// forced runs the parts of t that s may pass over before s.
func (p *planner) forced(s step, t logic.Term, skipped bool) step {
	force := p.c.force(t, skipped)
	if len(force) == 0 {
		return s
	}
	return func(next cont) cont {
		run := s(next)
		return func(f *frame) bool {
			look(f, force)
			return run(f)
		}
	}
}
