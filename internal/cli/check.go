package cli

import (
	"fmt"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/rules"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

func (r *run) checkCommand() *cobra.Command {
	var all bool
	command := &cobra.Command{
		Use:   "check [PATH]",
		Short: "Check names, types and static rules",
		Long: `Reads a project and reports the same errors and warnings as Rodin's static checker, with stable codes. The
command gradine explain CODE explains a code. Follow-on diagnostics, which disappear once their cause is fixed,
are printed only with --all and in JSON lines.`,
		Example: "  gradine check\n  gradine check --format jsonl model.zip",
		RunE: func(_ *cobra.Command, args []string) error {
			projects, rest, err := r.projects(args)
			if err != nil {
				return err
			}
			if err := onePath("check", rest); err != nil {
				return err
			}
			return r.problems(projects, all)
		},
	}
	command.Flags().BoolVar(&all, "all", false, "also show follow-on diagnostics")
	r.formatFlag(command, "text", "jsonl")
	return command
}

// problems prints what is wrong with the projects.
func (r *run) problems(projects []*project.Project, everyOne bool) error {
	errors, warnings, hidden := 0, 0, 0
	for _, opened := range projects {
		all := rodinIDs(opened.Problems.Sorted())
		if r.format == "jsonl" {
			if err := report.ProblemsJSON(r.out, all); err != nil {
				return err
			}
			continue
		}
		// Machines get everything; people begin with what nothing else causes.
		if first := report.FirstProblems(all); !everyOne && len(first) < len(all) {
			hidden += len(all) - len(first)
			all = first
		}
		for _, d := range all {
			if d.Severity == diag.Error {
				errors++
			} else {
				warnings++
			}
		}
		report.Problems(r.out, r.style(), all, opened.Source)
	}
	r.judgeAccuracy(projects, everything)
	if r.format == "text" {
		components, inaccurate := 0, 0
		for _, opened := range projects {
			for _, c := range opened.Dev.Components() {
				components++
				inaccurate += btoi(!c.Whole())
			}
		}
		fmt.Fprint(r.out, report.Count(components, "component"))
		if inaccurate > 0 {
			fmt.Fprintf(r.out, ", %d inaccurate", inaccurate)
		}
		fmt.Fprintf(r.out, ": %s, %s", report.Count(errors, "error"), report.Count(warnings, "warning"))
		if hidden > 0 {
			fmt.Fprintf(r.out, "; --all shows %s, which may go away with these", report.Count(hidden, "more problem"))
		}
		fmt.Fprintln(r.out)
	}
	return nil
}

// rodinIDs adds Rodin's ids of the problems.
func rodinIDs(ds []diag.Diagnostic) []report.Problem {
	var out []report.Problem
	for _, d := range ds {
		out = append(out, report.Problem{Diagnostic: d, Rodin: rules.RodinID(d.Code)})
	}
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
