package cli

import (
	"bytes"
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
		Short: "Check that a run of a machine explains a log",
		Long: `Reads a log of an implementation, JSON lines, and looks for a run of the machine that explains it: each
line says that an event happened, with some of its parameters, what some variables were, or both. The
map under [machine.NAME.log] of gradine.toml says how a line is read, and which events may happen
unlogged. LOG is a file, or - for the standard input. See docs/scenarios.md.`,
		Example: "  gradine trace model.eventb model log.jsonl --const N=3 --map map.toml\n  gradine trace model.eventb model log.jsonl --const N=3 --map map.toml --scenario run.scenario",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 || len(args) > 3 {
				return flags.Usagef("trace takes a machine and a log, with a path before them if need be")
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
	c.Flags().StringVar(&mapped, "map", "", "read lines as `FILE` says, which has the keys of [machine.NAME.log]")
	c.Flags().StringVar(&to, "scenario", "", "write the run that explains the log to `FILE`, as a scenario")
	c.Flags().StringArrayVar(&f.Sizes, "size", nil, "`SET=N`, the size of a carrier set, or N, that of all others")
	c.Flags().StringArrayVar(&f.Consts, "const", nil, "`NAME=EXPRESSION`, the value of a constant")
	c.Flags().IntVar(&f.MaxStates, "max-states", 1_000_000, "bound on the number of states that are kept at once")
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
	if len(found.instances) > 1 {
		return flags.Usagef("several values of the constants of %s are possible; give them with --const", t.m.Name)
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
	var text bytes.Buffer
	if to != "" {
		fmt.Fprintf(&text, "scenario log of %s\n", scenario.Name(t.m.Name))
		writeLines(&text, t.p.SetupLines(t.m, found.instances[0]))
		log.Step = func(step explore.Step) error {
			_, err := fmt.Fprintf(&text, "    %s\n", t.p.StepLine(t.m, step))
			return err
		}
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
	for _, path := range reader.Unseen() {
		fmt.Fprintf(r.err, "gradine: no line has %s, which the map names\n", path)
	}
	if to == "" || x.Verdict != follow.Passed {
		return nil
	}
	text.WriteString("end\n")
	return writeScenarios(r.path(to), text.Bytes())
}
