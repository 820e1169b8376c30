package prover

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/derive"
	"github.com/gradine/gradine/prover/internal/linear"
)

// addends proves a goal that compares two sums by comparing what differs in them, the first on the left with the first on the
// right and so on, within the given steps in all; counts by their sets. A variant is often a sum of counts, few of which
// an event changes: what the others are is in the way.
func (r *Result) addends(strategy strategy, opts Options, steps int64) bool {
	pairs := len(comparisonOf(r.plan(opts).Root.Intro()).pairs)
	// Which pair is strictly smaller is not known before.
	for strict := range pairs {
		plan := r.plan(opts)
		last := plan.Root.Intro()
		c := comparisonOf(last)
		if !c.strict {
			strict = -1
		} else {
			last = smaller(last, c.pairs[strict], logic.Subset, logic.Lt)
		}
		for i, p := range c.pairs {
			if i != strict {
				last = smaller(last, p, logic.SubsetEq, logic.Le)
			}
		}
		if r.join(plan, strategy, opts, steps/int64(pairs)) || r.Stopped || r.Steps >= opts.Steps || !c.strict {
			return r.Proof != nil
		}
	}
	return false
}

// comparison is what a goal E < F or E ≤ F of sums asks of their addends: of each pair that the first is at most as large as the
// second, and, if strict, of one that it is smaller.
type comparison struct {
	pairs  [][2]logic.Term // no addend that is on both sides
	strict bool
}

// comparisonOf returns what the goal of n asks of addends; no pairs if that is not all it asks.
func comparisonOf(n *derive.Node) (c comparison) {
	b := n.Bank()
	small, large := 0, 1
	short := int64(0) // how much smaller the left side has to be
	switch b.Op(n.Goal) {
	case logic.Lt:
		short = 1
	case logic.Gt:
		small, large, short = 1, 0, 1
	case logic.Ge:
		small, large = 1, 0
	case logic.Le:
	default:
		return c
	}
	d := linear.Difference(b, b.Arg(n.Goal, large), b.Arg(n.Goal, small))
	var left, right []logic.Term
	for t, k := range d.Terms {
		switch k {
		case 1:
			right = append(right, t)
		case -1:
			left = append(left, t)
		default:
			return c
		}
	}
	short -= d.Number()
	if len(left) != len(right) || short > 1 {
		return c
	}
	for i := range left {
		c.pairs = append(c.pairs, [2]logic.Term{left[i], right[i]})
	}
	if len(c.pairs) == 1 && !counts(b, c.pairs[0]) {
		return comparison{} // it is the goal again
	}
	c.strict = short > 0
	return c
}

// smaller states of two addends, one node after the other, that their sets are so related, if they are counts, and their values.
func smaller(n *derive.Node, pair [2]logic.Term, sets, values logic.Op) *derive.Node {
	b := n.Bank()
	small, large := pair[0], pair[1]
	if counts(b, pair) {
		_, _, n = n.Have(b.App(sets, b.Arg(small, 0), b.Arg(large, 0)))
	}
	_, _, n = n.Have(b.App(values, small, large))
	return n
}

// counts reports whether a pair are the numbers of elements of two sets of one type.
func counts(b *logic.Bank, pair [2]logic.Term) bool {
	s, t := pair[0], pair[1]
	return b.Op(s) == logic.Card && b.Op(t) == logic.Card && b.Type(b.Arg(s, 0)) == b.Type(b.Arg(t, 0))
}
