// Package published owns the methods of the paper that the published models come
// from, for comparison with tune.Search. Both ask a model checker for a run that ends
// with the objective at most T: by bisection on T, or by a swarm of random runs.
package published

import (
	"context"
	"math/big"
	"math/rand/v2"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/tune"
)

// Bisect finds the least objective by bisection on T: is there a legal point
// whose schedules end, all or one as the criterion says, with the objective at most
// T? Each question is answered by looking at all legal points anew. asked is the
// number of questions.
func Bisect(ctx context.Context, entry *tune.Entry, opt tune.Options) (answer *tune.Answer, asked int, err error) {
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
			b.a.Steps += point.Steps
		}
		// The first point within the bound answers the question; the others are not run.
		if point.Known() && (bound == nil || b.a.Worth(point).Cmp(bound) <= 0) {
			value = b.a.Worth(point)
			break
		}
	}
	b.a.Judge()
	return value, nil
}

// Swarm makes runs at points drawn at random, each of at most steps events, and
// stops when as many runs in a row as there are legal points have brought nothing
// better. It proves nothing: the answer is never complete.
func Swarm(ctx context.Context, entry *tune.Entry, seed uint64, opt tune.Options) (*tune.Answer, error) {
	answer, err := tune.Points(ctx, entry, opt)
	if err != nil {
		return nil, err
	}
	var legal []int
	for i := range answer.Points {
		if point := &answer.Points[i]; point.Illegal == "" {
			point.Bounded = "not drawn"
			legal = append(legal, i)
		}
	}
	// Runs stop at the first end that is no better, as the published never-claim does.
	random := rand.New(rand.NewPCG(seed, 0))
	var least *big.Int
	// As many draws in vain as there are points end the search: then it is unlikely,
	// though not excluded, that a better one was missed.
	for idle := 0; idle < len(legal) && ctx.Err() == nil; idle++ {
		point := &answer.Points[legal[random.IntN(len(legal))]]
		goal := explore.Goal{Final: entry.Final, Objective: entry.Objective, AtMost: least, Steps: opt.MaxSteps, Memory: opt.MaxMemory}
		s, err := explore.Follow(ctx, entry.Machine, point.Instance(), goal)
		if err != nil {
			return nil, err
		}
		answer.Steps += s.Steps
		if s.End != explore.Final {
			if !point.Known() {
				point.Bounded = string(s.End)
			}
			continue
		}
		point.Forget()
		point.Low, point.High, point.By, point.Steps = s.Value, s.Value, tune.Run, s.Steps
		if least == nil || s.Value.Cmp(least) < 0 {
			least, idle = s.Value, 0
		}
	}
	answer.Judge()
	answer.Complete = false
	return answer, nil
}
