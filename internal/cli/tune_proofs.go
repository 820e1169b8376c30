package cli

import (
	"context"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/tune"
)

// commuteSteps is the budget of a search for a proof that events commute.
const commuteSteps = 1_000_000

// proofs are those that answers about a machine of p rest on. Results that p has
// already are taken over.
func (r *run) proofs(p *project, m *model.Machine, f proveFlags) (*tune.Proofs, error) {
	opts, err := f.options()
	if err != nil {
		return nil, err
	}
	prove := func(_ context.Context, obligations []*po.Obligation) ([]discharge.Result, error) {
		missing := slices.DeleteFunc(obligations, func(o *po.Obligation) bool {
			return slices.ContainsFunc(p.results, func(x discharge.Result) bool { return x.ID() == o.ID() })
		})
		results, err := r.discharge([]*project{p}, missing, opts, false, func(*discharge.Result) {})
		p.results = append(p.results, results...)
		return p.results, err
	}
	var environment []string
	if p.config != nil {
		environment = p.config.Machine[m.Name].Environment
	}
	return &tune.Proofs{
		Dev: p.dev, Machine: m, Environment: environment, Prove: prove, Options: opts, CommuteSteps: commuteSteps,
	}, nil
}
