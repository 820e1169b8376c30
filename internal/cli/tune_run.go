package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/report/figures"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune/loop"
)

// runKernel measures configurations of a kernel on the device at hand, as a model proposes them, for each size in turn.
func (r *run) runKernel(name string, source project.KernelSource, counts project.Counts, projects []*project.Project, f flags.Tune) error {
	for _, counted := range counts {
		if err := r.runSize(name, source, counted, projects, f); err != nil {
			return err
		}
	}
	return nil
}

// runSize measures configurations for one size.
func (r *run) runSize(name string, source project.KernelSource, counted *project.Counted, projects []*project.Project, f flags.Tune) error {
	dir, err := os.MkdirTemp("", "gradine-run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	rig, err := source.Rig(r.ctx, counted, dir)
	if err != nil {
		return modelErrorf("%s: %w", name, err)
	}
	planner, err := r.planner(projects, counted, f)
	if err != nil {
		return modelErrorf("%s: %w", name, err)
	}
	judge, err := r.launchJudge(name, rig, counted, f)
	if err != nil {
		return err
	}
	table := strings.TrimSuffix(name, filepath.Ext(name)) + ".measured.tsv"
	if f.Run.Log != "" {
		table = f.Run.Log
	}
	var fixed []loop.Fixed
	for _, s := range counted.Size {
		fixed = append(fixed, loop.Fixed{Name: s.Name, Value: fmt.Sprint(s.Value)})
	}
	// The log is opened last: the digest of the rig says which of its rows are measurements of the same thing.
	log, err := loop.OpenLog(r.path(table), fixed, rig.Names, rig.Digest())
	if err != nil {
		return modelError{err}
	}
	start := time.Now()
	bar := r.progress(-1, "measuring "+counted.Kernel)
	defer bar.finish()
	measured := 0
	found, err := loop.Run(r.ctx, loop.Options{
		Reference: rig.Reference, Runner: judged{rig, judge}, Planner: planner, Log: log, Every: rig.Every,
		Budget:   loop.Budget{Points: f.Run.Points, Time: f.Run.Time, Gain: f.Run.Gain / 100},
		Clock:    func() time.Duration { return time.Since(start) },
		Progress: func(loop.Row) { measured++; bar.set(measured) },
	})
	bar.finish()
	if errors.Is(err, loop.ErrReference) {
		return modelErrorf("%s: %s: %w", name, strings.Join(rig.Reference, " "), err)
	}
	answer := &figures.Measured{Report: found, File: name, Kernel: counted.Kernel, Device: rig.Device, Names: rig.Names, Log: table, Others: log.Others, Counted: counted}
	if r.format == "jsonl" {
		err = errors.Join(err, figures.MeasuredJSON(r.out, answer))
	} else {
		figures.MeasuredText(r.out, r.style(), answer)
	}
	return err
}

// planner prepares the plans for the entry that was written from a source.
func (r *run) planner(projects []*project.Project, counted *project.Counted, f flags.Tune) (*project.Planner, error) {
	name := counted.Name
	conf := projects[0].Config.Tune[name]
	opened, err := project.Tuned(projects, conf)
	if err != nil {
		return nil, err
	}
	instances, err := instancesOf(conf, "")
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(instances, func(in project.Instance) bool { return counted.Has(in.Given) })
	proofs, err := r.proofs(opened, opened.Dev.Machine(conf.Machine), f.Prove)
	if err != nil {
		return nil, err
	}
	return opened.Planner(r.ctx, name, conf, instances[i].Given, proofs)
}

// judged is a rig whose launches are judged before they run.
type judged struct {
	*project.Rig
	judge *launchJudge
}

func (j judged) Judge(ctx context.Context, at []string) (verdict, why string, err error) {
	return j.judge.of(ctx, at)
}

// launchJudge proves launches safe, as `gradine kernel` does.
type launchJudge struct {
	run     *run
	name    string
	text    []byte
	rig     *project.Rig
	counted *project.Counted
	options discharge.Options
	known   map[int]gpu.Report // by class: launches of the same instructions
	classes map[string]int
	clang   clang.Compiler
	kernels encode.Options
}

// launchJudge prepares to judge the launches of a kernel: it reads the source once for all of them.
func (r *run) launchJudge(name string, rig *project.Rig, counted *project.Counted, f flags.Tune) (*launchJudge, error) {
	j := &launchJudge{run: r, name: name, rig: rig, counted: counted, known: map[int]gpu.Report{}, classes: map[string]int{}}
	var err error
	if j.text, err = door.File(r.path(name)); err != nil {
		return nil, err
	}
	if j.options, err = f.Options(); err != nil {
		return nil, err
	}
	r.shared.apply(&j.options)
	j.options.Faulted = func(why string) { r.fault(name, why) }
	if j.kernels, err = new(project.Opener).Launch(r.path(name)); err != nil {
		return nil, modelError{err}
	}
	if j.clang, err = clang.Find(r.ctx, f.Clang); err != nil {
		return nil, err
	}
	for _, row := range counted.Rows {
		j.classes[fmt.Sprint(row.Values)] = row.Class
	}
	return j, nil
}

// of is the verdict about the launch of a configuration, and why it is not safe.
func (j *launchJudge) of(ctx context.Context, at []string) (verdict, why string, err error) {
	c, err := j.rig.Configuration(at)
	if err != nil {
		return "", "", err
	}
	class, ok := j.classes[fmt.Sprint(c.Values)]
	report, met := j.known[class]
	if !ok || !met {
		macros := j.counted.Space.Macros(c)
		launch := encode.Options{
			Local: c.Block, Groups: c.Grid, Given: true, Dims: 3, Defines: macros, Kernels: j.kernels.Kernels,
			Arguments: map[string][]string{j.counted.Kernel: j.rig.Scalars()}, Include: j.run.included(filepath.Dir(j.run.path(j.name))),
		}
		if report, err = j.judge(ctx, launch, macros); err != nil {
			return "", "", err
		}
		j.known[class] = report
	}
	why = report.Why
	for _, check := range report.Checks {
		if !check.Verdict.Holds() {
			why = fmt.Sprintf("%s in line %d: %s", check.Kind, check.Line, check.Why)
			break
		}
	}
	return string(report.Verdict), why, nil
}

// judge judges one launch.
func (j *launchJudge) judge(ctx context.Context, launch encode.Options, macros []string) (gpu.Report, error) {
	none := gpu.Report{Kernel: j.counted.Kernel, Verdict: gpu.Unsupported}
	unit, err := j.run.compiled(j.clang, j.name, j.kernels, kernelFlags{launch: macros})
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	if err != nil {
		none.Why = err.Error()
		return none, nil
	}
	// An interrupt is an error, but a launch that cannot be compiled or read is a verdict: the loop measures it all the same, and says so.
	pick := func(kernel string) gpu.Reader {
		if !asC(j.name) {
			return gpu.LLVMReader
		}
		return gpu.Reader(launch.Kernels[kernel].Reader)
	}
	reports := gpu.Readers(ctx, j.name, j.text, unit, nil, gpu.Options{Launch: launch, Discharge: j.options}, pick)
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	i := slices.IndexFunc(reports, func(k gpu.Report) bool { return clang.Base(k.Kernel) == clang.Base(j.counted.Kernel) })
	if i < 0 {
		none.Why = "the kernel is not read"
		if len(reports) > 0 && reports[0].Why != "" {
			none.Why = reports[0].Why
		}
		return none, nil
	}
	if reports[i].Fault != "" {
		j.run.fail(exitInternal)
	}
	return reports[i], nil
}
