package po

import "github.com/gradine/gradine/lang/model"

// Hypothesis returns the labelled predicate that hypothesis i of the sequent is,
// or nil if it is a local one: a witness, or what an action says.
func (o *Obligation) Hypothesis(i int) *model.Predicate {
	if i >= len(o.hyps.component) {
		if i -= len(o.hyps.component); i < len(o.hyps.event) {
			return o.Event.Guards[i]
		}
		return nil
	}
	var lists [][]*model.Predicate
	if m := o.Machine; m != nil {
		for _, c := range m.Contexts {
			lists = append(lists, c.Axioms)
		}
		lists = append(lists, m.Inherited, m.Invariants)
	} else {
		for _, c := range o.Context.Ancestors {
			lists = append(lists, c.Axioms)
		}
		lists = append(lists, o.Context.Axioms)
	}
	for _, l := range lists {
		if i < len(l) {
			return l[i]
		}
		i -= len(l)
	}
	return nil
}

// HypothesisLabel names hypothesis i for people: its label, or "local".
func (o *Obligation) HypothesisLabel(i int) string {
	if p := o.Hypothesis(i); p != nil {
		return p.Label
	}
	return "local"
}
