package config

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"
)

// NamedFigure is a figure of a device with its name.
type NamedFigure struct {
	Name string
	Figure
}

// WithFigures is the text of a device in which measured figures stand in place of what was there; new ones come at the
// end. Everything else keeps its bytes. The error says that the text, before or after, is not that of a device.
func WithFigures(path string, text []byte, measured []NamedFigure) ([]byte, error) {
	before, err := ParseDevice(path, text)
	if err != nil {
		return nil, err
	}
	out := string(text)
	for _, f := range measured {
		block := fmt.Sprintf("[figures.%s]\nvalue = %d\nlow = %d\nhigh = %d\nmeasured = %q\n", f.Name, f.Value, f.Low, f.High, f.Measured)
		lines := strings.SplitAfter(out, "\n")
		from := -1
		for i, line := range lines {
			if strings.TrimSpace(line) == "[figures."+f.Name+"]" {
				from = i
			}
		}
		if _, other := before.Figures[f.Name]; from < 0 && other {
			return nil, fmt.Errorf("%s:%d: figure %s has a form that is not understood: write it as a table [figures.%s]", path, lineOf(string(text), toml.Key{"figures", f.Name}), f.Name, f.Name)
		}
		if from < 0 {
			out = strings.TrimRight(out, "\n") + "\n\n" + block
			continue
		}
		// A table ends at the next one; blank lines and comments before that belong to it.
		to := from + 1
		for to < len(lines) && strings.Contains(lines[to], "=") && !strings.HasPrefix(strings.TrimSpace(lines[to]), "[") && !strings.HasPrefix(strings.TrimSpace(lines[to]), "#") {
			to++
		}
		out = strings.Join(lines[:from], "") + block + strings.Join(lines[to:], "")
	}
	// What was written is read again: the old table may have had another form.
	d, err := ParseDevice(path, []byte(out))
	if err != nil {
		// Its line is in a text that exists only here.
		return nil, fmt.Errorf("%s: measured figures cannot be written into a file of this form: write each figure as a table [figures.NAME]", path)
	}
	for _, f := range measured {
		before.Figures[f.Name] = f.Figure
	}
	if !reflect.DeepEqual(before, d) {
		return nil, fmt.Errorf("%s: measured figures would change others of this file: write each figure as a table [figures.NAME]", path)
	}
	return []byte(out), nil
}
