package infer

import (
	"context"
	"slices"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/infer/internal/guess"
	"github.com/gradine/gradine/internal/parallel"
	"github.com/gradine/gradine/lang/model"
)

// collectSamples runs m in the set-ups and returns states from all over the searches.
func collectSamples(ctx context.Context, m *model.Machine, at [][]*explore.Instance) []guess.Sample {
	one := *m
	one.Inherited, one.Invariants = nil, nil
	parts := make([][]guess.Sample, len(at))
	for k, found := range parallel.InOrder(len(at), len(at), func(k int) (out []guess.Sample) {
		for _, in := range at[k] {
			out = append(out, samplesOf(ctx, m, &one, in)...)
		}
		return out
	}) {
		parts[k] = found
	}
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
