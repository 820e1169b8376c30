// Package tune searches for the tuning parameters with the best objectives, usually the least
// T_ev. It enumerates points, evaluates them, decides which are optimal, and certifies that. No
// particular machine is built in.
//
// The points of the parameters are not part of the state space: each valid point is a machine of
// its own. Its value is found in one of three ways, and the answer says which.
//
//   - theorem: a proved theorem gives the final objectives as an expression of the constants,
//     and the machine provably reaches its end.
//   - run: one schedule is enough, and its final state has the value. Either every state has
//     exactly one successor, or every state enables an event that provably commutes with all
//     others, and the run follows it. The run checks both conditions.
//   - exhaustive: all schedules that can differ are explored. If their final values differ, the
//     value is a range.
package tune

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/order"
)

// Entry says what to tune. All its terms belong to Bank.
type Entry struct {
	Name    string
	Dev     *model.Development
	Machine *model.Machine
	Bank    *logic.Bank           // a child of Dev.Bank
	Shown   []Parameter           // what the answer shows of a point
	Given   []simulate.Definition // the instance: constants, and names that the choices mention
	Choices []simulate.Choice

	Final       logic.Term
	Objectives  []Objective  // read where Final holds
	Order       Order        // of several objectives
	Constraints []logic.Term // that are to hold there
	Criterion   Criterion

	Setup   explore.Setup     // sizes of carrier sets
	Threads []explore.Threads // identifiers of the machine that are interchangeable
}

// Objective is an integer expression over variables and constants, of which the least or
// the greatest value is best.
type Objective struct {
	Text     string
	Term     logic.Term
	Maximise bool
}

// Sense is what is sought of the objective.
func (o Objective) Sense() string {
	if o.Maximise {
		return "maximise"
	}
	return "minimise"
}

// Order says how points are compared that differ in several objectives.
type Order string

// The orders. The zero value is Lexicographic.
const (
	Lexicographic Order = "lexicographic" // an objective counts where those before it are equal
	Pareto        Order = "pareto"        // all that no other point dominates are best
)

// Parameter is a tuning parameter: an expression over the constants.
type Parameter struct {
	Name string
	Term logic.Term
}

// Criterion says what counts of a point whose schedules end with different
// objectives; of several objectives each counts by its own schedule.
type Criterion string

// The criteria. The zero value is Worst.
const (
	Worst Criterion = "worst" // the worst value: the schedule is not ours to choose
	Best  Criterion = "best"  // the best: it is, and other schedules need not even end
)

// By is the way in which values were found.
type By string

// The ways.
const (
	Theorem    By = "theorem"
	Run        By = "run"
	Exhaustive By = "exhaustive"
	Device     By = "measurement" // of the device: what it says counts, not what is predicted
)

// Options bound the search. The zero value searches without bounds, by theorem
// if a closed form is given, by run otherwise.
type Options struct {
	Closed    *Closed  // the proved closed form; nil to find values by running
	MaxPoints int      // more are refused before any is looked at; 0: no bound
	MaxSteps  int      // of all runs, and states of all explorations; 0: no bound
	MaxMemory int      // bytes of the states and values of a run or exploration; 0: 8 GiB
	NoPruning bool     // run every point to its end
	All       bool     // explore all schedules of every point, and take nothing for proved
	Explored  Explorer // where the points of All are explored; nil: here, one after the other
	Measured  []Measurement
	Unit      float64 // of the objective in a unit of the measured times
	Progress  func(done, of int)
	Proved    Proved
}

// Proved finds out what is proved of a machine. Each part is asked for when it is
// first needed, for it costs searches of its own; nil: it is not proved.
type Proved struct {
	NeverDecreases func() (bool, error) // the objective; so a run that passes the least value can be left
	Schedules      func() (Schedules, error)
}

// Schedules is what is proved of the schedules of a machine.
type Schedules struct {
	Ends         bool                // see simulate.Goal
	Why          string              // it is not
	Independence *order.Independence // of use only if Ends
}

func (k Proved) neverDecreases() (bool, error) {
	if k.NeverDecreases == nil {
		return false, nil
	}
	return k.NeverDecreases()
}

func (k Proved) schedules() (Schedules, error) {
	if k.Schedules == nil {
		return Schedules{}, nil
	}
	return k.Schedules()
}

// told is k, where what it answers is told to answer as well.
func (k Proved) told(answer *Answer) Proved {
	rises, known := false, Schedules{}
	tell := func() {
		answer.Proved = nil
		if rises {
			answer.Proved = append(answer.Proved, "the objective never decreases")
		}
		answer.Proved = append(answer.Proved, known.list()...)
	}
	return Proved{
		NeverDecreases: func() (is bool, err error) {
			rises, err = k.neverDecreases()
			tell()
			return rises, err
		},
		Schedules: func() (s Schedules, err error) {
			known, err = k.schedules()
			tell()
			return known, err
		},
	}
}

// list says what is proved.
func (k Schedules) list() []string {
	var out []string
	if k.Ends {
		out = append(out, "runs terminate, and no event is enabled once the final predicate holds")
	}
	if x := k.Independence; x != nil {
		out = append(out, fmt.Sprintf("%d of %d pairs of events commute", x.Proved, x.Proved+x.Unknown))
	}
	return out
}

// Point is one point of the parameters and its value.
type Point struct {
	Values  []simulate.Constant // of the shown parameters
	Ranges  []Range             // of the objectives over all schedules; nil if they are not known
	By      By
	Steps   int      // of the run, or states explored
	Illegal string   // why the point is none; "" for a legal point
	Above   *big.Int // its first objective is greater than this, the least found before; nil if it is known
	Bounded string   // which bound ended its search; the value is unknown then
	SameAs  int      // the earlier point at which the machine is the same; -1 if there is none
	Found   int      // steps of the search until its value was known; -1 if it is not

	at     simulate.Point
	broken int     // axioms that do not hold
	rest   float64 // what a measured time is beyond its value, or short of it
	ms     float64 // the measured time
}

// Range is the least and the greatest value of an objective; they are equal if it does
// not depend on the schedule.
type Range struct{ Low, High *big.Int }

// Known reports whether the point has a value.
func (p *Point) Known() bool { return p.Ranges != nil }

// Measured returns the time that a device took for the point in milliseconds, and how much
// of the objective that is; ok is false of a point that was not measured.
func (p *Point) Measured() (ms, value float64, ok bool) {
	if p.By != Device {
		return 0, 0, false
	}
	whole, _ := new(big.Float).SetInt(p.Ranges[0].Low).Float64()
	return p.ms, whole + p.rest, true
}

// AtOnce counts the points at which the machine ends before its first step: what is read there, no
// run has made.
func (a *Answer) AtOnce() (n int) {
	for i := range a.Points {
		if p := &a.Points[i]; p.Known() && (p.By == Run || p.By == Exhaustive) && p.Steps == 0 {
			n++
		}
	}
	return n
}

// Ended notes that a run or an exploration has just given a point its value.
func (a *Answer) Ended(p *Point) {
	if a.First < 0 {
		a.First = a.Steps
	}
	if p.Found < 0 {
		p.Found = a.Steps
	}
}

// Reached is how many steps the search took until it had the optimum, without knowing that nothing is better: until one
// of the best points had its value, and all of a Pareto front; -1 if there is none.
func (a *Answer) Reached() int {
	out := -1
	for _, i := range a.Best {
		found := a.Points[i].Found
		if out < 0 || (a.Order == Pareto) == (found > out) {
			out = found
		}
	}
	return out
}

// Answer is the result of a search.
type Answer struct {
	Entry       string
	Objectives  []Objective
	Order       Order
	Constraints []string
	Criterion   Criterion
	Given       []Setting
	Carriers    []Setting // sizes of the carrier sets that the machine sees
	Names       []string  // of the shown parameters
	Points      []Point
	Cut         []string // what ended a set of values before its condition did; see cut
	Best        []int    // indices of all points that none is better than, each machine once
	Complete    bool     // every legal point has a value, or was shown to be no better
	By          By       // the weakest way used; Device if any value is measured
	Others      By       // of a measured answer, the weakest way to the values that are not measured; "" if there are none
	Closed      *Closed
	Proved      []string // what values by run also rest on
	Elsewhere   int      // rows of measurements that are of no point
	Invalid     int      // measured points that the axioms forbid, whose rows do not count
	Unshown     []string // constants without which what is shown of the best points does not tell them from worse ones
	Steps       int      // of the whole search: events of runs, and states of explorations
	First       int      // of these, until a first point had a value; -1 if none has
	Sample      bool     // the points are drawn from more: nothing is claimed of the others
	Counts      Counts   // what constants that the program has read from a source are
	Notes       []string // what the constants of points rest on, if the program has read them from a source
	Assumed     *Assumed // what is claimed is claimed with assumed constants; nil if there are none

	forbidden map[string][]string // what Illegal says of points → the axioms that they violate

	chosen []string // constants that have several values and do not occur in what is shown
}

// Counts says what the constants of points are of what they count. What is claimed of points whose counts are
// bounds is claimed of these bounds alone.
type Counts string

// The certainties of counts.
const (
	ExactCounts   Counts = ""
	BoundCounts   Counts = "bounds"  // at least what happens
	PartialCounts Counts = "partial" // something is left out, or its number was given
)

// Assumed says what becomes of the first of the best points if all constants that are assumed between bounds are as good,
// and as bad, as these allow.
type Assumed struct {
	Good, Bad *big.Int // the value of the first objective; nil where the point has none
	Steady    bool     // it is best at both ends, too
}

// Assume compares an answer with those for the good and the bad ends of assumed constants, over the same points.
func (a *Answer) Assume(good, bad *Answer) {
	a.Assumed = &Assumed{}
	if len(a.Best) == 0 || len(good.Points) != len(a.Points) || len(bad.Points) != len(a.Points) {
		return
	}
	first := a.Best[0]
	a.Assumed.Steady = slices.Contains(good.Best, first) && slices.Contains(bad.Best, first)
	for _, end := range []struct {
		of *Answer
		to **big.Int
	}{{good, &a.Assumed.Good}, {bad, &a.Assumed.Bad}} {
		if p := &end.of.Points[first]; p.Illegal == "" && len(p.Ranges) > 0 {
			*end.to = end.of.Worth(p, 0)
		}
	}
}

// Setting is a name and its value.
type Setting struct {
	Name  string
	Value simulate.Constant
}

// Worth is what counts of objective k at a point with a value.
func (a *Answer) Worth(p *Point, k int) *big.Int {
	if (a.Criterion == Best) == a.Objectives[k].Maximise {
		return p.Ranges[k].High
	}
	return p.Ranges[k].Low
}

// Cost is Worth, such that less is better.
func (a *Answer) Cost(p *Point, k int) *big.Int {
	if a.Objectives[k].Maximise {
		return new(big.Int).Neg(a.Worth(p, k))
	}
	return a.Worth(p, k)
}

// Value returns the range of the first objective over all schedules of the best points;
// nil if there are none. One of its ends is what they are best by.
func (a *Answer) Value() (low, high *big.Int) {
	for _, i := range a.Best {
		first := a.Points[i].Ranges[0]
		if low == nil || first.Low.Cmp(low) < 0 {
			low = first.Low
		}
		if high == nil || first.High.Cmp(high) > 0 {
			high = first.High
		}
	}
	return low, high
}

// ended says what has ended a context.
func ended(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "time"
	}
	return "interrupted"
}

// TakeOver takes over what was found of an earlier point at which the machine is
// the same.
func (p *Point) TakeOver(q *Point) {
	p.Ranges, p.Above, p.Illegal, p.Bounded, p.By = q.Ranges, q.Above, q.Illegal, q.Bounded, q.By
}

// Forget makes a legal point one that was not looked at.
func (p *Point) Forget() {
	p.Ranges, p.Above, p.Bounded, p.By, p.Steps = nil, nil, "", "", 0
}

// Instance is the set-up of the machine at a point.
func (p *Point) Instance() *explore.Instance { return p.at.Instance() }

// Judge finds the best points and says how much the answer is worth.
func (a *Answer) Judge() {
	strength := map[By]int{Device: 0, Theorem: 0, Run: 1, Exhaustive: 2}
	a.By, a.Others, a.Complete, a.Best = Theorem, "", true, nil
	measured, others := false, false
	if a.Closed == nil {
		a.By = Run
	}
	for i := range a.Points {
		point := &a.Points[i]
		if point.Bounded != "" {
			a.Complete = false
		}
		if strength[point.By] > strength[a.By] {
			a.By = point.By
		}
		measured = measured || point.By == Device
		others = others || point.Illegal == "" && point.By != Device
		if !point.Known() || point.SameAs >= 0 {
			continue
		}
		beaten := slices.ContainsFunc(a.Best, func(k int) bool { return a.better(&a.Points[k], point) })
		if !beaten {
			a.Best = append(slices.DeleteFunc(a.Best, func(k int) bool { return a.better(point, &a.Points[k]) }), i)
		}
	}
	// A claim about measured values is a claim of the device, whatever the others rest on.
	if measured {
		if others {
			a.Others = a.By
		}
		a.By = Device
	}
	if a.Unshown = nil; !a.tells() {
		a.Unshown = a.chosen
	}
}

// tells reports whether what is shown of the best points is shown of no other that the axioms
// allow.
func (a *Answer) tells() bool {
	if len(a.chosen) == 0 {
		return true
	}
	best := map[string]bool{}
	for _, i := range a.Best {
		best[a.Points[i].key()] = true
	}
	for i := range a.Points {
		point := &a.Points[i]
		if point.SameAs >= 0 {
			i = point.SameAs
		}
		if best[point.key()] && point.broken == 0 && !slices.Contains(a.Best, i) {
			return false
		}
	}
	return true
}

// better reports whether p is better than q: in the first objective in which they differ;
// or, on a Pareto front, in one, and in none worse.
func (a *Answer) better(p, q *Point) bool {
	some := false
	for k := range a.Objectives {
		order := a.Cost(p, k).Cmp(a.Cost(q, k))
		if order > 0 || order < 0 && a.Order != Pareto {
			return order < 0
		}
		some = some || order < 0
	}
	return some || p.rest < q.rest
}

// Measured counts the legal points whose values are those of the device.
func (a *Answer) Measured() int {
	n := 0
	for _, p := range a.Points {
		if p.By == Device {
			n++
		}
	}
	return n
}

// Legal counts the legal points; Pruned those of them that were not run to the end.
func (a *Answer) Legal() (legal, pruned int) {
	for _, p := range a.Points {
		if p.Illegal == "" {
			legal++
		}
		if p.Above != nil {
			pruned++
		}
	}
	return legal, pruned
}
