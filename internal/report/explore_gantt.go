package report

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
)

// The measures of a Gantt chart, in pixels.
const (
	ganttLeft, ganttWidth = 100, 900
	ganttRow, ganttBar    = 28, 20
)

// Gantt writes bars as an SVG picture, a row for each lane.
func Gantt(w io.Writer, title, clock string, bars []explore.Bar) error {
	var lanes []string
	end := big.NewInt(1)
	for _, b := range bars {
		if !slices.Contains(lanes, b.Lane) {
			lanes = append(lanes, b.Lane)
		}
		if b.To.Cmp(end) > 0 {
			end = b.To
		}
	}
	x := func(at *big.Int) float64 {
		v, _ := new(big.Rat).SetFrac(at, end).Float64()
		return ganttLeft + v*(ganttWidth-ganttLeft-20)
	}
	var out strings.Builder
	// Shorter names first: slot2 stands before slot10.
	slices.SortStableFunc(lanes, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	height := (len(lanes) + 3) * ganttRow
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", ganttWidth, height)
	fmt.Fprintf(&out, `<text x="10" y="18" font-size="14">%s</text>`+"\n", html.EscapeString(title))
	for i, lane := range lanes {
		y := (i + 1) * ganttRow
		fmt.Fprintf(&out, `<text x="10" y="%d">%s</text><line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#ddd"/>`+"\n",
			y+15, html.EscapeString(lane), ganttLeft, y+ganttBar+4, ganttWidth-20, y+ganttBar+4)
	}
	for _, b := range bars {
		y := (slices.Index(lanes, b.Lane) + 1) * ganttRow
		fill := "#9cc3e6"
		if b.Open {
			fill = "#f5d491"
		}
		fmt.Fprintf(&out, `<g><title>%s: %s to %s</title><rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s" stroke="#456"/><text x="%.1f" y="%d">%s</text></g>`+"\n",
			html.EscapeString(b.Item), b.From, b.To, x(b.From), y, max(x(b.To)-x(b.From), 1), ganttBar, fill, x(b.From)+4, y+15, html.EscapeString(b.Item))
	}
	axis := (len(lanes)+1)*ganttRow + 10
	fmt.Fprintf(&out, `<text x="%d" y="%d">0</text><text x="%d" y="%d" text-anchor="end">%s = %s</text>`+"\n</svg>\n",
		ganttLeft, axis+15, ganttWidth-20, axis+15, html.EscapeString(clock), end)
	_, err := io.WriteString(w, out.String())
	return err
}
