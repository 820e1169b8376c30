package review

import (
	"slices"

	"github.com/gradine/gradine/lang"
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
		for _, change := range to.Changes {
			if change.What != Added || change.New.component == nil || change.New.component.id() != gone.Old.component.id() ||
				alike(gone.Old.component.elements, change.New.component.elements) < similar {
				continue
			}
			// The new project shows the move; in the old one nothing is removed.
			change.What, change.Old = Moved, gone.Old
			gone.What = ""
			r.moveObligations(to, gone.Old.component)
			for _, inner := range withinMoved(gone.Old.component, change.New.component) {
				to.Changes = append(to.Changes, inner)
				// Claims of the two projects were found before the move was known: one that changed on the way is
				// named where it is now.
				loss, text := claimOf(inner)
				if loss == "" && len(gone.Old.component.syntax.Refines) == 0 && hadEvent(gone.Old.component, inner.Element()) {
					loss, text = behaviour(inner)
				}
				if loss != "" {
					to.Claims = append(to.Claims, claimAbout(loss, text, inner))
				}
			}
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

// hadEvent reports whether the event that an element is or is part of was in a component.
func hadEvent(was *component, e *Element) bool {
	label := e.Event
	if e.Kind == "event" {
		label = e.Label
	}
	return slices.ContainsFunc(was.elements, func(x *Element) bool { return x.Kind == "event" && x.Label == label })
}

// withinMoved lists what changed in a component apart from its project. The two stand in
// different banks, so their texts are compared, and the meaning of a change is not examined.
func withinMoved(was, is *component) []*Change {
	type key struct{ kind, event, label string }
	keyOf := func(e *Element) key { return key{e.Kind, e.Event, e.Label} }
	before := map[key]*Element{}
	for _, old := range was.elements {
		before[keyOf(old)] = old
	}
	var out []*Change
	for _, now := range is.elements {
		switch old := before[keyOf(now)]; {
		case old == nil:
			out = append(out, &Change{What: Added, New: now})
		case !sameApart(old, now):
			out = append(out, &Change{What: Changed, Old: old, New: now, Diff: tidy([]Piece{{'-', old.says}, {'+', now.says}})})
		}
		delete(before, keyOf(now))
	}
	for _, old := range was.elements {
		if before[keyOf(old)] != nil {
			out = append(out, &Change{What: Removed, Old: old})
		}
	}
	return out
}

// sameApart reports whether two elements of different banks say the same: by their
// canonical text where both have types, and by their syntax otherwise.
func sameApart(x, y *Element) bool {
	if x.head != y.head {
		return false
	}
	if x.typed() && y.typed() || len(x.trees) == 0 || len(y.trees) == 0 {
		return x.says == y.says
	}
	return slices.EqualFunc(x.trees, y.trees, func(f, g *lang.Formula) bool { return equalTrees(f, g, x.rename) })
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
	keyOf := func(obligation *po.Obligation) key {
		f := text.SequentFingerprint(obligation.Sequent())
		return key{obligation.Path(), string(f[:])}
	}
	gone := map[key]*ObligationChange{}
	for _, obligation := range r.Obligations {
		if obligation.Fate == Vanished && obligation.Old.Component == c.Component && (obligation.Old.Machine != nil) == (c.Kind == "machine") {
			gone[keyOf(obligation.Old)] = obligation
		}
	}
	moved := map[*ObligationChange]bool{}
	for _, obligation := range to.Obligations {
		if obligation.Fate != Appeared {
			continue
		}
		// The same sequent needs no other proof, whatever project it belongs to.
		if old := gone[keyOf(obligation.New)]; old != nil && !moved[old] {
			obligation.Old, obligation.Was, obligation.Fate = old.Old, old.Was, Same
			moved[old] = true
		}
	}
	var rest []*ObligationChange
	for _, obligation := range r.Obligations {
		if !moved[obligation] {
			rest = append(rest, obligation)
		}
	}
	r.Obligations = rest
}
