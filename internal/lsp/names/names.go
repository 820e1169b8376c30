// Package names indexes the names in the texts of a project and the positions of their elements,
// to answer an editor's requests. It uses only syntax, so it works on texts with errors. Types
// come from the checker.
package names

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/lang"
)

// Index says what the names of all files stand for.
type Index struct {
	At    map[string][]Occurrence // by path, in the order of the text
	All   []*Entity
	scope map[*lang.Component]*Scope
	event map[*lang.Event]*Scope
}

// Find returns the occurrence that a byte of a file is in, or behind.
func (x *Index) Find(path string, at int) *Occurrence {
	list := x.At[filepath.ToSlash(path)]
	for i := range list {
		if list[i].Span.From <= at && at <= list[i].Span.To {
			return &list[i]
		}
	}
	return nil
}

// Occurrences lists the places of everything that is one with e.
func (x *Index) Occurrences(e *Entity) (out []Occurrence) {
	for _, list := range x.At {
		for _, o := range list {
			if o.To.Root() == e.Root() {
				out = append(out, o)
			}
		}
	}
	slices.SortFunc(out, func(a, b Occurrence) int {
		return cmp.Or(strings.Compare(a.Span.File, b.Span.File), cmp.Compare(a.Span.From, b.Span.From))
	})
	return out
}

// Visible returns the scope of an event or, if that is nil, of a component.
func (x *Index) Visible(component *lang.Component, event *lang.Event) *Scope {
	if event != nil {
		return x.event[event]
	}
	return x.scope[component]
}
