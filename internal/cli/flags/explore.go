package flags

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/project"
	"github.com/spf13/pflag"
)

// Setup says under which set-ups machines are explored.
type Setup struct {
	Sizes, Consts []string
	Integers      string
	Instances     int
	Counted       bool // Instances is given
	Instance      int
	Numbered      bool // Instance is given
}

// Explore are the flags of the explore command.
type Explore struct {
	Setup
	Goal, Ends   string
	Temporal     Temporal
	Proved       bool
	NoDeadlock   bool
	KeepGoing    bool
	Refinement   bool
	Symmetry     bool
	PartialOrder bool
	Assume       bool
	ITF, Replay  string
	Scenario     string
	Step         bool
	Coverage     bool
	HTML         string
	Drawing      Drawing
	Chart        Chart
	MaxStates    int
	Limited      bool // MaxStates is given
	MaxDepth     int
	MaxMemory    int
	Disk         string
	MaxDisk      int
	BitState     int
	Swarm        int
	NATS         string
	Timeout      time.Duration
	DepthFirst   bool
	Random       int
	Seed         uint64
	Seeded       bool
	Workers      int
}

// Drawing is the graph of states to draw: of all, or of the values of expressions.
type Drawing struct {
	DOT  string
	View []string
}

// Temporal says which formula all runs satisfy, and which events these are fair to.
type Temporal struct {
	Formula      string
	Convergence  bool
	Weak, Strong []string
}

// Add defines the flags of explore.
func (f *Explore) Add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.Sizes, "size", nil, "give a carrier set a size: `SET=N`; a number alone is the size of all other carrier sets")
	flags.StringArrayVar(&f.Consts, "const", nil, "give a constant a value: `NAME=EXPRESSION`")
	flags.StringVar(&f.Integers, "integers", "", "range of integers that have no other bound, or only bounds beyond a million: `LOW..HIGH`")
	flags.IntVar(&f.Instances, "instances", 0, "explore the first `N` solutions of the axioms (0: all solutions; default: all solutions if they are few and small)")
	flags.IntVar(&f.Instance, "instance", 0, "explore only solution `K` of the axioms, counted from 1")
	flags.StringVar(&f.Goal, "goal", "", "search for a state that satisfies `PREDICATE`")
	flags.StringVar(&f.Ends, "terminal", "", "report no deadlock in states that satisfy `PREDICATE`, because the machine may stop there (overrides the key terminal in gradine.toml)")
	flags.StringVar(&f.Temporal.Formula, "ltl", "", "search for a run that violates `FORMULA`, written in LTL with {predicate}, [event], and the operators X G F U W R")
	flags.BoolVar(&f.Temporal.Convergence, "convergence", false, "search for an infinite run of convergent events; if there is such a run, no variant exists")
	flags.StringArrayVar(&f.Temporal.Weak, "fair", nil, "with --ltl: assume weak fairness of `EVENT`")
	flags.StringArrayVar(&f.Temporal.Strong, "strongly-fair", nil, "with --ltl: assume strong fairness of `EVENT`")
	flags.BoolVar(&f.Proved, "proved", false, "do not check invariants whose preservation is proved")
	flags.BoolVar(&f.NoDeadlock, "no-deadlock", false, "do not check for deadlocks")
	flags.BoolVar(&f.Refinement, "refinement", false, "check that the abstract machine can match each step")
	flags.StringVar(&f.ITF, "itf", "", "write the trace of the first finding to `FILE`, in ITF")
	flags.StringVar(&f.Scenario, "scenario", "", "write the first finding to `FILE` as a scenario: for a violation it fails until the model is fixed, for a goal it passes")
	flags.BoolVar(&f.Coverage, "coverage", false, "show the events, guards, invariants and values that the search covered")
	flags.StringVar(&f.HTML, "html", "", "write the coverage to `FILE` as an HTML page")
	flags.StringVar(&f.Drawing.DOT, "dot", "", "write the state graph to `FILE` for Graphviz, if the graph is small")
	flags.StringArrayVar(&f.Drawing.View, "view", nil, "with --dot: merge states that have the same value of `EXPRESSION`")
	f.Chart.Add(flags, "the trace to the first finding")
	flags.StringVar(&f.Replay, "replay", "", "replay the trace or the scenarios in `FILE`, on the machine that they name or on a refinement of it")
	flags.BoolVar(&f.Step, "step", false, "run the machine interactively; type help for the commands")
	flags.BoolVar(&f.Symmetry, "symmetry", false, "merge states that differ only by a permutation of carrier-set elements, or of the threads declared in gradine.toml")
	flags.BoolVar(&f.PartialOrder, "partial-order", false, "use partial-order reduction, based on proved independence of events; traces need not be shortest")
	flags.BoolVar(&f.Assume, "assume-commuting", false, "like --partial-order, but also assume that events are independent if this is neither proved nor refuted")
	flags.BoolVar(&f.KeepGoing, "keep-going", false, "continue after a violation")
	flags.IntVar(&f.MaxStates, "max-states", 0, "maximum number of states (0: unlimited; default: 10,000,000, or unlimited with --max-memory, --disk or --bitstate)")
	flags.IntVar(&f.MaxDepth, "max-depth", 0, "maximum length of traces")
	flags.IntVar(&f.MaxMemory, "max-memory", 0, "maximum memory in `MB`; half of the memory is for states (default 1,024)")
	flags.StringVar(&f.Disk, "disk", "", "store states in temporary files under `DIRECTORY`")
	flags.IntVar(&f.MaxDisk, "max-disk", 0, "with --disk: maximum size of the files, in `MB`")
	flags.IntVar(&f.BitState, "bitstate", 0, "search depth-first with bit-state hashing in `MB` of memory, a few bits per state; the result is never complete")
	flags.IntVar(&f.Swarm, "swarm", 0, "with --bitstate: run `N` searches with different hash functions and orders, and estimate their joint coverage")
	flags.StringVar(&f.NATS, "nats", "", "with --swarm: share the searches with the workers at `URL`, such as nats://host:4222; \"embedded\" starts a server on this computer")
	flags.DurationVar(&f.Timeout, "timeout", 0, "stop after this time, such as 30s")
	flags.BoolVar(&f.DepthFirst, "dfs", false, "search depth-first; traces are not shortest")
	flags.IntVar(&f.Random, "random", 0, "make `N` random walks instead of a search")
	flags.Uint64Var(&f.Seed, "seed", 1, "seed of the random walks, or number of the first search of a swarm")
	flags.IntVar(&f.Workers, "workers", 0, "number of goroutines (does not affect results)")
}

// Unless flags say otherwise, these bound a search, so that one without end ends: the memory, in MB, and
// the number of states.
const (
	exploreMemory = 1024
	exploreStates = 10_000_000
)

// Settle gives limits that no flag states their defaults.
func (f *Explore) Settle() {
	if !f.Limited && f.MaxMemory == 0 && f.Disk == "" && f.BitState == 0 {
		f.MaxStates = exploreStates
	}
	f.MaxMemory = cmp.Or(f.MaxMemory, exploreMemory)
}

// MaxDrawn is the number of nodes that are still drawn as a graph.
const MaxDrawn = 500

// Check refuses values that mean nothing, and flags that contradict each other.
func (f Explore) Check() error {
	for _, n := range []struct {
		flag  string
		value int64
	}{
		{"instances", int64(f.Instances)}, {"instance", int64(f.Instance)}, {"max-states", int64(f.MaxStates)}, {"max-depth", int64(f.MaxDepth)},
		{"max-memory", int64(f.MaxMemory)}, {"max-disk", int64(f.MaxDisk)}, {"bitstate", int64(f.BitState)}, {"swarm", int64(f.Swarm)}, {"timeout", int64(f.Timeout)}, {"random", int64(f.Random)}, {"workers", int64(f.Workers)},
	} {
		if n.value < 0 {
			return Usagef("--%s cannot be negative", n.flag)
		}
	}
	// Exclusive pairs are a table. Flags that need another one follow as cases.
	given := f.given()
	for _, x := range exclusive {
		for other := range strings.FieldsSeq(x.others) {
			if given[x.flag] && given[other] {
				return Usagef("%s and %s exclude each other", x.flag, other)
			}
		}
	}
	if f.Temporal.Formula == "" && !f.Temporal.Convergence && len(f.Temporal.Weak)+len(f.Temporal.Strong) > 0 {
		return Usagef("--fair and --strongly-fair say which runs --ltl is about; give it")
	}
	switch {
	case f.Numbered && f.Instance == 0:
		return Usagef("--instance 0: solutions are counted from 1; --instances 0 explores all")
	case f.Chart.SVG != "" && f.Chart.Gantt == "":
		return Usagef("--svg needs --gantt, which says what the chart shows")
	case f.Chart.Gantt != "" && f.Chart.SVG == "":
		return Usagef("--gantt needs --svg, the file to write the chart to")
	case len(f.Drawing.View) > 0 && f.Drawing.DOT == "":
		return Usagef("--view says what --dot shows; give it a file")
	case f.Seeded && f.Random == 0 && f.Swarm == 0:
		return Usagef("--seed needs --random, the number of walks, or --swarm, the number of searches")
	case f.Seeded && f.Swarm > 0 && f.Seed == 0:
		return Usagef("--seed 0: the searches of a swarm are counted from 1")
	case f.Swarm > 0 && f.BitState == 0:
		return Usagef("--swarm needs --bitstate, the memory of each search")
	case f.NATS != "" && f.Swarm == 0:
		return Usagef("--nats needs --swarm: one search runs on one computer")
	case f.MaxDisk > 0 && f.Disk == "":
		return Usagef("--max-disk needs --disk, the directory of the files")
	case f.several() && f.File() != "":
		return Usagef("%s covers one solution of the axioms; select it with --instance", f.File())
	}
	return nil
}

// exclusive are flags that contradict each other: one without effect would make an answer to another question
// look like one to this.
var exclusive = []struct{ flag, others string }{
	{"--dfs", "--random"},
	{"--partial-order", "--random --refinement"},
	{"--instance", "--instances"},
	{"--ltl", "--goal --random --replay --symmetry --refinement --partial-order --convergence"},
	{"--convergence", "--goal --random --replay --symmetry --refinement --partial-order"},
	{"--replay", "--goal --random --dfs --refinement --symmetry --partial-order --coverage --itf --scenario --html --dot --svg"},
	{"--step", "--goal --ltl --convergence --random --replay --dfs --refinement --symmetry --partial-order --proved --coverage --instances --itf --scenario --html --dot --svg"},
	{"--disk", "--bitstate " + beyondStates},
	{"--bitstate", beyondStates},
	{"--swarm", "--proved --itf --scenario --svg"},    // a worker has no proofs, and a finding is that of one search
	{"--view", "--random --symmetry --partial-order"}, // all states and steps are looked at again
}

// beyondStates are the flags that need all states in memory, or another search.
const beyondStates = "--dfs --random --partial-order --ltl --convergence --replay --step --coverage --html --dot"

// withoutClaims are the flags with which no claim of gradine.toml is checked: that takes the
// graph of all states in memory, or they ask for something else.
const withoutClaims = "--goal --ltl --convergence --random --replay --step --refinement --symmetry --partial-order --disk --bitstate"

// given says which flags are given, of those that not all go together.
func (f Explore) given() map[string]bool {
	return map[string]bool{
		"--dfs": f.DepthFirst, "--random": f.Random > 0, "--partial-order": f.PartialOrder || f.Assume, "--refinement": f.Refinement, "--instance": f.Instance > 0,
		"--instances": f.several(), "--replay": f.Replay != "", "--goal": f.Goal != "", "--ltl": f.Temporal.Formula != "", "--convergence": f.Temporal.Convergence,
		"--symmetry": f.Symmetry, "--coverage": f.Coverage, "--step": f.Step, "--proved": f.Proved, "--disk": f.Disk != "", "--bitstate": f.BitState > 0, "--swarm": f.Swarm > 0,
		"--itf": f.ITF != "", "--scenario": f.Scenario != "", "--html": f.HTML != "", "--dot": f.Drawing.DOT != "", "--view": len(f.Drawing.View) > 0, "--svg": f.Chart.SVG != "",
	}
}

// File is the first flag given that writes a file, or "".
func (f Explore) File() string {
	for _, x := range [][2]string{{"--itf", f.ITF}, {"--scenario", f.Scenario}, {"--html", f.HTML}, {"--dot", f.Drawing.DOT}, {"--svg", f.Chart.SVG}} {
		if x[1] != "" {
			return x[0]
		}
	}
	return ""
}

// EachSolution reports whether it is said which solutions of the axioms are explored.
func (f Explore) EachSolution() bool { return f.Counted || f.Instance > 0 }

// OneSolution reports whether flags ask for what is about one solution of the axioms, or for too
// many states for several.
func (f Explore) OneSolution() bool {
	return !f.EachSolution() && (f.Step || f.Replay != "" || f.Coverage || f.HTML != "" || f.Drawing.DOT != "" || f.Disk != "" || f.BitState > 0)
}

// several reports whether flags ask for more than one solution.
func (f Explore) several() bool { return f.Counted && f.Instances != 1 }

// NotHere says that a machine has not what a flag names.
type NotHere struct{ error }

// Unwrap returns the cause.
func (e NotHere) Unwrap() error { return e.error }

// Options are those that the flags and gradine.toml give.
func (f Explore) Options(opened *project.Project, s project.Scope, machine *model.Machine) (opt explore.Options, err error) {
	opt = explore.Options{
		MaxStates: f.MaxStates, MaxDepth: f.MaxDepth, MaxMemory: LimitMemory(f.MaxMemory), Workers: f.Workers,
		NoDeadlock: f.NoDeadlock, KeepGoing: f.KeepGoing, Order: f.order(),
		Walks: f.Random, Seed: f.Seed, Refinement: f.Refinement, Symmetry: f.Symmetry,
		Disk: f.Disk, MaxDisk: f.MaxDisk << 20, BitState: f.BitState << 20,
		Coverage: f.Coverage || f.HTML != "",
	}
	if f.Drawing.DOT != "" {
		opt.Graph.Most = MaxDrawn
	}
	for _, text := range f.Drawing.View {
		term, err := s.Formula(text, lang.ParseExpression)
		if err != nil {
			return opt, NotHere{Usagef("--view %w", err)}
		}
		opt.Graph.View = append(opt.Graph.View, explore.Shown{Name: text, Term: term})
	}
	if f.Refinement && machine.Refines == nil {
		return opt, NotHere{Usagef("--refinement: %s refines no machine", machine.Name)}
	}
	if opt.Threads, err = opened.Threads(machine, s); err != nil {
		return opt, err
	}
	switch opt.Ends, err = opened.Ends(machine, s, f.Ends); {
	case err != nil && f.Ends == "": // only gradine.toml named the machine
		return opt, err
	case err != nil:
		return opt, NotHere{Usagef("--terminal %w", err)}
	}
	given := f.given()
	if !slices.ContainsFunc(strings.Fields(withoutClaims), func(flag string) bool { return given[flag] }) {
		if opt.Claims, err = opened.Claims(machine, s); err != nil {
			return opt, err
		}
	}
	if f.Goal != "" {
		if opt.Goal, err = s.Predicate(f.Goal); err != nil {
			return opt, NotHere{Usagef("--goal %w", err)}
		}
	}
	if f.Temporal.Formula != "" {
		opt.Temporal, err = explore.ParseTemporal(f.Temporal.Formula, s.Predicate)
		if err != nil {
			return opt, NotHere{Usagef("--ltl: %w", err)}
		}
	}
	if f.Temporal.Convergence {
		if opt.Temporal, err = explore.Convergence(machine); err == nil && opt.Temporal == nil {
			err = NotHere{Usagef("--convergence: %s has no convergent event", machine.Name)}
		}
		if err != nil {
			return opt, err
		}
	}
	if opt.Temporal != nil {
		opt.Temporal.Weak, opt.Temporal.Strong = f.Temporal.Weak, f.Temporal.Strong
	}
	return opt, nil
}

func (f Explore) order() explore.Order {
	switch {
	case f.Random > 0:
		return explore.RandomWalks
	case f.DepthFirst:
		return explore.DepthFirst
	}
	return explore.BreadthFirst
}

// SetupOf says how m is made finite: by gradine.toml and by flags, which win.
func (f Explore) SetupOf(p *project.Project, m *model.Machine, s project.Scope) (explore.Setup, error) {
	with, err := project.ParseOverrides(f.Sizes, f.Consts, f.Integers)
	if err != nil {
		return explore.Setup{}, Usagef("%w", err)
	}
	setup, err := p.Setup(m, s, with)
	if _, ok := errors.AsType[project.Missing](err); ok {
		err = NotHere{UsageOf(err)}
	}
	return setup, err
}
