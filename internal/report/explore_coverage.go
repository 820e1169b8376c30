package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/report/chart"
)

// coverage writes what a search exercised for people.
func coverage(out io.Writer, style Style, c *explore.Coverage) {
	for _, e := range c.Events {
		if e.Fired == 0 {
			fmt.Fprintf(out, "  %s\n", style.Yellow("event "+e.Label+" is never enabled"))
			continue
		}
		fmt.Fprintf(out, "  event %s fired %s\n", e.Label, Count(e.Fired, "time"))
		if len(e.NeverFalse) > 0 {
			fmt.Fprintf(out, "    guards that are never false: %s\n", strings.Join(e.NeverFalse, ", "))
		}
	}
	for _, i := range c.Invariants {
		if i.Exercised == 0 {
			fmt.Fprintf(out, "  %s\n", style.Yellow("invariant "+i.Label+" is never exercised"))
		}
	}
	for _, v := range c.Values {
		fmt.Fprintf(out, "  %s has %s\n", v.Name, RangeText(v))
	}
}

// RangeText says which values a variable had.
func RangeText(v explore.ValueRange) string {
	text := Count(v.Distinct, "value")
	if v.More {
		text = "more than " + text
	}
	if v.Least != "" {
		text += fmt.Sprintf(" in %s‥%s", v.Least, v.Greatest)
	}
	return text
}

// DOT writes a graph of states for Graphviz. States in which a finding ends say so.
func DOT(out io.Writer, machine string, graph *explore.Graph, findings []explore.Finding) {
	fmt.Fprintf(out, "digraph %s {\n  node [shape=box];\n", strconv.Quote(machine))
	for i, s := range graph.States {
		var lines []string
		for _, b := range s {
			lines = append(lines, b.Name+" = "+b.Value)
		}
		switch {
		case graph.Count == nil:
		case graph.Count[i] == 0:
			lines = append(lines, "not explored")
		default:
			lines = append(lines, Count(graph.Count[i], "state"))
		}
		style := ""
		if i < graph.Initial {
			style = ", style=bold"
		}
		for _, f := range findings {
			if steps := f.Trace.Steps; graph.Count == nil && len(steps) > 0 && slices.Equal(steps[len(steps)-1].State, s) {
				lines = append(lines, findingText(Style{}, f))
				style += ", peripheries=2"
			}
		}
		fmt.Fprintf(out, "  s%d [label=%s%s];\n", i, dotText(strings.Join(lines, "\n")), style)
	}
	// Several arrows between two nodes are drawn over each other: one has all their labels.
	type pair struct{ from, to int }
	labels := map[pair][]string{}
	var order []pair
	for _, e := range graph.Edges {
		between := pair{e.From, e.To}
		if labels[between] == nil {
			order = append(order, between)
		}
		if !slices.Contains(labels[between], e.Label) {
			labels[between] = append(labels[between], e.Label)
		}
	}
	for _, between := range order {
		list := labels[between]
		if more := len(list) - mostLabels; more > 1 {
			list = append(list[:mostLabels:mostLabels], fmt.Sprintf("and %d more", more))
		}
		fmt.Fprintf(out, "  s%d -> s%d [label=%s];\n", between.from, between.to, dotText(strings.Join(list, "\n")))
	}
	fmt.Fprintln(out, "}")
}

// mostLabels is how many labels an arrow has.
const mostLabels = 8

func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// Gantt draws bars as a picture, a row for each lane.
func Gantt(title, clock string, bars []explore.Bar) string {
	g := chart.Gantt{Title: title, Clock: clock}
	for _, b := range bars {
		g.Bars = append(g.Bars, chart.Bar(b))
	}
	return chart.Alone(g.SVG())
}
