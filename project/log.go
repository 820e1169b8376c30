package project

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/explore/follow"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/seam"
)

// MaxLogLine is the size of the longest line of a log.
const MaxLogLine = 1 << 20

// LogReader reads a log of an implementation line by line.
type LogReader struct {
	conf config.Log
	in   *bufio.Reader
	line int
	seen map[string]bool // the paths of the map that some line has
}

// ReadLogMap reads a file that says how logs are read.
func ReadLogMap(name string) (*config.Log, error) {
	return seam.Read(name, func() (*config.Log, error) { return config.ReadLog(name) })
}

// NewLogReader reads in as a map says; without one, lines have the fields event, params and state.
func NewLogReader(in io.Reader, conf *config.Log) *LogReader {
	r := &LogReader{in: bufio.NewReaderSize(in, MaxLogLine+2), seen: map[string]bool{}}
	if conf != nil {
		r.conf = *conf
	}
	return r
}

// Sources reports whether lines are ordered by their sources, and not by their place in the log.
func (r *LogReader) Sources() bool { return r.conf.Source != "" }

// Next reads the next line; io.EOF at the end. An error names the line.
func (r *LogReader) Next() (*follow.Observation, error) {
	r.line++
	text, err := r.in.ReadSlice('\n')
	if errors.Is(err, io.EOF) && len(text) == 0 {
		return nil, io.EOF
	}
	bad := func(err error) error { return &follow.BadLine{Line: r.line, Err: err} }
	// ReadSlice bounds what one line can cost, whatever the file has.
	if errors.Is(err, bufio.ErrBufferFull) || len(text) > MaxLogLine+1 {
		return nil, bad(fmt.Errorf("longer than %d bytes", MaxLogLine))
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	object, err := readObject(text)
	if err != nil {
		return nil, bad(err)
	}
	o := &follow.Observation{Line: r.line}
	if err := r.origin(object, o); err != nil {
		return nil, bad(err)
	}
	path := r.conf.Event
	if path == "" {
		path = "event"
	}
	if name, ok := r.field(object, path); ok {
		text, isText := name.(string)
		if !isText || text == "" {
			return nil, bad(fmt.Errorf("%s is not the name of an event", path))
		}
		if slices.Contains(r.conf.Ignore, text) {
			return o, nil
		}
		// With a map, a name that it does not mention is an error and not an event of the same name.
		if o.Event = text; len(r.conf.Events) > 0 {
			event, known := r.conf.Events[text]
			if !known {
				return nil, bad(fmt.Errorf("the map names no event %q; add it to events or to ignore", text))
			}
			o.Event = event
		}
	}
	if o.Params, err = r.fields(object, r.conf.Parameters, "params"); err != nil {
		return nil, bad(err)
	}
	if o.Values, err = r.fields(object, r.conf.Values, "state"); err != nil {
		return nil, bad(err)
	}
	return o, nil
}

// origin reads which source wrote a line, and its clock.
func (r *LogReader) origin(object map[string]any, o *follow.Observation) error {
	if r.conf.Source == "" && r.conf.Clock != "" {
		return errors.New("the map names a clock and no source")
	}
	if r.conf.Source == "" {
		return nil
	}
	value, ok := r.field(object, r.conf.Source)
	switch source := value.(type) {
	case string:
		o.Source = source
	case json.Number:
		o.Source = source.String()
	default:
		ok = false
	}
	if !ok || o.Source == "" {
		return fmt.Errorf("%s does not name the source of the line", r.conf.Source)
	}
	// Without a clock, only the order of the lines from one source is known.
	if r.conf.Clock == "" {
		return nil
	}
	value, _ = r.field(object, r.conf.Clock)
	clock, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("%s is not a vector clock: write an object that maps sources to numbers", r.conf.Clock)
	}
	o.Clock = map[string]uint64{}
	for source, at := range clock {
		number, _ := at.(json.Number)
		n, err := strconv.ParseUint(number.String(), 10, 63)
		if err != nil {
			return fmt.Errorf("%s: the entry of %s is not a number ≥ 0", r.conf.Clock, source)
		}
		o.Clock[source] = n
	}
	return nil
}

// field is what a path leads to, if a line has it. null is as if it was not there.
func (r *LogReader) field(object map[string]any, path string) (any, bool) {
	for {
		key, rest, further := strings.Cut(path, ".")
		value, ok := object[key]
		if !ok || value == nil {
			return nil, false
		}
		if !further {
			return value, true
		}
		if object, ok = value.(map[string]any); !ok {
			return nil, false
		}
		path = rest
	}
}

// fields are the values that paths lead to; without paths, the fields of an object.
func (r *LogReader) fields(object map[string]any, paths map[string]string, all string) (map[string]any, error) {
	if paths == nil {
		value, ok := object[all]
		if !ok || value == nil {
			return nil, nil
		}
		fields, ok := value.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s is not a JSON object", all)
		}
		return fields, nil
	}
	out := map[string]any{}
	for name, path := range paths {
		if value, ok := r.field(object, path); ok {
			out[name], r.seen[path] = value, true
		}
	}
	return out, nil
}

// Unseen lists the paths of the map that no line has.
func (r *LogReader) Unseen() (out []string) {
	for _, paths := range []map[string]string{r.conf.Parameters, r.conf.Values} {
		for _, path := range slices.Sorted(maps.Values(paths)) {
			if !r.seen[path] {
				out = append(out, path)
			}
		}
	}
	return out
}
