package cli

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/logic"
	"github.com/spf13/cobra"
)

func (r *run) verifyCommand() *cobra.Command {
	var f proveFlags
	c := &cobra.Command{
		Use:   "verify [PATH]",
		Short: "Check, prove and tune everything that gradine.toml asks for",
		Long: `Does check, po, prove and tune for every project, and judges the result: every obligation
must be proved, or have the verdict that an [[expect]] of gradine.toml states with its reason.`,
		Example: "  gradine verify",
		RunE: func(_ *cobra.Command, args []string) error {
			projects, rest, err := r.projects(args)
			if err != nil {
				return err
			}
			if err := onePath("verify", rest); err != nil {
				return err
			}
			return r.verify(projects, f)
		},
	}
	f.add(c)
	return c
}

func (r *run) verify(projects []*project, f proveFlags) error {
	opts, err := f.options()
	if err != nil {
		return err
	}
	for _, p := range projects {
		report.Problems(r.out, r.style(), rodinIDs(p.problems.Sorted()), p.source)
	}
	obligations, err := r.obligations(projects, nil)
	if err != nil {
		return err
	}
	results, err := r.discharge(projects, obligations, opts, false, func(*discharge.Result) {})
	if err != nil {
		return err
	}
	for _, p := range projects {
		for _, x := range results {
			if x.Project == p.name {
				p.results = append(p.results, x)
			}
		}
		report.Components(r.out, r.style(), p.name, discharge.Components(p.dev, p.results), p.inRodin())
	}
	for _, p := range projects {
		r.contradictions(p, opts)
	}
	var expects []config.Expect
	if c := projects[0].config; c != nil {
		expects = c.Expect
	}
	unexpected, met := r.unexpected(results, expects)
	for i := range unexpected {
		r.lookFor(projects, &unexpected[i])
	}
	report.Unproved(r.out, r.style(), unexpected)
	r.sayBudget(projects, unexpected, f)
	report.Committed(r.out, r.style(), results)
	report.Unconfirmed(r.out, r.style(), r.unconfirmed(projects, results, f))
	r.sayInterrupted(len(results), len(obligations))
	if met > 0 {
		fmt.Fprintf(r.out, "%d obligations have the verdict that gradine.toml expects\n", met)
	}
	return r.tuneAll(projects, tuneFlags{proveFlags: f, by: "auto", method: "search", maxSteps: verifySteps})
}

// deadSteps bounds the search for a contradiction in one assumption.
const deadSteps = 200_000

// contradictions reports assumptions of p that contradict themselves: each is
// tried once, shortly.
func (r *run) contradictions(p *project, opts discharge.Options) {
	all := discharge.Assumptions(p.dev)
	opts.Steps, opts.RefuteSteps = deadSteps, 0
	below := map[string]bool{} // components whose own assumption is contradictory
	discharge.Run(r.ctx, len(all), func(i int) logic.Sequent { return all[i].Sequent }, opts, func(i int, o discharge.Outcome) {
		x := all[i]
		if !o.Verdict.Holds() || below[x.Component] {
			return
		}
		where, what := p.name+"/"+x.Component, "its axioms and invariants contradict each other"
		if x.Event != "" {
			where, what = where+"/"+x.Event, "its guards contradict the invariants, so it never happens"
		} else {
			below[x.Component] = true
		}
		fmt.Fprintf(r.out, "%s: %s: %s\n", r.style().Yellow("contradiction"), where, what)
	})
}

// verifySteps bounds the runs of one instance when everything is verified.
const verifySteps = 5_000_000

// tuneAll tunes every entry of gradine.toml.
func (r *run) tuneAll(projects []*project, f tuneFlags) error {
	c := projects[0].config
	if c == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.Tune)) {
		if err := r.tune(projects, name, c.Tune[name], f); err != nil {
			return modelErrorf("tune.%s: %w", name, err)
		}
	}
	return nil
}

// unexpected judges results against the expectations: it returns the results
// that none covers, and how many are covered. An expectation that is wrong, or
// about no obligation, is a failure.
func (r *run) unexpected(results []discharge.Result, expects []config.Expect) (rest []discharge.Result, met int) {
	type key struct{ project, po string }
	want := map[key]config.Expect{}
	for _, e := range expects {
		want[key{e.Project, e.PO}] = e
	}
	for _, x := range results {
		k := key{x.Project, x.Component + "/" + x.Name}
		e, ok := want[k]
		delete(want, k)
		switch {
		case !ok:
			r.judge(x.Verdict)
			if x.Verdict == discharge.Vacuous {
				r.fail(exitNo)
			}
			rest = append(rest, x)
		case discharge.Verdict(e.Verdict) == x.Verdict:
			met++
		default:
			r.fail(exitNo)
			fmt.Fprintf(r.out, "%s: gradine.toml expects %s of %s/%s, but it is %s\n", r.style().Red("unexpected"), e.Verdict, k.project, k.po, x.Verdict)
		}
	}
	for _, e := range expects {
		if k := (key{e.Project, e.PO}); want[k] == e {
			r.fail(exitNo)
			fmt.Fprintf(r.out, "%s: gradine.toml expects %s of %s/%s, which is no obligation\n", r.style().Red("stale"), e.Verdict, e.Project, e.PO)
		}
	}
	return rest, met
}
