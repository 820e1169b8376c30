package karr

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gradine/gradine/infer/internal/linear"
)

// numbers is the number of variables of random systems: columns 0 to 2 are x, y and z,
// column 3 is x ∗ y where the system has products, and the last one is 1.
const numbers = 5

// A run of a random system never leaves what the analysis says of its states: equations
// hold wherever their condition does, and no state is where none is said to be.
func TestRunsSatisfyEquations(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	equations, nevers := 0, 0
	for range 300 {
		s := randomSystem(r)
		found := s.Equations(context.Background())
		for _, f := range found {
			equations += len(f.Rows)
			if f.Never {
				nevers++
			}
		}
		for range 5 {
			state := s.after(s.Moves[0], make(linear.Vector, numbers))
			for range 40 {
				s.check(t, found, state)
				m := s.Moves[1+r.IntN(len(s.Moves)-1)]
				if possible(m, state) {
					state = s.after(m, state)
				}
			}
		}
	}
	if equations < 300 || nevers < 30 {
		t.Errorf("%d equations and %d conditions without a state: too few to tell", equations, nevers)
	}
}

func (s System) check(t *testing.T, found []Found, state linear.Vector) {
	t.Helper()
	place := uint(0)
	for i, c := range s.Controls {
		if c.Row.Times(state) == 0 {
			place |= 1 << i
		}
	}
	for _, f := range found {
		if place&f.Asked != f.Holds {
			continue
		}
		if f.Never {
			t.Fatalf("a run gets into %v, where %v holds", state, f.Condition)
		}
		for _, row := range f.Rows {
			if row.Times(state) != 0 {
				t.Fatalf("%v is not 0 in %v, where %v holds", row, state, f.Condition)
			}
		}
	}
}

func possible(m Move, state linear.Vector) bool {
	for _, row := range m.Equal {
		if row.Times(state) != 0 {
			return false
		}
	}
	for _, row := range m.Apart {
		if row.Times(state) == 0 {
			return false
		}
	}
	return true
}

// after goes along m, as the analysis should for every state at one time.
func (s System) after(m Move, state linear.Vector) linear.Vector {
	out := make(linear.Vector, numbers)
	if m.Start {
		state[numbers-1] = 1
	}
	for i, row := range m.After {
		out[i] = row.Times(state)
	}
	return out
}

// randomSystem starts at small numbers and moves by adding constants and other numbers.
// Column 3 follows x ∗ y: moves leave x alone, or set it to a constant, so that its
// product is linear in the columns.
func randomSystem(r *rand.Rand) System {
	s := System{Columns: make([]Column, numbers), Factors: [][]int{{-1, 3, -1, -1, 0}, {3, -1, -1, -1, 1}}}
	s.Columns[numbers-1] = Column{Natural: true, Positive: true, Rigid: true}
	row := func(x, y, z, xy, one int64) linear.Vector {
		out := make(linear.Vector, 0, numbers)
		for _, n := range []int64{x, y, z, xy, one} {
			out = append(out, linear.Of(big.NewInt(n)))
		}
		return out
	}
	some := func() int64 { return r.Int64N(4) - 1 }
	x, y, z := some(), some(), some()
	one := row(0, 0, 0, 0, 1)
	s.Moves = []Move{{Start: true, After: []linear.Vector{row(0, 0, 0, 0, x), row(0, 0, 0, 0, y), row(0, 0, 0, 0, z), row(0, 0, 0, 0, x*y), one}}}
	for range 2 + r.IntN(2) {
		m := Move{}
		by := some()
		if r.IntN(3) > 0 {
			// y goes on by a constant, and with it x ∗ y by that times x.
			m.After = []linear.Vector{row(1, 0, 0, 0, 0), row(0, 1, 0, 0, by), row(some()*int64(r.IntN(2)), 0, 1, 0, some()), row(by, 0, 0, 1, 0), one}
		} else {
			m.After = []linear.Vector{row(0, 0, 0, 0, by), row(0, 1, 0, 0, 0), row(0, 0, 1, int64(r.IntN(2)), 0), row(0, by, 0, 0, 0), one}
		}
		guard := row(some(), some(), 0, 0, some())
		switch r.IntN(3) {
		case 0:
			m.Equal = append(m.Equal, guard)
		case 1:
			m.Apart = append(m.Apart, guard)
		}
		s.Moves = append(s.Moves, m)
	}
	for range r.IntN(3) {
		c := Control{Row: row(some(), some(), 0, 0, some())}
		if c.Row[:numbers-1].IsZero() {
			continue
		}
		s.Controls = append(s.Controls, c)
	}
	return s
}
