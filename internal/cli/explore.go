package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/animate"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/report/page"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

// setupFlags say under which set-ups machines are explored.
type setupFlags struct {
	sizes, consts []string
	integers      string
	instances     int
	instance      int
}

// exploreFlags are the flags of the explore command.
type exploreFlags struct {
	setupFlags
	goal, ends   string
	temporal     temporalFlags
	proved       bool
	noDeadlock   bool
	keepGoing    bool
	refinement   bool
	symmetry     bool
	partialOrder bool
	assume       bool
	itf, replay  string
	step         bool
	coverage     bool
	html, dot    string
	chart        chartFlags
	maxStates    int
	maxDepth     int
	maxMemory    int
	timeout      time.Duration
	depthFirst   bool
	random       int
	seed         uint64
	seeded       bool
	workers      int
}

// temporalFlags say which formula all runs satisfy, and which events these are fair to.
type temporalFlags struct {
	formula      string
	convergence  bool
	weak, strong []string
}

// given is the flag that says which formula, or "".
func (f temporalFlags) given() string {
	switch {
	case f.formula != "":
		return "--ltl"
	case f.convergence:
		return "--convergence"
	}
	return ""
}

func (r *run) exploreCommand() *cobra.Command {
	var f exploreFlags
	c := &cobra.Command{
		Use:   "explore [PATH] [MACHINE…]",
		Short: "Run machines through all their states",
		Long: `Visits the reachable states of machines, breadth-first, and checks their invariants, that some
event is always enabled, and that guards and actions have values. Traces to what fails are the
shortest. How large carrier sets are and what values constants have stand in gradine.toml, under
[machine.NAME.carriers] and [machine.NAME.constants], or in flags; other constants are found by
solving the axioms.`,
		Example: "  gradine explore model.eventb\n  gradine explore --const N=3 model.eventb\n  gradine explore --random 100 --seed 7 model.zip",
		RunE: func(c *cobra.Command, args []string) error {
			f.seeded = c.Flags().Changed("seed")
			if err := f.check(); err != nil {
				return err
			}
			projects, selectors, err := r.projects(args)
			if err != nil {
				return err
			}
			return r.exploreAll(projects, selectors, f)
		},
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.sizes, "size", nil, "`SET=N`, the size of a carrier set, or N, that of all others")
	flags.StringArrayVar(&f.consts, "const", nil, "`NAME=EXPRESSION`, the value of a constant")
	flags.StringVar(&f.integers, "integers", "", "`LOW..HIGH`, where to look for integers that nothing else bounds, or only numbers beyond a million")
	flags.IntVar(&f.instances, "instances", 1, "explore the first `N` solutions of the axioms (0: all)")
	flags.IntVar(&f.instance, "instance", 0, "explore solution `K` of the axioms only, counted from 1")
	flags.StringVar(&f.goal, "goal", "", "look for a state that satisfies `PREDICATE`")
	flags.StringVar(&f.ends, "ends", "", "the machine may end where `PREDICATE` holds: that is not a deadlock; instead of ends of gradine.toml")
	flags.StringVar(&f.temporal.formula, "ltl", "", "look for a run that violates `FORMULA` of temporal logic: {predicate}, [event], X G F U W R")
	flags.BoolVar(&f.temporal.convergence, "convergence", false, "look for a run in which convergent events go on for ever, so that no variant can become smaller")
	flags.StringArrayVar(&f.temporal.weak, "fair", nil, "of --ltl: runs are weakly fair to `EVENT`: it happens again and again if it stays enabled")
	flags.StringArrayVar(&f.temporal.strong, "strongly-fair", nil, "of --ltl: runs are strongly fair to `EVENT`: it happens again and again if it is enabled again and again")
	flags.BoolVar(&f.proved, "proved", false, "do not check the invariants that are proved to be preserved")
	flags.BoolVar(&f.noDeadlock, "no-deadlock", false, "do not look for deadlocks")
	flags.BoolVar(&f.refinement, "refinement", false, "check that steps of the abstract machine match all steps")
	flags.StringVar(&f.itf, "itf", "", "write the trace to the first finding to `FILE`, as ITF")
	flags.BoolVar(&f.coverage, "coverage", false, "show which events, guards, invariants and values the search met")
	flags.StringVar(&f.html, "html", "", "write the coverage to `FILE`, as a page")
	flags.StringVar(&f.dot, "dot", "", "write the states and transitions to `FILE` for Graphviz, if they are few")
	f.chart.add(c, "the trace to the first finding")
	flags.StringVar(&f.replay, "replay", "", "follow the trace in `FILE`, also on a machine that refines its own")
	flags.BoolVar(&f.step, "step", false, "lead the machine from state to state by commands of the input, of which one is help")
	flags.BoolVar(&f.symmetry, "symmetry", false, "merge states that differ only by a permutation of interchangeable elements: of carrier sets, and of the threads of gradine.toml")
	flags.BoolVar(&f.partialOrder, "partial-order", false, "explore only one order of events that are proved to commute; traces need not be the shortest")
	flags.BoolVar(&f.assume, "assume-commuting", false, "as --partial-order, and takes for proved what could neither be proved nor refuted")
	flags.BoolVar(&f.keepGoing, "keep-going", false, "go on after a violation")
	flags.IntVar(&f.maxStates, "max-states", 0, "bound on the number of states")
	flags.IntVar(&f.maxDepth, "max-depth", 0, "bound on the length of traces")
	flags.IntVar(&f.maxMemory, "max-memory", exploreMemory, "bound on the memory, in `MB`; half of it is for states")
	flags.DurationVar(&f.timeout, "timeout", 0, "end the search after this time, such as 30s")
	flags.BoolVar(&f.depthFirst, "dfs", false, "depth-first: traces are not the shortest")
	flags.IntVar(&f.random, "random", 0, "`N` random walks instead of a search")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the random walks")
	flags.IntVar(&f.workers, "workers", 0, "number of goroutines (no influence on results)")
	r.formatFlag(c, "text", "jsonl")
	return c
}

// exploreAll explores the selected machines, or all. Of all, those are passed over
// that have not what a flag names.
func (r *run) exploreAll(projects []*project.Project, names []string, f exploreFlags) error {
	ctx := r.ctx
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	if os.Getenv("GOGC") == "" {
		// A search leaves little behind, and what it keeps has no pointers: to collect often costs next
		// to nothing, and saves as much memory as the states take.
		debug.SetGCPercent(30)
	}
	r.warnErrors(projects)
	targets, err := machinesOf(projects, names)
	if err != nil {
		return err
	}
	switch {
	case len(targets) == 0:
		return modelErrorf("there is no machine to explore, only contexts")
	case len(targets) > 1 && f.step:
		return usagef("--step leads one machine; name one%s", project.Machines(projects))
	case len(targets) > 1 && f.file() != "":
		return usagef("%s writes what is about one machine; name one%s", f.file(), project.Machines(projects))
	}
	// A flag may name what only some machines have, such as a goal about a variable.
	// The others are passed over, unless they were asked for by name.
	var passed []error
	for _, t := range targets {
		err := r.exploreMachine(ctx, t.p, t.m, f)
		switch {
		case err == nil:
		case len(names) == 0 && errors.As(err, new(notHere)):
			passed = append(passed, fmt.Errorf("%s is passed over: %w", t.m.Name, err))
			if len(passed) == len(targets) {
				return usagef("no machine has what the flags name: %w", err)
			}
		case len(names) == 1:
			return modelError{err}
		default:
			fmt.Fprintf(r.err, "gradine: %s: %v\n", t.m.Name, err)
			switch {
			case errors.As(err, new(*explore.Fault)):
				r.fail(exitInternal)
			case errors.As(err, new(usageError)):
				r.fail(exitUsage)
			}
			r.fail(exitModel)
		}
	}
	for _, err := range passed {
		fmt.Fprintf(r.err, "gradine: %v\n", err)
	}
	return nil
}

// notHere says that a machine has not what a flag names.
type notHere struct{ error }

func (e notHere) Unwrap() error { return e.error }

// check refuses values that mean nothing, and flags that contradict each other.
func (f exploreFlags) check() error {
	for _, n := range []struct {
		flag  string
		value int64
	}{
		{"instances", int64(f.instances)}, {"instance", int64(f.instance)}, {"max-states", int64(f.maxStates)}, {"max-depth", int64(f.maxDepth)},
		{"max-memory", int64(f.maxMemory)}, {"timeout", int64(f.timeout)}, {"random", int64(f.random)}, {"workers", int64(f.workers)},
	} {
		if n.value < 0 {
			return usagef("--%s cannot be negative", n.flag)
		}
	}
	// A flag without effect would make an answer to another question look like one to
	// this.
	for _, x := range []struct {
		flag    string
		given   bool
		other   string
		against bool
	}{
		{"--dfs", f.depthFirst, "--random", f.random > 0},
		{"--partial-order", f.partialOrder || f.assume, "--random", f.random > 0},
		{"--partial-order", f.partialOrder || f.assume, "--refinement", f.refinement},
		{"--instance", f.instance > 0, "--instances", f.instances != 1},
		{"--replay", f.replay != "", "--goal", f.goal != ""},
		{f.temporal.given(), f.temporal.given() != "", "--goal", f.goal != ""},
		{f.temporal.given(), f.temporal.given() != "", "--random", f.random > 0},
		{f.temporal.given(), f.temporal.given() != "", "--replay", f.replay != ""},
		{f.temporal.given(), f.temporal.given() != "", "--symmetry", f.symmetry},
		{f.temporal.given(), f.temporal.given() != "", "--refinement", f.refinement},
		{f.temporal.given(), f.temporal.given() != "", "--partial-order", f.partialOrder || f.assume},
		{"--replay", f.replay != "", "--random", f.random > 0},
		{"--replay", f.replay != "", "--dfs", f.depthFirst},
		{"--replay", f.replay != "", "--refinement", f.refinement},
		{"--replay", f.replay != "", "--symmetry", f.symmetry},
		{"--replay", f.replay != "", "--partial-order", f.partialOrder || f.assume},
		{"--replay", f.replay != "", "--coverage", f.coverage},
		{"--replay", f.replay != "", f.file(), f.file() != ""},
	} {
		if x.given && x.against {
			return usagef("%s and %s exclude each other", x.flag, x.other)
		}
	}
	if f.step {
		if other := f.search(); other != "" {
			return usagef("--step and %s exclude each other", other)
		}
	}
	if f.temporal.formula != "" && f.temporal.convergence {
		return usagef("--ltl and --convergence exclude each other")
	}
	if f.temporal.given() == "" && len(f.temporal.weak)+len(f.temporal.strong) > 0 {
		return usagef("--fair and --strongly-fair say which runs --ltl is about; give it")
	}
	switch {
	case f.chart.svg != "" && f.chart.gantt == "":
		return usagef("--svg needs --gantt, which says what the chart shows")
	case f.chart.gantt != "" && f.chart.svg == "":
		return usagef("--gantt needs --svg, the file to write the chart to")
	case f.seeded && f.random == 0:
		return usagef("--seed needs --random, the number of walks")
	case f.instances != 1 && f.file() != "":
		return usagef("%s writes what is about one solution of the axioms; take --instance", f.file())
	}
	return nil
}

// search is the first flag given that is about a search, or "".
func (f exploreFlags) search() string {
	for _, x := range []struct {
		flag  string
		given bool
	}{
		{"--goal", f.goal != ""}, {f.temporal.given(), f.temporal.given() != ""}, {"--random", f.random > 0}, {"--replay", f.replay != ""}, {"--dfs", f.depthFirst},
		{"--refinement", f.refinement}, {"--symmetry", f.symmetry}, {"--partial-order", f.partialOrder || f.assume}, {"--proved", f.proved},
		{"--coverage", f.coverage}, {"--instances", f.instances != 1}, {f.file(), f.file() != ""},
	} {
		if x.given {
			return x.flag
		}
	}
	return ""
}

// file is the first flag given that writes a file, or "".
func (f exploreFlags) file() string {
	for _, x := range [][2]string{{"--itf", f.itf}, {"--html", f.html}, {"--dot", f.dot}, {"--svg", f.chart.svg}} {
		if x[1] != "" {
			return x[0]
		}
	}
	return ""
}

// exploreMachine explores one machine under its set-ups.
func (r *run) exploreMachine(ctx context.Context, opened *project.Project, machine *model.Machine, f exploreFlags) error {
	r.judgeAccuracy([]*project.Project{opened}, only(machine))
	s := opened.Scope(machine)
	setup, err := r.setup(opened, machine, s, f)
	if err != nil {
		return err
	}
	opt, err := f.options(opened, s, machine)
	if err != nil {
		return err
	}
	var replayed []byte
	if f.replay != "" {
		if replayed, err = os.ReadFile(f.replay); err != nil {
			return err
		}
		if setup, err = setup.Of(replayed); err != nil {
			return fmt.Errorf("%s: %w", f.replay, err)
		}
	}
	if err := r.useProofs(ctx, opened, machine, f, &opt); err != nil {
		return err
	}
	instances, err := r.solve(ctx, opened, machine, setup, f)
	if err != nil {
		return err
	}
	bar := r.progress(-1, "exploring "+machine.Name)
	opt.Progress = func(states, _ int) { bar.set(states) }
	for _, in := range instances {
		switch {
		case f.replay != "":
			return r.replayTrace(ctx, machine, in, replayed, f)
		case f.step:
			return r.step(ctx, machine, in, s)
		}
		result, err := explore.Run(ctx, machine, in, opt)
		bar.finish()
		if _, ok := errors.AsType[explore.Unbounded](err); ok {
			return fmt.Errorf("%w, as does --integers 0..9", err)
		}
		if err != nil {
			return err
		}
		r.judgeSearch(result, f.goal != "")
		if r.format == "jsonl" {
			err = report.ExplorationJSON(r.out, opened.Name, machine, in, result)
		} else {
			report.Exploration(r.out, r.style(), machine, in, result)
			if result.Verdict == explore.Bounded {
				fmt.Fprint(r.out, opened.OfKernel(machine, setup))
			}
		}
		if err != nil {
			return err
		}
		// The verdict comes first: a file that cannot be written does not hide it.
		if err := r.writeSearch(opened, f, result); err != nil {
			return err
		}
	}
	return nil
}

// options are those that the flags and gradine.toml give.
func (f exploreFlags) options(opened *project.Project, s project.Scope, machine *model.Machine) (opt explore.Options, err error) {
	opt = explore.Options{
		MaxStates: f.maxStates, MaxDepth: f.maxDepth, MaxMemory: limitMemory(f.maxMemory), Workers: f.workers,
		NoDeadlock: f.noDeadlock, KeepGoing: f.keepGoing, Order: f.order(),
		Walks: f.random, Seed: f.seed, Refinement: f.refinement, Symmetry: f.symmetry,
		Coverage: f.coverage || f.html != "",
	}
	if f.dot != "" {
		opt.Graph = maxDrawn
	}
	if f.refinement && machine.Refines == nil {
		return opt, notHere{usagef("--refinement: %s refines no machine", machine.Name)}
	}
	if opt.Threads, err = opened.Threads(machine, s); err != nil {
		return opt, err
	}
	if opt.Ends, err = opened.Ends(machine, s, f.ends); err != nil {
		return opt, notHere{usagef("ends: %w", err)}
	}
	if f.goal != "" {
		if opt.Goal, err = s.Formula(f.goal, lang.ParsePredicate); err != nil {
			return opt, notHere{usagef("--goal %w", err)}
		}
	}
	if f.temporal.formula != "" {
		opt.Temporal, err = explore.ParseTemporal(f.temporal.formula, func(text string) (logic.Term, error) { return s.Formula(text, lang.ParsePredicate) })
		if err != nil {
			return opt, notHere{usagef("--ltl: %w", err)}
		}
	}
	if f.temporal.convergence {
		if opt.Temporal, err = explore.Convergence(machine); err == nil && opt.Temporal == nil {
			err = notHere{usagef("--convergence: %s has no convergent event", machine.Name)}
		}
		if err != nil {
			return opt, err
		}
	}
	if opt.Temporal != nil {
		opt.Temporal.Weak, opt.Temporal.Strong = f.temporal.weak, f.temporal.strong
	}
	return opt, nil
}

func (f exploreFlags) order() explore.Order {
	switch {
	case f.random > 0:
		return explore.RandomWalks
	case f.depthFirst:
		return explore.DepthFirst
	}
	return explore.BreadthFirst
}

// solve finds the set-ups to explore.
func (r *run) solve(ctx context.Context, opened *project.Project, machine *model.Machine, setup explore.Setup, f exploreFlags) ([]*explore.Instance, error) {
	limit := f.instances
	if f.instance > 0 {
		limit = f.instance
	}
	bar := r.progress(-1, "looking for the constants of "+machine.Name)
	setup.Progress = bar.set
	instances, err := explore.Solve(ctx, opened.Dev, machine, setup, limit)
	bar.finish()
	if missing, ok := errors.AsType[explore.Unbounded](err); ok {
		return nil, fmt.Errorf("%w, as does --const %s=… or --integers 0..9", err, missing.Variable)
	}
	if err != nil {
		return nil, err
	}
	if f.instance > 0 {
		if f.instance > len(instances) {
			return nil, usagef("--instance %d: the axioms have only %s", f.instance, report.Count(len(instances), "solution"))
		}
		instances = instances[f.instance-1:]
	}
	return instances, nil
}

// exploreMemory bounds the memory of a search unless a flag says otherwise, in MB.
const exploreMemory = 8192

// maxDrawn is the number of states that are still drawn as a graph.
const maxDrawn = 500

// writeSearch writes the files that flags ask for.
func (r *run) writeSearch(opened *project.Project, f exploreFlags, x *explore.Result) error {
	// Of several findings the first is written: its trace is the shortest.
	if f.itf != "" && len(x.Findings) > 0 {
		data, err := x.Findings[0].Trace.ITF()
		if err != nil {
			return err
		}
		if err := os.WriteFile(f.itf, append(data, '\n'), 0o666); err != nil {
			return err
		}
	}
	if f.html != "" {
		var text bytes.Buffer
		if err := page.WriteCoverage(&text, r.origin("Coverage of "+x.Machine+" in", []*project.Project{opened}), x); err != nil {
			return err
		}
		if err := os.WriteFile(f.html, text.Bytes(), 0o666); err != nil {
			return err
		}
	}
	if len(x.Findings) > 0 {
		if err := f.chart.draw(x.Findings[0].Trace); err != nil {
			return err
		}
	}
	if f.dot == "" {
		return nil
	}
	if x.Graph == nil {
		return fmt.Errorf("--dot: more than %d states are too many for a picture", maxDrawn)
	}
	var graph bytes.Buffer
	report.DOT(&graph, x.Machine, x.Graph)
	return os.WriteFile(f.dot, graph.Bytes(), 0o666)
}

// replayTrace follows a trace that was written before.
func (r *run) replayTrace(ctx context.Context, machine *model.Machine, in *explore.Instance, data []byte, f exploreFlags) error {
	x, err := explore.Replay(ctx, machine, in, data, f.maxStates)
	if err != nil {
		return fmt.Errorf("%s: %w", f.replay, err)
	}
	switch {
	case x.Steps == x.Of:
	case x.Bounded:
		r.fail(exitNoVerdict)
	default:
		r.fail(exitNo)
	}
	report.Replayed(r.out, r.style(), machine, x)
	return nil
}

// step leads a machine as the commands say that are read.
func (r *run) step(ctx context.Context, machine *model.Machine, in *explore.Instance, s project.Scope) error {
	animation, err := explore.Animate(ctx, machine, in)
	if err != nil {
		return err
	}
	prompt := animate.Prompt{Animation: animation, Machine: machine.Name, Scope: s, Style: r.style(), JSON: r.format == "jsonl"}
	understood, err := prompt.Run(ctx, r.in, r.out)
	if !understood {
		r.fail(exitUsage)
	}
	return err
}

// setup says how m is made finite: by gradine.toml and by flags, which win.
func (r *run) setup(p *project.Project, m *model.Machine, s project.Scope, f exploreFlags) (explore.Setup, error) {
	with, err := project.ParseOverrides(f.sizes, f.consts, f.integers)
	if err != nil {
		return explore.Setup{}, usagef("%w", err)
	}
	setup, err := p.Setup(m, s, with)
	if _, ok := errors.AsType[project.Missing](err); ok {
		err = notHere{usageError{err}}
	}
	return setup, err
}

// useProofs lets proofs spare the search work, where flags ask for that: checks
// of invariants, and orders of events.
func (r *run) useProofs(ctx context.Context, opened *project.Project, machine *model.Machine, f exploreFlags, opt *explore.Options) error {
	reduce := f.partialOrder || f.assume
	if !f.proved && !reduce {
		return nil
	}
	proofs, err := r.proofs(opened, machine, proveFlags{})
	if err != nil {
		return err
	}
	status, err := proofs.Status(ctx)
	if err != nil {
		return err
	}
	if f.proved {
		r.spare(opened, machine, f, opt)
	}
	if !reduce {
		return nil
	}
	known := discharge.InductiveOf(opened.Dev, machine, opened.Results)
	switch {
	case known.Why != "":
		fmt.Fprintf(r.err, "gradine: machine %s is not verified: %s: proofs that its events commute do without its invariants\n", machine.Name, known.Why)
	case len(known.Unproved) > 0:
		fmt.Fprintf(r.err, "gradine: machine %s is not verified: %s: proofs that its events commute do without %s of its %s\n",
			machine.Name, status.Why, known.Labels(), report.Count(len(machine.Inherited)+len(machine.Invariants), "invariant"))
	}
	opts := proofs.Options
	opts.Steps = proofs.CommuteSteps
	bar := r.progress(-1, "proving that events of "+machine.Name+" commute")
	defer bar.finish()
	opt.Independence = discharge.Independence(ctx, opened.Dev, machine, known, f.assume, opts)
	return nil
}

// spare leaves out the invariants that proofs preserve.
func (r *run) spare(p *project.Project, m *model.Machine, f exploreFlags, opt *explore.Options) {
	preserved, why := discharge.Preserved(p.Dev, m, p.Results, discharge.Search{Abstract: f.refinement, KeepGoing: f.keepGoing})
	all := len(m.Inherited) + len(m.Invariants)
	if why != "" {
		fmt.Fprintf(r.err, "gradine: all invariants of %s are checked: %s\n", m.Name, why)
	} else if len(preserved) < all {
		fmt.Fprintf(r.err, "gradine: %d of %d invariants of %s are preserved; the others are checked\n", len(preserved), all, m.Name)
	}
	opt.Proved = preserved
}

// judgeSearch raises the exit code for what a search found. A goal that is
// reached is what was looked for.
func (r *run) judgeSearch(x *explore.Result, goal bool) {
	reached := false
	for _, f := range x.Findings {
		if reached = reached || f.Kind == "goal"; f.Kind != "goal" {
			r.fail(exitNo)
		}
	}
	switch {
	case reached:
	case x.Verdict == explore.Bounded:
		r.fail(exitNoVerdict)
	case goal:
		r.fail(exitNo)
	}
}
