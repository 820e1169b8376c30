package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/gradine/gradine/infer"
	"github.com/gradine/gradine/internal/report/chart"
)

// EvaluationMarkdown writes how rules and engines did as tables; times with timing alone,
// as they are not the same each time.
func EvaluationMarkdown(w io.Writer, e *infer.Evaluation, timing bool) {
	fmt.Fprintf(w, "%s; %d have open obligations, and inference discharges some of them in %d.\n\n", Count(e.Machines, "machine"), e.Lacking, e.Closed)
	fmt.Fprintf(w, "| rule | machines with open obligations | machines without | candidates | kept | hit rate | essential |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for _, s := range e.Rules {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d %% | %d |\n", s.Rule, s.Lacking, s.Content, s.Candidates, s.Kept, s.HitRate(), s.Essential)
	}
	fmt.Fprintf(w, "\n| without rule | fewer kept of |\n|---|---|\n")
	for i, row := range e.Influence {
		line := ""
		// A rule that lacks nothing without another is left out: most pairs have no influence.
		for j, n := range row {
			if n > 0 {
				line += fmt.Sprintf(" %s in %d,", e.Rules[j].Rule, n)
			}
		}
		if line != "" {
			fmt.Fprintf(w, "| %s |%s |\n", e.Rules[i].Rule, line[:len(line)-1])
		}
	}
	// Times differ from run to run, and everything else does not: they are written only on request.
	fmt.Fprintf(w, "\n| engine | candidates | rejected |")
	if timing {
		fmt.Fprintf(w, " time | Houdini after it | speed-up |")
	}
	fmt.Fprintf(w, "\n|---|--:|--:|")
	if timing {
		fmt.Fprintf(w, "--:|--:|--:|")
	}
	fmt.Fprintln(w)
	for i, s := range e.Engines {
		fmt.Fprintf(w, "| %s | %d | %d |", s.Engine, s.Candidates, s.Killed)
		if timing {
			fmt.Fprintf(w, " %s | %s | %s |", round(s.Time), round(e.Combined[i]), faster(e.Plain, e.Combined[i]))
		}
		fmt.Fprintln(w)
	}
	if timing {
		fmt.Fprintf(w, "| DYN ∥ SBASE | | | | %s | %s |\n| none | | | | %s | |\n", round(e.Together), faster(e.Plain, e.Together), round(e.Plain))
		fmt.Fprintf(w, "\nDYN ∥ SBASE takes at most %.2f of the time without engines.\n", e.Slowest)
	}
	fmt.Fprintf(w, "\n| Jaccard |")
	for _, s := range e.Engines {
		fmt.Fprintf(w, " %s |", s.Engine)
	}
	fmt.Fprintf(w, "\n|---|")
	for range e.Engines {
		fmt.Fprintf(w, "--:|")
	}
	for i, row := range e.Jaccard {
		fmt.Fprintf(w, "\n| %s |", e.Engines[i].Engine)
		for _, j := range row {
			fmt.Fprintf(w, " %.2f |", j)
		}
	}
	fmt.Fprintln(w)
}

func round(d time.Duration) string { return d.Round(time.Millisecond).String() }

func faster(plain, other time.Duration) string {
	if other == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", float64(plain)/float64(other))
}

// EvaluationCSV writes the tables of rules and of engines, one line each.
func EvaluationCSV(w io.Writer, e *infer.Evaluation, timing bool) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"kind", "name", "lacking", "content", "candidates", "kept_or_killed", "hit_rate", "essential", "ms"}}
	n := strconv.Itoa
	for _, s := range e.Rules {
		rows = append(rows, []string{"rule", s.Rule, n(s.Lacking), n(s.Content), n(s.Candidates), n(s.Kept), n(s.HitRate()), n(s.Essential), ""})
	}
	for _, s := range e.Engines {
		ms := ""
		if timing {
			ms = strconv.FormatInt(s.Time.Milliseconds(), 10)
		}
		rows = append(rows, []string{"engine", s.Engine, "", "", n(s.Candidates), n(s.Killed), "", "", ms})
	}
	return out.WriteAll(rows)
}

// EvaluationCharts returns pictures, as SVG, by the names of their files: which rule
// influences which, and which engines kill the same.
func EvaluationCharts(e *infer.Evaluation) map[string]string {
	rules, engines := make([]string, len(e.Rules)), make([]string, len(e.Engines))
	for i, s := range e.Rules {
		rules[i] = s.Rule
	}
	for i, s := range e.Engines {
		engines[i] = s.Engine
	}
	influence := chart.Heat{Title: "Influence", X: "loses candidates", Y: "left out", Unit: "machines", Columns: rules, Rows: rules, Cells: map[[2]int]chart.Cell{}}
	for i, row := range e.Influence {
		for j, n := range row {
			if n > 0 {
				influence.Cells[[2]int{j, i}] = chart.Cell{Value: float64(n), Text: strconv.Itoa(n)}
			}
		}
	}
	similar := chart.Heat{Title: "Similarity", X: "engine", Y: "engine", Unit: "Jaccard index", Columns: engines, Rows: engines, Cells: map[[2]int]chart.Cell{}}
	for i, row := range e.Jaccard {
		for j, value := range row {
			similar.Cells[[2]int{j, i}] = chart.Cell{Value: value, Text: fmt.Sprintf("%.2f", value)}
		}
	}
	return map[string]string{"influence.svg": influence.SVG(), "jaccard.svg": similar.SVG()}
}
