package prover_test

import (
	"flag"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
)

var strategySteps = flag.Int64("strategies.steps", 2_000, "steps that a strategy may spend on a sequent, if it has as many")

// TestStrategies lets every strategy try every sequent of a sample by itself, and prints what the order of the schedule and the budgets
// are found by: how many each strategy proves, how many no other does, and the most steps that it took.
//
//	go test ./prover -run TestStrategies -v -strategies.steps=3000000 -corpus.sample=0 -corpus.only=@FILE -timeout 2h
func TestStrategies(t *testing.T) {
	type yield struct {
		proved, alone int
		most, spent   int64
	}
	strategies := prover.Strategies()
	yields := make([]yield, len(strategies))
	reader := &check.Reader{}
	for _, record := range sample(readRecords(t, *corpusFile), *corpusSample) {
		s, ok := read(t, reader, record)
		if !ok {
			continue
		}
		winner, winners := 0, 0
		for i := range strategies {
			res := prover.ProveBy(i, s, *strategySteps)
			yields[i].spent += res.Steps
			if res.Uncertified > 0 {
				t.Errorf("%s, %s: the kernel refused a proof: %v", record.name(), strategies[i], res.Refusal)
			}
			if res.Verdict != prover.Open {
				yields[i].proved++
				yields[i].most = max(yields[i].most, res.Steps)
				winner, winners = i, winners+1
			}
		}
		if winners == 1 {
			yields[winner].alone++
		}
	}
	for i, y := range yields {
		t.Logf("%2d %-18s proves %d, alone %d, in at most %d steps; spent %d", i+1, strategies[i], y.proved, y.alone, y.most, y.spent)
	}
}
