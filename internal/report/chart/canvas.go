package chart

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// The measures of charts, in pixels.
const (
	plotWidth, plotHeight = 520, 320
	margin                = 12
	lineHeight            = 16
	barWidth              = 16
)

// Style is the stylesheet of all charts, for a page that holds some. Colours are
// literal: programs that set papers know no variables of CSS.
const Style = `.chart text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #1b1f24; }
.chart .title { font-size: 14px; font-weight: 600; } .chart .soft { fill: #57606a; } .chart .end { text-anchor: end; } .chart .mid { text-anchor: middle; }
.chart .axis { stroke: #57606a; fill: none; } .chart .grid { stroke: #d0d4da; fill: none; } .chart .hole { fill: #eceef1; }
.chart .ring { fill: none; stroke: #1b1f24; stroke-width: 2.5; } .chart .halo { fill: none; stroke: #ffffff; stroke-width: 5; }
.chart text.dark { fill: #101418; } .chart text.light { fill: #ffffff; }
.chart .bar { fill: #9cc3e6; stroke: #33475b; } .chart .open { fill: #f5d491; stroke: #6b5310; } .chart text.in { fill: #101418; }
@media (prefers-color-scheme: dark) {
.chart text { fill: #e4e7eb; } .chart .soft { fill: #9aa4b0; } .chart .axis { stroke: #9aa4b0; } .chart .grid { stroke: #3a4149; } .chart .hole { fill: #262b31; }
.chart .ring { stroke: #ffffff; } .chart .halo { stroke: #101418; }
}
@media print { .chart text { fill: #000; } .chart .soft { fill: #333; } .chart .ring { stroke: #000; } .chart .halo { stroke: #fff; } .chart .grid { stroke: #bbb; } .chart .hole { fill: #eee; } .chart text.light { fill: #fff; } }
`

// Alone makes a chart a file of its own, with its style and its background.
func Alone(svg string) string {
	head, rest, _ := strings.Cut(svg, "\n")
	return head + "\n<style>\n" + Style + ".chart { background: #ffffff; }\n@media (prefers-color-scheme: dark) { .chart { background: #14171b; } }\n</style>\n" + rest
}

// canvas collects the elements of a picture.
type canvas struct {
	strings.Builder
	label string
}

// newCanvas begins a picture with its title; what it shows begins at top.
func newCanvas(title, label string) (c *canvas, top float64) {
	c = &canvas{label: title}
	if title == "" {
		c.label = label
		return c, lineHeight
	}
	c.text(margin, 20, "title", title)
	return c, 2.4 * lineHeight
}

func (c *canvas) add(format string, args ...any) { fmt.Fprintf(c, format+"\n", args...) }

// text writes text at a place; class says how it is aligned and coloured.
func (c *canvas) text(x, y float64, class, text string) {
	c.add(`<text class="%s" x="%.1f" y="%.1f">%s</text>`, class, x, y, html.EscapeString(text))
}

// up writes text that is turned to read upwards, its middle at a place.
func (c *canvas) up(x, y float64, text string) {
	c.add(`<text class="mid" transform="translate(%.1f %.1f) rotate(-90)">%s</text>`, x, y, html.EscapeString(text))
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	c.add(`<path class="%s" d="M%.1f %.1fL%.1f %.1f"/>`, class, x1, y1, x2, y2)
}

// picture is the whole, so large.
func (c *canvas) picture(width, height float64) string {
	return fmt.Sprintf(`<svg class="chart" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="%s" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">`+"\n",
		html.EscapeString(c.label), width, height, width, height) + c.String() + "</svg>\n"
}

// charWidth is how wide a character of 12 pixels is, at most on average.
const charWidth = 7.2

func widthOf(text string) float64 { return charWidth * float64(utf8.RuneCountInString(text)) }

// widest is the width of the widest of some texts.
func widest(texts []string) float64 {
	w := 0.0
	for _, t := range texts {
		w = max(w, widthOf(t))
	}
	return w
}

// every says which of n labels are shown, the first and each so-and-so-many-th
// behind it, so that none that is so long touches the next one.
func every(n int, room, long float64) int {
	step := 1
	for i := 0; float64(step)*room < long+charWidth && step < n; i++ {
		step = []int{2, 5, 10}[i%3] * pow10(i/3)
	}
	return step
}

func pow10(n int) int {
	out := 1
	for range n {
		out *= 10
	}
	return out
}
