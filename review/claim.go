package review

import (
	"fmt"
	"slices"
	"strings"
)

// Loss says how a claim is less than it was. It is the name of the gate.
type Loss string

// The losses.
const (
	Weakened Loss = "weaker"  // a promise says less, or may say less
	Dropped  Loss = "gone"    // a promise is no longer made
	Assumed  Loss = "assumed" // something is taken for granted that was not
)

// claims finds what the development no longer promises or newly assumes: in what
// its elements say, and in the obligations that its configuration asks for.
func (r *Review) claims(now *Side) {
	for _, c := range r.Changes {
		if loss, text := claimOf(c); loss != "" && !stillRefines(c, now) {
			r.Claims = append(r.Claims, Claim{loss, text, c.Element()})
		}
	}
	r.vanished(now)
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
	for _, change := range r.Changes {
		element := change.Element()
		if change.What != Added || element.Event != "" || !buildsOn(element) {
			continue
		}
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
			r.Claims = append(r.Claims, Claim{Assumed, text, element})
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
			r.Claims = append(r.Claims, Claim{Loss: Dropped, Text: fmt.Sprintf("%s/%s is no longer requested", o.Old.Component, o.Old.Name)})
		}
	}
}

// Setting is one value of the configuration.
type Setting struct {
	Key   string // "machine.timing.deadlock_free"
	Value string
}

// ConfigurationName is the project that the changes of the configuration are
// listed under.
const ConfigurationName = "gradine.toml"

// Settings reviews the configuration: which settings are new, changed or gone, and
// which of that is a loss.
func Settings(old, now []Setting) *Review {
	r := &Review{Project: ConfigurationName}
	find := func(list []Setting, key string) (string, bool) {
		i := slices.IndexFunc(list, func(s Setting) bool { return s.Key == key })
		if i < 0 {
			return "", false
		}
		return list[i].Value, true
	}
	fair := func(claim, event string) (level int) {
		for i, part := range fairness {
			if list, _ := find(old, claim+"."+part); slices.Contains(items(list), event) {
				level = i + 1
			}
		}
		return level
	}
	// What is gone comes before what is new, in the order of each file.
	for _, s := range old {
		value, there := find(now, s.Key)
		switch {
		case !there:
			r.setting(Removed, s.Key, s.Value, "", fair)
		case value != s.Value:
			r.setting(Changed, s.Key, s.Value, value, fair)
		}
	}
	for _, s := range now {
		if _, there := find(old, s.Key); !there {
			r.setting(Added, s.Key, "", s.Value, fair)
		}
	}
	// What a claim rests on that is new as a whole takes nothing from what was claimed.
	r.Claims = slices.DeleteFunc(r.Claims, func(c Claim) bool {
		claim, part := leadsToOf(c.Element.Component)
		return part != "" && !slices.ContainsFunc(old, func(s Setting) bool { return strings.HasPrefix(s.Key, claim+".") })
	})
	return r
}

// fairness are the parts of a claim that assume runs to be fair to events, the one that assumes
// more of them last: runs that are strongly fair to an event are weakly fair to it, too.
var fairness = []string{"fair", "strongly_fair"}

// leadsToOf takes the key of a part of a claim that states lead to others apart; part is
// empty for other settings.
func leadsToOf(key string) (claim, part string) {
	i := strings.LastIndexByte(key, '.')
	if i < 0 || !strings.HasPrefix(key, "machine.") || !strings.Contains(key[:i], ".leads_to.") {
		return "", ""
	}
	return key[:i], key[i+1:]
}

// setting enters one setting that is not as it was. fair says how fair an event had to be in a
// claim: an index of fairness from 1, or 0.
func (r *Review) setting(what What, key, was, is string, fair func(claim, event string) int) {
	change := &Change{What: what}
	if what != Added {
		change.Old = &Element{Kind: "setting", Component: key, Text: was, File: ConfigurationName}
	}
	if what != Removed {
		change.New = &Element{Kind: "setting", Component: key, Text: is, File: ConfigurationName}
	}
	if what == Changed {
		change.Diff = []Piece{{'-', was}, {'+', is}}
	}
	r.Changes = append(r.Changes, change)
	if loss := lossOfSetting(what, key, was, is, fair); loss != "" {
		text := map[What]string{Added: "is new: " + is, Removed: "is gone: " + was, Changed: "was " + was + ", and is " + is}[what]
		r.Claims = append(r.Claims, Claim{loss, "setting " + key + " " + text, change.Element()})
	}
}

// lossOfSetting says which loss a change of the configuration is. Set-ups for
// exploring and instances for tuning that are new promise more, not less; a list
// that grew has lost nothing.
func lossOfSetting(what What, key, was, is string, fair func(claim, event string) int) Loss {
	parts := strings.Split(key, ".")
	if claim, part := leadsToOf(key); part != "" {
		return lossOfClaim(what, part, is, func(event string) int { return fair(claim, event) })
	}
	switch last := parts[len(parts)-1]; {
	case parts[0] == "expect":
		if what != Removed {
			return Assumed
		}
	case last == "environment": // these events need not terminate
		if !within(is, was) {
			return Assumed
		}
	case last == "ends": // where nothing happens any more, and that is no deadlock
		if what != Removed {
			return Assumed
		}
	case what == Added:
	case parts[0] == "project" && last == "steps": // what it no longer finds shows in the obligations
	case last == "sources" || last == "enabled" || parts[0] == "tune" && last == "instances":
		if !within(was, is) {
			return Dropped
		}
	case parts[0] == "project" || parts[0] == "tune" || last == "deadlock_free":
		return Dropped
	}
	return ""
}

// lossOfClaim is lossOfSetting for a part of a claim that states lead to others. How it is
// proved is its author's business; that it is gone shows in its obligations.
func lossOfClaim(what What, part, is string, fair func(event string) int) Loss {
	level := slices.Index(fairness, part) + 1
	switch {
	case level > 0:
		if what != Removed && slices.ContainsFunc(items(is), func(event string) bool { return fair(event) < level }) {
			return Assumed
		}
	case part == "any" && what == Added, what == Changed && (part == "any" || part == "from" || part == "to"):
		return Weakened
	}
	return ""
}

// within reports whether all items of one list are in another.
func within(list, other string) bool {
	return !slices.ContainsFunc(items(list), func(x string) bool { return !slices.Contains(items(other), x) })
}

// items takes a list apart as config.Settings writes it: items are texts, or tables in braces.
func items(list string) []string {
	switch {
	case list == "":
		return nil
	case strings.HasPrefix(list, "{ "):
		return strings.Split(strings.TrimSuffix(strings.TrimPrefix(list, "{ "), " }"), " }, { ")
	}
	return strings.Split(list, ", ")
}
