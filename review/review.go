package review

import (
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover/derive"
)

// Options say how the prover is asked.
type Options struct {
	Discharge discharge.Options
	// Budget is what the searches of all projects share; nil for a ThoroughBudget.
	Budget   *Budget
	Expected []verdict.Expectation // of verdicts at the new revision
	Progress func()                // called when an obligation is done; may be nil
	// Touched asks for those obligations alone that are new or have another sequent, and
	// tries the proofs of before first.
	Touched bool
	// Repair, if not nil, returns what the hints for an obligation of before are for the one
	// that it has become, whose proof is lost; nil if there are none.
	Repair func(was, is *po.Obligation, names proofstore.Names) *Repair
}

// Repair are hints of before, under the names and labels of now.
type Repair struct {
	Lines []string     // as a file has them below the line of their block
	Node  *derive.Node // what they make of the obligation
}

// Review is what the difference between two revisions of a project means.
type Review struct {
	Project  string
	Was      string // the name that the project had; "" if it is the same
	Problems []Problem
	Changes  []*Change
	Claims   []Claim
	Waived   []*Waived // the waivers of gradine.toml
	// Requirements are those that the changes touch, sorted by their identifiers.
	Requirements []Requirement
	Scenarios    []ScenarioChange // those with another outcome
	// Contradictions are the assumptions that contradict themselves at a revision;
	// those that only the old one has are repaired.
	Contradictions []Contradiction
	// BriefAssumptions are the paths of assumptions that the new revision alone makes and whose search for a contradiction
	// ended early; BriefBefore, those of the others.
	BriefAssumptions, BriefBefore []string
	// Judgement is that of the new revision; of a trial, of what it touches.
	Judgement   judgement.Judgement
	Obligations []*ObligationChange // all of them
	Affected    []Affected
	Before      Debt
	After       Debt
	Interrupted bool // not all verdicts were found
}

// Contradiction is an assumption that contradicts itself: axioms, invariants, or
// these and the guards of an event. What rests on it is proved for nothing.
type Contradiction struct {
	What Presence
	judgement.Contradiction
}

// Affected is a component that the changes reach: one that changed, or one that
// builds on such a one.
type Affected struct {
	Component string
	Refines   string // the machine it refines, or ""
	Changed   bool   // it changed itself, not only what it builds on
	Total     int    // obligations
	Touched   int    // obligations that are new or have another sequent
}

// Sources tells whether the text of a file changed; it is false for files that
// only one revision has.
type Sources func(old, now string) bool

// Cost returns the steps of the proofs that both revisions have: before and now. Of a
// proof that was kept the lock says what it took before; where no lock does, it does not
// count.
func (r *Review) Cost() (was, is int64) {
	for _, o := range r.Obligations {
		if o.Was.Proved() && o.Is.Proved() && o.Was.Steps > 0 {
			was += o.Was.Steps
			is += o.Is.Steps
		}
	}
	return was, is
}

// Claim is something that the development no longer promises, or newly assumes.
type Claim struct {
	Loss    Loss
	Text    string   // "invariant m/inv3 is weakened"
	Element *Element // what it is about; nil for an obligation
	Path    string   // of the element, the obligation or the setting: a waiver names it
	Now     *Element // the element at the new revision; nil if it is gone
	Waiver  *Waived  // that is about it; nil if there is none
}

func claimAbout(loss Loss, text string, c *Change) Claim {
	return Claim{Loss: loss, Text: text, Element: c.Element(), Path: c.Element().Path(), Now: c.New}
}

// Debt is what a revision leaves unproved or takes for granted.
type Debt struct {
	Open     int `json:"open"`     // obligations without a verdict
	Refuted  int `json:"refuted"`  // obligations with a counterexample
	Vacuous  int `json:"vacuous"`  // obligations whose hypotheses are inconsistent
	Unknown  int `json:"unknown"`  // obligations that were not judged
	Expected int `json:"expected"` // number of obligations in this debt whose verdict gradine.toml expects
	Axioms   int `json:"axioms"`   // axioms, which are assumed; theorems do not count
}

// Unconfirmed counts the obligations of which proofs.lock claims more than anything confirms.
func (x *Review) Unconfirmed() int {
	return x.Count(func(o *ObligationChange) bool { return o.Unconfirmed })
}

// Unseen counts the obligations of the new revision that were not searched.
func (x *Review) Unseen() int {
	return x.Count(func(o *ObligationChange) bool { return o.New != nil && (o.Is.Verdict == "" || o.Is.Recorded) })
}

// Brief counts the obligations whose search ended early: those with another sequent, or without one before, and the rest.
func (x *Review) Brief() (touched, same int) {
	touched = x.Count(func(o *ObligationChange) bool { return o.Brief > 0 && o.Fate != Same })
	return touched, x.Count(func(o *ObligationChange) bool { return o.Brief > 0 && o.Fate == Same })
}

// Count counts the obligations that have a property.
func (x *Review) Count(has func(*ObligationChange) bool) (n int) {
	for _, o := range x.Obligations {
		if has(o) {
			n++
		}
	}
	return n
}
