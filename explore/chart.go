package explore

import (
	"context"
	"fmt"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
	"math/big"
	"slices"
	"strings"
)

// Chart says how a trace is read as a Gantt chart over a clock. If Start is a
// variable, it, End and Lane are functions of the items, read in the last state.
// Otherwise bars begin with one event and end with another, of the same item.
type Chart struct {
	Start, End []string // events, or a variable
	Item       string   // parameter of both events that says what begins and ends
	Lane       string   // parameter of the first that says where, or a variable; "": the first free lane
	Clock      string   // integer variable
}

// ReadChart reads start=EVENT,end=EVENT,item=PARAMETER,lane=PARAMETER,clock=VARIABLE,
// several events being separated by |, or start=VARIABLE,end=VARIABLE,lane=VARIABLE,clock=VARIABLE.
func ReadChart(text string) (Chart, error) {
	var c Chart
	for part := range strings.SplitSeq(text, ",") {
		key, val, ok := strings.Cut(part, "=")
		if !ok {
			return c, fmt.Errorf("%q is not of the form KEY=VALUE", part)
		}
		switch key {
		case "start":
			c.Start = strings.Split(val, "|")
		case "end":
			c.End = strings.Split(val, "|")
		case "item":
			c.Item = val
		case "lane":
			c.Lane = val
		case "clock":
			c.Clock = val
		default:
			return c, fmt.Errorf("%q is none of start, end, item, lane, clock", key)
		}
	}
	if len(c.Start) == 0 || len(c.End) == 0 || c.Clock == "" {
		return c, fmt.Errorf("start, end and clock are needed")
	}
	return c, nil
}

// Bar is an item in a lane, from one time to another.
type Bar struct {
	Item, Lane string
	From, To   *big.Int
	Open       bool // it does not end within the trace
}

// Bars reads the trace as a Gantt chart. Bars are in the order of their starts.
func (t *Trace) Bars(c Chart) ([]Bar, error) {
	p := t.program
	clock := slices.IndexFunc(p.Variables, func(v program.Variable) bool { return v.Name == c.Clock && v.Shape.Kind == value.IntShape })
	if clock < 0 {
		return nil, fmt.Errorf("machine %s has no integer variable %s", t.Machine, c.Clock)
	}
	f := p.Frame(context.Background())
	if functionOf(p, c.Start[0]) != nil {
		return t.finalBars(c, f, clock)
	}
	var bars []Bar
	var now *big.Int
	for i, s := range t.Steps {
		p.Unpack(f, t.states[i])
		now = p.Space.ToBig(f.Slots[clock])
		item, lane := s.param(c.Item), s.param(c.Lane)
		if slices.Contains(c.End, s.Event) {
			at := slices.IndexFunc(bars, func(b Bar) bool { return b.Open && b.Item == item })
			if at >= 0 {
				bars[at].To, bars[at].Open = now, false
			}
		}
		if slices.Contains(c.Start, s.Event) {
			if c.Lane == "" {
				lane = freeLane(bars, now)
			}
			bars = append(bars, Bar{Item: item, Lane: lane, From: now, To: now, Open: true})
		}
	}
	for i := range bars {
		if bars[i].Open {
			bars[i].To = now
		}
	}
	if len(bars) == 0 {
		return nil, fmt.Errorf("no event %s in the trace", strings.Join(c.Start, " or "))
	}
	return bars, nil
}

// function returns the variable called name if its values are functions to
// integers.
func functionOf(p *program.Program, name string) *program.Variable {
	for i := range p.Variables {
		if v := &p.Variables[i]; v.Name == name && v.Shape.Elem != nil && v.Shape.Elem.Right != nil && v.Shape.Elem.Right.Kind == value.IntShape {
			return v
		}
	}
	return nil
}

// finalBars reads bars from functions in the last state.
func (t *Trace) finalBars(c Chart, f *formula.Frame, clock int) ([]Bar, error) {
	p := t.program
	p.Unpack(f, t.states[len(t.states)-1])
	now := p.Space.ToBig(f.Slots[clock])
	read := func(name string) (map[string]value.Value, []string, error) {
		v := functionOf(p, name)
		if v == nil {
			return nil, nil, fmt.Errorf("machine %s has no variable %s that is a function to integers", t.Machine, name)
		}
		values, items := map[string]value.Value{}, []string{}
		for _, pair := range p.Space.Elems(v.Shape, f.Slots[slices.IndexFunc(p.Variables, func(w program.Variable) bool { return w.Name == name })], nil) {
			x, y := p.Space.Split(v.Shape.Elem, pair)
			item := p.Space.String(v.Shape.Elem.Left, x)
			values[item] = y
			items = append(items, item)
		}
		return values, items, nil
	}
	from, items, err := read(c.Start[0])
	if err != nil {
		return nil, err
	}
	to, _, err := read(c.End[0])
	if err != nil {
		return nil, err
	}
	var lanes map[string]value.Value
	if c.Lane != "" {
		if lanes, _, err = read(c.Lane); err != nil {
			return nil, err
		}
	}
	var bars []Bar
	for _, item := range items {
		b := Bar{Item: item, Lane: item, From: p.Space.ToBig(from[item]), To: p.Space.ToBig(to[item])}
		if lane, ok := lanes[item]; ok {
			b.Lane = p.Space.ToBig(lane).String()
		}
		if b.To.Cmp(b.From) < 0 {
			b.To, b.Open = now, true
		}
		bars = append(bars, b)
	}
	return bars, nil
}

// freeLane is the first lane in which nothing goes on.
func freeLane(bars []Bar, now *big.Int) string {
	for lane := 1; ; lane++ {
		name := fmt.Sprint(lane)
		if !slices.ContainsFunc(bars, func(b Bar) bool { return b.Lane == name && (b.Open || b.To.Cmp(now) > 0) }) {
			return name
		}
	}
}

// param is the value of a parameter, printed, or "".
func (s *Step) param(name string) string {
	for _, b := range s.Params {
		if b.Name == name {
			return b.Value
		}
	}
	return ""
}
