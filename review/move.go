package review

import (
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// Moves joins what is gone from one project and new in another: a component of the
// same kind and name whose elements are much the same has moved, and an obligation
// of it with the same sequent is unchanged.
func Moves(reviews []*Review) {
	for _, from := range reviews {
		for _, to := range reviews {
			if from != to {
				from.moveTo(to)
			}
		}
	}
}

// moveTo joins what moved from project r to another one.
func (r *Review) moveTo(to *Review) {
	for _, gone := range r.Changes {
		if gone.What != Removed || gone.Old.component == nil {
			continue
		}
		for _, c := range to.Changes {
			if c.What != Added || c.New.component == nil || c.New.component.id() != gone.Old.component.id() ||
				alike(gone.Old.component.elements, c.New.component.elements) < similar {
				continue
			}
			c.What, c.Old = Moved, gone.Old
			gone.What = ""
			r.moveObligations(to, gone.Old.component)
			break
		}
	}
	r.Changes = compact(r.Changes)
	var claims []Claim
	for _, c := range r.Claims {
		if c.Element == nil || c.Element.component == nil || !movedTo(to, c.Element) {
			claims = append(claims, c)
		}
	}
	r.Claims = claims
}

func movedTo(to *Review, old *Element) bool {
	for _, c := range to.Changes {
		if c.What == Moved && c.Old == old {
			return true
		}
	}
	return false
}

// moveObligations pairs the obligations of a component with those it has in its
// new project.
func (r *Review) moveObligations(to *Review, c *component) {
	type key struct{ name, print string }
	keyOf := func(o *po.Obligation) key {
		f := text.SequentFingerprint(o.Sequent())
		return key{o.Path(), string(f[:])}
	}
	gone := map[key]*ObligationChange{}
	for _, o := range r.Obligations {
		if o.Fate == Vanished && o.Old.Component == c.Component && (o.Old.Machine != nil) == (c.Kind == "machine") {
			gone[keyOf(o.Old)] = o
		}
	}
	moved := map[*ObligationChange]bool{}
	for _, o := range to.Obligations {
		if o.Fate != Appeared {
			continue
		}
		if old := gone[keyOf(o.New)]; old != nil && !moved[old] {
			o.Old, o.Was, o.Fate = old.Old, old.Was, Same
			moved[old] = true
		}
	}
	var rest []*ObligationChange
	for _, o := range r.Obligations {
		if !moved[o] {
			rest = append(rest, o)
		}
	}
	r.Obligations = rest
}
