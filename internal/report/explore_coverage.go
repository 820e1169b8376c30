package report

import (
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"

	"github.com/gradine/gradine/explore"
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
		fmt.Fprintf(out, "  %s has %s\n", v.Name, rangeText(v))
	}
}

func rangeText(v explore.ValueRange) string {
	text := Count(v.Distinct, "value")
	if v.More {
		text = "more than " + text
	}
	if v.Least != "" {
		text += fmt.Sprintf(" in %s‥%s", v.Least, v.Greatest)
	}
	return text
}

var coveragePage = template.Must(template.New("coverage").Funcs(template.FuncMap{"range_": rangeText}).Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Coverage of {{.Machine}}</title>
<style>
body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { text-align: left; padding: .2em 1em .2em 0; border-bottom: 1px solid #ddd; }
td.n { text-align: right; }
.never { background: #fff3cd; }
</style>
</head>
<body>
<h1>{{.Machine}}</h1>
<p>{{.Verdict}}{{if .Why}} by {{.Why}}{{end}}: {{.States}} states, {{.Transitions}} transitions, depth {{.Depth}}.</p>
<h2>Events</h2>
<table><tr><th>Event</th><th>Fired</th><th>Guards that are never false</th></tr>
{{range .Coverage.Events}}<tr{{if not .Fired}} class="never"{{end}}><td>{{.Label}}</td><td class="n">{{.Fired}}</td><td>{{range .NeverFalse}}{{.}} {{end}}</td></tr>
{{end}}</table>
<h2>Invariants</h2>
<table><tr><th>Invariant</th><th>States that exercise it</th></tr>
{{range .Coverage.Invariants}}<tr{{if not .Exercised}} class="never"{{end}}><td>{{.Label}}</td><td class="n">{{.Exercised}}</td></tr>
{{end}}</table>
<h2>Values</h2>
<table><tr><th>Variable</th><th>Values</th></tr>
{{range .Coverage.Values}}<tr><td>{{.Name}}</td><td>{{range_ .}}</td></tr>
{{end}}</table>
</body>
</html>
`))

// CoverageHTML writes what a search exercised as one page that needs nothing
// else.
func CoverageHTML(w io.Writer, r *explore.Result) error { return coveragePage.Execute(w, r) }

// DOT writes a graph of states for Graphviz.
func DOT(out io.Writer, machine string, graph *explore.Graph) {
	fmt.Fprintf(out, "digraph %s {\n  node [shape=box];\n", strconv.Quote(machine))
	for i, s := range graph.States {
		var lines []string
		for _, b := range s {
			lines = append(lines, b.Name+" = "+b.Value)
		}
		style := ""
		if i < graph.Initial {
			style = ", style=bold"
		}
		fmt.Fprintf(out, "  s%d [label=%s%s];\n", i, dotText(strings.Join(lines, "\n")), style)
	}
	for _, e := range graph.Edges {
		fmt.Fprintf(out, "  s%d -> s%d [label=%s];\n", e.From, e.To, dotText(e.Label))
	}
	fmt.Fprintln(out, "}")
}

func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
