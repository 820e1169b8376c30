package trace

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
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
			return c, fmt.Errorf("unknown key %q: use start, end, item, lane or clock", key)
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
	compiled := t.program
	clock := slices.IndexFunc(compiled.Variables, func(variable program.Variable) bool {
		return variable.Name == c.Clock && variable.Shape.Kind == value.IntShape
	})
	if clock < 0 {
		return nil, fmt.Errorf("machine %s has no integer variable %s", t.Machine, c.Clock)
	}
	frame := compiled.Frame(context.Background())
	// A name that is a function of the machine means that the last state holds all bars.
	if functionOf(compiled, c.Start[0]) != nil {
		return t.finalBars(c, frame, clock)
	}
	var bars []Bar
	var now *big.Int
	for i, s := range t.Steps {
		compiled.Unpack(frame, t.states[i])
		now = compiled.Space.ToBig(frame.Slots[clock])
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
	// What never ended ends with the trace, and is drawn as open.
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
func (t *Trace) finalBars(c Chart, frame *formula.Frame, clock int) ([]Bar, error) {
	compiled := t.program
	if len(t.states) == 0 {
		return nil, fmt.Errorf("the trace has no states")
	}
	compiled.Unpack(frame, t.states[len(t.states)-1])
	now := compiled.Space.ToBig(frame.Slots[clock])
	// The items of the chart are those of the first function, in the order of its pairs.
	read := func(name string) (map[string]value.Value, []string, error) {
		v := functionOf(compiled, name)
		if v == nil {
			return nil, nil, fmt.Errorf("machine %s has no variable %s that is a function to integers", t.Machine, name)
		}
		values, items := map[string]value.Value{}, []string{}
		for _, pair := range compiled.Space.Elems(v.Shape, frame.Slots[slices.IndexFunc(compiled.Variables, func(variable program.Variable) bool { return variable.Name == name })], nil) {
			x, y := compiled.Space.Split(v.Shape.Elem, pair)
			item := compiled.Space.String(v.Shape.Elem.Left, x)
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
		b := Bar{Item: item, Lane: item, From: compiled.Space.ToBig(from[item]), To: compiled.Space.ToBig(to[item])}
		if lane, ok := lanes[item]; ok {
			b.Lane = compiled.Space.ToBig(lane).String()
		}
		// An end before the start is the initial value of a run that has not ended.
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
