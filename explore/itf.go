package explore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/gradine/gradine/lang/model"
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
}

type itfMeta struct {
	Index  int            `json:"index"`
	Event  string         `json:"event"`
	Params map[string]any `json:"params,omitempty"`
}

// ITF writes t.
func (t *Trace) ITF() ([]byte, error) {
	out := itfTrace{Meta: map[string]any{"format": "ITF", "source": t.Machine}, Vars: []string{}, States: []map[string]any{}}
	p := t.program
	out.Meta["carriers"], out.Meta["constants"] = p.in.itf(p.m)
	for _, v := range p.vars {
		out.Vars = append(out.Vars, v.name)
	}
	f := p.frame(context.Background())
	for i, s := range t.Steps {
		meta := itfMeta{Index: i, Event: s.Event, Params: map[string]any{}}
		for _, x := range s.args {
			meta.Params[x.name] = p.u.itf(x.shape, x.value)
		}
		state := map[string]any{"#meta": meta}
		p.unpack(f, t.states[i])
		for j, v := range p.vars {
			state[v.name] = p.u.itf(v.shape, f.slots[j])
		}
		out.States = append(out.States, state)
	}
	return json.MarshalIndent(out, "", " ")
}

// itf returns the elements of the carrier sets that m sees, and its constants;
// without those that stand for infinite sets.
func (in *Instance) itf(m *model.Machine) (carriers map[string][]string, constants map[string]any) {
	carriers, constants = map[string][]string{}, map[string]any{}
	for _, c := range m.Contexts {
		for _, s := range c.Sets {
			carriers[s.Name] = in.Carriers[s.Name]
		}
		for _, k := range c.Constants {
			if v, ok := in.values[k.Name]; ok {
				constants[k.Name] = in.space.itf(in.space.shape(in.bank.Type(k.Term)), v)
			}
		}
	}
	return carriers, constants
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

func (u *space) itf(s *shape, v Value) any {
	switch {
	case s.kind == intShape:
		return map[string]string{"#bigint": u.toBig(v).String()}
	case s.l != nil:
		a, b := u.split(s, v)
		return map[string]any{"#tup": []any{u.itf(s.l, a), u.itf(s.r, b)}}
	case s.elem != nil:
		out := []any{}
		for _, x := range u.elems(s, v, nil) {
			out = append(out, u.itf(s.elem, x))
		}
		return map[string]any{"#set": out}
	case s.name != "":
		return u.carriers[s.name][v]
	}
	return v == 1
}

// fromITF reads a value of shape s.
func (u *space) fromITF(s *shape, data any) (Value, error) {
	bad := fmt.Errorf("%v is no value of its type", data)
	object, _ := data.(map[string]any)
	list := func(key string) []any {
		l, _ := object[key].([]any)
		return l
	}
	switch {
	case s.kind == intShape:
		text, ok := object["#bigint"].(string)
		if n, plain := data.(json.Number); plain {
			text, ok = n.String(), true
		}
		z, isInt := new(big.Int).SetString(text, 10)
		if !ok || !isInt {
			return 0, bad
		}
		return u.fromBig(z), nil
	case s.l != nil:
		xs := list("#tup")
		if len(xs) != 2 {
			return 0, bad
		}
		a, err := u.fromITF(s.l, xs[0])
		if err != nil {
			return 0, err
		}
		b, err := u.fromITF(s.r, xs[1])
		return u.pair(s, a, b), err
	case s.elem != nil:
		if _, ok := object["#set"]; !ok {
			return 0, bad
		}
		var out []Value
		for _, x := range list("#set") {
			v, err := u.fromITF(s.elem, x)
			if err != nil {
				return 0, err
			}
			out = append(out, v)
		}
		return u.set(s, out), nil
	case s.name != "":
		if i := slices.Index(u.carriers[s.name], fmt.Sprint(data)); i >= 0 {
			return Value(i), nil
		}
		return 0, bad
	}
	switch data {
	case true:
		return 1, nil
	case false:
		return 0, nil
	}
	return 0, bad
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
