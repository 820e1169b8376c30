package figures

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune/loop"
)

// TestMeasuredRests: the model is fitted to configurations with a time, and not to those that failed; a single launch
// that is not proved safe is said, whichever it is.
func TestMeasuredRests(t *testing.T) {
	for launches, warned := range map[string]bool{"safe safe safe": false, "safe safe open": true, "open open open": true} {
		m := &Measured{
			Report: &loop.Report{
				Best: []loop.Standing{{At: []string{"2"}, MS: 1, Measured: 1, Launch: "safe"}}, Reference: loop.Standing{At: []string{"1"}, MS: 2, Measured: 1},
				Points: 2, Timed: 2, Measured: 2, Failed: map[string]int{"crash": 1}, Launches: map[string]int{},
				Plan: &loop.Plan{Left: 1, Best: []string{"4"}},
			},
			Kernel: "k", Names: []string{"p"}, Counted: &project.Counted{},
		}
		for _, verdict := range strings.Fields(launches) {
			m.Launches[verdict]++
		}
		var out strings.Builder
		MeasuredText(&out, report.Style{}, m)
		for _, want := range []string{"a model fitted to the times of 2 configurations,", "the reference is assumed to be right"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is missing:\n%s", want, out.String())
			}
		}
		if got := strings.Contains(out.String(), "only launches called safe"); got != warned {
			t.Errorf("%s: warned %v:\n%s", launches, got, out.String())
		}
	}
}
