package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/report"
)

// readBaseline reads the file of accepted findings, nil if none is asked for. With --accept it need not exist yet.
func (r *run) readBaseline(f kernelFlags) (*report.Baseline, error) {
	switch {
	case f.baseline == "" && f.accepting:
		return nil, flags.Usagef("--accept needs --baseline FILE")
	case f.baseline == "":
		return nil, nil
	case f.conditions || f.barriers || f.counts || f.bounded:
		return nil, flags.Usagef("--baseline is for verdicts only; omit --bounded, --conditions, --barriers and --counts")
	case f.accepting && strings.TrimSpace(f.accept) == "":
		return nil, flags.Usagef("--accept needs a reason: say why these findings are no defects")
	}
	file, err := config.ReadTable[report.BaselineFile](r.path(f.baseline))
	switch {
	case f.accepting && errors.Is(err, fs.ErrNotExist):
		file = &report.BaselineFile{}
	case err != nil:
		return nil, modelError{err}
	}
	b, err := report.NewBaseline(*file, strings.TrimSpace(f.accept))
	if err != nil {
		return nil, modelErrorf("%s: %w", f.baseline, err)
	}
	return b, nil
}

// endBaseline tells of entries that nothing was found for, and writes the file if findings are to be accepted. A run that was cut short
// has not found all: it writes nothing.
func (r *run) endBaseline(b *report.Baseline, f kernelFlags) error {
	if b == nil || r.ctx.Err() != nil {
		return nil
	}
	if f.accepting {
		return atomic.Write(r.path(f.baseline), b.Text(), 0o666)
	}
	for _, s := range b.Stale() {
		fmt.Fprintf(r.err, "%s: stale: %s\n", f.baseline, s)
	}
	return nil
}
