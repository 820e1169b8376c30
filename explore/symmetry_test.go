package explore

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// Symmetry changes no verdict: on random machines whose constants leave elements
// indistinct, the same properties fail, by traces of the same length, and no more
// states are kept.
func TestSymmetryChangesNoVerdict(t *testing.T) {
	n := 200
	if testing.Short() {
		n = 40
	}
	reduced := 0
	for seed := range n {
		w := &writer{Rand: rand.New(rand.NewPCG(uint64(seed), 2)), quantify: true}
		x := randomMachineOn(t, w, seed%2 == 0)
		setup := Setup{Sizes: map[string]int{"S": 3}}
		opt := Options{KeepGoing: true, MaxStates: 20_000}
		plain := x.run(setup, opt)
		if plain.Verdict == Bounded {
			continue
		}
		opt.Symmetry = true
		got := x.run(setup, opt)
		if got.States < plain.States {
			reduced++
		}
		failing := func(r *Result) map[string]int {
			out := map[string]int{}
			for _, f := range r.Findings {
				out[f.Kind+" "+f.Label] = len(f.Trace.Steps)
			}
			return out
		}
		if got.Verdict != plain.Verdict || got.States > plain.States || got.Depth != plain.Depth || !maps.Equal(failing(got), failing(plain)) {
			t.Fatalf("seed %d: %d states, %s, depth %d, %v; with symmetry %d, %s, depth %d, %v", seed,
				plain.States, plain.Verdict, plain.Depth, failing(plain), got.States, got.Verdict, got.Depth, failing(got))
		}
	}
	if reduced < n/10 {
		t.Errorf("only %d of %d machines have fewer states", reduced, n)
	}
}
