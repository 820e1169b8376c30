package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover"
	"github.com/spf13/cobra"
)

// reportFlags are the flags of the report command.
type reportFlags struct {
	proveFlags
	output string
	tuning string
}

func (r *run) reportCommand() *cobra.Command {
	var f reportFlags
	command := &cobra.Command{
		Use:   "report [PATH]",
		Short: "Render what the other commands found",
		Long: `Proves what gradine prove would, and renders the verdicts.
The HTML page needs no server and no other file. With --tuning it shows the answers that
"gradine tune --format jsonl --all-points" wrote.`,
		Example: "  gradine report\n  gradine tune --all-points --format jsonl > tuning.jsonl\n  gradine report --format html --tuning tuning.jsonl -o report.html",
		RunE: func(_ *cobra.Command, args []string) error {
			findings, results, err := r.findings(args, f)
			if err != nil {
				return err
			}
			tunings, err := readTunings(f.tuning)
			if err != nil {
				return err
			}
			return r.output(f.output, func(out io.Writer) error {
				switch r.format {
				case "html":
					return report.HTML(out, findings, tunings)
				case "sarif":
					return report.SARIF(out, results)
				case "junit":
					return report.JUnit(out, results)
				}
				report.Table(out, findings)
				report.Expected(out, findings)
				report.Requirements(out, findings)
				return nil
			})
		},
	}
	f.flags(command)
	command.Flags().StringVarP(&f.output, "output", "o", "", "write to `FILE`, at once or not at all")
	command.Flags().StringVar(&f.tuning, "tuning", "", "show the answers in `FILE`, in the form of tune --format jsonl")
	r.formatFlag(command, "markdown", "html", "sarif", "junit")
	command.AddCommand(r.trustCommand(), r.whyCommand())
	return command
}

// flags defines those that say how to prove what is shown.
func (f *reportFlags) flags(c *cobra.Command) {
	c.Flags().Int64Var(&f.steps, "steps", 0, "budget of a search in steps, as for prove")
	c.Flags().IntVar(&f.workers, "workers", 0, "number of searches at a time (no influence on results)")
	c.Flags().BoolVar(&f.noStore, "no-store", false, "neither read nor write the store")
}

// findings reads the projects and what is recorded of their obligations.
func (r *run) findings(args []string, f reportFlags) (out []report.Findings, results []discharge.Result, err error) {
	opts, err := f.options()
	if err != nil {
		return nil, nil, err
	}
	err = r.onAll("report", args, func(w work) error {
		r.warnErrors(w.projects)
		r.judgeAccuracy(w.projects, everything)
		results, err = r.discharge(w.projects, w.obligations, opts, false, func(x *discharge.Result) { r.lookFor(w.projects, x) })
		for _, opened := range w.projects {
			out = append(out, report.Findings{Name: opened.Name, Dev: opened.Dev, Status: discharge.Components(opened.Dev, results), Results: opened.Own(results)})
		}
		return err
	})
	return out, results, err
}

// output writes to a file, or to the standard output if it has no name.
func (r *run) output(name string, write func(io.Writer) error) error {
	if name == "" {
		return write(r.out)
	}
	var buf bytes.Buffer
	if err := write(&buf); err != nil {
		return err
	}
	if err := replaceFile(r.path(name), buf.Bytes()); err != nil {
		return modelError{err}
	}
	return nil
}

func readTunings(name string) (report.Tunings, error) {
	if name == "" {
		return nil, nil
	}
	in, err := os.Open(name)
	if err != nil {
		return nil, modelError{err}
	}
	defer in.Close()
	out, err := report.ReadTunings(in)
	if err != nil {
		return nil, modelErrorf("%s: %w", name, err)
	}
	return out, nil
}

func (r *run) trustCommand() *cobra.Command {
	var f reportFlags
	command := &cobra.Command{
		Use:     "trust [PATH]",
		Short:   "Print what the verdicts rest on",
		Long:    "Prints the ledger: what is trusted, the axioms of the kernel and the lemmas it has checked, and\nwhat the verdicts of each project rest on.",
		Example: "  gradine report trust",
		RunE: func(_ *cobra.Command, args []string) error {
			findings, _, err := r.findings(args, f)
			if err != nil {
				return err
			}
			report.Trust(r.out, r.style(), findings)
			return nil
		},
	}
	f.flags(command)
	return command
}

func (r *run) whyCommand() *cobra.Command {
	var f reportFlags
	command := &cobra.Command{
		Use:   "why [PATH] OBLIGATION",
		Short: "Explain one verdict",
		Long: `Explains the verdict of one obligation: for a proved one the hypotheses it uses and the steps of its
proof; for a refuted one the counterexample; for an open one which part of the goal is left and in
which case, and what was tried, which it tries again.`,
		Example: "  gradine report why timing/finish/after_launch/INV",
		Args:    someArguments("an obligation, such as timing/finish/after_launch/INV"),
		RunE: func(_ *cobra.Command, args []string) error {
			return r.on(args, func(w work) error {
				obligation, ok := w.one()
				if !ok {
					return usagef("%s stands for %s; name one%s", strings.Join(args, " "), report.Count(len(w.obligations), "obligation"), firstNames(w.obligations))
				}
				return r.why(w, obligation, f)
			})
		},
	}
	f.flags(command)
	return command
}

func (r *run) why(w work, obligation *po.Obligation, f reportFlags) error {
	opts, err := f.options()
	if err != nil {
		return err
	}
	results, err := r.discharge(w.projects, w.obligations, opts, false, func(x *discharge.Result) { r.lookFor(w.projects, x) })
	if err != nil || len(results) == 0 {
		return errors.Join(err, r.ctx.Err())
	}
	result := results[0]
	r.judge(result.Verdict)
	var search *report.Search
	if result.Verdict == discharge.Open {
		for _, opened := range w.projects {
			if opts.Steps == 0 && opened.Dev == obligation.Development {
				opts.Steps = opened.Budget()
			}
		}
		stop := func() bool { return r.ctx.Err() != nil }
		tried := prover.Prove(obligation.Sequent(), prover.Options{Steps: opts.Steps, Stop: stop})
		search = &report.Search{Tried: &tried, Parts: discharge.Parts(obligation.Sequent(), opts.Steps, stop)}
	}
	proof, err := result.Proof(obligation.Sequent())
	if err != nil {
		return err
	}
	report.Why(r.out, r.style(), result, proof, search)
	return nil
}
