package discharge

import (
	"context"
	"sync"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// contained is discharge, but that a panic of a search, of the kernel or of the
// evaluator costs this obligation its verdict, and no other.
func contained(ctx context.Context, get func() (logic.Sequent, aid), prints *printers, opts Options) (o verdict.Outcome) {
	fault := seam.Contain(ctx, seam.Obligation, "", func(ctx context.Context) {
		sequent, help := get()
		var beside []string
		opts.beside, opts.guesses = &beside, help.guesses
		p := &task{Problem: prints.problem(sequent)}
		o = discharge(ctx, p, sequent, help.hints, opts)
		o.Beside = beside
		if opts.Lock != nil {
			o.Print = p.Print()
		}
	})
	if fault != nil {
		return verdict.Outcome{Verdict: verdict.Open, Fault: fault.Error()}
	}
	return o
}

// printers lend fingerprinters, which remember the hypotheses of earlier obligations. One that a
// panic has left half-way is not lent again.
type printers struct{ idle sync.Pool }

func (x *printers) problem(sequent logic.Sequent) *verdict.Problem {
	prints, ok := x.idle.Get().(*text.BankFingerprinter)
	if !ok {
		prints = &text.BankFingerprinter{}
	}
	p := verdict.ProblemOf(sequent, prints)
	x.idle.Put(prints)
	return p
}
