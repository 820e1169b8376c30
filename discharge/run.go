package discharge

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/derive"
)

// Run finds the verdicts of sequents, get(0) … get(n-1), in parallel, and hands
// them to done one by one in that order. get is called by several goroutines.
// When ctx ends, searches are given up, and Run returns early and says how many were done.
func Run(ctx context.Context, n int, get func(int) logic.Sequent, opts Options, done func(int, verdict.Outcome)) int {
	if opts.Store != nil {
		defer opts.Store.Trim()
	}
	workers := opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	atOnce := workers
	if opts.Ahead > 0 && len(opts.Sources) > 0 {
		opts.slots = &slots{free: workers}
		atOnce += opts.Ahead
	}
	var prints printers // a fingerprint is the same, whoever computed it
	// One channel a sequent, with room for its outcome: workers never wait for the order in
	// which done gets them.
	results := make([]chan verdict.Outcome, n)
	for i := range results {
		results[i] = make(chan verdict.Outcome, 1)
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(atOnce, n) {
		wg.Go(func() {
			for i := range next {
				start, waited, opts := time.Now(), time.Duration(0), opts
				opts.waited = &waited
				outcome := contained(ctx, func() (logic.Sequent, *derive.Node) {
					var hints *derive.Node
					if opts.Hints != nil {
						hints = opts.Hints(i)
					}
					return get(i), hints
				}, &prints, opts)
				outcome.Elapsed = time.Since(start) - waited
				if ctx.Err() != nil {
					return // the search may have been cut short
				}
				results[i] <- outcome
			}
		})
	}
	go func() {
		defer close(next)
		for i := range n {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer wg.Wait()
	for i := range n {
		select {
		case outcome := <-results[i]:
			opts.Tell("", outcome)
			done(i, outcome)
		case <-ctx.Done():
			return i
		}
	}
	return n
}

// RunToCommit is Run for results that are committed: what a search with the default
// budget finds comes first, so that only what it does not find needs a committed
// certificate: one that is there already, or one of a search with more steps. Such
// results are marked as Committed.
func RunToCommit(ctx context.Context, n int, get func(int) logic.Sequent, opts Options, more int64, done func(int, verdict.Outcome)) int {
	if opts.Steps == 0 {
		opts.Steps = prover.DefaultSteps
	}
	outcomes := make([]verdict.Outcome, n)
	var open []int // indices of what nothing has decided so far
	again := func(opts Options) int {
		asked := open
		open = nil
		if hints := opts.Hints; hints != nil {
			opts.Hints = func(i int) *derive.Node { return hints(asked[i]) }
		}
		return Run(ctx, len(asked), func(i int) logic.Sequent { return get(asked[i]) }, opts, func(i int, outcome verdict.Outcome) {
			if outcome.Verdict == verdict.Open {
				open = append(open, asked[i])
				return
			}
			outcome.Committed = outcome.Verdict.Holds()
			outcomes[asked[i]] = outcome
		})
	}
	first := opts
	first.Committed = nil
	reached := Run(ctx, n, get, first, func(i int, outcome verdict.Outcome) {
		outcomes[i] = outcome
		if outcome.Verdict == verdict.Open {
			open = append(open, i)
		}
	})
	replay := opts
	replay.Replay = true
	again(replay)
	if more > opts.Steps {
		first.Steps = more
		again(first)
	}
	if ctx.Err() != nil {
		return 0 // less than all of it is not committed
	}
	for i := range reached {
		done(i, outcomes[i])
	}
	return reached
}
