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
	var keep, accept bool
	command := &cobra.Command{
		Use:   "review BASE[..HEAD]",
		Short: "Say what a change of the models means for their proofs",
		Long: `Compares two revisions of Git, or BASE with the working tree: what changed in the models element
by element, which obligations appeared, vanished, kept their proof or lost it, and which machines
further down are reached. BASE...HEAD compares HEAD with the common ancestor of both. Every verdict
is the one that gradine prove gives at its revision: what a lock says is compared, never believed.
Where no search proves an obligation any more, its old proof is tried behind what it rests on and
what follows from the new formulas, as when an invariant is split; --keep writes the certificates
of such proofs beside proofs.lock, so that gradine prove finds them.

What the development promised and no longer promises makes the review fail, unless a [[waiver]] of
gradine.toml says why; a waiver or an expectation that the change itself adds needs
--accept-new-waivers as well.`,
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
			reviews, err := r.review(args[0], asked, keep)
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
	command.Flags().StringVar(&failOn, "fail-on", gate.Default, "what makes the review fail: a list of "+gate.Names()+", cost+N%, steps+N%; default stands for all without open, cost and steps; none for none")
	command.Flags().BoolVar(&accept, "accept-new-waivers", false, "agree to the waivers and expectations of gradine.toml that the change itself adds")
	command.Flags().Int64Var(&asked.Steps, "steps", 0, "budget of a search, in steps")
	command.Flags().IntVar(&asked.Workers, "workers", 0, "number of searches at a time (no influence on results)")
	command.Flags().BoolVar(&asked.Replay, "replay", false, "check committed certificates; search nothing")
	command.Flags().BoolVar(&asked.NoStore, "no-cache", false, "neither read nor write the proof cache")
	command.Flags().BoolVar(&keep, "keep", false, "write the certificates of old proofs that hold behind what follows from the new formulas")
	command.Flags().StringVarP(&output, "output", "o", "", "write to `FILE`, at once or not at all")
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
			return nil, flags.Usagef("--fail-on %s and --replay cannot be combined: a search alone finds it", g.Name())
		default:
			fmt.Fprintf(r.err, "gradine: --replay searches nothing, so --fail-on %s is left out\n", g.Name())
		}
	}
	return out, nil
}

// judgeReview raises the exit code for what a review found: a lock that says more than
// is so needs no gate; and no gate passes where nobody looked.
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
// the old one has, to be committed.
func (r *run) review(arg string, asked flags.Prove, keep bool) ([]*review.Review, error) {
	opts, err := asked.Options()
	if err != nil {
		return nil, err
	}
	opts.Faulted = func(why string) { r.fault("what is compared", why) }
	if keep && strings.Contains(arg, "..") {
		return nil, flags.Usagef("--keep writes into the working tree: name BASE alone")
	}
	reviews, broken, err := project.ReviewIn(r.ctx, cmp.Or(r.dir, "."), arg, opts)
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
