package prover

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/derive"
)

// maxDifferences bounds the places in which two sides of an equation may differ.
const maxDifferences = 4

// alike proves a goal s=t by what its sides do not have in common, within the given steps: of two sums, what is left without a
// factor of all their addends; of two terms, the parts in which they differ.
func (r *Result) alike(strategy strategy, opts Options, steps int64) bool {
	plan := r.plan(opts)
	last := plan.Root.Intro()
	b := last.Bank()
	if renamed(last) {
		return r.join(plan, strategy, opts, steps)
	}
	if b.Op(last.Goal) != logic.Eq {
		return false
	}
	left, right := b.Arg(last.Goal, 0), b.Arg(last.Goal, 1)
	if f := factored(b, left, right); f.factor != 0 {
		_, _, last = last.Have(b.App(logic.Eq, f.left, f.right))
		last.Have(b.App(logic.Eq, b.App(logic.Times, f.factor, f.left), b.App(logic.Times, f.factor, f.right)))
		return r.join(plan, strategy, opts, steps)
	}
	pairs := differences(b, left, right, nil)
	if len(pairs) > maxDifferences || slices.Contains(pairs, [2]logic.Term{left, right}) {
		return false
	}
	for _, p := range pairs {
		_, _, last = last.Have(b.App(logic.Eq, p[0], p[1]))
	}
	return r.join(plan, strategy, opts, steps)
}

// renamed states that the sets that the goal of n comprehends are those of a hypothesis that concludes the same of its own, and
// reports whether there is one.
func renamed(n *derive.Node) bool {
	b := n.Bank()
	eqs := newEquations(n)
	for at, h := range n.Hyps {
		if b.Op(h.Term) != logic.Forall || b.Op(b.Arg(h.Term, 0)) != logic.Implies {
			continue
		}
		vals := make([]logic.Term, len(b.Decls(h.Term)))
		m := matcher{bank: b, sets: &[][2]logic.Term{}}
		if !m.matches(b.Arg(b.Arg(h.Term, 0), 1), n.Goal, 0, vals) || len(*m.sets) == 0 || !eqs.complete(b.Arg(b.Arg(h.Term, 0), 0), vals) {
			continue
		}
		nums := make([]int, len(vals))
		for i := range nums {
			nums[i] = i
		}
		for _, pair := range *m.sets {
			_, _, n = n.Have(b.App(logic.Eq, b.Instantiate(pair[0], vals), pair[1]))
		}
		_, err := n.Inst(at, nums, vals)
		return err == nil
	}
	return false
}

// differences adds to out the terms that stand in the same places of s and t and are not built alike.
func differences(b *logic.Bank, s, t logic.Term, out [][2]logic.Term) [][2]logic.Term {
	if s == t || slices.Contains(out, [2]logic.Term{s, t}) {
		return out
	}
	ss, ts := b.Args(s), b.Args(t)
	if b.Op(s) != b.Op(t) || len(ss) == 0 || len(ss) != len(ts) || b.Op(s).IsBinder() || b.Op(s) == logic.Eps {
		return append(out, [2]logic.Term{s, t})
	}
	for i := range ss {
		// What bool(P) says is no value.
		if b.Type(ss[i]) != b.Type(ts[i]) || b.Op(ss[i]).IsPredicate() {
			return append(out, [2]logic.Term{s, t})
		}
		out = differences(b, ss[i], ts[i], out)
	}
	return out
}

// factoring is what two sums are times a factor.
type factoring struct{ factor, left, right logic.Term }

// factored takes the first factor that all addends of two sums have, no literal, out of them; the factor is 0 if there is none.
func factored(b *logic.Bank, left, right logic.Term) (f factoring) {
	if b.Type(left) != logic.IntType {
		return f
	}
	ls, rs := addendsOf(b, left, 1, nil), addendsOf(b, right, 1, nil)
	all := slices.Concat(ls, rs)
	for _, factor := range all[0].factors {
		if b.Op(factor) == logic.Int || slices.ContainsFunc(all, func(a addend) bool { return !slices.Contains(a.factors, factor) }) {
			continue
		}
		return factoring{factor, without(b, ls, factor), without(b, rs, factor)}
	}
	return f
}

// addend is a product with a sign.
type addend struct {
	sign    int64
	factors []logic.Term
}

// addendsOf adds the addends of sum t, times a sign, to out.
func addendsOf(b *logic.Bank, t logic.Term, sign int64, out []addend) []addend {
	switch b.Op(t) {
	case logic.Plus:
		for _, arg := range b.Args(t) {
			out = addendsOf(b, arg, sign, out)
		}
		return out
	case logic.Minus:
		return addendsOf(b, b.Arg(t, 1), -sign, addendsOf(b, b.Arg(t, 0), sign, out))
	case logic.Neg:
		return addendsOf(b, b.Arg(t, 0), -sign, out)
	}
	return append(out, addend{sign, factorsOf(b, t, nil)})
}

// factorsOf adds the factors of t to out.
func factorsOf(b *logic.Bank, t logic.Term, out []logic.Term) []logic.Term {
	if b.Op(t) != logic.Times {
		return append(out, t)
	}
	for _, arg := range b.Args(t) {
		out = factorsOf(b, arg, out)
	}
	return out
}

// without returns the sum of addends, each without the factor once.
func without(b *logic.Bank, addends []addend, factor logic.Term) logic.Term {
	var sum []logic.Term
	for _, a := range addends {
		i := slices.Index(a.factors, factor)
		product := combined(b, logic.Times, slices.Concat(a.factors[:i], a.factors[i+1:]), 1)
		if a.sign < 0 {
			product = b.App(logic.Neg, product)
		}
		sum = append(sum, product)
	}
	return combined(b, logic.Plus, sum, 0)
}

// combined returns op of terms, of one that one, and of none the number.
func combined(b *logic.Bank, op logic.Op, ts []logic.Term, none int64) logic.Term {
	switch len(ts) {
	case 0:
		return b.Int64(none)
	case 1:
		return ts[0]
	}
	return b.App(op, ts...)
}
