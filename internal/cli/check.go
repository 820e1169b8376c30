package cli

import (
	"fmt"
	"os"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/check"
	"github.com/spf13/cobra"
)

func (r *run) checkCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "check [PATH]",
		Short:   "Check names, types and static rules",
		Long:    "Reads a project and reports everything that Rodin's static checker would, with stable codes.\n`gradine explain CODE` says more about one.",
		Example: "  gradine check\n  gradine check --format jsonl model.zip",
		RunE: func(_ *cobra.Command, args []string) error {
			projects, rest, err := r.projects(args)
			if err != nil {
				return err
			}
			if err := onePath("check", rest); err != nil {
				return err
			}
			return r.problems(projects)
		},
	}
	r.formatFlag(c, "text", "jsonl")
	return c
}

// problems prints what is wrong with the projects.
func (r *run) problems(projects []*project) error {
	errors, warnings := 0, 0
	for _, p := range projects {
		all := rodinIDs(p.problems.Sorted())
		for _, d := range all {
			if d.Severity == diag.Error {
				errors++
			} else {
				warnings++
			}
		}
		if r.format == "jsonl" {
			if err := report.ProblemsJSON(r.out, all); err != nil {
				return err
			}
			continue
		}
		report.Problems(r.out, r.style(), all, p.source)
	}
	r.judgeAccuracy(projects, everything)
	if r.format == "text" {
		components, inaccurate := 0, 0
		for _, p := range projects {
			for _, c := range p.dev.Components() {
				components++
				inaccurate += btoi(!c.Whole())
			}
		}
		fmt.Fprint(r.out, report.Count(components, "component"))
		if inaccurate > 0 {
			fmt.Fprintf(r.out, ", %d inaccurate", inaccurate)
		}
		fmt.Fprintf(r.out, ": %s, %s\n", report.Count(errors, "error"), report.Count(warnings, "warning"))
	}
	return nil
}

// rodinIDs adds Rodin's ids of the problems.
func rodinIDs(ds []diag.Diagnostic) []report.Problem {
	var out []report.Problem
	for _, d := range ds {
		out = append(out, report.Problem{Diagnostic: d, Rodin: check.RodinID(d.Code)})
	}
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// source returns the text of a file for messages, or nil.
func (p *project) source(file string) []byte {
	if data, ok := p.sources[file]; ok {
		return data
	}
	if !isText(file) {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return data
}
