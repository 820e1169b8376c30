package tune

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestProcess compares what is believed after observations, one of them of the same point
// again, with the formula that inverts the covariance of all of them at once.
func TestProcess(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 17))
	for range 50 {
		places := make([]float64, 12)
		for i := range places {
			places[i] = r.Float64()
		}
		covariance := func(i, k int) float64 { return math.Exp(-math.Abs(places[i] - places[k])) }
		p := newProcess(len(places), covariance)
		seen, values := []int{3, 7, 3, 0, 11}, make([]float64, 5)
		all := newSquare(len(seen))
		for a, at := range seen {
			values[a] = r.NormFloat64()
			p.observe(at, values[a])
			for b, other := range seen {
				all[a][b] = covariance(at, other)
			}
			all[a][a] += noise * noise
		}
		inverse := all.inverse()
		weights := inverse.times(values)
		for i := range places {
			mean, shared := 0.0, make([]float64, len(seen))
			for a, at := range seen {
				shared[a] = covariance(i, at)
				mean += shared[a] * weights[a]
			}
			if variance := 1 - inverse.quadratic(shared); math.Abs(p.mean[i]-mean) > 1e-6 || math.Abs(p.variance[i]-variance) > 1e-6 {
				t.Fatalf("at %d: mean %v, variance %v; want %v, %v", i, p.mean[i], p.variance[i], mean, variance)
			}
		}
	}
}

// quadratic is vᵀ ∗ a ∗ v.
func (a square) quadratic(v []float64) (sum float64) {
	for i, w := range a.times(v) {
		sum += w * v[i]
	}
	return sum
}
