package discharge

import (
	"fmt"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
)

// Preserved returns the invariants of m, inherited ones and theorems among them,
// that a search need not check as long as it checks all others. checked says which
// invariants it can check. why says why there are none; it is "" if there are some.
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
func Preserved(dev *model.Development, m *model.Machine, results []Result, checked func(*model.Predicate) bool) (out []*model.Predicate, why string) {
	if !m.Whole {
		return nil, "it is inaccurate"
	}
	verdicts := map[string]Verdict{}
	for _, r := range results {
		if r.Project == dev.Project {
			verdicts[r.Component+"/"+r.Name] = r.Verdict
		}
	}
	matters := map[string]bool{}
	var invariants []*model.Predicate
	for a := m; a != nil; a = a.Refines {
		matters[a.Name] = true
		invariants = append(a.Invariants[:len(a.Invariants):len(a.Invariants)], invariants...)
		for _, c := range a.Contexts {
			matters[c.Name] = true
		}
	}
	open := map[*model.Predicate]string{}
	for _, o := range required(dev) {
		if !matters[o.Component] {
			continue
		}
		name := o.Component + "/" + o.Name
		v, ok := verdicts[name]
		if !ok {
			v = "not looked at"
		}
		if v.Holds() {
			continue
		}
		switch o.Kind {
		case po.FIS, po.VWD, po.FIN, po.NAT, po.VAR, po.DLF, po.ENB:
		case po.INV:
			open[o.Predicate] = fmt.Sprintf("%s is %s", name, v)
		default:
			return nil, fmt.Sprintf("%s is %s", name, v)
		}
	}
	for _, inv := range invariants {
		switch reason := open[inv]; {
		case reason == "":
			out = append(out, inv)
		case !checked(inv):
			return nil, reason + ", and the search does not see its variables"
		default:
			why = reason
		}
	}
	if len(out) > 0 {
		why = ""
	}
	return out, why
}
