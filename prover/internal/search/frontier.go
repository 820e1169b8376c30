package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/sat"
)

// await puts clause id on the frontier, guarded by those of its literals
// that are false.
func (fr *frontier) await(id sat.ID) {
	if id == sat.NoID {
		return
	}
	at := 0
	for _, literal := range fr.sat.Lits(id) {
		if fr.sat.Value(literal) < 0 {
			fr.guards[literal.Not()] = append(fr.guards[literal.Not()], id)
			at = max(at, fr.sat.LevelOf(literal))
		}
	}
	fr.enter(id, at)
}

// enter puts clause id, whose guards are true since level at, on the frontier.
func (fr *frontier) enter(id sat.ID, at int) {
	fr.open = append(fr.open, id)
	if at < fr.sat.Level() {
		fr.late = append(fr.late, lateEntry{id, at})
	}
}

// guard says that clause id matters when l is true.
func (fr *frontier) guard(l sat.Lit, id sat.ID) {
	fr.guards[l] = append(fr.guards[l], id)
	if fr.sat.Value(l) > 0 {
		fr.enter(id, fr.sat.LevelOf(l))
	}
}

// assign lets in the clauses that l, which became true, guards.
func (fr *frontier) assign(l sat.Lit) { fr.open = append(fr.open, fr.guards[l]...) }

func (fr *frontier) push() { fr.marks = append(fr.marks, frontMark{len(fr.open), fr.head}) }

// pop returns to level n. Clauses that came late, but whose guards are still true, stay.
func (fr *frontier) pop(n int) {
	m := fr.marks[n]
	fr.marks = fr.marks[:n]
	fr.open, fr.head = fr.open[:m.open], m.head
	out := fr.late[:0]
	for _, x := range fr.late {
		if x.level <= n {
			fr.open = append(fr.open, x.id)
			if x.level < n {
				out = append(out, x)
			}
		}
	}
	fr.late = out
}

// split asks for a decision on atom v once nothing else is left.
func (fr *frontier) split(v sat.Var) {
	if !fr.isSplit[v] {
		fr.isSplit[v] = true
		fr.splits = append(fr.splits, v)
	}
}

// decision returns a literal of the first guarded clause that nothing satisfies.
func (fr *frontier) decision() sat.Lit {
	for ; fr.head < len(fr.open); fr.head++ {
		best := sat.NoLit
		var score float64
		satisfied := false
		for _, literal := range fr.sat.Lits(fr.open[fr.head]) {
			fr.steps++
			switch fr.sat.Value(literal) {
			case 1:
				satisfied = true
			case 0:
				if a := fr.sat.Activity(literal.Var()) + fr.cost(literal); best == sat.NoLit || a > score {
					best, score = literal, a
				}
			}
		}
		if !satisfied && best != sat.NoLit {
			return best
		}
	}
	return sat.NoLit
}

// cost orders the literals of a clause: the ones that are cheap to make true first.
func (fr *frontier) cost(l sat.Lit) float64 {
	switch fr.b.Op(fr.atoms[l.Var()]) {
	case logic.Forall, logic.Exists, logic.And, logic.Or, logic.Implies, logic.Iff:
		return 0
	}
	if l.IsNeg() {
		return 2e-3
	}
	return 1e-3
}

// lastDecision returns a literal of the atoms to be decided when nothing else is left: false
// first, as most stand for memberships that nothing asks to be true.
func (fr *frontier) lastDecision() sat.Lit {
	// Atoms with a value at level 0 keep it: those in front are taken off the list.
	for len(fr.splits) > 0 && fr.sat.Fixed(sat.Pos(fr.splits[0])) {
		fr.splits = fr.splits[1:]
	}
	for _, variable := range fr.splits {
		if fr.sat.Value(sat.Pos(variable)) == 0 {
			return sat.Neg(variable)
		}
	}
	return sat.NoLit
}
