package review

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// Fate is what became of an obligation and its proof.
type Fate string

// The fates. An obligation of the first has the same sequent as before, perhaps
// under new names; those that follow have another.
const (
	Same            Fate = "unchanged"
	Kept            Fate = "proof kept"   // another sequent, and one certificate proves both, or the old one behind a cut
	Reproved        Fate = "proved again" // it was proved, and is proved otherwise
	NewlyProved     Fate = "now proved"
	BecameVacuous   Fate = "now vacuous" // its hypotheses are inconsistent now, and were not before
	NoLongerVacuous Fate = "was vacuous" // its hypotheses were inconsistent before; it is not proved now
	Lost            Fate = "proof lost"
	Unproved        Fate = "not proved" // neither before nor now
	Untried         Fate = "not tried"  // another sequent, and not searched: no search was allowed, or it was interrupted
	Unclear         Fate = "unclear"    // a revision has errors above it, so that its hypotheses are incomplete; not searched
	Appeared        Fate = "new"
	Vanished        Fate = "gone"
)

// State is the verdict of an obligation at one revision.
type State struct {
	Verdict  verdict.Verdict // "" if nothing is recorded and nothing was asked
	Steps    int64           // of the search; 0 if there was none
	Recorded bool            // it is what proofs.lock says, and nothing confirms it
}

// Proved reports whether the goal is proved. A vacuous proof is of the hypotheses.
func (s State) Proved() bool { return s.Verdict == verdict.Proved }

// definite reports whether the verdict is one that something shows, not that nothing was found.
func (s State) definite() bool { return s.Verdict.Holds() || s.Verdict == verdict.Refuted }

// vacuous reports whether the hypotheses are known to contradict each other.
func (s State) vacuous() bool { return s.Verdict == verdict.Vacuous }

// ObligationChange is an obligation at two revisions.
type ObligationChange struct {
	Fate     Fate
	Old, New *po.Obligation // nil if there is none
	Was, Is  State
	Outcome  verdict.Outcome      // of New, if it was asked for
	Cause    *Change              // that it most likely is not as it was; nil if none bears on it
	Expected *verdict.Expectation // that the verdict meets; nil if there is none
	// ExpectedAnew: the change under review adds that expectation.
	ExpectedAnew bool
	// Unconfirmed: proofs.lock of the new revision says more than was found.
	Unconfirmed bool
	// Brief is the steps after which the search for a proof at either revision ended early, in vain; 0 if it
	// went on as long as gradine prove does.
	Brief int64
	// Repair are hints with which the obligation is proved, where its own do not: those of
	// before. They prove nothing until somebody writes them down.
	Repair *Repair
	// Behind is the old proof as one of an obligation that no search proves now; nil if there
	// is none.
	Behind *Behind

	kept   bool             // the certificate of New proves Old, too
	before *verdict.Outcome // of Old; nil if no proof of it was looked for
}

// Obligation returns the new obligation, or the old one if it is gone.
func (c *ObligationChange) Obligation() *po.Obligation {
	if c.New != nil {
		return c.New
	}
	return c.Old
}

// Worse reports whether an obligation is known to be worse than before, or is new
// and not proved.
func (c *ObligationChange) Worse() bool {
	rank := func(v verdict.Verdict) int {
		return slices.Index([]verdict.Verdict{verdict.Proved, verdict.Vacuous, verdict.Open, verdict.Refuted}, v)
	}
	switch is := rank(c.Is.Verdict); {
	case c.New == nil || is < 0:
		return false
	case c.Old == nil:
		return is > 0
	default:
		return c.Was.Verdict != "" && is > rank(c.Was.Verdict)
	}
}

// Cost is the new number of steps relative to the old one, both proved: 1.2 is a
// fifth more expensive. ok is false where there is nothing to compare.
func (c *ObligationChange) Cost() (ratio float64, ok bool) {
	if !c.Was.Proved() || !c.Is.Proved() || c.Was.Steps == 0 {
		return 1, false
	}
	return float64(c.Is.Steps) / float64(c.Was.Steps), true
}

// pairing finds the obligations of one revision in the other.
type pairing struct {
	bank       bank
	components map[string]string           // old id → new name
	events     map[string]string           // component/event, old → label of the event now
	labels     map[labelKey]string         // old → label now
	names      proofstore.Names            // of identifiers
	params     map[string]proofstore.Names // component/event → names of parameters
	renamers   map[renamerKey]*proofstore.Renamer
	prints     *text.Fingerprinter // of bank
}

// labelKey is an element of an old revision.
type labelKey struct{ kind, component, event, label string }

type renamerKey struct {
	bank  *logic.Bank
	event string
}

// namesFor returns the new names of what occurs in an old obligation.
func (p *pairing) namesFor(obligation *po.Obligation) proofstore.Names {
	if obligation.Event == nil || len(p.params) == 0 {
		return p.names
	}
	out := proofstore.Names{}
	for k, v := range p.names {
		out[k] = v
	}
	for _, event := range append(obligation.Abstract[:len(obligation.Abstract):len(obligation.Abstract)], obligation.Event) {
		for k, v := range p.params[event.Origin.Component+"/"+event.Label] {
			out[k] = v
		}
	}
	return out
}

// print returns the fingerprint of an old obligation under the new names.
func (p *pairing) print(obligation *po.Obligation, own *text.BankFingerprinter) text.Fingerprint {
	s := obligation.Sequent()
	names := p.namesFor(obligation)
	if len(names) == 0 {
		return own.Sequent(s)
	}
	key := renamerKey{s.Bank, ""}
	if obligation.Event != nil && len(p.params) > 0 {
		key.event = obligation.Component + "/" + obligation.Event.Label
	}
	r := p.renamers[key]
	if r == nil {
		r = proofstore.NewRenamer(p.bank.Bank, s.Bank, names, true)
		p.renamers[key] = r
	}
	t := logic.Sequent{Bank: p.bank.Bank, Goal: r.Term(s.Goal)}
	for _, hypothesis := range s.Hyps {
		t.Hyps = append(t.Hyps, r.Term(hypothesis))
	}
	return p.prints.Sequent(t)
}

// name returns the name that an old obligation has if it is still there.
func (p *pairing) name(obligation *po.Obligation) (component, name string) {
	kind := "context"
	if obligation.Machine != nil {
		kind = "machine"
	}
	component, ok := p.components[kind+" "+obligation.Component]
	if !ok {
		return "", ""
	}
	name = obligation.Name
	prefix := ""
	if obligation.Event != nil {
		label, ok := p.events[obligation.Component+"/"+obligation.Event.Label]
		if rest, has := strings.CutPrefix(name, obligation.Event.Label+"/"); ok && has {
			prefix, name = label+"/", rest
		}
	}
	parts := strings.Split(name, "/")
	for _, source := range obligation.Sources {
		to, ok := p.labels[labelKey{kind, source.Origin.Component, source.Origin.Event, source.Label}]
		if !ok && kind == "machine" { // an axiom that the machine sees
			to, ok = p.labels[labelKey{"context", source.Origin.Component, source.Origin.Event, source.Label}]
		}
		if !ok {
			continue
		}
		for i := range parts[:len(parts)-1] {
			if parts[i] == source.Label {
				parts[i] = to
				break
			}
		}
	}
	return component, prefix + strings.Join(parts, "/")
}

// obligations pairs all obligations, those of the new revision in their order,
// then those that are gone.
func (p *pairing) obligations(old, now []*po.Obligation) (out []*ObligationChange, same map[*ObligationChange]bool) {
	type key struct {
		component, name string
		kind            po.Kind
		print           text.Fingerprint
	}
	type names struct{ component, name string }
	var was, is text.BankFingerprinter
	oldPrints, newPrints := make([]text.Fingerprint, len(old)), make([]text.Fingerprint, len(now))
	oldNames := make([]names, len(old))
	for i, obligation := range old {
		oldPrints[i] = p.print(obligation, &was)
		oldNames[i].component, oldNames[i].name = p.name(obligation)
	}
	for i, obligation := range now {
		newPrints[i] = is.Sequent(obligation.Sequent())
	}
	origin := make([]int, len(now)) // 1 + index of the old one
	used := make([]bool, len(old))
	pass := func(ofOld, ofNew func(i int) key) {
		index := map[key][]int{}
		for i := range old {
			if !used[i] {
				index[ofOld(i)] = append(index[ofOld(i)], i)
			}
		}
		for j := range now {
			if k := ofNew(j); origin[j] == 0 && len(index[k]) > 0 {
				i := index[k][0]
				index[k] = index[k][1:]
				origin[j], used[i] = i+1, true
			}
		}
	}
	pass(func(i int) key { return key{oldNames[i].component, oldNames[i].name, old[i].Kind, oldPrints[i]} },
		func(j int) key { return key{now[j].Component, now[j].Name, now[j].Kind, newPrints[j]} })
	pass(func(i int) key { return key{oldNames[i].component, "", old[i].Kind, oldPrints[i]} },
		func(j int) key { return key{now[j].Component, "", now[j].Kind, newPrints[j]} })
	pass(func(i int) key { return key{component: oldNames[i].component, name: oldNames[i].name} },
		func(j int) key { return key{component: now[j].Component, name: now[j].Name} })
	pass(func(i int) key { return key{kind: old[i].Kind, print: oldPrints[i]} },
		func(j int) key { return key{kind: now[j].Kind, print: newPrints[j]} })
	same = map[*ObligationChange]bool{}
	for j, o := range now {
		c := &ObligationChange{New: o, Fate: Appeared}
		if i := origin[j] - 1; i >= 0 {
			c.Old = old[i]
			same[c] = oldPrints[i] == newPrints[j]
		}
		out = append(out, c)
	}
	for i, obligation := range old {
		if !used[i] {
			out = append(out, &ObligationChange{Old: obligation, Fate: Vanished})
		}
	}
	return out, same
}
