package arith

// simplex is a bounded simplex over the rationals (Dutertre and de Moura, "A
// fast linear-arithmetic solver for DPLL(T)"). Every variable stands for an
// integer-valued form with coprime integer coefficients, so its bounds are
// integers and strict bounds do not occur.
//
// A basic variable is the left side of a row x = Σ c∗y over nonbasic variables.
// Between calls, every nonbasic variable lies within its bounds and every row
// holds for the values. Popping bounds only loosens them, so values, rows and
// basis outlive backtracking.
type simplex struct {
	vars    []variable
	rows    []row
	scratch row
	trail   []undo
	dirty   bool // some basic variable may be out of its bounds

	pivots int   // counter
	Work   int64 // row entries visited, in all
}

type variable struct {
	value        rat
	lower, upper bound
	row          int32 // the row of a basic variable; -1 if nonbasic
}

// holds reports whether val is within the bounds of x.
func (x *variable) holds(val rat) bool {
	return (!x.lower.set() || val.cmp(x.lower.val) >= 0) && (!x.upper.set() || val.cmp(x.upper.val) <= 0)
}

// bound is an integer bound and the constraint that imposed it; reason < 0
// means that there is none.
type bound struct {
	val    rat
	reason int32
}

var unbounded = bound{reason: -1}

func (b bound) set() bool { return b.reason >= 0 }

type undo struct {
	v     int32
	upper bool
	old   bound
}

// row is x = Σ entries, sorted by variable.
type row struct {
	basic   int32
	entries []entry
}

type entry struct {
	v int32
	c rat
}

// newVar adds a nonbasic variable without bounds.
func (s *simplex) newVar() int32 {
	s.vars = append(s.vars, variable{value: zero, lower: unbounded, upper: unbounded, row: -1})
	return int32(len(s.vars) - 1)
}

// newRow adds a basic variable that equals the given combination of variables.
func (s *simplex) newRow(form []entry) int32 {
	x := s.newVar()
	var r, tmp row
	value := zero
	for _, e := range form {
		value = value.add(e.c.mul(s.vars[e.v].value))
		unit := [1]entry{{e.v, one}}
		def := unit[:]
		if k := s.vars[e.v].row; k >= 0 {
			def = s.rows[k].entries
		}
		tmp.entries = addMultiple(tmp.entries[:0], r.entries, e.c, def, -1)
		r, tmp = tmp, r
	}
	r.basic = x
	s.vars[x].row = int32(len(s.rows))
	s.vars[x].value = value
	s.rows = append(s.rows, r)
	return x
}

// addMultiple appends a + c∗b to dst, leaving out variable skip.
func addMultiple(dst, a []entry, c rat, b []entry, skip int32) []entry {
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case j == len(b) || i < len(a) && a[i].v < b[j].v:
			if a[i].v != skip {
				dst = append(dst, a[i])
			}
			i++
		case i == len(a) || b[j].v < a[i].v:
			if b[j].v != skip {
				dst = append(dst, entry{b[j].v, c.mul(b[j].c)})
			}
			j++
		default:
			if sum := a[i].c.add(c.mul(b[j].c)); !sum.isZero() && a[i].v != skip {
				dst = append(dst, entry{a[i].v, sum})
			}
			i++
			j++
		}
	}
	return dst
}

// find returns the position of v in r, or -1.
func (r *row) find(v int32) int {
	lo, hi := 0, len(r.entries)
	for lo < hi {
		m := (lo + hi) / 2
		if r.entries[m].v < v {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(r.entries) && r.entries[lo].v == v {
		return lo
	}
	return -1
}

// setUpper lowers the upper bound of v to val, and reports false if that passes
// the lower bound; then the bound is not set.
func (s *simplex) setUpper(v int32, val rat, reason int32) bool {
	variable := &s.vars[v]
	if variable.upper.set() && variable.upper.val.cmp(val) <= 0 {
		return true
	}
	if variable.lower.set() && variable.lower.val.cmp(val) > 0 {
		return false
	}
	s.trail = append(s.trail, undo{v, true, variable.upper})
	variable.upper = bound{val, reason}
	if variable.value.cmp(val) > 0 {
		if variable.row < 0 {
			s.move(v, val)
		}
		s.dirty = true
	}
	return true
}

// setLower is the mirror image of setUpper.
func (s *simplex) setLower(v int32, val rat, reason int32) bool {
	variable := &s.vars[v]
	if variable.lower.set() && variable.lower.val.cmp(val) >= 0 {
		return true
	}
	if variable.upper.set() && variable.upper.val.cmp(val) < 0 {
		return false
	}
	s.trail = append(s.trail, undo{v, false, variable.lower})
	variable.lower = bound{val, reason}
	if variable.value.cmp(val) < 0 {
		if variable.row < 0 {
			s.move(v, val)
		}
		s.dirty = true
	}
	return true
}

// undoTo restores the bounds as they were when the trail had length n.
func (s *simplex) undoTo(n int) {
	for len(s.trail) > n {
		u := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		if u.upper {
			s.vars[u.v].upper = u.old
		} else {
			s.vars[u.v].lower = u.old
		}
	}
}

// move gives nonbasic v the value val and lets the basic variables follow.
func (s *simplex) move(v int32, val rat) {
	delta := val.sub(s.vars[v].value)
	s.vars[v].value = val
	s.Work += int64(len(s.rows))
	for i := range s.rows {
		row := &s.rows[i]
		if k := row.find(v); k >= 0 {
			variable := &s.vars[row.basic]
			variable.value = variable.value.add(row.entries[k].c.mul(delta))
		}
	}
}

// columns returns, for each variable, the rows that it is an entry of, with its
// coefficients; they are good until the next pivot.
func (s *simplex) columns() [][]entry {
	start := make([]int, len(s.vars)+1)
	for i := range s.rows {
		for _, e := range s.rows[i].entries {
			start[e.v+1]++
		}
	}
	for v := range s.vars {
		start[v+1] += start[v]
	}
	all := make([]entry, start[len(s.vars)])
	s.Work += int64(len(s.vars) + len(all))
	cols := make([][]entry, len(s.vars))
	for v := range cols {
		cols[v] = all[start[v]:start[v]:start[v+1]]
	}
	for i := range s.rows {
		for _, e := range s.rows[i].entries {
			cols[e.v] = append(cols[e.v], entry{int32(i), e.c})
		}
	}
	return cols
}

// moveBy moves nonbasic v, whose column is col, by step.
func (s *simplex) moveBy(v int32, col []entry, step rat) {
	s.Work += int64(len(col))
	s.vars[v].value = s.vars[v].value.add(step)
	for _, e := range col {
		b := &s.vars[s.rows[e.v].basic]
		b.value = b.value.add(e.c.mul(step))
	}
}

// pivot exchanges the basic variable of row i with its entry k.
func (s *simplex) pivot(i, k int) {
	s.pivots++
	r := &s.rows[i]
	s.Work += int64(len(s.rows) + len(r.entries))
	x, y, c := r.basic, r.entries[k].v, r.entries[k].c
	// x = c∗y + rest becomes y = x/c − rest/c.
	inv := c.inv()
	minus := inv.neg()
	own := [1]entry{{x, inv}}
	s.scratch.entries = addMultiple(s.scratch.entries[:0], own[:], minus, r.entries, y)
	r.entries, s.scratch.entries = s.scratch.entries, r.entries
	r.basic = y
	s.vars[x].row, s.vars[y].row = -1, int32(i)
	for j := range s.rows {
		q := &s.rows[j]
		if j == i {
			continue
		}
		if k := q.find(y); k >= 0 {
			s.Work += int64(len(q.entries) + len(r.entries))
			s.scratch.entries = addMultiple(s.scratch.entries[:0], q.entries, q.entries[k].c, s.rows[i].entries, y)
			q.entries, s.scratch.entries = s.scratch.entries, q.entries
		}
	}
}

// outcome of check.
type outcome uint8

const (
	feasible outcome = iota
	infeasible
	exhausted
)

// check looks for values within all bounds, by at most *budget pivots. If
// there are none, it returns the row that shows it: the basic variable is below
// its lower (or above its upper) bound, and no entry can move.
func (s *simplex) check(budget *int) (res outcome, conflict int) {
	for s.dirty {
		i := s.violated()
		if i < 0 {
			break
		}
		// Bland's rule would end by itself, but late; the budget keeps one call short.
		if *budget <= 0 {
			return exhausted, -1
		}
		*budget--
		x := s.rows[i].basic
		target, up := s.vars[x].lower.val, true
		if !s.vars[x].lower.set() || s.vars[x].value.cmp(target) >= 0 {
			target, up = s.vars[x].upper.val, false
		}
		k := s.entering(i, up)
		if k < 0 {
			return infeasible, i
		}
		y := s.rows[i].entries[k].v
		step := target.sub(s.vars[x].value).mul(s.rows[i].entries[k].c.inv())
		s.move(y, s.vars[y].value.add(step))
		s.pivot(i, k)
	}
	s.dirty = false
	return feasible, -1
}

// violated returns the row whose basic variable is out of its bounds and least
// (Bland's rule), or -1.
func (s *simplex) violated() int {
	best := int32(-1)
	for i := range s.rows {
		x := s.rows[i].basic
		if v := &s.vars[x]; (best < 0 || x < s.rows[best].basic) && !v.holds(v.value) {
			best = int32(i)
		}
	}
	return int(best)
}

// entering returns the first entry of row i that lets the row's basic variable
// move up (or down), or -1.
func (s *simplex) entering(i int, up bool) int {
	for k, entry := range s.rows[i].entries {
		variable := &s.vars[entry.v]
		if (entry.c.sign() > 0) == up {
			if !variable.upper.set() || variable.value.cmp(variable.upper.val) < 0 {
				return k
			}
		} else if !variable.lower.set() || variable.value.cmp(variable.lower.val) > 0 {
			return k
		}
	}
	return -1
}
