package review

import (
	"cmp"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover"
)

// Budget is what the searches of a review share. Each kind of question has a purse of its own, so that many questions of one
// kind leave the others what they need.
type Budget struct {
	now, before    *discharge.Purse // for changed obligations, at the new and at the old revision
	contradictions *discharge.Purse // for assumptions that the new revision alone makes
	effects        *discharge.Purse // for what changed formulas imply
	same           *discharge.Purse // for what both revisions have, obligations and assumptions
}

// NewBudget is the budget of a review. A search of gradine prove has the given steps, 0 for the prover's default: so many
// have the questions of each kind together, and those that say less of the change a quarter of it.
func NewBudget(steps int64) *Budget {
	steps = cmp.Or(steps, prover.DefaultSteps)
	return &Budget{
		now: discharge.NewPurse(steps), before: discharge.NewPurse(steps), contradictions: discharge.NewPurse(steps),
		effects: discharge.NewPurse(steps / 4), same: discharge.NewPurse(steps / 4),
	}
}

// ThoroughBudget is that of a review whose searches go on as long as those of gradine prove. Only questions about effects
// share a purse, for many of them have no answer.
func ThoroughBudget(steps int64) *Budget { return &Budget{effects: NewBudget(steps).effects} }

// revision is one of two revisions.
type revision struct {
	which func(*ObligationChange) *po.Obligation
	purse func(*Budget) *discharge.Purse // for what has another sequent at the other one
	// claimed reports whether something says what the verdict is, so that the search goes on until it is found or refuted: the
	// lock, or a proof at the other revision.
	claimed func(*ObligationChange) bool
}

var (
	newRevision = revision{(*ObligationChange).Obligation, func(b *Budget) *discharge.Purse { return b.now }, func(c *ObligationChange) bool { return c.Is.definite() }}
	oldRevision = revision{
		func(c *ObligationChange) *po.Obligation { return c.Old }, func(b *Budget) *discharge.Purse { return b.before },
		func(c *ObligationChange) bool { return c.Was.definite() || c.Is.Proved() },
	}
)

// search is run for one revision. What the change touches and what is the same at both revisions share a purse each.
func (j *judging) search(side *Side, cs []*ObligationChange, at revision, done func(*ObligationChange, verdict.Outcome)) {
	var claimed, touched, same []*ObligationChange
	for _, c := range cs {
		switch {
		case at.claimed(c) || j.expected(at.which(c)):
			claimed = append(claimed, c)
		case j.same[c]:
			same = append(same, c)
		default:
			touched = append(touched, c)
		}
	}
	j.run(side, claimed, j.Discharge.Replay, at.which, done)
	j.sharing(at.purse(j.Budget)).run(side, touched, j.Discharge.Replay, at.which, done)
	j.sharing(j.Budget.same).run(side, same, j.Discharge.Replay, at.which, done)
}

// expected reports whether gradine.toml states a verdict of an obligation, which is that of a whole search.
func (j *judging) expected(o *po.Obligation) bool {
	return slices.ContainsFunc(j.Expected, func(e verdict.Expectation) bool { return e.Project == j.Project && e.Path == o.Path() })
}

// sharing is j with searches that share a purse.
func (j *judging) sharing(purse *discharge.Purse) *judging {
	out := *j
	out.Discharge.Purse = purse
	return &out
}

// assumption is the purse of an assumption, by its path and whether the new revision alone makes it.
func (j *judging) assumption(path string, fresh bool) *discharge.Purse {
	if slices.ContainsFunc(j.Expected, func(e verdict.Expectation) bool { return e.Project == j.Project && e.Path == path }) {
		return nil
	}
	if fresh {
		return j.Budget.contradictions
	}
	return j.Budget.same
}
