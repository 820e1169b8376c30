package review

import (
	"cmp"
	"context"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover"
)

// Behind is an old proof that is one of the obligation now, behind facts that follow from
// what is there now: such as an invariant that was split, of whose parts it follows. A search
// does not find it again, so that it counts once its certificate is committed.
type Behind struct {
	Facts   []string
	Outcome verdict.Outcome
}

// maxBehind bounds the obligations for which old proofs are tried behind cuts.
const maxBehind = 200

// behind tries old proofs for obligations that no search proves any more, or that are new:
// with what they rest on as cuts. Hints of before come first, for people can read them.
func (r *Review) behind(ctx context.Context, p *pairing, old, now *Side, opts Options) {
	if opts.Discharge.Replay || opts.Touched {
		return
	}
	type attempt struct {
		obligation *ObligationChange
		old        []*ObligationChange
	}
	var attempts []attempt
	var ask []*ObligationChange // whose old proofs were not looked for so far
	for _, o := range r.Obligations {
		if o.New == nil || o.Fate == Same || !o.New.Accurate || o.Is.Verdict != verdict.Open || o.Is.Recorded || o.Repair != nil || len(attempts) == maxBehind {
			continue
		}
		a := attempt{obligation: o}
		for _, x := range r.predecessors(p, o) {
			if a.old = append(a.old, x); x.before == nil && !slices.Contains(ask, x) {
				ask = append(ask, x)
			}
		}
		if len(a.old) > 0 {
			attempts = append(attempts, a)
		}
	}
	j := &judging{Review: r, ctx: ctx, Options: opts}
	j.search(old, ask, oldRevision, func(x *ObligationChange, outcome verdict.Outcome) {
		x.before = &outcome
	})
	// An attempt has cuts, each with a part of the steps.
	opts.Discharge.Steps = opts.Budget.before.Share(len(attempts), cmp.Or(opts.Discharge.Steps, now.Steps, prover.DefaultSteps))
	for _, a := range attempts {
		var former []*discharge.Former
		for _, x := range a.old {
			if x.before == nil {
				continue // interrupted
			}
			if f := discharge.FormerOf(*x.before, x.Old.Sequent(), p.namesFor(x.Old)); f != nil {
				former = append(former, f)
			}
		}
		if len(former) > 0 {
			a.obligation.keep(ctx, former, opts.Discharge)
		}
	}
}

// keep notes that old proofs show an obligation behind cuts, if they do.
func (c *ObligationChange) keep(ctx context.Context, former []*discharge.Former, opts discharge.Options) {
	outcome, bank, facts, ok := discharge.Behind(ctx, c.New.Sequent(), former, opts)
	if !ok {
		return
	}
	c.Behind = &Behind{Outcome: outcome}
	for _, fact := range facts {
		c.Behind.Facts = append(c.Behind.Facts, text.Readable(bank, fact))
	}
	if c.Fate == Lost {
		c.Fate = Kept
	}
}

// predecessors returns the changes whose old obligations may help to prove the new one of o:
// its own; and, if that had another goal, those of the same event and kind about elements that
// have changed or are gone, as the parts of an invariant are that were joined.
func (r *Review) predecessors(p *pairing, o *ObligationChange) (out []*ObligationChange) {
	// With the goal of before, its own old proof is all that is needed.
	if o.Old != nil {
		out = append(out, o)
		if goalPrint(p, o.Old) == text.TermFingerprint(o.New.Sequent().Bank, o.New.Goal) {
			return out
		}
	}
	was, is := map[po.Source]bool{}, map[po.Source]bool{}
	for _, change := range r.Changes {
		if change.What == Changed || change.What == Removed {
			was[sourceOf(change.Old)] = true
		}
		if change.What == Changed || change.What == Added {
			is[sourceOf(change.New)] = true
		}
	}
	if !about(o.New, is) {
		return out
	}
	for _, x := range r.Obligations {
		if x != o && x.Old != nil && x.Old.Accurate && x.Old.Kind == o.New.Kind && about(x.Old, was) && p.sameEvent(x.Old, o.New) {
			out = append(out, x)
		}
	}
	return out
}

// sourceOf is an element as the sources of obligations name it, without place and role.
func sourceOf(e *Element) po.Source {
	s := po.Source{Label: e.Label}
	s.Origin.Component, s.Origin.Event = e.Component, e.Event
	return s
}

// about reports whether an obligation is about one of some elements.
func about(o *po.Obligation, elements map[po.Source]bool) bool {
	return slices.ContainsFunc(o.Sources, func(s po.Source) bool {
		key := po.Source{Label: s.Label}
		key.Origin.Component, key.Origin.Event = s.Origin.Component, s.Origin.Event
		return elements[key]
	})
}

// sameEvent reports whether an old obligation is about the event, or component, that a new one
// is about.
func (p *pairing) sameEvent(old, now *po.Obligation) bool {
	component, _ := p.name(old)
	switch {
	case component != now.Component || (old.Event == nil) != (now.Event == nil):
		return false
	case old.Event == nil:
		return true
	}
	return p.events[old.Component+"/"+old.Event.Label] == now.Event.Label
}

// goalPrint is the fingerprint of the goal of an old obligation under the names of now.
func goalPrint(p *pairing, o *po.Obligation) text.Fingerprint {
	bank := logic.NewBank()
	s := o.Sequent()
	return text.TermFingerprint(bank, proofstore.NewRenamer(bank, s.Bank, p.namesFor(o), true).Term(s.Goal))
}
