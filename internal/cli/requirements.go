package cli

import (
	"bytes"
	"fmt"
	"io"

	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/report"
	"github.com/spf13/cobra"
)

func (r *run) requirementsCommand() *cobra.Command {
	var f reportFlags
	var required string
	c := &cobra.Command{
		Use:   "requirements [PATH]",
		Short: "Write the requirements that comments state, as CSV",
		Long: `Proves the same obligations as gradine prove. Writes a row for each element that mentions a requirement, with
the obligations of the element and their status. With --required, reads a list of requirements from FILE: CSV
with a column id and an optional column text. If no element mentions a requirement of the list, the status of
the requirement is missing, and the exit code is 1.`,
		Example: "  gradine report requirements > requirements.csv\n  gradine report requirements --required requirements.csv",
		RunE: func(_ *cobra.Command, args []string) error {
			var list []report.Required
			if required != "" {
				data, err := door.File(r.path(required))
				if err != nil {
					return modelError{err}
				}
				if list, err = report.ReadRequired(bytes.NewReader(data)); err != nil {
					return modelErrorf("%s: %w", required, err)
				}
			}
			found, err := r.findings(args, f)
			if err != nil {
				return err
			}
			if err := r.judgeFindings(&found); err != nil {
				return err
			}
			missing := report.Missing(found.findings, list)
			if len(missing) > 0 {
				fmt.Fprintf(r.err, "gradine: %s of %s: no element mentions the requirement\n", report.Count(len(missing), "requirement"), required)
				r.fail(exitNo)
			}
			return r.output(f.output, func(w io.Writer) error { return report.RequirementsCSV(w, found.findings, missing) })
		},
	}
	f.flags(c)
	f.AddFrom(c.Flags())
	c.Flags().StringVarP(&f.output, "output", "o", "", "write to `FILE`, atomically")
	c.Flags().StringVar(&required, "required", "", "read a list of requirements from `FILE`; fail if no element mentions one of them")
	return c
}
