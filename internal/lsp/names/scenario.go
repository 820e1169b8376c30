package names

import (
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/scenario"
)

// scenarios notes what the scenarios of the project speak of.
func (x *indexer) scenarios() {
	for _, file := range x.project.Scenarios {
		for _, s := range file.Scenarios {
			if machine := x.named[lang.MachineKind][s.Machine.Text]; machine != nil {
				x.note(s.Machine.Span, x.of[machine], false)
				x.scenario(s, machine)
			}
		}
	}
}

// scenario notes the names that a scenario uses, in the scope of its machine and of the event of each line.
func (x *indexer) scenario(s *scenario.Scenario, machine *lang.Component) {
	if s.Breaks != nil {
		x.breaks(s.Breaks.Invariant, machine)
	}
	for _, l := range append(append([]*scenario.Line{}, s.With...), s.Lines...) {
		scope := x.scope[machine]
		for _, event := range machine.Events {
			if l.Event.Text == event.Label.Text && l.Event.Text != "" {
				scope = x.event[event]
				x.note(l.Event.Span, x.events[event], false)
			}
		}
		for _, f := range []*scenario.Formula{l.Given, l.Holds} {
			if f != nil {
				x.formula(f.Formula, scope)
			}
		}
	}
}

// breaks notes the invariant that a scenario names by its label.
func (x *indexer) breaks(w scenario.Word, machine *lang.Component) {
	for at := machine; at != nil; {
		for _, e := range x.All {
			if e.Kind == Invariant && e.Component == at && e.Name == w.Text {
				x.note(w.Span, e, false)
				return
			}
		}
		above := at.Refines
		if at = nil; len(above) > 0 {
			at = x.named[lang.MachineKind][above[0].Text]
		}
	}
}
