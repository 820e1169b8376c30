package infer

import (
	"context"
	"time"

	"github.com/gradine/gradine/lang/model"
)

// Took returns how long the engines of opts, at one time, and Houdini behind them take to
// keep of the candidates for s all that is inductive; guessing is not counted.
func Took(ctx context.Context, s Subject, opts Options) (time.Duration, error) {
	opts = opts.filled()
	opts.All, opts.For, opts.Parallel, opts.Setups = true, "", true, s.Setups
	t, err := newTrial(ctx, s, opts)
	if err != nil {
		return 0, err
	}
	return t.took(ctx)
}

// With returns dev and m with candidates among the invariants of m, in their order
// behind its own.
func With(dev *model.Development, m *model.Machine, candidates []Candidate) (*model.Development, *model.Machine) {
	return with(dev, m, candidates, len(m.Invariants))
}
