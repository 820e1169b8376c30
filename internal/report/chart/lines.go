package chart

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Lines is curves over an axis of names.
type Lines struct {
	Title, X, Y string
	Label       string // in place of a title that the picture does not show
	Columns     []string
	Series      []Series
}

// Series is one curve: a value for some of the columns.
type Series struct {
	Name   string
	Values map[int]float64
	Best   map[int]bool // columns whose value is the best of all
}

// hues tell few curves apart, also for people who do not see all colours; dashes
// also do.
var hues = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#8f5bd6", "#7f7f7f"}

var dashes = []string{"", "6 3", "2 3", "8 3 2 3"}

// look is the colour and the dash of a curve of several.
func look(i, n int) (colour, dash string) {
	if n <= len(hues) {
		return hues[i], dashes[i/2%len(dashes)]
	}
	// Of many curves the order matters: they take the colours of a scale, but for
	// the brightest, which paper does not show, and the darkest, which a dark page hides.
	colour, _ = Colour(0.15 + 0.55*float64(i)/float64(n-1))
	return colour, ""
}

// SVG draws the curves. A column without a value breaks no line: its neighbours
// are joined.
func (l Lines) SVG() string {
	c, top := newCanvas(l.Title, l.Label)
	low, high := math.Inf(1), math.Inf(-1)
	var names []string
	for _, s := range l.Series {
		names = append(names, s.Name)
		for _, v := range s.Values {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	if low > high {
		low, high = 0, 1 // nothing to draw: an empty frame
	}
	r := newRuler(low, high, 6)
	var ticks []string
	for _, t := range r.ticks {
		ticks = append(ticks, short(t))
	}
	left := margin + lineHeight + 8 + widest(ticks) + 8
	y := func(v float64) float64 { return top + plotHeight*(1-r.at(v)) }
	x := func(i int) float64 {
		return left + plotWidth*(float64(i)+0.5)/float64(max(len(l.Columns), 1))
	}
	for i, t := range r.ticks {
		c.line("grid", left, y(t), left+plotWidth, y(t))
		c.text(left-6, y(t)+4, "end", ticks[i])
	}
	step := every(len(l.Columns), plotWidth/float64(max(len(l.Columns), 1)), widest(l.Columns))
	for i := 0; i < len(l.Columns); i += step {
		c.line("axis", x(i), top+plotHeight, x(i), top+plotHeight+4)
		c.text(x(i), top+plotHeight+lineHeight+2, "mid", l.Columns[i])
	}
	c.line("axis", left, top+plotHeight, left+plotWidth, top+plotHeight)
	c.text(left+plotWidth/2, top+plotHeight+2*lineHeight+6, "mid", l.X)
	name := l.Y
	if r.log {
		name += " (log)"
	}
	c.up(margin+8, top+plotHeight/2, name)
	for i, s := range l.Series {
		l.curve(c, s, i, x, y)
	}
	for _, s := range l.Series {
		for i := range l.Columns {
			if v, ok := s.Values[i]; ok && s.Best[i] {
				c.add(`<circle class="halo" cx="%.1f" cy="%.1f" r="6"/><circle class="ring" cx="%.1f" cy="%.1f" r="6"><title>%s</title></circle>`,
					x(i), y(v), x(i), y(v), html.EscapeString("best: "+l.Columns[i]+": "+short(v)))
			}
		}
	}
	end := l.legend(c, left+plotWidth+16, top, names)
	tall := math.Max(top+plotHeight+2*lineHeight+16, top+float64(len(names)+1)*lineHeight)
	return c.picture(math.Max(end, margin*2+widthOf(l.Title)*1.2), tall)
}

// curve draws one of the series.
func (l Lines) curve(c *canvas, s Series, number int, x func(int) float64, y func(float64) float64) {
	colour, dash := look(number, len(l.Series))
	path := ""
	for i := range l.Columns {
		if v, ok := s.Values[i]; ok {
			path += fmt.Sprintf("%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[path == ""], x(i), y(v))
		}
	}
	if path == "" {
		return
	}
	c.add(`<path d="%s" fill="none" stroke="%s" stroke-width="1.8" stroke-dasharray="%s"/>`, path, colour, dash)
	for i := range l.Columns {
		if v, ok := s.Values[i]; ok && len(l.Columns) <= 60 {
			c.add(`<circle cx="%.1f" cy="%.1f" r="2.6" fill="%s"><title>%s</title></circle>`, x(i), y(v), colour, html.EscapeString(s.Name+", "+l.Columns[i]+": "+short(v)))
		}
	}
}

// legend names the curves next to the plot, and returns how far it reaches.
func (l Lines) legend(c *canvas, x, top float64, names []string) float64 {
	if len(names) == 1 && names[0] == "" {
		return x
	}
	for i, name := range names {
		colour, dash := look(i, len(names))
		y := top + 8 + float64(i)*lineHeight
		c.add(`<path d="M%.1f %.1fh22" stroke="%s" stroke-width="2.4" stroke-dasharray="%s"/>`, x, y, colour, dash)
		c.text(x+28, y+4, "", name)
	}
	return x + 28 + widest(names) + margin
}

// Stack is several charts as one picture, one below the other.
func Stack(list []Lines) string {
	c := &canvas{label: "trend"}
	width, height := 0.0, 0.0
	for _, l := range list {
		svg := l.SVG()
		var w, h float64
		if i := strings.Index(svg, `viewBox="`); i >= 0 {
			_, _ = fmt.Sscanf(svg[i:], `viewBox="0 0 %f %f"`, &w, &h) // this is how canvas writes it
		}
		_, body, _ := strings.Cut(svg, "\n")
		c.add(`<g transform="translate(0 %.0f)">%s</g>`, height, strings.TrimSuffix(body, "</svg>\n"))
		width, height = max(width, w), height+h
	}
	return c.picture(width, height)
}
