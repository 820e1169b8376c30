package refute

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// An identifier whose type says that it is infinite, such as f ∈ ℕ → ℕ, has no value that lists its
// pairs. It gets one of a form that the evaluator decides.

// rule is what such a function does.
type rule uint8

const (
	constant rule = iota // it has one value everywhere
	tabled               // likewise, but for the arguments in a table that the solver fills
	identity             // it returns its argument, where the types allow it
	numRules

	// guessed functions have no such form: their values are among those that a guesser tries.
	guessed
	// extreme is guessed, but that sets which a hypothesis says to be the least or the greatest of a kind have that value.
	extreme
)

// chosen are the identifiers whose values have such a form.
type chosen struct {
	ids []logic.Term
	// made are the identifiers that tables and constant values are made of, which the sequent lacks.
	made []logic.Term
	// opaque are functions whose arguments or values, sets and functions, no scope lists: where they
	// are applied, they have the one value given here; what else is said of them is not encoded.
	opaque map[logic.Term]logic.Term
	asked  []logic.Term // what is asserted of those made
	by     rule
}

// Unlisted returns the number of a hypothesis that puts an identifier in a set of infinite sets, such as
// f ∈ ℕ → ℕ, although other hypotheses say more of that identifier; -1 if there is none. Few values of such an
// identifier are tried, so that a sequent that is false may have no counterexample that can be found.
func Unlisted(s logic.Sequent) int {
	f := newFinder(s, 1<<16, constant)
	bank := f.s.Bank
	for i, h := range f.s.Hyps {
		if bank.Op(h) != logic.In || bank.Op(bank.Arg(h, 0)) != logic.Free || !hasInfiniteMembers(bank, bank.Subst(bank.Arg(h, 1), f.definition)) {
			continue
		}
		id := bank.Arg(h, 0)
		if slices.ContainsFunc(f.s.Hyps, func(other logic.Term) bool { return other != h && bank.Occurs(id, other) }) {
			return i
		}
	}
	return -1
}

// choose gives forms to the identifiers that need one.
func (f *finder) choose(by rule) {
	bank := f.s.Bank
	f.by, f.opaque = by, map[logic.Term]logic.Term{}
	if by >= numRules {
		return
	}
	seen := map[logic.Term]bool{}
	for _, elems := range f.listed {
		for _, id := range elems {
			seen[id] = true
		}
	}
	var in func(id, set logic.Term)
	in = func(id, set logic.Term) {
		set = bank.Subst(set, f.unfold)
		if seen[id] || f.unfold[id] != 0 || bank.Occurs(id, set) || !hasInfiniteMembers(bank, set) {
			return
		}
		seen[id] = true
		want, _ := bank.Op(set).Arrow()
		dom, ran := bank.Arg(set, 0), bank.Arg(set, 1)
		left, right := bank.RelPair(bank.Type(id))
		// The form is the identity where the type allows and the arrow wants it, otherwise a constant function, and with
		// a finite table of exceptions under the last rule.
		form := logic.Term(0)
		opaque := hasSets(bank, left) || hasInfiniteMembers(bank, ran)
		same := left == right && !opaque
		switch {
		case same && (by == identity || want.Injective || want.Surjective && infinite(bank, ran)):
			form = bank.App(logic.DomRes, dom, bank.Atom(logic.Id, bank.Type(id)))
		case want.Injective:
			return
		default:
			// The constant value may need a form itself, if it is a function with an infinite domain.
			value := f.make(bank.Name(id)+"·", right)
			f.asked = append(f.asked, bank.App(logic.In, value, ran))
			in(value, ran)
			value = bank.Subst(value, f.unfold)
			form = bank.App(logic.CProd, dom, bank.App(logic.SetExt, value))
			if opaque {
				f.opaque[id] = value
			}
		}
		if by == tabled && !opaque && !want.Injective {
			table := f.make(bank.Name(id)+"·table", bank.Type(id))
			f.asked = append(f.asked, bank.App(logic.In, table, bank.App(logic.PFun, dom, ran)))
			form = bank.App(logic.Ovr, form, table)
		}
		if f.define(bank, id, form) {
			f.ids = append(f.ids, id)
		}
	}
	var visit func(t logic.Term)
	visit = func(t logic.Term) {
		switch args := bank.Args(t); bank.Op(t) {
		case logic.And:
			for _, a := range args {
				visit(a)
			}
		case logic.In:
			if _, arrow := bank.Op(args[1]).Arrow(); arrow && bank.Op(args[0]) == logic.Free {
				in(args[0], args[1])
			}
		}
	}
	for _, hypothesis := range f.core {
		visit(hypothesis)
	}
}

// make returns an identifier that the sequent lacks.
func (f *finder) make(name string, typ logic.Type) logic.Term {
	id := f.fresh(name, typ)
	f.names[f.s.Bank.Name(id)] = true
	f.made = append(f.made, id)
	return id
}

// encoded returns t as it is encoded, and false if it is not: it says something of an opaque function
// apart from its values, or of an extremum, which is left to proofs.
func (f *finder) encoded(t logic.Term) (logic.Term, bool) {
	bank := f.s.Bank
	if slices.ContainsFunc(f.extrema, func(id logic.Term) bool { return bank.Occurs(id, bank.Subst(t, f.plain)) }) {
		return t, false
	}
	t = bank.Subst(t, f.definition)
	// What is said of all arguments of the identity is not true within a scope: n+1 is outside. Whether
	// it is true is left to a proof.
	if f.by == identity && slices.ContainsFunc(f.ids, func(id logic.Term) bool { return bank.Occurs(id, t) }) && f.quantifies(t) {
		return t, false
	}
	if len(f.opaque) > 0 {
		t = f.applied(t, map[logic.Term]logic.Term{})
		for id := range f.opaque {
			if bank.Occurs(id, t) {
				return t, false
			}
		}
	}
	return bank.Subst(t, f.unfold), true
}

// quantifies reports whether t has a quantifier over all integers.
func (f *finder) quantifies(t logic.Term) bool {
	bank := f.s.Bank
	if op := bank.Op(t); (op == logic.Forall || op == logic.Exists) && slices.Contains(bank.Decls(t), logic.IntType) {
		return true
	}
	return slices.ContainsFunc(bank.Args(t), f.quantifies)
}

// applied returns t with the applications of opaque functions replaced by their values.
func (f *finder) applied(t logic.Term, memo map[logic.Term]logic.Term) logic.Term {
	bank := f.s.Bank
	args := bank.Args(t)
	if len(args) == 0 {
		return t
	}
	if out, ok := memo[t]; ok {
		return out
	}
	op, out := bank.Op(t), t
	if value, opaque := f.opaque[args[0]]; opaque && op == logic.Apply {
		out = value
	} else {
		next := make([]logic.Term, len(args))
		for i, a := range args {
			next[i] = f.applied(a, memo)
		}
		switch {
		case slices.Equal(next, args):
		case op == logic.Eps:
			out = bank.Choice(slices.Clone(bank.Decls(t)), bank.Index(t), next[0])
		case op.IsBinder():
			out = bank.Quant(op, slices.Clone(bank.Decls(t)), nil, next...)
		default:
			out = bank.App(op, next...)
		}
	}
	memo[t] = out
	return out
}

// hasInfiniteMembers reports whether all members of t are infinite sets, as those of ℕ → S are.
func hasInfiniteMembers(bank *logic.Bank, t logic.Term) bool {
	want, arrow := bank.Op(t).Arrow()
	if !arrow {
		return false
	}
	dom, ran := bank.Arg(t, 0), bank.Arg(t, 1)
	return want.Total && (infinite(bank, dom) || hasInfiniteMembers(bank, ran)) || want.Surjective && infinite(bank, ran)
}

// infinite reports whether t is an infinite set by its form, if its parts are not empty.
func infinite(bank *logic.Bank, t logic.Term) bool {
	args := bank.Args(t)
	op := bank.Op(t)
	if want, arrow := op.Arrow(); arrow {
		return infinite(bank, args[1]) || infinite(bank, args[0]) && !want.Total && !want.Surjective
	}
	switch op {
	case logic.Integer, logic.Natural, logic.Natural1:
		return true
	case logic.Pow, logic.Pow1:
		return infinite(bank, args[0])
	case logic.CProd, logic.Union:
		return slices.ContainsFunc(args, func(a logic.Term) bool { return infinite(bank, a) })
	case logic.Diff:
		return infinite(bank, args[0])
	}
	return false
}

// hasSets reports whether values of type t have sets in them.
func hasSets(bank *logic.Bank, t logic.Type) bool {
	switch bank.TypeKind(t) {
	case logic.KindPow:
		return true
	case logic.KindProd:
		left, right := bank.Pair(t)
		return hasSets(bank, left) || hasSets(bank, right)
	}
	return false
}
