package cli

import (
	"context"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// commuteSteps is the budget of a search for a proof that events commute.
const commuteSteps = 1_000_000

// proofs are those that answers about a machine of p rest on. Results that p has
// already are taken over.
func (r *run) proofs(p *project.Project, m *model.Machine, f proveFlags) (*tune.Proofs, error) {
	opts, err := f.options()
	if err != nil {
		return nil, err
	}
	prove := func(_ context.Context, obligations []*po.Obligation) ([]discharge.Result, error) {
		missing := slices.DeleteFunc(obligations, func(o *po.Obligation) bool {
			return slices.ContainsFunc(p.Results, func(x discharge.Result) bool { return x.ID() == o.ID() })
		})
		results, err := r.discharge([]*project.Project{p}, missing, opts, false, func(*discharge.Result) {})
		p.Results = append(p.Results, results...)
		return p.Results, err
	}
	var environment []string
	if p.Config != nil {
		environment = p.Config.Machine[m.Name].Environment
	}
	return &tune.Proofs{
		Dev: p.Dev, Machine: m, Environment: environment, Prove: prove, Options: opts, CommuteSteps: commuteSteps,
	}, nil
}
