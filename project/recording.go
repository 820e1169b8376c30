package project

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/scenario"
	"github.com/gradine/gradine/logic"
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

// StepLine is a step as a line of a scenario: with its parameters, and with the values that its event chooses.
func (p *Project) StepLine(m *model.Machine, s explore.Step) string {
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
	var said []explore.Binding
	for _, b := range s.State {
		// A chosen value is written even if it is the one from before: another step may change it.
		if event == nil || p.chooses(event, b.Name) {
			said = append(said, b)
		}
	}
	if len(said) > 0 {
		line += " then " + equations(said)
	}
	return line
}

// chooses reports whether an event assigns a variable one of several values.
func (p *Project) chooses(e *model.Event, variable string) bool {
	return slices.ContainsFunc(e.Actions, func(a *model.Action) bool {
		return a.Kind != model.BecomesEqual && slices.ContainsFunc(a.Left, func(left logic.Term) bool { return p.Dev.Bank.Name(left) == variable })
	})
}
