package sat

import "slices"

// use is a clause that a derivation needs, and where on the trail it
// propagated: derivations list their clauses in that order.
type use struct {
	pos int32
	id  ID
}

const (
	inClause  = 1 // seen: in the learned clause or to be resolved away
	redundant = 2 // seen: implied by the learned clause
	needed    = 3 // seen: not implied by it
)

func (s *Solver) why(l Lit) ID {
	v := l.Var()
	if s.reason[v] == lazy {
		s.reason[v] = s.theory.Explain(l)
	}
	return s.reason[v]
}

// fact returns a unit clause that states the level-0 value of v.
func (s *Solver) fact(variable Var) ID {
	if s.unit[variable] != NoID {
		return s.unit[variable]
	}
	l := Pos(variable)
	if s.value[l] < 0 {
		l = l.Not()
	}
	id := s.why(l)
	if lits := s.Lits(id); len(lits) > 1 {
		var hints []ID
		for _, m := range lits {
			if m != l {
				hints = append(hints, s.fact(m.Var()))
			}
		}
		id = s.learn([]Lit{l}, append(hints, id))
	}
	s.unit[variable] = id
	return id
}

// resolve learns from the false clause c and jumps back. It reports false if
// the clauses, or the assumptions, are contradictory.
func (s *Solver) resolve(c ID) bool {
	top := int32(0)
	for _, literal := range s.Lits(c) {
		top = max(top, s.level[literal.Var()])
	}
	// A theory may report a conflict late, when all its literals are of lower levels.
	s.backtrack(int(top))
	if top == 0 {
		var hints []ID
		for _, literal := range s.Lits(c) {
			hints = append(hints, s.fact(literal.Var()))
		}
		s.empty = s.learn(nil, append(hints, c))
		return false
	}
	lits, hints := s.analyze(c, top)
	// The literal of the second highest level is watched together with the asserting one: jumping back to
	// that level leaves the clause unit.
	back := 0
	for i, literal := range lits[1:] {
		if n := int(s.level[literal.Var()]); n > back {
			back = n
			lits[1], lits[i+1] = lits[i+1], lits[1]
		}
	}
	s.backtrack(back)
	id := s.learn(lits, hints)
	s.clauses[id].act = float32(s.inc)
	if len(lits) == 1 {
		if s.Level() > 0 {
			panic("sat: unit learned above level 0")
		}
		if s.value[lits[0]] >= 0 {
			s.unit[lits[0].Var()] = id
		}
	} else {
		s.learnts++
		s.watches[lits[0]] = append(s.watches[lits[0]], watch{id, lits[1]})
		s.watches[lits[1]] = append(s.watches[lits[1]], watch{id, lits[0]})
	}
	switch s.value[lits[0]] {
	case 0:
		s.enqueue(lits[0], id)
	case -1:
		s.falsum = id
	}
	// Raising the increment costs less than lowering all activities by 5 %; floats are scaled before
	// they overflow.
	s.inc *= 1 / 0.95
	if s.inc > 1e30 {
		for i := range s.act {
			s.act[i] *= 1e-30
		}
		for i := range s.clauses {
			s.clauses[i].act *= 1e-30
		}
		s.inc *= 1e-30
	}
	return true
}

func (s *Solver) bump(v Var) {
	s.act[v] += s.inc
	if s.theory == nil {
		s.heap.up(v)
	}
}

// Bump raises the activity of v.
func (s *Solver) Bump(v Var) { s.bump(v) }

// analyze returns the first-UIP clause of the conflict c at level top, its
// asserting literal first, and the clauses it follows from.
func (s *Solver) analyze(c ID, top int32) ([]Lit, []ID) {
	s.used = s.used[:0]
	out := []Lit{NoLit}
	open, i := 0, len(s.trail)-1
	at := int32(len(s.trail))
	for {
		s.used = append(s.used, use{at, c})
		if cl := &s.clauses[c]; cl.learnt > 0 {
			cl.act += float32(s.inc)
		}
		s.Steps += int64(s.clauses[c].n)
		for _, l := range s.Lits(c) {
			variable := l.Var()
			if s.seen[variable] != 0 || s.value[l] == 1 {
				continue
			}
			s.mark(variable, inClause)
			s.bump(variable)
			switch {
			case s.level[variable] == 0:
				s.used = append(s.used, use{-1, s.fact(variable)})
			case s.level[variable] == top:
				open++
			default:
				out = append(out, l)
			}
		}
		// Of the literals to resolve away, the last one assigned comes first: its reason mentions
		// earlier ones only.
		for s.seen[s.trail[i].Var()] != inClause || s.level[s.trail[i].Var()] != top {
			i--
		}
		p := s.trail[i]
		i--
		open--
		if open == 0 {
			out[0] = p.Not()
			break
		}
		at = s.pos[p.Var()]
		c = s.why(p)
	}
	// Decisions are kept; what the rest of the clause implies is dropped, with a proof of it.
	kept := out[:1]
	for _, literal := range out[1:] {
		if s.reason[literal.Var()] == NoID || !s.implied(literal, 0) {
			kept = append(kept, literal)
		}
	}
	for _, variable := range s.toClear {
		s.seen[variable] = 0
	}
	s.toClear = s.toClear[:0]
	// The kernel goes through the hints once: each must be unit after those before it, and so they
	// stand in the order of the trail, facts of level 0 (-1) first.
	slices.SortStableFunc(s.used, func(a, b use) int { return int(a.pos - b.pos) })
	return kept, s.hints()
}

// hints returns the clauses in s.used, each once, in order.
func (s *Solver) hints() []ID {
	var out []ID
	for _, u := range s.used {
		if c := &s.clauses[u.id]; !c.listed {
			c.listed = true
			out = append(out, u.id)
		}
	}
	for _, id := range out {
		s.clauses[id].listed = false
	}
	s.Steps += int64(len(s.used))
	return out
}

func (s *Solver) mark(v Var, as uint8) {
	if s.seen[v] == 0 {
		s.toClear = append(s.toClear, v)
	}
	s.seen[v] = as
}

// implied reports whether false literal l follows from the other literals of
// the learned clause, and then records the clauses that show it.
func (s *Solver) implied(l Lit, depth int) bool {
	v := l.Var()
	if s.reason[v] == NoID || depth > 40 {
		return false
	}
	c := s.why(l.Not())
	s.Steps += int64(s.clauses[c].n)
	for _, m := range s.Lits(c) {
		w := m.Var()
		if w == v || s.level[w] == 0 {
			continue
		}
		switch s.seen[w] {
		case inClause, redundant:
			continue
		case needed:
			return false
		}
		if !s.implied(m, depth+1) {
			s.mark(w, needed)
			return false
		}
		s.mark(w, redundant)
	}
	// Facts of level 0 are left out of the learned clause, but its proof needs them.
	for _, m := range s.Lits(c) {
		if w := m.Var(); w != v && s.level[w] == 0 {
			s.used = append(s.used, use{-1, s.fact(w)})
		}
	}
	s.used = append(s.used, use{s.pos[v], c})
	return true
}
