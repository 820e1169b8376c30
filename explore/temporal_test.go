package explore

import "testing"

// TestTemporalMemory gives the search enough memory, and the graph that a formula of temporal logic needs
// too little: the answer is bounded, whatever the formula.
func TestTemporalMemory(t *testing.T) {
	x := newBuilder(t, "chain")
	x.variable("n", "ℤ")
	x.event("INITIALISATION", "", "", "n ≔ 0")
	x.event("up", "", "n < 20000", "n ≔ n + 1")
	for most, want := range map[int]Verdict{1 << 30: Complete, 3 << 20: Bounded} {
		q, err := ParseTemporal("F ¬[up]", nil)
		if err != nil {
			t.Fatal(err)
		}
		if r := x.run(Setup{}, Options{NoDeadlock: true, MaxMemory: most, Temporal: q}); r.Verdict != want {
			t.Errorf("%d MB: %s (%s), not %s", most>>20, r.Verdict, r.Why, want)
		}
	}
}
