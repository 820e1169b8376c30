package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/follow"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang/scenario"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

func (r *run) traceCommand() *cobra.Command {
	var mapped, to string
	var f flags.Explore
	c := &cobra.Command{
		Use:   "trace [PATH] MACHINE LOG",
		Short: "Check that a machine explains the log of an implementation",
		Long: `Reads the log of an implementation as JSON lines, and looks for a run of the machine that explains it. A line
names an event with some of its parameters, the values of some variables, or both. The table [machine.NAME.log]
in gradine.toml maps lines to events, and lists the events that may occur without a line. LOG is a file, or -
for standard input. See docs/scenarios.md.`,
		Example: "  gradine trace model.eventb model log.jsonl --const N=3 --map map.toml\n  gradine trace model.eventb model log.jsonl --const N=3 --map map.toml --scenario run.scenario",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 || len(args) > 3 {
				return flags.Usagef("trace takes [PATH] MACHINE LOG")
			}
			if f.MaxStates < 1 {
				return flags.Usagef("--max-states must be positive")
			}
			projects, selectors, err := r.projects(args[:len(args)-1])
			if err != nil {
				return err
			}
			r.warnErrors(projects)
			targets, err := machinesOf(projects, selectors)
			if err != nil {
				return err
			}
			if len(targets) != 1 {
				return flags.Usagef("trace takes one machine; name one%s", project.Machines(projects))
			}
			r.contain(seam.Exploration, "machine "+targets[0].m.Name, func(context.Context) {
				err = r.explainLog(targets[0], args[len(args)-1], mapped, to, f)
			})
			return err
		},
	}
	c.Flags().StringVar(&mapped, "map", "", "read the mapping of lines to events from `FILE`, which has the keys of [machine.NAME.log]")
	c.Flags().StringVar(&to, "scenario", "", "write the run that explains the log to `FILE` as a scenario")
	c.Flags().StringArrayVar(&f.Sizes, "size", nil, "give a carrier set a size: `SET=N`; a number alone is the size of all other carrier sets")
	c.Flags().StringArrayVar(&f.Consts, "const", nil, "give a constant a value: `NAME=EXPRESSION`")
	c.Flags().IntVar(&f.MaxStates, "max-states", 1_000_000, "maximum number of states in memory at one time")
	return c
}

// explainLog looks for a run of a machine that explains a log.
func (r *run) explainLog(t target, name, mapped, to string, f flags.Explore) error {
	r.judgeAccuracy([]*project.Project{t.p}, only(t.m))
	conf := t.p.Machine(t.m).Log
	if mapped != "" {
		var err error
		if conf, err = project.ReadLogMap(r.path(mapped)); err != nil {
			return flags.UsageOf(err)
		}
	}
	setup, err := f.SetupOf(t.p, t.m, t.p.Scope(t.m))
	if err != nil {
		return err
	}
	found, err := r.solve(r.ctx, t.p, t.m, setup, flags.Explore{Setup: flags.Setup{Instances: 2, Counted: true}})
	if err != nil {
		return modelError{err}
	}
	// A log belongs to one instance. Choosing one of several would decide the verdict.
	if len(found.instances) > 1 || found.others != "" {
		return flags.Usagef("the axioms allow several values for the constants of %s; set them with --const", t.m.Name)
	}
	var in io.Reader = r.in
	if name != "-" {
		file, err := os.Open(r.path(name))
		if err != nil {
			return modelError{err}
		}
		defer file.Close()
		in = file
	}
	reader := project.NewLogReader(in, conf)
	log := &follow.Log{Next: reader.Next, Sources: reader.Sources(), Most: f.MaxStates}
	if conf != nil {
		log.Silent = conf.Silent
	}
	run := recorded{most: mostKnown}
	if to != "" {
		fmt.Fprintf(&run.head, "scenario log of %s\n", scenario.Name(t.m.Name))
		writeLines(&run.head, t.p.SetupLines(t.m, found.instances[0]))
		log.Step = func(step explore.Step) error { return run.step(t.p.StepLine(t.m, step)) }
	}
	x, err := follow.Explain(r.ctx, t.m, found.instances[0], log)
	if errors.As(err, new(*follow.BadLine)) {
		return flags.UsageOf(fmt.Errorf("%s: %w", name, err))
	}
	if err != nil {
		return modelError{err}
	}
	switch x.Verdict {
	case follow.Passed:
	case follow.Failed:
		r.fail(exitNo)
	default:
		r.fail(exitNoVerdict)
	}
	report.Explained(r.out, r.style(), t.m.Name, x)
	// A key of the map that no line has is most often misspelled.
	for _, path := range reader.Unseen() {
		fmt.Fprintf(r.err, "gradine: no line has %s, which the map names\n", path)
	}
	if to == "" || x.Verdict != follow.Passed {
		return nil
	}
	return run.write(r.path(to))
}
