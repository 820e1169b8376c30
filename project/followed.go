package project

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/follow"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang/scenario"
	"github.com/gradine/gradine/review"
)

// Unless somebody asks for other bounds, what is said of a machine is said of so many solutions of
// its axioms: an answer about all of few and small ones costs little more than that about one.
const (
	MostSolutions = 200
	MostFurther   = 20_000_000 // values that are tried for solutions after the first one
)

// ScenarioStates bounds the search for the runs of one scenario.
const ScenarioStates = 1_000_000

// Follow runs a scenario under all instances that are few and small. One that says what is possible
// passes if it does under one of them; one that says what is impossible must pass under all. The
// error says why there is no instance.
func (p *Project) Follow(ctx context.Context, f *Following) (*follow.Outcome, error) {
	setup := f.Setup
	setup.MaxFurther = MostFurther
	instances, others, err := explore.Solve(ctx, p.Dev, f.On, setup, MostSolutions+1)
	if err != nil {
		return nil, err
	}
	if len(instances) > MostSolutions {
		instances, others = instances[:MostSolutions], "there are others"
	}
	var worst *follow.Outcome
	for _, in := range instances {
		x, err := follow.Run(ctx, f.On, in, f.Script, ScenarioStates)
		if err != nil {
			return nil, err
		}
		// One instance that allows a run settles what is possible, and one that allows a forbidden run settles what is
		// impossible.
		decided := follow.Passed
		if f.Script.Impossible {
			decided = follow.Failed
		}
		if x.Verdict == decided {
			return x, nil
		}
		// Bounded is worse than a definite verdict, because the instances beyond the bound may decide otherwise.
		if worst == nil || worst.Verdict == follow.Passed || worst.Verdict == follow.Failed {
			worst = x
		}
	}
	if others != "" && (worst.Verdict == follow.Passed || worst.Verdict == follow.Failed) {
		worst.Verdict, worst.Why = follow.Bounded, "not all values of the constants were looked at: "+others
	}
	return worst, nil
}

// FollowAll runs a scenario on its machine and, if it passes there, on those that refine it; done gets each
// outcome. What the machine does not do is not asked of its refinements.
func (p *Project) FollowAll(ctx context.Context, s *scenario.Scenario, ready func(*Following), done func(*Following, *follow.Outcome)) error {
	followings, err := p.Followings(s)
	if err != nil {
		return err
	}
	for _, f := range followings {
		ready(f)
		x, err := p.Follow(ctx, f)
		if err != nil {
			return fmt.Errorf("on %s: %w", f.On.Name, err)
		}
		done(f, x)
		if f.On == f.Of && x.Verdict != follow.Passed {
			break
		}
	}
	return nil
}

// Demanded reports whether a scenario must pass on the machine that it runs on. A refinement may have
// fewer runs than its abstract machine, so that only what is impossible is demanded of it.
func (f *Following) Demanded() bool { return f.On == f.Of || f.Script.Impossible }

// noOutcome is the word for a scenario that cannot be run.
const noOutcome = "not run"

// saysOf is what a scenario says, whatever it is called.
func saysOf(s *scenario.Scenario) string {
	lines := []string{fmt.Sprint(s.Impossible)}
	for _, l := range slices.Concat(s.With, s.Lines) {
		lines = append(lines, l.What())
	}
	if s.Breaks != nil {
		lines = append(lines, "breaks "+s.Breaks.Invariant.Text)
	}
	return strings.Join(lines, "\n")
}

// outcomes runs the scenarios of a revision.
func (x *revision) outcomes(ctx context.Context, tell func(why string)) (out []review.Outcome) {
	for _, s := range x.AllScenarios() {
		about := fmt.Sprintf("scenario %s of %s", s.Name.Text, s.Machine.Text)
		outcome := func(on, verdict, why string, demanded bool) {
			o := review.Outcome{Scenario: s.Name.Text, Of: s.Machine.Text, On: on, Verdict: verdict, Why: why, Demanded: demanded, Lines: saysOf(s), Span: s.Span}
			out = append(out, o)
		}
		fault := seam.Contain(ctx, seam.Scenario, about, func(ctx context.Context) {
			err := x.FollowAll(ctx, s, func(*Following) {}, func(f *Following, o *follow.Outcome) {
				outcome(f.On.Name, string(o.Verdict), o.Why, f.Demanded())
			})
			if err != nil {
				outcome(s.Machine.Text, noOutcome, err.Error(), true)
			}
		})
		if fault != nil {
			if tell != nil {
				tell(about + ": " + fault.Error())
			}
			outcome(s.Machine.Text, noOutcome, "internal error", true)
		}
	}
	return out
}
