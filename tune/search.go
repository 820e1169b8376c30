package tune

import (
	"context"
	"math/big"
)

// Points begins an answer: the points of an entry, with what is illegal about them,
// none with a value. Search does so itself.
func Points(ctx context.Context, e *Entry, opt Options) (*Answer, error) {
	a, _, err := e.answer(ctx, opt)
	return a, err
}

// Search finds the value of every point of the instance, and the best ones.
func Search(ctx context.Context, entry *Entry, opt Options) (*Answer, error) {
	answer, grid, err := entry.answer(ctx, opt)
	if err != nil {
		return nil, err
	}
	if err := answer.measure(opt.Measured, opt.Unit); err != nil {
		return nil, err
	}
	var closed *evaluated
	if answer.Closed = opt.Closed; answer.Closed != nil {
		if closed, err = answer.Closed.over(grid); err != nil {
			return nil, err
		}
	}
	opt.Proved = opt.Proved.told(answer)
	next, end := entry.elsewhere(ctx, answer, opt)
	defer end()
	// The least value so far bounds the runs that follow: a run that exceeds it ends
	// early. So the order of points shows in the steps, though never in the answer.
	var least *big.Int
	for i := range answer.Points {
		point := &answer.Points[i]
		if opt.Progress != nil {
			opt.Progress(i, len(answer.Points))
		}
		// A theorem needs no run, so that it comes before the bounds on runs.
		switch {
		case point.Illegal != "" || point.By == Device:
			continue
		case point.SameAs >= 0:
			point.TakeOver(&answer.Points[point.SameAs])
			continue
		case ctx.Err() != nil:
			point.Bounded = ended(ctx)
			continue
		case closed != nil:
			if closed.value(entry, point); point.Known() {
				answer.Ended(point)
			}
			continue
		case opt.MaxSteps > 0 && answer.Steps >= opt.MaxSteps:
			point.Bounded = "steps of all points"
			continue
		}
		left := opt
		left.MaxSteps = max(0, opt.MaxSteps-answer.Steps)
		// What needed all steps of the bound might have needed more than are left.
		if x, ok := next(); ok && x.Err == nil && x.Bounded == "" && (left.MaxSteps == 0 || x.Steps < left.MaxSteps) {
			point.take(x)
		} else {
			end() // nothing is explored at the same time as this
			next = nothing
			if err := entry.Run(ctx, point, least, left); err != nil {
				return nil, err
			}
		}
		answer.Steps += point.Steps
		if !point.Known() {
			continue
		}
		answer.Ended(point)
		if cost := answer.Cost(point, 0); least == nil || cost.Cmp(least) < 0 {
			least = cost
		}
	}
	answer.Judge()
	return answer, nil
}
