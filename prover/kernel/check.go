package kernel

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gradine/gradine/logic"
)

// A checker knows a sequent and the clauses of the steps checked so far.
type checker struct {
	logic.Sequent
	polys   *Polys
	clauses []Clause
	value   map[Lit]bool // of one Rup step
}

// Check recomputes every step of p and reports what the proof rests on, or why
// it is none: a step that asserts something else than its kind allows, or no step
// with the empty clause. The sequent must be bare (logic.Sequent.Bare) and p over
// its bank, which grows. The error names the first bad step.
func Check(s logic.Sequent, p *Proof) (res Result, err error) {
	defer catch(&err)
	c := checker{Sequent: s, polys: NewPolys(s.Bank), value: map[Lit]bool{}}
	for _, h := range append(slices.Clone(s.Hyps), s.Goal) {
		if err := c.closed(h); err != nil || s.Bank.Type(h) != logic.Prop {
			return Result{}, errors.New("kernel: the sequent is not one of closed bare predicates")
		}
	}
	for i, step := range p.Steps {
		clause, err := c.clause(step)
		if err != nil {
			return Result{}, fmt.Errorf("kernel: step %d: %w", i, err)
		}
		c.clauses = append(c.clauses, clause)
		if len(clause) == 0 {
			return uses(p.Steps[:i+1]), nil
		}
	}
	return Result{}, errors.New("kernel: the proof does not reach the empty clause")
}

// ClauseOf returns the clause that step asserts of s, or why it asserts none. It
// is for all kinds but Rup.
func ClauseOf(s logic.Sequent, step Step) (c Clause, err error) {
	defer catch(&err)
	if step.Kind == Rup {
		return nil, errors.New("kernel: a Rup step has premises")
	}
	k := checker{Sequent: s, polys: NewPolys(s.Bank)}
	return k.clause(step)
}

// catch turns a refusal to build a term into an error.
func catch(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(error)
		if !ok || !errors.Is(e, logic.ErrTooLarge) {
			panic(r)
		}
		*err = e
	}
}

// closed says what is wrong with t as a term of a step.
func (c *checker) closed(t logic.Term) error {
	switch {
	case t == 0 || int(t) >= c.Bank.Len():
		return errors.New("no term of the sequent's bank")
	case c.Bank.Depth(t) != 0:
		return errors.New("term with a dangling variable")
	case !c.Bank.IsBare(t):
		return errors.New("term with hints")
	}
	return nil
}

// clause returns what step asserts, in canonical literals.
func (c *checker) clause(step Step) (Clause, error) {
	b := c.Bank
	if step.Kind >= numKinds {
		return nil, errors.New("no such kind of step")
	}
	for _, t := range step.Terms {
		if err := c.closed(t); err != nil {
			return nil, err
		}
	}
	given := make(Clause, len(step.Clause))
	for i, l := range step.Clause {
		if err := c.closed(l.Atom()); err != nil {
			return nil, err
		}
		if b.Type(l.Atom()) != logic.Prop {
			return nil, errors.New("literal that is no predicate")
		}
		given[i] = signed(b, l)
	}
	if len(step.Terms) < operands[step.Kind] {
		return nil, errors.New("too few terms")
	}
	switch step.Kind {
	case Hyp, WD:
		if step.Index < 0 || step.Index >= len(c.Hyps) {
			return nil, errors.New("no such hypothesis")
		}
		if h := c.Hyps[step.Index]; step.Kind == Hyp {
			return Clause{LitOf(b, h)}, nil
		} else {
			return Clause{LitOf(b, b.Bare(b.D(h)))}, nil
		}
	case NegGoal:
		return Clause{LitOf(b, c.Goal).Not()}, nil
	case WDGoal:
		return Clause{LitOf(b, b.Bare(b.D(c.Goal)))}, nil
	case Axiom, Lemma:
		s := Lookup(step.Name)
		if s == nil || s.Lemma() != (step.Kind == Lemma) {
			return nil, fmt.Errorf("no such %s: %q", kindNames[step.Kind], step.Name)
		}
		all, err := s.Clauses(b, step.Terms...)
		if err != nil {
			return nil, err
		}
		return pick(all, step.Index)
	case Prop:
		return pick(PropClauses(b, step.Terms[0]), step.Index)
	case Inst:
		return InstClause(b, step.Terms[0], step.Terms[1:])
	case Choose:
		return EpsClause(b, step.Terms[0])
	case Subst:
		return SubstClause(b, step.Terms[0], step.Terms[1], step.Terms[2])
	case Euf:
		return given, congruent(b, given)
	case Lin:
		return given, c.polys.linear(step.Clause, step.Coef)
	case Rup:
		return given, c.propagate(given, step.From)
	}
	panic("kernel: kind without a rule")
}

func pick(all []Clause, i int) (Clause, error) {
	if i < 0 || i >= len(all) {
		return nil, fmt.Errorf("no clause number %d", i)
	}
	return all[i], nil
}

// propagate checks that unit propagation along the steps from refutes the
// negation of goal.
func (c *checker) propagate(goal Clause, from []int) error {
	clear(c.value)
	for _, l := range goal {
		c.value[l.Not()] = true
	}
	for _, i := range from {
		if i < 0 || i >= len(c.clauses) {
			return fmt.Errorf("step %d is no earlier step", i)
		}
		unit, open := Lit(0), 0
		for _, l := range c.clauses[i] {
			if !c.value[l.Not()] && l != unit {
				unit = l
				open++
			}
		}
		switch open {
		case 0:
			return nil
		case 1:
			c.value[unit] = true
		}
	}
	return errors.New("unit propagation does not reach a contradiction")
}

// uses reports what the steps that the last one rests on use.
func uses(steps []Step) Result {
	var r Result
	needed := make([]bool, len(steps))
	needed[len(steps)-1] = true
	hyps, wds, axioms, lemmas := map[int]bool{}, map[int]bool{}, map[string]bool{}, map[string]bool{}
	for i, s := range slices.Backward(steps) {
		if !needed[i] {
			continue
		}
		r.Steps++
		for _, j := range s.From {
			needed[j] = true
		}
		switch s.Kind {
		case Hyp:
			hyps[s.Index] = true
		case WD:
			wds[s.Index] = true
		case NegGoal:
			r.Goal = true
		case WDGoal:
			r.WDGoal = true
		case Axiom:
			axioms[s.Name] = true
		case Lemma:
			lemmas[s.Name] = true
		}
	}
	r.Hyps, r.WDs = slices.Sorted(maps.Keys(hyps)), slices.Sorted(maps.Keys(wds))
	r.Axioms, r.Lemmas = slices.Sorted(maps.Keys(axioms)), slices.Sorted(maps.Keys(lemmas))
	return r
}
