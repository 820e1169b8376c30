package cli

import (
	"io"
	"os"

	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/spf13/cobra"
)

func (r *run) stabilityCommand() *cobra.Command {
	var margin float64
	var ceiling int64
	c := &cobra.Command{
		Use:   "stability OLD NEW",
		Short: "Compare what two versions of gradine prove",
		Long: `Compares two files written by "gradine prove --format jsonl" for the same sources, for example by two versions
of gradine. Lists lost and gained proofs, and proofs whose cost rose or fell by more than --margin. Counts proofs
that changed while their cost stayed about the same. With --ceiling N, also lists proofs that take more than N
steps. The exit code is 1 for a lost proof, a changed verdict or a proof of more than N steps. With --ceiling N,
the exit code is 4 if a file does not record the number of steps of a proof.`,
		Example: "  gradine prove --format jsonl > old.jsonl                      # with one version\n  gradine prove --format jsonl > new.jsonl                      # with another\n  gradine report stability old.jsonl new.jsonl --ceiling 1000000",
		Args:    cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if margin < 0 || ceiling < 0 {
				return flags.Usagef("--margin and --ceiling must not be negative")
			}
			var sides [2]map[string]report.Verdict
			for i, name := range args {
				file, err := os.Open(r.path(name))
				if err != nil {
					return modelError{err}
				}
				sides[i], err = report.ReadVerdicts(file)
				file.Close()
				if err != nil {
					return modelErrorf("%s: %w", name, err)
				}
			}
			found := report.CompareVerdicts(sides[0], sides[1], margin/100, ceiling)
			for _, what := range []report.Stable{report.StableLost, report.StableOther, report.StableAbove} {
				if found.Count(what) > 0 {
					r.fail(exitNo)
				}
			}
			if ceiling > 0 && found.Count(report.StableUnknown) > 0 {
				r.fail(exitNoVerdict)
			}
			return r.output("", func(w io.Writer) error {
				if r.format == "jsonl" {
					return report.StabilityJSON(w, found)
				}
				report.StabilityText(w, r.style(), found)
				return nil
			})
		},
	}
	c.Flags().Float64Var(&margin, "margin", 20, "number of percent by which the steps of a proof may differ")
	c.Flags().Int64Var(&ceiling, "ceiling", 0, "maximum steps of one proof (0: unlimited)")
	r.formatFlag(c, "text", "jsonl")
	return c
}
