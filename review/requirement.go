package review

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
)

// Requirement is one that a change touches: it is lost or gained, or an element that mentions it
// says something else, so that somebody has to look whether the element still implements it.
type Requirement struct {
	ID   string
	What RequirementChange
	// Elements are the paths of the elements that mention it, at the revision that has it alone, or of those that changed.
	Elements []string
	Span     diag.Span // of the first of them
}

// RequirementChange is what a change means for a requirement.
type RequirementChange string

// What a change means for a requirement.
const (
	RequirementLost    RequirementChange = "lost"    // no element mentions it any more
	RequirementGained  RequirementChange = "gained"  // none did before
	RequirementTouched RequirementChange = "touched" // an element that mentions it changed
)

// requirementLine is a line of a comment that states a requirement, as REQ-2: parcels are loaded.
var requirementLine = regexp.MustCompile(`^\s*\*?\s*([A-Z][A-Z0-9]*(?:-?[0-9]+)+[a-z]?):\s+(.*)$`)

// StatedIn reads a line of a comment that states a requirement: its identifier and its text.
func StatedIn(line string) (id, text string, ok bool) {
	m := requirementLine.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// mentioned are the requirements that a comment states.
func mentioned(doc string) (ids []string) {
	for line := range strings.Lines(doc) {
		if id, _, ok := StatedIn(line); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// requirements finds the requirements that the changes of a review touch, and all that are lost or gained. What
// stands in an event that mentions one belongs to it.
func (r *Review) requirements(was, is []*component) {
	before, after := mentions(was), mentions(is)
	found := map[string]*Requirement{}
	add := func(id string, what RequirementChange, e *Element) {
		if found[id] == nil {
			found[id] = &Requirement{ID: id, What: what}
		}
		found[id].mention(e)
	}
	// Whole events and components come and go with what stands in them, which is no change of its own.
	differ := func(have, lack map[string][]*Element, what RequirementChange) {
		for id, elements := range have {
			for _, e := range elements {
				if len(lack[id]) == 0 {
					add(id, what, e)
				}
			}
		}
	}
	differ(before, after, RequirementLost)
	differ(after, before, RequirementGained)
	old, now := byKey(before), byKey(after)
	for _, c := range r.Changes {
		if c.What.unsaid() && c.What != Commented {
			continue
		}
		whole := c.What == Added || c.What == Removed
		for _, id := range slices.Concat(old.about(c.Old, whole), now.about(c.New, whole)) {
			if x := found[id]; x == nil || x.What == RequirementTouched {
				add(id, RequirementTouched, c.Element())
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		r.Requirements = append(r.Requirements, *found[id])
	}
}

// mention adds an element to those of the requirement.
func (x *Requirement) mention(e *Element) {
	if path := e.Path(); !slices.Contains(x.Elements, path) {
		x.Elements = append(x.Elements, path)
	}
	if x.Span.File == "" {
		x.Span = e.Place()
	}
}

// mentioning are the requirements that elements mention, by the key of the element.
type mentioning map[string][]string

func byKey(elements map[string][]*Element) mentioning {
	out := mentioning{}
	for _, id := range slices.Sorted(maps.Keys(elements)) {
		for _, e := range elements[id] {
			out[e.key()] = append(out[e.key()], id)
		}
	}
	return out
}

// about are the requirements that a changed element mentions, that its event does and, if the whole came or went, that its
// parts do: these are no changes of their own then.
func (x mentioning) about(e *Element, whole bool) (ids []string) {
	if e == nil {
		return nil
	}
	ids = x[e.key()]
	if e.Event != "" {
		ids = slices.Concat(ids, x[e.Component+"/"+e.Event])
	}
	if whole && e.parts != nil {
		for _, part := range e.parts() {
			ids = slices.Concat(ids, x[part.key()])
		}
	}
	return ids
}

// key tells elements of a side apart.
func (e *Element) key() string {
	switch {
	case e.component != nil:
		return e.Kind + " " + e.Component
	case e.Kind == "event":
		return e.Component + "/" + e.Label
	}
	return e.Component + "/" + e.Event + "/" + e.Kind + " " + e.Label
}

// mentions are the elements of a side that mention a requirement, by its identifier.
func mentions(all []*component) map[string][]*Element {
	out := map[string][]*Element{}
	add := func(e *Element) {
		for _, id := range mentioned(e.Doc) {
			out[id] = append(out[id], e)
		}
	}
	for _, c := range all {
		add(&c.Element)
		for _, e := range c.elements {
			add(e)
		}
	}
	return out
}
