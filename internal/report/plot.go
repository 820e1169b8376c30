package report

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"math/big"
	"slices"

	"github.com/gradine/gradine/tune"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// plane is the objective over the first two parameters of an answer, on the grid
// of the values that occur; points without a value are holes.
type plane struct {
	xs, ys []*big.Int
	z      map[[2]int]float64
	least  map[[2]int]bool
}

func planeOf(a *tune.Answer) *plane {
	p := &plane{z: map[[2]int]float64{}, least: map[[2]int]bool{}}
	second := func(pt *tune.Point) *big.Int {
		if len(pt.Values) > 1 {
			return pt.Values[1]
		}
		return new(big.Int)
	}
	for i := range a.Points {
		p.xs, p.ys = insert(p.xs, a.Points[i].Values[0]), insert(p.ys, second(&a.Points[i]))
	}
	for i := range a.Points {
		pt := &a.Points[i]
		if pt.Known() {
			at := [2]int{place(p.xs, pt.Values[0]), place(p.ys, second(pt))}
			p.z[at], _ = new(big.Float).SetInt(pt.High).Float64()
			p.least[at] = slices.Contains(a.Best, i)
		}
	}
	return p
}

func place(vs []*big.Int, v *big.Int) int {
	i, _ := slices.BinarySearchFunc(vs, v, (*big.Int).Cmp)
	return i
}

func insert(vs []*big.Int, v *big.Int) []*big.Int {
	i, found := slices.BinarySearchFunc(vs, v, (*big.Int).Cmp)
	if found {
		return vs
	}
	return slices.Insert(vs, i, v)
}

// Dims, Z, X and Y make plane a plotter.GridXYZ. Values stand on a logarithmic scale.
func (p *plane) Dims() (c, r int) { return len(p.xs), len(p.ys) }
func (p *plane) X(c int) float64  { return float64(c) }
func (p *plane) Y(r int) float64  { return float64(r) }
func (p *plane) Z(c, r int) float64 {
	z, ok := p.z[[2]int{c, r}]
	if !ok || z <= 0 {
		return math.NaN()
	}
	return math.Log10(z)
}

func ticks(vs []*big.Int) plot.ConstantTicks {
	var out plot.ConstantTicks
	for i, v := range vs {
		out = append(out, plot.Tick{Value: float64(i), Label: v.String()})
	}
	return out
}

func title(a *tune.Answer) string {
	s := a.Entry
	for _, g := range a.Given {
		s += fmt.Sprintf(" %s=%s", g.Name, g.Value)
	}
	return s
}

// HeatMap draws the objective over the first two parameters, the best points
// ringed. format is svg or png. It is an error if fewer than two points have a
// value.
func HeatMap(w io.Writer, a *tune.Answer, format string) error {
	p := planeOf(a)
	if len(p.z) < 2 {
		return fmt.Errorf("%s: fewer than two points have a value; there is nothing to draw", title(a))
	}
	fig := plot.New()
	fig.Title.Text = title(a) + ": " + a.Objective + " (log)"
	fig.X.Label.Text = a.Names[0]
	if len(a.Names) > 1 {
		fig.Y.Label.Text = a.Names[1]
	}
	fig.X.Tick.Marker, fig.Y.Tick.Marker = ticks(p.xs), ticks(p.ys)
	colours := moreland.SmoothBlueRed()
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, z := range p.z {
		lo, hi = math.Min(lo, math.Log10(z)), math.Max(hi, math.Log10(z))
	}
	if lo == hi {
		hi = lo + 1
	}
	colours.SetMin(lo)
	colours.SetMax(hi)
	heat := plotter.NewHeatMap(p, colours.Palette(64))
	heat.Min, heat.Max = lo, hi
	fig.Add(heat)
	var best plotter.XYs
	for c := range p.xs {
		for r := range p.ys {
			if p.least[[2]int{c, r}] {
				best = append(best, plotter.XY{X: float64(c), Y: float64(r)})
			}
		}
	}
	rings, err := plotter.NewScatter(best)
	if err != nil {
		return err
	}
	rings.Radius, rings.Color = vg.Points(7), color.White
	fig.Add(rings)
	return write(w, fig, format)
}

// Curves draws the objective over the first parameter, a line for each value of
// the second, both on logarithmic scales.
func Curves(w io.Writer, a *tune.Answer, format string) error {
	p := planeOf(a)
	fig := plot.New()
	fig.Title.Text = title(a)
	fig.X.Label.Text, fig.Y.Label.Text = a.Names[0], "log10 "+a.Objective
	fig.X.Tick.Marker = ticks(p.xs)
	colours := moreland.SmoothBlueRed()
	colours.SetMin(0)
	colours.SetMax(float64(max(1, len(p.ys)-1)))
	for r := range p.ys {
		var line plotter.XYs
		for c := range p.xs {
			if z := p.Z(c, r); !math.IsNaN(z) {
				line = append(line, plotter.XY{X: float64(c), Y: z})
			}
		}
		if len(line) == 0 {
			continue
		}
		l, points, err := plotter.NewLinePoints(line)
		if err != nil {
			return err
		}
		if l.Color, err = colours.At(float64(r)); err != nil {
			return err
		}
		points.Color = l.Color
		fig.Add(l, points)
		if len(a.Names) > 1 {
			fig.Legend.Add(fmt.Sprintf("%s=%s", a.Names[1], p.ys[r]), l)
		}
	}
	return write(w, fig, format)
}

func write(w io.Writer, fig *plot.Plot, format string) error {
	from, err := fig.WriterTo(18*vg.Centimeter, 13*vg.Centimeter, format)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	if _, err := from.WriteTo(&buf); err != nil {
		return err
	}
	_, err = w.Write(buf.Bytes())
	return err
}
