package search

import (
	"math/big"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/trigger"
	"github.com/gradine/gradine/prover/kernel"
)

// This file unfolds functions that hypotheses define by recursion. These say what f(x+1) is, and that matches no
// f(n); so n is taken for (n−1)+1.

// precede adds n = (n−1)+1 for the arguments n of relevant applications of functions f that quantifiers speak of as f(x+1). It
// reports whether there were any that are new.
func (rs *resorts) precede() bool {
	if !rs.opts.Precede {
		return false
	}
	patterns := rs.recursive()
	before := rs.sat.Clauses()
	for _, node := range rs.terms.byOp[logic.Apply] {
		term := rs.g.Term(node)
		if rs.terms.gen[node] > rs.limit {
			continue
		}
		rs.ctx = rs.terms.gen[node]
		for _, pattern := range patterns[rs.head(term)] {
			rs.fit(pattern, rs.b.Arg(term, 1))
		}
	}
	return rs.sat.Clauses() > before
}

// recursive returns the patterns of arguments x+1 of functions, by the identifier of the function.
func (rs *resorts) recursive() map[logic.Term][]*trigger.Node {
	patterns := map[logic.Term][]*trigger.Node{}
	for _, quantifier := range rs.instances.quants {
		for _, t := range quantifier.triggers {
			for i := range t.Patterns {
				root := &t.Patterns[i].Root
				if root.Kind != trigger.App || root.Op != logic.Apply {
					continue
				}
				f := &root.Args[0]
				for f.Kind == trigger.App && f.Op == logic.Apply {
					f = &f.Args[0]
				}
				if f.Kind == trigger.Ground {
					head := rs.head(f.Term)
					patterns[head] = append(patterns[head], &root.Args[1])
				}
			}
		}
	}
	return patterns
}

// head returns f for f(x), f(x)(y) and so on.
func (rs *resorts) head(t logic.Term) logic.Term {
	for rs.b.Op(t) == logic.Apply {
		t = rs.b.Arg(t, 0)
	}
	return t
}

// fit writes the numbers in the tuple t as sums where pattern has sums.
func (rs *resorts) fit(pattern *trigger.Node, t logic.Term) {
	switch {
	case pattern.Kind == trigger.Sum:
		rs.before(t, pattern)
	case pattern.Op == logic.Maplet && rs.b.Op(t) == logic.Maplet:
		rs.fit(&pattern.Args[0], rs.b.Arg(t, 0))
		rs.fit(&pattern.Args[1], rs.b.Arg(t, 1))
	}
}

// before adds n = x+k, for the x that makes it so, where sum is x+k, k−x or the like; unless n is a number,
// or such a sum already.
func (rs *resorts) before(n logic.Term, sum *trigger.Node) {
	bank := rs.b
	var parts []logic.Term
	at := 0
	for i, part := range sum.Args {
		if part.Kind == trigger.Slot {
			at = i
			parts = append(parts, bank.Int64(0))
		} else {
			parts = append(parts, part.Term)
		}
	}
	rest := bank.App(sum.Op, parts...)
	key := askKey{askPrecede, n, rest}
	if rs.asked.has(key) || bank.Op(n) == logic.Int {
		return
	}
	rs.asked.add(key)
	value := bank.App(logic.Minus, n, rest)
	if sum.Op == logic.Minus && at == 1 {
		value = bank.App(logic.Minus, rest, n)
	}
	parts[at] = rs.ar.s.Normal(value)
	if whole := bank.App(sum.Op, parts...); whole != n {
		clause := kernel.Clause{kernel.LitOf(bank, bank.App(logic.Eq, n, whole))}
		rs.add(clause, kernel.Step{Kind: kernel.Lin, Clause: clause, Coef: []*big.Int{big.NewInt(1)}})
	}
}
