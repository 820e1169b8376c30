package report

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/tune"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// plane is the objective over the first two parameters of an answer, on the grid
// of the values that occur; points without a value are holes.
type plane struct {
	xs, ys axis
	z      map[[2]int]float64
	least  map[[2]int]bool
}

// axis is the values of a parameter, in order.
type axis struct {
	values []explore.Constant
	place  map[string]int
	left   int // values that are left out
}

// mostTicks is how many values of a parameter a picture shows. More are thinned
// out: nobody could tell their cells apart, and the file would grow with their
// square.
const mostTicks = 64

// axisOf returns the values of parameter k at the points of an answer: integers in
// their order, others as they come. Values of best points are always kept.
func axisOf(answer *tune.Answer, k int) axis {
	x := axis{place: map[string]int{}}
	if k >= len(answer.Names) {
		x.values, x.place[""] = []explore.Constant{{}}, 0
		return x
	}
	seen := map[string]bool{}
	var all []explore.Constant
	known := map[string]bool{} // of points that have something to show
	for i := range answer.Points {
		constant := answer.Points[i].Values[k]
		known[constant.Text] = known[constant.Text] || answer.Points[i].Known()
		if !seen[constant.Text] {
			seen[constant.Text] = true
			all = append(all, constant)
		}
	}
	if n := len(all); n > mostTicks {
		all = slices.DeleteFunc(all, func(constant explore.Constant) bool { return !known[constant.Text] })
		x.left = n - len(all)
	}
	slices.SortStableFunc(all, func(v, w explore.Constant) int {
		if v.Int == nil || w.Int == nil {
			return 0
		}
		return v.Int.Cmp(w.Int)
	})
	best := map[string]bool{}
	for _, i := range answer.Best {
		if len(best) < mostTicks {
			best[answer.Points[i].Values[k].Text] = true
		}
	}
	for i, constant := range all {
		// One of each stretch of equal length, when there are too many.
		first := i == 0 || i*mostTicks/len(all) != (i-1)*mostTicks/len(all)
		if len(all) > mostTicks && !first && !best[constant.Text] {
			x.left++
			continue
		}
		x.place[constant.Text] = len(x.values)
		x.values = append(x.values, constant)
	}
	return x
}

// at is the cell of a point; ok is false if the picture leaves it out.
func (p *plane) at(pt *tune.Point) (cell [2]int, ok bool) {
	second := ""
	if len(pt.Values) > 1 {
		second = pt.Values[1].Text
	}
	c, inX := p.xs.place[pt.Values[0].Text]
	r, inY := p.ys.place[second]
	return [2]int{c, r}, inX && inY
}

func planeOf(answer *tune.Answer) *plane {
	p := &plane{xs: axisOf(answer, 0), ys: axisOf(answer, 1), z: map[[2]int]float64{}, least: map[[2]int]bool{}}
	for i := range answer.Points {
		pt := &answer.Points[i]
		cell, ok := p.at(pt)
		if !ok || !pt.Known() {
			continue
		}
		// Parameters beyond the second share a cell: it shows the best of them.
		if z, _ := new(big.Float).SetInt(answer.Worth(pt)).Float64(); !has(p.z, cell) || z < p.z[cell] {
			p.z[cell] = z
		}
	}
	for _, i := range answer.Best {
		if cell, ok := p.at(&answer.Points[i]); ok {
			p.least[cell] = true
		}
	}
	return p
}

func has(m map[[2]int]float64, k [2]int) bool {
	_, ok := m[k]
	return ok
}

// note says what the picture leaves out; "" if nothing.
func (p *plane) note(a *tune.Answer) string {
	var out []string
	for k, x := range []axis{p.xs, p.ys} {
		if x.left > 0 {
			out = append(out, fmt.Sprintf("%d of %d values of %s are shown", len(x.values), len(x.values)+x.left, a.Names[k]))
		}
	}
	return strings.Join(out, ", ")
}

// Dims, Z, X and Y make plane a plotter.GridXYZ. Values stand on a logarithmic scale.
func (p *plane) Dims() (c, r int) { return len(p.xs.values), len(p.ys.values) }
func (p *plane) X(c int) float64  { return float64(c) }
func (p *plane) Y(r int) float64  { return float64(r) }
func (p *plane) Z(c, r int) float64 {
	z, ok := p.z[[2]int{c, r}]
	if !ok {
		return math.NaN()
	}
	return scaled(z)
}

// scaled is the decimal logarithm of a value, mirrored for negative ones: 0 for 0,
// about ±n for ±10^n.
func scaled(z float64) float64 {
	return math.Copysign(math.Log10(1+math.Abs(z)), z)
}

func (x axis) ticks() plot.ConstantTicks {
	var out plot.ConstantTicks
	for i, v := range x.values {
		label := v.Text
		if len(x.values) > 16 && i%8 != 0 {
			label = "" // there is no room for all
		}
		out = append(out, plot.Tick{Value: float64(i), Label: label})
	}
	return out
}

func title(a *tune.Answer) string {
	s := a.Entry
	for _, g := range a.Given {
		s += fmt.Sprintf(" %s=%s", g.Name, g.Value.Text)
	}
	return s
}

// HeatMap draws the objective over the first two parameters, the best points
// ringed. format is svg or png. note says what is left out. It is an
// error if fewer than two points have a value.
func HeatMap(out io.Writer, answer *tune.Answer, format string) (note string, err error) {
	if len(answer.Names) == 0 {
		return "", fmt.Errorf("%s: the entry shows no parameters; there is nothing to draw", title(answer))
	}
	p := planeOf(answer)
	if len(p.z) < 2 {
		return "", fmt.Errorf("%s: fewer than two points have a value; there is nothing to draw", title(answer))
	}
	fig := plot.New()
	fig.Title.Text = title(answer) + ": " + answer.Objective + " (log)"
	fig.X.Label.Text = answer.Names[0]
	if len(answer.Names) > 1 {
		fig.Y.Label.Text = answer.Names[1]
	}
	fig.X.Tick.Marker, fig.Y.Tick.Marker = p.xs.ticks(), p.ys.ticks()
	colours := moreland.SmoothBlueRed()
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, z := range p.z {
		lo, hi = math.Min(lo, scaled(z)), math.Max(hi, scaled(z))
	}
	// A palette needs two ends.
	if lo == hi {
		hi = lo + 1
	}
	colours.SetMin(lo)
	colours.SetMax(hi)
	// The range is given, for the heat map takes that of the grid, holes included.
	heat := plotter.NewHeatMap(p, colours.Palette(64))
	heat.Min, heat.Max = lo, hi
	fig.Add(heat)
	var best plotter.XYs
	for c := range p.xs.values {
		for r := range p.ys.values {
			if p.least[[2]int{c, r}] {
				best = append(best, plotter.XY{X: float64(c), Y: float64(r)})
			}
		}
	}
	rings, err := plotter.NewScatter(best)
	if err != nil {
		return "", err
	}
	rings.Radius, rings.Color = vg.Points(7), color.White
	fig.Add(rings)
	return p.note(answer), write(out, fig, format)
}

// Curves draws the objective over the first parameter, a line for each value of
// the second, both on logarithmic scales.
func Curves(out io.Writer, answer *tune.Answer, format string) (note string, err error) {
	if len(answer.Names) == 0 {
		return "", fmt.Errorf("%s: the entry shows no parameters; there is nothing to draw", title(answer))
	}
	p := planeOf(answer)
	fig := plot.New()
	fig.Title.Text = title(answer)
	fig.X.Label.Text, fig.Y.Label.Text = answer.Names[0], answer.Objective+" (log)"
	fig.X.Tick.Marker = p.xs.ticks()
	colours := moreland.SmoothBlueRed()
	colours.SetMin(0)
	colours.SetMax(float64(max(1, len(p.ys.values)-1)))
	// A point without a value breaks no line: its neighbours are joined.
	for r := range p.ys.values {
		var line plotter.XYs
		for c := range p.xs.values {
			if z := p.Z(c, r); !math.IsNaN(z) {
				line = append(line, plotter.XY{X: float64(c), Y: z})
			}
		}
		// The plotter draws no empty line, and its legend would show one.
		if len(line) == 0 {
			continue
		}
		l, points, err := plotter.NewLinePoints(line)
		if err != nil {
			return "", err
		}
		if l.Color, err = colours.At(float64(r)); err != nil {
			return "", err
		}
		points.Color = l.Color
		fig.Add(l, points)
		if len(answer.Names) > 1 {
			fig.Legend.Add(fmt.Sprintf("%s=%s", answer.Names[1], p.ys.values[r].Text), l)
		}
	}
	return p.note(answer), write(out, fig, format)
}

func write(out io.Writer, fig *plot.Plot, format string) error {
	from, err := fig.WriterTo(18*vg.Centimeter, 13*vg.Centimeter, format)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	if _, err := from.WriteTo(&buf); err != nil {
		return err
	}
	_, err = out.Write(buf.Bytes())
	return err
}
