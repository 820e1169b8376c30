package cli

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

// selectionHelp says how elements are named on the command line, for --help.
const selectionHelp = `An ELEMENT is any run of the parts of a full name PROJECT/COMPONENT/EVENT/LABEL/KIND, with * for
any text: a project, a component, an event, a label, a kind such as INV, inc/*/GRD, */DLF.`

// A selection is what the elements on a command line stand for: each is a run of
// consecutive parts of a full name such as project/machine/event/label/INV, where
// a * in a part stands for any text. Without elements, all is selected.
type selection struct {
	elements []string
	used     []bool // the element stands for something
	known    map[string]bool
	names    []string // full names of what there is, and their parts, for the hint
}

func newSelection(elements []string) *selection {
	return &selection{elements: elements, used: make([]bool, len(elements)), known: map[string]bool{}}
}

// takes reports whether the thing with a full name is selected. Where one file is
// the project, its name was that of the project: with it, but never by it alone,
// the thing is selected, too.
func (s *selection) takes(name, inFile string) bool {
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
		if isRun(patterns, parts) || len(patterns) > 1 && isRun(patterns, others[:min(len(patterns), len(others))]) {
			s.used[i], found = true, true
		}
	}
	return found
}

// isRun reports whether the patterns are those of consecutive parts.
func isRun(patterns, parts []string) bool {
	for i := 0; i+len(patterns) <= len(parts); i++ {
		if slices.EqualFunc(patterns, parts[i:i+len(patterns)], matches) {
			return true
		}
	}
	return false
}

// matches reports whether part is pattern, where * stands for any text.
func matches(pattern, part string) bool {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == part
	}
	if !strings.HasPrefix(part, before) {
		return false
	}
	for i := len(before); i <= len(part); i++ {
		if matches(after, part[i:]) {
			return true
		}
	}
	return false
}

// component reports whether the component, or all that it holds, is selected.
func (s *selection) component(p *project.Project, c model.Component) bool {
	return s.takes(fullNames(p, c, c.Name()))
}

// obligation reports whether o is selected.
func (s *selection) obligation(p *project.Project, o *po.Obligation) bool {
	return s.takes(fullNames(p, o.Of(), o.Path()))
}

// fullNames are the names of something in component c: behind that of its project,
// and behind that of its file.
func fullNames(p *project.Project, c model.Component, name string) (inProject, inFile string) {
	var at diag.Span
	if c.Machine != nil {
		at = c.Machine.Origin.Span
	} else if c.Context != nil {
		at = c.Context.Origin.Span
	}
	return p.Name + "/" + name, project.NameOf(at.File) + "/" + name
}

// elementsOf returns what the components of p and their elements are called.
func (s *selection) elementsOf(p *project.Project) {
	for _, c := range p.Dev.Components() {
		s.component(p, c)
		if c.Machine != nil {
			for _, e := range c.Machine.Events {
				s.takes(fullNames(p, c, c.Name()+"/"+e.Label))
			}
		}
	}
}

// firstNames lists some of several obligations.
func firstNames(obligations []*po.Obligation) string {
	var names []string
	for _, o := range obligations[:min(3, len(obligations))] {
		names = append(names, o.Path())
	}
	if len(names) == 0 {
		return ""
	}
	return ", such as " + strings.Join(names, ", ")
}

// missed is the error about the first element that stands for nothing.
func (s *selection) missed(projects []*project.Project) error {
	for _, opened := range projects {
		s.elementsOf(opened) // a component without obligations is no mistake
	}
	i := slices.Index(s.used, false)
	if i < 0 {
		return nil
	}
	e := s.elements[i]
	if hint := diag.DidYouMean(e, s.names); hint != "" {
		return usagef("nothing is called %s; %s", e, hint)
	}
	// The misspelt part may be one of several.
	parts := strings.Split(e, "/")
	for j, part := range parts {
		if near := diag.Nearest(part, s.names); near != "" && !s.known[part] && !strings.Contains(part, "*") && !strings.Contains(near, "/") {
			parts[j] = near
			return usagef("nothing is called %s; did you mean `%s`?", e, strings.Join(parts, "/"))
		}
	}
	return usagef("nothing is called %s: no project, component, event, label or obligation, nor a file; `gradine po` lists the components", e)
}
