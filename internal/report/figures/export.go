package figures

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"strings"

	"github.com/gradine/gradine/internal/report/chart"
	"github.com/gradine/gradine/tune"
)

// macro is a name that a preprocessor takes.
var macro = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// TuningExport writes an answer in the form that an extension of a file stands for: .h, a
// header, or .json, results for other auto-tuners.
func TuningExport(w io.Writer, ext string, a *tune.Answer) error {
	if ext == ".h" {
		return tuningHeader(w, a)
	}
	return tuningT4(w, a)
}

// Picture is a picture of an answer, complete by itself.
type Picture struct {
	Kind, SVG string
	Note      string // what it does not show, if anything
}

// TuningPictures draws an answer: a heat map, and curves.
func TuningPictures(a *tune.Answer) ([]Picture, error) {
	grid := GridOf(TuningOf(a))
	heat, heatNote, err := grid.HeatMap()
	if err != nil {
		return nil, err
	}
	curves, curvesNote, err := grid.Curves()
	if err != nil {
		return nil, err
	}
	return []Picture{{"heat", chart.Alone(heat.SVG()), heatNote}, {"curves", chart.Alone(curves.SVG()), curvesNote}}, nil
}

// tuningHeader writes the first best point as macros, for kernels in CUDA C and OpenCL C and
// the programs that launch them: one for each parameter, under its name. An answer without a
// best point, or with names that are not macros, is an error.
func tuningHeader(w io.Writer, a *tune.Answer) error {
	if len(a.Best) == 0 {
		return fmt.Errorf("%s has no best point to export", a.Entry)
	}
	t := TuningOf(a)
	point := &a.Points[a.Best[0]]
	claim := ClaimText(a)
	// The claim goes into the header, since no reader sees the certificate next to a macro.
	if !a.Complete {
		claim = "bounded: better points may exist"
	}
	guard := "GRADINE_" + strings.ToUpper(notMacro.ReplaceAllString(a.Entry, "_")) + "_H"
	var out strings.Builder
	fmt.Fprintf(&out, "/*\n * %s\n", comment(strings.TrimSpace(a.Entry+": "+t.Given())))
	fmt.Fprintf(&out, " * %s: %s\n", comment(valuesText(a, point)), comment(claim))
	fmt.Fprintf(&out, " * %s, for the %s schedule; certificate %s\n", t.WaysText(), a.Criterion, t.Certificate)
	if len(a.Unshown) > 0 {
		fmt.Fprintf(&out, " * worse with other values of %s\n", comment(strings.Join(a.Unshown, ", ")))
	}
	if len(a.Best) > 1 {
		fmt.Fprintf(&out, " * first of %d best points\n", len(a.Best))
	}
	fmt.Fprintf(&out, " */\n#ifndef %s\n#define %s\n\n", guard, guard)
	for i, name := range a.Names {
		value, ok := macroValue(point.Values[i].Int, point.Values[i].Text)
		if !macro.MatchString(name) || !ok {
			return fmt.Errorf("parameter %s = %s of %s cannot be a macro: use letters, digits and _ in the name, and an integer, a truth value or a name as value", name, point.Values[i].Text, a.Entry)
		}
		fmt.Fprintf(&out, "#define %s %s\n", name, value)
	}
	fmt.Fprintf(&out, "\n#endif\n")
	_, err := io.WriteString(w, out.String())
	return err
}

var notMacro = regexp.MustCompile(`[^A-Za-z0-9]+`)

// comment is text that does not end a comment in C.
func comment(text string) string { return strings.ReplaceAll(text, "*/", "* /") }

// macroValue is a value as C has it: truth values are 1 and 0.
func macroValue(integer *big.Int, text string) (string, bool) {
	switch {
	case integer != nil && integer.Sign() < 0:
		return "(" + integer.String() + ")", true
	case integer != nil:
		return integer.String(), true
	case text == "TRUE":
		return "1", true
	case text == "FALSE":
		return "0", true
	}
	return text, macro.MatchString(text)
}

// t4 is the results format that auto-tuners share (T4, schema version 1.0.0), with what was
// certified next to it. Values are predictions, but for points that a device has measured.
type t4 struct {
	Version string     `json:"schema_version"`
	Results []t4Result `json:"results"`
	Gradine Tuned      `json:"gradine"`
}

type t4Result struct {
	Configuration json.RawMessage `json:"configuration"`
	Objectives    []string        `json:"objectives"`
	Times         struct{}        `json:"times"` // parts of them are not known
	Invalidity    string          `json:"invalidity"`
	Correctness   int             `json:"correctness"`
	Measurements  []t4Value       `json:"measurements"`
}

type t4Value struct {
	Name  string   `json:"name"`
	Value *big.Int `json:"value"`
	Unit  string   `json:"unit"`
}

// tuningT4 writes an answer for other auto-tuners: every point with what counts of its
// objectives, or why it has none.
func tuningT4(w io.Writer, a *tune.Answer) error {
	out := t4{Version: "1.0.0", Results: []t4Result{}, Gradine: TuningOf(a)}
	out.Gradine.Table = nil // the results are it
	var names []string
	for _, objective := range a.Objectives {
		names = append(names, objective.Text)
	}
	for i := range a.Points {
		point := &a.Points[i]
		result := t4Result{Configuration: object(settings(a, point)), Objectives: names, Invalidity: "correct", Correctness: 1, Measurements: []t4Value{}}
		switch {
		case point.Illegal != "":
			result.Invalidity, result.Correctness = "constraints", 0
		case !point.Known():
			result.Invalidity = "timeout"
		default:
			for k, objective := range a.Objectives {
				result.Measurements = append(result.Measurements, t4Value{Name: objective.Text, Value: a.Worth(point, k)})
			}
		}
		out.Results = append(out.Results, result)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	return encoder.Encode(out)
}
