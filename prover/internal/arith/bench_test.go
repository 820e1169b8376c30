package arith

import (
	"testing"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/instance"
	"github.com/gradine/gradine/prover/kernel"
)

// BenchmarkCheck decides random systems of 12 inequalities over 6 variables.
func BenchmarkCheck(b *testing.B) {
	pivots, work := 0, int64(0)
	for i := range b.N {
		b.StopTimer()
		g := newGenerator(uint64(i%64), 6, 5)
		s := New(instance.NewTable(g.b))
		lits := g.box(-20, 20)
		for range 12 {
			lits = append(lits, g.literal())
		}
		for _, l := range lits {
			s.Atom(l.Atom())
		}
		b.StartTimer()
		conflict := false
		for _, l := range lits {
			if conflict = s.atoms[s.atomOf[l.Atom()]-1].value != 0 || s.Assert(l) != nil; conflict {
				break
			}
		}
		if budget := 10000; !conflict {
			s.Check(&budget)
			s.Propagate()
		}
		pivots += s.pivots
		work += s.Work
	}
	b.ReportMetric(float64(pivots)/float64(b.N), "pivots/op")
	b.ReportMetric(float64(work)/float64(b.N), "work/op")
}

// BenchmarkFacts proves the facts of TestFacts.
func BenchmarkFacts(b *testing.B) {
	nodes, lemmas, work := 0, 0, int64(0)
	for range b.N {
		for _, f := range facts {
			bank := logic.NewBank()
			lits := f.lits(expr{bank})
			d := newSearch(b, bank, 8)
			last := len(lits) - 1
			lits[last] = bank.Not(lits[last])
			consistent := true
			for _, p := range lits {
				consistent = consistent && d.assert(kernel.LitOf(bank, p))
			}
			if consistent && d.sat() {
				b.Fatalf("%s: not proved", f.name)
			}
			nodes, lemmas, work = nodes+d.nodes, lemmas+len(d.lemmas), work+d.s.Work
		}
	}
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
	b.ReportMetric(float64(lemmas)/float64(b.N), "lemmas/op")
	b.ReportMetric(float64(work)/float64(b.N), "work/op")
}
