package figures

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/tune"
)

// Common is what serves several instances of an entry: configurations for all together, or the best of each.
type Common struct {
	Entry   string
	Answers []*tune.Answer // of the instances
	*tune.Common
}

// basis is what the values of all answers rest on: the weakest of them.
func (c *Common) basis() string {
	var ways []string
	for _, a := range c.Answers {
		if way := TuningOf(a).WaysText(); !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	return fmt.Sprintf("%s, for the %s schedule", strings.Join(ways, ", or "), c.Answers[0].Criterion)
}

// fixed are the constants that are the same in all instances.
func (c *Common) fixed() string {
	differ := c.differing()
	var parts []string
	for _, g := range c.Answers[0].Given {
		if !slices.Contains(differ, g.Name) {
			parts = append(parts, g.Name+"="+g.Value.Text)
		}
	}
	if parts == nil {
		return ""
	}
	return ", with " + strings.Join(parts, " ")
}

// limits is what weakens a claim about the values: counts that were read from a source, and figures that are assumed.
func (c *Common) limits() string {
	limits := ""
	switch weakest := c.counts(); weakest {
	case tune.BoundCounts:
		limits = " at the upper bounds of the counts"
	case tune.PartialCounts:
		limits = " for the counted effects only"
	}
	if c.assumed() {
		limits += " with the assumed figures of the device"
	}
	return limits
}

// assumed reports whether a value rests on assumed figures of a device.
func (c *Common) assumed() bool {
	return slices.ContainsFunc(c.Answers, func(a *tune.Answer) bool { return a.Assumed != nil })
}

func (c *Common) counts() tune.Counts {
	weakest := tune.ExactCounts
	for _, a := range c.Answers {
		if a.Counts == tune.PartialCounts || weakest == tune.ExactCounts {
			weakest = a.Counts
		}
	}
	return weakest
}

// differing are the constants in which the instances differ, in the order of the first one.
func (c *Common) differing() (out []string) {
	for i, g := range c.Answers[0].Given {
		if slices.ContainsFunc(c.Answers, func(a *tune.Answer) bool { return i >= len(a.Given) || a.Given[i].Value.Text != g.Value.Text }) {
			out = append(out, g.Name)
		}
	}
	return out
}

// instance names an instance by what differs.
func (c *Common) instance(i int) string {
	var parts []string
	for _, name := range c.differing() {
		if v, ok := givenOf(c.Answers[i], name); ok {
			parts = append(parts, name+"="+v.Text)
		}
	}
	if parts == nil {
		return "the instance"
	}
	return strings.Join(parts, " ")
}

func givenOf(a *tune.Answer, name string) (simulate.Constant, bool) {
	i := slices.IndexFunc(a.Given, func(g tune.Setting) bool { return g.Name == name })
	if i < 0 {
		return simulate.Constant{}, false
	}
	return a.Given[i].Value, true
}

func namedValues(names []string, values []simulate.Constant) string {
	var parts []string
	for i, name := range names {
		parts = append(parts, name+"="+values[i].Text)
	}
	return strings.Join(parts, " ")
}

func ratio(r *big.Rat) string { return r.FloatString(3) }

// CommonText writes the configurations for all instances, and what each instance loses.
func CommonText(w io.Writer, style report.Style, c *Common) {
	fmt.Fprintf(w, "%s  %s for %s\n", c.Entry, report.Count(len(c.Chosen), "configuration"), report.Count(len(c.Answers), "instance"))
	for n, values := range c.Chosen {
		fmt.Fprintf(w, "  %s\n", style.Green(namedValues(c.Names, values)))
		for i, serves := range c.Serves {
			if serves == n {
				fmt.Fprintf(w, "    %s: %s %s, %s × the best value\n", c.instance(i), c.Answers[i].Objectives[0].Text, c.value(i), ratio(c.Regret[i]))
			}
		}
	}
	fmt.Fprintf(w, "  worst regret %s, mean %s\n", ratio(c.Worst), ratio(c.Mean))
	fmt.Fprintf(w, "  %s%s: %s valid somewhere; %s\n", c.claim(), c.limits(), report.Count(c.Of, "configuration"), c.basis())
}

// claim is what is said of all other choices.
func (c *Common) claim() string {
	switch {
	case len(c.Chosen) > 1:
		return fmt.Sprintf("no other %d have a smaller %s regret", len(c.Chosen), c.By)
	case c.Rivals > 1:
		return fmt.Sprintf("none has a smaller %s regret, and %d tie", c.By, c.Rivals)
	}
	return fmt.Sprintf("every other configuration has a greater %s regret", c.By)
}

// CommonJSON writes the same as a line of JSON.
func CommonJSON(w io.Writer, c *Common) error {
	line := struct {
		Tune     string            `json:"tune"`              // name of the entry
		Chosen   []json.RawMessage `json:"one_for_all"`       // configurations for all instances
		By       tune.RegretBy     `json:"regret"`            // the regret that is least: worst or mean
		Worst    float64           `json:"worst"`             // greatest regret of an instance: value divided by its best value
		Mean     float64           `json:"mean"`              // mean regret of the instances
		Ties     int               `json:"ties,omitempty"`    // number of configurations with the same regret, including this configuration
		Of       int               `json:"configurations"`    // number of configurations that are valid for at least one instance
		Instance []commonInstance  `json:"instances"`         // the configuration chosen for each instance
		Rests    string            `json:"by"`                // how the values were found
		Counts   tune.Counts       `json:"counts,omitempty"`  // bounds or partial, if constants were counted in a source
		Assumed  bool              `json:"assumed,omitempty"` // values rest on assumed figures of the device
	}{c.Entry, nil, c.By, decimalOf(c.Worst), decimalOf(c.Mean), c.Rivals, c.Of, nil, c.basis(), c.counts(), c.assumed()}
	for _, values := range c.Chosen {
		line.Chosen = append(line.Chosen, object(settings(&tune.Answer{Names: c.Names}, &tune.Point{Values: values})))
	}
	for i := range c.Answers {
		line.Instance = append(line.Instance, commonInstance{c.instance(i), c.Serves[i], c.value(i), decimalOf(c.Regret[i])})
	}
	out := report.NewLines(w)
	out.Put(line)
	return out.Err
}

type commonInstance struct {
	Name   string   `json:"instance"` // the constants in which instances differ
	Chosen int      `json:"chosen"`   // index of the chosen configuration in one_for_all
	Value  *big.Int `json:"value"`    // value of the objective for the chosen configuration
	Regret float64  `json:"regret"`   // value divided by the best value of the instance
}

// value is the objective at an instance with its configuration.
func (c *Common) value(i int) *big.Int {
	a := c.Answers[i]
	best := new(big.Rat).SetInt(a.Worth(&a.Points[a.Best[0]], 0))
	if a.Objectives[0].Maximise {
		return best.Quo(best, c.Regret[i]).Num()
	}
	return best.Mul(best, c.Regret[i]).Num()
}

func decimalOf(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

// dispatched is a row of a header: an instance, and the configuration for it.
type dispatched struct {
	sizes  []*big.Int
	values []simulate.Constant
}

// rows are those of a header that chooses by some constants, in their order.
func (c *Common) rows(by []string) ([]dispatched, error) {
	var rows []dispatched
	for i, a := range c.Answers {
		var row dispatched
		for _, name := range by {
			v, _ := givenOf(a, name)
			if v.Int == nil || !v.Int.IsInt64() {
				return nil, fmt.Errorf("%s = %s is no integer of 64 bits", name, v.Text)
			}
			row.sizes = append(row.sizes, v.Int)
		}
		same := func(r dispatched) bool { return compareSizes(r, row) == 0 }
		switch {
		case !a.Complete || len(a.Best) == 0:
			return nil, fmt.Errorf("%s has no proved optimum", c.instance(i))
		case a.Sample:
			return nil, fmt.Errorf("%s: the points are a sample, and nothing is known about other points", c.instance(i))
		case slices.ContainsFunc(rows, same):
			return nil, fmt.Errorf("two instances have %s", c.instance(i))
		}
		row.values = a.Points[a.Best[0]].Values
		if c.Common != nil {
			row.values = c.Chosen[c.Serves[i]]
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, compareSizes)
	return rows, nil
}

func compareSizes(a, b dispatched) int {
	return slices.CompareFunc(a.sizes, b.sizes, (*big.Int).Cmp)
}

// Dispatch writes a header for C that chooses a configuration by the constants in which the instances differ.
func Dispatch(w io.Writer, c *Common) error {
	by := c.differing()
	if len(by) == 0 {
		return errors.New("the instances differ in no constant, and a header chooses by those that differ: give several sizes")
	}
	rows, err := c.rows(by)
	if err != nil {
		return err
	}
	// All names are checked before the first line is written, since they stand in the text of a C header.
	names := c.Answers[0].Names
	for _, name := range append(slices.Concat(names, by), c.Entry) {
		if !macro.MatchString(name) {
			return fmt.Errorf("%s cannot be a name in C: use letters, digits and _", name)
		}
	}
	if slices.ContainsFunc(by, func(name string) bool { return slices.Contains(names, name) }) {
		return errors.New("a parameter has the name of the constant")
	}
	best, err := dispatchTable(c.Entry, names, rows)
	if err != nil {
		return err
	}
	guard := "GRADINE_" + strings.ToUpper(c.Entry) + "_DISPATCH_H"
	what := "the best for each"
	if c.Common != nil {
		what = fmt.Sprintf("%s for all: worst regret %s, mean %s", report.Count(len(c.Chosen), "configuration"), ratio(c.Worst), ratio(c.Mean))
	}
	sizes := strings.Join(by, " and ")
	var out strings.Builder
	fmt.Fprintf(&out, "/*\n * Configurations of %s by %s%s: %s.\n * Values%s %s. Nothing is known of other values of %s.\n */\n", c.Entry, sizes, comment(c.fixed()), comment(what), c.limits(), comment(c.basis()), sizes)
	fmt.Fprintf(&out, "#ifndef %s\n#define %[1]s\n\nstruct %s_configuration {\n", guard, c.Entry)
	for _, name := range names {
		fmt.Fprintf(&out, "    long long %s;\n", name)
	}
	fmt.Fprintf(&out, "};\n\n/*\n * Sets *to to the configuration for a value of %s, and returns 1. For a value that was not tuned it returns 0, and\n * sets *to to the configuration of the next smaller value that was, or of the least.\n */\n", sizes)
	if len(by) == 1 {
		fmt.Fprintf(&out, "static inline int %[1]s_configure(long long %[2]s, struct %[1]s_configuration *to)\n{\n    static const long long at[] = {%[3]s};\n%[4]s", c.Entry, by[0], sizesInC(rows), best)
		fmt.Fprintf(&out, "    int i = 0;\n    while (i < %d && at[i + 1] <= %s)\n        i++;\n    *to = best[i];\n    return at[i] == %[2]s;\n}\n\n#endif\n", len(rows)-1, by[0])
	} else {
		var equal []string
		for i, name := range by {
			equal = append(equal, fmt.Sprintf("at[k][%d] == %s", i, name))
		}
		fmt.Fprintf(&out, "static inline int %[1]s_configure(long long %[2]s, struct %[1]s_configuration *to)\n{\n    static const long long at[][%[3]d] = {%[4]s};\n%[5]s", c.Entry, strings.Join(by, ", long long "), len(by), sizesInC(rows), best)
		fmt.Fprintf(&out, "    int i = 0;\n    for (int k = 0; k < %d; k++) {\n        if (%s) {\n            *to = best[k];\n            return 1;\n        }\n        if (at[k][0] <= %s)\n            i = k;\n    }\n    *to = best[i];\n    return 0;\n}\n\n#endif\n", len(rows), strings.Join(equal, " && "), by[0])
	}
	_, err = io.WriteString(w, out.String())
	return err
}

// sizesInC are the constants of the rows of a header.
func sizesInC(rows []dispatched) string {
	var out []string
	for _, r := range rows {
		var cells []string
		for _, n := range r.sizes {
			cells = append(cells, n.String()+"LL")
		}
		if text := strings.Join(cells, ", "); len(cells) == 1 {
			out = append(out, text)
		} else {
			out = append(out, "{"+text+"}")
		}
	}
	return strings.Join(out, ", ")
}

// dispatchTable are the configurations of the rows of a header.
func dispatchTable(entry string, names []string, rows []dispatched) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "    static const struct %s_configuration best[] = {\n", entry)
	for _, r := range rows {
		var cells []string
		for i, v := range r.values {
			text, ok := macroValue(v.Int, v.Text)
			if !ok || v.Int == nil && v.Text != "TRUE" && v.Text != "FALSE" {
				return "", fmt.Errorf("%s = %s is neither an integer nor a truth value", names[i], v.Text)
			}
			cells = append(cells, text)
		}
		fmt.Fprintf(&out, "        {%s},\n", strings.Join(cells, ", "))
	}
	out.WriteString("    };\n")
	return out.String(), nil
}
