package prompt

import (
	"fmt"
	"io"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/report"
)

// How commands are answered: as text, or each with one line of JSON.

type jsonAnswer struct {
	Length   int             `json:"length"` // steps so far
	State    report.Bindings `json:"state,omitempty"`
	Violated []string        `json:"violated,omitempty"`
	Steps    []report.Step   `json:"steps,omitempty"`
	Missing  []string        `json:"missing,omitempty"` // why steps are missing
	Value    string          `json:"value,omitempty"`
	Text     string          `json:"text,omitempty"`
	Error    string          `json:"error,omitempty"`
}

func (p *Prompt) put(answer jsonAnswer) {
	answer.Length = p.Animation.Length()
	lines := report.NewLines(p.out)
	lines.Put(answer)
}

func (p *Prompt) refuse(err error) {
	if p.JSON {
		p.put(jsonAnswer{Error: err.Error()})
		return
	}
	fmt.Fprintf(p.out, "  %s\n", p.Style.Red(err.Error()))
}

func (p *Prompt) text(text string) {
	if p.JSON {
		p.put(jsonAnswer{Text: text})
		return
	}
	io.WriteString(p.out, text)
}

func (p *Prompt) value(value string) {
	if p.JSON {
		p.put(jsonAnswer{Value: value})
		return
	}
	fmt.Fprintf(p.out, "  %s\n", value)
}

func (p *Prompt) showState() error {
	if p.JSON {
		p.put(jsonAnswer{State: p.Animation.State()})
		return nil
	}
	for _, b := range p.Animation.State() {
		fmt.Fprintf(p.out, "  %s = %s\n", b.Name, b.Value)
	}
	return nil
}

func (p *Prompt) showRun() error {
	steps := p.Animation.Trace().Steps
	if p.JSON {
		p.put(jsonAnswer{Steps: report.StepsOf(steps)})
		return nil
	}
	report.Steps(p.out, steps, 0)
	return nil
}

// showMoves shows what can happen in the state, and which invariants it violates.
func (p *Prompt) showMoves() error {
	broken, err := p.Animation.Broken()
	if err != nil {
		return err
	}
	steps := make([]explore.Step, len(p.moves))
	for i, move := range p.moves {
		steps[i] = move.Step
	}
	if p.JSON {
		p.put(jsonAnswer{State: p.Animation.State(), Violated: broken, Steps: report.StepsOf(steps), Missing: p.why})
		return nil
	}
	for _, label := range broken {
		fmt.Fprintf(p.out, "  %s\n", p.Style.Red("violated: "+label))
	}
	report.Steps(p.out, steps, 1)
	for _, why := range p.why {
		fmt.Fprintf(p.out, "  %s\n", p.Style.Yellow(why))
	}
	if len(steps)+len(p.why) == 0 {
		fmt.Fprintln(p.out, "  no event is enabled; `back` takes a step back")
	}
	return nil
}
