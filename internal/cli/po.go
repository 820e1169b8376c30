package cli

import (
	"fmt"

	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

func (r *run) poCommand() *cobra.Command {
	var all bool
	command := &cobra.Command{
		Use:   "po [PATH] [ELEMENT…]",
		Short: "Generate proof obligations",
		Long: `Generates the proof obligations of a project, with Rodin's names. Without an ELEMENT, prints only the number of
obligations of each kind. With an ELEMENT, such as timing/finish/after_launch/INV, prints each selected
obligation in full.

` + selectionHelp,
		Example: "  gradine po\n  gradine po timing/finish\n  gradine po --format jsonl model.zip",
		RunE: func(_ *cobra.Command, args []string) error {
			return r.on(args, func(w work) error {
				r.warnErrors(w.projects)
				// Obligations of a component with errors are not those of what was written.
				r.judgeAccuracy(w.projects, w.asked())
				switch {
				case r.format == "jsonl":
					return report.ObligationsJSON(r.out, w.obligations)
				case len(w.elements) > 0:
					for _, obligation := range w.obligations {
						report.Sequent(r.out, r.style(), obligation, all)
					}
				default:
					report.Counts(r.out, r.style(), w.obligations)
				}
				return nil
			})
		},
	}
	command.Flags().BoolVar(&all, "all", false, "show all hypotheses, not only the selected ones")
	r.formatFlag(command, "text", "jsonl")
	return command
}

// warnErrors says on the error stream that the model has errors.
func (r *run) warnErrors(projects []*project.Project) {
	for _, p := range projects {
		if p.Problems.HasErrors() {
			fmt.Fprintf(r.err, "gradine: project %s has errors; `gradine check` shows them. Affected components are inaccurate.\n", p.Name)
		}
	}
}
