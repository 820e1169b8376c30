package discharge

import (
	"context"
	"iter"
	"runtime"
	"time"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/parallel"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/derive"
)

// outcomesAhead is how many outcomes may wait for an earlier one. It does not influence the result.
const outcomesAhead = 1024

// Run finds the verdicts of sequents, get(0) … get(n-1), in parallel, and hands
// them to done one by one in that order. get is called by several goroutines.
// When ctx ends, searches are given up, and Run returns early and says how many were done.
func Run(ctx context.Context, n int, get func(int) logic.Sequent, opts Options, done func(int, verdict.Outcome)) int {
	if opts.Purse != nil && !opts.Replay {
		return shared(ctx, n, get, opts, done)
	}
	i := 0
	return stream(ctx, parallel.Numbers(n), func(i int) (logic.Sequent, aid) {
		var a aid
		if opts.Hints != nil {
			a.hints = opts.Hints(i)
		}
		if opts.Guesses != nil {
			a.guesses = opts.Guesses(i)
		}
		return get(i), a
	}, opts, func(_ int, o verdict.Outcome) verdict.Outcome { return o }, func(o verdict.Outcome) {
		done(i, o)
		i++
	})
}

// Stream is Run for items, however many there are: get returns the sequent that one is and the hints for it,
// nil if there are none; keep, what is kept of it and its outcome until done is handed that. All but done
// are called by other goroutines, items by one. Options.Hints and Options.Guesses are not asked.
func Stream[T, R any](ctx context.Context, items iter.Seq[T], get func(T) (logic.Sequent, *derive.Node), opts Options, keep func(T, verdict.Outcome) R, done func(R)) int {
	opts.Guesses = nil
	return stream(ctx, items, func(item T) (logic.Sequent, aid) {
		sequent, hints := get(item)
		return sequent, aid{hints: hints}
	}, opts, keep, done)
}

// aid is what helps to search for one sequent, apart from its own text.
type aid struct {
	hints   *derive.Node // nil if there are none
	guesses *Guesses     // nil if there are none
}

// stream discharges the sequents of items in parallel, and hands what keep makes of the outcomes to done in order.
func stream[T, R any](ctx context.Context, items iter.Seq[T], get func(T) (logic.Sequent, aid), opts Options, keep func(T, verdict.Outcome) R, done func(R)) int {
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
	type kept struct {
		value R
		told  verdict.Outcome
		whole bool // the search was not cut short
	}
	var prints printers // a fingerprint is the same, wherever it was computed
	search := func(item T) kept {
		if ctx.Err() != nil {
			return kept{}
		}
		start, waited, opts := time.Now(), time.Duration(0), opts
		opts.waited = &waited
		outcome := contained(ctx, func() (logic.Sequent, aid) { return get(item) }, &prints, opts)
		outcome.Elapsed = time.Since(start) - waited
		if ctx.Err() != nil {
			return kept{}
		}
		return kept{keep(item, outcome), verdict.Outcome{Beside: outcome.Beside, Fault: outcome.Fault}, true}
	}
	until := func(yield func(T) bool) {
		for item := range items {
			if ctx.Err() != nil || !yield(item) {
				return
			}
		}
	}
	n, whole := 0, true
	for x := range parallel.Stream(until, atOnce, outcomesAhead, search) {
		if whole = whole && x.whole; !whole {
			continue // all searches end before Stream does
		}
		opts.Tell("", x.told)
		done(x.value)
		n++
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
		if guesses := opts.Guesses; guesses != nil {
			opts.Guesses = func(i int) *Guesses { return guesses(asked[i]) }
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
