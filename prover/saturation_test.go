package prover

import (
	"fmt"
	"testing"

	"github.com/gradine/gradine/lang/check"
)

// TestSaturated: an attempt without some of the hypotheses of one that left nothing to try finds nothing more, and is not made.
func TestSaturated(t *testing.T) {
	types := map[string]string{"s": "ℙ(S)", "t": "ℙ(S)", "f": "ℙ(S×S)"}
	hyps := []string{"f∈S ⇸ S", "s∩t=∅"}
	for i := range 30 {
		types[fmt.Sprint("v", i)] = "S"
		hyps = append(hyps, fmt.Sprintf("v%d∈s", i), fmt.Sprintf("v%d≠v%d", i, (i+1)%30))
	}
	s, err := check.ReadSequent(types, hyps, []int{0, 1, 2, 3}, "v0∈f[t]")
	if err != nil {
		t.Fatal(err)
	}
	r := begin(s)
	opts := Options{Steps: DefaultSteps}
	r.climb(schedule, 1, &opts)
	if len(r.trail.ended) < 3 {
		t.Fatalf("%d attempts saturated, of %d", len(r.trail.ended), len(r.Tried))
	}
	for i, later := range r.trail.ended {
		before := trail{ended: r.trail.ended[:i]}
		if before.seen(later.hyps, later.Direction) {
			t.Errorf("attempt %d, with %v, is made although one before it saw as much", i, later.hyps)
		}
	}
	one := trail{ended: []saturation{{[]int{0, 1, 2}, instances}}}
	for _, c := range []struct {
		strategy
		hyps []int
		want bool
	}{
		{strategy{Direction: instances}, []int{2, 0}, true},
		{strategy{Direction: matching}, []int{1}, true},
		{strategy{Direction: short}, nil, true},
		{strategy{Direction: instances}, []int{3}, false},
		{strategy{Direction: deep}, []int{0}, false},
		{strategy{Direction: computing}, []int{0}, false},
		{strategy{Direction: preceding}, []int{0}, false},
	} {
		if got := one.seen(c.hyps, c.Direction); got != c.want {
			t.Errorf("%v %+v: %v", c.hyps, c.Direction, got)
		}
	}
}
