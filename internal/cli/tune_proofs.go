package cli

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/tune"
)

// status proves what project p obliges to, and says how machine m stands.
func (r *run) status(p *project, m *model.Machine, opts discharge.Options) (discharge.Status, error) {
	if p.results == nil {
		obligations, err := r.obligations([]*project{p}, nil)
		if err != nil {
			return discharge.Status{}, err
		}
		if p.results, err = r.discharge([]*project{p}, obligations, opts, false, func(*discharge.Result) {}); err != nil {
			return discharge.Status{}, err
		}
	}
	return discharge.StatusOf(p.dev, model.Component{Machine: m}, p.results), nil
}

// unverified says in a sentence that the machine of s is not verified.
func unverified(s discharge.Status) string {
	return fmt.Sprintf("machine %s is not verified: %s", s.Component, s.Why)
}

// holds reports whether all sequents are proved.
func (r *run) holds(sequents []logic.Sequent, opts discharge.Options) bool {
	ok := true
	discharge.Run(r.ctx, len(sequents), func(i int) logic.Sequent { return sequents[i] }, opts, func(_ int, o discharge.Outcome) {
		ok = ok && o.Verdict.Holds()
	})
	return ok && r.ctx.Err() == nil
}

// closedForm proves what values by theorem rest on: the machine is verified, it
// is deadlock-free and all its events but those of the environment converge,
// those are enabled at the end only, and the theorem gives the objective there.
func (r *run) closedForm(p *project, e *tune.Entry, conf config.Tune, f tuneFlags) (*tune.Closed, error) {
	closed, err := e.ClosedForm(conf.Theorem)
	if err != nil {
		return nil, err
	}
	m := p.config.Machine[e.Machine.Name]
	if !m.DeadlockFree {
		return nil, fmt.Errorf("deadlock freedom of %s is not asked for; set deadlock_free = true under [machine.%s]", e.Machine.Name, e.Machine.Name)
	}
	if err := e.Terminates(m.Environment); err != nil {
		return nil, err
	}
	opts, err := f.options()
	if err != nil {
		return nil, err
	}
	s, err := r.status(p, e.Machine, opts)
	if err != nil {
		return nil, err
	}
	if !s.Verified {
		return nil, errors.New(unverified(s))
	}
	for _, x := range p.results {
		if x.Machine == e.Machine && x.Kind == po.THM && x.Predicate.Label == conf.Theorem && x.Event == nil {
			closed.Certificate = x.Certificate
		}
	}
	if !r.holds(e.Rests(m.Environment), opts) {
		return nil, fmt.Errorf("it is not proved that environment events are enabled at the end only")
	}
	return closed, nil
}

// proved finds out, when it is first asked, what is proved of the machine of an
// entry that runs can make use of.
func (r *run) proved(p *project, e *tune.Entry, f tuneFlags) func() (tune.Proved, error) {
	return sync.OnceValues(func() (known tune.Proved, err error) {
		opts, err := f.options()
		if err != nil {
			return known, err
		}
		s, err := r.status(p, e.Machine, opts)
		if err != nil {
			return known, err
		}
		if !s.Verified {
			known.Why = unverified(s)
			return known, nil
		}
		known.NeverDecreases = r.holds(e.NeverDecreases(), opts)
		switch why := e.Terminates(p.config.Machine[e.Machine.Name].Environment); {
		case why != nil:
			known.Why = why.Error()
		case !r.holds(e.Ends(), opts):
			known.Why = "it is not proved that nothing happens where the final predicate holds"
		default:
			known.Ends = true
			opts.Steps = commuteSteps
			known.Independence = discharge.Independence(r.ctx, p.dev, s, false, opts)
		}
		return known, nil
	})
}
