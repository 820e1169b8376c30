package chart

import (
	"cmp"
	"html"
	"math/big"
	"slices"
	"strings"
)

// Gantt is what happens when, in lanes.
type Gantt struct {
	Title, Clock string
	Bars         []Bar
}

// Bar is something that takes time.
type Bar struct {
	Item, Lane string
	From, To   *big.Int
	Open       bool // it goes on
}

const (
	ganttWidth           = 820
	laneHeight, laneTall = 28, 20
)

// SVG draws the chart, a row for each lane.
func (g Gantt) SVG() string {
	c, top := newCanvas(g.Title, "")
	var lanes []string
	end := big.NewInt(1)
	for _, b := range g.Bars {
		if !slices.Contains(lanes, b.Lane) {
			lanes = append(lanes, b.Lane)
		}
		if b.To.Cmp(end) > 0 {
			end = b.To
		}
	}
	// Shorter names first: slot2 stands before slot10.
	slices.SortStableFunc(lanes, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	last := Float(end)
	r := newRuler(0, last, 8)
	left := margin + widest(lanes) + 10
	bottom := top + float64(len(lanes))*laneHeight + 4
	at := func(v float64) float64 { return left + r.at(v)*ganttWidth }
	var ticks []string
	for _, t := range r.ticks {
		ticks = append(ticks, short(t))
	}
	step := every(len(ticks), ganttWidth/float64(max(len(ticks)-1, 1)), widest(ticks))
	for i, t := range r.ticks {
		c.line("grid", at(t), top, at(t), bottom)
		if i%step == 0 {
			c.text(at(t), bottom+lineHeight, "mid", ticks[i])
		}
	}
	for i, lane := range lanes {
		c.text(left-6, top+float64(i)*laneHeight+18, "end", lane)
	}
	c.line("axis", left, bottom, left+ganttWidth, bottom)
	for _, b := range g.Bars {
		g.bar(c, b, top+float64(slices.Index(lanes, b.Lane))*laneHeight+4, at)
	}
	c.text(left+ganttWidth/2, bottom+2*lineHeight+4, "mid", g.Clock)
	return c.picture(left+ganttWidth+margin+widest(ticks)/2, bottom+2*lineHeight+margin)
}

// bar draws one bar, with its name if there is room for it.
func (g Gantt) bar(c *canvas, b Bar, y float64, at func(float64) float64) {
	from := Float(b.From)
	to := Float(b.To)
	class, width := "bar", max(at(to)-at(from), 1)
	if b.Open {
		class = "open"
	}
	text := ""
	if widthOf(b.Item) < width-4 {
		text = html.EscapeString(b.Item)
	}
	c.add(`<g><title>%s: %s to %s</title><rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%d"/><text class="in" x="%.1f" y="%.1f">%s</text></g>`,
		html.EscapeString(b.Item), b.From, b.To, class, at(from), y, width, laneTall, at(from)+4, y+15, text)
}
