package tune

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
)

// Proofs finds out what answers about a machine rest on, and proves it: the
// obligations of the machine and of what it builds on, and nothing else of its
// project.
type Proofs struct {
	Dev         *model.Development
	Machine     *model.Machine
	Environment []string // events that need not converge
	// Prove discharges obligations of Dev.
	Prove func(context.Context, []*po.Obligation) ([]discharge.Result, error)
	// Options are those for what must be proved besides.
	Options discharge.Options
	// CommuteSteps is the budget for each proof that events commute.
	CommuteSteps int64

	once    sync.Once
	results []discharge.Result
	failed  error
}

// obligations proves those of the machine and of what it builds on, with its
// deadlock freedom among them, once.
func (p *Proofs) obligations(ctx context.Context) ([]discharge.Result, error) {
	p.once.Do(func() {
		machine := model.Component{Machine: p.Machine}
		all, err := po.All(p.Dev, map[string]po.Options{p.Machine.Name: {DeadlockFree: true}})
		if err != nil {
			p.failed = err
			return
		}
		below := map[model.Component]bool{machine: true}
		for todo := []model.Component{machine}; len(todo) > 0; todo = todo[1:] {
			for _, c := range todo[0].BuildsOn() {
				if !below[c] {
					below[c] = true
					todo = append(todo, c)
				}
			}
		}
		all = slices.DeleteFunc(all, func(obligation *po.Obligation) bool { return !below[obligation.Of()] })
		p.results, p.failed = p.Prove(ctx, all)
	})
	return p.results, p.failed
}

// Status says how the machine stands. That it is free of deadlocks is asked for here,
// not by its author, and speaks for itself.
func (p *Proofs) Status(ctx context.Context) (discharge.Status, error) {
	results, err := p.obligations(ctx)
	if err != nil {
		return discharge.Status{}, err
	}
	results = slices.DeleteFunc(slices.Clone(results), func(x discharge.Result) bool { return x.Kind == po.DLF })
	return discharge.StatusOf(p.Dev, model.Component{Machine: p.Machine}, results), nil
}

// unverified says in a sentence that the machine is not verified.
func unverified(s discharge.Status) string {
	return fmt.Sprintf("machine %s is not verified: %s", s.Component, s.Why)
}

// deadlockFree reports whether it is proved that some event is always enabled.
func (p *Proofs) deadlockFree() bool {
	return slices.ContainsFunc(p.results, func(x discharge.Result) bool {
		return x.Machine == p.Machine && x.Kind == po.DLF && x.Verdict.Holds()
	})
}

// holds reports whether all sequents are proved.
func (p *Proofs) holds(ctx context.Context, sequents []logic.Sequent) bool {
	ok := true
	discharge.Run(ctx, len(sequents), func(i int) logic.Sequent { return sequents[i] }, p.Options, func(_ int, o discharge.Outcome) {
		ok = ok && o.Verdict.Holds()
	})
	return ok && ctx.Err() == nil
}

// ClosedForm proves what values by theorem label rest on: the machine is verified
// and deadlock-free, all its events but those of the environment converge, those
// change nothing and are enabled at the end only, and the theorem gives the
// objective there. Then every run ends, and with that value. why says which of
// this is not so.
func (p *Proofs) ClosedForm(ctx context.Context, entry *Entry, label string) (closed *Closed, why string, err error) {
	closed, err = entry.ClosedForm(label)
	if err != nil {
		return nil, "", err
	}
	if why := entry.Terminates(p.Environment); why != nil {
		return nil, why.Error(), nil
	}
	switch status, err := p.Status(ctx); {
	case err != nil:
		return nil, "", err
	case !status.Verified:
		return nil, unverified(status), nil
	case !p.deadlockFree():
		return nil, fmt.Sprintf("it is not proved that an event of %s is always enabled (%s/DLF), so a run may stop before the end", p.Machine.Name, p.Machine.Name), nil
	case !p.holds(ctx, entry.Rests(p.Environment)):
		return nil, "it is not proved that environment events are enabled at the end only", nil
	}
	for _, result := range p.results {
		if result.Machine == p.Machine && result.Kind == po.THM && result.Event == nil && result.Predicate.Label == label {
			closed.Certificate = result.Certificate
		}
	}
	return closed, "", nil
}

// Runs finds out, when it is first asked, what is proved of the machine that runs
// of entry e can make use of.
func (p *Proofs) Runs(ctx context.Context, entry *Entry) func() (Proved, error) {
	return sync.OnceValues(func() (known Proved, err error) {
		status, err := p.Status(ctx)
		if err != nil {
			return known, err
		}
		if !status.Verified {
			known.Why = unverified(status)
			return known, nil
		}
		if sequents, ok := entry.NeverDecreases(); ok {
			known.NeverDecreases = p.holds(ctx, sequents)
		}
		switch why := entry.Terminates(p.Environment); {
		case why != nil:
			known.Why = why.Error()
		case !p.holds(ctx, entry.Ends()):
			known.Why = "it is not proved that nothing happens where the final predicate holds"
		default:
			known.Ends = true
			opts := p.Options
			opts.Steps = p.CommuteSteps
			known.Independence = discharge.Independence(ctx, p.Dev, status, false, opts)
		}
		return known, nil
	})
}
