package cli

import (
	"bytes"
	"fmt"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/edit"
	"github.com/gradine/gradine/lang/scenario"
)

// recorded is a scenario that is written line by line, each read again and in the canonical layout. It has no syntax tree of
// the whole: the run that explains a log may have a million steps.
type recorded struct {
	head  bytes.Buffer // up to the first step, which says how the scenario begins
	text  bytes.Buffer
	known map[string][]byte // lines that were laid out: machines repeat themselves
	most  int               // bounds these
}

// mostKnown is how many lines are remembered.
const mostKnown = 1 << 16

// begin writes the lines in front of the first step, and that one.
func (w *recorded) begin(first string) error {
	fmt.Fprintf(&w.head, "%s\nend\n", first)
	laid, err := laidOut(w.head.Bytes())
	if err == nil {
		w.text.Write(bytes.TrimSuffix(laid.Bytes(), []byte("end\n")))
	}
	return err
}

// step adds a step.
func (w *recorded) step(line string) error {
	if w.text.Len() == 0 {
		return w.begin(line)
	}
	formatted, ok := w.known[line]
	if !ok {
		const before = "scenario s of m\n    ...\n"
		whole, err := laidOut([]byte(before + line + "\nend\n"))
		if err != nil {
			return err
		}
		formatted = bytes.TrimSuffix(bytes.TrimPrefix(whole.Bytes(), []byte(before)), []byte("end\n"))
		if len(w.known) >= w.most || w.known == nil {
			w.known = map[string][]byte{}
		}
		w.known[line] = formatted
	}
	w.text.Write(formatted)
	return nil
}

// write ends the scenario and writes it to a file.
func (w *recorded) write(name string) error {
	w.text.WriteString("end\n")
	return atomic.Write(name, w.text.Bytes(), 0o666)
}

// laidOut is a file of scenarios in the canonical layout.
func laidOut(text []byte) (edit.Text, error) {
	const name = "recorded" + scenario.Ext
	var problems diag.List
	formatted := scenario.Format(scenario.Parse(name, text, &problems), lang.Options{})
	if problems.Len() > 0 {
		return edit.Text{}, problems.Sorted()[0]
	}
	return edit.Formatted(name, text, formatted)
}
