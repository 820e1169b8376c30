package figures

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/report/chart"
	"github.com/gradine/gradine/project"
)

type jsonTrend struct {
	Commit      string        `json:"commit"`          // hash of the commit
	Date        string        `json:"date"`            // author date
	Subject     string        `json:"subject"`         // first line of the commit message
	Obligations int           `json:"obligations"`     // number of obligations
	Proved      int           `json:"proved"`          // number of proved obligations
	Expected    int           `json:"expected"`        // number of obligations with another verdict that gradine.toml expects
	Open        int           `json:"open"`            // number of open obligations
	Refuted     int           `json:"refuted"`         // number of refuted obligations
	Vacuous     int           `json:"vacuous"`         // number of vacuous obligations
	Axioms      int           `json:"axioms"`          // number of axioms
	Components  int           `json:"components"`      // number of contexts and machines
	Verified    int           `json:"verified"`        // number of verified components
	Errors      int           `json:"errors"`          // number of errors
	Optima      []jsonOptimum `json:"optima"`          // optima of the tuning entries
	Fault       string        `json:"error,omitempty"` // why the revision cannot be read
}

type jsonOptimum struct {
	Entry     string     `json:"entry"`
	Best      string     `json:"best"`
	Objective string     `json:"objective"`
	TEv       *big.Int   `json:"T_ev,omitempty"`
	Range     []*big.Int `json:"range,omitempty"`
	Complete  bool       `json:"complete"`
}

// TrendJSON writes a line for each commit.
func TrendJSON(w io.Writer, t *project.Trend) error {
	out := report.NewLines(w)
	for _, p := range t.Points {
		j := jsonTrend{
			Commit: p.Hash, Date: p.Date, Subject: p.Subject, Obligations: p.Obligations(), Proved: p.Totals.Proved, Expected: p.Totals.Expected,
			Open: p.Debt.Open, Refuted: p.Debt.Refuted, Vacuous: p.Debt.Vacuous, Axioms: p.Debt.Axioms,
			Components: p.Components, Verified: p.Verified, Errors: p.Errors, Optima: []jsonOptimum{}, Fault: p.Bad,
		}
		for _, o := range p.Optima {
			x := jsonOptimum{Entry: o.Entry, Best: o.Best, Objective: o.Objective, Complete: o.Complete}
			if o.Low != nil {
				x.TEv, x.Range = valueOf(o.Low, o.High)
			}
			j.Optima = append(j.Optima, x)
		}
		out.Put(j)
	}
	return out.Err
}

// TrendTable writes a trend as Markdown: how much is proved, and the debt.
func TrendTable(w io.Writer, t *project.Trend) {
	fmt.Fprint(w, "### Trend\n\n| commit | date | obligations | proved | expected | open | refuted | vacuous | axioms | verified | |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n")
	for _, p := range t.Points {
		if p.Bad != "" {
			fmt.Fprintf(w, "| `%s` | %s | | | | | | | | | %s |\n", p.Short(), p.Date, cellText("cannot be read: "+p.Bad))
			continue
		}
		fmt.Fprintf(w, "| `%s` | %s | %d | %d | %d | %d | %d | %d | %d | %d of %d | %s |\n", p.Short(), p.Date, p.Obligations(), p.Totals.Proved, p.Totals.Expected,
			p.Debt.Open, p.Debt.Refuted, p.Debt.Vacuous, p.Debt.Axioms, p.Verified, p.Components, cellText(trendNote(p)))
	}
	fmt.Fprintln(w)
	if t.Passed > 0 {
		fmt.Fprintf(w, "%s without a change of models or proofs.\n\n", report.Count(t.Passed, "other commit"))
	}
	entries := TrendEntries(t)
	if len(entries) == 0 {
		return
	}
	fmt.Fprint(w, "### Optima\n\n| entry | commit | best | |\n|---|---|---|---|\n")
	for _, e := range entries {
		last := ""
		for _, p := range t.Points {
			// An optimum is worth a row where it changes.
			if text, value := OptimumText(p, e); text != "" && text+value != last {
				fmt.Fprintf(w, "| %s | `%s` | %s | %s |\n", cellText(e), p.Short(), text, value)
				last = text + value
			}
		}
	}
	fmt.Fprintln(w)
}

// trendNote is what a commit says of itself, and the errors of its models.
func trendNote(p project.TrendPoint) string {
	if p.Errors > 0 {
		return fmt.Sprintf("%s (%s)", p.Subject, report.Count(p.Errors, "error"))
	}
	return p.Subject
}

// TrendEntries lists the entries to tune that some commit has, in the order of
// their first occurrence.
func TrendEntries(t *project.Trend) []string {
	var out []string
	for _, p := range t.Points {
		for _, o := range p.Optima {
			if o.Objective != "" && !slices.Contains(out, o.Entry) {
				out = append(out, o.Entry)
			}
		}
	}
	return out
}

// OptimumText is the answer for one entry at a commit: the best point, and its
// value; "" if the commit has no such entry.
func OptimumText(p project.TrendPoint, entry string) (best, value string) {
	i := slices.IndexFunc(p.Optima, func(o project.Optimum) bool { return o.Entry == entry })
	if i < 0 {
		return "", ""
	}
	o := p.Optima[i]
	switch {
	case o.Objective == "":
		return "cannot be tuned at this commit", ""
	case o.Best == "" && o.Complete:
		return "no valid point", ""
	case o.Best == "":
		return "no value within the bounds", ""
	}
	v, ends := valueOf(o.Low, o.High)
	value = o.Objective + " = " + ValueText(v, ends)
	if !o.Complete {
		value += ", bounded"
	}
	return o.Best, value
}

// TrendCharts draws a trend: obligations and proofs, the debt, and the optima.
func TrendCharts(t *project.Trend) []chart.Lines {
	var columns []string
	for _, p := range t.Points {
		columns = append(columns, p.Short())
	}
	series := func(name string, of func(project.TrendPoint) (float64, bool)) chart.Series {
		s := chart.Series{Name: name, Values: map[int]float64{}}
		for i, p := range t.Points {
			if v, ok := of(p); ok && p.Bad == "" {
				// A commit with errors has no figures. Its column stays, without a point.
				s.Values[i] = v
			}
		}
		return s
	}
	count := func(name string, of func(project.TrendPoint) int) chart.Series {
		return series(name, func(p project.TrendPoint) (float64, bool) { return float64(of(p)), true })
	}
	out := []chart.Lines{
		{Title: "Obligations", X: "commit", Y: "number", Columns: columns, Series: []chart.Series{
			count("obligations", func(p project.TrendPoint) int { return p.Obligations() }),
			count("proved", func(p project.TrendPoint) int { return p.Totals.Proved }),
		}},
		{Title: "Debt", X: "commit", Y: "number", Columns: columns, Series: []chart.Series{
			count("refuted", func(p project.TrendPoint) int { return p.Debt.Refuted }), count("open", func(p project.TrendPoint) int { return p.Debt.Open }),
			count("vacuous", func(p project.TrendPoint) int { return p.Debt.Vacuous }), count("axioms", func(p project.TrendPoint) int { return p.Debt.Axioms }),
			count("errors", func(p project.TrendPoint) int { return p.Errors }),
		}},
	}
	optima := chart.Lines{Title: "Optima", X: "commit", Y: "best value", Columns: columns}
	// The optima of an entry are a series of their own, which may begin and end within the trend.
	for _, e := range TrendEntries(t) {
		if s := series(e, func(p project.TrendPoint) (float64, bool) {
			i := slices.IndexFunc(p.Optima, func(o project.Optimum) bool { return o.Entry == e && o.Low != nil })
			if i < 0 {
				return 0, false
			}
			return chart.Float(p.Optima[i].Low), true
		}); len(s.Values) > 0 {
			optima.Series = append(optima.Series, s)
		}
	}
	if len(optima.Series) > 0 {
		out = append(out, optima)
	}
	return out
}

// cellText keeps text within the cell of a table.
func cellText(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", "\\|")
}
