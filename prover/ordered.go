package prover

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
	"github.com/gradine/gradine/prover/derive"
)

// ordered proves a goal that says of two identifiers that they are the same number in three cases, within the given steps: neither
// is smaller, and the rest of the goal holds where they are equal. What excludes a smaller one is often that a function
// grows; the cases have little in common.
func (r *Result) ordered(strategy strategy, opts Options, steps int64) bool {
	plan := r.plan(opts)
	last := plan.Root.Intro()
	x, y := equated(last)
	if x == 0 {
		return false
	}
	compare(last, x, y, plan.Given)
	return r.join(plan, strategy, opts, steps)
}

// equated returns the last two identifiers that are the same number if the goal of n holds, 0 if there are none: a goal says last
// of what the others depend on.
func equated(n *derive.Node) (x, y logic.Term) {
	b := n.Bank()
	for _, part := range formula.Conjuncts(b, n.Goal) {
		if b.Op(part) != logic.Eq || b.Type(b.Arg(part, 0)) != logic.IntType {
			continue
		}
		if left, right := b.Arg(part, 0), b.Arg(part, 1); b.Op(left) == logic.Free && b.Op(right) == logic.Free && left != right {
			x, y = left, right
		}
	}
	return x, y
}

// compare distinguishes which of two identifiers is smaller. Where they are equal, the goal and the equations behind the given
// hypotheses have one in place of the other.
func compare(n *derive.Node, x, y logic.Term, given int) {
	b := n.Bank()
	_, n = n.Cases(b.App(logic.Lt, x, y))
	_, n = n.Cases(b.App(logic.Lt, y, x))
	_, _, n = n.Have(b.App(logic.Eq, x, y))
	as := map[logic.Term]logic.Term{x: y}
	for _, h := range n.Hyps[given : len(n.Hyps)-1] {
		if b.Op(h.Term) == logic.Eq && b.Occurs(x, h.Term) {
			_, n = n.State(b.Subst(h.Term, as))
		}
	}
	n.State(b.Subst(n.Goal, as))
}
