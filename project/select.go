package project

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
)

// Selection is what elements that somebody names stand for. Each is a run of
// consecutive parts of a full name such as project/machine/event/label/INV, where
// a * in a part stands for any text. An element that is no such run of any name
// stands for the names that have its parts in this order, with others between them:
// machine/label. Without elements, all is selected.
type Selection struct {
	elements []string
	used     []bool // the element stands for something
	spread   []bool // other parts may stand between those of the element
	known    map[string]bool
	names    []string // full names of what there is, and their parts, for the hint
}

// NewSelection selects the elements.
func NewSelection(elements []string) *Selection {
	return &Selection{elements: elements, used: make([]bool, len(elements)), spread: make([]bool, len(elements)), known: map[string]bool{}}
}

// Takes reports whether the thing with a full name is selected. Where one file is
// the project, its name was that of the project: with it, but never by it alone,
// the thing is selected, too.
func (s *Selection) Takes(name, inFile string) bool {
	found := len(s.elements) == 0
	parts, others := strings.Split(name, "/"), strings.Split(inFile, "/")
	for _, known := range append(parts, name) {
		if !s.known[known] {
			s.known[known] = true
			s.names = append(s.names, known)
		}
	}
	for i, e := range s.elements {
		patterns := strings.Split(strings.TrimSuffix(e, "/"), "/")
		if isRun(patterns, parts) || s.spread[i] && inOrder(patterns, parts) || len(patterns) > 1 && isRun(patterns, others[:min(len(patterns), len(others))]) {
			s.used[i], found = true, true
		}
	}
	return found
}

// isRun reports whether the patterns are those of consecutive parts.
func isRun(patterns, parts []string) bool {
	for i := 0; i+len(patterns) <= len(parts); i++ {
		if slices.EqualFunc(patterns, parts[i:i+len(patterns)], Matches) {
			return true
		}
	}
	return false
}

// inOrder reports whether the patterns are those of parts in this order.
func inOrder(patterns, parts []string) bool {
	for _, part := range parts {
		if len(patterns) > 0 && Matches(patterns[0], part) {
			patterns = patterns[1:]
		}
	}
	return len(patterns) == 0
}

// loosen lets other parts stand between those of elements that selected nothing, and
// reports whether there are such elements of several parts.
func (s *Selection) loosen() bool {
	some := false
	for i, e := range s.elements {
		if !s.used[i] && !s.spread[i] && strings.Contains(e, "/") {
			s.spread[i], some = true, true
		}
	}
	return some
}

// Obligations returns the obligations of projects that elements select, in order of
// projects and components. It is an error if an element stands for nothing. As of po.All, those
// of other components are returned with a fault.
func Obligations(projects []*Project, elements []string) ([]*po.Obligation, error) {
	all := make([][]*po.Obligation, len(projects))
	lost := make([]error, len(projects)) // of single components
	for i, p := range projects {
		all[i], lost[i] = p.Obligations()
		if _, other := seam.Split(lost[i]); other != nil {
			return nil, other
		}
	}
	s := NewSelection(elements)
	for {
		var out []*po.Obligation
		for i, p := range projects {
			for _, o := range all[i] {
				if s.Obligation(p, o) {
					out = append(out, o)
				}
			}
		}
		for _, p := range projects {
			s.elementsOf(p) // a component without obligations is not a mistake
		}
		if !s.loosen() {
			if fault := errors.Join(lost...); fault != nil {
				return out, fault // what stands for nothing may have been in what is lost
			}
			return out, s.missed()
		}
	}
}

// Exact returns the obligation among several that an element names to its end: what is
// proved by hints has its name continued by those of its parts.
func Exact(obligations []*po.Obligation, element string) (*po.Obligation, bool) {
	var exact []*po.Obligation
	for _, o := range obligations {
		name := "/" + o.Path()
		whole := "/" + element
		if strings.HasSuffix(name, whole) || strings.HasSuffix(whole, name) {
			exact = append(exact, o)
		}
	}
	if len(exact) != 1 {
		return nil, false
	}
	return exact[0], true
}

// Matches reports whether part is pattern, where * stands for any text.
func Matches(pattern, part string) bool {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == part
	}
	if !strings.HasPrefix(part, before) {
		return false
	}
	for i := len(before); i <= len(part); i++ {
		if Matches(after, part[i:]) {
			return true
		}
	}
	return false
}

// Unused returns the first element that selected nothing, if there is one.
func (s *Selection) Unused() (element string, ok bool) {
	if i := slices.Index(s.used, false); i >= 0 {
		return s.elements[i], true
	}
	return "", false
}

// Component reports whether the component, or all that it holds, is selected.
func (s *Selection) Component(p *Project, c model.Component) bool {
	return s.Takes(fullNames(p, c, c.Name()))
}

// Obligation reports whether o is selected.
func (s *Selection) Obligation(p *Project, o *po.Obligation) bool {
	return s.Takes(fullNames(p, o.Of(), o.Path()))
}

// fullNames are the names of something in component c: behind that of its project,
// and behind that of its file.
func fullNames(p *Project, c model.Component, name string) (inProject, inFile string) {
	var at diag.Span
	if c.Machine != nil {
		at = c.Machine.Origin.Span
	} else if c.Context != nil {
		at = c.Context.Origin.Span
	}
	return p.Name + "/" + name, NameOf(at.File) + "/" + name
}

// elementsOf returns what the components of p and their elements are called.
func (s *Selection) elementsOf(p *Project) {
	for _, c := range p.Dev.Components() {
		s.Component(p, c)
		if c.Machine != nil {
			for _, e := range c.Machine.Events {
				s.Takes(fullNames(p, c, c.Name()+"/"+e.Label))
			}
		}
	}
}

// Unknown is the error about an element that stands for nothing.
type Unknown struct{ error }

// missed is the error about the first element that stands for nothing.
func (s *Selection) missed() error {
	e, missed := s.Unused()
	if !missed {
		return nil
	}
	if hint := diag.DidYouMean(e, s.names); hint != "" {
		return Unknown{fmt.Errorf("no element matches %s; %s", e, hint)}
	}
	// The misspelt part may be one of several.
	parts := strings.Split(e, "/")
	for j, part := range parts {
		if near := diag.Nearest(part, s.names); near != "" && !s.known[part] && !strings.Contains(part, "*") && !strings.Contains(near, "/") {
			parts[j] = near
			return Unknown{fmt.Errorf("no element matches %s; did you mean `%s`?", e, strings.Join(parts, "/"))}
		}
	}
	return Unknown{fmt.Errorf("no element or file matches %s; `gradine po` lists the components", e)}
}
