package cli

import (
	"fmt"

	"github.com/schollz/progressbar/v3"
)

// bar shows how far long work is: on a terminal only.
type bar struct {
	p    *progressbar.ProgressBar
	more func() string // what else is said
}

func (r *run) progress(n int, what string) bar {
	// Logs of jobs would fill with bars.
	if !isTerminal(r.err) || n == 0 {
		return bar{}
	}
	p := progressbar.NewOptions(n, progressbar.OptionSetWriter(r.err), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(true))
	_ = p.RenderBlank() // the first piece of work may take long: what runs is said at once
	return bar{p, r.helped}
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
		b.p.Describe(what + b.more())
	}
}

// set shows how far work is whose end is unknown.
func (b bar) set(n int) {
	if b.p != nil {
		_ = b.p.Set(n)
	}
}

// helped says what workers do for this run, "" if there are none.
func (r *run) helped() string {
	if r.workers == nil {
		return ""
	}
	c := r.workers.Counts()
	return fmt.Sprintf(" (workers: %d done, %d running, %d redelivered, %d rejected)", c.Done, c.Running, c.Redelivered, r.workers.Rejected())
}
