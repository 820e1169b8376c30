package review

import (
	"path"

	"github.com/gradine/gradine/diag"
)

// Problem is an error or a warning of either revision.
type Problem struct {
	What Presence
	diag.Diagnostic
}

// Presence says which revisions have a problem.
type Presence string

// The presences.
const (
	OnlyNow    Presence = "new"
	OnlyBefore Presence = "gone"
	Both       Presence = "as before"
)

// problems compares what is wrong with two revisions: new problems first, then
// those of both, then those that are gone. Lines move with every edit, so a
// problem is recognised by its code, element, message and the name of its file.
func problems(old, now []diag.Diagnostic) []Problem {
	type key struct {
		code, element, message, file string
		severity                     diag.Severity
	}
	keyOf := func(problem diag.Diagnostic) key {
		return key{problem.Code, problem.Element, problem.Message, path.Base(problem.Span.File), problem.Severity}
	}
	// They are counted, for one message may stand several times; lines are not part of the key, as they
	// move when something above them changes.
	before := map[key]int{}
	for _, problem := range old {
		before[keyOf(problem)]++
	}
	var fresh, both, gone []Problem
	kept := map[key]int{}
	for _, problem := range now {
		if k := keyOf(problem); kept[k] < before[k] {
			kept[k]++
			both = append(both, Problem{Both, problem})
		} else {
			fresh = append(fresh, Problem{OnlyNow, problem})
		}
	}
	for _, problem := range old {
		if k := keyOf(problem); kept[k] > 0 {
			kept[k]--
		} else {
			gone = append(gone, Problem{OnlyBefore, problem})
		}
	}
	return append(append(fresh, both...), gone...)
}

// Errors counts the errors among problems of one presence.
func (r *Review) Errors(what Presence) int {
	n := 0
	for _, p := range r.Problems {
		if p.What == what && p.Severity == diag.Error {
			n++
		}
	}
	return n
}
