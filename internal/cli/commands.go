package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// patience is how long an interrupted command may take to print what it found.
const patience = 800 * time.Millisecond

// Main runs the program with args and returns its exit code.
func Main(args []string, in io.Reader, out, errw io.Writer) (code int) {
	if os.Getenv("GOGC") == "" {
		// A proof attempt lives in some ten megabytes and leaves hundreds behind: with
		// Go's default of 100 a quarter of the time of prove goes to the collector.
		debug.SetGCPercent(400)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// An interrupt asks the work to end; what does not listen in time is cut off. A command
	// that has ended must not be: its exit code would be lost.
	ended := make(chan struct{})
	defer close(ended)
	defer context.AfterFunc(ctx, func() {
		stop() // a second interrupt ends the program at once
		select {
		case <-ended:
		case <-time.After(patience):
			os.Exit(exitInterrupted)
		}
	})()
	r := &run{ctx: ctx, in: in, err: errw}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(errw, "gradine: internal error: %v\n%s", p, debug.Stack())
			code = exitInternal
		}
	}()
	return r.execute(args, out)
}

// execute runs the command that args are, and returns its exit code.
func (r *run) execute(args []string, out io.Writer) int {
	written := &sink{Writer: out}
	r.out = written
	root := r.root()
	root.SetArgs(args)
	root.SetIn(r.in)
	root.SetOut(written)
	root.SetErr(r.err)
	// Commands return what kept them from an answer and raise the exit code for what the
	// answer is: a stronger code that was raised before stands.
	r.words = args
	err := root.ExecuteContext(r.ctx)
	// A closed pipe or a full disk: the answer was not read, so it does not count as a yes.
	if err == nil {
		err = written.err
	}
	if err != nil {
		why := err.Error()
		if errors.Is(err, context.Canceled) && r.ctx.Err() != nil {
			why = "interrupted before there was an answer"
		}
		if strings.HasPrefix(why, "unknown command ") && !strings.Contains(why, "\n") {
			why += "; `gradine --help` lists the commands"
		}
		if missing, ok := r.misses(err); ok {
			why = missing + ": no such file or directory"
			err = flags.UsageOf(err)
		}
		fmt.Fprintf(r.err, "gradine: %s\n", why)
		switch {
		case errors.As(err, new(*explore.Fault)), isFault(err):
			r.fail(exitInternal)
		case errors.As(err, new(flags.Usage)):
			r.fail(exitUsage)
		case errors.As(err, new(modelError)), errors.As(err, new(*fs.PathError)), errors.As(err, new(*os.LinkError)):
			r.fail(exitModel)
			// Cobra's own complaints: an unknown command or flag.
		case r.code == exitYes:
			r.fail(exitUsage)
		}
	}
	if r.ctx.Err() != nil {
		r.fail(exitInterrupted)
	}
	return r.code
}

// misses returns the file or folder that is missing and that the command line names, if err says so.
func (r *run) misses(err error) (name string, missing bool) {
	at, ok := errors.AsType[*fs.PathError](err)
	if !ok || !errors.Is(at, fs.ErrNotExist) {
		return "", false
	}
	for _, word := range r.words {
		if flag, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(flag, "-") {
			word = value
		}
		if samePath(at.Path, word) || samePath(at.Path, r.path(word)) {
			return word, true
		}
	}
	return "", false
}

// samePath reports whether two names are those of one file.
func samePath(a, b string) bool {
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	return errX == nil && errY == nil && x == y
}

// wanted says which values a flag takes.
func wanted(f *pflag.Flag, wrong error) string {
	if errors.Is(wrong, strconv.ErrRange) {
		return "a smaller number"
	}
	switch f.Value.Type() {
	case "int", "int64":
		return "a whole number"
	case "uint64":
		return "a whole number that is not negative"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a time, such as 30s or 5m"
	}
	return "another value: " + errors.Unwrap(wrong).Error()
}

func (r *run) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "gradine",
		Short: "A refinement and proof toolkit for Event-B models kept in Git",
		Long: `gradine checks Event-B models, in plain text or from Rodin, and generates their proof obligations. It proves
obligations with certificates, which a small proof kernel checks again. It also explores machines state by
state, finds the best parameters of a machine, and proves GPU kernels free of data races.`,
		Example:       "  gradine verify            # everything the nearest gradine.toml asks for\n  gradine prove model.zip   # prove a Rodin project",
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	// A project with kernels is searched while it is opened, before its command looks at flags.
	root.PersistentPreRun = func(c *cobra.Command, _ []string) {
		flag := c.Flags().Lookup("no-cache")
		r.noStore = flag != nil && flag.Value.String() == "true"
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		hint := "`" + c.CommandPath() + " --help` lists the flags"
		if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
			// The reason in pflag's words names functions of Go.
			f := wrong.GetFlag()
			return flags.Usagef("--%s %s: it takes %s; %s", f.Name, wrong.GetValue(), wanted(f, wrong), hint)
		}
		if unknown, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
			var names []string
			c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
			if near := diag.Nearest(unknown, names); near != "" {
				hint = "did you mean --" + near + "? " + hint
			}
		}
		return flags.Usagef("%w; %s", err, hint)
	})
	root.PersistentFlags().StringVarP(&r.dir, "directory", "C", "", "use the project in `DIR`")
	for _, command := range r.commands() {
		root.AddCommand(command)
	}
	r.complete(root)
	return root
}

// commands lists the subcommands in the order of work.
func (r *run) commands() []*cobra.Command {
	return []*cobra.Command{
		r.checkCommand(), r.fmtCommand(), r.formulaCommand(), r.poCommand(), r.proveCommand(), r.exploreCommand(), r.animateCommand(), r.traceCommand(), r.inferCommand(), r.kernelCommand(), r.tuneCommand(), r.calibrateCommand(), r.verifyCommand(), r.reviewCommand(), r.tryCommand(), r.gitCommand(), r.reportCommand(),
		r.importCommand(), r.exportCommand(), r.explainCommand(), r.initCommand(), r.cacheCommand(), r.workerCommand(), r.lspCommand(), r.mcpCommand(),
	}
}
