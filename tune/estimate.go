package tune

import (
	"cmp"
	"crypto/sha256"
	"math"
	"math/rand/v2"
	"slices"
)

// Estimate is a figure of a whole space, estimated from some of its points: with a probability of 95 %
// all that are estimated of the space are between Low and High. All three are NaN where too little is known.
type Estimate struct {
	Value, Low, High float64
}

var unknownEstimate = Estimate{math.NaN(), math.NaN(), math.NaN()}

// Known reports whether there is an estimate.
func (e Estimate) Known() bool { return !math.IsNaN(e.Value) }

// drawn are the points in an order that is as good as drawn at random: it depends on the values of
// their parameters alone, so that points which an axiom adds or takes away leave the order of the others.
func (f *fit) drawn() []int {
	digests := make([][sha256.Size]byte, len(f.points))
	order := make([]int, len(f.points))
	for i, p := range f.points {
		digests[i], order[i] = sha256.Sum256([]byte(p.key())), i
	}
	slices.SortStableFunc(order, func(i, k int) int { return slices.Compare(digests[i][:], digests[k][:]) })
	return order
}

// random are the measured points that are as good as drawn at random, and how many were asked for them:
// the longest beginning of the order of drawn of which all points are measured or refused. A plan asks
// for them whatever has been measured, so that they stand for the whole space, as those that it likes do not.
func (f *fit) random() (points []int, asked int) {
	measured := map[int]bool{}
	for _, i := range f.measured {
		measured[i] = true
	}
	for _, i := range f.drawn() {
		if !measured[i] && !f.refused[i] {
			break
		}
		asked++
		if measured[i] {
			points = append(points, i)
		}
	}
	return points, asked
}

const (
	folds     = 4 // parts of the random points: each is left out of a fit once
	fewRandom = 5 // random points, below which nothing is said of the space

	// Rank and regret are said of one space from the same points. Each is wrong with a probability of at most 2.5 %, so that
	// both hold at once with 95 %, however they depend on each other (Bonferroni).
	missed  = 0.05 / 2
	certain = 2.2414 // deviations that a normal number exceeds, to either side, with this probability
)

// estimate says how well the whole space is predicted, and how far the choice is from its best. The random
// points are predicted by fits in which they take no part.
func (f *fit) estimate(x []float64, out *Calibration) error {
	points, asked := f.random()
	if out.Random = len(points); len(points) < fewRandom {
		return nil
	}
	rows := map[int][]int{}
	for k, i := range f.measured {
		rows[i] = append(rows[i], k)
	}
	guesses, times := make([]float64, len(points)), make([]float64, len(points))
	surprise := 0.0 // the squares of by how much points miss what is believed of them, in deviations
	for fold := range folds {
		var in, left []int
		for k, i := range points {
			if k%folds == fold {
				left = append(left, k)
				times[k] = f.timeOf(rows[i])
			}
		}
		for k, i := range f.measured {
			if !slices.ContainsFunc(left, func(l int) bool { return points[l] == i }) {
				in = append(in, k)
			}
		}
		fitted, err := f.solve(in)
		if err != nil {
			return err
		}
		var of []int
		for _, k := range left {
			of = append(of, points[k])
		}
		b, err := f.belief(fitted, of, in)
		if err != nil {
			return err
		}
		for n, k := range left {
			guesses[k] = b.guesses[n]
			mean, deviation := b.at(n)
			surprise += math.Pow((times[k]-mean)/deviation, 2)
		}
	}
	out.Rank = rankEstimate(Spearman(guesses, times), len(points), 1-float64(asked)/float64(len(f.points)))
	out.doubt = doubtful{prior + len(points), math.Sqrt((prior + surprise) / float64(prior+len(points)))}
	return f.regret(x, out.doubt, rows, out)
}

// timeOf is the logarithm of the time of a point of some rows: the median.
func (f *fit) timeOf(rows []int) float64 {
	var took []float64
	for _, k := range rows {
		took = append(took, f.times[k])
	}
	return median(took)
}

// rankEstimate is what a correlation of the ranks of n points says of all; part of them were not drawn.
// The bounds are those of Bonett and Wright (Psychometrika 65, 2000), whose deviation holds for few points. Points in
// perfect order count as if two neighbours had changed places, for a formula of deviations knows no certainty.
func rankEstimate(rank float64, n int, part float64) Estimate {
	if math.IsNaN(rank) {
		return unknownEstimate
	}
	nearly := 1 - 12/float64(n*(n*n-1))
	z := math.Atanh(max(-nearly, min(nearly, rank)))
	off := certain * math.Sqrt((1+rank*rank/2)/float64(n-3)*part)
	return Estimate{rank, min(rank, math.Tanh(z-off)), max(rank, math.Tanh(z+off))}
}

const (
	rivals = 200 // points that may be the fastest, as far as they are drawn together
	draws  = 1000
)

// doubtful is by which factor deviations are larger than they are believed to be, known from so many points.
type doubtful struct {
	points int
	factor float64
}

// prior is how many points say, before any is left out, that deviations are as they are believed to be.
const prior = 4

// draw is a factor as it may be: that of few points leaves room, as in Student's distribution.
func (d doubtful) draw(r *rand.Rand) float64 {
	squares := 0.0
	for range d.points {
		x := r.NormFloat64()
		squares += x * x
	}
	return d.factor * math.Sqrt(float64(d.points)/squares)
}

// regret says what the choice costs. Times of what was not measured are drawn as they are believed to be,
// those of the points that may be the fastest together, with the doubt that random points have confirmed.
func (f *fit) regret(x []float64, doubt doubtful, rows map[int][]int, out *Calibration) error {
	of := make([]int, len(f.points))
	for i := range of {
		of[i] = i
	}
	b, err := f.belief(x, of, allOf(f.measured))
	if err != nil {
		return err
	}
	best, least := math.Inf(1), math.Inf(1) // of the choice as it is predicted or measured; of what was measured
	chosen := -1
	var open []int
	for i := range f.points {
		time := b.guesses[i]
		if k, ok := rows[i]; ok {
			time = f.timeOf(k)
			least = min(least, time)
		} else if f.refused[i] {
			continue
		} else {
			open = append(open, i)
		}
		if time < best {
			best, chosen = time, i
		}
	}
	optimistic := func(i int) float64 {
		mean, deviation := b.at(i)
		return mean - 3*doubt.factor*deviation
	}
	slices.SortStableFunc(open, func(i, k int) int { return cmp.Compare(optimistic(i), optimistic(k)) })
	open = open[:min(rivals, len(open))]
	if _, measured := rows[chosen]; !measured && !slices.Contains(open, chosen) {
		open = append(open, chosen)
	}
	root := b.doubt.together(open)
	r := rand.New(rand.NewPCG(uint64(len(f.points)), uint64(len(f.measured))))
	costs := make([]float64, draws)
	normal := make([]float64, len(open))
	for d := range costs {
		for k := range normal {
			normal[k] = r.NormFloat64()
		}
		fastest, choice, factor := least, best, doubt.draw(r)
		for k, i := range open {
			mean, _ := b.at(i)
			time := mean
			for l := range k + 1 {
				time += factor * root[k][l] * normal[l]
			}
			fastest = min(fastest, time)
			if i == chosen {
				choice = time
			}
		}
		costs[d] = math.Exp(choice - fastest)
	}
	slices.Sort(costs)
	out.Gain = 0
	for _, c := range costs {
		out.Gain += (1 - 1/c) / draws
	}
	out.Regret = Estimate{median(costs), 1, costs[int(math.Ceil((1-missed)*draws))-1]}
	return nil
}

// allOf are the numbers of the elements of a list.
func allOf[T any](list []T) []int {
	out := make([]int, len(list))
	for i := range out {
		out[i] = i
	}
	return out
}
