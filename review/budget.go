package review

import (
	"cmp"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover"
)

// Budget is what the searches of a review share, in steps. Each first has briefSteps, which finds most proofs. What is
// left after that are obligations that no steps may be enough for: together they have as many steps as one search
// of `gradine prove`, so that a review of a hundred open obligations costs no more than one of a few.
type Budget struct {
	now, before int64 // what is left at the new and at the old revision
}

// revision is one of two revisions.
type revision struct {
	which func(*ObligationChange) *po.Obligation
	left  func(*Budget) *int64
	// proved reports whether something says that there is a proof, which is found whatever it takes: the lock, or a
	// proof at the other revision.
	proved func(*ObligationChange) bool
}

var (
	newRevision = revision{(*ObligationChange).Obligation, func(b *Budget) *int64 { return &b.now }, func(c *ObligationChange) bool { return c.Is.Proved() }}
	oldRevision = revision{
		func(c *ObligationChange) *po.Obligation { return c.Old }, func(b *Budget) *int64 { return &b.before },
		func(c *ObligationChange) bool { return c.Was.Proved() || c.Is.Proved() },
	}
)

// briefSteps is what each search has whatever is left of a budget.
const briefSteps = 40_000

// NewBudget is the budget of a review.
func NewBudget() *Budget { return &Budget{prover.DefaultSteps, prover.DefaultSteps} }

// search is run for one revision, whose obligations are which of each change, and left its share of the budget.
func (j *judging) search(side *Side, cs []*ObligationChange, at revision, done func(*ObligationChange, verdict.Outcome)) {
	if j.Budget == nil || j.Discharge.Replay {
		j.run(side, cs, j.Discharge.Replay, at.which, done)
		return
	}
	steps := cmp.Or(j.Discharge.Steps, side.Steps, prover.DefaultSteps)
	var whole, touched, same []*ObligationChange
	first := map[*ObligationChange]verdict.Outcome{}
	j.within(discharge.Within{Steps: briefSteps}).run(side, cs, false, at.which, func(c *ObligationChange, o verdict.Outcome) {
		first[c] = o
		switch {
		case o.Verdict != verdict.Open:
			done(c, o)
		case at.proved(c) || j.expected(at.which(c)):
			whole = append(whole, c)
		case j.same[c]:
			same = append(same, c)
		default:
			touched = append(touched, c)
		}
	})
	j.run(side, whole, false, at.which, done)
	left := at.left(j.Budget)
	// What the change touches comes first: the verdict of the rest is the same at both revisions.
	for _, list := range [][]*ObligationChange{touched, same} {
		if len(list) == 0 {
			continue
		}
		share := min(steps, *left/int64(len(list)))
		open := func(c *ObligationChange, o verdict.Outcome, after int64) {
			if o.Verdict == verdict.Open && o.End != verdict.Exhausted && after < steps {
				c.Brief = after
			}
			done(c, o)
		}
		if share < 2*briefSteps { // little is gained
			for _, c := range list {
				open(c, first[c], briefSteps)
			}
			continue
		}
		j.within(discharge.Within{Steps: share, Refute: int(share)}).run(side, list, false, at.which, func(c *ObligationChange, o verdict.Outcome) {
			*left = max(0, *left-o.Steps)
			open(c, o, share)
		})
	}
}

// expected reports whether gradine.toml states a verdict of an obligation, which is that of a whole search.
func (j *judging) expected(o *po.Obligation) bool {
	return slices.ContainsFunc(j.Expected, func(e verdict.Expectation) bool { return e.Project == j.Project && e.Path == o.Path() })
}

// within is j with searches that end early.
func (j *judging) within(w discharge.Within) *judging {
	out := *j
	out.Discharge.Within = &w
	return &out
}
