package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/report/page"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/review"
	"github.com/gradine/gradine/review/gate"
	"github.com/spf13/cobra"
)

func (r *run) reviewCommand() *cobra.Command {
	var asked flags.Prove
	var failOn, output string
	var keep, accept, thorough bool
	command := &cobra.Command{
		Use:   "review BASE[..HEAD]",
		Short: "Report how a change affects models and proofs",
		Long: `Compares two Git revisions, or BASE with the working tree. BASE...HEAD compares HEAD with the common ancestor.
Reports the changes of each model element, and the refinements that are affected. Lists the obligations that are
new or removed, and those that kept or lost their proof. The verdicts of a revision are the verdicts that
gradine prove gives for this revision. Lockfiles are compared but never trusted.

Searches that find no proof soon share one budget, so that a review of many open obligations stays short. The
shared budget is based on 9,000,000 steps, or on the largest value of steps in gradine.toml if it is greater.
Obligations and contradictions that were searched only briefly are marked. If such an obligation or
contradiction changed, no gate passes. With --thorough, searches have the same budget as in gradine verify.
A review is faster after gradine verify, because most answers are then in the proof cache.

If an obligation is no longer proved, gradine tries the old proof again with lemmas that follow from the new
formulas. The old proof then often succeeds, for example if an invariant was split. With --keep, writes the
certificates of such proofs next to proofs.lock, where gradine prove finds them.

By default the review fails if the development no longer promises something it promised before, unless a
[[waiver]] in gradine.toml allows it. Waivers and expectations that the change itself adds count only with
--accept-new-waivers.`,
		Example: "  gradine review main\n  gradine review main...topic --fail-on default,open,cost+20%",
		Args:    oneArgument("the revisions BASE[..HEAD]"),
		RunE: func(c *cobra.Command, args []string) error {
			conditions, err := gate.Parse(failOn)
			if err != nil {
				return flags.Usagef("--fail-on %w", err)
			}
			if asked.Replay {
				if conditions, err = r.replayed(conditions, c.Flags().Changed("fail-on")); err != nil {
					return err
				}
			}
			reviews, err := r.review(args[0], asked, keep, thorough)
			if err != nil {
				return err
			}
			for _, x := range reviews {
				r.judgeReview(x, conditions, accept)
			}
			again := "gradine review " + args[0]
			style := r.style()
			if output != "" {
				style = report.Style{}
			}
			return r.output(output, func(w io.Writer) error {
				if r.format == "html" {
					return page.WriteReviews(w, page.Origin{Title: "Review of " + args[0], Tool: version()}, again, reviews)
				}
				return report.Reviews[r.format](w, report.Review{Style: style, Again: again, Projects: reviews})
			})
		},
	}
	command.Flags().StringVar(&failOn, "fail-on", gate.Default, "fail under these `CONDITIONS`, separated by commas: "+gate.Names()+", cost+N%, steps+N%; default means all conditions except open, cost and steps; none means no condition")
	command.Flags().BoolVar(&accept, "accept-new-waivers", false, "accept the waivers and expectations that the change itself adds to gradine.toml")
	command.Flags().BoolVar(&thorough, "thorough", false, "give each search the full budget of gradine prove")
	command.Flags().Int64Var(&asked.Steps, "steps", 0, "budget of each search, in steps; implies --thorough")
	command.Flags().IntVar(&asked.Workers, "workers", 0, "number of parallel searches (does not affect results)")
	command.Flags().BoolVar(&asked.Replay, "replay", false, "only check committed certificates; do not search for proofs")
	command.Flags().BoolVar(&asked.NoStore, "no-cache", false, "neither read nor write the proof cache")
	command.Flags().BoolVar(&keep, "keep", false, "write the certificates of old proofs that hold with additional lemmas")
	command.Flags().StringVarP(&output, "output", "o", "", "write to `FILE`, atomically")
	r.formatFlag(command, "text", "markdown", "html", "jsonl", "sarif", "github")
	return command
}

// replayed are the gates that need no search. Of those that were asked for by name none is left out.
func (r *run) replayed(gates []gate.Gate, named bool) (out []gate.Gate, err error) {
	for _, g := range gates {
		switch {
		case !g.NeedsSearch():
			out = append(out, g)
		case named:
			return nil, flags.Usagef("--fail-on %s needs a search; it cannot be combined with --replay", g.Name())
		default:
			fmt.Fprintf(r.err, "gradine: --replay searches nothing, so --fail-on %s is left out\n", g.Name())
		}
	}
	return out, nil
}

// judgeReview raises the exit code for what a review found: a lock that says more than
// is so needs no gate; and no gate passes where nothing was searched.
func (r *run) judgeReview(x *review.Review, gates []gate.Gate, accept bool) {
	unconfirmed, unseen := x.Unconfirmed(), x.Unseen()
	if unconfirmed > 0 {
		fmt.Fprintf(r.err, "gradine: %s: proofs.lock claims more about %s than anything confirms; rewrite it with `gradine prove --lock`\n", x.Project, report.Count(unconfirmed, "obligation"))
		r.fail(exitNo)
	}
	// A gate that nothing was looked at for would pass for the wrong reason.
	if unseen > 0 && len(gates) > 0 {
		fmt.Fprintf(r.err, "gradine: %s: %s not checked, so --fail-on cannot pass\n", x.Project, report.Count(unseen, "obligation"))
		r.fail(exitNoVerdict)
	}
	if brief, _ := x.Brief(); brief > 0 && len(gates) > 0 {
		fmt.Fprintf(r.err, "gradine: %s: %s searched only briefly, so --fail-on cannot pass; use --thorough\n", x.Project, report.Count(brief, "changed obligation"))
		r.fail(exitNoVerdict)
	}
	for _, g := range gates {
		if why := g.Blind(x); why != "" {
			fmt.Fprintf(r.err, "gradine: %s: %s\n", x.Project, why)
			r.fail(exitNoVerdict)
		}
		why := g.Failing(x, accept)
		if why == "" {
			continue
		}
		fmt.Fprintf(r.err, "gradine: %s: %s\n", x.Project, why)
		if g.Open {
			r.fail(exitNoVerdict)
		} else {
			r.fail(exitNo)
		}
	}
}

// review compares the revisions that arg names; keep asks for the certificates of proofs that
// the old one has, to be committed; thorough, for searches as long as those of gradine prove.
func (r *run) review(arg string, asked flags.Prove, keep, thorough bool) ([]*review.Review, error) {
	opts, err := asked.Options()
	if err != nil {
		return nil, err
	}
	opts.Faulted = func(why string) { r.fault("what is compared", why) }
	if keep && strings.Contains(arg, "..") {
		return nil, flags.Usagef("--keep needs the working tree: use BASE without ..HEAD")
	}
	reviews, broken, err := project.ReviewIn(r.ctx, cmp.Or(r.dir, "."), arg, opts, thorough || keep || asked.Steps > 0)
	if err == nil && keep {
		err = r.keepProofs(reviews)
	}
	if broken {
		r.fail(exitModel)
	}
	if err != nil {
		return nil, modelError{err}
	}
	return reviews, nil
}

// keepProofs writes the certificates of old proofs that hold, and says where.
func (r *run) keepProofs(reviews []*review.Review) error {
	written, err := project.KeepProofs(cmp.Or(r.dir, "."), reviews)
	for _, file := range slices.Sorted(maps.Keys(written)) {
		fmt.Fprintf(r.err, "gradine: %s: %s of before; commit it\n", file, report.Count(written[file], "proof"))
	}
	return err
}
