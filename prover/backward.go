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
	m := matcher{bank: bank, means: definitions(sequent)}
	var out []kernel.Step
	// Several hypotheses may conclude one part, and one hypothesis several: the bound is for all.
	found := 0
	for _, goal := range parts(bank, sequent.Goal) {
		for i, hypothesis := range sequent.Hyps {
			if bank.Op(hypothesis) != logic.Forall {
				continue
			}
			m.conclude(hypothesis, goal, func(steps []kernel.Step, _ []logic.Term) {
				if found++; found <= maxBackward {
					out = append(out, kernel.Step{Kind: kernel.Hyp, Index: i})
					out = append(out, steps...)
				}
			})
		}
	}
	return out
}

// definitions returns what hypotheses x=E say that identifiers are, the first one of each: a goal may speak of x where a
// hypothesis speaks of E.
func definitions(sequent logic.Sequent) map[logic.Term]logic.Term {
	bank := sequent.Bank
	out := map[logic.Term]logic.Term{}
	for _, hypothesis := range sequent.Hyps {
		if bank.Op(hypothesis) != logic.Eq {
			continue
		}
		if x, value := bank.Arg(hypothesis, 0), bank.Arg(hypothesis, 1); bank.Op(x) == logic.Free && out[x] == 0 && !bank.Occurs(x, value) {
			out[x] = value
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
// of it is goal, and with the premises under which that holds, for each such conclusion.
func (m matcher) conclude(hypothesis, goal logic.Term, found func(steps []kernel.Step, premises []logic.Term)) {
	bank := m.bank
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
			if m.matches(term, goal, 0, vals) && !slices.Contains(vals, 0) {
				found(along(bank, hypothesis, vals, path))
			}
		}
	}
	walk(hypothesis, 0, nil)
}

// along instantiates the quantifiers of h on the path with vals, and returns the premises that it passes.
func along(bank *logic.Bank, hypothesis logic.Term, vals []logic.Term, path []int) (out []kernel.Step, premises []logic.Term) {
	term := hypothesis
	for _, i := range path {
		if bank.Op(term) != logic.Forall {
			if bank.Op(term) == logic.Implies {
				premises = append(premises, bank.Arg(term, 0))
			}
			term = bank.Arg(term, i)
			continue
		}
		k := len(bank.Decls(term))
		out = append(out, kernel.Step{Kind: kernel.Inst, Terms: append([]logic.Term{term}, vals[:k]...)})
		term = bank.Instantiate(bank.Arg(term, 0), vals[:k])
		vals = vals[k:]
	}
	return out, premises
}

// supporting takes the hypotheses that may conclude a premise of those that conclude the goal: they say the same of the same
// identifiers, and perhaps of more.
func supporting(n *neighbourhood) []int {
	bank, c := n.s.Bank, n.collect()
	m := matcher{bank: bank, means: definitions(n.s)}
	var wanted []premise
	for _, goal := range parts(bank, n.s.Goal) {
		for i, hypothesis := range n.s.Hyps {
			if bank.Op(hypothesis) == logic.Forall {
				m.conclude(hypothesis, goal, func(steps []kernel.Step, premises []logic.Term) {
					c.take(i)
					wanted = append(wanted, demands(bank, steps, premises)...)
				})
			}
		}
	}
	for _, p := range wanted {
		for i, hypothesis := range n.s.Hyps {
			if p.follows(bank, hypothesis, false) {
				c.take(i)
			}
		}
	}
	return c.out
}

// premise is what is wanted of a hypothesis: a conclusion with this operator about these identifiers, or, if it holds for all
// values of variables, at least about those that stay.
type premise struct {
	op          logic.Op
	about, stay []logic.Term
}

// demands returns the conjuncts of premises of an instance that steps make.
func demands(bank *logic.Bank, steps []kernel.Step, premises []logic.Term) []premise {
	var vals []logic.Term
	for _, step := range steps {
		vals = append(vals, step.Terms[1:]...)
	}
	var out []premise
	for _, term := range premises {
		atoms := []logic.Term{term}
		if bank.Op(term) == logic.And {
			atoms = bank.Args(term)
		}
		for _, atom := range atoms {
			out = append(out, premise{bank.Op(atom), mentioned(bank, atom, nil, nil), mentioned(bank, atom, vals, nil)})
		}
	}
	return out
}

// follows reports whether a conclusion of the hypothesis, which is below variables or not, is of the kind that is wanted.
func (p premise) follows(bank *logic.Bank, hypothesis logic.Term, general bool) bool {
	switch bank.Op(hypothesis) {
	case logic.Forall:
		return p.follows(bank, bank.Arg(hypothesis, 0), true)
	case logic.Implies:
		return p.follows(bank, bank.Arg(hypothesis, 1), general)
	case logic.And:
		return slices.ContainsFunc(bank.Args(hypothesis), func(part logic.Term) bool { return p.follows(bank, part, general) })
	case p.op:
		ids := mentioned(bank, hypothesis, nil, nil)
		within := func(some, all []logic.Term) bool {
			return len(some) > 0 && !slices.ContainsFunc(some, func(x logic.Term) bool { return !slices.Contains(all, x) })
		}
		return within(ids, p.about) || within(p.about, ids) || general && within(p.stay, ids)
	}
	return false
}

// mentioned adds the identifiers of t to out, but for those inside of the values, and of witnesses, which are as good as variables.
func mentioned(bank *logic.Bank, t logic.Term, values, out []logic.Term) []logic.Term {
	if bank.Op(t) == logic.Eps || slices.Contains(values, t) {
		return out
	}
	if bank.Op(t) == logic.Free && !slices.Contains(out, t) {
		out = append(out, t)
	}
	for _, arg := range bank.Args(t) {
		out = mentioned(bank, arg, values, out)
	}
	return out
}

// Matches reports whether closed term t is pattern for values of the variables outside of
// it, which it sets, the outermost first; those that do not occur stay 0.
func Matches(b *logic.Bank, pattern, t logic.Term, vals []logic.Term) bool {
	return matcher{bank: b}.matches(pattern, t, 0, vals)
}

// matcher compares patterns with terms.
type matcher struct {
	bank  *logic.Bank
	means map[logic.Term]logic.Term // what identifiers of the terms are defined to be
	// numbers, if not nil, gets the equations under which terms match that are no literals where patterns have some.
	numbers *[]logic.Term
	// sets, if not nil, gets the comprehensions of patterns and terms that differ where all else matches.
	sets *[][2]logic.Term
}

// number notes that integer term has to be a literal, and reports whether that is possible.
func (m matcher) number(literal, term logic.Term) bool {
	b := m.bank
	if m.numbers == nil || b.Op(literal) != logic.Int || b.Type(term) != logic.IntType || b.Op(term) == logic.Int || b.Depth(term) > 0 {
		return false
	}
	*m.numbers = append(*m.numbers, b.App(logic.Eq, term, literal))
	return true
}

// matches reports whether closed term t is pattern p, under level inner binders, for values of the
// variables outside these, which it sets; vals has the outermost variable first.
func (m matcher) matches(predicate, term logic.Term, level int, vals []logic.Term) bool {
	bank := m.bank
	if bank.Depth(predicate) <= level {
		return predicate == term || m.means[term] == predicate || m.number(predicate, term)
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
	if value := m.means[term]; value != 0 {
		term = value
	}
	if m.sets != nil && level == 0 && bank.Op(predicate) == logic.Compr && bank.Op(term) == logic.Compr && bank.Type(predicate) == bank.Type(term) {
		*m.sets = append(*m.sets, [2]logic.Term{predicate, term})
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
		if !m.matches(ps[i], ts[i], level, vals) {
			return false
		}
	}
	return true
}
