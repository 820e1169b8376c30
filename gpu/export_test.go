package gpu

import (
	"context"
	"slices"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/gpu/encode"
)

// Proves reports whether all kernels of a text would be safe, each obligation within some steps: as File does, but without a look for
// counterexamples, runs and explanations, and only up to the first obligation that is not proved. What is not read has a reason.
func Proves(ctx context.Context, name string, src []byte, opts Options, steps int64) (proved bool, unread string) {
	kernels, problem := read(name, src, opts.Launch)
	if problem != nil {
		return false, problem.Construct
	}
	for _, k := range kernels {
		k = k.Loaded().Linear()
		if k.Problem != nil {
			return false, k.Problem.Construct
		}
		defined := k.Exact(false)
		if !provesOne(ctx, k, opts, steps) && (defined == nil || !provesOne(ctx, defined, opts, steps)) {
			return false, ""
		}
	}
	return true, ""
}

func provesOne(ctx context.Context, k *encode.Kernel, opts Options, steps int64) bool {
	search := newSearch(ctx, opts)
	models, problem, err := search.models(k)
	if problem != nil || err != nil || waiting(models) != "" {
		return false
	}
	for _, m := range models {
		if says([]*encode.Model{m}, noLaunch) {
			return false
		}
		for _, r := range firstsOf(ctx, m, search.opts, steps) {
			if !r.Verdict.Holds() {
				return false
			}
		}
	}
	return true
}

// firstsOf are the verdicts of the obligations of a model, up to some with one that is not proved.
func firstsOf(ctx context.Context, m *encode.Model, opts Options, steps int64) (out []verdict.Result) {
	all, err := obligations(m, opts)
	if err != nil {
		panic(err)
	}
	o := opts.Discharge
	o.Steps = steps
	for some := range slices.Chunk(all, 8) {
		results := run(ctx, some, o, opts.Debug)
		out = append(out, results...)
		if slices.ContainsFunc(results, func(r verdict.Result) bool { return !r.Verdict.Holds() }) {
			break
		}
	}
	return out
}

// Lesser judges a file as File does, but for what is left out: what some rules guess, and unrolling if rolled. It calls searched after each
// search. Where something is left out, only whether a kernel is safe is as File says.
func Lesser(ctx context.Context, name string, src []byte, without encode.Rules, rolled bool, searched func(k *encode.Kernel, s encode.Scope, found encode.Tally)) []Report {
	return File(ctx, name, src, Options{without: without, rolled: rolled, onlySafe: rolled || without != 0, searched: searched})
}
