package tune

import (
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// TestOutlook: what is said of the points that are left holds for each of them as it is predicted; those that were
// measured, or refused, are not among them. In 95 % of all spaces none of them is faster than AtMost allows, whether
// the model is good or not.
func TestOutlook(t *testing.T) {
	errors, spaces := []float64{0.1, 0.3, 1}, 8
	if os.Getenv("GRADINE_SWEEP") != "" {
		spaces = 100
	} else if testing.Short() {
		errors, spaces = errors[1:2], 4
	}
	kept := 0
	for _, wrong := range errors {
		before := kept
		for seed := range uint64(spaces) {
			g := grow(t, 5000+seed, wrong)
			for _, i := range []int{3, 57, 411} {
				g.fit.refused[i] = true
			}
			c := g.calibrate(t, 8, 4, 4, 4)
			out, err := c.Outlook()
			if err != nil {
				t.Fatal(err)
			}
			if g.outlook(t, c, out) <= out.AtMost {
				kept++
			}
		}
		t.Logf("wrong %.1f: in %d of %d spaces no point is faster than it may be", wrong, kept-before, spaces)
	}
	if n := spaces * len(errors); kept < n*95/100 {
		t.Errorf("in %d of %d spaces no point is faster than it may be, want 95 %%", kept, n)
	}
	if got := quantile(0.025); math.Abs(got-1.959964) > 1e-6 {
		t.Errorf("a normal variable is beyond %v deviations with a probability of 2.5 %%", got)
	}
}

// outlook compares an outlook with what is predicted of each point that is left, and returns the share of the least
// measured time that the fastest of them truly saves.
func (g *grown) outlook(t *testing.T, c *Calibration, out Outlook) float64 {
	t.Helper()
	done, best := maps.Clone(g.fit.refused), math.Inf(1)
	for k, i := range g.fit.measured {
		done[i], best = true, min(best, g.fit.times[k])
	}
	b, err := g.fit.belief(c.logarithms(), allOf(g.fit.points), g.fit.heeded())
	if err != nil {
		t.Fatal(err)
	}
	left, fastest, promising := 0, math.Inf(1), false
	for i, p := range g.fit.points {
		if done[i] {
			continue
		}
		left++
		fastest = min(fastest, g.times[i])
		mean, deviation := b.at(i)
		faster, most := 1-math.Exp(mean-best), 1-math.Exp(mean-3.5*deviation-best)
		if faster > out.Faster || most > out.AtMost {
			t.Errorf("%v is predicted to be %.4f faster, %.4f at 3.5 deviations, and no point more than %.4f and %.4f", p.Values, faster, most, out.Faster, out.AtMost)
		}
		promising = promising || p.key() == (&Point{Values: out.Best}).key() && faster == out.Faster
	}
	if left != out.Left || !promising || out.AtMost < out.Faster || out.Expected < 0 {
		t.Errorf("%d points are left: %+v", left, out)
	}
	return 1 - math.Exp(fastest-best)
}

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
