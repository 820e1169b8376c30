package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/explore/follow"
	"github.com/gradine/gradine/internal/animator"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/scenario"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

// followScenarios runs the scenarios of projects, each on its machine and on those that refine it.
func (r *run) followScenarios(projects []*project.Project) {
	for _, opened := range projects {
		for _, s := range opened.AllScenarios() {
			about := fmt.Sprintf("scenario %s of %s", s.Name.Text, s.Machine.Text)
			r.contain(seam.Scenario, about, func(ctx context.Context) {
				var searching bar
				err := opened.FollowAll(ctx, s, func(f *project.Following) { searching = r.solving(f) }, func(f *project.Following, x *follow.Outcome) {
					searching.finish()
					r.judgeScenario(f, x)
					report.Scenario(r.out, r.style(), s, f.On.Name, x)
				})
				if err != nil {
					searching.finish()
					fmt.Fprintf(r.err, "gradine: %s:%d: %s: %v\n", s.Span.File, s.Span.Line, about, withSetupFlags(err))
					r.fail(exitModel)
				}
			})
		}
	}
}

// writeScenarios writes a file of scenarios in the canonical layout, once it has been read again.
func writeScenarios(name string, text []byte) error {
	laid, err := laidOut(text)
	if err != nil {
		return modelErrorf("%s is not written: %w", name, err)
	}
	return laid.Save(name)
}

// replayScenarios runs the scenarios of a file on a machine: those of it, and of machines that it refines.
func (r *run) replayScenarios(opened *project.Project, m *model.Machine, f flags.Explore) error {
	if len(f.Sizes)+len(f.Consts) > 0 || f.Integers != "" {
		return flags.Usagef("--replay %s: scenarios set their own instance in `with`; use gradine.toml for other values", f.Replay)
	}
	text, err := project.ReadText(r.path(f.Replay))
	if err != nil {
		return err
	}
	var problems diag.List
	file := scenario.Parse(f.Replay, text, &problems)
	if problems.Len() > 0 {
		return problems.Sorted()[0]
	}
	ran := 0
	for _, s := range file.Scenarios {
		ready, err := opened.Followings(s)
		if err != nil {
			return err
		}
		for _, x := range ready {
			if x.On != m {
				continue
			}
			bar := r.solving(x)
			out, err := opened.Follow(r.ctx, x)
			bar.finish()
			if err != nil {
				return withSetupFlags(err)
			}
			ran++
			x.Of = m // here, what is asked of this machine counts
			r.judgeScenario(x, out)
			report.Scenario(r.out, r.style(), s, m.Name, out)
		}
	}
	if ran == 0 {
		return flags.Usagef("--replay %s: no scenario is for %s or for a machine that it refines", f.Replay, m.Name)
	}
	return nil
}

func writeLines(w io.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
}

// recordFinding writes what a search has found as a scenario: a violation as what must not be
// possible, a goal as what is.
func (r *run) recordFinding(p *project.Project, m *model.Machine, in *explore.Instance, found explore.Finding, f flags.Explore) error {
	var text bytes.Buffer
	name := cmp.Or(found.Label, found.Kind)
	fmt.Fprintf(&text, "scenario %s of %s\n", scenario.Name(name), scenario.Name(m.Name))
	writeLines(&text, p.SetupLines(m, in))
	last := ""
	switch found.Kind {
	case explore.InvariantFails:
		fmt.Fprintf(&text, "impossible\nbreaks %s\n", scenario.Name(found.Label))
	case explore.Deadlock:
		text.WriteString("impossible\n")
		for _, e := range m.Events {
			if !e.IsInit() {
				last += "not " + scenario.Name(e.Label) + "\n"
			}
		}
	case explore.GoalReached:
		last = "check " + f.Goal + "\n"
	default:
		return flags.Usagef("--scenario cannot express this finding (%s); use --itf for the trace", found.Kind)
	}
	for _, s := range found.Trace.Steps {
		text.WriteString(p.StepLine(m, s) + "\n")
	}
	text.WriteString(last + "end\n")
	return writeScenarios(r.path(f.Scenario), text.Bytes())
}

// recordRefutation writes the counterexample of an obligation about an invariant as a scenario that fails until the model
// is corrected: a run to its state, or to another one that violates the invariant. Where the machine was seen to reach
// neither there is none.
func (r *run) recordRefutation(t animated, name string) error {
	o := t.refuted
	if o.Kind != po.INV || o.Predicate == nil || o.Event == nil || o.Event.IsInit() {
		return flags.Usagef("--scenario: %s is not the preservation of an invariant by an event, so no scenario can show how it fails", o.Path())
	}
	subject, err := r.counterexample(t)
	if err != nil {
		return modelError{err}
	}
	trace, err := r.violation(t, subject)
	if err != nil {
		return modelError{err}
	}
	if trace == nil {
		fmt.Fprintf(r.err, "gradine: --scenario: no run to the state of the counterexample of %s was found, so there is no scenario\n", o.Path())
		r.fail(exitNoVerdict)
		return nil
	}
	label := scenario.Name(o.Predicate.Label)
	var text bytes.Buffer
	fmt.Fprintf(&text, "scenario %s of %s\n", label, scenario.Name(t.m.Name))
	writeLines(&text, t.p.SetupLines(t.m, subject.Instance))
	fmt.Fprintf(&text, "impossible\nbreaks %s\n", label)
	for _, s := range trace.Steps {
		text.WriteString(t.p.StepLine(t.m, s) + "\n")
	}
	text.WriteString("end\n")
	return writeScenarios(r.path(name), text.Bytes())
}

// violation is a run of a machine that ends with a step that an obligation is about, or that violates the invariant in
// another state; nil if none was found.
func (r *run) violation(t animated, subject *animator.Subject) (*explore.Trace, error) {
	to, elsewhere := explain.FindRun(r.ctx, t.p.Dev, *t.refuted)
	if to == nil {
		return elsewhere, r.ctx.Err()
	}
	a, err := animation.New(t.m, subject.Instance)
	if err != nil {
		return nil, err
	}
	start := &animator.Start{Run: to, Values: explore.ValuesAt(explain.State(t.p.Dev.Bank.Extend(), *t.refuted)), Event: t.refuted.Event}
	steps, err := start.Steps(r.ctx, a)
	if err != nil {
		return nil, err
	}
	if len(steps) == len(to.Steps) {
		return nil, fmt.Errorf("%s does not happen in the state of its counterexample", t.refuted.Path())
	}
	return a.Trace(r.ctx, steps)
}

// judgeScenario raises the exit code for a scenario that does not pass.
func (r *run) judgeScenario(f *project.Following, x *follow.Outcome) {
	switch {
	case x.Verdict == follow.Passed, !f.Demanded():
	case x.Verdict == follow.Failed:
		r.fail(exitNo)
	default:
		r.fail(exitNoVerdict)
	}
}

// solving shows the progress of a search for the instances of a scenario.
func (r *run) solving(f *project.Following) bar {
	bar := r.progress(-1, "looking for the constants of "+f.On.Name)
	f.Setup.Progress = bar.set
	return bar
}

// withSetupFlags is an error with the flags that give what is missing.
func withSetupFlags(err error) error {
	if missing, ok := errors.AsType[explore.Unbounded](err); ok {
		return withFlags(err, missing)
	}
	return err
}
