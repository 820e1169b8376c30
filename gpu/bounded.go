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

// The grid of a launch if none is given, and how many runs there are.
const (
	boundedLocal  = 4
	boundedGroups = 2
	boundedRuns   = 256
	boundedValues = 4          // of a parameter: 0, 1, …
	boundedArrays = 3          // contents of arrays
	boundedSteps  = 40_000_000 // of all runs of one kernel
	boundedShare  = 2_000_000  // of one run at least, if so many are left
)

// RunBounded runs the kernels of a source on one grid instead of proving them, with all
// small values of parameters. A run in which no two accesses conflict is the same in every
// order of the threads, so that one order stands for all.
func RunBounded(ctx context.Context, s Source, opts Options) []Report {
	var kernels []*encode.Kernel
	var problem *encode.Problem
	if why := contained(func() { kernels, problem = s.kernels(opts.Launch) }); why != "" {
		return []Report{undecided(&encode.Kernel{File: s.Name}, nil, why)}
	}
	if problem != nil {
		return []Report{unsupported(s.Name, "", problem)}
	}
	var out []Report
	for _, k := range kernels {
		if ctx.Err() != nil {
			break
		}
		var report Report
		why := contained(func() { k = k.Loaded() })
		if why == "" {
			why = contained(func() { report = runBounded(ctx, k, opts) })
		}
		if why != "" {
			report = undecided(k, k.Assumed, why)
			report.Fault = why
		}
		report.Reader, report.Compiler = k.Reader(), k.Compiler()
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
	all := boundedArrays
	for range names {
		all = min(all*boundedValues, boundedArrays*boundedRuns)
	}
	grid := fmt.Sprintf("on a grid of %s groups of %s threads", sizes(groups), sizes(local))
	begun, ended, stopped, undecidedWhy, purse := 0, 0, 0, "", boundedSteps
	for ; begun < all && purse > 0; begun++ { // the contents of arrays change fastest
		if ctx.Err() != nil {
			return undecided(k, nil, "interrupted")
		}
		given := map[string]int64{}
		for i, n := range names {
			given[n] = values[i]
		}
		// A run without end leaves half of the steps to the others.
		share := min(purse, max(purse/2, boundedShare))
		left := share
		fault, why := k.Execute(uint64(begun%boundedArrays), local, groups, given, nil, false, &left)
		purse -= share - left
		switch {
		case fault != nil:
			f := Finding{Kind: fault.Kind, Line: fault.Line, Col: fault.Col, Verdict: verdict.Refuted, Why: fault.Why, Counterexample: k.Ran(fault, local, groups, given)}
			return bounded(k, Unsafe, grid, f)
		case why == "":
			ended++
		case left == 0:
			stopped++
		default: // such as values that the kernel does not allow
			undecidedWhy = why
		}
		if begun%boundedArrays == boundedArrays-1 {
			next(values)
		}
	}
	says := ""
	switch {
	case ended > 0:
		says = fmt.Sprintf("no fault in %d of %d runs %s, with small parameters and some array contents; other launches are not checked", ended, all, grid)
	case stopped > 0: // as far as a run came, it is a run
		says = fmt.Sprintf("no fault %s, but no run ended; give a smaller grid", grid)
	default:
		return undecided(k, nil, "no run decides: "+undecidedWhy)
	}
	if stopped > 0 {
		says += fmt.Sprintf("; %d of %d runs were stopped or left out after %d steps in total", all-begun+stopped, all, int64(boundedSteps)-int64(purse))
	}
	if undecidedWhy != "" {
		says += "; some runs are undecided: " + undecidedWhy
	}
	return bounded(k, Bounded, says)
}

// bounded is a report about runs.
func bounded(k *encode.Kernel, v Verdict, why string, findings ...Finding) Report {
	return Report{File: k.File, Kernel: k.Name, Line: k.Line, Col: k.Col, Verdict: v, Checks: append([]Finding{}, findings...), Assumed: []string{}, Why: why}
}

// next counts values up, the first one fastest.
func next(values []int64) {
	for i := range values {
		if values[i]++; values[i] < boundedValues {
			return
		}
		values[i] = 0
	}
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
