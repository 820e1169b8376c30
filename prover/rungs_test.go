package prover_test

import (
	"flag"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
)

var rungSteps = flag.Int64("rungs.steps", 2_000, "steps that a rung may spend on a sequent, if it has as many")

// TestRungs lets every rung try every sequent of a sample by itself, and prints what the order of the ladder and the budgets
// are found by: how many each rung proves, how many no other does, and the most steps that it took.
//
//	go test ./prover -run TestRungs -v -rungs.steps=3000000 -corpus.sample=0 -corpus.only=@FILE -timeout 2h
func TestRungs(t *testing.T) {
	type yield struct {
		proved, alone int
		most, spent   int64
	}
	rungs := prover.Rungs()
	yields := make([]yield, len(rungs))
	reader := &check.Reader{}
	for _, record := range sample(readRecords(t, *corpusFile), *corpusSample) {
		s, ok := read(t, reader, record)
		if !ok {
			continue
		}
		winner, winners := 0, 0
		for i := range rungs {
			res := prover.ProveBy(i, s, *rungSteps)
			yields[i].spent += res.Steps
			if res.Uncertified > 0 {
				t.Errorf("%s, %s: the kernel refused a proof: %v", record.name(), rungs[i], res.Refusal)
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
		t.Logf("%2d %-18s proves %d, alone %d, in at most %d steps; spent %d", i+1, rungs[i], y.proved, y.alone, y.most, y.spent)
	}
}
