package guess

import (
	"maps"
	"math/big"
	"slices"

	"github.com/gradine/gradine/infer/internal/linear"
	"github.com/gradine/gradine/logic"
)

// affine guesses linear equations by Karr's analysis of affine relationships: between
// integers, products of them that the text suggests, truth values as 0 and 1, and values
// of functions at expressions, f(next − 1) say. It tells places apart by which of a few
// comparisons hold, goes from the initialisation along all events, and keeps of each place
// the affine hull of its states. Nothing is sampled: an equation that it finds holds in
// whatever set-up, as far as events are linear. It reads the refined machine alongside,
// so that equations glue what has disappeared.
func affine(v *view) {
	a := &analysis{v: v, number: map[string]int{}, at: map[uint]*linear.Space{}}
	a.ranks()
	a.choose()
	for _, e := range v.m.Events {
		a.moves = append(a.moves, a.move(e))
	}
	a.control()
	if a.begin(); len(a.at) > 0 {
		a.run()
		a.report()
	}
}

// analysis is one run of it. Vectors have a number for each column.
type analysis struct {
	v        *view
	rank     map[logic.Term]int64 // of the elements of enumerated sets
	columns  [][]logic.Term       // each a product of atoms, sorted; the last is that of none
	number   map[string]int       // of columns, by key
	factors  []logic.Term         // of products that are columns
	natural  []bool               // by column: it is not negative
	positive []bool
	rigid    []relation // equations of axioms, invariants and inherited invariants
	controls []control
	moves    []*move // of m.Events
	at       map[uint]*linear.Space
	common   []linear.Vector // equations that hold in all places, as they are written
	pending  []uint
	steps    int
}

// relation is an equation that holds where others do.
type relation struct{ under, holds [][]product }

// control is a comparison that tells places apart.
type control struct {
	term, opposite logic.Term
	zero           []product // it holds where this is 0
	row            linear.Vector
	rows           []linear.Vector // row and its multiples
	off            linear.Vector   // is 0 where it does not hold; nil if that is no equation
}

// The bounds of the analysis: they bound its time, and with it how much it finds.
const (
	mostAffine     = 96 // columns
	mostControls   = 9
	mostPlaces     = 192
	mostTransfers  = 6_000
	longestRelated = 8 // summands of an equation
	mostOfMoment   = 8 // equations that two conditions add
)

// control chooses the comparisons that tell places apart: truth values, then what guards
// compare most often, then what variables are set to.
func (a *analysis) control() {
	v := a.v
	count := map[logic.Term]int{}
	var order []logic.Term
	note := func(p logic.Term, n int) {
		if !v.state(p) || !v.mentions(p) || v.b.Type(v.b.Arg(p, 0)) == logic.BoolType && v.b.Op(v.b.Arg(p, 1)) == logic.FalseE {
			return
		}
		if count[p] == 0 {
			order = append(order, p)
		}
		count[p] += n
	}
	for _, x := range v.vars {
		if v.b.Type(x) == logic.BoolType {
			note(v.eq(x, v.b.App(logic.TrueE)), 1000)
		}
	}
	for _, s := range v.steps {
		for _, g := range s.guards {
			switch args := v.b.Args(g); v.b.Op(g) {
			case logic.Eq, logic.Neq, logic.Lt, logic.Gt:
				note(v.eq(args[0], args[1]), 2)
			}
		}
	}
	for _, s := range v.steps {
		for _, x := range s.sets {
			if x.value != 0 && v.rigid(x.value) && a.numeric(v.b.Type(x.to)) {
				note(v.eq(x.to, x.value), 1)
			}
		}
	}
	slices.SortStableFunc(order, func(p, q logic.Term) int { return count[q] - count[p] })
	for _, p := range order {
		zero, ok := a.equal(p)
		if !ok || len(zero) == 0 || !a.inColumns([][]product{zero}) || len(a.controls) >= mostControls {
			continue
		}
		c := control{term: p, opposite: v.opposite(p), zero: zero, row: vector(zero, a.number)}
		for _, ps := range a.multiples(zero) {
			c.rows = append(c.rows, vector(ps, a.number))
		}
		if slices.ContainsFunc(a.controls, func(d control) bool { return proportional(c.row, d.row) }) {
			continue
		}
		if args := v.b.Args(p); v.b.Op(args[1]) == logic.TrueE {
			c.opposite = v.eq(args[0], v.b.App(logic.FalseE))
			c.off = vector([]product{{big.NewInt(1), []logic.Term{args[0]}}}, a.number)
		}
		a.controls = append(a.controls, c)
	}
	for _, m := range a.moves {
		for i, c := range a.controls {
			a.settle(m, uint(1)<<i, c)
		}
	}
}

// settle finds out what a move does to control c, whose bit is given.
func (a *analysis) settle(m *move, bit uint, c control) {
	var behind []product
	for _, p := range c.zero {
		for _, q := range m.after[a.number[keyOf(p.factors)]] {
			behind = append(behind, product{new(big.Int).Mul(p.coefficient, q.coefficient), q.factors})
		}
	}
	behind = collected(behind)
	if slices.EqualFunc(behind, c.zero, func(p, q product) bool {
		return p.coefficient.Cmp(q.coefficient) == 0 && slices.Equal(p.factors, q.factors)
	}) {
		m.same |= bit
		return
	}
	// A sum of positive parts, or of negative ones, is not 0.
	for _, sign := range []int{1, -1} {
		some := false
		all := !slices.ContainsFunc(behind, func(p product) bool {
			i, ok := a.number[keyOf(p.factors)]
			if !ok || p.coefficient.Sign() != sign || !a.natural[i] {
				return true
			}
			some = some || a.positive[i]
			return false
		})
		if all && some {
			m.never |= bit
		}
	}
}

func proportional(v, w linear.Vector) bool {
	s := linear.Space{}
	s.Add(v)
	return !s.Add(w)
}

// isEmpty reports whether no state is in s: none of its vectors has the constant 1.
func (a *analysis) isEmpty(s *linear.Space) bool {
	one := a.number[""]
	return !slices.ContainsFunc(s.Rows, func(row linear.Vector) bool { return row[one] != 0 })
}

// begin goes along the initialisation.
func (a *analysis) begin() {
	all := &linear.Space{}
	for i := range a.columns {
		unit := make(linear.Vector, len(a.columns))
		unit[i] = 1
		all.Add(unit)
	}
	for _, r := range a.rigid {
		for _, ps := range r.holds {
			constant := !slices.ContainsFunc(ps, func(p product) bool { return slices.ContainsFunc(p.factors, a.v.mentions) })
			if constant && len(r.under) == 0 {
				all = all.Cut(vector(ps, a.number))
			}
		}
	}
	for _, r := range a.rigid {
		if len(r.under) == 0 {
			for _, ps := range r.holds {
				a.common = append(a.common, vector(ps, a.number))
			}
		}
	}
	for _, m := range a.moves {
		if m.event.IsInit() {
			a.along(all, m, 0, false)
		}
	}
}

// run goes along all events until the places grow no more.
func (a *analysis) run() {
	for len(a.pending) > 0 && a.steps < mostTransfers {
		place := a.pending[0]
		a.pending = a.pending[1:]
		for _, m := range a.moves {
			if !m.event.IsInit() {
				a.steps++
				a.along(a.at[place].Clone(), m, place, true)
			}
		}
	}
}

// along goes along m from the states of s, whose controls are known or not.
func (a *analysis) along(s *linear.Space, m *move, from uint, known bool) {
	wide := s.Widened(len(a.columns), m.width) // parameters may have any value
	if known {
		for _, p := range m.equal {
			if a.excluded(p, from) {
				return
			}
		}
	}
	for _, e := range m.equalRows {
		wide = wide.Cut(e)
	}
	if a.isEmpty(wide) {
		return
	}
	for i, e := range m.apartRows {
		zero := !slices.ContainsFunc(wide.Rows, func(row linear.Vector) bool { return e.Times(row) != 0 })
		if zero || known && a.holds(m.apart[i], from) {
			return
		}
	}
	after := &linear.Space{}
	for _, row := range wide.Rows {
		next := make(linear.Vector, len(a.columns))
		for i, e := range m.afterRows {
			next[i] = e.Times(row)
		}
		after.Add(next)
	}
	if !known {
		m = &move{event: m.event, never: m.never} // nothing stays what it was
	}
	a.arrive(after, m, from, 0, 0)
}

// excluded reports whether a place says that ps is not 0.
func (a *analysis) excluded(ps []product, place uint) bool { return a.says(ps, place, 0) }

// holds reports whether a place says that ps is 0.
func (a *analysis) holds(ps []product, place uint) bool { return a.says(ps, place, 1) }

// says reports whether a control for ps has value bit in place.
func (a *analysis) says(ps []product, place, bit uint) bool {
	if !a.inColumns([][]product{ps}) {
		return false
	}
	row := vector(ps, a.number)
	for i, c := range a.controls {
		if place>>i&1 == bit && proportional(row, c.row) {
			return true
		}
	}
	return false
}

// arrive splits s by the controls from number i on, and lets its parts join the places.
func (a *analysis) arrive(s *linear.Space, m *move, from, to uint, i int) {
	if a.isEmpty(s) {
		return
	}
	if i == len(a.controls) {
		a.join(s, to)
		return
	}
	c, bit := a.controls[i], uint(1)<<i
	stays := m.same&bit != 0
	if !(stays && from&bit == 0) && m.never&bit == 0 {
		part := s
		for _, row := range c.rows {
			part = part.Cut(row)
		}
		a.arrive(part, m, from, to|bit, i+1)
	}
	if stays && from&bit != 0 {
		return
	}
	switch always := !slices.ContainsFunc(s.Rows, func(row linear.Vector) bool { return c.row.Times(row) != 0 }); {
	case always:
	case c.off != nil:
		a.arrive(s.Cut(c.off), m, from, to, i+1)
	default:
		a.arrive(s, m, from, to, i+1)
	}
}

// join lets a place grow by s.
func (a *analysis) join(s *linear.Space, place uint) {
	s = a.narrowed(s)
	if a.isEmpty(s) {
		return
	}
	if a.at[place] == nil {
		if len(a.at) >= mostPlaces {
			return // what is guessed may be wrong now
		}
		a.at[place] = &linear.Space{}
	}
	grown := false
	for _, row := range s.Rows {
		grown = a.at[place].Add(row) || grown
	}
	if grown && !slices.Contains(a.pending, place) {
		a.pending = append(a.pending, place)
	}
}

// narrowed returns the part of s in which the facts hold whose conditions do.
func (a *analysis) narrowed(s *linear.Space) *linear.Space {
	for _, r := range a.rigid {
		if a.within(s, r.under) {
			for _, ps := range r.holds {
				s = s.Cut(vector(ps, a.number))
			}
		}
	}
	return s
}

// within reports whether all of the equations hold in s.
func (a *analysis) within(s *linear.Space, equations [][]product) bool {
	return !slices.ContainsFunc(equations, func(ps []product) bool {
		row := vector(ps, a.number)
		return slices.ContainsFunc(s.Rows, func(x linear.Vector) bool { return row.Times(x) != 0 })
	})
}

// condition is that some controls hold and others do not.
type condition struct{ asked, holds uint }

// report guesses what holds everywhere, then under one condition, then under two: of each
// what does not follow from fewer conditions.
func (a *analysis) report() {
	conditions := []condition{{}}
	for i := range a.controls {
		for _, value := range []uint{1, 0} {
			conditions = append(conditions, condition{1 << i, value << i})
		}
	}
	single := conditions[1:]
	for i, c := range single {
		for _, d := range single[i+1:] {
			if c.asked != d.asked {
				conditions = append(conditions, condition{c.asked | d.asked, c.holds | d.holds})
			}
		}
	}
	known := map[condition]*linear.Space{}
	for _, c := range conditions {
		known[c] = a.under(c, known)
	}
}

// under guesses the equations that hold under c, and returns what is known there then.
func (a *analysis) under(c condition, known map[condition]*linear.Space) *linear.Space {
	here := &linear.Space{}
	reached := false
	for _, place := range slices.Sorted(maps.Keys(a.at)) {
		if place&c.asked == c.holds {
			reached = true
			for _, row := range a.at[place].Rows {
				here.Add(row)
			}
		}
	}
	before := &linear.Space{}
	unreachable := false
	for d, space := range known {
		if d.asked&^c.asked == 0 && c.holds&d.asked == d.holds {
			unreachable = unreachable || space == nil
			if space != nil {
				for _, row := range space.Rows {
					before.Add(row)
				}
			}
		}
	}
	v := a.v
	var terms []logic.Term
	for i, x := range a.controls {
		switch bit := uint(1) << i; {
		case c.asked&bit == 0:
		case c.holds&bit != 0:
			for _, row := range x.rows {
				before.Add(row)
			}
			terms = append(terms, x.term)
		default:
			if x.off != nil {
				before.Add(x.off)
			}
			terms = append(terms, x.opposite)
		}
	}
	if !reached {
		if !unreachable && len(terms) > 0 && !a.contradicts(before, c) {
			last := v.opposite(terms[len(terms)-1])
			v.add(v.implies(v.conjunction(terms[:len(terms)-1]), last))
		}
		return nil
	}
	for _, r := range a.rigid {
		if a.within(here, r.under) {
			for _, ps := range r.holds {
				before.Add(vector(ps, a.number))
			}
		}
	}
	var found []logic.Term
	everywhere := before.Clone()
	for _, row := range here.Orthogonal(len(a.columns)).Rows {
		rest := before.Rest(row)
		if rest.IsZero() {
			continue
		}
		sum := a.sumOf(linear.Shortest(rest, slices.Concat(before.Rows, a.common)))
		for _, ps := range a.multiples(sum) {
			before.Add(vector(ps, a.number))
			if len(terms) > 0 || !a.applies(sum) {
				everywhere.Add(vector(ps, a.number))
				if len(terms) == 0 {
					a.common = append(a.common, vector(ps, a.number))
				}
			}
		}
		if p := a.equation(sum); p != 0 {
			found = append(found, p)
		}
	}
	if len(terms) > 1 && len(found) > mostOfMoment {
		return before // so much is known of a moment, and not of a part of the run
	}
	for _, p := range found {
		v.add(v.implies(v.conjunction(terms), p))
	}
	return everywhere
}

// applies reports whether a sum speaks of the value of a function. It may have none, so
// that what holds wherever there is one is worth saying under conditions, too.
func (a *analysis) applies(sum []product) bool {
	return slices.ContainsFunc(sum, func(p product) bool {
		return slices.ContainsFunc(p.factors, func(x logic.Term) bool { return a.v.b.Op(x) == logic.Apply })
	})
}

// sumOf is a row as a sum; nil if its numbers are none that people write.
func (a *analysis) sumOf(row linear.Vector) (sum []product) {
	for i, n := range row.Whole() {
		if n.Sign() != 0 {
			sum = append(sum, product{n, a.columns[i]})
		}
	}
	return sum
}

// contradicts reports whether c cannot be where the equations of s hold.
func (a *analysis) contradicts(s *linear.Space, c condition) bool {
	one := make(linear.Vector, len(a.columns))
	one[a.number[""]] = 1
	if s.Rest(one).IsZero() {
		return true
	}
	for i, x := range a.controls {
		if bit := uint(1) << i; c.asked&bit != 0 && c.holds&bit == 0 && s.Rest(x.row).IsZero() {
			return true
		}
	}
	return false
}

// equation is the predicate that a sum is 0; 0 if people would not write it.
func (a *analysis) equation(sum []product) logic.Term {
	v := a.v
	if len(sum) == 0 || len(sum) > longestRelated {
		return 0
	}
	for _, p := range sum {
		if len(p.factors) == 0 || v.b.Type(p.factors[0]) == logic.IntType {
			continue
		}
		return a.valued(sum)
	}
	return v.equation(sum)
}

// valued is the equation of something that is no integer: that it has the value of
// another of its type, or one of the values that have names.
func (a *analysis) valued(sum []product) logic.Term {
	v := a.v
	x := sum[0]
	if len(sum) > 2 || len(x.factors) != 1 || x.coefficient.Cmp(big.NewInt(1)) != 0 {
		return 0
	}
	typ := v.b.Type(x.factors[0])
	value := new(big.Int)
	if len(sum) == 2 {
		y := sum[1]
		if len(y.factors) == 1 && v.b.Type(y.factors[0]) == typ && y.coefficient.Cmp(big.NewInt(-1)) == 0 {
			return v.eq(x.factors[0], y.factors[0])
		}
		if len(y.factors) != 0 {
			return 0
		}
		value.Neg(y.coefficient)
	}
	if typ == logic.BoolType {
		switch value.String() {
		case "0":
			return v.eq(x.factors[0], v.b.App(logic.FalseE))
		case "1":
			return v.eq(x.factors[0], v.b.App(logic.TrueE))
		}
		return 0
	}
	for _, k := range v.consts {
		if n, ok := a.rank[k]; ok && v.b.Type(k) == typ && value.IsInt64() && value.Int64() == n {
			return v.eq(x.factors[0], k)
		}
	}
	return 0
}
