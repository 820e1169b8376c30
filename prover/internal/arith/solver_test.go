package arith

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/instance"
	"github.com/gradine/gradine/prover/kernel"
)

// certify fails unless the kernel accepts the steps of m as a proof of its clause.
func certify(t testing.TB, b *logic.Bank, m *Lemma) {
	t.Helper()
	s := logic.Sequent{Bank: b, Goal: b.App(logic.False)}
	p := &kernel.Proof{}
	last := kernel.Step{Kind: kernel.Rup}
	for i, l := range m.Clause {
		h := l.Atom()
		if !l.Negated() {
			h = b.Not(h)
		}
		s.Hyps = append(s.Hyps, h)
		last.From = append(last.From, p.Add(kernel.Step{Kind: kernel.Hyp, Index: i}))
	}
	base := len(p.Steps)
	for _, step := range m.Steps {
		from := step.From
		step.From = nil
		for _, j := range from {
			step.From = append(step.From, base+j)
		}
		last.From = append(last.From, p.Add(step))
	}
	p.Add(last)
	if _, err := kernel.Check(s, p); err != nil {
		t.Fatalf("lemma %v of %d steps: %v", m.Clause, len(m.Steps), err)
	}
}

// search is a plain search with unit propagation over a solver. It certifies
// every lemma on the way.
type search struct {
	t      testing.TB
	s      *Solver
	level  int
	value  map[logic.Term]bool
	trail  []kernel.Lit
	budget int
	nodes  int
	lemmas []*Lemma // that hold everywhere
	quota  int      // of nonlinear lemmas; 0 for none
}

func newSearch(t testing.TB, b *logic.Bank, quota int) *search {
	return &search{t: t, s: New(instance.NewTable(b)), value: map[logic.Term]bool{}, budget: 100000, quota: quota}
}

// assert makes l true and reports whether that is consistent.
func (d *search) assert(l kernel.Lit) bool {
	if !d.s.Atom(l.Atom()) {
		d.t.Fatal("no atom")
	}
	switch d.truth(l) {
	case 1:
		return true
	case -1:
		return false
	}
	d.value[l.Atom()] = !l.Negated()
	d.trail = append(d.trail, l)
	m := d.s.Assert(l)
	return m == nil || d.false(m)
}

// truth returns 1, -1 or 0 of l under the asserted literals.
func (d *search) truth(l kernel.Lit) int {
	v, ok := d.value[l.Atom()]
	switch {
	case !ok:
		return 0
	case v != l.Negated():
		return 1
	}
	return -1
}

// false checks a conflict.
func (d *search) false(m *Lemma) bool {
	certify(d.t, d.s.b, m)
	for _, l := range m.Clause {
		if d.truth(l) >= 0 {
			d.t.Fatalf("literal %v of a conflict is not false", l)
		}
	}
	return false
}

// try goes on with l in a level of its own.
func (d *search) try(l kernel.Lit) bool {
	n := len(d.trail)
	d.s.Push()
	d.level++
	sat := d.assert(l) && d.sat()
	d.level--
	d.s.Pop(d.level)
	for _, l := range d.trail[n:] {
		delete(d.value, l.Atom())
	}
	d.trail = d.trail[:n]
	return sat
}

// propagate draws consequences and reports whether they are consistent. The
// clause it returns, if any, has two or more open literals.
func (d *search) propagate() (open *Lemma, ok bool) {
	for again := true; again; {
		again, open = false, nil
		switch status, m := d.s.Check(&d.budget); status {
		case Exhausted:
			d.t.Fatal("budget")
		case Conflicting:
			return nil, d.false(m)
		}
		for _, l := range d.s.Propagate() {
			m := d.s.Explain(l)
			certify(d.t, d.s.b, m)
			for _, k := range m.Clause {
				if k != l && d.truth(k) >= 0 {
					d.t.Fatalf("reason %v of an implied literal is not false", k)
				}
			}
			again = again || d.truth(l) == 0
			if !d.assert(l) {
				return nil, false
			}
		}
		for _, m := range d.lemmas {
			switch l, n := d.open(m); {
			case n == 0:
				return nil, false
			case n == 1:
				again = true
				if !d.assert(l) {
					return nil, false
				}
			case n > 1 && open == nil:
				open = m
			}
		}
	}
	return open, true
}

// open returns the number of open literals of m and the first of them, or -1 if m
// is true.
func (d *search) open(m *Lemma) (first kernel.Lit, n int) {
	for _, l := range m.Clause {
		switch d.truth(l) {
		case 1:
			return 0, -1
		case 0:
			if n++; n == 1 {
				first = l
			}
		}
	}
	return first, n
}

func (d *search) sat() bool {
	if d.nodes++; d.nodes > 3000 {
		d.t.Fatal("no end of splits")
	}
	open, ok := d.propagate()
	if !ok {
		return false
	}
	var l kernel.Lit
	if open != nil {
		l, _ = d.open(open)
		return d.try(l) || d.try(l.Not())
	}
	m, l := d.s.Split()
	switch {
	case m != nil:
		d.add(m)
		return d.sat()
	case l != 0:
		d.s.Atom(l.Atom())
		return d.try(l) || d.try(l.Not())
	}
	if d.quota > 0 {
		if ms := d.s.Lemmas(d.quota, false); len(ms) > 0 {
			for _, m := range ms {
				d.add(m)
			}
			return d.sat()
		}
	}
	d.classes()
	return true
}

func (d *search) add(m *Lemma) {
	certify(d.t, d.s.b, m)
	for _, l := range m.Clause {
		if !d.s.Atom(l.Atom()) {
			d.t.Fatal("a lemma about something else")
		}
	}
	d.lemmas = append(d.lemmas, m)
}

// classes checks that spreading keeps a model and that members of a class agree.
func (d *search) classes() {
	for _, class := range d.s.Classes() {
		for _, u := range class[1:] {
			if d.s.Value(u).Cmp(d.s.Value(class[0])) != 0 {
				d.t.Fatal("different values in a class")
			}
		}
	}
	if status, _ := d.s.Check(&d.budget); status != Consistent || d.s.fractional() >= 0 {
		d.t.Fatal("spreading lost the model")
	}
	if m, l := d.s.Split(); m != nil || l != 0 {
		d.t.Fatal("spreading broke a disequality")
	}
	for v := range d.s.vars {
		if x := &d.s.vars[v]; !x.holds(x.value) {
			d.t.Fatal("spreading passed a bound")
		}
	}
}

// generator makes random literals over variables.
type generator struct {
	*rand.Rand
	b    *logic.Bank
	vars []logic.Term
	coef int
}

func newGenerator(seed uint64, vars, coef int) *generator {
	g := &generator{rand.New(rand.NewPCG(seed, 1)), logic.NewBank(), nil, coef}
	for i := range vars {
		g.vars = append(g.vars, g.b.Free(string(rune('x'+i)), logic.IntType))
	}
	return g
}

func (g *generator) term() logic.Term {
	sum := []logic.Term{g.b.Int64(int64(g.IntN(9) - 4)), g.b.Int64(0)}
	for _, v := range g.vars {
		if g.IntN(3) > 0 {
			sum = append(sum, g.b.App(logic.Times, g.b.Int64(int64(g.IntN(2*g.coef+1)-g.coef)), v))
		}
	}
	return g.b.App(logic.Plus, sum...)
}

func (g *generator) literal() kernel.Lit {
	op := logic.Le
	if g.IntN(3) == 0 {
		op = logic.Eq
	}
	l := kernel.LitOf(g.b, g.b.App(op, g.term(), g.term()))
	if g.IntN(2) == 0 {
		return l.Not()
	}
	return l
}

// box returns lo ≤ v ≤ hi for all variables.
func (g *generator) box(lo, hi int64) []kernel.Lit {
	var out []kernel.Lit
	for _, v := range g.vars {
		out = append(out, kernel.Pos(g.b.App(logic.Le, g.b.Int64(lo), v)), kernel.Pos(g.b.App(logic.Le, v, g.b.Int64(hi))))
	}
	return out
}

// satisfiable evaluates all points of a box.
func (g *generator) satisfiable(lits []kernel.Lit, lo, hi int64) bool {
	at := map[logic.Term]*big.Int{}
	var visit func(i int) bool
	visit = func(i int) bool {
		if i == len(g.vars) {
			for _, l := range lits {
				if !holds(g.b, at, l) {
					return false
				}
			}
			return true
		}
		for x := lo; x <= hi; x++ {
			at[g.vars[i]] = big.NewInt(x)
			if visit(i + 1) {
				return true
			}
		}
		return false
	}
	return visit(0)
}

func holds(b *logic.Bank, at map[logic.Term]*big.Int, l kernel.Lit) bool {
	c := evaluate(b, at, b.Arg(l.Atom(), 0)).Cmp(evaluate(b, at, b.Arg(l.Atom(), 1)))
	return (b.Op(l.Atom()) == logic.Eq && c == 0 || b.Op(l.Atom()) == logic.Le && c <= 0) != l.Negated()
}

func evaluate(b *logic.Bank, at map[logic.Term]*big.Int, t logic.Term) *big.Int {
	if v, ok := at[t]; ok {
		return v
	}
	out := new(big.Int)
	switch b.Op(t) {
	case logic.Int:
		out.Set(b.Value(t))
	case logic.Plus:
		for _, a := range b.Args(t) {
			out.Add(out, evaluate(b, at, a))
		}
	case logic.Times:
		out.SetInt64(1)
		for _, a := range b.Args(t) {
			out.Mul(out, evaluate(b, at, a))
		}
	default:
		panic("unexpected operator")
	}
	return out
}

// TestDecides compares the answers with exhaustive evaluation in a box, and has
// the kernel check every lemma on the way.
func TestDecides(t *testing.T) {
	n := corpus.Effort(400, 1200, 6000)
	sat := 0
	for seed := range uint64(n) {
		g := newGenerator(seed, 2+int(seed%3), 1+int(seed%5))
		lits := g.box(-3, 3)
		for range 2 + g.IntN(5) {
			lits = append(lits, g.literal())
		}
		d := newSearch(t, g.b, 0)
		for range 6 { // atoms that nothing asserts, to be implied
			d.s.Atom(g.literal().Atom())
		}
		for _, v := range g.vars {
			d.s.Atom(kernel.LitOf(g.b, g.b.App(logic.Eq, v, g.b.Int64(int64(g.IntN(7)-3)))).Atom())
			d.s.Share(v)
		}
		d.s.Share(g.term())
		got := true
		for _, l := range lits {
			if got = d.assert(l); !got {
				break
			}
		}
		got = got && d.sat()
		if want := g.satisfiable(lits, -3, 3); got != want {
			t.Fatalf("seed %d: satisfiable = %v, want %v", seed, got, want)
		}
		if got {
			sat++
		}
	}
	if sat < n/10 || sat > 9*n/10 {
		t.Fatalf("%d of %d satisfiable: not much of a test", sat, n)
	}
}
