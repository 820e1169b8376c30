package cli

import (
	"fmt"

	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/edit"
	"github.com/gradine/gradine/project"
)

// suggest looks for hints for the obligations of w that are open.
func (r *run) suggest(w work, asked flags.Prove) error {
	opts, err := asked.Options()
	if err != nil {
		return err
	}
	results, err := r.discharge(w.projects, w.obligations, opts, false, func(*verdict.Result) {})
	if err != nil {
		return err
	}
	out := report.NewSuggestions(r.out)
	// Verdicts of the other obligations still decide the exit code.
	for _, x := range results {
		r.judge(x.Verdict)
		if x.Verdict != verdict.Open || r.ctx.Err() != nil {
			if r.format == "text" {
				fmt.Fprintf(r.out, "%s: %s; hints are for open obligations\n", x.Path(), x.Verdict)
				if x.Verdict == verdict.Refuted {
					fmt.Fprintf(r.out, "  no hint proves a false obligation; `gradine report why %s` shows its counterexample\n", x.Path())
				}
			}
			continue
		}
		s := explain.Suggest(r.ctx, x.Sequent(), project.Labels(x.Obligation), opts)
		if r.format == "jsonl" {
			out.Put(nil, x.Project, x.Component, x.Name, s)
			continue
		}
		for _, p := range w.projects {
			if p.Dev == x.Development {
				file := p.HintsFile(x.Obligation)
				if err := r.showHints(x.Path(), file, p.Source(file), s); err != nil {
					return err
				}
			}
		}
	}
	return out.Err()
}

// showHints shows what a search for hints came to, as a change of a file whose text is read
// again.
func (r *run) showHints(obligation, file string, before []byte, found explain.Suggestion) error {
	patch := ""
	if found.Verdict.Holds() {
		after, err := edit.AppendHints(file, before, obligation, found.Lines)
		if err != nil {
			return modelError{err}
		}
		patch = project.Patch(file, before, after)
	}
	report.SuggestionPatch(r.out, r.style(), obligation, patch, found)
	return nil
}
