package cli

import (
	"errors"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

// work is what a command was asked about: projects, and the obligations in them that
// the elements select.
type work struct {
	projects    []*project.Project
	elements    []string
	obligations []*po.Obligation
}

// on hands do what the arguments PATH and ELEMENT… are about.
func (r *run) on(args []string, do func(work) error) error {
	projects, elements, err := r.projects(args)
	if err != nil {
		return err
	}
	return r.onProjects(projects, elements, do)
}

// onAll is on for a command that takes no elements.
func (r *run) onAll(command string, args []string, do func(work) error) error {
	projects, rest, err := r.projects(args)
	if err == nil {
		err = onePath(command, rest)
	}
	if err != nil {
		return err
	}
	return r.onProjects(projects, nil, do)
}

func (r *run) onProjects(projects []*project.Project, elements []string, do func(work) error) error {
	obligations, err := r.obligations(projects, elements)
	if err != nil {
		return err
	}
	return do(work{projects, elements, obligations})
}

// asked tells the components that w is about: all, or those with an obligation that was
// selected.
func (w work) asked() func(model.Component) bool {
	asked := map[model.Component]bool{}
	for _, o := range w.obligations {
		// Selecting an obligation asks about its component: were that inaccurate, a proof of it
		// would say nothing.
		asked[o.Of()] = true
	}
	return func(c model.Component) bool { return len(w.elements) == 0 || asked[c] }
}

// whole reports whether results are those of everything that there is to prove.
func (w work) whole(results []verdict.Result) bool {
	return len(w.elements) == 0 && len(results) == len(w.obligations)
}

// one returns the obligation that was selected, if it is one: the one that has exactly the
// name that was given, or the only one.
func (w work) one() (*po.Obligation, bool) {
	switch {
	case len(w.elements) == 0:
		return nil, false
	case len(w.obligations) == 1:
		return w.obligations[0], true
	case len(w.elements) > 1:
		return nil, false
	}
	return project.Exact(w.obligations, w.elements[0])
}

// oneOf is the error that several obligations are selected where one is needed.
func (w work) oneOf(what string) error {
	return flags.Usagef("%s needs one obligation; %s selected%s", what, report.Count(len(w.obligations), "obligation"), firstNames(w.obligations))
}

// obligations generates what is selected, in order of projects and components.
func (r *run) obligations(projects []*project.Project, elements []string) ([]*po.Obligation, error) {
	out, err := project.Obligations(projects, elements)
	err = r.others(err)
	switch {
	case errors.As(err, new(project.Unknown)):
		return nil, flags.UsageOf(err)
	case err != nil:
		return nil, modelError{err}
	}
	return out, nil
}

// target is a machine and its project.
type target struct {
	p *project.Project
	m *model.Machine
}

// machinesOf returns the machines that names select, all if there are no names.
func machinesOf(projects []*project.Project, names []string) ([]target, error) {
	var targets []target
	selected := project.NewSelection(names)
	for _, opened := range projects {
		for _, machine := range opened.Dev.Machines {
			if selected.Component(opened, model.Component{Machine: machine}) {
				targets = append(targets, target{opened, machine})
			}
		}
	}
	if name, missed := selected.Unused(); missed {
		return nil, flags.Usagef("no machine %s%s", name, project.Machines(projects))
	}
	return targets, nil
}
