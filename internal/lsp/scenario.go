package lsp

import (
	"regexp"
	"strings"

	"github.com/gradine/gradine/internal/lsp/names"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/scenario"
)

// scenarioHead is the first line of a scenario, which names its machine.
var scenarioHead = regexp.MustCompile(`(?m)^\s*scenario\s.*\sof\s+(\S+)`)

// inScenario offers what may stand behind the text of a file of scenarios: it reads the line alone, for a scenario that
// somebody writes has errors.
func (x *snapshot) inScenario(path, before string, add offer) {
	line := before[strings.LastIndexByte(before, '\n')+1:]
	words := strings.Fields(line)
	if len(words) > 0 && words[0] == "scenario" {
		if words[len(words)-1] == "of" {
			x.named(names.Machine, func(e *names.Entity) { add(scenario.Name(e.Name), "machine", protocol.CompleteModule) })
		} else if len(words) > 1 {
			add("of", "", protocol.CompleteKeyword)
		}
		return
	}
	machine := x.machineAt(path, before)
	if machine == nil {
		add("scenario", "", protocol.CompleteKeyword)
		return
	}
	for len(words) > 0 && (words[0] == "every" || words[0] == "not" || words[0] == "can") {
		words = words[1:]
	}
	switch {
	case len(words) == 0:
		x.steps(machine, strings.TrimSpace(line) == "", add)
	case words[0] == "breaks":
		for _, inv := range machine.Invariants {
			add(scenario.Name(inv.Label.Text), "invariant", protocol.CompleteConstant)
		}
	default:
		x.inFormula(machine, words[0], line, add)
	}
}

// machineAt is the machine of the scenario that a text ends in.
func (x *snapshot) machineAt(path, before string) *lang.Component {
	heads := scenarioHead.FindAllStringSubmatchIndex(before, -1)
	if len(heads) == 0 {
		return nil
	}
	last := heads[len(heads)-1]
	for line := range strings.Lines(before[last[1]:]) {
		if strings.TrimSpace(line) == "end" {
			return nil
		}
	}
	name := unquoted(before[last[2]:last[3]])
	for _, e := range x.names().All {
		if e.Kind == names.Machine && e.Name == name {
			return e.Component
		}
	}
	return nil
}

// steps offers what a line begins with; all of it if nothing stands before.
func (x *snapshot) steps(machine *lang.Component, all bool, add offer) {
	for _, event := range machine.Events {
		add(scenario.Name(event.Label.Text), "event of "+machine.Name.Text, protocol.CompleteFunction)
	}
	if !all {
		return
	}
	for _, word := range []string{"not", "can", "check", "every", "with", "impossible", "breaks", "...", "end"} {
		add(word, "", protocol.CompleteKeyword)
	}
}

// inFormula offers the names of a formula: those of the event of the line, or of the machine.
func (x *snapshot) inFormula(machine *lang.Component, word, line string, add offer) {
	scope := x.names().Visible(machine, nil)
	called, _, given := strings.Cut(word, "(")
	for _, event := range machine.Events {
		if event.Label.Text == unquoted(called) {
			scope = x.names().Visible(nil, event)
			if !given && !strings.Contains(line, "(") && !strings.Contains(line, " then ") {
				add("then", "", protocol.CompleteKeyword)
				return
			}
		}
	}
	for _, e := range scope.List() {
		kind := protocol.CompleteVariable
		if e.Kind == names.Constant || e.Kind == names.Set {
			kind = protocol.CompleteConstant
		}
		if word == "with" && kind == protocol.CompleteVariable {
			continue // it speaks of constants
		}
		detail := e.Kind.String()
		if typ := e.Type(); typ != "" {
			detail += " ⦂ " + typ
		}
		add(lang.Identifier(e.Name), detail, kind)
	}
}
