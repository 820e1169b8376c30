package judgement

import (
	"context"
	"sync"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic/eval"
)

// walks run machines from the constants of their models: a state in which an event is enabled is a model of what the
// event assumes. Late in a run, a solver rarely finds such a state.
type walks struct {
	premises []Premises
	mu       sync.Mutex // a model serves one goroutine at a time
	models   models
	of       map[*model.Machine]*walk
}

// walk is one run of a machine, when it is first asked for.
type walk struct {
	mu      sync.Mutex
	whole   bool // it has ended by itself: one that ended with the search that asked says nothing to others
	from    candidate
	enabled map[string]*eval.Model // by event, each in a space of its own
}

const (
	// walkSteps bounds the steps of a run without an event that is enabled for the first time.
	walkSteps = 64
	// walkTried bounds the values that are tried for constants that a model leaves open.
	walkTried = 1 << 16
)

// guess returns a model that assumption a of an event may have, none if the run of its machine has not met the event.
func (x *walks) guess(ctx context.Context, a *assumed) []discharge.Guess {
	if a.Event == nil {
		return nil
	}
	dev := x.premises[a.dev].Dev
	w := x.walk(dev, a.Of.Machine)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.whole {
		w.run(ctx, dev, a.Of.Machine)
		w.whole = ctx.Err() == nil
	}
	if m := w.enabled[a.Event.Label]; m != nil {
		return []discharge.Guess{{Model: m, Claims: w.from.claimsFor(a.Assumption)}}
	}
	return nil
}

// walk returns the walk of a machine, which begins with the first model of it.
func (x *walks) walk(dev *model.Development, m *model.Machine) *walk {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.of[m] == nil {
		w := &walk{}
		if known := x.models[assumes{of: model.Component{Machine: m}}]; len(known) > 0 {
			w.from = known[0]
			w.from.model = w.from.model.Settled(dev.Bank.Extend())
		}
		x.of[m] = w
	}
	return x.of[m]
}

// run runs machine m. What cannot be run leaves the searches to do.
func (w *walk) run(ctx context.Context, dev *model.Development, m *model.Machine) {
	at := w.from.model
	if at == nil {
		return
	}
	setup, err := explore.SetupAt(dev.Bank.Extend(), m, at)
	if err != nil {
		return
	}
	setup.MaxTried = walkTried
	instances, _, err := explore.Solve(ctx, dev, m, setup, 1)
	if err != nil {
		return
	}
	run, err := animation.New(m, instances[0])
	if err != nil {
		return
	}
	met, err := run.Enabled(ctx, walkSteps, at.Space)
	if err != nil {
		return
	}
	w.enabled = map[string]*eval.Model{}
	for label, values := range met {
		there := at.Clone()
		for name, value := range values {
			there.Values[name] = value
		}
		w.enabled[label] = there.Settled(dev.Bank.Extend())
	}
}
