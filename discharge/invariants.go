package discharge

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
)

// Search says what a search that makes use of Preserved looks at.
type Search struct {
	Abstract  bool // the variables of the refined machine, besides those of the machine itself
	KeepGoing bool // states behind one that violates an invariant
}

// sees reports whether the search has values of all variables of inv.
func (s Search) sees(dev *model.Development, m *model.Machine, inv *model.Predicate) bool {
	free := dev.Bank.FreeIdents(inv.Term)
	return !slices.ContainsFunc(m.Variables, func(v model.Variable) bool {
		return !v.Concrete && !(s.Abstract && v.Abstract) && slices.Contains(free, v.Term)
	})
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
func Preserved(dev *model.Development, m *model.Machine, results []Result, s Search) (out []*model.Predicate, why string) {
	if !m.Whole {
		return nil, "it is inaccurate"
	}
	verdicts := verdictsOf(results)
	required := requiredOf(dev)
	var invariants []*model.Predicate
	open := map[*model.Predicate]string{}
	// All levels count: a step of m is a step of each machine above only as far as the
	// obligations there hold, and invariants up there may speak of variables that are gone.
	for a := m; a != nil; a = a.Refines {
		invariants = append(a.Invariants[:len(a.Invariants):len(a.Invariants)], invariants...)
		level := model.Component{Machine: a}
		obligations := required[level]
		for _, c := range level.BuildsOn() {
			if c.Context != nil {
				obligations = append(obligations, required[c]...)
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
		return nil, "behind a violation, which --keep-going passes, proofs say nothing"
	default:
		why = ""
	}
	return out, why
}
