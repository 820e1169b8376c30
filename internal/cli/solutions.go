package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/project"
)

// Unless flags say which solutions of the axioms are explored, those after the first one share these
// bounds: an answer about all of few and small ones costs little more than that about one.
const (
	mostSolutions = 200
	mostStates    = 100_000
	mostFurther   = 20_000_000 // values that are tried for them
)

// solutions are the set-ups to explore.
type solutions struct {
	instances []*explore.Instance
	first     int    // the number of the first of them, from 1
	others    string // why there may be others that were not left out on purpose; "" if there are none
}

// solve finds the set-ups to explore.
func (r *run) solve(ctx context.Context, opened *project.Project, machine *model.Machine, setup explore.Setup, f flags.Explore) (solutions, error) {
	limit, most := f.Instances, mostSolutions
	if f.OneSolution() {
		most = 1
	}
	switch {
	case f.Instance > 0:
		limit = f.Instance
	case !f.EachSolution():
		limit, setup.MaxFurther = most+1, mostFurther
	}
	bar := r.progress(-1, "looking for the constants of "+machine.Name)
	setup.Progress = bar.set
	instances, others, err := explore.Solve(ctx, opened.Dev, machine, setup, limit)
	bar.finish()
	if err != nil {
		return solutions{}, withSetupFlags(err)
	}
	switch {
	case f.Instance > len(instances):
		if others != "" {
			return solutions{}, flags.Usagef("--instance %d: only %s of the axioms found; %s", f.Instance, report.Count(len(instances), "solution"), others)
		}
		return solutions{}, flags.Usagef("--instance %d: the axioms have only %s", f.Instance, report.Count(len(instances), "solution"))
	case f.Instance > 0:
		return solutions{instances: instances[f.Instance-1:], first: f.Instance}, nil
	case f.Counted && f.Instances > 0 && !slices.ContainsFunc(instances, func(in *explore.Instance) bool { return len(in.Chosen) > 0 }):
		return solutions{instances: instances, first: 1}, nil // a chosen value is none of the first: gradine, not the axioms, put it there
	case !f.EachSolution() && len(instances) > most:
		instances, others = instances[:most], "there are others"
	}
	return solutions{instances, 1, others}, nil
}

// exploration is what the solutions of the axioms show of a machine.
type exploration struct {
	*run
	project *project.Project
	machine *model.Machine
	setup   explore.Setup
	flags   flags.Explore

	first     *explore.Result
	explored  int
	states    int
	found     bool // some solution has a finding
	reached   bool // of some the finding is the goal
	violated  bool // of some it is not
	different bool // a further solution shows something else than the first one
	chosen    bool // constants have chosen values
	worst     explore.Verdict
}

// allowed is the bound on the states of the next solution; 0: none.
func (x *exploration) allowed() int {
	if x.first == nil || x.flags.EachSolution() {
		return x.flags.MaxStates
	}
	if left := max(1, mostStates-x.states); x.flags.MaxStates == 0 || left < x.flags.MaxStates {
		return left
	}
	return x.flags.MaxStates
}

// cutShort reports whether a further solution has more states than are left for it, and shows nothing else.
func (x *exploration) cutShort(result *explore.Result) bool {
	return x.first != nil && !x.flags.EachSolution() && result.Verdict == explore.Bounded && x.allowed() != x.flags.MaxStates && result.States >= x.allowed()
}

// add says what solution k shows: all of the first one and of those that somebody asked for, of
// others what is different.
func (x *exploration) add(in *explore.Instance, k int, result *explore.Result) error {
	if x.first == nil {
		x.first = result
	}
	x.explored, x.states = x.explored+1, x.states+result.States
	same := x.explored == 1 || alike(x.first, result)
	x.different, x.chosen = x.different || !same, len(in.Chosen) > 0
	if x.worst != explore.Counterexample && result.Verdict != explore.Complete {
		x.worst = result.Verdict
	}
	write := x.explored == 1 || len(result.Findings) > 0 && !x.found
	x.found = x.found || len(result.Findings) > 0
	for _, finding := range result.Findings {
		goal := finding.Kind == explore.GoalReached
		x.reached, x.violated = x.reached || goal, x.violated || !goal
	}
	switch shown := x.explored == 1 || !same || x.flags.EachSolution(); {
	case !shown:
	case x.format == "jsonl":
		if err := report.ExplorationJSON(x.out, x.project.Name, x.machine, in, k, result); err != nil {
			return err
		}
	default:
		report.Exploration(x.out, x.style(), x.machine, in, result)
		if result.Verdict == explore.Bounded {
			fmt.Fprint(x.out, x.project.OfKernel(x.machine, x.setup))
		}
	}
	// The verdict comes first: a file that cannot be written does not hide it.
	if !write {
		return nil
	}
	return x.writeSearch(x.project, x.machine, in, x.flags, result)
}

// alike reports whether two solutions show the same but for numbers of states.
func alike(a, b *explore.Result) bool {
	return len(a.Findings)+len(b.Findings) == 0 && a.Verdict == b.Verdict && a.Why == b.Why &&
		slices.Equal(a.Claims, b.Claims) && slices.Equal(a.Idle, b.Idle) && slices.Equal(a.Unchecked, b.Unchecked)
}

// judge raises the exit code for what the solutions show. A goal that is reached is what was looked for.
func (x *exploration) judge(others string) {
	switch {
	case x.violated:
		x.fail(exitNo)
	case x.reached:
	case x.worst == explore.Bounded || others != "":
		x.fail(exitNoVerdict)
	case x.flags.Goal != "":
		x.fail(exitNo)
	}
}

// conclude says what was seen of all solutions, if these are several and no fewer were asked for.
func (x *exploration) conclude(others string) error {
	if x.explored == 1 && others == "" || x.flags.Instance > 0 || x.flags.Counted && x.flags.Instances > 0 && others == "" {
		return nil
	}
	if x.format == "jsonl" {
		return report.SolutionsJSON(x.out, x.project.Name, x.machine, x.explored, x.states, x.worst, others)
	}
	report.Solutions(x.out, x.style(), x.explored, x.states, x.different, x.chosen, others)
	return nil
}

// withFlags adds to an error what flags would bound a variable, as far as it has a name: no flag
// bounds the elements of an infinite set, or what no value was found for.
func withFlags(err error, missing explore.Unbounded) error {
	if missing.Sought || strings.Contains(missing.Variable, " ") {
		return fmt.Errorf("%w; --const gives a constant a value", err)
	}
	return fmt.Errorf("%w, as does --const %s=… or --integers 0..9", err, missing.Variable)
}
