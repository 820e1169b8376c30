package page

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/report/chart"
	"github.com/gradine/gradine/internal/report/figures"
	"github.com/gradine/gradine/tune"
)

// tuningView is one answer of a search: the optimum first, then the points.
type tuningView struct {
	ID, Name, Given string
	Best            []string // the points, in words
	Value           string   // theirs
	Claim           string
	Bounded         bool
	X, Y            string
	Columns         []string
	Rows            []heatRow
	Reasons         []string // why points have no value
	Charts          []string // as SVG
	Notes           []string
}

type heatRow struct {
	Name  string
	Cells []heatCell
}

type heatCell struct {
	Text, Title, Colour string // Colour is "" where there is no value
	Dark, Best          bool
}

// maxCells is how many points a table shows; beyond that curves tell more.
const maxCells = 400

// tuningOf is the part of the page about the answer of a tuning entry.
func tuningOf(t figures.Tuned, number int) tuningView {
	g := figures.GridOf(t)
	v := tuningView{ID: fmt.Sprintf("t%d", number), Name: t.Tune, Given: t.Given(), X: g.X, Y: g.Y, Bounded: !t.Complete}
	for _, b := range t.Best {
		v.Best = append(v.Best, figures.PointText(b))
	}
	v.Value = strings.TrimSpace(t.Objective + " = " + figures.ValueText(t.TEv, t.Range))
	if len(t.Also) > 0 && t.Order == tune.Pareto && len(t.Best) > 1 {
		v.Value = strings.TrimSpace(t.Objective + " = " + figures.ValueText(nil, t.Range) + " along the front")
	}
	if t.Ms > 0 {
		v.Value = t.MeasuredText()
	}
	points := "valid points"
	if t.Sample {
		points = "valid points of the sample"
	}
	v.Claim = fmt.Sprintf("None of the other %s (%d in all) is better%s%s; shown by %s", points, t.Points, t.LimitsText(), t.OrderText(), evidence(t))
	switch {
	case len(t.Best) == 0:
		v.Claim = "No point has a value"
	case t.Complete && t.Points == 1:
		v.Claim = "This is the only valid point; its value comes from " + cmp.Or(ways[t.By].one, string(t.By))
	case !t.Complete:
		v.Claim = "The search was bounded: better points may exist"
	}
	if t.Criterion != "" {
		v.Claim += fmt.Sprintf(", for the %s schedule", t.Criterion)
	}
	if len(g.Columns)*len(g.Rows) <= maxCells {
		v.table(g)
	}
	draw := func(svg string, note string, err error) {
		if err == nil {
			v.Charts = append(v.Charts, svg)
			if note != "" {
				v.Notes = append(v.Notes, note)
			}
		}
	}
	// Curves next to a table tell the shape; without a table a map shows the place.
	if lines, note, err := g.Curves(); len(g.Columns) > 2 {
		lines.Title, lines.Label = "", "curves of "+v.Name
		draw(lines.SVG(), note, err)
	}
	if v.Rows == nil {
		heat, note, err := g.HeatMap()
		heat.Title, heat.Label = "", "map of "+v.Name
		draw(heat.SVG(), note, err)
	}
	return v
}

// ways name how values are found: those of all points, and that of one.
var ways = map[tune.By]struct{ all, one string }{
	tune.Theorem:    {"a theorem", "a theorem"},
	tune.Run:        {"running them", "a run"},
	tune.Exhaustive: {"exploring all their schedules", "exploring all schedules"},
	tune.Device:     {"measuring them", "a measurement"},
}

// evidence says what shows that no other point is better.
func evidence(t figures.Tuned) string {
	how := func(by tune.By) string { return cmp.Or(ways[by].all, string(by)) }
	if others := t.Points - t.Measured; t.By == tune.Device && others > 0 {
		return fmt.Sprintf("measuring %s, and for the rest by %s", report.Count(t.Measured, "point"), how(t.Others))
	}
	return how(t.By)
}

// table fills in the map of all points.
func (v *tuningView) table(g figures.Grid) {
	var values []float64
	for _, x := range g.Cells {
		if x.Worth != nil {
			values = append(values, chart.Float(x.Worth))
		}
	}
	scale := chart.NewScale(values)
	v.Columns = chart.BriefTexts(g.Columns)
	for r, name := range chart.BriefTexts(g.Rows) {
		row := heatRow{Name: name}
		if g.Y == "" {
			row.Name = g.Objective
		}
		for c := range g.Columns {
			row.Cells = append(row.Cells, cellOf(g.Cells[[2]int{c, r}], scale))
		}
		v.Rows = append(v.Rows, row)
	}
}

// cellOf is a point in the grid of values, coloured by scale; an empty cell for nil.
func cellOf(x *figures.Spot, scale chart.Scale) heatCell {
	switch {
	case x == nil:
		return heatCell{}
	case x.Worth != nil:
		c := heatCell{Text: chart.Brief(x.Worth), Title: figures.ValueText(x.TEv, x.Range), Best: x.Best}
		if x.Ms > 0 {
			c.Title = fmt.Sprintf("measured: %v ms", x.Ms)
			if x.TEv == nil {
				c.Text = "< ½"
			}
		}
		if len(x.Range) == 2 {
			c.Text = chart.Brief(x.Range[0]) + "‥" + chart.Brief(x.Range[1])
		}
		c.Colour, c.Dark = chart.Colour(scale.At(chart.Float(x.Worth)))
		return c
	case x.Above != nil:
		return heatCell{Text: ">", Title: "greater than " + chart.Grouped(x.Above)}
	case x.Illegal != "":
		return heatCell{Text: "–", Title: x.Illegal}
	}
	return heatCell{Text: "?", Title: x.Bounded}
}
