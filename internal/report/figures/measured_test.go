package figures

import (
	"math"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
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

// TestStopText: an answer says how much faster than the fastest measured configuration any other is predicted to be,
// never less than that, what this rests on, and which configurations tie.
func TestStopText(t *testing.T) {
	rank := tune.Estimate{Value: 0.8, Low: 0.5, High: 0.9}
	hardly := tune.Estimate{Value: 0.2, Low: -0.1, High: 0.4}
	unknown := tune.Estimate{Value: math.NaN(), Low: math.NaN(), High: math.NaN()}
	tie := loop.Standing{At: []string{"4"}, MS: 1.001, Measured: 2, Launch: "open"}
	for _, c := range []struct {
		plan *loop.Plan
		ties bool
		want string // lines that the answer has, by |
		json string // and keys of its JSON
	}{
		{&loop.Plan{Left: 3, Best: []string{"8"}, Faster: 0.0301, AtMost: 0.1, Random: 5, Rank: rank}, false,
			"3 configurations not measured: none is predicted to be more than 3.1 % faster than the fastest measured; the most promising is p=8; with a probability of 95 %, none is more than 10.0 % faster" +
				"|this prediction rests on a model fitted to the times of 2 configurations, not on a theorem about the device" +
				"|the model orders this space with rank correlation 0.80 (95 %: 0.50 to 0.90), estimated from 5 random configurations",
			`"left":3,"next":{"p":8},"faster":0.03,"faster_most":0.1,"random":5,"rank":0.8,`},
		{&loop.Plan{Left: 1, Best: []string{"8"}, Faster: -0.5, AtMost: -0.2, Random: 5, Rank: hardly}, true,
			"1 configuration not measured: none is predicted to be faster than the fastest measured; with a probability of 95 %, none is more than 0.0 % faster" +
				"|the model hardly orders this space (rank correlation 0.20, 95 %: -0.10 to 0.40): trust only measurements" +
				"|p=4  1.001 ms, a tie with the fastest (open)",
			`"faster":-0.5,"faster_most":-0.2,`},
		{&loop.Plan{Left: 1, Best: []string{"8"}, Faster: 0.5, AtMost: math.NaN(), Random: 2, Rank: unknown}, false,
			"1 configuration not measured: none is predicted to be more than 50.0 % faster than the fastest measured; the most promising is p=8|how well the model orders this space is unknown: 2 measured configurations drawn at random, which is too few", `"faster":0.5,"random":2,"noise"`},
		{&loop.Plan{Left: 0}, true, "stopped: all configurations are measured|p=4  1.001 ms, a tie with the fastest (open)", `"left":0,"random":0,`},
	} {
		best := []loop.Standing{{At: []string{"2"}, MS: 1, Measured: 2, Launch: "safe"}}
		if c.ties {
			best = append(best, tie)
		}
		m := &Measured{
			Report: &loop.Report{Best: best, Points: 2, Timed: 2, Measured: 2, Failed: map[string]int{}, Launches: map[string]int{"safe": 2}, Plan: c.plan},
			Kernel: "k", Names: []string{"p"}, Counted: &project.Counted{},
		}
		if c.plan.Left == 0 {
			m.Stopped = loop.Everything
		}
		var out, line strings.Builder
		MeasuredText(&out, report.Style{}, m)
		for want := range strings.SplitSeq(c.want, "|") {
			if !strings.Contains(out.String(), "  "+want+"\n") {
				t.Errorf("%q is missing:\n%s", want, out.String())
			}
		}
		said := strings.Contains(out.String(), "predicted")
		if ties := strings.Count(out.String(), "a tie with"); ties != len(best)-1 || strings.Count(out.String(), "the fastest by measurement") != 1 || said != (c.plan.Left > 0) {
			t.Errorf("%d ties of %d best:\n%s", ties, len(best), out.String())
		}
		if err := MeasuredJSON(&line, m); err != nil || !strings.Contains(line.String(), c.json) || strings.Count(line.String(), `"launch_verdict":`) != len(best) {
			t.Errorf("%v: %q is missing:\n%s", err, c.json, line.String())
		}
	}
}
