package tuner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Results are what a tuner has measured, as a file in format T4 has them.
type Results struct {
	Table        []byte   // of measurements: what gradine tune --measured reads
	Parameters   []string // its columns other than the time
	Rows, Failed int
}

// perUnit are the units of a millisecond. Kernel Tuner states none, and measures milliseconds.
var perUnit = map[string]float64{
	"": 1, "ms": 1, "milliseconds": 1, "s": 1e-3, "seconds": 1e-3, "us": 1e3, "microseconds": 1e3, "ns": 1e6, "nanoseconds": 1e6,
}

// AreResults reports whether a file in JSON has results, and not a problem.
func AreResults(text []byte) bool {
	var top struct {
		Results *json.RawMessage `json:"results"`
	}
	return json.Unmarshal(text, &top) == nil && top.Results != nil
}

// result is one configuration that was measured.
type result struct {
	Configuration map[string]json.RawMessage `json:"configuration"`
	Invalidity    string                     `json:"invalidity"`
	Measurements  []struct {
		Name  string          `json:"name"`
		Value json.RawMessage `json:"value"`
		Unit  string          `json:"unit"`
	} `json:"measurements"`
}

// ReadResults reads results in format T4: the measurement time of each configuration. The error names what is not
// understood.
func ReadResults(text []byte) (*Results, error) {
	var top struct {
		Results []result `json:"results"`
	}
	if err := json.Unmarshal(text, &top); err != nil {
		return nil, err
	}
	if len(top.Results) == 0 {
		return nil, errors.New("it has no results")
	}
	names := slices.Sorted(maps.Keys(top.Results[0].Configuration))
	if len(names) == 0 {
		return nil, errors.New("results[0] has no configuration")
	}
	for _, name := range names {
		if name == "ms" || strings.ContainsAny(name, "\t\r\n") {
			return nil, fmt.Errorf("results[0]: the table cannot have a column for the parameter %q", name)
		}
	}
	out := &Results{Rows: len(top.Results), Parameters: names}
	// The parameters of the first row are the columns. A row with others is refused, because a table has no place for them.
	var b bytes.Buffer
	b.WriteString(strings.Join(names, "\t") + "\tms\n")
	for i, r := range top.Results {
		values, err := r.values(names)
		if err != nil {
			return nil, fmt.Errorf("results[%d]: %w", i, err)
		}
		time, err := r.time()
		if err != nil {
			return nil, fmt.Errorf("results[%d]: %w", i, err)
		}
		if r.fails() {
			out.Failed++
		}
		b.WriteString(strings.Join(append(values, time), "\t") + "\n")
	}
	out.Table = b.Bytes()
	return out, nil
}

// values are those of the parameters.
func (r *result) values(names []string) (out []string, err error) {
	if len(r.Configuration) != len(names) {
		return nil, fmt.Errorf("the configuration has %d parameters, and the first one has %d", len(r.Configuration), len(names))
	}
	for _, name := range names {
		text := strings.Trim(string(r.Configuration[name]), `"`)
		switch text {
		case "true":
			text = "1"
		case "false":
			text = "0"
		}
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			return nil, fmt.Errorf("%s = %s is no integer", name, r.Configuration[name])
		}
		out = append(out, text)
	}
	return out, nil
}

// fails reports whether the configuration could not be measured.
func (r *result) fails() bool { return r.Invalidity != "" && r.Invalidity != "correct" }

// time is the time in milliseconds, or the word for what went wrong.
func (r *result) time() (string, error) {
	if r.fails() {
		word := strings.Join(strings.Fields(r.Invalidity), " ")
		if _, err := strconv.ParseFloat(word, 64); err == nil || word == "" {
			return "failed", nil // a number would be a time
		}
		return word, nil
	}
	for _, m := range r.Measurements {
		if m.Name != "time" {
			continue
		}
		per, ok := perUnit[strings.ToLower(m.Unit)]
		if !ok {
			return "", fmt.Errorf("unit %q of the time is not understood", m.Unit)
		}
		value, err := strconv.ParseFloat(string(m.Value), 64)
		if err != nil || !(value > 0) {
			return "", fmt.Errorf("time %s is no positive number", m.Value)
		}
		return strconv.FormatFloat(value/per, 'g', -1, 64), nil
	}
	return "", errors.New(`there is no measurement "time"`)
}
