package reduction

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
)

// Search says what a search that makes use of Preserved looks at.
type Search struct {
	Abstract  bool // the variables of the refined machine, in addition to those of the machine itself
	KeepGoing bool // states behind one that violates an invariant
}

// sees reports whether the search has values of all variables of inv.
func (s Search) sees(dev *model.Development, m *model.Machine, inv *model.Predicate) bool {
	free := dev.Bank.FreeIdents(inv.Term)
	return !slices.ContainsFunc(m.Variables, func(v model.Variable) bool {
		return !v.Concrete && !(s.Abstract && v.Abstract) && slices.Contains(free, v.Term)
	})
}

// Inductive says which invariants of a machine are proved to hold in all states that it
// reaches, by proofs that rest on no others.
type Inductive struct {
	Unproved []*model.Predicate // all invariants but these
	Why      string             // why nothing is known of any, nor that guards and actions have values
}

// Labels are those of the invariants that are not proved.
func (x Inductive) Labels() string {
	var labels []string
	for _, predicate := range x.Unproved {
		labels = append(labels, predicate.Label)
	}
	return strings.Join(labels, ", ")
}

// InductiveOf finds the largest set of invariants of m, inherited ones and theorems among
// them, that are proved together with all that steps rest on: whose obligations are
// proved, and by proofs that use no invariant outside the set.
//
// It is found from above. As long as a proof about an invariant of the set is missing, or
// uses one that has been taken out, that invariant is taken out as well; where this befalls
// what a step rests on (see Preserved), nothing is left. What remains holds by induction over
// the steps of a run, whether the others do or not.
func InductiveOf(dev *model.Development, m *model.Machine, results []verdict.Result) Inductive {
	if !m.Whole {
		return Inductive{Why: "it is inaccurate"}
	}
	type proof struct {
		obligation *po.Obligation
		missing    string             // the verdict, if it is not a proof
		uses       []*model.Predicate // hypotheses
	}
	found := map[po.ID]proof{}
	for _, r := range results {
		p := proof{obligation: r.Obligation}
		if !r.Verdict.Holds() {
			p.missing = "is " + string(r.Verdict)
		}
		for _, i := range slices.Concat(r.Used, r.UsedWD) {
			if hypothesis := r.Hypothesis(i); hypothesis != nil {
				p.uses = append(p.uses, hypothesis)
			}
		}
		// Of several results of one obligation the worst counts, as everywhere.
		if old, ok := found[r.ID()]; !ok || old.missing == "" {
			found[r.ID()] = p
		}
	}
	var proofs []proof
	var invariants []*model.Predicate
	required := judgement.Required(dev, dev.Below(model.Component{Machine: m}))
	for a := m; a != nil; a = a.Refines {
		invariants = slices.Concat(a.Invariants, invariants)
		level := model.Component{Machine: a}
		for _, c := range append(level.BuildsOn(), level) {
			if c.Machine != nil && c.Machine != a {
				continue // a level of its own
			}
			if why := required[c].Fault; why != "" {
				return Inductive{Why: "the obligations of " + c.Name() + " are not known: internal error: " + why}
			}
			for _, obligation := range required[c].Obligations {
				p, ok := found[obligation.ID()]
				if !ok {
					p = proof{obligation: obligation, missing: "was not checked"}
				}
				proofs = append(proofs, p)
			}
		}
	}
	out := map[*model.Predicate]bool{}
	for changed := true; changed; {
		changed = false
		for _, p := range proofs {
			at := slices.IndexFunc(p.uses, func(used *model.Predicate) bool { return out[used] })
			about := p.obligation.Predicate
			switch {
			case p.missing == "" && at < 0 || p.obligation.Kind.Concern() == po.Progress:
			case about != nil && slices.Contains(invariants, about):
				changed = changed || !out[about]
				out[about] = true
			case p.missing != "":
				return Inductive{Why: fmt.Sprintf("%s/%s %s", p.obligation.Component, p.obligation.Name, p.missing)}
			default:
				return Inductive{Why: fmt.Sprintf("the proof of %s/%s uses %s, which is not proved", p.obligation.Component, p.obligation.Name, p.uses[at].Label)}
			}
		}
	}
	return Inductive{Unproved: slices.DeleteFunc(invariants, func(p *model.Predicate) bool { return !out[p] })}
}

// Preserved returns the invariants of m, inherited ones and theorems among them,
// that search s need not check as long as it checks all others. why says why there
// are none; it is "" if there are some.
//
// By induction over the steps of a run: let all invariants hold in all states so
// far, those that are preserved and those that are checked. Then the hypotheses of
// the INV obligations of the next step hold, for they are invariants of the state
// before, guards and actions; what was proved of them makes the preserved ones hold
// after it. So a proof may rest on invariants that are not proved, and even two
// proofs on each other's invariants, as long as every invariant is either preserved
// or checked. The first state in which one fails is found; nothing is said of
// states behind it.
//
// The step must be one that the obligations speak of: formulas have values (WD),
// theorems follow (THM), and for a refinement there is an abstract step (GRD, MRG,
// SIM, EQL) with witnesses (WFIS, WWD), on all levels, for invariants may speak of
// variables that have disappeared. Whether events can happen, or go on for ever,
// does not matter.
func Preserved(dev *model.Development, m *model.Machine, results []verdict.Result, s Search) (out []*model.Predicate, why string) {
	if !m.Whole {
		return nil, "it is inaccurate"
	}
	verdicts := judgement.Verdicts(results)
	required := judgement.Required(dev, dev.Below(model.Component{Machine: m}))
	var invariants []*model.Predicate
	open := map[*model.Predicate]string{}
	// All levels count: a step of m is a step of each machine above only as far as the
	// obligations there hold, and invariants up there may speak of variables that are gone.
	for a := m; a != nil; a = a.Refines {
		invariants = append(a.Invariants[:len(a.Invariants):len(a.Invariants)], invariants...)
		level := model.Component{Machine: a}
		obligations := slices.Clone(required[level].Obligations)
		for _, c := range append(level.BuildsOn(), level) {
			if why := required[c].Fault; why != "" {
				return nil, "the obligations of " + c.Name() + " are not known: internal error: " + why
			}
			if c.Context != nil {
				obligations = append(obligations, required[c].Obligations...)
			}
		}
		for _, obligation := range obligations {
			v, ok := verdicts[obligation.ID()]
			if !ok {
				v = "not looked at"
			}
			if v.Holds() {
				continue
			}
			reason := fmt.Sprintf("%s/%s is %s", obligation.Component, obligation.Name, v)
			switch obligation.Kind.Concern() {
			case po.Invariance:
				open[obligation.Predicate] = reason
			case po.Steps:
				return nil, reason
			}
		}
	}
	// The induction needs every invariant to be preserved or checked: if one is neither,
	// none can be left out.
	for _, inv := range invariants {
		switch reason := open[inv]; {
		case reason == "":
			out = append(out, inv)
		case !s.sees(dev, m, inv):
			return nil, reason + ", and the search does not see its variables"
		default:
			why = reason
		}
	}
	switch {
	case len(out) == 0:
	case s.KeepGoing && len(out) < len(invariants):
		return nil, "after a violation, which --keep-going passes, proofs no longer apply"
	default:
		why = ""
	}
	return out, why
}
