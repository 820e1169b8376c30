package discharge

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/derive"
)

// contained is discharge, but that a panic of a search, of the kernel or of the
// evaluator costs this obligation its verdict, and no other.
func contained(ctx context.Context, get func() logic.Sequent, prints *text.BankFingerprinter, hints *derive.Node, opts Options) (o Outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = Outcome{Verdict: Open, Fault: fmt.Sprintf("%v, in %s", p, panicked())}
		}
	}()
	sequent := get()
	o = discharge(ctx, sequent, prints, hints, opts)
	if opts.Lock != nil {
		o.print = prints.Sequent(sequent) // here, where those of its hypotheses are known
	}
	return o
}

// panicked names the function that panicked, and its line. It is called by the
// function that recovers, when the stack still stands.
func panicked() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	below := false // the frames of the runtime that raise the panic have been seen
	for {
		f, more := frames.Next()
		if f.Function == "runtime.gopanic" {
			below = true
		} else if below && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf("%s, line %d", f.Function[strings.LastIndex(f.Function, "/")+1:], f.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}
