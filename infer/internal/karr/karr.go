// Package karr implements Karr's analysis of affine relationships. From moves between states,
// which are vectors, it computes the linear equations that hold in all reachable states.
//
// It divides the states by the comparisons that hold in them. From the start, it follows all
// moves and keeps the affine hull of the states in each class. Nothing is sampled: if moves
// are linear, an equation holds on every instance. Columns may stand for products; for
// these, it knows the factors.
//
// Numbers are those of package linear, so results are guesses and must be proved.
package karr

import (
	"context"
	"maps"
	"slices"

	"github.com/gradine/gradine/infer/internal/linear"
)

// System is what the analysis works on. A state has a number for each column; the last
// one is 1 in every state, so that equations may have constants.
type System struct {
	Columns  []Column
	Factors  [][]int // of products: by factor and column the column that is their product; −1 if none is
	Controls []Control
	Facts    []Fact
	Moves    []Move
	Sayable  func(linear.Vector) bool // whether an equation can be written; nil: all can
}

// Column is what is known of one number of states.
type Column struct {
	Natural  bool // it is not negative
	Positive bool
	Rigid    bool // no move changes it
	Partial  bool // it may be the value of something that has none
}

// Control is a comparison that tells places apart.
type Control struct {
	Row linear.Vector // it holds where this is 0
	Off linear.Vector // is 0 where it does not hold; nil if that is not an equation
}

// Fact is some equations that hold where others do.
type Fact struct{ Under, Holds []linear.Vector }

// Move leads from a state to another one. Its vectors have a number for each column, and
// more for what may have any value: parameters, say.
type Move struct {
	Start bool            // it leads from nowhere
	Equal []linear.Vector // are 0 where the move is possible
	Apart []linear.Vector // are not 0 there
	After []linear.Vector // by column: the number behind it
}

// Condition is that some controls hold and others do not: one bit for each.
type Condition struct{ Asked, Holds uint }

// Found is what holds under a condition, and does not follow from fewer conditions.
type Found struct {
	Condition
	Never bool            // no state satisfies the condition
	Rows  []linear.Vector // are 0 in all states that do
}

// The bounds of the analysis: they bound its time, and with it how much it finds. What is
// found when one of them is reached may be wrong.
const (
	mostPlaces    = 192
	mostTransfers = 6_000
)

// Equations goes along the moves until no place grows any more, and returns what holds
// everywhere, then under one condition, then under two.
func (s System) Equations(ctx context.Context) []Found {
	w := &walk{System: s, at: map[uint]*linear.Space{}}
	for i := range s.Controls {
		w.multiples = append(w.multiples, w.timesFactors(s.Controls[i].Row))
	}
	for _, m := range s.Moves {
		w.moves = append(w.moves, w.read(m))
	}
	for _, f := range s.Facts {
		if len(f.Under) == 0 {
			w.common = append(w.common, f.Holds...)
		}
	}
	w.begin()
	if w.run(ctx); len(w.at) == 0 || ctx.Err() != nil {
		return nil
	}
	return w.report(ctx)
}

// walk is one run of the analysis.
type walk struct {
	System
	multiples [][]linear.Vector // by control: its row, and that times factors
	moves     []move
	at        map[uint]*linear.Space // by place: a bit for each control that holds
	pending   []uint
	common    []linear.Vector // equations that hold in all places, as they are written
	transfers int
}

// move is a Move with what it does to the controls.
type move struct {
	Move
	width             int
	excluded, implied []int // by row of Equal, and of Apart: the control that says the same; −1 if none does
	same, never       uint  // controls that it leaves as they are, and such as do not hold behind it
}

// timesFactors returns a row, and what it is times a factor of some column, where all
// products are columns: where the row is 0, these are 0 as well.
func (s System) timesFactors(row linear.Vector) []linear.Vector {
	out := []linear.Vector{row}
	for _, product := range s.Factors {
		next := make(linear.Vector, len(row))
		complete := true
		for i, n := range row {
			if n == 0 {
				continue
			}
			if i >= len(product) || product[i] < 0 {
				complete = false
				break
			}
			next[product[i]] = n
		}
		if complete {
			out = append(out, next)
		}
	}
	return out
}

// read finds which controls a move implies or excludes by its own conditions, and what it does to each control: it
// leaves it as it is, makes it false for certain, or neither, which says nothing.
func (w *walk) read(given Move) move {
	m := move{Move: given, width: len(given.After[0])}
	m.Equal = nil
	for _, row := range given.Equal {
		m.Equal = append(m.Equal, w.timesFactors(row)...)
	}
	about := func(rows []linear.Vector) (out []int) {
		for _, row := range rows {
			inColumns := row[len(w.Columns):].IsZero()
			out = append(out, slices.IndexFunc(w.Controls, func(c Control) bool {
				return inColumns && linear.Parallel(row[:len(w.Columns)], c.Row)
			}))
		}
		return out
	}
	m.excluded, m.implied = about(m.Equal), about(m.Apart)
	for i, c := range w.Controls {
		// The control after the move, as a row over the columns before it.
		behind := make(linear.Vector, m.width)
		for column, n := range c.Row {
			behind = behind.Plus(n, m.After[column])
		}
		switch {
		case slices.Equal(behind[:len(w.Columns)], c.Row) && behind[len(w.Columns):].IsZero():
			m.same |= 1 << i
		case w.oneSign(behind):
			m.never |= 1 << i
		}
	}
	return m
}

// oneSign reports whether a row is a sum of parts of one sign, of which one is not 0:
// then it is not 0 itself.
func (w *walk) oneSign(row linear.Vector) bool {
	numbers := row.Whole()
	sign, strict := 0, false
	for i, n := range numbers {
		if n.Sign() == 0 {
			continue
		}
		if i >= len(w.Columns) || !w.Columns[i].Natural || sign != 0 && sign != n.Sign() {
			return false
		}
		sign, strict = n.Sign(), strict || w.Columns[i].Positive
	}
	return strict
}

// isEmpty reports whether no state is in s: none of its vectors has the constant 1.
func (w *walk) isEmpty(s *linear.Space) bool {
	one := len(w.Columns) - 1
	return !slices.ContainsFunc(s.Rows, func(row linear.Vector) bool { return row[one] != 0 })
}

// begin goes along the moves that start.
func (w *walk) begin() {
	all := &linear.Space{}
	for i := range w.Columns {
		unit := make(linear.Vector, len(w.Columns))
		unit[i] = 1
		all.Add(unit)
	}
	for _, f := range w.Facts {
		for _, row := range f.Holds {
			if len(f.Under) == 0 && w.isRigid(row) {
				all = all.Cut(row)
			}
		}
	}
	for _, m := range w.moves {
		if m.Start {
			m.same = 0 // there is nothing that could stay
			w.along(all, m, 0)
		}
	}
}

func (w *walk) isRigid(row linear.Vector) bool {
	for i, n := range row {
		if n != 0 && !w.Columns[i].Rigid {
			return false
		}
	}
	return true
}

// run goes along all moves until the places grow no more.
func (w *walk) run(ctx context.Context) {
	for len(w.pending) > 0 && w.transfers < mostTransfers {
		place := w.pending[0]
		w.pending = w.pending[1:]
		for _, m := range w.moves {
			if ctx.Err() != nil {
				return
			}
			if !m.Start {
				w.transfers++
				w.along(w.at[place].Clone(), m, place)
			}
		}
	}
}

// along goes along m from the states of s, which are those of a place but for moves that
// start.
func (w *walk) along(s *linear.Space, m move, from uint) {
	// What the place says is asked first, for it is cheap: an equation that the place
	// excludes, or a difference that it says is 0.
	for _, c := range m.excluded {
		if !m.Start && c >= 0 && from>>c&1 == 0 {
			return
		}
	}
	for _, c := range m.implied {
		if !m.Start && c >= 0 && from>>c&1 == 1 {
			return
		}
	}
	wide := s.Widened(len(w.Columns), m.width)
	for _, row := range m.Equal {
		wide = wide.Cut(row)
	}
	if w.isEmpty(wide) {
		return
	}
	for _, apart := range m.Apart {
		if wide.Annihilates(apart) {
			return
		}
	}
	for i, c := range w.Controls {
		if !m.Start && from>>i&1 == 0 && wide.Annihilates(c.Row) {
			return // the move asks for what the place says is not so
		}
	}
	after := &linear.Space{}
	for _, row := range wide.Rows {
		next := make(linear.Vector, len(w.Columns))
		for i, e := range m.After {
			next[i] = e.Times(row)
		}
		after.Add(next)
	}
	w.arrive(after, m, from, 0, 0)
}

// arrive splits s by the controls from number i on, and lets its parts join the places.
func (w *walk) arrive(s *linear.Space, m move, from, to uint, i int) {
	if w.isEmpty(s) {
		return
	}
	if i == len(w.Controls) {
		w.join(s, to)
		return
	}
	c, bit := w.Controls[i], uint(1)<<i
	stays := m.same&bit != 0
	if !(stays && from&bit == 0) && m.never&bit == 0 {
		part := s
		for _, row := range w.multiples[i] {
			part = part.Cut(row)
		}
		w.arrive(part, m, from, to|bit, i+1)
	}
	if stays && from&bit != 0 || s.Annihilates(c.Row) {
		return
	}
	if c.Off != nil {
		s = s.Cut(c.Off)
	}
	w.arrive(s, m, from, to, i+1)
}

// join lets a place grow by s.
func (w *walk) join(s *linear.Space, place uint) {
	s = w.narrowed(s)
	if w.isEmpty(s) {
		return
	}
	if w.at[place] == nil {
		if len(w.at) >= mostPlaces {
			return
		}
		w.at[place] = &linear.Space{}
	}
	grown := false
	for _, row := range s.Rows {
		grown = w.at[place].Add(row) || grown
	}
	if grown && !slices.Contains(w.pending, place) {
		w.pending = append(w.pending, place)
	}
}

// narrowed returns the part of s in which the facts hold whose conditions do.
func (w *walk) narrowed(s *linear.Space) *linear.Space {
	for _, f := range w.Facts {
		if within(s, f.Under) {
			for _, row := range f.Holds {
				s = s.Cut(row)
			}
		}
	}
	return s
}

// within reports whether all of the equations hold in s.
func within(s *linear.Space, equations []linear.Vector) bool {
	return !slices.ContainsFunc(equations, func(e linear.Vector) bool { return !s.Annihilates(e) })
}

// report says what holds everywhere, then under one condition, then under two.
func (w *walk) report(ctx context.Context) (out []Found) {
	conditions := []Condition{{}}
	for i := range w.Controls {
		for _, value := range []uint{1, 0} {
			conditions = append(conditions, Condition{1 << i, value << i})
		}
	}
	single := conditions[1:]
	for i, c := range single {
		for _, d := range single[i+1:] {
			if c.Asked != d.Asked {
				conditions = append(conditions, Condition{c.Asked | d.Asked, c.Holds | d.Holds})
			}
		}
	}
	known := map[Condition]*linear.Space{} // nil where no state is
	for _, c := range conditions {
		if ctx.Err() != nil {
			return nil
		}
		found, space := w.under(c, known)
		known[c] = space
		out = append(out, found)
	}
	return out
}

// under returns what holds under c, and the space of all equations that are known there
// then; nil where no state is.
func (w *walk) under(c Condition, known map[Condition]*linear.Space) (Found, *linear.Space) {
	before, unreachable := w.given(c, known)
	here := w.hull(c)
	if here == nil {
		// That no state is there is news unless it follows from fewer conditions, or from
		// the equations that these bring.
		return Found{Condition: c, Never: !unreachable && !w.contradicts(before, c)}, nil
	}
	for _, f := range w.Facts {
		if within(here, f.Under) {
			for _, row := range f.Holds {
				before.Add(row)
			}
		}
	}
	found := Found{Condition: c}
	told := before.Clone() // to the conditions that have more
	for _, row := range here.Orthogonal(len(w.Columns)).Rows {
		rest := before.Rest(row)
		if rest.IsZero() {
			continue
		}
		short := linear.Shortest(rest, slices.Concat(before.Rows, w.common))
		// What holds wherever something has a value is worth saying under conditions, too:
		// there it may always have one.
		news := c.Asked != 0 || !w.isPartial(short)
		// So is, under conditions that make it shorter, what cannot be written: a sum of a
		// truth value and of integers is not, and where the truth value is known it can.
		sayable := w.Sayable == nil || w.Sayable(short)
		for _, multiple := range w.timesFactors(short) {
			before.Add(multiple)
			if news && sayable {
				told.Add(multiple)
			}
			if news && sayable && c.Asked == 0 {
				w.common = append(w.common, multiple)
			}
		}
		if sayable {
			found.Rows = append(found.Rows, short)
		}
	}
	return found, told
}

// hull returns the hull of the states under c; nil if there are none.
func (w *walk) hull(c Condition) (here *linear.Space) {
	for _, place := range slices.Sorted(maps.Keys(w.at)) {
		if place&c.Asked != c.Holds {
			continue
		}
		if here == nil {
			here = &linear.Space{}
		}
		for _, row := range w.at[place].Rows {
			here.Add(row)
		}
	}
	return here
}

// given returns the equations that hold under c because they do under fewer conditions,
// and those that c asks for; unreachable is that no state satisfies fewer conditions.
func (w *walk) given(c Condition, known map[Condition]*linear.Space) (before *linear.Space, unreachable bool) {
	before = &linear.Space{}
	for d, space := range known { // the order does not matter: a space has one basis
		if d.Asked&^c.Asked != 0 || c.Holds&d.Asked != d.Holds {
			continue
		}
		if space == nil {
			unreachable = true
			continue
		}
		for _, row := range space.Rows {
			before.Add(row)
		}
	}
	for i, control := range w.Controls {
		switch bit := uint(1) << i; {
		case c.Asked&bit == 0:
		case c.Holds&bit != 0:
			for _, row := range w.multiples[i] {
				before.Add(row)
			}
		case control.Off != nil:
			before.Add(control.Off)
		}
	}
	return before, unreachable
}

// isPartial reports whether a row speaks of what may have no value.
func (w *walk) isPartial(row linear.Vector) bool {
	for i, n := range row {
		if n != 0 && w.Columns[i].Partial {
			return true
		}
	}
	return false
}

// contradicts reports whether c cannot be where the equations of s hold.
func (w *walk) contradicts(s *linear.Space, c Condition) bool {
	one := make(linear.Vector, len(w.Columns))
	one[len(w.Columns)-1] = 1
	if s.Rest(one).IsZero() {
		return true
	}
	for i, control := range w.Controls {
		if bit := uint(1) << i; c.Asked&bit != 0 && c.Holds&bit == 0 && s.Rest(control.Row).IsZero() {
			return true
		}
	}
	return false
}
