package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/follow"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/scenario"
	"github.com/gradine/gradine/project"
)

// scenarioStates bounds the search for the runs of one scenario.
const scenarioStates = 1_000_000

// followScenarios runs the scenarios of projects, each on its machine and on those that refine it.
func (r *run) followScenarios(projects []*project.Project) {
	for _, opened := range projects {
		for _, s := range opened.AllScenarios() {
			about := fmt.Sprintf("scenario %s of %s", s.Name.Text, s.Machine.Text)
			r.contain(seam.Scenario, about, func(context.Context) {
				ready, err := opened.Followings(s)
				for _, f := range ready {
					var x *follow.Outcome
					if x, err = r.follow(opened, f); err != nil {
						err = fmt.Errorf("on %s: %w", f.On.Name, err)
						break
					}
					r.judgeScenario(f, x)
					report.Scenario(r.out, r.style(), s, f.On.Name, x)
					if f.On == f.Of && x.Verdict != follow.Passed {
						break // what the machine does not do, nobody asks of its refinements
					}
				}
				if err != nil {
					fmt.Fprintf(r.err, "gradine: %s:%d: %s: %v\n", s.Span.File, s.Span.Line, about, err)
					r.fail(exitModel)
				}
			})
		}
	}
}

// writeScenarios writes a file of scenarios in the canonical layout, once it has been read again.
func writeScenarios(name string, text []byte) error {
	var problems diag.List
	formatted := scenario.Format(scenario.Parse(name, text, &problems), lang.Options{})
	if problems.Len() > 0 {
		return modelErrorf("%s is not written: %w", name, problems.Sorted()[0])
	}
	return atomic.Write(name, formatted, 0o666)
}

// replayScenarios runs the scenarios of a file on a machine: those of it, and of machines that it refines.
func (r *run) replayScenarios(opened *project.Project, m *model.Machine, f flags.Explore) error {
	if len(f.Sizes)+len(f.Consts) > 0 || f.Integers != "" {
		return flags.Usagef("--replay %s: scenarios say themselves what they run under, by with; gradine.toml says the rest", f.Replay)
	}
	text, err := project.ReadText(f.Replay)
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
			out, err := r.follow(opened, x)
			if err != nil {
				return err
			}
			ran++
			x.Of = m // here, what is asked of this machine counts
			r.judgeScenario(x, out)
			report.Scenario(r.out, r.style(), s, m.Name, out)
		}
	}
	if ran == 0 {
		return flags.Usagef("--replay %s: none of its scenarios is of %s, or of a machine that it refines", f.Replay, m.Name)
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
		return flags.Usagef("--scenario: no scenario says what was found (%s); --itf writes the trace", found.Kind)
	}
	for _, s := range found.Trace.Steps {
		text.WriteString(p.StepLine(m, s) + "\n")
	}
	text.WriteString(last + "end\n")
	return writeScenarios(f.Scenario, text.Bytes())
}

// judgeScenario raises the exit code for a scenario that does not pass. A refinement may have fewer
// runs than its abstract machine, so that only what is impossible is demanded of it.
func (r *run) judgeScenario(f *project.Following, x *follow.Outcome) {
	switch {
	case x.Verdict == follow.Passed, f.On != f.Of && !f.Script.Impossible:
	case x.Verdict == follow.Failed:
		r.fail(exitNo)
	default:
		r.fail(exitNoVerdict)
	}
}

// follow runs a scenario under all set-ups that are few and small. One that says what is possible
// passes if it does under one of them; one that says what is impossible must pass under all.
func (r *run) follow(opened *project.Project, f *project.Following) (*follow.Outcome, error) {
	found, err := r.solve(r.ctx, opened, f.On, f.Setup, flags.Explore{})
	if err != nil {
		return nil, err
	}
	var worst *follow.Outcome
	for _, in := range found.instances {
		x, err := follow.Run(r.ctx, f.On, in, f.Script, scenarioStates)
		if err != nil {
			return nil, err
		}
		decided := follow.Passed
		if f.Script.Impossible {
			decided = follow.Failed
		}
		if x.Verdict == decided {
			return x, nil
		}
		if worst == nil || worst.Verdict == follow.Passed || worst.Verdict == follow.Failed {
			worst = x
		}
	}
	if found.others != "" && (worst.Verdict == follow.Passed || worst.Verdict == follow.Failed) {
		worst.Verdict, worst.Why = follow.Bounded, "not all values of the constants were looked at: "+found.others
	}
	return worst, nil
}
