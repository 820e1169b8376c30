package flags

import (
	"slices"
	"time"

	"github.com/spf13/pflag"
)

// Tune are the flags of the tune command.
type Tune struct {
	Prove
	Instance    string
	By          string
	MaxPoints   int
	MaxSteps    int
	MaxMemory   int // MB
	Timeout     time.Duration
	Criterion   string
	Objective   []string
	Order       string
	Constraints []string
	AllPoints   bool
	Fold        bool // one line per entry, unless an answer needs attention
	Method      string
	Seed        uint64
	Measured    string
	Plots       string
	Export      string
	Point       string
	Trace       string
	Chart       Chart
	OneForAll   int    // configurations for all instances; 0: each has its own
	Regret      string // what of their regrets is least
	Dispatch    string // file of a header
	Kernel
}

// Kernel are the flags about a kernel that is tuned from its source.
type Kernel struct {
	Table  string
	Device string
	Write  string
	Clang  string
	Run    Run
}

// Run are the flags about measuring a kernel on the device at hand.
type Run struct {
	On     bool
	Points int
	Time   time.Duration
	Gain   float64 // percent
	Log    string
}

// add defines them.
func (f *Run) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.On, "run", false, "measure configurations of a kernel on the device of this computer, and find the fastest")
	flags.IntVar(&f.Points, "run-points", 20, "with --run: measure `N` configurations (0: unlimited)")
	flags.DurationVar(&f.Time, "run-time", 0, "with --run: stop measuring after this time, such as 5m (0: unlimited)")
	flags.Float64Var(&f.Gain, "run-gain", 1, "with --run: stop when one more measurement is expected to save less than `PERCENT` (0: never)")
	flags.StringVar(&f.Log, "run-log", "", "with --run: keep measurements in `FILE`, and resume from FILE (default: next to KERNEL, with extension .measured.tsv)")
}

// check refuses values that mean nothing.
func (f Run) check() error {
	switch {
	case f.Points < 0 || f.Time < 0 || !(f.Gain >= 0):
		return Usagef("--run-points, --run-time and --run-gain cannot be negative")
	case !f.On && (f.Points != 20 || f.Time != 0 || f.Gain != 1 || f.Log != ""):
		return Usagef("--run-points, --run-time, --run-gain and --run-log need --run")
	}
	return nil
}

// Add defines them.
func (f *Kernel) Add(flags *pflag.FlagSet) {
	flags.StringVar(&f.Table, "table", "", "read the kernel's parameters from `FILE` (default: next to KERNEL, with extension .toml)")
	flags.StringVar(&f.Device, "device", "", "for a kernel: tune for the device `NAME`, or for a file of device parameters (default: the device named in the kernel's table)")
	flags.StringVar(&f.Write, "write", "", "for a kernel: write a project to `DIR` with the context, machine and entry that tune the kernel")
	f.Run.add(flags)
	flags.StringVar(&f.Clang, "clang", "", "for a kernel: run `PROGRAM` as clang (default: clang, or the newest clang-NN)")
}

// Add defines the flags of tune.
func (f *Tune) Add(flags *pflag.FlagSet) {
	flags.StringVar(&f.Instance, "instance", "", "tune `INSTANCE`, written NAME=VALUE,… or by its name (default: all instances in gradine.toml)")
	flags.StringVar(&f.By, "by", "auto", "find values by `METHOD`: auto, theorem, run, or exhaustive (explores all schedules and relies on no proof)")
	flags.DurationVar(&f.Timeout, "timeout", 0, "stop after this time, such as 30s")
	flags.StringVar(&f.Criterion, "criterion", "", "`CRITERION` for the schedule of a point that counts: worst or best (default: the criterion in gradine.toml)")
	flags.StringArrayVar(&f.Objective, "objective", nil, "`EXPRESSION` to minimise, or \"maximise EXPRESSION\" (default: the objective in gradine.toml); repeat the flag for more objectives")
	flags.StringVar(&f.Order, "order", "", "`ORDER` in which several objectives are compared: lexicographic or pareto (default: the order in gradine.toml)")
	flags.StringArrayVar(&f.Constraints, "constraint", nil, "`PREDICATE` that must hold at the end, in addition to the constraints in gradine.toml")
	flags.IntVar(&f.MaxPoints, "max-points", MaxPoints, "reject instances with more than `N` points (0: unlimited)")
	flags.IntVar(&f.MaxSteps, "max-steps", MaxSteps, "maximum number of steps of all runs of one instance, and of states of all its explorations (0: unlimited)")
	flags.IntVar(&f.MaxMemory, "max-memory", MaxMemory, "maximum memory in `MB`; half of the memory is for states")
	flags.StringVar(&f.Method, "method", "search", "search for points by `METHOD`: search, or for comparison bisection or swarm")
	flags.Uint64Var(&f.Seed, "seed", 1, "seed of --method swarm")
	flags.StringVar(&f.Measured, "measured", "", "use the measured times in `FILE`, a table as for gradine calibrate, in place of predictions")
	flags.StringVar(&f.Plots, "plots", "", "write heat maps and curves of the objective to `DIR`, as SVG")
	flags.StringVar(&f.Export, "export", "", "write the answer to `FILE`: NAME.h (a header for CUDA and OpenCL with the first of the best points), NAME.json (results for auto-tuners), or a folder (both files for each instance)")
	flags.StringVar(&f.Trace, "trace", "", "write a run at a best point to `FILE` in ITF, for gradine explore --replay")
	flags.StringVar(&f.Point, "point", "", "draw and trace `POINT`, written NAME=VALUE,…")
	flags.IntVar(&f.OneForAll, "one-for-all", 0, "find the `K` configurations that together serve all instances with the least regret")
	flags.StringVar(&f.Regret, "regret", "worst", "with --one-for-all: minimise this `REGRET` over the instances: worst or mean")
	flags.StringVar(&f.Dispatch, "dispatch", "", "write to `FILE` a C header with a function that selects a configuration by the constants that differ between instances")
	f.Chart.Add(flags, "the run of --trace")
	f.Kernel.Add(flags)
	flags.BoolVar(&f.AllPoints, "all-points", false, "show every point, and run each to the end")
	f.Prove.Add(flags)
	f.AddShards(flags)
	f.AddNATS(flags)
}

// The bounds that hold unless flags say otherwise. A run makes a thousand million
// steps in a few minutes.
const (
	MaxPoints = 100_000
	MaxSteps  = 1_000_000_000
	MaxMemory = 2048 // MB
)

// Check refuses values that mean nothing, and flags that contradict each other.
func (f Tune) Check() error {
	for _, n := range []struct {
		flag  string
		value int
	}{{"max-points", f.MaxPoints}, {"max-steps", f.MaxSteps}} {
		if n.value < 0 {
			return Usagef("--%s cannot be negative", n.flag)
		}
	}
	if err := f.Run.check(); err != nil {
		return err
	}
	// A flag without effect is refused: an answer to another question would look like one to this.
	switch {
	case f.OneForAll < 0:
		return Usagef("--one-for-all cannot be negative")
	case !slices.Contains([]string{"worst", "mean"}, f.Regret):
		return Usagef("--regret %s: use one of worst, mean", f.Regret)
	case (f.OneForAll > 0 || f.Dispatch != "") && (f.Method != "search" || f.Shard != "" || f.Run.On):
		return Usagef("--one-for-all and --dispatch are for the search of all instances, without --method, --shard or --run")
	case f.MaxMemory < 64:
		return Usagef("--max-memory is at least 64 MB")
	case !slices.Contains([]string{"auto", "theorem", "run", "exhaustive"}, f.By):
		return Usagef("--by %s: use one of auto, theorem, run, exhaustive", f.By)
	case f.Timeout < 0:
		return Usagef("--timeout cannot be negative")
	case !slices.Contains([]string{"search", "bisection", "swarm"}, f.Method):
		return Usagef("--method %s: use one of search, bisection, swarm", f.Method)
	case !slices.Contains([]string{"", "worst", "best"}, f.Criterion):
		return Usagef("--criterion %s: use one of worst, best", f.Criterion)
	case !slices.Contains([]string{"", "lexicographic", "pareto"}, f.Order):
		return Usagef("--order %s: use one of lexicographic, pareto", f.Order)
	case f.Chart.SVG != "" && f.Chart.Gantt == "":
		return Usagef("--svg needs --gantt, which says what the chart shows")
	case f.Measured != "" && f.Method != "search":
		return Usagef("--measured is of the search, not of --method %s", f.Method)
	case f.Point != "" && f.Trace == "" && f.Chart.SVG == "":
		return Usagef("--point says what --trace and --svg show; give one of them")
	}
	return nil
}
