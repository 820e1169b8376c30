package arith

import (
	"github.com/gradine/gradine/prover/internal/reuse"
	"github.com/gradine/gradine/prover/kernel"
)

// Propagate returns literals of registered atoms that the asserted literals imply,
// if they are not assigned yet, or equations asserted to be false. Explain gives the reasons. The result is
// valid until the next call.
func (s *Solver) Propagate() []kernel.Lit {
	s.news = s.news[:0]
	s.round++
	s.touched = reuse.Reach(s.touched, len(s.vars))
	for _, v := range s.fresh {
		s.touch(v)
	}
	s.fresh = s.fresh[:0]
	if s.seen == len(s.trail) && len(s.news) == 0 {
		return nil
	}
	for ; s.seen < len(s.trail); s.seen++ {
		s.touch(s.trail[s.seen].v)
	}
	s.Work += int64(len(s.rows))
	for i := range s.rows {
		if s.isTouched(&s.rows[i]) {
			s.byRow(i)
		}
	}
	return s.news
}

func (s *Solver) touch(v int32) {
	if s.touched[v] != s.round {
		s.touched[v] = s.round
		s.byBounds(v)
	}
}

// imply records literal l, with copies of its antecedents.
func (s *Solver) imply(i int32, neg bool, upper, lower []antecedent) {
	a := &s.atoms[i]
	l := s.literal(reasonOf(i, neg))
	a.why = int32(len(s.implied)) + 1
	a.stamp = s.round
	s.implied = append(s.implied, implied{l, upper, lower})
	s.news = append(s.news, l)
}

// byBounds finds the atoms on v that the bounds of v imply.
func (s *Solver) byBounds(v int32) {
	variable := &s.vars[v]
	up, low := antecedent{variable.upper.reason, true, one}, antecedent{variable.lower.reason, false, one}
	for _, i := range s.forms[v].atoms {
		atom := &s.atoms[i]
		if atom.stamp == s.round || atom.value > 0 || atom.value < 0 && atom.rel != eq {
			continue
		}
		// Of literals that are false, an equation alone can still clash, namely with a variable that
		// is fixed.
		if atom.value < 0 {
			if variable.fixed() && variable.lower.val.eq(atom.k) {
				s.imply(i, false, []antecedent{up}, []antecedent{low})
			}
			continue
		}
		above := variable.upper.set() && s.violates(atom, false, variable.upper.val, true)
		below := variable.lower.set() && s.violates(atom, false, variable.lower.val, false)
		switch {
		case above:
			s.imply(i, true, []antecedent{up}, nil)
		case below:
			s.imply(i, true, nil, []antecedent{low})
		case atom.rel == eq && variable.upper.set() && variable.lower.set() && variable.upper.val.eq(variable.lower.val) && variable.lower.val.eq(atom.k):
			s.imply(i, false, []antecedent{up}, []antecedent{low})
		case atom.rel == le && variable.upper.set() && s.violates(atom, true, variable.upper.val, true):
			s.imply(i, false, []antecedent{up}, nil)
		case atom.rel == ge && variable.lower.set() && s.violates(atom, true, variable.lower.val, false):
			s.imply(i, false, nil, []antecedent{low})
		}
	}
}

// violates reports whether a, or its negation, contradicts the upper (or lower)
// bound k of its variable.
func (s *Solver) violates(a *atom, neg bool, k rat, upper bool) bool {
	if upper {
		l, ok := a.lower(neg)
		return ok && l.cmp(k) > 0
	}
	u, ok := a.upper(neg)
	return ok && u.cmp(k) < 0
}

func (s *Solver) isTouched(r *row) bool {
	if s.touched[r.basic] == s.round {
		return true
	}
	for _, e := range r.entries {
		if s.touched[e.v] == s.round {
			return true
		}
	}
	return false
}

// byRow finds the atoms that row i implies: read as 0 = Σ c∗y − x, each of its
// variables is bounded by the bounds of the others.
func (s *Solver) byRow(i int) {
	s.Work += int64(2 * len(s.rows[i].entries))
	for _, maximum := range [2]bool{true, false} {
		sum, free, count := s.extreme(i, maximum)
		if count > 1 {
			continue
		}
		row := &s.rows[i]
		for k := -1; k < len(row.entries); k++ {
			v, c := s.rowEntry(row, k)
			if count == 1 && k != free || !s.undecided(v) {
				continue
			}
			// c∗v ≥ −(the maximum of the rest), or ≤ for the minimum.
			rest := sum
			if count == 0 {
				rest = rest.sub(c.mul(s.extremeOf(v, c, maximum).val))
			}
			s.byBound(i, k, rest.neg().mul(c.inv()), maximum == (c.sign() < 0), maximum)
		}
	}
}

// extremeOf returns the bound of v at which c∗v is greatest (or least).
func (s *Solver) extremeOf(v int32, c rat, maximum bool) *bound {
	if (c.sign() > 0) == maximum {
		return &s.vars[v].upper
	}
	return &s.vars[v].lower
}

// extreme returns the maximum (or minimum) of row i over its bounded entries,
// the number of the others, and one of them.
func (s *Solver) extreme(i int, maximum bool) (sum rat, free, count int) {
	row := &s.rows[i]
	sum = zero
	for k := -1; k < len(row.entries); k++ {
		v, c := s.rowEntry(row, k)
		if b := s.extremeOf(v, c, maximum); b.set() {
			sum = sum.add(c.mul(b.val))
		} else if free, count = k, count+1; count > 1 {
			return
		}
	}
	return
}

func (s *Solver) undecided(v int32) bool {
	for _, i := range s.forms[v].atoms {
		if a := &s.atoms[i]; a.value == 0 && a.stamp != s.round {
			return true
		}
	}
	return false
}

// byBound finds the atoms implied by the bound k, upper or lower, that row i
// imposes on its entry skip.
func (s *Solver) byBound(i, skip int, k rat, upper, maximum bool) {
	row := &s.rows[i]
	v, c := s.rowEntry(row, skip)
	// A bound that the variable has already implies nothing new.
	if variable := &s.vars[v]; upper && variable.upper.set() && variable.upper.val.cmp(k) <= 0 ||
		!upper && variable.lower.set() && variable.lower.val.cmp(k) >= 0 {
		return
	}
	var why []antecedent
	for _, i := range s.forms[v].atoms {
		atom := &s.atoms[i]
		if atom.value != 0 || atom.stamp == s.round {
			continue
		}
		neg := s.violates(atom, false, k, upper)
		if !neg && !s.violates(atom, true, k, upper) {
			continue
		}
		if why == nil {
			why = s.rowReason(row, skip, c, maximum)
		}
		if upper {
			s.imply(i, neg, why, nil)
		} else {
			s.imply(i, neg, nil, why)
		}
	}
}

// rowReason returns the bounds of all entries of r but skip, which has
// coefficient c, in units of that entry.
func (s *Solver) rowReason(r *row, skip int, c rat, maximum bool) []antecedent {
	inv := c.inv().abs()
	why := make([]antecedent, 0, len(r.entries))
	for k := -1; k < len(r.entries); k++ {
		if k == skip {
			continue
		}
		v, d := s.rowEntry(r, k)
		why = append(why, antecedent{s.extremeOf(v, d, maximum).reason, (d.sign() > 0) == maximum, d.abs().mul(inv)})
	}
	return why
}

// Explain returns the lemma by which Propagate implied l: l, and literals that
// were false before.
func (s *Solver) Explain(literal kernel.Lit) *Lemma {
	i := s.atomOf[literal.Atom()] - 1
	atom := &s.atoms[i]
	w := &s.implied[atom.why-1]
	if atom.rel == eq && !literal.Negated() {
		return s.explainEqual(i, w)
	}
	r := reasonOf(i, !literal.Negated())
	if w.upper != nil {
		return s.explain(append([]antecedent{{r, false, one}}, w.upper...))
	}
	return s.explain(append([]antecedent{{r, true, one}}, w.lower...))
}
