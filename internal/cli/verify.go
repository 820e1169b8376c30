package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/memory"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

func (r *run) verifyCommand() *cobra.Command {
	var asked flags.Prove
	var verbose bool
	command := &cobra.Command{
		Use:   "verify [PATH]",
		Short: "Check, prove and tune everything in gradine.toml",
		Long: `Runs check, po, prove and tune for every project, and judges the results. Also runs the scenarios and
explorations of gradine.toml. Every obligation must be proved, or have the verdict that an [[expect]] in
gradine.toml states. Every scenario must pass. Every exploration must have the result that its [explore.NAME]
expects.`,
		Example: "  gradine verify",
		RunE: func(_ *cobra.Command, args []string) error {
			return r.onAll("verify", args, func(w work) error { return r.verify(w, asked, verbose) })
		},
	}
	asked.Add(command.Flags())
	asked.AddShards(command.Flags())
	asked.AddNATS(command.Flags())
	command.Flags().BoolVar(&r.recompile, "recompile", false, "recompile kernels whose LLVM IR is committed, with the recorded version of clang; fail if the LLVM IR differs in a byte")
	command.Flags().BoolVarP(&verbose, "verbose", "v", false, "list tuned points, invalid points and other details")
	return command
}

// verify checks, proves, explores and tunes what gradine.toml asks for, and judges the results.
func (r *run) verify(w work, asked flags.Prove, verbose bool) error {
	// Searches leave much behind; tuning, further below, has a limit of its own.
	defer memory.Bound()()
	projects := w.projects
	opts, err := asked.Verdicts()
	if err != nil {
		return err
	}
	if asked.Shard != "" {
		return r.writeShard(w, asked, opts, tuningAll(projects, asked))
	}
	endSources, err := r.elsewhere(w, asked, &opts)
	if err != nil {
		return err
	}
	defer endSources()
	for _, opened := range projects {
		r.render("the problems of "+opened.Name, func() { report.Problems(r.out, r.style(), rodinIDs(opened.Problems.Sorted()), opened.Source) })
	}
	results, err := r.discharge(projects, w.obligations, opts, false, func(x *verdict.Result) {
		// Whether a counterexample is reached takes a search; of an expected one it is known.
		if x.Expected == nil {
			r.lookFor(x)
		} else {
			x.Shown = explain.Lift(*x)
		}
	})
	if err != nil {
		return err
	}
	found := w.proved(results)
	for _, x := range found {
		// What tune asks below is answered by these proofs, and not searched for again.
		x.Results = x.results
		r.sayComponents(x, everything, !verbose)
	}
	j, err := r.judgeWork(w, results, found, opts)
	if err != nil {
		return err
	}
	f := verifyTuning(asked)
	f.Fold = !verbose
	tuned := r.tuneAll(projects, f)
	r.followScenarios(projects)
	explored := r.exploreExpected(projects)
	r.sayWaivers(projects[0].Config)
	// The verdict and the next step come last.
	r.sayUnproved(results)
	r.sayBudget(found, asked)
	r.render("what is committed", func() { report.Committed(r.out, r.style(), results) })
	r.render("what is not confirmed", func() { report.Unconfirmed(r.out, r.style(), r.unconfirmed(found, asked)) })
	r.sayInterrupted(len(results), len(w.obligations))
	r.sayJudgement(j)
	if tuned != nil {
		return tuned
	}
	return explored
}

// sayWaivers lists what was agreed to. Which of them holds depends on a change, and on the date of
// its commit, so that a review says it.
func (r *run) sayWaivers(c *config.Config) {
	for _, text := range waivers(c) {
		fmt.Fprintf(r.out, "waiver: %s\n", text)
	}
}

// waivers are those of gradine.toml, each in one line.
func waivers(c *config.Config) (out []string) {
	if c == nil {
		return nil
	}
	for _, w := range c.Waiver {
		end := ""
		if w.Until != "" {
			end = " until " + w.Until
		}
		about := fmt.Sprintf("%s %s", w.Gate, w.Element)
		if of := c.OfProject(w); of != "" {
			about = of + " " + about
		}
		out = append(out, fmt.Sprintf("%s%s: %s", about, end, w.Why))
	}
	return out
}

// verifyTuning is how verify tunes each entry.
func verifyTuning(asked flags.Prove) flags.Tune {
	return flags.Tune{Prove: asked, By: "auto", Method: "search", MaxPoints: flags.MaxPoints, MaxSteps: verifySteps, MaxMemory: flags.MaxMemory}
}

// verifySteps bounds the runs of one instance when everything is verified.
const verifySteps = 5_000_000

// tuneAll tunes every entry of gradine.toml.
func (r *run) tuneAll(projects []*project.Project, f flags.Tune) error {
	c := projects[0].Config
	if c == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.Tune)) {
		var err error
		r.contain(seam.Tuning, "tune."+name, func(context.Context) { err = r.tune(projects, name, c.Tune[name], f) })
		if err != nil {
			return modelErrorf("tune.%s: %w", name, err)
		}
	}
	return nil
}
