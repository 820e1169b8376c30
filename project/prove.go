package project

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/tune"
)

// Obligations returns what has to be proved of p: Rodin's obligations, and those that
// gradine.toml also asks for, and the facts of hints, each behind the obligation that
// it is for. As of po.All, those of other components are returned with a fault.
func (p *Project) Obligations() ([]*po.Obligation, error) { return p.obligations(new(po.Memory)) }

// obligations is Obligations, where m remembers those of an earlier state of the project.
func (p *Project) obligations(m *po.Memory) ([]*po.Obligation, error) {
	opts, err := p.Options()
	if err != nil {
		return nil, err
	}
	all, err := m.All(p.Dev, opts)
	if _, other := seam.Split(err); other != nil || len(p.Hints) == 0 {
		return all, err
	}
	return p.plan(all).with(all), err
}

// Options are what gradine.toml asks of machines beyond Rodin's obligations.
func (p *Project) Options() (map[string]po.Options, error) {
	out := map[string]po.Options{}
	if p.Config == nil {
		return out, nil
	}
	for _, name := range slices.Sorted(maps.Keys(p.Config.Machine)) {
		machine, asked := p.Dev.Machine(name), p.Config.Machine[name]
		if machine == nil {
			continue
		}
		opts := po.Options{DeadlockFree: asked.DeadlockFree, Enabled: asked.Enabled}
		for _, claim := range asked.LeadsTo {
			read, _, err := p.Scope(machine).leadsTo(claim)
			if err != nil && !machine.Accurate {
				continue // its own problems say why, and it is not verified
			}
			if err != nil {
				return nil, p.misconfigured(machine, fmt.Errorf("%s: %w", claim.Name, err), "leads_to")
			}
			opts.LeadsTo = append(opts.LeadsTo, read)
		}
		out[name] = opts
	}
	return out, nil
}

// leadsTo reads a claim, and says which identifiers are its own: those in what it says of any
// that the machine has no name for.
func (s Scope) leadsTo(claim config.LeadsTo) (po.LeadsTo, []model.Ident, error) {
	s.env = maps.Clone(s.env)
	out := po.LeadsTo{Name: claim.Name, Bank: s.bank, Helpful: claim.Helpful, Fair: claim.Fair, Strong: claim.Strong, Through: claim.Through}
	var own []model.Ident
	var err error
	read := func(term *logic.Term, text string, parse func(string, lang.Dialect) (*lang.Formula, []lang.Problem)) {
		if text != "" && err == nil {
			*term, err = s.Formula(text, parse)
		}
	}
	if claim.Any != "" {
		out.Any, own, err = s.declare(claim.Any)
	}
	read(&out.From, claim.From, lang.ParsePredicate)
	read(&out.To, claim.To, lang.ParsePredicate)
	read(&out.By, claim.By, lang.ParseExpression)
	if kind := s.bank.TypeKind; err == nil && out.By != 0 && kind(s.bank.Type(out.By)) != logic.KindInt && kind(s.bank.Type(out.By)) != logic.KindPow {
		err = fmt.Errorf("variant = %q is neither an integer nor a set", claim.By)
	}
	return out, own, err
}

// Claims are what gradine.toml claims that states lead to, in machine m, to be explored.
func (p *Project) Claims(m *model.Machine, s Scope) (out []explore.Claim, err error) {
	for _, claim := range p.Machine(m).LeadsTo {
		read, own, err := s.leadsTo(claim)
		if err != nil {
			return nil, p.misconfigured(m, fmt.Errorf("%s: %w", claim.Name, err), "leads_to")
		}
		made, err := explore.NewClaim(m, s.bank, claim.Name, own, read.Any, read.From, read.To)
		if err != nil {
			return nil, p.misconfigured(m, fmt.Errorf("%s: %w", claim.Name, err), "leads_to")
		}
		made.Temporal.Weak, made.Temporal.Strong = claim.Fair, claim.Strong
		out = append(out, made)
	}
	return out, nil
}

// Budget is how many steps a search may take unless a flag says otherwise.
func (p *Project) Budget() int64 {
	if p.Config != nil && p.Config.Project[p.Name].Steps > 0 {
		return p.Config.Project[p.Name].Steps
	}
	return prover.DefaultSteps
}

// Prove finds the verdicts of obligations of p, in their order: by the certificates
// that are committed, or by search with the steps of opts or, if these are 0, the
// budget of p. each, which may be nil, is told every result as soon as it is known.
// When ctx ends, Prove returns what was found.
func (p *Project) Prove(ctx context.Context, obligations []*po.Obligation, opts discharge.Options, each func(*verdict.Result)) ([]verdict.Result, error) {
	return p.prove(ctx, obligations, opts, false, each)
}

// ProveToCommit is Prove for results that are committed: see discharge.RunToCommit.
func (p *Project) ProveToCommit(ctx context.Context, obligations []*po.Obligation, opts discharge.Options, each func(*verdict.Result)) ([]verdict.Result, error) {
	return p.prove(ctx, obligations, opts, true, each)
}

func (p *Project) prove(ctx context.Context, obligations []*po.Obligation, opts discharge.Options, toCommit bool, each func(*verdict.Result)) ([]verdict.Result, error) {
	var lock *proofstore.Lock
	if !opts.Unrecorded {
		var err error
		if lock, err = p.readLock(toCommit); err != nil {
			return nil, err
		}
	}
	certificates, err := p.readCertificates(toCommit)
	if err != nil {
		return nil, err
	}
	return p.proveWith(ctx, lock, certificates, obligations, opts, toCommit, each), nil
}

// proveWith is prove where these are what is committed of the proofs of p.
func (p *Project) proveWith(ctx context.Context, lock *proofstore.Lock, certificates *proofstore.Certificates, obligations []*po.Obligation, opts discharge.Options, toCommit bool, each func(*verdict.Result)) []verdict.Result {
	opts.Committed, opts.Lock = certificates, lock
	more := opts.Steps
	if opts.Steps == 0 || toCommit {
		opts.Steps = p.Budget()
	}
	opts.Hints = p.hintsFor(obligations)
	expected := p.Expectations()
	results := make([]verdict.Result, 0, len(obligations)) // each is told where they stand
	get := func(i int) logic.Sequent { return obligations[i].Sequent() }
	done := func(i int, outcome verdict.Outcome) {
		result := verdict.Result{Obligation: obligations[i], Outcome: outcome.About(obligations[i]), Recorded: lock.Recorded(obligations[i], outcome)}
		result.Expect(expected)
		results = append(results, result)
		if each != nil {
			each(&results[len(results)-1])
		}
	}
	if toCommit {
		discharge.RunToCommit(ctx, len(obligations), get, opts, more, done)
	} else {
		discharge.Run(ctx, len(obligations), get, opts, done)
	}
	return results
}

// commuteSteps is the budget of a search for a proof that events commute: most pairs
// do so for simple reasons, and there are many.
const commuteSteps = 1_000_000

// Proofs are those that answers about machine m rest on. prove discharges obligations
// of p, as Prove does; what stands in p.Results already is not asked again.
func (p *Project) Proofs(machine *model.Machine, opts discharge.Options, prove func(context.Context, []*po.Obligation) ([]verdict.Result, error)) *tune.Proofs {
	if opts.Steps == 0 {
		opts.Steps = p.Budget()
	}
	return &tune.Proofs{
		Dev: p.Dev, Machine: machine, Environment: p.Machine(machine).Environment, Options: opts, CommuteSteps: commuteSteps,
		Prove: func(ctx context.Context, obligations []*po.Obligation) ([]verdict.Result, error) {
			missing := slices.DeleteFunc(slices.Clone(obligations), func(obligation *po.Obligation) bool {
				return slices.ContainsFunc(p.Results, func(result verdict.Result) bool { return result.ID() == obligation.ID() })
			})
			results, err := prove(ctx, missing)
			p.Results = append(p.Results, results...)
			return p.Results, err
		},
	}
}

// Unconfirmed returns the results of p of which proofs.lock says more than was found with so
// many steps (0: the budget). Less than the budget, which a lock is written with,
// confirms nothing and contradicts nothing.
func (p *Project) Unconfirmed(results []verdict.Result, steps int64) []verdict.Result {
	if steps > 0 && steps < p.Budget() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(results), func(x verdict.Result) bool { return x.Recorded == nil || !x.Recorded.Contradicts(x.Verdict) })
}

// Own returns the results that are of p.
func (p *Project) Own(results []verdict.Result) []verdict.Result {
	return slices.DeleteFunc(slices.Clone(results), func(x verdict.Result) bool { return x.Development != p.Dev })
}

// Expectations are the verdicts other than proved that gradine.toml states, of all
// projects in it.
func (p *Project) Expectations() []verdict.Expectation {
	if p.Config == nil {
		return nil
	}
	var out []verdict.Expectation
	for i, e := range p.Config.Expect {
		at := diag.Span{File: filepath.Join(p.Config.Dir, config.Name), Line: p.Config.ExpectLine(i)}
		out = append(out, verdict.Expectation{Project: e.Project, Path: e.PO, Verdict: verdict.Verdict(e.Verdict), Why: e.Why, At: at})
	}
	return out
}

// Premises are what the obligations of p rest on.
func (p *Project) Premises() (judgement.Premises, error) {
	opts, err := p.Options()
	if err != nil {
		return judgement.Premises{}, err
	}
	ways, err := po.Ways(p.Dev, opts)
	return judgement.Premises{Dev: p.Dev, Ways: ways}, err
}

// Contradictions looks for assumptions that contradict themselves in the components of projects
// that asked accepts; there are none where opts look for no proofs.
func Contradictions(ctx context.Context, projects []*Project, asked func(model.Component) bool, opts discharge.Options) (out []judgement.Contradiction, err error) {
	if opts.Replay || opts.OnlyRefute {
		return nil, nil
	}
	for _, p := range projects {
		premises, err := p.Premises()
		if err != nil {
			return nil, err
		}
		out = append(out, judgement.Contradictions(ctx, premises, asked, opts)...)
	}
	return out, nil
}
