package project

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/tune"
)

// Entry builds the entry for one instance: each text is read in the scope of
// what may stand in it. What the names must stand for is for package tune.
func (p *Project) Entry(name string, conf config.Tune, given []Assignment) (*tune.Entry, error) {
	machine := p.Dev.Machine(conf.Machine)
	s := constantsOf(p.Dev.Bank.Extend(), machine)
	entry := &tune.Entry{Name: name, Dev: p.Dev, Machine: machine, Bank: s.bank, Order: tune.Order(conf.Order), Criterion: tune.Criterion(conf.Criterion)}
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
		entry.Given = append(entry.Given, simulate.Definition{Name: g.Name, Term: term})
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
		entry.Choices = append(entry.Choices, simulate.Choice{Name: c, Type: s.bank.Elem(s.bank.Type(term)), Set: term})
	}
	for _, variable := range machine.Variables {
		if variable.Concrete {
			s.env[variable.Name] = s.bank.Type(variable.Term)
		}
	}
	if entry.Final, err = s.Predicate(conf.Final); err != nil {
		return nil, fmt.Errorf("final: %w", err)
	}
	return entry, goals(entry, conf, s)
}

// goals reads objectives and constraints, over the constants and variables of s.
func goals(entry *tune.Entry, conf config.Tune, s Scope) error {
	for _, text := range conf.Objective {
		text = strings.TrimSpace(text)
		objective := tune.Objective{Text: text}
		if sense, rest, ok := strings.Cut(text, " "); ok && (sense == "minimise" || sense == "maximise") {
			objective.Text, objective.Maximise = strings.TrimSpace(rest), sense == "maximise"
		}
		var err error
		if objective.Term, err = s.Formula(objective.Text, lang.ParseExpression); err != nil {
			return fmt.Errorf("objective: %w", err)
		}
		if s.bank.Type(objective.Term) != logic.IntType {
			return fmt.Errorf("objective: %q is not an integer", objective.Text)
		}
		entry.Objectives = append(entry.Objectives, objective)
	}
	for _, text := range conf.Constraints {
		term, err := s.Predicate(text)
		if err != nil {
			return fmt.Errorf("constraints: %w", err)
		}
		entry.Constraints = append(entry.Constraints, term)
	}
	return nil
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

// Unknowns reads which constants of an instance measurements may correct, in the order of
// their names.
func Unknowns(conf config.Tune, given []Assignment) ([]tune.Unknown, error) {
	var out []tune.Unknown
	for _, name := range slices.Sorted(maps.Keys(conf.Calibrate.Constants)) {
		text := conf.Calibrate.Constants[name]
		low, high, ok := strings.Cut(strings.Replace(text, "‥", "..", 1), "..")
		unknown := tune.Unknown{Name: name}
		var wrong [3]error
		unknown.Low, wrong[0] = strconv.ParseInt(strings.TrimSpace(low), 10, 64)
		unknown.High, wrong[1] = strconv.ParseInt(strings.TrimSpace(high), 10, 64)
		if !ok || wrong[0] != nil || wrong[1] != nil || unknown.Low < 1 || unknown.High <= unknown.Low {
			return nil, fmt.Errorf("calibrate: %s = %q is not a range low‥high of positive integers", name, text)
		}
		i := slices.IndexFunc(given, func(g Assignment) bool { return g.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("calibrate: the instance gives %s no value to begin with", name)
		}
		if unknown.Start, wrong[2] = strconv.ParseInt(given[i].Value, 10, 64); wrong[2] != nil || unknown.Start < unknown.Low || unknown.Start > unknown.High {
			return nil, fmt.Errorf("calibrate: the instance begins with %s = %s, which is not in %s", name, given[i].Value, text)
		}
		out = append(out, unknown)
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

// EntriesNamed are the entries that the arguments stand for, all if there are none, in
// the order of their names.
func EntriesNamed(conf *config.Config, args []string) ([]string, error) {
	all := slices.Sorted(maps.Keys(conf.Tune))
	asked := map[string]bool{}
	for _, arg := range args {
		found := false
		for _, name := range all {
			if Matches(arg, name) {
				asked[name], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("no entry [tune.%s] in gradine.toml; there are %s", arg, strings.Join(all, ", "))
		}
	}
	if len(args) == 0 {
		return all, nil
	}
	return slices.Sorted(maps.Keys(asked)), nil
}
