package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/logic"
)

// Model gives carrier sets a size, which is at least 1, and free identifiers a
// value of Space.
type Model struct {
	Space    *Space
	Carriers map[string]int
	Values   map[string]Value
}

// NewModel returns a model without carriers and values in a space of its own.
func NewModel() *Model {
	return &Model{NewSpace(), map[string]int{}, map[string]Value{}}
}

// jsonModel is the written form of models:
//
//	{"carriers": {"S": 2}, "values": {"x": 3, "y": "S#1", "b": "TRUE", "r": {"set": [["S#0", 1]]}}}
type jsonModel struct {
	Carriers map[string]int             `json:"carriers"`
	Values   map[string]json.RawMessage `json:"values"`
}

// UnmarshalJSON reads a model into a fresh space.
func (m *Model) UnmarshalJSON(data []byte) error {
	var j jsonModel
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*m = *NewModel()
	maps.Copy(m.Carriers, j.Carriers)
	for _, name := range slices.Sorted(maps.Keys(j.Values)) {
		d := json.NewDecoder(bytes.NewReader(j.Values[name]))
		d.UseNumber()
		var x any
		if err := d.Decode(&x); err != nil {
			return err
		}
		v, err := m.decode(x)
		if err != nil {
			return fmt.Errorf("value of %s: %w", name, err)
		}
		m.Values[name] = v
	}
	return nil
}

func (m *Model) decode(x any) (Value, error) {
	switch x := x.(type) {
	case json.Number:
		if n, ok := new(big.Int).SetString(x.String(), 10); ok {
			return m.Space.Int(n), nil
		}
	case bool:
		return m.Space.Bool(x), nil
	case string:
		if x == "TRUE" || x == "FALSE" {
			return m.Space.Bool(x == "TRUE"), nil
		}
		if i := strings.LastIndexByte(x, '#'); i > 0 {
			if n, err := strconv.Atoi(x[i+1:]); err == nil && 0 <= n && n < m.Carriers[x[:i]] {
				return m.Space.Element(x[:i], n), nil
			}
		}
	case []any:
		if len(x) == 2 {
			vs, err := m.decodeAll(x)
			if err != nil {
				return 0, err
			}
			return m.Space.Pair(vs[0], vs[1]), nil
		}
	case map[string]any:
		if list, ok := x["set"].([]any); ok && len(x) == 1 {
			vs, err := m.decodeAll(list)
			return m.Space.Set(vs...), err
		}
	}
	return 0, fmt.Errorf("eval: %v is no value", x)
}

func (m *Model) decodeAll(list []any) ([]Value, error) {
	vs := make([]Value, len(list))
	for i, x := range list {
		v, err := m.decode(x)
		if err != nil {
			return nil, err
		}
		vs[i] = v
	}
	return vs, nil
}

// MarshalJSON writes m in the form that UnmarshalJSON reads.
func (m *Model) MarshalJSON() ([]byte, error) {
	values := map[string]any{}
	for name, v := range m.Values {
		values[name] = m.encode(v)
	}
	return json.Marshal(map[string]any{"carriers": m.Carriers, "values": values})
}

func (m *Model) encode(v Value) any {
	switch m.Space.Kind(v) {
	case Integer:
		return json.Number(m.Space.Big(v).String())
	case Pair:
		return []any{m.encode(m.Space.Parts(v)[0]), m.encode(m.Space.Parts(v)[1])}
	case Set:
		list := []any{}
		for _, x := range m.Space.Members(v) {
			list = append(list, m.encode(x))
		}
		return map[string]any{"set": list}
	}
	return m.Space.String(v)
}

// cardinality returns the number of values of type t, if it is finite and at
// most limit.
func (m *Model) cardinality(b *logic.Bank, t logic.Type, limit int) (int, bool) {
	n := 0
	switch b.TypeKind(t) {
	case logic.KindBool:
		n = 2
	case logic.KindGiven:
		n = m.Carriers[b.GivenName(t)]
	case logic.KindPow:
		k, ok := m.cardinality(b, b.Elem(t), 30)
		if !ok {
			return 0, false
		}
		n = 1 << k
	case logic.KindProd:
		l, r := b.Pair(t)
		i, ok1 := m.cardinality(b, l, limit)
		j, ok2 := m.cardinality(b, r, limit)
		if !ok1 || !ok2 {
			return 0, false
		}
		n = i * j
	default:
		return 0, false
	}
	return n, 0 < n && n <= limit
}

// IsFinite reports whether type t has finitely many values in models.
func IsFinite(b *logic.Bank, t logic.Type) bool {
	switch b.TypeKind(t) {
	case logic.KindBool, logic.KindGiven:
		return true
	case logic.KindPow:
		return IsFinite(b, b.Elem(t))
	case logic.KindProd:
		l, r := b.Pair(t)
		return IsFinite(b, l) && IsFinite(b, r)
	}
	return false
}

// All returns the values of type t, and false if there are more than limit.
func (m *Model) All(b *logic.Bank, t logic.Type, limit int) ([]Value, bool) {
	if _, ok := m.cardinality(b, t, limit); !ok {
		return nil, false
	}
	var out []Value
	switch b.TypeKind(t) {
	case logic.KindBool:
		return []Value{m.Space.Bool(false), m.Space.Bool(true)}, true
	case logic.KindGiven:
		name := b.GivenName(t)
		for i := range m.Carriers[name] {
			out = append(out, m.Space.Element(name, i))
		}
	case logic.KindPow:
		elems, _ := m.All(b, b.Elem(t), limit)
		return m.Space.subsets(elems), true
	case logic.KindProd:
		l, r := b.Pair(t)
		ls, _ := m.All(b, l, limit)
		rs, _ := m.All(b, r, limit)
		for _, x := range ls {
			for _, y := range rs {
				out = append(out, m.Space.Pair(x, y))
			}
		}
	}
	return out, true
}

// subsets returns the sets of some of the given values, at most 30.
func (s *Space) subsets(elems []Value) []Value {
	out := make([]Value, 0, 1<<len(elems))
	for mask := range 1 << len(elems) {
		var vs []Value
		for i, x := range elems {
			if mask>>i&1 == 1 {
				vs = append(vs, x)
			}
		}
		out = append(out, s.Set(vs...))
	}
	return out
}
