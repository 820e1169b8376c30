package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/gradine/gradine/discharge/reduction"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/prompt"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/report/page"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

func (r *run) exploreCommand() *cobra.Command {
	var f flags.Explore
	c := &cobra.Command{
		Use:   "explore [PATH] [MACHINE…]",
		Short: "Explore a machine's state space",
		Long: `Visits the reachable states of machines breadth-first. Checks the invariants, the absence of deadlocks, and the
well-definedness of all guards and actions. Every counterexample is a shortest trace. Carrier-set sizes and
constant values come from [machine.NAME.carriers] and [machine.NAME.constants] in gradine.toml, or from flags.
gradine finds the values of other constants by solving the axioms. If the axioms have only a few small
solutions, gradine explores all of them.`,
		Example: "  gradine explore model.eventb\n  gradine explore --const N=3 model.eventb\n  gradine explore --random 100 --seed 7 model.zip",
		RunE: func(c *cobra.Command, args []string) error {
			f.Seeded, f.Counted, f.Numbered = c.Flags().Changed("seed"), c.Flags().Changed("instances"), c.Flags().Changed("instance")
			f.Limited = c.Flags().Changed("max-states")
			if err := f.Check(); err != nil {
				return err
			}
			f.Settle()
			projects, selectors, err := r.projects(args)
			if err != nil {
				return err
			}
			return r.exploreAll(projects, selectors, f)
		},
	}
	f.Add(c.Flags())
	r.formatFlag(c, "text", "jsonl")
	return c
}

// exploreAll explores the selected machines, or all. Of all, those are passed over
// that have not what a flag names.
func (r *run) exploreAll(projects []*project.Project, names []string, f flags.Explore) error {
	ctx := r.ctx
	if f.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.Timeout)
		defer cancel()
	}
	if os.Getenv("GOGC") == "" {
		// A search leaves little behind, and what it keeps has no pointers: to collect often costs next
		// to nothing, and saves as much memory as the states take.
		debug.SetGCPercent(10)
	}
	r.warnErrors(projects)
	targets, err := machinesOf(projects, names)
	if err != nil {
		return err
	}
	switch {
	case len(targets) == 0:
		return modelErrorf("there is no machine to explore, only contexts")
	case len(targets) > 1 && f.Step:
		return flags.Usagef("--step runs one machine; name one%s", project.Machines(projects))
	case len(targets) > 1 && f.File() != "":
		return flags.Usagef("%s is for one machine; name one%s", f.File(), project.Machines(projects))
	}
	// A flag may name what only some machines have, such as a goal about a variable.
	// The others are passed over, unless they were asked for by name.
	var passed []error
	for _, t := range targets {
		var err error
		if !r.contain(seam.Exploration, "machine "+t.m.Name, func(context.Context) { err = r.exploreMachine(ctx, t.p, t.m, f) }) {
			continue
		}
		switch {
		case err == nil:
		case len(names) == 0 && errors.As(err, new(flags.NotHere)):
			passed = append(passed, fmt.Errorf("%s is skipped: %w", t.m.Name, err))
			if len(passed) == len(targets) {
				return flags.Usagef("no machine matches the flags: %w", err)
			}
		case len(names) == 1:
			return modelError{err}
		default:
			fmt.Fprintf(r.err, "gradine: %s: %v\n", t.m.Name, err)
			if _, missing := r.misses(err); missing {
				r.fail(exitUsage)
			}
			switch {
			case errors.As(err, new(*explore.Fault)):
				r.fail(exitInternal)
			case errors.As(err, new(flags.Usage)):
				r.fail(exitUsage)
			}
			r.fail(exitModel)
		}
	}
	for _, err := range passed {
		fmt.Fprintf(r.err, "gradine: %v\n", err)
	}
	return nil
}

// exploreMachine explores one machine under its set-ups.
func (r *run) exploreMachine(ctx context.Context, opened *project.Project, machine *model.Machine, f flags.Explore) error {
	r.judgeAccuracy([]*project.Project{opened}, only(machine))
	if project.IsScenario(f.Replay) {
		return r.replayScenarios(opened, machine, f)
	}
	s := opened.Scope(machine)
	setup, err := f.SetupOf(opened, machine, s)
	if err != nil {
		return err
	}
	opt, err := f.Options(opened, s, machine)
	if err != nil {
		return err
	}
	if opt.Disk != "" {
		opt.Disk = r.path(opt.Disk)
	}
	var replayed []byte
	if f.Replay != "" {
		if replayed, err = door.File(r.path(f.Replay)); err != nil {
			return err
		}
		// A recorded trace fixes the constants and the elements of the carrier sets.
		setup, err = seam.Read(f.Replay, func() (explore.Setup, error) {
			recorded, err := setup.Of(replayed)
			if err != nil {
				err = fmt.Errorf("%s: %w", f.Replay, err)
			}
			return recorded, err
		})
		if err != nil {
			return err
		}
	}
	if err := r.useProofs(ctx, opened, machine, f, &opt); err != nil {
		return err
	}
	found, err := r.solve(ctx, opened, machine, setup, f)
	if err != nil {
		return err
	}
	bar := r.progress(-1, "exploring "+machine.Name)
	opt.Progress = func(states, _ int) { bar.set(states) }
	switch {
	case f.Replay != "":
		return r.replayTrace(ctx, machine, found.instances[0], replayed, f)
	case f.Step:
		return r.step(ctx, machine, found.instances[0], s)
	}
	// The budget of states is one for all solutions of the axioms.
	shown := exploration{run: r, project: opened, machine: machine, setup: setup, flags: f, worst: explore.Complete}
	for k, in := range found.instances {
		opt.MaxStates = shown.allowed()
		search := func(opt explore.Options) (*explore.Result, error) { return explore.Run(ctx, machine, in, opt) }
		var result *explore.Result
		if f.Swarm > 0 {
			result, err = r.swarm(ctx, opened, machine, f, found.first+k, opt, search)
		} else {
			result, err = search(opt)
		}
		bar.finish()
		if _, ok := errors.AsType[explore.Unbounded](err); ok {
			return fmt.Errorf("%w, as does --integers 0..9", err)
		}
		if err != nil {
			return err
		}
		if shown.cutShort(result) {
			found.others = "there are others"
			break
		}
		if err := shown.add(in, found.first+k, result); err != nil {
			return err
		}
		// A violation in one solution is enough, unless all solutions were asked for.
		if len(result.Findings) > 0 && !f.KeepGoing && !f.EachSolution() {
			shown.judge("")
			return nil
		}
		if ctx.Err() != nil && k+1 < len(found.instances) {
			found.others = "the search ended before the others"
			break
		}
	}
	shown.judge(found.others)
	return shown.conclude(found.others)
}

// writeSearch writes the files that flags ask for.
func (r *run) writeSearch(opened *project.Project, m *model.Machine, in *explore.Instance, f flags.Explore, x *explore.Result) error {
	// Of several findings the first is written: its trace is the shortest.
	if f.ITF != "" && len(x.Findings) > 0 {
		data, err := x.Findings[0].Trace.ITF()
		if err != nil {
			return err
		}
		if err := atomic.Write(r.path(f.ITF), append(data, '\n'), 0o666); err != nil {
			return err
		}
	}
	if f.Scenario != "" && len(x.Findings) > 0 {
		if err := r.recordFinding(opened, m, in, x.Findings[0], f); err != nil {
			return err
		}
	}
	if f.HTML != "" {
		var text bytes.Buffer
		if err := page.WriteCoverage(&text, r.origin("Exploration of "+x.Machine+" in", []*project.Project{opened}), m, in, x); err != nil {
			return err
		}
		if err := atomic.Write(r.path(f.HTML), text.Bytes(), 0o666); err != nil {
			return err
		}
	}
	if len(x.Findings) > 0 {
		if err := f.Chart.Draw(x.Findings[0].Trace, r.path); err != nil {
			return err
		}
	}
	if f.Drawing.DOT == "" {
		return nil
	}
	if x.Graph == nil {
		return fmt.Errorf("--dot: more than %d nodes; use --view EXPRESSION to merge states with the same value", flags.MaxDrawn)
	}
	var graph bytes.Buffer
	report.DOT(&graph, x.Machine, x.Graph, x.Findings)
	return atomic.Write(r.path(f.Drawing.DOT), graph.Bytes(), 0o666)
}

// replayStates bounds a replay unless a flag does: new events may come between the steps of a trace for ever.
const replayStates = 1_000_000

// replayTrace follows a trace that was written before.
func (r *run) replayTrace(ctx context.Context, machine *model.Machine, in *explore.Instance, data []byte, f flags.Explore) error {
	most := f.MaxStates
	if !f.Limited {
		most = replayStates
	}
	x, err := explore.Replay(ctx, machine, in, data, most)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Replay, err)
	}
	switch {
	case len(x.Violated) > 0:
		r.fail(exitNo)
	case x.Steps == x.Of && len(x.Unchecked) == 0:
	case x.Bounded, x.Steps == x.Of:
		r.fail(exitNoVerdict)
	default:
		r.fail(exitNo)
	}
	report.Replayed(r.out, r.style(), machine, x)
	return nil
}

// step leads a machine as the commands say that are read.
func (r *run) step(ctx context.Context, machine *model.Machine, in *explore.Instance, s project.Scope) error {
	animation, err := animation.Begin(ctx, machine, in)
	if err != nil {
		return err
	}
	lead := prompt.Prompt{Animation: animation, Path: r.path, Machine: machine.Name, Scope: s, Style: r.style(), JSON: r.format == "jsonl"}
	understood, err := lead.Run(ctx, r.in, r.out)
	if !understood {
		r.fail(exitUsage)
	}
	return err
}

// useProofs lets proofs spare the search work, where flags ask for that: checks
// of invariants, and orders of events.
func (r *run) useProofs(ctx context.Context, opened *project.Project, machine *model.Machine, f flags.Explore, opt *explore.Options) error {
	reduce := f.PartialOrder || f.Assume
	if !f.Proved && !reduce {
		return nil
	}
	proofs, err := r.proofs(opened, machine, flags.Prove{})
	if err != nil {
		return err
	}
	status, err := proofs.Status(ctx)
	if err != nil {
		return err
	}
	if f.Proved {
		r.spare(opened, machine, f, opt)
	}
	if !reduce {
		return nil
	}
	// Invariants that are not proved may not be assumed where events are proved to commute.
	known := reduction.InductiveOf(opened.Dev, machine, opened.Results)
	switch {
	case known.Why != "":
		fmt.Fprintf(r.err, "gradine: machine %s is not verified: %s: proofs that its events commute do without its invariants\n", machine.Name, known.Why)
	case len(known.Unproved) > 0:
		fmt.Fprintf(r.err, "gradine: machine %s is not verified: %s: proofs that its events commute do without %s of its %s\n",
			machine.Name, status.Why, known.Labels(), report.Count(len(machine.Inherited)+len(machine.Invariants), "invariant"))
	}
	opts := proofs.Options
	opts.Steps = proofs.CommuteSteps
	bar := r.progress(-1, "proving that events of "+machine.Name+" commute")
	defer bar.finish()
	opt.Independence = reduction.Independence(ctx, opened.Dev, machine, known, f.Assume, opts)
	return nil
}

// spare leaves out the invariants that proofs preserve.
func (r *run) spare(p *project.Project, m *model.Machine, f flags.Explore, opt *explore.Options) {
	preserved, why := reduction.Preserved(p.Dev, m, p.Results, reduction.Search{Abstract: f.Refinement, KeepGoing: f.KeepGoing})
	all := len(m.Inherited) + len(m.Invariants)
	if why != "" {
		fmt.Fprintf(r.err, "gradine: all invariants of %s are checked: %s\n", m.Name, why)
	} else if len(preserved) < all {
		fmt.Fprintf(r.err, "gradine: %d of %d invariants of %s are preserved; the others are checked\n", len(preserved), all, m.Name)
	}
	opt.Proved = preserved
}
