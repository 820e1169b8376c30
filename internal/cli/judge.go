package cli

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/project"
)

// judgeProofs raises the exit code unless all that was asked for is proved, accurate
// and free of contradictions, or is what an [[expect]] states; it says what stands
// against that, besides verdicts.
func (r *run) judgeProofs(w work, results []verdict.Result, opts discharge.Options) (judgement.Judgement, error) {
	projects, asked := w.projects, w.asked()
	opts.Faulted = func(why string) { r.fault("contradictions", why) }
	j, err := project.Judge(r.ctx, projects, results, asked, opts, w.whole(results))
	if err != nil {
		return j, modelError{err}
	}
	r.conclude(j.Answer())
	r.judgeAccuracy(projects, asked)
	// What has been said so far is what speaks against success. For success, everything
	// must speak as well: an obligation without a result, or a component that was asked
	// for as a whole and is neither verified nor judged above, is not a verdict.
	if len(results) < len(w.obligations) {
		r.fail(exitNoVerdict)
	}
	for _, opened := range projects {
		for _, status := range judgement.Components(opened.Dev, results) {
			if len(w.elements) == 0 && status.Unknown {
				r.fail(exitNoVerdict)
			}
			if status.Fault != "" {
				r.fault(opened.Name+"/"+status.Component, status.Why)
			}
		}
	}
	return j, nil
}

// judgeAccuracy raises the exit code if something that is asked for is inaccurate:
// then nothing that was found speaks of the model as it was written.
func (r *run) judgeAccuracy(projects []*project.Project, asked func(model.Component) bool) {
	for _, opened := range projects {
		for _, c := range opened.Dev.Components() {
			if !asked(c) || c.Whole() {
				continue
			}
			r.fail(exitModel)
			if lost := c.Lost(); lost != "" && !opened.Problems.HasErrors() { // errors are spoken of elsewhere
				fmt.Fprintf(r.err, "gradine: %s/%s is inaccurate: %s; `gradine check` shows where\n", opened.Name, c.Name(), lost)
			}
		}
	}
}

// everything is what a command is asked about that knows no elements.
func everything(model.Component) bool { return true }

// only is machine m, and nothing else.
func only(m *model.Machine) func(model.Component) bool {
	return func(c model.Component) bool { return c.Machine == m }
}

// sayJudgement says in words what the judgement found besides single verdicts.
func (r *run) sayJudgement(j judgement.Judgement) {
	report.Judgement(r.out, r.style(), j)
	if n := len(j.Met); n > 0 {
		fmt.Fprintf(r.out, "%s as gradine.toml expects\n", report.Count(n, "contradiction"))
	}
}

// conclude raises the exit code for what a judgement says.
func (r *run) conclude(a judgement.Answer) {
	switch a {
	case judgement.No:
		r.fail(exitNo)
	case judgement.NoVerdict:
		r.fail(exitNoVerdict)
	}
}

// judge raises the exit code for a verdict that nobody expects.
func (r *run) judge(v verdict.Verdict) {
	r.conclude(judgement.Judgement{Rest: []verdict.Result{{Outcome: verdict.Outcome{Verdict: v}}}}.Answer())
}

// statuses says how the components of p stand that were asked about.
func statuses(p *project.Project, results []verdict.Result, asked func(model.Component) bool) []judgement.Status {
	return slices.DeleteFunc(judgement.Components(p.Dev, results), func(s judgement.Status) bool { return !asked(s.Of) })
}
