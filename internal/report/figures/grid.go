package figures

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/internal/report/chart"
	"github.com/gradine/gradine/tune"
)

// Grid is the points of an answer over its first parameter, which are columns, and
// the others, which are rows together.
type Grid struct {
	Tuned
	X, Y          string // the names of the parameters
	Columns, Rows []string
	Cells         map[[2]int]*Spot // column by row
	Left          []string         // what a thinned grid leaves out
}

// Spot is one point of a grid.
type Spot struct {
	*TuningPoint
	Worth *big.Int // what counts of it; nil if it has no value
	Best  bool
}

// pair is a name and a value of a JSON object.
type pair struct{ Name, Value string }

// pairs returns the members of an object of numbers and strings, in their order.
func pairs(object json.RawMessage) []pair {
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.UseNumber()
	var out []pair
	if _, err := dec.Token(); err != nil {
		return nil
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return out
		}
		value, err := dec.Token()
		if err != nil {
			return out
		}
		out = append(out, pair{fmt.Sprint(name), fmt.Sprint(value)})
	}
	return out
}

// Given is the instance in words.
func (t Tuned) Given() string {
	var given []string
	for _, p := range pairs(t.Instance) {
		given = append(given, p.Name+" = "+grouped(p.Value))
	}
	for _, p := range pairs(t.Carriers) {
		given = append(given, "card("+p.Name+") = "+p.Value)
	}
	return strings.Join(given, ", ")
}

// PointText is a point in words.
func PointText(point json.RawMessage) string {
	var out []string
	for _, p := range pairs(point) {
		out = append(out, p.Name+" = "+grouped(p.Value))
	}
	return strings.Join(out, ", ")
}

// grouped writes the digits of an integer in groups; other values stay as they are.
func grouped(text string) string {
	if n, ok := new(big.Int).SetString(text, 10); ok {
		return chart.Grouped(n)
	}
	return text
}

// ValueText is a value, or the ends of a range, with all digits.
func ValueText(value *big.Int, ends []*big.Int) string {
	if len(ends) == 2 {
		return chart.Grouped(ends[0]) + "‥" + chart.Grouped(ends[1])
	}
	if value == nil {
		return ""
	}
	return chart.Grouped(value)
}

// worth is what counts of a value where schedules differ: the end that the
// criterion names.
func (t Tuned) worth(value *big.Int, ends []*big.Int) *big.Int {
	switch {
	case len(ends) != 2:
		return value
	case (t.Criterion == tune.Best) == (t.Sense != "maximise"):
		return ends[0]
	}
	return ends[1]
}

// GridOf arranges the points of an answer.
func GridOf(t Tuned) Grid {
	g := Grid{Tuned: t, Cells: map[[2]int]*Spot{}}
	place := func(list *[]string, name string) int {
		i := slices.Index(*list, name)
		if i < 0 {
			i = len(*list)
			*list = append(*list, name)
		}
		return i
	}
	type at struct{ column, row string }
	where := make([]at, len(t.Table))
	for i := range t.Table {
		ps := pairs(t.Table[i].Point)
		if len(ps) == 0 {
			continue
		}
		var names, rest []string
		for _, p := range ps[1:] {
			names, rest = append(names, p.Name), append(rest, p.Value)
		}
		g.X, g.Y = ps[0].Name, strings.Join(names, ", ")
		where[i] = at{ps[0].Value, strings.Join(rest, ", ")}
		place(&g.Columns, where[i].column)
		place(&g.Rows, where[i].row)
	}
	inOrder(g.Columns)
	inOrder(g.Rows)
	for i, w := range where {
		c, r := slices.Index(g.Columns, w.column), slices.Index(g.Rows, w.row)
		if c < 0 || r < 0 {
			continue
		}
		x := &t.Table[i]
		// The answer says which are best; a point under another name is, too.
		best := slices.ContainsFunc(t.Best, func(b json.RawMessage) bool { return bytes.Equal(b, x.Point) || bytes.Equal(b, x.SameAs) })
		worth := t.worth(x.TEv, x.Range)
		if worth == nil && x.Ms > 0 {
			worth = new(big.Int) // less than half a unit
		}
		g.Cells[[2]int{c, r}] = &Spot{x, worth, best}
	}
	return g
}

// inOrder sorts integers by value; other lists stay as they are.
func inOrder(list []string) {
	number := map[string]*big.Int{}
	for _, x := range list {
		n, ok := new(big.Int).SetString(x, 10)
		if !ok {
			return
		}
		number[x] = n
	}
	slices.SortFunc(list, func(a, b string) int { return number[a].Cmp(number[b]) })
}

// mostTicks is how many values of a parameter a picture shows. More are thinned
// out: their cells could not be told apart, and the file would grow with their
// square.
const mostTicks = 64

// thinned is the grid with the columns and rows that a picture has room for. Those without any value go first; of the
// others, one of each stretch stays, and all that have a best point, up to twice the room.
func (g Grid) thinned(rows int) Grid {
	keep := func(n, most int, name string, of func([2]int) int) []int {
		known, best := map[int]bool{}, map[int]bool{}
		for at, x := range g.Cells {
			known[of(at)] = known[of(at)] || x.Worth != nil
			best[of(at)] = best[of(at)] || x.Best
		}
		var all, out []int
		for i := range n {
			if n <= most || known[i] {
				all = append(all, i)
			}
		}
		for k, i := range all {
			// One of each stretch of equal length, when there are too many.
			if len(all) <= most || best[i] && len(out) < 2*most || k == 0 || k*most/len(all) != (k-1)*most/len(all) {
				out = append(out, i)
			}
		}
		if len(out) < n {
			g.Left = append(g.Left, fmt.Sprintf("showing %d of %d values of %s", len(out), n, name))
		}
		return out
	}
	columns := keep(len(g.Columns), mostTicks, g.X, func(at [2]int) int { return at[0] })
	lines := keep(len(g.Rows), rows, g.Y, func(at [2]int) int { return at[1] })
	out := Grid{Tuned: g.Tuned, X: g.X, Y: g.Y, Cells: map[[2]int]*Spot{}, Left: g.Left}
	for c, i := range columns {
		out.Columns = append(out.Columns, g.Columns[i])
		for r, j := range lines {
			if x := g.Cells[[2]int{i, j}]; x != nil {
				out.Cells[[2]int{c, r}] = x
			}
		}
	}
	for _, j := range lines {
		out.Rows = append(out.Rows, g.Rows[j])
	}
	return out
}

// title names an answer.
func (t Tuned) title() string {
	var out []string
	for _, p := range pairs(t.Instance) {
		out = append(out, p.Name+"="+grouped(p.Value))
	}
	return strings.TrimSpace(t.Tune + "  " + strings.Join(out, " "))
}

// known counts the points with a value.
func (g Grid) known() int {
	n := 0
	for _, x := range g.Cells {
		if x.Worth != nil {
			n++
		}
	}
	return n
}

// drawable is the reason why there is nothing to draw; nil if there is.
func (g Grid) drawable() error {
	switch {
	case len(g.Columns) == 0:
		return fmt.Errorf("%s: nothing to draw: the entry shows no parameters", g.title())
	case g.known() < 2:
		return fmt.Errorf("%s: nothing to draw: fewer than two points have a value", g.title())
	}
	return nil
}

// HeatMap is the objective over the parameters, the best points ringed. note says
// what is left out.
func (g Grid) HeatMap() (h chart.Heat, note string, err error) {
	if err := g.drawable(); err != nil {
		return h, "", err
	}
	g = g.thinned(mostTicks)
	h = chart.Heat{Title: g.title(), X: g.X, Y: g.Y, Unit: g.Objective, Columns: chart.BriefTexts(g.Columns), Rows: chart.BriefTexts(g.Rows), Cells: map[[2]int]chart.Cell{}}
	for at, x := range g.Cells {
		if x.Worth != nil {
			h.Cells[at] = chart.Cell{Value: chart.Float(x.Worth), Text: chart.Brief(x.Worth), Best: x.Best}
		}
	}
	return h, strings.Join(g.Left, ", "), nil
}

// mostCurves is how many curves one tells apart.
const mostCurves = 12

// Curves is the objective over the first parameter, a line for each value of the
// others.
func (g Grid) Curves() (l chart.Lines, note string, err error) {
	if err := g.drawable(); err != nil {
		return l, "", err
	}
	g = g.thinned(mostCurves)
	l = chart.Lines{Title: g.title(), X: g.X, Y: g.Objective, Columns: chart.BriefTexts(g.Columns)}
	for r, name := range chart.BriefTexts(g.Rows) {
		s := chart.Series{Values: map[int]float64{}, Best: map[int]bool{}}
		if g.Y != "" {
			s.Name = g.Y + " = " + name
		}
		for c := range g.Columns {
			if x := g.Cells[[2]int{c, r}]; x != nil && x.Worth != nil {
				s.Values[c], s.Best[c] = chart.Float(x.Worth), x.Best
			}
		}
		if len(s.Values) > 0 {
			l.Series = append(l.Series, s)
		}
	}
	return l, strings.Join(g.Left, ", "), nil
}
