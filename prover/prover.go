package prover

import (
	"fmt"
	"math"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/instance"
	"github.com/gradine/gradine/prover/internal/search"
	"github.com/gradine/gradine/prover/kernel"
)

// Verdict is what Prove found.
type Verdict uint8

// The verdicts.
const (
	Open    Verdict = iota
	Proved          // the kernel accepted a proof
	Vacuous         // likewise, and the proof does not use the goal
)

// String returns the verdict as reports spell it.
func (v Verdict) String() string { return [...]string{"open", "proved", "vacuous"}[v] }

// Options bound the search. The zero value asks for the default budget.
type Options struct {
	Steps int64 // units of work in all; 0 for the default
	// Aside, if not nil, is called once, between two attempts, as soon as After steps are spent. If it
	// reports true, the search ends.
	Aside func() bool
	After int64
	// Stop, if not nil, is called every few hundred microseconds. Once it reports true, the
	// search ends without a proof and Result.Stopped is set.
	Stop func() bool
	// Undefined, if not nil, reports the hypotheses of which D is not granted, and -1 of
	// the goal, as it is in parts of a sequent.
	Undefined func(i int) bool
}

// DefaultSteps is the default budget of one sequent, in units of work: visits of
// clauses, terms and candidates.
const DefaultSteps = 9_000_000

// Result is the outcome of Prove.
type Result struct {
	Verdict Verdict
	Sequent logic.Sequent // the bare sequent, in whose bank the proof is
	Proof   *kernel.Proof // nil if open
	Checked kernel.Result // what the proof rests on
	Steps   int64         // work spent
	Tried   []Attempt
	Stopped bool // Options.Stop ended the search: Open says nothing about the sequent
	// Exhausted says that every attempt ended before its budget: more steps prove no more.
	Exhausted bool
	// Uncertified counts proofs that the kernel refused: defects of the search.
	Uncertified int
	// Refusal is what the kernel said of the last of these.
	Refusal error

	trail *trail // nil after the search
}

// Attempt is one strategy of the schedule that was tried.
type Attempt struct {
	Strategy  string
	Hyps      []int        // hypotheses it had, the nearest to the goal first
	Saturated bool         // gave up before its budget was spent
	Model     []kernel.Lit // what held, with the goal false, at the end of an attempt without proof
	search.Counters
}

// Prove looks for a proof of s. The result depends on s and opts.Steps alone, unless
// opts.Stop or opts.Aside ends the search. What a budget proves, a larger one proves by the same attempts.
func Prove(sequent logic.Sequent, opts Options) Result {
	if opts.Steps == 0 {
		opts.Steps = DefaultSteps
	}
	r := begin(sequent)
	// What is left of a budget after the last strategy is for the same attempts with more steps each.
	for scale := int64(1); r.climb(schedule, scale, &opts); scale *= again {
	}
	r.trail = nil
	return r
}

// again is how many times as much a strategy may spend in the next round.
const again = 4

// trail is what the attempts at one sequent have in common.
type trail struct {
	table *instance.Table
	hyps  *neighbourhood
	spent map[effort]int64 // steps that an attempt had; done if more are pointless
	ended []saturation     // of attempts that are made directly
}

const done = math.MaxInt64

func begin(sequent logic.Sequent) (r Result) {
	r.Sequent = sequent.Bare()
	r.trail = &trail{table: instance.NewTable(r.Sequent.Bank), hyps: newNeighbourhood(r.Sequent), spent: map[effort]int64{}}
	return r
}

// climb looks for a proof by the given strategies, with scale times their steps, and reports whether there is none, but steps are left
// that may find one.
func (r *Result) climb(strategies []strategy, scale int64, opts *Options) bool {
	before := r.Steps
	for _, strategy := range strategies {
		if opts.Aside != nil && r.Steps >= opts.After {
			if opts.Aside() {
				return false
			}
			opts.Aside = nil
		}
		if r.try(strategy, min(opts.Steps-r.Steps, scale*strategy.steps), *opts) || r.Stopped || r.Steps >= opts.Steps {
			return false
		}
	}
	r.Exhausted = r.Steps == before
	return !r.Exhausted
}

// try makes the attempts of a strategy within the given steps in all, and reports whether one found a proof.
func (r *Result) try(strategy strategy, steps int64, opts Options) (won bool) {
	byParts := r.byParts(strategy.by)
	var chosen []int
	if byParts == nil {
		chosen = strategy.hyps(r.trail.hyps)
		strategy.Uncounted = strategy.steps <= uncounted && r.trail.hyps.countsAside(chosen)
	}
	// Two selections often agree on a small sequent; the second attempt would repeat the first.
	e := effortOf(strategy, chosen)
	if r.trail.spent[e] >= steps || byParts == nil && strategy.by == directly && r.trail.seen(chosen, strategy.Direction) {
		return false
	}
	r.trail.spent[e] = steps
	before := len(r.Tried)
	if byParts != nil {
		won = r.contained(func() bool { return byParts(strategy, opts, steps) })
	} else {
		starts := ways(r.Sequent, strategy.by)
		for _, axioms := range starts {
			won = r.attempt(strategy, chosen, axioms, max(1, steps/int64(len(starts))), opts) // 0 would mean no bound
			if won || r.Stopped {
				return won
			}
		}
	}
	// Nothing was left to try: more steps find no more.
	if len(r.Tried) > before && !slices.ContainsFunc(r.Tried[before:], func(a Attempt) bool { return !a.Saturated }) {
		r.trail.spent[e] = done
		if byParts == nil && strategy.by == directly {
			r.trail.ended = append(r.trail.ended, saturation{chosen, strategy.Direction})
		}
	}
	return won
}

// uncounted is the number of steps up to which an attempt takes counts for mere numbers unless the goal counts: what counting
// brings in would be most of what it looks at.
const uncounted = 64_000

// byParts returns the way to look for a proof by several attempts, if a scheme is one.
func (r *Result) byParts(by scheme) func(strategy strategy, opts Options, steps int64) bool {
	switch by {
	case apart:
		return r.conjuncts
	case unfolding:
		return r.unfolded
	case calculating:
		return r.calculated
	case casewise, within:
		return r.casewise
	case partwise, partsWithin:
		return r.alike
	case addendwise:
		return r.addends
	case shaping:
		return r.shaped
	case fixing:
		return r.fixed
	case inOrder:
		return r.ordered
	case factwise:
		return r.contradictionNearFacts
	case stepwise, granted, complete, dividing, digitwise:
		return r.inductively
	}
	return nil
}

// quick is the number of steps up to which an attempt is too short to ask where terms are defined for all values: instances of D
// would be most of what it looks at.
const quick = 16_000

// attempt runs one strategy within the given steps and reports whether it found a proof. A panic in
// the search is a defect: it costs the strategy and is counted.
func (r *Result) attempt(strategy strategy, hyps []int, axioms []kernel.Step, steps int64, opts Options) (won bool) {
	defer r.contain(&won)
	out := search.Refute(r.Sequent, search.Options{
		Hyps: hyps, WDs: true, NoGoal: strategy.by == aimless, Steps: steps, Direction: strategy.Direction,
		Table: r.trail.table, Axioms: axioms, Stop: opts.Stop, Undefined: opts.Undefined, Follow: (strategy.steps <= quick || strategy.Start == 0) && !strategy.Precede,
	})
	r.Steps += out.Steps
	r.Stopped = out.Stopped
	if strategy.by == aimless {
		out.Model = nil // it says nothing of the goal
	}
	r.Tried = append(r.Tried, Attempt{strategy.name, hyps, out.Saturated, out.Model, out.Counters})
	return out.Proof != nil && r.accept(r.Sequent, out.Proof)
}

// contain ends an attempt that broke off: a defect, which is counted.
func (r *Result) contain(won *bool) {
	if p := recover(); p != nil {
		r.Uncertified++
		r.Refusal = fmt.Errorf("prover: the search broke off: %v", p)
		*won = false
	}
}

// contained returns what search returns, or false if it breaks off.
func (r *Result) contained(search func() bool) (won bool) {
	defer r.contain(&won)
	return search()
}

// accept makes proof, of a sequent that says what r.Sequent says, the result if the kernel accepts it.
func (r *Result) accept(sequent logic.Sequent, proof *kernel.Proof) bool {
	checked, err := kernel.Check(sequent, proof)
	if err != nil {
		r.Uncertified++
		r.Refusal = err
		return false
	}
	r.Sequent, r.Proof, r.Checked, r.Verdict = sequent, proof, checked, Proved
	if checked.Vacuous() {
		r.Verdict = Vacuous
	}
	return true
}
