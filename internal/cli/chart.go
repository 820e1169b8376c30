package cli

import (
	"os"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/report"
	"github.com/spf13/cobra"
)

// chartFlags ask for a trace as a Gantt chart.
type chartFlags struct{ svg, gantt string }

func (f *chartFlags) add(c *cobra.Command, trace string) {
	flags := c.Flags()
	flags.StringVar(&f.svg, "svg", "", "write "+trace+" to `FILE`, as a Gantt chart")
	flags.StringVar(&f.gantt, "gantt", "", "`SPEC` of what the chart shows: start=…,end=…,lane=…,clock=…, functions among the variables; or start and end events, with item=PARAMETER")
}

// draw writes the chart, if it is asked for.
func (f chartFlags) draw(trace *explore.Trace) error {
	if f.svg == "" {
		return nil
	}
	chart, err := explore.ReadChart(f.gantt)
	if err != nil {
		return usagef("--gantt %s: %w", f.gantt, err)
	}
	bars, err := trace.Bars(chart)
	if err != nil {
		return err
	}
	return os.WriteFile(f.svg, []byte(report.Gantt(trace.Machine, chart.Clock, bars)), 0o666)
}
