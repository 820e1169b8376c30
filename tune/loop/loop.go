package loop

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gradine/gradine/tune"
)

// Result is what became of one configuration on the device.
type Result struct {
	Times  []float64 // of the timed launches, in milliseconds
	Failed string    // why there are none
}

// Runner measures configurations.
type Runner interface {
	// Judge is the verdict about the launch of a configuration: safe, possible, open, unsupported, or unsafe, with the
	// reason. Unsafe launches are not run.
	Judge(ctx context.Context, at []string) (verdict, why string, err error)
	// Measure runs a configuration, and compares its results with those of the reference, which runs first. What the
	// configuration does wrong is a Result; the error says that the device cannot be used.
	Measure(ctx context.Context, at []string) (Result, error)
}

// Unsafe is the verdict with which a launch is not run.
const Unsafe = "unsafe"

// Planner proposes configurations.
type Planner interface {
	// Plan proposes up to n configurations, most promising first, and says what is expected of those that are left.
	Plan(ctx context.Context, rows []tune.Measurement, n int) (*Plan, error)
}

// Plan is what a planner proposes. Shares are of the least measured time.
type Plan struct {
	Next     [][]string
	Left     int      // configurations without a measurement
	Best     []string // of these, the one predicted to be fastest; nil if none is left
	Faster   float64  // the share that Best is predicted to save
	AtMost   float64  // no configuration saves a greater share, with a probability of 95 %; NaN if that is not known
	Expected float64  // the share that one more measurement is expected to save, at most

	Random int           // measured configurations that were drawn at random
	Rank   tune.Estimate // how well the model orders the whole space, as those show
}

// Budget ends a loop. What is 0 does not end it.
type Budget struct {
	Points int           // configurations that were measured or failed, those of the log included, the reference aside
	Time   time.Duration // of this run
	Gain   float64       // share that one more measurement has to promise
}

// Options say how to measure.
type Options struct {
	Reference []string
	Runner    Runner
	Planner   Planner
	Log       *Log
	Budget    Budget
	Clock     func() time.Duration // since the loop began
	Every     int                  // configurations between two measurements of the reference
	Progress  func(Row)            // is told of each measurement; may be nil
}

// batch is how many configurations are measured before the model is fitted again.
const batch = 3

// rivals are how many of the fastest are measured again, and rounds how often, to tell them apart.
const (
	rivals = 4
	rounds = 2
)

// Stop says why a loop has ended.
type Stop string

// The reasons.
const (
	NoPoints   Stop = "points" // the budget of configurations is used up
	NoTime     Stop = "time"
	NoGain     Stop = "gain" // one more measurement promises too little
	Everything Stop = "all"  // every configuration is measured
)

// ErrReference is the error about a reference configuration that has no results to compare with.
var ErrReference = errors.New("the reference configuration fails")

// loop is one run.
type loop struct {
	Options
	since int // configurations since the reference was measured
	ran   int // configurations that this run has measured
}

// Run measures until the budget is used up. What was measured stands in the log whatever ends it: a loop that runs
// again goes on there. The report says what is known, even if there is an error.
func Run(ctx context.Context, o Options) (*Report, error) {
	l := &loop{Options: o}
	stop, plan, err := l.search(ctx)
	if err == nil {
		err = l.tellApart(ctx)
	}
	if err == nil {
		// What was measured again has changed what the others are compared with.
		_, rows := l.known()
		plan, err = l.Planner.Plan(ctx, rows, 0)
	}
	r := l.report()
	r.Stopped, r.Plan, r.Measured = stop, plan, l.ran
	return r, err
}

// search measures what the planner proposes.
func (l *loop) search(ctx context.Context) (Stop, *Plan, error) {
	// The device may have changed since the log was written, and results are compared with those of this run.
	if err := l.control(ctx); err != nil {
		return "", nil, err
	}
	for {
		points, rows := l.known()
		left := batch
		if l.Budget.Points > 0 {
			left = min(left, l.Budget.Points-points)
		}
		plan, err := l.Planner.Plan(ctx, rows, max(0, left))
		switch {
		case err != nil:
			return "", nil, err
		case plan.Left == 0:
			return Everything, plan, nil
		case left <= 0:
			return NoPoints, plan, nil
		case l.Budget.Time > 0 && l.Clock() >= l.Budget.Time:
			return NoTime, plan, nil
		case l.Budget.Gain > 0 && plan.Expected < l.Budget.Gain:
			return NoGain, plan, nil
		case len(plan.Next) == 0:
			return "", plan, errors.New("the planner proposes nothing, although configurations are left")
		}
		for _, at := range plan.Next {
			if l.since >= l.Every {
				if err := l.control(ctx); err != nil {
					return "", plan, err
				}
			}
			if err := l.measure(ctx, at, Planned); err != nil {
				return "", plan, err
			}
		}
	}
}

// known are the configurations that need not be proposed again, and what is known of each: a row, in the units of the
// first reference.
func (l *loop) known() (points int, rows []tune.Measurement) {
	for _, s := range standings(l.Log.Rows(), l.Reference) {
		if !s.reference {
			points++
		}
		rows = append(rows, tune.Measurement{At: s.At, Time: s.MS, Failed: s.Failed})
	}
	return points, rows
}

// control measures the reference.
func (l *loop) control(ctx context.Context) error {
	if err := l.measure(ctx, l.Reference, Control); err != nil {
		return err
	}
	l.since = 0
	rows := l.Log.Rows()
	if last := rows[len(rows)-1]; last.Failed != "" {
		return fmt.Errorf("%w: %s", ErrReference, last.Failed)
	}
	return nil
}

// measure measures a configuration and writes that down. An unsafe launch is a failure without a run.
func (l *loop) measure(ctx context.Context, at []string, role Role) error {
	verdict, why, err := l.Runner.Judge(ctx, at)
	if err != nil {
		return err
	}
	if err := l.Log.begin(at, role, verdict); err != nil {
		return err
	}
	row := Row{At: at, Role: role, Launch: verdict}
	if verdict == Unsafe {
		row.Failed = "unsafe launch, not run: " + why
	} else {
		result, err := l.Runner.Measure(ctx, at)
		if err != nil {
			return errors.Join(err, l.Log.cancel())
		}
		row.take(result)
	}
	if err := l.Log.end(row); err != nil {
		return err
	}
	l.since++
	if role == Planned {
		l.ran++
	}
	if l.Progress != nil {
		l.Progress(row)
	}
	return nil
}

// take puts a result into a row.
func (r *Row) take(x Result) {
	if r.Failed = x.Failed; r.Failed != "" {
		r.Failed = cause(r.Failed)
		return
	}
	r.MS, r.Low, r.High, r.Runs = median(x.Times), slices.Min(x.Times), slices.Max(x.Times), len(x.Times)
}

// tellApart measures the fastest again, in turns, so that one that was lucky once does not win.
func (l *loop) tellApart(ctx context.Context) error {
	late := func() bool { return l.Budget.Time > 0 && l.Clock() >= l.Budget.Time }
	for round := range rounds {
		for _, s := range l.fastest() {
			if s.Measured > rounds || s.Measured > round+1 || late() {
				continue
			}
			role := Again
			if s.reference {
				role = Control
			}
			if err := l.measure(ctx, s.At, role); err != nil {
				return err
			}
		}
	}
	if l.since > 0 && !late() {
		return l.control(ctx)
	}
	return nil
}

// fastest are the configurations that may be the fastest.
func (l *loop) fastest() (out []Standing) {
	all := standings(l.Log.Rows(), l.Reference)
	slices.SortStableFunc(all, faster)
	for _, s := range all {
		if s.Failed == "" && len(out) < rivals {
			out = append(out, s)
		}
	}
	return out
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

func key(at []string) string { return strings.Join(at, "\t") }
