package infer

import (
	"context"
	"slices"
	"sync"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/infer/internal/guess"
	"github.com/gradine/gradine/lang/model"
)

// collectSamples runs m in the set-ups and returns states from all over the searches.
func collectSamples(ctx context.Context, m *model.Machine, at [][]*explore.Instance) []guess.Sample {
	one := *m
	one.Inherited, one.Invariants = nil, nil
	parts := make([][]guess.Sample, len(at))
	var wg sync.WaitGroup
	for k, group := range at {
		wg.Go(func() {
			for _, in := range group {
				parts[k] = append(parts[k], samplesOf(ctx, m, &one, in)...)
			}
		})
	}
	wg.Wait()
	return slices.Concat(parts...)
}

// samplesOf returns states of machine one, which is m without invariants.
func samplesOf(ctx context.Context, m, one *model.Machine, in *explore.Instance) (out []guess.Sample) {
	opt := explore.Options{
		MaxStates: runStates, MaxTried: runTried, MaxMemory: runMemory, NoDeadlock: true, NoInvariants: true, KeepGoing: true, Sample: sampledStates,
		Refinement: len(vanished(m)) > 0,
	}
	r, err := explore.Run(ctx, one, in, opt)
	if err != nil && opt.Refinement {
		opt.Refinement = false // the abstract machine cannot go along
		r, err = explore.Run(ctx, one, in, opt)
	}
	if err != nil {
		return nil
	}
	constants := in.Bindings(m)
	for _, state := range r.Sample {
		s := guess.NewSample()
		for _, b := range slices.Concat(constants, state) {
			s.Set(b.Name, b.Value)
		}
		out = append(out, s)
	}
	return out
}
