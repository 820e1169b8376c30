package cli

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"path/filepath"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/infer"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/memory"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/report/figures"
	"github.com/gradine/gradine/internal/report/page"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

// reportFlags are the flags of the report command.
type reportFlags struct {
	flags.Prove
	output string
	tuning string
	since  string
}

// flags defines those that say how to prove what is shown.
func (f *reportFlags) flags(c *cobra.Command) {
	c.Flags().Int64Var(&f.Steps, "steps", 0, "budget of each search, in steps (default: the budget of gradine prove)")
	c.Flags().IntVar(&f.Workers, "workers", 0, "number of parallel searches (does not affect results)")
	c.Flags().BoolVar(&f.NoStore, "no-cache", false, "neither read nor write the proof cache")
}

func (r *run) reportCommand() *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:   "report [PATH]",
		Short: "Prove, and render the results",
		Long: `Proves the same obligations as gradine prove, and renders the verdicts.

The HTML page is one self-contained file. With --tuning, it includes the answers of "gradine tune --format jsonl
--all-points". With --since, it shows the trend of the branch: how each commit changed obligations, proofs,
optima and debt. Debt is everything open, refuted, vacuous or assumed. With --since, other formats show only
this trend: as a table, as JSON lines or as an SVG picture.`,
		Example: "  gradine report\n  gradine tune --all-points --format jsonl > tuning.jsonl\n  gradine report --format html --tuning tuning.jsonl -o report.html\n  gradine report --since main --format svg -o trend.svg",
		RunE: func(_ *cobra.Command, args []string) error {
			if f.since == "" && (r.format == "jsonl" || r.format == "svg") {
				return flags.Usagef("--format %s needs --since REV", r.format)
			}
			if f.tuning != "" && r.format != "html" {
				return flags.Usagef("--tuning needs --format html")
			}
			var trend *project.Trend
			if f.since != "" {
				if len(args) > 0 {
					return flags.Usagef("--since uses the project of -C, not %s", args[0])
				}
				var err error
				if trend, err = r.trend(f.since, f); err != nil {
					return err
				}
				if r.format != "html" {
					return r.output(f.output, func(w io.Writer) error { return writeTrend(w, r.format, trend) })
				}
			}
			return r.report(args, f, trend)
		},
	}
	f.flags(c)
	f.AddFrom(c.Flags())
	c.Flags().StringVarP(&f.output, "output", "o", "", "write to `FILE`, atomically")
	c.Flags().StringVar(&f.tuning, "tuning", "", "include the tuning answers in `FILE` (output of tune --format jsonl)")
	c.Flags().StringVar(&f.since, "since", "", "show the projects at each commit of the branch since `REV`")
	r.formatFlag(c, "markdown", "html", "sarif", "junit", "jsonl", "svg")
	c.AddCommand(r.trustCommand(), r.whyCommand(), r.stabilityCommand(), r.requirementsCommand())
	return c
}

// report renders what is found of the working tree.
func (r *run) report(args []string, f reportFlags, trend *project.Trend) error {
	tunings, err := r.readTunings(f.tuning)
	if err != nil {
		return err
	}
	found, err := r.findings(args, f)
	if err != nil {
		return err
	}
	if err := r.judgeFindings(&found); err != nil {
		return err
	}
	against := report.AgainstSuccess(found.judgement)
	tuned := ""
	if f.tuning != "" {
		tuned = filepath.Base(f.tuning) // where it is differs from machine to machine
	}
	var failed error
	r.render("the report", func() {
		failed = r.output(f.output, func(w io.Writer) error { return r.write(w, f, &found, against, tunings, tuned, trend) })
	})
	return failed
}

// write writes what was found in the form that was asked for.
func (r *run) write(w io.Writer, f reportFlags, found *found, against []report.Against, tunings []figures.Tuned, tuned string, trend *project.Trend) error {
	x := report.Report{Root: project.TopOf(r.path(".")), Projects: found.findings, Against: against, Waivers: waivers(found.projects[0].Config)}
	if r.format != "html" {
		return report.Reports[r.format](w, x)
	}
	if err := r.explain(found, f); err != nil {
		return err
	}
	return page.WriteReport(w, page.Report{Report: x, Origin: r.origin("", found.projects), Tunings: tunings, TunedIn: tuned, Trend: trend})
}

// found is what a report shows.
type found struct {
	projects   []*project.Project
	findings   []report.Findings // of each
	results    []verdict.Result
	judgement  judgement.Judgement
	opts       discharge.Options // that found it
	endSources func()            // ends the sources of answers
}

// findings reads the projects and finds what there is to know of their obligations.
func (r *run) findings(args []string, f reportFlags) (x found, err error) {
	defer memory.Bound()()
	opts, err := f.Verdicts()
	if err != nil {
		return x, err
	}
	err = r.onAll("report", args, func(w work) error {
		if x.endSources, err = r.elsewhere(w, f.Prove, &opts); err != nil {
			return err
		}
		x.opts = opts
		r.warnErrors(w.projects)
		r.judgeAccuracy(w.projects, everything)
		x.projects = w.projects
		x.results, err = r.discharge(w.projects, w.obligations, opts, false, r.lookFor)
		for _, p := range w.proved(x.results) {
			r.sayFaulty(p)
			x.findings = append(x.findings, report.Findings{Name: p.Name, Dev: p.Dev, Problems: p.Problems, Status: p.status, Results: p.results, Listings: p.Listings(), Sources: p.KernelSources()})
		}
		return err
	})
	return x, err
}

// explained is how many open obligations a page explains: each is searched for again.
const explained = 8

// judgeFindings compares what was found with what gradine.toml expects, as verify does.
func (r *run) judgeFindings(x *found) (err error) {
	defer x.endSources()
	if x.judgement, err = r.judgeProofs(x.projects, x.results, everything, x.opts, true); err != nil {
		return err
	}
	return r.ctx.Err()
}

// explain finds what is known of open obligations.
func (r *run) explain(x *found, f reportFlags) error {
	opts, err := f.Verdicts()
	if err != nil {
		return err
	}
	left := explained
	for i := range x.findings {
		p := &x.findings[i]
		p.Searched = map[int]*report.Search{}
		for k, o := range p.Results {
			// Of an expected one the reason stands in gradine.toml.
			if o.Verdict == verdict.Open && o.Expected == nil && left > 0 {
				left--
				p.Searched[k] = r.searchAgain(o.Obligation, opts.Steps, x.projects[i])
			}
		}
	}
	return r.ctx.Err()
}

// output writes to a file, or to the standard output if it has no name.
func (r *run) output(name string, write func(io.Writer) error) error {
	var buf bytes.Buffer // whole or not at all
	if err := write(&buf); err != nil {
		return err
	}
	if name == "" {
		_, err := r.out.Write(buf.Bytes())
		return err
	}
	if err := replaceFile(r.path(name), buf.Bytes()); err != nil {
		return modelError{err}
	}
	return nil
}

func (r *run) readTunings(name string) ([]figures.Tuned, error) {
	if name == "" {
		return nil, nil
	}
	data, err := door.File(r.path(name))
	if err != nil {
		return nil, modelError{err}
	}
	out, err := figures.ReadTunings(bytes.NewReader(data))
	if err != nil {
		return nil, modelErrorf("%s: %w", name, err)
	}
	return out, nil
}

func (r *run) trustCommand() *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:   "trust [PATH]",
		Short: "Print the assumptions behind the verdicts",
		Long: `Prints the trust ledger: the trusted components of gradine, the axioms of the proof kernel, the lemmas that it
has checked, and the assumptions behind the verdicts of each project.`,
		Example: "  gradine report trust",
		RunE: func(_ *cobra.Command, args []string) error {
			found, err := r.findings(args, f)
			if err != nil {
				return err
			}
			report.Trust(r.out, r.style(), found.findings)
			return nil
		},
	}
	f.flags(c)
	return c
}

func (r *run) whyCommand() *cobra.Command {
	var f reportFlags
	var excluding bool
	var recorded string
	c := &cobra.Command{
		Use:   "why [PATH] OBLIGATION",
		Short: "Explain one verdict",
		Long: `Explains the verdict of one obligation. For a proved obligation, prints the hypotheses and the steps of the
proof. For a refuted obligation, prints the counterexample, and with --infer an invariant that excludes it. For
an open obligation, runs the strategies again, and prints the attempts of each strategy. Also prints the part of
the goal that remains open, with its case.`,
		Example: "  gradine report why timing/finish/after_launch/INV\n  gradine report why --infer lamps/switch/on/INV",
		Args:    someArguments("an obligation, such as timing/finish/after_launch/INV"),
		RunE: func(_ *cobra.Command, args []string) error {
			return r.on(args, func(w work) error {
				o, ok := w.one()
				if !ok {
					return w.oneOf("report why")
				}
				w.obligations = []*po.Obligation{o}
				return r.why(w, o, f, excluding, recorded)
			})
		},
	}
	f.flags(c)
	c.Flags().StringVar(&recorded, "scenario", "", "for a refuted invariant: write the run to the counterexample to `FILE` as a scenario")
	c.Flags().BoolVar(&excluding, "infer", false, "for a refuted obligation: search for an invariant that excludes the counterexample")
	return c
}

// why proves one obligation and explains its verdict. excluding looks for an invariant that excludes the counterexample.
func (r *run) why(w work, o *po.Obligation, f reportFlags, excluding bool, recorded string) error {
	opts, err := f.Verdicts()
	if err != nil {
		return err
	}
	results, err := r.discharge(w.projects, w.obligations, opts, false, r.lookFor)
	if err != nil || len(results) == 0 {
		return errors.Join(err, r.ctx.Err())
	}
	x := results[0]
	if x.Expected == nil {
		r.judge(x.Verdict)
	}
	p := w.projects[slices.IndexFunc(w.projects, func(p *project.Project) bool { return p.Dev == o.Development })]
	var search *report.Search
	if x.Verdict == verdict.Open {
		search = r.searchAgain(o, opts.Steps, p)
	}
	proof, err := x.Proof(o.Sequent())
	if err != nil {
		return err
	}
	r.render(x.Path(), func() { report.Why(r.out, r.style(), x, proof, search) })
	if recorded != "" {
		if x.Counterexample == nil {
			return flags.Usagef("--scenario: %s is %s; only refuted obligations have a counterexample", x.Path(), x.Verdict)
		}
		if err := r.recordRefutation(animated{target{p, x.Machine}, &x}, recorded); err != nil {
			return err
		}
	}
	// Where the machine gets to the state, no invariant excludes it.
	excludable := x.Reach == nil || x.Reach.Verdict != verdict.Reached
	if machine := o.Of().Machine; x.Verdict == verdict.Refuted && machine != nil && o.Event != nil && (excludable || excluding) {
		return r.excluding(p, machine, o, opts, excluding)
	}
	return nil
}

// excluding says which invariant would exclude the state that refutes o, if inference finds
// one; without look, only how to ask for it, as that takes a while.
func (r *run) excluding(p *project.Project, m *model.Machine, o *po.Obligation, proving discharge.Options, look bool) error {
	if !look {
		report.Excluding(r.out, r.style(), o.Path(), nil)
		return nil
	}
	setup, err := p.Setup(m, p.Scope(m), project.Overrides{})
	if err != nil {
		return err
	}
	// Candidates are refuted by running the machine, which costs less than by the sequent.
	if proving.RefuteSteps = 0; proving.Steps == 0 {
		proving.Steps = infer.DefaultSteps
	}
	bar := r.progress(-1, "inferring invariants of "+m.Name)
	found, err := infer.Infer(r.ctx, p.Dev, m, infer.Options{
		Proving: proving, For: o.Name, Setups: []explore.Setup{setup}, Progress: func(_, tried int) { bar.set(tried) },
	})
	bar.finish()
	if err != nil {
		return err
	}
	report.Excluding(r.out, r.style(), o.Path(), found)
	return nil
}

// searchAgain looks again for a proof of an open obligation of p, to tell what was
// tried and what is left.
func (r *run) searchAgain(o *po.Obligation, steps int64, p *project.Project) *report.Search {
	return report.SearchAgain(r.ctx, o.Sequent(), cmp.Or(steps, p.Budget()))
}
