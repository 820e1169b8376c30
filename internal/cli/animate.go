package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/follow"
	"github.com/gradine/gradine/internal/animator"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/scenario"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

// animateFlags are those of animate.
type animateFlags struct {
	flags.Explore
	noOpen bool
	export string
	run    string
	view   string

	tune, instance, point string

	best *bestRun // what --tune has found
}

func (r *run) animateCommand() *cobra.Command {
	var f animateFlags
	c := &cobra.Command{
		Use:   "animate [PATH] [MACHINE|OBLIGATION]",
		Short: "Animate a machine in the browser",
		Long: `Serves a web page for running a machine step by step, on the loopback interface only. The page shows the
variables, the changes of each step, the invariants that hold, and the enabled events. For disabled events, the
page shows why they are disabled. The page also shows the states of the abstract machines, the state graph and
pictures. The page reloads the model when you edit it. Interrupt the command to stop the server. For a refuted
obligation, the page starts at its counterexample. See docs/animator.md.`,
		Example: "  gradine animate model.eventb model --const N=3             # serves the page until it is interrupted\n  gradine animate model.eventb model --const N=3 --export model.html",
		RunE: func(_ *cobra.Command, args []string) error {
			if f.MaxStates < 1 {
				return flags.Usagef("--max-states must be positive")
			}
			if f.tune == "" && (f.instance != "" || f.point != "") {
				return flags.Usagef("--instance and --point need --tune")
			}
			if f.tune != "" && f.run != "" {
				return flags.Usagef("--tune and --run cannot be combined")
			}
			return r.animate(args, f)
		},
	}
	c.Flags().StringArrayVar(&f.Sizes, "size", nil, "give a carrier set a size: `SET=N`; a number alone is the size of all other carrier sets")
	c.Flags().StringArrayVar(&f.Consts, "const", nil, "give a constant a value: `NAME=EXPRESSION`")
	c.Flags().StringVar(&f.Integers, "integers", "", "range of integers that have no other bound: `LOW..HIGH`")
	c.Flags().BoolVar(&f.noOpen, "no-open", false, "print the URL; do not open a browser")
	c.Flags().StringVar(&f.export, "export", "", "write the page and its states to `FILE`; start no server")
	c.Flags().StringVar(&f.run, "run", "", "start with the run in `FILE`, which is an ITF trace or a file of scenarios")
	c.Flags().StringVar(&f.view, "view", "", "show the state graph; states with the same value of `EXPRESSION` are merged")
	c.Flags().StringVar(&f.tune, "tune", "", "start with the best run of the tuning entry `NAME`")
	c.Flags().StringVar(&f.instance, "instance", "", "with --tune: `INSTANCE` as NAME=VALUE,… or by its name (default: the instance in gradine.toml)")
	c.Flags().StringVar(&f.point, "point", "", "with --tune: start at `POINT`, written NAME=VALUE,… (default: the first of the best points)")
	c.Flags().IntVar(&f.MaxStates, "max-states", 500, "maximum number of states that --export writes")
	return c
}

// animate serves the animation of a machine, or exports it.
func (r *run) animate(args []string, f animateFlags) error {
	projects, selectors, err := r.projects(args)
	if err != nil {
		return err
	}
	if f.tune != "" {
		if len(selectors) > 0 {
			return flags.Usagef("--tune names the machine; omit %s", selectors[0])
		}
		if r.code == exitModel {
			return modelErrorf("the model has errors: gradine check shows them")
		}
		if f.best, err = r.best(projects, f); err != nil {
			return err
		}
	} else if r.code == exitYes || f.export != "" {
		// What is animated is decided once, while the model is in order.
		found, err := r.animated(projects, selectors)
		if err != nil {
			return err
		}
		if found.refuted == nil {
			selectors = []string{found.m.Name}
		}
	}
	o := animator.Options{Open: r.opener(args, selectors, f, r.openTexts), Write: writeRecorded}
	if f.export != "" {
		return r.exportAnimation(o, f)
	}
	r.code = exitYes // the page shows what is wrong, and resumes when it is corrected
	server, err := animator.Listen(o)
	if err != nil {
		return err
	}
	fmt.Fprintf(r.out, "%s\n", server.URL())
	if !f.noOpen {
		if err := browse(server.URL()); err != nil {
			fmt.Fprintf(r.err, "gradine: no browser opened: %v; open the URL yourself\n", err)
		}
	}
	return server.Serve(r.ctx)
}

// oneOf is machinesOf, where the machine that has the very name wins over a project of that name.
func oneOf(projects []*project.Project, names []string) ([]target, error) {
	targets, err := machinesOf(projects, names)
	if len(targets) > 1 && len(names) == 1 {
		if i := slices.IndexFunc(targets, func(t target) bool { return t.m.Name == names[0] }); i >= 0 {
			return targets[i : i+1], err
		}
	}
	return targets, err
}

// animated is the machine that names select, or that of a refuted obligation.
func (r *run) animated(projects []*project.Project, names []string) (out animated, err error) {
	targets, err := oneOf(projects, names)
	switch {
	case err != nil && len(names) == 1 && strings.Contains(names[0], "/"):
		return r.refutation(projects, names)
	case err != nil:
		return out, err
	case len(targets) == 0:
		return out, modelErrorf("there is no machine to animate, only contexts")
	case len(targets) > 1:
		return out, flags.Usagef("animate runs one machine; name one%s", project.Machines(projects))
	}
	return animated{target: targets[0]}, nil
}

// animated is what a page shows: a machine, or the counterexample of one of its obligations.
type animated struct {
	target
	refuted *verdict.Result
}

// refutation proves an obligation, which must be refuted.
func (r *run) refutation(projects []*project.Project, names []string) (out animated, err error) {
	obligations, err := r.obligations(projects, names)
	if err != nil {
		return out, err
	}
	if len(obligations) != 1 {
		return out, work{obligations: obligations}.oneOf("animate")
	}
	o := obligations[0]
	opts, err := flags.Prove{}.Verdicts()
	if err != nil {
		return out, err
	}
	results, err := r.discharge(projects, obligations, opts, false, func(*verdict.Result) {})
	if err != nil || len(results) == 0 {
		return out, errors.Join(err, r.ctx.Err())
	}
	switch x := &results[0]; {
	case x.Machine == nil:
		return out, flags.Usagef("%s is an obligation of a context, which has no runs", o.Path())
	case x.Counterexample == nil:
		return out, modelErrorf("%s is %s: there is no counterexample to animate", o.Path(), x.Verdict)
	default:
		p := projects[slices.IndexFunc(projects, func(p *project.Project) bool { return p.Dev == o.Development })]
		return animated{target{p, x.Machine}, x}, nil
	}
}

// openTexts are the texts that stand above the files.
func (r *run) openTexts() map[string][]byte { return r.texts }

// opener returns a function that opens what is animated, with the texts that stand above the files at that time. The server
// calls it for each change of the files, so each call has a run of its own: nothing is remembered of older texts.
func (r *run) opener(args, selectors []string, f animateFlags, texts func() map[string][]byte) animator.Opener {
	return func(ctx context.Context) (*animator.Subject, string, []animator.Problem, error) {
		once := &run{ctx: ctx, in: r.in, out: r.out, err: r.err, dir: r.dir, noStore: r.noStore, texts: texts()}
		projects, names, err := once.projects(args)
		if err != nil {
			return nil, "", nil, err
		}
		stamp := project.Stamp(projects, once.texts)
		var problems []animator.Problem
		for _, p := range projects {
			for _, d := range p.Problems.Sorted() {
				if d.Severity == diag.Error {
					problems = append(problems, animator.Problem{File: d.Span.File, Line: d.Span.Line, Message: d.Message, Help: d.Help})
				}
			}
		}
		if len(problems) > 0 {
			return nil, stamp, problems, nil
		}
		// What a client selects replaces the elements of the command line.
		if len(selectors) > 0 {
			names = selectors
		}
		var found animated
		if f.best != nil {
			found, err = f.best.animated(projects)
		} else {
			found, err = once.animated(projects, names)
		}
		if err != nil {
			return nil, stamp, nil, err
		}
		subject, err := once.subject(found, f)
		if err == nil {
			for _, name := range found.p.Unsaved(once.texts) {
				subject.Unsaved = append(subject.Unsaved, filepath.Base(name))
			}
		}
		return subject, stamp, nil, err
	}
}

// subject finds the instance of a machine that is animated: the first, unless flags say more.
func (r *run) subject(t animated, f animateFlags) (*animator.Subject, error) {
	s := t.p.Scope(t.m)
	if f.view != "" {
		if _, err := s.Formula(f.view, lang.ParseExpression); err != nil {
			return nil, fmt.Errorf("--view %s: %w", f.view, err)
		}
	}
	// A refuted obligation has its own instance: the one of its counterexample.
	if t.refuted != nil {
		subject, err := r.counterexample(t)
		if err == nil {
			subject.View = f.view
		}
		return subject, err
	}
	setup, err := f.SetupOf(t.p, t.m, s)
	if err != nil {
		return nil, err
	}
	if trace, ok := f.trace(r); ok {
		if setup, err = setup.Of(trace); err != nil {
			return nil, fmt.Errorf("%s: %w", f.about(), err)
		}
	}
	found, others, err := explore.Solve(r.ctx, t.p.Dev, t.m, setup, 1)
	if missing, ok := errors.AsType[explore.Unbounded](err); ok {
		return nil, withFlags(err, missing)
	}
	if err != nil {
		return nil, err
	}
	return &animator.Subject{Project: t.p, Machine: t.m, Scope: s, Instance: found[0], Others: others, View: f.view, Gantt: f.best != nil, Begin: r.beginning(f)}, nil
}

// counterexample is the machine of a refuted obligation under the set-up of its counterexample. Pages begin in its state;
// with the run to it, if the machine is seen to get there; the event of the obligation happens last, if it can.
func (r *run) counterexample(t animated) (*animator.Subject, error) {
	s := t.p.Scope(t.m)
	setup, err := t.p.Setup(t.m, s, project.Overrides{})
	if err != nil {
		setup = explore.Setup{} // what gradine.toml says is for other instances
	}
	at := explain.State(t.p.Dev.Bank.Extend(), *t.refuted)
	shown, err := explore.SetupAt(t.p.Dev.Bank.Extend(), t.m, at)
	if err == nil {
		shown.Bounds = setup.Bounds
		var found []*explore.Instance
		if found, _, err = explore.Solve(r.ctx, t.p.Dev, t.m, shown, 1); err == nil {
			begin := func(ctx context.Context, _ *animator.Subject) (*animator.Start, error) {
				start := &animator.Start{Values: explore.ValuesAt(at), About: "the counterexample of " + t.refuted.Path()}
				if t.refuted.Event != nil && !t.refuted.Event.IsInit() {
					start.Run, _ = explain.FindRun(ctx, t.p.Dev, *t.refuted)
					start.Event = t.refuted.Event
				}
				if start.Run == nil {
					start.About += "; the reachability of its state is unknown"
				}
				return start, nil
			}
			return &animator.Subject{Project: t.p, Machine: t.m, Scope: s, Instance: found[0], Begin: begin}, nil
		}
	}
	return nil, fmt.Errorf("the counterexample of %s cannot be animated: %w", t.refuted.Path(), err)
}

// trace is the run of --tune, or the trace of --run, unless that is a file of scenarios.
func (f animateFlags) trace(r *run) ([]byte, bool) {
	if f.best != nil {
		return f.best.itf, true
	}
	if f.run == "" || project.IsScenario(f.run) {
		return nil, false
	}
	data, err := door.File(r.path(f.run))
	return data, err == nil
}

// about says for people where the trace is from.
func (f animateFlags) about() string {
	if f.best != nil {
		return f.best.about
	}
	return f.run
}

// beginning reads the run that --tune or --run names.
func (r *run) beginning(f animateFlags) animator.Begin {
	if f.run == "" && f.best == nil {
		return nil
	}
	return func(ctx context.Context, s *animator.Subject) (*animator.Start, error) {
		data, isTrace := f.trace(r)
		if !isTrace {
			trace, about, err := r.scenarioRun(ctx, s, r.path(f.run))
			return &animator.Start{Run: trace, About: about}, err
		}
		done, err := explore.Replay(ctx, s.Machine, s.Instance, data, replayStates)
		if err != nil {
			return nil, err
		}
		return &animator.Start{Run: done.Trace, About: f.about()}, nil
	}
}

// scenarioRun is the run of the first scenario of a file that the machine has.
func (r *run) scenarioRun(ctx context.Context, s *animator.Subject, name string) (*explore.Trace, string, error) {
	text, err := project.ReadText(name)
	if err != nil {
		return nil, "", err
	}
	var problems diag.List
	file := scenario.Parse(name, text, &problems)
	if problems.Len() > 0 {
		return nil, "", problems.Sorted()[0]
	}
	for _, one := range file.Scenarios {
		ready, err := s.Project.Followings(one)
		if err != nil {
			return nil, "", err
		}
		for _, f := range ready {
			if f.On != s.Machine {
				continue
			}
			x, err := follow.Run(ctx, f.On, s.Instance, f.Script, project.ScenarioStates)
			if err != nil {
				return nil, "", err
			}
			if x.Trace != nil && len(x.Trace.Steps) > 0 {
				return x.Trace, "scenario " + one.Name.Text, nil
			}
		}
	}
	return nil, "", fmt.Errorf("%s: %s has no run of its scenarios", name, s.Machine.Name)
}

// writeRecorded adds a scenario to the file next to the model.
func writeRecorded(s *animator.Subject, text []byte) (string, error) {
	name := strings.TrimSuffix(s.Machine.Origin.Span.File, filepath.Ext(s.Machine.Origin.Span.File)) + scenario.Ext
	before, err := door.File(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if len(before) > 0 {
		before = append(before, '\n')
	}
	return name, writeScenarios(name, append(before, text...))
}

// browse opens a page in the browser of the system.
func browse(url string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", url).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", url).Start()
	}
	return exec.Command("xdg-open", url).Start()
}

// exportAnimation writes the page with its states.
func (r *run) exportAnimation(o animator.Options, f animateFlags) error {
	page, bound, err := animator.Export(r.ctx, o, f.MaxStates)
	if err != nil {
		return modelError{err}
	}
	if err := atomic.Write(r.path(f.export), page, 0o666); err != nil {
		return err
	}
	fmt.Fprintf(r.out, "%s: %s\n", f.export, bound)
	return nil
}
