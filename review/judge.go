package review

import (
	"context"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// judging finds the verdicts of a review: from the locks, by carrying proofs over to
// new names, from the certificate store, and by search for what else changed.
type judging struct {
	*Review
	ctx context.Context
	p   *pairing
	Options
}

func (r *Review) judge(ctx context.Context, p *pairing, old, now *Side, same map[*ObligationChange]bool, opts Options) {
	j := &judging{r, ctx, p, opts}
	var asked []*ObligationChange
	for _, c := range r.Obligations {
		c.Was, c.Is = recorded(old.Lock, c.Old), recorded(now.Lock, c.New)
		switch {
		case c.New == nil:
		case same[c]:
			j.unchanged(c)
		case !c.New.Accurate || c.Old != nil && !c.Old.Accurate:
			// Errors have taken hypotheses away: no proof is lost, and none is found.
			c.Was, c.Is, c.Fate = State{}, State{}, Unclear
		default:
			asked = append(asked, c)
		}
	}
	j.now(asked)
	j.before(asked)
	for _, c := range asked {
		c.Fate = fate(c)
	}
}

// recorded is what lock l says of o.
func recorded(l *discharge.Lock, o *po.Obligation) State {
	if l == nil || o == nil {
		return State{}
	}
	x, ok := l.Find(o.Component+"/"+o.Name, discharge.ShortFingerprint(text.SequentFingerprint(o.Sequent())))
	if !ok {
		return State{}
	}
	return State{x.Verdict, x.Steps}
}

// unchanged settles an obligation with the sequent that it had before: what is
// recorded of one revision counts for the other.
func (j *judging) unchanged(c *ObligationChange) {
	c.Fate = Same
	if o, ok := j.carry(c); ok {
		c.Outcome, c.Is = o, State{o.Verdict, o.Steps}
	}
	if c.Was.Verdict == "" {
		c.Was = c.Is
	} else if c.Is.Verdict == "" {
		c.Is = c.Was
	}
	if c.Was.Proved() && !c.Is.Proved() {
		c.Fate = Lost
	} else if c.Is.Proved() && c.Was.Verdict != "" && !c.Was.Proved() {
		c.Fate = Gained
	}
}

// carry finds the stored proof of an obligation under the names that it had.
func (j *judging) carry(c *ObligationChange) (discharge.Outcome, bool) {
	names := j.p.renamed[c.Old]
	if names == nil {
		return discharge.Outcome{}, false
	}
	return j.Discharge.Store.Carry(c.Old.Sequent(), c.New.Sequent(), names)
}

// now finds the verdicts of changed obligations at the new revision.
func (j *judging) now(asked []*ObligationChange) {
	var search []*ObligationChange
	for _, c := range asked {
		if o, ok := j.carry(c); ok {
			c.Outcome, c.carried = o, true
		} else {
			search = append(search, c)
		}
	}
	j.run(search, j.Discharge, (*ObligationChange).Obligation, func(c *ObligationChange, o discharge.Outcome) {
		if o.Stored || !j.Discharge.Replay {
			c.Outcome = o
		}
	})
	for _, c := range asked {
		c.Is = State{c.Outcome.Verdict, c.Outcome.Steps}
	}
}

// before finds the verdicts that changed obligations had: in the store and, for
// those that are not proved now, by search.
func (j *judging) before(asked []*ObligationChange) {
	old := func(c *ObligationChange) *po.Obligation { return c.Old }
	var known []*ObligationChange
	for _, c := range asked {
		if c.Old != nil {
			known = append(known, c)
		}
	}
	if j.Discharge.Store != nil {
		replay := j.Discharge
		replay.Replay = true
		j.run(known, replay, old, func(c *ObligationChange, o discharge.Outcome) {
			c.certificate = o.Certificate
			if o.Stored && c.Was.Verdict == "" {
				c.Was = State{o.Verdict, o.Steps}
			}
		})
	}
	if j.Discharge.Replay {
		return
	}
	var search []*ObligationChange
	for _, c := range known {
		if c.Was.Verdict == "" && c.Is.Verdict != "" && !c.Is.Proved() {
			search = append(search, c)
		}
	}
	j.run(search, j.Discharge, old, func(c *ObligationChange, o discharge.Outcome) {
		c.Was = State{o.Verdict, o.Steps}
	})
}

// run asks for the verdicts of one obligation of each change, and counts searches.
func (j *judging) run(cs []*ObligationChange, d discharge.Options, which func(*ObligationChange) *po.Obligation, done func(*ObligationChange, discharge.Outcome)) {
	if len(cs) == 0 {
		return
	}
	n := discharge.Run(j.ctx, len(cs), func(i int) logic.Sequent { return which(cs[i]).Sequent() }, d, func(i int, o discharge.Outcome) {
		if !o.Stored && !d.Replay {
			j.Searched++
		}
		done(cs[i], o)
		if j.Progress != nil {
			j.Progress()
		}
	})
	j.Interrupted = j.Interrupted || n < len(cs)
}

func fate(c *ObligationChange) Fate {
	switch {
	case c.Old == nil:
		return Appeared
	case c.Is.Verdict == "":
		return Untried
	case c.carried || c.Is.Proved() && c.certificate != "" && c.certificate == c.Outcome.Certificate:
		return Kept
	case c.Is.Proved() && (c.Was.Verdict == "" || c.Was.Proved()):
		return Reproved
	case c.Is.Proved():
		return Gained
	case c.Was.Proved():
		return Lost
	}
	return Unproved
}
