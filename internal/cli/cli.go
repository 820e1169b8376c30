// Package cli implements the command line: it finds the project, calls the stages in
// order, and turns their results into output and an exit code.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gradine/gradine/discharge/queue"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// The exit codes, the same for every command: the first that applies.
const (
	exitYes         = 0
	exitNo          = 1 // a definite no: refuted, violated, unformatted, unexpected
	exitUsage       = 2
	exitModel       = 3 // the model has errors
	exitNoVerdict   = 4 // open obligations; a bound or the time was reached
	exitInternal    = 5
	exitInterrupted = 130
)

// rank orders exit codes by precedence, strongest first.
var rank = []int{exitInternal, exitInterrupted, exitUsage, exitModel, exitNo, exitNoVerdict, exitYes}

// run is the state of one run of the program.
type run struct {
	ctx       context.Context
	in        io.Reader
	out, err  io.Writer
	dir       string // -C
	operand   string // the path that the command was given; "" for the project at dir
	format    string // --format
	ascii     bool
	noStore   bool              // --no-cache, of commands that have it
	recompile bool              // --recompile, of verify
	words     []string          // the command line
	shared    shared            // sources of answers in addition to the proof cache
	workers   *queue.Source     // that help this run, if any
	counted   project.Counts    // the kernel's source that is tuned, if any
	texts     map[string][]byte // what an editor has not saved, by absolute path
	code      int
	faulting  sync.Mutex
	faults    []string // that were said
}

// fail raises the exit code to code if that is stronger.
func (r *run) fail(code int) {
	// Whichever of the two comes first in the ranking is the stronger.
	for _, c := range rank {
		if c == code || c == r.code {
			r.code = c
			return
		}
	}
}

// modelError is an error of the model that leaves nothing to work on: exit code 3,
// as for files that cannot be read or written.
type modelError struct{ error }

func (e modelError) Unwrap() error { return e.error }

func modelErrorf(format string, args ...any) error { return modelError{fmt.Errorf(format, args...)} }

// path is name as seen from the folder of -C, or from that of the model which -C names.
func (r *run) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	dir := r.dir
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	return filepath.Join(dir, name)
}

// formatFlag adds --format with the given values, the first being the default.
func (r *run) formatFlag(c *cobra.Command, values ...string) {
	c.Flags().StringVar(&r.format, "format", values[0], "output `FORMAT`: "+strings.Join(values, ", "))
	if err := c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		if !c.Flags().Changed("format") {
			r.format = values[0]
		}
		for _, v := range values {
			if r.format == v {
				return nil
			}
		}
		return flags.Usagef("unknown --format %s: use one of %v", r.format, values)
	}
}

// style is how the standard output may be painted.
func (r *run) style() report.Style {
	return report.Style{Colour: isTerminal(r.out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// sink is the standard output, and the error that ended it: a report that was cut
// off is never a yes.
type sink struct {
	io.Writer
	err error
}

func (s *sink) Write(data []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.Writer.Write(data)
	s.err = err
	return n, err
}

// onePath refuses arguments that are left over when the project is known.
func onePath(command string, rest []string) error {
	switch len(rest) {
	case 0:
		return nil
	case 1:
		if _, err := os.Stat(rest[0]); err == nil {
			return flags.Usagef("%s takes one path; %s is a second one", command, rest[0])
		}
		return flags.Usagef("%s: no such file or directory; %s takes the path of a project, or none for the nearest gradine.toml", rest[0], command)
	}
	return flags.Usagef("%s takes one path, not %q", command, rest)
}

// oneArgument wants exactly one argument, and says what it is.
func oneArgument(what string) cobra.PositionalArgs { return arguments(1, what) }

// someArguments wants an argument at least, and says what it is.
func someArguments(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return flags.Usagef("%s takes an argument, %s", c.CommandPath(), what)
		}
		return nil
	}
}

// oneAtMost wants one argument or none.
func oneAtMost(what string) cobra.PositionalArgs { return arguments(0, what) }

func arguments(least int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least || len(args) > 1 {
			return flags.Usagef("%s takes one argument, %s, not %d", c.CommandPath(), what, len(args))
		}
		return nil
	}
}

func isTerminal(w io.Writer) bool {
	if s, ok := w.(*sink); ok {
		w = s.Writer
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
