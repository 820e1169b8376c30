package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

var errNoObject = errors.New("no JSON object")

// mostNested bounds the nesting of a line of a log, as the decoder of the library does.
const mostNested = 10_000

// readObject reads one JSON object, with numbers as json.Number. A key that an object has twice is an error: readers
// disagree about which value counts.
func readObject(text []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	first, err := decoder.Token()
	if err != nil || first != json.Delim('{') {
		return nil, errNoObject
	}
	object, err := readFields(decoder, 1)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return object, nil
}

// readFields reads the fields of an object. A key that occurs twice is an error.
func readFields(decoder *json.Decoder, depth int) (map[string]any, error) {
	out := map[string]any{}
	for decoder.More() {
		token, err := decoder.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			return nil, errNoObject
		}
		if _, twice := out[key]; twice {
			return nil, fmt.Errorf("the key %q occurs twice in one object", key)
		}
		if out[key], err = readValue(decoder, depth); err != nil {
			return nil, err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return nil, errNoObject
	}
	return out, nil
}

// readValue reads a value, with a bound on how deeply it is nested.
func readValue(decoder *json.Decoder, depth int) (any, error) {
	token, err := decoder.Token()
	if err != nil || depth == mostNested {
		return nil, errNoObject
	}
	switch token {
	case json.Delim('{'):
		return readFields(decoder, depth+1)
	case json.Delim('['):
		out := []any{}
		for decoder.More() {
			value, err := readValue(decoder, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, value)
		}
		if _, err := decoder.Token(); err != nil {
			return nil, errNoObject
		}
		return out, nil
	}
	return token, nil
}
