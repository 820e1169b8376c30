package cli

import (
	"cmp"
	"fmt"

	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/hinted"
	"github.com/gradine/gradine/discharge/question"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/edit"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/project"
)

// hintsFor reads a file of hints for sequents.
func (r *run) hintsFor(name string, questions []question.Sequent, sequents []logic.Sequent) ([]*hinted.Plan, error) {
	if name == "" {
		return make([]*hinted.Plan, len(sequents)), nil
	}
	data, err := project.ReadText(r.path(name))
	if err != nil {
		return nil, modelError{err}
	}
	plans, problems := question.Plans(name, data, questions, sequents)
	if problems.Len() > 0 {
		report.Problems(r.err, report.Style{}, rodinIDs(problems.Sorted()), func(string) []byte { return data })
	}
	if problems.HasErrors() {
		r.fail(exitModel)
	}
	return plans, nil
}

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

// suggestSequents looks for hints for sequents, several at a time.
func (r *run) suggestSequents(asked flags.Prove, questions []question.Sequent, sequents []logic.Sequent) error {
	asked.NoStore = true
	opts, err := asked.Options()
	if err != nil {
		return err
	}
	out := report.NewSuggestions(r.out)
	var refused error
	question.Suggest(r.ctx, sequents, opts, func(i int, found explain.Suggestion) {
		r.judge(found.Verdict)
		q := &questions[i]
		if r.format == "jsonl" {
			out.Put(q.Path(), q.Project, q.Component, q.Name, found)
		} else {
			refused = cmp.Or(refused, r.showHints(fmt.Sprint(q.Path()), asked.Sequents+".hints", nil, found))
		}
	})
	return cmp.Or(refused, out.Err())
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
