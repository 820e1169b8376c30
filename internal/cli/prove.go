package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/memory"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/prover/smtlib"
	"github.com/spf13/cobra"
)

// proveOnce opens and proves a project; with --watch it does so again and again.
func (r *run) proveOnce(args []string, asked flags.Prove) error {
	for {
		projects, selectors, err := r.projects(args)
		if err == nil {
			err = r.onProjects(projects, selectors, func(w work) error { return r.proveWork(w, asked) })
		}
		if !asked.Watch {
			return err
		}
		if err != nil {
			fmt.Fprintf(r.err, "gradine: %v\n", err)
		}
		// An error of one round is told and waited out: the next edit may fix it.
		if !r.waitForChange(projects) {
			return nil
		}
		fmt.Fprintln(r.out)
	}
}

// watchEvery is how often the sources are looked at.
const watchEvery = 300 * time.Millisecond

// waitForChange waits until a source of the projects, or gradine.toml, changes;
// it reports false after an interrupt.
func (r *run) waitForChange(projects []*project.Project) bool {
	before := project.Stamp(projects, nil)
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-r.ctx.Done():
			return false
		case <-tick.C:
			if project.Stamp(projects, nil) != before {
				return true
			}
		}
	}
}

// proveWork proves what is selected and shows it.
func (r *run) proveWork(w work, asked flags.Prove) error {
	defer memory.Bound()()
	projects := w.projects
	opts, err := asked.Verdicts()
	if err != nil {
		return err
	}
	if asked.Certificates && !asked.Lock {
		return flags.Usagef("--certificates needs --lock")
	}
	if asked.Lock {
		if err := checkLockable(projects, w.elements, asked); err != nil {
			return err
		}
	}
	if asked.Shard != "" {
		return r.writeShard(w, asked, opts, tuning{})
	}
	endSources, err := r.elsewhere(w, asked, &opts)
	if err != nil {
		return err
	}
	defer endSources()
	out := report.NewVerdicts(r.out)
	var failed error
	results, err := r.discharge(projects, w.obligations, opts, asked.Lock, func(x *verdict.Result) {
		r.lookFor(x)
		if r.format == "jsonl" {
			r.render(x.Path(), func() { failed = errors.Join(failed, out.Put(report.VerdictOf(*x, asked.Timing))) })
		}
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	found := w.proved(results)
	j, err := r.judgeWork(w, results, found, opts)
	if err != nil {
		return err
	}
	// Half a run would commit half the truth.
	if asked.Lock && len(results) == len(w.obligations) {
		if err := counted(results); err != nil {
			return err
		}
		if err := writeLocks(found, w.elements, asked.Certificates); err != nil {
			return err
		}
	}
	// A lock that was just written says what was found, and nothing else.
	unconfirmed := r.unconfirmed(found, asked)
	r.warnErrors(projects)
	if r.format == "jsonl" {
		report.Judgement(r.err, report.Style{}, j) // the lines are verdicts, and nothing else
		return nil
	}
	for _, x := range found {
		r.sayComponents(x, w.asked(), false)
	}
	if asked.Replay {
		r.render("what was replayed", func() { report.ReplayedProofs(r.out, results) })
	} else {
		r.sayUnproved(results)
		r.sayBudget(found, asked)
	}
	r.render("what is committed", func() { report.Committed(r.out, r.style(), results) })
	r.render("what is not confirmed", func() { report.Unconfirmed(r.out, r.style(), unconfirmed) })
	if asked.Timing {
		report.Times(r.out, results)
	}
	for _, x := range found {
		r.render("the hints of "+x.Name, func() { report.Problems(r.out, r.style(), rodinIDs(x.UnneededHints(x.results)), x.Source) })
	}
	r.sayInterrupted(len(results), len(w.obligations))
	r.sayJudgement(j)
	return nil
}

// sayComponents writes the verdicts of the components that were asked about.
func (r *run) sayComponents(x proved, asked func(model.Component) bool, brief bool) {
	r.render("the components of "+x.Name, func() {
		status := slices.DeleteFunc(slices.Clone(x.status), func(s judgement.Status) bool { return !asked(s.Of) })
		report.Components(r.out, r.style(), x.Name, status, inRodin(x.Project), brief)
	})
}

// sayUnproved says what is not proved.
func (r *run) sayUnproved(results []verdict.Result) {
	r.render("what is not proved", func() {
		for _, fault := range report.Unproved(r.out, r.style(), results, r.explaining()) {
			r.fault(fault.About, fault.Error())
		}
	})
}

// explaining is the command that explains an obligation of what this command was given.
func (r *run) explaining() string {
	command := "gradine"
	if r.dir != "" {
		command += " -C " + r.dir
	}
	command += " report why"
	if r.operand != "" {
		command += " " + r.operand
	}
	return command
}

// inRodin is what Rodin recorded of the components of a project of its own.
func inRodin(p *project.Project) map[string]string {
	out := map[string]string{}
	for name, st := range p.Recorded {
		out[name] = fmt.Sprintf("Rodin: %d automatic, %d manual, %d open", st.Auto, st.Manual, st.Open)
	}
	return out
}

// sayInterrupted says how far an interrupted run came.
func (r *run) sayInterrupted(done, of int) {
	if done < of {
		fmt.Fprintf(r.out, "interrupted: %d of %d obligations were looked at\n", done, of)
	}
}

// discharge finds the verdicts of obligations, project by project: see
// project.Prove. When it is interrupted, it returns what was found.
func (r *run) discharge(projects []*project.Project, obligations []*po.Obligation, opts discharge.Options, toCommit bool, each func(*verdict.Result)) ([]verdict.Result, error) {
	bar := r.progress(len(obligations), "proving")
	defer bar.finish()
	var results []verdict.Result
	for _, opened := range projects {
		own := slices.DeleteFunc(slices.Clone(obligations), func(obligation *po.Obligation) bool { return obligation.Development != opened.Dev })
		prove := opened.Prove
		// To commit, certificates that the default budget finds again are not wanted.
		if toCommit {
			prove = opened.ProveToCommit
		}
		done := 0
		found, err := prove(r.ctx, own, opts, func(x *verdict.Result) {
			bar.add()
			if done++; done < len(own) { // results come in order: this is the one waited for
				bar.name("proving " + own[done].Component + "/" + own[done].Name)
			}
			each(x)
		})
		if err != nil {
			return results, modelError{err}
		}
		r.faulted(found)
		results = append(results, found...)
	}
	return results, nil
}

// unconfirmed returns the results of which proofs.lock says more than was found,
// which is a definite no.
func (r *run) unconfirmed(found []proved, asked flags.Prove) []verdict.Result {
	if asked.Lock || asked.Replay || asked.Refute {
		return nil
	}
	var out []verdict.Result
	for _, x := range found {
		out = append(out, x.Unconfirmed(x.results, asked.Steps)...)
	}
	if len(out) > 0 {
		r.fail(exitNo)
	}
	return out
}

// sayBudget says how searches in vain ended, and what helps.
func (r *run) sayBudget(found []proved, asked flags.Prove) {
	for _, opened := range found {
		ends := map[verdict.End]int{}
		for _, result := range opened.results {
			if result.Verdict == verdict.Open && result.Expected == nil {
				ends[result.End]++
			}
		}
		if asked.Refute {
			continue
		}
		if n := ends[verdict.Budget]; n > 0 {
			more := "--steps N allows more"
			if opened.Config != nil && asked.Steps == 0 {
				more += ", as does steps = N under [project." + opened.Name + "] in gradine.toml"
			}
			fmt.Fprintf(r.out, "%s of %s had no proof within the budget of %d steps; %s\n", report.Count(n, "open obligation"), opened.Name, cmp.Or(asked.Steps, opened.Budget()), more)
		}
		if n := ends[verdict.Exhausted]; n > 0 {
			fmt.Fprintf(r.out, "%s of %s left nothing to try, so more steps will not help; add a hypothesis, such as an invariant or a theorem\n", report.Count(n, "open obligation"), opened.Name)
		}
	}
}

// lookFor finds out whether the state of a counterexample can be reached.
func (r *run) lookFor(x *verdict.Result) {
	if x.Verdict != verdict.Refuted {
		return
	}
	x.Reach = explain.FindReach(r.ctx, x.Development, *x)
	x.Shown = explain.Lift(*x)
}

func (r *run) proveCommand() *cobra.Command {
	var asked flags.Prove
	command := &cobra.Command{
		Use:   "prove [PATH] [ELEMENT…]",
		Short: "Prove obligations, with certificates",
		Long: `Proves the obligations of a project, or the selected ones. The small proof kernel checks a certificate for every
proof. gradine keeps answers in the proof cache, so that unchanged obligations need no new search. The cache is
the folder $GRADINE_CACHE, or the folder gradine in your cache directory. The size of the cache is limited to
$GRADINE_CACHE_MB megabytes (default 1,024); gradine drops the oldest answers first. The cache never changes a
verdict.

If a proof needs more than the default budget, commit its certificate: --lock writes such certificates to
proofs.certs, next to proofs.lock.`,
		Example: "  gradine prove\n  gradine prove timing/finish\n  gradine prove --format jsonl model.zip",
		RunE: func(_ *cobra.Command, args []string) error {
			if asked.Hints != "" && asked.Sequents == "" {
				return flags.Usagef("--hints needs --sequents; a project keeps its proof hints in NAME.hints files among its sources")
			}
			if asked.Hints != "" && asked.Suggest {
				return flags.Usagef("--suggest looks for hints without --hints")
			}
			if asked.NATS != "" && (asked.Suggest || asked.SMTLIB != "") {
				return flags.Usagef("--nats cannot be combined with --suggest or --smtlib")
			}
			if asked.Suggest && (asked.Shard != "" || asked.From != "") {
				return flags.Usagef("--suggest cannot be combined with --shard or --from")
			}
			if asked.Sequents != "" {
				return r.proveSequents(asked)
			}
			if asked.Suggest {
				return r.on(args, func(w work) error { return r.suggest(w, asked) })
			}
			if asked.SMTLIB != "" {
				return r.on(args, func(w work) error { return r.writeSMTLIB(asked.SMTLIB, w) })
			}
			return r.proveOnce(args, asked)
		},
	}
	command.Flags().StringVar(&asked.Sequents, "sequents", "", "prove the sequents in `FILE`, one JSON object per line (- is standard input)")
	command.Flags().StringVar(&asked.Hints, "hints", "", "with --sequents: use the proof hints in `FILE`, in which blocks name sequents by id")
	command.Flags().BoolVar(&asked.Suggest, "suggest", false, "search for hints that discharge open obligations, and print them as a patch")
	command.Flags().StringVar(&asked.SMTLIB, "smtlib", "", "write the selected obligation to `FILE` as SMT-LIB (- is standard output); prove nothing")
	command.Flags().BoolVar(&asked.Watch, "watch", false, "prove again whenever a source file changes, until interrupted")
	command.Flags().BoolVar(&asked.Timing, "timing", false, "print times, so that the output differs between runs")
	command.Flags().BoolVar(&asked.Certificates, "certificates", false, "with --lock: write the certificates of all proofs, so that --replay never searches")
	command.Flags().BoolVar(&asked.Lock, "lock", false, "write all verdicts to proofs.lock; write the certificates of proofs beyond the default budget to proofs.certs")
	command.Flags().BoolVar(&asked.Replay, "replay", false, "only check the certificates in proofs.certs; do not search for proofs")
	asked.Add(command.Flags())
	asked.AddShards(command.Flags())
	asked.AddNATS(command.Flags())
	r.formatFlag(command, "text", "jsonl")
	return command
}

// writeSMTLIB writes the obligation that is selected for SMT solvers.
func (r *run) writeSMTLIB(name string, w work) error {
	o, ok := w.one()
	if !ok {
		return w.oneOf("--smtlib")
	}
	var text bytes.Buffer
	if err := smtlib.Write(&text, o.Sequent()); err != nil {
		return err
	}
	if name == "-" {
		_, err := r.out.Write(text.Bytes())
		return err
	}
	if err := replaceFile(r.path(name), text.Bytes()); err != nil {
		return modelError{err}
	}
	return nil
}

// checkLockable refuses --lock for less than whole projects: a lockfile that lacks obligations would look as if these had
// been removed.
func checkLockable(projects []*project.Project, selectors []string, asked flags.Prove) error {
	if asked.Refute {
		return flags.Usagef("--lock and --refute cannot be combined")
	}
	for _, s := range selectors {
		if !slices.ContainsFunc(projects, func(opened *project.Project) bool { return opened.Name == s }) {
			return flags.Usagef("--lock needs whole projects; %s is not a project", s)
		}
	}
	for _, opened := range projects {
		if opened.Lock == "" {
			return flags.Usagef("--lock needs a project in a folder; %s is not in a folder", opened.Name)
		}
	}
	return nil
}

// counted refuses to record steps that are unknown.
func counted(results []verdict.Result) error {
	var names []string
	for _, x := range results {
		if x.Uncounted {
			names = append(names, x.Path())
		}
	}
	if len(names) == 0 {
		return nil
	}
	const shown = 10
	text := strings.Join(names[:min(len(names), shown)], ", ")
	if more := len(names) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return modelErrorf("--lock records steps, and those of %s were not counted under the key of this run: %s; give all jobs the same %s, or leave --from away", report.Count(len(names), "obligation"), text, answer.KeyVariable)
}

// writeLocks writes the proofs.lock of each project that was proved whole, and its
// proofs.certs.
func writeLocks(found []proved, names []string, all bool) error {
	for _, x := range found {
		if len(names) > 0 && !slices.Contains(names, x.Name) {
			continue
		}
		if err := x.WriteLock(x.results, all); err != nil {
			return modelError{err}
		}
	}
	return nil
}
