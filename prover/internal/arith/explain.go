package arith

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// A reason is an atom or its negation, as the constraint that it imposes.
func reasonOf(atom int32, neg bool) int32 {
	if neg {
		return atom<<1 | 1
	}
	return atom << 1
}

// literal returns the literal that imposes reason r.
func (s *Solver) literal(r int32) kernel.Lit {
	l := kernel.Pos(s.atoms[r>>1].p)
	if r&1 == 1 {
		return l.Not()
	}
	return l
}

// exact reports whether the bound of a is the literal's own rather than a
// rounded one.
func (s *Solver) exact(a antecedent) bool {
	x := &s.atoms[a.reason>>1]
	if x.v < 0 || x.scale.isUnit() {
		return true
	}
	raw := x.raw
	if a.reason&1 == 1 {
		raw = raw.add(one)
	}
	return raw.mul(x.scale.inv()).isInt()
}

// multiplier returns what the constraint p ≤ 0 or p = 0 of the literal of a is
// multiplied with to yield 1 times the bound of a, before rounding.
func (s *Solver) multiplier(a antecedent) rat {
	x := &s.atoms[a.reason>>1]
	inv := x.scale.inv()
	if x.rel != eq && x.rel != never {
		return inv.abs()
	}
	if !a.upper {
		return inv.neg()
	}
	return inv
}

// rounded returns the literal of the rounded bound of a, after appending a step
// that derives it from the literal of a to m.
func (s *Solver) rounded(lemma *Lemma, a antecedent) kernel.Lit {
	atom := &s.atoms[a.reason>>1]
	term := s.formTerm(atom.v)
	var literal kernel.Lit
	if a.upper {
		k, _ := atom.upper(a.reason&1 == 1)
		literal = kernel.Pos(s.b.App(logic.Le, term, s.table.Int(k.num())))
	} else {
		k, _ := atom.lower(a.reason&1 == 1)
		literal = kernel.Pos(s.b.App(logic.Le, s.table.Int(k.num()), term))
	}
	g := atom.scale.abs()
	lemma.lin([]kernel.Lit{s.literal(a.reason).Not(), literal}, []rat{s.multiplier(a).mul(g), g})
	return literal
}

// lin appends a Lin step with the multipliers, scaled to integers, and returns
// its number. Literals that repeat are joined.
func (m *Lemma) lin(clause kernel.Clause, mult []rat) int {
	den := big.NewInt(1)
	for _, q := range mult {
		d := q.denom()
		g := new(big.Int).GCD(nil, nil, den, d)
		den.Mul(den, new(big.Int).Quo(d, g))
	}
	scale := rbigint(den)
	step := kernel.Step{Kind: kernel.Lin}
next:
	for i, l := range clause {
		q := mult[i].mul(scale).num()
		for j, k := range step.Clause {
			if k == l {
				step.Coef[j] = new(big.Int).Add(step.Coef[j], q)
				continue next
			}
		}
		step.Clause = append(step.Clause, l)
		step.Coef = append(step.Coef, new(big.Int).Set(q))
	}
	m.Steps = append(m.Steps, step)
	return len(m.Steps) - 1
}

// explain returns the lemma that the literals of the antecedents contradict each
// other: their bounds, with their multipliers, add up to 0 ≥ 1.
func (s *Solver) explain(as []antecedent) *Lemma {
	lemma := &Lemma{}
	clause := make(kernel.Clause, len(as))
	mult := make([]rat, len(as))
	for i, a := range as {
		literal := s.literal(a.reason)
		mult[i] = a.mult
		if s.exact(a) {
			mult[i] = a.mult.mul(s.multiplier(a))
		} else {
			literal = s.rounded(lemma, a)
		}
		clause[i] = literal.Not()
	}
	lemma.lin(clause, mult)
	if len(lemma.Steps) > 1 {
		s.resolve(lemma, as)
	}
	lemma.Clause = lemma.Steps[len(lemma.Steps)-1].Clause
	return lemma
}

// resolve appends the Rup step that gets the rounded bounds out of the last step.
func (s *Solver) resolve(lemma *Lemma, as []antecedent) {
	step := kernel.Step{Kind: kernel.Rup}
	for i := range lemma.Steps {
		step.From = append(step.From, i)
	}
	for _, a := range as {
		if literal := s.literal(a.reason).Not(); !slices.Contains(step.Clause, literal) {
			step.Clause = append(step.Clause, literal)
		}
	}
	lemma.Steps = append(lemma.Steps, step)
}

// explainEqual returns the lemma that the bounds of w make the two sides of
// equation i equal.
func (s *Solver) explainEqual(i int32, w *implied) *Lemma {
	predicate := s.atoms[i].p
	t, u := s.b.Arg(predicate, 0), s.b.Arg(predicate, 1)
	lemma := &Lemma{Steps: []kernel.Step{antisymmetry(t, u)}}
	clause := kernel.Clause{kernel.Pos(predicate)}
	last := kernel.Step{Kind: kernel.Rup}
	// Equality is ≤ both ways; each half has an explanation of its own, and antisymmetry joins them.
	for _, sides := range [2][2]logic.Term{{t, u}, {u, t}} {
		half := s.hidden(s.b.App(logic.Le, sides[0], sides[1]))
		why := antecedent{reasonOf(half, true), true, one}
		others := w.lower
		if s.atoms[half].rel == le {
			why.upper, others = false, w.upper
		}
		part := s.explain(append([]antecedent{why}, others...))
		last.From = append(last.From, lemma.append(part))
		for _, literal := range part.Clause {
			if literal != kernel.Pos(s.atoms[half].p) && !slices.Contains(clause, literal) {
				clause = append(clause, literal)
			}
		}
	}
	last.From = append(last.From, 0)
	last.Clause, lemma.Clause = clause, clause
	lemma.Steps = append(lemma.Steps, last)
	return lemma
}

// antisymmetry returns the step {¬t≤u, ¬u≤t, t=u}.
func antisymmetry(t, u logic.Term) kernel.Step {
	return kernel.Step{Kind: kernel.Axiom, Name: "le.antisymmetric", Terms: []logic.Term{t, u}}
}

// append adds the steps of n to m and returns the number of the last one.
func (m *Lemma) append(n *Lemma) int {
	base := len(m.Steps)
	for _, step := range n.Steps {
		step.From = slices.Clone(step.From)
		for i := range step.From {
			step.From[i] += base
		}
		m.Steps = append(m.Steps, step)
	}
	return len(m.Steps) - 1
}
