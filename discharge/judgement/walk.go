package judgement

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"sync"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover/refute"
)

// walks run machines from the constants of models of what each of them assumes by itself: a state in which an event is
// enabled is a model of what the event assumes. Late in a run, a solver rarely finds such a state.
type walks map[*model.Machine]*walk

// walk is one run of a machine, when it is first asked for.
type walk struct {
	machine *model.Machine
	dev     *model.Development
	from    candidate
	on      answer.Digest // of all that the run depends on

	mu      sync.Mutex
	whole   bool                   // it has ended by itself: one that ended with the search that asked says nothing to others
	enabled map[string]*eval.Model // by event, each in a space of its own
}

const (
	// walkSteps bounds the steps of a run without an event that is enabled for the first time.
	walkSteps = 64
	// walkTried bounds the values that are tried for constants that a model leaves open.
	walkTried = 1 << 16
)

// walked is where runs of fixed machines meet their events. A test compares it with where they do now.
//
//go:embed walked.txt
var walked []byte

// add adds the run of the machine of a, an assumption of a machine by itself of which found is a model. The run starts from the
// model as it is read back from its text, which is part of the question: a model that a search has just found and one from a store
// may differ in what the text does not keep.
func (x walks) add(a Assumption, dev *model.Development, found *refute.Counterexample) {
	bank := dev.Bank.Extend()
	from, text, err := written(found.Model, bank, bank.FreeIdents(a.Sequent.Hyps...))
	if err != nil {
		return // the question could not name the model
	}
	on := sha256.New()
	on.Write(walked)
	closure := closureOf(dev, a.Of.Machine)
	on.Write(closure[:])
	fmt.Fprintf(on, "%q", text)
	for _, claim := range found.Claims {
		fmt.Fprintf(on, " %d %t %q", claim.Hyp, claim.D, claim.Certificate)
	}
	x[a.Of.Machine] = &walk{machine: a.Of.Machine, dev: dev, on: answer.Digest(on.Sum(nil)), from: candidate{from, a, found.Claims}}
}

// written returns m as a store keeps it, with values of idents alone, and its text.
func written(m *eval.Model, bank *logic.Bank, idents []logic.Term) (*eval.Model, []byte, error) {
	text, err := m.MarshalJSON()
	if err != nil {
		return nil, nil, err
	}
	if m, err = eval.ReadModel(bank, idents, text); err != nil {
		return nil, nil, err
	}
	text, err = m.MarshalJSON()
	return m, text, err
}

// guesses returns the models that assumption a of an event may have, nil if its machine does not run.
func (x walks) guesses(a Assumption) *discharge.Guesses {
	if a.Event == nil || x[a.Of.Machine] == nil {
		return nil
	}
	w := x[a.Of.Machine]
	return &discharge.Guesses{On: w.on, Models: func(ctx context.Context) []discharge.Guess { return w.guess(ctx, a) }}
}

// guess returns a model that assumption a of an event may have, none if the run has not met the event.
func (w *walk) guess(ctx context.Context, a Assumption) []discharge.Guess {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.whole {
		w.run(ctx)
		w.whole = ctx.Err() == nil
	}
	if m := w.enabled[a.Event.Label]; m != nil {
		return []discharge.Guess{{Model: m, Claims: w.from.claimsFor(a)}}
	}
	return nil
}

// run runs the machine. What cannot be run leaves the searches to do.
func (w *walk) run(ctx context.Context) {
	m, dev, at := w.machine, w.dev, w.from.model
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
