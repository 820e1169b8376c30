package kernel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gradine/gradine/logic"
)

// A checker knows a sequent and the clauses of the steps checked so far.
type checker struct {
	logic.Sequent
	lemma   bool // a lemma is proved, and the library is locked
	polys   *Polys
	clauses []Clause
	value   map[Lit]bool // of one Rup step
}

// Check recomputes every step of p and reports what the proof depends on, or why it
// is rejected: a step asserts what its kind does not allow, or none derives the empty
// clause. The sequent must be bare (logic.Sequent.Bare) and p over its bank, which
// grows. The error names the first bad step.
func Check(s logic.Sequent, p *Proof) (Result, error) { return check(s, p, false) }

// check checks each step of a proof of a sequent up to the empty clause. A lemma may not assume that it is well-defined.
func check(sequent logic.Sequent, proof *Proof, lemma bool) (res Result, err error) {
	c := checker{Sequent: sequent, lemma: lemma, polys: NewPolys(sequent.Bank), value: map[Lit]bool{}}
	i := -1
	defer func() {
		if err != nil {
			res, err = Result{}, fmt.Errorf("kernel: step %d: %w", i, err)
		}
	}()
	defer catch(&err)
	for _, hypothesis := range append(slices.Clone(sequent.Hyps), sequent.Goal) {
		c.closed(hypothesis, true)
	}
	for i = range proof.Steps {
		clause := c.clause(proof.Steps[i])
		c.clauses = append(c.clauses, clause)
		if len(clause) == 0 {
			return uses(proof.Steps[:i+1]), nil
		}
	}
	return res, fmt.Errorf("the proof ends without the empty clause")
}

// ClauseOf returns the clause that step asserts of s, or why it asserts none. It
// is for all kinds but Rup, whose premises it cannot know.
func ClauseOf(s logic.Sequent, step Step) (c Clause, err error) {
	defer catch(&err)
	k := checker{Sequent: s, polys: NewPolys(s.Bank), value: map[Lit]bool{}}
	return k.clause(step), nil
}

// closed rejects t unless it is a closed bare term and, if predicate is set, a predicate.
func (c *checker) closed(t term, predicate bool) {
	need(t != 0 && int(t) < c.Bank.Len(), "not a term of the sequent's bank")
	need(c.Bank.Depth(t) == 0, "term with a dangling variable")
	need(c.Bank.IsBare(t), "term with hints")
	need(!predicate || c.Bank.Type(t) == logic.Prop, "not a predicate")
}

// clause returns what step asserts, in canonical literals.
func (c *checker) clause(step Step) (out Clause) {
	bank, ts := c.Bank, step.Terms
	need(step.Kind < numKinds, "unknown kind of step")
	need(len(ts) == operands[step.Kind] || operands[step.Kind] < 0 && (len(ts) > 0 || step.Kind != Inst), "%d terms", len(ts))
	// No step may speak of variables or hints, whatever its kind: all that follows relies on it.
	for _, term := range ts {
		c.closed(term, false)
	}
	given := make(Clause, len(step.Clause))
	for i, literal := range step.Clause {
		c.closed(literal.Atom(), true)
		given[i] = signed(bank, literal)
	}
	var err error
	switch step.Kind {
	case Hyp:
		return Clause{LitOf(bank, pick(c.Hyps, step.Index))}
	case WD:
		return Clause{LitOf(bank, bank.Bare(bank.D(pick(c.Hyps, step.Index))))}
	case NegGoal:
		return Clause{LitOf(bank, c.Goal).Not()}
	case WDGoal:
		// A lemma may be applied to arguments that are not well-defined.
		need(!c.lemma, "a lemma must not assume that it is well-defined")
		return Clause{LitOf(bank, bank.Bare(bank.D(c.Goal)))}
	case Axiom:
		s := Lookup(step.Name)
		need(s != nil, "no axiom %q", step.Name)
		return pick(ClausesOf(bank, s.formula(bank, ts)), step.Index)
	case Lemma:
		find := FindLemma
		if c.lemma {
			find = findLemma
		}
		l, err := find(step.Name)
		need(err == nil, "%v", err)
		return pick(ClausesOf(bank, l.formula(bank, ts)), step.Index)
	case Prop:
		return pick(PropClauses(bank, ts[0]), step.Index)
	case Inst:
		return inst(bank, ts[0], ts[1:])
	case Choose:
		out, err = EpsClause(bank, ts[0])
	case Subst:
		out, err = SubstClause(bank, ts[0], ts[1], ts[2])
	case Euf:
		congruent(bank, given)
		return given
	case Lin:
		c.polys.linear(step.Clause, step.Coef)
		return given
	case Rup:
		c.propagate(given, step.From)
		return given
	}
	need(err == nil, "%v", err)
	return out
}

// pick returns number i of the hypotheses, or of the clauses of a formula.
func pick[T any](all []T, i int) T {
	need(0 <= i && i < len(all), "no number %d of %d", i, len(all))
	return all[i]
}

// propagate checks that unit propagation along the steps from refutes the
// negation of goal.
func (c *checker) propagate(goal Clause, from []int) {
	clear(c.value)
	for _, literal := range goal {
		c.value[literal.Not()] = true
	}
	for _, i := range from {
		need(0 <= i && i < len(c.clauses), "step %d is not an earlier step", i)
		unit, open := Lit(0), 0
		for _, literal := range c.clauses[i] {
			if !c.value[literal.Not()] && literal != unit {
				unit = literal
				open++
			}
		}
		switch open {
		case 0:
			return
		case 1:
			c.value[unit] = true
		}
	}
	need(false, "unit propagation does not reach a contradiction")
}

// uses reports what the steps that the last one rests on use.
func uses(steps []Step) (r Result) {
	needed := make([]bool, len(steps))
	needed[len(steps)-1] = true
	for i, step := range slices.Backward(steps) {
		if !needed[i] {
			continue
		}
		r.Steps++
		for _, j := range step.From {
			needed[j] = true
		}
		switch step.Kind {
		case Hyp:
			r.Hyps = append(r.Hyps, step.Index)
		case WD:
			r.WDs = append(r.WDs, step.Index)
		case NegGoal:
			r.Goal = true
		case WDGoal:
			r.WDGoal = true
		case Lemma:
			r.Lemmas = append(r.Lemmas, step.Name)
		}
	}
	r.Hyps, r.WDs, r.Lemmas = set(r.Hyps), set(r.WDs), set(r.Lemmas)
	return r
}

// set sorts s and drops duplicates.
func set[T cmp.Ordered](s []T) []T { return slices.Compact(slices.Sorted(slices.Values(s))) }
