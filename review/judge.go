package review

import (
	"cmp"
	"context"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/derive"
)

// judging finds the verdicts of a review, as `gradine prove` would give them at each
// revision: by committed certificates and by search. What the locks say is believed by
// nothing; it is shown where nothing was asked, and marked.
type judging struct {
	*Review
	ctx  context.Context
	same map[*ObligationChange]bool // the sequent is the one before, up to names
	Options
}

// judge finds the verdicts of the changed obligations in both versions, and what became of each.
func (r *Review) judge(ctx context.Context, old, now *Side, same map[*ObligationChange]bool, opts Options) {
	j := &judging{r, ctx, same, opts}
	var asked []*ObligationChange
	var before, after text.BankFingerprinter
	for _, obligation := range r.Obligations {
		obligation.Was, obligation.Is = recorded(old.Lock, obligation.Old, &before), recorded(now.Lock, obligation.New, &after)
		switch {
		case obligation.New == nil:
		case opts.Touched && same[obligation] && !old.hinted(obligation.Old) && !now.hinted(obligation.New):
			obligation.Fate = Same
		case !same[obligation] && !accurate(obligation.New):
			// Errors have taken hypotheses away: no proof is lost, and none is found.
			obligation.Was, obligation.Is, obligation.Fate = State{}, State{}, Unclear
		case !same[obligation] && obligation.Old != nil && !accurate(obligation.Old):
			// They had before: there was nothing to lose, and this one is new.
			obligation.Old, obligation.Was = nil, State{}
			asked = append(asked, obligation)
		default:
			asked = append(asked, obligation)
		}
	}
	if opts.Touched {
		j.touched(old, now, asked)
	} else {
		j.now(now, asked)
		j.before(old, asked)
	}
	j.contradictions(old, now)
	for _, obligation := range asked {
		obligation.Fate = j.fate(obligation)
	}
}

// accurate reports whether no error has taken anything from an obligation: neither in its
// component nor in those that it builds on.
func accurate(o *po.Obligation) bool {
	of := o.Of()
	if !o.Accurate {
		return false
	}
	var contexts []*model.Context
	if of.Machine != nil {
		for m := of.Machine.Refines; m != nil; m = m.Refines {
			if (model.Component{Machine: m}).Lost() != "" {
				return false
			}
		}
		contexts = of.Machine.Contexts
	} else {
		contexts = of.Context.Ancestors
	}
	return !slices.ContainsFunc(contexts, func(c *model.Context) bool { return model.Component{Context: c}.Lost() != "" })
}

// maxRepairs bounds the obligations whose hints of before are tried.
const maxRepairs = 60

// repair tries the hints of before for obligations that are not proved any more.
func (r *Review) repair(ctx context.Context, now *Side, names func(*po.Obligation) proofstore.Names, opts Options) {
	if opts.Repair == nil {
		return
	}
	var list []*ObligationChange
	var found []*Repair
	for _, o := range r.Obligations {
		if o.Old == nil || o.New == nil || o.Is.Verdict.Holds() || o.Is.Verdict == verdict.Refuted || len(list) == maxRepairs {
			continue
		}
		if x := opts.Repair(o.Old, o.New, names(o.Old)); x != nil {
			list, found = append(list, o), append(found, x)
		}
	}
	if opts.Discharge.Replay {
		return
	}
	d := opts.Discharge
	d.RefuteSteps = 0 // that has been tried
	d.Steps = opts.Budget.before.Share(len(list), cmp.Or(d.Steps, now.Steps, prover.DefaultSteps))
	d.Hints = func(i int) *derive.Node { return found[i].Node }
	discharge.Run(ctx, len(list), func(i int) logic.Sequent { return list[i].New.Sequent() }, d, func(i int, outcome verdict.Outcome) {
		if outcome.Verdict == verdict.Proved {
			list[i].Repair = found[i]
		}
	})
}

// recorded is what lock l says of o. The fingerprints of what many obligations share are
// remembered in prints.
func recorded(l *proofstore.Lock, o *po.Obligation, prints *text.BankFingerprinter) State {
	if l == nil || o == nil {
		return State{}
	}
	x, ok := l.Find(o.Path(), proofstore.ShortFingerprint(prints.Sequent(o.Sequent())))
	if !ok {
		return State{}
	}
	return State{x.Verdict, x.Steps, true}
}

// touched finds the verdicts at both revisions, the old ones first: an old proof that is one
// of the new sequent, too, needs no search. All that is not asked keeps what the lock says.
func (j *judging) touched(old, now *Side, asked []*ObligationChange) {
	var had, search []*ObligationChange
	for _, obligation := range asked {
		if obligation.Old != nil {
			had = append(had, obligation)
		} else {
			search = append(search, obligation)
		}
	}
	before := func(obligation *ObligationChange) *po.Obligation { return obligation.Old }
	// What gradine prove has found is in the store, and its budget is that of the project.
	asBefore := *j
	asBefore.Discharge.Steps = 0
	asBefore.run(old, had, j.Discharge.Replay, before, func(obligation *ObligationChange, outcome verdict.Outcome) {
		obligation.Was, obligation.before = State{outcome.Verdict, outcome.Steps, false}, &outcome
		// A proof that hints have led to is lost with them.
		led := outcome.Hints == verdict.HintsNeeded && !now.hinted(obligation.New)
		if outcome.Verdict == verdict.Proved && !led && outcome.Proves(obligation.New.Sequent()) {
			obligation.kept, obligation.Outcome, obligation.Is = true, outcome, obligation.Was
			return
		}
		search = append(search, obligation)
	})
	j.Interrupted = j.Interrupted || asBefore.Interrupted
	j.now(now, search)
}

// now finds the verdicts at the new revision.
func (j *judging) now(side *Side, asked []*ObligationChange) {
	j.search(side, asked, newRevision, func(c *ObligationChange, o verdict.Outcome) {
		if o.Verdict == verdict.Open && j.Discharge.Replay {
			return // not searched
		}
		claim := verdict.LockLine{Verdict: c.Is.Verdict}
		c.Unconfirmed = claim.Contradicts(o.Verdict)
		c.Outcome, c.Is, c.Brief = o, State{o.Verdict, o.Steps, false}, o.Brief
	})
}

// before finds the verdicts of obligations at the old revision, as far as they matter:
// where one certificate proves both sequents nothing is asked, and neither where a
// proof that the lock records was replaced by another.
func (j *judging) before(side *Side, asked []*ObligationChange) {
	var search, replay []*ObligationChange
	for _, obligation := range asked {
		switch is := obligation.Is; {
		case obligation.Old == nil || is.Verdict == "" || is.Recorded:
		case j.same[obligation] && (obligation.Outcome.Committed || is.Verdict == verdict.Open && side.hinted(obligation.Old)):
			search = append(search, obligation)
		case j.same[obligation]:
			// What was found of the sequent holds of it at both revisions; an open one
			// may have had a certificate.
			if obligation.Was = (State{is.Verdict, is.Steps, false}); is.Verdict == verdict.Open {
				replay = append(replay, obligation)
			}
		case obligation.Outcome.Proves(obligation.Old.Sequent()):
			obligation.kept, obligation.Was = true, State{is.Verdict, obligation.Was.Steps, false}
		case !is.Proved() || obligation.Was.Verdict == "":
			search = append(search, obligation)
		}
	}
	found := func(obligation *ObligationChange, outcome verdict.Outcome) {
		if !j.Discharge.Replay || outcome.Verdict != verdict.Open {
			obligation.Was, obligation.before = State{outcome.Verdict, outcome.Steps, false}, &outcome
			obligation.Brief = max(obligation.Brief, outcome.Brief)
		}
	}
	j.search(side, search, oldRevision, found)
	j.run(side, replay, true, oldRevision.which, func(obligation *ObligationChange, outcome verdict.Outcome) {
		if outcome.Verdict != verdict.Open {
			found(obligation, outcome)
		}
	})
}

// run asks for the verdicts of one obligation of each change.
func (j *judging) run(side *Side, cs []*ObligationChange, replay bool, which func(*ObligationChange) *po.Obligation, done func(*ObligationChange, verdict.Outcome)) {
	if len(cs) == 0 {
		return
	}
	d := j.Discharge
	d.Committed, d.Replay = side.Certificates, replay
	if d.Steps == 0 {
		d.Steps = side.Steps
	}
	if side.Hints != nil {
		d.Hints = func(i int) *derive.Node { return side.Hints(which(cs[i])) }
	}
	n := discharge.Run(j.ctx, len(cs), func(i int) logic.Sequent { return which(cs[i]).Sequent() }, d, func(i int, outcome verdict.Outcome) {
		done(cs[i], outcome.About(which(cs[i])))
		if j.Progress != nil {
			j.Progress()
		}
	})
	j.Interrupted = j.Interrupted || n < len(cs)
}

// fate sums up what became of an obligation of the new revision.
func (j *judging) fate(obligation *ObligationChange) Fate {
	proved, before := obligation.Is.Proved(), obligation.Was.Verdict != ""
	switch {
	case obligation.Old == nil:
		return Appeared
	case !j.same[obligation] && (obligation.Is.Verdict == "" || obligation.Is.Recorded):
		return Untried
	case obligation.Is.Verdict == "":
		return Same
	case obligation.Is.vacuous() && before && !obligation.Was.vacuous():
		return BecameVacuous
	case obligation.Was.vacuous() && !proved && !obligation.Is.vacuous():
		return NoLongerVacuous
	case obligation.kept:
		return Kept
	case proved && before && !obligation.Was.Proved():
		return NewlyProved
	case !proved && obligation.Was.Proved():
		return Lost
	case j.same[obligation]:
		return Same
	case proved:
		return Reproved
	}
	return Unproved
}

// contradictions finds the assumptions that contradict themselves, at each revision.
func (j *judging) contradictions(old, now *Side) {
	if j.Discharge.Replay {
		return // they are found by search alone
	}
	before, after := old.premises(), now.premises()
	var was, is []judgement.Contradiction
	if j.Touched {
		is = judgement.NewContradictions(j.ctx, before, after, j.Discharge)
	} else {
		both := judgement.Compare(j.ctx, before, after, j.assumption, j.Discharge)
		was, is = both.Was, both.Is
		j.BriefAssumptions, j.BriefBefore = both.Brief, both.BriefBefore
	}
	j.Interrupted = j.Interrupted || j.ctx.Err() != nil
	names := namesOf([]*Review{j.Review})
	was = j.searchedWhole(before, was, is, names)
	had := func(path string) bool {
		return slices.ContainsFunc(was, func(x judgement.Contradiction) bool { return names.element(x.Path()) == path })
	}
	for _, c := range is {
		what := OnlyNow
		// What an event inherits, it contradicts as before, though an error of before hid that.
		if had(c.Path()) || inherited(c, had) {
			what = Both
		}
		j.Contradictions = append(j.Contradictions, Contradiction{what, c})
	}
	for _, c := range was {
		if path := names.element(c.Path()); !slices.ContainsFunc(is, func(x judgement.Contradiction) bool { return x.Path() == path }) {
			j.Contradictions = append(j.Contradictions, Contradiction{OnlyBefore, c})
		}
	}
}

// searchedWhole is was, the contradictions before, with those that a brief search missed where the new revision has one: whether
// that one is new needs the whole search.
func (j *judging) searchedWhole(before judgement.Premises, was, is []judgement.Contradiction, names spelling) []judgement.Contradiction {
	doubtful := map[string]bool{} // components, by their new names
	for _, c := range is {
		if slices.ContainsFunc(j.BriefBefore, func(path string) bool { return names.element(path) == c.Path() }) {
			doubtful[c.Of.Name()] = true
		}
	}
	if len(doubtful) == 0 {
		return was
	}
	of := func(x model.Component) bool { return doubtful[names.element(x.Name())] }
	for _, c := range judgement.ContradictionsOf(j.ctx, []judgement.Premises{before}, of, j.sharing(nil).Discharge)[0] {
		if !slices.ContainsFunc(was, func(x judgement.Contradiction) bool { return x.Path() == c.Path() }) {
			was = append(was, c)
		}
	}
	return was
}

// inherited reports whether an event that contradicts itself extends one that did so before.
func inherited(c judgement.Contradiction, had func(path string) bool) bool {
	if c.Event == nil {
		return false
	}
	return slices.ContainsFunc(c.Event.Refines, func(e *model.Event) bool {
		abstract := c
		abstract.Of, abstract.Event = model.Component{Machine: c.Of.Machine.Refines}, e
		return c.Of.Machine.Refines != nil && c.Event.Extended && (had(abstract.Path()) || inherited(abstract, had))
	})
}

func (s *Side) premises() judgement.Premises { return judgement.Premises{Dev: s.Dev, Ways: s.Ways} }

// judgement compares what was found with what gradine.toml expects.
func (r *Review) judgement(opts Options) {
	var results []verdict.Result
	for _, o := range r.Obligations {
		if o.New == nil {
			continue
		}
		result := verdict.Result{Obligation: o.New, Outcome: verdict.Outcome{Verdict: o.Is.Verdict}}
		result.Expect(opts.Expected)
		o.Expected = result.Expected
		// What a trial does not touch is as it was.
		if o.Is.Verdict != "" && !o.Is.Recorded && (!opts.Touched || o.Fate != Same) {
			results = append(results, result)
		}
	}
	var present []judgement.Contradiction
	for _, c := range r.Contradictions {
		if c.What != OnlyBefore {
			present = append(present, c.Contradiction)
		}
	}
	own := slices.DeleteFunc(slices.Clone(opts.Expected), func(e verdict.Expectation) bool { return e.Project != r.Project })
	r.Judgement = judgement.Judge(results, present, own, !opts.Touched && !opts.Discharge.Replay && !r.Interrupted)
	// What speaks of several obligations was agreed to for none of them.
	for _, o := range r.Obligations {
		if o.Expected != nil && slices.Contains(r.Judgement.Ambiguous, *o.Expected) {
			o.Expected = nil
		}
	}
}

// Intended reports whether gradine.toml expects a contradiction.
func (r *Review) Intended(c Contradiction) bool {
	return slices.ContainsFunc(r.Judgement.Met, func(met judgement.Contradiction) bool { return met.Path() == c.Path() })
}
