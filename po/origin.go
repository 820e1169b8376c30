package po

import "github.com/gradine/gradine/lang/model"

// Hypothesis returns the labelled predicate that hypothesis i of the sequent is,
// or nil if it is a local one: a witness, or what an action says.
func (o *Obligation) Hypothesis(i int) *model.Predicate {
	if o.part != nil {
		return nil
	}
	if i >= len(o.hyps.component) {
		if i -= len(o.hyps.component); i < len(o.hyps.event) {
			return o.Event.Guards[i]
		}
		return nil
	}
	if o.Machine != nil {
		return o.Machine.Facts()[i]
	}
	return o.Context.Facts()[i]
}

// HypothesisLabel names hypothesis i for people: its label, or "local".
func (o *Obligation) HypothesisLabel(i int) string {
	if o.part != nil {
		return o.part.labels[i]
	}
	if p := o.Hypothesis(i); p != nil {
		return p.Label
	}
	return "local"
}
