package review

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Requirement is one that a change touches: it is lost or gained, or an element that mentions it
// says something else, so that somebody has to look whether the element still implements it.
type Requirement struct {
	ID       string
	What     RequirementChange
	Elements []string // paths of the elements that changed
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

// requirements finds the requirements that the changes of a review touch. What stands in an event
// that mentions one belongs to it.
func (r *Review) requirements(was, is []*component) {
	before, after := stated(was), stated(is)
	elements := map[string][]string{}
	add := func(e *Element, side map[string][]string) {
		if e == nil {
			return
		}
		keys := []string{e.key()}
		if e.Event != "" {
			keys = append(keys, e.Component+"/"+e.Event)
		}
		for _, key := range keys {
			for _, id := range side[key] {
				if path := e.Path(); !slices.Contains(elements[id], path) {
					elements[id] = append(elements[id], path)
				}
			}
		}
	}
	for _, c := range r.Changes {
		if !c.What.unsaid() || c.What == Commented {
			add(c.Old, before)
			add(c.New, after)
		}
	}
	has := func(side map[string][]string, id string) bool {
		for _, ids := range side {
			if slices.Contains(ids, id) {
				return true
			}
		}
		return false
	}
	for id, paths := range elements {
		x := Requirement{ID: id, What: RequirementTouched, Elements: paths}
		switch {
		case !has(after, id):
			x.What = RequirementLost
		case !has(before, id):
			x.What = RequirementGained
		}
		r.Requirements = append(r.Requirements, x)
	}
	slices.SortFunc(r.Requirements, func(a, b Requirement) int { return cmp.Compare(a.ID, b.ID) })
}

// key tells elements of a side apart.
func (e *Element) key() string {
	switch {
	case e.component != nil:
		return e.Component + "/"
	case e.Kind == "event":
		return e.Component + "/" + e.Label
	}
	return e.Component + "/" + e.Event + "/" + e.Kind + " " + e.Label
}

// stated are the requirements that the elements of a side mention, by key.
func stated(all []*component) map[string][]string {
	out := map[string][]string{}
	add := func(e *Element) {
		if ids := mentioned(e.Doc); len(ids) > 0 {
			out[e.key()] = append(out[e.key()], ids...)
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
