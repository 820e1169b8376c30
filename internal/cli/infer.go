package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/infer"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

// inferFlags are the flags of the infer command.
type inferFlags struct {
	flags.Prove
	explain  bool
	all      bool
	write    bool
	evaluate bool
	plots    string
	aim      string
	engines  []string
	parallel bool
	only     []string
	without  []string
}

func (r *run) inferCommand() *cobra.Command {
	var f inferFlags
	c := &cobra.Command{
		Use:   "infer [PATH] [MACHINE…]",
		Short: "Infer missing invariants, with proofs",
		Long: `Guesses candidate invariants of machines, rejects false ones by running the machines on small instances, and
keeps the largest set of candidates that is proved to be inductive. Proposes the smallest subset of these
candidates that discharges the same open obligations.

` + rulesHelp(),
		Example: "  gradine infer model.eventb\n  gradine infer --explain model.eventb model",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.check(r.format); err != nil {
				return err
			}
			projects, names, err := r.projects(args)
			if err != nil {
				return err
			}
			if f.evaluate {
				return r.evaluate(projects, names, f)
			}
			return r.inferAll(projects, names, f)
		},
	}
	flags := c.Flags()
	flags.BoolVar(&f.all, "all", false, "keep all inductive candidates, not only those that discharge an open obligation")
	flags.BoolVar(&f.explain, "explain", false, "show all kept candidates, and the reasons why others were rejected")
	flags.BoolVar(&f.write, "write", false, "add the proposed invariants to the source")
	flags.StringVar(&f.aim, "for", "", "infer invariants that discharge `OBLIGATION` alone, written EVENT/LABEL/KIND, and report whether its counterexample is reachable")
	flags.StringSliceVar(&f.engines, "engines", []string{infer.DYN}, "use these `ENGINES` to reject candidates; available: "+engineNames())
	flags.BoolVar(&f.parallel, "parallel", false, "run the engines in parallel (does not affect results)")
	flags.StringSliceVar(&f.only, "only", nil, "use only these `RULES`")
	flags.StringSliceVar(&f.without, "without", nil, "use all rules except these `RULES`")
	flags.Int64Var(&f.Steps, "steps", 0, "budget of each proof search, in steps (default 300,000)")
	flags.IntVar(&f.Workers, "workers", 0, "number of parallel searches (does not affect results)")
	flags.BoolVar(&f.NoStore, "no-cache", false, "neither read nor write the proof cache")
	flags.BoolVar(&f.evaluate, "evaluate", false, "infer nothing; measure how well the rules and engines work on the machines")
	flags.StringVar(&f.plots, "plots", "", "write charts of --evaluate to `DIR`, as SVG")
	flags.BoolVar(&f.Timing, "timing", false, "print the times measured by --evaluate")
	r.formatFlag(c, "text", "jsonl", "markdown", "csv")
	return c
}

// evaluate measures rules and engines on the selected machines, or all.
func (r *run) evaluate(projects []*project.Project, names []string, f inferFlags) error {
	opts, err := f.inference()
	if err != nil {
		return err
	}
	targets, err := machinesOf(projects, names)
	if err != nil {
		return err
	}
	// Candidates are tried on the same instance that explore would use.
	var subjects []infer.Subject
	for _, t := range targets {
		setup, err := t.p.Setup(t.m, t.p.Scope(t.m), project.Overrides{})
		if err != nil {
			return err
		}
		subjects = append(subjects, infer.Subject{Development: t.p.Dev, Machine: t.m, Setups: []explore.Setup{setup}})
	}
	bar := r.progress(-1, "evaluating rules and engines")
	opts.Progress = func(_, tried int) { bar.set(tried) }
	found, err := infer.Evaluate(r.ctx, subjects, opts)
	bar.finish()
	if err != nil {
		return err
	}
	if f.plots != "" {
		dir := r.path(f.plots)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		for name, picture := range report.EvaluationCharts(found) {
			if err := atomic.Write(filepath.Join(dir, name), []byte(picture), 0o666); err != nil {
				return err
			}
		}
	}
	if r.format == "csv" {
		return report.EvaluationCSV(r.out, found, f.Timing)
	}
	report.EvaluationMarkdown(r.out, found, f.Timing)
	return nil
}

// inference is what the flags say of how to infer.
func (f inferFlags) inference() (infer.Options, error) {
	proving, err := f.Options()
	// Runs of the machine refute candidates before any proof is tried.
	if proving.RefuteSteps = 0; f.Steps == 0 {
		proving.Steps = infer.DefaultSteps
	}
	return infer.Options{Proving: proving, All: f.all, For: f.aim, Engines: f.engines, Parallel: f.parallel, Only: f.only, Without: f.without}, err
}

// rulesHelp lists the rules.
func rulesHelp() string {
	var names []string
	for _, rule := range infer.Rules() {
		names = append(names, rule.Name)
	}
	return "Rules: " + strings.Join(names, ", ") + ".\ndocs/inference.md describes each rule."
}

// check refuses flags that contradict each other, and names of rules and engines that do not exist.
func (f inferFlags) check(format string) error {
	switch tables := format == "markdown" || format == "csv"; {
	case tables && !f.evaluate:
		return flags.Usagef("--format %s needs --evaluate", format)
	case f.evaluate && (f.write || f.aim != "" || format == "jsonl"):
		return flags.Usagef("--evaluate needs --format text, markdown or csv, and cannot be combined with --write or --for")
	case (f.plots != "" || f.Timing) && !f.evaluate:
		return flags.Usagef("--plots and --timing need --evaluate")
	}
	rules := infer.Rules()
	for _, name := range slices.Concat(f.only, f.without) {
		if !slices.ContainsFunc(rules, func(rule infer.Rule) bool { return rule.Name == name }) {
			return flags.Usagef("no rule %s; the rules are in gradine infer --help", name)
		}
	}
	for _, name := range f.engines {
		if !slices.ContainsFunc(infer.Engines(), func(e infer.Engine) bool { return e.Name == name }) {
			return flags.Usagef("--engines %s: there are %s", name, engineNames())
		}
	}
	return nil
}

func engineNames() string {
	var names []string
	for _, e := range infer.Engines() {
		names = append(names, e.Name)
	}
	return strings.Join(names, ", ")
}

// inferAll infers invariants of the selected machines, or all.
func (r *run) inferAll(projects []*project.Project, names []string, f inferFlags) error {
	r.warnErrors(projects)
	targets, err := machinesOf(projects, names)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return modelErrorf("there is no machine, only contexts")
	}
	var insertions []*project.Insertion
	for _, t := range targets {
		var insertion *project.Insertion
		var err error
		if !r.contain(seam.Inference, "machine "+t.m.Name, func(context.Context) { insertion, err = r.infer(t.p, t.m, f) }) {
			continue
		}
		if err != nil {
			return modelErrorf("%s: %w", t.m.Name, err)
		}
		if insertion != nil {
			insertions = append(insertions, insertion)
		}
	}
	if f.write {
		return project.Insert(insertions)
	}
	return nil
}

// infer infers invariants of one machine, and returns what goes into its source, nil if
// nothing does.
func (r *run) infer(p *project.Project, m *model.Machine, f inferFlags) (*project.Insertion, error) {
	// What holds of the part of a machine that was read need not hold of the machine.
	r.judgeAccuracy([]*project.Project{p}, only(m))
	if c := (model.Component{Machine: m}); !c.Whole() {
		return nil, fmt.Errorf("it has errors or unread parts, so the rest may have invariants that the whole machine violates; correct it first; `gradine check` shows where")
	}
	opts, err := f.inference()
	if err != nil {
		return nil, err
	}
	setup, err := p.Setup(m, p.Scope(m), project.Overrides{})
	if err != nil {
		return nil, err
	}
	opts.Proving.Faulted = func(why string) { r.fault("machine "+m.Name, why) }
	bar := r.progress(-1, "inferring invariants of "+m.Name)
	opts.Setups = []explore.Setup{setup}
	opts.Progress = func(_, tried int) { bar.set(tried) }
	found, err := infer.Infer(r.ctx, p.Dev, m, opts)
	bar.finish()
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(found.Open, func(t infer.Target) bool { return !t.Closed }) {
		r.fail(exitNoVerdict)
	}
	if r.format == "jsonl" {
		if err := report.InferenceJSON(r.out, p.Name, found); err != nil {
			return nil, err
		}
	} else {
		report.Inference(r.out, r.style(), found)
		if f.explain {
			report.InferenceWhy(r.out, found)
		}
	}
	if len(found.Worth) == 0 {
		return nil, nil
	}
	insertion, err := p.InsertInvariants(m, found.Before, found.Development.Bank, found.Added())
	switch {
	case f.write || err == nil && r.format == "jsonl":
		return insertion, err
	case err != nil: // what stands in no text has no patch
		return nil, nil
	}
	_, err = fmt.Fprint(r.out, insertion.Patch())
	return insertion, err
}
