package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/seam"
)

// contain runs do, which makes one answer of several. A fault costs this one: it is said,
// and the exit code is that of a fault, whatever the others are.
func (r *run) contain(s seam.Seam, about string, do func(context.Context)) (whole bool) {
	fault := seam.Contain(r.ctx, s, about, do)
	if fault != nil {
		r.fault(about, fault.Error())
	}
	return fault == nil
}

// render is contain for a part of the output.
func (r *run) render(what string, do func()) {
	r.contain(seam.Renderer, what, func(context.Context) { do() })
}

// fault says what a fault of this program has cost.
func (r *run) fault(about, why string) {
	r.faulting.Lock() // what is searched at the same time
	defer r.faulting.Unlock()
	r.fail(exitInternal)
	line := fmt.Sprintf("gradine: internal error: %s: %s; please report it with the model\n", about, why)
	if !slices.Contains(r.faults, line) {
		r.faults = append(r.faults, line)
		fmt.Fprint(r.err, line)
	}
}

// faulty reports whether a fault was said.
func (r *run) faulty() bool {
	r.faulting.Lock()
	defer r.faulting.Unlock()
	return len(r.faults) > 0
}

// faulted says what is lost of results.
func (r *run) faulted(results []verdict.Result) {
	for _, x := range results {
		for _, why := range x.Faults() {
			r.fault(x.Path(), why)
		}
	}
}

// others takes the faults out of an error: what is behind each is lost and said to be, and
// the others go on.
func (r *run) others(err error) error {
	faults, other := seam.Split(err)
	if other != nil {
		return other
	}
	for _, fault := range faults {
		r.fault(fault.About, fault.Error())
	}
	return nil
}

// isFault reports whether err is a fault of this program.
func isFault(err error) bool { return errors.As(err, new(*seam.Fault)) }
