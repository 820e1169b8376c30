package discharge

import (
	"context"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/derive"
)

// contained is discharge, but that a panic of a search, of the kernel or of the
// evaluator costs this obligation its verdict, and no other.
func contained(ctx context.Context, get func() (logic.Sequent, *derive.Node), prints *text.BankFingerprinter, opts Options) (o verdict.Outcome) {
	fault := seam.Contain(ctx, seam.Obligation, "", func(ctx context.Context) {
		sequent, hints := get()
		var beside []string
		opts.beside = &beside
		o = discharge(ctx, sequent, prints, hints, opts)
		o.Beside = beside
		if opts.Lock != nil {
			o.Print = prints.Sequent(sequent) // here, where those of its hypotheses are known
		}
	})
	if fault != nil {
		*prints = text.BankFingerprinter{} // it may have been left half-way
		return verdict.Outcome{Verdict: verdict.Open, Fault: fault.Error()}
	}
	return o
}
