package discharge

import (
	"context"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/derive"
)

// Purse is a number of steps that searches share, so that many which find nothing cost no more than a few. See Options.Purse.
type Purse struct{ left int64 }

// NewPurse is a purse with so many steps.
func NewPurse(steps int64) *Purse { return &Purse{steps} }

// Share is what each of n searches may take, at most most and at least what each has whatever is left. Without a purse it is
// most.
func (p *Purse) Share(n int, most int64) int64 {
	if p == nil {
		return most
	}
	return min(most, max(firstSteps, p.left/int64(max(n, 1))))
}

const (
	// firstSteps is what each search for a proof has whatever is left in a purse: it finds most proofs.
	firstSteps = 5_000
	// worthwhile is how many times as many steps a search gets in another round: with fewer, little is gained.
	worthwhile = 4
)

// shared is Run for searches that share a purse. All are asked shortly; then those that are left get equal shares of what is
// left, as long as this is worth another round. Verdicts do not depend on the store, which has no say in what a share is.
func shared(ctx context.Context, n int, get func(int) logic.Sequent, opts Options, done func(int, verdict.Outcome)) int {
	purse := opts.Purse
	opts.Purse = nil
	if opts.Steps == 0 {
		opts.Steps = prover.DefaultSteps
	}
	outcomes := make([]verdict.Outcome, n)
	reached := n // those before it are done
	first := Within{Steps: min(opts.Steps, firstSteps)}
	round := func(asked []int, w Within) (open []int) {
		part := opts
		part.Within = &w
		if opts.Hints != nil {
			part.Hints = func(i int) *derive.Node { return opts.Hints(asked[i]) }
		}
		if opts.Guesses != nil {
			part.Guesses = func(i int) *Guesses { return opts.Guesses(asked[i]) }
		}
		had := Run(ctx, len(asked), func(i int) logic.Sequent { return get(asked[i]) }, part, func(i int, o verdict.Outcome) {
			if w != first {
				purse.left = max(0, purse.left-o.Steps)
			}
			if o.Verdict == verdict.Open && o.Fault == "" && !opts.whole(o, w) && (part.Hints == nil || part.Hints(i) == nil) {
				o.Brief = w.Steps
				open = append(open, asked[i])
			}
			outcomes[asked[i]] = o
		})
		if had < len(asked) {
			reached = min(reached, asked[had])
		}
		return open
	}
	every := make([]int, n)
	for i := range every {
		every[i] = i
	}
	steps := first.Steps
	for open := round(every, first); len(open) > 0; {
		if ctx.Err() != nil {
			reached = min(reached, open[0])
			break
		}
		share := purse.Share(len(open), opts.Steps)
		if share < min(worthwhile*steps, opts.Steps) {
			break
		}
		steps = share
		w := Within{steps, opts.RefuteSteps}
		if steps < opts.Steps {
			w.Refute = int(min(steps, int64(opts.RefuteSteps)))
		}
		open = round(open, w)
	}
	for i := range reached {
		done(i, outcomes[i])
	}
	return reached
}

// whole reports whether an open outcome after so many steps is that of a whole search: where nothing was left to try more
// steps find no proof, but perhaps a counterexample. What hints lead to is never cut short.
func (o Options) whole(x verdict.Outcome, w Within) bool {
	return (w.Steps >= o.Steps || x.End == verdict.Exhausted) && w.Refute >= o.RefuteSteps
}
