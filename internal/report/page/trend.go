package page

import (
	"github.com/gradine/gradine/internal/report/figures"
	"github.com/gradine/gradine/project"
)

// trendView is how the projects stood over the commits of a branch.
type trendView struct {
	*project.Trend
	Charts []string
	Optima []optimumView
}

// optimumView is an entry with its answers, where they change.
type optimumView struct {
	Entry string
	Rows  []optimumRow
}

type optimumRow struct{ Commit, Best, Value string }

// trendOf is the part of the page about the commits of a branch: charts, and a row where an optimum changed.
func trendOf(t *project.Trend) *trendView {
	v := &trendView{Trend: t}
	for _, c := range figures.TrendCharts(t) {
		v.Charts = append(v.Charts, c.SVG())
	}
	for _, e := range figures.TrendEntries(t) {
		x := optimumView{Entry: e}
		last := ""
		for _, p := range t.Points {
			if best, value := figures.OptimumText(p, e); best != "" && best+value != last {
				x.Rows = append(x.Rows, optimumRow{p.Short(), best, value})
				last = best + value
			}
		}
		v.Optima = append(v.Optima, x)
	}
	return v
}
