package prover

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/formula"
	"github.com/gradine/gradine/prover/derive"
)

// conjuncts proves the conjuncts of the goal, below its ∀ and ⇒, and their conjuncts, one by one within the given steps, each
// with those before it as hypotheses: what one of them needs is in the way of the others. The first one
// without proof ends it.
func (r *Result) conjuncts(strategy strategy, opts Options, steps int64) (won bool) {
	plan := r.plan(opts)
	if !conjoin(plan.Root) {
		return false
	}
	return r.join(plan, strategy, opts, steps)
}

// conjoin states the conjuncts of the goal of n, each before the next one, so that it is a hypothesis there, and of each its own
// conjuncts below ∀ and ⇒. It reports whether there are any.
func conjoin(n *derive.Node) bool {
	last := united(n.Intro())
	b := n.Bank()
	parts := formula.Conjuncts(b, last.Goal)
	if b.Op(last.Goal) == logic.Partition {
		parts = disjoint(b, b.Args(last.Goal)[1:])
	}
	if len(parts) < 2 {
		return false
	}
	for _, part := range parts {
		if slices.ContainsFunc(last.Hyps, func(h derive.Fact) bool { return states(b, h.Term, part) }) {
			continue
		}
		var proof *derive.Node
		_, proof, last = last.Have(part)
		conjoin(proof)
	}
	return true
}

// united names the set that goal ∃s·partition(s,…) says exists.
func united(n *derive.Node) *derive.Node {
	b := n.Bank()
	if b.Op(n.Goal) != logic.Exists || len(b.Decls(n.Goal)) != 1 || b.Op(b.Arg(n.Goal, 0)) != logic.Partition {
		return n
	}
	sets := b.Args(b.Arg(n.Goal, 0))
	if b.Op(sets[0]) != logic.Bound || len(sets) < 3 || b.Depth(b.App(logic.Union, sets[1:]...)) > 0 {
		return n
	}
	m, err := n.Witness([]int{0}, []logic.Term{b.App(logic.Union, sets[1:]...)})
	if err != nil {
		return n
	}
	return m
}

// disjoint states that no two of the sets have an element in common.
func disjoint(b *logic.Bank, sets []logic.Term) (out []logic.Term) {
	for i, s := range sets {
		for _, t := range sets[:i] {
			out = append(out, b.App(logic.Eq, b.App(logic.Inter, t, s), b.Atom(logic.Empty, b.Type(s))))
		}
	}
	return out
}

// states reports whether part is a conjunct of t.
func states(b *logic.Bank, t, part logic.Term) bool {
	return t == part || b.Op(t) == logic.And && slices.ContainsFunc(b.Args(t), func(arg logic.Term) bool { return states(b, arg, part) })
}
