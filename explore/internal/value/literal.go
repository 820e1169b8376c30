package value

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
)

func (u *Space) Record(s *Shape, v Value) any {
	switch {
	case s.Kind == IntShape:
		return map[string]string{"#bigint": u.ToBig(v).String()}
	case s.Left != nil:
		a, b := u.Split(s, v)
		return map[string]any{"#tup": []any{u.Record(s.Left, a), u.Record(s.Right, b)}}
	case s.Elem != nil:
		out := []any{}
		for _, x := range u.Elems(s, v, nil) {
			out = append(out, u.Record(s.Elem, x))
		}
		return map[string]any{"#set": out}
	case s.name != "":
		return u.carriers[s.name][v]
	}
	return v == 1
}

// Read reads a value of shape s.
func (u *Space) Read(s *Shape, data any) (Value, error) {
	bad := fmt.Errorf("%v does not belong to its type", data)
	object, _ := data.(map[string]any)
	list := func(key string) []any {
		l, _ := object[key].([]any)
		return l
	}
	switch {
	case s.Kind == IntShape:
		text, ok := object["#bigint"].(string)
		if n, plain := data.(json.Number); plain {
			text, ok = n.String(), true
		}
		z, isInt := new(big.Int).SetString(text, 10)
		if !ok || !isInt {
			return 0, bad
		}
		return u.FromBig(z), nil
	case s.Left != nil:
		xs := list("#tup")
		if len(xs) != 2 {
			return 0, bad
		}
		a, err := u.Read(s.Left, xs[0])
		if err != nil {
			return 0, err
		}
		b, err := u.Read(s.Right, xs[1])
		return u.Pair(s, a, b), err
	case s.Elem != nil:
		if _, ok := object["#set"]; !ok {
			return 0, bad
		}
		var out []Value
		for _, x := range list("#set") {
			v, err := u.Read(s.Elem, x)
			if err != nil {
				return 0, err
			}
			out = append(out, v)
		}
		return u.Set(s, out), nil
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
