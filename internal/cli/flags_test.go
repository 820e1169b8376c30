package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A flag that takes a number, a time or a truth value says so when it is given something else, in words
// of its own; this holds for every such flag of every command.
func TestFlagValues(t *testing.T) {
	of := map[string]string{"int": "a whole number", "int64": "a whole number", "uint64": "a whole number", "float64": "a number", "bool": "true or false", "duration": "a time"}
	seen := 0
	var walk func(path []string, c *cobra.Command)
	walk = func(path []string, c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			kind := f.Value.Type()
			if strings.HasPrefix(kind, "string") {
				return
			}
			words, known := of[kind]
			if !known {
				t.Errorf("%s --%s: nobody says what a value of type %s is", strings.Join(path, " "), f.Name, kind)
				return
			}
			seen++
			var out bytes.Buffer
			r := &run{ctx: t.Context(), in: strings.NewReader(""), err: &out}
			code := r.execute(append(append([]string{}, path...), "--"+f.Name+"=much"), &out)
			if text := out.String(); code != exitUsage || !strings.Contains(text, "--"+f.Name+" much: it takes "+words) || strings.Contains(text, "strconv") {
				t.Errorf("%s --%s=much: exit code %d, %s", strings.Join(path, " "), f.Name, code, text)
			}
		})
		for _, sub := range c.Commands() {
			walk(append(append([]string{}, path...), sub.Name()), sub)
		}
	}
	walk(nil, (&run{ctx: t.Context()}).root())
	if seen < 50 {
		t.Errorf("only %d flags were tried", seen)
	}
}
