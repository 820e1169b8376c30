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
		Short: "Preview the effect of an edit; write nothing",
		Long: `Previews an edit without changing a file. FILE is the new text of the project file with the same name. PATH=FILE
makes FILE the new text of the project file PATH, and - stands for standard input. Shows the diagnostics that
would appear or disappear, and the obligations that would be new, removed, newly proved, lost or refuted. Also
shows counterexamples and changes of proof costs. Old proofs are tried first, so that few searches are needed.`,
		Example: "  gradine try models/lamps.eventb\n  gradine try --format jsonl models/lamps.eventb=models/lamps.eventb",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return flags.Usagef("no file given: `gradine try FILE`, or PATH=FILE for the project file PATH")
			}
			return r.try(args, asked)
		},
	}
	command.Flags().Int64Var(&asked.Steps, "steps", trySteps, "budget of each search, in steps")
	command.Flags().IntVar(&asked.Workers, "workers", 0, "number of parallel searches (does not affect results)")
	command.Flags().BoolVar(&asked.NoStore, "no-cache", false, "neither read nor write the proof cache")
	r.formatFlag(command, "text", "jsonl")
	return command
}

// try reviews what would change with other texts in the place of files, and writes nothing.
func (r *run) try(args []string, asked flags.Prove) error {
	trial, err := project.NewTrial(cmp.Or(r.dir, "."))
	if err != nil {
		return modelError{err}
	}
	for _, arg := range args {
		// NAME=FILE tries the content of FILE in the place of NAME. FILE alone replaces the file of its own name.
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
