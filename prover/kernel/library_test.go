package kernel_test

import (
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// Every lemma has a certificate, and its statement holds in small scopes: of carrier
// sets, and of integers in place of the first of these.
func TestLemmasHoldInSmallScopes(t *testing.T) {
	limit := corpus.Effort(60, 300, 1500)
	for _, name := range kernel.Lemmas() {
		l, err := kernel.FindLemma(name)
		if err != nil {
			t.Error(err)
			continue
		}
		b := logic.NewBank()
		im := logic.NewImporter(b, l.Bank, true)
		var args []logic.Term
		for _, p := range l.Free {
			args = append(args, im.Term(p))
		}
		lists := [][]logic.Term{args}
		if carriers := random.Carriers(b, args...); len(carriers) > 0 {
			ints, _ := retype(b, args, map[string]logic.Type{carriers[0]: logic.IntType})
			lists = append(lists, ints)
		}
		for _, args := range lists {
			f, err := l.Formula(b, args...)
			if err != nil {
				t.Error(err)
			} else if yes, _ := valid(t, name, b, f, limit); yes == 0 {
				t.Errorf("%s: never true", name)
			}
		}
	}
}

func TestLemmaInstances(t *testing.T) {
	l, err := kernel.FindLemma("power.above")
	if err != nil {
		t.Fatal(err)
	}
	b := logic.NewBank()
	n := b.Int64(3)
	for name, args := range map[string][]logic.Term{
		"too few":   {n},
		"predicate": {n, b.App(logic.True)},
		"type":      {n, b.App(logic.TrueE)},
		"dangling":  {n, b.Bound(0, logic.IntType)},
	} {
		if _, err := l.Formula(b, args...); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := kernel.FindLemma("no such lemma"); err == nil {
		t.Error("a lemma out of nothing")
	}
}

// Checking is linear in the proof.
func BenchmarkCheck(b *testing.B) {
	seqs, proofs := proved(b)
	steps := 0
	for b.Loop() {
		for i, s := range seqs {
			r, err := kernel.Check(s, proofs[i])
			if err != nil {
				b.Fatal(err)
			}
			steps += r.Steps
		}
	}
	b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
}
