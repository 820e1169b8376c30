package prover

import (
	"math/rand/v2"
	"testing"

	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/logic"
)

// TestPartsOfRandom has every scheme that takes goals apart try random sequents, and equations of random terms: none of them breaks
// off, and the kernel refuses nothing.
func TestPartsOfRandom(t *testing.T) {
	sequents := 200
	if testing.Short() {
		sequents = 60
	}
	applied := map[scheme]int{}
	for i := range sequents {
		s := random.NewFormulas(logic.NewBank(), rand.New(rand.NewPCG(uint64(i), 5))).Sequent(4, 3)
		b := s.Bank
		goals := []logic.Term{s.Goal, b.App(logic.Eq, b.App(logic.BoolOf, s.Goal), b.App(logic.BoolOf, s.Hyps[0]))}
		for _, h := range s.Hyps {
			if b.Op(h) == logic.Eq {
				goals = append(goals, h)
			}
		}
		for _, goal := range goals {
			for _, strategy := range schedule {
				r := begin(logic.Sequent{Bank: b, Hyps: s.Hyps, Goal: goal})
				if r.byParts(strategy.by) == nil {
					continue
				}
				r.try(strategy, 3_000, Options{Steps: 3_000})
				if r.Uncertified > 0 {
					t.Errorf("sequent %d, %s: %v", i, strategy.name, r.Refusal)
				}
				if r.Steps > 0 {
					applied[strategy.by]++
				}
			}
		}
	}
	for _, by := range []scheme{factwise, apart, partwise, stepwise} {
		if applied[by] == 0 {
			t.Errorf("scheme %d is never tried", by)
		}
	}
	t.Log(applied)
}

// TestContained takes a search that breaks off for one without a proof, and counts it.
func TestContained(t *testing.T) {
	r := &Result{}
	if r.contained(func() bool { panic("broken") }) || r.Uncertified != 1 || r.Refusal == nil {
		t.Errorf("%d, %v", r.Uncertified, r.Refusal)
	}
}
