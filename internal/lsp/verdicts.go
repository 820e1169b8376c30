package lsp

import (
	"context"
	"strings"

	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover"
)

// What is said of verdicts when somebody asks for it, of the present texts: those of a
// component or of an event, and why one is what it is.

// proved proves a component, or an event such as m/evt, as gradine prove does.
func (s *server) proved(ctx context.Context, uri, element string) (*protocol.Executed, error) {
	h, snap, path := s.of(ctx, uri)
	if snap == nil {
		return nil, ctx.Err()
	}
	_, opened := snap.written(path)
	var obligations []*po.Obligation
	for _, a := range snap.asked {
		if a.project == opened && strings.HasPrefix(a.Path()+"/", element+"/") {
			obligations = append(obligations, a.Obligation)
		}
	}
	if len(obligations) == 0 {
		return nil, refusal("there are no obligations of %s", element)
	}
	// What the background has found is in the store: only what is missing is searched for.
	results, err := opened.Prove(ctx, obligations, s.proving(), nil)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	case !s.current(h, snap):
		return nil, overtaken()
	}
	for i := range results {
		results[i].Expect(opened.Expectations())
	}
	var out strings.Builder
	report.Unproved(&out, report.Style{}, results, report.WhyCommand)
	return &protocol.Executed{Text: out.String()}, nil
}

// why explains the verdict of an obligation of the present texts, as gradine report why
// does: the proof, the counterexample and whether the machine gets there, or what is left.
func (s *server) why(ctx context.Context, params *proofStateParams) (*protocol.Executed, error) {
	h, snap, a := s.obligation(ctx, params)
	if a == nil {
		return nil, refusal("there is no obligation %s", params.Name)
	}
	results, err := a.project.Prove(ctx, []*po.Obligation{a.Obligation}, s.proving(), nil)
	if err != nil || len(results) == 0 {
		return nil, err
	}
	result := results[0]
	var search *report.Search
	// Both answers take a search of their own, which a verdict alone does not need.
	switch result.Verdict {
	case verdict.Refuted:
		result.Reach = explain.FindReach(ctx, a.project.Dev, result)
	case verdict.Open:
		stop := func() bool { return ctx.Err() != nil }
		tried := prover.Prove(a.Sequent(), prover.Options{Steps: a.project.Budget(), Stop: stop})
		search = &report.Search{Tried: &tried, Parts: explain.Parts(a.Sequent(), a.project.Budget(), stop)}
	}
	proof, err := result.Proof(a.Sequent())
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	case !s.current(h, snap):
		return nil, overtaken()
	}
	var out strings.Builder
	report.Why(&out, report.Style{}, result, proof, search)
	return &protocol.Executed{Text: out.String()}, nil
}
