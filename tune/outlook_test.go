package tune

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestImprovement compares the expected saving with the mean of many draws.
func TestImprovement(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 38))
	for _, c := range []struct{ mean, deviation float64 }{{0, 0.1}, {0.2, 0.1}, {-0.2, 0.1}, {-0.1, 0.5}, {0.05, 0.01}} {
		sum := 0.0
		const draws = 200_000
		for range draws {
			sum += max(0, c.mean+c.deviation*r.NormFloat64())
		}
		want := 1 - math.Exp(-sum/draws)
		if got := improvement(c.mean, c.deviation); math.Abs(got-want) > 0.002 {
			t.Errorf("mean %v, deviation %v: %v, want %v", c.mean, c.deviation, got, want)
		}
	}
	if got := improvement(math.Inf(1), 1); got != 1 {
		t.Errorf("without a measurement: %v, want 1", got)
	}
}
