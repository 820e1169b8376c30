package animator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/scenario"
)

// Begin says with which run a page begins; nil: with none.
type Begin func(ctx context.Context, s *Subject) (*Start, error)

// Start is how a page begins: with a run, in a state that is assumed, or with both, where the run leads to the state.
type Start struct {
	Run    *explore.Trace
	Values map[string]any // of names in the state, as ITF writes them; nil: none is assumed
	Event  *model.Event   // happens in the state; nil: nothing does
	About  string         // for people
}

// Steps are the steps of the start of a page.
func (s *Start) Steps(ctx context.Context, a *animation.Animation) (steps []animation.Named, err error) {
	switch {
	case s.Run != nil:
		if steps, err = a.Run(ctx, s.Run); err != nil {
			return nil, err
		}
	case s.Values != nil:
		step, err := a.Assume(s.Values)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	if s.Event == nil {
		return steps, nil
	}
	at, err := a.Walk(ctx, steps)
	if err != nil {
		return nil, err
	}
	step, err := a.StepOf(ctx, at, s.Event, s.Values)
	if errors.Is(err, animation.ErrNoStep) {
		return steps, nil // what fails there is that the event can happen
	}
	return append(steps, step), err
}

// jsonFinding is what a search has found, with its run.
type jsonFinding struct {
	Kind  string            `json:"kind"`
	Label string            `json:"label"`
	Why   string            `json:"why,omitempty"`
	Steps []animation.Named `json:"steps"`
}

// mostExplored bounds the states of a search for what fails.
const mostExplored = 200_000

// search explores the machine, as `gradine explore` does, and answers with what it finds.
func (s *session) search(ctx context.Context, out *answer) error {
	opt := explore.Options{MaxStates: mostExplored, KeepGoing: true}
	var err error
	if opt.Ends, err = s.subject.Project.Ends(s.subject.Machine, s.scope, ""); err != nil {
		return err
	}
	found, err := explore.Run(ctx, s.subject.Machine, s.subject.Instance, opt)
	if err != nil {
		return err
	}
	out.Findings = []jsonFinding{}
	for _, f := range found.Findings {
		steps, err := s.animation.Run(ctx, f.Trace)
		if err != nil {
			return err
		}
		out.Findings = append(out.Findings, jsonFinding{f.Kind, f.Label, f.Why, steps})
	}
	out.Why = fmt.Sprintf("%d states, %s", found.States, found.Verdict)
	if found.Why != "" {
		out.Why += ": " + found.Why
	}
	return nil
}

// openTrace reads a trace in ITF, and answers with the run of the machine that follows it.
func (s *session) openTrace(ctx context.Context, q request, out *answer) error {
	done, err := explore.Replay(ctx, s.subject.Machine, s.subject.Instance, []byte(q.Text), mostExplored)
	if err != nil {
		return err
	}
	steps, err := s.animation.Run(ctx, done.Trace)
	if err != nil {
		return err
	}
	if done.Steps < done.Of {
		out.Why = fmt.Sprintf("the machine follows the trace for %d of %d states", done.Steps, done.Of)
	}
	var lasso struct {
		Loop *int `json:"loop"`
	}
	if err := json.Unmarshal([]byte(q.Text), &lasso); err == nil && done.Steps == done.Of {
		out.Loop = lasso.Loop
	}
	return s.follow(ctx, animation.Before, animation.Path{Steps: steps, Why: out.Why}, nil, out)
}

// line is a line of a scenario that is recorded: a step, or a text.
type line struct {
	Step *animation.Named `json:"step"`
	Text string           `json:"text"`
}

// record writes a run as a scenario: steps with their parameters, and with what they change where the parameters do
// not say which step it is.
func (s *session) record(ctx context.Context, q request, out *answer) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, "scenario %s of %s\n", scenario.Name(q.Name), scenario.Name(s.subject.Machine.Name))
	for _, line := range s.subject.Project.SetupLines(s.subject.Machine, s.subject.Instance) {
		fmt.Fprintln(&text, line)
	}
	var steps []animation.Named
	for _, l := range q.Lines {
		if l.Step != nil {
			steps = append(steps, *l.Step)
		}
	}
	trace, err := s.animation.Trace(ctx, steps)
	if err != nil {
		return err
	}
	// The trace has the steps alone, so that its numbers run apart from those of the lines.
	done := 0
	for _, l := range q.Lines {
		if l.Step == nil {
			fmt.Fprintln(&text, strings.ReplaceAll(l.Text, "\n", " "))
			continue
		}
		fmt.Fprintln(&text, s.subject.Project.StepLine(s.subject.Machine, trace.Steps[done]))
		done++
	}
	text.WriteString("end\n")
	// The text is read again before anybody sees it: what is saved must be a scenario.
	var problems diag.List
	formatted := scenario.Format(scenario.Parse("recorded.scenario", text.Bytes(), &problems), lang.Options{})
	if problems.Len() > 0 {
		return errors.New(problems.Sorted()[0].Message)
	}
	out.Text = string(formatted)
	if q.Save && s.write != nil {
		out.File, err = s.write(s.subject, formatted)
	}
	return err
}
