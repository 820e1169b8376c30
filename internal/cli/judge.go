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

// proved is what was found of one project.
type proved struct {
	*project.Project
	results []verdict.Result
	status  []judgement.Status // of its components
}

// proved sorts results by project, and says how its components stand.
func (w work) proved(results []verdict.Result) (out []proved) {
	for _, p := range w.projects {
		own := p.Own(results)
		out = append(out, proved{p, own, judgement.Components(p.Dev, own)})
	}
	return out
}

// judgeProofs compares what was found with what gradine.toml expects, and says what stands
// against success, apart from verdicts.
func (r *run) judgeProofs(projects []*project.Project, results []verdict.Result, asked func(model.Component) bool, opts discharge.Options, whole bool) (judgement.Judgement, error) {
	opts.Faulted = func(why string) { r.fault("contradictions", why) }
	contradictions, err := project.Contradictions(r.ctx, projects, asked, opts)
	if err != nil {
		return judgement.Judgement{}, modelError{err}
	}
	return judgement.Judge(results, contradictions, projects[0].Expectations(), whole), nil
}

// judgeWork is judgeProofs, and raises the exit code unless all that was asked for is proved,
// accurate and free of contradictions, or is what an [[expect]] states.
func (r *run) judgeWork(w work, results []verdict.Result, found []proved, opts discharge.Options) (judgement.Judgement, error) {
	j, err := r.judgeProofs(w.projects, results, w.asked(), opts, w.whole(results))
	if err != nil {
		return j, err
	}
	r.conclude(j.Answer())
	r.judgeAccuracy(w.projects, w.asked())
	// What has been said so far is what speaks against success. For success, everything
	// must speak as well: an obligation without a result, or a component that was asked
	// for as a whole and is neither verified nor judged above, is not a verdict.
	if len(results) < len(w.obligations) {
		r.fail(exitNoVerdict)
	}
	for _, x := range found {
		if len(w.elements) == 0 && slices.ContainsFunc(x.status, func(s judgement.Status) bool { return s.Unknown }) {
			r.fail(exitNoVerdict)
		}
		r.sayFaulty(x)
	}
	return j, nil
}

// sayFaulty says whose obligations are not known.
func (r *run) sayFaulty(x proved) {
	for _, s := range x.status {
		if s.Fault != "" {
			r.fault(x.Name+"/"+s.Component, s.Why)
		}
	}
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

// sayJudgement says in words what the judgement found in addition to single verdicts.
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

// judge raises the exit code for an unexpected verdict.
func (r *run) judge(v verdict.Verdict) {
	r.conclude(judgement.Judgement{Rest: []verdict.Result{{Outcome: verdict.Outcome{Verdict: v}}}}.Answer())
}
