package flags

import (
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/report"
	"github.com/spf13/pflag"
)

// Chart ask for a trace as a Gantt chart.
type Chart struct{ SVG, Gantt string }

// Add declares the flags; trace says in their help which trace is drawn.
func (f *Chart) Add(flags *pflag.FlagSet, trace string) {
	flags.StringVar(&f.SVG, "svg", "", "draw "+trace+" as a Gantt chart, and write the chart to `FILE`")
	flags.StringVar(&f.Gantt, "gantt", "", "choose the fields of the chart: `SPEC` is start=…,end=…,lane=…,clock=…; each value is a variable that is a function; start and end can also be events, with item=PARAMETER")
}

// Draw writes the chart, if it is asked for, to the file that path says.
func (f Chart) Draw(trace *explore.Trace, path func(string) string) error {
	if f.SVG == "" {
		return nil
	}
	chart, err := explore.ReadChart(f.Gantt)
	if err != nil {
		return Usagef("--gantt %s: %w", f.Gantt, err)
	}
	bars, err := trace.Bars(chart)
	if err != nil {
		return err
	}
	return atomic.Write(path(f.SVG), []byte(report.Gantt(trace.Machine, chart.Clock, bars)), 0o666)
}
