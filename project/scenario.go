package project

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/follow"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/scenario"
	"github.com/gradine/gradine/logic"
)

// nameCode is the code of a name in a scenario that the model does not have; formulas have the
// codes that they have in models.
const nameCode = "GR0961"

// IsScenario reports whether a file of this name holds scenarios, by its ending.
func IsScenario(name string) bool { return filepath.Ext(name) == scenario.Ext }

// addScenarios adds a file of scenarios.
func (p *Project) addScenarios(name string, data []byte) {
	p.sources[name] = data
	var file *scenario.File
	if !lang.Understand(name, &p.Problems, func(problems *diag.List) { file = scenario.Parse(name, data, problems) }) {
		file = &scenario.File{Path: name}
	}
	p.Scenarios = append(p.Scenarios, file)
}

// readScenarios reads files of scenarios.
func (p *Project) readScenarios(names []string) error {
	for _, name := range names {
		data, err := p.opener.text(name)
		if err != nil {
			return err
		}
		p.addScenarios(filepath.ToSlash(name), data)
	}
	return nil
}

// checkScenarios reports what is wrong with scenarios: names and types.
func (p *Project) checkScenarios() {
	for _, s := range p.AllScenarios() {
		machine := p.machineNamed(s.Machine.Text)
		if machine == nil {
			if p.part == nil { // in a part of a project, the machine may be elsewhere
				p.Problems.Add(unknown(s.Machine, "there is no machine "+s.Machine.Text, p.machineNames()))
			}
			continue
		}
		p.script(s, machine, p.Scope(machine), &p.Problems)
	}
}

// AllScenarios lists the scenarios of p in the order of their files.
func (p *Project) AllScenarios() (out []*scenario.Scenario) {
	for _, file := range p.Scenarios {
		out = append(out, file.Scenarios...)
	}
	return out
}

func (p *Project) machineNamed(name string) *model.Machine {
	for _, m := range p.Dev.Machines {
		if m.Name == name {
			return m
		}
	}
	return nil
}

func (p *Project) machineNames() (out []string) {
	for _, m := range p.Dev.Machines {
		out = append(out, m.Name)
	}
	return out
}

// unknown is the problem of a name that nothing has.
func unknown(w scenario.Word, message string, names []string) diag.Diagnostic {
	help := "the machine has no such elements"
	if len(names) > 0 {
		names = slices.Compact(slices.Sorted(slices.Values(names)))
		help = "write one of " + strings.Join(names[:min(len(names), 12)], ", ")
	}
	if near := diag.DidYouMean(w.Text, names); near != "" {
		help = near
	}
	return diag.Diagnostic{Code: nameCode, Span: w.Span, Message: message, Help: help}
}

// Following is a scenario that is ready to be run on a machine.
type Following struct {
	*scenario.Scenario
	Of, On *model.Machine // that it is of, and that it runs on: the same, or one that refines it
	Script *follow.Script
	Setup  explore.Setup
}

// Followings are the scenarios of p, each ready for its machine, and behind it for those that refine
// this. What is wrong with one stands among the problems of p, and in err.
func (p *Project) Followings(s *scenario.Scenario) (out []*Following, err error) {
	of := p.machineNamed(s.Machine.Text)
	if of == nil {
		return nil, fmt.Errorf("there is no machine %s", s.Machine.Text)
	}
	for _, on := range p.Dev.Machines {
		if !refines(on, of) || on != of && s.Breaks != nil {
			continue
		}
		f, err := p.following(s, of, on)
		if err != nil {
			return nil, err
		}
		if on == of {
			out = append([]*Following{f}, out...)
		} else {
			out = append(out, f)
		}
	}
	return out, nil
}

// refines reports whether m is a, or refines it, directly or not.
func refines(m, a *model.Machine) bool {
	for ; m != nil; m = m.Refines {
		if m == a {
			return true
		}
	}
	return false
}

// following is scenario s of machine of, as it is followed on machine on.
func (p *Project) following(s *scenario.Scenario, of, on *model.Machine) (*Following, error) {
	var problems diag.List
	scope := p.Scope(on)
	script, with, names := p.script(s, of, scope, &problems)
	if problems.Len() > 0 {
		first := problems.Sorted()[0]
		return nil, fmt.Errorf("%s:%d: %s", first.Span.File, first.Span.Line, first.Message)
	}
	setup, err := p.Setup(on, scope, Overrides{Open: equated(s)})
	if err != nil {
		return nil, err
	}
	setup.Given = append(setup.Given, with...)
	for set, elements := range names {
		setup.Names[set] = elements
		delete(setup.Sizes, set)
	}
	return &Following{s, of, on, script, setup}, nil
}

// script reads the formulas of a scenario of machine m as terms of the bank of scope. In addition to what
// the lines say it returns what the set-up satisfies, and the elements of the carrier sets that it names.
func (p *Project) script(s *scenario.Scenario, m *model.Machine, scope Scope, problems *diag.List) (script *follow.Script, with []logic.Term, names map[string][]string) {
	r := scenarioReader{bank: scope.bank, m: m, problems: problems}
	constants := constantsOf(p.Dev.Bank.Extend(), m).env
	state := maps.Clone(constants)
	for _, v := range m.Variables {
		if v.Concrete {
			state[v.Name] = scope.bank.Type(v.Term)
		}
	}
	names = map[string][]string{}
	// A line "with S = {a, b}" names the elements of carrier set S. All others restrict the constants.
	for _, l := range s.With {
		if set, elements := enumeration(l.Holds.Formula, setsOf(m)); set != "" {
			names[set] = elements
		} else {
			with = append(with, r.formula(l.Holds, constants))
		}
	}
	script = &follow.Script{Machine: m, Impossible: s.Impossible}
	if s.Breaks != nil {
		script.Breaks = s.Breaks.Invariant.Text
		var labels []string
		for _, invariant := range append(slices.Clone(m.Inherited), m.Invariants...) {
			labels = append(labels, invariant.Label)
			if invariant.Origin.Component != m.Name {
				labels = append(labels, invariant.Origin.Component+"/"+invariant.Label)
			}
		}
		if !slices.Contains(labels, script.Breaks) {
			problems.Add(unknown(s.Breaks.Invariant, "machine "+m.Name+" has no invariant "+script.Breaks, labels))
		}
	}
	for i, l := range s.Lines {
		line := follow.Line{Every: l.Every, Most: l.Most}
		env := state
		switch l.Kind {
		case scenario.Gap:
			line.Kind = follow.Gap
		case scenario.Check:
			line.Kind = follow.Check
		case scenario.Not:
			line.Kind = follow.Not
		case scenario.Can:
			line.Kind = follow.Can
		}
		if l.Event.Text != "" {
			if line.Event = r.event(l.Event); line.Event == nil {
				continue
			}
			env = maps.Clone(state)
			for _, x := range line.Event.Parameters {
				env[x.Name] = scope.bank.Type(x.Term)
			}
			// Before INITIALISATION there is no state, so what is given there can mention only constants.
			given := env
			if line.Event.IsInit() {
				given = constants
			}
			line.Given = r.formula(l.Given, given)
		}
		line.Holds = r.formula(l.Holds, env)
		if begins := l.Event.Text == model.InitLabel; i == 0 && !begins && l.Kind != scenario.Gap || i > 0 && begins && l.Kind == scenario.Step {
			problems.Add(diag.Diagnostic{Code: nameCode, Span: l.Span, Message: "a scenario begins with INITIALISATION or ..., once", Help: "write INITIALISATION on its first line, and nowhere else"})
		}
		script.Lines = append(script.Lines, line)
	}
	return script, with, names
}

// equated are the names to which a scenario gives values by with: what it says goes before gradine.toml.
func equated(s *scenario.Scenario) (names []string) {
	for _, l := range s.With {
		if f := l.Holds.Formula; f.Op == logic.Eq && f.Args[0].Op == logic.Free {
			names = append(names, f.Args[0].Name)
		}
	}
	return names
}

// enumeration reads SET = {a, b}, which names the elements of a carrier set; "" if f is not that.
func enumeration(f *lang.Formula, sets []string) (set string, elements []string) {
	if f.Op != logic.Eq || f.Args[0].Op != logic.Free || !slices.Contains(sets, f.Args[0].Name) || f.Args[1].Op != logic.SetExt {
		return "", nil
	}
	for _, x := range f.Args[1].Args {
		if x.Op != logic.Free || slices.Contains(elements, x.Name) {
			return "", nil
		}
		elements = append(elements, x.Name)
	}
	return f.Args[0].Name, elements
}

type scenarioReader struct {
	bank     *logic.Bank
	m        *model.Machine
	problems *diag.List
}

func (r scenarioReader) event(w scenario.Word) *model.Event {
	var labels []string
	for _, e := range r.m.Events {
		labels = append(labels, e.Label)
	}
	if w.Text == model.InitLabel && !slices.Contains(labels, w.Text) {
		return &model.Event{Label: model.InitLabel} // a machine without one begins anywhere
	}
	e := r.m.Event(w.Text)
	if e == nil {
		r.problems.Add(unknown(w, "machine "+r.m.Name+" has no event "+w.Text, labels))
	}
	return e
}

// formula types a predicate; names that env does not have may be those of elements of carrier sets.
func (r scenarioReader) formula(f *scenario.Formula, env check.Env) logic.Term {
	if f == nil {
		return 0
	}
	term, inferred, found := check.Formula(r.bank, env, f.Formula)
	for _, d := range found {
		if d.Span.File == "" {
			d.Span = f.Span
		}
		r.problems.Add(d)
	}
	if len(found) > 0 {
		return 0
	}
	for _, x := range inferred {
		if r.bank.TypeKind(x.Type) != logic.KindGiven || explore.Enumerated(r.bank, r.m, r.bank.GivenName(x.Type)) {
			r.problems.Add(unknown(scenario.Word{Text: x.Name, Span: f.Span}, "there is no identifier "+x.Name+" here", slices.Sorted(maps.Keys(env))))
			return 0
		}
	}
	return term
}
