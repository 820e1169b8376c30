package arith

import (
	"github.com/gradine/gradine/prover/kernel"
)

// Assert makes l true. Its predicate must be a registered atom. The answer is
// nil, or a lemma that is false under the asserted literals.
func (s *Solver) Assert(literal kernel.Lit) *Lemma {
	i := s.atomOf[literal.Atom()] - 1
	atom := &s.atoms[i]
	if atom.value != 0 {
		if (atom.value < 0) == literal.Negated() {
			return nil
		}
		panic("arith: literal asserted against its complement")
	}
	atom.value = 1
	if literal.Negated() {
		atom.value = -1
	}
	s.asserted = append(s.asserted, i)
	// An atom without variables is true or false by itself.
	if atom.v < 0 {
		return s.ground(i)
	}
	reason := reasonOf(i, literal.Negated())
	if k, ok := atom.upper(literal.Negated()); ok {
		if lemma := s.atMost(atom.v, k, reason); lemma != nil {
			return lemma
		}
	}
	if k, ok := atom.lower(literal.Negated()); ok {
		return s.atLeast(atom.v, k, reason)
	}
	return nil
}

// ground judges an atom without variables, 0 ≤ raw or 0 = raw.
func (s *Solver) ground(i int32) *Lemma {
	a := &s.atoms[i]
	sign := a.raw.sign()
	holds := sign == 0 || a.rel == le && sign > 0
	if holds == (a.value > 0) {
		return nil
	}
	return s.explain([]antecedent{{reasonOf(i, a.value < 0), sign < 0, one}})
}

func (s *Solver) atMost(v int32, k rat, reason int32) *Lemma {
	if s.setUpper(v, k, reason) {
		return nil
	}
	return s.explain([]antecedent{{reason, true, one}, {s.vars[v].lower.reason, false, one}})
}

func (s *Solver) atLeast(v int32, k rat, reason int32) *Lemma {
	if s.setLower(v, k, reason) {
		return nil
	}
	return s.explain([]antecedent{{reason, false, one}, {s.vars[v].upper.reason, true, one}})
}

// Check looks for rational values within the asserted bounds, by at most
// *budget pivots, which it takes from *budget. The lemma of a Conflicting
// answer is false under the asserted literals.
func (s *Solver) Check(budget *int) (Status, *Lemma) {
	switch res, i := s.check(budget); res {
	case infeasible:
		return Conflicting, s.explain(s.rowConflict(i))
	case exhausted:
		return Exhausted, nil
	}
	return Consistent, nil
}

// rowConflict returns the bounds that keep the basic variable of row i out of
// its bounds.
func (s *Solver) rowConflict(i int) []antecedent {
	row := &s.rows[i]
	x := &s.vars[row.basic]
	below := x.lower.set() && x.value.cmp(x.lower.val) < 0
	out := s.ante[:0]
	if below {
		out = append(out, antecedent{x.lower.reason, false, one})
	} else {
		out = append(out, antecedent{x.upper.reason, true, one})
	}
	for _, entry := range row.entries {
		y := &s.vars[entry.v]
		if (entry.c.sign() > 0) == below {
			out = append(out, antecedent{y.upper.reason, true, entry.c.abs()})
		} else {
			out = append(out, antecedent{y.lower.reason, false, entry.c.abs()})
		}
	}
	s.ante = out
	return out
}
