package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/lang/model"
)

// Loss says how a claim is less than it was. It is the name of the gate.
type Loss string

// The losses.
const (
	Weakened Loss = "weakened-claim" // a promise says less, or may say less
	Dropped  Loss = "removed-claim"  // a promise is no longer made
	Assumed  Loss = "new-assumption" // something is taken for granted that was not
	More     Loss = "more"           // a machine that refines none may do something that it might not
	Less     Loss = "less"           // such a machine can no longer do something
	Smaller  Loss = "smaller"        // less is explored
)

// claims finds what the development no longer promises or newly assumes: in what
// its elements say, and in the obligations that its configuration asks for.
func (r *Review) claims(p *pairing, old, now *Side) {
	scopes := scopes{p, old.Dev, now.Dev}
	for _, c := range r.Changes {
		c = scopes.asMoved(c)
		if loss, text := claimOf(c); loss != "" && !stillRefines(c, now) {
			r.Claims = append(r.Claims, claimAbout(loss, text, c))
		}
	}
	tops, events := p.tops(old)
	for _, c := range r.Changes {
		if c.Old != nil && !tops[p.components["machine "+c.Old.Component]] || c.Old == nil && !events[c.New.Component+"/"+c.New.Event] {
			continue
		}
		if loss, text := behaviour(c); loss != "" {
			if c.What == Moved { // what counts is where it was
				c = &Change{What: Removed, Old: c.Old}
			}
			r.Claims = append(r.Claims, claimAbout(loss, text, c))
		}
	}
	r.vanished(now)
}

// scopes say what sees what at two revisions.
type scopes struct {
	*pairing
	old, now *model.Development
}

// asMoved is what a predicate that moved is to those that saw it, and see it: removed, if its
// component sees it no longer; added, if somebody sees an axiom that saw it nowhere before; else c.
func (s scopes) asMoved(c *Change) *Change {
	if c.What != Moved || c.Old.component != nil || c.Old.Event != "" {
		return c
	}
	kind := "machine"
	if c.Old.Kind == "axiom" {
		kind = "context"
	}
	if from := s.components[kind+" "+c.Old.Component]; c.Old.promises() && !visibleFrom(s.now, &Element{Kind: c.Old.Kind, Component: from})[c.New.Component] {
		return &Change{What: Removed, Old: c.Old}
	}
	if c.Old.Kind == "axiom" && c.Old.head == "" && s.newlySeen(c) {
		return &Change{What: Added, New: c.New}
	}
	return c
}

// newlySeen reports whether a component that was there before sees where an axiom is now, and did not see
// where it was.
func (s scopes) newlySeen(c *Change) bool {
	sees := func(kind, name string) bool {
		return visibleFrom(s.now, &Element{Component: s.components[kind+" "+name]})[c.New.Component] && !visibleFrom(s.old, &Element{Component: name})[c.Old.Component]
	}
	return slices.ContainsFunc(s.old.Machines, func(m *model.Machine) bool { return s.components["machine "+m.Name] != "" && sees("machine", m.Name) }) ||
		slices.ContainsFunc(s.old.Contexts, func(x *model.Context) bool {
			return s.components["context "+x.Name] != "" && sees("context", x.Name)
		})
}

// newlySeen finds the axioms that a component assumes because it builds on something else now. A new
// context is no assumption of anybody until a component that was there before sees it.
func (r *Review) newlySeen(p *pairing, was, is []*component) {
	before := map[string]*component{}
	for _, c := range was {
		if name := p.components[c.id()]; name != "" {
			before[c.Kind+" "+name] = c
		}
	}
	// Only a new SEES, EXTENDS or REFINES can let an old component assume more.
	for _, change := range r.Changes {
		element := change.Element()
		if change.What != Added || element.Event != "" || !buildsOn(element) {
			continue
		}
		// Axioms known under another name or from another context are no news: their text decides.
		known := map[string]bool{}
		for _, kind := range []string{"machine", "context"} {
			if c := before[kind+" "+element.Component]; c != nil {
				for _, axiom := range axiomsBelow(was, c.id()) {
					known[axiom.says] = true
				}
			}
		}
		var texts []string
		for _, axiom := range axiomsBelow(is, element.target()) {
			if !known[axiom.says] {
				texts = append(texts, fmt.Sprintf("%s: %s", axiom.Path(), axiom.Text))
			}
		}
		if len(texts) > 0 {
			text := fmt.Sprintf("%s %s %s, and assumes %s", element.Component, element.Kind, element.Label, strings.Join(texts, "; "))
			r.Claims = append(r.Claims, claimAbout(Assumed, text, change))
		}
	}
}

// buildsOn reports whether an element names a component that its own one builds on.
func buildsOn(e *Element) bool {
	return e.Kind == "sees" || e.Kind == "extends" || e.Kind == "refines"
}

// axiomsBelow lists the axioms, theorems not among them, of a component and of all that it builds on.
func axiomsBelow(all []*component, id string) (out []*Element) {
	seen := map[string]bool{}
	var visit func(id string)
	visit = func(id string) {
		i := slices.IndexFunc(all, func(c *component) bool { return c.id() == id })
		if i < 0 || seen[id] {
			return
		}
		seen[id] = true
		for _, e := range all[i].elements {
			switch {
			case e.Event == "" && buildsOn(e):
				visit(e.target())
			case e.Kind == "axiom" && e.head == "":
				out = append(out, e)
			}
		}
	}
	visit(id)
	return out
}

// stillRefines reports whether a machine that no longer names another one as what it refines does so
// by machines between them: a refinement put in between gives nothing up.
func stillRefines(c *Change, now *Side) bool {
	element := c.Element()
	if c.What != Removed || element.Kind != "refines" || element.Event != "" {
		return false
	}
	m := now.Dev.Machine(element.Component)
	for m != nil && m.Name != element.Label {
		m = m.Refines
	}
	return m != nil && m.Name != element.Component
}

// claimOf is the loss that one change of an element is, if it is one.
func claimOf(change *Change) (Loss, string) {
	element := change.Element()
	named := element.Kind + " " + element.Path()
	switch change.What {
	case Removed:
		return claimOfRemoved(change, element, named)
	case Added:
		if element.Kind == "axiom" && element.head == "" && change.Effect != Implied {
			return Assumed, named + " is new: " + element.Text
		}
	case Changed:
		return claimOfChanged(change, named)
	}
	return "", ""
}

func claimOfRemoved(change *Change, element *Element, named string) (Loss, string) {
	switch {
	case element.Kind == "machine" || element.Kind == "context":
		return Dropped, named + " is removed"
	case element.Kind == "refines" && element.Event == "":
		return Dropped, fmt.Sprintf("machine %s no longer refines %s", element.Component, element.Label)
	case element.head != "" && (element.Kind == "axiom" || element.Kind == "invariant" || element.Kind == "guard"):
		return Dropped, fmt.Sprintf("theorem %s is removed: %s", element.Path(), strings.TrimPrefix(element.Text, element.head))
	case element.Kind == "invariant" && change.Effect != Implied:
		return Weakened, named + " is removed: " + element.Text
	}
	return "", ""
}

// claimOfChanged says what a changed element no longer claims, or assumes now.
func claimOfChanged(change *Change, named string) (Loss, string) {
	theorem := change.Old.head != "" && change.New.head == ""
	switch {
	case change.New.Kind == "axiom" && theorem:
		return Assumed, named + " was a theorem and is assumed now"
	case change.New.Kind == "axiom" && change.New.head == "" && change.Effect != Weaker && change.Effect != Equivalent && change.Effect != Replaced:
		return Assumed, named + " " + effectOr(change.Effect, "assumes something else")
	case change.Old.promises() && change.Effect != Stronger && change.Effect != Equivalent && change.Effect != Replaced:
		return Weakened, named + " " + effectOr(change.Effect, "says something else")
	case change.New.Kind == "event":
		was, is := strings.Fields(change.Old.head), strings.Fields(change.New.head)
		if slices.Contains(was, "convergent") && !slices.Contains(is, "convergent") {
			return Dropped, named + " is no longer convergent"
		}
		if len(change.Old.refs) > 0 && len(change.New.refs) == 0 {
			return Dropped, fmt.Sprintf("%s no longer refines %s", named, strings.Join(change.Old.refs, ", "))
		}
	}
	return "", ""
}

// promises reports whether e is something that the development promises: an invariant, or a theorem.
func (e *Element) promises() bool {
	return e.Kind == "invariant" || e.head != "" && (e.Kind == "axiom" || e.Kind == "guard")
}

func effectOr(e Effect, otherwise string) string {
	if e == Unknown {
		return otherwise
	}
	return "is " + string(e)
}

// vanished finds the obligations that are gone although what they are about is
// there: those that the configuration asks for.
func (r *Review) vanished(now *Side) {
	for _, o := range r.Obligations {
		if o.Fate != Vanished || !o.Old.Kind.Requested() {
			continue
		}
		if now.Dev.Machine(o.Old.Component) != nil {
			r.Claims = append(r.Claims, Claim{Loss: Dropped, Path: o.Old.Path(), Text: o.Old.Path() + " is no longer requested"})
		}
	}
}

// behaviour is how a machine that refined none, of which c is a change, may do more than before, or can do
// less. What it promises is what it restricts; that of a refinement follows from that.
func behaviour(c *Change) (Loss, string) {
	element := c.Element()
	named := element.Kind + " " + element.Path()
	if c.Old != nil {
		named = c.Old.Kind + " " + c.Old.Path()
	}
	restricts := c.Old != nil && c.Old.Event != "" && c.Old.Kind == "guard" && c.Old.head == ""
	switch {
	case c.What == Removed && element.Kind == "event":
		return Less, named + " is removed, and its machine refines no other"
	case c.What == Removed && restricts && c.Effect != Implied, c.What == Moved && restricts:
		return More, fmt.Sprintf("%s is %s, and its machine refines no other: %s", named, c.What, c.Old.Text)
	case c.What == Changed && restricts && c.Effect != Stronger && c.Effect != Equivalent && c.Effect != Replaced:
		return More, element.Kind + " " + element.Path() + " " + effectOr(c.Effect, "says something else") + ", and its machine refines no other"
	case element.Kind == "action" && !c.noMore && (c.What == Changed || c.What == Added || c.What == Removed || c.What == Moved):
		// Whether it also does less does not matter: what it does now, it did not do.
		return More, fmt.Sprintf("%s is %s, and its event is not proved to do only what it did before; its machine refines no other", named, c.What)
	}
	return "", ""
}
