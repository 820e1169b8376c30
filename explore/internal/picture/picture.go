// Package picture builds graphs of states for display. Each node is a state, or the value of
// an expression.
package picture

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/logic"
)

// Binding is a name with its value.
type Binding struct{ Name, Value string }

// Shown is an expression that people want to see the values of, and how they write it.
type Shown struct {
	Name string
	Term logic.Term
}

// Graph is states and transitions.
type Graph struct {
	States  [][]Binding // the first Initial of them are initial
	Initial int
	Edges   []Edge
	Count   []int // states that each of States stands for; nil: each is one
}

// Edge is a transition between states, by number.
type Edge struct {
	From, To int
	Label    string // event and parameters; of a view, the event
}

// Wanted is what is to be drawn: at most Most nodes; of a View, its expressions' values instead of states.
type Wanted struct {
	Most int
	View []Shown
}

// Of fires all events again in the states of a store. The graph is nil if there are more nodes than wanted.
func Of(ctx context.Context, p *program.Program, store *states.Store, wanted Wanted) (*Graph, error) {
	if len(wanted.View) == 0 {
		if store.Len() > wanted.Most {
			return nil, nil
		}
		return each(ctx, p, wanted.Most), nil
	}
	return quotient(ctx, p, store, wanted)
}

// Values are the variables of a state.
func Values(p *program.Program, state []byte) []Binding {
	if state == nil {
		return nil
	}
	frame := p.Frame(context.Background())
	p.Unpack(frame, state)
	var out []Binding
	for i, variable := range p.Variables {
		out = append(out, Binding{variable.Name, p.Space.String(variable.Shape, frame.Slots[i])})
	}
	return out
}

// initials are the states after INITIALISATION; none if it has no value.
func initials(p *program.Program, f *formula.Frame) (out [][]byte) {
	if _, why := f.Visit(p.Init.Fire, func(f *formula.Frame) bool {
		out = append(out, p.Pack(nil, f))
		return true
	}); why != "" {
		return nil
	}
	return out
}

// each draws a node for each state.
func each(ctx context.Context, p *program.Program, limit int) *Graph {
	g := &Graph{}
	var found [][]byte
	number := map[string]int{}
	node := func(state []byte) int {
		n, ok := number[string(state)]
		if !ok {
			n = len(found)
			number[string(state)] = n
			found = append(found, state)
			g.States = append(g.States, Values(p, state))
		}
		return n
	}
	f := p.Frame(ctx)
	for _, state := range initials(p, f) {
		node(state)
	}
	g.Initial = len(found)
	for from := 0; from < len(found) && len(found) <= limit; from++ {
		for _, event := range p.Events {
			p.Unpack(f, found[from])
			var after [][]byte
			var labels []string
			_, why := f.Visit(event.Fire, func(f *formula.Frame) bool {
				after, labels = append(after, p.Pack(nil, f)), append(labels, labelOf(p, event, f))
				return true
			})
			for i, label := range labels {
				if why == "" {
					g.Edges = append(g.Edges, Edge{from, node(after[i]), label})
				}
			}
		}
	}
	if len(found) > limit {
		return nil // a reduction saw fewer
	}
	return g
}

// labelOf is an event with the parameters that it fires with.
func labelOf(p *program.Program, event *program.Event, f *formula.Frame) string {
	if len(event.Params) == 0 {
		return event.Model.Label
	}
	var args []string
	for _, x := range event.Params {
		args = append(args, p.Space.String(x.Shape, f.Slots[x.Slot]))
	}
	return event.Model.Label + "(" + strings.Join(args, ", ") + ")"
}

// quotient draws the quotient of the state graph by the values of some expressions: a node for all states that agree on
// them, and an edge for all transitions of one event between two nodes. The order of the store means nothing to people,
// so nodes are sorted by their values. It returns nil if there are more nodes than wanted.
func quotient(ctx context.Context, p *program.Program, store *states.Store, wanted Wanted) (*Graph, error) {
	v, err := viewOf(ctx, p, wanted.View)
	if err != nil {
		return nil, err
	}
	g := &Graph{}
	number := map[string]int{}
	node := func(state []byte) int {
		values := v.of(state)
		key := strings.Join(values, "\x00")
		n, ok := number[key]
		if !ok {
			n = len(g.States)
			number[key] = n
			var shown []Binding
			for i, x := range values {
				shown = append(shown, Binding{wanted.View[i].Name, x})
			}
			g.States, g.Count = append(g.States, shown), append(g.Count, 0)
		}
		return n
	}
	f := p.Frame(ctx)
	initial := map[int]bool{}
	for _, state := range initials(p, f) {
		initial[node(state)] = true
	}
	drawn := map[Edge]bool{}
	var after []byte
	store.Each(func(state []byte) {
		if len(g.States) > wanted.Most {
			return // there will be no picture, so the other states need no successors
		}
		from := node(state)
		g.Count[from]++
		for _, event := range p.Events {
			p.Unpack(f, state)
			var to []int
			_, why := f.Visit(event.Fire, func(f *formula.Frame) bool {
				after = p.Pack(after[:0], f)
				to = append(to, node(after))
				return true
			})
			// An event that is undefined in a state has no successors there, whatever it found before.
			for _, n := range to {
				if why == "" {
					drawn[Edge{from, n, event.Model.Label}] = true
				}
			}
		}
	})
	if len(g.States) > wanted.Most {
		return nil, nil
	}
	return g.sorted(initial, drawn), nil
}

// sorted is g with initial nodes first, and nodes and edges in an order that hangs on their texts alone.
func (g *Graph) sorted(initial map[int]bool, drawn map[Edge]bool) *Graph {
	order := make([]int, len(g.States))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int {
		if initial[i] != initial[k] {
			if initial[i] {
				return -1
			}
			return 1
		}
		return slices.CompareFunc(g.States[i], g.States[k], func(a, b Binding) int {
			return cmp.Or(cmp.Compare(len(a.Value), len(b.Value)), cmp.Compare(a.Value, b.Value))
		})
	})
	out := &Graph{Initial: len(initial)}
	place := make([]int, len(order))
	for n, i := range order {
		place[i] = n
		out.States, out.Count = append(out.States, g.States[i]), append(out.Count, g.Count[i])
	}
	for e := range drawn {
		out.Edges = append(out.Edges, Edge{place[e.From], place[e.To], e.Label})
	}
	slices.SortFunc(out.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Label, b.Label))
	})
	return out
}

// view is expressions, compiled.
type view struct {
	p     *program.Program
	frame *formula.Frame
	exprs []formula.Expr
	shape []*value.Shape
}

func viewOf(ctx context.Context, p *program.Program, of []Shown) (*view, error) {
	v := &view{p: p}
	bank := p.Setting.Bank
	for _, d := range of {
		if bank.Op(d.Term).IsPredicate() {
			return nil, errors.New(d.Name + " is a predicate; bool(" + d.Name + ") is an expression")
		}
		expr, err := p.Value(d.Term)
		if err != nil {
			return nil, err
		}
		v.exprs, v.shape = append(v.exprs, expr), append(v.shape, p.Space.Shape(bank.Type(d.Term)))
	}
	v.frame = p.Frame(ctx) // of all slots, also those that the expressions need
	return v, nil
}

// of are the values in a state.
func (v *view) of(state []byte) (out []string) {
	v.p.Unpack(v.frame, state)
	for i, expr := range v.exprs {
		x, why := v.frame.Value(expr)
		if why != "" {
			out = append(out, "no value")
			continue
		}
		out = append(out, v.p.Space.String(v.shape[i], x))
	}
	return out
}
