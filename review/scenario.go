package review

import (
	"fmt"

	"github.com/gradine/gradine/diag"
)

// Outcome is what became of a scenario at one revision, on its machine or on one that refines it.
type Outcome struct {
	Scenario, Of, On string
	Verdict          string // passed, failed and so on
	Why              string // unless it passed
	Demanded         bool   // it must pass
	Lines            string // what it says, by which it is known under another name
	Span             diag.Span
}

// passed is the verdict of a scenario that passes.
const passed = "passed"

func (o Outcome) name() string {
	if o.On == o.Of {
		return fmt.Sprintf("scenario %s of %s", o.Scenario, o.Of)
	}
	return fmt.Sprintf("scenario %s of %s, on %s", o.Scenario, o.Of, o.On)
}

// ScenarioChange is a scenario with another outcome than before; a verdict is "" where there is none.
type ScenarioChange struct {
	Name    string
	Was, Is string
	Why     string // of the outcome now
	// Lost says that it had to pass and did, and does not any more.
	Lost bool
	Span diag.Span // now, or before if it is gone
}

// Passed reports whether the scenario passed before.
func (c ScenarioChange) Passed() bool { return c.Was == passed }

// Passes reports whether the scenario passes now.
func (c ScenarioChange) Passes() bool { return c.Is == passed }

// Text is what to say of the change.
func (c ScenarioChange) Text() string {
	switch {
	case c.Was == "":
		return fmt.Sprintf("new %s: %s", c.Name, c.said())
	case c.Is == "":
		return fmt.Sprintf("%s was removed, previously %s", c.Name, c.Was)
	}
	return fmt.Sprintf("%s: %s, previously %s", c.Name, c.said(), c.Was)
}

func (c ScenarioChange) said() string {
	if c.Why == "" {
		return c.Is
	}
	return c.Is + " (" + c.Why + ")"
}

// scenarios lists what changed of the outcomes of scenarios. A new one that passes is no news, and one
// under another name or of a machine under another name is known by the rest.
func scenarios(was, is []Outcome, machine func(string) string) (out []ScenarioChange) {
	taken := map[int]bool{}
	find := func(same func(o Outcome) bool) *Outcome {
		for i, o := range was {
			if !taken[i] && same(o) {
				taken[i] = true
				return &was[i]
			}
		}
		return nil
	}
	// A scenario that was renamed in the same change is found by its lines.
	for _, o := range is {
		old := find(func(x Outcome) bool {
			return x.Scenario == o.Scenario && machine(x.Of) == o.Of && machine(x.On) == o.On
		})
		if old == nil {
			old = find(func(x Outcome) bool { return x.Lines == o.Lines && machine(x.Of) == o.Of && machine(x.On) == o.On })
		}
		switch {
		case old == nil && o.Verdict == passed:
		case old == nil:
			out = append(out, ScenarioChange{Name: o.name(), Is: o.Verdict, Why: o.Why, Span: o.Span})
		case old.Verdict != o.Verdict:
			out = append(out, ScenarioChange{o.name(), old.Verdict, o.Verdict, o.Why, old.Verdict == passed && o.Demanded, o.Span})
		}
	}
	for i, o := range was {
		if !taken[i] && o.On == o.Of {
			out = append(out, ScenarioChange{Name: o.name(), Was: o.Verdict, Span: o.Span, Lost: o.Verdict == passed && o.Demanded})
		}
	}
	return out
}
