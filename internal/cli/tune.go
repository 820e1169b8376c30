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

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/parallel"
	"github.com/gradine/gradine/internal/report/figures"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
	"github.com/gradine/gradine/tune/baselines"
	"github.com/spf13/cobra"
)

func (r *run) tuneCommand() *cobra.Command {
	var f flags.Tune
	command := &cobra.Command{
		Use:   "tune [NAME… | KERNEL]",
		Short: "Find the best parameters of a machine, with a proof",
		Long: `Searches for the best points of the [tune.NAME] entries in gradine.toml. Without NAME, tunes all entries. In
NAME, * stands for any text.

The value of a point comes from a proved theorem of the machine, from its only schedule, or from exploring all
schedules. Each answer states the source of its values. If schedules end with different values, the criterion
decides which value counts: the worst (default) or the best.

For a file KERNEL (.cu, .hip, .cl), tune finds the best launch. The file next to KERNEL, with extension .toml,
lists the parameters. gradine compiles each configuration with clang, and counts the operations of a block in
the compiled code.

With --run, tune measures configurations of a .cl or .cu file on the device of this computer: it fits the model
to the measured times and proposes more configurations. The measurements end when a limit is reached:
--run-points, --run-time or --run-gain. An answer with --run rests on measurements, not on a theorem.`,
		Example: "  gradine tune\n  gradine tune tiling --instance size=64,NP=8,NU=1,ND=1,GMT=16,barrier=2",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.Check(); err != nil {
				return err
			}
			// The time bounds the search alone: what it has found is still written.
			if f.Timeout > 0 {
				outer := r.ctx
				ctx, cancel := context.WithTimeout(outer, f.Timeout)
				defer func() { cancel(); r.ctx = outer }()
				r.ctx = ctx
			}
			if len(args) == 1 && clang.LanguageOf(args[0]) != "" {
				return r.tuneKernel(args[0], f)
			}
			if f.Run.On {
				return flags.Usagef("--run needs one kernel file: .cl or .cu")
			}
			projects, _, err := r.wanted(nil, project.TunedBy(args))
			if err != nil {
				return err
			}
			conf := projects[0].Config
			if conf == nil || len(conf.Tune) == 0 {
				return flags.Usagef("nothing to tune: gradine.toml has no [tune.NAME] entry (docs/tutorial-tuning.md)")
			}
			names, err := project.EntriesNamed(conf, args)
			if err != nil {
				return flags.Usagef("%w", err)
			}
			return r.tuneNamed(projects, names, f)
		},
	}
	f.Add(command.Flags())
	r.formatFlag(command, "text", "jsonl")
	return command
}

// tuneNamed searches entries, or what one shard is to search for them.
func (r *run) tuneNamed(projects []*project.Project, names []string, f flags.Tune) error {
	search := func() error {
		for _, name := range names {
			if err := r.tune(projects, name, projects[0].Config.Tune[name], f); err != nil {
				return modelErrorf("tune.%s: %w", name, err)
			}
		}
		return nil
	}
	opts, err := f.Verdicts()
	if err != nil {
		return err
	}
	if f.Shard == "" && f.From == "" && f.NATS == "" {
		return search()
	}
	return r.onProjects(projects, nil, func(w work) error {
		if f.Shard != "" {
			return r.writeShard(w, f.Prove, opts, tuning{names, f})
		}
		end, err := r.elsewhere(w, f.Prove, &opts)
		if err != nil {
			return err
		}
		defer end()
		return search()
	})
}

// correct puts what flags say of the goal into the place of what gradine.toml says.
func correct(conf *config.Tune, f flags.Tune) {
	conf.Criterion, conf.Order = cmp.Or(f.Criterion, conf.Criterion), cmp.Or(f.Order, conf.Order)
	if len(f.Objective) > 0 {
		conf.Objective = f.Objective
	}
	conf.Constraints = slices.Concat(conf.Constraints, f.Constraints)
}

// tune searches the instances of one entry.
func (r *run) tune(projects []*project.Project, name string, conf config.Tune, f flags.Tune) error {
	opened, err := project.Tuned(projects, conf)
	if err != nil {
		return err
	}
	r.judgeAccuracy([]*project.Project{opened}, only(opened.Dev.Machine(conf.Machine)))
	instances, err := instancesOf(conf, f.Instance)
	if err != nil {
		return err
	}
	// Every instance would write over the file of the one before.
	if len(instances) > 1 && (f.Trace != "" || f.Chart.SVG != "" || isFile(f.Export)) {
		return flags.Usagef("--trace and --export to a file need one instance; name it with --instance")
	}
	correct(&conf, f)
	if f.Order != "" && len(conf.Objective) == 1 {
		return flags.Usagef("--order %s needs several objectives; add some with --objective", f.Order)
	}
	proofs, err := r.proofs(opened, opened.Dev.Machine(conf.Machine), f.Prove)
	if err != nil {
		return err
	}
	bar := r.progress(-1, "tuning "+name)
	defer bar.finish()
	// Which proofs answers rest on depends on the machine and the objective, and not on the
	// values of an instance: they are looked for once, with those of the first.
	tuner, why, err := opened.Tuner(r.ctx, name, conf, instances[0].Given, proofs, f.By)
	if err != nil {
		return err
	}
	switch {
	case f.By == "theorem" && conf.Theorem == "":
		return flags.Usagef("the entry names no theorem")
	case f.By == "theorem" && why != "":
		return fmt.Errorf("not by theorem: %s", why)
		// With --by auto, running the machine gives the same answer, only more slowly.
	case why != "":
		fmt.Fprintf(r.err, "gradine: tune.%s: not by theorem: %s\n", name, why)
	}
	bounds := tune.Options{
		MaxPoints: f.MaxPoints, MaxSteps: f.MaxSteps, MaxMemory: flags.LimitMemory(f.MaxMemory), NoPruning: f.AllPoints || f.OneForAll > 0, All: f.By == "exhaustive",
		Progress: func(done, _ int) { bar.set(done) },
	}
	measured, err := r.measuredOf(name, conf, instances, f)
	if err != nil {
		return err
	}
	if measured != nil {
		bounds.Unit = conf.Calibrate.Unit
	}
	var memory remembered
	if f.Fold {
		memory = r.remember(opened, opened.Dev.Machine(conf.Machine), name, proofs, bounds)
	}
	type searched struct {
		entry  *tune.Entry
		opt    tune.Options
		answer *tune.Answer
		known  *figures.Line // what is remembered; then there is nothing else
		memory remembered
		err    error
	}
	search := func(i int) (x searched) {
		bounds := bounds
		if measured != nil {
			bounds.Measured = measured[i]
		}
		if x.entry, x.opt, x.err = tuner.Entry(instances[i].Given, bounds); x.err != nil {
			return x
		}
		// What was typed is a mistake of usage; what stands in gradine.toml is one of the model,
		// and the search below says so.
		if err := x.entry.CheckInstance(); err != nil && f.Instance != "" {
			x.err = flags.Usagef("%w", err)
			return x
		}
		x.memory = memory.of(instances[i].Given, x.opt.Closed)
		if x.known = x.memory.line(); x.known != nil {
			return x
		}
		if x.opt.All && r.workers != nil {
			x.opt.Explored = r.exploredBy(opened, conf, x.entry, instances[i].Given, x.opt)
		}
		if x.answer, x.err = r.answer(x.entry, x.opt, f); x.err == nil && r.counted != nil {
			x.err = r.weaken(tuner, x.answer, instances[i].Given, bounds, f)
		}
		return x
	}
	summary := figures.Summary{Entry: name}
	var answers []*tune.Answer
	for i, x := range parallel.InOrder(len(instances), tuner.AtOnce(), search) {
		if x.err != nil {
			return x.err
		}
		// Bars would stand between the lines of the answer.
		bar.finish()
		if x.known != nil {
			summary.Add(*x.known)
			continue
		}
		entry, opt, answer, instance := x.entry, x.opt, x.answer, instances[i]
		answers = append(answers, answer)
		if !answer.Complete {
			r.fail(exitNoVerdict)
		} else if len(answer.Best) == 0 {
			r.fail(exitNo)
		}
		line, plain := figures.LineOf(answer)
		switch detail := figures.Reasons; {
		case r.format == "jsonl":
			err = figures.TuningJSON(r.out, answer)
		case f.Fold && plain:
			summary.Add(line)
			x.memory.put(line)
		default:
			if f.AllPoints {
				detail = figures.Every
			} else if f.Fold {
				detail = figures.Best
			}
			figures.Tuning(r.out, r.style(), answer, detail)
			if note := figures.AssumedNote(answer); note != "" {
				fmt.Fprintf(r.out, "  %s\n", note)
			}
		}
		if err != nil {
			return err
		}
		// The answer comes first: a file that cannot be written does not hide it.
		if err := r.writeAnswer(entry, answer, opt, instance.FileName(name), f); err != nil {
			return err
		}
	}
	summary.Write(r.out, r.style())
	return r.together(name, answers, f)
}

// together says what serves all instances of an entry, and writes the header that chooses among them.
func (r *run) together(name string, answers []*tune.Answer, f flags.Tune) error {
	if f.OneForAll == 0 && f.Dispatch == "" {
		return nil
	}
	choice := &figures.Common{Entry: name, Answers: answers}
	if f.OneForAll > 0 {
		var err error
		if choice.Common, err = tune.OneForAll(r.ctx, answers, f.OneForAll, tune.RegretBy(f.Regret)); err != nil {
			return fmt.Errorf("--one-for-all: %w", err)
		}
		if r.format == "jsonl" {
			err = figures.CommonJSON(r.out, choice)
		} else {
			figures.CommonText(r.out, r.style(), choice)
		}
		if err != nil {
			return err
		}
	}
	if f.Dispatch == "" {
		return nil
	}
	var out bytes.Buffer
	if err := figures.Dispatch(&out, choice); err != nil {
		return fmt.Errorf("--dispatch: %w", err)
	}
	return replaceFile(r.path(f.Dispatch), out.Bytes())
}

// measuredOf are the measurements of each instance; nil without --measured.
func (r *run) measuredOf(name string, conf config.Tune, instances []project.Instance, f flags.Tune) ([][]tune.Measurement, error) {
	if f.Measured == "" {
		return nil, nil
	}
	if conf.Calibrate == nil || conf.Calibrate.Unit <= 0 {
		return nil, flags.Usagef("--measured needs unit under [tune.%s.calibrate]: the objective per millisecond", name)
	}
	path := r.path(f.Measured)
	if err := tellsApart(path, instances); err != nil {
		return nil, flags.Usagef("%w", err)
	}
	out, rows := make([][]tune.Measurement, len(instances)), 0
	for i, in := range instances {
		var err error
		if out[i], err = readMeasurements(path, conf.Shown, whereOf(in.Given), r.warn); err != nil {
			return nil, err
		}
		if rows += len(out[i]); len(out[i]) == 0 && len(instances) > 1 {
			r.warn(fmt.Sprintf("%s has no rows of instance %s: its values are predictions", f.Measured, in.FileName(name)))
		}
	}
	if rows == 0 {
		return nil, flags.Usagef("%s has no rows; omit --measured or use another table", f.Measured)
	}
	return out, nil
}

// tellsApart says which column a table lacks for rows to belong to one of several instances.
func tellsApart(path string, instances []project.Instance) error {
	if len(instances) < 2 {
		return nil
	}
	data, err := door.File(path)
	if err != nil {
		return err
	}
	columns, err := tune.Columns(path, data)
	if err != nil {
		return err
	}
	first := whereOf(instances[0].Given)
	for _, in := range instances[1:] {
		for _, g := range in.Given {
			if first[g.Name] != g.Value && !slices.Contains(columns, g.Name) {
				return fmt.Errorf("--measured with several instances needs a column %s in %s, in which they differ; or name one instance with --instance", g.Name, path)
			}
		}
	}
	return nil
}

// weaken says in an answer from a kernel's source what was not counted, and which figures are assumed.
func (r *run) weaken(tuner *project.Tuner, answer *tune.Answer, given []project.Assignment, bounds tune.Options, f flags.Tune) error {
	counted, err := r.counted.Of(given)
	if err != nil {
		return err
	}
	answer.Sample, answer.Counts, answer.Notes = counted.Sampled, counted.Certainty(), figures.CountedNotes(counted)
	if note := figures.RegistersNote(answer, counted); note != "" {
		answer.Notes = append(answer.Notes, note)
	}
	ends := counted.Ends()
	if ends == nil {
		return nil
	}
	var found []*tune.Answer
	for _, given := range ends {
		entry, opt, err := tuner.Entry(given, bounds)
		if err != nil {
			return err
		}
		a, err := r.answer(entry, opt, f)
		if err != nil {
			return err
		}
		found = append(found, a)
	}
	answer.Assume(found[0], found[1])
	if answer.Assumed != nil {
		answer.Notes = append(answer.Notes, figures.AssumedNote(answer))
	}
	return nil
}

// writeAnswer writes the files about an answer that flags ask for, under a name.
func (r *run) writeAnswer(entry *tune.Entry, answer *tune.Answer, opt tune.Options, name string, f flags.Tune) error {
	if err := r.writeWitness(entry, answer, opt, f); err != nil {
		return err
	}
	if f.Plots != "" {
		if err := r.drawAnswer(r.path(f.Plots), name, answer); err != nil {
			return err
		}
	}
	switch {
	case f.Export == "":
		return nil
	case len(answer.Best) == 0:
		fmt.Fprintf(r.err, "gradine: tune.%s: nothing is exported: there is no best point\n", entry.Name)
		return nil
	}
	return exportAnswer(r.path(f.Export), name, answer)
}

// answer searches one instance by the chosen method.
func (r *run) answer(entry *tune.Entry, opt tune.Options, f flags.Tune) (*tune.Answer, error) {
	switch f.Method {
	case "bisection":
		a, asked, err := baselines.Bisect(r.ctx, entry, opt)
		if err == nil {
			fmt.Fprintf(r.err, "gradine: tune.%s: %d questions\n", entry.Name, asked)
		}
		return a, err
	case "swarm":
		return baselines.Swarm(r.ctx, entry, f.Seed, opt)
	}
	return tune.Search(r.ctx, entry, opt)
}

// writeWitness writes the run at the first best point, or at that of --point, if a
// flag asks for it.
func (r *run) writeWitness(entry *tune.Entry, answer *tune.Answer, opt tune.Options, f flags.Tune) error {
	if f.Trace == "" && f.Chart.SVG == "" {
		return nil
	}
	point, err := pointOf(answer, f.Point)
	if err != nil {
		return err
	}
	if opt.MaxSteps == flags.MaxSteps {
		opt.MaxSteps = 0 // no bound was given: that of a trace
	}
	trace, err := entry.Witness(r.ctx, point, opt)
	if err != nil {
		return err
	}
	if f.Trace != "" {
		data, err := trace.ITF()
		if err != nil {
			return err
		}
		if err := replaceFile(r.path(f.Trace), append(data, '\n')); err != nil {
			return err
		}
	}
	return f.Chart.Draw(trace, r.path)
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
		return nil, flags.Usagef("--point %s: %w", text, err)
	}
	point, err := project.PointOf(answer, given)
	if err != nil {
		return nil, flags.Usagef("--point %s: %w", text, err)
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
			return nil, flags.Usagef("--instance %s: %w", asked, err)
		}
		return []project.Instance{given}, nil
	}
	all, err := project.Instances(conf)
	if err == nil && len(all) == 0 {
		return nil, flags.Usagef("the entry has no instances; use --instance")
	}
	return all, err
}

// assumed are results for a run whose answers are not used.
func assumed(obligations []*po.Obligation) (out []verdict.Result) {
	for _, o := range obligations {
		out = append(out, verdict.Result{Obligation: o, Outcome: verdict.Outcome{Verdict: verdict.Proved}})
	}
	return out
}

// proofs are those that answers about a machine of p rest on.
func (r *run) proofs(p *project.Project, m *model.Machine, f flags.Prove) (*tune.Proofs, error) {
	opts, err := f.Options()
	if err != nil {
		return nil, err
	}
	opts.Unrecorded = true
	r.shared.apply(&opts)
	proofs := p.Proofs(m, opts, func(_ context.Context, obligations []*po.Obligation) ([]verdict.Result, error) {
		if r.shared.assumed {
			return assumed(obligations), nil
		}
		return r.discharge([]*project.Project{p}, obligations, opts, false, func(*verdict.Result) {})
	})
	proofs.Options.Faulted = func(why string) { r.fault("machine "+m.Name, why) }
	return proofs, nil
}
