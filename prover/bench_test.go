package prover_test

import (
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/internal/search"
)

// benchmarkSteps is the budget of one sequent in BenchmarkProve: most proofs take far less.
const benchmarkSteps = 300_000

// BenchmarkProve proves a sample of the corpus, one sequent an operation, and counts the work
// for each: all attempts together.
func BenchmarkProve(b *testing.B) {
	reader := &check.Reader{}
	var sequents []logic.Sequent
	for _, r := range sample(readRecords(b, *corpusFile), *corpusSample) {
		if s, ok := read(b, reader, r); ok {
			sequents = append(sequents, s)
		}
	}
	var total search.Counters
	proved := 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		res := prover.Prove(sequents[i%len(sequents)], prover.Options{Steps: benchmarkSteps})
		if res.Verdict != prover.Open {
			proved++
		}
		for _, a := range res.Tried {
			total.Steps += a.Steps
			total.Conflicts += a.Conflicts
			total.Decisions += a.Decisions
			total.Instances += a.Instances
		}
	}
	for unit, n := range map[string]float64{
		"steps/op": float64(total.Steps), "conflicts/op": float64(total.Conflicts), "decisions/op": float64(total.Decisions),
		"instances/op": float64(total.Instances), "proved/op": float64(proved),
	} {
		b.ReportMetric(n/float64(b.N), unit)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(total.Steps), "ns/step")
}

// BenchmarkOpen spends the whole budget on one sequent that no attempt proves: what the attempts have in
// common is made once.
func BenchmarkOpen(b *testing.B) {
	hyps := []string{"f∈ℕ→ℕ", "∀n·n∈ℕ⇒f(n+1)=2∗f(n)", "s⊆ℕ", "finite(s)", "∀x,y·x∈s∧y∈s∧x≠y⇒f(x)≠f(y)", "k∈s", "g∈s→ℕ", "∀x·x∈s⇒g(x)≤f(x)"}
	types := map[string]string{"f": "ℙ(ℤ×ℤ)", "g": "ℙ(ℤ×ℤ)", "s": "ℙ(ℤ)", "k": "ℤ"}
	s, err := check.ReadSequent(types, hyps, nil, "f(k)∗f(k)<card(s)∗g(k)")
	if err != nil {
		b.Fatal(err)
	}
	steps := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		res := prover.Prove(s, prover.Options{Steps: 2_000_000})
		if res.Verdict != prover.Open {
			b.Fatal(res.Verdict)
		}
		steps += res.Steps
	}
	b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
}
