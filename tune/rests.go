package tune

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/reduction"
	"github.com/gradine/gradine/discharge/verdict"
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
	Prove func(context.Context, []*po.Obligation) ([]verdict.Result, error)
	// Options are those for what must also be proved.
	Options discharge.Options
	// CommuteSteps is the budget for each proof that events commute.
	CommuteSteps int64

	cone    *judgement.Cone
	results []verdict.Result // of the cone; nil before they are first asked for
	free    []verdict.Result // the deadlock freedom of the machine, likewise
}

// Status says how the machine stands. That it is free of deadlocks speaks for itself.
func (p *Proofs) Status(ctx context.Context) (judgement.Status, error) {
	if p.results == nil {
		p.cone = judgement.ConeOf(p.Dev, model.Component{Machine: p.Machine})
		var err error
		if p.results, err = p.Prove(ctx, p.cone.Obligations()); err != nil {
			return judgement.Status{}, err
		}
	}
	results := slices.DeleteFunc(slices.Clone(p.results), func(x verdict.Result) bool { return x.Kind == po.DLF })
	if p.Options.Faulted != nil {
		for _, why := range p.cone.Faults() {
			p.Options.Faulted(why)
		}
	}
	return p.cone.Status(results), nil
}

// unverified says in a sentence that the machine is not verified.
func unverified(s judgement.Status) string {
	return fmt.Sprintf("machine %s is not verified: %s", s.Component, s.Why)
}

// deadlockFree reports whether it is proved that some event is always enabled. That is asked
// for here, whether its author asks for it or not.
func (p *Proofs) deadlockFree(ctx context.Context) (bool, error) {
	deadlock := func(o *po.Obligation) bool { return o.Machine == p.Machine && o.Kind == po.DLF }
	if p.free == nil {
		all, err := po.Of(p.Dev, []model.Component{{Machine: p.Machine}}, map[string]po.Options{p.Machine.Name: {DeadlockFree: true}})
		if err != nil {
			return false, err
		}
		if p.free, err = p.Prove(ctx, slices.DeleteFunc(all, func(o *po.Obligation) bool { return !deadlock(o) })); err != nil {
			return false, err
		}
	}
	return slices.ContainsFunc(p.free, func(x verdict.Result) bool { return deadlock(x.Obligation) && x.Verdict.Holds() }), nil
}

// holds reports whether all sequents are proved.
func (p *Proofs) holds(ctx context.Context, sequents []logic.Sequent) bool {
	ok := true
	discharge.Run(ctx, len(sequents), func(i int) logic.Sequent { return sequents[i] }, p.Options, func(_ int, o verdict.Outcome) {
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
	status, err := p.Status(ctx)
	switch {
	case err != nil:
		return nil, "", err
	case !status.Verified:
		return nil, unverified(status), nil
	}
	switch free, err := p.deadlockFree(ctx); {
	case err != nil:
		return nil, "", err
	case !free:
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
// of entry e can make use of. Whether events commute is not asked where one run is
// all there is.
func (p *Proofs) Runs(ctx context.Context, entry *Entry) Proved {
	return Proved{
		NeverDecreases: sync.OnceValues(func() (bool, error) {
			status, err := p.Status(ctx)
			if err != nil || !status.Verified {
				return false, err
			}
			sequents, ok := entry.NeverDecreases()
			return ok && p.holds(ctx, sequents), nil
		}),
		Schedules: sync.OnceValues(func() (known Schedules, err error) {
			status, err := p.Status(ctx)
			if err != nil {
				return known, err
			}
			switch why := entry.Terminates(p.Environment); {
			case !status.Verified:
				known.Why = unverified(status)
			case why != nil:
				known.Why = why.Error()
			case !p.holds(ctx, entry.Ends()):
				known.Why = "it is not proved that no event is enabled once the final predicate holds"
			default:
				known.Ends = true
				opts := p.Options
				opts.Steps = p.CommuteSteps
				known.Independence = reduction.Independence(ctx, p.Dev, p.Machine, reduction.Inductive{}, false, opts) // all is proved
			}
			return known, nil
		}),
	}
}
