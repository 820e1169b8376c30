package cli

import (
	"github.com/schollz/progressbar/v3"
)

// bar shows how far long work is: on a terminal only.
type bar struct{ p *progressbar.ProgressBar }

func (r *run) progress(n int, what string) bar {
	// Logs of jobs would fill with bars.
	if !isTerminal(r.err) || n == 0 {
		return bar{}
	}
	p := progressbar.NewOptions(n, progressbar.OptionSetWriter(r.err), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(true))
	_ = p.RenderBlank() // the first piece of work may take long: what runs is said at once
	return bar{p}
}

func (b bar) add() {
	if b.p != nil {
		_ = b.p.Add(1) // the terminal is gone; the work goes on
	}
}

func (b bar) finish() {
	if b.p != nil {
		_ = b.p.Finish()
	}
}

// name says what runs.
func (b bar) name(what string) {
	if b.p != nil {
		b.p.Describe(what)
	}
}

// set shows how far work is whose end is unknown.
func (b bar) set(n int) {
	if b.p != nil {
		_ = b.p.Set(n)
	}
}
