package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"github.com/gradine/gradine/internal/seam"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/edit"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/lang/scenario"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

func (r *run) fmtCommand() *cobra.Command {
	var write, list bool
	var width int
	command := &cobra.Command{
		Use:   "fmt [-w | -l] [PATH…]",
		Short: "Format models, proof hints and scenarios",
		Long: `Prints models, .hints files and scenarios in the canonical layout. A path is a file or a folder; the path - is
standard input. With -w, rewrites each file in place, atomically. With -l, lists the files whose layout differs
from the canonical one, and exits with 1 if there are such files. Windows line endings are kept.`,
		Example: "  gradine fmt -w models\n  gradine fmt --ascii model.eventb",
		RunE: func(_ *cobra.Command, args []string) error {
			if write && list {
				return flags.Usagef("-w and -l cannot be combined")
			}
			if width < 0 {
				return flags.Usagef("--width cannot be negative")
			}
			// One file after the other: an error in one leaves the others formatted.
			opts := lang.Options{ASCII: r.ascii, Width: width}
			files, err := r.filesToFormat(args)
			if err != nil {
				return err
			}
			for _, f := range files {
				if err := r.format1(f, opts, write, list); err != nil {
					return err
				}
			}
			return nil
		},
	}
	command.Flags().BoolVarP(&write, "write", "w", false, "rewrite files in place")
	command.Flags().BoolVarP(&list, "list", "l", false, "list files whose layout differs from the canonical one")
	command.Flags().BoolVar(&r.ascii, "ascii", false, "use ASCII operators")
	command.Flags().IntVar(&width, "width", 0, "maximum line length (0: default)")
	return command
}

// filesToFormat lists the text models that the arguments mean.
func (r *run) filesToFormat(args []string) ([]string, error) {
	var out []string
	for _, a := range args {
		if a == "-" {
			out = append(out, a)
			continue
		}
		files, err := project.TextsAt(r.path(a))
		if err != nil {
			return nil, modelError{err}
		}
		out = append(out, files...)
	}
	if len(args) > 0 {
		return out, nil
	}
	projects, err := project.Read(cmp.Or(r.dir, "."))
	if err != nil {
		return nil, modelError{err}
	}
	return project.Texts(projects), nil
}

// format1 formats one file.
func (r *run) format1(name string, opts lang.Options, write, list bool) error {
	var data []byte
	var err error
	if name == "-" {
		data, err = door.All("the standard input", r.in, project.MaxText)
	} else {
		data, err = project.ReadText(name)
	}
	if err != nil {
		return modelError{err}
	}
	var problems diag.List
	var formatted []byte
	whole := r.contain(seam.Text, name, func(context.Context) {
		switch {
		case project.IsHints(name):
			formatted = hints.Format(hints.Parse(name, data, &problems), opts)
		case project.IsScenario(name):
			formatted = scenario.Format(scenario.Parse(name, data, &problems), opts)
		default:
			formatted = lang.Format(lang.Parse(name, data, &problems), opts)
		}
	})
	if !whole {
		return nil // it is said, and the other files are formatted
	}
	// The layout of what was not understood is the author's.
	if problems.HasErrors() {
		r.fail(exitModel)
		report.Problems(r.err, report.Style{}, rodinIDs(problems.Sorted()), func(string) []byte { return data })
		fmt.Fprintf(r.err, "gradine: %s has syntax errors and is unchanged\n", name)
		return nil
	}
	if bytes.Contains(data, []byte("\r\n")) {
		formatted = bytes.ReplaceAll(formatted, []byte("\n"), []byte("\r\n")) // the ends of lines are Git's business
	}
	// A layout changes nothing of what a file says.
	laid, err := edit.Formatted(name, data, formatted)
	if err != nil {
		return modelError{err}
	}
	same := bytes.Equal(formatted, data)
	switch {
	case list:
		if !same {
			r.fail(exitNo)
			fmt.Fprintln(r.out, name)
		}
	case write && name != "-":
		if !same {
			return laid.Save(name)
		}
	default:
		_, err = r.out.Write(formatted)
	}
	return err
}

// replaceFile writes data to name at once or not at all, keeping its mode.
func replaceFile(name string, data []byte) error { return atomic.Write(name, data, 0o666) }
