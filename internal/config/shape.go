package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// unknownKey is the error about a key that its table does not have.
type unknownKey struct {
	key   toml.Key
	known []string
}

func (e unknownKey) Error() string {
	return fmt.Sprintf("unknown key %s; known keys: %s", e.key, strings.Join(e.known, ", "))
}

// leaveOut removes the keys from a file that this program does not know: an earlier or a later program may
// know them.
func leaveOut(all map[string]any, want reflect.Type) {
	for {
		_, err := misfit(nil, all, want)
		found, ok := errors.AsType[unknownKey](err)
		if !ok {
			return
		}
		remove(all, found.key)
	}
}

// remove removes a key from a table, and from all tables of a list on the way.
func remove(at any, key toml.Key) {
	switch at := at.(type) {
	case map[string]any:
		if len(key) == 1 {
			delete(at, key[0])
		} else {
			remove(at[key[0]], key[1:])
		}
	case []map[string]any:
		for _, table := range at {
			remove(table, key)
		}
	case []any:
		for _, table := range at {
			remove(table, key)
		}
	}
}

// misfit finds the first key, in the order of keys, whose value does not have the shape
// that a value of type want is written in: an unknown key, or a text where a list is
// meant. The error names the key and the shape.
func misfit(key toml.Key, value any, want reflect.Type) (toml.Key, error) {
	if reflect.PointerTo(want).Implements(reflect.TypeFor[toml.Unmarshaler]()) {
		return nil, nil // it says itself what it takes
	}
	fits := true
	switch want.Kind() {
	case reflect.Pointer:
		return misfit(key, value, want.Elem())
	case reflect.Struct, reflect.Map:
		table, ok := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(table)) {
			at := append(slices.Clone(key), name)
			below := want
			if want.Kind() == reflect.Map {
				below = want.Elem()
			} else if below = fieldOf(want, name); below == nil {
				return at, unknownKey{at, keysOf(want)}
			}
			if found, err := misfit(at, table[name], below); err != nil {
				return found, err
			}
		}
		fits = ok
	case reflect.Slice, reflect.Array:
		list := reflect.ValueOf(value)
		fits = list.Kind() == reflect.Slice && (want.Kind() == reflect.Slice || list.Len() == want.Len())
		for i := 0; fits && i < list.Len(); i++ {
			if found, err := misfit(key, list.Index(i).Interface(), want.Elem()); err != nil {
				return found, err
			}
		}
	case reflect.Interface:
	case reflect.Float64:
		_, whole := value.(int64)
		fits = whole || reflect.TypeOf(value).Kind() == want.Kind()
	case reflect.Int:
		fits = reflect.TypeOf(value).Kind() == reflect.Int64
	default:
		fits = reflect.TypeOf(value).Kind() == want.Kind()
	}
	if fits {
		return nil, nil
	}
	return key, fmt.Errorf("%s has to be %s, not %s", key, shapeOf(want), describe(value))
}

// shapeOf says how a value of a type is written.
func shapeOf(want reflect.Type) string {
	switch want.Kind() {
	case reflect.Struct:
		return "a table with " + strings.Join(keysOf(want), ", ")
	case reflect.Map:
		return "a table of names"
	case reflect.Slice:
		if want.Elem().Kind() == reflect.Struct {
			return "a list of tables"
		}
		return "a list, such as [\"a\", \"b\"]"
	case reflect.Array:
		return "a list of two numbers, [least, greatest]"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Float64:
		return "a number"
	}
	return "a text in quotes"
}

// describe says what a value is, for people.
func describe(value any) string {
	switch value := value.(type) {
	case map[string]any:
		return "a table"
	case []map[string]any:
		return "a list of tables"
	case []any:
		return "a list"
	case string:
		return fmt.Sprintf("the text %q", value)
	}
	return fmt.Sprint(value)
}

// keysOf lists the keys of a table, in the order of its fields.
func keysOf(table reflect.Type) (out []string) {
	for _, field := range reflect.VisibleFields(table) {
		if name := field.Tag.Get("toml"); name != "-" && name != "" {
			out = append(out, name)
		}
	}
	return out
}

// fieldOf returns the type of the value of a key, nil if the table has no such key.
func fieldOf(table reflect.Type, key string) reflect.Type {
	for _, field := range reflect.VisibleFields(table) {
		if field.Tag.Get("toml") == key && key != "-" && key != "" {
			return field.Type
		}
	}
	return nil
}

// Key is a key of a table, and how its value is written.
type Key struct{ Name, Shape string }

// Keys lists the keys that a table may have, such as machine.m or machine.m.leads_to. A
// table whose keys are names of the user's has none.
func Keys(table ...string) (out []Key) {
	at := reflect.TypeFor[Config]()
	enter := func() {
		for at != nil && (at.Kind() == reflect.Pointer || at.Kind() == reflect.Slice) {
			at = at.Elem() // each table of a list has the same keys
		}
	}
	for _, name := range table {
		switch enter(); {
		case at == nil:
			return nil
		case at.Kind() == reflect.Struct:
			at = fieldOf(at, name)
		case at.Kind() == reflect.Map:
			at = at.Elem()
		default:
			return nil
		}
	}
	if enter(); at == nil || at.Kind() != reflect.Struct {
		return nil
	}
	for _, name := range keysOf(at) {
		out = append(out, Key{name, shapeOf(fieldOf(at, name))})
	}
	return out
}
