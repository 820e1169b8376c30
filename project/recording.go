package project

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/scenario"
)

// SetupLines are the lines of a scenario that say which instance of a machine it was found under.
func (p *Project) SetupLines(m *model.Machine, in *explore.Instance) (out []string) {
	for _, b := range in.Bindings(m) {
		if _, carrier := in.Carriers[b.Name]; !carrier || !explore.Enumerated(p.Dev.Bank, m, b.Name) {
			out = append(out, fmt.Sprintf("with %s = %s", lang.Identifier(b.Name), b.Value))
		}
	}
	return out
}

// StepLine is a step as a line of a scenario: with its parameters, and with what it changes if its
// event has a choice.
func StepLine(m *model.Machine, s explore.Step) string {
	equations := func(bindings []explore.Binding) string {
		var out []string
		for _, b := range bindings {
			out = append(out, lang.Identifier(b.Name)+" = "+b.Value)
		}
		return strings.Join(out, " ∧ ")
	}
	line := scenario.Name(s.Event)
	if len(s.Params) > 0 {
		line += "(" + equations(s.Params) + ")"
	}
	event := m.Event(s.Event)
	chosen := event == nil || slices.ContainsFunc(event.Actions, func(a *model.Action) bool { return a.Kind != model.BecomesEqual })
	if chosen && len(s.Changed) > 0 {
		line += " then " + equations(s.Changed)
	}
	return line
}
