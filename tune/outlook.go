package tune

import (
	"math"

	"github.com/gradine/gradine/explore/simulate"
)

// Outlook is what a calibrated model says of the points that were not measured. It is a prediction, with the errors
// of the model, and no theorem about the device.
type Outlook struct {
	Left     int                 // valid points without a measurement
	Best     []simulate.Constant // of these, the values of the one with the least predicted time; nil if none is left
	Faster   float64             // the share of the least measured time that Best is predicted to save; negative if it takes longer
	AtMost   float64             // no point saves a greater share, with a probability of 95 %; NaN if random points are too few to say so
	Expected float64             // the greatest share that measuring one more point is expected to save
}

// Outlook compares the points that are left with the best that is measured. Without a measurement nothing can be
// compared, and all shares are 1.
func (c *Calibration) Outlook() (Outlook, error) {
	f := c.fit
	out := Outlook{Faster: math.Inf(-1), AtMost: math.NaN()}
	b, err := f.belief(c.logarithms(), allOf(f.points), f.heeded())
	if err != nil {
		return out, err
	}
	best := math.Inf(1)
	taken := map[int]bool{}
	for k, i := range f.measured {
		taken[i] = true
		best = min(best, f.times[k])
	}
	for i := range f.points {
		if taken[i] || f.refused[i] {
			continue
		}
		out.Left++
		expected, deviation := b.at(i)
		if faster := 1 - math.Exp(expected-best); faster > out.Faster || out.Best == nil {
			out.Best, out.Faster = f.points[i].Values, faster
		}
		out.Expected = max(out.Expected, improvement(best-expected, deviation))
	}
	if c.doubt.points == 0 {
		return out, nil
	}
	// A bound of each point holds for few of them at once: of hundreds, some are two deviations faster than predicted. So
	// each has its part of the probability to be missed, and deviations are no less than random points have shown them to be.
	out.AtMost = math.Inf(-1)
	far := quantile(outlookMissed/float64(max(1, out.Left))) * max(1, c.doubt.factor)
	for i := range f.points {
		if !taken[i] && !f.refused[i] {
			expected, deviation := b.at(i)
			out.AtMost = max(out.AtMost, 1-math.Exp(expected-far*deviation-best))
		}
	}
	return out, nil
}

// outlookMissed is the probability that a point is faster than AtMost says.
const outlookMissed = 0.05

// quantile is how many deviations a normal variable is from its mean, in one direction, with a probability.
func quantile(p float64) float64 { return math.Sqrt2 * math.Erfcinv(2*p) }

// improvement is by how much a normal variable with a mean and a deviation is expected to exceed 0: the share of time
// that is saved, since it is about logarithms.
func improvement(mean, deviation float64) float64 {
	if math.IsInf(mean, 1) {
		return 1
	}
	z := mean / deviation
	density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	below := math.Erfc(-z/math.Sqrt2) / 2
	return 1 - math.Exp(-(mean*below + deviation*density))
}
