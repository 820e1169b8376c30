package refute

import (
	"slices"
	"sync"

	"github.com/gradine/gradine/prover/internal/reuse"
	"github.com/gradine/gradine/prover/internal/sat"
)

// lit is a literal of the solver; yes and no are the constants.
type lit = sat.Lit

// circuit builds formulas of propositional logic over a solver. Equal gates are
// built once.
type circuit struct {
	solver *sat.Solver
	gates  *reuse.Index // by inputs
	outs   []lit        // of these
	limit  int          // of variables
	work   int          // literals that gates may still be built from
	over   bool         // a limit was passed: what was built since is meaningless
}

var (
	yes = sat.Pos(0)
	no  = sat.Neg(0)
)

// idle has circuits at rest, for their memory: an attempt in a scope makes up to a million clauses.
var idle = sync.Pool{New: func() any { return &circuit{solver: sat.New(nil), gates: &reuse.Index{}} }}

func newCircuit(limit, work int) *circuit {
	c := idle.Get().(*circuit)
	*c = circuit{solver: c.solver, gates: c.gates, outs: c.outs[:0], limit: limit, work: work}
	c.gates.Reset()
	c.solver.Reset(nil)
	c.solver.NewVar()
	c.solver.Add(yes)
	return c
}

// rest gives the circuit back, once all that was asked of it is known.
func (c *circuit) rest() { idle.Put(c) }

// fresh returns a new variable.
func (c *circuit) fresh() lit {
	if c.solver.Vars() >= c.limit {
		c.over = true
		return no
	}
	return sat.Pos(c.solver.NewVar())
}

// require asserts that one of ls is true. Past a limit literals mean nothing, and nothing is asserted.
func (c *circuit) require(ls ...lit) {
	if c.over {
		return
	}
	var buf [16]lit
	in := append(buf[:0], ls...)
	slices.Sort(in)
	in = slices.Compact(in)
	out := in[:0]
	for i, literal := range in {
		if literal == yes || i > 0 && in[i-1] == literal.Not() {
			return
		}
		if literal != no {
			out = append(out, literal)
		}
	}
	c.solver.Add(out...)
}

// and returns the conjunction of ls.
func (c *circuit) and(ls ...lit) lit {
	if c.work -= 2 + len(ls); c.work < 0 {
		c.over = true
		return no
	}
	var buf [16]lit
	in := append(buf[:0], ls...)
	// Sorted, equal inputs meet, and so do complements: literals of one variable are neighbours.
	// The same gate then has one key, however it was asked for.
	slices.Sort(in)
	in = slices.Compact(in)
	n := 0
	for _, l := range in {
		switch {
		case l == no || n > 0 && in[n-1] == l.Not():
			return no
		case l != yes:
			in[n] = l
			n++
		}
	}
	in = in[:n]
	switch n {
	case 0:
		return yes
	case 1:
		return in[0]
	}
	var words [16]uint32
	key := words[:0]
	for _, l := range in {
		key = append(key, uint32(l))
	}
	gate, ok := c.gates.Of(key...)
	if ok {
		return c.outs[gate]
	}
	g := c.fresh()
	c.outs = append(c.outs, g)
	if c.over {
		return no
	}
	for i, l := range in {
		c.solver.Add(g.Not(), l)
		in[i] = l.Not()
	}
	c.solver.Add(append(in, g)...)
	return g
}

// or returns the disjunction of ls.
func (c *circuit) or(ls ...lit) lit {
	var buf [16]lit
	in := buf[:0]
	for _, l := range ls {
		in = append(in, l.Not())
	}
	return c.and(in...).Not()
}

func (c *circuit) implies(p, q lit) lit { return c.or(p.Not(), q) }

// iff returns p ⇔ q.
func (c *circuit) iff(p, q lit) lit {
	switch {
	case p == q:
		return yes
	case p == q.Not():
		return no
	case p == yes || p == no:
		p, q = q, p
	}
	switch q {
	case yes:
		return p
	case no:
		return p.Not()
	}
	return c.and(c.implies(p, q), c.implies(q, p))
}
