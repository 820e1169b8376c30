package arith

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// Split says what the present values, within all bounds, still violate: that
// variables are integers, or an asserted disequality. The answer is a lemma to
// add, a rounding cut or the antisymmetry of ≤, or a literal t≤k of a new atom
// to decide. If it is neither, the values are a model of all asserted literals
// in integer arithmetic over opaque terms.
func (s *Solver) Split() (*Lemma, kernel.Lit) {
	s.patch()
	if v := s.fractional(); v >= 0 {
		// Parity decides at once what cuts would approach for ever. Cuts and branches then take turns:
		// cuts alone may not end, branches alone learn little.
		if lemma := s.parity(); lemma != nil {
			return lemma, 0
		}
		s.splits++
		if s.splits%2 == 1 {
			if lemma := s.cut(); lemma != nil {
				return lemma, 0
			}
		}
		k := s.vars[v].value.floor()
		return nil, kernel.Pos(s.b.App(logic.Le, s.formTerm(v), s.table.Int(k.num())))
	}
	for _, i := range s.asserted {
		atom := &s.atoms[i]
		if atom.rel != eq || atom.value > 0 || atom.v < 0 || !s.vars[atom.v].value.eq(atom.k) {
			continue
		}
		t, u := s.b.Arg(atom.p, 0), s.b.Arg(atom.p, 1)
		le := func(x, y logic.Term) kernel.Lit { return kernel.Neg(s.b.App(logic.Le, x, y)) }
		return &Lemma{kernel.Clause{le(t, u), le(u, t), kernel.Pos(atom.p)}, []kernel.Step{antisymmetry(t, u)}}, 0
	}
	return nil, 0
}

// fractional returns the first monomial whose value is not an integer, or -1.
func (s *Solver) fractional() int32 {
	for v := range s.vars {
		if len(s.forms[v].poly) == 1 && !s.vars[v].value.isInt() {
			return int32(v)
		}
	}
	return -1
}

// maxPatch bounds the amounts by which patch moves a variable.
const maxPatch = 24

// patch moves nonbasic variables within all bounds so that fractional values of
// basic ones become integers, without spoiling others.
func (s *Solver) patch() {
	if s.fractional() < 0 {
		return
	}
	cols := s.columns()
	for i := range s.rows {
		row := &s.rows[i]
		if x := row.basic; len(s.forms[x].poly) > 1 || s.vars[x].value.isInt() {
			continue
		}
		for _, entry := range row.entries {
			if !entry.c.isInt() && s.patchBy(row, entry, cols[entry.v]) {
				break
			}
		}
	}
}

// patchBy moves the variable of entry e of r, whose column is col, so that the basic
// variable of r becomes an integer, if it can.
func (s *Solver) patchBy(r *row, e entry, col []entry) bool {
	if e.c.denom().BitLen() > 5 {
		return false
	}
	for d := int64(1); d <= maxPatch; d++ {
		for _, step := range [2]rat{rint(d), rint(-d)} {
			if s.vars[r.basic].value.add(e.c.mul(step)).isInt() && s.keepsIntegers(col, step) && s.mayMove(e.v, col, step) {
				s.moveBy(e.v, col, step)
				return true
			}
		}
	}
	return false
}

// keepsIntegers reports whether basic monomials that are integers remain so when
// the variable of column col moves by step.
func (s *Solver) keepsIntegers(col []entry, step rat) bool {
	for _, e := range col {
		basic := s.rows[e.v].basic
		if len(s.forms[basic].poly) > 1 {
			continue
		}
		if x := s.vars[basic].value; x.isInt() && !x.add(e.c.mul(step)).isInt() {
			return false
		}
	}
	return true
}

// parity returns a lemma from a row that has no integer solution: the
// coefficients of its variables that are not fixed have a divisor g that does not
// divide the rest. With S their sum divided by g, both S ≤ ⌊k⌋ and S ≥ ⌈k⌉ follow
// from the fixed ones.
func (s *Solver) parity() *Lemma {
	for i := range s.rows {
		if m := s.parityOf(i); m != nil {
			return m
		}
	}
	return nil
}

// parityOf is the conflict of a row whose integers cannot add up, by their common divisor; nil if there is none.
func (s *Solver) parityOf(i int) *Lemma {
	// The free variables of the row are integers: what they add up to is a multiple of the gcd of their
	// coefficients, so that the fixed ones must add up to one, too.
	row := &s.rows[i]
	g, rest := zero, zero // of −x + Σ c∗y = 0
	for k := -1; k < len(row.entries); k++ {
		v, c := s.rowEntry(row, k)
		if variable := &s.vars[v]; variable.fixed() {
			rest = rest.add(c.mul(variable.lower.val))
		} else {
			g = g.gcd(c)
		}
	}
	if g.isZero() {
		return nil
	}
	k := rest.mul(g.inv()).neg()
	if k.isInt() || k.num().BitLen() > maxCutBits {
		return nil
	}
	var sum []logic.Term
	var above, below []antecedent
	for j := -1; j < len(row.entries); j++ {
		v, c := s.rowEntry(row, j)
		c = c.mul(g.inv())
		variable := &s.vars[v]
		if !variable.fixed() {
			if c.num().BitLen() > maxCutBits {
				return nil
			}
			sum = append(sum, s.b.App(logic.Times, s.table.Int(c.num()), s.formTerm(v)))
			continue
		}
		// S = −Σ c∗x over the fixed x: at most k if each c∗x is at least its value.
		up := c.sign() > 0
		above = append(above, s.fixing(variable, !up, c.abs()))
		below = append(below, s.fixing(variable, up, c.abs()))
	}
	poly, err := s.polys.Of(s.sum(sum))
	if err != nil || poly.IsConst() {
		return nil
	}
	term := s.term(poly)
	high, low := s.b.App(logic.Le, term, s.table.Int(k.floor().num())), s.b.App(logic.Le, s.table.Int(k.ceil().num()), term)
	lemma := &Lemma{}
	last := kernel.Step{Kind: kernel.Rup, From: []int{lemma.append(s.derive(above, high)), lemma.append(s.derive(below, low))}}
	last.From = append(last.From, lemma.lin(kernel.Clause{kernel.Neg(high), kernel.Neg(low)}, []rat{one, one}))
	for _, a := range append(above, below...) {
		if literal := s.literal(a.reason).Not(); !slices.Contains(last.Clause, literal) {
			last.Clause = append(last.Clause, literal)
		}
	}
	lemma.Steps = append(lemma.Steps, last)
	lemma.Clause = last.Clause
	return lemma
}

// fixed reports whether the bounds of x leave one value.
func (x *variable) fixed() bool {
	return x.lower.set() && x.upper.set() && x.lower.val.eq(x.upper.val)
}

// fixing returns one of the bounds of the fixed variable x.
func (s *Solver) fixing(x *variable, upper bool, mult rat) antecedent {
	if upper {
		return antecedent{x.upper.reason, true, mult}
	}
	return antecedent{x.lower.reason, false, mult}
}

// derive returns the lemma that the bounds imply inequality f, which they do by
// their sum and rounding.
func (s *Solver) derive(why []antecedent, f logic.Term) *Lemma {
	i := s.hidden(f)
	a := &s.atoms[i]
	return s.explain(append(slices.Clone(why), antecedent{reasonOf(i, true), a.rel == ge, a.scale.abs()}))
}

// cut returns a Gomory cut: for a row x = Σ c∗y whose x has a fractional value,
// every y stands at a bound or has an integer c. Rounding each c in the direction
// that its bound allows gives x − Σ c'∗y ≤ r, and so ≤ ⌊r⌋, which excludes the
// present values.
func (s *Solver) cut() *Lemma {
	for i := range s.rows {
		x := s.rows[i].basic
		if len(s.forms[x].poly) > 1 || s.vars[x].value.isInt() {
			continue
		}
		if lemma := s.cutOf(i); lemma != nil {
			return lemma
		}
	}
	return nil
}

// cutOf is a cut by Gomory's method for a row with a fractional value; nil if the row has none.
func (s *Solver) cutOf(i int) *Lemma {
	row := &s.rows[i]
	sum := []logic.Term{s.formTerm(row.basic)}
	limit := zero
	var why []antecedent
	for _, entry := range row.entries {
		c := entry.c
		// A fractional coefficient is rounded towards the bound at which its variable stands. What that
		// adds is at least the rest times the bound, so that the sum of integers has a bound that can
		// be rounded, too.
		if !c.isInt() {
			variable := &s.vars[entry.v]
			a := antecedent{upper: variable.upper.set() && variable.value.eq(variable.upper.val)}
			switch {
			case a.upper:
				a.reason, c = variable.upper.reason, c.floor()
			case variable.lower.set() && variable.value.eq(variable.lower.val):
				a.reason, c = variable.lower.reason, c.ceil()
			default:
				return nil
			}
			rest := entry.c.sub(c)
			limit = limit.add(rest.mul(variable.value))
			a.mult = rest.abs()
			why = append(why, a)
		}
		if c.num().BitLen() > maxCutBits {
			return nil
		}
		if !c.isZero() {
			sum = append(sum, s.b.App(logic.Times, s.table.Int(c.neg().num()), s.formTerm(entry.v)))
		}
	}
	poly, err := s.polys.Of(s.sum(sum))
	if err != nil || poly.IsConst() {
		return nil
	}
	term := s.b.App(logic.Le, s.term(poly), s.table.Int(limit.floor().num()))
	return s.derive(why, term)
}

// maxCutBits bounds the coefficients of cuts.
const maxCutBits = 40

// Share makes integer term t one whose value Classes compares with others.
func (s *Solver) Share(term logic.Term) {
	slot := at(&s.shareOf, term)
	poly, err := s.polys.Of(term)
	if *slot != 0 || err != nil {
		return
	}
	sh := share{t: term, v: -1, mul: zero, add: rbigint(poly.Const())}
	if !poly.IsConst() {
		sh.v, sh.mul = s.variable(poly)
	}
	s.shared = append(s.shared, sh)
	*at(&s.shareOf, term) = int32(len(s.shared))
}

func (s *Solver) valueOf(sh *share) rat {
	if sh.v < 0 {
		return sh.add
	}
	return sh.mul.mul(s.vars[sh.v].value).add(sh.add)
}

// Value returns the present value of shared term t.
func (s *Solver) Value(t logic.Term) *big.Rat {
	if int(t) < len(s.shareOf) && s.shareOf[t] != 0 {
		return s.valueOf(&s.shared[s.shareOf[t]-1]).toBig()
	}
	return nil
}

// Classes returns the sets of two or more shared terms that have the same value
// at present, after it has moved values apart where bounds leave room. Terms
// stand in order of their sharing, sets in order of their first terms.
func (s *Solver) Classes() [][]logic.Term {
	s.spread()
	order := make([]int, len(s.shared))
	values := make([]rat, len(s.shared))
	for i := range s.shared {
		order[i], values[i] = i, s.valueOf(&s.shared[i])
	}
	// Sorted by value, terms that share one stand together; a stable sort keeps the answer the same
	// everywhere.
	slices.SortStableFunc(order, func(i, j int) int { return values[i].cmp(values[j]) })
	var groups [][]int
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && values[order[j]].eq(values[order[i]]) {
			j++
		}
		if j-i > 1 {
			groups = append(groups, order[i:j])
		}
		i = j
	}
	slices.SortFunc(groups, func(g, h []int) int { return g[0] - h[0] })
	out := make([][]logic.Term, len(groups))
	for i, g := range groups {
		for _, j := range g {
			out[i] = append(out[i], s.shared[j].t)
		}
	}
	return out
}

// spread moves nonbasic variables within the room that all bounds leave, each by
// another integer amount that keeps the other values integers, so that terms are
// equal in the model for a reason rather than by chance.
func (s *Solver) spread() {
	if s.dirty {
		return
	}
	cols, apart := s.columns(), s.disequalities()
	for v := range s.vars {
		variable := &s.vars[v]
		if variable.row >= 0 || variable.fixed() {
			continue
		}
		unit := s.unit(cols[v])
		if unit.num().BitLen() > maxCutBits {
			continue
		}
		want := rint(int64(7*v%31 + 1)).mul(unit)
		for _, step := range [4]rat{want, want.neg(), unit, unit.neg()} {
			if s.mayMove(int32(v), cols[v], step) && s.keepsApart(apart, int32(v), step) {
				s.moveBy(int32(v), cols[v], step)
				break
			}
		}
	}
}

// disequalities returns the equations that are asserted to be false.
func (s *Solver) disequalities() []int32 {
	var out []int32
	for _, i := range s.asserted {
		if a := &s.atoms[i]; a.rel == eq && a.value < 0 && a.v >= 0 {
			out = append(out, i)
		}
	}
	s.Work += int64(len(s.asserted))
	return out
}

// keepsApart reports whether none of the disequalities becomes false when nonbasic v
// moves by step.
func (s *Solver) keepsApart(apart []int32, v int32, step rat) bool {
	s.Work += int64(len(apart))
	for _, i := range apart {
		atom := &s.atoms[i]
		variable, c := &s.vars[atom.v], zero
		if atom.v == v {
			c = one
		} else if variable.row >= 0 {
			if k := s.rows[variable.row].find(v); k >= 0 {
				c = s.rows[variable.row].entries[k].c
			}
		}
		if !c.isZero() && variable.value.add(c.mul(step)).eq(atom.k) {
			return false
		}
	}
	return true
}

// unit returns the least amount by which the variable of column col can move so that
// integer values of basic variables remain integers.
func (s *Solver) unit(col []entry) rat {
	unit := big.NewInt(1)
	for _, e := range col {
		if e.c.isInt() {
			continue
		}
		d := e.c.denom()
		g := new(big.Int).GCD(nil, nil, unit, d)
		unit = new(big.Int).Mul(unit, new(big.Int).Quo(d, g))
	}
	return rbigint(unit)
}

// mayMove reports whether nonbasic v, whose column is col, can move by step within all
// bounds.
func (s *Solver) mayMove(v int32, col []entry, step rat) bool {
	s.Work++
	if !s.vars[v].holds(s.vars[v].value.add(step)) {
		return false
	}
	for _, e := range col {
		s.Work++
		variable := &s.vars[s.rows[e.v].basic]
		if !variable.holds(variable.value.add(e.c.mul(step))) {
			return false
		}
	}
	return true
}
