package animator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gradine/gradine/explore/animation"
)

// exported is what a page without server knows.
type exported struct {
	Model  json.RawMessage              `json:"model"`
	Values []json.RawMessage            `json:"values"`
	States map[int]json.RawMessage      `json:"states"`
	Whys   map[string]*animation.Reason `json:"whys"` // STATE/LEVEL/INDEX, STATE/EVENT
	Begin  []animation.Named            `json:"begin,omitempty"`
	About  string                       `json:"about,omitempty"`
	Bound  string                       `json:"bound"`
	Graph  *jsonGraph                   `json:"graph,omitempty"`
}

// mostReasons bounds the bytes of reasons in an exported page.
const mostReasons = 8 << 20

// Export writes a page that steps without a server: through the states that are reached first, at most so many.
func Export(ctx context.Context, o Options, most int) (page []byte, bound string, err error) {
	s := &session{open: o.Open}
	s.look(ctx)
	switch {
	case len(s.problems) > 0:
		return nil, "", fmt.Errorf("%s:%d: %s", s.problems[0].File, s.problems[0].Line, s.problems[0].Message)
	case s.failed != "":
		return nil, "", errors.New(s.failed)
	}
	out := exported{Model: s.model, States: map[int]json.RawMessage{}, Whys: map[string]*animation.Reason{}, Begin: s.begin, About: s.about}
	whole, err := s.reach(ctx, most, &out)
	if err != nil {
		return nil, "", err
	}
	states := len(out.States) - 1
	out.Bound = fmt.Sprintf("all %d states", states)
	if !whole {
		out.Bound = fmt.Sprintf("the first %d states, breadth-first; steps beyond them are not in this file", states)
	}
	var answered answer
	if whole {
		if err := s.graph(ctx, request{States: numbers(states), Text: s.subject.View}, &answered); err == nil {
			out.Graph = answered.Graph
		}
	}
	out.Values = s.animation.Values()
	data, err := json.Marshal(out) // escapes <, > and &, so that it cannot end the script that it stands in
	if err != nil {
		return nil, "", err
	}
	page, err = together(data)
	return page, out.Bound, err
}

func numbers(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}

// reach adds states, breadth-first, and says whether these are all.
func (s *session) reach(ctx context.Context, most int, out *exported) (whole bool, err error) {
	whole = true
	room := mostReasons
	queue, seen := []int{animation.Before}, map[int]bool{animation.Before: true}
	// The run with which the page begins is in it, whatever the bound.
	at := animation.Before
	for _, step := range s.begin {
		found, err := s.animation.Find(ctx, at, step)
		if err == nil {
			at, err = s.animation.Fire(ctx, at, found)
		}
		if err != nil {
			return false, err
		}
		if !seen[at] {
			seen[at], queue = true, append(queue, at)
		}
	}
	for len(queue) > 0 {
		number := queue[0]
		queue = queue[1:]
		state, err := s.state(ctx, number, mostListed)
		if err != nil {
			return false, err
		}
		whole = whole && len(state.More) == 0
		for i := range state.Moves {
			to, err := s.target(ctx, number, state.Moves[i].Named, seen, most)
			if err != nil {
				return false, err
			}
			if to >= 0 && !seen[to] {
				seen[to], queue = true, append(queue, to)
			}
			whole = whole && to >= 0
			state.Moves[i].To = &to
		}
		if out.States[number], err = json.Marshal(state); err != nil {
			return false, err
		}
		if room, err = s.reasons(ctx, number, state, room, out.Whys); err != nil {
			return false, err
		}
	}
	return whole, nil
}

// target is the state that a step leads to; −2 if there are enough states without it.
func (s *session) target(ctx context.Context, from int, step animation.Named, seen map[int]bool, most int) (int, error) {
	found, err := s.animation.Find(ctx, from, step)
	if err != nil {
		return 0, err
	}
	to, err := s.animation.Fire(ctx, from, found)
	if err != nil {
		return 0, err
	}
	if !seen[to] && len(seen) > most {
		return -2, nil
	}
	return to, nil
}

// reasons adds those of the invariants of a state, and of the events that are not enabled, while there is room.
func (s *session) reasons(ctx context.Context, number int, state *jsonState, room int, whys map[string]*animation.Reason) (int, error) {
	put := func(key string, q request) error {
		var a answer
		if err := s.why(ctx, q, &a); err != nil || a.Reason == nil {
			return err
		}
		data, err := json.Marshal(a.Reason)
		// The reason that exceeds the room is left out, and so are all after it.
		if room -= len(data); room > 0 {
			whys[key] = a.Reason
		}
		return err
	}
	for level, letters := range state.Invariants {
		for i := range letters {
			if room <= 0 {
				return room, nil
			}
			if err := put(fmt.Sprintf("%d/%d/%d", number, level, i), request{State: number, Level: level, Index: i}); err != nil {
				return room, err
			}
		}
	}
	for _, e := range state.Disabled {
		if room <= 0 {
			return room, nil
		}
		if err := put(fmt.Sprintf("%d/%s", number, e.Event), request{State: number, Event: e.Event}); err != nil {
			return room, err
		}
	}
	return room, nil
}

// together is the page with its script, its style and its data in one file.
func together(data []byte) ([]byte, error) {
	page, err := assets.ReadFile("web/page.html")
	if err != nil {
		return nil, err
	}
	script, err := assets.ReadFile("web/page.js")
	if err != nil {
		return nil, err
	}
	style, err := assets.ReadFile("web/page.css")
	if err != nil {
		return nil, err
	}
	// The policy stands in the file itself: it loads nothing.
	head := `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">`
	page = bytes.Replace(page, []byte(`<link rel="stylesheet" href="page.css">`), []byte(head+"\n<style>\n"+string(style)+"</style>"), 1)
	rest := "<script type=\"application/json\" id=\"data\">" + string(data) + "</script>\n<script type=\"module\">\n" + string(bytes.ReplaceAll(script, []byte("</script"), []byte("<\\/script"))) + "</script>"
	return bytes.Replace(page, []byte(`<script type="module" src="page.js"></script>`), []byte(rest), 1), nil
}
