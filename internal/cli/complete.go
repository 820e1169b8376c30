package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

// completer lists what may stand where a command line is to be completed.
type completer func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective)

// elements completes the names of projects, components, events and obligations,
// one part at a time. Where no name fits, the shell completes paths.
func (r *run) elements(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	projects := r.openForCompletion(args)
	var names []string
	for _, opened := range projects {
		names = append(names, opened.Name)
	}
	obligations, err := r.obligations(projects, nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	for _, obligation := range obligations {
		names = append(names, obligation.Path())
		// The long form doubles the list; it is offered to those who have begun it.
		if strings.HasPrefix(begun, obligation.Project+"/") {
			names = append(names, obligation.Project+"/"+obligation.Path())
		}
	}
	return nextParts(names, begun)
}

// openForCompletion opens the project that the arguments before name, or none:
// while a line is typed, messages about it are not wanted.
func (r *run) openForCompletion(args []string) []*project.Project {
	if len(args) > 1 {
		args = args[:1]
	}
	projects, _, err := r.projects(args)
	if err != nil {
		return nil
	}
	return projects
}

// nextParts returns the names that begin so, up to the next slash.
func nextParts(names []string, begun string) ([]string, cobra.ShellCompDirective) {
	seen := map[string]bool{}
	directive := cobra.ShellCompDirectiveDefault
	for _, name := range names {
		if !strings.HasPrefix(name, begun) {
			continue
		}
		part, _, more := strings.Cut(name[len(begun):], "/")
		if more {
			part += "/"
			directive = cobra.ShellCompDirectiveNoSpace
		}
		seen[begun+part] = true
	}
	return slices.Sorted(maps.Keys(seen)), directive
}

// machines completes the names of machines.
func (r *run) machines(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, p := range r.openForCompletion(args) {
		for _, m := range p.Dev.Machines {
			names = append(names, m.Name)
		}
	}
	return nextParts(names, begun)
}

// tunings completes the names of the searches in gradine.toml.
func (r *run) tunings(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if projects := r.openForCompletion(nil); len(projects) > 0 && projects[0].Config != nil {
		names = slices.Collect(maps.Keys(projects[0].Config.Tune))
	}
	return nextParts(names, begun)
}

// projectNames completes the names of projects.
func (r *run) projectNames(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, p := range r.openForCompletion(nil) {
		names = append(names, p.Name)
	}
	return nextParts(names, begun)
}

// completions says what completes the arguments of each command.
func (r *run) completions() map[string]completer {
	return map[string]completer{
		"gradine po": r.elements, "gradine prove": r.elements, "gradine report why": r.elements,
		"gradine explore": r.machines, "gradine tune": r.tunings, "gradine export": r.projectNames,
	}
}

// complete gives c and the commands below it their completions.
func (r *run) complete(c *cobra.Command) {
	if f := r.completions()[c.CommandPath()]; f != nil {
		c.ValidArgsFunction = f
	}
	for _, sub := range c.Commands() {
		r.complete(sub)
	}
}
