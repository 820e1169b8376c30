package chart

import (
	"html"
	"math"
)

// Heat is values over two axes of names.
type Heat struct {
	Title      string
	Label      string   // in place of a title that the picture does not show
	X, Y, Unit string   // what the axes and the values are
	Columns    []string // along X
	Rows       []string // along Y, from below; a lone "" if there is no such axis
	Cells      map[[2]int]Cell
}

// Cell is one value, column by row.
type Cell struct {
	Value float64
	Text  string // shown where there is room
	Best  bool
}

// SVG draws the heat map: cells without a value are holes, the best ringed, and a
// bar tells what the colours mean.
func (h Heat) SVG() string {
	c, top := newCanvas(h.Title, h.Label)
	var values []float64
	for _, x := range h.Cells {
		values = append(values, x.Value)
	}
	scale := NewScale(values)
	left := margin + widest(h.Rows) + 10
	if h.Y != "" {
		left += lineHeight + 6
	}
	// Cells are squares if the picture stays within its measures, and rows are never
	// lower than a line of text unless there are too many for that.
	w := math.Min(64, plotWidth/float64(len(h.Columns)))
	tall := math.Min(w, math.Max(math.Min(plotHeight, 480)/float64(len(h.Rows)), 4))
	if len(h.Rows) == 1 {
		tall = 48
	}
	width, height := w*float64(len(h.Columns)), tall*float64(len(h.Rows))
	bar := math.Max(height, 96)
	var rings []func()
	for row := range h.Rows {
		for col := range h.Columns {
			x, y := left+float64(col)*w, top+height-float64(row+1)*tall
			cell, ok := h.Cells[[2]int{col, row}]
			if !ok {
				c.add(`<rect class="hole" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, x, y, w, tall)
				continue
			}
			hex, dark := Colour(scale.At(cell.Value))
			c.add(`<rect shape-rendering="crispEdges" x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"><title>%s</title></rect>`, x, y, w+0.3, tall+0.3, hex, html.EscapeString(cell.Text))
			if widthOf(cell.Text) < w-4 && tall >= lineHeight {
				class := "mid dark"
				if dark {
					class = "mid light"
				}
				c.text(x+w/2, y+tall/2+4, class, cell.Text)
			}
			if cell.Best {
				rings = append(rings, func() {
					for _, class := range []string{"halo", "ring"} {
						c.add(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="2"/>`, class, x+1.5, y+1.5, w-3, tall-3)
					}
				})
			}
		}
	}
	for _, ring := range rings {
		ring() // above all cells
	}
	h.axes(c, left, top, w, tall, height)
	x := left + width + 28
	end := h.bar(c, scale, x, top, bar)
	below := math.Max(top+height+2*lineHeight+14, top+bar+margin)
	return c.picture(math.Max(end, margin*2+widthOf(h.Title)*1.2), below)
}

// best is the value of the best cells, or another one if there are none.
func (h Heat) best(other float64) float64 {
	for _, cell := range h.Cells {
		if cell.Best {
			return cell.Value // all of them have it
		}
	}
	return other
}

// axes writes the names along both axes, as many as have room.
func (h Heat) axes(c *canvas, left, top, w, tall, height float64) {
	step := every(len(h.Columns), w, widest(h.Columns))
	for i := 0; i < len(h.Columns); i += step {
		c.text(left+(float64(i)+0.5)*w, top+height+lineHeight, "mid", h.Columns[i])
	}
	step = every(len(h.Rows), tall, lineHeight-charWidth)
	for i := 0; i < len(h.Rows); i += step {
		c.text(left-6, top+height-(float64(i)+0.5)*tall+4, "end", h.Rows[i])
	}
	c.text(left+w*float64(len(h.Columns))/2, top+height+2*lineHeight+4, "mid", h.X)
	if h.Y != "" {
		c.up(margin+8, top+height/2, h.Y)
	}
}

// bar draws the colours with values next to them, the least below, and returns how
// far to the right it reaches.
func (h Heat) bar(c *canvas, scale Scale, x, top, height float64) float64 {
	const pieces = 48
	for i := range pieces {
		hex, _ := Colour((float64(i) + 0.5) / pieces)
		y := top + height*(1-float64(i+1)/pieces)
		c.add(`<rect shape-rendering="crispEdges" x="%.1f" y="%.1f" width="%d" height="%.1f" fill="%s"/>`, x, y, barWidth, height/pieces+0.3, hex)
	}
	marks := scale.marks(int(height / (2 * lineHeight)))
	if len(marks) == 0 {
		return x + barWidth // no cell has a value
	}
	names := markTexts(marks, h.best(marks[0]))
	for i, v := range marks {
		y := top + height*(1-scale.At(v))
		c.line("axis", x+barWidth, y, x+barWidth+4, y)
		c.text(x+barWidth+8, y+4, "", names[i])
	}
	unit := h.Unit
	if scale.Name != "" {
		unit += " (" + scale.Name + ")"
	}
	end := x + barWidth + 8 + widest(names) + lineHeight
	c.up(end, top+height/2, unit)
	return end + margin
}
