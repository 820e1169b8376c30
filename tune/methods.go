package tune

import (
	"context"
	"math/big"
	"math/rand/v2"

	"github.com/gradine/gradine/explore"
)

// The methods of the paper that the published models come from, for comparison
// with Search. Both ask a model checker for a run that ends with the objective
// at most T.

// Bisect finds the least objective by bisection on T: is there a legal point and
// a schedule that ends with the objective at most T? Each question is answered
// completely, by looking at all legal points, unless a bound is reached. asked is
// the number of questions.
func Bisect(ctx context.Context, e *Entry, given []Given, opt Options) (a *Answer, asked int, err error) {
	a = &Answer{Entry: e.Name, Objective: e.Objective, Given: given, Complete: true, By: Run}
	for _, s := range e.Shown {
		a.Names = append(a.Names, s.Name)
	}
	if err := e.points(a, given); err != nil {
		return nil, 0, err
	}
	opt.Closed = nil
	var high *big.Int // a run ends with this; nil if none is known
	low := big.NewInt(-1)
	for {
		var bound *big.Int
		if high != nil {
			if new(big.Int).Sub(high, low).Cmp(big.NewInt(1)) <= 0 {
				break
			}
			bound = new(big.Int).Rsh(new(big.Int).Add(high, low), 1)
		}
		asked++
		witness, err := e.someAtMost(ctx, a, bound, opt)
		switch {
		case err != nil:
			return nil, asked, err
		case witness == nil && bound == nil:
			return a, asked, nil // no legal point ends
		case witness == nil:
			low = bound
		default:
			high = witness.Low
			a.Best = []int{indexOf(a.Points, witness)}
		}
	}
	return a, asked, nil
}

func indexOf(points []Point, p *Point) int {
	for i := range points {
		if &points[i] == p {
			return i
		}
	}
	return -1
}

// someAtMost returns a point that ends with the objective at most bound, or nil.
func (e *Entry) someAtMost(ctx context.Context, a *Answer, bound *big.Int, opt Options) (*Point, error) {
	for i := range a.Points {
		p := &a.Points[i]
		if p.Illegal != "" {
			continue
		}
		*p = Point{Values: p.Values, instance: p.instance}
		if err := e.value(ctx, p, bound, opt); err != nil {
			return nil, err
		}
		a.Steps += p.Steps
		if p.Bounded != "" {
			a.Complete = false
		}
		if p.Known() && (bound == nil || p.Low.Cmp(bound) <= 0) {
			return p, nil
		}
	}
	return nil, nil
}

// Swarm makes runs at points drawn at random, each of at most steps events, and
// stops when as many runs in a row as there are legal points have brought nothing
// better. It proves nothing: the answer is never complete.
func Swarm(ctx context.Context, e *Entry, given []Given, seed uint64, opt Options) (*Answer, error) {
	a := &Answer{Entry: e.Name, Objective: e.Objective, Given: given, By: Run}
	for _, s := range e.Shown {
		a.Names = append(a.Names, s.Name)
	}
	if err := e.points(a, given); err != nil {
		return nil, err
	}
	var legal []int
	for i := range a.Points {
		if a.Points[i].Illegal == "" {
			legal = append(legal, i)
		}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	var least *big.Int
	for idle := 0; idle < len(legal) && ctx.Err() == nil; idle++ {
		i := legal[random.IntN(len(legal))]
		p := &a.Points[i]
		goal := explore.Goal{Final: e.Final, Objective: e.Objective, AtMost: least, Steps: opt.MaxSteps}
		s, err := explore.Follow(ctx, e.Machine, p.instance, goal)
		if err != nil {
			return nil, err
		}
		a.Steps += s.Steps
		if s.End != explore.Final {
			p.Bounded = string(s.End)
			continue
		}
		*p = Point{Values: p.Values, instance: p.instance, Low: s.Value, High: s.Value, By: Run, Steps: s.Steps}
		switch {
		case least == nil || s.Value.Cmp(least) < 0:
			least, a.Best, idle = s.Value, []int{i}, 0
		}
	}
	return a, nil
}
