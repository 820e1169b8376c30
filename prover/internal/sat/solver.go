package sat

import (
	"slices"

	"github.com/gradine/gradine/prover/internal/reuse"
)

// Var is a propositional variable: 0, 1, 2, …
type Var int32

// Lit is a variable or its negation.
type Lit int32

// NoLit is not a literal.
const NoLit Lit = -1

// Pos returns the positive literal of v.
func Pos(v Var) Lit { return Lit(v) << 1 }

// Neg returns the negative literal of v.
func Neg(v Var) Lit { return Lit(v)<<1 | 1 }

// Not returns the complement of l.
func (l Lit) Not() Lit { return l ^ 1 }

// Var returns the variable of l.
func (l Lit) Var() Var { return Var(l >> 1) }

// IsNeg reports whether l is a negated variable.
func (l Lit) IsNeg() bool { return l&1 == 1 }

// ID numbers clauses in the order of their creation, from 0.
type ID int32

// NoID stands for no clause.
const NoID ID = -1

// lazy is the reason of a literal whose theory has not explained it yet.
const lazy ID = -2

// Status is the outcome of a search.
type Status uint8

// The outcomes.
const (
	Unknown Status = iota // the theory gave up, or a limit was reached
	Unsat
	Sat
)

// Step is what a theory wants next when nothing is left to propagate.
type Step uint8

// The steps.
const (
	Decide   Step = iota // make the returned literal true
	Continue             // clauses were added; propagate again
	Accept               // the assignment is a model
	GiveUp
)

// Theory takes part in the search of a Solver.
type Theory interface {
	// Assign tells that l became true; calls come in trail order.
	Assign(l Lit)
	// Propagate draws consequences of the literals assigned so far. It may call
	// Add and Imply. It returns the id of a clause that is false, or NoID.
	Propagate() ID
	// Explain returns the id of a clause made with AddReason that contains l,
	// which was given to Imply, and otherwise literals that were false before l.
	Explain(l Lit) ID
	// Push opens a decision level, Pop returns to level n.
	Push()
	Pop(n int)
	// Next says what to do after all propagation.
	Next() (Step, Lit)
}

// clause has no pointers, as there may be a million of them.
type clause struct {
	at, n   int32 // its literals in Solver.room
	learnt  int32 // of learned clauses: 1 + the place of its hints; 0 of others
	act     float32
	deleted bool
	listed  bool // among the hints being collected
}

type watch struct {
	id      ID
	blocker Lit
}

type late struct {
	id    ID
	level int32
}

// analysis is what looking into a conflict needs, empty between two of them.
type analysis struct {
	seen    []uint8
	toClear []Var
	used    []use
}

// Solver is a set of clauses and a search over it. Make one with New.
type Solver struct {
	theory  Theory
	clauses []clause
	room    []Lit  // the literals of all clauses
	learned [][]ID // the hints of learned clauses
	watches [][]watch
	value   []int8 // by literal: 1 true, -1 false, 0 unassigned
	level   []int32
	pos     []int32
	reason  []ID
	unit    []ID // by variable: clause that states its value at level 0
	phase   []bool
	act     []float64
	heap    heap
	inc     float64
	trail   []Lit
	limits  []int // trail length at each decision
	qhead   int   // propagated by clauses
	thead   int   // told to the theory
	late    []late
	falsum  ID // a clause found false when it was added
	empty   ID // the empty clause

	analysis
	learnts  int
	maxLearn int
	assumed  []Lit

	Steps     int64 // literals visited, a measure of work
	Conflicts int64
	Decisions int64
	Limit     int64       // Steps at which Solve gives up; 0 for none
	Stop      func() bool // asked before each decision: Solve gives up once it is true; may be nil
}

// New returns an empty solver. The theory may be nil: then the solver decides by
// activity and accepts every full assignment.
func New(t Theory) *Solver {
	s := &Solver{}
	s.Reset(t)
	return s
}

// Reset makes s an empty solver, in the memory that it has. What is not named here starts from
// zero.
func (s *Solver) Reset(t Theory) {
	clear(s.learned) // the hints are free
	*s = Solver{
		theory: t, inc: 1, falsum: NoID, empty: NoID, maxLearn: 2000,
		clauses: s.clauses[:0], room: s.room[:0], learned: s.learned[:0], watches: s.watches[:0], value: s.value[:0], level: s.level[:0], pos: s.pos[:0],
		reason: s.reason[:0], unit: s.unit[:0], phase: s.phase[:0], act: s.act[:0],
		heap:  heap{vars: s.heap.vars[:0], at: s.heap.at[:0]},
		trail: s.trail[:0], limits: s.limits[:0], late: s.late[:0],
		analysis: analysis{seen: s.seen[:0], toClear: s.toClear[:0], used: s.used[:0]},
	}
	s.heap.act = &s.act
}

// NewVar returns a fresh variable.
func (s *Solver) NewVar() Var {
	variable := Var(len(s.level))
	s.watches = reuse.Extend(reuse.Extend(s.watches))
	s.value = append(s.value, 0, 0)
	s.level = append(s.level, 0)
	s.pos = append(s.pos, 0)
	s.reason = append(s.reason, NoID)
	s.unit = append(s.unit, NoID)
	s.phase = append(s.phase, false)
	s.act = append(s.act, 0)
	s.seen = append(s.seen, 0)
	s.heap.grow(variable)
	if s.theory == nil {
		s.heap.push(variable)
	}
	return variable
}

// Vars returns the number of variables.
func (s *Solver) Vars() int { return len(s.level) }

// Value returns 1, -1 or 0 for a literal that is true, false, unassigned.
func (s *Solver) Value(l Lit) int { return int(s.value[l]) }

// Fixed reports whether the variable of l has its value at level 0.
func (s *Solver) Fixed(l Lit) bool { return s.value[l] != 0 && s.level[l.Var()] == 0 }

// LevelOf returns the decision level at which the variable of l was assigned.
func (s *Solver) LevelOf(l Lit) int { return int(s.level[l.Var()]) }

// Level returns the current decision level.
func (s *Solver) Level() int { return len(s.limits) }

// Trail returns the literals that are true, in order. The caller must not change it.
func (s *Solver) Trail() []Lit { return s.trail }

// Activity returns the activity of v, which conflicts raise.
func (s *Solver) Activity(v Var) float64 { return s.act[v] / s.inc }

// SetPhase sets the value that v is first tried with.
func (s *Solver) SetPhase(v Var, on bool) { s.phase[v] = on }

// Phase returns the value that v had last, or is to be tried with.
func (s *Solver) Phase(v Var) bool { return s.phase[v] }

// Clauses returns the number of clauses ever made.
func (s *Solver) Clauses() int { return len(s.clauses) }

// Lits returns the literals of clause id. The caller must not change them.
func (s *Solver) Lits(id ID) []Lit {
	c := &s.clauses[id]
	return s.room[c.at : c.at+c.n : c.at+c.n]
}

// Hints returns the clauses from which the learned clause id follows by unit
// propagation in their order, and false if id was not learned.
func (s *Solver) Hints(id ID) ([]ID, bool) {
	if at := s.clauses[id].learnt; at > 0 {
		return s.learned[at-1], true
	}
	return nil, false
}

// Empty returns the empty clause, or NoID if none was derived.
func (s *Solver) Empty() ID { return s.empty }

// Add adds a clause and returns its id. Literals must not repeat.
func (s *Solver) Add(lits ...Lit) ID {
	id := s.store(lits)
	s.attach(id)
	return id
}

// AddReason adds a clause that only explains: it never propagates.
func (s *Solver) AddReason(lits ...Lit) ID { return s.store(lits) }

// store keeps a copy of lits.
func (s *Solver) store(lits []Lit) ID {
	s.clauses = append(s.clauses, clause{at: int32(len(s.room)), n: int32(len(lits))})
	s.room = append(s.room, lits...)
	return ID(len(s.clauses) - 1)
}

func (s *Solver) learn(lits []Lit, hints []ID) ID {
	id := s.store(lits)
	s.learned = append(s.learned, hints)
	s.clauses[id].learnt = int32(len(s.learned))
	return id
}

// rank orders literals by how good they are to watch.
func (s *Solver) rank(l Lit) int {
	switch s.value[l] {
	case 0:
		return 1 << 30
	case 1:
		return 1<<30 + 1
	}
	return int(s.level[l.Var()])
}

// attach watches clause id by two of its literals (Moskewicz et al., Chaff), and propagates it or reports a conflict if it is
// unit or false as things stand. Clauses come in the middle of a search, so all of that may undo itself on backtracking.
func (s *Solver) attach(id ID) {
	c := s.Lits(id)
	// The two best literals to watch come first: true or open ones, else those undone first.
	for i := 0; i < 2 && i < len(c); i++ {
		for j := i + 1; j < len(c); j++ {
			if s.rank(c[j]) > s.rank(c[i]) {
				c[i], c[j] = c[j], c[i]
			}
		}
	}
	switch len(c) {
	case 0:
		s.empty = id
		return
	case 1:
	default:
		s.watches[c[0]] = append(s.watches[c[0]], watch{id, c[1]})
		s.watches[c[1]] = append(s.watches[c[1]], watch{id, c[0]})
	}
	if s.value[c[0]] == 1 {
		if len(c) == 1 && s.level[c[0].Var()] > 0 {
			s.late = append(s.late, late{id, 0})
		}
		return
	}
	switch {
	case s.value[c[0]] < 0:
		level := s.level[c[0].Var()]
		// What is false at level 0 stays so, whatever another clause does that was false before.
		if s.falsum == NoID || level == 0 {
			s.falsum = id
		}
		// Nothing watches a unit: it has to propagate once its literal is open again.
		if len(c) == 1 && level > 0 {
			s.late = append(s.late, late{id, 0})
		}
	case len(c) == 1 || s.value[c[1]] < 0:
		at := int32(0)
		if len(c) > 1 {
			at = s.level[c[1].Var()]
		}
		// The clause was unit at a lower level already: when this level is undone it still is, and has
		// to propagate again.
		if int(at) < s.Level() {
			s.late = append(s.late, late{id, at})
		}
		s.enqueue(c[0], id)
	}
}

func (s *Solver) enqueue(l Lit, why ID) {
	v := l.Var()
	s.value[l], s.value[l.Not()] = 1, -1
	s.level[v] = int32(s.Level())
	s.pos[v] = int32(len(s.trail))
	s.reason[v] = why
	s.trail = append(s.trail, l)
}

// Imply makes l true because the theory says so; l must be unassigned. The
// theory will be asked to explain if that is needed.
func (s *Solver) Imply(l Lit) { s.enqueue(l, lazy) }

// propagate draws all consequences and returns a false clause or NoID.
func (s *Solver) propagate() ID {
	for {
		if c := s.takeFalsum(); c != NoID {
			return c
		}
		if c := s.propagateClauses(); c != NoID {
			return c
		}
		if s.theory == nil {
			return NoID
		}
		for s.thead < len(s.trail) {
			literal := s.trail[s.thead]
			s.thead++
			s.theory.Assign(literal)
		}
		if c := s.theory.Propagate(); c != NoID {
			return c
		}
		if s.falsum == NoID && s.qhead == len(s.trail) && s.thead == len(s.trail) {
			return NoID
		}
	}
}

// takeFalsum returns the clause that was false when it was added, if it still is.
func (s *Solver) takeFalsum() ID {
	c := s.falsum
	s.falsum = NoID
	if c == NoID {
		return NoID
	}
	for _, literal := range s.Lits(c) {
		if s.value[literal] >= 0 {
			return NoID
		}
	}
	return c
}

// propagateClauses sets what follows by unit clauses, and returns the clause that is violated, or NoID.
func (s *Solver) propagateClauses() ID {
	for s.qhead < len(s.trail) {
		literal := s.trail[s.qhead].Not() // false now
		s.qhead++
		ws := s.watches[literal]
		s.Steps += int64(len(ws)) + 1
		out := ws[:0]
		for i := 0; i < len(ws); i++ {
			w := ws[i]
			if s.value[w.blocker] == 1 {
				out = append(out, w)
				continue
			}
			c := &s.clauses[w.id]
			if c.deleted {
				continue
			}
			lits := s.room[c.at : c.at+c.n]
			if lits[0] == literal {
				lits[0], lits[1] = lits[1], lits[0]
			}
			if s.value[lits[0]] == 1 {
				out = append(out, watch{w.id, lits[0]})
				continue
			}
			moved := false
			for k := 2; k < len(lits); k++ {
				if s.value[lits[k]] >= 0 {
					lits[1], lits[k] = lits[k], lits[1]
					s.watches[lits[1]] = append(s.watches[lits[1]], watch{w.id, lits[0]})
					moved = true
					break
				}
			}
			if moved {
				continue
			}
			out = append(out, w)
			if s.value[lits[0]] == -1 {
				out = append(out, ws[i+1:]...)
				s.watches[literal] = out
				return w.id
			}
			s.enqueue(lits[0], w.id)
		}
		s.watches[literal] = out
	}
	return NoID
}

func (s *Solver) push() {
	s.limits = append(s.limits, len(s.trail))
	if s.theory != nil {
		s.theory.Push()
	}
}

// backtrack undoes all levels above n and repeats late propagations.
func (s *Solver) backtrack(n int) {
	if s.Level() <= n {
		return
	}
	for i := len(s.trail) - 1; i >= s.limits[n]; i-- {
		literal := s.trail[i]
		variable := literal.Var()
		s.value[literal], s.value[literal.Not()] = 0, 0
		s.phase[variable] = !literal.IsNeg()
		s.reason[variable] = NoID
		if s.theory == nil {
			s.heap.push(variable)
		}
	}
	s.trail = s.trail[:s.limits[n]]
	s.limits = s.limits[:n]
	s.qhead = min(s.qhead, len(s.trail))
	s.thead = min(s.thead, len(s.trail))
	// The theory goes back first: rechecked clauses assign literals, which it must see as new.
	if s.theory != nil {
		s.theory.Pop(n)
	}
	out := s.late[:0]
	for _, x := range s.late {
		if int(x.level) > n {
			continue
		}
		if int(x.level) < n || n > 0 {
			out = append(out, x)
		}
		s.recheck(x.id)
	}
	s.late = out
}

// recheck looks at clause id again: it propagates the clause if it is unit, and reports a conflict if it is false.
func (s *Solver) recheck(id ID) {
	open := NoLit
	for _, literal := range s.Lits(id) {
		switch {
		case s.value[literal] == 1 || s.value[literal] == 0 && open != NoLit:
			return
		case s.value[literal] == 0:
			open = literal
		}
	}
	if open == NoLit {
		// One that was false before may not be any more.
		s.falsum = id
		return
	}
	s.enqueue(open, id)
}

// Solve searches. The assumptions are decided first; if they are contradictory
// the outcome is Unsat too, but Empty is NoID.
func (s *Solver) Solve(assumptions ...Lit) Status {
	s.backtrack(0)
	s.assumed = assumptions
	// Restarts after 100 conflicts times the Luby sequence, which is within a constant factor of
	// the best schedule for an unknown search (Luby, Sinclair, Zuckerman).
	run, next := 1, int64(100)
	for {
		// Propagation comes first, then limits and restarts, then assumptions, then a decision: a conflict is never
		// missed because a limit is reached.
		if s.empty != NoID {
			return Unsat
		}
		if c := s.propagate(); c != NoID {
			s.Conflicts++
			if !s.resolve(c) {
				return Unsat
			}
			continue
		}
		if s.empty != NoID {
			return Unsat
		}
		if s.Limit > 0 && s.Steps >= s.Limit || s.Stop != nil && s.Stop() {
			return Unknown
		}
		if s.Conflicts >= next {
			run++
			next = s.Conflicts + 100*luby(run)
			s.backtrack(0)
			s.reduce()
			continue
		}
		if n := s.Level(); n < len(s.assumed) {
			l := s.assumed[n]
			if s.value[l] < 0 {
				return Unsat
			}
			s.push()
			if s.value[l] == 0 {
				s.enqueue(l, NoID)
			}
			continue
		}
		l, status, done := s.next()
		if done {
			return status
		}
		if l != NoLit {
			s.Decisions++
			s.push()
			s.enqueue(l, NoID)
		}
	}
}

// next chooses the next decision.
func (s *Solver) next() (Lit, Status, bool) {
	if s.theory != nil {
		switch step, literal := s.theory.Next(); step {
		case Decide:
			if s.value[literal] != 0 {
				return NoLit, Unknown, false
			}
			return literal, Unknown, false
		case Continue:
			return NoLit, Unknown, false
		case Accept:
			return NoLit, Sat, true
		default:
			return NoLit, Unknown, true
		}
	}
	// Without a theory: the most active variable, with the value it had last.
	for {
		variable, ok := s.heap.pop()
		if !ok {
			return NoLit, Sat, true
		}
		if s.value[Pos(variable)] == 0 {
			if s.phase[variable] {
				return Pos(variable), Unknown, false
			}
			return Neg(variable), Unknown, false
		}
	}
}

// reduce forgets the less active half of the learned clauses when there are many.
func (s *Solver) reduce() {
	if s.learnts < s.maxLearn {
		return
	}
	var ids []ID
	for i := range s.clauses {
		if c := &s.clauses[i]; c.learnt > 0 && !c.deleted && c.n > 2 && !s.locked(ID(i)) {
			ids = append(ids, ID(i))
		}
	}
	slices.SortStableFunc(ids, func(a, b ID) int {
		switch x, y := s.clauses[a].act, s.clauses[b].act; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(a - b)
	})
	for _, id := range ids[:len(ids)/2] {
		s.clauses[id].deleted = true
		s.learnts--
	}
	s.maxLearn += s.maxLearn / 5
}

func (s *Solver) locked(id ID) bool {
	for _, l := range s.Lits(id) {
		if s.value[l] == 1 && s.reason[l.Var()] == id {
			return true
		}
	}
	return false
}

// luby returns element i ≥ 1 of the sequence 1 1 2 1 1 2 4 …
func luby(i int) int64 {
	for k := 1; ; k++ {
		switch {
		case i == 1<<k-1:
			return 1 << (k - 1)
		case i < 1<<k-1:
			return luby(i - 1<<(k-1) + 1)
		}
	}
}
