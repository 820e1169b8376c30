// Package tune owns the search for the tuning parameters with the least
// objective (T_ev): the points, their values by the machine's own events or by a
// proved theorem, what is optimal, and certificates of that. It knows nothing of
// syntax, and of no particular machine.
//
// The points of the parameters stand outside the state space: each legal point
// is a machine of its own. Its value is found in one of three ways, which the
// answer names.
//
//   - theorem: the machine has a proved theorem that gives the objective at the
//     end as an expression of the constants, and it is proved to get there.
//   - run: there is one schedule to follow, and its end has the value. Either every
//     state has exactly one successor; or, of the events that are enabled, those
//     that are proved to commute with all others may be followed first, and in each
//     state one of them was found. Both are checked on the way.
//   - exhaustive: all schedules are explored, as far as they differ. If their ends
//     do, the value is a range.
package tune

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// Entry says what to tune.
type Entry struct {
	Name      string
	Dev       *model.Development
	Machine   *model.Machine
	Bank      *logic.Bank // of the terms of the entry, a child of Dev.Bank
	Shown     []Parameter // what the answer shows of a point
	Choices   []explore.Choice
	Objective string
	Final     logic.Term
	Setup     explore.Setup
	Threads   []explore.Threads // identifiers of the machine that are interchangeable
}

// Parameter is a tuning parameter: an integer expression over the constants.
type Parameter struct {
	Name string
	Term logic.Term
}

// By is the way in which values were found.
type By string

// The ways.
const (
	Theorem    By = "theorem"
	Run        By = "run"
	Exhaustive By = "exhaustive"
)

// Options bound the search. The zero value searches without bounds, by theorem
// if a closed form is given, by run otherwise.
type Options struct {
	Closed    *Closed // the proved closed form; nil to find values by running
	MaxSteps  int     // of all runs, and states of all explorations; 0: no bound
	NoPruning bool    // run every point to its end
	Progress  func(done, of int)
	// Proved returns what is proved of the machine. It is asked when that is first
	// needed; nil: nothing is proved.
	Proved func() (Proved, error)
}

// Proved is what is proved of a machine.
type Proved struct {
	Ends           bool                  // see explore.Goal
	Why            string                // it is not
	Independence   *explore.Independence // of use only if Ends
	NeverDecreases bool                  // the objective; so a run that passes the least value can be left
}

// proved is opt.Proved, which may be nil.
func (opt Options) proved() (Proved, error) {
	if opt.Proved == nil {
		return Proved{}, nil
	}
	return opt.Proved()
}

// list says what is proved.
func (k Proved) list() []string {
	var out []string
	if k.NeverDecreases {
		out = append(out, "the objective never decreases")
	}
	if k.Ends {
		out = append(out, "runs end, and nothing happens where the final predicate holds")
	}
	if x := k.Independence; x != nil {
		out = append(out, fmt.Sprintf("%d of %d pairs of events commute", x.Proved, x.Proved+x.Unknown))
	}
	return out
}

// Point is one point of the parameters and its value.
type Point struct {
	Values    []*big.Int // of the shown parameters
	Low, High *big.Int   // of the objective over all schedules; equal if it does not depend on them
	By        By
	Steps     int      // of the run, or states explored
	Illegal   string   // why the point is none; "" for a legal point
	Above     *big.Int // its value is greater than this, the least found before; nil if it is known
	Bounded   string   // which bound ended its search; the value is unknown then

	instance *explore.Instance
	broken   int // axioms that do not hold
}

// Known reports whether the point has a value.
func (p *Point) Known() bool { return p.High != nil }

// Answer is the result of a search.
type Answer struct {
	Entry     string
	Objective string
	Given     []Given
	Names     []string // of the shown parameters
	Points    []Point
	Best      []int // indices of all points whose greatest value is least
	Complete  bool  // every legal point has a value, or was shown to be no better
	By        By    // the weakest way used
	Closed    *Closed
	Proved    []string // what values by run rest on besides
	Steps     int
}

// Given is a value of the instance.
type Given struct {
	Name  string
	Value *big.Int
}

// Value returns the least objective and, if it depends on the schedule at some
// best point, the least that may come out.
func (a *Answer) Value() (low, high *big.Int) {
	for _, i := range a.Best {
		p := &a.Points[i]
		if low == nil || p.Low.Cmp(low) < 0 {
			low = p.Low
		}
		high = p.High
	}
	return low, high
}

// Search finds the value of every point of the instance, and the best ones.
func Search(ctx context.Context, e *Entry, given []Given, opt Options) (*Answer, error) {
	a := &Answer{Entry: e.Name, Objective: e.Objective, Given: given, Complete: true, Closed: opt.Closed}
	for _, s := range e.Shown {
		a.Names = append(a.Names, s.Name)
	}
	if err := e.points(a, given); err != nil {
		return nil, err
	}
	if ask := opt.Proved; ask != nil {
		opt.Proved = func() (Proved, error) {
			known, err := ask()
			a.Proved = known.list()
			return known, err
		}
	}
	var least *big.Int
	for i := range a.Points {
		p := &a.Points[i]
		if p.Illegal != "" {
			continue
		}
		switch {
		case ctx.Err() != nil:
			p.Bounded = "interrupted"
			continue
		case opt.MaxSteps > 0 && a.Steps >= opt.MaxSteps:
			p.Bounded = "steps of all points"
			continue
		}
		left := opt
		left.MaxSteps = max(0, opt.MaxSteps-a.Steps)
		if err := e.value(ctx, p, least, left); err != nil {
			return nil, err
		}
		if p.Known() && (least == nil || p.High.Cmp(least) < 0) {
			least = p.High
		}
		a.Steps += p.Steps
		if opt.Progress != nil {
			opt.Progress(i+1, len(a.Points))
		}
	}
	a.judge(least)
	return a, nil
}

// points lists the points and sorts out the illegal ones.
func (e *Entry) points(a *Answer, given []Given) error {
	values := map[string]*big.Int{}
	for _, g := range given {
		values[g.Name] = g.Value
	}
	setup := e.Setup
	setup.Bank = e.Bank
	found, err := explore.Points(e.Dev, e.Machine, setup, values, e.Choices)
	if err != nil {
		return err
	}
	for _, x := range found {
		p := Point{instance: x.Instance}
		for _, s := range e.Shown {
			v, err := x.Int(s.Term)
			if err != nil {
				return fmt.Errorf("parameter %s: %w", s.Name, err)
			}
			p.Values = append(p.Values, v)
		}
		if len(x.Broken) > 0 {
			p.Illegal, p.broken = e.broken(x.Broken), len(x.Broken)
		}
		a.Points = append(a.Points, p)
	}
	a.Points = withoutTwins(a.Points)
	return nil
}

// withoutTwins keeps of the illegal points that show the same only the first of
// those with the fewest false axioms, and none if a legal point shows the same:
// constants that are not shown may be tried with several values, of which the
// axioms single one out.
func withoutTwins(points []Point) []Point {
	key := func(p Point) string { return fmt.Sprint(p.Values) }
	best := map[string]int{}
	for i, p := range points {
		if j, ok := best[key(p)]; !ok || p.broken < points[j].broken {
			best[key(p)] = i
		}
	}
	var kept []Point
	for i, p := range points {
		if p.broken == 0 || best[key(p)] == i {
			kept = append(kept, p)
		}
	}
	return kept
}

// broken says which axioms are false.
func (e *Entry) broken(axioms []*model.Predicate) string {
	var out []string
	for _, x := range axioms {
		out = append(out, fmt.Sprintf("%s/%s (%s)", x.Origin.Component, x.Label, text.Readable(e.Bank, x.Term)))
	}
	return "violates " + strings.Join(out, ", ")
}

// stops says where the machine stops at a point.
func stops(how string, steps int, state []explore.Binding) string {
	var at []string
	for _, b := range state {
		at = append(at, b.Name+"="+b.Value)
	}
	return fmt.Sprintf("the machine %s before the end, after %d steps, at %s", how, steps, strings.Join(at, " "))
}

// longRun is the length from which on it is worth the trouble to leave a run that
// has become worse than another one.
const longRun = 1 << 20

// value finds the value of one legal point.
func (e *Entry) value(ctx context.Context, p *Point, least *big.Int, opt Options) error {
	if opt.Closed != nil {
		v, err := p.instance.Int(opt.Closed.Term)
		if err != nil {
			return fmt.Errorf("the closed form at %v: %w", p.Values, err)
		}
		p.Low, p.High, p.By = v, v, Theorem
		return nil
	}
	goal := explore.Goal{Final: e.Final, Objective: e.Objective, Steps: longRun}
	if 0 < opt.MaxSteps && opt.MaxSteps < longRun {
		goal.Steps = opt.MaxSteps
	}
	s, err := explore.Follow(ctx, e.Machine, p.instance, goal)
	if err == nil && s.End == explore.LongRun && goal.Steps != opt.MaxSteps && ctx.Err() == nil {
		if goal.AtMost, err = opt.worse(least); err != nil {
			return err
		}
		goal.Steps = opt.MaxSteps
		s, err = explore.Follow(ctx, e.Machine, p.instance, goal)
	}
	if err != nil {
		return err
	}
	p.By, p.Steps = Run, s.Steps
	switch s.End {
	case explore.Final:
		p.Low, p.High = s.Value, s.Value
	case explore.Exceeded:
		p.Above = goal.AtMost
	case explore.Stuck:
		p.Illegal = stops("stops", s.Steps, s.State)
	case explore.Cycle:
		p.Illegal = "the machine runs in a circle"
	case explore.NoValue:
		p.Illegal = "a guard or an action has no value: " + s.Why
	case explore.LongRun:
		p.Bounded = s.Why
	case explore.Forked:
		return e.exhaust(ctx, p, opt)
	}
	return nil
}

// worse returns the value at which a run can be left, nil if there is none.
func (opt Options) worse(least *big.Int) (*big.Int, error) {
	if opt.NoPruning || least == nil {
		return nil, nil
	}
	known, err := opt.proved()
	if !known.NeverDecreases {
		return nil, err
	}
	return least, err
}

// exhaust explores all schedules at a point, as far as they differ.
func (e *Entry) exhaust(ctx context.Context, p *Point, opt Options) error {
	known, err := opt.proved()
	if err != nil {
		return err
	}
	ends, err := e.ends(ctx, p, known, opt, false)
	if err != nil {
		return err
	}
	p.By, p.Steps = Exhaustive, ends.States
	if ends.States == ends.Depth+1 {
		p.By = Run // each level has one state
	}
	switch {
	case ends.Why != "" && known.Why != "":
		p.Bounded = ends.Why + ", and schedules could not be left out: " + known.Why
	case ends.Why != "":
		p.Bounded = ends.Why
	case len(ends.Findings) > 0:
		p.Illegal = "a guard or an action has no value: " + ends.Findings[0].Why
	case ends.Stuck != nil:
		last := len(ends.Stuck.Steps) - 1
		p.Illegal = stops("may stop", last, ends.Stuck.Steps[last].State)
	case ends.Least == nil:
		p.Illegal = "the machine never ends"
	default:
		p.Low, p.High = ends.Least, ends.Greatest
	}
	return nil
}

func (e *Entry) ends(ctx context.Context, p *Point, known Proved, opt Options, record bool) (*explore.Ends, error) {
	goal := explore.Goal{Final: e.Final, Objective: e.Objective, Ends: known.Ends, Record: record}
	search := explore.Options{MaxStates: opt.MaxSteps, Threads: e.Threads, Independence: known.Independence}
	return explore.AllEnds(ctx, e.Machine, p.instance, goal, search)
}

// judge finds the best points and says how much the answer is worth.
func (a *Answer) judge(least *big.Int) {
	strength := map[By]int{Theorem: 0, Run: 1, Exhaustive: 2}
	a.By = Theorem
	if a.Closed == nil {
		a.By = Run
	}
	for i := range a.Points {
		p := &a.Points[i]
		if p.Bounded != "" {
			a.Complete = false
		}
		if p.Known() && p.High.Cmp(least) == 0 {
			a.Best = append(a.Best, i)
		}
		if strength[p.By] > strength[a.By] {
			a.By = p.By
		}
	}
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
