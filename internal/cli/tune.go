package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/report/figures"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
	"github.com/gradine/gradine/tune/published"
	"github.com/spf13/cobra"
)

// tuneFlags are the flags of the tune command.
type tuneFlags struct {
	proveFlags
	instance  string
	by        string
	maxPoints int
	maxSteps  int
	maxMemory int // MB
	timeout   time.Duration
	criterion string
	objective []string
	order     string
	subject   []string // constraints
	all       bool
	method    string
	seed      uint64
	measured  string
	plots     string
	export    string
	point     string
	trace     string
	chart     chartFlags
}

func (r *run) tuneCommand() *cobra.Command {
	var f tuneFlags
	command := &cobra.Command{
		Use:   "tune [NAME…]",
		Short: "Find the parameters with the least T_ev, with a proof that none is better",
		Long: `Searches the points of the [tune.NAME] entries of gradine.toml, without a name all of them; in a
NAME, * stands for any text.
The value of a point comes from a proved theorem of the machine, from running it along its only
schedule, or from exploring all schedules; the answer says which. Where schedules end with
different values the criterion decides: the worst counts (default), or the best.`,
		Example: "  gradine tune\n  gradine tune tiling --instance size=64,NP=8,NU=1,ND=1,GMT=16,barrier=2",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			// The time bounds the search alone: what it has found is still written.
			if f.timeout > 0 {
				outer := r.ctx
				ctx, cancel := context.WithTimeout(outer, f.timeout)
				defer func() { cancel(); r.ctx = outer }()
				r.ctx = ctx
			}
			projects, _, err := r.projects(nil)
			if err != nil {
				return err
			}
			conf := projects[0].Config
			if conf == nil || len(conf.Tune) == 0 {
				return usagef("nothing to tune: there is no gradine.toml with a [tune.NAME] entry")
			}
			names, err := project.EntriesNamed(conf, args)
			if err != nil {
				return usagef("%w", err)
			}
			for _, name := range names {
				if err := r.tune(projects, name, conf.Tune[name], f); err != nil {
					return modelErrorf("tune.%s: %w", name, err)
				}
			}
			return nil
		},
	}
	command.Flags().StringVar(&f.instance, "instance", "", "tune this instance, NAME=VALUE,… or the name of one, instead of those of gradine.toml")
	command.Flags().StringVar(&f.by, "by", "auto", "how values are found: auto, theorem, run or exhaustive, which explores all schedules and takes nothing for proved")
	command.Flags().DurationVar(&f.timeout, "timeout", 0, "end the search after this time, such as 30s")
	command.Flags().StringVar(&f.criterion, "criterion", "", "what counts of a point whose schedules differ: worst or best, instead of that of gradine.toml")
	command.Flags().StringArrayVar(&f.objective, "objective", nil, "`EXPRESSION` to minimise, or \"maximise EXPRESSION\", instead of that of gradine.toml; repeat it for further objectives")
	command.Flags().StringVar(&f.order, "order", "", "how several objectives are compared: lexicographic or pareto, instead of that of gradine.toml")
	command.Flags().StringArrayVar(&f.subject, "constraint", nil, "`PREDICATE` that is to hold at the end, besides those of gradine.toml")
	command.Flags().IntVar(&f.maxPoints, "max-points", maxPoints, "refuse an instance with more than `N` points (0: no bound)")
	command.Flags().IntVar(&f.maxSteps, "max-steps", maxSteps, "bound on the steps of all runs and on the states of all explorations of one instance (0: none)")
	command.Flags().IntVar(&f.maxMemory, "max-memory", maxMemory, "bound on the memory, in `MB`; half of it is for states")
	command.Flags().StringVar(&f.method, "method", "search", "search; or for comparison the methods of the published work: bisection, swarm")
	command.Flags().Uint64Var(&f.seed, "seed", 1, "seed of swarm")
	command.Flags().StringVar(&f.measured, "measured", "", "table of measured times, as calibrate reads it: where there is one it counts, and not a prediction")
	command.Flags().StringVar(&f.plots, "plots", "", "draw heat maps and curves of the objective into `DIR`, as SVG")
	command.Flags().StringVar(&f.export, "export", "", "write the answer into `FILE`: NAME.h, a header for CUDA and OpenCL with the parameters of the first best point, or NAME.json, results for other auto-tuners; or both for each instance into a folder")
	command.Flags().StringVar(&f.trace, "trace", "", "write a run at a best point to `FILE`, as ITF, for explore --replay")
	command.Flags().StringVar(&f.point, "point", "", "trace and chart show this point, NAME=VALUE,…")
	f.chart.add(command, "the run of --trace")
	command.Flags().BoolVar(&f.all, "all-points", false, "show every point, and run each to its end")
	f.add(command)
	r.formatFlag(command, "text", "jsonl")
	return command
}

// The bounds that hold unless flags say otherwise. A run makes a thousand million
// steps in a few minutes.
const (
	maxPoints = 100_000
	maxSteps  = 1_000_000_000
	maxMemory = 2048 // MB
)

// check refuses values that mean nothing, and flags that contradict each other.
func (f tuneFlags) check() error {
	for _, n := range []struct {
		flag  string
		value int
	}{{"max-points", f.maxPoints}, {"max-steps", f.maxSteps}} {
		if n.value < 0 {
			return usagef("--%s cannot be negative", n.flag)
		}
	}
	switch {
	case f.maxMemory < 64:
		return usagef("--max-memory is at least 64 MB")
	case !slices.Contains([]string{"auto", "theorem", "run", "exhaustive"}, f.by):
		return usagef("--by %s: possible are auto, theorem, run, exhaustive", f.by)
	case f.timeout < 0:
		return usagef("--timeout cannot be negative")
	case !slices.Contains([]string{"search", "bisection", "swarm"}, f.method):
		return usagef("--method %s: possible are search, bisection, swarm", f.method)
	case !slices.Contains([]string{"", "worst", "best"}, f.criterion):
		return usagef("--criterion %s: possible are worst, best", f.criterion)
	case !slices.Contains([]string{"", "lexicographic", "pareto"}, f.order):
		return usagef("--order %s: possible are lexicographic, pareto", f.order)
	case f.chart.svg != "" && f.chart.gantt == "":
		return usagef("--svg needs --gantt, which says what the chart shows")
	case f.measured != "" && f.method != "search":
		return usagef("--measured is of the search, not of --method %s", f.method)
	case f.point != "" && f.trace == "" && f.chart.svg == "":
		return usagef("--point says what --trace and --svg show; give one of them")
	}
	return nil
}

// correct puts what flags say of the goal into the place of what gradine.toml says.
func (f tuneFlags) correct(conf *config.Tune) {
	conf.Criterion, conf.Order = cmp.Or(f.criterion, conf.Criterion), cmp.Or(f.order, conf.Order)
	if len(f.objective) > 0 {
		conf.Objective = f.objective
	}
	conf.Constraints = slices.Concat(conf.Constraints, f.subject)
}

// tune searches the instances of one entry.
func (r *run) tune(projects []*project.Project, name string, conf config.Tune, f tuneFlags) error {
	opened, err := project.Tuned(projects, conf)
	if err != nil {
		return err
	}
	r.judgeAccuracy([]*project.Project{opened}, only(opened.Dev.Machine(conf.Machine)))
	instances, err := instancesOf(conf, f.instance)
	if err != nil {
		return err
	}
	// Every instance would write over the file of the one before.
	if len(instances) > 1 && (f.trace != "" || f.chart.svg != "" || f.measured != "" || isFile(f.export)) {
		return usagef("a trace, measurements, and a file to export to are of one instance; name it with --instance")
	}
	f.correct(&conf)
	if f.order != "" && len(conf.Objective) == 1 {
		return usagef("--order %s compares several objectives; the entry has one: give others with --objective", f.order)
	}
	proofs, err := r.proofs(opened, opened.Dev.Machine(conf.Machine), f.proveFlags)
	if err != nil {
		return err
	}
	bar := r.progress(-1, "tuning "+name)
	defer bar.finish()
	// Which proofs answers rest on depends on the machine and the objective, and not on the
	// values of an instance: they are looked for once, with those of the first.
	tuner, why, err := opened.Tuner(r.ctx, name, conf, instances[0].Given, proofs, f.by)
	if err != nil {
		return err
	}
	switch {
	case f.by == "theorem" && conf.Theorem == "":
		return usagef("the entry names no theorem")
	case f.by == "theorem" && why != "":
		return fmt.Errorf("not by theorem: %s", why)
		// With --by auto, running the machine gives the same answer, only more slowly.
	case why != "":
		fmt.Fprintf(r.err, "gradine: tune.%s: not by theorem: %s\n", name, why)
	}
	bounds := tune.Options{
		MaxPoints: f.maxPoints, MaxSteps: f.maxSteps, MaxMemory: limitMemory(f.maxMemory), NoPruning: f.all, All: f.by == "exhaustive",
		Progress: func(done, _ int) { bar.set(done) },
	}
	if f.measured != "" {
		if conf.Calibrate == nil || conf.Calibrate.Unit <= 0 {
			return usagef("--measured needs unit under [tune.%s.calibrate]: how much of the objective is a millisecond", name)
		}
		bounds.Unit = conf.Calibrate.Unit
		if bounds.Measured, err = readMeasurements(r.path(f.measured), conf.Shown); err != nil {
			return err
		}
	}
	for _, instance := range instances {
		entry, opt, err := tuner.Entry(instance.Given, bounds)
		if err != nil {
			return err
		}
		// What was typed is a mistake of usage; what stands in gradine.toml is one of the model,
		// and the search below says so.
		if err := entry.CheckInstance(); err != nil && f.instance != "" {
			return usagef("%w", err)
		}
		answer, err := r.answer(entry, opt, f)
		if err != nil {
			return err
		}
		// Bars would stand between the lines of the answer.
		bar.finish()
		if !answer.Complete {
			r.fail(exitNoVerdict)
		} else if len(answer.Best) == 0 {
			r.fail(exitNo)
		}
		if r.format == "jsonl" {
			err = figures.TuningJSON(r.out, answer)
		} else {
			figures.Tuning(r.out, r.style(), answer, f.all)
		}
		if err != nil {
			return err
		}
		// The answer comes first: a file that cannot be written does not hide it.
		if err := r.writeAnswer(entry, answer, opt, instance.FileName(name), f); err != nil {
			return err
		}
	}
	return nil
}

// writeAnswer writes the files about an answer that flags ask for, under a name.
func (r *run) writeAnswer(entry *tune.Entry, answer *tune.Answer, opt tune.Options, name string, f tuneFlags) error {
	if err := r.writeWitness(entry, answer, opt, f); err != nil {
		return err
	}
	if f.plots != "" {
		if err := r.drawAnswer(r.path(f.plots), name, answer); err != nil {
			return err
		}
	}
	switch {
	case f.export == "":
		return nil
	case len(answer.Best) == 0:
		fmt.Fprintf(r.err, "gradine: tune.%s: nothing is exported: there is no best point\n", entry.Name)
		return nil
	}
	return exportAnswer(r.path(f.export), name, answer)
}

// answer searches one instance by the chosen method.
func (r *run) answer(entry *tune.Entry, opt tune.Options, f tuneFlags) (*tune.Answer, error) {
	switch f.method {
	case "bisection":
		a, asked, err := published.Bisect(r.ctx, entry, opt)
		if err == nil {
			fmt.Fprintf(r.err, "gradine: tune.%s: %d questions\n", entry.Name, asked)
		}
		return a, err
	case "swarm":
		return published.Swarm(r.ctx, entry, f.seed, opt)
	}
	return tune.Search(r.ctx, entry, opt)
}

// writeWitness writes the run at the first best point, or at that of --point, if a
// flag asks for it.
func (r *run) writeWitness(entry *tune.Entry, answer *tune.Answer, opt tune.Options, f tuneFlags) error {
	if f.trace == "" && f.chart.svg == "" {
		return nil
	}
	point, err := pointOf(answer, f.point)
	if err != nil {
		return err
	}
	if opt.MaxSteps == maxSteps {
		opt.MaxSteps = 0 // nobody gave a bound: that of a trace
	}
	trace, err := entry.Witness(r.ctx, point, opt)
	if err != nil {
		return err
	}
	if f.trace != "" {
		data, err := trace.ITF()
		if err != nil {
			return err
		}
		if err := replaceFile(r.path(f.trace), append(data, '\n')); err != nil {
			return err
		}
	}
	return f.chart.draw(trace)
}

// pointOf returns the point with the parameters that text gives, or the first of
// the best.
func pointOf(answer *tune.Answer, text string) (*tune.Point, error) {
	if text == "" {
		if len(answer.Best) == 0 {
			return nil, modelErrorf("there is no best point to trace; name one with --point")
		}
		return &answer.Points[answer.Best[0]], nil
	}
	given, err := project.Assignments(text)
	if err != nil {
		return nil, usagef("--point %s: %w", text, err)
	}
	point, err := project.PointOf(answer, given)
	if err != nil {
		return nil, usagef("--point %s: %w", text, err)
	}
	return point, nil
}

// isFile reports whether an export goes to one file, by its name.
func isFile(path string) bool { return slices.Contains([]string{".h", ".json"}, filepath.Ext(path)) }

// exportAnswer writes an answer to a file, or under a name into a folder.
func exportAnswer(path, name string, answer *tune.Answer) error {
	files := []string{path}
	if !isFile(path) {
		if err := os.MkdirAll(path, 0o777); err != nil {
			return err
		}
		files = []string{filepath.Join(path, name+".h"), filepath.Join(path, name+".json")}
	}
	for _, file := range files {
		var out bytes.Buffer
		if err := figures.TuningExport(&out, filepath.Ext(file), answer); err != nil {
			return err
		}
		if err := replaceFile(file, out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// drawAnswer writes the pictures of an answer under a name into a folder.
func (r *run) drawAnswer(dir, name string, answer *tune.Answer) error {
	pictures, err := figures.TuningPictures(answer)
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	for _, picture := range pictures {
		file := filepath.Join(dir, name+"-"+picture.Kind+".svg")
		if picture.Note != "" {
			fmt.Fprintf(r.err, "gradine: %s: %s\n", file, picture.Note)
		}
		err = errors.Join(err, replaceFile(file, []byte(picture.SVG)))
	}
	return err
}

// instancesOf reads the instances of an entry, or the one of --instance.
func instancesOf(conf config.Tune, asked string) ([]project.Instance, error) {
	if asked != "" {
		given, err := project.InstanceOf(conf, asked)
		if err != nil {
			return nil, usagef("--instance %s: %w", asked, err)
		}
		return []project.Instance{given}, nil
	}
	all, err := project.Instances(conf)
	if err == nil && len(all) == 0 {
		return nil, usagef("the entry has no instances; give one with --instance")
	}
	return all, err
}

// proofs are those that answers about a machine of p rest on.
func (r *run) proofs(p *project.Project, m *model.Machine, f proveFlags) (*tune.Proofs, error) {
	opts, err := f.options()
	if err != nil {
		return nil, err
	}
	return p.Proofs(m, opts, func(_ context.Context, obligations []*po.Obligation) ([]discharge.Result, error) {
		return r.discharge([]*project.Project{p}, obligations, opts, false, func(*discharge.Result) {})
	}), nil
}
