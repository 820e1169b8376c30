package cli

import (
	"cmp"
	"strings"

	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

// trySteps is the budget of a search where somebody waits for the answer.
const trySteps = 1_500_000

func (r *run) tryCommand() *cobra.Command {
	asked := flags.Prove{Steps: trySteps}
	command := &cobra.Command{
		Use:   "try FILE… | PATH=FILE…",
		Short: "Say what edited texts would change, and write nothing",
		Long: `Takes each FILE for the file of the project that has its name, or for the one that PATH is, and
says what differs: problems that appear or go, obligations that are new, gone, proved now, lost or refuted with
their counterexample, and what the proofs cost. Nothing is written; - is the standard input. Old
proofs are tried first, so that little is searched where the store knows them.`,
		Example: "  gradine try models/lamps.eventb\n  gradine try --format jsonl models/lamps.eventb=models/lamps.eventb",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return flags.Usagef("name edited files: `gradine try FILE`, or PATH=FILE for the file PATH of the project")
			}
			return r.try(args, asked)
		},
	}
	command.Flags().Int64Var(&asked.Steps, "steps", trySteps, "budget of a search, in steps")
	command.Flags().IntVar(&asked.Workers, "workers", 0, "number of searches at a time (no influence on results)")
	command.Flags().BoolVar(&asked.NoStore, "no-cache", false, "neither read nor write the proof cache")
	r.formatFlag(command, "text", "jsonl")
	return command
}

func (r *run) try(args []string, asked flags.Prove) error {
	trial, err := project.NewTrial(cmp.Or(r.dir, "."))
	if err != nil {
		return modelError{err}
	}
	for _, arg := range args {
		name, file, ok := strings.Cut(arg, "=")
		if !ok {
			file = name
		}
		var data []byte
		if file == "-" {
			data, err = door.All("the standard input", r.in, project.MaxText)
		} else {
			data, err = project.ReadText(r.path(file))
		}
		if err == nil && ok {
			trial.Add(name, data)
		} else if err == nil {
			err = trial.Put(name, data)
		}
		if err != nil {
			return modelError{err}
		}
	}
	opts, err := asked.Options()
	if err != nil {
		return err
	}
	opts.Faulted = func(why string) { r.fault("what is compared", why) }
	reviews, broken, err := trial.Review(r.ctx, opts)
	if err != nil {
		return modelError{err}
	}
	if broken {
		r.fail(exitModel)
	}
	for _, x := range reviews {
		r.conclude(x.Judgement.Answer())
	}
	return report.Tried(r.out, r.style(), r.format, reviews)
}
