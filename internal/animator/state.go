package animator

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/lang/model"
)

// What the page knows of a state.
type (
	jsonState struct {
		Values     [][]int             `json:"vals"`
		Taken      []string            `json:"taken"`
		Lost       string              `json:"lost,omitempty"`
		Invariants []string            `json:"invs"` // a letter each
		Moves      []jsonMove          `json:"moves"`
		More       map[string]string   `json:"more,omitempty"` // events of which not all steps are listed, or that are undefined
		Disabled   []jsonDisabled      `json:"off,omitempty"`
		Drawn      [][]animation.Drawn `json:"drawn,omitempty"` // of each picture
	}
	jsonMove struct {
		animation.Named
		To *int `json:"to,omitempty"` // in a file that has no server; −1: not in it
	}
	jsonDisabled struct {
		Event string            `json:"e"`
		Guard int               `json:"g"` // −1: not a guard
		Given []animation.Worth `json:"a,omitempty"`
		Why   string            `json:"w,omitempty"`
	}
)

// mostListed is how many steps of one event are listed: people choose from fewer.
const mostListed = 100

// see returns what the page knows of a state.
func (s *session) see(ctx context.Context, number int) (json.RawMessage, error) {
	if known, ok := s.seen[number]; ok {
		return known, nil
	}
	state, err := s.state(ctx, number, mostListed)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(state)
	if err == nil {
		s.seen[number] = data
	}
	return data, err
}

// state is a state as the page shows it, with at most so many steps from there.
func (s *session) state(ctx context.Context, number, most int) (out *jsonState, err error) {
	a := s.animation
	out = &jsonState{Moves: []jsonMove{}, Values: [][]int{}, Invariants: []string{}}
	if number != animation.Before {
		state := a.State(number)
		out.Values, out.Taken, out.Lost = state.Values, state.Taken, state.Lost
		for level := range state.Values {
			truths, err := a.Invariants(ctx, number, level)
			if err != nil {
				return nil, err
			}
			var letters strings.Builder
			for _, t := range truths {
				letters.WriteString(string(t))
			}
			out.Invariants = append(out.Invariants, letters.String())
		}
	}
	moves, more, err := a.Successors(ctx, number, most)
	if err != nil {
		return nil, err
	}
	out.More = more
	enabled := map[string]bool{}
	for _, m := range moves {
		enabled[m.Event] = true
		out.Moves = append(out.Moves, jsonMove{Named: m.Named()})
	}
	if number == animation.Before {
		return out, nil
	}
	// For each event that is not possible the page shows the guard that is false.
	for _, e := range a.Concrete().Events {
		if enabled[e.Label] || e.IsInit() {
			continue
		}
		blocked, err := s.blocked(ctx, number, e, more[e.Label])
		if err != nil {
			return nil, err
		}
		out.Disabled = append(out.Disabled, blocked)
	}
	return out, s.draw(ctx, number, out, moves)
}

func (s *session) blocked(ctx context.Context, number int, e *model.Event, why string) (jsonDisabled, error) {
	if why != "" {
		return jsonDisabled{Event: e.Label, Guard: -1, Why: why}, nil
	}
	b, err := s.animation.Blocks(ctx, number, e, false)
	return jsonDisabled{Event: e.Label, Guard: b.Guard, Given: b.Given, Why: b.Why}, err
}
