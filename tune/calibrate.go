package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/logic"
)

// Unknown is a constant of an instance whose value is to be calibrated. Start is what is
// believed of it, a data sheet's value say; the range is where it is sought, and says how
// firmly that is believed.
type Unknown struct {
	Name             string
	Start, Low, High int64
}

// Fitted is a constant with the value that fits the measurements best.
type Fitted struct {
	Unknown
	Value int64
	Told  float64 // how much of what was believed of it is left to doubt: 1 if the measurements say nothing
}

// Calibration is what measurements say of the unknown constants.
type Calibration struct {
	Constants []Fitted
	Measured  int         // points with a time
	Refused   int         // legal points that the device refused
	Unlawful  int         // rows with a time at points that the axioms forbid
	Elsewhere int         // rows of what is not a point
	Unit      float64     // of the objective in a unit of the measured time
	UnitFound bool        // the unit was not given
	Error     float64     // the median factor by which prediction and time differ
	Random    int         // measured points that were drawn at random: what is said of the whole space rests on them
	Rank      Estimate    // Spearman's correlation of prediction and time over the whole space
	Regret    Estimate    // time of the choice ÷ least time of the whole space
	Gain      float64     // part of the choice's time that the best point is expected to save; NaN if it is not known
	Together  [][2]string // pairs that the measurements cannot tell apart

	fit   *fit
	doubt doubtful // of the deviations of what is predicted; without points nothing is known of it
}

// fit is a calibration under way: the legal points, the objective there as a function of
// the unknown constants, and the measurements.
type fit struct {
	ctx      context.Context
	unknown  []Unknown
	logUnit  float64 // NaN: sought as well
	points   []*Point
	illegal  map[string]bool
	names    []string
	value    func(simulate.Point, []int64) (*big.Int, error)
	measured []int     // indices of points
	times    []float64 // logarithms
	refused  map[int]bool
}

// Calibrate finds the values of the unknown constants for which the objective, by its
// closed form, fits measured times best. unit is how much of the objective is a unit of
// time; 0: that is sought, too.
//
// It minimises the squares of the differences of logarithms, so that a factor counts alike
// at fast and slow points, together with those of the constants to what was believed of
// them: few measurements do not determine many constants. Large differences count linearly
// only, for a model is wrong somewhere.
func Calibrate(ctx context.Context, entry *Entry, closed *Closed, unknown []Unknown, unit float64, rows []Measurement) (*Calibration, error) {
	f, err := newFit(ctx, entry, closed, unknown, unit)
	if err != nil {
		return nil, err
	}
	out := &Calibration{fit: f, Rank: unknownEstimate, Regret: unknownEstimate, Gain: math.NaN()}
	if err := f.read(rows, out); err != nil {
		return nil, err
	}
	all := make([]int, len(f.measured))
	for i := range all {
		all[i] = i
	}
	best, err := f.solve(all)
	if err != nil {
		return nil, err
	}
	if err := f.judge(best, out); err != nil {
		return nil, err
	}
	return out, f.estimate(best, out)
}

// Given is the instance with the values that were found.
func (c *Calibration) Given(entry *Entry) []simulate.Definition {
	out := slices.Clone(entry.Given)
	for _, k := range c.Constants {
		for i := range out {
			if out[i].Name == k.Name {
				out[i].Term = entry.Bank.Int(big.NewInt(k.Value))
			}
		}
	}
	return out
}

// newFit lists the points of an entry in which the unknown constants are choices of one
// value, so that they can be given others.
func newFit(ctx context.Context, entry *Entry, closed *Closed, unknown []Unknown, unit float64) (*fit, error) {
	open := *entry
	open.Given = nil
	open.Choices = slices.Clone(entry.Choices)
	var names []string
	for _, k := range unknown {
		names = append(names, k.Name)
	}
	// Choices of one value keep the points as they are, and let the proved formula be evaluated with other values.
	for _, g := range entry.Given {
		if slices.Contains(names, g.Name) {
			open.Choices = append(open.Choices, simulate.Choice{Name: g.Name, Type: entry.Bank.Type(g.Term), Set: entry.Bank.App(logic.SetExt, g.Term)})
		} else {
			open.Given = append(open.Given, g)
		}
	}
	answer, grid, err := open.answer(ctx, Options{})
	if err != nil {
		return nil, err
	}
	out := &fit{ctx: ctx, unknown: unknown, names: answer.Names, refused: map[int]bool{}, illegal: map[string]bool{}, logUnit: math.NaN()}
	if unit > 0 {
		out.logUnit = math.Log(unit)
	}
	for i := range answer.Points {
		if point := &answer.Points[i]; point.Illegal == "" {
			out.points = append(out.points, point)
		} else {
			out.illegal[point.key()] = true
		}
	}
	if len(out.points) == 0 {
		return nil, errors.New("no valid point, so nothing to measure; `gradine tune` lists the violated axioms")
	}
	out.value, err = grid.Function(open.unfold(closed.Objectives[0], names), names)
	return out, err
}

// unfold replaces, in a term, the derived constants that depend on names by what they
// are derived from.
func (e *Entry) unfold(term logic.Term, names []string) logic.Term {
	bank := e.Bank
	derived := map[string]logic.Term{}
	for _, c := range e.choices() {
		if bank.Op(c.Set) == logic.SetExt && len(bank.Args(c.Set)) == 1 && !slices.Contains(names, c.Name) {
			derived[c.Name] = bank.Arg(c.Set, 0)
		}
	}
	done := map[logic.Term]logic.Term{} // identifiers
	var unfolded func(logic.Term) logic.Term
	unfolded = func(term logic.Term) logic.Term {
		by := map[logic.Term]logic.Term{}
		for _, id := range bank.FreeIdents(term) {
			name := bank.Name(id)
			from, ok := derived[name]
			if !ok {
				continue
			}
			if _, ok := done[id]; !ok {
				// One that does not depend on names keeps its name: its value is the point's.
				if done[id] = unfolded(from); !e.mentions(done[id], names) {
					done[id] = id
				}
			}
			by[id] = done[id]
		}
		return bank.Subst(term, by)
	}
	return unfolded(term)
}

func (e *Entry) mentions(term logic.Term, names []string) bool {
	return slices.ContainsFunc(e.Bank.FreeIdents(term), func(id logic.Term) bool { return slices.Contains(names, e.Bank.Name(id)) })
}

// read looks up the points of the rows.
func (f *fit) read(rows []Measurement, out *Calibration) error {
	at := map[string]int{}
	for i, p := range f.points {
		at[p.key()] = i
	}
	for _, row := range rows {
		i, legal := at[row.key()]
		switch {
		case !legal && !f.illegal[row.key()]:
			out.Elsewhere++
		case row.Failed != "" && legal:
			f.refused[i] = true
		case row.Failed != "":
		case !legal:
			out.Unlawful++
		case row.Time <= 0:
			return fmt.Errorf("the time at %s is %v; times are positive", strings.Join(row.At, " "), row.Time)
		default:
			f.measured, f.times = append(f.measured, i), append(f.times, math.Log(row.Time))
		}
	}
	out.Measured, out.Refused = len(f.distinct()), len(f.refused)
	return nil
}

// distinct are the points that were measured, each once.
func (f *fit) distinct() (points []int) {
	seen := map[int]bool{}
	for _, point := range f.measured {
		if !seen[point] {
			seen[point] = true
			points = append(points, point)
		}
	}
	return points
}

// The error of a model that is right up to a factor of about 1.2; beyond twice that a
// difference counts linearly.
const (
	modelError = 0.2
	outlier    = 2
)

// believed is what is believed of the logarithms of the constants, and of the unit if it
// is sought: the mean and the deviation. The range of a constant is four deviations.
func (f *fit) believed() (mean, deviation []float64) {
	for _, k := range f.unknown {
		mean = append(mean, math.Log(float64(k.Start)))
		deviation = append(deviation, max(1e-6, math.Log(float64(k.High)/float64(k.Low))/4))
	}
	if math.IsNaN(f.logUnit) {
		mean, deviation = append(mean, 0), append(deviation, 100)
	}
	return mean, deviation
}

// constants are the integers nearest to logarithms, within their ranges.
func (f *fit) constants(x []float64) []int64 {
	out := make([]int64, len(f.unknown))
	for i, k := range f.unknown {
		out[i] = min(max(int64(math.Round(math.Exp(x[i]))), k.Low), k.High)
	}
	return out
}

// predict is the logarithm of the time at a point.
func (f *fit) predict(point int, x []float64) (float64, error) {
	return f.predictWith(point, x, f.constants(x))
}

// predictWith is the logarithm of the predicted time of a point, for constants that x stands for.
func (f *fit) predictWith(point int, x []float64, constants []int64) (float64, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	v, err := f.value(f.points[point].at, constants)
	if err != nil {
		return 0, err
	}
	if v.Sign() <= 0 {
		return 0, fmt.Errorf("the objective is %s at a point; times are positive", v)
	}
	// A mantissa and an exponent, for T_ev has any size.
	mantissa := new(big.Float)
	exponent := new(big.Float).SetInt(v).MantExp(mantissa)
	m, _ := mantissa.Float64()
	log := math.Log(m) + float64(exponent)*math.Ln2
	if len(x) > len(f.unknown) {
		return log + x[len(f.unknown)], nil
	}
	return log - f.logUnit, nil
}

// gradient is the prediction at a point, and by how much it changes with the logarithm of
// each constant. Constants are integers, so that differences are of whole steps.
func (f *fit) gradient(point int, x []float64) (at float64, slopes []float64, err error) {
	constants := f.constants(x)
	if at, err = f.predictWith(point, x, constants); err != nil {
		return 0, nil, err
	}
	slopes = make([]float64, len(x))
	for i := range constants {
		was := constants[i]
		step := max(1, was/32)
		if was+step > f.unknown[i].High && was > step {
			step = -step
		}
		constants[i] = was + step
		next, err := f.predictWith(point, x, constants)
		if err != nil {
			return 0, nil, err
		}
		constants[i] = was
		slopes[i] = (next - at) / math.Log(float64(was+step)/float64(was))
	}
	if len(x) > len(constants) {
		slopes[len(constants)] = 1
	}
	return at, slopes, nil
}

// loss is what is minimised, over some of the measurements.
func (f *fit) loss(x []float64, of []int) (float64, error) {
	mean, deviation := f.believed()
	sum := 0.0
	for i := range x {
		d := (x[i] - mean[i]) / deviation[i]
		sum += d * d
	}
	for _, i := range of {
		at, err := f.predict(f.measured[i], x)
		if err != nil {
			return 0, err
		}
		if r := math.Abs(f.times[i]-at) / modelError; r > outlier {
			sum += 2*outlier*r - outlier*outlier
		} else {
			sum += r * r
		}
	}
	return sum, nil
}

// solve minimises the loss by the method of Levenberg and Marquardt.
func (f *fit) solve(of []int) ([]float64, error) {
	x, deviation := f.believed()
	mean := slices.Clone(x)
	// With the unit unknown, the last coordinate is its logarithm. It starts where prediction and time agree on average.
	if len(x) > len(f.unknown) && len(of) > 0 {
		for _, i := range of {
			at, err := f.predict(f.measured[i], x)
			if err != nil {
				return nil, err
			}
			mean[len(mean)-1] += (f.times[i] - at) / float64(len(of))
		}
		x[len(x)-1] = mean[len(mean)-1]
	}
	least, err := f.loss(x, of)
	if err != nil {
		return nil, err
	}
	// These numbers are the usual ones: the damping grows by 4 after a step that does not help and falls by 3 after one
	// that does. 40 steps are many more than such a smooth problem needs.
	damping := 1e-2
	for range 40 {
		curve, down, err := f.normal(x, mean, deviation, of)
		if err != nil {
			return nil, err
		}
		moved := false
		for damping < 1e6 && !moved {
			damped := curve.clone()
			for i := range damped {
				damped[i][i] *= 1 + damping
			}
			next := slices.Clone(x)
			for i, d := range damped.inverse().times(down) {
				next[i] += d
			}
			loss, err := f.loss(next, of)
			if err != nil {
				return nil, err
			}
			if moved = loss < least*(1-1e-9); moved {
				x, least, damping = next, loss, damping/3
			} else {
				damping *= 4
			}
		}
		if !moved {
			break
		}
	}
	return x, nil
}

// normal is the normal equation of a step from x: the curvature and the way down.
func (f *fit) normal(x, mean, deviation []float64, of []int) (square, []float64, error) {
	curve, down := newSquare(len(x)), make([]float64, len(x))
	for i := range x {
		curve[i][i] = 1 / (deviation[i] * deviation[i])
		down[i] = (mean[i] - x[i]) * curve[i][i]
	}
	for _, i := range of {
		at, slopes, err := f.gradient(f.measured[i], x)
		if err != nil {
			return nil, nil, err
		}
		r := (f.times[i] - at) / modelError
		weight := min(1, outlier/max(math.Abs(r), 1e-9))
		curve.add(slopes, weight/(modelError*modelError))
		for k := range slopes {
			down[k] += weight * r * slopes[k] / modelError
		}
	}
	return curve, down, nil
}

// judge says how well constants fit, and how far the measurements determine them.
func (f *fit) judge(x []float64, out *Calibration) error {
	out.Constants, out.Together = nil, nil
	mean, deviation := f.believed()
	all := make([]int, len(f.measured))
	var errs []float64
	for i := range all {
		all[i] = i
		at, err := f.predict(f.measured[i], x)
		if err != nil {
			return err
		}
		errs = append(errs, math.Exp(math.Abs(f.times[i]-at)))
	}
	out.Error = median(errs)
	curve, _, err := f.normal(x, mean, deviation, all)
	if err != nil {
		return err
	}
	// The inverse of the curvature is the covariance of the constants. Its diagonal is compared with what was believed
	// before any measurement.
	doubt := curve.inverse()
	for i, value := range f.constants(x) {
		out.Constants = append(out.Constants, Fitted{Unknown: f.unknown[i], Value: value, Told: math.Sqrt(doubt[i][i]) / deviation[i]})
		for k := range i {
			// With a correlation beyond 0.9, one constant can take the place of the other.
			if c := doubt[i][k] / math.Sqrt(doubt[i][i]*doubt[k][k]); math.Abs(c) > 0.9 {
				out.Together = append(out.Together, [2]string{f.unknown[k].Name, f.unknown[i].Name})
			}
		}
	}
	out.Unit = math.Exp(f.logUnit)
	if len(x) > len(f.unknown) {
		out.Unit, out.UnitFound = math.Exp(-x[len(f.unknown)]), true
	}
	return nil
}

// Predictions are the logarithms of the predicted times of the legal points, each with the
// values of its parameters.
func (c *Calibration) Predictions() iter.Seq2[[]simulate.Constant, float64] {
	return func(yield func([]simulate.Constant, float64) bool) {
		x := c.logarithms()
		for i, p := range c.fit.points {
			guess, err := c.fit.predict(i, x)
			if err != nil || !yield(p.Values, guess) {
				return
			}
		}
	}
}

// logarithms are what was found, as it is sought.
func (c *Calibration) logarithms() []float64 {
	var x []float64
	for _, k := range c.Constants {
		x = append(x, math.Log(float64(k.Value)))
	}
	if math.IsNaN(c.fit.logUnit) {
		x = append(x, -math.Log(c.Unit))
	}
	return x
}

// Spearman is the rank correlation of two lists; equal values share their ranks.
func Spearman(a, b []float64) float64 {
	x, y := ranks(a), ranks(b)
	mean := float64(len(a)-1) / 2
	var both, xx, yy float64
	for i := range x {
		both += (x[i] - mean) * (y[i] - mean)
		xx += (x[i] - mean) * (x[i] - mean)
		yy += (y[i] - mean) * (y[i] - mean)
	}
	if xx == 0 || yy == 0 {
		return math.NaN()
	}
	return both / math.Sqrt(xx*yy)
}

// ranks are the ranks of values from 0. Equal values share the mean of their ranks.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return cmp.Or(cmp.Compare(values[i], values[k]), i-k) })
	out := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+to-1) / 2
		}
		from = to
	}
	return out
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
