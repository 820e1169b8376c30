package project

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/tune"
)

// Assignment is a name and the text of its value, in an instance to tune.
type Assignment struct{ Name, Value string }

// Entry builds the entry for one instance: each text is read in the scope of
// what may stand in it. What the names must stand for is for package tune.
func (p *Project) Entry(name string, conf config.Tune, given []Assignment) (*tune.Entry, error) {
	machine := p.Dev.Machine(conf.Machine)
	s := constantsOf(p.Dev, machine)
	entry := &tune.Entry{Name: name, Dev: p.Dev, Machine: machine, Bank: s.bank, Objective: conf.Objective, Criterion: tune.Criterion(conf.Criterion)}
	var err error
	if entry.Setup, err = p.Setup(machine, s, Overrides{}); err != nil {
		return nil, err
	}
	if entry.Threads, err = s.threads(p.Config.Machine[machine.Name]); err != nil {
		return nil, err
	}
	for _, g := range given {
		term, err := s.Formula(g.Value, lang.ParseExpression)
		if err != nil {
			return nil, fmt.Errorf("instance: %s: %w", g.Name, err)
		}
		entry.Given = append(entry.Given, explore.Definition{Name: g.Name, Term: term})
	}
	for _, g := range entry.Given {
		if _, ok := s.env[g.Name]; !ok {
			s.env[g.Name] = s.bank.Type(g.Term) // for the sets of search to mention
		}
	}
	for _, shown := range conf.Shown {
		term, err := s.Formula(conf.Parameters[shown], lang.ParseExpression)
		if err != nil {
			return nil, fmt.Errorf("parameters: %s: %w", shown, err)
		}
		entry.Shown = append(entry.Shown, tune.Parameter{Name: shown, Term: term})
	}
	for _, c := range conf.Searched {
		term, err := s.Formula(conf.Search[c], lang.ParseExpression)
		if err != nil {
			return nil, fmt.Errorf("search: %s: %w", c, err)
		}
		entry.Choices = append(entry.Choices, explore.Choice{Name: c, Type: s.bank.Elem(s.bank.Type(term)), Set: term})
	}
	for _, variable := range machine.Variables {
		if variable.Concrete {
			s.env[variable.Name] = s.bank.Type(variable.Term)
		}
	}
	if entry.Final, err = s.Formula(conf.Final, lang.ParsePredicate); err != nil {
		return nil, fmt.Errorf("final: %w", err)
	}
	return entry, nil
}

// Tuned returns the project whose machine an entry tunes.
func Tuned(projects []*Project, conf config.Tune) (*Project, error) {
	var found *Project
	var names []string
	for _, opened := range projects {
		names = append(names, opened.Name)
		if conf.Project != "" && conf.Project != opened.Name || opened.Dev.Machine(conf.Machine) == nil {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("projects %s and %s both have a machine %s; say which by project = \"NAME\"", found.Name, opened.Name, conf.Machine)
		}
		found = opened
	}
	switch {
	case found != nil:
		return found, nil
	case conf.Project != "" && !slices.Contains(names, conf.Project):
		return nil, fmt.Errorf("there is no project %s; there are %s", conf.Project, strings.Join(names, ", "))
	}
	return nil, fmt.Errorf("there is no machine %s%s", conf.Machine, Machines(projects))
}

// Instances reads the instances of an entry.
func Instances(conf config.Tune) ([][]Assignment, error) {
	var out [][]Assignment
	for _, in := range conf.Instances {
		var given []Assignment
		for _, name := range conf.Given {
			switch value := in[name].(type) {
			case nil:
			case int64, string:
				given = append(given, Assignment{name, fmt.Sprint(value)})
			case bool:
				given = append(given, Assignment{name, strings.ToUpper(fmt.Sprint(value))})
			default:
				return nil, fmt.Errorf("instance: %s = %v is neither an integer nor an expression in quotes", name, value)
			}
		}
		out = append(out, given)
	}
	return out, nil
}

// Machines lists what could have been meant.
func Machines(projects []*Project) string {
	var names []string
	for _, opened := range projects {
		for _, machine := range opened.Dev.Machines {
			names = append(names, machine.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; there are " + strings.Join(names, ", ")
}
