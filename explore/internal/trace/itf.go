package trace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// Setup reads the elements of carrier sets and the constants that the trace in data was
// made with, as far as it says.
func Setup(data []byte) (carriers map[string][]string, constants map[string]any, err error) {
	t, err := decodeITF(data)
	if err != nil {
		return nil, nil, err
	}
	carriers = map[string][]string{}
	sets, _ := t.Meta["carriers"].(map[string]any)
	for name, elements := range sets {
		list, _ := elements.([]any)
		carriers[name] = nil
		for _, x := range list {
			carriers[name] = append(carriers[name], fmt.Sprint(x))
		}
	}
	constants, _ = t.Meta["constants"].(map[string]any)
	return carriers, constants, nil
}

// Recorded is one state of a trace that was read, and the event that led to it.
type Recorded struct {
	Event  string
	Params map[string]any
	Values map[string]any // by variable; package value reads them
}

func decodeITF(data []byte) (t itfTrace, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&t); err != nil {
		return t, fmt.Errorf("no ITF trace: %w", err)
	}
	return t, nil
}

// ReadITF reads a trace and the machine it is of.
func ReadITF(data []byte) (machine string, out []Recorded, err error) {
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
		r := Recorded{Values: map[string]any{}}
		r.Event, _ = meta["event"].(string)
		r.Params, _ = meta["params"].(map[string]any)
		if r.Event == "" {
			return "", nil, fmt.Errorf("state %d of the trace names no event in its #meta", i)
		}
		for _, name := range t.Vars {
			r.Values[name] = s[name]
		}
		out = append(out, r)
	}
	return machine, out, nil
}
