package refute

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// A set that a hypothesis says to be the least of a kind, as a closure is, rarely has a value that the evaluator decides. It
// has one by that hypothesis: ∀s·P⇒c⊆s holds of c={x·(∀s·P⇒x∈s)∣x}, and ∀s·P⇒s⊆c of c={x·(∃s·P∧x∈s)∣x}. What else is
// said of c is then left to proofs, which unfold the definition.
type extremum struct {
	id, set  logic.Term // c, and the bound s
	least    bool
	decls    []logic.Type
	premises []logic.Term // P, at least one
}

// extremumIn reads what t says to be the least or the greatest set of a kind, and reports whether it says so of one.
func extremumIn(bank *logic.Bank, t logic.Term) (x extremum, ok bool) {
	if bank.Op(t) != logic.Forall {
		return x, false
	}
	x.decls = bank.Decls(t)
	body := bank.Arg(t, 0)
	for bank.Op(body) == logic.Implies {
		x.premises = append(x.premises, bank.Arg(body, 0))
		body = bank.Arg(body, 1)
	}
	if bank.Op(body) != logic.SubsetEq || len(x.premises) == 0 {
		return x, false
	}
	x.id, x.set = bank.Arg(body, 0), bank.Arg(body, 1)
	if x.least = bank.Op(x.id) == logic.Free; !x.least {
		x.id, x.set = x.set, x.id
	}
	return x, bank.Op(x.id) == logic.Free && bank.Op(x.set) == logic.Bound &&
		!slices.ContainsFunc(x.premises, func(p logic.Term) bool { return bank.Occurs(x.id, p) })
}

// value is the set as an expression, in which the member is bound outside of the quantifier.
func (x extremum) value(bank *logic.Bank) logic.Term {
	elem := bank.Elem(bank.Type(x.id))
	where := bank.App(logic.In, bank.Bound(len(x.decls), elem), x.set)
	join, quantifier := logic.And, logic.Exists
	if x.least {
		join, quantifier = logic.Implies, logic.Forall
	}
	for _, p := range slices.Backward(x.premises) {
		where = bank.App(join, p, where)
	}
	return bank.Quant(logic.Compr, []logic.Type{elem}, nil, bank.Quant(quantifier, slices.Clone(x.decls), nil, where), bank.Bound(0, elem))
}

// hasExtremum reports whether a hypothesis that is not aside says of a set that it is the least or the greatest of a kind.
func hasExtremum(s logic.Sequent, asides ...*aside) bool {
	for i, h := range s.Hyps {
		if _, ok := extremumIn(s.Bank, h); ok && !slices.ContainsFunc(asides, func(a *aside) bool { return slices.Contains(a.hyps, i) }) {
			return true
		}
	}
	return false
}

// defineExtrema defines the sets that hypotheses say to be the least or the greatest of a kind, where wanted says so of the
// name, and returns them.
func (k *known) defineExtrema(bank *logic.Bank, hyps []logic.Term, wanted func(name string) bool) (defined []logic.Term) {
	for _, h := range hyps {
		if x, ok := extremumIn(bank, h); ok && wanted(bank.Name(x.id)) && k.unfold[x.id] == 0 && k.define(bank, x.id, x.value(bank)) {
			defined = append(defined, x.id)
		}
	}
	return defined
}

// definitionsOf are the definitions that hypotheses make, in the bank of f; by the rule extreme, those of extrema, too.
func (f *finder) definitionsOf(hyps []logic.Term, by rule) map[logic.Term]logic.Term {
	k := learn(f.s.Bank, hyps)
	k.defineExtrema(f.s.Bank, hyps, func(string) bool { return by == extreme })
	return k.unfold
}
