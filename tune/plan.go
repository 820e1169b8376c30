package tune

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/gradine/gradine/explore/simulate"
)

// spread is how much less the time of a point counts where constants are to be learnt.
const spread = 0.8

// Plan proposes the next n points to measure. One in four is drawn at random: such points say how good the model
// is, since they stand for all, and they find what it misses. A plan that is stuck starts again: it draws points until
// half of them are. The other ones are, at first, those of which the
// model knows least, among fast ones; as soon as there are as many as unknown constants, those that may be the
// fastest as far as the model knows.
//
// No constants make a model right that is wrong somewhere. So its error is taken to be alike
// at points that are alike: it is corrected near what was measured, and in doubt elsewhere.
func (c *Calibration) Plan(n int) (out [][]simulate.Constant, err error) {
	f := c.fit
	b, err := f.belief(c.logarithms(), allOf(f.points), f.heeded())
	if err != nil {
		return nil, err
	}
	taken := map[int]bool{}
	for _, i := range f.measured {
		taken[i] = true
	}
	known := len(taken)
	for i := range f.refused {
		taken[i] = true
	}
	_, asked := f.random()
	drawn := f.drawn()[asked:]
	share := oneIn
	if c.Stuck() {
		share = oneInStuck
	}
	total := len(taken)
	for k := range min(n, len(f.points)-total) {
		if err := f.ctx.Err(); err != nil {
			return nil, err
		}
		var next int
		if asked*share <= total+k {
			for taken[drawn[0]] { // what another reason has measured counts as drawn when its turn comes
				drawn, asked = drawn[1:], asked+1
			}
			next, drawn, asked = drawn[0], drawn[1:], asked+1
		} else {
			next = b.worthiest(taken, known+k < len(f.unknown))
		}
		taken[next] = true
		b.doubt.observe(next, 0)
		out = append(out, f.points[next].Values)
	}
	return out, nil
}

// oneIn says how many points of a plan there are for one that is drawn at random: so 20 points have the five without
// which nothing is said of the space. Random points help the fit, too: plans that began without them found worse points.
const oneIn = 4

// A plan is stuck if so many points, one after the other, were no faster than the best before them. Then the model has
// nothing left to say of where to look, so more is drawn, which depends on no model. A faster point ends this.
const (
	patience   = 10
	oneInStuck = 2
	progress   = 0.01 // share of the time that a faster point saves, at least
)

// Stuck reports whether the last points that were measured have found nothing faster. Points from which constants are
// learnt do not count: they are not expected to be fast.
func (c *Calibration) Stuck() bool {
	f := c.fit
	best, idle := math.Inf(1), 0
	seen := map[int]bool{}
	for k, i := range f.measured {
		switch {
		case f.times[k] < best-progress:
			idle = 0
		case !seen[i] && len(seen) >= len(f.unknown):
			idle++
		}
		seen[i] = true
		best = min(best, f.times[k])
	}
	return idle >= patience
}

// Points are alike as far as their parameters are close: the error of the model is shared by
// a factor of e less where the places of the values, from 0 to 1, differ by reach in sum.
// The rest is noise: times of one point differ by so much.
const (
	reach = 2
	noise = 0.05
)

// belief is what a fit, and the measurements that correct it, say of the times of some points: their logarithms
// are normal.
type belief struct {
	guesses       []float64 // of the model alone
	missed, doubt *process  // its error at the constants that were found; the error with what is not known of these
}

// belief is that of points, after some of the measurements.
func (f *fit) belief(x []float64, of []int, after []int) (*belief, error) {
	// The belief is about the wanted points and about the measured ones, which are observed.
	points := slices.Clone(of)
	local := map[int]int{}
	for n, i := range points {
		local[i] = n
	}
	for _, k := range after {
		if _, ok := local[f.measured[k]]; !ok {
			local[f.measured[k]] = len(points)
			points = append(points, f.measured[k])
		}
	}
	b := &belief{guesses: make([]float64, len(points))}
	slopes := make([][]float64, len(points))
	for n, i := range points {
		var err error
		if b.guesses[n], slopes[n], err = f.gradient(i, x); err != nil {
			return nil, err
		}
	}
	_, deviation := f.believed()
	places := f.places()
	wrong := f.wrong(b, local, after)
	// Two sources of doubt: what the model misses, alike for close points, and constants that are not known well, alike
	// where they act alike.
	alike := func(n, m int) float64 {
		far := 0.0
		for p, x := range places[points[n]] {
			far += math.Abs(x - places[points[m]][p])
		}
		return wrong * wrong * math.Exp(-far/reach)
	}
	b.missed = newProcess(len(points), alike)
	b.doubt = newProcess(len(points), func(n, m int) float64 {
		shared := alike(n, m)
		for p, d := range deviation {
			shared += slopes[n][p] * slopes[m][p] * d * d
		}
		return shared
	})
	for _, k := range after {
		if err := f.ctx.Err(); err != nil {
			return nil, err
		}
		n := local[f.measured[k]]
		b.missed.observe(n, f.times[k]-b.guesses[n])
		b.doubt.observe(n, 0)
	}
	return b, nil
}

// wrong is by how much the model is wrong: as much as it was at what was measured, but no less than what is
// believed of every model. So a plan explores farther with a model that fits badly.
func (f *fit) wrong(b *belief, local map[int]int, after []int) float64 {
	sum := 0.0
	for _, k := range after {
		r := f.times[k] - b.guesses[local[f.measured[k]]]
		sum += r * r
	}
	return max(modelError, math.Sqrt(sum/float64(max(1, len(after)))))
}

// at is the mean and the deviation of a point.
func (b *belief) at(n int) (mean, deviation float64) {
	return b.guesses[n] + b.missed.mean[n], math.Sqrt(max(0, b.doubt.variance[n]) + noise*noise)
}

// worthiest is the point that may be the fastest, of those that are not taken; while constants are to be learnt,
// its doubt counts more. There is one.
func (b *belief) worthiest(taken map[int]bool, learning bool) int {
	best, worth := -1, 0.0
	for n := range b.guesses {
		if taken[n] {
			continue
		}
		expected, deviation := b.guesses[n]+b.missed.mean[n], math.Sqrt(max(0, b.doubt.variance[n]))
		score := expected - deviation
		if learning {
			score = spread*expected - deviation
		}
		if best < 0 || score < worth {
			best, worth = n, score
		}
	}
	return best
}

// places are where the values of the parameters of each point stand among all of them, from 0
// to 1: integers by size, others as the search lists them.
func (f *fit) places() [][]float64 {
	out := make([][]float64, len(f.points))
	for p := range f.names {
		index := map[string]int{}
		var values []simulate.Constant
		for _, point := range f.points {
			if v := point.Values[p]; index[v.Text] == 0 {
				values = append(values, v)
				index[v.Text] = len(values)
			}
		}
		if !slices.ContainsFunc(values, func(v simulate.Constant) bool { return v.Int == nil }) {
			slices.SortFunc(values, func(a, b simulate.Constant) int { return (*big.Int).Cmp(a.Int, b.Int) })
		}
		for i, v := range values {
			index[v.Text] = i
		}
		for i, point := range f.points {
			out[i] = append(out[i], float64(index[point.Values[p].Text])/float64(max(1, len(values)-1)))
		}
	}
	return out
}

// heed bounds the measurements that correct the model: what they cost is their square for
// each point.
const heed = 256

// heeded are the measurements that correct the model, the fastest if there are too many.
func (f *fit) heeded() []int {
	order := make([]int, len(f.measured))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(f.times[i], f.times[k]) })
	return order[:min(heed, len(order))]
}

// process is a Gaussian process over points: what is believed of a function with mean 0
// after some of its values were observed.
type process struct {
	covariance     func(i, k int) float64
	mean, variance []float64
	columns        [][]float64 // of Cholesky's factor, one for each that was observed
}

func newProcess(points int, covariance func(i, k int) float64) *process {
	out := &process{covariance: covariance, mean: make([]float64, points), variance: make([]float64, points)}
	for i := range points {
		out.variance[i] = covariance(i, i)
	}
	return out
}

// observe takes in a value at a point. Beyond twice heed, values count no more.
func (p *process) observe(at int, value float64) {
	if len(p.columns) == 2*heed {
		return
	}
	scale := math.Sqrt(max(0, p.variance[at]) + noise*noise)
	surprise := (value - p.mean[at]) / scale
	column := make([]float64, len(p.mean))
	for i := range column {
		shared := p.covariance(i, at)
		for _, c := range p.columns {
			shared -= c[i] * c[at]
		}
		column[i] = shared / scale
	}
	for i, c := range column {
		p.mean[i] += c * surprise
		p.variance[i] -= c * c
	}
	p.columns = append(p.columns, column)
}

// together is a root of the covariance of some points after what was observed: Cholesky's, of which rows are those
// of the points.
func (p *process) together(of []int) [][]float64 {
	root := make([][]float64, len(of))
	for k, i := range of {
		root[k] = make([]float64, k+1)
		for l := range k + 1 {
			sum := p.covariance(i, of[l])
			for _, c := range p.columns {
				sum -= c[i] * c[of[l]]
			}
			for m := range l {
				sum -= root[k][m] * root[l][m]
			}
			switch {
			case l < k && root[l][l] > 0:
				root[k][l] = sum / root[l][l]
			case l == k:
				root[k][k] = math.Sqrt(max(0, sum))
			}
		}
	}
	return root
}
