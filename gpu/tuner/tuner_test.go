package tuner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/tuner"
	"github.com/gradine/gradine/internal/golden"
)

// TestTuner reads files of tuners, separated by lines of ---, and prints what is made of each: the table, and what is
// left out of it.
func TestTuner(t *testing.T) {
	golden.Tables(t, func(t *testing.T, in string) string {
		var out strings.Builder
		for text := range strings.SplitSeq(in, "---\n") {
			out.WriteString(printed([]byte(text)) + "---\n")
		}
		return out.String()
	})
}

func printed(text []byte) string {
	if tuner.AreResults(text) {
		r, err := tuner.ReadResults(text)
		if err != nil {
			return "error: " + err.Error() + "\n"
		}
		return fmt.Sprintf("%s%d rows, %d failed, parameters %q\n", strings.ReplaceAll(string(r.Table), "\t", " | "), r.Rows, r.Failed, r.Parameters)
	}
	p, err := tuner.ReadProblem(text)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	out := fmt.Sprintf("kernel %s, %d parameters\n%s", p.KernelFile, p.Parameters, p.Table)
	for _, left := range p.Left {
		out += "left out: " + left + "\n"
	}
	return out
}
