package explore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
)

// Traces are written and read as ITF, the JSON form of Apalache: a state is an
// object of values; integers are {"#bigint": "…"}, sets {"#set": […]}, pairs
// {"#tup": [x, y]}, elements of carrier sets their names. The event that led to a
// state, and its parameters, stand in its "#meta"; the set-up stands in that of the
// trace.

type itfTrace struct {
	Meta   map[string]any   `json:"#meta"`
	Vars   []string         `json:"vars"`
	States []map[string]any `json:"states"`
	Loop   *int             `json:"loop,omitempty"`
}

type itfMeta struct {
	Index  int            `json:"index"`
	Event  string         `json:"event"`
	Params map[string]any `json:"params,omitempty"`
}

// ITF writes t.
func (t *Trace) ITF() ([]byte, error) {
	out := itfTrace{Meta: map[string]any{"format": "ITF", "source": t.Machine}, Vars: []string{}, States: []map[string]any{}, Loop: t.Loop}
	compiled := t.program
	out.Meta["carriers"], out.Meta["constants"] = compiled.Setting.Record(compiled.Machine)
	for _, variable := range compiled.Variables {
		out.Vars = append(out.Vars, variable.Name)
	}
	frame := compiled.Frame(context.Background())
	for i, s := range t.Steps {
		meta := itfMeta{Index: i, Event: s.Event, Params: map[string]any{}}
		for _, x := range s.args {
			meta.Params[x.Name] = compiled.Space.Record(x.Shape, x.value)
		}
		state := map[string]any{"#meta": meta}
		compiled.Unpack(frame, t.states[i])
		for j, variable := range compiled.Variables {
			state[variable.Name] = compiled.Space.Record(variable.Shape, frame.Slots[j])
		}
		out.States = append(out.States, state)
	}
	return json.MarshalIndent(out, "", " ")
}

// Of returns s with the carrier sets and constants that the trace in data was
// made with, as far as it says.
func (s Setup) Of(data []byte) (Setup, error) {
	t, err := decodeITF(data)
	if err != nil {
		return s, err
	}
	s.Names = maps.Clone(s.Names)
	if s.Names == nil {
		s.Names = map[string][]string{}
	}
	carriers, _ := t.Meta["carriers"].(map[string]any)
	for name, elements := range carriers {
		list, _ := elements.([]any)
		s.Names[name] = nil
		for _, x := range list {
			s.Names[name] = append(s.Names[name], fmt.Sprint(x))
		}
	}
	s.recorded, _ = t.Meta["constants"].(map[string]any)
	return s, nil
}

// recorded is one state of a trace that was read.
type recorded struct {
	event  string
	params map[string]any
	values map[string]any
}

func decodeITF(data []byte) (t itfTrace, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&t); err != nil {
		return t, fmt.Errorf("no ITF trace: %w", err)
	}
	return t, nil
}

// readITF reads a trace and the machine it is of.
func readITF(data []byte) (machine string, out []recorded, err error) {
	t, err := decodeITF(data)
	if err != nil {
		return "", nil, err
	}
	if len(t.States) == 0 {
		return "", nil, errors.New("no ITF trace: it has no states")
	}
	machine, _ = t.Meta["source"].(string)
	for i, s := range t.States {
		meta, _ := s["#meta"].(map[string]any)
		r := recorded{values: map[string]any{}}
		r.event, _ = meta["event"].(string)
		r.params, _ = meta["params"].(map[string]any)
		if r.event == "" {
			return "", nil, fmt.Errorf("state %d of the trace names no event in its #meta", i)
		}
		for _, name := range t.Vars {
			r.values[name] = s[name]
		}
		out = append(out, r)
	}
	return machine, out, nil
}
