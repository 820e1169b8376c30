package value

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
)

// Bigint is the integer z in the Informal Trace Format (ITF), ready for encoding/json.
func Bigint(z *big.Int) any { return map[string]any{"#bigint": z.String()} }

// Tuple is a pair of two values in ITF.
func Tuple(x, y any) any { return map[string]any{"#tup": []any{x, y}} }

// Members is a set in ITF, with the given elements.
func Members(elements []any) any {
	if elements == nil {
		elements = []any{} // null would be no set
	}
	return map[string]any{"#set": elements}
}

// Record returns v in ITF, ready for encoding/json.
func (u *Space) Record(shape *Shape, v Value) any {
	switch {
	case shape.Kind == IntShape:
		return Bigint(u.ToBig(v))
	case shape.Left != nil:
		a, b := u.Split(shape, v)
		return Tuple(u.Record(shape.Left, a), u.Record(shape.Right, b))
	case shape.Elem != nil:
		var out []any
		for _, x := range u.Elems(shape, v, nil) {
			out = append(out, u.Record(shape.Elem, x))
		}
		return Members(out)
	case shape.name != "":
		return u.carriers[shape.name][v]
	}
	return v == 1
}

// Read reads a value of shape s.
func (u *Space) Read(shape *Shape, data any) (Value, error) {
	bad := fmt.Errorf("%v does not belong to its type", data)
	object, _ := data.(map[string]any)
	list := func(key string) []any {
		l, _ := object[key].([]any)
		return l
	}
	switch {
	case shape.Kind == IntShape:
		text, ok := object["#bigint"].(string)
		// ITF writes large integers as #bigint, and tools write small ones plainly.
		if n, plain := data.(json.Number); plain {
			text, ok = n.String(), true
		}
		z, isInt := new(big.Int).SetString(text, 10)
		if !ok || !isInt {
			return 0, bad
		}
		return u.FromBig(z), nil
	case shape.Left != nil:
		xs := list("#tup")
		if len(xs) != 2 {
			return 0, bad
		}
		a, err := u.Read(shape.Left, xs[0])
		if err != nil {
			return 0, err
		}
		b, err := u.Read(shape.Right, xs[1])
		return u.Pair(shape, a, b), err
	case shape.Elem != nil:
		// An object without it is not an empty set, but of another type.
		if _, ok := object["#set"]; !ok {
			return 0, bad
		}
		var out []Value
		for _, x := range list("#set") {
			value, err := u.Read(shape.Elem, x)
			if err != nil {
				return 0, err
			}
			out = append(out, value)
		}
		return u.Set(shape, out), nil
	case shape.name != "":
		if i := slices.Index(u.carriers[shape.name], fmt.Sprint(data)); i >= 0 {
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
