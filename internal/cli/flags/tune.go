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
	Fold        bool // say in one line how many points are illegal
	Method      string
	Seed        uint64
	Measured    string
	Plots       string
	Export      string
	Point       string
	Trace       string
	Chart       Chart
}

// Add defines the flags of tune.
func (f *Tune) Add(flags *pflag.FlagSet) {
	flags.StringVar(&f.Instance, "instance", "", "tune this instance, NAME=VALUE,… or the name of one, instead of those of gradine.toml")
	flags.StringVar(&f.By, "by", "auto", "how values are found: auto, theorem, run or exhaustive, which explores all schedules and takes nothing for proved")
	flags.DurationVar(&f.Timeout, "timeout", 0, "end the search after this time, such as 30s")
	flags.StringVar(&f.Criterion, "criterion", "", "what counts of a point whose schedules differ: worst or best, instead of that of gradine.toml")
	flags.StringArrayVar(&f.Objective, "objective", nil, "`EXPRESSION` to minimise, or \"maximise EXPRESSION\", instead of that of gradine.toml; repeat it for further objectives")
	flags.StringVar(&f.Order, "order", "", "how several objectives are compared: lexicographic or pareto, instead of that of gradine.toml")
	flags.StringArrayVar(&f.Constraints, "constraint", nil, "`PREDICATE` that is to hold at the end, besides those of gradine.toml")
	flags.IntVar(&f.MaxPoints, "max-points", MaxPoints, "refuse an instance with more than `N` points (0: no bound)")
	flags.IntVar(&f.MaxSteps, "max-steps", MaxSteps, "bound on the steps of all runs and on the states of all explorations of one instance (0: none)")
	flags.IntVar(&f.MaxMemory, "max-memory", MaxMemory, "bound on the memory, in `MB`; half of it is for states")
	flags.StringVar(&f.Method, "method", "search", "search; or for comparison the methods of the published work: bisection, swarm")
	flags.Uint64Var(&f.Seed, "seed", 1, "seed of swarm")
	flags.StringVar(&f.Measured, "measured", "", "table of measured times, as calibrate reads it: where there is one it counts, and not a prediction")
	flags.StringVar(&f.Plots, "plots", "", "draw heat maps and curves of the objective into `DIR`, as SVG")
	flags.StringVar(&f.Export, "export", "", "write the answer into `FILE`: NAME.h, a header for CUDA and OpenCL with the parameters of the first best point, or NAME.json, results for other auto-tuners; or both for each instance into a folder")
	flags.StringVar(&f.Trace, "trace", "", "write a run at a best point to `FILE`, as ITF, for explore --replay")
	flags.StringVar(&f.Point, "point", "", "trace and chart show this point, NAME=VALUE,…")
	f.Chart.Add(flags, "the run of --trace")
	flags.BoolVar(&f.AllPoints, "all-points", false, "show every point, and run each to its end")
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
	switch {
	case f.MaxMemory < 64:
		return Usagef("--max-memory is at least 64 MB")
	case !slices.Contains([]string{"auto", "theorem", "run", "exhaustive"}, f.By):
		return Usagef("--by %s: possible are auto, theorem, run, exhaustive", f.By)
	case f.Timeout < 0:
		return Usagef("--timeout cannot be negative")
	case !slices.Contains([]string{"search", "bisection", "swarm"}, f.Method):
		return Usagef("--method %s: possible are search, bisection, swarm", f.Method)
	case !slices.Contains([]string{"", "worst", "best"}, f.Criterion):
		return Usagef("--criterion %s: possible are worst, best", f.Criterion)
	case !slices.Contains([]string{"", "lexicographic", "pareto"}, f.Order):
		return Usagef("--order %s: possible are lexicographic, pareto", f.Order)
	case f.Chart.SVG != "" && f.Chart.Gantt == "":
		return Usagef("--svg needs --gantt, which says what the chart shows")
	case f.Measured != "" && f.Method != "search":
		return Usagef("--measured is of the search, not of --method %s", f.Method)
	case f.Point != "" && f.Trace == "" && f.Chart.SVG == "":
		return Usagef("--point says what --trace and --svg show; give one of them")
	}
	return nil
}
