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

// Plan proposes the next n points to measure, by their parameters. The first are those of
// which the model knows least, among fast ones; as soon as there are as many as unknown
// constants, those that may be the fastest as far as the model knows.
//
// No constants make a model right that is wrong somewhere. So its error is taken to be alike
// at points that are alike: it is corrected near what was measured, and in doubt elsewhere.
func (c *Calibration) Plan(n int) ([][]simulate.Constant, error) {
	f := c.fit
	x := c.logarithms()
	guesses, slopes := make([]float64, len(f.points)), make([][]float64, len(f.points))
	for i := range f.points {
		var err error
		if guesses[i], slopes[i], err = f.gradient(i, x); err != nil {
			return nil, err
		}
	}
	missed, doubt := f.errors(slopes)
	taken := map[int]bool{}
	for _, k := range f.heeded() {
		if err := f.ctx.Err(); err != nil {
			return nil, err
		}
		i := f.measured[k]
		missed.observe(i, f.times[k]-guesses[i])
		doubt.observe(i, 0)
	}
	for _, i := range f.measured {
		taken[i] = true
	}
	known := len(taken)
	var out [][]simulate.Constant
	for k := range min(n, len(f.points)-len(taken)) {
		best, worth := -1, 0.0
		for i := range f.points {
			if taken[i] || f.refused[i] {
				continue
			}
			expected, deviation := guesses[i]+missed.mean[i], math.Sqrt(max(0, doubt.variance[i]))
			score := expected - deviation
			if known+k < len(f.unknown) {
				score = spread*expected - deviation
			}
			if best < 0 || score < worth {
				best, worth = i, score
			}
		}
		if best < 0 {
			break
		}
		if err := f.ctx.Err(); err != nil {
			return nil, err
		}
		taken[best] = true
		doubt.observe(best, 0)
		out = append(out, f.points[best].Values)
	}
	return out, nil
}

// Points are alike as far as their parameters are close: the error of the model is shared by
// a factor of e less where the places of the values, from 0 to 1, differ by reach in sum.
// The rest is noise: times of one point differ by so much.
const (
	reach = 2
	noise = 0.05
)

// errors are the error of the model at the constants that were found, and the error with
// what is not known of the constants besides.
func (f *fit) errors(slopes [][]float64) (missed, doubt *process) {
	_, deviation := f.believed()
	places := f.places()
	alike := func(i, k int) float64 {
		far := 0.0
		for p := range places[i] {
			far += math.Abs(places[i][p] - places[k][p])
		}
		return modelError * modelError * math.Exp(-far/reach)
	}
	missed = newProcess(len(f.points), alike)
	doubt = newProcess(len(f.points), func(i, k int) float64 {
		shared := alike(i, k)
		for p, d := range deviation {
			shared += slopes[i][p] * slopes[k][p] * d * d
		}
		return shared
	})
	return missed, doubt
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
