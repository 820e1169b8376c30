package cli

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/report/page"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/review"
	"github.com/spf13/cobra"
)

func (r *run) reviewCommand() *cobra.Command {
	var flags proveFlags
	var failOn string
	command := &cobra.Command{
		Use:   "review BASE[..HEAD]",
		Short: "Say what a change of the models means for their proofs",
		Long: `Compares two revisions of Git, or BASE with the working tree: what changed in the models element
by element, which obligations appeared, vanished, kept their proof or lost it, and which machines
further down are reached. BASE...HEAD compares HEAD with the common ancestor of both. Every verdict
is the one that gradine prove gives at its revision: what a lock says is compared, never believed.`,
		Example: "  gradine review main\n  gradine review main...topic --fail-on lost-proof,refuted,open,cost+20%",
		Args:    oneArgument("the revisions BASE[..HEAD]"),
		RunE: func(_ *cobra.Command, args []string) error {
			conditions, err := parseGates(failOn)
			if err != nil {
				return err
			}
			reviews, err := r.review(args[0], flags)
			if err != nil {
				return err
			}
			for _, x := range reviews {
				r.judgeReview(x, conditions)
			}
			again := "gradine review " + args[0]
			if r.format == "html" {
				return page.WriteReviews(r.out, page.Origin{Title: "Review of " + args[0], Tool: version()}, again, reviews)
			}
			return report.Reviews(r.out, r.style(), r.format, again, reviews)
		},
	}
	command.Flags().StringVar(&failOn, "fail-on", "", "what makes the review fail: a list of "+gateNames()+", cost+N%")
	command.Flags().Int64Var(&flags.steps, "steps", 0, "budget of a search, in steps")
	command.Flags().IntVar(&flags.workers, "workers", 0, "number of searches at a time (no influence on results)")
	command.Flags().BoolVar(&flags.replay, "replay", false, "check committed certificates; search nothing")
	command.Flags().BoolVar(&flags.noStore, "no-store", false, "neither read nor write the store")
	r.formatFlag(command, "text", "markdown", "html", "jsonl", "sarif", "github")
	return command
}

// judgeReview raises the exit code for what a review found: a lock that says more than
// is so needs no gate; and no gate passes where nobody looked.
func (r *run) judgeReview(x *review.Review, gates []gate) {
	unconfirmed, unseen := 0, 0
	for _, obligation := range x.Obligations {
		if obligation.Unconfirmed {
			unconfirmed++
		}
		if obligation.New != nil && (obligation.Is.Verdict == "" || obligation.Is.Recorded) {
			unseen++
		}
	}
	if unconfirmed > 0 {
		fmt.Fprintf(r.err, "gradine: %s: proofs.lock claims more about %s than anything confirms; rewrite it with `gradine prove --lock`\n", x.Project, report.Count(unconfirmed, "obligation"))
		r.fail(exitNo)
	}
	if unseen > 0 && len(gates) > 0 {
		fmt.Fprintf(r.err, "gradine: %s: %s not checked, so --fail-on cannot pass\n", x.Project, report.Count(unseen, "obligation"))
		r.fail(exitNoVerdict)
	}
	for _, g := range gates {
		if why := g.failing(x); why != "" {
			fmt.Fprintf(r.err, "gradine: %s: %s\n", x.Project, why)
			r.fail(g.code)
		}
	}
}

// gate is one condition of --fail-on.
type gate struct {
	name string
	code int
	// count says how many findings of a review do not pass.
	count func(*review.Review) int
	why   string // what the findings are
	cost  float64
}

// gates are the conditions besides cost+N%.
var gates = []gate{
	{name: "lost-proof", code: exitNo, why: "of the obligations that the change touches", count: touched(func(o *review.ObligationChange) bool { return o.Fate == review.Lost })},
	{name: "refuted", code: exitNo, why: "of the obligations that the change touches", count: touched(hasVerdict(discharge.Refuted))},
	{name: "vacuous", code: exitNo, why: "of the obligations that the change touches", count: touched(hasVerdict(discharge.Vacuous))},
	{name: "contradiction", code: exitNo, why: "assumptions contradict themselves, and did not before", count: func(x *review.Review) int {
		n := 0
		for _, c := range x.Contradictions {
			if c.What == review.OnlyNow {
				n++
			}
		}
		return n
	}},
	{name: "open", code: exitNoVerdict, why: "of the obligations that the change touches", count: touched(func(o *review.ObligationChange) bool {
		return o.Is.Verdict == discharge.Open || o.Is.Verdict == "" && o.Fate != review.Unclear
	})},
	{name: "worse", code: exitNo, why: "of the obligations that the change touches", count: touched((*review.ObligationChange).Worse)},
	{name: "weaker", code: exitNo, why: "claims say less", count: losses(review.Weakened)},
	{name: "gone", code: exitNo, why: "claims are no longer made", count: losses(review.Dropped)},
	{name: "assumed", code: exitNo, why: "new assumptions", count: losses(review.Assumed)},
}

// touched counts the obligations with another sequent, or without one before, that
// are as fails says and not as gradine.toml expects.
func touched(fails func(*review.ObligationChange) bool) func(*review.Review) int {
	return func(x *review.Review) int {
		n := 0
		for _, o := range x.Obligations {
			if o.New != nil && o.Fate != review.Same && o.Expected == nil && fails(o) {
				n++
			}
		}
		return n
	}
}

func hasVerdict(v discharge.Verdict) func(*review.ObligationChange) bool {
	return func(o *review.ObligationChange) bool { return o.Is.Verdict == v }
}

func losses(l review.Loss) func(*review.Review) int {
	return func(x *review.Review) int {
		n := 0
		for _, c := range x.Claims {
			if c.Loss == l {
				n++
			}
		}
		return n
	}
}

func parseGates(list string) ([]gate, error) {
	var out []gate
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(gates, func(g gate) bool { return g.name == name })
		switch {
		case name == "":
		case i >= 0:
			out = append(out, gates[i])
		case strings.HasPrefix(name, "cost+") && strings.HasSuffix(name, "%"):
			n, err := strconv.ParseFloat(name[len("cost+"):len(name)-1], 64)
			if err != nil || n < 0 {
				return nil, usagef("--fail-on %s: write cost+20%% for a fifth", name)
			}
			out = append(out, gate{name: name, code: exitNo, cost: 1 + n/100})
		default:
			return nil, usagef("--fail-on %s: it must be one of %s and cost+N%%", name, gateNames())
		}
	}
	return out, nil
}

func gateNames() string {
	var names []string
	for _, g := range gates {
		names = append(names, g.name)
	}
	return strings.Join(names, ", ")
}

// failing says why a review does not pass, or "".
func (g gate) failing(x *review.Review) string {
	if g.cost > 0 {
		if was, is := x.Cost(); float64(is) > g.cost*float64(was) {
			return fmt.Sprintf("%s: proofs take %d steps, and took %d", g.name, is, was)
		}
		return ""
	}
	if n := g.count(x); n > 0 {
		return fmt.Sprintf("%s: %d %s", g.name, n, g.why)
	}
	return ""
}

// revisions splits BASE, BASE..HEAD or BASE...HEAD. Without HEAD it is the
// working tree.
func revisions(repo *review.Repository, arg string) (base, head string, err error) {
	if a, b, ok := strings.Cut(arg, "..."); ok {
		a, b = cmp.Or(a, "HEAD"), cmp.Or(b, "HEAD")
		base, err = repo.MergeBase(a, b)
		return base, b, err
	}
	a, b, ok := strings.Cut(arg, "..")
	if ok {
		b = cmp.Or(b, "HEAD")
	}
	return cmp.Or(a, "HEAD"), b, nil
}

func (r *run) review(arg string, flags proveFlags) ([]*review.Review, error) {
	repo, err := review.OpenRepository(cmp.Or(r.dir, "."))
	if err != nil {
		return nil, modelError{err}
	}
	defer repo.Close()
	base, head, err := revisions(repo, arg)
	if err != nil {
		return nil, modelError{err}
	}
	old, err := repo.Files(base)
	if err != nil {
		return nil, modelError{err}
	}
	var now fs.FS
	if head == "" {
		now, err = repo.WorkTree()
	} else {
		now, err = repo.Files(head)
	}
	if err != nil {
		return nil, modelError{err}
	}
	// Both sides are read below the same folder, so that a project is compared with
	// itself and not with its neighbours.
	dir, err := repo.Within(cmp.Or(r.dir, "."))
	if err != nil {
		return nil, modelError{err}
	}
	was, err := project.ReadRevision(old, dir)
	if err != nil {
		return nil, modelErrorf("%s: %w", base, err)
	}
	is, err := project.ReadRevision(now, dir)
	if err != nil {
		return nil, modelErrorf("%s: %w", cmp.Or(head, "working tree"), err)
	}
	opts, err := flags.options()
	if err != nil {
		return nil, err
	}
	reviews, broken, err := project.Review(r.ctx, was, is, opts)
	if broken {
		r.fail(exitModel)
	}
	if err != nil {
		return nil, modelError{err}
	}
	return reviews, nil
}
