package discharge

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/kernel"
	"github.com/gradine/gradine/prover/refute"
)

// Verdict of an obligation.
type Verdict string

// The verdicts.
const (
	Proved  Verdict = "proved"  // the kernel accepted a certificate
	Vacuous Verdict = "vacuous" // likewise, and the certificate does not need the goal
	Refuted Verdict = "refuted" // the exact evaluator confirmed a counterexample
	Open    Verdict = "open"    // none of these within the budget
)

// Holds reports whether the kernel has accepted a certificate.
func (v Verdict) Holds() bool { return v == Proved || v == Vacuous }

// Options say how hard to try. The zero value proves with the default budget on
// all cores and stores nothing.
type Options struct {
	Steps   int64 // budget of a search; 0 for the prover's default
	Workers int   // 0 for all cores; has no influence on the result
	Store   *Store
	// Committed are certificates that count before any search.
	Committed *Certificates
	Replay    bool // check committed certificates, search nothing
	// RefuteSteps is the budget of a search for a counterexample; 0 for none.
	RefuteSteps int
	OnlyRefute  bool // look for counterexamples, prove nothing
}

// Outcome is what became of one sequent.
type Outcome struct {
	Verdict        Verdict
	Steps          int64                  // of the search that found the proof, or gave up
	Certificate    string                 // "sha256:…"; "" if there is none
	Used           []int                  // hypotheses the proof needs, ascending
	UsedWD         []int                  // hypotheses whose well-definedness the proof needs
	Committed      bool                   // by a committed certificate, or one that has to be committed: see RunToCommit
	Uncertified    int                    // proofs of the search that the kernel refused: defects
	Counterexample *refute.Counterexample // of a refuted sequent
	Rests          kernel.Result          // what the proof rests on; its hypotheses are numbered by the core
	Fault          string                 // why there is no verdict, if an error of this program is the reason
	Elapsed        time.Duration

	proof *certificate
}

// Run finds the verdicts of sequents, get(0) … get(n-1), in parallel, and hands
// them to done one by one in that order. get is called by several goroutines.
// When ctx ends, searches are given up, and Run returns early and says how many were done.
func Run(ctx context.Context, n int, get func(int) logic.Sequent, opts Options, done func(int, Outcome)) int {
	if opts.Store != nil {
		defer opts.Store.trim()
	}
	workers := opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	// One channel a sequent, with room for its outcome: workers never wait for the order in
	// which done gets them.
	results := make([]chan Outcome, n)
	for i := range results {
		results[i] = make(chan Outcome, 1)
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			for i := range next {
				start := time.Now()
				outcome := contained(ctx, func() logic.Sequent { return get(i) }, opts)
				outcome.Elapsed = time.Since(start)
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
func RunToCommit(ctx context.Context, n int, get func(int) logic.Sequent, opts Options, more int64, done func(int, Outcome)) int {
	if opts.Steps == 0 {
		opts.Steps = prover.DefaultSteps
	}
	outcomes := make([]Outcome, n)
	var open []int // indices of what nothing has decided so far
	again := func(opts Options) int {
		asked := open
		open = nil
		return Run(ctx, len(asked), func(i int) logic.Sequent { return get(asked[i]) }, opts, func(i int, outcome Outcome) {
			if outcome.Verdict == Open {
				open = append(open, asked[i])
				return
			}
			outcome.Committed = outcome.Verdict.Holds()
			outcomes[asked[i]] = outcome
		})
	}
	first := opts
	first.Committed = nil
	reached := Run(ctx, n, get, first, func(i int, outcome Outcome) {
		outcomes[i] = outcome
		if outcome.Verdict == Open {
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
