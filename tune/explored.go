package tune

import (
	"context"
	"errors"
	"iter"
	"slices"
)

// Exploration is what exploring all schedules of a point gives, apart from what the point is.
type Exploration struct {
	Ranges  []Range
	By      By
	Steps   int
	Illegal string
	Bounded string
	Err     error `json:"-"`
}

// Explorer explores points, by their number in the answer, and yields what it finds in their order. here does
// one of them.
type Explorer func(ctx context.Context, points []int, here func(ctx context.Context, point int) Exploration) iter.Seq2[int, Exploration]

// Explore explores all schedules of points of an answer to the entry, by number, each within the bounds of opt.
func (e *Entry) Explore(ctx context.Context, answer *Answer, points []int, opt Options) ([]Exploration, error) {
	var out []Exploration
	for _, i := range points {
		if i < 0 || i >= len(answer.Points) || answer.Points[i].Illegal != "" {
			return nil, errors.New("a number of no valid point")
		}
		x := e.explore(ctx, answer.Points[i], opt)
		if x.Err != nil {
			return nil, x.Err
		}
		out = append(out, x)
	}
	return out, nil
}

// explore explores all schedules of a point.
func (e *Entry) explore(ctx context.Context, point Point, opt Options) Exploration {
	opt.All = true
	err := e.Run(ctx, &point, nil, opt)
	return Exploration{Ranges: point.Ranges, By: point.By, Steps: point.Steps, Illegal: point.Illegal, Bounded: point.Bounded, Err: err}
}

// take gives the point what exploring it gave.
func (p *Point) take(x Exploration) {
	p.Ranges, p.By, p.Steps, p.Illegal, p.Bounded = x.Ranges, x.By, x.Steps, x.Illegal, x.Bounded
}

// elsewhere begins to explore the points of an answer where opt says so. next returns what was found of a
// point; the points are asked for in their order. Each is explored as if it were the first: then no result depends
// on what other points took.
func (e *Entry) elsewhere(ctx context.Context, answer *Answer, opt Options) (next func() (Exploration, bool), end func()) {
	if opt.Explored == nil || !opt.All || answer.Closed != nil {
		return nothing, func() {}
	}
	var points []int
	for i := range answer.Points {
		if x := &answer.Points[i]; x.Illegal == "" && x.By != Device && x.SameAs < 0 {
			points = append(points, i)
		}
	}
	begun := slices.Clone(answer.Points) // the answer changes meanwhile
	pull, stop := iter.Pull2(opt.Explored(ctx, points, func(ctx context.Context, i int) Exploration {
		return e.explore(ctx, begun[i], opt)
	}))
	return func() (Exploration, bool) {
		_, x, ok := pull()
		return x, ok
	}, stop
}

// nothing is the next of no exploration.
func nothing() (x Exploration, ok bool) { return x, false }
