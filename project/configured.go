package project

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// configured wants what gradine.toml names to be there, as far as that can be known: where a
// model has errors, or a part of it is read, it is not.
func configured(projects []*Project) error {
	c := projects[0].Config
	if c == nil || len(projects) < len(c.Project) || slices.ContainsFunc(projects, func(opened *Project) bool { return opened.part != nil || opened.Problems.HasErrors() }) {
		return nil
	}
	var machines []string
	for _, opened := range projects {
		for _, m := range opened.Dev.Machines {
			machines = append(machines, m.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Machine)) {
		if !slices.Contains(machines, name) {
			return fmt.Errorf("%s: machine.%s: no project has a machine %s; %s", c.At("machine", name), name, name, insteadOf(name, machines))
		}
		// Projects may have machines of one name; the entry is about one of them at least.
		var wrong error
		for _, opened := range projects {
			if m := opened.Dev.Machine(name); m != nil {
				if wrong = opened.configuredMachine(m); wrong == nil {
					break
				}
			}
		}
		if wrong != nil {
			return wrong
		}
	}
	all, err := Explorations(projects)
	for _, x := range all {
		if _, wrong := x.Setup(x.Of.Scope(x.Machine)); err == nil {
			err = wrong
		}
	}
	return cmp.Or(err, configuredKernels(projects))
}

// insteadOf proposes the nearest name that there is.
func insteadOf(name string, there []string) string {
	if hint := diag.DidYouMean(name, there); hint != "" {
		return hint
	}
	return "correct the name, or remove the entry"
}

// configuredMachine wants everything that the entry of machine m names to be there.
func (p *Project) configuredMachine(m *model.Machine) error {
	conf := p.Machine(m)
	var events []string
	for _, event := range m.Events {
		if !event.IsInit() {
			events = append(events, event.Label)
		}
	}
	wanted := func(names []string, key ...string) error {
		for _, name := range names {
			if !slices.Contains(events, name) {
				return p.misconfigured(m, fmt.Errorf("machine %s has no event %s; %s", m.Name, name, insteadOf(name, events)), key...)
			}
		}
		return nil
	}
	if err := cmp.Or(wanted(conf.Environment, "environment"), wanted(conf.Enabled, "enabled")); err != nil {
		return err
	}
	for _, claim := range conf.LeadsTo {
		if err := wanted(slices.Concat(claim.Helpful, claim.Fair, claim.Strong), "leads_to"); err != nil {
			return err
		}
	}
	// What is wrong with the formulas of claims, who makes their obligations says.
	s := p.Scope(m)
	_, inSetup := p.Setup(m, s, Overrides{})
	_, inThreads := p.Threads(m, s)
	_, inEnds := p.Ends(m, s, "")
	return cmp.Or(inSetup, inThreads, inEnds)
}

// bounded lists the identifiers that may have bounds: constants, variables, parameters, and those
// that formulas bind.
func (p *Project) bounded(m *model.Machine) (out []string) {
	for _, context := range m.Contexts {
		for _, constant := range context.Constants {
			out = append(out, constant.Name)
		}
	}
	for _, v := range m.Variables {
		out = append(out, v.Name)
	}
	var visit func(term logic.Term)
	// A term can occur in many formulas. Each one is visited once.
	seen := map[logic.Term]bool{}
	visit = func(term logic.Term) {
		if seen[term] {
			return
		}
		seen[term] = true
		if hint, ok := p.Dev.Bank.Hint(term); ok {
			out = append(out, hint.Names...)
		}
		for _, arg := range p.Dev.Bank.Args(term) {
			visit(arg)
		}
	}
	// The events of abstract machines count, too: their parameters occur where refinement is checked.
	formulas := model.Terms(m.Facts())
	for of := m; of != nil; of = of.Refines {
		for _, event := range of.Events {
			for _, parameter := range event.Parameters {
				out = append(out, parameter.Name)
			}
			formulas = append(formulas, model.Terms(event.Guards)...)
			for _, action := range event.Actions {
				formulas = append(formulas, action.Right...)
			}
		}
	}
	for _, term := range formulas {
		visit(term)
	}
	return out
}
