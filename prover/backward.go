package prover

import (
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// maxBackward bounds the instances of hypotheses by which a goal is concluded.
const maxBackward = 6

// backward returns the instances of hypotheses ∀x·P⇒Q whose conclusion Q is part of the goal
// of s, each after its hypothesis. The search looks for instances by the terms of P; this finds
// those of which the goal says what they are, however large, and over sets and functions, too.
func backward(sequent logic.Sequent) []kernel.Step {
	bank := sequent.Bank
	var out []kernel.Step
	// Several hypotheses may conclude one part, and one hypothesis several: the bound is for all.
	found := 0
	for _, goal := range parts(bank, sequent.Goal) {
		for i, hypothesis := range sequent.Hyps {
			if bank.Op(hypothesis) != logic.Forall {
				continue
			}
			conclude(bank, hypothesis, goal, func(steps []kernel.Step) {
				if found++; found <= maxBackward {
					out = append(out, kernel.Step{Kind: kernel.Hyp, Index: i})
					out = append(out, steps...)
				}
			})
		}
	}
	return out
}

// parts returns what is to be shown for goal: its conjuncts under ∀ and ⇒, for the witnesses that
// the search will choose.
func parts(bank *logic.Bank, goal logic.Term) []logic.Term {
	switch bank.Op(goal) {
	case logic.Forall:
		return parts(bank, bank.Instantiate(bank.Arg(goal, 0), kernel.Witnesses(bank, goal)))
	case logic.Implies:
		return parts(bank, bank.Arg(goal, 1))
	case logic.And:
		var out []logic.Term
		for _, predicate := range bank.Args(goal) {
			out = append(out, parts(bank, predicate)...)
		}
		return out
	}
	return []logic.Term{goal}
}

// conclude calls found with the steps that instantiate h, a universal formula, so that a conclusion
// of it is goal, for each such conclusion.
func conclude(bank *logic.Bank, hypothesis, goal logic.Term, found func([]kernel.Step)) {
	// path leads from h to a conclusion: the argument taken at each operator.
	var walk func(term logic.Term, vars int, path []int)
	walk = func(term logic.Term, vars int, path []int) {
		path = path[:len(path):len(path)] // branches must not write into each other's path
		switch bank.Op(term) {
		case logic.Forall:
			walk(bank.Arg(term, 0), vars+len(bank.Decls(term)), append(path, 0))
		case logic.Implies:
			walk(bank.Arg(term, 1), vars, append(path, 1))
		case logic.And:
			for i, predicate := range bank.Args(term) {
				walk(predicate, vars, append(path, i))
			}
		default:
			vals := make([]logic.Term, vars)
			if matches(bank, term, goal, 0, vals) && !slices.Contains(vals, 0) {
				found(along(bank, hypothesis, vals, path))
			}
		}
	}
	walk(hypothesis, 0, nil)
}

// along instantiates the quantifiers of h on the path with vals.
func along(bank *logic.Bank, hypothesis logic.Term, vals []logic.Term, path []int) []kernel.Step {
	var out []kernel.Step
	term := hypothesis
	for _, i := range path {
		if bank.Op(term) != logic.Forall {
			term = bank.Arg(term, i)
			continue
		}
		k := len(bank.Decls(term))
		out = append(out, kernel.Step{Kind: kernel.Inst, Terms: append([]logic.Term{term}, vals[:k]...)})
		term = bank.Instantiate(bank.Arg(term, 0), vals[:k])
		vals = vals[k:]
	}
	return out
}

// Matches reports whether closed term t is pattern for values of the variables outside of
// it, which it sets, the outermost first; those that do not occur stay 0.
func Matches(b *logic.Bank, pattern, t logic.Term, vals []logic.Term) bool {
	return matches(b, pattern, t, 0, vals)
}

// matches reports whether closed term t is pattern p, under level inner binders, for values of the
// variables outside these, which it sets; vals has the outermost variable first.
func matches(bank *logic.Bank, predicate, term logic.Term, level int, vals []logic.Term) bool {
	if bank.Depth(predicate) <= level {
		return predicate == term
	}
	if bank.Op(predicate) == logic.Bound {
		slot := len(vals) - 1 - (bank.Index(predicate) - level)
		// A value must not mention variables of the inner binders.
		if slot < 0 || bank.Depth(term) > 0 || bank.Type(predicate) != bank.Type(term) || vals[slot] != 0 && vals[slot] != term {
			return false
		}
		vals[slot] = term
		return true
	}
	ps, ts := bank.Args(predicate), bank.Args(term)
	if bank.Op(predicate) != bank.Op(term) || bank.Type(predicate) != bank.Type(term) || len(ps) != len(ts) || len(ps) == 0 {
		return false
	}
	if bank.Op(predicate).IsBinder() {
		if !slices.Equal(bank.Decls(predicate), bank.Decls(term)) {
			return false
		}
		level += len(bank.Decls(predicate))
	}
	for i := range ps {
		if !matches(bank, ps[i], ts[i], level, vals) {
			return false
		}
	}
	return true
}
