package sat

import (
	"math/rand"
	"testing"
)

// brute reports whether some assignment of n variables satisfies all clauses.
func brute(n int, cs [][]Lit) bool {
	for a := range 1 << n {
		ok := true
		for _, c := range cs {
			sat := false
			for _, l := range c {
				sat = sat || (a>>l.Var()&1 == 1) != l.IsNeg()
			}
			ok = ok && sat
		}
		if ok {
			return true
		}
	}
	return false
}

// rup reports whether c follows from the hinted clauses by unit propagation.
func rup(c []Lit, hints [][]Lit) bool {
	val := map[Lit]bool{}
	for _, l := range c {
		val[l.Not()] = true
	}
	for _, h := range hints {
		open, n, sat := NoLit, 0, false
		for _, l := range h {
			switch {
			case val[l]:
				sat = true
			case !val[l.Not()]:
				open, n = l, n+1
			}
		}
		switch {
		case sat:
		case n == 0:
			return true
		case n == 1:
			val[open] = true
		}
	}
	return false
}

func TestRandomClausesAgreeWithEnumeration(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	for round := range 3000 {
		n := 3 + rnd.Intn(7)
		s := New(nil)
		for range n {
			s.NewVar()
		}
		var cs [][]Lit
		for range 2 + rnd.Intn(5*n) {
			seen := map[Var]bool{}
			var c []Lit
			for range 1 + rnd.Intn(3) {
				if v := Var(rnd.Intn(n)); !seen[v] {
					seen[v] = true
					c = append(c, Lit(v)<<1|Lit(rnd.Intn(2)))
				}
			}
			cs = append(cs, c)
			s.Add(c...)
		}
		got := s.Solve()
		if want := brute(n, cs); want != (got == Sat) {
			t.Fatalf("round %d: %v, satisfiable %v", round, got, want)
		}
		for id := range s.Clauses() {
			hints, learned := s.Hints(ID(id))
			if !learned {
				continue
			}
			var hs [][]Lit
			for _, h := range hints {
				if h >= ID(id) {
					t.Fatalf("clause %d hints at a later clause", id)
				}
				hs = append(hs, s.Lits(h))
			}
			if !rup(s.Lits(ID(id)), hs) {
				t.Fatalf("round %d: clause %d does not follow from its hints", round, id)
			}
		}
		if got == Unsat && s.Empty() == NoID {
			t.Fatal("unsatisfiable without the empty clause")
		}
	}
}

func TestPigeons(t *testing.T) {
	s := New(nil)
	const n = 7
	at := func(p, h int) Lit { return Pos(Var(p*n + h)) }
	for range (n + 1) * n {
		s.NewVar()
	}
	for p := range n + 1 {
		var c []Lit
		for h := range n {
			c = append(c, at(p, h))
			for q := range p {
				s.Add(at(p, h).Not(), at(q, h).Not())
			}
		}
		s.Add(c...)
	}
	if got := s.Solve(); got != Unsat {
		t.Fatalf("got %v", got)
	}
}

// Clauses that are added once there is a solution, several at a time and units among them, count.
func TestClausesAddedAfterSolutions(t *testing.T) {
	rnd := rand.New(rand.NewSource(2))
	for round := range 2000 {
		n := 3 + rnd.Intn(6)
		s := New(nil)
		for range n {
			s.NewVar()
		}
		var all [][]Lit
		for s.Solve() == Sat {
			for _, c := range all {
				ok := false
				for _, l := range c {
					ok = ok || s.Value(l) > 0
				}
				if !ok {
					t.Fatalf("round %d: a solution falsifies clause %v of %v", round, c, all)
				}
			}
			if !brute(n, all) {
				t.Fatalf("round %d: %v has no solution", round, all)
			}
			for range 1 + rnd.Intn(3) {
				var c []Lit
				for _, v := range rnd.Perm(n)[:1+rnd.Intn(2)] {
					// False in this solution, mostly.
					l := Pos(Var(v))
					if s.Value(l) > 0 != (rnd.Intn(4) == 0) {
						l = l.Not()
					}
					c = append(c, l)
				}
				all = append(all, c)
				s.Add(c...)
			}
		}
		if brute(n, all) {
			t.Fatalf("round %d: %v has a solution", round, all)
		}
	}
}
