// Package baselines implements two published tuning methods, for comparison with
// tune.Search. Both ask a model checker for a run whose final objective is at most T:
// Bisect searches for the least T by bisection, Swarm by random runs.
package baselines

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"

	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/tune"
)

// Bisect finds the least objective by bisection on T: is there a legal point
// whose schedules end, all or one as the criterion says, with the objective at most
// T? Each question is answered by looking at all valid points again. asked is the
// number of questions.
func Bisect(ctx context.Context, entry *tune.Entry, opt tune.Options) (answer *tune.Answer, asked int, err error) {
	if err := single(entry); err != nil {
		return nil, 0, err
	}
	answer, err = tune.Points(ctx, entry, opt)
	if err != nil {
		return nil, 0, err
	}
	b := &bisection{e: entry, a: answer, opt: opt}
	high, err := b.atMost(ctx, nil)
	if high == nil || err != nil {
		return answer, b.asked, err // no legal point ends
	}
	// The published question begins at 0. An objective may be less.
	low := big.NewInt(-1)
	for {
		less, err := b.atMost(ctx, low)
		if err != nil {
			return nil, b.asked, err
		}
		if less == nil {
			break
		}
		high, low = less, new(big.Int).Lsh(low, 1)
		if low.Cmp(high) >= 0 {
			low.Lsh(high, 1)
		}
	}
	for one := big.NewInt(1); new(big.Int).Sub(high, low).Cmp(one) > 0; {
		bound := new(big.Int).Add(high, low)
		less, err := b.atMost(ctx, bound.Rsh(bound, 1))
		switch {
		case err != nil:
			return nil, b.asked, err
		case less == nil:
			low = bound
		default:
			high = less
		}
	}
	return answer, b.asked, nil
}

// single refuses entries with several objectives: a question has one bound.
func single(entry *tune.Entry) error {
	if len(entry.Objectives) > 1 {
		return errors.New("the published methods know one objective; leave --method out for several")
	}
	return nil
}

type bisection struct {
	e     *tune.Entry
	a     *tune.Answer
	opt   tune.Options
	asked int
}

// atMost returns the value of a point that ends with the objective at most bound,
// nil if there is none. It judges the answer by what is known.
func (b *bisection) atMost(ctx context.Context, bound *big.Int) (value *big.Int, err error) {
	b.asked++
	// The published method builds a model checker for each question, so nothing is
	// remembered from one question to the next here either.
	for i := range b.a.Points {
		point := &b.a.Points[i]
		switch {
		case point.Illegal != "":
			continue
		case point.SameAs >= 0:
			point.TakeOver(&b.a.Points[point.SameAs])
			continue
		case ctx.Err() != nil:
			point.Bounded = "interrupted"
		default:
			point.Forget()
			left := b.opt
			if left.MaxSteps = max(0, b.opt.MaxSteps-b.a.Steps); b.opt.MaxSteps > 0 && left.MaxSteps == 0 {
				point.Bounded = "steps of all points"
				break
			}
			if err := b.e.Run(ctx, point, bound, left); err != nil {
				return nil, err
			}
			if b.a.Steps += point.Steps; point.Known() {
				b.a.Ended(point)
			}
		}
		// The first point within the bound answers the question; the others are not run.
		if point.Known() && (bound == nil || b.a.Cost(point, 0).Cmp(bound) <= 0) {
			value = b.a.Cost(point, 0)
			break
		}
	}
	b.a.Judge()
	return value, nil
}

// A swarm is so many runs at random points by random schedules, each of at most so many
// steps.
const (
	swarmRuns  = 64
	swarmSteps = 1 << 20
)

// Swarm asks swarms of random runs for an end with the objective less than the last one
// found. It stops as the published search does: when a swarm that takes no longer than the
// one before finds nothing better. Time is counted in steps, so that the answer is the same
// everywhere. It proves nothing: the answer is never complete, and what it asks is whether
// some schedule ends so well.
func Swarm(ctx context.Context, entry *tune.Entry, seed uint64, opt tune.Options) (*tune.Answer, error) {
	if err := single(entry); err != nil {
		return nil, err
	}
	answer, err := tune.Points(ctx, entry, opt)
	if err != nil {
		return nil, err
	}
	answer.Criterion = tune.Best
	s := &swarm{entry: entry, answer: answer, random: rand.New(rand.NewPCG(seed, 0)), opt: opt}
	for i := range answer.Points {
		if point := &answer.Points[i]; point.Illegal == "" {
			point.Bounded = "not drawn"
			s.legal = append(s.legal, i)
		}
	}
	allowed := opt.MaxSteps
	for better := len(s.legal) > 0; better; {
		if better, allowed, err = s.launch(ctx, allowed); err != nil {
			return nil, err
		}
	}
	answer.Judge()
	answer.Complete = false
	return answer, nil
}

type swarm struct {
	entry  *tune.Entry
	answer *tune.Answer
	opt    tune.Options
	legal  []int // indices of points
	random *rand.Rand
	least  *big.Int // cost
}

// launch makes the runs of one swarm, of at most allowed steps together (0: no bound). It
// says whether one was better than all before, and how many steps they took.
func (s *swarm) launch(ctx context.Context, allowed int) (better bool, steps int, err error) {
	goal := s.entry.Goal()
	goal.AtMost, goal.Memory, goal.Random = s.least, s.opt.MaxMemory, s.random
	for range swarmRuns {
		if ctx.Err() != nil || allowed > 0 && steps >= allowed {
			break
		}
		goal.Steps = swarmSteps
		if allowed > 0 {
			goal.Steps = min(goal.Steps, allowed-steps)
		}
		point := &s.answer.Points[s.legal[s.random.IntN(len(s.legal))]]
		run, err := simulate.Follow(ctx, s.entry.Machine, point.Instance(), goal)
		if err != nil {
			return false, steps, err
		}
		steps += run.Steps + 1
		s.answer.Steps += run.Steps
		switch {
		case run.End != simulate.Final && !point.Known():
			point.Bounded = string(run.End)
		case run.End == simulate.Final && (s.least == nil || run.Values[0].Cmp(s.least) < 0):
			s.least, better = run.Values[0], true
			point.Forget()
			point.Take(s.entry, run)
			s.answer.Ended(point)
		}
	}
	return better, steps, nil
}
