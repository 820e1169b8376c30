package gpu

import (
	"context"
	"fmt"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/gpu/encode"
)

// Bounded is the verdict of runs that have shown nothing: of these grids and values, and
// of no others.
const Bounded Verdict = "bounded"

// The grid of a launch that nobody has given, and how many runs there are.
const (
	boundedLocal  = 4
	boundedGroups = 2
	boundedRuns   = 256
	boundedValues = 4 // of a parameter: 0, 1, …
	boundedArrays = 3 // contents of arrays
)

// RunBounded runs the kernels of a file on one grid instead of proving them, with all
// small values of parameters. A run in which no two accesses conflict is the same in every
// order of the threads, so that one order stands for all.
func RunBounded(ctx context.Context, name string, src []byte, opts Options) []Report {
	var kernels []*encode.Kernel
	var problem *encode.Problem
	if why := contained(func() { kernels, problem = read(name, src, opts.Launch) }); why != "" {
		return []Report{undecided(&encode.Kernel{File: name}, nil, why)}
	}
	if problem != nil {
		return []Report{unsupported(name, "", problem)}
	}
	var out []Report
	for _, k := range kernels {
		if ctx.Err() != nil {
			break
		}
		var report Report
		if why := contained(func() { report = runBounded(ctx, k, opts) }); why != "" {
			report = undecided(k, k.Assumed, why)
			report.Fault = why
		}
		out = append(out, report)
	}
	return out
}

// runBounded runs a kernel on one NDRange. Without a failure its verdict is bounded.
func runBounded(ctx context.Context, k *encode.Kernel, opts Options) Report {
	switch {
	case k.Problem != nil, k.Unchecked != "":
		return judge(ctx, k, opts)
	case k.Run != nil:
		r := program(ctx, k, opts)
		if r.Verdict == Safe {
			r.Verdict = Bounded
		}
		return r
	}
	r := Report{File: k.File, Kernel: k.Name, Line: k.Line, Col: k.Col, Verdict: Bounded, Checks: []Finding{}, Assumed: []string{}}
	local, groups := k.Launch()
	for d := range 3 {
		if local[d] == 0 {
			local[d] = []int64{boundedLocal, 1, 1}[d]
		}
		if groups[d] == 0 {
			groups[d] = []int64{boundedGroups, 1, 1}[d]
		}
	}
	if k.Restrained() {
		return undecided(k, nil, "the file restricts runs by axioms or by threads in lockstep, which runs do not support")
	}
	names := k.Parameters()
	values := make([]int64, len(names))
	runs, decided, undecidedWhy := 0, 0, ""
	for more := true; more && runs < boundedRuns; runs++ {
		given := map[string]int64{}
		for i, n := range names {
			given[n] = values[i]
		}
		for sample := range uint64(boundedArrays) {
			if ctx.Err() != nil {
				return undecided(k, nil, "interrupted")
			}
			fault, why := k.Execute(sample, local, groups, given, nil, false)
			if why != "" { // such as values that the kernel does not allow
				undecidedWhy = why
				continue
			}
			decided++
			if fault != nil {
				r.Verdict = Unsafe
				r.Checks = []Finding{{Kind: fault.Kind, Line: fault.Line, Col: fault.Col, Verdict: verdict.Refuted, Why: fault.Why}}
				r.Why = fmt.Sprintf("on a grid of %s groups of %s threads", sizes(groups), sizes(local))
				for i, n := range names {
					r.Why += fmt.Sprintf(", %s = %d", n, values[i])
				}
				return r
			}
		}
		more = next(values)
	}
	if decided == 0 {
		return undecided(k, nil, "no run decides: "+undecidedWhy)
	}
	r.Why = fmt.Sprintf("no fault in %d of %d runs on a grid of %s groups of %s threads, with small parameters and some array contents; other launches are not checked", decided, runs*boundedArrays, sizes(groups), sizes(local))
	if undecidedWhy != "" {
		r.Why += "; the other runs are undecided: " + undecidedWhy
	}
	return r
}

// next counts values up, the first one fastest; it reports false behind the last.
func next(values []int64) bool {
	for i := range values {
		if values[i]++; values[i] < boundedValues {
			return true
		}
		values[i] = 0
	}
	return false
}

func sizes(n [3]int64) string {
	switch {
	case n[1] == 1 && n[2] == 1:
		return fmt.Sprint(n[0])
	case n[2] == 1:
		return fmt.Sprintf("%d×%d", n[0], n[1])
	}
	return fmt.Sprintf("%d×%d×%d", n[0], n[1], n[2])
}
